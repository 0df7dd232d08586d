//===- OptMain.h - The main of nacre-opt ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR's main with the architecture on the command line, next to passes and
// pipelines in either syntax, and output that is written whole or not at all.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_TOOLS_NACRE_OPT_OPTMAIN_H
#define NACRE_TOOLS_NACRE_OPT_OPTMAIN_H

#include "mlir/Support/LogicalResult.h"

namespace llvm {
class StringRef;
} // namespace llvm

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace nacre {

/// mlir::MlirOptMain with `--vpu-arch=NAME`, which runs
/// `init-compiler="vpu-arch=NAME"` before the requested passes. Without it the
/// passes decide; both together are init-compiler's error.
llvm::LogicalResult optMain(int argc, char **argv, llvm::StringRef toolName,
                            mlir::DialectRegistry &registry);

} // namespace nacre

#endif // NACRE_TOOLS_NACRE_OPT_OPTMAIN_H
