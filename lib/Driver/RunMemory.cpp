//===- RunMemory.cpp - Memory that running a model takes ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler is in this process: what a run alone needs shows in another.
//
//===----------------------------------------------------------------------===//

#include "RunMemory.h"

#include "Arguments.h"
#include "nacre/Dialect/IE/IR/Sequence.h"
#include "nacre/Dialect/IE/Utils/SmallNumbers.h"
#include "nacre/Dialect/Runtime/IR/ElementTypes.h"
#include "nacre/Support/Files.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using interpreter::Datum;

bool driver::takesNumbers(const CompiledModel &model) {
  return llvm::all_of(
      model.getInfo().interface.inputs, [](const ModelTensor &tensor) {
        if (!tensor.type) {
          return false;
        }
        Type element = tensor.type.getElementType();
        return !isa<IE::StringType>(element) && !IE::isPacked(element);
      });
}

static std::string readFile(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().trim().str() : std::string();
}

FailureOr<RunMemory> driver::measureRunMemory(Location loc,
                                              const CompiledModel &model,
                                              StringRef library,
                                              ArrayRef<Datum> inputs,
                                              TemporaryFolder &folder) {
  // Some function of this program tells where it is.
  SmallString<128> runner(
      llvm::sys::path::parent_path(llvm::sys::fs::getMainExecutable(
          "", reinterpret_cast<void *>(&driver::takesNumbers))));
  llvm::sys::path::append(runner, "nacre-run-compiled");
  // dlopen searches the system for a name without a slash.
  SmallString<128> path(library);
  llvm::sys::fs::make_absolute(path);
  const ArtifactInfo &info = model.getInfo();
  std::vector<std::string> words = {runner.str().str(), path.str().str(),
                                    std::to_string(info.arenaBytes), "0"};
  for (auto [i, input] : llvm::enumerate(inputs)) {
    const interpreter::Tensor &tensor = input.getTensor();
    std::string file = folder.getFile(std::to_string(i)), type;
    if (info.interface.inputs[i].isRuntimeValue()) {
      llvm::raw_string_ostream os(type);
      os << "tensor:" << rt::getTypeNumber(tensor.getElementType()) << ":";
      llvm::interleave(tensor.getShape(), os, "x");
      os << ":";
    }
    words.push_back(type + file);
    ArrayRef<char> bytes = tensor.getBytes();
    if (failed(writeBytes(loc, file, StringRef(bytes.data(), bytes.size())))) {
      return failure();
    }
  }
  words.push_back("--");
  for (const ModelTensor &output : getOwnOutputs(info.interface)) {
    words.push_back(
        output.isRuntimeValue()
            ? "value"
            : std::to_string(
                  interpreter::Tensor(output.type).getBytes().size()));
  }
  std::string result = folder.getFile("result"),
              errors = folder.getFile("errors");
  std::optional<StringRef> redirects[] = {StringRef(), StringRef(result),
                                          StringRef(errors)};
  SmallVector<StringRef> arguments(words.begin(), words.end());
  std::string problem;
  int status = llvm::sys::ExecuteAndWait(runner, arguments, std::nullopt,
                                         redirects, /*SecondsToWait=*/0,
                                         /*MemoryLimit=*/0, &problem);
  llvm::Expected<llvm::json::Value> line = llvm::json::parse(readFile(result));
  const llvm::json::Object *object = line ? line->getAsObject() : nullptr;
  if (!line) {
    llvm::consumeError(line.takeError());
  }
  std::optional<double> peak =
      object ? object->getNumber("rss_mb") : std::nullopt;
  std::optional<double> privateBytes =
      object ? object->getNumber("private_mb") : std::nullopt;
  if (status != 0 || !peak || !privateBytes) {
    printError() << "cannot measure the memory of a run with '" << runner
                 << "': " << (problem.empty() ? readFile(errors) : problem)
                 << "\n";
    return failure();
  }
  return RunMemory{*peak, *privateBytes};
}
