//===- ShapeElements.h - How models compute shapes --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Models compute shapes by a few ops on short vectors of integers. A step from
// an element of such a vector to what it is made of is here. Those who follow
// it make numbers of it as far as types tell (KnownInts.h), or values that a
// run computes (the lowering to linalg).
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_UTILS_SHAPEELEMENTS_H
#define NACRE_DIALECT_IE_UTILS_SHAPEELEMENTS_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace nacre::IE {

/// An element of an integer tensor of rank 0 or 1.
struct ShapeElement {
  mlir::Value tensor;
  int64_t position = 0;
};

/// What an element is.
struct ElementOrigin {
  enum class Kind {
    Unknown,
    Constant, // `number`
    Size,     // of dimension `number` of `tensor`
    Count,    // of the elements of `tensor`
    Copy,     // of `lhs`, which may be of another integer type
    Add,
    Sub,
    Mul,
    Div, // of `lhs` and `rhs`, of 64 bits
  };

  Kind kind = Kind::Unknown;
  int64_t number = 0;
  mlir::Value tensor;
  ShapeElement lhs, rhs;
};

/// Steps from elements to their origins. Reads each constant once.
class ShapeElements {
public:
  ElementOrigin getOrigin(ShapeElement element);

private:
  using Ints = std::optional<llvm::SmallVector<int64_t>>;

  const Ints &getConstant(mlir::Value value);

  llvm::DenseMap<mlir::Value, Ints> constants;
};

} // namespace nacre::IE

#endif // NACRE_DIALECT_IE_UTILS_SHAPEELEMENTS_H
