//===- PaddingChooser.cpp - Which images are computed padded --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An op that computes an image for another one that reads it padded can as well
// compute it where it is padded.
//
//===----------------------------------------------------------------------===//

#include "BlockFusion.h"
#include "StrategyChoosers.h"

#include "nacre/Dialect/VPU/IR/TypicalSizes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

/// True when it costs the op register tiles that rows of what it reads or
/// writes are apart: a 1×1 convolution takes all of them for one.
static bool needsWholeRows(Operation *op, ArchAttr arch) {
  auto convolution = dyn_cast<NCEConvolutionOp>(op);
  if (!convolution || !convolution.isPointwise()) {
    return false;
  }
  // Pixels of its last register tile that a row leaves idle, as a share of
  // those that it has.
  constexpr double kMostIdle = 0.1;
  int64_t columns = getTypicalShape(convolution.getInitType().getShape())[3];
  int64_t idle = llvm::alignTo(columns, arch.getPixels()) - columns;
  return static_cast<double>(idle) > kMostIdle * static_cast<double>(columns);
}

/// True for an engine op that may read or write an image whose rows are apart.
static bool takesApartRows(Operation *op, ArchAttr arch) {
  return isa_and_present<NCEOpInterface, ShuffleChannelsOp>(op) &&
         !needsWholeRows(op, arch);
}

/// True where it costs no op that computes or reads the image anything to have
/// it inside its border.
static bool isWorthwhile(CopyOp copy, ArchAttr arch) {
  if (!canPadInPlace(copy)) {
    return false;
  }
  Operation *op = copy.getSource().getDefiningOp();
  bool takeApartRows = takesApartRows(op, arch) &&
                       llvm::all_of(op->getUsers(), [&](Operation *user) {
                         return isa<CopyOp>(user) || takesApartRows(user, arch);
                       });
  // A block producer never computes all of its result.
  bool isForBlocks = llvm::any_of(copy->getUsers(), [&](Operation *user) {
    auto reader = dyn_cast<NCEOpInterface>(user);
    return reader && getBlockProducer(reader) == op;
  });
  return takeApartRows && !isForBlocks;
}

bool VPU::canPadInPlace(CopyOp copy) {
  bool pads = copy->getNumResults() == 1 && copy.hasPads() &&
              !copy.getRowOffset() && !copy.getFill() &&
              copy.isFrom(DimsOrder::NCHWc, DimsOrder::NCHWc) &&
              copy.getSourceType().getElementType() ==
                  copy.getInitType().getElementType();
  Operation *op = pads ? copy.getSource().getDefiningOp() : nullptr;
  if (!isa_and_present<NCEOpInterface, ShuffleChannelsOp>(op) ||
      op->getBlock() != copy->getBlock()) {
    return false;
  }
  // What it adds to must be where it writes, which is one place.
  Value init =
      cast<DestinationStyleOpInterface>(op).getDpsInitOperand(0)->get();
  return init.getDefiningOp<tensor::EmptyOp>() &&
         llvm::none_of(op->getUsers(), [&](Operation *user) {
           return user != copy && isPaddedInPlace(user);
         });
}

void VPU::choosePadding(FunctionOpInterface function,
                        const ChooserInput &input) {
  // Else the DMA engine pads while it moves.
  if (input.arch.hasScratchpad()) {
    return;
  }
  function->walk([&](CopyOp copy) {
    if (!input.isGiven(copy) && isWorthwhile(copy, input.arch)) {
      StrategyAttr::getPaddingInPlace(copy.getContext()).attachTo(copy);
    }
  });
}
