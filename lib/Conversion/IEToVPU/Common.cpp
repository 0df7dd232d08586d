//===- Common.cpp - Helpers of the lowering to VPU ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moving values between IE's logical layout and the engine's physical ones, and
// building constants for it.
//
//===----------------------------------------------------------------------===//

#include "Common.h"

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/Utils/Builders.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace nacre;

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
    return buildShifted(builder, loc, value);
  }
  return tensor::BitcastOp::create(builder, loc,
                                   type.clone(builder.getI8Type()), value);
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

BlockedImage nacre::getBlockedImage(Value value) {
  auto from = value.getDefiningOp<VPU::FromBlockedOp>();
  return from ? BlockedImage{from.getImage(), from.getLayout()}
              : BlockedImage();
}

BlockedLayout nacre::chooseLayout(VPU::ArchAttr arch, Value value,
                                  bool reducesChannels) {
  if (BlockedImage image = getBlockedImage(value)) {
    return image.layout;
  }
  auto type = cast<RankedTensorType>(value.getType());
  int64_t channels = type.getDimSize(1);
  int64_t width = arch.getBlockSize(
      channels, VPU::getEngineElementType(type.getElementType()));
  return {reducesChannels ? std::min(width, channels) : width};
}

MixedSizes nacre::getImageSizes(OpBuilder &builder, Location loc, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getRank() == 5) {
    ArrayRef<int64_t> shape = type.getShape();
    return getAsIndexOpFoldResult(
        builder.getContext(),
        {shape[0] * shape[2], shape[1], shape[3], shape[4]});
  }
  MixedSizes sizes = getMixedSizes(builder, loc, value);
  if (type.getRank() == 3) {
    sizes.insert(sizes.begin() + 2, builder.getIndexAttr(1));
  }
  return sizes;
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
  Value image = builder.createOrFold<VPU::ToBlockedOp>(loc, value, layout);
  if (llvm::all_of(pads, [](int64_t pad) { return pad == 0; })) {
    return image;
  }
  MixedSizes sizes = getMixedSizes(builder, loc, image);
  sizes[2] = addSize(builder, loc, sizes[2], pads[0] + pads[2]);
  sizes[3] = addSize(builder, loc, sizes[3], pads[1] + pads[3]);
  Value init = tensor::EmptyOp::create(builder, loc, sizes,
                                       getElementTypeOrSelf(image.getType()));
  return VPU::CopyOp::create(builder, loc, image, init, VPU::DimsOrder::NCHWc,
                             VPU::DimsOrder::NCHWc, pads, padding.value,
                             padding.fill)
      ->getResult(0);
}

Value nacre::buildFromBlocked(OpBuilder &builder, Location loc,
                              const BlockedImage &image, int64_t channels,
                              RankedTensorType type) {
  Type element = getElementTypeOrSelf(image.value.getType());
  if (!element.isInteger(8)) {
    type = type.clone(element);
  }
  Value value = VPU::FromBlockedOp::create(builder, loc, image.value,
                                           image.layout, channels, type);
  // Which may be known better than the image.
  return value.getType() == type
             ? value
             : tensor::CastOp::create(builder, loc, type, value);
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

void nacre::replaceByImage(PatternRewriter &rewriter, Operation *op,
                           const BlockedImage &result, int64_t channels) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  rewriter.replaceOp(
      op, buildFromBlocked(rewriter, op->getLoc(), result, channels, type));
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
