//===- LayerComparison.cpp - Two models, value by value -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayerComparison.h"
#include "Session.h"

#include "nacre/Dialect/IE/Transforms/Passes.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using interpreter::Datum;
using interpreter::Tensor;

LayerComparison::LayerComparison(const Arguments &arguments, StringRef model,
                                 int64_t maxBytes)
    : plainArguments(arguments.without(getQuantizationOptions())
                         .without(StringRef("--ranges"))),
      quantizedArguments(arguments), model(model.str()), maxBytes(maxBytes) {}

std::vector<std::string> driver::getTapNames(Session &session) {
  auto recorded =
      session.getModule()->getAttrOfType<DictionaryAttr>("nacre.taps");
  std::vector<std::string> names;
  for (auto value :
       recorded.getAs<ArrayAttr>("values").getAsRange<DictionaryAttr>()) {
    names.push_back(value.getAs<StringAttr>("name").str());
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

ExitCode LayerComparison::compareSample(Session &plain, Session &quantized,
                                        StringRef folder,
                                        ArrayRef<std::string> names,
                                        bool withOutputs) {
  FailureOr<SmallVector<Datum>> inputs = readSample(plain, folder);
  SmallVector<Datum> expected, found;
  if (failed(inputs) || failed(plain.run(*inputs, expected))) {
    return plain.getExitCode();
  }
  inputs = readSample(quantized, folder);
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

ExitCode LayerComparison::runGroup(ArrayRef<std::string> samples, int64_t group,
                                   int64_t &numGroups) {
  Session plain, quantized;
  if (failed(plain.configure(plainArguments)) ||
      failed(quantized.configure(quantizedArguments))) {
    return ExitCode::BadInput;
  }
  plain.taps = std::make_unique<IE::TapValuesOptions>();
  plain.taps->maxBytes = maxBytes;
  plain.taps->group = group;
  if (failed(plain.prepare(model, samples.front()))) {
    return plain.getExitCode();
  }
  numGroups = plain.getModule()
                  ->getAttrOfType<DictionaryAttr>("nacre.taps")
                  .getAs<IntegerAttr>("groups")
                  .getInt();
  std::vector<std::string> names = getTapNames(plain);
  quantized.taps = std::make_unique<IE::TapValuesOptions>();
  quantized.taps->chosen.assign(names.begin(), names.end());
  quantized.inspect = std::exchange(inspect, nullptr);
  if (failed(quantized.prepare(model, samples.front()))) {
    return quantized.getExitCode();
  }
  for (const std::string &sample : samples) {
    ExitCode code =
        compareSample(plain, quantized, sample, names, /*withOutputs=*/
                      group == 0);
    if (code != ExitCode::Success) {
      return code;
    }
  }
  return ExitCode::Success;
}

ExitCode LayerComparison::run(ArrayRef<std::string> samples) {
  int64_t numGroups = 1;
  for (int64_t group = 0; group < numGroups; ++group) {
    ExitCode code = runGroup(samples, group, numGroups);
    if (code != ExitCode::Success) {
      return code;
    }
  }
  return ExitCode::Success;
}
