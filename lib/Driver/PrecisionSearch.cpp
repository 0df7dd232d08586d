//===- PrecisionSearch.cpp - Which products need floats -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PrecisionSearch.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace nacre::driver;

PrecisionSearch::PrecisionSearch(std::vector<std::string> names,
                                 std::vector<double> costs, size_t numValues,
                                 bool triesWide, Measure measure)
    : names(std::move(names)), costs(std::move(costs)), triesWide(triesWide),
      measure(std::move(measure)) {
  llvm::BitVector none(static_cast<unsigned>(this->names.size()), false);
  best = {none, none, std::vector<double>(numValues, 1)};
  integers = best;
  integers.onIntegers.set();
}

double PrecisionSearch::getCost(const Trial &trial) const {
  // Integers of 16 bits are half as wide as floats, and twice as bytes.
  constexpr double kWideCost = 0.5;
  double cost = 0;
  for (auto [group, own] : llvm::enumerate(costs)) {
    if (!trial.onIntegers.test(group)) {
      cost += own;
    } else if (trial.wide.test(group)) {
      cost += kWideCost * own;
    }
  }
  return cost;
}

/// A text that is the same for equal trials.
static std::string getKey(const Trial &trial) {
  std::string key;
  for (unsigned group : llvm::seq(trial.onIntegers.size())) {
    key += !trial.onIntegers.test(group) ? '0'
           : trial.wide.test(group)      ? '2'
                                         : '1';
  }
  for (double factor : trial.factors) {
    key += " " + std::to_string(factor);
  }
  return key;
}

std::optional<Score> PrecisionSearch::measureTrial(const Trial &trial,
                                                   const llvm::Twine &what) {
  if (isOver) {
    return std::nullopt;
  }
  std::string key = getKey(trial);
  if (auto it = known.find(key); it != known.end()) {
    return it->second;
  }
  std::optional<Score> score = measure(trial, what.str());
  isOver = !score;
  if (score) {
    known[key] = *score;
  }
  if (score && score->reaches) {
    double cost = getCost(trial), least = getCost(best);
    if (cost < least || (cost == least && bestScore < *score)) {
      best = trial;
      bestScore = *score;
    }
  }
  return score;
}

bool PrecisionSearch::isReached(const Trial &trial, const llvm::Twine &what) {
  std::optional<Score> score = measureTrial(trial, what);
  return score && score->reaches;
}

bool PrecisionSearch::begin() {
  floatScore = measureTrial(best, "all in f32");
  if (!floatScore || !floatScore->reaches) {
    return false;
  }
  bestScore = *floatScore;
  integerScore = measureTrial(integers, "all in int8");
  return true;
}

static std::string formatFactor(double factor) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%g", factor);
  return text;
}

void PrecisionSearch::searchRanges(ArrayRef<std::string> valueNames) {
  constexpr double kFactors[] = {0.75, 0.5, 0.375, 0.25};
  // A value whose trials have become that much worse gets no better.
  constexpr double kHopeless = 0.05;
  for (auto [value, name] : llvm::enumerate(valueNames)) {
    if (isOver || !integerScore) {
      return;
    }
    Trial trial = integers;
    for (double factor : kFactors) {
      trial.factors[value] = factor;
      std::optional<Score> score = measureTrial(
          trial, formatFactor(factor) + " of the range of '" + name + "'");
      if (!score) {
        return;
      }
      double lost = integerScore->metric - score->metric;
      if (*integerScore < *score) {
        integerScore = score;
        integers = trial;
      } else if (lost > kHopeless * std::abs(integerScore->metric)) {
        break;
      }
    }
  }
}

Trial PrecisionSearch::revert(ArrayRef<unsigned> groups) const {
  Trial trial = integers;
  for (unsigned group : groups) {
    trial.onIntegers.reset(group);
  }
  return trial;
}

