//===- OperatorChooser.cpp - By which algorithm operators are lowered -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses among the algorithms of an operator of the model, by its shapes and
// by the vectors of the architecture.
//
//===----------------------------------------------------------------------===//

#include "StrategyChoosers.h"
#include "nacre/Dialect/IE/IR/Convolution.h"
#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/MatMul.h"
#include "nacre/Dialect/IE/IR/Normalization.h"
#include "nacre/Dialect/IE/IR/Pooling.h"
#include "nacre/Dialect/IE/IR/Reduction.h"
#include "nacre/Dialect/IE/IR/Resampling.h"
#include "nacre/Dialect/IE/IR/Sorting.h"
#include "nacre/Dialect/IE/Utils/ResizeUtils.h"
#include "nacre/Dialect/VPU/Cost/Constants.h"
#include "nacre/Dialect/VPU/Transforms/OperatorStrategies.h"
#include "nacre/Target/Features.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

namespace {

/// Chooses for one operator, which has these algorithms.
class AlgorithmChooser {
public:
  AlgorithmChooser(ArrayRef<Algorithm> algorithms, ArchAttr arch)
      : algorithms(algorithms), arch(arch) {}

  Algorithm choose(IE::TopKOp op) const;
  Algorithm choose(IE::ConvOp op) const;
  Algorithm choose(IE::ConvTransposeOp op) const;
  Algorithm choose(IE::LRNOp op) const;
  Algorithm choose(IE::GridSampleOp op) const;
  Algorithm choose(IE::RoiAlignOp op) const;
  Algorithm choose(IE::TriluOp op) const;
  Algorithm choose(IE::SoftmaxOp op) const;
  Algorithm choose(IE::MatMulOp op) const;
  Algorithm choose(IE::MatMulIntegerOp op) const;
  Algorithm choose(IE::GemmOp op) const;
  Algorithm choose(IE::ArgMaxOp op) const;
  Algorithm choose(IE::ArgMinOp op) const;
  Algorithm choose(IE::AveragePoolOp op) const;
  Algorithm choose(IE::MaxPoolOp op) const;

private:
  bool has(Algorithm algorithm) const {
    return llvm::is_contained(algorithms, algorithm);
  }
  /// By what a right matrix is multiplied with so many rows.
  Algorithm chooseMatrixForm(int64_t rows) const;
  /// Where volumes are pooled by this window.
  Algorithm choosePool(const FailureOr<IE::Window> &window,
                       bool ceilMode) const;
  /// How the best elements of `input` along an axis are found.
  static Algorithm chooseArgReduction(Value input, int64_t axis);

  ArrayRef<Algorithm> algorithms;
  ArchAttr arch;
};

} // namespace

//===----------------------------------------------------------------------===//
// TopK
//===----------------------------------------------------------------------===//

/// True if the `k` best of so many columns are found faster in all of them at
/// once than in one after the other: each element goes through the best so far,
/// and vectors are of columns.
static bool paysByColumns(int64_t k, ArrayRef<int64_t> columns) {
  constexpr int64_t kLeastColumns = 8, kMostResults = 16;
  return k <= kMostResults &&
         ShapedType::getNumElements(columns) >= kLeastColumns;
}

/// True for lines that are transposed in less time than candidates are looked
/// for in each of them.
static bool areShortLines(int64_t length, Type elementType) {
  constexpr int64_t kMostKeyBits = 4096 * 32;
  return length <= kMostKeyBits / getOrderKeyBits(elementType);
}

namespace {
/// Columns side by side, in so many rows. Cores share rows where columns are
/// sorted at once, and single columns where they are not.
struct SortedColumns {
  int64_t rows, columns, length;
};
} // namespace

