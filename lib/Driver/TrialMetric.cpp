//===- TrialMetric.cpp - What a trial is worth ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TrialMetric.h"
#include "LayerComparison.h"
#include "Npy.h"

#include "nacre/Support/Files.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <cmath>

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using namespace nacre::quantization;
using interpreter::Datum;
using interpreter::Tensor;

std::vector<OptionSpec> driver::getMetricOptions() {
  return {
      {"--target", "METRIC>=X",
       "what must be reached: top1, agreement (with the model's choices), sqnr "
       "(decibels), cosine, or metric; also METRIC-drop<=X, of what the model "
       "has"},
      {"--labels", "FILE",
       "for top1: a .npy of integers, or a text with one on each line, in the "
       "order of the samples"},
      {"--metric", "COMMAND",
       "for metric: a command that gets a folder of outputs, N_NAME.npy for "
       "sample N, and prints a number, of which more is better"},
      {"--output", "NAME",
       "the output that counts (default: of scores the first, else the worst)"},
  };
}

LogicalResult TrialMetric::readTarget(StringRef text) {
  static constexpr std::pair<StringRef, Kind> kKinds[] = {
      {"top1", Kind::Top1},
      {"agreement", Kind::Agreement},
      {"sqnr", Kind::Decibels},
      {"cosine", Kind::Cosine},
      {"metric", Kind::Command}};
  target = text.str();
  isDrop = text.contains("<=");
  auto [metric, number] = text.split(isDrop ? "<=" : ">=");
  StringRef left = metric;
  bool isForm = !number.getAsDouble(bound) && std::isfinite(bound) &&
                left.consume_back("-drop") == isDrop;
  const auto *found = llvm::find_if(
      kKinds, [&](const auto &entry) { return entry.first == left; });
  if (!isForm || found == std::end(kKinds)) {
    printError() << "--target needs METRIC>=X or METRIC-drop<=X, where METRIC "
                    "is top1, agreement, sqnr, cosine or metric, found '"
                 << text << "'\n";
    return failure();
  }
  kind = found->second;
  name = left.str();
  if (isDrop && kind == Kind::Decibels) {
    printError() << "--target=sqnr-drop has no meaning: the model itself has "
                    "no noise; sqnr>=X has\n";
    return failure();
  }
  return success();
}

LogicalResult TrialMetric::readLabels(StringRef path) {
  if (path.ends_with(".npy")) {
    MLIRContext context;
    // Errors have the file's name.
    FailureOr<Tensor> tensor = readNpy(context, path);
    if (failed(tensor) || !tensor->getElementType().isInteger()) {
      printError() << "cannot read labels from '" << path
                   << "': expected an array of integers\n";
      return failure();
    }
    for (int64_t i = 0; i < tensor->getNumElements(); ++i) {
      labels.push_back(tensor->getInt(i));
    }
    return success();
  }
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer) {
    printError() << "cannot read labels from '" << path
                 << "': " << buffer.getError().message() << "\n";
    return failure();
  }
  SmallVector<StringRef> lines;
  (*buffer)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (auto [i, line] : llvm::enumerate(lines)) {
    if (line.trim().getAsInteger(10, labels.emplace_back())) {
      printError() << "line " << i + 1 << " of '" << path
                   << "' needs an integer, found '" << line.trim() << "'\n";
      return failure();
    }
  }
  return success();
}

FailureOr<TrialMetric> TrialMetric::create(const Arguments &arguments) {
  TrialMetric result;
  if (failed(result.readTarget(arguments.get("--target")))) {
    return failure();
  }
  auto needs = [&](StringRef option, Kind kind) -> LogicalResult {
    if (arguments.has(option) == (result.kind == kind)) {
      return success();
    }
    printError() << (result.kind == kind
                         ? "--target=" + result.target + " needs " + option
                         : option +
                               " is of no use for --target=" + result.target)
                 << "\n";
    return failure();
  };
  if (failed(needs("--labels", Kind::Top1)) ||
      failed(needs("--metric", Kind::Command))) {
    return failure();
  }
  result.output = arguments.get("--output").str();
  result.command = arguments.get("--metric").str();
  if (result.kind == Kind::Top1 &&
      failed(result.readLabels(arguments.get("--labels")))) {
    return failure();
  }
  if (result.kind == Kind::Command) {
    result.folder = std::make_shared<TemporaryFolder>();
    if (failed(result.folder->create())) {
      return failure();
    }
  }
  return result;
}

