//===- RuntimeValues.cpp - Tensors as values of the runtime ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of the runtime from the patterns of several families.
//
//===----------------------------------------------------------------------===//

#include "RuntimeValues.h"

#include "Indices.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace nacre;

RuntimeBuilder::RuntimeBuilder(ConversionPatternRewriter &rewriter,
                               Operation *op)
    : rewriter(rewriter), loc(op->getLoc()),
      module(op->getParentOfType<ModuleOp>()), calls(module) {}

Value RuntimeBuilder::call(StringRef name, ValueRange arguments) {
  return calls
      .call(rewriter, loc, name, arguments,
            LLVM::LLVMPointerType::get(rewriter.getContext()))
      .front();
}

Value RuntimeBuilder::callForInt(StringRef name, ValueRange arguments) {
  return calls.call(rewriter, loc, name, arguments, rewriter.getI64Type())
      .front();
}

Value RuntimeBuilder::buildInt(int64_t value) {
  return arith::ConstantOp::create(rewriter, loc,
                                   rewriter.getI64IntegerAttr(value));
}

Value RuntimeBuilder::buildPosition(Value tensor) {
  Value scalar = extractScalar(rewriter, loc, tensor);
  Type i64 = rewriter.getI64Type();
  return scalar.getType() == i64
             ? scalar
             : Value(arith::ExtSIOp::create(rewriter, loc, i64, scalar));
}

Value RuntimeBuilder::buildText(StringRef text) {
  return calls.buildText(rewriter, loc, text);
}

RankedTensorType RuntimeBuilder::convert(Type type) {
  IEToLinalgTypeConverter converter(module);
  return dyn_cast_if_present<RankedTensorType>(converter.convertType(type));
}

Value RuntimeBuilder::toHandle(Value converted, Type element) {
  return calls.buildHandle(rewriter, loc, converted, element);
}

Value RuntimeBuilder::toTensor(Value handle, Type type) {
  RankedTensorType converted = convert(type);
  if (!converted) {
    return {};
  }
  calls.checkTensor(rewriter, loc, handle, getElementTypeOrSelf(type),
                    converted.getRank(), "an element");
  Sizes sizes;
  for (int64_t i = 0; i < converted.getRank(); ++i) {
    Value size = calls.getDim(rewriter, loc, handle, i);
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
  return calls.buildTensor(
      rewriter, loc, handle, convert(type),
      getValueOrCreateConstantIndexOp(rewriter, loc, sizes));
}

SmallVector<Value> RuntimeBuilder::toTensors(Value sequence, TypeRange types) {
  SmallVector<Value> tensors;
  for (auto [i, type] : llvm::enumerate(types)) {
    Value part = call("nacre_sequence_at",
                      {sequence, buildInt(static_cast<int64_t>(i))});
    tensors.push_back(toTensor(part, type));
  }
  return tensors;
}
