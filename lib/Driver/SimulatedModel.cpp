//===- SimulatedModel.cpp - A model whose rounding runs decide ------------===//
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

FailureOr<PlanInputs> PlanInputs::read(ModuleOp module,
                                       const IE::QuantizeOptions &options) {
  auto function = module.lookupSymbol<func::FuncOp>("main");
  auto ranges = IE::readRanges(function, options.ranges, options.rounding);
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
  if (failed(samples.prepare(session, model, runs))) {
    return session.getExitCode();
  }
  for (size_t run : runs) {
    FailureOr<SmallVector<Datum>> read =
        samples.read(session, run, /*numAppended=*/1);
    if (failed(read)) {
      return session.getExitCode();
    }
    inputs.push_back(std::move(*read));
  }
  return ExitCode::Success;
}

LogicalResult SimulatedModel::run(size_t run, ArrayRef<float> given,
                                  SmallVectorImpl<Datum> &outputs) {
  Tensor last(session.getInterface().inputs.back().type);
  llvm::copy(given, last.mutableValues<float>().begin());
  SmallVector<Datum> all = inputs[run];
  all.push_back(last);
  return session.run(all, outputs);
}
