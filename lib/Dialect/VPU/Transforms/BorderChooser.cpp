//===- BorderChooser.cpp - Borders that kernels leave out -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses whether a border of zeros is worth code of its own: for each kernel
// first, and then, where that is much code, by what it saves of all cycles of a
// model.
//
//===----------------------------------------------------------------------===//

#include "BorderChooser.h"

#include "KernelTiles.h"
#include "StrategyChoosers.h"
#include "nacre/Dialect/VPU/Cost/CostModel.h"
#include "nacre/Dialect/VPU/Cost/RegisterTileCost.h"
#include "nacre/Dialect/VPU/Transforms/KernelStrategies.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

/// More tiles of several outputs at two opposite edges are too much code: each
/// has its own where a border of zeros is left out.
static constexpr int64_t kMostEdgeTiles = 4;

/// The most tiles with code of their own along rows (0) or columns (1).
static int64_t countEdgeTiles(NCEConvolutionOp op, unsigned dim,
                              ArrayRef<RegisterTileAttr> tiles) {
  int64_t most = 0;
  for (RegisterTileAttr tile : tiles) {
    EdgeTiles edges = countEdgeTiles(
        *getWindow(op, dim), op.getInitType().getDimSize(2 + dim),
        dim == 0 ? tile.getRows() : tile.getColumns());
    most = std::max(most, edges.first + edges.last);
  }
  return most;
}

/// Those of these edges at which there are few such tiles.
static BorderDims getShortEdges(Operation *op, BorderDims dims,
                                ArrayRef<RegisterTileAttr> tiles) {
  BorderDims few = BorderDims::none;
  for (auto [dim, flag] :
       llvm::enumerate(ArrayRef{BorderDims::rows, BorderDims::columns})) {
    if (bitEnumContainsAll(dims, flag) &&
        countEdgeTiles(cast<NCEConvolutionOp>(op), dim, tiles) <=
            kMostEdgeTiles) {
      few = few | flag;
    }
  }
  return few;
}

/// The share of products at the edges along rows (0) or columns (1) that are
/// not with the border.
static double getShareInside(NCEConvolutionOp op, unsigned dim) {
  return getUsefulShare(*getWindow(op, dim),
                        op.getInitType().getDimSize(2 + dim));
}

BorderDims VPU::chooseBorder(Operation *op, ArrayRef<RegisterTileAttr> tiles,
                             ArchAttr arch) {
  // Of less, it is not worth it. Nor is it where taps have few steps each: LLVM
  // unrolls those of a window, which then share pixels, or do not fit the
  // registers.
  constexpr double kLeastShare = 0.02;
  constexpr int64_t kFewSteps = 3;
  BorderDims dims = getSkippableBorder(op, arch);
  auto convolution = dyn_cast<NCEConvolutionOp>(op);
  if (dims == BorderDims::none ||
      cast<ShapedType>(convolution.getWeights().getType()).getDimSize(4) <=
          kFewSteps) {
    return BorderDims::none;
  }
  double share =
      getShareInside(convolution, 0) * getShareInside(convolution, 1);
  return 1 - share < kLeastShare ? BorderDims::none
                                 : getShortEdges(op, dims, tiles);
}

//===----------------------------------------------------------------------===//
// All kernels of a model
//===----------------------------------------------------------------------===//

/// A tile has code for each pair of a range of rows and one of columns that the
/// same taps reach.
static int64_t countPairs(NCEConvolutionOp op, RegisterTileAttr tile) {
  ArrayRef<int64_t> out = op.getInitType().getShape();
  return countTapRanges(*getWindow(op, 0), out[2], tile.getRows()) *
         countTapRanges(*getWindow(op, 1), out[3], tile.getColumns());
}

/// The same kernel with a border left out at the pair of edges alone where more
/// products are with it.
static KernelStrategyAttr withOneEdge(NCEConvolutionOp op,
                                      KernelStrategyAttr kernel) {
  BorderDims dim = getShareInside(op, 0) < getShareInside(op, 1)
                       ? BorderDims::rows
                       : BorderDims::columns;
  return KernelStrategyAttr::get(
      op.getContext(), kernel.getRegisters(), kernel.getPrefetchWeights(),
      kernel.getPrefetchBytes(), kernel.getPrefetchPixels(),
      kernel.getStagedColumns(), dim, kernel.getRollWindow(),
      kernel.getMatrixTiles(), kernel.getLowBitTile(), kernel.getLoops());
}

