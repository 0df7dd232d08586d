//===- IndependentLoop.h - Loops that cores can share -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of scalars whose iterations do not need each other.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DIALECT_VPU_TRANSFORMS_INDEPENDENTLOOP_H
#define NACRE_LIB_DIALECT_VPU_TRANSFORMS_INDEPENDENTLOOP_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

namespace nacre::VPU {

/// A loop on tensors that `nacre.independent` says this of: its iterations each
/// write what has their number along one dimension of the results, and what
/// else it carries is room to work in.
class IndependentLoop {
public:
  /// Nothing for other ops, and where not all sizes are known.
  static std::optional<IndependentLoop> match(mlir::Operation *op);

  int64_t getExtent() const { return extent; }
  /// The number of parts of equal size, but for the last, of which there are
  /// at most so many.
  int64_t countParts(int64_t most) const {
    return llvm::divideCeilSigned(extent, llvm::divideCeilSigned(extent, most));
  }
  /// Elements that are read or written, each at least once.
  int64_t countElements();
  /// Replaces the loop by one over so many parts, the last of which may be
  /// smaller. Each has room of its own.
  void split(mlir::RewriterBase &rewriter, int64_t numParts);

private:
  IndependentLoop(mlir::scf::ForOp loop, unsigned dim, int64_t extent)
      : loop(loop), dim(dim), extent(extent) {}

  /// True for what the loop carries besides its results.
  bool isRoom(mlir::OpResult result);
  /// What a part carries at first: `outputs` and room.
  llvm::SmallVector<mlir::Value> buildInits(mlir::OpBuilder &builder,
                                            mlir::ValueRange outputs);
  /// What a part of `count` iterations from `first` on writes of a result.
  void getSlice(mlir::OpBuilder &builder, mlir::OpResult result,
                mlir::Value first, mlir::OpFoldResult count,
                llvm::SmallVectorImpl<mlir::OpFoldResult> &offsets,
                llvm::SmallVectorImpl<mlir::OpFoldResult> &sizes) const;

  mlir::scf::ForOp loop;
  unsigned dim;
  int64_t extent;
};

} // namespace nacre::VPU

#endif // NACRE_LIB_DIALECT_VPU_TRANSFORMS_INDEPENDENTLOOP_H
