//===- Classify.cpp - nacre classify --------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pictures through a classifier: what each shows, and how often that is right.
//
//===----------------------------------------------------------------------===//

#include "Classify.h"
#include "Clock.h"
#include "Images.h"
#include "Labels.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cmath>
#include <iostream>
#include <numeric>
#include <utility>

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using interpreter::Datum;
using interpreter::Tensor;

/// The second accuracy that is told counts so many classes.
static constexpr size_t kMoreClasses = 5;

std::vector<OptionSpec> driver::getClassifyOptions() {
  std::vector<OptionSpec> options = {
      {"--images", "DIR", "all pictures in a folder, by numbers and names"},
      {"--list", "FILE", "pictures whose names are lines of a file"},
      {"--input", "NAME=SOURCE",
       "another input: a .npy or .pb file, or random[:SEED]"},
      {"--batch", "N", "pictures at a time, where the model leaves that open"},
      {"--topk", "K", "classes to print of each picture (default 1)"},
      {"--softmax", "", "scores become shares of 1"},
      {"--labels", "FILE", "the names of classes, a line each"},
      {"--label-offset", "N",
       "class 0 is output N: 1 for a model whose first output is none of them"},
      {"--expected", "FILE",
       "the classes that are right: a line each, or a picture's name and its "
       "class"},
      {"--min-accuracy", "X",
       "with --expected, exit with 1 if a smaller share than X, from 0 to 1, "
       "is "
       "right"},
      {"--repeat", "N", "run each picture N times, and tell the median time"}};
  llvm::append_range(options, getImageOptions());
  return options;
}

namespace {

/// The names of pictures, in their order.
class Names {
public:
  LogicalResult read(const Arguments &arguments);

  /// The next one; nothing after the last.
  std::optional<std::string> next() {
    if (waiting) {
      return std::exchange(waiting, std::nullopt);
    }
    if (position < names.size()) {
      return names[position++];
    }
    std::string line;
    while (readsInput && std::getline(std::cin, line)) {
      StringRef name = StringRef(line).trim();
      if (!name.empty()) {
        return name.str();
      }
    }
    return std::nullopt;
  }
  /// Makes a name the next one.
  void putBack(std::string name) { waiting = std::move(name); }

private:
  std::optional<std::string> waiting;
  std::vector<std::string> names;
  size_t position = 0;
  bool readsInput = false;
};

/// The numbers of the command line.
struct ClassifyOptions {
  std::optional<int64_t> batch;
  size_t topK = 1, repeat = 1;
  int64_t labelOffset = 0;
  double minAccuracy = 0;
  bool softmax = false;
};

class Classifier {
public:
  Classifier(const Arguments &arguments, const ClassifyOptions &options,
             const ImageInput &images)
      : arguments(arguments), options(options), images(images) {}

  LogicalResult prepare(StringRef model);
  LogicalResult classify(Names &names);
  /// Prints what has been found of all pictures.
  ExitCode conclude();
  ExitCode getExitCode() const { return session.getExitCode(); }

private:
  LogicalResult runBatch(ArrayRef<std::string> paths);
  LogicalResult report(StringRef path, ArrayRef<double> scores);

  const Arguments &arguments;
  const ClassifyOptions &options;
  const ImageInput &images;
  Session session;
  Labels labels;
  std::optional<ExpectedLabels> expected;
  SmallVector<Datum> inputs;
  size_t count = 0, right = 0, amongFirst = 0;
  std::vector<double> milliseconds; // of a picture in a run
};

} // namespace

LogicalResult Names::read(const Arguments &arguments) {
  for (const std::string &word : arguments.getPositional().drop_front()) {
    if (word == "-") {
      readsInput = true;
    } else {
      names.push_back(word);
    }
  }
  for (StringRef folder : arguments.getAll("--images")) {
    std::vector<std::string> found = listImages(folder);
    if (found.empty()) {
      printError() << (llvm::sys::fs::is_directory(folder)
                           ? "no pictures (.png, .jpg, .ppm, .pgm, .npy) in '"
                           : "no such folder of pictures: '")
                   << folder << "'\n";
      return failure();
    }
    llvm::append_range(names, found);
  }
  for (StringRef path : arguments.getAll("--list")) {
    auto file = llvm::MemoryBuffer::getFile(path);
    if (!file) {
      printError() << "cannot read '" << path
                   << "': " << file.getError().message() << "\n";
      return failure();
    }
    for (llvm::line_iterator line(**file); !line.is_at_end(); ++line) {
      if (!line->trim().empty()) {
        names.push_back(line->trim().str());
      }
    }
  }
  return success();
}