/// True if the `k` best of each column are found faster by sorting several at
/// once than by looking for candidates in one after the other.
static bool paysBySorting(int64_t k, const SortedColumns &sorted,
                          Type elementType, int64_t clusters) {
  auto [rows, columns, length] = sorted;
  // What is sorted of longer ones leaves the first cache for too long.
  constexpr int64_t kLongest = 2048;
  if (length > kLongest) {
    return false;
  }
  int64_t width = countSortedColumns(columns, length, elementType);
  // Comparisons of the network, as if the length were a power of two.
  int64_t levels = llvm::Log2_64_Ceil(length);
  int64_t comparisons = length * levels * (levels - 1) / 4 + length - 1;
  // Lists have up to twice as many candidates as results; short lines are one.
  constexpr int64_t kShortList = 64;
  int64_t candidates = length <= kShortList ? length : std::min(length, 2 * k);
  int64_t keyBytes = getOrderKeyBits(elementType) / 8;
  int64_t atOnce = comparisons * kExchangeCycles / width;
  int64_t oneByOne = length + candidates * keyBytes * kSortedByteCycles;
  return atOnce * std::min(rows * columns, clusters) <
         oneByOne * std::min(rows, clusters);
}

Algorithm AlgorithmChooser::choose(IE::TopKOp op) const {
  if (has(Algorithm::bestElement)) {
    return Algorithm::bestElement;
  }
  auto type = cast<RankedTensorType>(op.getValues().getType());
  auto input = cast<RankedTensorType>(op.getInput().getType());
  auto axis = static_cast<int64_t>(op.getAxis());
  axis += axis < 0 ? type.getRank() : 0;
  ArrayRef<int64_t> shape = type.getShape();
  if (has(Algorithm::columns) &&
      paysByColumns(shape[axis], shape.drop_front(axis + 1))) {
    return Algorithm::columns;
  }
  if (has(Algorithm::standingLines) &&
      paysByColumns(shape[axis], shape.drop_back()) &&
      areShortLines(input.getShape().back(), type.getElementType())) {
    return Algorithm::standingLines;
  }
  int64_t length = input.getDimSize(axis);
  Type elementType = type.getElementType();
  int64_t clusters = arch.getClusters();
  if (has(Algorithm::sortedColumns)) {
    ArrayRef<int64_t> outer = shape.take_front(axis);
    // A number that a run decides is taken for enough.
    int64_t rows = ShapedType::isDynamicShape(outer)
                       ? clusters
                       : ShapedType::getNumElements(outer);
    int64_t columns = ShapedType::getNumElements(shape.drop_front(axis + 1));
    if (paysBySorting(shape[axis], {rows, columns, length}, elementType,
                      clusters)) {
      return Algorithm::sortedColumns;
    }
  }
  if (has(Algorithm::sortedLines)) {
    int64_t lines = ShapedType::getNumElements(shape.drop_back());
    int64_t width = countSortedColumns(lines, length, elementType);
    int64_t columns = lines % width == 0 ? width : lines;
    if (paysBySorting(shape[axis], {lines / columns, columns, length},
                      elementType, clusters)) {
      return Algorithm::sortedLines;
    }
  }
  return Algorithm::candidates;
}

//===----------------------------------------------------------------------===//
// Conv
//===----------------------------------------------------------------------===//

/// The images that a window meets are one image where a vector has room for the
/// channels of all of them: sums are stored once then, not once for each image.
/// Single elements are computed as they lie where nothing goes on with the
/// images of a volume, which it is not brought into the order of then.
Algorithm AlgorithmChooser::choose(IE::ConvOp op) const {
  auto type = cast<RankedTensorType>(op.getInput().getType());
  auto weights = cast<RankedTensorType>(op.getWeights().getType());
  if (has(Algorithm::atOnce) && type.getDimSize(1) * weights.getDimSize(2) <=
                                    arch.getLanes(type.getElementType())) {
    return Algorithm::atOnce;
  }
  auto isEnd = [](Operation *user) {
    return user->hasTrait<OpTrait::IsTerminator>();
  };
  return has(Algorithm::rowMajor) && llvm::all_of(op->getUsers(), isEnd)
             ? Algorithm::rowMajor
             : Algorithm::inTurn;
}

//===----------------------------------------------------------------------===//
// ConvTranspose
//===----------------------------------------------------------------------===//

namespace {
/// The channels of a transposed convolution.
struct Channels {
  int64_t inputs, outputs, groups;
};
} // namespace

