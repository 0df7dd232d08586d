//===- LayerComparison.cpp - Two models, value by value -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayerComparison.h"
#include "Session.h"
#include "TensorText.h"

#include "nacre/Dialect/IE/Transforms/Passes.h"
#include "nacre/Dialect/Nacre/IR/NacreDialect.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using interpreter::Datum;
using interpreter::Tensor;

LayerComparison::LayerComparison(const SampleSet &samples,
                                 ComparedModel expected, ComparedModel found,
                                 int64_t maxBytes)
    : samples(samples), expected(std::move(expected)), found(std::move(found)),
      maxBytes(maxBytes) {}

std::vector<abi::TapAttr> driver::getTaps(Session &session) {
  auto recorded = abi::get<abi::Taps>(session.getModule());
  auto taps = recorded.getValues().getAsRange<abi::TapAttr>();
  return {taps.begin(), taps.end()};
}

std::vector<std::string> driver::getTapNames(Session &session) {
  std::vector<std::string> names;
  for (abi::TapAttr tap : getTaps(session)) {
    names.push_back(tap.getName().str());
  }
  return names;
}

int64_t driver::getScoreWidth(ArrayRef<int64_t> shape) {
  // One row, rows, or rows of several sequences; images are none.
  constexpr size_t kMaxRank = 3;
  return !shape.empty() && shape.size() <= kMaxRank && shape.back() > 1
             ? shape.back()
             : 0;
}

/// The f32 tensor that a value is; null for another one.
static const Tensor *getFloats(const Datum &datum) {
  return datum.isTensor() && datum.getTensor().getElementType().isF32()
             ? &datum.getTensor()
             : nullptr;
}

static std::vector<double> readDoubles(const Tensor &tensor) {
  std::vector<double> numbers;
  for (int64_t i = 0; i < tensor.getNumElements(); ++i) {
    numbers.push_back(tensor.getDouble(i));
  }
  return numbers;
}

void driver::addTensors(quantization::Distortion &distortion,
                        const Tensor &expected, const Tensor &found) {
  Tensor a = expected.withParts(), b = found.withParts();
  auto addAs = [&](auto tag) {
    using T = decltype(tag);
    distortion.add(a.values<T>(), b.values<T>());
  };
  Type element = a.getElementType();
  if (element.isF32()) {
    return addAs(float());
  }
  if (element.isF64()) {
    return addAs(double());
  }
  if (element.isInteger(64)) {
    return element.isUnsignedInteger() ? addAs(uint64_t()) : addAs(int64_t());
  }
  // These hold all others.
  std::vector<double> x = readDoubles(a), y = readDoubles(b);
  distortion.add(ArrayRef(x), ArrayRef(y));
}

const ComparedValue *LayerComparison::find(StringRef name) const {
  auto it = numbers.find(name);
  return it == numbers.end() ? nullptr : &values[it->second];
}

ComparedValue &LayerComparison::getValue(abi::TapAttr tap) {
  auto [it, isNew] = numbers.try_emplace(tap.getName(), values.size());
  if (isNew) {
    values.push_back(
        {tap.getName().str(), tap.getNode().str(), tap.getOp().str(), {}, ""});
  }
  return values[it->second];
}

OutputComparison &LayerComparison::getOutput(StringRef name) {
  auto found = llvm::find_if(
      outputs, [&](const auto &output) { return output.name == name; });
  if (found != outputs.end()) {
    return *found;
  }
  outputs.push_back({name.str(), {}, {}});
  return outputs.back();
}

void LayerComparison::compareOutput(StringRef name, const Datum &expected,
                                    const Datum &found) {
  const Tensor *wanted = getFloats(expected), *tensor = getFloats(found);
  if (!wanted || !tensor || wanted->getShape() != tensor->getShape()) {
    return;
  }
  OutputComparison &output = getOutput(name);
  ArrayRef<float> a = wanted->values<float>(), b = tensor->values<float>();
  output.distortion.add(a, b);
  if (int64_t width = getScoreWidth(wanted->getShape())) {
    output.agreement.add(a, b, width);
  }
}

/// What a value is, or what it stands for where it is an input or output of
/// integers.
static Tensor readTap(const Datum &datum, StringRef name,
                      const ModelInterface &interface) {
  for (ArrayRef<ModelTensor> side :
       {ArrayRef(interface.inputs), ArrayRef(interface.outputs)}) {
    for (const ModelTensor &tensor : side) {
      if (tensor.name == name) {
        return asFloats(datum, tensor).getTensor();
      }
    }
  }
  return datum.getTensor();
}

