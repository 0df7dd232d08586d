//===- Einsum.cpp - Lower Einsum to linalg --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The software kernels of IE.Einsum, where ie-decompose does not replace it:
// with dynamic sizes, or without elements. The operands are
// multiplied one after the other; what no later one needs is summed at once.
// Of two operands that are matrices once they are transposed, the product is
// one of matrices, for the engine.
//
//===----------------------------------------------------------------------===//

#include "Accumulation.h"
#include "Indices.h"

#include "nacre/Dialect/IE/IR/MatMul.h"
#include "nacre/Dialect/IE/Utils/EinsumUtils.h"

using namespace mlir;
using namespace nacre;

namespace {

/// A tensor and the letter of each of its dimensions.
struct Factor {
  Value tensor;
  SmallVector<int64_t> letters;
};

/// Builds kernels over the letters of one equation.
class EinsumEmitter {
public:
  EinsumEmitter(OpBuilder &builder, Location loc, ArrayRef<OpFoldResult> sizes,
                Type accumulatorType)
      : builder(builder), loc(loc), sizes(sizes),
        accumulatorType(accumulatorType) {}

  /// The product of all factors with the letters of `result`, summed over the
  /// others.
  Factor multiply(ArrayRef<Factor> factors, ArrayRef<int64_t> result) const {
    if (std::optional<MatrixLetters> letters = getMatrices(factors, result)) {
      return multiplyMatrices(factors[0], factors[1], *letters, result);
    }
    return accumulate(factors, result);
  }

private:
  /// What the letters of two factors are in a product of matrices: those of
  /// both that the result has, those of the first alone, of the second alone,
  /// and of the sum.
  struct MatrixLetters {
    SmallVector<int64_t> batch, rows, columns, summed;
  };

  /// The letters of a product of floats that, with its operands transposed, is
  /// one of matrices. The engine takes those, and transposing takes less than
  /// a sum along columns does.
  std::optional<MatrixLetters> getMatrices(ArrayRef<Factor> factors,
                                           ArrayRef<int64_t> result) const {
    if (factors.size() != 2 ||
        !(accumulatorType.isF32() || accumulatorType.isF64())) {
      return std::nullopt;
    }
    MatrixLetters letters;
    const Factor &lhs = factors[0], &rhs = factors[1];
    auto isOnce = [](const Factor &factor, int64_t letter) {
      return llvm::count(factor.letters, letter) == 1;
    };
    for (int64_t letter : lhs.letters) {
      bool isNeeded = llvm::is_contained(result, letter);
      bool isShared = llvm::is_contained(rhs.letters, letter);
      if (!isOnce(lhs, letter) || (!isNeeded && !isShared)) {
        return std::nullopt;
      }
      (!isShared  ? letters.rows
       : isNeeded ? letters.batch
                  : letters.summed)
          .push_back(letter);
    }
    for (int64_t letter : rhs.letters) {
      bool isShared = llvm::is_contained(lhs.letters, letter);
      if (!isOnce(rhs, letter) ||
          (!isShared && !llvm::is_contained(result, letter))) {
        return std::nullopt;
      }
      if (!isShared) {
        letters.columns.push_back(letter);
      }
    }
    bool hasRows = letters.batch.empty() ? !letters.rows.empty()
                                         : letters.rows.size() == 1;
    if (!hasRows || letters.columns.size() != 1 || letters.summed.size() != 1) {
      return std::nullopt;
    }
    return letters;
  }

  Factor multiplyMatrices(const Factor &lhs, const Factor &rhs,
                          const MatrixLetters &letters,
                          ArrayRef<int64_t> result) const {
    auto join = [](ArrayRef<int64_t> a, ArrayRef<int64_t> b,
                   ArrayRef<int64_t> c) {
      SmallVector<int64_t> all(a);
      llvm::append_range(all, b);
      llvm::append_range(all, c);
      return all;
    };
    Factor product = accumulate(
        {transpose(lhs, join(letters.batch, letters.rows, letters.summed)),
         transpose(rhs, join(letters.batch, letters.summed, letters.columns))},
        join(letters.batch, letters.rows, letters.columns));
    return transpose(product, result);
  }

  /// The factor with its dimensions in the order of `letters`.
  Factor transpose(const Factor &factor, ArrayRef<int64_t> letters) const {
    if (ArrayRef(factor.letters) == letters) {
      return factor;
    }
    auto permutation = llvm::map_to_vector(letters, [&](int64_t letter) {
      return static_cast<int64_t>(llvm::find(factor.letters, letter) -
                                  factor.letters.begin());
    });
    return {buildTranspose(builder, loc, factor.tensor, permutation),
            SmallVector<int64_t>(letters)};
  }

