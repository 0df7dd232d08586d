//===- nacre-translate.cpp - Into and out of MLIR -------------------------===//
//
// mlir-translate's main with the ONNX importer and the emission of objects and
// headers.
//
//===----------------------------------------------------------------------===//

#include "nacre/Translate/Translations.h"

#include "mlir/InitAllTranslations.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"

int main(int argc, char **argv) {
  mlir::registerAllTranslations();
  nacre::registerTranslations();
  return mlir::failed(
      mlir::mlirTranslateMain(argc, argv, "nacre translation tool"));
}
