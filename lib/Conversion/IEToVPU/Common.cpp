//===- Common.cpp - Helpers of the lowering to VPU ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moving values between IE's logical layout and the engine's physical ones, and
// building constants for it.
//
//===----------------------------------------------------------------------===//

#include "Common.h"
#include "Volume.h"

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/Shape.h"
#include "nacre/Dialect/IE/Utils/Builders.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"
#include "nacre/Dialect/IE/Utils/SizeArithmetic.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace nacre;

/// The sign bit of a byte, as the byte's value.
static constexpr int64_t kSignBit = -128;

bool nacre::isEngineFloat(VPU::ArchAttr arch, Type type) {
  return (type.isF32() || type.isF64()) && arch.supportsElementType(type);
}

RankedTensorType nacre::getEngineType(VPU::ArchAttr arch, Value value,
                                      int64_t rank) {
  auto type =
      dyn_cast_if_present<RankedTensorType>(value ? value.getType() : Type());
  if (!type || !type.hasStaticShape() || type.getNumElements() == 0 ||
      !isEngineFloat(arch, type.getElementType()) ||
      (rank >= 0 && type.getRank() != rank)) {
    return {};
  }
  return type;
}

RankedTensorType nacre::getImageType(VPU::ArchAttr arch, Value value) {
  auto type =
      dyn_cast_if_present<RankedTensorType>(value ? value.getType() : Type());
  bool isVolume = type && type.getRank() == 5 && type.hasStaticShape();
  bool isImage =
      type && (type.getRank() == 3 || type.getRank() == 4 || isVolume) &&
      !type.isDynamicDim(1) && !llvm::is_contained(type.getShape(), 0) &&
      isEngineFloat(arch, type.getElementType()) &&
      (type.hasStaticShape() || !arch.hasFixedFunctionNCE());
  return isImage ? type : RankedTensorType();
}

bool nacre::isEngineBytes(VPU::ArchAttr arch, Value value, int64_t dim) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && dim < type.getRank() && !type.isDynamicDim(dim) &&
         !llvm::is_contained(type.getShape(), 0) &&
         (type.hasStaticShape() || !arch.hasFixedFunctionNCE()) &&
         isByte(type.getElementType()) &&
         arch.supportsElementType(IntegerType::get(type.getContext(), 8));
}

bool nacre::isImageOfBytes(VPU::ArchAttr arch, Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return isEngineBytes(arch, value, /*dim=*/1) &&
         (type.getRank() != 5 || type.hasStaticShape());
}

bool nacre::isByte(Type type) {
  return type.isUnsignedInteger(8) || type.isSignlessInteger(8);
}

/// The engine's bytes that a model's signed ones were made of; null when they
/// were not.
static Value getUnshifted(Value value) {
  auto shift = value.getDefiningOp<IE::BitwiseXorOp>();
  std::optional<SmallVector<int64_t>> mask =
      shift ? IE::getConstantInts(shift.getRhs()) : std::nullopt;
  bool isShift = mask && mask->size() == 1 && mask->front() == kSignBit &&
                 shift.getLhs().getType() == value.getType();
  return isShift ? shift.getLhs() : Value();
}

/// Between signed bytes and unsigned ones of half the range more: both ways the
/// sign bit changes.
static Value buildShifted(OpBuilder &builder, Location loc, Value value) {
  Value mask = IE::buildScalar(builder, loc, builder.getI8Type(),
                               static_cast<int8_t>(kSignBit));
  return IE::BitwiseXorOp::create(builder, loc, value, mask);
}

Value nacre::buildBytes(OpBuilder &builder, Location loc, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  if (!type.getElementType().isUnsignedInteger()) {
    Value source = getUnshifted(value);
    return source ? source : buildShifted(builder, loc, value);
  }
  if (auto bitcast = value.getDefiningOp<tensor::BitcastOp>()) {
    return bitcast.getSource();
  }
  return tensor::BitcastOp::create(builder, loc,
                                   type.clone(builder.getI8Type()), value);
}

Value nacre::buildSignedBytes(OpBuilder &builder, Location loc, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  if (!type.getElementType().isUnsignedInteger()) {
    return value;
  }
  Value bytes = tensor::BitcastOp::create(
      builder, loc, type.clone(builder.getI8Type()), value);
  return buildShifted(builder, loc, bytes);
}

Value nacre::buildModelBytes(OpBuilder &builder, Location loc, Value value,
                             Type elementType) {
  auto type = cast<RankedTensorType>(value.getType());
  return elementType.isUnsignedInteger()
             ? tensor::BitcastOp::create(builder, loc, type.clone(elementType),
                                         value)
             : buildShifted(builder, loc, value);
}

