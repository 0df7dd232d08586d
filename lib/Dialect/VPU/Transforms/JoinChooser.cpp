//===- JoinChooser.cpp - Rows reduced where they are stored ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Long rows are reduced by the loop that stores them. Short rows are left
// alone, for a loop over the elements of many of them is one of whole vectors.
//
//===----------------------------------------------------------------------===//

#include "StrategyChoosers.h"

#include "nacre/Dialect/VPU/Cost/Constants.h"
#include "nacre/Dialect/VPU/Transforms/StoredRows.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

/// Rows of unknown length are long ones.
static bool areLong(linalg::GenericOp reduction) {
  int64_t length = reduction.getStaticLoopRanges().back();
  return ShapedType::isDynamic(length) || length >= kJoinedRowElements;
}

void VPU::chooseJoins(FunctionOpInterface function, const ChooserInput &input) {
  MLIRContext *context = function->getContext();
  auto loops = KernelLoopsAttr::get(context, KernelLoopsAttr::kNone,
                                    KernelLoopsAttr::kNone, /*blockEdge=*/0,
                                    /*byteProduct=*/{}, /*joinStored=*/true);
  auto kernel = KernelStrategyAttr::get(
      context, /*registers=*/{}, /*prefetchWeights=*/false,
      /*prefetchBytes=*/0, /*prefetchPixels=*/false, /*stagedColumns=*/nullptr,
      BorderDims::none,
      /*rollWindow=*/false, /*matrixTiles=*/nullptr, /*lowBitTile=*/nullptr,
      loops);
  JoinedOps joined;
  function->walk([&](linalg::GenericOp op) {
    std::optional<StoredRows> rows = StoredRows::find(op, &joined);
    if (!rows || (input.isGiven(op) ? !isJoined(op) : !areLong(op))) {
      return;
    }
    joined.add(*rows);
    if (!input.isGiven(op)) {
      StrategyAttr::getForKernel(context, kernel).attachTo(op);
    }
  });
}
