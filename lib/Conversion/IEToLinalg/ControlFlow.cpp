//===- ControlFlow.cpp - Lower branches and loops to scf ------------------===//
//
// The IE operator family: control flow. Loops that always run as often as their
// trip count says become scf.for. The scf ops get IE's types, which upstream's
// structural conversion changes together with their bodies.
//
//===----------------------------------------------------------------------===//

#include "BodySizes.h"
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

/// The type of the parts of a tensor along `axis`.
static RankedTensorType getPartType(RankedTensorType type, int64_t axis) {
  SmallVector<int64_t> shape(type.getShape());
  shape.erase(shape.begin() + axis);
  return type.clone(shape);
}

static Value extractSlice(OpBuilder &builder, Location loc, Value whole,
                          int64_t axis, Value position) {
  auto type = cast<RankedTensorType>(whole.getType());
  SliceAt slice(builder, whole, axis, position);
  return tensor::ExtractSliceOp::create(builder, loc, getPartType(type, axis),
                                        whole, slice.offsets, slice.sizes,
                                        slice.strides);
}

/// The part may have a type that knows less of its sizes.
static Value insertSlice(OpBuilder &builder, Location loc, Value part,
                         Value whole, int64_t axis, Value position) {
  SliceAt slice(builder, whole, axis, position);
  auto type = cast<RankedTensorType>(whole.getType());
  part = buildCast(builder, loc, part, getPartType(type, axis));
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

/// Asserts that a tensor has the sizes of another of its rank.
static void assertSameSizes(OpBuilder &builder, Location loc, Value value,
                            ArrayRef<OpFoldResult> sizes, StringRef message) {
  for (auto [i, size] : llvm::enumerate(sizes)) {
    assertSameSize(builder, loc, getSize(builder, loc, value, i), size,
                   message);
  }
}

/// Gives `value` a type that may know less of its sizes, or more: what a model
/// declares holds for the runs that follow it.
static Value castToDeclared(OpBuilder &builder, Location loc, Value value,
                            RankedTensorType type) {
  for (auto [i, size] : llvm::enumerate(type.getShape())) {
    if (!ShapedType::isDynamic(size)) {
      assertSameSize(builder, loc, getSize(builder, loc, value, i),
                     builder.getIndexAttr(size),
                     "a value that changes its declared shape");
    }
  }
  return buildCast(builder, loc, value, type);
}

/// Gives `values` the types under which they leave a body or an op.
static void castTo(OpBuilder &builder, Location loc,
                   MutableArrayRef<Value> values, TypeRange types) {
  for (auto [value, type] : llvm::zip_equal(values, types)) {
    if (auto tensor = dyn_cast<RankedTensorType>(type)) {
      value = castToDeclared(builder, loc, value, tensor);
    }
  }
}

namespace {

struct LowerRequire final : OpConversionPattern<IE::RequireOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::RequireOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value condition =
        extractScalar(rewriter, op.getLoc(), adaptor.getCondition());
    cf::AssertOp::create(rewriter, op.getLoc(), condition, op.getMessage());
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    rewriter.replaceOp(
        op, buildCast(rewriter, op.getLoc(), adaptor.getInput(), type));
    return success();
  }
};

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
    SmallVector<Sizes> stateSizes;
    for (Value state : adaptor.getInputs().take_front(numStates)) {
      stateSizes.push_back(getSizes(rewriter, loc, state));
    }
    SmallVector<std::optional<Sizes>> elements =
        buildElementSizes(op, adaptor, stateSizes, rewriter);
    for (auto [i, sizes] : llvm::enumerate(elements)) {
      auto type =
          cast<RankedTensorType>(op.getOutputs()[numStates + i].getType());
      if (!sizes) {
        initial.push_back(
            buildEmptyStack(rewriter, loc, type, op.getOutputAxis(i)));
        continue;
      }
      // The model may state what the body does not show.
      sizes =
          refineSizes(rewriter, getPartType(type, op.getOutputAxis(i)), *sizes);
      Sizes whole(*sizes);
      whole.insert(whole.begin() + op.getOutputAxis(i), size);
      assertDeclaredLength(rewriter, loc, type, op.getOutputAxis(i), size);
      initial.push_back(
          buildEmpty(rewriter, loc, type, refineSizes(rewriter, type, whole)));
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
    for (auto [i, sizes] : llvm::enumerate(stateSizes)) {
      assertSameSizes(rewriter, loc, yielded[i], sizes,
                      "a state that changes its shape");
    }
    for (unsigned i = 0; i < op.getNumScannedOutputs(); ++i) {
      Value &element = yielded[numStates + i];
      if (!elements[i]) {
        element = pushElement(rewriter, loc, carried[numStates + i], element,
                              op.isOutputReversed(i));
        continue;
      }
      Value position =
          getPosition(rewriter, loc, step, length, op.isOutputReversed(i));
      assertSameSizes(rewriter, loc, element, *elements[i],
                      "elements of different shapes");
      element = insertSlice(rewriter, loc, element, carried[numStates + i],
                            op.getOutputAxis(i), position);
    }
    castTo(rewriter, loc, yielded, loop.getResultTypes());
    scf::YieldOp::create(rewriter, loc, yielded);
    rewriter.setInsertionPointAfter(loop);
    SmallVector<Value> results(loop.getResults());
    for (auto [i, sizes] : llvm::enumerate(elements)) {
      if (!sizes) {
        Value &result = results[numStates + i];
        auto type =
            cast<RankedTensorType>(op.getOutputs()[numStates + i].getType());
        result =
            joinStack(rewriter, loc, result, type, op.getOutputAxis(i), length);
      }
    }
    castTo(rewriter, loc, results, op->getResultTypes());
    rewriter.replaceOp(op, results);
    return success();
  }

