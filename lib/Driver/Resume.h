//===- Resume.h - Going on with a module of any level -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What files of IR say of the way that they have come and of the rest of it.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_RESUME_H
#define NACRE_LIB_DRIVER_RESUME_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"
#include <string>

namespace nacre::driver {

/// Whether a file is MLIR by its name.
bool isIRFile(llvm::StringRef path);

/// Parses a file of IR; null, after an error, if it cannot be. `pipeline` is
/// what the file says is still to be run, as reproducers do.
mlir::OwningOpRef<mlir::ModuleOp> readIRFile(mlir::MLIRContext &context,
                                             llvm::StringRef path,
                                             std::string &pipeline);

/// The passes of a textual pipeline on builtin.module. Prints an error and
/// fails where it is none.
mlir::FailureOr<mlir::OpPassManager> parsePipeline(llvm::StringRef text);

/// One pipeline for several on builtin.module, of which some may be empty.
std::string joinPipelines(llvm::ArrayRef<llvm::StringRef> pipelines);

/// The options that decide what code is generated. A module keeps those that
/// the command line named in `nacre.options`.
llvm::ArrayRef<llvm::StringRef> getRecordedOptions();

/// Whether an option chooses how much LLVM optimises, which is free to change
/// at any level.
bool isLLVMLevel(llvm::StringRef option);

/// What an option of the above is where nobody names it.
llvm::StringRef getDefaultValue(llvm::StringRef option);

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_RESUME_H
