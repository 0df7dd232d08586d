//===- Sections.cpp - Rewrites of sections of tensors ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Frameworks cut tensors that they have just joined, join what they have just
// cut, and pick rows by lists of constant numbers. Elements are only moved, so
// results are the same to the bit.
//
//===----------------------------------------------------------------------===//

#include "Sections.h"

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/IR/Indexing.h"
#include "nacre/Dialect/IE/IR/Shape.h"
#include "nacre/Dialect/IE/Utils/Builders.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"
#include "nacre/Support/TensorTypes.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

static int64_t normalizeAxis(int64_t axis, RankedTensorType type) {
  return axis < 0 ? axis + type.getRank() : axis;
}

Value IE::buildSection(OpBuilder &builder, Location loc, RankedTensorType type,
                       Value source, const SliceSpec &spec) {
  SmallVector<int64_t> starts, ends, axes, steps;
  for (auto [axis, dim] : llvm::enumerate(getTensorType(source).getShape())) {
    int64_t start = spec.offsets[axis], step = spec.strides[axis];
    if (start == 0 && step == 1 && spec.sizes[axis] == dim) {
      continue;
    }
    int64_t last = start + step * (spec.sizes[axis] - 1);
    starts.push_back(start);
    // Before element 0 there is no position that a negative end can name:
    // anything below -size clamps to it.
    ends.push_back(step > 0    ? last + 1
                   : last == 0 ? std::numeric_limits<int64_t>::min()
                               : last - 1);
    axes.push_back(static_cast<int64_t>(axis));
    steps.push_back(step);
  }
  if (axes.empty()) {
    return source.getType() == type ? source : Value();
  }
  return SliceOp::create(
      builder, loc, type, source, buildInts(builder, loc, starts),
      buildInts(builder, loc, ends), buildInts(builder, loc, axes),
      buildInts(builder, loc, steps));
}

/// The section that a Slice with constant bounds takes of dimensions of known
/// size; nothing where it cuts another.
static std::optional<SliceSpec> getSpec(SliceOp op) {
  RankedTensorType type = getTensorType(op.getData());
  auto starts = getConstantInts(op.getStarts()),
       ends = getConstantInts(op.getEnds()),
       axes = getConstantInts(op.getAxes()),
       steps = getConstantInts(op.getSteps());
  if (!starts || !ends || (op.getAxes() && !axes) ||
      (op.getSteps() && !steps)) {
    return std::nullopt;
  }
  if (!axes) {
    axes = llvm::to_vector(
        llvm::seq<int64_t>(0, static_cast<int64_t>(starts->size())));
  }
  if (llvm::any_of(*axes, [&](int64_t axis) {
        return type.isDynamicDim(normalizeAxis(axis, type));
      })) {
    return std::nullopt;
  }
  std::optional<ArrayRef<int64_t>> strides;
  if (steps) {
    strides = *steps;
  }
  FailureOr<SliceSpec> spec =
      resolveSlice(std::nullopt, type.getShape(), *starts, *ends,
                   ArrayRef<int64_t>(*axes), strides);
  return succeeded(spec) ? std::optional<SliceSpec>(*spec) : std::nullopt;
}

/// All of a tensor.
static SliceSpec getWhole(RankedTensorType type) {
  SliceSpec spec;
  spec.offsets.assign(type.getRank(), 0);
  spec.sizes.assign(type.getShape().begin(), type.getShape().end());
  spec.strides.assign(type.getRank(), 1);
  return spec;
}

/// True where two tensors are of one size but for `axis`, as types say.
static bool agreeExceptAlong(int64_t axis, ArrayRef<int64_t> a,
                             ArrayRef<int64_t> b) {
  return a.take_front(axis) == b.take_front(axis) &&
         a.drop_front(axis + 1) == b.drop_front(axis + 1);
}

//===----------------------------------------------------------------------===//
// Slice of Concat
//===----------------------------------------------------------------------===//

namespace {

/// A section of one part of a Concat is one of that part. A section over
/// several is a Concat of sections of these, where others need not be computed
/// for it.
struct SliceOfConcat final : OpRewritePattern<SliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(SliceOp op,
                                PatternRewriter &rewriter) const override {
    auto concat = op.getData().getDefiningOp<ConcatOp>();
    std::optional<SliceSpec> spec = concat ? getSpec(op) : std::nullopt;
    if (!spec) {
      return rewriter.notifyMatchFailure(
          op, "not constant bounds of sizes that a Concat knows");
    }
    RankedTensorType joined = getTensorType(concat.getConcatResult());
    int64_t axis = normalizeAxis(concat.getAxis(), joined);
    if (spec->sizes[axis] == 0 || joined.isDynamicDim(axis) ||
        llvm::any_of(concat.getInputs(), [&](Value part) {
          RankedTensorType type = getTensorType(part);
          return type.isDynamicDim(axis) ||
                 !agreeExceptAlong(axis, type.getShape(), joined.getShape());
        })) {
      return rewriter.notifyMatchFailure(
          op, "empty, or a part is not known well enough");
    }
    SmallVector<Piece> pieces = findPieces(concat, axis, *spec);
    if (pieces.size() > 1 &&
        (!concat->hasOneUse() || std::abs(spec->strides[axis]) != 1 ||
         pieces.size() == concat.getInputs().size())) {
      return rewriter.notifyMatchFailure(
          op, "the section needs every part, or others need the Concat");
    }
    return replace(op, pieces, axis, rewriter);
  }

private:
  struct Piece {
    Value part;
    SliceSpec spec;
  };

