//===- CalibratorComparison.h - What calibrators are worth ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What runs with the ranges of each calibrator show, and how many runs that
// takes where nobody has asked for it.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_CALIBRATORCOMPARISON_H
#define NACRE_LIB_DRIVER_CALIBRATORCOMPARISON_H

#include "CalibratorOption.h"
#include "nacre/Driver/Driver.h"
#include "nacre/Interpreter/Datum.h"
#include "nacre/Quantization/RangeProfile.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace nacre::driver {

/// What decides whether calibrators are tried on a model.
struct TriedModel {
  bool isQuantized = false, hasFloatOutputs = false;
  /// The multiply-accumulates of one run; nothing where they are not known.
  std::optional<double> macs;

  /// `isQuantized` says whether anything of the function becomes integers.
  static TriedModel read(mlir::func::FuncOp function, bool isQuantized);
};

/// A model, compiled for each group of samples of the same shapes, that runs
/// with the ranges of each of some calibrators.
class CalibratorRuns {
public:
  virtual ~CalibratorRuns() = default;
  virtual llvm::ArrayRef<NamedCalibrator> getCalibrators() const = 0;
  /// How many runs each group has.
  virtual std::vector<size_t> getSizes() const = 0;

  using FindObstacle = llvm::function_ref<std::string(const TriedModel &)>;
  /// Has the next runs be those of a group, unless something is in the way,
  /// which goes to `obstacle`. Prints errors.
  virtual ExitCode begin(size_t group, FindObstacle findObstacle,
                         std::string &obstacle) = 0;
  /// The outputs of a run, by its number in the group, with the ranges of a
  /// calibrator, by its number, or in f32. Prints errors.
  virtual mlir::LogicalResult
  run(size_t number, std::optional<size_t> calibrator,
      llvm::SmallVectorImpl<interpreter::Datum> &outputs) = 0;
};

/// What trying calibrators has come to: what each is worth, or why none was
/// compared.
struct CalibratorFindings {
  std::optional<quantization::CalibratorTrials> trials;
  std::string obstacle;

  /// The one that is used where users name none.
  llvm::StringRef getChosen() const;
  /// Says which one that is, and why.
  std::string describe() const;
};

/// Tries calibrators on samples: on all of them where the command line asks for
/// the best one, else on as many as are not too much work. Prints errors.
ExitCode tryCalibrators(CalibratorRuns &runs, const Arguments &arguments,
                        CalibratorFindings &findings);

/// What stays of trials in ranges where users name no calibrator: nothing where
/// it is the default one, which needs no mention.
std::optional<quantization::CalibratorTrials>
keepClearChoice(std::optional<quantization::CalibratorTrials> trials);

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_CALIBRATORCOMPARISON_H
