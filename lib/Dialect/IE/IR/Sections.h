//===- Sections.h - Rewrites of sections of tensors -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A Slice, a result of a Split and a Gather of evenly spaced indices are
// sections of a tensor: views of it, where a Concat copies. The rewrites here
// look through joined and cut tensors.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DIALECT_IE_IR_SECTIONS_H
#define NACRE_LIB_DIALECT_IE_IR_SECTIONS_H

#include "nacre/Dialect/IE/Utils/SectionUtils.h"

#include "mlir/IR/PatternMatch.h"

namespace nacre::IE {

/// IE.Slice of `source` with constant bounds; `source` itself where that is all
/// of it. Null where all of it has another type than `type`. Sizes of `source`
/// that `spec` does not cut may be dynamic.
mlir::Value buildSection(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::RankedTensorType type, mlir::Value source,
                         const SliceSpec &spec);

/// Slice of Concat.
void populateSliceOfConcatPatterns(mlir::RewritePatternSet &patterns);

/// Concat of sections that lie side by side in one tensor.
void populateConcatOfSectionsPatterns(mlir::RewritePatternSet &patterns);

/// Gather of evenly spaced constant indices.
void populateGatherSectionPatterns(mlir::RewritePatternSet &patterns);

} // namespace nacre::IE

#endif // NACRE_LIB_DIALECT_IE_IR_SECTIONS_H
