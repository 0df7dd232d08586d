//===- Resampling.cpp - Images of other sizes -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Type inference and verification of the IE operator family: resampling.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/Resampling.h"
#include "nacre/Dialect/IE/Utils/KnownInts.h"
#include "nacre/Dialect/IE/Utils/ResizeUtils.h"
#include "nacre/Dialect/IE/Utils/SectionUtils.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/Resampling.cpp.inc"

void IEDialect::registerResamplingOps() {
  addOperations<
#define GET_OP_LIST
#include "nacre/Dialect/IE/IR/Resampling.cpp.inc"
      >();
}

/// A size after scaling; dynamic where that is no size.
static int64_t inferScaledSize(int64_t size, double scale) {
  constexpr double kLargest = static_cast<double>(int64_t(1) << 31);
  double scaled = getScaledSize(size, scale);
  return scaled >= 1 && scaled <= kLargest ? static_cast<int64_t>(scaled)
                                           : ShapedType::kDynamic;
}

LogicalResult ResizeOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> location,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &inferred) {
  auto input = cast<ShapedType>(adaptor.getInput().getType());
  for (Value list :
       {adaptor.getRoi(), adaptor.getScales(), adaptor.getSizes()}) {
    if (list && failed(getVectorLength(location, list))) {
      return failure();
    }
  }
  SmallVector<double> scales =
      getConstantFloats(adaptor.getScales()).value_or(SmallVector<double>());
  SmallVector<int64_t> sizes =
      getConstantInts(adaptor.getSizes()).value_or(SmallVector<int64_t>());
  SmallVector<int64_t> shape(input.getShape());
  if ((scales.empty() && sizes.empty()) || !input.hasStaticShape()) {
    SmallVector<int64_t> axes(adaptor.getAxes());
    if (axes.empty()) {
      axes = llvm::to_vector(llvm::seq<int64_t>(0, input.getRank()));
    }
    FailureOr<SmallVector<int64_t>> normalized =
        normalizeAxes(location, axes, input.getRank());
    if (failed(normalized)) {
      return failure();
    }
    // What is not resized keeps its size; some of the others may be known.
    std::optional<SmallVector<int64_t>> known =
        adaptor.getKeepAspectRatioPolicy() == "stretch"
            ? getKnownInts(adaptor.getSizes())
            : std::nullopt;
    for (auto [i, dim] : llvm::enumerate(*normalized)) {
      int64_t size = shape[dim];
      shape[dim] = ShapedType::kDynamic;
      if (i < scales.size() && !ShapedType::isDynamic(size)) {
        shape[dim] = inferScaledSize(size, scales[i]);
      } else if (known && i < known->size()) {
        shape[dim] = (*known)[i];
      }
    }
    inferred.push_back(input.clone(shape));
    return success();
  }
  FailureOr<SmallVector<ResizedDim>> dims =
      resolveResize(location, adaptor, shape, {{}, scales, sizes});
  if (failed(dims)) {
    return failure();
  }
  for (const ResizedDim &dim : *dims) {
    shape[dim.dim] = dim.outputSize;
  }
  inferred.push_back(input.clone(shape));
  return success();
}

/// floor(value) as a size.
static OpFoldResult floorToSize(OpBuilder &builder, Location loc, Value value) {
  Value whole = math::FloorOp::create(builder, loc, value);
  Value integer =
      arith::FPToSIOp::create(builder, loc, builder.getI64Type(), whole);
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                    integer)
      .getResult();
}

/// The product of which getScaledSize takes the whole part.
static Value buildScaled(OpBuilder &builder, Location loc, Value size,
                         Value scale) {
  Value product = arith::MulFOp::create(builder, loc, size, scale);
  return arith::TruncFOp::create(builder, loc, builder.getF32Type(), product);
}

std::optional<int64_t> SizedResize::getKnownTimes() const {
  constexpr double kMost = 1 << 20;
  if (!knownScale || *knownScale < 1 || *knownScale > kMost ||
      *knownScale != std::floor(*knownScale)) {
    return std::nullopt;
  }
  return static_cast<int64_t>(*knownScale);
}