  Factor accumulate(ArrayRef<Factor> factors, ArrayRef<int64_t> result) const {
    // Loops: the result's letters, then those of the sum.
    SmallVector<int64_t> loops(result);
    for (const Factor &factor : factors) {
      for (int64_t letter : factor.letters) {
        if (!llvm::is_contained(loops, letter)) {
          loops.push_back(letter);
        }
      }
    }
    SmallVector<AffineMap> maps;
    SmallVector<Value> inputs;
    for (const Factor &factor : factors) {
      SmallVector<AffineExpr> exprs;
      inputs.push_back(broadcast(factor, loops, exprs));
      maps.push_back(
          AffineMap::get(loops.size(), 0, exprs, builder.getContext()));
    }
    Sizes shape = select(result);
    SmallVector<AffineExpr> outputs;
    for (size_t i = 0; i < result.size(); ++i) {
      outputs.push_back(builder.getAffineDimExpr(i));
    }
    maps.push_back(
        AffineMap::get(loops.size(), 0, outputs, builder.getContext()));
    Value init = buildFilled(
        builder, loc, RankedTensorType::get(getShape(shape), accumulatorType),
        buildScalar(builder, loc, accumulatorType, 0), shape);
    Value product = buildAccumulation(
        builder, loc, inputs, init, maps, /*isUnsigned=*/false,
        [](const ScalarEmitter &e, Value sum, ValueRange elements) {
          Value term = elements[0];
          for (Value element : elements.drop_front()) {
            term = e.mul(term, element);
          }
          return e.add(sum, term);
        });
    return {product, SmallVector<int64_t>(result)};
  }

  Sizes select(ArrayRef<int64_t> letters) const {
    return llvm::map_to_vector<6>(
        letters, [&](int64_t letter) { return sizes[letter]; });
  }

  /// The factor with `exprs` for its dimensions. Those of dynamic size, which
  /// may broadcast, do so here.
  Value broadcast(const Factor &factor, ArrayRef<int64_t> loops,
                  SmallVectorImpl<AffineExpr> &exprs) const {
    Sizes own = getSizes(builder, loc, factor.tensor), wanted(own);
    for (auto [i, letter] : llvm::enumerate(factor.letters)) {
      bool isOne = getConstantIntValue(own[i]) == 1 &&
                   getConstantIntValue(sizes[letter]) != 1;
      int64_t loop = llvm::find(loops, letter) - loops.begin();
      exprs.push_back(isOne ? builder.getAffineConstantExpr(0)
                            : builder.getAffineDimExpr(loop));
      if (!isOne) {
        wanted[i] = sizes[letter];
      }
    }
    if (llvm::equal(own, wanted, [](OpFoldResult a, OpFoldResult b) {
          return isEqualConstantIntOrValue(a, b);
        })) {
      return factor.tensor;
    }
    auto type = cast<RankedTensorType>(factor.tensor.getType());
    return buildElementwise(
        builder, loc, type.clone(getShape(wanted)), wanted, factor.tensor,
        [](OpBuilder &, Location, ValueRange elements) { return elements[0]; });
  }

  OpBuilder &builder;
  Location loc;
  ArrayRef<OpFoldResult> sizes;
  Type accumulatorType;
};

struct EinsumToLinalg final : OpConversionPattern<IE::EinsumOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::EinsumOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = getRankedType(*getTypeConverter(), op.getOutput());
    Location loc = op.getLoc();
    TracingSizeBuilder tracing(rewriter, loc);
    FailureOr<IE::EinsumEquation> equation =
        IE::resolveEinsum(loc, op.getEquation(), op.getInputs().getTypes());
    FailureOr<Sizes> sizes = op.getLetterSizes(tracing);
    if (failed(sizes)) {
      return failure();
    }
    EinsumEmitter emitter(rewriter, loc, *sizes,
                          getAccumulatorType(type.getElementType()));
    SmallVector<Factor> factors;
    for (auto [input, letters] :
         llvm::zip_equal(adaptor.getInputs(), equation->operands)) {
      factors.push_back({input, letters});
    }
    auto rest = ArrayRef(factors);
    Factor product = rest.consume_front();
    while (rest.size() > 1) {
      const Factor &next = rest.consume_front();
      // What the result or a later factor needs is not summed yet.
      SmallVector<int64_t> kept;
      for (const Factor &factor : {product, next}) {
        for (int64_t letter : factor.letters) {
          bool isNeeded = llvm::is_contained(equation->result, letter) ||
                          llvm::any_of(rest, [&](const Factor &later) {
                            return llvm::is_contained(later.letters, letter);
                          });
          if (isNeeded && !llvm::is_contained(kept, letter)) {
            kept.push_back(letter);
          }
        }
      }
      product = emitter.multiply({product, next}, kept);
    }
    SmallVector<Factor> last = {product};
    llvm::append_range(last, rest);
    Value result = emitter.multiply(last, equation->result).tensor;
    result = buildConverted(rewriter, loc, result, type.getElementType(),
                            /*isUnsigned=*/false);
    getResultSize(rewriter, op); // asserts that the sizes agree
    rewriter.replaceOp(op, buildCast(rewriter, loc, result, type));
    return success();
  }
};

} // namespace

void nacre::populateEinsumToLinalgPatterns(const TypeConverter &converter,
                                           RewritePatternSet &patterns) {
  patterns.add<EinsumToLinalg>(converter, patterns.getContext());
}
