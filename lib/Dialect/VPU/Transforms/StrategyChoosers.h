//===- StrategyChoosers.h - What decides strategies -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of vpu-choose-strategies and of vpu-verify-strategies. A chooser
// looks at ops as they are, whole, and at the strategies that stand on them
// already; it changes nothing else.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DIALECT_VPU_TRANSFORMS_STRATEGYCHOOSERS_H
#define NACRE_LIB_DIALECT_VPU_TRANSFORMS_STRATEGYCHOOSERS_H

#include "TilingUtils.h"
#include "nacre/Dialect/VPU/IR/VPUOps.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace nacre::VPU {

/// What the choosers have in common.
struct ChooserInput {
  ArchAttr arch;
  /// Ops whose strategy a person or a file gave, which stays.
  llvm::DenseSet<mlir::Operation *> given;

  bool isGiven(mlir::Operation *op) const { return given.contains(op); }
};

/// Rows and columns of the filters that Winograd's algorithm is known for here.
constexpr int64_t kWinogradTaps = 3;

/// Decides by which algorithm each operator of the model that has the choice is
/// lowered, and into how many parts blocks of weights of few bits are cut.
void chooseOperators(mlir::FunctionOpInterface function,
                     const ChooserInput &input);

/// Decides which recurrences clusters share the rows of, so that a part takes
/// at least `minCycles`.
void chooseRecurrences(mlir::FunctionOpInterface function,
                       const ChooserInput &input, int64_t minCycles);

/// Decides about the algorithm of each convolution that has the choice.
void chooseAlgorithms(mlir::FunctionOpInterface function,
                      const ChooserInput &input);

/// Says in a few words what `op` lacks for Winograd's algorithm; nothing where
/// it has the choice.
llvm::StringRef getWinogradNeed(NCEConvolutionOp op, ArchAttr arch);

/// Decides which loops run at the same time, so that one takes at least
/// `minCycles`.
void chooseConcurrency(mlir::FunctionOpInterface function,
                       const ChooserInput &input, int64_t minCycles);

/// Decides which ops share a loop over rows, in blocks of how many, and what
/// clusters share of them, so that a part takes at least `minCycles`.
void chooseGroups(mlir::FunctionOpInterface function, const ChooserInput &input,
                  int64_t minCycles);

/// True where the op that computes what `copy` pads could write it to the
/// padded image instead.
bool canPadInPlace(CopyOp copy);

/// Decides which copies that pad are not needed.
void choosePadding(mlir::FunctionOpInterface function,
                   const ChooserInput &input);

/// Decides what clusters share of each engine op, so that a part takes at least
/// `minCycles`, and which neighbours they compute with it.
void chooseClusters(mlir::FunctionOpInterface function,
                    const ChooserInput &input, int64_t minCycles);

/// Decides in which tiles a cluster computes its part of each engine op. An
/// error names the op of which no tile fits.
mlir::LogicalResult chooseTiles(mlir::FunctionOpInterface function,
                                const ChooserInput &input);

/// Decides what cores share of each copy, software kernel and loop whose
/// iterations do not need each other, so that a part takes at least
/// `minCycles`.
void chooseSoftware(mlir::FunctionOpInterface function,
                    const ChooserInput &input, int64_t minCycles);

/// True for an op on buffers that computes as much of its result at a time as
/// its strategy says, in scratch memory that it does not have yet. A product by
/// weights of few bits may do so: if its rows are integers.
bool hasChunk(mlir::Operation *op, ArchAttr arch);

/// True for a product on buffers by weights of few bits on a matrix unit, whose
/// tiles have no scratch memory yet.
bool hasLowBitTile(mlir::Operation *op, ArchAttr arch);

/// Decides how much such ops compute at a time.
void chooseScratch(mlir::FunctionOpInterface function,
                   const ChooserInput &input);

/// True for an op on buffers that reads all of an input in each part of a loop
/// over its blocks that clusters share.
bool canPrefetchInput(mlir::Operation *op, ArchAttr arch);

/// Decides which of these inputs clusters ask for before they read them.
void choosePrefetching(mlir::FunctionOpInterface function,
                       const ChooserInput &input);

/// Checks that an op whose input is to be asked for has such an input.
mlir::LogicalResult verifyPrefetchedInput(mlir::Operation *op, ArchAttr arch);

/// Decides which rows are reduced by the loops that store them.
void chooseJoins(mlir::FunctionOpInterface function, const ChooserInput &input);

/// Decides what the code of each kernel depends on: register tiles above all.
void chooseRegisters(mlir::FunctionOpInterface function,
                     const ChooserInput &input);

/// Decides which of the borders that kernels leave out are much code for little
/// of a module's cycles.
void limitBorders(mlir::ModuleOp module, const ChooserInput &input);

/// Decides about the loops of software kernels: which one is the innermost, and
/// what is written with vectors.
void chooseKernelLoops(mlir::FunctionOpInterface function,
                       const ChooserInput &input);

/// The granularity of parts along the block dimension: where kernels compute by
/// vectors, a part of a vector takes as long as all of it.
int64_t getPartStep(NCEOpInterface op, ArchAttr arch);

/// What of an op is in a loop over clusters.
struct ClusterPart {
  /// The part of each cluster. Sizes computed at run time are kDynamic.
  llvm::SmallVector<int64_t> shape;
  /// True where copies that pad the op's operands are in the loop, and where
  /// its neighbours may be.
  bool hasCopies, hasNeighbours;
};

/// The part that the strategy of `op`, or of the op in whose loops it is
/// computed, gives each cluster.
ClusterPart getClusterPart(NCEOpInterface op);

/// Checks that a convolution can be computed by the algorithm that was decided.
mlir::LogicalResult verifyAlgorithm(NCEConvolutionOp op, ArchAttr arch);

/// True for a convolution that is to be computed by Winograd's algorithm: its
/// weights will be transformed.
bool isByWinograd(mlir::Operation *op);

/// Checks that an op has a strategy that can be applied to it; an error names
/// the op and says what was expected. A copy needs none.
mlir::LogicalResult verifyStrategy(NCEOpInterface op, ArchAttr arch);
mlir::LogicalResult verifyStrategy(CopyOp copy);

/// Checks that an op for which hasChunk() is true has a chunk that is no larger
/// than its result, or none where it need not have one.
mlir::LogicalResult verifyScratch(mlir::Operation *op, ArchAttr arch);

/// Checks the tile of a product by weights of few bits that a matrix unit
/// multiplies: against its shapes, and against its scratch memory if that is
/// allocated.
mlir::LogicalResult verifyLowBitTile(NCEMatMulNBitsOp op, ArchAttr arch);

/// Checks what was decided about a function, whoever did: an error names the op
/// and says what was expected.
mlir::LogicalResult verifyDecision(mlir::FunctionOpInterface function,
                                   ArchAttr arch, Decision decided);

} // namespace nacre::VPU

#endif // NACRE_LIB_DIALECT_VPU_TRANSFORMS_STRATEGYCHOOSERS_H