LogicalResult Classifier::prepare(StringRef model) {
  if (arguments.has("--labels") &&
      failed(labels.read(arguments.get("--labels")))) {
    return session.fail(ExitCode::BadInput);
  }
  if (arguments.has("--expected")) {
    expected.emplace();
    if (failed(expected->read(arguments.get("--expected"), labels))) {
      return session.fail(ExitCode::BadInput);
    }
  }
  if (failed(session.configure(images.getArguments())) ||
      failed(session.prepare(model)) ||
      // What is random is the pictures' place.
      failed(readInputs(session, arguments, inputs))) {
    return failure();
  }
  if (session.getInterface().outputs.empty()) {
    printError() << "the model has no output of scores\n";
    return session.fail(ExitCode::BadInput);
  }
  const ModelTensor &scores = session.getInterface().outputs.front();
  Type element =
      scores.type ? scores.type.getElementType() : Type(scores.other);
  if (!isa<FloatType, IntegerType>(element)) {
    printError() << "expected a first output of scores, found '" << scores.name
                 << "' of " << scores.getValueType() << "\n";
    return session.fail(ExitCode::BadInput);
  }
  return success();
}

LogicalResult Classifier::classify(Names &names) {
  std::vector<std::string> paths;
  while (std::optional<std::string> name = names.next()) {
    paths.push_back(std::move(*name));
    if (paths.size() == static_cast<size_t>(images.getBatch())) {
      if (failed(runBatch(paths))) {
        return failure();
      }
      paths.clear();
    }
  }
  return paths.empty() ? success() : runBatch(paths);
}

LogicalResult Classifier::runBatch(ArrayRef<std::string> paths) {
  FailureOr<Tensor> tensor = images.read(session, paths);
  if (failed(tensor)) {
    return failure();
  }
  inputs[images.getNumber()] = *tensor;
  SmallVector<Datum> outputs;
  for (size_t i = 0; i < options.repeat; ++i) {
    outputs.clear();
    Clock::time_point start = Clock::now();
    if (failed(session.run(inputs, outputs))) {
      return failure();
    }
    milliseconds.push_back(getMilliseconds(Clock::now() - start) /
                           static_cast<double>(images.getBatch()));
  }
  const Tensor &scores = outputs.front().getTensor();
  int64_t perPicture = scores.getNumElements() / images.getBatch();
  if (perPicture < 1 ||
      perPicture * images.getBatch() != scores.getNumElements()) {
    printError() << "expected scores of " << images.getBatch()
                 << " pictures, found " << scores.getType() << "\n";
    return session.fail(ExitCode::BadInput);
  }
  for (auto [i, path] : llvm::enumerate(paths)) {
    std::vector<double> own;
    for (int64_t k = 0; k < perPicture; ++k) {
      own.push_back(scores.getDouble(static_cast<int64_t>(i) * perPicture + k));
    }
    if (failed(report(path, own))) {
      return session.fail(ExitCode::BadInput);
    }
  }
  // Whoever writes names one by one waits for an answer.
  llvm::outs().flush();
  return success();
}

/// Scores as shares of 1.
static std::vector<double> applySoftmax(ArrayRef<double> scores) {
  double largest = *llvm::max_element(scores), sum = 0;
  std::vector<double> shares;
  for (double score : scores) {
    shares.push_back(std::exp(score - largest));
    sum += shares.back();
  }
  for (double &share : shares) {
    share /= sum;
  }
  return shares;
}

