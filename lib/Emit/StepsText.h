//===- StepsText.h - The steps of an instrumented model ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_EMIT_STEPSTEXT_H
#define NACRE_LIB_EMIT_STEPSTEXT_H

#include "nacre/Emit/CodeGen.h"

namespace nacre {

/// What `hook-steps` wrote down on the module, as the JSON of NAME.steps.json.
std::string buildStepsText(mlir::ModuleOp module, const ArtifactInfo &info);

} // namespace nacre

#endif // NACRE_LIB_EMIT_STEPSTEXT_H
