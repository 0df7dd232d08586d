//===- PackWeights.cpp - Weights that are yet to be packed ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shapes of packed weights, and the verifier of VPU.PackWeights.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/VPU/IR/VPUOps.h"
#include "nacre/Dialect/VPU/IR/WeightPacking.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

int64_t WeightPacking::getLogicalRank(WeightForm form) {
  switch (form) {
  case WeightForm::DENSE:
  case WeightForm::DEPTHWISE:
  case WeightForm::GROUPED:
    return 4;
  case WeightForm::WINOGRAD:
  case WeightForm::PANELS:
  case WeightForm::TRANSPOSED_PANELS:
    return 3;
  }
  llvm_unreachable("unknown form");
}

int64_t WeightPacking::getPackedRank(WeightForm form) {
  switch (form) {
  case WeightForm::DENSE:
    return 6;
  case WeightForm::GROUPED:
  case WeightForm::WINOGRAD:
    return 5;
  case WeightForm::DEPTHWISE:
  case WeightForm::PANELS:
  case WeightForm::TRANSPOSED_PANELS:
    return 4;
  }
  llvm_unreachable("unknown form");
}

bool WeightPacking::hasInputBlocks(WeightForm form) {
  return form == WeightForm::DENSE || form == WeightForm::WINOGRAD;
}

SmallVector<int64_t>
WeightPacking::getPackedShape(ArrayRef<int64_t> shape) const {
  SmallVector<int64_t> packed;
  switch (form) {
  case WeightForm::DENSE:
    // Groups that share blocks have one, and zeroes for what is not theirs.
    packed = {getOutputLayout().getBlocks(shape[0]),
              std::max<int64_t>(
                  getInputLayout().getBlocks(shape[1] * groups) / groups, 1),
              shape[2], shape[3], inputWidth / pack};
    break;
  case WeightForm::DEPTHWISE:
    packed = {getOutputLayout().getBlocks(shape[0]), shape[2], shape[3]};
    break;
  case WeightForm::GROUPED:
    packed = {getOutputLayout().getBlocks(shape[0]), shape[2], shape[3],
              shape[1] / pack};
    break;
  case WeightForm::WINOGRAD:
    packed = {shape[0], getOutputLayout().getBlocks(shape[1]),
              getInputLayout().getBlocks(shape[2]), inputWidth / pack};
    break;
  case WeightForm::PANELS:
  case WeightForm::TRANSPOSED_PANELS: {
    bool isTransposed = form == WeightForm::TRANSPOSED_PANELS;
    int64_t rows = shape[isTransposed ? 2 : 1],
            columns = shape[isTransposed ? 1 : 2];
    packed = {shape[0], llvm::divideCeilSigned(columns, outputWidth),
              llvm::divideCeilSigned(rows, pack)};
    break;
  }
  }
  packed.push_back(outputWidth);
  if (pack > 1) {
    packed.push_back(pack);
  }
  return packed;
}

//===----------------------------------------------------------------------===//
// The op
//===----------------------------------------------------------------------===//

void PackWeightsOp::build(OpBuilder &builder, OperationState &state,
                          Value weights, const WeightPacking &packing) {
  auto type = cast<RankedTensorType>(weights.getType());
  build(builder, state, type.clone(packing.getPackedShape(type.getShape())),
        weights, packing.form, packing.groups, packing.inputGroups,
        packing.outputGroups);
}

WeightPacking PackWeightsOp::getPacking() {
  ArrayRef<int64_t> packed = getPacked().getType().getShape();
  auto rank = static_cast<size_t>(WeightPacking::getPackedRank(getForm()));
  WeightPacking packing{getForm(),
                        packed[rank - 1],
                        1,
                        packed.size() > rank ? packed[rank] : 1,
                        static_cast<int64_t>(getGroups()),
                        static_cast<int64_t>(getInputGroups()),
                        static_cast<int64_t>(getOutputGroups())};
  if (WeightPacking::hasInputBlocks(packing.form)) {
    packing.inputWidth = packed[rank - 2] * packing.pack;
  }
  return packing;
}

