//===- LayerComparison.h - Two models, value by value -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a model as it is and quantized on the same samples, and compares all
// values that both have.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_LAYERCOMPARISON_H
#define NACRE_LIB_DRIVER_LAYERCOMPARISON_H

#include "SampleSet.h"
#include "nacre/Driver/Driver.h"
#include "nacre/Interpreter/Datum.h"
#include "nacre/Quantization/Distortion.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"
#include <functional>

namespace nacre::driver {
class Session;

/// One output of a quantized model beside that of the model as it is.
struct OutputComparison {
  std::string name;
  quantization::Distortion distortion;
  /// Of rows of scores: which of them is the largest.
  quantization::Agreement agreement;
};

class LayerComparison {
public:
  /// The arguments that the samples have are those of the quantized model.
  /// Values of one run take at most `maxBytes`.
  LayerComparison(const SampleSet &samples, llvm::StringRef model,
                  int64_t maxBytes);

  /// Runs both models on all samples. Prints errors.
  ExitCode run();

  /// Called once with the quantized model's module before it is quantized.
  std::function<mlir::LogicalResult(mlir::ModuleOp)> inspect;

  /// By the names that range profiles have for values.
  const llvm::StringMap<quantization::Distortion> &getValues() const {
    return values;
  }
  /// The f32 outputs, in the order of the model.
  llvm::ArrayRef<OutputComparison> getOutputs() const { return outputs; }

private:
  ExitCode runPart(const SampleSet::Group &group, int64_t part,
                   int64_t &numParts);
  OutputComparison &getOutput(llvm::StringRef name);
  ExitCode compareRun(Session &plain, Session &quantized, size_t run,
                      llvm::ArrayRef<std::string> names, bool withOutputs);

  const SampleSet &samples;
  std::string model;
  int64_t maxBytes;
  llvm::StringMap<quantization::Distortion> values;
  std::vector<OutputComparison> outputs;
};

/// The names of the values that a module's taps show, in their order.
std::vector<std::string> getTapNames(Session &session);

/// The width of the rows of scores that a tensor holds; 0 where it seems to
/// hold something else.
int64_t getScoreWidth(llvm::ArrayRef<int64_t> shape);

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_LAYERCOMPARISON_H
