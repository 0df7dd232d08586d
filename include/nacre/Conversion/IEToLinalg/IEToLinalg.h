//===- IEToLinalg.h - Software kernels for IE ops ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lowering of IE to structured ops: its type converter and one pattern
// population function per operator family.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_CONVERSION_IETOLINALG_IETOLINALG_H
#define NACRE_CONVERSION_IETOLINALG_IETOLINALG_H

#include "mlir/Transforms/DialectConversion.h"

namespace nacre {

/// Tensors of unsigned integers become tensors of signless ones, those of
/// strings tensors of pointers as integers, sequences and optionals pointers to
/// values of the runtime; every other type is kept.
class IEToLinalgTypeConverter : public mlir::TypeConverter {
public:
  /// For the module that `op` is or is in, whose data layout says how wide a
  /// pointer is.
  explicit IEToLinalgTypeConverter(mlir::Operation *op);
};

void populateActivationToLinalgPatterns(const mlir::TypeConverter &converter,
                                        mlir::RewritePatternSet &patterns);
void populateConstantToLinalgPatterns(const mlir::TypeConverter &converter,
                                      mlir::RewritePatternSet &patterns);
void populateControlFlowToLinalgPatterns(const mlir::TypeConverter &converter,
                                         mlir::RewritePatternSet &patterns);
void populateConvolutionToLinalgPatterns(const mlir::TypeConverter &converter,
                                         mlir::RewritePatternSet &patterns);
void populateCumulativeToLinalgPatterns(const mlir::TypeConverter &converter,
                                        mlir::RewritePatternSet &patterns);
void populateDataMovementToLinalgPatterns(const mlir::TypeConverter &converter,
                                          mlir::RewritePatternSet &patterns);
void populateElementwiseToLinalgPatterns(const mlir::TypeConverter &converter,
                                         mlir::RewritePatternSet &patterns);
void populateIndexingToLinalgPatterns(const mlir::TypeConverter &converter,
                                      mlir::RewritePatternSet &patterns);
void populateLogicalToLinalgPatterns(const mlir::TypeConverter &converter,
                                     mlir::RewritePatternSet &patterns);
void populateMapToLinalgPatterns(const mlir::TypeConverter &converter,
                                 mlir::RewritePatternSet &patterns);
void populateMatMulToLinalgPatterns(const mlir::TypeConverter &converter,
                                    mlir::RewritePatternSet &patterns);
void populateNormalizationToLinalgPatterns(const mlir::TypeConverter &converter,
                                           mlir::RewritePatternSet &patterns);
void populatePoolingToLinalgPatterns(const mlir::TypeConverter &converter,
                                     mlir::RewritePatternSet &patterns);
void populateQuantizationToLinalgPatterns(const mlir::TypeConverter &converter,
                                          mlir::RewritePatternSet &patterns);
void populateRandomToLinalgPatterns(const mlir::TypeConverter &converter,
                                    mlir::RewritePatternSet &patterns);
void populateReductionToLinalgPatterns(const mlir::TypeConverter &converter,
                                       mlir::RewritePatternSet &patterns);
void populateResamplingToLinalgPatterns(const mlir::TypeConverter &converter,
                                        mlir::RewritePatternSet &patterns);
void populateRejectUndecomposedPatterns(const mlir::TypeConverter &converter,
                                        mlir::RewritePatternSet &patterns);
void populateResizeToLinalgPatterns(const mlir::TypeConverter &converter,
                                    mlir::RewritePatternSet &patterns);
void populateRoiAlignToLinalgPatterns(const mlir::TypeConverter &converter,
                                      mlir::RewritePatternSet &patterns);
void populateSelectionToLinalgPatterns(const mlir::TypeConverter &converter,
                                       mlir::RewritePatternSet &patterns);
void populateSequenceToLinalgPatterns(const mlir::TypeConverter &converter,
                                      mlir::RewritePatternSet &patterns);
void populateShapeToLinalgPatterns(const mlir::TypeConverter &converter,
                                   mlir::RewritePatternSet &patterns);
void populateSortingToLinalgPatterns(const mlir::TypeConverter &converter,
                                     mlir::RewritePatternSet &patterns);
void populateStringToLinalgPatterns(const mlir::TypeConverter &converter,
                                    mlir::RewritePatternSet &patterns);

} // namespace nacre

#endif // NACRE_CONVERSION_IETOLINALG_IETOLINALG_H
