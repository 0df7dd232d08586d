//===- Tiling.cpp - What all VPU ops share of upstream's interfaces -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Effects, shape reification and tiling of destination-style ops whose
// iteration domain is their destination.
//
//===----------------------------------------------------------------------===//

#include "nacre/Analysis/SizeOrigin.h"
#include "nacre/Dialect/Nacre/IR/NacreDialect.h"
#include "nacre/Dialect/VPU/IR/TypicalSizes.h"
#include "nacre/Dialect/VPU/IR/VPUOps.h"
#include "nacre/Support/TensorTypes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace nacre;

/// True for memory that an op computes in on the way.
static bool isScratch(Operation *op, Value operand) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](VPU::NCEWinogradConvolutionOp winograd) {
        return operand == winograd.getInputPlanes() ||
               operand == winograd.getOutputPlanes();
      })
      .Case([&](VPU::NCEMatMulNBitsOp product) {
        return operand == product.getScratch();
      })
      .Default(false);
}

void VPU::detail::getDestinationStyleEffects(
    Operation *op, SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  auto destinationOp = cast<DestinationStyleOpInterface>(op);
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType())) {
      continue;
    }
    if (isScratch(op, operand.get())) {
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

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

SmallVector<int64_t> VPU::getTypicalShape(ArrayRef<int64_t> shape) {
  return llvm::map_to_vector(shape, [](int64_t size) {
    return ShapedType::isDynamic(size) ? kTypicalSize : size;
  });
}

int64_t VPU::getTypicalNumElements(ShapedType type) {
  return ShapedType::getNumElements(getTypicalShape(type.getShape()));
}

/// What a loop over tiles of `value`, which it carries, starts from; null for
/// other values. A loop of the model may carry another size in each iteration.
static Value getLoopInit(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  Operation *parent =
      argument ? argument.getOwner()->getParentOp() : value.getDefiningOp();
  auto loop = dyn_cast_if_present<LoopLikeOpInterface>(parent);
  if (!loop || abi::has<abi::HasSteps>(loop) ||
      !isa<scf::ForOp, scf::ForallOp>(parent)) {
    return {};
  }
  OpOperand *init = argument ? loop.getTiedLoopInit(argument)
                             : loop.getTiedLoopInit(cast<OpResult>(value));
  return init ? init->get() : Value();
}

Value VPU::getShapeSource(Value value) {
  if (Value init = getLoopInit(value)) {
    return init;
  }
  auto result = dyn_cast<OpResult>(value);
  return result ? getDestination(result) : Value();
}

OpFoldResult VPU::getTracedSize(OpBuilder &builder, Location loc, Value value,
                                int64_t dim) {
  auto type = cast<ShapedType>(value.getType());
  if (!type.isDynamicDim(dim)) {
    return builder.getIndexAttr(type.getDimSize(dim));
  }
  if (isa<MemRefType>(type)) {
    return memref::getMixedSize(builder, loc, value, dim);
  }
  if (Value init = getLoopInit(value)) {
    return getTracedSize(builder, loc, init, dim);
  }
  SizeOrigin origin = getSizeOrigin(builder, value, dim);
  if (origin.number) {
    return origin.number;
  }
  // The size of one factor alone is a value that there is already. A product
  // would be another one each time: the tensor is asked itself.
  if (origin.factors.size() > 1) {
    llvm::erase_if(origin.factors, [](const TensorDim &factor) {
      return getTensorType(factor.tensor).getDimSize(factor.dim) == 1;
    });
  }
  if (origin.factors.size() == 1) {
    auto [other, position] = origin.factors.front();
    return getTracedSize(builder, loc, other, position);
  }
  return tensor::getMixedSize(builder, loc, value, dim);
}

SmallVector<OpFoldResult> VPU::getTracedSizes(OpBuilder &builder, Location loc,
                                              Value value) {
  SmallVector<OpFoldResult> sizes;
  for (int64_t i = 0, e = cast<ShapedType>(value.getType()).getRank(); i < e;
       ++i) {
    sizes.push_back(getTracedSize(builder, loc, value, i));
  }
  return sizes;
}

/// True when two traced sizes are one value, or two questions for one
/// dimension.
static bool isSameValueOrDim(OpFoldResult a, OpFoldResult b) {
  if (isEqualConstantIntOrValue(a, b)) {
    return true;
  }
  auto left = dyn_cast<Value>(a), right = dyn_cast<Value>(b);
  auto lhs = left ? left.getDefiningOp<tensor::DimOp>() : tensor::DimOp();
  auto rhs = right ? right.getDefiningOp<tensor::DimOp>() : tensor::DimOp();
  return lhs && rhs && lhs.getSource() == rhs.getSource() &&
         lhs.getConstantIndex() &&
         lhs.getConstantIndex() == rhs.getConstantIndex();
}

bool VPU::isWholeBox(ArrayRef<OpFoldResult> offsets,
                     ArrayRef<OpFoldResult> boxSizes,
                     ArrayRef<OpFoldResult> sizes) {
  return llvm::all_of(
      llvm::zip_equal(offsets, boxSizes, sizes), [](const auto &part) {
        auto [offset, boxSize, size] = part;
        return isConstantIntValue(offset, 0) && isSameValueOrDim(boxSize, size);
      });
}

//===----------------------------------------------------------------------===//
// Interfaces
//===----------------------------------------------------------------------===//

LogicalResult
VPU::detail::reifyDestinationShape(Operation *op, OpBuilder &builder,
                                   ReifiedRankedShapedTypeDims &shapes) {
  Value init =
      cast<DestinationStyleOpInterface>(op).getDpsInitOperand(0)->get();
  shapes.push_back(getTracedSizes(builder, op->getLoc(), init));
  return success();
}

SmallVector<Range> VPU::detail::getDestinationDomain(Operation *op,
                                                     OpBuilder &builder) {
  Value init =
      cast<DestinationStyleOpInterface>(op).getDpsInitOperand(0)->get();
  SmallVector<Range> domain;
  for (OpFoldResult size : getTracedSizes(builder, op->getLoc(), init)) {
    domain.push_back({builder.getIndexAttr(0), size, builder.getIndexAttr(1)});
  }
  return domain;
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
    if (!type || isWholeBox(operandOffsets, operandSizes,
                            getTracedSizes(builder, loc, operand))) {
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
