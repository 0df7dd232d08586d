//===- ControlFlow.cpp - Lower branches and loops to scf ------------------===//
//
// The IE operator family: control flow. Loops that always run as often as their
// trip count says become scf.for. The scf ops get IE's types, which upstream's
// structural conversion changes together with their bodies.
//
//===----------------------------------------------------------------------===//

#include "Indices.h"
#include "RunTimeLength.h"

#include "nacre/Dialect/IE/IR/ControlFlow.h"
#include "nacre/Dialect/IE/Utils/SectionUtils.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace nacre;

/// True unless there is a tensor among the types whose size is not known.
static bool areStatic(TypeRange types) {
  return llvm::all_of(types, [](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    return !shaped || shaped.hasStaticShape();
  });
}

/// Moves the ops of a body to the end of `block`; its arguments become
/// `arguments`. Gives what the body yielded.
static SmallVector<Value> inlineBody(ConversionPatternRewriter &rewriter,
                                     Region &body, Block *block,
                                     ValueRange arguments) {
  Operation *yield = body.front().getTerminator();
  SmallVector<Value> yielded(yield->getOperands());
  rewriter.eraseOp(yield);
  rewriter.inlineBlockBefore(&body.front(), block, block->end(), arguments);
  return yielded;
}

/// The rank-reduced slice of `whole` at `position` of `axis`, as the arguments
/// of the slicing ops.
struct SliceAt {
  SmallVector<OpFoldResult> offsets, sizes, strides;

  SliceAt(OpBuilder &builder, Value whole, int64_t axis, OpFoldResult position)
      : sizes(getSizes(builder, whole.getLoc(), whole)) {
    offsets.assign(sizes.size(), builder.getIndexAttr(0));
    strides.assign(sizes.size(), builder.getIndexAttr(1));
    offsets[axis] = position;
    sizes[axis] = builder.getIndexAttr(1);
  }
};

static Value extractSlice(OpBuilder &builder, Location loc, Value whole,
                          int64_t axis, Value position) {
  auto type = cast<RankedTensorType>(whole.getType());
  SliceAt slice(builder, whole, axis, position);
  SmallVector<int64_t> shape(type.getShape());
  shape.erase(shape.begin() + axis);
  return tensor::ExtractSliceOp::create(builder, loc, type.clone(shape), whole,
                                        slice.offsets, slice.sizes,
                                        slice.strides);
}

static Value insertSlice(OpBuilder &builder, Location loc, Value part,
                         Value whole, int64_t axis, Value position) {
  SliceAt slice(builder, whole, axis, position);
  return tensor::InsertSliceOp::create(builder, loc, part, whole, slice.offsets,
                                       slice.sizes, slice.strides);
}

/// The position of step `step` in a sequence that may be walked backwards.
static Value getPosition(OpBuilder &builder, Location loc, Value step,
                         Value length, bool reversed) {
  if (!reversed) {
    return step;
  }
  Value last =
      arith::SubIOp::create(builder, loc, length, buildIndex(builder, loc, 1));
  return arith::SubIOp::create(builder, loc, last, step);
}

/// Notes that what `loop` runs are steps of the model, not of one kernel.
static void markSteps(Operation *loop) {
  loop->setAttr("nacre.steps", UnitAttr::get(loop->getContext()));
}

/// A number as the scalar tensor that a body gets.
static Value buildScalarTensor(OpBuilder &builder, Location loc, Type type,
                               Value number) {
  if (number.getType() != type) {
    number = arith::IndexCastOp::create(builder, loc, type, number);
  }
  return tensor::FromElementsOp::create(
      builder, loc, RankedTensorType::get({}, type), number);
}

/// Gives `values` the types under which they leave a body, which may know less
/// of their sizes.
static void castTo(OpBuilder &builder, Location loc,
                   MutableArrayRef<Value> values, TypeRange types) {
  for (auto [value, type] : llvm::zip_equal(values, types)) {
    if (auto tensor = dyn_cast<RankedTensorType>(type)) {
      value = buildCast(builder, loc, value, tensor);
    }
  }
}

