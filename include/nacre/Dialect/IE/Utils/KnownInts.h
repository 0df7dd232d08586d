//===- KnownInts.h - What is known of computed shapes -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A shape that a model computes of an image of unknown size holds constants,
// too, such as the number of channels.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_UTILS_KNOWNINTS_H
#define NACRE_DIALECT_IE_UTILS_KNOWNINTS_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"

#include <optional>

namespace nacre::IE {

/// The integers of a scalar or vector, ShapedType::kDynamic for those known
/// only at run time; nothing when `value` is null or its length is not known
/// either. Looks through what models compute shapes with.
std::optional<llvm::SmallVector<int64_t>> getKnownInts(mlir::Value value);

} // namespace nacre::IE

#endif // NACRE_DIALECT_IE_UTILS_KNOWNINTS_H