/// The vectors that are multiplied and added for each input pixel by a
/// convolution for `outputs` output channels.
static int64_t countVectors(const Channels &channels, int64_t lanes,
                            int64_t outputs) {
  if (channels.inputs == channels.groups && outputs == channels.groups) {
    return llvm::divideCeilSigned(outputs, lanes); // depthwise
  }
  return channels.inputs *
         llvm::divideCeilSigned(outputs / channels.groups, lanes);
}

/// True where groups of few output channels leave more of each vector empty
/// than a software kernel multiplies zeroes, with which it spreads the input.
static bool wastesVectors(const Channels &channels, int64_t lanes,
                          int64_t spread) {
  int64_t used = channels.outputs / channels.groups;
  bool isDepthwise = channels.inputs == channels.groups && used == 1;
  if (channels.groups == 1 || isDepthwise) {
    return false;
  }
  // What the engine is faster by where it fills its vectors.
  constexpr int64_t kGain = 4;
  return llvm::divideCeilSigned(used, lanes) * lanes > kGain * used * spread;
}

Algorithm AlgorithmChooser::choose(IE::ConvTransposeOp op) const {
  auto weights = cast<RankedTensorType>(op.getWeights().getType());
  FailureOr<IE::Window> window = op.getWindow();
  if (!weights.hasStaticShape() || failed(window)) {
    return Algorithm::phases;
  }
  auto groups = static_cast<int64_t>(op.getGroup());
  Channels channels{weights.getDimSize(0), weights.getDimSize(1) * groups,
                    groups};
  int64_t lanes =
      arch.getLanes(cast<RankedTensorType>(op.getType()).getElementType());
  if (wastesVectors(channels, lanes,
                    ShapedType::getNumElements(window->strides))) {
    return Algorithm::software;
  }
  if (!has(Algorithm::phasesAsChannels)) {
    return Algorithm::phases;
  }
  int64_t stride = window->strides.front();
  int64_t apart = countVectors(channels, lanes, channels.outputs);
  int64_t together =
      countVectors(channels, lanes, channels.outputs * stride * stride);
  int64_t phases = 1;
  for (int64_t kernel : window->kernel) {
    apart *= kernel;
    together *= llvm::divideCeilSigned(kernel, stride);
    phases *= std::min(stride, kernel);
  }
  // Spreading the channels out takes time, too.
  if (2 * together <= apart) {
    return Algorithm::phasesAsChannels;
  }
  // Each op costs code, and time to distribute it.
  constexpr int64_t kManyPhases = 16;
  return phases > kManyPhases && together < 2 * apart
             ? Algorithm::phasesAsChannels
             : Algorithm::phases;
}

//===----------------------------------------------------------------------===//
// Products of matrices
//===----------------------------------------------------------------------===//

/// So few rows read the matrix hardly more often than packing it would.
Algorithm AlgorithmChooser::chooseMatrixForm(int64_t rows) const {
  constexpr int64_t kFewTiles = 2;
  return has(Algorithm::rowMajor) && rows <= kFewTiles * arch.getPixels()
             ? Algorithm::rowMajor
             : Algorithm::panels;
}

Algorithm AlgorithmChooser::choose(IE::MatMulOp op) const {
  auto lhs = cast<RankedTensorType>(op.getLhs().getType());
  auto rhs = cast<RankedTensorType>(op.getRhs().getType());
  // By one right matrix all left ones are rows of one.
  bool isShared = ShapedType::getNumElements(rhs.getShape().drop_back(2)) == 1;
  return chooseMatrixForm(isShared
                              ? lhs.getNumElements() / lhs.getShape().back()
                              : lhs.getDimSize(lhs.getRank() - 2));
}

Algorithm AlgorithmChooser::choose(IE::GemmOp op) const {
  return chooseMatrixForm(
      cast<RankedTensorType>(op.getLhs().getType()).getDimSize(0));
}

