//===- Conversions.h - Floats of 16 bits around the engine ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_CONVERSION_LINALGTOVPU_CONVERSIONS_H
#define NACRE_LIB_CONVERSION_LINALGTOVPU_CONVERSIONS_H

#include "mlir/IR/PatternMatch.h"

namespace nacre {

/// The floats of 16 bits that were extended to f32 to give `value`, else null.
mlir::Value getNarrow(mlir::Value value);

/// Merges conversions to and from 16 bits into copies and products.
void populateConversionPatterns(mlir::RewritePatternSet &patterns);

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_LINALGTOVPU_CONVERSIONS_H
