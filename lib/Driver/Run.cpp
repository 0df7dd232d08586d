//===- Run.cpp - nacre run ------------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a model once and shows or saves its outputs.
//
//===----------------------------------------------------------------------===//

#include "DumpTensors.h"
#include "Npy.h"
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
      std::string file = makeFileName(part.name, ".npy", used);
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

/// Runs the model and shows what comes out.
static ExitCode runOnce(const Arguments &arguments, StringRef model) {
  Session session;
  SmallVector<Datum> inputs, outputs;
  if (failed(session.configure(arguments))) {
    return session.getExitCode();
  }
  session.profiles = tracesSteps(session);
  if (failed(session.prepare(model)) ||
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

ExitCode driver::runRun(const Arguments &arguments) {
  if (arguments.getPositional().size() != 1) {
    printError() << "run needs one model; see nacre run --help\n";
    return ExitCode::BadInput;
  }
  StringRef model = arguments.getPositional().front();
  TensorDump dump(arguments);
  if (failed(dump.configure(model))) {
    return ExitCode::BadInput;
  }
  ExitCode code = runOnce(arguments, model);
  if (code != ExitCode::Success || !dump.isWanted()) {
    return code;
  }
  auto read = [&](Session &session) -> FailureOr<SmallVector<Datum>> {
    SmallVector<Datum> inputs;
    return failed(readInputs(session, arguments, inputs))
               ? FailureOr<SmallVector<Datum>>(failure())
               : FailureOr<SmallVector<Datum>>(std::move(inputs));
  };
  code = dump.dump(model, /*dataFolder=*/"", /*name=*/"", read);
  return code == ExitCode::Success ? dump.keep() : code;
}
