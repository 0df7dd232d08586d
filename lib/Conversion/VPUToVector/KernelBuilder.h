//===- KernelBuilder.h - Loops and lanes of NCE kernels ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The vocabulary in which NCE kernels are written: loops, reductions
// that carry vectors in registers, extents cut into full tiles and a tail, and
// loads and stores of partly filled vectors.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_CONVERSION_VPUTOVECTOR_KERNELBUILDER_H
#define NACRE_LIB_CONVERSION_VPUTOVECTOR_KERNELBUILDER_H

#include "nacre/Dialect/VPU/Cost/Constants.h"
#include "nacre/Dialect/VPU/IR/Buffers.h"
#include "nacre/Dialect/VPU/IR/VPUOps.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/PatternMatch.h"

namespace nacre {

/// What the kernels need to know of the machine.
struct VectorMachine {
  mlir::Type floats;      // what floats are computed in: f32, or f64
  int64_t lanes = 16;     // of these per vector
  int64_t registers = 32; // architectural vector registers
  VPU::MatrixUnitAttr matrixUnit;
};

/// `valid` lanes of a machine vector: all of them, or the first few. Or as many
/// as `count`, which is dynamic.
struct Lanes {
  int64_t width;
  int64_t valid;
  mlir::Value count = {};
  bool isFull() const { return !count && width == valid; }
  bool isOne() const { return !count && valid == 1; }
};

class KernelBuilder {
public:
  KernelBuilder(mlir::OpBuilder &builder, mlir::Location loc,
                VectorMachine machine)
      : builder(builder), loc(loc), machine(machine) {}

  mlir::OpBuilder &builder;
  mlir::Location loc;
  VectorMachine machine;

  //===--------------------------------------------------------------------===//
  // Index arithmetic; constants fold.
  //===--------------------------------------------------------------------===//

  mlir::Value index(int64_t value);
  mlir::Value index(mlir::OpFoldResult value);
  /// Known extents.
  llvm::SmallVector<mlir::OpFoldResult>
  extents(llvm::ArrayRef<int64_t> values) {
    return mlir::getAsIndexOpFoldResult(builder.getContext(), values);
  }
  /// The size of a dimension of a memref, constant where the type knows it.
  mlir::OpFoldResult getSize(mlir::Value memref, unsigned dim);
  llvm::SmallVector<mlir::OpFoldResult> getSizes(mlir::Value memref);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value add(mlir::Value a, int64_t b) { return add(a, index(b)); }
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, int64_t b);
  mlir::Value div(mlir::Value a, int64_t b);
  mlir::Value rem(mlir::Value a, int64_t b);

  //===--------------------------------------------------------------------===//
  // Loops
  //===--------------------------------------------------------------------===//

  /// for iv = 0 to extent step `step`. A single iteration needs no loop.
  void loop(int64_t extent, int64_t step,
            llvm::function_ref<void(mlir::Value)> body);
  void loop(int64_t extent, llvm::function_ref<void(mlir::Value)> body) {
    loop(extent, 1, body);
  }

  /// The same for an extent that may be dynamic.
  void loop(mlir::OpFoldResult extent,
            llvm::function_ref<void(mlir::Value)> body);

  /// A loop that stays one, where its steps unrolled would keep more values
  /// than there are registers, or are only more code.
  void rolledLoop(int64_t extent, llvm::function_ref<void(mlir::Value)> body);

  /// A nest of loops over `extents`; as rolledLoop() on request.
  void nest(llvm::ArrayRef<mlir::OpFoldResult> extents,
            llvm::function_ref<void(mlir::ValueRange)> body,
            bool rolled = false);

  /// Cuts `extent` into tiles of `tile` and one smaller tail.
  void tiles(int64_t extent, int64_t tile,
             llvm::function_ref<void(mlir::Value, int64_t)> body);
  /// The same for an extent that may be dynamic: the tail is cut into
  /// tiles that are powers of two.
  void tiles(mlir::OpFoldResult extent, int64_t tile,
             llvm::function_ref<void(mlir::Value, int64_t)> body);

