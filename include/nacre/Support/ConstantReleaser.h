//===- ConstantReleaser.h - Memory of replaced constants --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Weights pass through several forms on their way down. Where a pass gives them
// a new form one layer at a time, the old form of a layer is freed once the new
// one exists, so that the model is never in memory twice.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_SUPPORT_CONSTANTRELEASER_H
#define NACRE_SUPPORT_CONSTANTRELEASER_H

#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/StringMap.h"

namespace nacre {

/// A listener of a pattern driver that frees a `dense_resource` when the last
/// operation is erased that names it.
///
/// The root has to be the whole module, and no other module of the context may
/// be yet to be compiled: whatever else names the resource finds it empty.
class ConstantReleaser final : public mlir::RewriterBase::Listener {
public:
  explicit ConstantReleaser(mlir::Operation *root);

  void notifyOperationInserted(mlir::Operation *op,
                               mlir::OpBuilder::InsertPoint previous) override;
  void notifyOperationErased(mlir::Operation *op) override;

private:
  /// How many operations name a resource.
  llvm::StringMap<int64_t> uses;
};

/// Erases what computes `value` if nobody uses it. Drivers erase dead code late
/// or not at all, and until then its memory stays.
void eraseIfDead(mlir::RewriterBase &rewriter, mlir::Value value);

} // namespace nacre

#endif // NACRE_SUPPORT_CONSTANTRELEASER_H
