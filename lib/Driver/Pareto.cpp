//===- Pareto.cpp - Trials that no other one beats ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pareto.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/YAMLParser.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;

/// What of a trial is better the less it is.
static std::array<double, 3> getLosses(const ReportedTrial &trial) {
  return {-trial.metric, trial.floatShare, trial.milliseconds.value_or(0)};
}

/// Whether `a` is as good as `b` in everything and better in something.
static bool beats(const ReportedTrial &a, const ReportedTrial &b) {
  auto lossesA = getLosses(a), lossesB = getLosses(b);
  return lossesA != lossesB &&
         llvm::all_of(llvm::zip_equal(lossesA, lossesB), [](const auto &pair) {
           return std::get<0>(pair) <= std::get<1>(pair);
         });
}

void driver::markPareto(MutableArrayRef<ReportedTrial> trials) {
  for (auto [i, trial] : llvm::enumerate(trials)) {
    bool isBeaten =
        llvm::any_of(trials, [&, &trial = trial](const auto &other) {
          return beats(other, trial);
        });
    bool isRepeated = llvm::any_of(
        trials.take_front(i), [&, &trial = trial](const auto &other) {
          return getLosses(other) == getLosses(trial);
        });
    trial.isPareto = !isBeaten && !isRepeated;
  }
}

std::string driver::formatMilliseconds(std::optional<double> milliseconds) {
  return milliseconds ? formatNumber(*milliseconds) : "-";
}

void driver::writePareto(ArrayRef<ReportedTrial> trials, StringRef metric,
                         llvm::raw_ostream &os) {
  std::vector<std::pair<double, size_t>> best;
  for (auto [i, trial] : llvm::enumerate(trials)) {
    if (trial.isPareto) {
      best.emplace_back(-trial.metric, i);
    }
  }
  llvm::sort(best);
  os << "# Trials that no other one beats: " << metric
     << ", multiply-accumulates in f32,\n# and the time of all products in "
        "milliseconds where the architecture is never\n# waiting\n";
  for (auto [loss, number] : best) {
    const ReportedTrial &trial = trials[number];
    os << "# " << formatNumber(trial.metric) << ", "
       << llvm::format("%.1f", trial.floatShare * 100) << " %, "
       << formatMilliseconds(trial.milliseconds)
       << " ms: "
       // Names may have line breaks, which would end the comment.
       << llvm::yaml::escape(llvm::json::fixUTF8(trial.what),
                             /*EscapePrintable=*/false)
       << (trial.reaches ? " (reached)" : "") << "\n";
  }
}
