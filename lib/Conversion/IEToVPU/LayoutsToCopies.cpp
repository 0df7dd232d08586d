//===- LayoutsToCopies.cpp - The convert-layouts-to-copies pass -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes copies and views of the changes of layout that are left between ops of
// the engine and all others. Groups of channels that are blocked by themselves
// are images of their own to a copy, rows and volumes are views, and so are
// matrices.
//
//===----------------------------------------------------------------------===//

#include "MatrixRows.h"
#include "Volume.h"

#include "nacre/Conversion/Passes.h"
#include "nacre/Dialect/IE/IR/IEDialect.h"
#include "nacre/Dialect/IE/Utils/SizeArithmetic.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

namespace nacre {
#define GEN_PASS_DEF_CONVERTLAYOUTSTOCOPIES
#include "nacre/Conversion/Passes.h.inc"
} // namespace nacre

using namespace mlir;
using namespace nacre;
using VPU::DimsOrder;

/// Rows and columns as columns.
static const SmallVector<ReassociationIndices> kRowOfColumns = {
    {0}, {1}, {2, 3}};

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// A value without rows, (N, C, W), as one with a single row, and volumes as
/// images, (N * D, C, H, W); others as they are.
static Value buildImage(OpBuilder &builder, Location loc, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getRank() == 5) {
    return buildVolumeImages(builder, loc, value);
  }
  if (type.getRank() != 3) {
    return value;
  }
  MixedSizes sizes = getImageSizes(builder, loc, value);
  SmallVector<int64_t> shape(type.getShape());
  shape.insert(shape.begin() + 2, 1);
  return tensor::ExpandShapeOp::create(builder, loc, type.clone(shape), value,
                                       kRowOfColumns, sizes);
}

/// The inverse: an image as a value of the shape of `type`.
static Value buildFromImage(OpBuilder &builder, Location loc, Value image,
                            RankedTensorType type) {
  switch (type.getRank()) {
  case 3:
    return tensor::CollapseShapeOp::create(builder, loc, image, kRowOfColumns);
  case 5:
    return buildFromVolumeImages(builder, loc, image, type);
  default:
    return image;
  }
}

/// A value in the shape that an op has, where sizes may be dynamic that were
/// traced to constants, such as those in front of a cast.
static Value buildInShape(OpBuilder &builder, Location loc, Value value,
                          ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(value.getType());
  RankedTensorType wanted = type.clone(shape);
  return type == wanted ? value
                        : tensor::CastOp::create(builder, loc, wanted, value);
}