Value nacre::buildEmpty(OpBuilder &builder, Location loc,
                        ArrayRef<int64_t> shape, Type elementType) {
  return tensor::EmptyOp::create(builder, loc, shape, elementType);
}

Value nacre::buildEmptyLike(OpBuilder &builder, Location loc, Value value) {
  return tensor::EmptyOp::create(builder, loc,
                                 getMixedSizes(builder, loc, value),
                                 getElementTypeOrSelf(value.getType()));
}

Value nacre::buildReshape(OpBuilder &builder, Location loc, Value value,
                          ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(value.getType());
  RankedTensorType target = type.clone(shape);
  if (type == target) {
    return value;
  }
  if (type.getRank() != target.getRank()) {
    if (std::optional<SmallVector<ReassociationIndices>> reassociation =
            getReassociationIndicesForReshape(type, target)) {
      if (type.getRank() < target.getRank()) {
        return tensor::ExpandShapeOp::create(builder, loc, target, value,
                                             *reassociation);
      }
      return tensor::CollapseShapeOp::create(builder, loc, target, value,
                                             *reassociation);
    }
  }
  // Neither shape refines the other: through one dimension.
  ReassociationIndices all(
      llvm::to_vector(llvm::seq<int64_t>(0, type.getRank())));
  Value flat = tensor::CollapseShapeOp::create(
      builder, loc, type.clone({type.getNumElements()}), value,
      SmallVector<ReassociationIndices>{all});
  all.assign(llvm::to_vector<2>(llvm::seq<int64_t>(0, target.getRank())));
  return tensor::ExpandShapeOp::create(builder, loc, target, flat,
                                       SmallVector<ReassociationIndices>{all});
}

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

/// Rows and columns as columns.
static const SmallVector<ReassociationIndices> kRowOfColumns = {
    {0}, {1}, {2, 3}};

/// Looks through views for a blocked image of this many blocks.
static Value skipViews(Value value, int64_t blocks) {
  while (true) {
    auto type = cast<RankedTensorType>(value.getType());
    if (type.getRank() == 5 && type.getDimSize(1) == blocks) {
      return value;
    }
    Operation *op = value.getDefiningOp();
    if (!isa_and_present<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op)) {
      return {};
    }
    value = op->getOperand(0);
  }
}

/// True for a view that leaves rows and columns, the last dimensions, alone.
template <typename ViewOp> static bool keepsImages(ViewOp view) {
  SmallVector<ReassociationIndices> groups = view.getReassociationIndices();
  return groups.size() >= 2 &&
         llvm::all_of(ArrayRef(groups).take_back(2),
                      [](const auto &group) { return group.size() == 1; });
}

/// The source of a view in which sizes tell where elements are, as orders are
/// kept; null for other ops.
static Value getViewSource(Operation *op, bool isStatic) {
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    return isStatic || keepsImages(collapse) ? collapse.getSrc() : Value();
  }
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    return isStatic || keepsImages(expand) ? expand.getSrc() : Value();
  }
  return {};
}

/// The copy that made `value` and the number of groups it treats as images.
static std::pair<VPU::CopyOp, int64_t> getUnblocking(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  std::pair<VPU::CopyOp, int64_t> none = {VPU::CopyOp(), 1};
  if (type.getRank() != 4) {
    return none;
  }
  while (Operation *op = value.getDefiningOp()) {
    if (auto copy = dyn_cast<VPU::CopyOp>(op)) {
      auto found = cast<RankedTensorType>(copy.getInit().getType());
      if (!copy.isFrom(VPU::DimsOrder::NCHWc, VPU::DimsOrder::NCHW) ||
          found.getShape().drop_front(2) != type.getShape().drop_front(2)) {
        return none;
      }
      // Views keep the order of elements, so sizes tell all.
      int64_t channels = type.getDimSize(1), perGroup = found.getDimSize(1);
      bool matches =
          !type.isDynamicDim(1) && perGroup != 0 && channels % perGroup == 0;
      return matches ? std::pair(copy, channels / perGroup) : none;
    }
    value = getViewSource(op, type.hasStaticShape());
    if (!value) {
      break;
    }
  }
  return none;
}

/// The image of a single row that `value`, without rows, was made of; null
/// where there is none.
static Value getRowImage(Value value) {
  auto collapse = value.getDefiningOp<tensor::CollapseShapeOp>();
  bool isRow = collapse && collapse.getResultType().getRank() == 3 &&
               collapse.getSrcType().getRank() == 4 &&
               collapse.getSrcType().getDimSize(2) == 1 &&
               llvm::equal(collapse.getReassociationIndices(), kRowOfColumns);
  return isRow ? collapse.getSrc() : Value();
}

