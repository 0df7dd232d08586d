//===- SinkTransposes.cpp - The ie-sink-transposes pass -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Models that come from frameworks with channels last transpose images around
// every layer. A transposition moves below what computes single elements only
// where it then meets another one, so that fewer are left, and below what
// leaves fewer elements to transpose.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/IR/ElementTraits.h"
#include "nacre/Dialect/IE/IR/Reduction.h"
#include "nacre/Dialect/IE/Transforms/Passes.h"
#include "nacre/Dialect/IE/Utils/Builders.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"
#include "nacre/Support/TensorTypes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace nacre::IE {
#define GEN_PASS_DEF_SINKTRANSPOSES
#include "nacre/Dialect/IE/Transforms/Passes.h.inc"
} // namespace nacre::IE

using namespace mlir;
using namespace nacre;

//===----------------------------------------------------------------------===//
// Operands before and after a transposition
//===----------------------------------------------------------------------===//

/// The transposition that only one op reads; null where there is none.
static IE::TransposeOp getOwnTranspose(Value value) {
  auto transpose = value.getDefiningOp<IE::TransposeOp>();
  return transpose && transpose->hasOneUse() ? transpose : IE::TransposeOp();
}

/// The shape whose transposition is `shape`.
static SmallVector<int64_t> permuteBack(ArrayRef<int64_t> shape,
                                        ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> before(shape.size());
  for (auto [size, axis] : llvm::zip_equal(shape, permutation)) {
    before[axis] = size;
  }
  return before;
}

static bool isTransposedBy(Value value, ArrayRef<int64_t> permutation) {
  IE::TransposeOp transpose = getOwnTranspose(value);
  return transpose &&
         ArrayRef<int64_t>(transpose.getPermutation()) == permutation;
}

/// True for a single element, which broadcasts in any order of dimensions.
static bool isSingle(Value value) {
  RankedTensorType type = getTensorType(value);
  return type.hasStaticShape() && type.getNumElements() == 1;
}

/// The elements of a constant whose order no transposition changes.
static DenseElementsAttr getVector(Value value) {
  auto isWide = [](int64_t size) { return size != 1; };
  return llvm::count_if(getTensorType(value).getShape(), isWide) == 1
             ? dyn_cast_if_present<DenseElementsAttr>(
                   IE::getConstantElements(value))
             : DenseElementsAttr();
}

/// True where an operand is known in the order before `permutation`.
static bool canMove(Value operand, ArrayRef<int64_t> permutation) {
  return isTransposedBy(operand, permutation) || isSingle(operand) ||
         getVector(operand);
}

/// The operand in the order before `permutation`.
static Value moveOperand(OpBuilder &builder, Value operand,
                         ArrayRef<int64_t> permutation) {
  if (isTransposedBy(operand, permutation)) {
    return operand.getDefiningOp<IE::TransposeOp>().getData();
  }
  if (isSingle(operand)) {
    return operand;
  }
  // Dimensions count from the last one, as they broadcast.
  RankedTensorType type = getTensorType(operand);
  SmallVector<int64_t> shape(permutation.size() - type.getRank(), 1);
  llvm::append_range(shape, type.getShape());
  return IE::ConstantOp::create(
      builder, operand.getLoc(),
      getVector(operand).reshape(type.clone(permuteBack(shape, permutation))));
}

/// True for an op that computes each element from one of each operand.
static bool isPointwise(Operation *op, size_t rank) {
  if (op->getNumResults() != 1 || op->getNumRegions() != 0 ||
      !(op->hasTrait<OpTrait::Elementwise>() ||
        op->hasTrait<IE::Broadcasts>())) {
    return false;
  }
  auto isRanked = [](Type type) { return isa<RankedTensorType>(type); };
  return llvm::all_of(op->getOperandTypes(), isRanked) &&
         isRanked(op->getResult(0).getType()) &&
         getTensorType(op->getResult(0)).getRank() ==
             static_cast<int64_t>(rank);
}

