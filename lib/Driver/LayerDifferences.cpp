//===- LayerDifferences.cpp - Where two models differ ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayerDifferences.h"
#include "QuantizationReport.h"
#include "TextTable.h"

#include "nacre/Emit/Artifact.h"

#include "llvm/Support/Format.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;

static const OptionSpec kOptions[] = {
    {"--against", "MODEL",
     "compare with what another model computes of the same inputs instead of "
     "with output_N.pb; outputs are matched by their names, else by their "
     "order. What quantizes, --strategies and what writes files are for the "
     "first model alone"},
    {"--layers", "[ORDER]",
     "with --against: also compare the values inside of the models that have "
     "the same names, and show the worst first (default: loss), or in the "
     "order of the other model (graph)"},
    {"--json", "", "with --layers: print one line of JSON"},
};

ArrayRef<OptionSpec> driver::getComparisonOptions() { return kOptions; }

/// Whether the worst values come first; fails for another order.
static FailureOr<bool> isSortedByLoss(const Arguments &arguments) {
  if (arguments.get("--layers").empty()) {
    return true;
  }
  return arguments.getChoice<bool>("--layers",
                                   {{"loss", true}, {"graph", false}});
}

LogicalResult driver::checkComparisonOptions(const Arguments &arguments,
                                             StringRef model) {
  if (arguments.has("--layers") && !arguments.has("--against")) {
    printError() << "--layers needs --against\n";
    return failure();
  }
  if (!arguments.has("--layers")) {
    if (!arguments.has("--json")) {
      return success();
    }
    printError() << "--json needs --layers\n";
    return failure();
  }
  for (StringRef path : {model, arguments.get("--against")}) {
    if (isSharedLibraryName(path)) {
      printError() << "--layers needs models to compile, found the library '"
                   << path << "'\n";
      return failure();
    }
  }
  return success(succeeded(isSortedByLoss(arguments)));
}

Arguments driver::getArgumentsOfOther(const Arguments &arguments) {
  return withoutQuantization(arguments)
      .without(getInspectionNames())
      .without(StringRef("--strategies"));
}

/// The data folders as the samples that they are, all of them.
static FailureOr<SampleSet> findSamples(const Arguments &arguments,
                                        StringRef model,
                                        ArrayRef<std::string> folders,
                                        ExitCode &status) {
  Arguments extended = arguments.without(getInspectionNames());
  for (const std::string &folder : folders) {
    extended = extended.with("--data", folder);
  }
  return SampleSet::find(
      extended.with("--samples", std::to_string(folders.size())), model,
      status);
}

static void printLayers(ArrayRef<ComparedValue> values, size_t numExpected,
                        StringRef against, llvm::raw_ostream &os) {
  TextTable table({"snr dB", "cosine", "largest error", "value", "node"}, 3);
  size_t numDifferent = 0;
  for (const ComparedValue &value : values) {
    if (!value.difference.empty()) {
      ++numDifferent;
      continue;
    }
    const quantization::Distortion &distortion = value.distortion;
    std::string cosine;
    llvm::raw_string_ostream(cosine)
        << llvm::format("%.6f", distortion.getCosine());
    table.add({formatDecibels(distortion.getDecibels()), cosine,
               formatNumber(distortion.getLargestError()), value.name,
               value.node + " (" + value.op + ")"});
  }
  os << values.size() << " of " << numExpected << " values of '" << against
     << "' are in both models\n";
  if (numDifferent < values.size()) {
    table.print(os);
  }
  for (const ComparedValue &value : values) {
    if (!value.difference.empty()) {
      os << "  " << value.name
         << ": not compared, expected and found: " << value.difference << "\n";
    }
  }
}

static void printLayersAsJSON(ArrayRef<ComparedValue> values, StringRef model,
                              StringRef against, bool agree,
                              llvm::raw_ostream &os) {
  llvm::json::OStream json(os);
  auto print = [&](StringRef key, StringRef text) {
    json.attribute(key, llvm::json::fixUTF8(text));
  };
  json.object([&] {
    print("model", model);
    print("against", against);
    json.attribute("outputs_agree", agree);
    json.attributeArray("values", [&] {
      for (const ComparedValue &value : values) {
        json.object([&] {
          print("name", value.name);
          print("node", value.node);
          print("op", value.op);
          value.difference.empty() ? printDistortion(value.distortion, json)
                                   : print("types", value.difference);
        });
      }
    });
  });
  os << "\n";
}

/// The values that both have, in the order in which they are shown. Inputs are
/// the data, whatever the model.
static std::vector<ComparedValue>
chooseValues(const LayerComparison &comparison, bool byLoss) {
  std::vector<std::pair<double, size_t>> order;
  for (auto [i, value] : llvm::enumerate(comparison.getValues())) {
    if (!value.op.empty()) {
      order.emplace_back(byLoss ? value.distortion.getDecibels() : 0, i);
    }
  }
  llvm::sort(order);
  std::vector<ComparedValue> values;
  for (auto [decibels, i] : order) {
    values.push_back(comparison.getValues()[i]);
  }
  return values;
}

ExitCode driver::compareLayers(const Arguments &arguments, StringRef model,
                               ArrayRef<std::string> dataFolders, bool agree) {
  StringRef against = arguments.get("--against");
  ExitCode status = ExitCode::Success;
  FailureOr<SampleSet> samples =
      findSamples(arguments, model, dataFolders, status);
  FailureOr<bool> byLoss = isSortedByLoss(arguments);
  if (failed(samples) || failed(byLoss)) {
    return failed(samples) ? status : ExitCode::BadInput;
  }
  // Of one run, so many values are kept.
  constexpr int64_t kMostBytes = int64_t(1) << 30;
  const Arguments &found = samples->getArguments();
  LayerComparison comparison(*samples,
                             {against.str(), getArgumentsOfOther(found)},
                             {model.str(), found}, kMostBytes);
  comparison.allTypes = true;
  status = comparison.run();
  if (status != ExitCode::Success) {
    return status;
  }
  std::vector<ComparedValue> values = chooseValues(comparison, *byLoss);
  if (values.empty()) {
    printError() << "'" << model << "' and '" << against
                 << "' have no values of the same names, of which --layers "
                    "compares\n";
    return ExitCode::BadInput;
  }
  if (arguments.has("--json")) {
    printLayersAsJSON(values, model, against, agree, llvm::outs());
  } else {
    printLayers(values, comparison.getNumExpected(), against, llvm::outs());
  }
  return ExitCode::Success;
}