LogicalResult PackWeightsOp::verifyTypes() {
  RankedTensorType weights = getWeights().getType();
  RankedTensorType packed = getPacked().getType();
  int64_t rank = WeightPacking::getLogicalRank(getForm());
  int64_t packedRank = WeightPacking::getPackedRank(getForm());
  StringRef form = stringifyWeightForm(getForm());
  if (weights.getRank() != rank) {
    return emitOpError("expected weights of rank ")
           << rank << " for " << form << ", found " << weights;
  }
  bool mayHavePacks = getForm() != WeightForm::DEPTHWISE;
  bool hasPacks = mayHavePacks && packed.getRank() == packedRank + 1;
  if (packed.getRank() != packedRank && !hasPacks) {
    return emitOpError("expected packed weights of rank ")
           << packedRank << (mayHavePacks ? ", or one more for packs," : "")
           << " for " << form << ", found " << packed;
  }
  if (!weights.hasStaticShape() || !packed.hasStaticShape()) {
    return emitOpError("expected weights of known sizes, found ")
           << weights << " and " << packed;
  }
  if (weights.getElementType() != packed.getElementType()) {
    return emitOpError("expected equal element types, found ")
           << weights << " and " << packed;
  }
  bool hasWidths = llvm::all_of(packed.getShape().drop_front(packedRank - 1),
                                [](int64_t size) { return size > 0; }) &&
                   (!WeightPacking::hasInputBlocks(getForm()) ||
                    packed.getDimSize(packedRank - 2) > 0);
  if (!hasWidths || (hasPacks && packed.getShape().back() == 1)) {
    return emitOpError("expected blocks of some channels, and packs of two or "
                       "more, found ")
           << packed;
  }
  return success();
}

/// The channels of each group of a convolution lie in the blocks of input
/// channels that its weights have.
static bool fitBlocks(const WeightPacking &packing, int64_t perGroup,
                      int64_t blocks) {
  BlockedLayout layout = packing.getInputLayout();
  int64_t channels = perGroup * packing.groups;
  for (int64_t first = 0; first < channels; first += perGroup) {
    int64_t firstSlot = layout.getSlot(first, channels);
    int64_t lastSlot = layout.getSlot(first + perGroup - 1, channels);
    if (lastSlot / layout.width - firstSlot / layout.width >= blocks) {
      return false;
    }
  }
  return true;
}

LogicalResult PackWeightsOp::verifyGroups() {
  WeightPacking packing = getPacking();
  ArrayRef<int64_t> shape = getWeights().getType().getShape();
  for (int64_t groups :
       {packing.groups, packing.inputGroups, packing.outputGroups}) {
    if (groups < 1) {
      return emitOpError("expected one group or more, found ") << groups;
    }
  }
  if (getForm() == WeightForm::PANELS ||
      getForm() == WeightForm::TRANSPOSED_PANELS) {
    return success();
  }
  bool isWinograd = getForm() == WeightForm::WINOGRAD;
  int64_t outputs = shape[isWinograd ? 1 : 0];
  int64_t inputs = shape[isWinograd ? 2 : 1] * packing.groups;
  if (outputs % packing.groups != 0 || outputs % packing.outputGroups != 0 ||
      inputs % packing.inputGroups != 0) {
    return emitOpError("expected groups to divide ")
           << outputs << " outputs and " << inputs << " inputs, found groups "
           << packing.groups << ", of outputs " << packing.outputGroups
           << ", of inputs " << packing.inputGroups;
  }
  if (getForm() == WeightForm::DEPTHWISE && shape[1] != 1) {
    return emitOpError("expected one input channel for each output, found ")
           << getWeights().getType();
  }
  if (getForm() == WeightForm::GROUPED) {
    if (!llvm::isPowerOf2_64(shape[1]) || packing.outputWidth % shape[1] != 0 ||
        outputs % shape[1] != 0 || shape[1] % packing.pack != 0) {
      return emitOpError("expected groups of a power of two channels that "
                         "divides those of a block and fills packs, found ")
             << shape[1] << " in blocks of " << packing.outputWidth;
    }
  }
  return success();
}

LogicalResult PackWeightsOp::verify() {
  if (failed(verifyTypes()) || failed(verifyGroups())) {
    return failure();
  }
  WeightPacking packing = getPacking();
  ArrayRef<int64_t> shape = getWeights().getType().getShape();
  SmallVector<int64_t> expected = packing.getPackedShape(shape);
  if (ArrayRef(expected) != getPacked().getType().getShape()) {
    return emitOpError("expected packed weights ")
           << getPacked().getType().clone(expected) << ", found "
           << getPacked().getType();
  }
  if (getForm() == WeightForm::DENSE &&
      !fitBlocks(packing, shape[1], expected[1])) {
    return emitOpError("expected each group's channels in ")
           << expected[1] << " blocks of " << packing.inputWidth
           << " input channels";
  }
  return success();
}
