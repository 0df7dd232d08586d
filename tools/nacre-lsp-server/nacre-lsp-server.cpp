//===- nacre-lsp-server.cpp - Language server for nacre's IR --------------===//
//
// mlir-lsp-server's main with nacre's dialects.
//
//===----------------------------------------------------------------------===//

#include "nacre/InitAllDialects.h"

#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  nacre::registerAllDialects(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
