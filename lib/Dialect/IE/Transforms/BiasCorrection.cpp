//===- BiasCorrection.cpp - Biases that runs correct ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/Transforms/BiasCorrection.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MD5.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::quantization;

std::vector<IE::BiasOfProduct> IE::findBiases(func::FuncOp function,
                                              const QuantizationPlan &plan) {
  std::vector<BiasOfProduct> biases;
  llvm::DenseMap<Operation *, size_t> numbers;
  for (const QuantizationDemand &demand : plan.getDemands()) {
    if (!demand.isProduct()) {
      continue;
    }
    auto product = cast<QuantizableOpInterface>(demand.op);
    int64_t count = countBiases(*product.getLinearOperands());
    if (count > 0) {
      numbers[demand.op] = biases.size();
      biases.push_back(
          {plan.getKeys().get(demand.op->getResult(0)).str(), count, 0});
    }
  }
  // By value, how many of these products are before it.
  llvm::DenseMap<Value, unsigned> levels;
  for (Operation &op : function.getOps()) {
    unsigned level = 0;
    op.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands()) {
        level = std::max(level, levels.lookup(operand));
      }
    });
    if (auto it = numbers.find(&op); it != numbers.end()) {
      biases[it->second].level = level++;
    }
    for (Value result : op.getResults()) {
      levels[result] = level;
    }
  }
  return biases;
}

std::string IE::getPlanDigest(const QuantizationPlan &plan,
                              const ConstantOptions &options) {
  // What is known of sizes may decide on ops, but not on values.
  llvm::MD5 digest;
  auto add = [&](const auto &number) {
    digest.update(
        ArrayRef(reinterpret_cast<const uint8_t *>(&number), sizeof(number)));
  };
  for (const auto &[value, quantized] : plan.getValues()) {
    digest.update(plan.getKeys().get(value));
    digest.update(quantized.parameters.getTypeName());
    add(quantized.parameters.scale);
    add(quantized.parameters.zeroPoint);
  }
  add(options.perChannel);
  add(options.weightBits);
  add(options.bias);
  add(options.rounding);
  llvm::MD5::MD5Result result;
  digest.final(result);
  return StringRef(result.digest()).take_front(16).str();
}

LogicalResult IE::requireCorrections(func::FuncOp function,
                                     const QuantizationPlan &plan,
                                     const KnownRanges &ranges,
                                     const ConstantOptions &options) {
  const std::optional<BiasCorrections> &biases = ranges.getProfile().biases;
  // Each of the products, which a plan does not name, has to have its own.
  auto isCorrected = [&](const BiasOfProduct &bias) {
    return static_cast<int64_t>(ranges.findCorrections(bias.result).size()) ==
           bias.numChannels;
  };
  if (biases && biases->plan == getPlanDigest(plan, options) &&
      llvm::all_of(findBiases(function, plan), isCorrected)) {
    return success();
  }
  InFlightDiagnostic error = function.emitError("'") << ranges.getPath() << "'";
  if (biases) {
    error << " has corrections of biases for other options or overrides than "
             "these";
  } else {
    error << " has no corrections of biases";
  }
  return error << ", which have to be measured on samples: use nacre quantize "
                  "--bias-correction=exact with --data, or "
                  "--bias-correction=fast";
}