SmallVector<SizedResize> ResizeOp::getResizedDims(SizeBuilder &sizes) {
  OpBuilder &builder = sizes.getBuilder();
  Location loc = sizes.getLoc();
  Type f64 = builder.getF64Type();
  auto input = cast<RankedTensorType>(getInput().getType());
  auto output = cast<RankedTensorType>(getOutput().getType());
  SmallVector<int64_t> dims(getAxes());
  if (dims.empty()) {
    dims = llvm::to_vector(llvm::seq<int64_t>(0, input.getRank()));
  }
  bool bySizes = getSizes() != nullptr;
  std::optional<SmallVector<double>> known = getConstantFloats(getScales());
  auto constant = [&](double value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getFloatAttr(f64, value));
  };
  auto toDouble = [&](OpFoldResult size) -> Value {
    if (std::optional<int64_t> value = getConstantIntValue(size)) {
      return constant(static_cast<double>(*value));
    }
    Value integer = arith::IndexCastOp::create(
        builder, loc, builder.getI64Type(), sizes.toValue(size));
    return arith::SIToFPOp::create(builder, loc, f64, integer);
  };
  sizes.requireEqual(sizes.getSize(bySizes ? getSizes() : getScales(), 0),
                     sizes.number(dims.size()),
                     "another number of scales or sizes than dimensions");
  SmallVector<SizedResize> result;
  for (auto [i, axis] : llvm::enumerate(dims)) {
    SizedResize &dim = result.emplace_back();
    dim.dim = axis < 0 ? axis + input.getRank() : axis;
    dim.inputSize = sizes.getSize(getInput(), dim.dim);
    dim.inputLength = toDouble(dim.inputSize);
    if (bySizes) {
      OpFoldResult wanted =
          sizes.getElement(getSizes(), static_cast<int64_t>(i));
      dim.outputSize = wanted;
      dim.scale = arith::DivFOp::create(builder, loc, toDouble(wanted),
                                        dim.inputLength);
      continue;
    }
    if (known && i < known->size()) {
      dim.knownScale = (*known)[i];
      dim.scale = constant(*dim.knownScale);
    } else {
      Value scale = sizes.extract(getScales(), sizes.number(i));
      dim.scale = scale.getType() == f64
                      ? scale
                      : arith::ExtFOp::create(builder, loc, f64, scale);
    }
    std::optional<int64_t> inputSize = getConstantIntValue(dim.inputSize);
    int64_t knownSize = dim.knownScale && inputSize
                            ? inferScaledSize(*inputSize, *dim.knownScale)
                            : ShapedType::kDynamic;
    // A scale of 1 keeps the size visibly the same, and another whole number
    // multiplies it.
    if (!ShapedType::isDynamic(knownSize)) {
      dim.outputSize = sizes.number(knownSize);
    } else if (std::optional<int64_t> times = dim.getKnownTimes()) {
      dim.outputSize =
          *times == 1 ? dim.inputSize
                      : sizes.multiply({dim.inputSize, sizes.number(*times)});
    } else {
      dim.outputSize = floorToSize(
          builder, loc, buildScaled(builder, loc, dim.inputLength, dim.scale));
    }
  }
  StringRef policy = getKeepAspectRatioPolicy();
  if (bySizes && policy != "stretch") {
    Value scale = result.front().scale;
    for (const SizedResize &dim : ArrayRef(result).drop_front()) {
      scale = policy == "not_larger"
                  ? arith::MinimumFOp::create(builder, loc, scale, dim.scale)
                        .getResult()
                  : arith::MaximumFOp::create(builder, loc, scale, dim.scale)
                        .getResult();
    }
    for (SizedResize &dim : result) {
      dim.scale = scale;
      Value length =
          arith::MulFOp::create(builder, loc, scale, dim.inputLength);
      dim.outputSize = floorToSize(
          builder, loc,
          arith::AddFOp::create(builder, loc, length, constant(0.5)));
    }
  }
  for (SizedResize &dim : result) {
    if (!output.isDynamicDim(dim.dim)) {
      OpFoldResult declared = sizes.number(output.getDimSize(dim.dim));
      sizes.requireEqual(dim.outputSize, declared,
                         "a result has another size than the model declares");
      dim.outputSize = declared;
    }
    sizes.requireAtMost(sizes.number(0), dim.outputSize,
                        "a result of negative size");
    if (bySizes) {
      // By a scale, what has no elements stays without.
      sizes.requireAtMost(sizes.min(dim.outputSize, sizes.number(1)),
                          dim.inputSize, "elements of a tensor that has none");
    }
    dim.outputLength = toDouble(dim.outputSize);
  }
  return result;
}

LogicalResult ResizeOp::buildSizes(SizeBuilder &sizes,
                                   ReifiedRankedShapedTypeDims &results) {
  Sizes &result = results.emplace_back(sizes.getSizes(getInput()));
  for (const SizedResize &dim : getResizedDims(sizes)) {
    result[dim.dim] = dim.outputSize;
  }
  return success();
}

LogicalResult GridSampleOp::buildSizes(SizeBuilder &sizes,
                                       ReifiedRankedShapedTypeDims &results) {
  Sizes grid = sizes.getSizes(getGrid());
  int64_t rank = grid.size();
  OpFoldResult batch = sizes.getSize(getInput(), 0);
  sizes.requireEqual(batch, grid.front(),
                     "another number of grids than images");
  sizes.requireEqual(grid.back(), sizes.number(rank - 2),
                     "another number of coordinates than dimensions");
  Sizes &result = results.emplace_back();
  result = {batch, sizes.getSize(getInput(), 1)};
  result.append(grid.begin() + 1, grid.end() - 1);
  return success();
}

LogicalResult RoiAlignOp::buildSizes(SizeBuilder &sizes,
                                     ReifiedRankedShapedTypeDims &results) {
  OpFoldResult regions = sizes.getSize(getRois(), 0);
  sizes.requireEqual(sizes.getSize(getRois(), 1), sizes.number(4),
                     "regions of other than four coordinates");
  sizes.requireEqual(sizes.getSize(getBatchIndices(), 0), regions,
                     "another number of batch indices than regions");
  results.push_back({regions, sizes.getSize(getInput(), 1),
                     sizes.number(static_cast<int64_t>(getOutputHeight())),
                     sizes.number(static_cast<int64_t>(getOutputWidth()))});
  return success();
}

