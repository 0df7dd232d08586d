//===- ArchOption.h - The --vpu-arch option of opt-like tools ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lets a tool built on MlirOptMain take the architecture on its command line,
// next to passes and pipelines in either syntax.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_VPU_TRANSFORMS_ARCHOPTION_H
#define NACRE_DIALECT_VPU_TRANSFORMS_ARCHOPTION_H

#include "mlir/Support/LogicalResult.h"

namespace llvm {
class StringRef;
} // namespace llvm

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace nacre::VPU {

/// mlir::MlirOptMain with `--vpu-arch=NAME`, which runs
/// `init-compiler="vpu-arch=NAME"` before the requested passes. Without it the
/// passes decide; both together are init-compiler's error.
llvm::LogicalResult optMain(int argc, char **argv, llvm::StringRef toolName,
                            mlir::DialectRegistry &registry);

} // namespace nacre::VPU

#endif // NACRE_DIALECT_VPU_TRANSFORMS_ARCHOPTION_H
