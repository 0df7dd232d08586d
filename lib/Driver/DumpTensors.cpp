//===- DumpTensors.cpp - The values inside of a model ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The run that is looked at is not the one whose outputs count: values that are
// results keep operators from being fused.
//
//===----------------------------------------------------------------------===//

#include "DumpTensors.h"
#include "DumpKernels.h"
#include "Npy.h"
#include "TensorText.h"

#include "nacre/Dialect/IE/Transforms/Passes.h"
#include "nacre/Dialect/Nacre/IR/NacreDialect.h"
#include "nacre/Emit/Artifact.h"
#include "nacre/Support/Locations.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"

#include <cmath>

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using interpreter::Datum;
using interpreter::Tensor;

static constexpr StringRef kOption = "--dump-tensors";
static constexpr StringRef kOfKernels = "--tap-kernels";
/// Stands for no folder.
static constexpr StringRef kScreen = "-";

std::vector<OptionSpec> driver::getDumpOptions() {
  return {
      {kOption, "DIR[:GLOB]",
       "also write the model's values, inputs and outputs among them, into "
       "DIR, and list them in DIR/index.json; with GLOB those whose names it "
       "matches (* ? [a-z] {a,b}); DIR is - for the screen"},
      {"--dump-format", "NAME",
       "npy (default), console (shape, range, first and last elements), bin "
       "and txt (a line with the type, then elements), rawbin and rawtxt "
       "(elements alone)"},
      {"--dump-memory", "MB",
       "dump in parts, each of which keeps values of at most so many "
       "megabytes (default 1024)"},
      {"--dump-last", "K", "of several data sets, dump only the last K"},
      {kOfKernels, "",
       "with --dump-tensors: instead of the model's values, what each kernel "
       "reads and writes, of a run as it always is, in one part, without "
       "--dump-memory; GLOB is a pattern of kernels and nodes"}};
}

TensorDump::TensorDump(const Arguments &arguments)
    // What options like --dump-ir show is the run whose outputs count.
    : arguments(arguments.without(getInspectionNames())),
      context(MLIRContext::Threading::DISABLED),
      errors(&context,
             [](Diagnostic &diagnostic) {
               printError() << diagnostic.str() << "\n";
               return success();
             }),
      files(UnknownLoc::get(&context)) {}

LogicalResult TensorDump::configure(StringRef model) {
  wanted = arguments.has(kOption);
  for (StringRef companion :
       {StringRef("--dump-format"), StringRef("--dump-memory"),
        StringRef("--dump-last"), kOfKernels}) {
    if (!wanted && arguments.has(companion)) {
      printError() << companion << " needs " << kOption << "\n";
      return failure();
    }
  }
  if (!wanted) {
    return success();
  }
  auto [place, glob] = arguments.get(kOption).split(':');
  folder = place.str();
  names = glob.str();
  FailureOr<Format> chosen = place == kScreen ? Format::Console : Format::Npy;
  if (arguments.has("--dump-format")) {
    chosen = arguments.getChoice<Format>("--dump-format",
                                         {{"npy", Format::Npy},
                                          {"console", Format::Console},
                                          {"bin", Format::Binary},
                                          {"txt", Format::Text},
                                          {"rawbin", Format::RawBinary},
                                          {"rawtxt", Format::RawText}});
  }
  constexpr double kDefaultMemory = 1024, kMostMemory = 1 << 20;
  FailureOr<double> memory =
      arguments.getNumber("--dump-memory", kDefaultMemory, 1, kMostMemory);
  constexpr int64_t kMostRuns = 1 << 20;
  FailureOr<int64_t> last =
      arguments.getCount("--dump-last", kMostRuns, 1, kMostRuns);
  if (failed(chosen) || failed(memory) || failed(last)) {
    return failure();
  }
  format = *chosen;
  numLast = static_cast<size_t>(*last);
  maxBytes = static_cast<int64_t>(*memory) << 20;
  if (folder.empty() || (folder == kScreen && format != Format::Console)) {
    printError() << kOption << " needs DIR[:GLOB], with --dump-format=console "
                 << "also -[:GLOB], found '" << arguments.get(kOption) << "'\n";
    return failure();
  }
  if (isSharedLibraryName(model)) {
    printError() << kOption << " needs a model to compile, found the library '"
                 << model << "'\n";
    return failure();
  }
  tapsKernels = arguments.has(kOfKernels);
  if (tapsKernels && arguments.has("--dump-memory")) {
    printError() << "--dump-memory is for the values of a model: " << kOfKernels
                 << " writes each buffer as soon as it has been seen\n";
    return failure();
  }
  return success();
}

