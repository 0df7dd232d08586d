//===- Tiling.cpp - What all VPU ops share of upstream's interfaces -------===//
//
// Effects, shape reification and tiling of destination-style ops whose
// iteration domain is their destination.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/VPU/IR/VPUOps.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace nacre;
using VPU::NCEWinogradConvolutionOp;

void VPU::detail::getDestinationStyleEffects(
    Operation *op, SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  auto destinationOp = cast<DestinationStyleOpInterface>(op);
  auto winograd = dyn_cast<NCEWinogradConvolutionOp>(op);
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType())) {
      continue;
    }
    if (winograd && (operand.get() == winograd.getInputPlanes() ||
                     operand.get() == winograd.getOutputPlanes())) {
      // Written before it is read: nothing else may use it meanwhile.
      effects.emplace_back(MemoryEffects::Write::get(), &operand, /*stage=*/0,
                           /*effectOnFullRegion=*/true,
                           SideEffects::DefaultResource::get());
      continue;
    }
    // The old value of a destination never matters: it is not read.
    if (destinationOp.isDpsInit(&operand)) {
      effects.emplace_back(MemoryEffects::Write::get(), &operand, /*stage=*/0,
                           /*effectOnFullRegion=*/true,
                           SideEffects::DefaultResource::get());
    } else {
      effects.emplace_back(MemoryEffects::Read::get(), &operand, /*stage=*/0,
                           /*effectOnFullRegion=*/true,
                           SideEffects::DefaultResource::get());
    }
  }
}

static SmallVector<OpFoldResult> getSizes(OpBuilder &builder, Location loc,
                                          Value value) {
  if (isa<MemRefType>(value.getType())) {
    return memref::getMixedSizes(builder, loc, value);
  }
  return tensor::getMixedSizes(builder, loc, value);
}

LogicalResult
VPU::detail::reifyDestinationShape(Operation *op, OpBuilder &builder,
                                   ReifiedRankedShapedTypeDims &shapes) {
  Value init =
      cast<DestinationStyleOpInterface>(op).getDpsInitOperand(0)->get();
  shapes.push_back(getSizes(builder, op->getLoc(), init));
  return success();
}

SmallVector<Range> VPU::detail::getDestinationDomain(Operation *op,
                                                     OpBuilder &builder) {
  Value init =
      cast<DestinationStyleOpInterface>(op).getDpsInitOperand(0)->get();
  SmallVector<Range> domain;
  for (OpFoldResult size : getSizes(builder, op->getLoc(), init)) {
    domain.push_back({builder.getIndexAttr(0), size, builder.getIndexAttr(1)});
  }
  return domain;
}

/// True when the box is the whole of a value of `type`.
static bool isWhole(ShapedType type, ArrayRef<OpFoldResult> offsets,
                    ArrayRef<OpFoldResult> sizes) {
  for (auto [dim, offset, size] :
       llvm::zip_equal(type.getShape(), offsets, sizes)) {
    if (!isConstantIntValue(offset, 0) || getConstantIntValue(size) != dim) {
      return false;
    }
  }
  return true;
}

static Operation *buildSlice(OpBuilder &builder, Location loc, Value value,
                             ArrayRef<OpFoldResult> offsets,
                             ArrayRef<OpFoldResult> sizes) {
  SmallVector<OpFoldResult> strides(offsets.size(), builder.getIndexAttr(1));
  if (isa<MemRefType>(value.getType())) {
    return memref::SubViewOp::create(builder, loc, value, offsets, sizes,
                                     strides);
  }
  return tensor::ExtractSliceOp::create(builder, loc, value, offsets, sizes,
                                        strides);
}

FailureOr<TilingResult> VPU::detail::tile(Operation *op, OpBuilder &builder,
                                          ArrayRef<OpFoldResult> offsets,
                                          ArrayRef<OpFoldResult> sizes) {
  auto tiledOp = cast<TiledOpInterface>(op);
  auto destinationOp = cast<DestinationStyleOpInterface>(op);
  Location loc = op->getLoc();

  // Find every box before building anything: a failure leaves no trace.
  SmallVector<SmallVector<OpFoldResult>> boxOffsets, boxSizes;
  for (OpOperand &operand : op->getOpOperands()) {
    SmallVector<OpFoldResult> &operandOffsets = boxOffsets.emplace_back();
    SmallVector<OpFoldResult> &operandSizes = boxSizes.emplace_back();
    if (destinationOp.isDpsInit(&operand)) {
      operandOffsets.assign(offsets.begin(), offsets.end());
      operandSizes.assign(sizes.begin(), sizes.end());
    } else if (isa<ShapedType>(operand.get().getType()) &&
               failed(tiledOp.getOperandTile(builder, operand, offsets, sizes,
                                             operandOffsets, operandSizes))) {
      return op->emitOpError("cannot compute this tile from static boxes of "
                             "operand #")
             << operand.getOperandNumber();
    }
  }

  TilingResult result;
  SmallVector<Value> operands;
  for (auto [operand, operandOffsets, operandSizes] :
       llvm::zip_equal(op->getOperands(), boxOffsets, boxSizes)) {
    auto type = dyn_cast<ShapedType>(operand.getType());
    if (!type || isWhole(type, operandOffsets, operandSizes)) {
      operands.push_back(operand);
      continue;
    }
    // A fused producer writes a tile of its own, not a part of a tensor that
    // no loop passes on.
    if (auto empty = operand.getDefiningOp<tensor::EmptyOp>()) {
      operands.push_back(tensor::EmptyOp::create(
          builder, loc, operandSizes, type.getElementType(),
          empty.getType().getEncoding()));
      continue;
    }
    Operation *slice =
        buildSlice(builder, loc, operand, operandOffsets, operandSizes);
    result.generatedSlices.push_back(slice);
    operands.push_back(slice->getResult(0));
  }
  Value init = operands[destinationOp.getDpsInitOperand(0)->getOperandNumber()];
  SmallVector<Type> resultTypes;
  if (isa<RankedTensorType>(init.getType())) {
    resultTypes.push_back(init.getType());
  }
  Operation *tiled = clone(builder, op, resultTypes, operands);
  if (failed(tiledOp.adaptTile(builder, tiled, offsets, sizes))) {
    return failure();
  }
  result.tiledOps.push_back(tiled);
  result.tiledValues.append(tiled->result_begin(), tiled->result_end());
  return result;
}
