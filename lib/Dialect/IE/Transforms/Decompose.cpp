//===- Decompose.cpp - The ie-decompose pass ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators whose meaning is a combination of others become that combination,
// once for all backends: what comes after need not know them.
//
//===----------------------------------------------------------------------===//

#include "Decompositions.h"

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/Convolution.h"
#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/IR/Decomposition.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/Indexing.h"
#include "nacre/Dialect/IE/IR/MatMul.h"
#include "nacre/Dialect/IE/IR/Pooling.h"
#include "nacre/Dialect/IE/IR/Quantization.h"
#include "nacre/Dialect/IE/IR/Reduction.h"
#include "nacre/Dialect/IE/Transforms/DecomposedOps.h"
#include "nacre/Dialect/IE/Transforms/Passes.h"
#include "nacre/Dialect/IE/Utils/Builders.h"
#include "nacre/Dialect/IE/Utils/EinsumUtils.h"
#include "nacre/Dialect/Nacre/IR/NacreDialect.h"
#include "nacre/Support/PatternRoots.h"
#include "nacre/Support/TensorTypes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace nacre::IE {
#define GEN_PASS_DEF_DECOMPOSE
#include "nacre/Dialect/IE/Transforms/Passes.h.inc"
} // namespace nacre::IE

using namespace mlir;
using namespace nacre;

/// The type of a quantized result's sums.
static Type getSumsType(Value output) {
  return getTensorType(output).clone(IntegerType::get(output.getContext(), 32));
}

/// `sums * lhsScale * rhsScale / outputScale`, quantized: the scales of the
/// operands broadcast to the sums.
static Value quantizeSums(PatternRewriter &rewriter, Location loc, Value sums,
                          Value lhsScale, Value rhsScale, Value outputScale,
                          Value zeroPoint) {
  Value scale =
      IE::MulOp::create(rewriter, loc, IE::castToF32(rewriter, loc, lhsScale),
                        IE::castToF32(rewriter, loc, rhsScale));
  Value divisor = IE::reshapeTo(rewriter, loc,
                                IE::castToF32(rewriter, loc, outputScale), {});
  scale = IE::DivOp::create(rewriter, loc, scale, divisor);
  Value scaled = IE::MulOp::create(rewriter, loc,
                                   IE::castToF32(rewriter, loc, sums), scale);
  Value one = IE::buildScalar(rewriter, loc, rewriter.getF32Type(), 1);
  Value zero = IE::reshapeTo(rewriter, loc, zeroPoint, {});
  return IE::QuantizeLinearOp::create(rewriter, loc, scaled, one, zero)
      .getOutput();
}

static bool areStatic(ValueRange values) {
  return llvm::all_of(values, [](Value value) {
    return getTensorType(value).hasStaticShape();
  });
}

namespace {

/// A tensor and the letter of each of its dimensions, none of them twice.
struct Factor {
  Value value;
  SmallVector<int64_t> letters;

  bool has(int64_t letter) const { return llvm::is_contained(letters, letter); }

  ArrayRef<int64_t> getShape() const { return getTensorType(value).getShape(); }

  /// The sizes of `which` of the letters.
  SmallVector<int64_t> getSizes(ArrayRef<int64_t> which) const {
    return llvm::map_to_vector(which, [&](int64_t letter) {
      return getShape()[llvm::find(letters, letter) - letters.begin()];
    });
  }
};

/// Builds the parts of an Einsum.
class EinsumBuilder {
public:
  EinsumBuilder(OpBuilder &builder, Location loc)
      : builder(builder), loc(loc) {}

  /// An operand without the dimensions that only broadcast, and with a single
  /// one, its diagonal, in place of those that share a letter.
  Factor buildFactor(Value value, ArrayRef<int64_t> letters,
                     ArrayRef<int64_t> sizes) const {
    SmallVector<int64_t> shape, kept;
    for (auto [letter, size] :
         llvm::zip_equal(letters, getTensorType(value).getShape())) {
      if (size == sizes[letter]) {
        shape.push_back(size);
        kept.push_back(letter);
      }
    }
    Factor factor{reshape(value, shape), kept};
    while (true) {
      auto *repeated = llvm::find_if(factor.letters, [&](int64_t letter) {
        return llvm::count(factor.letters, letter) > 1;
      });
      if (repeated == factor.letters.end()) {
        return factor;
      }
      factor = takeDiagonal(factor, *repeated);
    }
  }

