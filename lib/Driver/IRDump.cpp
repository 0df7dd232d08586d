//===- IRDump.cpp - The IR after every pass -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files are numbered over all pipelines of a command, so that their names
// are in the order in which they came about.
//
//===----------------------------------------------------------------------===//

#include "IRDump.h"
#include "Arguments.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;

/// The elements of a textual pipeline: what commas separate outside of
/// brackets.
static SmallVector<StringRef> splitPipeline(StringRef text) {
  SmallVector<StringRef> elements;
  size_t start = 0;
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    depth += StringRef("({[").contains(text[i]);
    depth -= StringRef(")}]").contains(text[i]);
    if (text[i] == ',' && depth == 0) {
      elements.push_back(text.slice(start, i));
      start = i + 1;
    }
  }
  if (start < text.size()) {
    elements.push_back(text.substr(start));
  }
  return elements;
}

/// Follows how far a pipeline has come.
class IRDump::Position final : public PassInstrumentation {
public:
  explicit Position(PassManager &manager) : manager(manager) {}

  void runBeforePass(Pass *, Operation *op) override {
    if (nesting.size() == 1 && op != nestedOn) {
      nestedOn = op;
      nested = 0;
    }
    nesting.push_back(op);
  }
  void runAfterPass(Pass *, Operation *) override { leave(); }
  void runAfterPassFailed(Pass *, Operation *) override { leave(); }

  /// What is still to be run on the module after the pass that is running. A
  /// pass inside of another one than a nest of passes repeats that one; so do
  /// nests where there are several functions, of which each has come as far as
  /// it has.
  std::string getRest(ModuleOp module) const {
    std::string text;
    llvm::raw_string_ostream stream(text);
    manager.printAsTextualPipeline(stream);
    StringRef passes(text);
    auto [anchor, list] = passes.drop_back().split('(');
    SmallVector<StringRef> elements = splitPipeline(list);
    SmallVector<std::string> rest;
    StringRef current = elements[done];
    if (nesting.size() > 1 && !current.ends_with(")")) {
      rest.push_back(current.str());
    } else if (nesting.size() > 1) {
      auto [op, inner] = current.drop_back().split('(');
      SmallVector<StringRef> children = splitPipeline(inner);
      size_t first = nesting.size() == 2 ? nested + 1 : nested;
      auto isDefined = [](func::FuncOp function) {
        return !function.isExternal();
      };
      if (llvm::count_if(module.getOps<func::FuncOp>(), isDefined) > 1) {
        first = 0;
      }
      ArrayRef<StringRef> left = ArrayRef(children).drop_front(first);
      if (!left.empty()) {
        rest.push_back((op + "(" + llvm::join(left, ",") + ")").str());
      }
    }
    for (StringRef element : ArrayRef(elements).drop_front(done + 1)) {
      rest.push_back(element.str());
    }
    return (anchor + "(" + llvm::join(rest, ",") + ")").str();
  }

private:
  void leave() {
    nesting.pop_back();
    if (nesting.empty()) {
      ++done;
      nestedOn = nullptr;
    } else if (nesting.size() == 1) {
      ++nested;
    }
  }

  PassManager &manager;
  /// What the passes run on that are inside of each other.
  SmallVector<Operation *> nesting;
  Operation *nestedOn = nullptr;
  /// How many passes of the manager are done, and how many of the nest that it
  /// is in, on the operation it is at.
  size_t done = 0, nested = 0;
};

class IRDump::Config final : public PassManager::IRPrinterConfig {
public:
  Config(IRDump &dump, const Position &position)
      : IRPrinterConfig(/*printModuleScope=*/true,
                        /*printAfterOnlyOnChange=*/true),
        dump(dump), position(position) {}

  void printBeforeIfEnabled(Pass *, Operation *, PrintCallbackFn) override {}
  void printAfterIfEnabled(Pass *pass, Operation *op,
                           PrintCallbackFn) override {
    auto module = dyn_cast<ModuleOp>(op);
    if (!module) {
      module = op->getParentOfType<ModuleOp>();
    }
    dump.write(pass, module, position.getRest(module));
  }

private:
  IRDump &dump;
  const Position &position;
};

static std::string getWeightsPath(StringRef folder) {
  SmallString<128> path(folder);
  llvm::sys::path::append(path, "weights.bin");
  return path.str().str();
}

IRDump::IRDump(StringRef folder, IRDumpFilter filter)
    : folder(folder), filter(std::move(filter)),
      writer(getWeightsPath(folder)) {}

IRDump::~IRDump() {
  if (count > 0 && numFiles == 0 && !failed) {
    printWarning() << "--dump-ir has written nothing: no pass that changed the "
                      "module fits --dump-ir-filter and --dump-ir-function\n";
  }
}

void IRDump::attach(PassManager &manager) {
  auto position = std::make_unique<Position>(manager);
  auto config = std::make_unique<Config>(*this, *position);
  // After a pass, instrumentations are called in reverse: files are written
  // before the position moves on.
  manager.addInstrumentation(std::move(position));
  manager.enableIRPrinting(std::move(config));
}

/// The functions that fit, as text for people: without what they call, and
/// without weights.
std::string IRDump::printFunctions(ModuleOp module) const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (auto function : module.getOps<FunctionOpInterface>()) {
    if (filter.functions->match(function.getName())) {
      function->print(stream, OpPrintingFlags().useLocalScope());
      stream << "\n\n";
    }
  }
  return text;
}

LogicalResult IRDump::writeFile(ModuleOp module, StringRef file,
                                StringRef pipeline) {
  SmallString<128> path(folder);
  llvm::sys::path::append(path, file);
  std::string functions;
  if (filter.functions) {
    functions = printFunctions(module);
    if (functions.empty() || functions == lastFunctions) {
      return success();
    }
  }
  if (std::error_code error = llvm::sys::fs::create_directories(folder)) {
    printError() << "cannot create '" << folder << "': " << error.message()
                 << "\n";
    return failure();
  }
  ++numFiles;
  if (!filter.functions) {
    return writer.write(module, path, pipeline);
  }
  lastFunctions = std::move(functions);
  TemporaryFiles files(module.getLoc());
  return mlir::failed(files.write(path, StringRef(lastFunctions)))
             ? failure()
             : files.keep();
}

void IRDump::write(Pass *pass, ModuleOp module, StringRef pipeline) {
  if (failed) {
    return;
  }
  StringRef name =
      pass->getArgument().empty() ? pass->getName() : pass->getArgument();
  // A file has the same number whatever others there are.
  unsigned number = count++;
  if (filter.passes && !filter.passes->match(name)) {
    return;
  }
  std::string file;
  llvm::raw_string_ostream(file)
      << llvm::format("%03u_", number) << name << ".mlir";
  failed = mlir::failed(writeFile(module, file, pipeline));
}
