//===- Equalize.cpp - The ie-equalize pass --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gives the channels between two products such factors that neither one scale
// for the value nor the scales of the weights lose small ones. After Nagel et
// al., Data-Free Quantization Through Weight Equalization and Bias Correction,
// 2019, but with the ranges that samples have shown.
//
//===----------------------------------------------------------------------===//

#include "ChannelScaling.h"

#include "nacre/Dialect/IE/IR/Activation.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/IEDialect.h"
#include "nacre/Dialect/IE/Transforms/Passes.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"
#include "nacre/Dialect/IE/Utils/ValueNames.h"

#include "llvm/ADT/MapVector.h"

#include <cmath>

namespace nacre::IE {
#define GEN_PASS_DEF_EQUALIZE
#include "nacre/Dialect/IE/Transforms/Passes.h.inc"
} // namespace nacre::IE

using namespace mlir;
using namespace nacre;
using namespace nacre::quantization;

namespace {

/// What a Clip becomes when its bounds do not count.
enum class Limit { Kept, Relu, None };

/// Two products and what is between them, the last value first.
struct Pair {
  IE::Link link;
  SmallVector<Value> between;
};

/// What becomes of a pair's values.
struct Change {
  std::vector<float> factors;
  double decibels = 0;
};

class Equalizer {
public:
  Equalizer(func::FuncOp function, IE::ChannelScaler &scaler)
      : function(function), scaler(scaler) {}

  void run();
  size_t getNumValues() const { return changes.size(); }

private:
  Limit getLimit(IE::ClipOp clip);
  std::optional<Pair> findPair(IE::ScalableProduct *consumer);
  std::optional<IE::ChosenFactors> choose(const Pair &pair);
  void finish();

  func::FuncOp function;
  IE::ChannelScaler &scaler;
  std::vector<Pair> pairs;
  /// By number of the pair.
  llvm::MapVector<size_t, Change> changes;
};

} // namespace

/// How samples have met the bounds of a Clip.
Limit Equalizer::getLimit(IE::ClipOp clip) {
  const ValueProfile *profile =
      scaler.getRanges().find(scaler.getKeys().get(clip.getOutput()));
  auto getBound = [](Value value, double otherwise) -> std::optional<double> {
    auto constant = value ? IE::getConstantFloats(value) : std::nullopt;
    if (!value) {
      return otherwise;
    }
    return constant && constant->size() == 1
               ? std::optional<double>(constant->front())
               : std::nullopt;
  };
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::optional<double> low = getBound(clip.getMin(), -kInfinity);
  std::optional<double> high = getBound(clip.getMax(), kInfinity);
  if (!profile || !low || !high || profile->high >= *high) {
    return Limit::Kept;
  }
  return profile->low > *low ? Limit::None
         : *low == 0         ? Limit::Relu
                             : Limit::Kept;
}

/// The product that computes what another one reads, if nothing else reads it
/// and nothing in between minds factors.
std::optional<Pair> Equalizer::findPair(IE::ScalableProduct *consumer) {
  Pair pair;
  pair.link.value = consumer->getInput();
  pair.link.consumers = {consumer};
  for (Value value = pair.link.value; value.hasOneUse();) {
    Operation *op = value.getDefiningOp();
    if (!op) {
      break;
    }
    pair.between.push_back(value);
    if (IE::ScalableProduct *producer = scaler.getProduct(op)) {
      pair.link.producer = producer;
      bool fits = producer->getNumChannels() == consumer->getNumInputs() &&
                  producer->getResultDim() == consumer->getInputDim();
      return fits ? std::optional(std::move(pair)) : std::nullopt;
    }
    auto clip = dyn_cast<IE::ClipOp>(op);
    bool passes = clip ? getLimit(clip) != Limit::Kept
                       : isa<IE::ReluOp, IE::LeakyReluOp>(op);
    if (!passes) {
      break;
    }
    value = op->getOperand(0);
  }
  return std::nullopt;
}

/// Roots of what reads a channel over what it is.
static std::vector<float> balance(ArrayRef<double> reads, ArrayRef<double> is) {
  std::vector<double> numbers;
  for (auto [read, magnitude] : llvm::zip_equal(reads, is)) {
    numbers.push_back(std::sqrt(read / magnitude));
  }
  return IE::makeFactors(numbers);
}

