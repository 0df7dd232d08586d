//===- IndependentLoop.h - Loops that cores can share -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops, of scalars or of steps of the model, whose iterations do not need each
// other.
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
  /// Nothing for other ops.
  static std::optional<IndependentLoop> match(mlir::Operation *op);

  bool hasKnownExtent() const { return !mlir::ShapedType::isDynamic(extent); }
  /// True where all sizes but the number of iterations are known.
  bool hasKnownParts();
  /// True where a run alone knows how much there is to share.
  bool isOpen() { return !hasKnownExtent() || !hasKnownParts(); }
  /// The number of iterations; kDynamic where a run alone knows it.
  int64_t getExtent() const { return extent; }
  /// The number of parts of equal size, but for the last, of which there are
  /// at most so many.
  int64_t countParts(int64_t most) const {
    return llvm::divideCeilSigned(extent, llvm::divideCeilSigned(extent, most));
  }
  /// Elements that are read or written, each at least once, where sizes that
  /// are not known are kTypicalSize.
  int64_t countElements();
  /// How often iterations go through their elements at most: once, or once for
  /// each innermost loop in them.
  int64_t countPasses();
  /// True where iterations only copy and fill slices, and so use vectors.
  bool onlyMovesSlices();
  /// The bytes of the widest element that iterations write.
  int64_t getElementBytes();
  /// Leaves the loop as many iterations as so many clusters can have equal
  /// parts of. Those that are left are another loop behind it, which is not
  /// shared.
  void splitOffRest(mlir::RewriterBase &rewriter, int64_t clusters);
  /// Replaces the loop by one over so many parts, the last of which may be
  /// smaller. Each has room of its own.
  void split(mlir::RewriterBase &rewriter, int64_t numParts);
  /// The same with as many parts as a run finds to be worth it: as many as
  /// have `grain` points, and no more than `clusters` or iterations.
  void splitAtRunTime(mlir::RewriterBase &rewriter, int64_t clusters,
                      int64_t grain);

private:
  /// What one part computes.
  struct Part {
    mlir::Value first, end;
    mlir::OpFoldResult count;
  };
  using PartBuilder = llvm::function_ref<Part(mlir::OpBuilder &, mlir::Value)>;

  IndependentLoop(mlir::scf::ForOp loop, unsigned dim, int64_t extent)
      : loop(loop), dim(dim), extent(extent) {}

  /// What there is to share: the elements that iterations read or write, or
  /// iterations where these are steps of the model, whose cost is known.
  mlir::Value buildPoints(mlir::OpBuilder &builder);
  /// The tensors that the iterations work on, results among them.
  llvm::SmallVector<mlir::Value> getTensors();
  /// True for what the loop carries besides its results.
  bool isRoom(mlir::OpResult result);
  /// True for room in which there are no values yet.
  bool isFreshRoom(mlir::OpResult result);
  /// True for a result of which each iteration writes a part.
  bool hasParts(mlir::OpResult result) const;
  /// What a part carries at first: `outputs` and room.
  llvm::SmallVector<mlir::Value> buildInits(mlir::OpBuilder &builder,
                                            mlir::ValueRange outputs);
  /// Replaces the loop by an scf.forall with these bounds, in whose iterations
  /// it computes what `buildPart` makes of their number.
  void distribute(mlir::RewriterBase &rewriter, mlir::OpFoldResult end,
                  mlir::OpFoldResult step, PartBuilder buildPart);

  mlir::scf::ForOp loop;
  unsigned dim;
  int64_t extent;
};

} // namespace nacre::VPU

#endif // NACRE_LIB_DIALECT_VPU_TRANSFORMS_INDEPENDENTLOOP_H