/// The line before the elements, in files that say what they hold.
static std::string getHeading(const Tensor &tensor) {
  return describeType(tensor) + "\n";
}

static void printToConsole(StringRef name, StringRef node, StringRef op,
                           const Tensor &tensor) {
  llvm::raw_ostream &os = llvm::outs();
  os << name << ": " << describeType(tensor);
  FailureOr<TensorRange> range = measureRange(tensor);
  if (succeeded(range)) {
    os << llvm::format(", min %.6g, max %.6g, mean %.6g", range->min,
                       range->max, range->mean);
    if (range->numNaN > 0) {
      os << ", " << range->numNaN << " NaN";
    }
    if (range->numInfinite > 0) {
      os << ", " << range->numInfinite << " infinite";
    }
  }
  if (!op.empty()) {
    os << ", of " << op << " '" << node << "'";
  }
  os << "\n";
  printElements(tensor, os);
}

static void describeRange(const Tensor &tensor, llvm::json::Object &entry) {
  FailureOr<TensorRange> range = measureRange(tensor);
  if (failed(range)) {
    return;
  }
  for (auto [key, number] :
       {std::pair("min", range->min), std::pair("max", range->max),
        std::pair("mean", range->mean)}) {
    // JSON has no other numbers.
    if (std::isfinite(number)) {
      entry[key] = number;
    }
  }
  if (range->numNaN > 0) {
    entry["nan"] = range->numNaN;
  }
  if (range->numInfinite > 0) {
    entry["infinite"] = range->numInfinite;
  }
}

/// What the index says of a value.
static llvm::json::Object describeTap(abi::TapAttr tap, const Tensor &tensor) {
  llvm::json::Object entry{
      {"value", llvm::json::fixUTF8(tap.getName().getValue())},
      {"op", llvm::json::fixUTF8(tap.getOp().getValue())},
      {"node", llvm::json::fixUTF8(tap.getNode().getValue())},
      {"operand", tap.getOperand()},
      {"type", getElementTypeName(tensor.getElementType())},
      {"shape", llvm::json::Array(tensor.getShape())}};
  if (tap.getScale() && tap.getZeroPoint()) {
    entry["scale"] = llvm::json::Array(tap.getScale().asArrayRef());
    entry["zero_point"] = llvm::json::Array(tap.getZeroPoint().asArrayRef());
  }
  describeRange(tensor, entry);
  return entry;
}

std::string TensorDump::getFile(StringRef name) const {
  SmallString<256> path(target);
  llvm::sys::path::append(path, name);
  return path.str().str();
}

LogicalResult TensorDump::write(Entry entry) {
  const Tensor &tensor = entry.tensor;
  if (format == Format::Console) {
    printToConsole(entry.name, entry.node, entry.op, tensor);
    index.push_back(std::move(entry.description));
    return success();
  }
  StringRef extension = format == Format::Npy         ? ".npy"
                        : format == Format::Binary    ? ".bin"
                        : format == Format::Text      ? ".txt"
                        : format == Format::RawBinary ? ".rawbin"
                                                      : ".rawtxt";
  std::string number;
  llvm::raw_string_ostream(number) << llvm::format("%04zu_", index.size());
  llvm::StringSet<> used;
  std::string file = makeFileName(number + entry.name, extension, used);
  entry.description["file"] = file;
  index.push_back(std::move(entry.description));
  return files.write(getFile(file), [&](llvm::raw_ostream &os) {
    if (format == Format::Npy) {
      os << formatNpy(tensor);
      return success();
    }
    if (format == Format::Binary || format == Format::Text) {
      os << getHeading(tensor);
    }
    format == Format::Text || format == Format::RawText
        ? writeLines(tensor, os)
        : writeBytes(tensor, os);
    return success();
  });
}

ExitCode TensorDump::dumpGroup(StringRef model, StringRef dataFolder,
                               int64_t group, int64_t &numGroups,
                               ReadInputs read) {
  Session session;
  if (failed(session.configure(arguments))) {
    return session.getExitCode();
  }
  session.taps = std::make_unique<IE::TapValuesOptions>();
  session.taps->allTypes = true;
  session.taps->names = names;
  session.taps->maxBytes = maxBytes;
  session.taps->group = group;
  if (failed(session.prepare(model, dataFolder))) {
    return session.getExitCode();
  }
  auto recorded = abi::get<abi::Taps>(session.getModule());
  if (!recorded) {
    printError() << kOption << " needs a model before lowering, found '"
                 << model << "'\n";
    return ExitCode::BadInput;
  }
  numGroups = recorded.getGroups();
  FailureOr<SmallVector<Datum>> inputs = read(session);
  SmallVector<Datum> outputs;
  if (failed(inputs) || failed(session.run(*inputs, outputs))) {
    return session.getExitCode();
  }
  ArrayAttr values = recorded.getValues();
  for (auto [tap, value] :
       llvm::zip_equal(values.getAsRange<abi::TapAttr>(),
                       ArrayRef(outputs).take_back(values.size()))) {
    const Tensor &tensor = value.getTensor();
    if (failed(write({tap.getName().str(), tap.getNode().str(),
                      tap.getOp().str(), describeTap(tap, tensor), tensor}))) {
      return ExitCode::BadInput;
    }
  }
  return ExitCode::Success;
}

