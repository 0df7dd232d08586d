//===- nacre-opt.cpp - Runs passes on MLIR files --------------------------===//
//
// mlir-opt's main with nacre's dialects, passes and pipelines.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/VPU/Transforms/ArchOption.h"
#include "nacre/InitAllDialects.h"
#include "nacre/InitAllPasses.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  nacre::registerAllDialects(registry);
  nacre::registerAllPasses();
  return mlir::asMainReturnCode(
      nacre::VPU::optMain(argc, argv, "nacre optimizer driver\n", registry));
}
