//===- RecurrenceChooser.cpp - Which recurrences clusters share -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether clusters run all steps of a recurrence for some rows each, as a step
// is too little to be shared.
//
//===----------------------------------------------------------------------===//

#include "StrategyChoosers.h"
#include "TilingUtils.h"
#include "nacre/Dialect/IE/IR/ControlFlow.h"
#include "nacre/Dialect/IE/IR/MatMul.h"
#include "nacre/Dialect/VPU/Transforms/OperatorStrategies.h"

#include "mlir/Analysis/SliceAnalysis.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

/// The elements of the matrices that each row is multiplied by in a step.
static int64_t countMatrixElements(IE::ScanOp op) {
  int64_t count = 0;
  op.getBody().walk([&](Operation *inner) {
    if (isa<IE::MatMulOp, IE::GemmOp>(inner)) {
      auto matrix = cast<RankedTensorType>(inner->getOperand(1).getType());
      count += matrix.hasStaticShape() ? matrix.getNumElements() : 0;
    }
  });
  return count;
}

/// True if there is another recurrence that runs at the same time, as that in
/// the other direction does.
static bool runsBesideAnother(IE::ScanOp op) {
  auto needs = [](IE::ScanOp reader, IE::ScanOp other) {
    llvm::SetVector<Operation *> slice;
    BackwardSliceOptions options;
    options.omitUsesFromAbove = false;
    return succeeded(
               getBackwardSlice(reader.getOperation(), &slice, options)) &&
           slice.contains(other);
  };
  return llvm::any_of(op->getBlock()->getOps<IE::ScanOp>(),
                      [&](IE::ScanOp other) {
                        return other != op && other.getNumStates() > 0 &&
                               !needs(op, other) && !needs(other, op);
                      });
}

/// As many rows in all steps as are worth a cluster of their own; 0 where
/// clusters had better not share rows.
static int64_t chooseGrain(IE::ScanOp op, ArchAttr arch, int64_t minCycles) {
  // Each would read all matrices in each step, from its second cache, which is
  // twice CMX, or from further away.
  constexpr int64_t kCaches = 2, kElementBytes = 4, kProductsPerCycle = 2;
  int64_t elements = countMatrixElements(op);
  if (elements == 0 ||
      elements * kElementBytes > kCaches * arch.getCmxBytes() ||
      runsBesideAnother(op)) {
    return 0;
  }
  double cycles = static_cast<double>(elements) /
                  static_cast<double>(kProductsPerCycle * arch.getLanes());
  return getGrain(/*openLoops=*/0, cycles, minCycles);
}

void VPU::chooseRecurrences(FunctionOpInterface function,
                            const ChooserInput &input, int64_t minCycles) {
  ArchAttr arch = input.arch;
  if (!arch.hasCores() || arch.getClusters() == 1) {
    return;
  }
  // What is in a part is not shared again.
  function->walk<WalkOrder::PreOrder>([&](IE::ScanOp op) {
    if (input.isGiven(op)) {
      return WalkResult::skip();
    }
    int64_t grain = canShareRows(op) ? chooseGrain(op, arch, minCycles) : 0;
    if (grain == 0) {
      return WalkResult::advance();
    }
    StrategyAttr::getForParts(op.getContext(), ClusterStrategy::SplitOverHeight,
                              ShapedType::kDynamic, FusedNeighbours::none,
                              grain)
        .attachTo(op);
    return WalkResult::skip();
  });
}