static bool isFloats(const Datum &datum) {
  return datum.isTensor() && datum.getTensor().getElementType().isF32();
}

/// Finds the outputs that the metric is of.
LogicalResult TrialMetric::chooseOutputs(const ModelInterface &interface,
                                         ArrayRef<Outputs> expected) {
  bool isOfScores = kind == Kind::Top1 || kind == Kind::Agreement;
  for (auto [i, tensor] : llvm::enumerate(interface.outputs)) {
    const Datum &datum = expected.front()[i];
    if (!isFloats(datum) || (!output.empty() && tensor.name != output)) {
      continue;
    }
    ArrayRef<int64_t> shape = datum.getTensor().getShape();
    bool hasRows = output.empty() ? getScoreWidth(shape) > 0
                                  : !shape.empty() && shape.back() > 0;
    if (!isOfScores || hasRows) {
      numbers.push_back(i);
    }
  }
  if (isOfScores && numbers.size() > 1) {
    numbers.truncate(1);
  }
  if (!numbers.empty() || (kind == Kind::Command && output.empty())) {
    return success();
  }
  printError() << "--target=" << target << " finds no f32 output ";
  if (!output.empty()) {
    llvm::errs() << "'" << output << "' ";
  }
  llvm::errs() << (isOfScores ? "of scores" : "of numbers") << "; there are ";
  llvm::interleaveComma(interface.outputs, llvm::errs(),
                        [](const ModelTensor &tensor) {
                          llvm::errs() << "'" << tensor.name << "'";
                        });
  llvm::errs() << "\n";
  return failure();
}

/// Calls `visit` with what an output should be and is, for each sample.
static void
forEachSample(ArrayRef<TrialMetric::Outputs> expected,
              ArrayRef<TrialMetric::Outputs> found, size_t number,
              llvm::function_ref<void(const Tensor &, const Tensor &)> visit) {
  for (auto [wanted, outputs] : llvm::zip_equal(expected, found)) {
    const Tensor &a = wanted[number].getTensor();
    const Tensor &b = outputs[number].getTensor();
    if (a.getShape() == b.getShape()) {
      visit(a, b);
    }
  }
}

FailureOr<double> TrialMetric::countTop1(ArrayRef<Outputs> found) const {
  size_t rows = 0, right = 0;
  for (const Outputs &outputs : found) {
    const Tensor &scores = outputs[numbers.front()].getTensor();
    int64_t width = scores.getShape().back();
    ArrayRef<float> values = scores.values<float>();
    for (size_t i = 0; i < values.size(); i += width, ++rows) {
      right += rows < labels.size() &&
               findLargest(values.slice(i, width)) == labels[rows];
    }
  }
  if (rows > labels.size()) {
    printError() << "--labels has " << labels.size() << " labels, and the "
                 << "samples need " << rows << "\n";
    return failure();
  }
  return rows == 0 ? 0 : static_cast<double>(right) / static_cast<double>(rows);
}

double TrialMetric::getAgreement(ArrayRef<Outputs> expected,
                                 ArrayRef<Outputs> found) const {
  Agreement agreement;
  forEachSample(expected, found, numbers.front(),
                [&](const Tensor &a, const Tensor &b) {
                  agreement.add(a.values<float>(), b.values<float>(),
                                a.getShape().back());
                });
  return agreement.getCount() == 0
             ? 0
             : static_cast<double>(agreement.getSame()) /
                   static_cast<double>(agreement.getCount());
}

