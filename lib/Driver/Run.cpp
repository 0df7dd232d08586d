//===- Run.cpp - nacre run ------------------------------------------------===//
//
// Runs a model once and shows or saves its outputs.
//
//===----------------------------------------------------------------------===//

#include "Npy.h"
#include "Session.h"

#include "nacre/Support/Files.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
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
  if (std::error_code error = llvm::sys::fs::create_directories(folder)) {
    printError() << "cannot create '" << folder << "': " << error.message()
                 << "\n";
    return failure();
  }
  llvm::json::Array list;
  for (auto [tensor, value] :
       llvm::zip_equal(session.getInterface().outputs, outputs)) {
    for (const NamedTensor &part : flatten(tensor.name, value)) {
      std::string file;
      for (char c : part.name) {
        bool keeps = llvm::isAlnum(c) || c == '_' || c == '.' || c == '-';
        file += keeps ? c : '_';
      }
      file += ".npy";
      SmallString<256> path(folder);
      llvm::sys::path::append(path, file);
      if (failed(writeFile(session.getLoc(), path, formatNpy(part.value)))) {
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
  return writeFile(session.getLoc(), path, text);
}

ExitCode driver::runRun(const Arguments &arguments) {
  if (arguments.getPositional().size() != 1) {
    printError() << "run needs one model; see nacre run --help\n";
    return ExitCode::BadInput;
  }
  Session session;
  SmallVector<Datum> inputs, outputs;
  if (failed(session.configure(arguments)) ||
      failed(session.prepare(arguments.getPositional().front())) ||
      failed(readInputs(session, arguments, inputs)) ||
      failed(session.run(inputs, outputs))) {
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