static std::vector<double> divideByLargest(std::vector<double> numbers) {
  double largest = *llvm::max_element(numbers);
  for (double &number : numbers) {
    number /= largest;
  }
  return numbers;
}

std::optional<IE::ChosenFactors> Equalizer::choose(const Pair &pair) {
  IE::ScalableProduct *consumer = pair.link.consumers.front();
  const ValueProfile *profile =
      scaler.getProfile(pair.link.value, consumer->getInputDim());
  if (!profile) {
    return std::nullopt;
  }
  std::vector<double> values = IE::getMagnitudes(*profile);
  std::vector<double> weights = pair.link.producer->getChannelRanges();
  std::vector<double> reads = consumer->getInputRanges();
  // What is large in one of both counts.
  std::vector<double> both = divideByLargest(values), flat;
  for (auto [number, weight] :
       llvm::zip_equal(both, divideByLargest(weights))) {
    number = std::max(number, weight);
  }
  for (double value : values) {
    flat.push_back(1 / value);
  }
  return IE::chooseFactors(scaler, pair.link,
                           {balance(reads, values), balance(reads, weights),
                            balance(reads, both), IE::makeFactors(flat)});
}

void Equalizer::run() {
  for (Operation &op : function.getOps()) {
    if (IE::ScalableProduct *consumer = scaler.getProduct(&op)) {
      if (std::optional<Pair> pair = findPair(consumer)) {
        pairs.push_back(std::move(*pair));
      }
    }
  }
  // What a pair is given changes the next one.
  constexpr int kMostSweeps = 3;
  bool isDone = false;
  for (int sweep = 0; sweep < kMostSweeps && !isDone; ++sweep) {
    isDone = true;
    for (auto [i, pair] : llvm::enumerate(pairs)) {
      std::optional<IE::ChosenFactors> chosen = choose(pair);
      if (!chosen) {
        continue;
      }
      isDone = false;
      scaler.apply(pair.link, chosen->factors);
      Change &change = changes[i];
      change.decibels += chosen->decibels;
      change.factors.resize(chosen->factors.size(), 1);
      for (auto [factor, more] :
           llvm::zip_equal(change.factors, chosen->factors)) {
        factor *= more;
      }
    }
  }
  finish();
}

/// Writes down what was chosen.
void Equalizer::finish() {
  std::vector<IE::Repair> repairs;
  for (auto &[i, change] : changes) {
    Pair &pair = pairs[i];
    pair.link.producer->commit();
    pair.link.consumers.front()->commit();
    int64_t dim = pair.link.producer->getResultDim();
    const IE::ValueKeys &keys = scaler.getKeys();
    repairs.push_back(
        {"equalize", keys.get(pair.link.value).str(),
         IE::getNodeName(pair.link.consumers.front()->getOp()).str(),
         change.decibels});
    for (Value value : pair.between) {
      StringRef key = keys.get(value);
      bool isKnown = scaler.getProfile(value, dim);
      if (auto clip = value.getDefiningOp<IE::ClipOp>()) {
        Value instead = clip.getInput();
        if (getLimit(clip) == Limit::Relu) {
          OpBuilder builder(clip);
          instead = IE::ReluOp::create(builder, clip.getLoc(), value.getType(),
                                       clip.getInput());
        }
        value.replaceAllUsesWith(instead);
        clip.erase();
        if (!instead.getDefiningOp<IE::ReluOp>()) {
          continue;
        }
        value = instead;
      }
      IE::addRescaling(value, key, isKnown ? key : "", change.factors);
    }
  }
  IE::recordRepairs(function, repairs);
}

namespace {

struct EqualizePass final : nacre::IE::impl::EqualizeBase<EqualizePass> {
  using EqualizeBase::EqualizeBase;

  LogicalResult initialize(MLIRContext *context) override {
    auto read = IE::KnownRanges::read(UnknownLoc::get(context), ranges);
    if (failed(read)) {
      return failure();
    }
    known = *read;
    return success();
  }

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal() || !known->getProfile().keeps("equalize")) {
      return;
    }
    IE::ChannelScaler scaler(function, IE::adjustRanges(function, known),
                             {calibrator, percentile, schema, activations},
                             perChannel);
    Equalizer equalizer(function, scaler);
    equalizer.run();
    numValues += equalizer.getNumValues();
  }

private:
  std::shared_ptr<const IE::KnownRanges> known;
};

} // namespace