namespace {

struct IfToSCF final : OpConversionPattern<IE::IfOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::IfOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value condition = extractScalar(rewriter, loc, adaptor.getCondition());
    auto branch =
        scf::IfOp::create(rewriter, loc, op->getResultTypes(), condition,
                          /*addThenBlock=*/true, /*addElseBlock=*/true);
    for (auto [from, block] :
         {std::pair(&op.getThenBranch(), branch.thenBlock()),
          std::pair(&op.getElseBranch(), branch.elseBlock())}) {
      SmallVector<Value> yielded = inlineBody(rewriter, *from, block, {});
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToEnd(block);
      castTo(rewriter, loc, yielded, op->getResultTypes());
      scf::YieldOp::create(rewriter, loc, yielded);
    }
    rewriter.replaceOp(op, branch);
    return success();
  }
};

struct ScanToSCF final : OpConversionPattern<IE::ScanOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::ScanOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    unsigned numStates = op.getNumStates();
    // The sequences are equally long.
    OpFoldResult size;
    for (auto [i, whole] :
         llvm::enumerate(adaptor.getInputs().drop_front(numStates))) {
      OpFoldResult own = getSize(rewriter, loc, whole, op.getInputAxis(i));
      if (!size) {
        size = own;
      }
      assertSameSize(rewriter, loc, size, own,
                     "sequences of different lengths");
    }
    SmallVector<Value> initial(op.getStates());
    for (unsigned i = 0; i < op.getNumScannedOutputs(); ++i) {
      auto type =
          cast<RankedTensorType>(op.getOutputs()[numStates + i].getType());
      Sizes sizes(type.getRank());
      sizes[op.getOutputAxis(i)] = size;
      SmallVector<int64_t> element(type.getShape());
      element.erase(element.begin() + op.getOutputAxis(i));
      if (ShapedType::isDynamicShape(element)) {
        return rewriter.notifyMatchFailure(
            op, "needs elements of static shape in scanned outputs");
      }
      initial.push_back(
          buildEmpty(rewriter, loc, type, refineSizes(rewriter, type, sizes)));
    }
    Value length = getValueOrCreateConstantIndexOp(rewriter, loc, size);
    auto loop = scf::ForOp::create(rewriter, loc, buildIndex(rewriter, loc, 0),
                                   length, buildIndex(rewriter, loc, 1),
                                   initial, [](auto &&...) {});
    markSteps(loop);
    Block *block = loop.getBody();
    rewriter.setInsertionPointToStart(block);
    ValueRange carried = loop.getRegionIterArgs();
    Value step = loop.getInductionVar();
    SmallVector<Value> arguments(carried.take_front(numStates));
    for (auto [i, whole] : llvm::enumerate(op.getScannedInputs())) {
      Value position =
          getPosition(rewriter, loc, step, length, op.isInputReversed(i));
      arguments.push_back(
          extractSlice(rewriter, loc, whole, op.getInputAxis(i), position));
    }
    SmallVector<Value> yielded =
        inlineBody(rewriter, op.getBody(), block, arguments);
    rewriter.setInsertionPointToEnd(block);
    for (unsigned i = 0; i < op.getNumScannedOutputs(); ++i) {
      Value position =
          getPosition(rewriter, loc, step, length, op.isOutputReversed(i));
      Value &element = yielded[numStates + i];
      element = insertSlice(rewriter, loc, element, carried[numStates + i],
                            op.getOutputAxis(i), position);
    }
    scf::YieldOp::create(rewriter, loc, yielded);
    rewriter.replaceOp(op, loop);
    return success();
  }
};

