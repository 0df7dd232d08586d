//===- QuantizedMath.cpp - Arithmetic on quantized tensors ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the expansions of ONNX Runtime's quantized operators share.
//
//===----------------------------------------------------------------------===//

#include "QuantizedMath.h"

#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/MatMul.h"
#include "nacre/Dialect/IE/IR/Quantization.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::onnx_import;

Value onnx_import::asScalarIfSingle(Expander &e, Value parameter) {
  RankedTensorType type = Expander::getType(parameter);
  bool isSingle = type && type.hasStaticShape() && type.getNumElements() == 1;
  return isSingle && type.getRank() > 0 ? e.reshape(parameter, {}) : parameter;
}

Value onnx_import::buildIntegerProduct(Expander &e, Value lhs, Value rhs,
                                       Value lhsZero, Value rhsZero) {
  return e.create<IE::MatMulIntegerOp>(
      {lhs, rhs, asScalarIfSingle(e, lhsZero), asScalarIfSingle(e, rhsZero)});
}

Value onnx_import::dequantize(Expander &e, Value value, Value scale,
                              Value zeroPoint) {
  SmallVector<Value> operands = {value, asScalarIfSingle(e, scale)};
  if (zeroPoint) {
    operands.push_back(asScalarIfSingle(e, zeroPoint));
  }
  return e.create<IE::DequantizeLinearOp>(operands);
}

Value onnx_import::quantize(Expander &e, Value value, Value scale,
                            Value zeroPoint, Type element) {
  Value zero =
      zeroPoint ? asScalarIfSingle(e, zeroPoint) : e.buildScalar(0, element);
  return e.create<IE::QuantizeLinearOp>(
      {value, asScalarIfSingle(e, scale), zero});
}

Value onnx_import::unpackBits(Expander &e, Value packed, int64_t bits) {
  if (!packed || bits == 8) {
    return packed;
  }
  Type byte = e.getInt(8, /*isUnsigned=*/true);
  int64_t rank = e.getRank(packed);
  Value mask = e.buildScalar(static_cast<double>((1 << bits) - 1), byte);
  SmallVector<Value> parts;
  for (int64_t shift = 0; shift < 8; shift += bits) {
    Value moved = e.create<IE::BitShiftOp>(
        {packed, e.buildScalar(static_cast<double>(shift), byte)},
        {e.attr("direction", StringRef("RIGHT"))});
    parts.push_back(
        e.unsqueeze(e.create<IE::BitwiseAndOp>({moved, mask}), rank));
  }
  SmallVector<int64_t> shape(rank, 0);
  shape.back() = e.getStaticDim(packed, rank - 1, "packed weights") * 8 / bits;
  return e.reshape(e.concat(parts, rank), shape);
}
