//===- RuntimeValues.cpp - Tensors as values of the runtime ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops of the Runtime dialect from the patterns of several families.
//
//===----------------------------------------------------------------------===//

#include "RuntimeValues.h"

#include "Indices.h"

#include "nacre/Dialect/Runtime/Utils/TensorValues.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;
using namespace nacre;

static Value buildInt(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getI64IntegerAttr(value));
}

Value RuntimeBuilder::buildPosition(Value tensor) {
  Value scalar = extractScalar(rewriter, loc, tensor);
  Type i64 = rewriter.getI64Type();
  return scalar.getType() == i64
             ? scalar
             : Value(arith::ExtSIOp::create(rewriter, loc, i64, scalar));
}

RankedTensorType RuntimeBuilder::convert(Type type) {
  IEToLinalgTypeConverter converter(module);
  return dyn_cast_if_present<RankedTensorType>(converter.convertType(type));
}

Value RuntimeBuilder::toHandle(Value converted, Type element) {
  return rt::buildValue(rewriter, loc, converted, element);
}

Value RuntimeBuilder::toTensor(Value handle, Type type) {
  RankedTensorType converted = convert(type);
  if (!converted) {
    return {};
  }
  rt::CheckTensorOp::create(rewriter, loc, handle, getElementTypeOrSelf(type),
                            converted.getRank(), "an element");
  Sizes sizes;
  for (int64_t i = 0; i < converted.getRank(); ++i) {
    Value size = create<rt::TensorDimOp>(handle, i);
    sizes.push_back(size);
    if (converted.isDynamicDim(i)) {
      continue;
    }
    sizes.back() = rewriter.getIndexAttr(converted.getDimSize(i));
    Value expected = buildIndex(rewriter, loc, converted.getDimSize(i));
    Value fits = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq,
                                       size, expected);
    cf::AssertOp::create(
        rewriter, loc, fits,
        ("unexpected size of dimension " + Twine(i) + " of an element").str());
  }
  return toTensor(handle, type, sizes);
}

Value RuntimeBuilder::toTensor(Value handle, Type type,
                               ArrayRef<OpFoldResult> sizes) {
  return rt::buildTensor(rewriter, loc, handle, convert(type),
                         getValueOrCreateConstantIndexOp(rewriter, loc, sizes));
}

SmallVector<Value> RuntimeBuilder::toTensors(Value sequence, TypeRange types) {
  SmallVector<Value> tensors;
  for (auto [i, type] : llvm::enumerate(types)) {
    Value position = buildInt(rewriter, loc, static_cast<int64_t>(i));
    Value part = create<rt::SequenceAtOp>(sequence, position);
    tensors.push_back(toTensor(part, type));
  }
  return tensors;
}