  /// The same, but of a dynamic extent the tail is cut into the fewest tiles of
  /// at most `mostOfTail`, as equal as they can be.
  void evenTiles(mlir::OpFoldResult extent, int64_t tile, int64_t mostOfTail,
                 llvm::function_ref<void(mlir::Value, int64_t)> body);

  /// Cuts `extent` into tiles of `tile`. Where it is dynamic, the last
  /// tile overlaps the one before, and `single` is for the elements of an
  /// extent of less than a tile.
  void overlappingTiles(mlir::OpFoldResult extent, int64_t tile,
                        llvm::function_ref<void(mlir::Value, int64_t)> body,
                        llvm::function_ref<void(mlir::Value)> single);

  /// Cuts `extent` elements into machine vectors, the last partly filled.
  void vectors(int64_t extent,
               llvm::function_ref<void(mlir::Value, Lanes)> body);
  void vectors(mlir::OpFoldResult extent,
               llvm::function_ref<void(mlir::Value, Lanes)> body);

  /// Whether the steps through a window, each of which may read what the one
  /// before read, leave no registers to keep that in.
  bool keepsNoWindow() const {
    return machine.registers <= VPU::kFewVectorRegisters;
  }

  /// for iv = 0 to extent, carrying `values`; as rolledLoop() on request.
  llvm::SmallVector<mlir::Value>
  reduce(mlir::OpFoldResult extent, mlir::ValueRange values,
         llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value,
                                                           mlir::ValueRange)>
             body,
         bool rolled = false);
  llvm::SmallVector<mlir::Value>
  reduce(int64_t extent, mlir::ValueRange values,
         llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value,
                                                           mlir::ValueRange)>
             body,
         bool rolled = false) {
    return reduce(mlir::OpFoldResult(builder.getIndexAttr(extent)), values,
                  body, rolled);
  }

  //===--------------------------------------------------------------------===//
  // Vectors
  //===--------------------------------------------------------------------===//

  Lanes fullLanes() const { return {machine.lanes, machine.lanes}; }
  /// `value` in all lanes, of the machine's floats where no type is given.
  mlir::Value splat(double value, Lanes lanes, mlir::Type elementType = {});
  /// Elements as they are stored.
  mlir::Value load(mlir::Value memref, mlir::ValueRange indices, Lanes lanes);
  /// Elements as the machine's floats: what an 8-bit one stands for is said by
  /// `quant`, else its own value.
  mlir::Value loadFloats(mlir::Value memref, mlir::ValueRange indices,
                         Lanes lanes, VPU::QuantAttr quant = {});
  /// Floats rounded or extended to another type; other elements as they are.
  mlir::Value convert(mlir::Value vector, mlir::Type elementType);
  /// Stores elements of the memref's type, or floats rounded to it.
  void store(mlir::Value vector, mlir::Value memref, mlir::ValueRange indices,
             Lanes lanes);
  /// Stores the post-processed `vector` of floats, to which the elements of
  /// `residual` at the same place are added before, if it is given.
  void storeResult(VPU::PPEAttr ppe, mlir::Value vector, mlir::Value memref,
                   mlir::ValueRange indices, Lanes lanes,
                   mlir::Value residual = {});

  /// Asks for what lies at `indices`, which may be beyond the memref's end, to
  /// be in the first or second `cache` soon.
  void prefetch(mlir::Value memref, mlir::ValueRange indices,
                int64_t cache = 1);

  mlir::Value addVectors(mlir::Value a, mlir::Value b);

  //===--------------------------------------------------------------------===//
  // Multiply-accumulate. Operands with a pack factor p hold p elements of the
  // reduction for each lane, next to each other.
  //===--------------------------------------------------------------------===//

  /// The type that products of `elementType` are summed in: the machine's
  /// floats or 32-bit integers.
  mlir::Type getSumType(mlir::Type elementType);
  /// What such sums start from.
  mlir::Value zeroSums(mlir::Type elementType);
  /// The p elements from `indices` on, in every lane.
  mlir::Value loadLeft(mlir::Value memref, mlir::ValueRange indices,
                       int64_t pack);
  /// The elements of a vector of lanes, p for each, which are contiguous; the
  /// last index counts lanes.
  mlir::Value loadRight(mlir::Value memref, mlir::ValueRange indices,
                        int64_t pack, Lanes lanes);
  /// sums + left * right. An operand of an instruction can be in memory: that
  /// is `left` where this product alone needs it, else `right`.
  mlir::Value multiplyAdd(mlir::Value left, mlir::Value right, mlir::Value sums,
                          bool usesLeftOnce = false);
  /// scale * sums + bias as floats; either may be null.
  mlir::Value scaleSums(mlir::Value sums, mlir::Value scale, mlir::Value bias);

  /// Takes the elements of some vectors of all lanes in turn, the first of
  /// each, then the second of each, into as many vectors.
  llvm::SmallVector<mlir::Value> interleave(llvm::ArrayRef<mlir::Value> rows);

  /// Transposes a tile of `rows` vectors, each with columns.valid elements, in
  /// registers: log2(lanes) rounds of interleaving rows with those half a tile
  /// away. `store` gets every column, in which elements beyond `rows` are zero.
  void transposeTile(int64_t rows, Lanes columns,
                     llvm::function_ref<mlir::Value(int64_t)> load,
                     llvm::function_ref<void(int64_t, mlir::Value)> store);

