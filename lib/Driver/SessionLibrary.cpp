//===- SessionLibrary.cpp - Models that are compiled already --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library that `nacre compile` has written takes the place of a model. What
// says how to compile is then refused instead of left unread.
//
//===----------------------------------------------------------------------===//

#include "Clock.h"
#include "Session.h"

#include "mlir/IR/TypeUtilities.h"

#include <cstdlib>

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;

/// Whether an option of every command that compiles also says something about a
/// run of what is compiled. --precision says how near results have to be.
static bool isOfRuns(StringRef option) {
  return llvm::is_contained<StringRef>({"--shape", "--threads", "--precision",
                                        "--load-dialect-plugin", "--timing",
                                        "--trace", "--trace-level"},
                                       option);
}

/// The options that a library has no use for.
static std::vector<StringRef> getCompilingOptions() {
  std::vector<StringRef> names;
  for (ArrayRef<OptionSpec> specs :
       {getCompilationOptions(), getTargetOptions()}) {
    for (const OptionSpec &spec : specs) {
      if (!isOfRuns(spec.name)) {
        names.push_back(spec.name);
      }
    }
  }
  return names;
}

Arguments driver::withoutCompilation(const Arguments &arguments) {
  return arguments.without(getCompilingOptions());
}

void Session::noteCompilingOption(const Arguments &arguments) {
  for (StringRef name : getCompilingOptions()) {
    if (compilingOption.empty() && arguments.has(name)) {
      compilingOption = name;
    }
  }
}

LogicalResult Session::loadLibrary(StringRef path) {
  Clock::time_point start = Clock::now();
  auto loaded = CompiledModel::load(context, path);
  if (failed(loaded)) {
    return fail(ExitCode::BadInput);
  }
  compiled = std::move(*loaded);
  loadMs = getMilliseconds(Clock::now() - start);
  return requireCapableCPU();
}

/// The number in NACRE_THREADS, which limits all runs of a process; `fallback`
/// where there is none.
static int64_t getThreadLimit(int64_t fallback) {
  const char *text = std::getenv("NACRE_THREADS");
  int64_t limit;
  bool isNumber = text && !StringRef(text).getAsInteger(10, limit) && limit > 0;
  return isNumber ? limit : fallback;
}

/// Runs a library with fewer threads than it may use where --threads says so.
/// Its team reads their number from the environment before the first run, and
/// so does that of a process that measures its memory.
void Session::limitThreads() {
  int64_t most = compiled->getInfo().threads;
  if (!given.contains("--threads")) {
    threads = std::min(most, getThreadLimit(most));
    return;
  }
  if (threads > most) {
    printWarning() << "the library runs with at most " << most
                   << (most == 1 ? " thread" : " threads")
                   << ", which --threads said when it was compiled\n";
    threads = most;
  }
  ::setenv("NACRE_THREADS", std::to_string(threads).c_str(), /*replace=*/1);
}

/// Gives the inputs of a library the sizes that --shape says, which it takes at
/// run time.
LogicalResult Session::fixShapes() {
  for (const auto &[name, dims] : shapes) {
    auto input =
        llvm::find_if(interface.inputs, [&name = name](const auto &tensor) {
          return tensor.name == name;
        });
    if (input == interface.inputs.end() || !input->type) {
      printError() << "--shape names '" << name
                   << "', which is no tensor among the library's inputs\n";
      return fail(ExitCode::BadInput);
    }
    auto wanted = input->type.clone(dims);
    if (failed(verifyCompatibleShape(input->type, wanted))) {
      printError() << "--shape gives '" << name << "' the type " << wanted
                   << ", and the library takes " << input->type << "\n";
      return fail(ExitCode::BadInput);
    }
    input->type = wanted;
  }
  return success();
}

LogicalResult Session::prepareLibrary(StringRef path) {
  if (!inspection.getGiven().empty()) {
    return refuseInspection("a library has its code already");
  }
  StringRef option = getQuantizingOption();
  option = option.empty() ? compilingOption : option;
  if (!option.empty()) {
    printError() << option << " needs a model to compile: the library '" << path
                 << "' has its code already\n";
    return fail(ExitCode::BadInput);
  }
  if (failed(loadLibrary(path))) {
    return failure();
  }
  limitThreads();
  interface = compiled->getInfo().interface;
  return failed(fixShapes()) ? failure() : requireMemory();
}
