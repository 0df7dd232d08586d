//===- OperatorStrategies.cpp - How operators are lowered -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which algorithms an operator of the model can be lowered by, and the check of
// what a person may have written.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/VPU/Transforms/OperatorStrategies.h"
#include "nacre/Dialect/IE/IR/ControlFlow.h"
#include "nacre/Dialect/IE/IR/Convolution.h"
#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/MatMul.h"
#include "nacre/Dialect/IE/IR/Normalization.h"
#include "nacre/Dialect/IE/IR/OperatorDialect.h"
#include "nacre/Dialect/IE/IR/Pooling.h"
#include "nacre/Dialect/IE/IR/Reduction.h"
#include "nacre/Dialect/IE/IR/Resampling.h"
#include "nacre/Dialect/IE/IR/Sorting.h"
#include "nacre/Dialect/IE/Utils/ProductUtils.h"
#include "nacre/Dialect/IE/Utils/SampleUtils.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"
#include "nacre/Dialect/VPU/Cost/Constants.h"
#include "nacre/Dialect/VPU/IR/VPUOps.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

static constexpr int64_t kRankOfVolumes = 5;

/// True where these dimensions are known, and none of them is empty.
static bool areFilled(ArrayRef<int64_t> shape) {
  return llvm::all_of(shape, [](int64_t size) {
    return !ShapedType::isDynamic(size) && size > 0;
  });
}

int64_t VPU::getOrderKeyBits(Type elementType) {
  int64_t least = isa<FloatType>(elementType) ? 32 : 8;
  return std::max<int64_t>(elementType.getIntOrFloatBitWidth(), least);
}

int64_t VPU::getSortedEntryBits(int64_t length, Type elementType) {
  int64_t bits = getOrderKeyBits(elementType) + llvm::Log2_64_Ceil(length);
  return bits <= 32 ? 32 : bits <= 64 ? 64 : 0;
}

int64_t VPU::countSortedColumns(int64_t columns, int64_t length,
                                Type elementType) {
  int64_t bits = getSortedEntryBits(length, elementType);
  return bits == 0 ? 0
                   : llvm::bit_floor<uint64_t>(
                         std::min(columns, kCacheLineBytes * 8 / bits));
}

/// True where columns are sorted as vectors, of more than one element.
static bool areSortable(ArrayRef<int64_t> columns, int64_t length,
                        Type elementType) {
  return length > 1 && length <= kSortRoomBytes / kCacheLineBytes &&
         areFilled(columns) &&
         countSortedColumns(ShapedType::getNumElements(columns), length,
                            elementType) > 1;
}

static SmallVector<Algorithm> getAlgorithmsOf(IE::TopKOp op) {
  auto type = cast<RankedTensorType>(op.getValues().getType());
  ArrayRef<int64_t> shape = type.getShape();
  auto axis = static_cast<int64_t>(op.getAxis());
  axis += axis < 0 ? type.getRank() : 0;
  SmallVector<Algorithm> algorithms = {Algorithm::candidates};
  if (!areFilled(shape[axis])) {
    return algorithms;
  }
  if (shape[axis] == 1) {
    algorithms.push_back(Algorithm::bestElement);
  }
  Type elementType = type.getElementType();
  int64_t length =
      cast<RankedTensorType>(op.getInput().getType()).getDimSize(axis);
  if (areFilled(shape.drop_front(axis + 1))) {
    algorithms.push_back(Algorithm::columns);
    if (areSortable(shape.drop_front(axis + 1), length, elementType)) {
      algorithms.push_back(Algorithm::sortedColumns);
    }
  }
  if (axis + 1 == type.getRank() && areFilled(shape.drop_back()) &&
      areFilled(length)) {
    algorithms.push_back(Algorithm::standingLines);
    if (areSortable(shape.drop_back(), length, elementType)) {
      algorithms.push_back(Algorithm::sortedLines);
    }
  }
  return algorithms;
}

/// Of volumes, which the engine takes as batches of images.
static SmallVector<Algorithm> getAlgorithmsOf(IE::ConvOp op) {
  auto type = cast<RankedTensorType>(op.getInput().getType());
  FailureOr<IE::Window> window = op.getWindow();
  if (type.getRank() != kRankOfVolumes || !areFilled(type.getShape()) ||
      failed(window) || !areFilled(window->kernel)) {
    return {};
  }
  SmallVector<Algorithm> algorithms = {Algorithm::inTurn};
  auto areOne = [](ArrayRef<int64_t> sizes) {
    return llvm::all_of(sizes, [](int64_t size) { return size == 1; });
  };
  if (op.getGroup() == 1 && window->kernel.front() != 1) {
    algorithms.push_back(Algorithm::atOnce);
  }
  if (areOne(window->kernel) && areOne(window->strides) && !window->hasPads()) {
    algorithms.push_back(Algorithm::rowMajor);
  }
  return algorithms;
}

