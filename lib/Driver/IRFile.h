//===- IRFile.h - Modules as files that compile again -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text for people whose weights stay out of the way: at its end, or from some
// size on in a file beside it (nacre/Dialect/IE/IR/WeightFiles.h).
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_IRFILE_H
#define NACRE_LIB_DRIVER_IRFILE_H

#include "nacre/Support/Files.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/StringMap.h"

namespace nacre::driver {

/// Writes modules that share a file of weights. What one of them has written
/// there, the later ones refer to.
class IRWriter {
public:
  explicit IRWriter(llvm::StringRef weightsPath) : weightsPath(weightsPath) {}

  /// Writes the module to `path`, which lies in the folder of the weights, or
  /// with all of its weights to `-`. `pipeline`, if there is one, is what is to
  /// be run on it next: of nacre-opt --run-reproducer and of nacre.
  mlir::LogicalResult write(mlir::ModuleOp module, llvm::StringRef path,
                            llvm::StringRef pipeline = "");

private:
  using Weights = llvm::SmallVector<mlir::DenseResourceElementsHandle>;

  mlir::LogicalResult append(mlir::Location loc, const Weights &weights,
                             TemporaryFiles &files);

  std::string weightsPath;
  llvm::StringMap<uint64_t> offsets;
  uint64_t end = 0;
};

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_IRFILE_H