namespace {

/// Which functions of a module call which, at any depth. No model calls one in
/// a circle; what does so all the same gets a warning.
class Callees {
public:
  explicit Callees(ModuleOp module);

  bool isCalled(Operation *function) const { return called.contains(function); }
  /// Those that `root`, or what it calls, calls.
  llvm::SetVector<Operation *> collect(Operation *root);

private:
  SymbolTableCollection symbols;
  llvm::DenseSet<Operation *> called;
};

} // namespace

Callees::Callees(ModuleOp module) {
  for (auto function : module.getOps<FunctionOpInterface>()) {
    llvm::SetVector<Operation *> callees = collect(function);
    called.insert(callees.begin(), callees.end());
    if (callees.contains(function)) {
      function.emitWarning("the function calls itself, so that its cycles, by "
                           "which borders are worth their code, are a guess");
    }
  }
}

llvm::SetVector<Operation *> Callees::collect(Operation *root) {
  llvm::SetVector<Operation *> callees;
  auto visit = [&](Operation *caller) {
    caller->walk([&](func::CallOp call) {
      if (Operation *callee =
              symbols.lookupNearestSymbolFrom(call, call.getCalleeAttr())) {
        callees.insert(callee);
      }
    });
  };
  visit(root);
  for (size_t i = 0; i < callees.size(); ++i) {
    visit(callees[i]);
  }
  return callees;
}

/// The cycles of all steps of a module, and of those that call each function,
/// at any depth.
static double countCycles(ModuleOp module, ArchAttr arch,
                          llvm::DenseMap<Operation *, double> &ofSteps) {
  CostModel model(arch);
  SymbolTableCollection symbols;
  Callees callees(module);
  double all = 0;
  for (auto function : module.getOps<FunctionOpInterface>()) {
    if (callees.isCalled(function)) {
      continue;
    }
    for (Block &block : function.getFunctionBody()) {
      for (Operation &step : block) {
        double cycles = model.getCyclesBelow(&step, symbols);
        all += cycles;
        ofSteps[function] += cycles;
        for (Operation *callee : callees.collect(&step)) {
          ofSteps[callee] += cycles;
        }
      }
    }
  }
  return all;
}

void VPU::limitBorders(ModuleOp module, const ChooserInput &input) {
  // The pairs of a kernel that are little code, as of windows of 3x3. Of 5x5
  // windows, fifteen are most of it, and take 3 % of the time to compile a
  // model of which they save less than a thousandth (light_inception_v1 on Zen
  // 4).
  constexpr int64_t kFewPairs = 9;
  constexpr double kLeastGain = 0.01;
  SmallVector<NCEConvolutionOp> large;
  module->walk([&](NCEConvolutionOp op) {
    StrategyAttr strategy = StrategyAttr::lookup(op);
    KernelStrategyAttr kernel = strategy ? strategy.getKernel() : nullptr;
    if (kernel && !input.isGiven(op) &&
        kernel.getSkipBorder() == (BorderDims::rows | BorderDims::columns) &&
        countPairs(op, kernel.getRegisters().front()) > kFewPairs) {
      large.push_back(op);
    }
  });
  if (large.empty()) {
    return;
  }
  llvm::DenseMap<Operation *, double> ofSteps;
  double all = countCycles(module, input.arch, ofSteps);
  for (NCEConvolutionOp op : large) {
    double cycles = ofSteps.lookup(op->getParentOfType<FunctionOpInterface>());
    // Of the pair of edges where fewer products are with the border.
    double saved = 1 - std::max(getShareInside(op, 0), getShareInside(op, 1));
    if (cycles * saved < kLeastGain * all) {
      KernelStrategyAttr kernel = StrategyAttr::lookup(op).getKernel();
      StrategyAttr::getForKernel(op.getContext(), withOneEdge(op, kernel))
          .attachTo(op);
    }
  }
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

LogicalResult VPU::verifyBorder(Operation *op, KernelStrategyAttr kernel,
                                ArchAttr arch) {
  BorderDims dims = kernel.getSkipBorder();
  if (!bitEnumContainsAll(getSkippableBorder(op, arch), dims)) {
    return op->emitOpError("expected no skipBorder: it is for taps of a "
                           "convolution in vector registers that meet a border "
                           "of zeros");
  }
  if (getShortEdges(op, dims, kernel.getRegisters()) != dims) {
    return op->emitOpError("expected no skipBorder along edges with more than ")
           << kMostEdgeTiles
           << " register tiles, each of which has code of its own";
  }
  return success();
}
