//===- Inspection.cpp - What a session shows of its program ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Inspection.h"
#include "Listings.h"
#include "Work.h"

#include "nacre/Dialect/VPU/IR/VPUAttributes.h"
#include "nacre/Support/Files.h"

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;

static const OptionSpec kInspectionOptions[] = {
    {"--dump-graph", "FILE.dot", "write the imported graph for GraphViz"},
    {"--dump-graph-optimized", "FILE.dot",
     "the same as it is optimised, coloured by the bits of its numbers"},
    {"--graph-constants", "WHICH",
     "with these: constants beside each op that uses them, which is each "
     "(default), or none"},
    {"--dump-listing", "[FILE]",
     "write the instructions of the program and the memory they use, by "
     "default to standard output"},
    {"--listing-level", "LEVEL",
     "with --dump-listing: graph (default), an instruction for each op of the "
     "optimised graph, or kernels, what runs"},
};

static constexpr StringRef kInspectionNames[] = {
    "--dump-graph",     "--dump-graph-optimized", "--graph-constants",
    "--dump-listing",   "--listing-level",        "--dump-ir",
    "--dump-ir-filter", "--dump-ir-function",     "--dump-strategies"};

ArrayRef<OptionSpec> driver::getInspectionOptions() {
  return kInspectionOptions;
}

ArrayRef<StringRef> driver::getInspectionNames() { return kInspectionNames; }

LogicalResult Inspection::configure(const Arguments &arguments) {
  auto read = [&](StringRef option, std::optional<std::string> &file) {
    if (arguments.has(option)) {
      file = arguments.get(option).empty() ? "-" : arguments.get(option).str();
      given = given.empty() ? option : given;
    }
  };
  read("--dump-graph", graph);
  read("--dump-graph-optimized", optimizedGraph);
  read("--dump-listing", listing);
  auto constants = arguments.getChoice<bool>("--graph-constants",
                                             {{"each", true}, {"none", false}});
  auto level = arguments.getChoice<bool>("--listing-level",
                                         {{"graph", false}, {"kernels", true}});
  if (failed(constants) || failed(level)) {
    return failure();
  }
  graphOptions.showsConstants = *constants;
  showsKernels = *level;
  if (arguments.has("--graph-constants") && !graph && !optimizedGraph) {
    printError() << "--graph-constants needs --dump-graph or "
                    "--dump-graph-optimized\n";
    return failure();
  }
  if (arguments.has("--listing-level") && !listing) {
    printError() << "--listing-level needs --dump-listing\n";
    return failure();
  }
  return success();
}

static LogicalResult writeGraph(ModuleOp module, const GraphOptions &options,
                                StringRef path) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  printGraph(module, options, stream);
  return writeFile(module.getLoc(), path, text);
}

LogicalResult Inspection::showImported(ModuleOp module) {
  if (!graph) {
    return success();
  }
  std::string path = std::move(*graph);
  graph.reset();
  return writeGraph(module, graphOptions, path);
}

LogicalResult Inspection::showOptimized(ModuleOp module, StringRef name,
                                        StringRef target) {
  if (optimizedGraph) {
    GraphOptions options = graphOptions;
    options.showsPrecision = true;
    std::string path = std::move(*optimizedGraph);
    optimizedGraph.reset();
    if (failed(writeGraph(module, options, path))) {
      return failure();
    }
  }
  if (!listing || showsKernels) {
    return success();
  }
  FailureOr<listing::Function> function = listGraph(module, countMACs);
  if (failed(function)) {
    return failure();
  }
  function->name = name.str();
  function->target = target.str();
  std::string text;
  llvm::raw_string_ostream stream(text);
  print(*function, stream);
  std::string path = std::move(*listing);
  listing.reset();
  return writeFile(module.getLoc(), path, text);
}

/// Lists kernels as soon as there are any, which later passes take apart.
class Inspection::Listener final : public PassInstrumentation {
public:
  Listener(Inspection &inspection, StringRef name)
      : inspection(inspection), name(name) {}

  void runAfterPass(Pass *pass, Operation *op) override {
    if (pass->getArgument() != "outline-kernels") {
      return;
    }
    auto module = cast<ModuleOp>(op);
    FailureOr<listing::Function> function = listKernels(module);
    if (failed(function)) {
      return;
    }
    function->name = name;
    if (auto arch = VPU::ArchAttr::lookup(module)) {
      function->target = arch.getName().str();
    }
    llvm::raw_string_ostream stream(inspection.kernels);
    print(*function, stream);
  }

private:
  Inspection &inspection;
  std::string name;
};

void Inspection::attach(PassManager &manager, StringRef name) {
  if (needsKernels()) {
    manager.addInstrumentation(std::make_unique<Listener>(*this, name));
  }
}

LogicalResult Inspection::showKernels(Location loc) {
  std::string path = std::move(*listing);
  listing.reset();
  return writeFile(loc, path, kernels);
}