BlockedImage nacre::getBlockedSource(Value value) {
  if (Value images = getVolumeImages(value)) {
    value = images;
  }
  if (Value row = getRowImage(value)) {
    value = row;
  }
  auto [copy, groups] = getUnblocking(value);
  if (!copy) {
    return {};
  }
  int64_t blocks = copy.getSourceType().getDimSize(1) * groups;
  Value source = skipViews(copy.getSource(), blocks);
  return {source, {copy.getSourceType().getDimSize(4), groups}};
}

BlockedImage nacre::getBlockedBytes(Value value) {
  Value source = getUnshifted(value);
  if (auto bitcast = value.getDefiningOp<tensor::BitcastOp>()) {
    source = bitcast.getSource();
  }
  return source ? getBlockedSource(source) : BlockedImage();
}

BlockedLayout nacre::chooseLayout(VPU::ArchAttr arch, Value value,
                                  bool reducesChannels) {
  if (BlockedImage source = getBlockedSource(value)) {
    return source.layout;
  }
  auto type = cast<RankedTensorType>(value.getType());
  int64_t channels = type.getDimSize(1);
  int64_t width = arch.getBlockSize(channels, type.getElementType());
  return {reducesChannels ? std::min(width, channels) : width};
}

/// Moves `factor` from the second dimension to the first, or, when inverse, the
/// other way: groups of channels are images of their own.
static Value regroup(OpBuilder &builder, Location loc, Value value,
                     int64_t factor, bool inverse) {
  if (factor == 1) {
    return value;
  }
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> split(type.getShape()), merged(type.getShape());
  MixedSizes sizes = getMixedSizes(builder, loc, value);
  int64_t outer = type.getDimSize(0), inner = type.getDimSize(1);
  bool isKnown = !ShapedType::isDynamic(outer);
  SmallVector<ReassociationIndices> splits = {{0}, {1, 2}};
  SmallVector<ReassociationIndices> merges = {{0, 1}, {2}};
  if (inverse) {
    std::swap(splits, merges);
    sizes[0] = IE::divideSizes(builder, loc, sizes[0],
                               OpFoldResult(builder.getIndexAttr(factor)));
    split[0] = factor;
    split.insert(split.begin(), isKnown ? outer / factor : outer);
    merged[0] = split[0];
    merged[1] = inner * factor;
  } else {
    sizes[1] = builder.getIndexAttr(inner / factor);
    split[1] = inner / factor;
    split.insert(split.begin() + 1, factor);
    merged[0] = isKnown ? outer * factor : outer;
    merged[1] = inner / factor;
  }
  for (int64_t i = 2; i < type.getRank(); ++i) {
    splits.push_back({i + 1});
    merges.push_back({i + 1});
  }
  sizes.insert(sizes.begin() + 1, builder.getIndexAttr(factor));
  Value expanded = tensor::ExpandShapeOp::create(
      builder, loc, type.clone(split), value, splits, sizes);
  return tensor::CollapseShapeOp::create(builder, loc, type.clone(merged),
                                         expanded, merges);
}

/// a + b
static OpFoldResult addSize(OpBuilder &builder, Location loc, OpFoldResult a,
                            int64_t b) {
  return affine::makeComposedFoldedAffineApply(
      builder, loc, builder.getAffineDimExpr(0) + b, {a});
}

Value nacre::buildBlocked(OpBuilder &builder, Location loc, Value value,
                          BlockedLayout layout, const Padding &padding) {
  const std::array<int64_t, 4> &pads = padding.sizes;
  auto build = [&](Value source, VPU::DimsOrder order, int64_t blocks) {
    auto type = cast<RankedTensorType>(source.getType());
    MixedSizes sizes = getMixedSizes(builder, loc, source);
    Value init = tensor::EmptyOp::create(
        builder, loc,
        MixedSizes{sizes[0], builder.getIndexAttr(blocks),
                   addSize(builder, loc, sizes[2], pads[0] + pads[2]),
                   addSize(builder, loc, sizes[3], pads[1] + pads[3]),
                   builder.getIndexAttr(layout.width)},
        type.getElementType());
    return VPU::CopyOp::create(builder, loc, source, init, order,
                               VPU::DimsOrder::NCHWc, pads, padding.value,
                               padding.fill)
        ->getResult(0);
  };
  int64_t channels = cast<RankedTensorType>(value.getType()).getDimSize(1);
  int64_t blocks = layout.getBlocks(channels);
  BlockedImage source = getBlockedSource(value);
  if (source && source.layout == layout) {
    return llvm::any_of(pads, [](int64_t pad) { return pad != 0; })
               ? build(source.value, VPU::DimsOrder::NCHWc, blocks)
               : source.value;
  }
  Value images = regroup(builder, loc, value, layout.groups, /*inverse=*/false);
  Value blocked = build(images, VPU::DimsOrder::NCHW, blocks / layout.groups);
  return regroup(builder, loc, blocked, layout.groups, /*inverse=*/true);
}

