//===- LinalgToVPU.cpp - The convert-linalg-to-vpu pass -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix products of dynamic sizes that convert-ie-to-vpu left: it takes rows
// by a constant matrix alone. The engine's op takes them as matrices (B, M, K)
// and panels (1 or B, P, K, N); a right operand that is not constant is a
// single panel, as it is, or its transpose.
//
//===----------------------------------------------------------------------===//

#include "Conversions.h"

#include "nacre/Conversion/IEToVPU/IEToVPU.h"
#include "nacre/Conversion/Passes.h"
#include "nacre/Dialect/VPU/IR/VPUOps.h"
#include "nacre/Support/MatchFailures.h"
#include "nacre/Support/TensorTypes.h"
#include "nacre/Target/Features.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace nacre {
#define GEN_PASS_DEF_CONVERTLINALGTOVPU
#include "nacre/Conversion/Passes.h.inc"
} // namespace nacre

using namespace mlir;
using namespace nacre;

/// Groups the first `count` of `rank` dimensions, one or more, into one.
static SmallVector<ReassociationIndices> groupFront(int64_t rank,
                                                    int64_t count) {
  SmallVector<ReassociationIndices> groups(1);
  for (int64_t i = 0; i < rank; ++i) {
    if (i >= count) {
      groups.emplace_back();
    }
    groups.back().push_back(i);
  }
  return groups;
}

/// True if the part of a tensor is all of its first `count` dimensions.
static bool isWholeInFront(tensor::ExtractSliceOp slice, int64_t count) {
  if (slice.getType().getRank() != slice.getSourceType().getRank()) {
    return false;
  }
  return llvm::all_of(llvm::seq(count), [&](int64_t dim) {
    FailureOr<bool> isEqual = ValueBoundsConstraintSet::areEqual(
        ValueBoundsConstraintSet::Variable(slice.getMixedSizes()[dim]),
        ValueBoundsConstraintSet::Variable(slice.getSource(), dim));
    return isConstantIntValue(slice.getMixedOffsets()[dim], 0) &&
           isConstantIntValue(slice.getMixedStrides()[dim], 1) &&
           succeeded(isEqual) && *isEqual;
  });
}

static Value collapseFront(OpBuilder &builder, Location loc, Value value,
                           int64_t count);

/// The same part of the tensor with its first `count` dimensions as one. The
/// other way round, who lays out the part would not know that they are
/// contiguous, and copy it.
static Value sliceCollapsed(OpBuilder &builder, Location loc,
                            tensor::ExtractSliceOp slice, int64_t count) {
  Value source = collapseFront(builder, loc, slice.getSource(), count);
  auto merge = [&](SmallVector<OpFoldResult> values, OpFoldResult front) {
    values.erase(values.begin(), values.begin() + count);
    values.insert(values.begin(), front);
    return values;
  };
  return tensor::ExtractSliceOp::create(
      builder, loc, source,
      merge(slice.getMixedOffsets(), builder.getIndexAttr(0)),
      merge(slice.getMixedSizes(),
            tensor::getMixedSize(builder, loc, source, 0)),
      merge(slice.getMixedStrides(), builder.getIndexAttr(1)));
}

/// `value` with its first `count` dimensions as one.
static Value collapseFront(OpBuilder &builder, Location loc, Value value,
                           int64_t count) {
  if (count <= 1) {
    return value;
  }
  auto slice = value.getDefiningOp<tensor::ExtractSliceOp>();
  if (slice && isWholeInFront(slice, count)) {
    return sliceCollapsed(builder, loc, slice, count);
  }
  return tensor::CollapseShapeOp::create(
      builder, loc, value, groupFront(getTensorType(value).getRank(), count));
}

/// `value` with its first dimension as those of `type` with `sizes`.
static Value expandFront(OpBuilder &builder, Location loc, Value value,
                         RankedTensorType type, ArrayRef<OpFoldResult> sizes) {
  int64_t count = type.getRank() - getTensorType(value).getRank() + 1;
  if (count <= 1) {
    return value;
  }
  return tensor::ExpandShapeOp::create(
      builder, loc, type, value, groupFront(type.getRank(), count), sizes);
}

