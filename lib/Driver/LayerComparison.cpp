//===- LayerComparison.cpp - Two models, value by value -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayerComparison.h"
#include "Session.h"

#include "nacre/Dialect/IE/Transforms/Passes.h"
#include "nacre/Dialect/Nacre/IR/NacreDialect.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using interpreter::Datum;
using interpreter::Tensor;

LayerComparison::LayerComparison(const SampleSet &samples, StringRef model,
                                 int64_t maxBytes)
    : samples(samples), model(model.str()), maxBytes(maxBytes) {}

std::vector<std::string> driver::getTapNames(Session &session) {
  auto recorded = abi::get<abi::Taps>(session.getModule());
  std::vector<std::string> names;
  for (auto value : recorded.getValues().getAsRange<abi::TapAttr>()) {
    names.push_back(value.getName().str());
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

OutputComparison &LayerComparison::getOutput(StringRef name) {
  auto found = llvm::find_if(
      outputs, [&](const auto &output) { return output.name == name; });
  if (found != outputs.end()) {
    return *found;
  }
  outputs.push_back({name.str(), {}, {}});
  return outputs.back();
}

ExitCode LayerComparison::compareRun(Session &plain, Session &quantized,
                                     size_t run, ArrayRef<std::string> names,
                                     bool withOutputs) {
  FailureOr<SmallVector<Datum>> inputs = samples.read(plain, run);
  SmallVector<Datum> expected, found;
  if (failed(inputs) || failed(plain.run(*inputs, expected))) {
    return plain.getExitCode();
  }
  inputs = samples.read(quantized, run);
  if (failed(inputs) || failed(quantized.run(*inputs, found))) {
    return quantized.getExitCode();
  }
  llvm::StringMap<const Tensor *> byName;
  for (auto [name, datum] :
       llvm::zip_equal(names, ArrayRef(expected).take_back(names.size()))) {
    byName[name] = &datum.getTensor();
  }
  std::vector<std::string> shown = getTapNames(quantized);
  for (auto [name, datum] :
       llvm::zip_equal(shown, ArrayRef(found).take_back(shown.size()))) {
    const Tensor *wanted = byName.lookup(name), &tensor = datum.getTensor();
    if (wanted && wanted->getShape() == tensor.getShape()) {
      values[name].add(wanted->values<float>(), tensor.values<float>());
    }
  }
  size_t numOutputs = withOutputs ? expected.size() - names.size() : 0;
  for (size_t i = 0; i < numOutputs; ++i) {
    const Tensor *wanted = getFloats(expected[i]);
    const Tensor *tensor = getFloats(found[i]);
    if (!wanted || !tensor || wanted->getShape() != tensor->getShape()) {
      continue;
    }
    OutputComparison &output = getOutput(plain.getInterface().outputs[i].name);
    ArrayRef<float> a = wanted->values<float>(), b = tensor->values<float>();
    output.distortion.add(a, b);
    if (int64_t width = getScoreWidth(wanted->getShape())) {
      output.agreement.add(a, b, width);
    }
  }
  return ExitCode::Success;
}

/// Compares the values that are a part of all.
ExitCode LayerComparison::runPart(const SampleSet::Group &group, int64_t part,
                                  int64_t &numParts) {
  const Arguments &arguments = samples.getArguments();
  Session plain, quantized;
  if (failed(plain.configure(arguments.without(getQuantizationOptions())
                                 .without(StringRef("--ranges")))) ||
      failed(quantized.configure(arguments))) {
    return ExitCode::BadInput;
  }
  plain.taps = std::make_unique<IE::TapValuesOptions>();
  plain.taps->maxBytes = maxBytes;
  plain.taps->group = part;
  if (failed(samples.prepare(plain, model, group))) {
    return plain.getExitCode();
  }
  numParts = abi::get<abi::Taps>(plain.getModule()).getGroups();
  std::vector<std::string> names = getTapNames(plain);
  quantized.taps = std::make_unique<IE::TapValuesOptions>();
  quantized.taps->chosen.assign(names.begin(), names.end());
  quantized.inspect = std::exchange(inspect, nullptr);
  if (failed(samples.prepare(quantized, model, group))) {
    return quantized.getExitCode();
  }
  for (size_t run : group) {
    ExitCode code = compareRun(plain, quantized, run, names,
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