/// What the index says of a kernel's operand.
static llvm::json::Object describeOperand(const KernelOperand &operand,
                                          StringRef node,
                                          const Tensor &tensor) {
  int64_t roles = operand.description.getRoles();
  llvm::json::Array nodes;
  for (StringRef name : getLocationNames(operand.kernel.getName())) {
    nodes.push_back(llvm::json::fixUTF8(name));
  }
  llvm::json::Object entry{
      {"step", static_cast<int64_t>(operand.step)},
      {"kernel", operand.kernel.getKernel().str()},
      {"node", llvm::json::fixUTF8(node)},
      {"nodes", std::move(nodes)},
      {"operand", static_cast<int64_t>(operand.operand)},
      {"access", operand.isWritten ? "written" : "read"},
      {"memory", (roles & NACRE_INPUT) != 0    ? "input"
                 : (roles & NACRE_OUTPUT) != 0 ? "output"
                                               : "arena"},
      {"type", getElementTypeName(tensor.getElementType())},
      {"shape", llvm::json::Array(tensor.getShape())}};
  describeRange(tensor, entry);
  return entry;
}

/// Prints an error and fails where code has no kernels to look at.
static LogicalResult requireKernels(const Session &session) {
  if (session.getBackend() == Backend::CPU && session.archs.size() == 1) {
    return success();
  }
  printError() << kOfKernels
               << " needs the cpu backend and one architecture: others have no "
                  "kernels that tell of themselves\n";
  return failure();
}

ExitCode TensorDump::dumpKernels(StringRef model, StringRef dataFolder,
                                 ReadInputs read) {
  Session session;
  if (failed(session.configure(arguments))) {
    return session.getExitCode();
  }
  if (failed(requireKernels(session))) {
    return ExitCode::BadInput;
  }
  session.hooks = true;
  session.hookingOption = kOfKernels;
  if (failed(session.prepare(model, dataFolder))) {
    return session.getExitCode();
  }
  FailureOr<KernelTaps> taps = KernelTaps::create(session, names);
  FailureOr<SmallVector<Datum>> inputs = read(session);
  SmallVector<Datum> outputs;
  if (failed(taps) || failed(inputs) ||
      failed(taps->run(*inputs, outputs,
                       [&](const KernelOperand &operand, const Tensor &tensor) {
                         StringRef kernel = operand.kernel.getKernel();
                         std::string node =
                             getLocationName(operand.kernel.getName());
                         return write(
                             {(kernel + "." + Twine(operand.operand)).str(),
                              node, kernel.str(),
                              describeOperand(operand, node, tensor), tensor});
                       }))) {
    return session.getExitCode();
  }
  return ExitCode::Success;
}

ExitCode TensorDump::dump(StringRef model, StringRef dataFolder, StringRef name,
                          ReadInputs read) {
  index = llvm::json::Array();
  SmallString<256> path(folder);
  if (!name.empty()) {
    llvm::sys::path::append(path, name);
  }
  target = path.str().str();
  if (folder != kScreen) {
    folders.push_back(std::make_unique<OutputFolder>());
    if (failed(folders.back()->create(target))) {
      return ExitCode::BadInput;
    }
  }
  int64_t numGroups = tapsKernels ? 0 : 1;
  if (tapsKernels) {
    ExitCode code = dumpKernels(model, dataFolder, read);
    if (code != ExitCode::Success) {
      return code;
    }
  }
  for (int64_t group = 0; group < numGroups; ++group) {
    ExitCode code = dumpGroup(model, dataFolder, group, numGroups, read);
    if (code != ExitCode::Success) {
      return code;
    }
  }
  if (folder == kScreen) {
    return ExitCode::Success;
  }
  return succeeded(files.write(getFile("index.json"),
                               [&](llvm::raw_ostream &os) {
                                 llvm::json::OStream json(os, /*IndentSize=*/1);
                                 json.value(std::move(index));
                                 os << "\n";
                                 return success();
                               }))
             ? ExitCode::Success
             : ExitCode::BadInput;
}

ExitCode TensorDump::keep() {
  return succeeded(files.keep()) ? ExitCode::Success : ExitCode::BadInput;
}
