//===- KnownInts.cpp - What is known of computed shapes -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows the elements of shapes to constants and to dimensions that types
// know.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/Utils/KnownInts.h"

#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/Utils/ShapeElements.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

using Int = std::optional<int64_t>;
using Kind = ElementOrigin::Kind;

// Models compute shapes in few steps; a longer chain is something else.
static constexpr unsigned kMaxDepth = 16;

/// A dimension of a type; nothing where it is dynamic.
static Int getKnownDim(Value tensor, int64_t dim) {
  int64_t size = cast<RankedTensorType>(tensor.getType()).getDimSize(dim);
  return ShapedType::isDynamic(size) ? Int() : Int(size);
}

static Int getKnownCount(Value tensor) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  return type && type.hasStaticShape() ? Int(type.getNumElements()) : Int();
}

static Int fold(Kind kind, int64_t a, int64_t b) {
  switch (kind) {
  case Kind::Add:
    return llvm::checkedAdd(a, b);
  case Kind::Sub:
    return llvm::checkedSub(a, b);
  case Kind::Mul:
    return llvm::checkedMul(a, b);
  case Kind::Div:
    return b > 0 ? Int(a / b) : Int();
  default:
    llvm_unreachable("no arithmetic");
  }
}

/// What an element that is copied becomes, which a cast may change.
static Int convert(Value tensor, Int copied) {
  if (!copied || !tensor.getDefiningOp<CastOp>()) {
    return copied;
  }
  Type type = getElementTypeOrSelf(tensor);
  bool fits = type.isSignlessInteger(64) ||
              (type.isSignlessInteger(32) && llvm::isInt<32>(*copied));
  return fits ? copied : Int();
}

static Int evaluate(ShapeElements &elements, ShapeElement element,
                    unsigned depth) {
  ElementOrigin origin = elements.getOrigin(element);
  if (origin.kind == Kind::Constant) {
    return origin.number;
  }
  if (depth == 0) {
    return std::nullopt;
  }
  switch (origin.kind) {
  case Kind::Unknown:
  case Kind::Constant:
    return std::nullopt;
  case Kind::Size:
    return getKnownDim(origin.tensor, origin.number);
  case Kind::Count:
    return getKnownCount(origin.tensor);
  case Kind::Copy:
    return convert(element.tensor, evaluate(elements, origin.lhs, depth - 1));
  case Kind::Add:
  case Kind::Sub:
  case Kind::Mul:
  case Kind::Div:
    break;
  }
  Int a = evaluate(elements, origin.lhs, depth - 1);
  Int b = a ? evaluate(elements, origin.rhs, depth - 1) : Int();
  return a && b ? fold(origin.kind, *a, *b) : Int();
}

std::optional<SmallVector<int64_t>> IE::getKnownInts(Value value) {
  if (!value) {
    return std::nullopt;
  }
  if (auto constant = getConstantInts(value)) {
    return constant;
  }
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || type.getRank() > 1 || !type.hasStaticShape() ||
      !type.getElementType().isInteger()) {
    return std::nullopt;
  }
  ShapeElements elements;
  SmallVector<int64_t> known;
  for (int64_t i = 0; i < type.getNumElements(); ++i) {
    known.push_back(evaluate(elements, {value, i}, kMaxDepth)
                        .value_or(ShapedType::kDynamic));
  }
  return known;
}
