//===- BiasCorrection.cpp - Biases that runs correct ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/Transforms/BiasCorrection.h"

#include "nacre/Dialect/IE/Utils/ConstantFloats.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/xxhash.h"

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

/// Adds a number's bytes.
template <typename T>
static void addNumber(llvm::MD5 &digest, const T &number) {
  digest.update(
      ArrayRef(reinterpret_cast<const uint8_t *>(&number), sizeof(number)));
}

/// The first 16 digits.
static std::string finish(llvm::MD5 &digest) {
  llvm::MD5::MD5Result result;
  digest.final(result);
  return StringRef(result.digest()).take_front(16).str();
}

std::string IE::getPlanDigest(const QuantizationPlan &plan,
                              const ConstantOptions &options) {
  // What is known of sizes may decide on ops, but not on values.
  llvm::MD5 digest;
  auto add = [&](const auto &number) { addNumber(digest, number); };
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
  // Only where it is not what it always was: files have digests.
  if (options.calibrateWeights) {
    add(options.calibrateWeights);
  }
  return finish(digest);
}

std::string IE::getWeightsDigest(const QuantizationPlan &plan) {
  llvm::MD5 digest;
  auto add = [&](OpOperand *operand) {
    ConstantFloats constant(operand ? operand->get() : Value());
    std::vector<float> floats;
    if (constant && constant.getElementType().isF32()) {
      floats = constant.getAll<float>();
    }
    addNumber(digest, floats.size());
    addNumber(digest, llvm::xxh3_64bits(ArrayRef(
                          reinterpret_cast<const uint8_t *>(floats.data()),
                          floats.size() * sizeof(float))));
  };
  for (const QuantizationDemand &demand : plan.getDemands()) {
    if (demand.isProduct()) {
      LinearOperands operands =
          *cast<QuantizableOpInterface>(demand.op).getLinearOperands();
      add(operands.weights);
      add(operands.bias);
    }
  }
  return finish(digest);
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
  bool isSamePlan = biases && biases->plan == getPlanDigest(plan, options) &&
                    llvm::all_of(findBiases(function, plan), isCorrected);
  if (isSamePlan && biases->weights == getWeightsDigest(plan)) {
    return success();
  }
  InFlightDiagnostic error = function.emitError("'") << ranges.getPath() << "'";
  if (!biases) {
    error << " has no corrections of biases";
  } else if (isSamePlan && biases->weights.empty()) {
    error << " does not say of which weights its corrections of biases are";
  } else {
    error << " has corrections of biases for other "
          << (isSamePlan ? "weights" : "options or overrides") << " than these";
  }
  return error << ", which have to be measured on samples: use nacre quantize "
                  "--bias-correction=exact with --data, or "
                  "--bias-correction=fast";
}