LogicalResult Classifier::report(StringRef path, ArrayRef<double> scores) {
  std::vector<double> shares;
  if (options.softmax) {
    shares = applySoftmax(scores);
    scores = shares;
  }
  std::vector<int64_t> order(scores.size());
  std::iota(order.begin(), order.end(), 0);
  // NaN is last; of equal scores the first class is first.
  llvm::sort(order, [&](int64_t a, int64_t b) {
    bool isFirstNaN = std::isnan(scores[a]),
         isSecondNaN = std::isnan(scores[b]);
    return isFirstNaN != isSecondNaN              ? isSecondNaN
           : isFirstNaN || scores[a] == scores[b] ? a < b
                                                  : scores[a] > scores[b];
  });
  auto getClass = [&](size_t rank) {
    return order[rank] - options.labelOffset;
  };
  llvm::outs() << path << ":";
  for (size_t i = 0, e = std::min(options.topK, order.size()); i < e; ++i) {
    StringRef label = labels.get(getClass(i));
    llvm::outs() << (i == 0 ? " " : ", ") << getClass(i)
                 << (label.empty() ? "" : " ") << label
                 << llvm::format(" %.4g", scores[order[i]]);
  }
  ++count;
  if (expected) {
    FailureOr<int64_t> wanted = expected->get(count - 1, path);
    if (failed(wanted)) {
      return failure();
    }
    bool isRight = getClass(0) == *wanted;
    right += isRight;
    for (size_t i = 0, e = std::min(kMoreClasses, order.size()); i < e; ++i) {
      amongFirst += getClass(i) == *wanted;
    }
    llvm::outs() << "; " << (isRight ? "right" : "wrong") << ", expected "
                 << *wanted;
  }
  llvm::outs() << "\n";
  return success();
}

ExitCode Classifier::conclude() {
  auto print = [&](size_t classes, size_t found) {
    llvm::outs() << llvm::format("top-%zu %.2f %% (%zu of %zu)", classes,
                                 100.0 * static_cast<double>(found) /
                                     static_cast<double>(count),
                                 found, count);
  };
  if (expected) {
    print(1, right);
    llvm::outs() << ", ";
    print(kMoreClasses, amongFirst);
    llvm::outs() << "\n";
  }
  if (arguments.has("--repeat")) {
    llvm::sort(milliseconds);
    llvm::outs() << llvm::format("median %.4f ms a picture, min %.4f ms\n",
                                 milliseconds[milliseconds.size() / 2],
                                 milliseconds.front());
  }
  double accuracy = static_cast<double>(right) / static_cast<double>(count);
  return expected && accuracy < options.minAccuracy ? ExitCode::Differs
                                                    : ExitCode::Success;
}

static FailureOr<ClassifyOptions> readOptions(const Arguments &arguments) {
  constexpr int64_t kMost = 1 << 20;
  ClassifyOptions options;
  auto batch = arguments.getCount("--batch", 1, 1, kMost);
  auto topK = arguments.getCount("--topk", 1, 1, kMost);
  auto repeat = arguments.getCount("--repeat", 1, 1, kMost);
  auto offset = arguments.getCount("--label-offset", 0, -kMost, kMost);
  auto least = arguments.getNumber("--min-accuracy", 0, 0, 1);
  if (failed(batch) || failed(topK) || failed(repeat) || failed(offset) ||
      failed(least)) {
    return failure();
  }
  if (arguments.has("--min-accuracy") && !arguments.has("--expected")) {
    printError() << "--min-accuracy needs --expected\n";
    return failure();
  }
  if (arguments.has("--batch")) {
    options.batch = *batch;
  }
  options.topK = *topK;
  options.repeat = *repeat;
  options.labelOffset = *offset;
  options.minAccuracy = *least;
  options.softmax = arguments.has("--softmax");
  return options;
}

ExitCode driver::runClassify(const Arguments &arguments) {
  if (arguments.getPositional().empty()) {
    printError() << "classify needs a model and pictures; see nacre classify "
                    "--help\n";
    return ExitCode::BadInput;
  }
  StringRef model = arguments.getPositional().front();
  FailureOr<ClassifyOptions> options = readOptions(arguments);
  Names names;
  if (failed(options) || failed(names.read(arguments))) {
    return ExitCode::BadInput;
  }
  std::optional<std::string> first = names.next();
  if (!first) {
    printError() << "classify needs pictures: their names, --images=DIR, "
                    "--list=FILE, or - for names on standard input\n";
    return ExitCode::BadInput;
  }
  ExitCode status;
  FailureOr<ImageInput> images =
      ImageInput::create(arguments, model, options->batch, *first, status);
  if (failed(images)) {
    return status;
  }
  names.putBack(std::move(*first));
  Classifier classifier(arguments, *options, *images);
  if (failed(classifier.prepare(model)) || failed(classifier.classify(names))) {
    return classifier.getExitCode();
  }
  return classifier.conclude();
}