private:
  mlir::VectorType getVectorType(Lanes lanes, mlir::Type elementType);
  mlir::Value getMask(Lanes lanes);
  /// Floats as unsigned bytes, shifted by a zero point.
  mlir::Value roundToBytes(mlir::Value x, int64_t zeroPoint, Lanes lanes);
  /// The post-processing function on one vector.
  mlir::Value applyPPE(VPU::PPEAttr ppe, mlir::Value vector, Lanes lanes);
};

/// The element type of a memref operand.
mlir::Type getElementType(mlir::Value memref);

/// The shape of a memref operand.
llvm::ArrayRef<int64_t> getShape(mlir::Value memref);

using VPU::getStrideBytes;
using VPU::isContiguous;

/// Merges dimensions [first, last], which must be contiguous.
mlir::Value collapse(KernelBuilder &kernel, mlir::Value memref, unsigned first,
                     unsigned last);

/// Inserts a dimension of one element before dimension `position`.
mlir::Value expandUnit(KernelBuilder &kernel, mlir::Value memref,
                       unsigned position);

/// Merges, in all of `memrefs` alike, each innermost dimension with the next
/// outer one as long as both are contiguous everywhere.
void mergeContiguous(KernelBuilder &kernel,
                     llvm::MutableArrayRef<mlir::Value> memrefs);

/// Fails, with the reason, unless all shaped operands are memrefs of element
/// types that kernels are written for.
mlir::LogicalResult checkKernelOperands(mlir::Operation *op,
                                        mlir::PatternRewriter &rewriter);

/// The machine the surrounding module is compiled for, as the kernel of `op`
/// uses it: with vectors of f64 where the op computes such.
VectorMachine getVectorMachine(mlir::Operation *op);

void populateConvolutionKernels(mlir::RewritePatternSet &patterns);
void populateCopyKernels(mlir::RewritePatternSet &patterns);
void populateDepthConvolutionKernels(mlir::RewritePatternSet &patterns);
void populateEltwiseKernels(mlir::RewritePatternSet &patterns);
void populateFillBorderKernels(mlir::RewritePatternSet &patterns);
void populateGroupConvolutionKernels(mlir::RewritePatternSet &patterns);
void populateMatMulKernels(mlir::RewritePatternSet &patterns);
void populateMatMulNBitsKernels(mlir::RewritePatternSet &patterns);
void populatePoolingKernels(mlir::RewritePatternSet &patterns);
void populateShuffleChannelsKernels(mlir::RewritePatternSet &patterns);
void populateWinogradKernels(mlir::RewritePatternSet &patterns);

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_VPUTOVECTOR_KERNELBUILDER_H