  /// What the section takes of each part, in the order of its elements.
  static SmallVector<Piece> findPieces(ConcatOp concat, int64_t axis,
                                       const SliceSpec &spec) {
    int64_t step = spec.strides[axis];
    int64_t first = spec.offsets[axis];
    int64_t last = first + step * (spec.sizes[axis] - 1);
    SmallVector<Piece> pieces;
    int64_t begin = 0;
    for (Value part : concat.getInputs()) {
      int64_t size = getTensorType(part).getDimSize(axis);
      int64_t low = std::max(std::min(first, last), begin);
      int64_t high = std::min(std::max(first, last), begin + size - 1);
      if (low <= high) {
        Piece piece{part, spec};
        piece.spec.offsets[axis] = (step > 0 ? low : high) - begin;
        piece.spec.sizes[axis] = (high - low) / std::abs(step) + 1;
        pieces.push_back(std::move(piece));
      }
      begin += size;
    }
    if (step < 0) {
      std::reverse(pieces.begin(), pieces.end());
    }
    return pieces;
  }

  static LogicalResult replace(SliceOp op, ArrayRef<Piece> pieces, int64_t axis,
                               PatternRewriter &rewriter) {
    RankedTensorType type = getTensorType(op.getOutput());
    SmallVector<Value> sections;
    for (const Piece &piece : pieces) {
      RankedTensorType own =
          pieces.size() == 1 ? type
                             : type.clone(ArrayRef<int64_t>(piece.spec.sizes));
      Value section =
          buildSection(rewriter, op.getLoc(), own, piece.part, piece.spec);
      if (!section) {
        return rewriter.notifyMatchFailure(op, "the result's type is refined");
      }
      sections.push_back(section);
    }
    if (sections.size() == 1) {
      rewriter.replaceOp(op, sections.front());
    } else {
      rewriter.replaceOpWithNewOp<ConcatOp>(op, type, sections, axis);
    }
    return success();
  }
};

} // namespace

void IE::populateSliceOfConcatPatterns(RewritePatternSet &patterns) {
  patterns.add<SliceOfConcat>(patterns.getContext());
}

//===----------------------------------------------------------------------===//
// Concat of sections
//===----------------------------------------------------------------------===//

namespace {

/// A section of a tensor, of elements side by side along the axis of a Concat.
struct Section {
  Value source;
  SliceSpec spec;

  /// What a Slice or a Split takes; of any other value all of it.
  static Section of(Value value, int64_t axis) {
    if (auto slice = value.getDefiningOp<SliceOp>()) {
      std::optional<SliceSpec> spec = getSpec(slice);
      if (spec && spec->strides[axis] == 1) {
        return {slice.getData(), *spec};
      }
    }
    if (auto split = value.getDefiningOp<SplitOp>()) {
      RankedTensorType type = getTensorType(split.getInput());
      if (normalizeAxis(split.getAxis(), type) == axis &&
          type.hasStaticShape()) {
        Section section{split.getInput(), getWhole(type)};
        auto number = cast<OpResult>(value).getResultNumber();
        for (Value before : split.getOutputs().take_front(number)) {
          section.spec.offsets[axis] += getTensorType(before).getDimSize(axis);
        }
        section.spec.sizes[axis] = getTensorType(value).getDimSize(axis);
        return section;
      }
    }
    return {value, getWhole(getTensorType(value))};
  }