/// `value` with a dimension of size 1 before dimension `position`.
static Value insertUnit(OpBuilder &builder, Location loc, Value value,
                        int64_t position) {
  RankedTensorType type = getTensorType(value);
  SmallVector<int64_t> shape(type.getShape());
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, value);
  shape.insert(shape.begin() + position, 1);
  sizes.insert(sizes.begin() + position, builder.getIndexAttr(1));
  SmallVector<ReassociationIndices> groups;
  for (int64_t i = 0, next = 0; i < type.getRank(); ++i) {
    groups.push_back({next++});
    if (i == position) {
      groups.back().push_back(next++);
    }
  }
  return tensor::ExpandShapeOp::create(builder, loc, type.clone(shape), value,
                                       groups, sizes);
}

/// What has its last two dimensions exchanged to give `value`, else null.
static Value getTransposed(Value value) {
  auto transpose = value.getDefiningOp<linalg::TransposeOp>();
  if (!transpose || getTensorType(value).getRank() < 2) {
    return {};
  }
  SmallVector<int64_t> permutation(transpose.getPermutation());
  std::swap(permutation.back(), permutation[permutation.size() - 2]);
  return llvm::is_sorted(permutation) ? transpose.getInput() : Value();
}

/// True if the results of `map` are these dimensions.
static bool hasDims(AffineMap map, ArrayRef<int64_t> dims) {
  return map.getNumResults() == dims.size() &&
         llvm::all_of(llvm::enumerate(map.getResults()), [&](auto item) {
           auto dim = dyn_cast<AffineDimExpr>(item.value());
           return dim && dim.getPosition() == dims[item.index()];
         });
}

namespace {

struct ContractionToNCE final : OpRewritePattern<linalg::GenericOp> {
  ContractionToNCE(VPU::ArchAttr arch, MLIRContext *context,
                   Pass::Statistic &count)
      : OpRewritePattern(context), arch(arch), count(count) {}

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() ||
        !linalg::isaContractionOpInterface(
            cast<linalg::LinalgOp>(op.getOperation()))) {
      return rewriter.notifyMatchFailure(op,
                                         "is no sum of products of tensors");
    }
    Type element = getTensorType(op.getDpsInits()[0]).getElementType();
    bool isFloat = (element.isF32() || element.isF64()) &&
                   arch.supportsElementType(element);
    auto isElement = [&](Value value) {
      return getTensorType(value).getElementType() == element;
    };
    bool isDynamic = llvm::any_of(op->getOperands(), [](Value value) {
      return !getTensorType(value).hasStaticShape();
    });
    if (!isFloat || !llvm::all_of(op->getOperands(), isElement) || !isDynamic) {
      return rewriter.notifyMatchFailure(
          op, "is not of one type of floats of the engine, or of known size");
    }
    auto fill = op.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
    if (!fill || !matchPattern(fill.getInputs()[0], m_AnyZeroFloat())) {
      return rewriter.notifyMatchFailure(op, "does not start from zero");
    }
    // Loops: the result's dimensions, then the sum.
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    int64_t rank = maps[2].getNumResults();
    SmallVector<int64_t> dims = llvm::to_vector(llvm::seq<int64_t>(0, rank));
    if (rank < 2 || maps[2].getNumDims() != rank + 1 ||
        !hasDims(maps[2], dims)) {
      return rewriter.notifyMatchFailure(op, "has not one dimension to sum");
    }
    SmallVector<int64_t> left(dims), right(dims);
    left.back() = rank;
    right[rank - 2] = rank;
    Value lhs = op.getInputs()[0], rhs = op.getInputs()[1];
    bool isShared = hasDims(maps[1], {rank, rank - 1});
    bool isTransposed = hasDims(maps[1], {rank - 1, rank});
    if (!hasDims(maps[0], left) ||
        !(isShared || isTransposed || hasDims(maps[1], right))) {
      return rewriter.notifyMatchFailure(op, "is no product of matrices");
    }
    Location loc = op.getLoc();
    Value panels;
    // With one right matrix, all dimensions of the left one but the last are
    // its rows.
    bool hasOneRight = isShared || isTransposed;
    if (hasOneRight) {
      panels = buildConstantPanels(rewriter, loc, arch, rhs, isTransposed);
    }
    int64_t depth = getTensorType(lhs).getShape().back();
    bool isShort = !ShapedType::isDynamic(depth) &&
                   depth <= VPU::NCEMatMulOp::kMostTransposedDepth;
    if (!panels && isTransposed && !isShort) {
      return rewriter.notifyMatchFailure(
          op, "the right matrix is transposed, not constant and not known to "
              "have a short reduction");
    }
    bool areTransposed = isTransposed && !panels;
    if (!panels) {
      rhs = getStored(rhs);
      if (Value source = getTransposed(rhs);
          source && isShort && !areTransposed) {
        rhs = getStored(source);
        areTransposed = true;
      }
      rhs = hasOneRight ? insertUnit(rewriter, loc, rhs, 0)
                        : collapseFront(rewriter, loc, rhs, rank - 2);
      panels = insertUnit(rewriter, loc, rhs, 1);
    }
    rewriter.replaceOp(
        op, multiply(rewriter, loc, lhs, panels, areTransposed,
                     fill.getOutputs()[0],
                     /*numFront=*/hasOneRight ? rank - 1 : rank - 2));
    ++count;
    return success();
  }

