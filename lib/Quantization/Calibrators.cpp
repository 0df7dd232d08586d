//===- Calibrators.cpp - Which range of a value matters -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Quantization/Calibrators.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace nacre::quantization;

llvm::ArrayRef<std::pair<llvm::StringRef, Calibrator>>
nacre::quantization::getCalibrators() {
  static constexpr std::pair<llvm::StringRef, Calibrator> kCalibrators[] = {
      {"mse", Calibrator::MSE},
      {"minmax", Calibrator::MinMax},
      {"percentile", Calibrator::Percentile},
      {"entropy", Calibrator::Entropy}};
  return kCalibrators;
}

llvm::StringRef nacre::quantization::getName(Calibrator calibrator) {
  const auto *found = llvm::find_if(getCalibrators(), [&](const auto &known) {
    return known.second == calibrator;
  });
  return found->first;
}

/// Ranges that are tried: the whole one, and 1 to 99 hundredths of it.
static constexpr int kNumShrunk = 100;

static uint64_t countAll(const Bins &bins) {
  return std::accumulate(bins.counts.begin(), bins.counts.end(), uint64_t(0));
}

double nacre::quantization::getSquaredError(const Bins &bins,
                                            const Parameters &parameters) {
  double width = bins.getWidth(), sum = 0;
  Range range = parameters.getRange();
  double scale = parameters.scale, ofStep = scale * scale / 12;
  double total = static_cast<double>(countAll(bins));
  for (size_t i = 0; i < bins.counts.size(); ++i) {
    if (bins.counts[i] == 0) {
      continue;
    }
    double center =
        (static_cast<double>(bins.first) + static_cast<double>(i) + 0.5) *
        width;
    bool isInside = center >= range.low && center <= range.high;
    double error = center - std::clamp(center, range.low, range.high);
    // The numbers of a bin that is wider than a step are anywhere between two
    // steps; of a narrow one that step is known which is nearest.
    double squared = !isInside ? error * error
                     : width >= scale
                         ? ofStep
                         : std::pow(center - parameters.roundTrip(center), 2);
    sum += squared * static_cast<double>(bins.counts[i]);
  }
  return total == 0 ? 0 : sum / total;
}

/// The bins of a range: numbers in `counts`, the second past the last.
static std::pair<size_t, size_t> findBins(const Bins &bins, Range range) {
  double width = bins.getWidth();
  auto last = static_cast<double>(bins.counts.size());
  auto first = static_cast<double>(bins.first);
  double begin = std::floor(range.low / width) - first;
  double end = std::ceil(range.high / width) - first;
  return {static_cast<size_t>(std::clamp(begin, 0.0, last)),
          static_cast<size_t>(std::clamp(end, 0.0, last))};
}

/// The counts without zeros, which any range tells apart from all else: their
/// bin holds as many as the one beside it.
static std::vector<uint64_t> ignoreZeros(const Bins &bins) {
  std::vector<uint64_t> counts = bins.counts;
  int64_t zero = -bins.first;
  auto size = static_cast<int64_t>(counts.size());
  if (zero >= 0 && zero < size && size > 1) {
    counts[zero] = counts[zero + 1 < size ? zero + 1 : zero - 1];
  }
  return counts;
}

static double sumOf(llvm::ArrayRef<uint64_t> counts) {
  return static_cast<double>(
      std::accumulate(counts.begin(), counts.end(), uint64_t(0)));
}

/// The divergence of probabilities `is` from those of one step, whose numbers
/// `counts` are as likely as each other, of `total` in all steps.
static double getDivergenceOfStep(llvm::ArrayRef<double> is,
                                  llvm::ArrayRef<uint64_t> counts,
                                  double total) {
  // A number that no step stands for is as good as one in a million.
  constexpr double kUnlikely = 1e-6;
  auto used =
      static_cast<double>(counts.size() - llvm::count(counts, uint64_t(0)));
  double likely = used == 0 ? 0 : sumOf(counts) / used / total;
  double divergence = 0;
  for (size_t i = 0; i < is.size(); ++i) {
    if (is[i] > 0) {
      double seems = counts[i] == 0 ? kUnlikely : likely;
      divergence += is[i] * std::log(is[i] / seems);
    }
  }
  return divergence;
}

