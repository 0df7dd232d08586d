//===- KnownInts.cpp - What is known of computed shapes -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows the elements of shapes to constants and to dimensions that types
// know.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/Utils/KnownInts.h"

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/Indexing.h"
#include "nacre/Dialect/IE/IR/Shape.h"
#include "nacre/Dialect/IE/Utils/SectionUtils.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

using Ints = std::optional<SmallVector<int64_t>>;

// Models compute shapes in few steps; a longer chain is something else.
static constexpr unsigned kMaxDepth = 16;

static Ints trace(Value value, unsigned depth);

static Ints traceOp(ShapeOp op, unsigned) {
  auto type = dyn_cast<RankedTensorType>(op.getData().getType());
  if (!type) {
    return std::nullopt;
  }
  auto [start, size] = op.getBounds();
  return SmallVector<int64_t>(type.getShape().slice(start, size));
}

static Ints traceOp(ConcatOp op, unsigned depth) {
  SmallVector<int64_t> all;
  for (Value input : op.getInputs()) {
    Ints part = trace(input, depth);
    if (!part) {
      return std::nullopt;
    }
    llvm::append_range(all, *part);
  }
  return all;
}

static Ints traceOp(GatherOp op, unsigned depth) {
  Ints data = trace(op.getData(), depth);
  Ints indices = getConstantInts(op.getIndices());
  if (!data || !indices) {
    return std::nullopt;
  }
  auto size = static_cast<int64_t>(data->size());
  SmallVector<int64_t> taken;
  for (int64_t index : *indices) {
    index += index < 0 ? size : 0;
    if (index < 0 || index >= size) {
      return std::nullopt;
    }
    taken.push_back((*data)[index]);
  }
  return taken;
}

static Ints traceOp(SliceOp op, unsigned depth) {
  Ints data = trace(op.getData(), depth);
  std::optional<SliceSpec> spec = op.getStaticSpec();
  if (!data || !spec || spec->offsets.size() != 1 ||
      ShapedType::isDynamic(spec->sizes[0])) {
    return std::nullopt;
  }
  SmallVector<int64_t> taken;
  for (int64_t i = 0; i < spec->sizes[0]; ++i) {
    taken.push_back((*data)[spec->offsets[0] + i * spec->strides[0]]);
  }
  return taken;
}

static Ints traceOp(SizeOp op, unsigned) {
  auto type = dyn_cast<RankedTensorType>(op.getData().getType());
  if (!type || !type.hasStaticShape()) {
    return std::nullopt;
  }
  return SmallVector<int64_t>(1, type.getNumElements());
}

static Ints traceOp(CastOp op, unsigned depth) {
  Type type = getElementTypeOrSelf(op.getType());
  Ints ints = trace(op.getInput(), depth);
  if (!ints || !(type.isSignlessInteger(32) || type.isSignlessInteger(64))) {
    return std::nullopt;
  }
  for (int64_t &value : *ints) {
    bool fits = type.isInteger(64) || llvm::isInt<32>(value);
    value = fits ? value : ShapedType::kDynamic;
  }
  return ints;
}

/// What `fold` makes of two numbers, of which a single one is for all others;
/// of 64 bits, as sizes have.
static Ints
traceBinary(Operation *op, unsigned depth,
            llvm::function_ref<std::optional<int64_t>(int64_t, int64_t)> fold) {
  Ints lhs = trace(op->getOperand(0), depth);
  Ints rhs = trace(op->getOperand(1), depth);
  if (!lhs || !rhs ||
      !getElementTypeOrSelf(op->getResult(0).getType()).isInteger(64)) {
    return std::nullopt;
  }
  size_t size = std::max(lhs->size(), rhs->size());
  if ((lhs->size() != size && lhs->size() != 1) ||
      (rhs->size() != size && rhs->size() != 1)) {
    return std::nullopt;
  }
  SmallVector<int64_t> results;
  for (size_t i = 0; i < size; ++i) {
    int64_t a = (*lhs)[lhs->size() == 1 ? 0 : i];
    int64_t b = (*rhs)[rhs->size() == 1 ? 0 : i];
    bool isKnown = !ShapedType::isDynamic(a) && !ShapedType::isDynamic(b);
    std::optional<int64_t> result = isKnown ? fold(a, b) : std::nullopt;
    results.push_back(result.value_or(ShapedType::kDynamic));
  }
  return results;
}

static Ints traceOp(AddOp op, unsigned depth) {
  return traceBinary(op, depth, llvm::checkedAdd<int64_t>);
}

static Ints traceOp(SubOp op, unsigned depth) {
  return traceBinary(op, depth, llvm::checkedSub<int64_t>);
}

static Ints traceOp(MulOp op, unsigned depth) {
  return traceBinary(op, depth, llvm::checkedMul<int64_t>);
}

static Ints traceOp(DivOp op, unsigned depth) {
  return traceBinary(op, depth,
                     [](int64_t a, int64_t b) -> std::optional<int64_t> {
                       return b > 0 ? std::optional(a / b) : std::nullopt;
                     });
}

/// The elements of `value`, which an op copies in their order.
static Ints trace(Value value, unsigned depth) {
  if (Ints constant = getConstantInts(value)) {
    return constant;
  }
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || type.getRank() > 1 || !type.hasStaticShape() ||
      !type.getElementType().isInteger()) {
    return std::nullopt;
  }
  SmallVector<int64_t> unknown(type.getNumElements(), ShapedType::kDynamic);
  Operation *def = value.getDefiningOp();
  if (!def || depth == 0) {
    return unknown;
  }
  Ints known =
      llvm::TypeSwitch<Operation *, Ints>(def)
          .Case<ShapeOp, SizeOp, ConcatOp, GatherOp, SliceOp, CastOp, AddOp,
                SubOp, MulOp, DivOp>(
              [&](auto op) { return traceOp(op, depth - 1); })
          .Default([&](Operation *op) {
            bool isCopy = isa<IdentityOp>(op) || op->hasTrait<KeepsElements>();
            return isCopy ? trace(op->getOperand(0), depth - 1) : Ints();
          });
  return known && known->size() == unknown.size() ? known : unknown;
}

std::optional<SmallVector<int64_t>> IE::getKnownInts(Value value) {
  return value ? trace(value, kMaxDepth) : std::nullopt;
}
