//===- LayerNormalizationUtils.cpp - The formula of an op -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/Utils/LayerNormalizationUtils.h"

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/Precision.h"
#include "nacre/Dialect/IE/IR/Reduction.h"
#include "nacre/Dialect/IE/Utils/Builders.h"
#include "nacre/Dialect/IE/Utils/ReductionUtils.h"
#include "nacre/Dialect/IE/Utils/ValueNames.h"
#include "nacre/Dialect/Nacre/IR/NacreDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace nacre;

namespace {

class FormulaBuilder {
public:
  FormulaBuilder(OpBuilder &builder, Location loc)
      : builder(builder), loc(loc) {}

  Value mean(Value value, RankedTensorType type, ArrayRef<int64_t> axes) {
    Value list = IE::buildInts(builder, loc, axes);
    return IE::ReduceMeanOp::create(builder, loc, TypeRange(type), value, list,
                                    builder.getI64IntegerAttr(1),
                                    builder.getI64IntegerAttr(0))
        ->getResult(0);
  }

  Value number(double value, Type element) {
    return IE::buildScalar(builder, loc, element, value);
  }

  Value cast(Value value, Type element) {
    auto type = llvm::cast<RankedTensorType>(value.getType());
    if (type.getElementType() == element) {
      return value;
    }
    auto cast = IE::CastOp::create(builder, loc, TypeRange(type.clone(element)),
                                   value, TypeAttr::get(element));
    // The formula computes in f32 what the model has in a narrower type.
    if (type.getElementType().isF32() && IE::isFloatOf16Bits(element)) {
      abi::mark<abi::Implicit>(cast);
    }
    return cast->getResult(0);
  }

  /// `value` as the result that it stands for.
  Value finish(Value value, Value result) {
    if (value.getType() != result.getType()) {
      value = IE::IdentityOp::create(builder, loc, TypeRange(result.getType()),
                                     value)
                  ->getResult(0);
    }
    IE::setValueName(value, IE::getValueName(result));
    return value;
  }

private:
  OpBuilder &builder;
  Location loc;
};

} // namespace

SmallVector<Value> IE::writeOutLayerNormalization(OpBuilder &builder,
                                                  IE::LayerNormalizationOp op,
                                                  bool all) {
  Location loc = op.getLoc();
  FormulaBuilder build(builder, loc);
  auto input = cast<RankedTensorType>(op.getInput().getType());
  SmallVector<int64_t> axes =
      llvm::to_vector(llvm::seq<int64_t>(op.getFirstDim(), input.getRank()));
  Type element = getElementTypeOrSelf(op.getMean().getType());
  auto statistics = input.clone(
      IE::reduceShape(input.getShape(), axes, /*keepDims=*/true), element);
  Value mean = op.getMean(), inverse = op.getInvStdDev();
  Value value = build.cast(op.getInput(), element);
  Value average = build.mean(value, statistics, axes);
  Value centred = IE::SubOp::create(builder, loc, value, average);
  Value square = IE::MulOp::create(builder, loc, centred, centred);
  Value variance = IE::AddOp::create(
      builder, loc, build.mean(square, statistics, axes),
      build.number(op.getEpsilon().convertToDouble(), element));
  Value deviation = IE::SqrtOp::create(builder, loc, variance);
  Value reciprocal;
  if (all || !inverse.use_empty()) {
    reciprocal = build.finish(IE::ReciprocalOp::create(builder, loc, deviation),
                              inverse);
  }
  Value output = IE::DivOp::create(builder, loc, centred, deviation);
  output = build.cast(output, input.getElementType());
  output = IE::MulOp::create(builder, loc, output, op.getScale());
  if (op.getBias()) {
    output = IE::AddOp::create(builder, loc, output, op.getBias());
  }
  bool givesMean = all || !mean.use_empty();
  return {build.finish(output, op.getOutput()),
          givesMean ? build.finish(average, mean) : Value(), reciprocal};
}