/// True where a transposition that moves down to `value` goes on from there to
/// another, through ops that compute single elements.
static bool meetsTranspose(Value value, ArrayRef<int64_t> permutation) {
  constexpr unsigned kMostOps = 16;
  for (unsigned i = 0; i < kMostOps && value.hasOneUse(); ++i) {
    Operation *user = *value.user_begin();
    if (isa<IE::TransposeOp>(user)) {
      return true;
    }
    bool isJoin = isa<IE::ConcatOp>(user);
    if (!isJoin && !isPointwise(user, permutation.size())) {
      return false;
    }
    bool meets = false;
    for (Value operand : user->getOperands()) {
      if (operand == value) {
        continue;
      }
      bool isTransposed = isTransposedBy(operand, permutation);
      if (!isTransposed && (isJoin || !canMove(operand, permutation))) {
        return false;
      }
      meets |= isTransposed;
    }
    if (meets || isJoin) {
      return meets;
    }
    value = user->getResult(0);
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Below an op
//===----------------------------------------------------------------------===//

namespace {

/// Transpositions of all operands that are not the same in any order become one
/// of the result.
struct SinkBelowPointwise final : RewritePattern {
  explicit SinkBelowPointwise(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    IE::TransposeOp first;
    int64_t count = 0;
    for (Value operand : op->getOperands()) {
      if (IE::TransposeOp transpose = getOwnTranspose(operand)) {
        first = first ? first : transpose;
        ++count;
      }
    }
    SmallVector<int64_t> permutation =
        first ? first.getPermutation() : SmallVector<int64_t>();
    if (!first || !isPointwise(op, permutation.size()) ||
        !llvm::all_of(op->getOperands(), [&](Value operand) {
          return canMove(operand, permutation);
        })) {
      return rewriter.notifyMatchFailure(
          op, "no transposed operands that it computes elements of");
    }
    Value result = op->getResult(0);
    // What broadcasts has fewer elements before.
    bool isWhole = llvm::any_of(op->getOperands(), [&](Value operand) {
      return getOwnTranspose(operand) && getTensorType(operand).getShape() ==
                                             getTensorType(result).getShape();
    });
    if (!isWhole || (count < 2 && !meetsTranspose(result, permutation))) {
      return rewriter.notifyMatchFailure(op, "as much is transposed below it");
    }
    auto operands = llvm::map_to_vector(op->getOperands(), [&](Value operand) {
      return moveOperand(rewriter, operand, permutation);
    });
    RankedTensorType type = getTensorType(result);
    Operation *moved = rewriter.clone(*op);
    rewriter.modifyOpInPlace(moved, [&] {
      moved->setOperands(operands);
      moved->getResult(0).setType(
          type.clone(permuteBack(type.getShape(), permutation)));
    });
    rewriter.replaceOpWithNewOp<IE::TransposeOp>(
        op, type, moved->getResult(0),
        rewriter.getDenseI64ArrayAttr(permutation));
    return success();
  }
};

/// Parts that are all transposed alike are joined before.
struct SinkBelowConcat final : OpRewritePattern<IE::ConcatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IE::ConcatOp op,
                                PatternRewriter &rewriter) const override {
    IE::TransposeOp first = getOwnTranspose(op.getInputs().front());
    if (!first || op.getInputs().size() < 2) {
      return rewriter.notifyMatchFailure(op, "no transposed parts");
    }
    SmallVector<int64_t> permutation = first.getPermutation();
    SmallVector<Value> inputs;
    for (Value input : op.getInputs()) {
      if (!isTransposedBy(input, permutation)) {
        return rewriter.notifyMatchFailure(op, "a part is in another order");
      }
      inputs.push_back(input.getDefiningOp<IE::TransposeOp>().getData());
    }
    RankedTensorType type = getTensorType(op.getConcatResult());
    int64_t axis = op.getAxis();
    Value joined = IE::ConcatOp::create(
        rewriter, op.getLoc(),
        type.clone(permuteBack(type.getShape(), permutation)), inputs,
        permutation[axis < 0 ? axis + type.getRank() : axis]);
    rewriter.replaceOpWithNewOp<IE::TransposeOp>(
        op, type, joined, rewriter.getDenseI64ArrayAttr(permutation));
    return success();
  }
};

/// A section is cut out before, so that the rest is not transposed.
struct SinkBelowSlice final : OpRewritePattern<IE::SliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IE::SliceOp op,
                                PatternRewriter &rewriter) const override {
    IE::TransposeOp transpose = getOwnTranspose(op.getData());
    auto starts = IE::getConstantInts(op.getStarts());
    auto axes = IE::getConstantInts(op.getAxes());
    if (!transpose || !starts || (op.getAxes() && !axes)) {
      return rewriter.notifyMatchFailure(
          op, "not constant axes of what is transposed for it");
    }
    if (!axes) {
      axes = llvm::to_vector(
          llvm::seq<int64_t>(0, static_cast<int64_t>(starts->size())));
    }
    RankedTensorType type = getTensorType(op.getOutput());
    SmallVector<int64_t> permutation = transpose.getPermutation();
    for (int64_t &axis : *axes) {
      axis = permutation[axis < 0 ? axis + type.getRank() : axis];
    }
    Value section = IE::SliceOp::create(
        rewriter, op.getLoc(),
        type.clone(permuteBack(type.getShape(), permutation)),
        transpose.getData(), op.getStarts(), op.getEnds(),
        IE::buildInts(rewriter, op.getLoc(), *axes), op.getSteps());
    rewriter.replaceOpWithNewOp<IE::TransposeOp>(
        op, type, section, rewriter.getDenseI64ArrayAttr(permutation));
    return success();
  }
};