static SmallVector<Algorithm> getAlgorithmsOf(IE::ConvTransposeOp op) {
  constexpr int64_t kRankOfImages = 4;
  SmallVector<Algorithm> algorithms = {Algorithm::phases};
  FailureOr<IE::Window> window = op.getWindow();
  bool areImages = cast<RankedTensorType>(op.getOutput().getType()).getRank() ==
                   kRankOfImages;
  if (areImages && succeeded(window) && areFilled(window->kernel) &&
      window->strides[0] == window->strides[1] && window->strides[0] != 1 &&
      window->dilations[0] == 1 && window->dilations[1] == 1) {
    algorithms.push_back(Algorithm::phasesAsChannels);
  }
  algorithms.push_back(Algorithm::software);
  return algorithms;
}

/// The forms in which the engine takes a right matrix: a choice where that is
/// computed, and no scratchpad has to hold it.
static SmallVector<Algorithm> getMatrixForms(Operation *op, Value lhs,
                                             Value rhs, bool isTransposed) {
  ArchAttr arch = ArchAttr::lookup(op);
  auto areOfEngine = [&](Value matrices) {
    auto type = cast<RankedTensorType>(matrices.getType());
    Type element = type.getElementType();
    return type.getRank() >= 2 && areFilled(type.getShape()) &&
           (element.isF32() || element.isF64()) &&
           arch.supportsElementType(element);
  };
  if (!arch || arch.hasFixedFunctionNCE() || !areOfEngine(lhs) ||
      !areOfEngine(rhs) || IE::getConstantElements(rhs)) {
    return {};
  }
  ArrayRef<int64_t> left = cast<RankedTensorType>(lhs.getType()).getShape(),
                    right = cast<RankedTensorType>(rhs.getType()).getShape();
  SmallVector<Algorithm> algorithms = {Algorithm::panels};
  bool isShared = ShapedType::getNumElements(right.drop_back(2)) == 1;
  bool areOfEach = left.drop_back(2) == right.drop_back(2);
  // Rows of a transposed matrix are exchanged by kernels up to some length.
  bool isReadable =
      !isTransposed || left.back() <= NCEMatMulOp::kMostTransposedDepth;
  if ((isShared || areOfEach) && isReadable) {
    algorithms.push_back(Algorithm::rowMajor);
  }
  return algorithms;
}

static SmallVector<Algorithm> getAlgorithmsOf(IE::MatMulOp op) {
  IE::TransposeOp transpose = IE::getColumnTranspose(op);
  if (transpose && IE::getConstantElements(transpose->getOperand(0))) {
    // A constant that is nothing but transposed is packed as it is.
    SmallVector<int64_t> order = transpose.getPermutation();
    std::swap(order.back(), order[order.size() - 2]);
    if (llvm::is_sorted(order)) {
      return {};
    }
  }
  return getMatrixForms(op, op.getLhs(), op.getRhs(),
                        static_cast<bool>(transpose));
}

static SmallVector<Algorithm> getAlgorithmsOf(IE::GemmOp op) {
  return op.getTransA() ? SmallVector<Algorithm>()
                        : getMatrixForms(op, op.getLhs(), op.getRhs(),
                                         op.getTransB() != 0);
}

static SmallVector<Algorithm> getAlgorithmsOf(IE::ArgMaxOp /*op*/) {
  return {Algorithm::inTurn, Algorithm::atOnce};
}

static SmallVector<Algorithm> getAlgorithmsOf(IE::ArgMinOp /*op*/) {
  return {Algorithm::inTurn, Algorithm::atOnce};
}

/// A matrix of bytes that is not there before a run.
static SmallVector<Algorithm> getAlgorithmsOf(IE::MatMulIntegerOp op) {
  if (matchPattern(op.getRhs(), m_Constant())) {
    return {};
  }
  SmallVector<Algorithm> algorithms = {Algorithm::panels, Algorithm::software};
  ArchAttr arch = ArchAttr::lookup(op);
  if (arch && !arch.hasFixedFunctionNCE()) {
    algorithms.push_back(Algorithm::rowMajor);
  }
  return algorithms;
}

