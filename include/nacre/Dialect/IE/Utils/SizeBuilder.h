//===- SizeBuilder.h - Sizes of results -------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an op builds the sizes of its results with (SizesOpInterface). The base
// class asks the operands themselves, as upstream's
// ReifyRankedShapedTypeOpInterface wants it. A lowering derives from it to look
// sizes up where they come from, and to check at run time what it relies on.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_UTILS_SIZEBUILDER_H
#define NACRE_DIALECT_IE_UTILS_SIZEBUILDER_H

#include "nacre/Dialect/IE/Utils/SizeArithmetic.h"

namespace nacre::IE {

class SizeBuilder {
public:
  SizeBuilder(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}
  virtual ~SizeBuilder() = default;

  mlir::OpBuilder &getBuilder() const { return builder; }
  mlir::Location getLoc() const { return loc; }

  /// The size of dimension `dim` of an operand.
  virtual mlir::OpFoldResult getSize(mlir::Value tensor, int64_t dim);
  /// The sizes of all its dimensions.
  Sizes getSizes(mlir::Value tensor);
  /// Element `position` of an integer operand of rank 0 or 1.
  virtual mlir::OpFoldResult getElement(mlir::Value tensor, int64_t position);
  /// The same for a position that may be known only at run time.
  mlir::OpFoldResult getElement(mlir::Value tensor,
                                mlir::OpFoldResult position);
  /// The only element of an operand, of any type and rank.
  mlir::Value getScalar(mlir::Value tensor);
  /// Element `position` of a vector, of any type.
  mlir::Value extract(mlir::Value tensor, mlir::OpFoldResult position);

  // Arithmetic; see SizeArithmetic.h.
  mlir::OpFoldResult number(int64_t value) const {
    return builder.getIndexAttr(value);
  }
  mlir::OpFoldResult multiply(llvm::ArrayRef<mlir::OpFoldResult> factors) {
    return multiplySizes(builder, loc, factors);
  }
  mlir::OpFoldResult divide(llvm::ArrayRef<mlir::OpFoldResult> numerator,
                            llvm::ArrayRef<mlir::OpFoldResult> denominator) {
    return divideSizes(builder, loc, numerator, denominator);
  }
  mlir::OpFoldResult divideDown(mlir::OpFoldResult a, mlir::OpFoldResult b) {
    return divideSizeDown(builder, loc, a, b);
  }
  mlir::OpFoldResult divideUp(mlir::OpFoldResult a, mlir::OpFoldResult b) {
    return divideSizeUp(builder, loc, a, b);
  }
  mlir::OpFoldResult add(mlir::OpFoldResult a, mlir::OpFoldResult b) {
    return addSizes(builder, loc, a, b);
  }
  mlir::OpFoldResult add(mlir::OpFoldResult a, int64_t b) {
    return addSizes(builder, loc, a, number(b));
  }
  mlir::OpFoldResult subtract(mlir::OpFoldResult a, mlir::OpFoldResult b) {
    return subtractSizes(builder, loc, a, b);
  }
  mlir::OpFoldResult min(mlir::OpFoldResult a, mlir::OpFoldResult b) {
    return minimizeSizes(builder, loc, a, b);
  }
  mlir::OpFoldResult max(mlir::OpFoldResult a, mlir::OpFoldResult b) {
    return maximizeSizes(builder, loc, a, b);
  }
  mlir::OpFoldResult ifEqual(mlir::OpFoldResult a, mlir::OpFoldResult b,
                             mlir::OpFoldResult yes, mlir::OpFoldResult no) {
    return selectIfEqual(builder, loc, a, b, yes, no);
  }
  mlir::OpFoldResult ifLess(mlir::OpFoldResult a, mlir::OpFoldResult b,
                            mlir::OpFoldResult yes, mlir::OpFoldResult no) {
    return selectIfLess(builder, loc, a, b, yes, no);
  }
  /// A value of index type.
  mlir::Value toValue(mlir::OpFoldResult size) const;

  /// What dimensions of these sizes broadcast to by NumPy's rule.
  mlir::OpFoldResult broadcast(llvm::ArrayRef<mlir::OpFoldResult> sizes);
  /// The same for whole shapes, aligned at their ends.
  Sizes broadcastShapes(llvm::ArrayRef<Sizes> shapes);

  /// For each of `rank` dimensions the position at which the vector `axes`
  /// lists it, -1 where it does not.
  Sizes getEntries(mlir::Value axes, int64_t rank);
  /// Element `entry` of a vector, or `otherwise` where the entry is -1.
  mlir::OpFoldResult getListed(mlir::Value vector, mlir::OpFoldResult entry,
                               mlir::OpFoldResult otherwise);
  /// The `count` sizes that have an entry of -1.
  Sizes selectUnlisted(llvm::ArrayRef<mlir::OpFoldResult> sizes,
                       llvm::ArrayRef<mlir::OpFoldResult> entries,
                       int64_t count);

  /// A condition to check at run time. The base class relies on it unchecked:
  /// sizes are pure computations.
  virtual void require(llvm::function_ref<mlir::Value()> condition,
                       llvm::StringRef message) {}
  void requireEqual(mlir::OpFoldResult a, mlir::OpFoldResult b,
                    llvm::StringRef message);
  /// a <= b.
  void requireAtMost(mlir::OpFoldResult a, mlir::OpFoldResult b,
                     llvm::StringRef message);

protected:
  /// The tensor to read the elements of an operand from.
  virtual mlir::Value getTensor(mlir::Value operand) { return operand; }

  mlir::OpBuilder &builder;
  mlir::Location loc;
};

} // namespace nacre::IE

#endif // NACRE_DIALECT_IE_UTILS_SIZEBUILDER_H