  /// The sum over the letters that are not in `kept`.
  Factor sumExcept(const Factor &factor, ArrayRef<int64_t> kept) const {
    SmallVector<int64_t> axes, letters;
    for (auto [axis, letter] : llvm::enumerate(factor.letters)) {
      bool isKept = llvm::is_contained(kept, letter);
      (isKept ? letters : axes).push_back(isKept ? letter : axis);
    }
    if (axes.empty()) {
      return factor;
    }
    Value sum =
        IE::ReduceSumOp::create(
            builder, loc, TypeRange(getType(factor, factor.getSizes(letters))),
            factor.value, IE::buildInts(builder, loc, axes),
            builder.getI64IntegerAttr(0), builder.getI64IntegerAttr(0))
            ->getResult(0);
    return {sum, letters};
  }

  /// The factor with its letters in the order of `letters`.
  Factor transpose(const Factor &factor, ArrayRef<int64_t> letters) const {
    if (ArrayRef(factor.letters) == letters) {
      return factor;
    }
    auto permutation = llvm::map_to_vector(letters, [&](int64_t letter) {
      return static_cast<int64_t>(llvm::find(factor.letters, letter) -
                                  factor.letters.begin());
    });
    Value transposed =
        IE::TransposeOp::create(builder, loc, factor.value,
                                builder.getDenseI64ArrayAttr(permutation))
            ->getResult(0);
    return {transposed, SmallVector<int64_t>(letters)};
  }

  /// The product, summed over the letters that are not `needed`.
  Factor multiply(Factor lhs, Factor rhs, ArrayRef<int64_t> needed) const {
    // What only one of them has is summed before.
    auto join = [&](ArrayRef<int64_t> letters) {
      SmallVector<int64_t> joined(needed);
      llvm::append_range(joined, letters);
      return joined;
    };
    lhs = sumExcept(lhs, join(rhs.letters));
    rhs = sumExcept(rhs, join(lhs.letters));
    SmallVector<int64_t> batch, rows, columns, summed;
    for (int64_t letter : lhs.letters) {
      bool isNeeded = llvm::is_contained(needed, letter);
      (!rhs.has(letter) ? rows : isNeeded ? batch : summed).push_back(letter);
    }
    for (int64_t letter : rhs.letters) {
      if (!lhs.has(letter)) {
        columns.push_back(letter);
      }
    }
    SmallVector<int64_t> batchSizes = lhs.getSizes(batch);
    SmallVector<int64_t> rowSizes = lhs.getSizes(rows);
    SmallVector<int64_t> columnSizes = rhs.getSizes(columns);
    int64_t depth = ShapedType::getNumElements(lhs.getSizes(summed));
    SmallVector<int64_t> left = concat(batch, rows, summed);
    SmallVector<int64_t> right = concat(batch, summed, columns);
    Value a = transpose(lhs, left).value, b = transpose(rhs, right).value;
    Factor product{{}, concat(batch, rows, columns)};
    SmallVector<int64_t> shape = concat(batchSizes, rowSizes, columnSizes);
    if (summed.empty()) {
      // No sums: the rows broadcast along the columns and vice versa.
      SmallVector<int64_t> ones(columns.size(), 1), otherOnes(rows.size(), 1);
      a = reshape(a, concat(batchSizes, rowSizes, ones));
      b = reshape(b, concat(batchSizes, otherOnes, columnSizes));
      product.value = IE::MulOp::create(builder, loc, a, b);
      return product;
    }
    int64_t numRows = ShapedType::getNumElements(rowSizes);
    int64_t numColumns = ShapedType::getNumElements(columnSizes);
    SmallVector<int64_t> outer;
    if (!batch.empty()) {
      outer.push_back(ShapedType::getNumElements(batchSizes));
    }
    a = reshape(a, concat(outer, {numRows}, {depth}));
    b = reshape(b, concat(outer, {depth}, {numColumns}));
    product.value = reshape(IE::MatMulOp::create(builder, loc, a, b), shape);
    return product;
  }

private:
  static SmallVector<int64_t> concat(ArrayRef<int64_t> a, ArrayRef<int64_t> b,
                                     ArrayRef<int64_t> c) {
    SmallVector<int64_t> all(a);
    llvm::append_range(all, b);
    llvm::append_range(all, c);
    return all;
  }

