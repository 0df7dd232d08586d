//===- Accumulation.h - Kernels that sum over windows and axes --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builders for kernels with reduction loops: matrix products, convolutions,
// pooling and reductions. They accumulate in a type that may be wider than the
// elements, so the result is converted in a step of its own.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_CONVERSION_IETOLINALG_ACCUMULATION_H
#define NACRE_LIB_CONVERSION_IETOLINALG_ACCUMULATION_H

#include "ScalarEmitter.h"

#include "nacre/Dialect/VPU/IR/VPUAttributes.h"

namespace nacre {

/// Builds the next accumulator from the present one and the operand elements,
/// which are converted to the accumulator's type.
using AccumulateBuilder = llvm::function_ref<mlir::Value(
    const ScalarEmitter &, mlir::Value, mlir::ValueRange)>;

/// The type elements are summed in: f32 for half precision, else the type
/// itself.
mlir::Type getAccumulatorType(mlir::Type elementType);

/// The smallest or largest value of `type`; infinite for floats.
mlir::Value buildLowest(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Type type, bool isUnsigned);
mlir::Value buildHighest(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Type type, bool isUnsigned);

/// The iterator types of a kernel whose output has `outputMap`: dimensions the
/// output does not have are reductions.
llvm::SmallVector<mlir::utils::IteratorType>
getIteratorTypes(mlir::AffineMap outputMap);

/// A linalg.generic over `inputs` that accumulates into `init`; the last of
/// `maps` is the output's.
mlir::Value buildAccumulation(mlir::OpBuilder &builder, mlir::Location loc,
                              mlir::ValueRange inputs, mlir::Value init,
                              llvm::ArrayRef<mlir::AffineMap> maps,
                              bool isUnsigned, AccumulateBuilder body);

/// How the reduction of a tensor along some axes maps dimensions.
struct ReductionShape {
  mlir::AffineMap inputMap, outputMap;
  Sizes reduced; // without the axes
  Sizes kept;    // with the axes as 1
};
ReductionShape getReductionShape(mlir::OpBuilder &builder, mlir::Location loc,
                                 mlir::Value input,
                                 llvm::ArrayRef<int64_t> axes);

/// Combines the elements along `axes`, starting at the scalar `init`. Reduced
/// dimensions stay as 1.
mlir::Value buildReduction(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value input, llvm::ArrayRef<int64_t> axes,
                           mlir::Value init, bool isUnsigned,
                           AccumulateBuilder combine);

/// Combines each element of `input` with that at a computed position of the
/// vector `accumulators`; `position` gets the element's indices, and `combine`
/// the element and its position. Sequential, as positions may repeat.
mlir::Value buildScatteredReduction(mlir::OpBuilder &builder,
                                    mlir::Location loc, mlir::Value input,
                                    mlir::Value accumulators,
                                    ScalarBuilder position, bool isUnsigned,
                                    AccumulateBuilder combine);

/// Which elements an arg-reduction looks for.
struct BestElement {
  bool largest;
  bool isUnsigned;
  /// Of equal ones the last, not the first.
  bool takeLast = false;
  /// NaN is larger than every number. Else it is the best one where it is the
  /// first element, and the worst elsewhere.
  bool ordersNaN = false;
};

/// The i64 positions of the best elements along `axis`, which stays as 1: found
/// in turn, or at once with the elements, which keeps no order of NaN.
mlir::Value
buildArgReduction(mlir::OpBuilder &builder, mlir::Location loc,
                  mlir::Value input, int64_t axis, BestElement best,
                  VPU::Algorithm algorithm = VPU::Algorithm::inTurn);

/// A number of elements in `type`.
mlir::Value buildNumber(const ScalarEmitter &emitter, mlir::Type type,
                        mlir::OpFoldResult count);

/// `input` with its elements converted to `elementType`.
mlir::Value buildConverted(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value input, mlir::Type elementType,
                           bool isUnsigned);

/// The 8-bit elements less their zero points, in 32 bits. The zero points, if
/// any, have one element or broadcast in `zeroSizes`.
mlir::Value buildDifference(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Value input, mlir::Value zeroPoint,
                            llvm::ArrayRef<mlir::OpFoldResult> zeroSizes,
                            bool isUnsigned);

/// A tensor of `sizes` that holds `input` from `offsets` on, `strides` apart,
/// and the scalar `fill` elsewhere.
mlir::Value buildEmbedded(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value input,
                          llvm::ArrayRef<mlir::OpFoldResult> sizes,
                          llvm::ArrayRef<mlir::OpFoldResult> offsets,
                          llvm::ArrayRef<mlir::OpFoldResult> strides,
                          mlir::Value fill);

/// A vector of parameters for each of `channels` as (C, 1, …, 1), which
/// broadcasts to tensors of `rank` with the channels second.
mlir::Value buildPerChannel(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Value parameters, int64_t rank,
                            mlir::OpFoldResult channels);

/// The pattern of Einsum, for the MatMul family.
void populateEinsumToLinalgPatterns(const mlir::TypeConverter &converter,
                                    mlir::RewritePatternSet &patterns);

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_IETOLINALG_ACCUMULATION_H
