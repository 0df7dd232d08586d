//===- Check.cpp - nacre check --------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a model on ONNX test data and compares with the expected outputs.
//
//===----------------------------------------------------------------------===//

#include "DumpTensors.h"
#include "Trace.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using interpreter::Datum;

/// Dumps the values of the model on each data set; of several, each has a
/// folder of its name.
static ExitCode dumpAll(TensorDump &dump, StringRef model,
                        ArrayRef<std::string> dataFolders) {
  llvm::StringSet<> used;
  for (auto [i, data] : llvm::enumerate(dataFolders)) {
    std::string name;
    if (dataFolders.size() > 1) {
      name = makeFileName(llvm::sys::path::filename(StringRef(data).rtrim('/')),
                          /*extension=*/"", used);
    }
    if (i + dump.getNumLast() < dataFolders.size()) {
      continue;
    }
    ExitCode code =
        dump.dump(model, data, name, [&, &data = data](Session &session) {
          return readSample(session, data);
        });
    if (code != ExitCode::Success) {
      return code;
    }
  }
  return dump.keep();
}

static LogicalResult configure(Session &session, const Arguments &arguments) {
  if (failed(session.configure(arguments))) {
    return failure();
  }
  session.profiles = tracesSteps(session);
  return success();
}

ExitCode driver::runCheck(const Arguments &arguments) {
  ArrayRef<std::string> words = arguments.getPositional();
  if (words.size() < 2) {
    printError() << "check needs a model and data folders; see nacre check "
                    "--help\n";
    return ExitCode::BadInput;
  }
  TensorDump dump(arguments);
  if (failed(dump.configure(words.front()))) {
    return ExitCode::BadInput;
  }
  auto session = std::make_unique<Session>();
  if (failed(configure(*session, arguments))) {
    return session->getExitCode();
  }
  FailureOr<Tolerance> tolerance =
      readTolerance(arguments, session->getTolerance());
  if (failed(tolerance)) {
    return ExitCode::BadInput;
  }
  if (failed(session->prepare(words.front(), words[1]))) {
    return session->getExitCode();
  }
  bool allSame = true;
  for (auto [i, folder] : llvm::enumerate(words.drop_front())) {
    // A dynamic model is compiled for each data set's shapes, and one with
    // initializers that are inputs for the values it has for those.
    size_t inputs = session->getInterface().inputs.size();
    if (i > 0 && (session->isSpecialized() || llvm::sys::fs::exists(getDataFile(
                                                  folder, "input", inputs)))) {
      session = std::make_unique<Session>();
      // What is shown is the first one's.
      if (failed(
              configure(*session, arguments.without(getInspectionNames()))) ||
          failed(session->prepare(words.front(), folder))) {
        return session->getExitCode();
      }
    }
    FailureOr<DataSet> data = readDataSet(*session, folder);
    SmallVector<Datum> outputs;
    if (failed(data) ||
        failed(runInTrace(*session, data->inputs, outputs, folder))) {
      return session->getExitCode();
    }
    llvm::outs() << folder << "\n";
    bool same = compareOutputs(*session, outputs, data->outputs, *tolerance,
                               llvm::outs());
    llvm::outs() << "  " << (same ? "pass" : "fail") << "\n";
    allSame &= same;
  }
  llvm::outs() << (allSame ? "PASS\n" : "FAIL\n");
  if (dump.isWanted()) {
    session.reset();
    ExitCode code = dumpAll(dump, words.front(), words.drop_front());
    if (code != ExitCode::Success) {
      return code;
    }
  }
  return allSame ? ExitCode::Success : ExitCode::Differs;
}
