//===- WeightPacker.cpp - Elements of weights, packed ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function for each form. Elements are only moved, so that integers of
// their size stand for them.
//
//===----------------------------------------------------------------------===//

#include "WeightPacker.h"
#include "Constants.h"

#include "nacre/Support/ConstantReleaser.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/AsmState.h"

#include <cstring>

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

namespace {

/// Packs elements of the size of T.
template <typename T> class Packer {
public:
  Packer(PackWeightsOp op, ArrayRef<char> weights, MutableArrayRef<char> packed)
      : packing(op.getPacking()), shape(op.getWeights().getType().getShape()),
        packedShape(op.getPacked().getType().getShape()), from(weights.data()),
        step(weights.size() == sizeof(T) ? 0 : sizeof(T)),
        to(reinterpret_cast<T *>(packed.data())),
        size(packed.size() / sizeof(T)) {}

  void pack();

private:
  /// An element in the model's order; a model's file may have it at any
  /// address.
  T load(int64_t i) const {
    T element;
    std::memcpy(&element, from + i * step, sizeof(T));
    return element;
  }

  /// Where the weights of each input channel lie from those of its group's
  /// first block on, which are `step` elements apart, and those of each output
  /// channel.
  std::vector<int64_t> getInputOffsets(int64_t perGroup, int64_t step) const;
  std::vector<int64_t> getOutputOffsets(int64_t outputs, int64_t step) const;

  void packBlocks();
  void packDepthwise();
  void packGroups();
  void packGroupPairs();
  void packPoints();
  void packPanels();

  WeightPacking packing;
  ArrayRef<int64_t> shape, packedShape;
  const char *from;
  /// Bytes from one element to the next; none where all are the same.
  int64_t step;
  T *to;
  size_t size;
};

} // namespace

template <typename T> void Packer<T>::pack() {
  // What no channel or column writes is zero.
  if (static_cast<int64_t>(size) != ShapedType::getNumElements(shape)) {
    std::fill_n(to, size, T(0));
  }
  switch (packing.form) {
  case WeightForm::DENSE:
    return packBlocks();
  case WeightForm::DEPTHWISE:
    return packDepthwise();
  case WeightForm::GROUPED:
    return packing.pack == 1 ? packGroups() : packGroupPairs();
  case WeightForm::WINOGRAD:
    return packPoints();
  case WeightForm::PANELS:
  case WeightForm::TRANSPOSED_PANELS:
    return packPanels();
  }
  llvm_unreachable("unknown form");
}

template <typename T>
std::vector<int64_t> Packer<T>::getInputOffsets(int64_t perGroup,
                                                int64_t step) const {
  BlockedLayout layout = packing.getInputLayout();
  int64_t inputs = perGroup * packing.groups, pack = packing.pack;
  std::vector<int64_t> offsets;
  for (int64_t c = 0; c < inputs; ++c) {
    int64_t first = layout.getSlot(c / perGroup * perGroup, inputs);
    int64_t slot =
        layout.getSlot(c, inputs) - first / layout.width * layout.width;
    int64_t lane = slot % layout.width;
    offsets.push_back(slot / layout.width * step +
                      lane / pack * packing.outputWidth * pack + lane % pack);
  }
  return offsets;
}

template <typename T>
std::vector<int64_t> Packer<T>::getOutputOffsets(int64_t outputs,
                                                 int64_t step) const {
  BlockedLayout layout = packing.getOutputLayout();
  std::vector<int64_t> offsets;
  for (int64_t m = 0; m < outputs; ++m) {
    int64_t slot = layout.getSlot(m, outputs);
    offsets.push_back(slot / layout.width * step +
                      slot % layout.width * packing.pack);
  }
  return offsets;
}

template <typename T> void Packer<T>::packBlocks() {
  int64_t outputs = shape[0], perGroup = shape[1], window = shape[2] * shape[3];
  int64_t outputsPerGroup = outputs / packing.groups;
  int64_t block = packing.inputWidth * packing.outputWidth;
  std::vector<int64_t> in = getInputOffsets(perGroup, window * block);
  std::vector<int64_t> out =
      getOutputOffsets(outputs, packedShape[1] * window * block);
  int64_t i = 0;
  for (int64_t m = 0; m < outputs; ++m) {
    int64_t first = m / outputsPerGroup * perGroup;
    for (int64_t c = 0; c < perGroup; ++c) {
      T *element = to + out[m] + in[first + c];
      for (int64_t k = 0; k < window; ++k) {
        element[k * block] = load(i++);
      }
    }
  }
}

template <typename T> void Packer<T>::packDepthwise() {
  BlockedLayout layout = packing.getOutputLayout();
  int64_t window = shape[2] * shape[3], width = layout.width;
  for (int64_t m = 0; m < shape[0]; ++m) {
    int64_t slot = layout.getSlot(m, shape[0]);
    for (int64_t k = 0; k < window; ++k) {
      to[(slot / width * window + k) * width + slot % width] =
          load(m * window + k);
    }
  }
}

/// What each lane of a block adds to the one at each distance.
template <typename T> void Packer<T>::packGroups() {
  int64_t groupSize = shape[1], window = shape[2] * shape[3],
          width = packing.outputWidth;
  for (int64_t m = 0; m < shape[0]; ++m) {
    for (int64_t c = 0; c < groupSize; ++c) {
      int64_t input = m / groupSize * groupSize + c, distance = m ^ input;
      for (int64_t k = 0; k < window; ++k) {
        to[((m / width * window + k) * groupSize + distance) * width +
           input % width] = load((m * groupSize + c) * window + k);
      }
    }
  }
}

