//===- String.h - Text ------------------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the IE operator family: strings.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_STRING_H
#define NACRE_DIALECT_IE_IR_STRING_H

#include "nacre/Dialect/IE/IR/ElementTraits.h"
#include "nacre/Dialect/IE/IR/IEDialect.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include "mlir/IR/TypeUtilities.h"

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/String.h.inc"

namespace nacre::IE {

/// Why a pattern is none of RE2's syntax, or beyond what can be matched (see
/// nacre-c/Regex.h); empty where it can.
std::string getPatternProblem(llvm::StringRef pattern);

} // namespace nacre::IE

#endif // NACRE_DIALECT_IE_IR_STRING_H
