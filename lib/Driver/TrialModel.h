//===- TrialModel.h - Many quantizations of one compiled model --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A model that is compiled once, with dynamic quantization parameters, and the
// samples that trials are run on.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_TRIALMODEL_H
#define NACRE_LIB_DRIVER_TRIALMODEL_H

#include "CalibratorComparison.h"
#include "CalibratorOption.h"
#include "PrecisionSearch.h"
#include "SimulatedModel.h"

#include "nacre/Dialect/IE/Transforms/QuantizationPlan.h"

namespace nacre::driver {

/// A plan by numbers, which outlive its module.
class TrialPlan {
public:
  TrialPlan() = default;
  TrialPlan(const IE::QuantizationPlan &plan,
            const quantization::CalibrationOptions &options);

  /// Products of one node, which have the same precision.
  struct Group {
    std::string name;
    /// Multiply-accumulates, 0 where nobody knows; bytes of the weights.
    double macs = 0, weightBytes = 0;
  };
  llvm::ArrayRef<Group> getGroups() const { return groups; }

  struct Value {
    std::string name;
    /// Of 8 bits, and of 16 where a trial may have these.
    quantization::Range range;
    std::optional<quantization::Range> wideRange;
  };
  llvm::ArrayRef<Value> getValues() const { return values; }

  /// A value's range, of which a trial uses a part.
  static quantization::Range narrow(quantization::Range range, double factor) {
    return {range.low * factor, range.high * factor};
  }
  quantization::Parameters getParameters(const Value &value, double factor,
                                         bool isWide) const;
  /// All groups on integers, or none, and ranges as they are.
  Trial getTrial(bool onIntegers) const;
  /// What the input of a simulated quantization is for a trial.
  llvm::SmallVector<float> getNumbers(const Trial &trial) const;

private:
  struct Demand {
    std::optional<unsigned> group;                // of a product
    llvm::SmallVector<unsigned> results, sources; // numbers of values
    bool isWide;                                  // in all trials
  };

  quantization::CalibrationOptions options;
  std::vector<Group> groups;
  std::vector<unsigned> groupOf; // of each product with weights
  std::vector<Value> values;
  std::vector<Demand> demands;
  /// Inputs and outputs that are quantized wherever anything is.
  std::vector<unsigned> boundaryValues;
};

/// Samples of the same shapes, and the model compiled for them.
class TrialModel {
public:
  /// Of the ranges of each of some calibrators, or, without any, of that of the
  /// command line. The first is in use.
  explicit TrialModel(llvm::ArrayRef<NamedCalibrator> calibrators)
      : calibrators(calibrators) {}

  /// Compiles the model for a group of runs and reads their inputs. Prints
  /// errors.
  ExitCode prepare(const SampleSet &samples, llvm::StringRef path,
                   const SampleSet::Group &group);

  const TrialPlan &getPlan() const { return plans[used]; }
  const TriedModel &getTriedModel() const { return tried; }
  size_t getNumRuns() const { return inputs.size(); }
  /// Goes on with the ranges of one of the calibrators that it was made for.
  void use(size_t calibrator) { used = calibrator; }
  /// The multiply-accumulates of products that are f32 in all trials.
  double getFloatMACs() const { return floatMACs; }
  /// The time of so many of them where the architecture is never waiting;
  /// nothing where none was compiled for.
  std::optional<double> estimateMilliseconds(double floatMACs,
                                             double integerMACs);
  const ModelInterface &getInterface() const {
    return model.getSession().getInterface();
  }
  /// The outputs of one of the runs, by its number in the group. Prints errors.
  mlir::LogicalResult run(const Trial &trial, size_t number,
                          llvm::SmallVectorImpl<interpreter::Datum> &outputs);
  mlir::MLIRContext &getContext() { return model.getSession().getContext(); }
  /// Whether --equalize or --smooth has changed something.
  bool isRepaired() const { return repaired; }

private:
  mlir::LogicalResult makePlan(mlir::ModuleOp module);

  SimulatedModel model{SimulatedModel::Numbers::Quantization};
  std::vector<SimulatedModel::Inputs> inputs; // of each run
  llvm::SmallVector<NamedCalibrator> calibrators;
  std::vector<TrialPlan> plans; // of each of them
  size_t used = 0;
  TriedModel tried;
  double floatMACs = 0;
  bool repaired = false;
};

/// The model compiled for samples of all their shapes.
class TrialModels : public CalibratorRuns {
public:
  using Outputs = llvm::SmallVector<interpreter::Datum>;

  /// Compiles and reads the inputs. Prints errors. See TrialModel for
  /// calibrators.
  ExitCode prepare(const Arguments &arguments, llvm::StringRef model,
                   llvm::ArrayRef<NamedCalibrator> calibrators = {});
  /// Goes on with one of these calibrators.
  void use(llvm::StringRef calibrator);

  llvm::ArrayRef<NamedCalibrator> getCalibrators() const override {
    return calibrators;
  }
  std::vector<size_t> getSizes() const override;
  ExitCode begin(size_t group, FindObstacle findObstacle,
                 std::string &obstacle) override;
  mlir::LogicalResult
  run(size_t number, std::optional<size_t> calibrator,
      llvm::SmallVectorImpl<interpreter::Datum> &outputs) override;

  size_t size() const { return models.size(); }
  const TrialModel &front() const { return *models.front(); }
  TrialModel &front() { return *models.front(); }
  /// The outputs of all runs, in the order of the samples. Prints errors.
  mlir::LogicalResult run(const Trial &trial, std::vector<Outputs> &outputs);

private:
  llvm::SmallVector<NamedCalibrator> calibrators;
  std::vector<std::unique_ptr<TrialModel>> models;
  /// On whose runs calibrators are tried.
  TrialModel *begun = nullptr;
  /// The model of each run, and the run's number in it.
  std::vector<std::pair<TrialModel *, size_t>> runs;
};

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_TRIALMODEL_H