  static Type getType(const Factor &factor, ArrayRef<int64_t> shape) {
    return getTensorType(factor.value).clone(shape);
  }

  Value reshape(Value value, ArrayRef<int64_t> shape) const {
    return getTensorType(value).getShape() == shape
               ? value
               : IE::reshapeTo(builder, loc, value, shape);
  }

  /// Replaces the first two dimensions of `letter` by their diagonal, which is
  /// every n+1st element of the n*n.
  Factor takeDiagonal(const Factor &factor, int64_t letter) const {
    SmallVector<int64_t> permutation, twice, letters;
    SmallVector<int64_t> shape;
    for (auto [axis, other] : llvm::enumerate(factor.letters)) {
      if (other == letter && twice.size() < 2) {
        twice.push_back(axis);
        continue;
      }
      permutation.push_back(axis);
      letters.push_back(other);
      shape.push_back(factor.getShape()[axis]);
    }
    llvm::append_range(permutation, twice);
    int64_t size = factor.getShape()[twice.front()];
    Value moved =
        IE::TransposeOp::create(builder, loc, factor.value,
                                builder.getDenseI64ArrayAttr(permutation))
            ->getResult(0);
    shape.push_back(size * size);
    Value flat = reshape(moved, shape);
    auto vector = [&](int64_t value) {
      return IE::buildInts(builder, loc, value);
    };
    shape.back() = size;
    letters.push_back(letter);
    int64_t last = shape.size() - 1;
    Value diagonal = IE::SliceOp::create(builder, loc, getType(factor, shape),
                                         flat, vector(0), vector(size * size),
                                         vector(last), vector(size + 1));
    return {diagonal, letters};
  }

  OpBuilder &builder;
  Location loc;
};

struct DecomposeQLinearConv final : OpRewritePattern<IE::QLinearConvOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IE::QLinearConvOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    int64_t rank = getTensorType(op.getOutput()).getRank();
    Value sums =
        IE::ConvIntegerOp::create(
            rewriter, loc, getSumsType(op.getOutput()), op.getInput(),
            op.getWeights(), op.getInputZeroPoint(), op.getWeightsZeroPoint(),
            op.getAutoPadAttr(), op.getDilationsAttr(), op.getGroupAttr(),
            op.getKernelShapeAttr(), op.getPadsAttr(), op.getStridesAttr())
            ->getResult(0);
    if (op.getBias()) {
      Value bias =
          IE::reshapeChannels(rewriter, loc, op.getBias(), rank, /*dim=*/1);
      sums = IE::AddOp::create(rewriter, loc, sums, bias);
    }
    Value inputScale = IE::reshapeTo(rewriter, loc, op.getInputScale(), {});
    Value weightsScale =
        IE::reshapeChannels(rewriter, loc, op.getWeightsScale(), rank,
                            /*dim=*/1);
    Value result = quantizeSums(rewriter, loc, sums, inputScale, weightsScale,
                                op.getOutputScale(), op.getOutputZeroPoint());
    rewriter.replaceOp(
        op, IE::refineTo(rewriter, loc, result, op.getOutput().getType()));
    return success();
  }
};

