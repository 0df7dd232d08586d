//===- ContiguousBuffers.cpp - Elements one after the other ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A part of a buffer of dynamic size has a type that says nothing about its
// strides. They are those of the buffer, and where the part has all of an inner
// dimension, the next outer one goes on behind it, also seen with dimensions of
// size 1 between them.
//
//===----------------------------------------------------------------------===//

#include "ContiguousBuffers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace nacre;

/// The size of a dimension: a number, or the value that `buffer` was made with,
/// which is null where it is not at hand.
static OpFoldResult getSize(Value buffer, unsigned dim) {
  auto type = cast<MemRefType>(buffer.getType());
  if (!type.isDynamicDim(dim)) {
    return Builder(type.getContext()).getIndexAttr(type.getDimSize(dim));
  }
  Operation *op = buffer.getDefiningOp();
  if (auto cast = dyn_cast_or_null<memref::ReinterpretCastOp>(op)) {
    return cast.getMixedSizes()[dim];
  }
  if (auto expand = dyn_cast_or_null<memref::ExpandShapeOp>(op)) {
    return expand.getMixedOutputShape()[dim];
  }
  if (auto alloc = dyn_cast_or_null<memref::AllocOp>(op)) {
    return alloc.getMixedSizes()[dim];
  }
  if (auto view = dyn_cast_or_null<memref::ViewOp>(op)) {
    return view.getSizes()[type.getDynamicDimIndex(dim)];
  }
  if (auto subview = dyn_cast_or_null<memref::SubViewOp>(op)) {
    return subview.getType().getRank() == subview.getSourceType().getRank()
               ? subview.getMixedSizes()[dim]
               : OpFoldResult();
  }
  return {};
}

/// What a size is, if it is that of a buffer.
static OpFoldResult getOrigin(OpFoldResult size) {
  auto value = dyn_cast<Value>(size);
  auto dim = value ? value.getDefiningOp<memref::DimOp>() : memref::DimOp();
  std::optional<int64_t> index =
      dim ? dim.getConstantIndex() : std::optional<int64_t>();
  auto type =
      dim ? dyn_cast<MemRefType>(dim.getSource().getType()) : MemRefType();
  // An index past the rank is an error of the run alone.
  bool isInside = index && type && *index >= 0 && *index < type.getRank();
  OpFoldResult origin =
      isInside ? getSize(dim.getSource(), *index) : OpFoldResult();
  return origin ? origin : size;
}

/// The part of a buffer that `buffer` is, if it has all of its dimensions.
static memref::SubViewOp getPart(Value buffer) {
  auto subview = buffer.getDefiningOp<memref::SubViewOp>();
  return subview && subview.getType().getRank() ==
                        subview.getSourceType().getRank()
             ? subview
             : memref::SubViewOp();
}

/// True where a part has all of dimension `dim`.
static bool hasAll(memref::SubViewOp part, unsigned dim) {
  OpFoldResult size = part.getMixedSizes()[dim];
  OpFoldResult all = getSize(part.getSource(), dim);
  return all && isEqualConstantIntOrValue(getOrigin(size), getOrigin(all)) &&
         isConstantIntValue(part.getMixedOffsets()[dim], 0) &&
         isConstantIntValue(part.getMixedStrides()[dim], 1);
}

/// True where the type of a buffer says so, and what the strides are then: of a
/// group with dimensions of size 1 in front they may be those of any.
static bool isCollapsibleType(MemRefType type,
                              ArrayRef<ReassociationIndices> groups) {
  if (type.getLayout().isIdentity()) {
    return true;
  }
  if (!memref::CollapseShapeOp::isGuaranteedCollapsible(type, groups)) {
    return false;
  }
  MemRefType collapsed =
      memref::CollapseShapeOp::computeCollapsedType(type, groups);
  auto [strides, offset] = collapsed.getStridesAndOffset();
  return llvm::all_of(llvm::zip_equal(groups, strides), [](auto item) {
    auto [group, stride] = item;
    return group.size() == 1 || !ShapedType::isDynamic(stride);
  });
}

namespace {

/// What collapsing an expanded buffer is: to collapse what it was expanded
/// from, and to expand that.
struct Regrouping {
  SmallVector<ReassociationIndices> collapsed;
  /// The groups that each dimension of it becomes.
  SmallVector<ReassociationIndices> expanded;
};

} // namespace