ExitCode LayerComparison::compareRun(Session &plain, Session &other, size_t run,
                                     bool withOutputs) {
  FailureOr<SmallVector<Datum>> inputs = samples.read(plain, run);
  SmallVector<Datum> expectedResults, foundResults;
  if (failed(inputs) || failed(plain.run(*inputs, expectedResults))) {
    return plain.getExitCode();
  }
  inputs = samples.read(other, run);
  if (failed(inputs) || failed(other.run(*inputs, foundResults))) {
    return other.getExitCode();
  }
  std::vector<std::string> shown = getTapNames(other);
  llvm::StringMap<const Datum *> byName;
  for (auto [name, datum] :
       llvm::zip_equal(shown, ArrayRef(foundResults).take_back(shown.size()))) {
    byName[name] = &datum;
  }
  std::vector<abi::TapAttr> taps = getTaps(plain);
  for (auto [tap, datum] : llvm::zip_equal(
           taps, ArrayRef(expectedResults).take_back(taps.size()))) {
    StringRef name = tap.getName();
    const Datum *found = byName.lookup(name);
    if (!found || datum.getTensor().hasStrings()) {
      continue;
    }
    Tensor wanted = readTap(datum, name, plain.getInterface());
    Tensor tensor = readTap(*found, name, other.getInterface());
    ComparedValue &value = getValue(tap);
    // Each has types of its own context.
    std::string a = describeType(wanted), b = describeType(tensor);
    if (a != b) {
      value.difference = a + " and " + b;
      continue;
    }
    addTensors(value.distortion, wanted, tensor);
  }
  size_t numOutputs = withOutputs
                          ? std::min(expectedResults.size() - taps.size(),
                                     foundResults.size() - shown.size())
                          : 0;
  for (size_t i = 0; i < numOutputs; ++i) {
    const ModelTensor &wanted = plain.getInterface().outputs[i];
    compareOutput(wanted.name, asFloats(expectedResults[i], wanted),
                  asFloats(foundResults[i], other.getInterface().outputs[i]));
  }
  return ExitCode::Success;
}

/// Compares the values that are a part of all.
ExitCode LayerComparison::runPart(const SampleSet::Group &group, int64_t part,
                                  int64_t &numParts) {
  Session plain, other;
  if (failed(plain.configure(expected.arguments)) ||
      failed(other.configure(found.arguments))) {
    return ExitCode::BadInput;
  }
  plain.taps = std::make_unique<IE::TapValuesOptions>();
  plain.taps->allTypes = allTypes;
  plain.taps->maxBytes = maxBytes;
  plain.taps->group = part;
  if (failed(samples.prepare(plain, expected.path, group))) {
    return plain.getExitCode();
  }
  auto recorded = abi::get<abi::Taps>(plain.getModule());
  if (!recorded) {
    printError() << "expected a model before lowering, whose values can be "
                    "shown, found '"
                 << expected.path << "'\n";
    return ExitCode::BadInput;
  }
  numParts = recorded.getGroups();
  std::vector<std::string> names = getTapNames(plain);
  if (group.front() == samples.getGroups().front().front()) {
    numExpected += llvm::count_if(
        getTaps(plain), [](abi::TapAttr tap) { return !tap.getOp().empty(); });
  }
  other.taps = std::make_unique<IE::TapValuesOptions>();
  other.taps->allTypes = allTypes;
  other.taps->chosen.assign(names.begin(), names.end());
  other.inspect = std::exchange(inspect, nullptr);
  if (failed(samples.prepare(other, found.path, group))) {
    return other.getExitCode();
  }
  if (!abi::get<abi::Taps>(other.getModule())) {
    printError() << "expected a model before lowering, whose values can be "
                    "shown, found '"
                 << found.path << "'\n";
    return ExitCode::BadInput;
  }
  for (size_t run : group) {
    ExitCode code = compareRun(plain, other, run,
                               /*withOutputs=*/part == 0);
    if (code != ExitCode::Success) {
      return code;
    }
  }
  return ExitCode::Success;
}

ExitCode LayerComparison::run() {
  return samples.forEachPart(
      [&](const SampleSet::Group &group, int64_t part, int64_t &numParts) {
        return runPart(group, part, numParts);
      });
}
