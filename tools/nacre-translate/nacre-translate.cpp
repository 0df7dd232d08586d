//===- nacre-translate.cpp - Into and out of MLIR -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mlir-translate's main with the ONNX importer and the emission of objects and
// headers.
//
//===----------------------------------------------------------------------===//

#include "nacre/Support/Files.h"
#include "nacre/Target/Version.h"
#include "nacre/Translate/Translations.h"

#include "mlir/InitAllTranslations.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"

using llvm::StringRef;

static constexpr StringRef kToolName = "nacre translation tool";

/// The argument that ends with the name of the output, which is the second
/// part. Nothing where that is standard output or what a file cannot replace.
static std::pair<char **, StringRef> findOutput(int argc, char **argv) {
  for (int i = 1; i < argc && StringRef(argv[i]) != "--"; ++i) {
    StringRef word = StringRef(argv[i]).ltrim('-');
    bool isNext = word == "o" && i + 1 < argc;
    if (argv[i][0] != '-' || (!isNext && !word.consume_front("o="))) {
      continue;
    }
    StringRef name = isNext ? argv[i + 1] : word;
    if (name != "-" && !nacre::isSpecialFile(name)) {
      return {&argv[isNext ? i + 1 : i], name};
    }
  }
  return {};
}

int main(int argc, char **argv) {
  llvm::cl::SetVersionPrinter(nacre::printVersion);
  mlir::registerAllTranslations();
  nacre::registerTranslations();
  auto [argument, output] = findOutput(argc, argv);
  if (!argument) {
    return mlir::failed(mlir::mlirTranslateMain(argc, argv, kToolName));
  }
  // Upstream's main truncates its output before it reads its input, which may
  // be the same file, and removes it where it fails. So it gets a file of its
  // own.
  llvm::SmallString<128> temporary;
  if (std::error_code error = llvm::sys::fs::getPotentiallyUniqueFileName(
          output + ".%%%%%%.tmp", temporary)) {
    llvm::errs() << "cannot write beside '" << output
                 << "': " << error.message() << "\n";
    return 1;
  }
  std::string replaced = StringRef(*argument).drop_back(output.size()).str() +
                         temporary.str().str();
  *argument = replaced.data();
  if (mlir::failed(mlir::mlirTranslateMain(argc, argv, kToolName))) {
    return 1;
  }
  if (std::error_code error = llvm::sys::fs::rename(temporary, output)) {
    llvm::errs() << "cannot write '" << output << "': " << error.message()
                 << "\n";
    llvm::sys::fs::remove(temporary);
    return 1;
  }
  return 0;
}
