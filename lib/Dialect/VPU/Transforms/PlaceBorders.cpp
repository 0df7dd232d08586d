//===- PlaceBorders.cpp - The vpu-place-borders pass ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Borders are filled once for a tile, and by the core that computes what they
// surround. Only buffers show which ops leave them alone.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/VPU/IR/VPUOps.h"
#include "nacre/Dialect/VPU/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace nacre::VPU {
#define GEN_PASS_DEF_PLACEBORDERS
#include "nacre/Dialect/VPU/Transforms/Passes.h.inc"
} // namespace nacre::VPU

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

static constexpr unsigned kRowDim = 2, kColumnDim = 3;

/// Visits the ops other than views that use `buffer` or a view of it, and each
/// with the value that it uses, until `visit` returns false.
static bool
visitUses(Value buffer,
          llvm::function_ref<bool(Operation *user, Value used)> visit) {
  return llvm::all_of(buffer.getUsers(), [&](Operation *user) {
    auto view = dyn_cast<ViewLikeOpInterface>(user);
    return view ? visitUses(view->getResult(0), visit) : visit(user, buffer);
  });
}

/// True if the border may change where `user` uses it, or in what it makes of
/// it.
static bool mayWrite(Operation *user, Value used) {
  return user->hasTrait<OpTrait::IsTerminator>() ||
         llvm::any_of(user->getResultTypes(), llvm::IsaPred<BaseMemRefType>) ||
         mightHaveEffect<MemoryEffects::Write>(user, used);
}

/// True for a part of the image inside the border that `fill` fills.
static bool isInside(FillBorderOp fill, Value part) {
  auto view = part.getDefiningOp<memref::SubViewOp>();
  if (!view) {
    return false;
  }
  if (view.getSource() != fill.getInit()) {
    return isInside(fill, view.getSource());
  }
  ArrayRef<int64_t> pads = fill.getPads(),
                    shape = fill.getInitType().getShape();
  return llvm::all_of(ArrayRef{0, 1}, [&](int i) {
    int64_t offset = view.getStaticOffsets()[kRowDim + i];
    int64_t size = view.getStaticSizes()[kRowDim + i];
    bool isKnown = !ShapedType::isDynamicShape(
        {offset, size, view.getStaticStrides()[kRowDim + i],
         shape[kRowDim + i]});
    return isKnown && view.getStaticStrides()[kRowDim + i] == 1 &&
           offset >= pads[i] &&
           offset + size <= shape[kRowDim + i] - pads[i + 2];
  });
}

/// Moves `fill` before the loop over channels around it, if nothing else there
/// writes to the border. It stays in the loop over rows: what all kernels of a
/// tile use, such as the bounds of a clamp, would stay in registers that the
/// inner loop of one of them needs.
static bool moveOutOfLoop(FillBorderOp fill) {
  auto loop = dyn_cast<scf::ForOp>(fill->getParentOp());
  bool keepsBorder =
      loop && loop.isDefinedOutsideOfLoop(fill.getInit()) &&
      visitUses(fill.getInit(), [&](Operation *user, Value used) {
        return user == fill || !loop->isAncestor(user) ||
               isInside(fill, used) || !mayWrite(user, used);
      });
  if (keepsBorder) {
    fill->moveBefore(loop);
  }
  return keepsBorder;
}

namespace {

/// A loop over clusters whose iterations compute the parts of an image.
struct SharedImage {
  scf::ForallOp loop;
  unsigned dim;
  int64_t size;  // of a part
  int64_t count; // of all parts' rows or blocks
};

} // namespace