/// What the elements of each lane's pack add to the output channel of the lane
/// at each distance.
template <typename T> void Packer<T>::packGroupPairs() {
  int64_t groupSize = shape[1], window = shape[2] * shape[3],
          width = packing.outputWidth, pack = packing.pack,
          exchanged = groupSize / pack;
  T *element = to;
  for (int64_t i = 0; i < packedShape[0] * window; ++i) {
    int64_t firstChannel = i / window * width;
    for (int64_t distance = 0; distance < exchanged; ++distance) {
      for (int64_t lane = 0; lane < width; ++lane) {
        int64_t output =
            firstChannel + NCEGroupConvolutionOp::getOutputChannel(
                               lane ^ distance, width, exchanged, pack);
        for (int64_t j = 0; j < pack; ++j) {
          int64_t input = firstChannel + lane % (width / pack) * pack + j;
          *element++ =
              output < shape[0]
                  ? load((output * groupSize + input % groupSize) * window +
                         i % window)
                  : T(0);
        }
      }
    }
  }
}

template <typename T> void Packer<T>::packPoints() {
  int64_t block = packing.inputWidth * packing.outputWidth;
  int64_t blocks = packedShape[2] * block;
  std::vector<int64_t> in = getInputOffsets(shape[2], block);
  std::vector<int64_t> out = getOutputOffsets(shape[1], blocks);
  int64_t i = 0;
  for (int64_t p = 0; p < shape[0]; ++p) {
    T *point = to + p * packedShape[1] * blocks;
    for (int64_t m : out) {
      for (int64_t c : in) {
        point[m + c] = load(i++);
      }
    }
  }
}

template <typename T> void Packer<T>::packPanels() {
  bool isTransposed = packing.form == WeightForm::TRANSPOSED_PANELS;
  int64_t rows = shape[isTransposed ? 2 : 1],
          columns = shape[isTransposed ? 1 : 2];
  int64_t width = packing.outputWidth, pack = packing.pack;
  // Panels are written from front to back; what they are made of is read a row
  // or, of a transposed matrix, a column of a panel at a time.
  int64_t rowStep = isTransposed ? 1 : columns;
  int64_t columnStep = isTransposed ? rows : 1;
  T *panel = to;
  for (int64_t i = 0; i < shape[0] * packedShape[1]; ++i) {
    int64_t firstColumn = i % packedShape[1] * width;
    int64_t lanes = std::min(width, columns - firstColumn);
    int64_t first =
        i / packedShape[1] * rows * columns + firstColumn * columnStep;
    for (int64_t k = 0; k < rows; ++k) {
      T *row = panel + k / pack * width * pack + k % pack;
      for (int64_t n = 0; n < lanes; ++n) {
        row[n * pack] = load(first + k * rowStep + n * columnStep);
      }
    }
    panel += packedShape[2] * width * pack;
  }
}

/// Writes the elements of `weights`, which has the shape of the op's operand,
/// or the one that all of them are, and may be at any address, to `packed`,
/// which has the shape of its result.
static void packWeights(PackWeightsOp op, ArrayRef<char> weights,
                        MutableArrayRef<char> packed) {
  switch (op.getPacked().getType().getElementTypeBitWidth()) {
  case 8:
    return Packer<uint8_t>(op, weights, packed).pack();
  case 16:
    return Packer<uint16_t>(op, weights, packed).pack();
  case 32:
    return Packer<uint32_t>(op, weights, packed).pack();
  case 64:
    return Packer<uint64_t>(op, weights, packed).pack();
  default:
    llvm_unreachable("weights are of 8, 16, 32 or 64 bits");
  }
}

/// The packed weights as an attribute; null where they are not constant.
static ElementsAttr buildPacked(PackWeightsOp op) {
  // Small constants stay readable; large ones must not be hashed.
  constexpr int64_t kMaxInlineElements = 64;
  std::optional<ArrayRef<char>> weights = getConstantBytes(op.getWeights());
  if (!weights) {
    return {};
  }
  RankedTensorType type = op.getPacked().getType();
  int64_t elements = type.getNumElements();
  size_t bytes = elements * type.getElementTypeBitWidth() / 8;
  AsmResourceBlob blob = HeapAsmResourceBlob::allocate(bytes, /*align=*/64,
                                                       /*dataIsMutable=*/true);
  packWeights(op, *weights, blob.getMutableData());
  if (elements <= kMaxInlineElements) {
    return DenseElementsAttr::getFromRawBuffer(type, blob.getData());
  }
  return DenseResourceElementsAttr::get(type, "packed", std::move(blob));
}

LogicalResult VPU::replaceByPacked(RewriterBase &rewriter, PackWeightsOp op) {
  Value weights = op.getWeights();
  ElementsAttr packed = buildPacked(op);
  if (!packed) {
    return op.emitOpError(
               "expected constant weights; those that are computed at "
               "run time are packed by VPU.Copy or linalg ops, found ")
           << weights;
  }
  // Where the weights are: other constants lie there, too.
  rewriter.setInsertionPointAfterValue(weights);
  rewriter.replaceOp(op, arith::ConstantOp::create(rewriter, op.getLoc(),
                                                   cast<TypedAttr>(packed))
                             ->getResults());
  eraseIfDead(rewriter, weights);
  return success();
}
