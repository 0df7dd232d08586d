//===- SimulatedModel.cpp - A model quantized at run time -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimulatedModel.h"

#include "nacre/Dialect/IE/Transforms/Passes.h"
#include "nacre/Dialect/IE/Transforms/Rescaling.h"
#include "nacre/Dialect/IE/Transforms/SimulateQuantization.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using interpreter::Datum;
using interpreter::Tensor;
using nacre::quantization::Rounding;

FailureOr<PlanInputs> PlanInputs::read(ModuleOp module,
                                       const IE::QuantizeOptions &options) {
  auto function = module.lookupSymbol<func::FuncOp>("main");
  // Plans are the same however weights are rounded, and need no sums.
  auto ranges = IE::readRanges(function, options.ranges, Rounding::Nearest);
  auto planOptions = IE::PlanOptions::read(module.getLoc(), options);
  if (failed(ranges) || failed(planOptions)) {
    return failure();
  }
  return PlanInputs{function, *ranges, *planOptions};
}

SmallVector<float> driver::getNumbers(const IE::QuantizationPlan &plan,
                                      bool isQuantized) {
  SmallVector<float> numbers;
  for (const auto &[value, quantized] : plan.getValues()) {
    IE::appendSimulation(numbers, isQuantized
                                      ? std::optional(quantized.parameters)
                                      : std::nullopt);
  }
  for (const IE::QuantizationDemand &demand : plan.getDemands()) {
    if (demand.isProduct()) {
      numbers.push_back(isQuantized ? 1 : 0);
    }
  }
  return numbers;
}

ExitCode
SimulatedModel::prepare(const SampleSet &samples, StringRef model,
                        ArrayRef<size_t> runs,
                        std::function<LogicalResult(ModuleOp)> inspect) {
  if (failed(session.configure(samples.getArguments()))) {
    return session.getExitCode();
  }
  if (numbers == Numbers::Quantization) {
    session.simulateQuantization();
  } else {
    session.simulateBiases();
  }
  session.inspect = std::move(inspect);
  return failed(samples.prepare(session, model, runs)) ? session.getExitCode()
                                                       : ExitCode::Success;
}

ExitCode SimulatedModel::prepareWithInputs(
    const SampleSet &samples, StringRef model, ArrayRef<size_t> runs,
    std::function<LogicalResult(ModuleOp)> inspect,
    std::vector<Inputs> &inputs) {
  ExitCode status = prepare(samples, model, runs, std::move(inspect));
  if (status != ExitCode::Success) {
    return status;
  }
  for (size_t run : runs) {
    FailureOr<Inputs> read = this->read(samples, run);
    if (failed(read)) {
      return session.getExitCode();
    }
    inputs.push_back(std::move(*read));
  }
  return ExitCode::Success;
}

LogicalResult SimulatedModel::run(ArrayRef<Datum> inputs, ArrayRef<float> given,
                                  SmallVectorImpl<Datum> &outputs) {
  Tensor last(session.getInterface().inputs.back().type);
  llvm::copy(given, last.mutableValues<float>().begin());
  SmallVector<Datum> all(inputs);
  all.push_back(last);
  return session.run(all, outputs);
}
