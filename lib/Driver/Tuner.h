//===- Tuner.h - Trials of precisions ---------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The search of nacre tune. The model is compiled once for all trials.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_TUNER_H
#define NACRE_LIB_DRIVER_TUNER_H

#include "Calibrate.h"
#include "Pareto.h"
#include "PrecisionSearch.h"
#include "Signals.h"
#include "TrialMetric.h"
#include "TrialModel.h"

#include <chrono>

namespace nacre::driver {

/// Tries which products of a model may be on 8-bit integers.
class Tuner {
public:
  Tuner(const Arguments &arguments, llvm::StringRef model, TrialMetric metric)
      : arguments(arguments), model(model), metric(std::move(metric)) {}
  Tuner(const Tuner &) = delete; // trials refer to it

  /// Reads what the command line says of the search.
  mlir::LogicalResult configure();
  /// Compiles for the samples. `ranged` are the arguments with --ranges, and
  /// `isOpen` says whether a calibrator is to be chosen for these.
  ExitCode prepare(const Arguments &ranged, bool isOpen);
  /// Writes into the profile that was tuned what was found.
  void addTo(quantization::RangeProfile &profile) const;
  /// Tries until the target is reached for the least, or time is over.
  ExitCode search();

  size_t getNumCompiled() const { return plain.size() + repaired.size(); }
  /// Whether the best trial is one of the repaired model.
  bool isRepaired() const { return used == &repaired; }
  const std::vector<ReportedTrial> &getTrials() const { return trials; }
  const TrialMetric &getMetric() const { return metric; }
  /// Says it, and which options the commands need that take the profile.
  void printBest(const quantization::RangeProfile &profile,
                 llvm::raw_ostream &os) const;

private:
  /// What the trials are for.
  enum class Aim { FloatMACs, Bytes };

  /// The overrides that the best trial comes to.
  std::vector<quantization::Override> getOverrides() const;
  const TrialPlan &getPlan() const { return used->front().getPlan(); }
  std::vector<double> getCosts() const;
  double getFloatShare(const Trial &trial) const;
  std::optional<double> estimateMilliseconds(const Trial &trial);
  double getSeconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                         start)
        .count();
  }
  std::optional<Score> measure(const Trial &trial, llvm::StringRef what);
  bool begin(std::optional<PrecisionSearch> &search);
  ExitCode tryRepairs();

  Arguments arguments;
  llvm::StringRef model;
  TrialMetric metric;
  Aim aim = Aim::FloatMACs;
  bool searchesRanges = false, searchesPrecisions = true;
  bool triesWide = false, triesRepairs = false;
  /// The calibrator of all trials, as users name it, and what has chosen it, if
  /// anything has here.
  std::string calibrator;
  std::optional<quantization::CalibratorTrials> calibrators;
  double budget = 0; // seconds; 0 for any time
  std::chrono::steady_clock::time_point start =
      std::chrono::steady_clock::now();
  std::optional<InterruptWatch> interrupts;

  TrialModels plain, repaired;
  TrialModels *used = &plain;
  std::vector<TrialMetric::Outputs> expected;
  std::vector<ReportedTrial> trials;
  std::optional<PrecisionSearch> found;
  bool failedToRun = false;
};

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_TUNER_H
