//===- DataMovementFolders.cpp - Folders of data movement -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Removes copies that change nothing and composes consecutive ones.
//
//===----------------------------------------------------------------------===//

#include "Sections.h"

#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"
#include "nacre/Support/TensorTypes.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

/// For ops that can only keep or change the shape: with a static shape kept,
/// they are the identity.
static Value foldSameStaticType(Value input, Value result) {
  RankedTensorType type = getTensorType(input);
  return type == result.getType() && type.hasStaticShape() ? input : Value();
}

//===----------------------------------------------------------------------===//
// Transpose
//===----------------------------------------------------------------------===//

OpFoldResult TransposeOp::fold(FoldAdaptor) {
  bool keepsOrder =
      llvm::equal(getPermutation(),
                  llvm::seq<int64_t>(0, getTensorType(getData()).getRank()));
  return keepsOrder && getData().getType() == getType() ? getData() : Value();
}

namespace {

/// Transpose of Transpose is one Transpose.
struct ComposeTransposes final : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(TransposeOp op,
                                PatternRewriter &rewriter) const override {
    auto producer = op.getData().getDefiningOp<TransposeOp>();
    if (!producer) {
      return rewriter.notifyMatchFailure(op, "operand is not a Transpose");
    }
    SmallVector<int64_t> inner = producer.getPermutation();
    SmallVector<int64_t> composed = op.getPermutation();
    for (int64_t &axis : composed) {
      axis = inner[axis];
    }
    // Two that cancel fold to the operand at once.
    rewriter.replaceOp(op, rewriter.createOrFold<TransposeOp>(
                               op.getLoc(), op.getType(), producer.getData(),
                               rewriter.getDenseI64ArrayAttr(composed)));
    return success();
  }
};

} // namespace

void TransposeOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *context) {
  patterns.add<ComposeTransposes>(context);
}

//===----------------------------------------------------------------------===//
// Concat, Split
//===----------------------------------------------------------------------===//

OpFoldResult ConcatOp::fold(FoldAdaptor) {
  bool single =
      getInputs().size() == 1 && getInputs().front().getType() == getType();
  return single ? getInputs().front() : Value();
}

namespace {

/// Empty inputs contribute nothing; a nested Concat along the same axis
/// contributes its inputs.
struct FlattenConcat final : OpRewritePattern<ConcatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ConcatOp op,
                                PatternRewriter &rewriter) const override {
    int64_t rank = getTensorType(op.getResult()).getRank();
    auto axisOf = [rank](ConcatOp concat) {
      int64_t axis = concat.getAxis();
      return axis < 0 ? axis + rank : axis;
    };
    SmallVector<Value> inputs;
    for (Value input : op.getInputs()) {
      auto nested = input.getDefiningOp<ConcatOp>();
      if (getTensorType(input).getDimSize(axisOf(op)) == 0) {
        continue;
      }
      if (nested && nested->hasOneUse() && axisOf(nested) == axisOf(op)) {
        llvm::append_range(inputs, nested.getInputs());
      } else {
        inputs.push_back(input);
      }
    }
    if (inputs.empty() || llvm::equal(inputs, op.getInputs())) {
      return rewriter.notifyMatchFailure(op, "no empty or nested input");
    }
    rewriter.replaceOpWithNewOp<ConcatOp>(op, op.getType(), inputs,
                                          op.getAxis());
    return success();
  }
};

} // namespace

void ConcatOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<FlattenConcat>(context);
  populateConcatOfSectionsPatterns(patterns);
}

/// True for a Split that gives the parts of a Concat again.
static bool undoes(SplitOp split, ConcatOp concat) {
  int64_t rank = getTensorType(concat.getConcatResult()).getRank();
  auto normalize = [rank](int64_t axis) {
    return axis < 0 ? axis + rank : axis;
  };
  auto axis = normalize(concat.getAxis());
  return normalize(split.getAxis()) == axis &&
         llvm::equal(split.getOutputs().getTypes(),
                     concat.getInputs().getTypes()) &&
         llvm::none_of(concat.getInputs(), [axis](Value part) {
           return getTensorType(part).isDynamicDim(axis);
         });
}

LogicalResult SplitOp::fold(FoldAdaptor,
                            SmallVectorImpl<OpFoldResult> &results) {
  if (auto concat = getInput().getDefiningOp<ConcatOp>();
      concat && undoes(*this, concat)) {
    llvm::append_range(results, concat.getInputs());
    return success();
  }
  if (getNumResults() != 1 || !foldSameStaticType(getInput(), getResult(0))) {
    return failure();
  }
  results.push_back(getInput());
  return success();
}

//===----------------------------------------------------------------------===//
// Slice
//===----------------------------------------------------------------------===//

OpFoldResult SliceOp::fold(FoldAdaptor) {
  // Equal shapes alone do not suffice: a negative step reverses.
  std::optional<SliceSpec> spec = getStaticSpec();
  bool forward = spec && llvm::all_of(spec->strides, [](int64_t stride) {
                   return stride == 1;
                 });
  return forward ? foldSameStaticType(getData(), getOutput()) : Value();
}

namespace {

/// Slice of Slice, both with constant bounds, is one Slice.
struct ComposeSlices final : OpRewritePattern<SliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(SliceOp op,
                                PatternRewriter &rewriter) const override {
    auto producer = op.getData().getDefiningOp<SliceOp>();
    if (!producer) {
      return rewriter.notifyMatchFailure(op, "operand is not a Slice");
    }
    std::optional<SliceSpec> inner = producer.getStaticSpec();
    std::optional<SliceSpec> outer = op.getStaticSpec();
    if (!inner || !outer) {
      return rewriter.notifyMatchFailure(op, "needs constant bounds");
    }
    SliceSpec spec;
    spec.sizes = outer->sizes;
    for (size_t i = 0; i < outer->sizes.size(); ++i) {
      if (outer->sizes[i] == 0) {
        return rewriter.notifyMatchFailure(op, "result is empty");
      }
      spec.offsets.push_back(inner->offsets[i] +
                             inner->strides[i] * outer->offsets[i]);
      spec.strides.push_back(inner->strides[i] * outer->strides[i]);
    }
    Value section = buildSection(rewriter, op.getLoc(), op.getType(),
                                 producer.getData(), spec);
    if (!section) {
      return rewriter.notifyMatchFailure(op, "the result's type is refined");
    }
    rewriter.replaceOp(op, section);
    return success();
  }
};

} // namespace

void SliceOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                          MLIRContext *context) {
  patterns.add<ComposeSlices>(context);
  populateSliceOfConcatPatterns(patterns);
}

//===----------------------------------------------------------------------===//
// Pad, Expand, Tile
//===----------------------------------------------------------------------===//

OpFoldResult PadOp::fold(FoldAdaptor) {
  // Equal shapes alone do not suffice: pads may remove as much as they add.
  std::optional<PadSpec> spec = getStaticSpec();
  auto isZero = [](int64_t amount) { return amount == 0; };
  bool none = spec && llvm::all_of(spec->low, isZero) &&
              llvm::all_of(spec->high, isZero);
  return none && getData().getType() == getType() ? getData() : Value();
}

OpFoldResult ExpandOp::fold(FoldAdaptor) {
  return foldSameStaticType(getInput(), getOutput());
}

OpFoldResult TileOp::fold(FoldAdaptor) {
  return foldSameStaticType(getInput(), getOutput());
}
