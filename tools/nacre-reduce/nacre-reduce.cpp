//===- nacre-reduce.cpp - Makes a failing model small ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of the reducer.
//
//===----------------------------------------------------------------------===//

#include "Reducer.h"
#include "nacre/InitAllDialects.h"
#include "nacre/Support/Files.h"
#include "nacre/Support/Plugins.h"
#include "nacre/Target/Version.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
namespace cl = llvm::cl;

static cl::OptionCategory category("nacre-reduce options");

static cl::opt<std::string> input(cl::Positional, cl::Required,
                                  cl::desc("FILE.mlir"), cl::cat(category));
static cl::opt<std::string> output("o", cl::desc("Where to write (default: -)"),
                                   cl::value_desc("file"), cl::init("-"),
                                   cl::cat(category));
static cl::opt<std::string>
    test("test", cl::Required,
         cl::desc("A script, which gets the name of a file as its last "
                  "argument and ends with another status than 0 if what is in "
                  "it is of interest"),
         cl::value_desc("script"), cl::cat(category));
static cl::list<std::string>
    testArguments("test-arg",
                  cl::desc("An argument of the script, before the "
                           "file; may be repeated"),
                  cl::value_desc("text"), cl::cat(category));

/// What bad input ends with, as of all of nacre's tools.
constexpr int kBadInput = 3;

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  nacre::ignoreFileSizeSignal();
  cl::SetVersionPrinter(nacre::printVersion);
  DialectRegistry registry;
  nacre::registerAllDialects(registry);
  nacre::addDialectPluginOption([&](const DialectPlugin &plugin) {
    plugin.registerDialectRegistryCallbacks(registry);
  });
  cl::getRegisteredOptions()
      .lookup("load-dialect-plugin")
      ->addCategory(category);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(
      argc, argv,
      "Makes a module small that shows an error: leaves ops out, makes zeros "
      "of\n"
      "others, as long as a script finds the rest of interest.\n\n"
      "  nacre-reduce wrong.mlir --test=python/scripts/differs.py -o "
      "small.mlir\n");
  MLIRContext context(registry);
  auto module = parseSourceFile<ModuleOp>(input, &context);
  if (!module) {
    return kBadInput;
  }
  nacre::Reducer reducer(std::move(module),
                         Tester(test, ArrayRef<std::string>(testArguments)));
  if (failed(reducer.run())) {
    llvm::WithColor::error(llvm::errs(), "nacre-reduce")
        << test << " finds nothing of interest in " << input << "\n";
    return kBadInput;
  }
  LogicalResult written = nacre::writeFile(UnknownLoc::get(&context), output,
                                           [&](llvm::raw_ostream &stream) {
                                             reducer.getModule().print(stream);
                                             stream << '\n';
                                             return success();
                                           });
  return succeeded(written) ? 0 : kBadInput;
}