/// How to collapse `expand`; nothing where a group has a part of a dimension
/// that was expanded, and of another one.
static std::optional<Regrouping>
regroup(memref::ExpandShapeOp expand, ArrayRef<ReassociationIndices> groups) {
  Regrouping result;
  int64_t group = 0, end = groups.size();
  ReassociationIndices open; // dimensions that one group has together
  for (auto [dim, own] : llvm::enumerate(expand.getReassociationIndices())) {
    open.push_back(static_cast<int64_t>(dim));
    if (groups[group].back() > own.back()) {
      continue;
    }
    ReassociationIndices parts;
    while (group < end && groups[group].back() <= own.back()) {
      parts.push_back(group++);
    }
    bool endsHere = groups[parts.back()].back() == own.back();
    if (!endsHere || (open.size() > 1 && parts.size() > 1)) {
      return std::nullopt;
    }
    result.collapsed.push_back(std::exchange(open, {}));
    result.expanded.push_back(parts);
  }
  return group == end ? std::optional(result) : std::nullopt;
}

bool nacre::isCollapsible(Value buffer, ArrayRef<ReassociationIndices> groups) {
  auto type = cast<MemRefType>(buffer.getType());
  if (static_cast<int64_t>(groups.size()) == type.getRank() ||
      isCollapsibleType(type, groups)) {
    return true;
  }
  if (auto expand = buffer.getDefiningOp<memref::ExpandShapeOp>()) {
    std::optional<Regrouping> regrouping = regroup(expand, groups);
    return regrouping && isCollapsible(expand.getSrc(), regrouping->collapsed);
  }
  memref::SubViewOp part = getPart(buffer);
  return part && isCollapsible(part.getSource(), groups) &&
         llvm::all_of(groups, [&](const ReassociationIndices &group) {
           return group.size() == 1 ||
                  (isConstantIntValue(part.getMixedStrides()[group.front()],
                                      1) &&
                   llvm::all_of(ArrayRef(group).drop_front(), [&](int64_t dim) {
                     return hasAll(part, dim);
                   }));
         });
}

static OpFoldResult multiply(OpBuilder &builder, Location loc, OpFoldResult a,
                             OpFoldResult b) {
  std::optional<int64_t> left = getConstantIntValue(a);
  std::optional<int64_t> right = getConstantIntValue(b);
  if (left && right) {
    return builder.getIndexAttr(*left * *right);
  }
  if (left == 1 || right == 0) {
    return b;
  }
  if (right == 1 || left == 0) {
    return a;
  }
  return arith::MulIOp::create(builder, loc,
                               getValueOrCreateConstantIndexOp(builder, loc, a),
                               getValueOrCreateConstantIndexOp(builder, loc, b))
      .getResult();
}

Value nacre::collapseBuffer(OpBuilder &builder, Value buffer,
                            ArrayRef<ReassociationIndices> groups) {
  auto type = cast<MemRefType>(buffer.getType());
  if (static_cast<int64_t>(groups.size()) == type.getRank()) {
    return buffer;
  }
  Location loc = buffer.getLoc();
  if (isCollapsibleType(type, groups)) {
    return memref::CollapseShapeOp::create(builder, loc, buffer, groups);
  }
  if (auto expand = buffer.getDefiningOp<memref::ExpandShapeOp>()) {
    Regrouping regrouping = *regroup(expand, groups);
    Value source =
        collapseBuffer(builder, expand.getSrc(), regrouping.collapsed);
    if (regrouping.expanded.size() == groups.size()) {
      return source;
    }
    SmallVector<OpFoldResult> sizes;
    for (const ReassociationIndices &group : groups) {
      OpFoldResult size = builder.getIndexAttr(1);
      for (int64_t dim : group) {
        size = multiply(builder, loc, size, expand.getMixedOutputShape()[dim]);
      }
      sizes.push_back(size);
    }
    auto [shape, open] = decomposeMixedValues(sizes);
    return memref::ExpandShapeOp::create(builder, loc, shape, source,
                                         regrouping.expanded, sizes);
  }
  // The same part of the collapsed buffer.
  memref::SubViewOp subview = getPart(buffer);
  Value source = collapseBuffer(builder, subview.getSource(), groups);
  SmallVector<OpFoldResult> offsets, sizes;
  for (const ReassociationIndices &group : groups) {
    OpFoldResult offset = subview.getMixedOffsets()[group.front()];
    OpFoldResult size = subview.getMixedSizes()[group.front()];
    for (int64_t dim : ArrayRef(group).drop_front()) {
      OpFoldResult inner = subview.getMixedSizes()[dim];
      offset = multiply(builder, loc, offset, inner);
      size = multiply(builder, loc, size, inner);
    }
    offsets.push_back(offset);
    sizes.push_back(size);
  }
  SmallVector<OpFoldResult> strides(groups.size(), builder.getIndexAttr(1));
  for (auto [stride, group] : llvm::zip_equal(strides, groups)) {
    stride = subview.getMixedStrides()[group.back()];
  }
  return memref::SubViewOp::create(builder, loc, source, offsets, sizes,
                                   strides);
}
