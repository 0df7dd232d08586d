//===- nacre-opt.cpp - Runs passes on MLIR files --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mlir-opt's main with nacre's dialects, passes and pipelines.
//
//===----------------------------------------------------------------------===//

#include "OptMain.h"

#include "nacre/InitAllDialects.h"
#include "nacre/InitAllPasses.h"
#include "nacre/Target/Version.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"

int main(int argc, char **argv) {
  llvm::cl::SetVersionPrinter(nacre::printVersion);
  mlir::DialectRegistry registry;
  nacre::registerAllDialects(registry);
  nacre::registerAllPasses();
  return mlir::asMainReturnCode(
      nacre::optMain(argc, argv, "nacre optimizer driver\n", registry));
}