struct DecomposeQLinearMatMul final : OpRewritePattern<IE::QLinearMatMulOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IE::QLinearMatMulOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value sums = IE::MatMulIntegerOp::create(
                     rewriter, loc, getSumsType(op.getOutput()), op.getLhs(),
                     op.getRhs(), op.getLhsZeroPoint(), op.getRhsZeroPoint())
                     ->getResult(0);
    auto broadcast = [&](Value scale, ArrayRef<int64_t> shape) {
      RankedTensorType type = getTensorType(scale);
      bool isOne = type.hasStaticShape() && type.getNumElements() == 1;
      if (!isOne && type.getRank() > 1) {
        return scale; // of the matrix's rank
      }
      return IE::reshapeTo(rewriter, loc, scale,
                           isOne ? ArrayRef<int64_t>() : shape);
    };
    Value lhsScale = broadcast(op.getLhsScale(), op.getLhsParameterShape());
    Value rhsScale = broadcast(op.getRhsScale(), op.getRhsParameterShape());
    Value result = quantizeSums(rewriter, loc, sums, lhsScale, rhsScale,
                                op.getOutputScale(), op.getOutputZeroPoint());
    rewriter.replaceOp(
        op, IE::refineTo(rewriter, loc, result, op.getOutput().getType()));
    return success();
  }
};

struct DecomposeEinsum final : OpRewritePattern<IE::EinsumOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IE::EinsumOp op,
                                PatternRewriter &rewriter) const override {
    auto hasElements = [](Value value) {
      RankedTensorType type = getTensorType(value);
      return type.hasStaticShape() && type.getNumElements() != 0;
    };
    if (!llvm::all_of(op.getInputs(), hasElements) ||
        !hasElements(op.getOutput())) {
      return rewriter.notifyMatchFailure(op, "needs static shapes of elements");
    }
    FailureOr<IE::EinsumEquation> equation = IE::resolveEinsum(
        op.getLoc(), op.getEquation(), op.getInputs().getTypes());
    if (failed(equation)) {
      return failure();
    }
    EinsumBuilder builder(rewriter, op.getLoc());
    SmallVector<Factor> factors;
    for (auto [input, letters] :
         llvm::zip_equal(op.getInputs(), equation->operands)) {
      factors.push_back(builder.buildFactor(input, letters, equation->sizes));
    }
    Factor product = factors.front();
    for (size_t i = 1; i < factors.size(); ++i) {
      // What the result or a later factor needs is not summed yet.
      SmallVector<int64_t> needed(equation->result);
      for (const Factor &later : ArrayRef(factors).drop_front(i + 1)) {
        llvm::append_range(needed, later.letters);
      }
      product = builder.multiply(product, factors[i], needed);
    }
    product = builder.sumExcept(product, equation->result);
    rewriter.replaceOp(op, builder.transpose(product, equation->result).value);
    return success();
  }
};

struct DecomposeMaxUnpool final : OpRewritePattern<IE::MaxUnpoolOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IE::MaxUnpoolOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = getTensorType(op.getOutput());
    if (!areStatic({op.getInput(), op.getIndices(), op.getOutput()})) {
      return rewriter.notifyMatchFailure(op, "needs static shapes");
    }
    FailureOr<SmallVector<int64_t>> pooled = op.getPooledShape();
    if (failed(pooled)) {
      return failure();
    }
    Location loc = op.getLoc();
    Value zero = IE::buildScalar(rewriter, loc, type.getElementType(), 0);
    auto flatType = RankedTensorType::get({ShapedType::getNumElements(*pooled)},
                                          type.getElementType());
    Value zeros =
        IE::ExpandOp::create(rewriter, loc, TypeRange(flatType), zero,
                             IE::buildInts(rewriter, loc, flatType.getShape()))
            ->getResult(0);
    int64_t count = getTensorType(op.getInput()).getNumElements();
    Value result =
        IE::ScatterElementsOp::create(
            rewriter, loc, TypeRange(flatType), zeros,
            IE::reshapeTo(rewriter, loc, op.getIndices(), count),
            IE::reshapeTo(rewriter, loc, op.getInput(), count),
            rewriter.getI64IntegerAttr(0), rewriter.getStringAttr("none"))
            ->getResult(0);
    result = IE::reshapeTo(rewriter, loc, result, *pooled);
    SmallVector<int64_t> pads(2 * type.getRank(), 0);
    for (auto [i, size] : llvm::enumerate(*pooled)) {
      pads[type.getRank() + i] = type.getDimSize(i) - size;
    }
    if (llvm::any_of(pads, [](int64_t amount) { return amount != 0; })) {
      result = IE::PadOp::create(rewriter, loc, type, result,
                                 IE::buildInts(rewriter, loc, pads), Value(),
                                 Value(), rewriter.getStringAttr("constant"))
                   ->getResult(0);
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// Of very many operands the first few are combined first, then each next few
/// with that: one loop over all of them would take LLVM too long. The order of
/// additions stays.
template <typename OpT> struct SplitManyOperands final : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    constexpr size_t kMostOperands = 32;
    ValueRange operands = op->getOperands();
    if (operands.size() <= kMostOperands) {
      return rewriter.notifyMatchFailure(op, "has few operands");
    }
    Value result = operands.front();
    operands = operands.drop_front();
    while (!operands.empty()) {
      size_t count = std::min(operands.size(), kMostOperands - 1);
      SmallVector<Value> some = {result};
      llvm::append_range(some, operands.take_front(count));
      operands = operands.drop_front(count);
      result =
          operands.empty()
              ? OpT::create(rewriter, op.getLoc(), op->getResultTypes(), some)
                    ->getResult(0)
              : OpT::create(rewriter, op.getLoc(), some)->getResult(0);
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};

} // namespace