static SmallVector<Algorithm> getAlgorithmsOf(IE::MaxPoolOp op) {
  return {Algorithm::direct, Algorithm::software, Algorithm::asOperand,
          Algorithm::slices};
}

Value VPU::getNarrowImage(IE::AveragePoolOp op) {
  auto cast = op.getInput().getDefiningOp<IE::CastOp>();
  if (!cast || !getElementTypeOrSelf(op.getInput().getType()).isF32()) {
    return {};
  }
  Type narrow = getElementTypeOrSelf(cast.getInput().getType());
  return narrow.isF16() || narrow.isBF16() ? cast.getInput() : Value();
}

static SmallVector<Algorithm> getAlgorithmsOf(IE::AveragePoolOp op) {
  SmallVector<Algorithm> algorithms = {Algorithm::direct, Algorithm::software,
                                       Algorithm::asOperand, Algorithm::slices};
  if (getNarrowImage(op)) {
    algorithms.push_back(Algorithm::narrowImage);
    algorithms.push_back(Algorithm::narrowSoftware);
  }
  return algorithms;
}

static SmallVector<Algorithm> getAlgorithmsOf(IE::GridSampleOp op) {
  SmallVector<Algorithm> algorithms = {Algorithm::direct};
  // Single positions would be computed for each channel again.
  if (op.getMode() != "nearest") {
    algorithms.push_back(Algorithm::planes);
  }
  return algorithms;
}

static SmallVector<Algorithm> getAlgorithmsOf(IE::LRNOp op) {
  auto type = cast<RankedTensorType>(op.getOutput().getType());
  SmallVector<Algorithm> algorithms = {Algorithm::direct};
  if (!type.isDynamicDim(1) &&
      type.getDimSize(1) >= static_cast<int64_t>(op.getSize())) {
    algorithms.push_back(Algorithm::slices);
  }
  return algorithms;
}

static SmallVector<Algorithm> getAlgorithmsOf(IE::RoiAlignOp op) {
  SmallVector<Algorithm> algorithms = {Algorithm::direct,
                                       Algorithm::channelsLast};
  // How many points a region has else depends on its size.
  if (op.getSamplingRatio() > 0) {
    algorithms.push_back(Algorithm::channelsLastIfMany);
  }
  return algorithms;
}

static SmallVector<Algorithm> getAlgorithmsOf(IE::TriluOp /*op*/) {
  return {Algorithm::direct, Algorithm::cutRows};
}

static SmallVector<Algorithm> getAlgorithmsOf(IE::SoftmaxOp op) {
  auto type = cast<RankedTensorType>(op.getOutput().getType());
  SmallVector<Algorithm> algorithms = {Algorithm::direct};
  if (type.getRank() == 0) {
    return algorithms;
  }
  SmallVector<int64_t> others(type.getShape());
  auto axis = static_cast<int64_t>(op.getAxis());
  axis += axis < 0 ? type.getRank() : 0;
  others.erase(others.begin() + axis);
  bool isOneRow = type.getDimSize(axis) != 0 &&
                  llvm::all_of(others, [](int64_t size) { return size == 1; });
  // Exponentials of narrower floats are in a buffer of another type.
  bool areStored =
      type.getElementType().isF32() || type.getElementType().isF64();
  if (areStored && isOneRow) {
    llvm::append_values(algorithms, Algorithm::inPlace, Algorithm::atOnce);
  }
  return algorithms;
}

SmallVector<Algorithm> VPU::getAlgorithms(Operation *op) {
  return llvm::TypeSwitch<Operation *, SmallVector<Algorithm>>(op)
      .Case<IE::TopKOp, IE::ConvOp, IE::ConvTransposeOp, IE::LRNOp,
            IE::GridSampleOp, IE::RoiAlignOp, IE::SoftmaxOp, IE::MatMulOp,
            IE::TriluOp, IE::MatMulIntegerOp, IE::GemmOp, IE::ArgMaxOp,
            IE::ArgMinOp, IE::AveragePoolOp, IE::MaxPoolOp>(
          [](auto op) { return getAlgorithmsOf(op); })
      .Default([](Operation *) { return SmallVector<Algorithm>(); });
}

