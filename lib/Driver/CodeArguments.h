//===- CodeArguments.h - How code is to call and address --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options of `nacre compile` that only the making of code asks for.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_CODEARGUMENTS_H
#define NACRE_LIB_DRIVER_CODEARGUMENTS_H

#include "Session.h"

namespace nacre::driver {

llvm::ArrayRef<OptionSpec> getCodeOptions();

/// Whether `option` is one of them.
bool isCodeOption(llvm::StringRef option);

/// What a command line says, whatever the target. Prints an error and fails for
/// what is no name.
mlir::FailureOr<CodeChoice> readCodeChoice(const Arguments &arguments);

/// Prints an error and fails where the target of the session's module, or a
/// shared library, cannot have what was chosen.
mlir::LogicalResult checkCodeChoice(Session &session, bool isShared);

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_CODEARGUMENTS_H
