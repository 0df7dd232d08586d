//===- TrialMetric.h - What a trial is worth --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures outputs by what they should be, and tells whether that is enough.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_TRIALMETRIC_H
#define NACRE_LIB_DRIVER_TRIALMETRIC_H

#include "Folders.h"
#include "PrecisionSearch.h"
#include "Session.h"

#include "nacre/Quantization/Distortion.h"

namespace nacre::driver {

/// The options that choose a metric.
std::vector<OptionSpec> getMetricOptions();

class TrialMetric {
public:
  /// Prints an error and fails where the command line asks for none that there
  /// is.
  static mlir::FailureOr<TrialMetric> create(const Arguments &arguments);

  /// Outputs of one sample.
  using Outputs = llvm::SmallVector<interpreter::Datum>;

  /// Measures the outputs of all samples, which `expected` are of the model as
  /// it is. First are these themselves: others may be compared with what they
  /// are worth. Prints an error and fails where there is nothing to measure.
  mlir::FailureOr<Score> measure(const ModelInterface &interface,
                                 llvm::ArrayRef<Outputs> expected,
                                 llvm::ArrayRef<Outputs> found);
  llvm::StringRef getName() const { return name; }
  /// What is asked for, as the command line says it.
  llvm::StringRef getTarget() const { return target; }

private:
  enum class Kind { Top1, Agreement, Decibels, Cosine, Command };

  mlir::LogicalResult readTarget(llvm::StringRef text);
  mlir::LogicalResult readLabels(llvm::StringRef path);
  mlir::LogicalResult chooseOutputs(const ModelInterface &interface,
                                    llvm::ArrayRef<Outputs> expected);
  mlir::FailureOr<double> measureKind(const ModelInterface &interface,
                                      llvm::ArrayRef<Outputs> expected,
                                      llvm::ArrayRef<Outputs> found);
  mlir::FailureOr<double> countTop1(llvm::ArrayRef<Outputs> found) const;
  mlir::FailureOr<double> runCommand(const ModelInterface &interface,
                                     llvm::ArrayRef<Outputs> found);
  double getAgreement(llvm::ArrayRef<Outputs> expected,
                      llvm::ArrayRef<Outputs> found) const;
  double getCosine(llvm::ArrayRef<Outputs> expected,
                   llvm::ArrayRef<Outputs> found) const;
  double getDecibels(llvm::ArrayRef<Outputs> expected,
                     llvm::ArrayRef<Outputs> found) const;
  bool reaches(double metric) const;

  Kind kind = Kind::Decibels;
  std::string name, target, command, output;
  /// What is asked for, or how much less than the model has.
  double bound = 0;
  bool isDrop = false;
  std::optional<double> reference;
  std::vector<int64_t> labels;
  /// The outputs that count.
  llvm::SmallVector<size_t> numbers;
  /// Where a command finds outputs.
  std::shared_ptr<TemporaryFolder> folder;
};

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_TRIALMETRIC_H