Value nacre::buildUnblocked(OpBuilder &builder, Location loc,
                            const BlockedImage &image, int64_t channels) {
  int64_t groups = image.layout.groups;
  Value source = regroup(builder, loc, image.value, groups, /*inverse=*/false);
  MixedSizes sizes = getMixedSizes(builder, loc, source);
  Value init = tensor::EmptyOp::create(
      builder, loc,
      MixedSizes{sizes[0], builder.getIndexAttr(channels / groups), sizes[2],
                 sizes[3]},
      getElementTypeOrSelf(source.getType()));
  Value planes =
      VPU::CopyOp::create(builder, loc, source, init, VPU::DimsOrder::NCHWc,
                          VPU::DimsOrder::NCHW)
          ->getResult(0);
  return regroup(builder, loc, planes, groups, /*inverse=*/true);
}

Value nacre::buildBlockedEmpty(OpBuilder &builder, Location loc,
                               ArrayRef<OpFoldResult> logical,
                               BlockedLayout layout, Type elementType) {
  int64_t channels = *getConstantIntValue(logical[1]);
  return tensor::EmptyOp::create(
      builder, loc,
      MixedSizes{logical[0], builder.getIndexAttr(layout.getBlocks(channels)),
                 logical[2], logical[3], builder.getIndexAttr(layout.width)},
      elementType);
}

Value nacre::buildImage(OpBuilder &builder, Location loc, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getRank() == 5) {
    return buildVolumeImages(builder, loc, value);
  }
  if (type.getRank() != 3) {
    return value;
  }
  if (Value row = getRowImage(value)) {
    return row;
  }
  MixedSizes sizes = getMixedSizes(builder, loc, value);
  sizes.insert(sizes.begin() + 2, builder.getIndexAttr(1));
  SmallVector<int64_t> shape(type.getShape());
  shape.insert(shape.begin() + 2, 1);
  return tensor::ExpandShapeOp::create(builder, loc, type.clone(shape), value,
                                       kRowOfColumns, sizes);
}

Value nacre::buildFromImage(OpBuilder &builder, Location loc, Value image,
                            RankedTensorType type) {
  if (type.getRank() == 5) {
    return buildFromVolumeImages(builder, loc, image, type);
  }
  if (type.getRank() == 3) {
    image = tensor::CollapseShapeOp::create(builder, loc, image, kRowOfColumns);
  }
  if (image.getType() != type) {
    image = tensor::CastOp::create(builder, loc, type, image);
  }
  return image;
}

void nacre::replaceByImage(PatternRewriter &rewriter, Operation *op,
                           const BlockedImage &result, int64_t channels) {
  Location loc = op->getLoc();
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Value image = buildUnblocked(rewriter, loc, result, channels);
  Type element = getElementTypeOrSelf(image.getType());
  image = buildFromImage(rewriter, loc, image, type.clone(element));
  rewriter.replaceOp(
      op, element.isInteger(8)
              ? buildModelBytes(rewriter, loc, image, type.getElementType())
              : image);
}

Value nacre::getMatrixSource(Value value) {
  Type logical = value.getType();
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, IE::ReshapeOp>(
            op)) {
      break;
    }
    value = op->getOperand(0);
  }
  auto type = cast<RankedTensorType>(value.getType());
  bool sameRows = cast<RankedTensorType>(logical).getRank() > 0 &&
                  type.getRank() == 3 &&
                  type.getShape().back() ==
                      cast<RankedTensorType>(logical).getShape().back();
  return value.getDefiningOp<VPU::NCEOpInterface>() && sameRows ? value
                                                                : Value();
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

// Small constants stay readable; large ones must not be hashed.
static constexpr size_t kMaxInlineElements = 64;

/// Integers without a sign, or floats, as many bits wide as T.
template <typename T>
static RankedTensorType getConstantType(Builder &builder,
                                        ArrayRef<int64_t> shape) {
  constexpr unsigned kBits = 8 * sizeof(T);
  Type element = builder.getIntegerType(kBits);
  if constexpr (std::is_floating_point_v<T>) {
    element = kBits == 64 ? Type(builder.getF64Type()) : builder.getF32Type();
  }
  return RankedTensorType::get(shape, element);
}