int64_t VPU::countBlockWords(Operation *op) {
  auto product = dyn_cast<IE::MatMulNBitsOp>(op);
  if (!product) {
    return 0;
  }
  auto bits = static_cast<int64_t>(product.getBlockSize() * product.getBits());
  return bits % NCEMatMulNBitsOp::kWordBits == 0
             ? bits / NCEMatMulNBitsOp::kWordBits
             : 0;
}

Algorithm VPU::getAlgorithm(Operation *op) {
  StrategyAttr strategy = StrategyAttr::lookup(op);
  if (strategy && strategy.getAlgorithm() != Algorithm::undecided) {
    return strategy.getAlgorithm();
  }
  SmallVector<Algorithm> algorithms = getAlgorithms(op);
  return algorithms.empty() ? Algorithm::undecided : algorithms.front();
}

int64_t VPU::getBlockParts(Operation *op) {
  StrategyAttr strategy = StrategyAttr::lookup(op);
  return strategy ? std::max<int64_t>(strategy.getBlockParts(), 1) : 1;
}

bool VPU::canShareRows(Operation *op) {
  auto scan = dyn_cast<IE::ScanOp>(op);
  if (!scan || !IE::keepsRowsApart(scan)) {
    return false;
  }
  // Their tensors keep their types when operators are lowered.
  constexpr unsigned kNarrowestFloat = 16;
  auto keepsType = [](Type type) {
    Type element = getElementTypeOrSelf(type);
    return isa<FloatType>(element)
               ? element.getIntOrFloatBitWidth() >= kNarrowestFloat
               : element.isSignlessInteger();
  };
  return llvm::all_of(scan->getOperandTypes(), keepsType) &&
         llvm::all_of(scan->getResultTypes(), keepsType);
}

static LogicalResult verifyShare(Operation *op, StrategyAttr strategy) {
  if (!canShareRows(op)) {
    return op->emitOpError("expected no parts: it does not compute each row of "
                           "its states for itself");
  }
  constexpr int64_t kOpen[] = {ShapedType::kDynamic};
  if (strategy.getParts() != ArrayRef(kOpen) ||
      strategy != StrategyAttr::getForParts(
                      op->getContext(), ClusterStrategy::SplitOverHeight, kOpen,
                      FusedNeighbours::none, strategy.getGrain())) {
    return op->emitOpError("expected multiCluster = SplitOverHeight, parts = "
                           "[?] and a grain alone, found ")
           << strategy;
  }
  return success();
}

/// Checks the parts of blocks. With several blocks for each column, parts are
/// of equal size.
static LogicalResult verifyBlockParts(Operation *op, int64_t parts) {
  int64_t words = countBlockWords(op);
  if (words == 0) {
    return op->emitOpError("expected no blockParts: it has no blocks of whole "
                           "words");
  }
  bool isCut = cast<IE::MatMulNBitsOp>(op).getNumBlocks() > 1;
  if (parts > words || (isCut && words % parts != 0)) {
    return op->emitOpError("expected ")
           << (isCut ? "blockParts that cut " : "blockParts of at most ")
           << words << " words of a block" << (isCut ? " evenly" : "")
           << ", found " << parts;
  }
  return success();
}

static LogicalResult verifyOperator(Operation *op) {
  StrategyAttr strategy = StrategyAttr::lookup(op);
  if (!strategy || strategy == StrategyAttr::getDefault(op->getContext())) {
    return success();
  }
  if (strategy.getBlockParts() != 0) {
    return verifyBlockParts(op, strategy.getBlockParts());
  }
  if (!strategy.getParts().empty()) {
    return verifyShare(op, strategy);
  }
  SmallVector<Algorithm> algorithms = getAlgorithms(op);
  if (algorithms.empty()) {
    return op->emitOpError("expected no strategy: there is one way to lower "
                           "it");
  }
  if (!llvm::is_contained(algorithms, strategy.getAlgorithm()) ||
      strategy != StrategyAttr::getForAlgorithm(op->getContext(),
                                                strategy.getAlgorithm())) {
    InFlightDiagnostic error = op->emitOpError("expected algorithm = ");
    llvm::interleave(
        algorithms, error,
        [&](Algorithm algorithm) { error << stringifyAlgorithm(algorithm); },
        " or ");
    return error << " alone, found " << strategy;
  }
  return success();
}

LogicalResult VPU::verifyOperators(Operation *root) {
  bool failedAny = false;
  root->walk([&](Operation *op) {
    if (IE::isOperator(op)) {
      failedAny |= failed(verifyOperator(op));
    }
  });
  return failure(failedAny);
}
