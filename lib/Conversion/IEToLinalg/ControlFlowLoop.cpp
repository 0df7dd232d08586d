//===- ControlFlowLoop.cpp - Lower Loop to scf ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One that always runs as often as its trip count says becomes scf.for.
//
//===----------------------------------------------------------------------===//

#include "ControlFlow.h"
#include "Indices.h"
#include "RunTimeLength.h"
#include "StackedElements.h"

#include "nacre/Dialect/IE/IR/ControlFlow.h"
#include "nacre/Dialect/IE/IR/Sequence.h"
#include "nacre/Dialect/IE/Utils/SectionUtils.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace nacre;

/// A number as the scalar tensor that a body gets.
static Value buildScalarTensor(OpBuilder &builder, Location loc, Type type,
                               Value number) {
  if (number.getType() != type) {
    number = arith::IndexCastOp::create(builder, loc, type, number);
  }
  return tensor::FromElementsOp::create(
      builder, loc, RankedTensorType::get({}, type), number);
}

namespace {

/// With a condition that changes: scf.while, else scf.for. What may change its
/// shape from run to run is carried as an optional, and what is stacked of
/// elements of unknown sizes as a sequence.
struct LoopToSCF final : OpConversionPattern<IE::LoopOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::LoopOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    size_t numCarried = op.getCarried().size();
    ValueRange stacked = op.getOutputs().drop_front(numCarried);
    SmallVector<Type> types = getKeptTypes(op);
    Location loc = op.getLoc();
    Type index = rewriter.getIndexType(), flag = rewriter.getI1Type();
    Value zero = buildIndex(rewriter, loc, 0);
    Value limit;
    if (op.getMaxTripCount()) {
      Value trips = extractScalar(rewriter, loc, adaptor.getMaxTripCount());
      limit = arith::MaxSIOp::create(
          rewriter, loc, zero,
          arith::IndexCastOp::create(rewriter, loc, index, trips));
    }
    // Bodies may know more or less of a sequence's elements, handles do not.
    SmallVector<Value> initial;
    for (auto [value, converted, type] :
         llvm::zip(op.getCarried(), adaptor.getCarried(), types)) {
      if (mayChangeShape(type)) {
        initial.push_back(buildOptional(rewriter, loc, value, type));
        continue;
      }
      initial.push_back(isa<ShapedType>(value.getType()) ? value : converted);
    }
    SmallVector<bool> isExact; // the room that results have, of those stacked
    for (Value result : stacked) {
      auto type = cast<RankedTensorType>(result.getType());
      isExact.push_back(getTripCount(op) == type.getDimSize(0));
      if (isSequence(op, type)) {
        initial.push_back(buildEmptyStack(rewriter, loc, type, /*axis=*/0));
        continue;
      }
      initial.push_back(buildStack(op, rewriter, type, limit, isExact.back()));
    }
    // Whether a loop goes on that never runs does not matter.
    if (limit && (op.hasConstantCondition() || getTripCount(op) == 0)) {
      auto loop = scf::ForOp::create(rewriter, loc, zero, limit,
                                     buildIndex(rewriter, loc, 1), initial,
                                     [](auto &&...) {});
      markSteps(loop);
      rewriter.setInsertionPointToStart(loop.getBody());
      Value isTrue =
          arith::ConstantOp::create(rewriter, loc, rewriter.getBoolAttr(true));
      SmallVector<Value> results =
          buildBody(op, rewriter, loop.getBody(), loop.getInductionVar(),
                    isTrue, loop.getRegionIterArgs());
      scf::YieldOp::create(rewriter, loc, ArrayRef(results).drop_front());
      replace(op, rewriter, loop, loop.getResults(), limit, isExact);
      return success();
    }
    Value goesOn = op.getCondition()
                       ? extractScalar(rewriter, loc, adaptor.getCondition())
                       : Value(arith::ConstantOp::create(
                             rewriter, loc, rewriter.getBoolAttr(true)));
    SmallVector<Value> state = {zero, goesOn};
    llvm::append_range(state, initial);
    SmallVector<Type> stateTypes = {index, flag};
    llvm::append_range(stateTypes, ValueRange(initial).getTypes());
    auto loop = scf::WhileOp::create(
        rewriter, loc, stateTypes, state,
        [&](OpBuilder &builder, Location nested, ValueRange arguments) {
          Value condition = arguments[1];
          if (limit) {
            Value isWithin = arith::CmpIOp::create(builder, nested,
                                                   arith::CmpIPredicate::slt,
                                                   arguments[0], limit);
            condition =
                arith::AndIOp::create(builder, nested, condition, isWithin);
          }
          scf::ConditionOp::create(builder, nested, condition, arguments);
        },
        [](auto &&...) {});
    markSteps(loop);
    Block *block = loop.getAfterBody();
    rewriter.setInsertionPointToStart(block);
    Value trip = block->getArgument(0);
    SmallVector<Value> results =
        buildBody(op, rewriter, block, trip, block->getArgument(1),
                  block->getArguments().drop_front(2));
    Value next = arith::AddIOp::create(rewriter, loc, trip,
                                       buildIndex(rewriter, loc, 1));
    results.insert(results.begin(), next);
    scf::YieldOp::create(rewriter, loc, results);
    replace(op, rewriter, loop, loop.getResults().drop_front(2),
            loop.getResult(0), isExact);
    return success();
  }

