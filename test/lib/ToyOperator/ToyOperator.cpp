//===- ToyOperator.cpp - Operators from outside ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All that a plugin with operators of its own consists of, besides their
// definitions: what they compute, twice, and who they are.
//
//===----------------------------------------------------------------------===//

#include "nacre/Conversion/IEToLinalg/DialectLowering.h"
#include "nacre/Dialect/IE/IR/OperatorDialect.h"
#include "nacre/Dialect/IE/IR/Precision.h"
#include "nacre/Interpreter/InterpretableOpInterface.h"
#include "nacre/Interpreter/Tensor.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Transforms/DialectConversion.h"

#include <cmath>

#include "ToyOpsDialect.h.inc"

#define GET_OP_CLASSES
#include "ToyOps.h.inc"

using namespace mlir;
using nacre::interpreter::Tensor;

#include "ToyOpsDialect.cpp.inc"

#define GET_OP_CLASSES
#include "ToyOps.cpp.inc"

//===----------------------------------------------------------------------===//
// What the operators mean
//===----------------------------------------------------------------------===//

LogicalResult toy::MixOp::verify() {
  for (Value operand : getOperands()) {
    if (failed(verifyCompatibleShape(operand.getType(), getA().getType()))) {
      return emitOpError("expected operands of one shape, found ")
             << getA().getType() << " and " << operand.getType();
    }
  }
  return success();
}

LogicalResult toy::BumpOp::interpret(ArrayRef<Tensor> operands,
                                     MutableArrayRef<Tensor> results) {
  double height = getHeight().convertToFloat();
  nacre::interpreter::dispatch(operands[0].getElementType(), [&](auto kind) {
    using T = decltype(kind);
    for (auto [x, y] : llvm::zip_equal(operands[0].values<T>(),
                                       results[0].mutableValues<T>())) {
      double wide = static_cast<double>(x);
      y = static_cast<T>(height * std::exp(-wide * wide));
    }
  });
  return success();
}

LogicalResult toy::MixOp::interpret(ArrayRef<Tensor> operands,
                                    MutableArrayRef<Tensor> results) {
  nacre::interpreter::dispatch(operands[0].getElementType(), [&](auto kind) {
    using T = decltype(kind);
    MutableArrayRef<T> sums = results[0].mutableValues<T>();
    auto add = [&](double factor, ArrayRef<T> values) {
      for (auto [sum, value] : llvm::zip_equal(sums, values)) {
        sum = static_cast<T>(static_cast<double>(sum) +
                             factor * static_cast<double>(value));
      }
    };
    add(1, operands[0].values<T>());
    if (getB()) {
      add(2, operands[1].values<T>());
    }
    if (getC()) {
      add(3, operands.back().values<T>());
    }
  });
  return success();
}

//===----------------------------------------------------------------------===//
// The kernels
//===----------------------------------------------------------------------===//

using ScalarBuilder =
    llvm::function_ref<Value(OpBuilder &, Location, ValueRange elements)>;

/// Replaces an op by a loop over its operands' elements, whatever their number.
static void replaceByLoop(Operation *op, ValueRange operands,
                          ConversionPatternRewriter &rewriter,
                          ScalarBuilder body) {
  Location loc = op->getLoc();
  auto type = cast<RankedTensorType>(operands.front().getType());
  Value result = tensor::EmptyOp::create(
      rewriter, loc, tensor::getMixedSizes(rewriter, loc, operands.front()),
      type.getElementType());
  SmallVector<AffineMap> maps(operands.size() + 1,
                              rewriter.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> loops(type.getRank(),
                                         utils::IteratorType::parallel);
  result =
      linalg::GenericOp::create(
          rewriter, loc, result.getType(), operands, result, maps, loops,
          [&](OpBuilder &builder, Location loc, ValueRange elements) {
            linalg::YieldOp::create(builder, loc, body(builder, loc, elements));
          })
          .getResult(0);
  // A model may say more of the result's sizes.
  rewriter.replaceOpWithNewOp<tensor::CastOp>(op, op->getResult(0).getType(),
                                              result);
}

static Value buildConstant(OpBuilder &builder, Location loc, Type type,
                           double value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getFloatAttr(type, value));
}

namespace {

struct BumpToLinalg final : OpConversionPattern<toy::BumpOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(toy::BumpOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    replaceByLoop(
        op, adaptor.getInput(), rewriter,
        [&](OpBuilder &builder, Location loc, ValueRange elements) -> Value {
          Value x = elements[0];
          Value square = arith::MulFOp::create(builder, loc, x, x);
          Value bell = math::ExpOp::create(
              builder, loc, arith::NegFOp::create(builder, loc, square));
          Value height = buildConstant(builder, loc, x.getType(),
                                       op.getHeight().convertToFloat());
          return arith::MulFOp::create(builder, loc, height, bell);
        });
    return success();
  }
};

struct MixToLinalg final : OpConversionPattern<toy::MixOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(toy::MixOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<double> factors = {1};
    if (op.getB()) {
      factors.push_back(2);
    }
    if (op.getC()) {
      factors.push_back(3);
    }
    replaceByLoop(op, adaptor.getOperands(), rewriter,
                  [&](OpBuilder &builder, Location loc, ValueRange elements) {
                    Value sum = elements[0];
                    for (size_t i = 1; i < factors.size(); ++i) {
                      Value factor = buildConstant(builder, loc, sum.getType(),
                                                   factors[i]);
                      Value term = arith::MulFOp::create(builder, loc, factor,
                                                         elements[i]);
                      sum = arith::AddFOp::create(builder, loc, sum, term);
                    }
                    return sum;
                  });
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Who the operators are
//===----------------------------------------------------------------------===//

struct ToyOperators final : nacre::IE::OperatorDialectInterface {
  using OperatorDialectInterface::OperatorDialectInterface;

  StringRef getDomain() const override { return "com.example.toy"; }
  int64_t getVersion() const override { return 1; }
};

struct ToyLowering final : nacre::IEToLinalgDialectInterface {
  using IEToLinalgDialectInterface::IEToLinalgDialectInterface;

  void populateToLinalgPatterns(const TypeConverter &converter,
                                RewritePatternSet &patterns) const override {
    patterns.add<BumpToLinalg, MixToLinalg>(converter, patterns.getContext());
  }
};

} // namespace

void toy::ToyDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "ToyOps.cpp.inc"
      >();
  addInterfaces<ToyOperators, ToyLowering>();
}

extern "C" LLVM_ATTRIBUTE_WEAK DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "ToyOperator", "1",
          [](DialectRegistry *registry) {
            nacre::IE::registerOperatorDialect<toy::ToyDialect>(*registry);
          }};
}
