//===- MultiplyAccumulate.cpp - Products and sums of vectors --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One step of a contraction for every element type: a fused multiply-add of
// floats, the machine's instruction for operands of several elements per lane,
// or what does the same in plain arithmetic.
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"

#include "nacre/Dialect/VPU/IR/DotIntrinsic.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace nacre;

Type KernelBuilder::getSumType(Type elementType) {
  return isa<FloatType>(elementType) ? machine.floats : builder.getI32Type();
}

Value KernelBuilder::zeroSums(Type elementType) {
  return splat(0, fullLanes(), getSumType(elementType));
}

/// `value`, a scalar or a vector, in the type that its products are summed in.
static Value widen(KernelBuilder &kernel, Value value, bool isUnsigned) {
  Type element = getElementTypeOrSelf(value.getType());
  Type sum = kernel.getSumType(element);
  if (element == sum) {
    return value;
  }
  Type type = sum;
  if (auto vector = dyn_cast<VectorType>(value.getType())) {
    type = vector.clone(sum);
  }
  if (isa<FloatType>(element)) {
    return arith::ExtFOp::create(kernel.builder, kernel.loc, type, value);
  }
  if (isUnsigned) {
    return arith::ExtUIOp::create(kernel.builder, kernel.loc, type, value);
  }
  return arith::ExtSIOp::create(kernel.builder, kernel.loc, type, value);
}

Value KernelBuilder::loadLeft(Value memref, ValueRange indices, int64_t pack) {
  Type element = getElementType(memref);
  if (pack == 1) {
    Value scalar = memref::LoadOp::create(builder, loc, memref, indices);
    scalar = widen(*this, scalar, /*isUnsigned=*/true);
    return vector::BroadcastOp::create(
        builder, loc, getVectorType(fullLanes(), scalar.getType()), scalar);
  }
  // The elements of one lane are one word.
  Type word = builder.getIntegerType(pack * element.getIntOrFloatBitWidth());
  Value elements = vector::LoadOp::create(
      builder, loc, VectorType::get({pack}, element), memref, indices);
  Value bits = vector::BitCastOp::create(builder, loc,
                                         VectorType::get({1}, word), elements);
  Value scalar =
      vector::ExtractOp::create(builder, loc, bits, ArrayRef<int64_t>{0});
  Value words = vector::BroadcastOp::create(
      builder, loc, getVectorType(fullLanes(), word), scalar);
  return vector::BitCastOp::create(
      builder, loc, VectorType::get({machine.lanes * pack}, element), words);
}

Value KernelBuilder::loadRight(Value memref, ValueRange indices, int64_t pack,
                               Lanes lanes) {
  SmallVector<Value> at(indices);
  at.back() = mul(at.back(), pack);
  assert((pack == 1 || !lanes.count) && "packs are of known size");
  Value elements = load(
      memref, at, Lanes{lanes.width * pack, lanes.valid * pack, lanes.count});
  return pack == 1 ? widen(*this, elements, /*isUnsigned=*/false) : elements;
}

Value KernelBuilder::multiplyAdd(Value left, Value right, Value sums,
                                 bool usesLeftOnce) {
  auto type = cast<VectorType>(left.getType());
  auto sumType = cast<VectorType>(sums.getType());
  if (type != sumType) {
    int64_t lanes = sumType.getNumElements();
    int64_t pack = type.getNumElements() / lanes;
    // Pixels may have been extended before.
    Type element = getElementTypeOrSelf(right.getType());
    StringAttr name =
        builder.getStringAttr(VPU::getDotIntrinsic(element, lanes, pack));
    if (VPU::isFused(element, pack)) {
      // LLVM folds no load but that of the last operand. Which of them that is
      // matters to bytes alone, of which one has a sign.
      if (usesLeftOnce && isa<FloatType>(element)) {
        std::swap(left, right);
      }
      return LLVM::CallIntrinsicOp::create(builder, loc, sumType, name,
                                           ValueRange{sums, left, right})
          .getResult(0);
    }
    VectorType words = type.clone(builder.getI16Type());
    if (type != words) {
      left = arith::ExtUIOp::create(builder, loc, words, left);
    }
    right = arith::ExtSIOp::create(builder, loc, words, right);
    Value products = LLVM::CallIntrinsicOp::create(builder, loc, sumType, name,
                                                   ValueRange{left, right})
                         .getResult(0);
    return arith::AddIOp::create(builder, loc, sums, products);
  }
  if (isa<FloatType>(type.getElementType())) {
    return vector::FMAOp::create(builder, loc, left, right, sums);
  }
  Value product = arith::MulIOp::create(builder, loc, left, right);
  return arith::AddIOp::create(builder, loc, sums, product);
}

Value KernelBuilder::scaleSums(Value sums, Value scale, Value bias) {
  auto type = cast<VectorType>(sums.getType());
  if (!isa<FloatType>(type.getElementType())) {
    sums =
        arith::SIToFPOp::create(builder, loc, type.clone(machine.floats), sums);
  }
  if (scale) {
    sums = arith::MulFOp::create(builder, loc, sums, scale);
  }
  return bias ? addVectors(sums, bias) : sums;
}
