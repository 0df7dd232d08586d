//===- IRDump.cpp - The IR after every pass -------------------------------===//
//
// The files are numbered over all pipelines of a command, so that their names
// are in the order in which they came about.
//
//===----------------------------------------------------------------------===//

#include "IRDump.h"
#include "Arguments.h"
#include "Session.h"

#include "nacre/Support/Files.h"

#include "mlir/Pass/Pass.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;

class IRDump::Config final : public PassManager::IRPrinterConfig {
public:
  explicit Config(IRDump &dump)
      : IRPrinterConfig(/*printModuleScope=*/true,
                        /*printAfterOnlyOnChange=*/true,
                        /*printAfterOnlyOnFailure=*/false, getPrintingFlags()),
        dump(dump) {}

  void printBeforeIfEnabled(Pass *, Operation *, PrintCallbackFn) override {}
  void printAfterIfEnabled(Pass *pass, Operation *op,
                           PrintCallbackFn print) override {
    dump.write(pass, op, print);
  }

private:
  IRDump &dump;
};

void IRDump::attach(PassManager &manager) {
  manager.enableIRPrinting(std::make_unique<Config>(*this));
}

void IRDump::write(Pass *pass, Operation *op,
                   llvm::function_ref<void(llvm::raw_ostream &)> print) {
  if (failed) {
    return;
  }
  std::string file, text;
  llvm::raw_string_ostream(file)
      << llvm::format("%03u_", count++)
      << (pass->getArgument().empty() ? pass->getName() : pass->getArgument())
      << ".mlir";
  llvm::raw_string_ostream stream(text);
  print(stream);
  SmallString<128> path(folder);
  llvm::sys::path::append(path, file);
  if (std::error_code error = llvm::sys::fs::create_directories(folder)) {
    printError() << "cannot create '" << folder << "': " << error.message()
                 << "\n";
    failed = true;
    return;
  }
  failed = mlir::failed(writeFile(op->getLoc(), path, text));
}