double nacre::quantization::getDivergence(const Bins &bins, Range range) {
  constexpr size_t kNumSteps = 255;
  auto [begin, end] = findBins(bins, range);
  size_t size = end - begin;
  // Nothing is known of steps narrower than bins.
  if (begin >= end || size < std::min(kNumSteps, bins.counts.size())) {
    return std::numeric_limits<double>::infinity();
  }
  std::vector<uint64_t> all = ignoreZeros(bins);
  llvm::ArrayRef<uint64_t> counts(all);
  llvm::ArrayRef<uint64_t> inside = counts.slice(begin, size);
  // What is cut off becomes the outermost numbers, which no step knows of.
  std::vector<double> is(inside.begin(), inside.end());
  is.front() += sumOf(counts.take_front(begin));
  is.back() += sumOf(counts.drop_front(end));
  double total = sumOf(counts), totalInside = sumOf(inside);
  if (total == 0 || totalInside == 0) {
    return total == 0 ? 0 : std::numeric_limits<double>::infinity();
  }
  for (double &count : is) {
    count /= total;
  }
  size_t steps = std::min(kNumSteps, size);
  double divergence = 0;
  for (size_t step = 0; step < steps; ++step) {
    size_t from = step * size / steps, to = (step + 1) * size / steps;
    divergence +=
        getDivergenceOfStep(llvm::ArrayRef<double>(is).slice(from, to - from),
                            inside.slice(from, to - from), totalInside);
  }
  return divergence;
}

/// The range, shrunk to hundredths of it, for which `cost` is least: first at
/// both ends alike, then at each of them. Of equal ones the widest.
static Range shrink(Range whole, llvm::function_ref<double(Range)> cost) {
  Range best = whole;
  double least = cost(whole);
  auto consider = [&](Range range) {
    double found = cost(range);
    if (found < least) {
      least = found;
      best = range;
    }
  };
  auto tryAll = [&](bool shrinksLow, bool shrinksHigh) {
    Range start = best;
    for (int i = kNumShrunk - 1; i > 0; --i) {
      double factor = static_cast<double>(i) / kNumShrunk;
      consider({shrinksLow ? whole.low * factor : start.low,
                shrinksHigh ? whole.high * factor : start.high});
    }
  };
  tryAll(true, true);
  if (whole.low < 0 && whole.high > 0) {
    tryAll(false, true);
    tryAll(true, false);
  }
  return best;
}

/// The range without what is rarer than the percentile at each end.
static Range cutTails(const ValueProfile &value, Range whole,
                      double percentile) {
  const Bins &bins = value.histogram;
  double allowed = static_cast<double>(countAll(bins)) * (1 - percentile / 100);
  size_t begin = 0, end = bins.counts.size();
  double cut = 0;
  while (begin + 1 < end &&
         (cut += static_cast<double>(bins.counts[begin])) <= allowed) {
    ++begin;
  }
  cut = 0;
  while (end - 1 > begin &&
         (cut += static_cast<double>(bins.counts[end - 1])) <= allowed) {
    --end;
  }
  double width = bins.getWidth();
  auto first = static_cast<double>(bins.first);
  return {
      std::min(
          std::max(whole.low, (first + static_cast<double>(begin)) * width),
          0.0),
      std::max(std::min(whole.high, (first + static_cast<double>(end)) * width),
               0.0)};
}

/// What counts of a range by what the histogram shows.
static Range chooseRange(const ValueProfile &value,
                         const CalibrationOptions &options) {
  Range whole = {std::min<double>(value.low, 0),
                 std::max<double>(value.high, 0)};
  const Bins &bins = value.histogram;
  // Without a histogram, as in a profile that was written by hand.
  if (bins.counts.empty()) {
    return whole;
  }
  switch (options.calibrator) {
  case Calibrator::MinMax:
    return whole;
  case Calibrator::Percentile:
    return cutTails(value, whole, options.percentile);
  case Calibrator::Entropy:
    return shrink(whole,
                  [&](Range range) { return getDivergence(bins, range); });
  case Calibrator::MSE:
    return shrink(whole, [&](Range range) {
      return getSquaredError(
          bins, getParameters(range, options.schema, options.type));
    });
  }
  return whole;
}

Range nacre::quantization::calibrate(const ValueProfile &value,
                                     const CalibrationOptions &options) {
  Range range = chooseRange(value, options);
  if (options.type != ActivationType::Int16) {
    return range;
  }
  // Steps of twice the size are 6 dB of some 90; one number that no sample has
  // shown, and that is cut off, costs more.
  constexpr double kRoom = 2;
  return {range.low * kRoom, range.high * kRoom};
}