private:
  /// The sizes of the elements of scanned outputs, which are the same in each
  /// run of the body; nothing for those that follow from what it computes.
  static SmallVector<std::optional<Sizes>>
  buildElementSizes(IE::ScanOp op, OpAdaptor adaptor,
                    ArrayRef<Sizes> stateSizes,
                    ConversionPatternRewriter &rewriter) {
    Location loc = op.getLoc();
    Block &body = op.getBody().front();
    BodySizes sizes(rewriter, loc, op.getBody());
    unsigned numStates = op.getNumStates();
    for (auto [argument, own] : llvm::zip(body.getArguments(), stateSizes)) {
      sizes.setSizes(argument, own);
    }
    for (auto [i, whole] :
         llvm::enumerate(adaptor.getInputs().drop_front(numStates))) {
      Sizes own = getSizes(rewriter, loc, whole);
      own.erase(own.begin() + op.getInputAxis(i));
      sizes.setSizes(body.getArgument(numStates + i), own);
    }
    SmallVector<std::optional<Sizes>> elements;
    for (unsigned i = 0; i < op.getNumScannedOutputs(); ++i) {
      Value element = body.getTerminator()->getOperand(numStates + i);
      auto type =
          cast<RankedTensorType>(op.getOutputs()[numStates + i].getType());
      SmallVector<int64_t> shape(type.getShape());
      shape.erase(shape.begin() + op.getOutputAxis(i));
      if (!ShapedType::isDynamicShape(shape)) {
        elements.push_back(
            getAsIndexOpFoldResult(rewriter.getContext(), shape));
        continue;
      }
      FailureOr<Sizes> own = sizes.getSizesOf(element);
      elements.push_back(succeeded(own) ? std::optional(*own) : std::nullopt);
    }
    return elements;
  }
};

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
    for (auto [i, value, converted] :
         llvm::enumerate(op.getCarried(), adaptor.getCarried())) {
      if (Type carried = getCarriedType(op, i); mayChangeShape(carried)) {
        initial.push_back(buildOptional(rewriter, loc, value, carried));
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
  static bool mayChangeShape(Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && !tensor.hasStaticShape();
  }

  /// What is known of a carried value before the loop and after it: a model may
  /// declare of the last one more than holds of the first.
  static Type getCarriedType(IE::LoopOp op, unsigned i) {
    Type last = op.getOutputs()[i].getType();
    return isa<RankedTensorType>(last)
               ? IE::joinTypes(op.getCarried()[i].getType(), last)
               : last;
  }

  static RankedTensorType getElementType(RankedTensorType type) {
    return type.clone(type.getShape().drop_front());
  }

  /// True for a stacked result that gets its room with each element: how large
  /// they are, or how many there may be, is not known before.
  static bool isSequence(IE::LoopOp op, RankedTensorType type) {
    return !getElementType(type).hasStaticShape() ||
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
    return known && op.hasConstantCondition()
               ? std::optional(std::max<int64_t>(known->front(), 0))
               : std::nullopt;
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
    for (unsigned i = 0; i < numCarried; ++i) {
      Type carriedType = getCarriedType(op, i);
      if (!mayChangeShape(carriedType)) {
        continue;
      }
      Value &result = results[i];
      result = IE::OptionalGetElementOp::create(rewriter, op.getLoc(),
                                                TypeRange(carriedType), result)
                   ->getResult(0);
      result =
          castToDeclared(rewriter, op.getLoc(), result,
                         cast<RankedTensorType>(op.getOutputs()[i].getType()));
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
    for (unsigned i = 0; i < numCarried; ++i) {
      Value argument = carried[i];
      if (mayChangeShape(getCarriedType(op, i))) {
        Type type = op.getBody().front().getArgument(2 + i).getType();
        argument = IE::OptionalGetElementOp::create(rewriter, loc,
                                                    TypeRange(type), argument)
                       ->getResult(0);
      }
      arguments.push_back(argument);
    }
    SmallVector<Value> yielded =
        inlineBody(rewriter, op.getBody(), block, arguments);
    rewriter.setInsertionPointToEnd(block);
    yielded[0] = extractScalar(rewriter, loc, yielded[0]);
    for (unsigned i = 0; i < numCarried; ++i) {
      Type type = getCarriedType(op, i);
      Value &next = yielded[1 + i];
      if (mayChangeShape(type)) {
        next = buildOptional(rewriter, loc, next, type);
      } else if (auto tensor = dyn_cast<RankedTensorType>(type)) {
        next = castToDeclared(rewriter, loc, next, tensor);
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
      assertSameSizes(
          rewriter, loc, yielded[1 + i],
          ArrayRef(getSizes(rewriter, loc, carried[i])).drop_front(),
          "elements of different shapes");
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
  patterns
      .add<ConvertElementTypes, IfToSCF, LoopToSCF, LowerRequire, ScanToSCF>(
          converter, patterns.getContext());
}