/// What is reduced is not transposed.
template <typename Op> struct SinkBelowReduction final : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    IE::TransposeOp transpose = getOwnTranspose(op.getInput());
    std::optional<SmallVector<int64_t>> axes = op.getReducedAxes();
    if (!transpose || !axes || axes->empty() || !op.getAxes()) {
      return rewriter.notifyMatchFailure(
          op, "not constant axes of what is transposed for it");
    }
    SmallVector<int64_t> permutation = transpose.getPermutation();
    bool keeps = op.getKeepdims() != 0;
    // The result's dimensions, as numbers of the operand's before.
    SmallVector<int64_t> dims, reduced;
    for (auto [i, axis] : llvm::enumerate(permutation)) {
      bool isReduced = llvm::is_contained(*axes, static_cast<int64_t>(i));
      if (isReduced) {
        reduced.push_back(axis);
      }
      if (keeps || !isReduced) {
        dims.push_back(axis);
      }
    }
    llvm::sort(reduced);
    SmallVector<int64_t> ordered(dims);
    llvm::sort(ordered);
    auto order = llvm::map_to_vector(dims, [&](int64_t axis) {
      return static_cast<int64_t>(llvm::find(ordered, axis) - ordered.begin());
    });
    RankedTensorType type = getTensorType(op.getOutput());
    Value result =
        Op::create(rewriter, op.getLoc(),
                   TypeRange(type.clone(permuteBack(type.getShape(), order))),
                   transpose.getData(),
                   IE::buildInts(rewriter, op.getLoc(), reduced),
                   op.getKeepdimsAttr(), op.getNoopWithEmptyAxesAttr())
            .getOutput();
    rewriter.replaceOp(op, rewriter.createOrFold<IE::TransposeOp>(
                               op.getLoc(), type, result,
                               rewriter.getDenseI64ArrayAttr(order)));
    return success();
  }
};

/// Where only dimensions of one element move, nothing does.
struct ReshapeInstead final : OpRewritePattern<IE::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IE::TransposeOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType from = getTensorType(op.getData());
    RankedTensorType to = getTensorType(op.getTransposed());
    auto moved = op.getPermutation();
    llvm::erase_if(moved,
                   [&](int64_t axis) { return from.getDimSize(axis) == 1; });
    if (!llvm::is_sorted(moved) || to.getNumDynamicDims() > 1) {
      return rewriter.notifyMatchFailure(op, "elements move");
    }
    if (llvm::is_contained(to.getShape(), 0)) {
      return rewriter.notifyMatchFailure(op, "there are no elements");
    }
    rewriter.replaceOp(
        op, IE::reshapeTo(rewriter, op.getLoc(), op.getData(), to.getShape()));
    return success();
  }
};

struct SinkTransposesPass final
    : nacre::IE::impl::SinkTransposesBase<SinkTransposesPass> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    RewritePatternSet sinking(context);
    sinking.add<SinkBelowConcat, SinkBelowPointwise,
                SinkBelowReduction<IE::ReduceMaxOp>,
                SinkBelowReduction<IE::ReduceMeanOp>,
                SinkBelowReduction<IE::ReduceMinOp>,
                SinkBelowReduction<IE::ReduceSumOp>, SinkBelowSlice>(context);
    // Those that meet become one.
    IE::TransposeOp::getCanonicalizationPatterns(sinking, context);
    RewritePatternSet reshaping(context);
    reshaping.add<ReshapeInstead>(context);
    if (failed(applyPatternsGreedily(getOperation(), std::move(sinking))) ||
        failed(applyPatternsGreedily(getOperation(), std::move(reshaping)))) {
      signalPassFailure();
    }
  }
};

} // namespace