/// To bring a matrix into the order of an engine takes longer than to multiply
/// a few rows by it as it lies. For rows of unknown number, a kernel packs
/// columns of it in a buffer where they are many, but no matrix unit takes
/// those.
Algorithm AlgorithmChooser::choose(IE::MatMulIntegerOp op) const {
  auto lhs = cast<RankedTensorType>(op.getLhs().getType());
  auto rhs = cast<RankedTensorType>(op.getRhs().getType());
  Type byte = IntegerType::get(op.getContext(), 8);
  bool isKnown = lhs.hasStaticShape() && lhs.getNumElements() > 0;
  bool isShared = rhs.getRank() >= 2 && rhs.getRank() <= lhs.getRank() &&
                  llvm::all_of(rhs.getShape().drop_back(2),
                               [](int64_t size) { return size == 1; });
  int64_t rows = ShapedType::kDynamic;
  if (isKnown) {
    rows = isShared || lhs.getRank() < 2
               ? lhs.getNumElements() / lhs.getShape().back()
               : lhs.getDimSize(lhs.getRank() - 2);
  }
  if (arch.getPack(byte) > 1) {
    MatrixUnitAttr unit = arch.getMatrixUnit();
    if (isKnown || (unit && unit.multiplies(byte))) {
      return isKnown ? chooseMatrixForm(rows) : Algorithm::panels;
    }
    return has(Algorithm::rowMajor) ? Algorithm::rowMajor : Algorithm::panels;
  }
  constexpr int64_t kFewRows = 2;
  bool areFew = isKnown && rhs.getRank() == 2 && op.getRhs().hasOneUse() &&
                rows <= kFewRows;
  return areFew ? Algorithm::software : Algorithm::panels;
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// Elements side by side are vectors of one loop for all lines. Along a line
/// LLVM reduces vectors of one result, not of two that depend on each other.
Algorithm AlgorithmChooser::chooseArgReduction(Value input, int64_t axis) {
  auto type = cast<RankedTensorType>(input.getType());
  axis += axis < 0 ? type.getRank() : 0;
  bool isInnermost = llvm::all_of(type.getShape().drop_front(axis + 1),
                                  [](int64_t size) { return size == 1; });
  return isInnermost ? Algorithm::inTurn : Algorithm::atOnce;
}

Algorithm AlgorithmChooser::choose(IE::ArgMaxOp op) const {
  return chooseArgReduction(op.getInput(), op.getAxis());
}

Algorithm AlgorithmChooser::choose(IE::ArgMinOp op) const {
  return chooseArgReduction(op.getInput(), op.getAxis());
}

/// The elements of a window that software is quick to combine.
static constexpr int64_t kFewElements = 4;

/// A volume in ONNX's order whose windows do not overlap is pooled in less time
/// than it is brought into the order of images. An image in ONNX's order is,
/// too, where windows have few elements and no border: on a Zen 4, 2x2 takes
/// 0.6 of the time, and half where windows do not overlap, but 3x3 with a
/// border 1.6 times as long. An NPU pools images in its own order only.
static bool isQuickAsItLies(const IE::Window &window, bool ceilMode,
                            ArchAttr arch) {
  constexpr size_t kDimsOfVolume = 3;
  if (window.kernel.size() < kDimsOfVolume) {
    return arch.hasCores() && !window.hasPads() && !ceilMode &&
           ShapedType::getNumElements(window.kernel) <= kFewElements;
  }
  return llvm::all_of(
      llvm::zip_equal(window.kernel, window.strides),
      [](auto sizes) { return std::get<0>(sizes) <= std::get<1>(sizes); });
}

/// An operand for each place in a small window, all of them read in one pass,
/// takes half the time of a pass for each row of the window, unless windows are
/// moved by more than an element along rows: what each operand has is then no
/// vector, and takes up to three times as long.
static bool isQuickInSlices(const IE::Window &window, ArchAttr arch) {
  return arch.hasCores() && window.strides.back() == 1 &&
         ShapedType::getNumElements(window.kernel) <= kFewElements;
}

Algorithm AlgorithmChooser::choosePool(const FailureOr<IE::Window> &window,
                                       bool ceilMode) const {
  bool isQuick = succeeded(window) && isQuickAsItLies(*window, ceilMode, arch);
  if (!isQuick) {
    return Algorithm::direct;
  }
  return isQuickInSlices(*window, arch) ? Algorithm::slices
                                        : Algorithm::asOperand;
}

Algorithm AlgorithmChooser::choose(IE::MaxPoolOp op) const {
  return choosePool(op.getWindow(), op.getCeilMode() != 0);
}

/// Extending elements whenever they are read saves an image in f32, once, but
/// takes as often as a window has elements: 3x3 takes 0.95 of the time, 5x5
/// already 1.1 of it. Elements that do not lie side by side are extended one by
/// one, and without an instruction for it each takes several.
Algorithm AlgorithmChooser::choose(IE::AveragePoolOp op) const {
  constexpr int64_t kMostElements = 9;
  std::optional<ArrayRef<int64_t>> strides = op.getStrides();
  Algorithm form = choosePool(op.getWindow(), op.getCeilMode() != 0);
  if (!has(Algorithm::narrowImage) ||
      ShapedType::getNumElements(op.getKernelShape()) > kMostElements ||
      (strides && !strides->empty() && strides->back() != 1)) {
    return form;
  }
  bool isExtended =
      getElementTypeOrSelf(getNarrowImage(op).getType()).isBF16() ||
      extendsHalf(arch.getTriple(), arch.getCpu(), arch.getFeatures());
  if (form == Algorithm::direct) {
    return isExtended ? Algorithm::narrowImage : form;
  }
  if (form == Algorithm::slices) {
    return isExtended ? form : Algorithm::asOperand;
  }
  return isExtended ? Algorithm::narrowSoftware : form;
}

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

Algorithm AlgorithmChooser::choose(IE::LRNOp op) const {
  // Each slice is an operand.
  constexpr uint64_t kMostSlices = 16;
  return has(Algorithm::slices) && op.getSize() <= kMostSlices
             ? Algorithm::slices
             : Algorithm::direct;
}

/// The product of these dimensions of a shape, if all are known.
static std::optional<int64_t> multiplyDims(ArrayRef<int64_t> shape,
                                           ArrayRef<unsigned> dims) {
  int64_t product = 1;
  for (unsigned dim : dims) {
    if (ShapedType::isDynamic(shape[dim])) {
      return std::nullopt;
    }
    product *= shape[dim];
  }
  return product;
}

/// Row by row, all channels of the image are read at once. Where they do not
/// fit the second cache, which is twice CMX, each is read for all positions
/// before the next one, if the tables of all positions are small beside the
/// result.
Algorithm AlgorithmChooser::choose(IE::GridSampleOp op) const {
  constexpr int64_t kParts = 2, kResultShare = 2, kEntryBytes = 8;
  if (!has(Algorithm::planes)) {
    return Algorithm::direct;
  }
  auto type = cast<RankedTensorType>(op.getInput().getType());
  int64_t bytes = type.getElementTypeBitWidth() / 8, entries = 1;
  for (int64_t dim = 2; dim < type.getRank(); ++dim) {
    entries *= op.getMode() == "linear" ? 2 : 4;
  }
  int64_t channels = type.getDimSize(1);
  bool areSmall = !ShapedType::isDynamic(channels) &&
                  entries * kEntryBytes * kResultShare <= channels * bytes;
  ArrayRef<int64_t> image = type.getShape().drop_front();
  bool isNear =
      !ShapedType::isDynamicShape(image) &&
      ShapedType::getNumElements(image) * bytes <= kParts * arch.getCmxBytes();
  return areSmall && !isNear ? Algorithm::planes : Algorithm::direct;
}

/// Regions that may read more elements than the image has take no less time
/// than to transpose it first.
Algorithm AlgorithmChooser::choose(IE::RoiAlignOp op) const {
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(op.getOutput().getType()).getShape();
  std::optional<int64_t> bins = multiplyDims(shape, {0, 2, 3});
  std::optional<int64_t> pixels = multiplyDims(
      cast<RankedTensorType>(op.getInput().getType()).getShape(), {0, 2, 3});
  int64_t ratio = op.getSamplingRatio();
  bool readsMuch = true;
  if (ratio > 0) {
    if (!bins || !pixels) {
      return Algorithm::channelsLastIfMany;
    }
    readsMuch = *bins * ratio * ratio * IE::kRoiNeighbours >= *pixels;
  } else {
    // As many points as pixels, then, of which a region has some of the
    // image's.
    constexpr int64_t kShare = 8;
    std::optional<int64_t> regions = multiplyDims(shape, {0});
    readsMuch = !regions || *regions * IE::kRoiNeighbours >= kShare;
  }
  return readsMuch ? Algorithm::channelsLast : Algorithm::direct;
}

/// Positions that may not fit 16 bits are compared as 64, of which a vector
/// holds an eighth of what it does of bytes.
Algorithm AlgorithmChooser::choose(IE::TriluOp op) const {
  constexpr unsigned kNarrow = 16;
  auto type = cast<RankedTensorType>(op.getOutput().getType());
  ArrayRef<int64_t> matrix = type.getShape().take_back(2);
  bool areNarrow = !ShapedType::isDynamicShape(matrix) &&
                   llvm::isIntN(kNarrow, matrix.front() + matrix.back());
  Type element = type.getElementType();
  bool areSmall =
      element.isIntOrFloat() && element.getIntOrFloatBitWidth() <= kNarrow;
  return areSmall && !areNarrow ? Algorithm::cutRows : Algorithm::direct;
}

Algorithm AlgorithmChooser::choose(IE::SoftmaxOp op) const {
  // No part of one row is done before another one begins: each step goes
  // through all of the cache, which need not hold a third row then. A row of
  // unknown length may be a long one, and a short one takes no longer so.
  auto type = cast<RankedTensorType>(op.getOutput().getType());
  bool isLong =
      !type.hasStaticShape() || type.getNumElements() >= kLongRowElements;
  if (!has(Algorithm::inPlace) || !isLong) {
    return Algorithm::direct;
  }
  // Cores share the elements of a loop that reduces none.
  return arch.getClusters() == 1 ? Algorithm::atOnce : Algorithm::inPlace;
}

/// Of long blocks, whose elements differ more, fixed-point rows would be less
/// exact, and more weights would be asked for at a time. A block for each
/// column is as many parts as it takes, filled with zeroes, others are parts of
/// equal size or stay whole.
static int64_t chooseBlockParts(IE::MatMulNBitsOp op) {
  constexpr int64_t kLongest = 128;
  auto size = static_cast<int64_t>(op.getBlockSize());
  int64_t words = countBlockWords(op);
  int64_t longest = kLongest * static_cast<int64_t>(op.getBits()) /
                    NCEMatMulNBitsOp::kWordBits;
  int64_t parts = llvm::divideCeilSigned(words, longest);
  if (op.getNumBlocks() == 1) {
    return parts;
  }
  // No part is shorter than the shortest blocks that are in use.
  constexpr int64_t kShortest = 16;
  int64_t most = std::max<int64_t>(size / kShortest, 1);
  while (words % parts != 0 && parts < most) {
    ++parts;
  }
  return words % parts == 0 ? parts : 1;
}

void VPU::chooseOperators(FunctionOpInterface function,
                          const ChooserInput &input) {
  MLIRContext *context = function->getContext();
  function->walk([&](Operation *op) {
    if (input.isGiven(op)) {
      return;
    }
    // An engine without such weights multiplies by floats.
    if (countBlockWords(op) > 0 && !input.arch.hasFixedFunctionNCE()) {
      int64_t parts = chooseBlockParts(cast<IE::MatMulNBitsOp>(op));
      StrategyAttr::getForBlocks(context, parts).attachTo(op);
      return;
    }
    SmallVector<Algorithm> algorithms = getAlgorithms(op);
    if (algorithms.size() < 2) {
      return;
    }
    AlgorithmChooser chooser(algorithms, input.arch);
    Algorithm algorithm =
        llvm::TypeSwitch<Operation *, Algorithm>(op)
            .Case<IE::TopKOp, IE::ConvOp, IE::ConvTransposeOp, IE::LRNOp,
                  IE::GridSampleOp, IE::RoiAlignOp, IE::SoftmaxOp, IE::MatMulOp,
                  IE::TriluOp, IE::MatMulIntegerOp, IE::GemmOp, IE::ArgMaxOp,
                  IE::ArgMinOp, IE::AveragePoolOp, IE::MaxPoolOp>(
                [&](auto op) { return chooser.choose(op); });
    StrategyAttr::getForAlgorithm(context, algorithm).attachTo(op);
  });
}
