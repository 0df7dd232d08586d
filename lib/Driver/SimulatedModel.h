//===- SimulatedModel.h - A model quantized at run time ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A model that is compiled once for samples of the same shapes, with dynamic
// quantization parameters: they are its last input, as numbers that say what is
// quantized, and how.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_SIMULATEDMODEL_H
#define NACRE_LIB_DRIVER_SIMULATEDMODEL_H

#include "SampleSet.h"

#include "nacre/Dialect/IE/Transforms/QuantizationPlan.h"

namespace nacre::driver {

/// What plans of a module's quantization are made from.
struct PlanInputs {
  mlir::func::FuncOp function;
  std::shared_ptr<const IE::KnownRanges> ranges;
  IE::PlanOptions options;

  /// As a session has been told. Fails after an error.
  static mlir::FailureOr<PlanInputs> read(mlir::ModuleOp module,
                                          const IE::QuantizeOptions &options);
  mlir::FailureOr<IE::QuantizationPlan> makePlan() const {
    return IE::QuantizationPlan::make(function, *ranges, options);
  }
};

/// The numbers that say to a run to quantize all that a plan does, or nothing.
llvm::SmallVector<float> getNumbers(const IE::QuantizationPlan &plan,
                                    bool isQuantized);

class SimulatedModel {
public:
  /// What the numbers say: how to quantize, or that and biases, for which the
  /// means of channels are a result.
  enum class Numbers { Quantization, QuantizationAndBiases };

  explicit SimulatedModel(Numbers numbers) : numbers(numbers) {}

  /// The inputs of a run that are the model's.
  using Inputs = llvm::SmallVector<interpreter::Datum>;

  /// Compiles the model for these runs of a group. `inspect` sees the model
  /// before it is quantized. Prints errors.
  ExitCode prepare(const SampleSet &samples, llvm::StringRef model,
                   llvm::ArrayRef<size_t> runs,
                   std::function<mlir::LogicalResult(mlir::ModuleOp)> inspect);

  /// The same, and reads the inputs of the runs, for whoever needs them again
  /// and again.
  ExitCode
  prepareWithInputs(const SampleSet &samples, llvm::StringRef model,
                    llvm::ArrayRef<size_t> runs,
                    std::function<mlir::LogicalResult(mlir::ModuleOp)> inspect,
                    std::vector<Inputs> &inputs);

  /// The inputs of a run of the samples. Prints errors.
  mlir::FailureOr<Inputs> read(const SampleSet &samples, size_t run) {
    return samples.read(session, run, /*numAppended=*/1);
  }
  /// The outputs of a run with all of these numbers. Prints errors.
  mlir::LogicalResult run(llvm::ArrayRef<interpreter::Datum> inputs,
                          llvm::ArrayRef<float> numbers,
                          llvm::SmallVectorImpl<interpreter::Datum> &outputs);

  Session &getSession() { return session; }
  const Session &getSession() const { return session; }

private:
  Numbers numbers;
  Session session;
};

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_SIMULATEDMODEL_H
