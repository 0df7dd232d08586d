//===- ElementTypes.h - The element types of tensors ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one list of them, for those who look a type up by what they call it.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_UTILS_ELEMENTTYPES_H
#define NACRE_DIALECT_IE_UTILS_ELEMENTTYPES_H

#include "mlir/IR/Types.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace nacre::IE {

/// The element type of IE that `isWanted` holds for; null when there is none.
mlir::Type findElementType(mlir::MLIRContext *context,
                           llvm::function_ref<bool(mlir::Type)> isWanted);

} // namespace nacre::IE

#endif // NACRE_DIALECT_IE_UTILS_ELEMENTTYPES_H