/// The harm that rounding of each group does: when it is the only one, and to
/// what there is without it.
std::vector<Score> PrecisionSearch::findHarm() {
  std::vector<Score> harm(names.size());
  // What is exact is as good as it needs to be.
  constexpr double kMostDecibels = 200;
  auto getDecibels = [kMostDecibels](const Score &score) {
    return std::min(score.decibels, kMostDecibels);
  };
  for (auto [group, name] : llvm::enumerate(names)) {
    Trial only = integers;
    only.onIntegers.reset();
    only.onIntegers.set(group);
    std::optional<Score> alone =
        measureTrial(only, "only '" + name + "' in int8");
    std::optional<Score> without =
        measureTrial(revert(group), "only '" + name + "' in f32");
    if (!alone || !without) {
      break;
    }
    harm[group].metric = (floatScore->metric - alone->metric) +
                         (without->metric - integerScore->metric);
    harm[group].decibels = (kMostDecibels - getDecibels(*alone)) +
                           (getDecibels(*without) - getDecibels(*integerScore));
  }
  return harm;
}

std::vector<unsigned>
PrecisionSearch::sortByCost(ArrayRef<unsigned> groups) const {
  std::vector<unsigned> sorted = groups.vec();
  llvm::sort(sorted, [&](unsigned a, unsigned b) {
    return std::pair(-costs[a], a) < std::pair(-costs[b], b);
  });
  return sorted;
}

/// Gives values 16 bits that are floats in the best trial, of all groups or of
/// those that allow it, and 8 to those of them that need no more.
void PrecisionSearch::tryWide() {
  Trial trial = best;
  std::vector<unsigned> floats;
  for (unsigned group : llvm::seq(best.onIntegers.size())) {
    if (!best.onIntegers.test(group)) {
      floats.push_back(group);
    }
  }
  Trial all = trial;
  all.onIntegers.set();
  for (unsigned group : floats) {
    all.wide.set(group);
  }
  if (isReached(all, llvm::Twine(floats.size()) + " in int16")) {
    trial = all;
  } else {
    for (unsigned group : sortByCost(floats)) {
      Trial next = trial;
      next.onIntegers.set(group);
      next.wide.set(group);
      if (isReached(next, "'" + names[group] + "' in int16")) {
        trial = next;
      }
    }
  }
  for (unsigned group : sortByCost(floats)) {
    if (trial.wide.test(group)) {
      Trial next = trial;
      next.wide.reset(group);
      if (isReached(next, "'" + names[group] + "' in int8 again")) {
        trial = next;
      }
    }
  }
}

/// Has as few of the first groups in f32 as are enough, and of these those on
/// integers that may be.
void PrecisionSearch::revertWorst(ArrayRef<unsigned> order) {
  // All of them are enough.
  size_t tooFew = 0, enough = order.size();
  while (enough - tooFew > 1) {
    size_t middle = (tooFew + enough) / 2;
    bool reached = isReached(revert(order.take_front(middle)),
                             llvm::Twine(middle) + " in f32, the worst");
    (reached ? enough : tooFew) = middle;
  }
  SmallVector<unsigned> reverted(order.take_front(enough));
  for (unsigned group : sortByCost(reverted)) {
    SmallVector<unsigned> others = reverted;
    llvm::erase(others, group);
    if (isReached(revert(others), "'" + names[group] + "' in int8 again")) {
      reverted = others;
    }
  }
}

void PrecisionSearch::searchPrecisions() {
  if (!integerScore || integerScore->reaches || names.empty()) {
    return;
  }
  std::vector<Score> harm = findHarm();
  auto sortBy = [&](llvm::function_ref<double(unsigned)> getWeight) {
    auto order = llvm::to_vector(llvm::seq<unsigned>(names.size()));
    llvm::sort(order, [&](unsigned a, unsigned b) {
      Score of[2];
      for (auto [score, group] : {std::pair(&of[0], a), {&of[1], b}}) {
        score->metric = harm[group].metric * getWeight(group);
        score->decibels = harm[group].decibels * getWeight(group);
      }
      return of[1] < of[0] || (!(of[0] < of[1]) && a < b);
    });
    return std::vector<unsigned>(order.begin(), order.end());
  };
  // The worst ones, and those that are so for what they cost in f32.
  revertWorst(sortBy([](unsigned) { return 1.0; }));
  revertWorst(sortBy([&](unsigned group) {
    return costs[group] > 0 ? 1 / costs[group] : 1.0;
  }));
  if (triesWide) {
    tryWide();
  }
}
