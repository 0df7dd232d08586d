//===- LayerComparison.h - Two models, value by value -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs two models on the same samples, as one that is quantized and the model
// as it is, and compares all values that both have.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_LAYERCOMPARISON_H
#define NACRE_LIB_DRIVER_LAYERCOMPARISON_H

#include "SampleSet.h"
#include "nacre/Dialect/Nacre/IR/NacreDialect.h"
#include "nacre/Driver/Driver.h"
#include "nacre/Interpreter/Datum.h"
#include "nacre/Quantization/Distortion.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"
#include <functional>

namespace nacre::driver {
class Session;

/// One of two models, and the command line that it is compiled by.
struct ComparedModel {
  std::string path;
  Arguments arguments;
};

/// A value that two models have.
struct ComparedValue {
  std::string name;
  /// Those of the model that is compared with.
  std::string node, op;
  quantization::Distortion distortion;
  /// Where types or shapes differ, so that numbers cannot be compared: both.
  std::string difference;
};

/// One output of a model beside that of the model it is compared with.
struct OutputComparison {
  std::string name;
  quantization::Distortion distortion;
  /// Of rows of scores: which of them is the largest.
  quantization::Agreement agreement;
};

/// Adds tensors of one type, whose numbers count as they are, not rounded.
void addTensors(quantization::Distortion &distortion,
                const interpreter::Tensor &expected,
                const interpreter::Tensor &found);

class LayerComparison {
public:
  /// Values of one run of the expected model take at most `maxBytes`.
  LayerComparison(const SampleSet &samples, ComparedModel expected,
                  ComparedModel found, int64_t maxBytes);

  /// Runs both models on all samples. Prints errors.
  ExitCode run();

  /// Called once with the found model's module before it is quantized.
  std::function<mlir::LogicalResult(mlir::ModuleOp)> inspect;
  /// Whether values of all types of numbers count, not f32 alone.
  bool allTypes = false;

  /// The values that both have, in the order of the expected model.
  llvm::ArrayRef<ComparedValue> getValues() const { return values; }
  /// By the name that range profiles have for a value; null for none.
  const ComparedValue *find(llvm::StringRef name) const;
  /// How many values the expected model has, without its inputs.
  size_t getNumExpected() const { return numExpected; }
  /// The f32 outputs, in the order of the model.
  llvm::ArrayRef<OutputComparison> getOutputs() const { return outputs; }

private:
  ExitCode runPart(const SampleSet::Group &group, int64_t part,
                   int64_t &numParts);
  OutputComparison &getOutput(llvm::StringRef name);
  ComparedValue &getValue(abi::TapAttr tap);
  ExitCode compareRun(Session &expected, Session &found, size_t run,
                      bool withOutputs);
  void compareOutput(llvm::StringRef name, const interpreter::Datum &expected,
                     const interpreter::Datum &found);

  const SampleSet &samples;
  ComparedModel expected, found;
  int64_t maxBytes;
  std::vector<ComparedValue> values;
  llvm::StringMap<size_t> numbers; // of the values, by name
  std::vector<OutputComparison> outputs;
  size_t numExpected = 0;
};

/// The values that a module's taps show, in their order, and their names.
std::vector<abi::TapAttr> getTaps(Session &session);
std::vector<std::string> getTapNames(Session &session);

/// The width of the rows of scores that a tensor holds; 0 where it seems to
/// hold something else.
int64_t getScoreWidth(llvm::ArrayRef<int64_t> shape);

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_LAYERCOMPARISON_H
