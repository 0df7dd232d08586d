//===- ValueBounds.h - What is known of sizes -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which ops upstream's analysis of bounds follows.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_SUPPORT_VALUEBOUNDS_H
#define NACRE_SUPPORT_VALUEBOUNDS_H

#include "mlir/IR/DialectRegistry.h"

namespace nacre {

/// Lets the analysis of bounds stop at `arith.select`. Upstream's model of it
/// compares what it selects of, for which it follows both back to where they
/// come from, which may be selects, too: sizes of operands that broadcast are
/// such chains, as long as the model is deep, and following all of them takes
/// time that grows with the cube of it and more. To be called before upstream's
/// models are registered, of which the first is kept.
void registerOpaqueSelects(mlir::DialectRegistry &registry);

} // namespace nacre

#endif // NACRE_SUPPORT_VALUEBOUNDS_H