  /// Appends a section that begins where this one ends.
  bool append(const Section &next, int64_t axis) {
    int64_t end = spec.offsets[axis] + spec.sizes[axis];
    if (source != next.source || next.spec.offsets[axis] != end ||
        !agreeExceptAlong(axis, spec.offsets, next.spec.offsets) ||
        !agreeExceptAlong(axis, spec.sizes, next.spec.sizes) ||
        spec.strides != next.spec.strides) {
      return false;
    }
    spec.sizes[axis] += next.spec.sizes[axis];
    return true;
  }
};

/// Sections that lie side by side in one tensor are one section of it.
struct ConcatOfSections final : OpRewritePattern<ConcatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ConcatOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = getTensorType(op.getConcatResult());
    int64_t axis = normalizeAxis(op.getAxis(), type);
    if (llvm::any_of(op.getInputs(), [&](Value input) {
          return getTensorType(input).isDynamicDim(axis);
        })) {
      return rewriter.notifyMatchFailure(op, "a size along the axis is open");
    }
    // Each with one of the values that it consists of.
    SmallVector<std::pair<Section, Value>> sections;
    for (Value input : op.getInputs()) {
      Section section = Section::of(input, axis);
      if (!sections.empty() && sections.back().first.append(section, axis)) {
        sections.back().second = {};
      } else {
        sections.emplace_back(std::move(section), input);
      }
    }
    if (sections.size() == op.getInputs().size()) {
      return rewriter.notifyMatchFailure(op, "no two sections are neighbours");
    }
    SmallVector<Value> inputs;
    for (auto &[section, input] : sections) {
      RankedTensorType own =
          sections.size() == 1
              ? type
              : type.clone(ArrayRef<int64_t>(section.spec.sizes));
      Value joined = input ? input
                           : buildSection(rewriter, op.getLoc(), own,
                                          section.source, section.spec);
      if (!joined) {
        return rewriter.notifyMatchFailure(op, "the result's type is refined");
      }
      inputs.push_back(joined);
    }
    if (inputs.size() == 1) {
      rewriter.replaceOp(op, inputs.front());
    } else {
      rewriter.replaceOpWithNewOp<ConcatOp>(op, type, inputs, axis);
    }
    return success();
  }
};

} // namespace

void IE::populateConcatOfSectionsPatterns(RewritePatternSet &patterns) {
  patterns.add<ConcatOfSections>(patterns.getContext());
}

//===----------------------------------------------------------------------===//
// Gather of evenly spaced indices
//===----------------------------------------------------------------------===//

/// What the indices take of a dimension of `size` elements: offset, size,
/// stride; nothing where they are not evenly spaced, or out of range.
static std::optional<std::array<int64_t, 3>>
getEvenSpacing(ArrayRef<int64_t> indices, int64_t size) {
  if (indices.empty()) {
    return std::nullopt;
  }
  auto at = [&](size_t i) {
    return indices[i] < 0 ? indices[i] + size : indices[i];
  };
  int64_t step = indices.size() > 1 ? at(1) - at(0) : 1;
  for (size_t i = 0; i < indices.size(); ++i) {
    if (at(i) < 0 || at(i) >= size || (i > 0 && at(i) - at(i - 1) != step)) {
      return std::nullopt;
    }
  }
  if (step == 0) {
    return std::nullopt;
  }
  return std::array{at(0), static_cast<int64_t>(indices.size()), step};
}

namespace {

/// Picking rows by constant numbers side by side, or evenly spaced, is a Slice.
/// Vectors are left: shapes are computed on them, which is followed through a
/// Gather as well.
struct GatherSection final : OpRewritePattern<GatherOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(GatherOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType data = getTensorType(op.getData());
    RankedTensorType type = getTensorType(op.getOutput());
    RankedTensorType list = getTensorType(op.getIndices());
    int64_t axis = normalizeAxis(op.getAxis(), data);
    std::optional<SmallVector<int64_t>> indices =
        getConstantInts(op.getIndices());
    if (!indices || list.getRank() > 1 || data.getRank() < 2 ||
        data.isDynamicDim(axis) || !data.getElementType().isIntOrFloat()) {
      return rewriter.notifyMatchFailure(
          op, "no list of constants for rows of numbers of a known count");
    }
    auto spacing = getEvenSpacing(*indices, data.getDimSize(axis));
    if (!spacing) {
      return rewriter.notifyMatchFailure(op, "not evenly spaced, in range");
    }
    SliceSpec spec = getWhole(data);
    std::tie(spec.offsets[axis], spec.sizes[axis], spec.strides[axis]) =
        std::tuple_cat(*spacing);
    Location loc = op.getLoc();
    bool isScalar = list.getRank() == 0;
    RankedTensorType own =
        isScalar ? data.clone(ArrayRef<int64_t>(spec.sizes)) : type;
    Value section = buildSection(rewriter, loc, own, op.getData(), spec);
    if (!section) {
      return rewriter.notifyMatchFailure(op, "the result's type is refined");
    }
    if (isScalar) {
      section = SqueezeOp::create(rewriter, loc, type, section,
                                  buildInts(rewriter, loc, axis));
    }
    rewriter.replaceOp(op, section);
    return success();
  }
};

} // namespace

void IE::populateGatherSectionPatterns(RewritePatternSet &patterns) {
  patterns.add<GatherSection>(patterns.getContext());
}