template <typename T>
Value nacre::buildConstant(OpBuilder &builder, Location loc,
                           ArrayRef<int64_t> shape, ArrayRef<T> values) {
  RankedTensorType type = getConstantType<T>(builder, shape);
  if (values.size() <= kMaxInlineElements) {
    return arith::ConstantOp::create(builder, loc,
                                     DenseElementsAttr::get(type, values));
  }
  // Aligned to a cache line, as kernels load it.
  AsmResourceBlob blob = HeapAsmResourceBlob::allocateAndCopyWithAlign(
      ArrayRef<char>(reinterpret_cast<const char *>(values.data()),
                     values.size() * sizeof(T)),
      /*align=*/64, /*dataIsMutable=*/false);
  return arith::ConstantOp::create(
      builder, loc,
      DenseResourceElementsAttr::get(type, "packed", std::move(blob)));
}

template <typename T>
Value nacre::buildConstant(OpBuilder &builder, Location loc,
                           ArrayRef<int64_t> shape, std::vector<T> &&values) {
  if (values.size() <= kMaxInlineElements) {
    return buildConstant(builder, loc, shape, ArrayRef<T>(values));
  }
  auto owned = std::make_shared<std::vector<T>>(std::move(values));
  ArrayRef<char> bytes(reinterpret_cast<const char *>(owned->data()),
                       owned->size() * sizeof(T));
  AsmResourceBlob blob(
      bytes, alignof(T),
      [owned](void *, size_t, size_t) mutable { owned.reset(); },
      /*dataIsMutable=*/false);
  return arith::ConstantOp::create(
      builder, loc,
      DenseResourceElementsAttr::get(getConstantType<T>(builder, shape),
                                     "packed", std::move(blob)));
}

template Value nacre::buildConstant(OpBuilder &, Location, ArrayRef<int64_t>,
                                    ArrayRef<int8_t>);
template Value nacre::buildConstant(OpBuilder &, Location, ArrayRef<int64_t>,
                                    ArrayRef<int32_t>);
template Value nacre::buildConstant(OpBuilder &, Location, ArrayRef<int64_t>,
                                    std::vector<int8_t> &&);
template Value nacre::buildConstant(OpBuilder &, Location, ArrayRef<int64_t>,
                                    std::vector<int32_t> &&);
template Value nacre::buildConstant(OpBuilder &, Location, ArrayRef<int64_t>,
                                    std::vector<float> &&);
template Value nacre::buildConstant(OpBuilder &, Location, ArrayRef<int64_t>,
                                    std::vector<double> &&);

Value nacre::buildConstantView(OpBuilder &builder, Location loc, Value constant,
                               ArrayRef<int64_t> shape) {
  ElementsAttr elements = IE::getConstantElements(constant);
  auto type = RankedTensorType::get(shape, elements.getElementType());
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(elements)) {
    return arith::ConstantOp::create(
        builder, loc,
        DenseResourceElementsAttr::get(type, resource.getRawHandle()));
  }
  return arith::ConstantOp::create(
      builder, loc, cast<DenseElementsAttr>(elements).reshape(type));
}

template <typename T>
static Value buildPackedParameters(OpBuilder &builder, Location loc,
                                   ArrayRef<T> values, BlockedLayout layout) {
  int64_t channels = values.size(), blocks = layout.getBlocks(channels);
  std::vector<T> packed(blocks * layout.width, T(0));
  for (int64_t i = 0; i < channels; ++i) {
    packed[layout.getSlot(i, channels)] = values[i];
  }
  return buildConstant(builder, loc, {blocks, layout.width}, std::move(packed));
}

Value nacre::buildPackedBias(OpBuilder &builder, Location loc,
                             ArrayRef<float> values, BlockedLayout layout) {
  return buildPackedParameters(builder, loc, values, layout);
}

Value nacre::buildPackedBias(OpBuilder &builder, Location loc,
                             ArrayRef<double> values, BlockedLayout layout,
                             Type elementType) {
  return withFloatType(elementType, [&](auto zero) {
    std::vector<decltype(zero)> typed(values.begin(), values.end());
    return buildPackedParameters(builder, loc, ArrayRef(typed), layout);
  });
}

Value nacre::buildPackedOffset(OpBuilder &builder, Location loc,
                               ArrayRef<int32_t> values, BlockedLayout layout) {
  return buildPackedParameters(builder, loc, values, layout);
}