private:
  static bool mayChangeShape(Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && !tensor.hasStaticShape();
  }

  /// The types under which carried values and elements leave the body.
  static SmallVector<Type> getKeptTypes(IE::LoopOp op) {
    SmallVector<Type> types = op.getYieldedTypes();
    types.erase(types.begin()); // the condition
    return types;
  }

  /// True for a stacked result that gets its room with each element: how large
  /// they are, or how many there may be, is not known before.
  static bool isSequence(IE::LoopOp op, RankedTensorType type) {
    return ShapedType::isDynamicShape(type.getShape().drop_front()) ||
           (!op.getMaxTripCount() && type.isDynamicDim(0));
  }

  static Value buildOptional(OpBuilder &builder, Location loc, Value value,
                             Type type) {
    return IE::OptionalOp::create(builder, loc,
                                  TypeRange(IE::OptionalType::get(type)), value,
                                  TypeAttr())
        ->getResult(0);
  }

  /// The number of runs where it is known.
  static std::optional<int64_t> getTripCount(IE::LoopOp op) {
    auto known = IE::getConstantInts(op.getMaxTripCount());
    if (!known || (known->front() > 0 && !op.hasConstantCondition())) {
      return std::nullopt;
    }
    return std::max<int64_t>(known->front(), 0);
  }

  /// Room for as many elements of a scanned result as there may be runs.
  static Value buildStack(IE::LoopOp op, ConversionPatternRewriter &rewriter,
                          RankedTensorType type, Value limit, bool isExact) {
    Location loc = op.getLoc();
    if (isExact) {
      return buildEmpty(rewriter, loc, type);
    }
    Sizes sizes =
        getAsIndexOpFoldResult(rewriter.getContext(), type.getShape());
    if (limit) {
      int64_t most = IE::kMaxElements;
      for (int64_t dim : type.getShape().drop_front()) {
        most /= std::max<int64_t>(dim, 1);
      }
      cf::AssertOp::create(
          rewriter, loc,
          arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::sle, limit,
                                buildIndex(rewriter, loc, most)),
          "a trip count that leaves no room for scanned outputs");
      sizes[0] = limit;
    }
    return buildRoom(rewriter, loc, sizes, type.getElementType());
  }

  /// Of what is stacked, `count` elements are results, unless all are.
  static void replace(IE::LoopOp op, ConversionPatternRewriter &rewriter,
                      Operation *loop, ValueRange carried, Value count,
                      ArrayRef<bool> isExact) {
    rewriter.setInsertionPointAfter(loop);
    SmallVector<Value> results(carried);
    unsigned numCarried = results.size() - isExact.size();
    for (auto [result, type] :
         llvm::zip(MutableArrayRef(results).take_front(numCarried),
                   getKeptTypes(op))) {
      if (mayChangeShape(type)) {
        result = IE::OptionalGetElementOp::create(rewriter, op.getLoc(),
                                                  TypeRange(type), result)
                     ->getResult(0);
      }
    }
    for (auto [i, isWhole] : llvm::enumerate(isExact)) {
      Value &result = results[numCarried + i];
      auto type =
          cast<RankedTensorType>(op.getOutputs()[numCarried + i].getType());
      if (isSequence(op, type)) {
        result =
            joinStack(rewriter, op.getLoc(), result, type, /*axis=*/0, count);
        continue;
      }
      if (!isWhole) {
        result =
            takeFront(rewriter, op.getLoc(), result, /*axis=*/0, count, type);
      }
    }
    castTo(rewriter, op.getLoc(), results, op->getResultTypes());
    rewriter.replaceOp(op, results);
  }

  /// The next condition, a scalar, and the carried values and scanned results
  /// after run `trip`.
  SmallVector<Value> buildBody(IE::LoopOp op,
                               ConversionPatternRewriter &rewriter,
                               Block *block, Value trip, Value condition,
                               ValueRange carried) const {
    Location loc = op.getLoc();
    unsigned numCarried = op.getCarried().size();
    SmallVector<Type> types = getKeptTypes(op);
    SmallVector<Value> arguments = {
        buildScalarTensor(rewriter, loc, rewriter.getI64Type(), trip),
        buildScalarTensor(rewriter, loc, rewriter.getI1Type(), condition)};
    for (unsigned i = 0; i < numCarried; ++i) {
      Value argument = carried[i];
      Type type = op.getBody().front().getArgument(2 + i).getType();
      if (mayChangeShape(types[i])) {
        argument = IE::OptionalGetElementOp::create(rewriter, loc,
                                                    TypeRange(type), argument)
                       ->getResult(0);
      } else {
        castTo(rewriter, loc, argument, type);
      }
      arguments.push_back(argument);
    }
    SmallVector<Value> yielded =
        inlineBody(rewriter, op.getBody(), block, arguments);
    rewriter.setInsertionPointToEnd(block);
    yielded[0] = extractScalar(rewriter, loc, yielded[0]);
    for (unsigned i = 0; i < numCarried; ++i) {
      Value &next = yielded[1 + i];
      if (mayChangeShape(types[i])) {
        next = buildOptional(rewriter, loc, next, types[i]);
      } else {
        castTo(rewriter, loc, next, types[i]);
      }
    }
    for (unsigned i = numCarried; i < carried.size(); ++i) {
      auto type = cast<RankedTensorType>(op.getOutputs()[i].getType());
      if (isSequence(op, type)) {
        yielded[1 + i] = pushElement(rewriter, loc, carried[i], yielded[1 + i],
                                     /*atFront=*/false);
        continue;
      }
      if (!op.getMaxTripCount()) {
        Value length = getValueOrCreateConstantIndexOp(
            rewriter, loc, getSize(rewriter, loc, carried[i], 0));
        cf::AssertOp::create(
            rewriter, loc,
            arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt,
                                  trip, length),
            "a result has another length than the model declares");
      }
      yielded[1 + i] = insertPart(rewriter, loc, yielded[1 + i], carried[i],
                                  /*axis=*/0, trip);
    }
    return yielded;
  }
};

} // namespace

void nacre::populateLoopToLinalgPatterns(const TypeConverter &converter,
                                         RewritePatternSet &patterns) {
  patterns.add<LoopToSCF>(converter, patterns.getContext());
}