/// The loop that computes what `fill` surrounds, before anything reads it.
static std::optional<SharedImage> getSharedImage(FillBorderOp fill) {
  Operation *first = nullptr;
  visitUses(fill.getInit(), [&](Operation *user, Value) {
    Operation *op = fill->getBlock()->findAncestorOpInBlock(*user);
    if (op && op != fill && (!first || op->isBeforeInBlock(first))) {
      first = op;
    }
    return true;
  });
  auto loop = dyn_cast_if_present<scf::ForallOp>(first);
  if (!loop || !fill->isBeforeInBlock(loop) || loop.getRank() != 1 ||
      !getConstantIntValue(loop.getMixedUpperBound()[0]) ||
      getConstantIntValue(loop.getMixedLowerBound()[0]) != 0) {
    return std::nullopt;
  }
  // All that the loop uses of it is a part of the image inside.
  memref::SubViewOp part;
  bool isOnePart = visitUses(fill.getInit(), [&](Operation *user, Value used) {
    if (!loop->isAncestor(user)) {
      return true;
    }
    auto view = used.getDefiningOp<memref::SubViewOp>();
    while (view && view->getParentOp() != loop) {
      view = view.getSource().getDefiningOp<memref::SubViewOp>();
    }
    bool isSame = view && (!part || part == view);
    part = view;
    return isSame;
  });
  auto image = isOnePart && part && isInside(fill, part)
                   ? part.getSource().getDefiningOp<memref::SubViewOp>()
                   : memref::SubViewOp();
  if (!image || image.getSource() != fill.getInit() ||
      image.getType().getRank() != part.getType().getRank() ||
      ShapedType::isDynamicShape(part.getStaticSizes())) {
    return std::nullopt;
  }
  // It is cut along one dimension, and everything else of it is there.
  std::optional<unsigned> dim;
  ArrayRef<int64_t> pads = fill.getPads(),
                    shape = fill.getInitType().getShape();
  for (auto [d, offset] : llvm::enumerate(part.getMixedOffsets())) {
    int64_t border = d == kRowDim || d == kColumnDim
                         ? pads[d - kRowDim] + pads[d - kRowDim + 2]
                         : 0;
    bool isAll = image.getStaticSizes()[d] + border == shape[d];
    if (offset == OpFoldResult(loop.getInductionVar(0)) && !dim && isAll) {
      dim = d;
    } else if (!isAll || getConstantIntValue(offset) != 0 ||
               part.getStaticSizes()[d] != image.getStaticSizes()[d]) {
      return std::nullopt;
    }
  }
  int64_t count = *getConstantIntValue(loop.getMixedUpperBound()[0]);
  if (!dim || *dim > kRowDim || count != image.getStaticSizes()[*dim] ||
      getConstantIntValue(loop.getMixedStep()[0]) !=
          part.getStaticSizes()[*dim]) {
    return std::nullopt;
  }
  return SharedImage{loop, *dim, part.getStaticSizes()[*dim], count};
}

/// Lets each iteration fill the border of its own part of the image.
static void share(FillBorderOp fill, const SharedImage &image) {
  scf::ForallOp loop = image.loop;
  Location loc = fill.getLoc();
  OpBuilder builder = OpBuilder::atBlockBegin(loop.getBody());
  Value position = loop.getInductionVar(0);
  ArrayRef<int64_t> pads = fill.getPads(),
                    shape = fill.getInitType().getShape();
  SmallVector<OpFoldResult> ones(shape.size(), builder.getIndexAttr(1));
  // Fills `pads` of the `size` rows, blocks or images from `offset` on.
  auto fillPart = [&](OpFoldResult offset, int64_t size,
                      ArrayRef<int64_t> pads) {
    SmallVector<OpFoldResult> offsets(shape.size(), builder.getIndexAttr(0));
    SmallVector<OpFoldResult> sizes =
        getAsIndexOpFoldResult(builder.getContext(), shape);
    offsets[image.dim] = offset;
    sizes[image.dim] = builder.getIndexAttr(size);
    Value part = memref::SubViewOp::create(builder, loc, fill.getInit(),
                                           offsets, sizes, ones);
    FillBorderOp::create(builder, loc, TypeRange(), part, pads,
                         fill.getPadValue());
  };
  if (image.dim != kRowDim) {
    fillPart(position, image.size, pads);
    fill.erase();
    return;
  }
  AffineExpr d0 = builder.getAffineDimExpr(0);
  fillPart(affine::makeComposedFoldedAffineApply(builder, loc, d0 + pads[0],
                                                 {position}),
           image.size, {0, pads[1], 0, pads[3]});
  // Rows above the first part and below the last.
  auto fillRowsAt = [&](int64_t part, int64_t row, int64_t rows) {
    if (rows == 0) {
      return;
    }
    OpBuilder::InsertionGuard guard(builder);
    Value isPart = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::eq, position,
        arith::ConstantIndexOp::create(builder, loc, part));
    auto only = scf::IfOp::create(builder, loc, isPart);
    builder.setInsertionPointToStart(only.thenBlock());
    fillPart(builder.getIndexAttr(row), rows, {rows, 0, 0, 0});
  };
  fillRowsAt(0, 0, pads[0]);
  fillRowsAt(image.count - image.size, shape[kRowDim] - pads[2], pads[2]);
  fill.erase();
}

namespace {
struct PlaceBordersPass final : VPU::impl::PlaceBordersBase<PlaceBordersPass> {
  void runOnOperation() override {
    SmallVector<FillBorderOp> fills;
    getOperation()->walk([&](FillBorderOp fill) {
      if (isa<MemRefType>(fill.getInit().getType())) {
        fills.push_back(fill);
      }
    });
    for (FillBorderOp fill : fills) {
      if (moveOutOfLoop(fill)) {
        ++numHoisted;
      }
      if (std::optional<SharedImage> image = getSharedImage(fill)) {
        share(fill, *image);
        ++numShared;
      }
    }
  }
};
} // namespace