/// All of the pass.
static void populateDecomposePatterns(RewritePatternSet &patterns) {
  patterns.add<DecomposeEinsum, DecomposeMaxUnpool, DecomposeQLinearConv,
               DecomposeQLinearMatMul, SplitManyOperands<IE::MaxOp>,
               SplitManyOperands<IE::MinOp>, SplitManyOperands<IE::SumOp>>(
      patterns.getContext());
  IE::populateDecomposeDynamicQuantizationPatterns(patterns);
  IE::populateDecomposeNGramPatterns(patterns);
  IE::populateDecomposeNormalizationPatterns(patterns);
  IE::populateDecomposeRandomPatterns(patterns);
  IE::populateDecomposeRecurrentPatterns(patterns);
  IE::populateDecomposeSignalPatterns(patterns);
}

llvm::DenseSet<OperationName> IE::getDecomposedOps(MLIRContext *context) {
  RewritePatternSet patterns(context);
  populateDecomposePatterns(patterns);
  return getRoots(patterns);
}

void IE::populateDecomposeWholePatterns(RewritePatternSet &patterns) {
  RewritePatternSet all(patterns.getContext());
  populateDecomposePatterns(all);
  for (std::unique_ptr<RewritePattern> &pattern : all.getNativePatterns()) {
    std::optional<OperationName> root = pattern->getRootKind();
    if (root && root->hasTrait<IE::WholeInGraph>()) {
      patterns.add(std::move(pattern));
    }
  }
}

/// Names of ops that the module's architecture wants whole.
static ArrayAttr getKeep(func::FuncOp function) {
  auto module = function->getParentOfType<ModuleOp>();
  return module ? abi::get<abi::Keep>(module) : ArrayAttr();
}

namespace {

struct DecomposePass final : nacre::IE::impl::DecomposeBase<DecomposePass> {
  using DecomposeBase::DecomposeBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateDecomposePatterns(patterns);
    ArrayAttr kept = getKeep(getOperation());
    llvm::erase_if(patterns.getNativePatterns(), [&](const auto &pattern) {
      return staysWhole(*pattern->getRootKind(), kept);
    });
    if (late) {
      // Of images, too, there are means now.
      IE::populateReduceToPoolPatterns(patterns);
    }
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns)))) {
      signalPassFailure();
    }
  }

private:
  bool staysWhole(OperationName name, ArrayAttr kept) const {
    if (!name.hasTrait<IE::WholeInGraph>()) {
      return false;
    }
    return !late ||
           (kept && llvm::is_contained(kept.getAsValueRange<StringAttr>(),
                                       name.stripDialect()));
  }
};

} // namespace
