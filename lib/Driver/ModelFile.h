//===- ModelFile.h - Writing a session's model as ONNX ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_MODELFILE_H
#define NACRE_LIB_DRIVER_MODELFILE_H

#include "Session.h"

namespace nacre::driver {

/// Writes the module as an ONNX model, large weights beside it where they must
/// be or shall.
ExitCode writeModel(Session &session, llvm::StringRef path,
                    bool usesExternalData);

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_MODELFILE_H
