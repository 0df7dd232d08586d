//===- RuntimeToFunc.cpp - The convert-rt-to-func pass --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one place that knows what the runtime's functions on values are called:
// as the ops, with nacre_ in front, and _in_place behind those that change an
// operand.
//
//===----------------------------------------------------------------------===//

#include "nacre/Conversion/Passes.h"
#include "nacre/Conversion/RuntimeCalls.h"
#include "nacre/Dialect/Runtime/IR/Runtime.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Transforms/DialectConversion.h"

namespace nacre {
#define GEN_PASS_DEF_CONVERTRUNTIMETOFUNC
#include "nacre/Conversion/Passes.h.inc"
} // namespace nacre

using namespace mlir;
using namespace nacre;

static std::string getFunctionName(Operation *op) {
  auto update = dyn_cast<rt::InPlaceOpInterface>(op);
  StringRef suffix = update && update.getInPlace() ? "_in_place" : "";
  return ("nacre_" + op->getName().stripDialect() + suffix).str();
}

namespace {

/// Values are pointers.
class ValueConverter final : public TypeConverter {
public:
  ValueConverter() {
    addConversion([](Type type) { return type; });
    addConversion([](rt::ValueType type) -> Type {
      return LLVM::LLVMPointerType::get(type.getContext());
    });
  }
};

struct CallFunction final
    : OpInterfaceConversionPattern<rt::RuntimeFunctionOpInterface> {
  CallFunction(const TypeConverter &converter, MLIRContext *context,
               RuntimeCalls &calls)
      : OpInterfaceConversionPattern(converter, context), calls(calls) {}

  LogicalResult
  matchAndRewrite(rt::RuntimeFunctionOpInterface op, ArrayRef<Value> operands,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> arguments;
    for (OpFoldResult argument : op.getCallArguments()) {
      if (auto constant = dyn_cast<Attribute>(argument)) {
        arguments.push_back(buildConstant(rewriter, op.getLoc(), constant));
        continue;
      }
      arguments.push_back(operands.front());
      operands = operands.drop_front();
    }
    SmallVector<Type> results;
    if (failed(
            getTypeConverter()->convertTypes(op->getResultTypes(), results))) {
      return rewriter.notifyMatchFailure(op, "has a result of another type");
    }
    rewriter.replaceOp(op, calls.call(rewriter, op.getLoc(),
                                      getFunctionName(op), arguments, results));
    return success();
  }

private:
  /// A constant argument: a number, the number of an element type, or the
  /// address of a text.
  Value buildConstant(OpBuilder &builder, Location loc,
                      Attribute constant) const {
    if (auto text = dyn_cast<StringAttr>(constant)) {
      return calls.buildText(builder, loc, text);
    }
    if (auto type = dyn_cast<TypeAttr>(constant)) {
      constant = builder.getI64IntegerAttr(rt::getTypeNumber(type.getValue()));
    }
    return arith::ConstantOp::create(builder, loc, cast<IntegerAttr>(constant));
  }

  RuntimeCalls &calls;
};

struct ConvertSelect final : OpConversionPattern<arith::SelectOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(arith::SelectOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, adaptor.getCondition(),
                                                 adaptor.getTrueValue(),
                                                 adaptor.getFalseValue());
    return success();
  }
};

struct ConvertRuntimeToFuncPass final
    : nacre::impl::ConvertRuntimeToFuncBase<ConvertRuntimeToFuncPass> {
  void runOnOperation() override {
    MLIRContext &context = getContext();
    ModuleOp module = getOperation();
    ValueConverter converter;
    ConversionTarget target(context);
    target.addIllegalDialect<rt::RuntimeDialect>();
    // Other ops only pass values on.
    target.markUnknownOpDynamicallyLegal(
        [&](Operation *op) { return converter.isLegal(op); });
    target.addDynamicallyLegalOp<func::FuncOp>([&](func::FuncOp op) {
      return converter.isSignatureLegal(op.getFunctionType());
    });
    if (isLegal(target)) {
      return;
    }
    RuntimeCalls calls(module);
    RewritePatternSet patterns(&context);
    patterns.add<CallFunction>(converter, &context, calls);
    patterns.add<ConvertSelect>(converter, &context);
    populateFunctionOpInterfaceTypeConversionPattern<func::FuncOp>(patterns,
                                                                   converter);
    populateReturnOpTypeConversionPattern(patterns, converter);
    populateCallOpTypeConversionPattern(patterns, converter);
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                         target);
    if (failed(applyPartialConversion(module, target, std::move(patterns)))) {
      signalPassFailure();
    }
  }

private:
  /// True for a module without values, as that of most models.
  bool isLegal(const ConversionTarget &target) {
    return !getOperation()
                .walk([&](Operation *op) {
                  return target.isLegal(op) ? WalkResult::advance()
                                            : WalkResult::interrupt();
                })
                .wasInterrupted();
  }
};

} // namespace
