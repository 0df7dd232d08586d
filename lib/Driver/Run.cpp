//===- Run.cpp - nacre run ------------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a model once and shows or saves its outputs.
//
//===----------------------------------------------------------------------===//

#include "Folders.h"
#include "Npy.h"
#include "Session.h"
#include "Trace.h"

#include "nacre/Support/Files.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using interpreter::Datum;
using interpreter::Tensor;

static void printSummary(StringRef name, const Tensor &value) {
  constexpr int64_t kShown = 8;
  llvm::outs() << name << ": " << value.getType() << " [";
  // Of complex numbers both parts, in turn.
  Tensor tensor = value.withParts();
  int64_t count = tensor.getNumElements();
  for (int64_t i = 0; i < std::min(count, kShown); ++i) {
    llvm::outs() << (i == 0 ? "" : ", ");
    if (tensor.hasStrings()) {
      llvm::outs() << '"';
      llvm::printEscapedString(tensor.values<interpreter::String>()[i],
                               llvm::outs());
      llvm::outs() << '"';
    } else if (isa<FloatType>(tensor.getElementType())) {
      llvm::outs() << llvm::format("%.6g", tensor.getDouble(i));
    } else {
      llvm::outs() << tensor.getInt(i);
    }
  }
  llvm::outs() << (count > kShown ? ", …]\n" : "]\n");
}

/// A file name for `name` that none of `used` is, whose letters are small: some
/// file systems do not tell them from large ones.
static std::string makeFileName(StringRef name, llvm::StringSet<> &used) {
  constexpr size_t kLongest = 200;
  std::string stem;
  for (char c : name.take_front(kLongest)) {
    bool keeps = llvm::isAlnum(c) || c == '_' || c == '.' || c == '-';
    stem += keeps ? c : '_';
  }
  std::string file = stem + ".npy";
  for (int i = 2; !used.insert(StringRef(file).lower()).second; ++i) {
    file = stem + "-" + std::to_string(i) + ".npy";
  }
  return file;
}

static LogicalResult saveOutputs(Session &session, StringRef folder,
                                 ArrayRef<Datum> outputs) {
  OutputFolder made;
  if (failed(made.create(folder))) {
    return failure();
  }
  TemporaryFiles files(session.getLoc());
  llvm::json::Array list;
  llvm::StringSet<> used;
  for (auto [tensor, value] :
       llvm::zip_equal(session.getInterface().outputs, outputs)) {
    for (const NamedTensor &part : flatten(tensor.name, value)) {
      std::string file = makeFileName(part.name, used);
      SmallString<256> path(folder);
      llvm::sys::path::append(path, file);
      if (failed(files.write(path, formatNpy(part.value)))) {
        return failure();
      }
      list.push_back(llvm::json::Object{
          {"name", llvm::json::fixUTF8(part.name)}, {"file", file}});
    }
  }
  SmallString<256> path(folder);
  llvm::sys::path::append(path, "outputs.json");
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(std::move(list)) << "\n";
  return failed(files.write(path, text)) ? failure() : files.keep();
}

ExitCode driver::runRun(const Arguments &arguments) {
  if (arguments.getPositional().size() != 1) {
    printError() << "run needs one model; see nacre run --help\n";
    return ExitCode::BadInput;
  }
  Session session;
  SmallVector<Datum> inputs, outputs;
  if (failed(session.configure(arguments))) {
    return session.getExitCode();
  }
  session.profiles = tracesSteps(session);
  if (failed(session.prepare(arguments.getPositional().front())) ||
      failed(readInputs(session, arguments, inputs)) ||
      failed(runInTrace(session, inputs, outputs))) {
    return session.getExitCode();
  }
  if (arguments.has("--output-dir")) {
    return succeeded(
               saveOutputs(session, arguments.get("--output-dir"), outputs))
               ? ExitCode::Success
               : ExitCode::BadInput;
  }
  for (auto [tensor, value] :
       llvm::zip_equal(session.getInterface().outputs, outputs)) {
    for (const NamedTensor &part : flatten(tensor.name, value)) {
      printSummary(part.name, part.value);
    }
  }
  return ExitCode::Success;
}