double TrialMetric::getDecibels(ArrayRef<Outputs> expected,
                                ArrayRef<Outputs> found) const {
  double worst = std::numeric_limits<double>::infinity();
  for (size_t number : numbers) {
    Distortion distortion;
    forEachSample(expected, found, number,
                  [&](const Tensor &a, const Tensor &b) {
                    distortion.add(a.values<float>(), b.values<float>());
                  });
    worst = std::min(worst, distortion.getDecibels());
  }
  return worst;
}

double TrialMetric::getCosine(ArrayRef<Outputs> expected,
                              ArrayRef<Outputs> found) const {
  double worst = 1;
  for (size_t number : numbers) {
    double sum = 0;
    forEachSample(expected, found, number,
                  [&](const Tensor &a, const Tensor &b) {
                    Distortion distortion;
                    distortion.add(a.values<float>(), b.values<float>());
                    sum += distortion.getCosine();
                  });
    worst = std::min(worst, sum / static_cast<double>(found.size()));
  }
  return worst;
}

/// The number that the user's command prints for the outputs.
FailureOr<double> TrialMetric::runCommand(const ModelInterface &interface,
                                          ArrayRef<Outputs> found) {
  for (auto [i, outputs] : llvm::enumerate(found)) {
    for (auto [tensor, datum] : llvm::zip_first(interface.outputs, outputs)) {
      for (const NamedTensor &part : flatten(tensor.name, datum)) {
        std::string name = part.name;
        for (char &c : name) {
          c = llvm::isAlnum(c) || c == '.' ? c : '_';
        }
        std::string path =
            folder->getFile(std::to_string(i) + "_" + name + ".npy");
        MLIRContext context;
        if (failed(writeBytes(UnknownLoc::get(&context), path,
                              formatNpy(part.value)))) {
          return failure();
        }
      }
    }
  }
  std::string said = folder->getFile("metric.txt"), error;
  StringRef place = llvm::sys::path::parent_path(said);
  std::string script = command + " \"$1\"";
  StringRef words[] = {"sh", "-c", script, "sh", place};
  int status = llvm::sys::ExecuteAndWait(
      "/bin/sh", words, std::nullopt,
      {StringRef(""), StringRef(said), std::nullopt}, 0, 0, &error);
  auto buffer = llvm::MemoryBuffer::getFile(said, /*IsText=*/true);
  StringRef text = buffer ? (*buffer)->getBuffer().trim() : StringRef();
  StringRef last = text.contains('\n') ? text.rsplit('\n').second : text;
  double number;
  if (status != 0 || last.getAsDouble(number)) {
    printError() << "--metric needs a command that succeeds and prints a "
                    "number, found exit status "
                 << status << " and '" << text << "'\n";
    return failure();
  }
  return number;
}

FailureOr<double> TrialMetric::measureKind(const ModelInterface &interface,
                                           ArrayRef<Outputs> expected,
                                           ArrayRef<Outputs> found) {
  switch (kind) {
  case Kind::Top1:
    return countTop1(found);
  case Kind::Agreement:
    return getAgreement(expected, found);
  case Kind::Decibels:
    return getDecibels(expected, found);
  case Kind::Cosine:
    return getCosine(expected, found);
  case Kind::Command:
    return runCommand(interface, found);
  }
  llvm_unreachable("no kind of metric");
}

bool TrialMetric::reaches(double metric) const {
  // Shares are counts divided: what is equal in decimals may differ in bits.
  constexpr double kRounding = 1e-12;
  return isDrop ? *reference - metric <= bound + kRounding
                : metric >= bound - kRounding;
}

FailureOr<Score> TrialMetric::measure(const ModelInterface &interface,
                                      ArrayRef<Outputs> expected,
                                      ArrayRef<Outputs> found) {
  if (!reference && failed(chooseOutputs(interface, expected))) {
    return failure();
  }
  FailureOr<double> metric = measureKind(interface, expected, found);
  if (failed(metric)) {
    return failure();
  }
  if (!reference) {
    reference = *metric;
  }
  Score score;
  score.metric = *metric;
  score.decibels = getDecibels(expected, found);
  score.reaches = reaches(*metric);
  return score;
}