private:
  /// The floats of 16 bits that `value` extends, where that takes an
  /// instruction or two: kernels do it as they read them, once for the rows of
  /// a tile. That decides nothing: whether a tile does so at each use or once
  /// for all tiles (`bufferWeights`) stands in the kernel's strategy, and a
  /// tensor of f32 before it would have twice the bytes, written and read.
  /// Without such an instruction each use of f16 would take many.
  Value getStored(Value value) const {
    Value narrow = getNarrow(value);
    bool isCheap = narrow && (!getTensorType(narrow).getElementType().isF16() ||
                              extendsHalf(arch.getTriple(), arch.getCpu(),
                                          arch.getFeatures()));
    return isCheap ? narrow : value;
  }

  /// The product in the shape of `init`, whose first `numFront` dimensions are
  /// rows of one matrix, or the batch.
  static Value multiply(OpBuilder &builder, Location loc, Value lhs,
                        Value panels, bool areTransposed, Value init,
                        int64_t numFront) {
    RankedTensorType type = getTensorType(init);
    SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, init);
    Value matrices = collapseFront(builder, loc, lhs, numFront);
    Value flat = collapseFront(builder, loc, init, numFront);
    bool hasOneMatrix = getTensorType(matrices).getRank() == 2;
    if (hasOneMatrix) {
      matrices = insertUnit(builder, loc, matrices, 0);
    }
    SmallVector<OpFoldResult> flatSizes =
        tensor::getMixedSizes(builder, loc, flat);
    if (hasOneMatrix) {
      flatSizes.insert(flatSizes.begin(), builder.getIndexAttr(1));
    }
    Value destination =
        tensor::EmptyOp::create(builder, loc, flatSizes, type.getElementType());
    auto product = VPU::NCEMatMulOp::create(
        builder, loc, destination.getType(), matrices, panels,
        /*offset=*/Value(), /*scale=*/Value(), /*bias=*/Value(),
        /*residual=*/Value(), destination);
    product.setTransposed(areTransposed);
    Value result = product->getResult(0);
    if (hasOneMatrix) {
      result = collapseFront(builder, loc, result, 2);
    }
    return expandFront(builder, loc, result, type, sizes);
  }

  VPU::ArchAttr arch;
  Pass::Statistic &count;
};

struct ConvertLinalgToVPUPass final
    : nacre::impl::ConvertLinalgToVPUBase<ConvertLinalgToVPUPass> {
  using ConvertLinalgToVPUBase::ConvertLinalgToVPUBase;

  void runOnOperation() override {
    VPU::ArchAttr arch = VPU::ArchAttr::require(getOperation());
    if (!arch) {
      return signalPassFailure();
    }
    if (arch.hasFixedFunctionNCE()) {
      return;
    }
    RewritePatternSet patterns(&getContext());
    patterns.add<ContractionToNCE>(arch, &getContext(), numConverted);
    populateConversionPatterns(patterns);
    MatchFailures failures;
    GreedyRewriteConfig config;
    if (report) {
      config.setListener(&failures);
    }
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns),
                                     config))) {
      return signalPassFailure();
    }
    if (report) {
      reportLeft(arch, failures);
    }
  }

private:
  void reportLeft(VPU::ArchAttr arch, const MatchFailures &failures) {
    getOperation()->walk([&](linalg::GenericOp op) {
      std::string reasons = failures.getReasons(op);
      // Those of known sizes are for convert-ie-to-vpu to report.
      bool isStatic = llvm::all_of(op->getOperands(), [](Value value) {
        auto type = dyn_cast<RankedTensorType>(value.getType());
        return type && type.hasStaticShape();
      });
      if (!isStatic &&
          linalg::isaContractionOpInterface(
              cast<linalg::LinalgOp>(op.getOperation())) &&
          !reasons.empty()) {
        op.emitRemark("left to software kernels: the engine of ")
            << arch.getName() << " does not support this form: " << reasons;
      }
    });
  }
};
} // namespace
