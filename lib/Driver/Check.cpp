//===- Check.cpp - nacre check --------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a model on ONNX test data and compares with the expected outputs.
//
//===----------------------------------------------------------------------===//

#include "DumpTensors.h"
#include "LayerDifferences.h"
#include "Trace.h"

#include "nacre/Emit/Artifact.h"

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

namespace {

/// A model that is run on one data folder after the other.
class Subject {
public:
  Subject(const Arguments &arguments, StringRef path)
      : arguments(arguments), path(path), session(createSession()) {}

  LogicalResult configure() { return configure(arguments); }

  /// A dynamic model is compiled for each data set's shapes, and one with
  /// initializers that are inputs for the values it has for those.
  LogicalResult prepare(StringRef folder) {
    if (!isPrepared) {
      isPrepared = true;
      return session->prepare(path, folder);
    }
    size_t inputs = session->getInterface().inputs.size();
    bool isSame = !session->isSpecialized() &&
                  !llvm::sys::fs::exists(getDataFile(folder, "input", inputs));
    if (isSame) {
      return success();
    }
    session = createSession();
    // What is shown is the first one's.
    return success(
        succeeded(configure(arguments.without(getInspectionNames()))) &&
        succeeded(session->prepare(path, folder)));
  }

  Session &get() { return *session; }
  StringRef getPath() const { return path; }

private:
  static std::unique_ptr<Session> createSession() {
    return std::make_unique<Session>();
  }

  LogicalResult configure(const Arguments &line) {
    if (failed(session->configure(line))) {
      return failure();
    }
    session->profiles = tracesSteps(*session);
    return success();
  }

  Arguments arguments;
  StringRef path;
  std::unique_ptr<Session> session;
  bool isPrepared = false;
};

} // namespace

/// The outputs of one model in the order that another has: by their names, and
/// those of which only one has the name by their order. Prints an error and
/// fails where there are others.
static FailureOr<SmallVector<Datum>> arrange(Subject &model, Subject &other,
                                             ArrayRef<Datum> outputs) {
  ArrayRef<ModelTensor> wanted = model.get().getInterface().outputs;
  ArrayRef<ModelTensor> present = other.get().getInterface().outputs;
  SmallVector<std::optional<unsigned>> found(wanted.size());
  SmallVector<unsigned> left;
  for (auto [i, tensor] : llvm::enumerate(present)) {
    const ModelTensor *same =
        llvm::find_if(wanted, [&, &name = tensor.name](const auto &candidate) {
          return candidate.name == name;
        });
    size_t place = same - wanted.begin();
    if (same == wanted.end() || found[place]) {
      left.push_back(i);
    } else {
      found[place] = i;
    }
  }
  SmallVector<Datum> result;
  const auto *next = left.begin();
  for (auto [tensor, number] : llvm::zip_equal(wanted, found)) {
    if (!number && wanted.size() != present.size()) {
      printError() << "'" << other.getPath() << "' has no output '"
                   << tensor.name << "' and " << present.size()
                   << " outputs, where '" << model.getPath() << "' has "
                   << wanted.size() << "\n";
      return other.get().fail(ExitCode::BadInput);
    }
    unsigned chosen = number ? *number : *next++;
    // Integers of other scales are other ones.
    bool areFloats =
        tensor.integers ||
        (tensor.type && isa<FloatType>(tensor.type.getElementType()));
    result.push_back(areFloats ? asFloats(outputs[chosen], present[chosen])
                               : outputs[chosen]);
  }
  return result;
}

/// What the outputs of the model are to be for a data folder, and the inputs:
/// what the folder holds, or what another model computes.
static FailureOr<DataSet> readExpected(Subject &model, Subject *other,
                                       StringRef folder) {
  if (!other) {
    return readDataSet(model.get(), folder);
  }
  DataSet data;
  SmallVector<Datum> outputs;
  FailureOr<SmallVector<Datum>> inputs = readSample(model.get(), folder);
  if (failed(inputs)) {
    return failure();
  }
  data.inputs = std::move(*inputs);
  inputs = failed(other->prepare(folder))
               ? FailureOr<SmallVector<Datum>>(failure())
               : readSample(other->get(), folder);
  if (failed(inputs) || failed(other->get().run(*inputs, outputs))) {
    return model.get().fail(other->get().getExitCode());
  }
  FailureOr<SmallVector<Datum>> arranged = arrange(model, *other, outputs);
  if (failed(arranged)) {
    return model.get().fail(ExitCode::BadInput);
  }
  data.outputs = std::move(*arranged);
  return data;
}

ExitCode driver::runCheck(const Arguments &arguments) {
  ArrayRef<std::string> words = arguments.getPositional();
  if (words.size() < 2) {
    printError() << "check needs a model and data folders; see nacre check "
                    "--help\n";
    return ExitCode::BadInput;
  }
  TensorDump dump(arguments);
  if (failed(dump.configure(words.front())) ||
      failed(checkComparisonOptions(arguments, words.front()))) {
    return ExitCode::BadInput;
  }
  // JSON stands alone.
  llvm::raw_ostream &os = arguments.has("--json") ? llvm::errs() : llvm::outs();
  // Beside a library, what says how to compile is for the other one, if that
  // is a model.
  StringRef against = arguments.get("--against");
  auto takesNoCompilation = [](StringRef path, StringRef beside) {
    return isSharedLibraryName(path) && !beside.empty() &&
           !isSharedLibraryName(beside);
  };
  bool isModelLibrary = takesNoCompilation(words.front(), against);
  auto subject = std::make_unique<Subject>(
      isModelLibrary ? withoutCompilation(arguments) : arguments,
      words.front());
  std::unique_ptr<Subject> other;
  if (!against.empty()) {
    Arguments ofOther = getArgumentsOfOther(arguments);
    other = std::make_unique<Subject>(takesNoCompilation(against, words.front())
                                          ? withoutCompilation(ofOther)
                                          : ofOther,
                                      against);
  }
  if (failed(subject->configure()) || (other && failed(other->configure()))) {
    return ExitCode::BadInput;
  }
  // What is wrong with it is said before anything is compiled.
  if (failed(readTolerance(arguments, Tolerance()))) {
    return ExitCode::BadInput;
  }
  bool allSame = true;
  for (StringRef folder : words.drop_front()) {
    if (failed(subject->prepare(folder))) {
      return subject->get().getExitCode();
    }
    Session &session = subject->get();
    Tolerance tolerance = *readTolerance(arguments, session.getTolerance());
    FailureOr<DataSet> data = readExpected(*subject, other.get(), folder);
    SmallVector<Datum> outputs;
    if (failed(data) ||
        failed(runInTrace(session, data->inputs, outputs, folder))) {
      return session.getExitCode();
    }
    os << folder << "\n";
    bool same = compareOutputs(session, outputs, data->outputs, tolerance, os);
    os << "  " << (same ? "pass" : "fail") << "\n";
    allSame &= same;
  }
  subject.reset();
  other.reset();
  if (arguments.has("--layers")) {
    ExitCode code =
        compareLayers(arguments, words.front(), words.drop_front(), allSame);
    if (code != ExitCode::Success) {
      return code;
    }
  }
  os << (allSame ? "PASS\n" : "FAIL\n");
  if (dump.isWanted()) {
    ExitCode code = dumpAll(dump, words.front(), words.drop_front());
    if (code != ExitCode::Success) {
      return code;
    }
  }
  return allSame ? ExitCode::Success : ExitCode::Differs;
}
