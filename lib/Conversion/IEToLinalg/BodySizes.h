//===- BodySizes.h - Sizes of what bodies yield -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sizes of values in the body of a loop, before the loop runs.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_CONVERSION_IETOLINALG_BODYSIZES_H
#define NACRE_LIB_CONVERSION_IETOLINALG_BODYSIZES_H

#include "Sizes.h"

namespace nacre {

/// Builds, ahead of a loop, sizes of values in its body from those of the
/// body's arguments, which stay the same from run to run. Fails where a size
/// depends on what a run of the body computes.
class BodySizes final : public IE::SizeBuilder {
public:
  BodySizes(mlir::ConversionPatternRewriter &rewriter, mlir::Location loc,
            mlir::Region &body)
      : SizeBuilder(rewriter, loc), outside(rewriter, loc), body(body) {}

  /// Says what the sizes of an argument are.
  void setSizes(mlir::Value argument, llvm::ArrayRef<mlir::OpFoldResult> sizes);

  mlir::FailureOr<Sizes> getSizesOf(mlir::Value value);

  mlir::OpFoldResult getSize(mlir::Value tensor, int64_t dim) override;
  using SizeBuilder::getElement;
  mlir::OpFoldResult getElement(mlir::Value tensor, int64_t position) override;

private:
  /// The size of a result of an op that another lowering has built.
  mlir::OpFoldResult trace(mlir::Value tensor, int64_t dim);
  /// What `size`, which the body may compute of its sizes, is ahead of the
  /// loop.
  mlir::OpFoldResult moveOutside(mlir::OpFoldResult size);
  mlir::OpFoldResult giveUp();
  mlir::Value getTensor(mlir::Value operand) override;
  bool isOutside(mlir::Value value) const;

  TracingSizeBuilder outside;
  mlir::Region &body;
  llvm::DenseMap<mlir::Value, Sizes> known;
  bool isUnknown = false;
};

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_IETOLINALG_BODYSIZES_H
