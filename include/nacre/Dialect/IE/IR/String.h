//===- String.h - Text ------------------------------------------*- C++ -*-===//
//
// Declares the IE operator family: strings.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_STRING_H
#define NACRE_DIALECT_IE_IR_STRING_H

#include "nacre/Dialect/IE/IR/IEDialect.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include "mlir/IR/TypeUtilities.h"

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/String.h.inc"

namespace nacre::IE {

/// A pattern in RE2's syntax as a POSIX extended regular expression that the
/// same whole strings match; fails with the reason where there is none.
llvm::FailureOr<std::string> translatePattern(llvm::StringRef pattern,
                                              std::string &reason);

} // namespace nacre::IE

#endif // NACRE_DIALECT_IE_IR_STRING_H