/// Moves `factor` from the second dimension to the first, or, when inverse, the
/// other way: groups of channels are images of their own.
static Value regroup(OpBuilder &builder, Location loc, Value value,
                     int64_t factor, bool inverse) {
  if (factor == 1) {
    return value;
  }
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> split(type.getShape()), merged(type.getShape());
  MixedSizes sizes = getMixedSizes(builder, loc, value);
  int64_t outer = type.getDimSize(0), inner = type.getDimSize(1);
  bool isKnown = !ShapedType::isDynamic(outer);
  SmallVector<ReassociationIndices> splits = {{0}, {1, 2}};
  SmallVector<ReassociationIndices> merges = {{0, 1}, {2}};
  if (inverse) {
    std::swap(splits, merges);
    sizes[0] = IE::divideSizes(builder, loc, sizes[0],
                               OpFoldResult(builder.getIndexAttr(factor)));
    split[0] = factor;
    split.insert(split.begin(), isKnown ? outer / factor : outer);
    merged[0] = split[0];
    merged[1] = inner * factor;
  } else {
    sizes[1] = builder.getIndexAttr(inner / factor);
    split[1] = inner / factor;
    split.insert(split.begin() + 1, factor);
    merged[0] = isKnown ? outer * factor : outer;
    merged[1] = inner / factor;
  }
  for (int64_t i = 2; i < type.getRank(); ++i) {
    splits.push_back({i + 1});
    merges.push_back({i + 1});
  }
  sizes.insert(sizes.begin() + 1, builder.getIndexAttr(factor));
  Value expanded = tensor::ExpandShapeOp::create(
      builder, loc, type.clone(split), value, splits, sizes);
  return tensor::CollapseShapeOp::create(builder, loc, type.clone(merged),
                                         expanded, merges);
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// True for a copy that pads an image and does nothing else.
static bool isPadding(VPU::CopyOp copy) {
  return copy.isFrom(DimsOrder::NCHWc, DimsOrder::NCHWc) && copy.hasPads() &&
         !copy.getRowOffset();
}

namespace {

/// Replaces changes of layout, each behind those that its operand is made of.
class Lowering {
public:
  explicit Lowering(IRRewriter &rewriter) : rewriter(rewriter) {}

  /// Returns the number of copies that are made of the op.
  int64_t replace(VPU::ToBlockedOp op);
  void replace(VPU::FromBlockedOp op);
  void replace(VPU::ToMatricesOp op);
  void replace(VPU::FromMatricesOp op);

private:
  /// A value of the model with the engine's elements, and the inverse.
  Value buildEngineElements(Location loc, Value value);
  Value buildModelElements(Location loc, Value value, Type element);
  /// A value of the model as images (N, C, H, W) of the engine's elements.
  Value buildImages(Location loc, Value value);
  /// What `op` makes, and `padding` pads where it is not null.
  Value buildBlocked(VPU::ToBlockedOp op, VPU::CopyOp padding);

  IRRewriter &rewriter;
  /// The engine's bytes that bytes of the model are of another sign, and the
  /// images that values of the model are views of: where two layouts meet,
  /// nothing else is between them.
  DenseMap<Value, Value> bytes, images;
};

} // namespace

Value Lowering::buildEngineElements(Location loc, Value value) {
  if (!isByte(getElementTypeOrSelf(value.getType()))) {
    return value;
  }
  Value known = bytes.lookup(value);
  return known ? known : buildBytes(rewriter, loc, value);
}

Value Lowering::buildModelElements(Location loc, Value value, Type element) {
  if (!isByte(element)) {
    return value;
  }
  Value result = buildModelBytes(rewriter, loc, value, element);
  bytes[result] = value;
  return result;
}

Value Lowering::buildImages(Location loc, Value value) {
  Value known = images.lookup(value);
  return known ? known
               : buildImage(rewriter, loc, buildEngineElements(loc, value));
}

Value Lowering::buildBlocked(VPU::ToBlockedOp op, VPU::CopyOp padding) {
  Location loc = padding ? padding.getLoc() : op.getLoc();
  BlockedLayout layout = op.getLayout();
  RankedTensorType type = op.getImage().getType();
  Value source = regroup(rewriter, loc, buildImages(loc, op.getValue()),
                         layout.groups, /*inverse=*/false);
  MixedSizes sizes = getMixedSizes(rewriter, loc, source);
  sizes[1] = rewriter.getIndexAttr(type.getDimSize(1) / layout.groups);
  sizes.push_back(rewriter.getIndexAttr(layout.width));
  SmallVector<int64_t> pads(4, 0);
  if (padding) {
    pads.assign(padding.getPads().begin(), padding.getPads().end());
  }
  for (unsigned i : {0, 1}) {
    AffineExpr padded = rewriter.getAffineDimExpr(0) + pads[i] + pads[i + 2];
    sizes[2 + i] = affine::makeComposedFoldedAffineApply(rewriter, loc, padded,
                                                         {sizes[2 + i]});
  }
  Value init =
      tensor::EmptyOp::create(rewriter, loc, sizes, type.getElementType());
  Value blocked =
      VPU::CopyOp::create(
          rewriter, loc, source, init, DimsOrder::NCHW, DimsOrder::NCHWc, pads,
          padding ? padding.getPadValue().convertToFloat() : 0.0f,
          padding ? padding.getFill() : Value())
          ->getResult(0);
  blocked = regroup(rewriter, loc, blocked, layout.groups, /*inverse=*/true);
  return buildInShape(rewriter, loc, blocked,
                      padding ? padding.getInitType().getShape()
                              : type.getShape());
}

int64_t Lowering::replace(VPU::ToBlockedOp op) {
  // Padding pads while blocking.
  SmallVector<VPU::CopyOp> paddings;
  for (Operation *user : op->getUsers()) {
    auto copy = dyn_cast<VPU::CopyOp>(user);
    if (copy && isPadding(copy)) {
      paddings.push_back(copy);
    }
  }
  auto copies = static_cast<int64_t>(paddings.size());
  for (VPU::CopyOp padding : paddings) {
    Operation *init = padding.getInit().getDefiningOp();
    rewriter.setInsertionPoint(padding);
    rewriter.replaceOp(padding, buildBlocked(op, padding));
    if (init && isOpTriviallyDead(init)) {
      rewriter.eraseOp(init);
    }
  }
  if (op->use_empty()) {
    rewriter.eraseOp(op);
    return copies;
  }
  rewriter.setInsertionPoint(op);
  rewriter.replaceOp(op, buildBlocked(op, VPU::CopyOp()));
  return copies + 1;
}

void Lowering::replace(VPU::FromBlockedOp op) {
  Location loc = op.getLoc();
  BlockedLayout layout = op.getLayout();
  RankedTensorType type = op.getValue().getType();
  rewriter.setInsertionPoint(op);
  Value source = regroup(rewriter, loc, op.getImage(), layout.groups,
                         /*inverse=*/false);
  MixedSizes sizes = getMixedSizes(rewriter, loc, source);
  sizes[1] = rewriter.getIndexAttr(type.getDimSize(1) / layout.groups);
  sizes.pop_back();
  Type element = getElementTypeOrSelf(source.getType());
  Value init = tensor::EmptyOp::create(rewriter, loc, sizes, element);
  Value planes = VPU::CopyOp::create(rewriter, loc, source, init,
                                     DimsOrder::NCHWc, DimsOrder::NCHW)
                     ->getResult(0);
  planes = regroup(rewriter, loc, planes, layout.groups, /*inverse=*/true);
  Value value = buildFromImage(rewriter, loc, planes, type.clone(element));
  value = buildInShape(rewriter, loc, value, type.getShape());
  value = buildModelElements(loc, value, type.getElementType());
  images[value] = planes;
  rewriter.replaceOp(op, value);
}

void Lowering::replace(VPU::ToMatricesOp op) {
  rewriter.setInsertionPoint(op);
  Value value = buildEngineElements(op.getLoc(), op.getValue());
  rewriter.replaceOp(op, buildRowViews(rewriter, op.getLoc(), value,
                                       op.getMatrices().getType()));
}

void Lowering::replace(VPU::FromMatricesOp op) {
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  RankedTensorType type = op.getValue().getType();
  Value value = buildFromRowViews(rewriter, loc, op.getMatrices(),
                                  op.getMixedSizes(), type.getShape());
  rewriter.replaceOp(op, buildModelElements(loc, value, type.getElementType()));
}

namespace {
struct ConvertLayoutsToCopiesPass final
    : nacre::impl::ConvertLayoutsToCopiesBase<ConvertLayoutsToCopiesPass> {
  void runOnOperation() override {
    SmallVector<Operation *> changes;
    getOperation().walk([&](Operation *op) {
      if (isa<VPU::ToBlockedOp, VPU::FromBlockedOp>(op) ||
          isa<VPU::ToMatricesOp, VPU::FromMatricesOp>(op)) {
        changes.push_back(op);
      }
    });
    IRRewriter rewriter(&getContext());
    Lowering lowering(rewriter);
    for (Operation *op : changes) {
      llvm::TypeSwitch<Operation *>(op)
          .Case(
              [&](VPU::ToBlockedOp to) { numBlocked += lowering.replace(to); })
          .Case([&](VPU::FromBlockedOp from) {
            lowering.replace(from);
            ++numUnblocked;
          })
          .Case([&](VPU::ToMatricesOp to) { lowering.replace(to); })
          .Case([&](VPU::FromMatricesOp from) { lowering.replace(from); });
    }
  }
};
} // namespace
