//===- SimulatedModel.h - A model whose rounding runs decide ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A model that is compiled once for samples of the same shapes. Each run says
// by numbers, which are its last input, what is quantized, and how.
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

  /// Compiles the model and reads the inputs of these runs of a group.
  /// `inspect` sees the model before it is quantized. Prints errors.
  ExitCode prepare(const SampleSet &samples, llvm::StringRef model,
                   llvm::ArrayRef<size_t> runs,
                   std::function<mlir::LogicalResult(mlir::ModuleOp)> inspect);

  size_t getNumRuns() const { return inputs.size(); }
  /// The outputs of one of the runs, by its number among them, with all of
  /// these numbers. Prints errors.
  mlir::LogicalResult run(size_t run, llvm::ArrayRef<float> numbers,
                          llvm::SmallVectorImpl<interpreter::Datum> &outputs);

  Session &getSession() { return session; }
  const Session &getSession() const { return session; }

private:
  Numbers numbers;
  Session session;
  std::vector<llvm::SmallVector<interpreter::Datum>> inputs; // of each run
};

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_SIMULATEDMODEL_H