/// What is not only moved must be floats.
template <typename OpT>
static LogicalResult verifyInterpolated(OpT op, StringRef mode) {
  auto input = cast<ShapedType>(op.getInput().getType());
  if (mode != "nearest" && !isa<FloatType>(input.getElementType())) {
    return op.emitOpError("expected floats in mode '")
           << mode << "', found " << input;
  }
  return success();
}

bool ResizeOp::isFixedPoint() {
  return getAntialias() != 0 && getMode() != "nearest" &&
         getElementTypeOrSelf(getInput()).isInteger(8);
}

LogicalResult ResizeOp::verify() {
  if (!isFixedPoint() && failed(verifyInterpolated(*this, getMode()))) {
    return failure();
  }
  if (!getScales() && !getSizes()) {
    return emitOpError("expected either scales or sizes");
  }
  return success();
}

LogicalResult GridSampleOp::inferReturnTypes(MLIRContext *,
                                             std::optional<Location> location,
                                             Adaptor adaptor,
                                             SmallVectorImpl<Type> &inferred) {
  auto input = cast<RankedTensorType>(adaptor.getInput().getType());
  auto grid = cast<RankedTensorType>(adaptor.getGrid().getType());
  int64_t rank = input.getRank();
  if ((rank != 4 && rank != 5) || grid.getRank() != rank) {
    return emitOptionalError(location,
                             "expected an image (N, C, H, W) or a volume (N, "
                             "C, D, H, W) and a grid of as many dimensions, "
                             "found ",
                             input, " and ", grid);
  }
  auto mayBe = [](int64_t dim, int64_t size) {
    return ShapedType::isDynamic(dim) || ShapedType::isDynamic(size) ||
           dim == size;
  };
  if (!mayBe(grid.getShape().back(), rank - 2) ||
      !mayBe(grid.getDimSize(0), input.getDimSize(0))) {
    return emitOptionalError(location, "expected a grid of ", rank - 2,
                             " coordinates for each image, found ", input,
                             " and ", grid);
  }
  if (llvm::is_contained(input.getShape().drop_front(2), 0)) {
    return emitOptionalError(location,
                             "expected an image with elements, found ", input);
  }
  int64_t batch = ShapedType::isDynamic(input.getDimSize(0))
                      ? grid.getDimSize(0)
                      : input.getDimSize(0);
  SmallVector<int64_t> shape = {batch, input.getDimSize(1)};
  llvm::append_range(shape, grid.getShape().drop_front().drop_back());
  inferred.push_back(input.clone(shape));
  return success();
}

LogicalResult GridSampleOp::verify() {
  return verifyInterpolated(*this, getMode());
}

LogicalResult RoiAlignOp::inferReturnTypes(MLIRContext *,
                                           std::optional<Location> location,
                                           Adaptor adaptor,
                                           SmallVectorImpl<Type> &inferred) {
  auto input = cast<RankedTensorType>(adaptor.getInput().getType());
  auto rois = cast<RankedTensorType>(adaptor.getRois().getType());
  auto batch = cast<RankedTensorType>(adaptor.getBatchIndices().getType());
  if (input.getRank() != 4 || rois.getRank() != 2 || batch.getRank() != 1) {
    return emitOptionalError(location,
                             "expected images (N, C, H, W), regions (regions, "
                             "4) and batch indices (regions), found ",
                             input, ", ", rois, " and ", batch);
  }
  if (!rois.isDynamicDim(1) && rois.getDimSize(1) != 4) {
    return emitOptionalError(
        location, "expected four coordinates of each region, found ", rois);
  }
  int64_t regions = rois.getDimSize(0);
  if (failed(verifyCompatibleShape(rois.getShape().take_front(1),
                                   batch.getShape()))) {
    return emitOptionalError(location, "expected a batch index for each of ",
                             regions, " regions, found ", batch);
  }
  FailureOr<RankedTensorType> type =
      getCheckedType(location,
                     {regions, input.getDimSize(1),
                      static_cast<int64_t>(adaptor.getOutputHeight()),
                      static_cast<int64_t>(adaptor.getOutputWidth())},
                     input.getElementType());
  if (failed(type)) {
    return failure();
  }
  inferred.push_back(*type);
  return success();
}

LogicalResult RoiAlignOp::verify() {
  if (getOutputHeight() == 0 || getOutputWidth() == 0) {
    return emitOpError("expected a result with elements, found ")
           << getOutputHeight() << " x " << getOutputWidth();
  }
  auto ratio = static_cast<int64_t>(getSamplingRatio());
  if (ratio < 0) {
    return emitOpError("expected 'sampling_ratio' of 0 or more, found ")
           << ratio;
  }
  ArrayRef<int64_t> image =
      cast<RankedTensorType>(getInput().getType()).getShape();
  if (llvm::is_contained(image, 0)) {
    return emitOpError("expected images with elements, found ")
           << getInput().getType();
  }
  return success();
}