/// With a condition that changes: scf.while, else scf.for.
struct LoopToSCF final : OpConversionPattern<IE::LoopOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::LoopOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    size_t numCarried = op.getCarried().size();
    ValueRange stacked = op.getOutputs().drop_front(numCarried);
    if (!areStatic(op.getOutputs().take_front(numCarried).getTypes()) ||
        !llvm::all_of(stacked.getTypes(), hasStaticElements)) {
      return rewriter.notifyMatchFailure(op, "needs values of static shape");
    }
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
    for (auto [value, converted] :
         llvm::zip_equal(op.getCarried(), adaptor.getCarried())) {
      initial.push_back(isa<ShapedType>(value.getType()) ? value : converted);
    }
    SmallVector<bool> isExact; // the room that results have, of those stacked
    for (Value result : stacked) {
      auto type = cast<RankedTensorType>(result.getType());
      isExact.push_back(getTripCount(op) == type.getDimSize(0));
      FailureOr<Value> room =
          buildStack(op, rewriter, type, limit, isExact.back());
      if (failed(room)) {
        return failure();
      }
      initial.push_back(*room);
    }
    if (limit && op.hasConstantCondition()) {
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
  /// What is stacked along the first axis may be of any length.
  static bool hasStaticElements(Type type) {
    return !ShapedType::isDynamicShape(
        cast<RankedTensorType>(type).getShape().drop_front());
  }

  /// The number of runs where it is known.
  static std::optional<int64_t> getTripCount(IE::LoopOp op) {
    auto known = IE::getConstantInts(op.getMaxTripCount());
    return known && op.hasConstantCondition()
               ? std::optional(std::max<int64_t>(known->front(), 0))
               : std::nullopt;
  }

  /// Room for as many elements of a scanned result as there may be runs.
  static FailureOr<Value> buildStack(IE::LoopOp op,
                                     ConversionPatternRewriter &rewriter,
                                     RankedTensorType type, Value limit,
                                     bool isExact) {
    Location loc = op.getLoc();
    if (isExact) {
      return buildEmpty(rewriter, loc, type);
    }
    if (!limit && type.isDynamicDim(0)) {
      return op.emitOpError("expected a trip count: how long the scanned "
                            "outputs may become has to be known before the "
                            "first run; use --backend=interpreter");
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
    for (auto [i, isWhole] : llvm::enumerate(isExact)) {
      if (!isWhole) {
        Value &result = results[numCarried + i];
        auto type =
            cast<RankedTensorType>(op.getOutputs()[numCarried + i].getType());
        result =
            takeFront(rewriter, op.getLoc(), result, /*axis=*/0, count, type);
      }
    }
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
    SmallVector<Value> arguments = {
        buildScalarTensor(rewriter, loc, rewriter.getI64Type(), trip),
        buildScalarTensor(rewriter, loc, rewriter.getI1Type(), condition)};
    llvm::append_range(arguments, carried.take_front(numCarried));
    SmallVector<Value> yielded =
        inlineBody(rewriter, op.getBody(), block, arguments);
    rewriter.setInsertionPointToEnd(block);
    yielded[0] = extractScalar(rewriter, loc, yielded[0]);
    for (unsigned i = numCarried; i < carried.size(); ++i) {
      if (!op.getMaxTripCount()) {
        Value length = getValueOrCreateConstantIndexOp(
            rewriter, loc, getSize(rewriter, loc, carried[i], 0));
        cf::AssertOp::create(
            rewriter, loc,
            arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt,
                                  trip, length),
            "a result has another length than the model declares");
      }
      yielded[1 + i] = insertSlice(rewriter, loc, yielded[1 + i], carried[i],
                                   /*axis=*/0, trip);
    }
    return yielded;
  }
};

/// What the patterns above slice and insert in the types of IE.
struct ConvertElementTypes final : ConversionPattern {
  ConvertElementTypes(const TypeConverter &converter, MLIRContext *context)
      : ConversionPattern(converter, MatchAnyOpTypeTag(), /*benefit=*/1,
                          context) {}

  LogicalResult
  matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    if (!isa<tensor::CastOp, tensor::DimOp, tensor::EmptyOp,
             tensor::ExtractSliceOp, tensor::InsertSliceOp>(op) ||
        failed(getTypeConverter()->convertTypes(op->getResultTypes(), types))) {
      return rewriter.notifyMatchFailure(op, "only its types may change");
    }
    Operation *converted =
        rewriter.create(op->getLoc(), op->getName().getIdentifier(), operands,
                        types, op->getAttrDictionary().getValue());
    rewriter.replaceOp(op, converted);
    return success();
  }
};

} // namespace

void nacre::populateControlFlowToLinalgPatterns(const TypeConverter &converter,
                                                RewritePatternSet &patterns) {
  patterns.add<ConvertElementTypes, IfToSCF, LoopToSCF, ScanToSCF>(
      converter, patterns.getContext());
}
