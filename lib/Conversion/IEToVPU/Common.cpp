//===- Common.cpp - Helpers of the lowering to VPU ------------------------===//
//
// Moving values between IE's logical layout and the engine's physical ones, and
// packing constants for it at compile time.
//
//===----------------------------------------------------------------------===//

#include "Common.h"

#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace nacre;

RankedTensorType nacre::getEngineType(VPU::ArchAttr arch, Value value,
                                      int64_t rank) {
  auto type =
      dyn_cast_if_present<RankedTensorType>(value ? value.getType() : Type());
  if (!type || !type.hasStaticShape() || type.getNumElements() == 0 ||
      !arch.supportsElementType(type.getElementType()) ||
      (rank >= 0 && type.getRank() != rank)) {
    return {};
  }
  return type;
}

Value nacre::buildEmpty(OpBuilder &builder, Location loc,
                        ArrayRef<int64_t> shape, Type elementType) {
  return tensor::EmptyOp::create(builder, loc, shape, elementType);
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

Value nacre::getBlockedSource(Value value) {
  auto copy = value.getDefiningOp<VPU::CopyOp>();
  if (!copy || !copy.isFrom(VPU::DimsOrder::NCHWc, VPU::DimsOrder::NCHW)) {
    return {};
  }
  return copy.getSource();
}

int64_t nacre::chooseBlockSize(VPU::ArchAttr arch, Value value,
                               bool reducesChannels) {
  if (Value blocked = getBlockedSource(value)) {
    return cast<RankedTensorType>(blocked.getType()).getDimSize(4);
  }
  int64_t channels = cast<RankedTensorType>(value.getType()).getDimSize(1);
  int64_t size = arch.getBlockSize(channels);
  return reducesChannels ? std::min(size, channels) : size;
}

Value nacre::buildBlocked(OpBuilder &builder, Location loc, Value value,
                          int64_t blockSize, const Padding &padding) {
  auto type = cast<RankedTensorType>(value.getType());
  ArrayRef<int64_t> shape = type.getShape();
  const std::array<int64_t, 4> &pads = padding.sizes;
  Value init = buildEmpty(
      builder, loc,
      {shape[0], llvm::divideCeilSigned(shape[1], blockSize),
       pads[0] + shape[2] + pads[2], pads[1] + shape[3] + pads[3], blockSize},
      type.getElementType());
  return VPU::CopyOp::create(builder, loc, value, init, VPU::DimsOrder::NCHW,
                             VPU::DimsOrder::NCHWc, pads, padding.value)
      ->getResult(0);
}

Value nacre::buildUnblocked(OpBuilder &builder, Location loc, Value value,
                            int64_t channels) {
  auto type = cast<RankedTensorType>(value.getType());
  ArrayRef<int64_t> shape = type.getShape();
  Value init =
      buildEmpty(builder, loc, {shape[0], channels, shape[2], shape[3]},
                 type.getElementType());
  return VPU::CopyOp::create(builder, loc, value, init, VPU::DimsOrder::NCHWc,
                             VPU::DimsOrder::NCHW)
      ->getResult(0);
}

Value nacre::buildBlockedEmpty(OpBuilder &builder, Location loc,
                               RankedTensorType logical, int64_t blockSize) {
  ArrayRef<int64_t> shape = logical.getShape();
  return buildEmpty(builder, loc,
                    {shape[0], llvm::divideCeilSigned(shape[1], blockSize),
                     shape[2], shape[3], blockSize},
                    logical.getElementType());
}

Value nacre::buildImage(OpBuilder &builder, Location loc, Value value) {
  SmallVector<int64_t> shape(
      cast<RankedTensorType>(value.getType()).getShape());
  if (shape.size() == 3) {
    shape.insert(shape.begin() + 2, 1);
  }
  return buildReshape(builder, loc, value, shape);
}

std::optional<Window2D> Window2D::get(const IE::Window &window) {
  size_t rank = window.kernel.size();
  if (rank != 1 && rank != 2) {
    return std::nullopt;
  }
  Window2D result{{1, 1}, {1, 1}, {1, 1}, {1, 1}, {0, 0, 0, 0}};
  for (size_t i = 0; i < rank; ++i) {
    size_t to = 2 - rank + i;
    result.kernel[to] = window.kernel[i];
    result.strides[to] = window.strides[i];
    result.dilations[to] = window.dilations[i];
    result.output[to] = window.output[i];
    result.pads[to] = window.padsBegin[i];
    result.pads[to + 2] = window.padsEnd[i];
  }
  if (llvm::any_of(result.pads, [](int64_t pad) { return pad < 0; })) {
    return std::nullopt;
  }
  return result;
}

std::array<int64_t, 2> Window2D::getOverhang(ArrayRef<int64_t> image) const {
  std::array<int64_t, 2> overhang;
  for (size_t i : {0, 1}) {
    int64_t needed =
        (output[i] - 1) * strides[i] + (kernel[i] - 1) * dilations[i] + 1;
    overhang[i] =
        std::max<int64_t>(0, needed - (pads[i] + image[i] + pads[i + 2]));
  }
  return overhang;
}

Value nacre::getMatrixSource(Value value) {
  Type logical = value.getType();
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op)) {
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

ConstantFloats::ConstantFloats(Value value) {
  ElementsAttr attr = IE::getConstantElements(value);
  if (!attr || !attr.getElementType().isF32()) {
    return;
  }
  valid = true;
  if (auto resource = dyn_cast<DenseF32ResourceElementsAttr>(attr)) {
    std::optional<ArrayRef<float>> data = resource.tryGetAsArrayRef();
    valid = data.has_value();
    elements = data.value_or(ArrayRef<float>());
    return;
  }
  auto dense = dyn_cast<DenseElementsAttr>(attr);
  if (!dense) {
    valid = false;
    return;
  }
  if (dense.isSplat()) {
    storage.assign(dense.getNumElements(), dense.getSplatValue<float>());
  } else {
    llvm::append_range(storage, dense.getValues<float>());
  }
  elements = storage;
}

Value nacre::buildConstant(OpBuilder &builder, Location loc,
                           ArrayRef<int64_t> shape, ArrayRef<float> values) {
  auto type = RankedTensorType::get(shape, builder.getF32Type());
  // Small constants stay readable; large ones must not be hashed.
  static constexpr size_t maxInlineElements = 64;
  if (values.size() <= maxInlineElements) {
    return arith::ConstantOp::create(builder, loc,
                                     DenseElementsAttr::get(type, values));
  }
  // Aligned to a cache line, as kernels load it.
  AsmResourceBlob blob = HeapAsmResourceBlob::allocateAndCopyWithAlign(
      ArrayRef<char>(reinterpret_cast<const char *>(values.data()),
                     values.size() * sizeof(float)),
      /*align=*/64, /*dataIsMutable=*/false);
  return arith::ConstantOp::create(
      builder, loc,
      DenseResourceElementsAttr::get(type, "packed", std::move(blob)));
}

Value nacre::buildPackedBias(OpBuilder &builder, Location loc,
                             ArrayRef<float> values, int64_t width,
                             float scale) {
  int64_t blocks = llvm::divideCeilSigned(values.size(), width);
  std::vector<float> packed(blocks * width, 0.0f);
  for (auto [to, from] : llvm::zip(packed, values)) {
    to = from * scale;
  }
  return buildConstant(builder, loc, {blocks, width}, packed);
}
