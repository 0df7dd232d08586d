//===- QuantizationPlan.h - What will be quantized, and why -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides, by the ranges of values, which products compute on 8-bit integers,
// and which values are integers for that. The ie-quantize pass does what a plan
// says, reports tell it, and nacre tune asks what less would need.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_TRANSFORMS_QUANTIZATIONPLAN_H
#define NACRE_DIALECT_IE_TRANSFORMS_QUANTIZATIONPLAN_H

#include "nacre/Dialect/IE/Transforms/KeepRules.h"
#include "nacre/Dialect/IE/Transforms/KnownRanges.h"
#include "nacre/Dialect/IE/Transforms/ValueKeys.h"
#include "nacre/Quantization/Calibrators.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"

namespace nacre::IE {
struct QuantizeOptions;

/// How values are quantized, and what is not.
struct PlanOptions {
  quantization::CalibrationOptions calibration;
  KeepOptions keep;
  /// Whether products of two values count.
  bool multipliesValues = false;
  /// Whether inputs and results of the function are quantized, whatever reads
  /// or computes them.
  bool quantizesInputs = false, quantizesOutputs = false;
  /// Whether what 16 bits would tell apart of each value is to be found, too.
  bool findsWideRanges = false;

  /// Fails, after an error, where a pattern of names is none.
  static mlir::FailureOr<PlanOptions> read(mlir::Location loc,
                                           const QuantizeOptions &options);
};

/// What is told apart of a value, and how.
struct QuantizedValue {
  quantization::Range range;
  quantization::Parameters parameters;
  /// What 16 bits would tell apart, where that is asked for.
  std::optional<quantization::Range> wideRange;
};

/// The values that an op needs quantized.
struct QuantizationDemand {
  mlir::Operation *op;
  /// Of an op that computes on integers only where one of these is quantized;
  /// none for a product.
  llvm::SmallVector<mlir::Value, 2> results;
  llvm::SmallVector<mlir::Value, 2> sources;
  /// Whether they are of 16 bits because an override says so.
  bool isWide = false;
  /// Of a product of two values, which has no weights.
  bool multipliesValues = false;

  /// True for a product with weights.
  bool isProduct() const { return results.empty() && !multipliesValues; }
};

/// An input or a result of the function that is to be quantized.
struct BoundaryValue {
  mlir::Value value;
  /// Of a result: its number.
  std::optional<unsigned> result;
  /// The value that has its parameters.
  mlir::Value source;
  /// Why it stays f32; empty where it does not.
  std::string obstacle;
};

class QuantizationPlan {
public:
  /// Fails, after an error, where a range is missing, or cannot be chosen as
  /// the options ask for.
  static mlir::FailureOr<QuantizationPlan> make(mlir::func::FuncOp function,
                                                const KnownRanges &ranges,
                                                const PlanOptions &options);

  /// The ops that compute on integers, users before what they use.
  llvm::ArrayRef<QuantizationDemand> getDemands() const { return demands; }
  /// The values that are quantized.
  const llvm::MapVector<mlir::Value, QuantizedValue> &getValues() const {
    return values;
  }
  /// The inputs and results that options ask for; none where they do not.
  llvm::ArrayRef<BoundaryValue> getBoundary() const { return boundary; }
  /// Why a product of the function computes floats; empty for one that does
  /// not.
  llvm::StringRef getObstacle(mlir::Operation *op) const;
  /// What ranges call values.
  const ValueKeys &getKeys() const { return keys; }

private:
  explicit QuantizationPlan(mlir::func::FuncOp function) : keys(function) {}
  friend class QuantizationPlanner;

  ValueKeys keys;
  std::vector<QuantizationDemand> demands;
  std::vector<BoundaryValue> boundary;
  llvm::MapVector<mlir::Value, QuantizedValue> values;
  llvm::DenseMap<mlir::Operation *, std::string> obstacles;
};

/// The value whose elements `value` holds in other places: quantized, it is
/// carried on as integers.
mlir::Value findQuantizedSource(mlir::Value value);

} // namespace nacre::IE

#endif // NACRE_DIALECT_IE_TRANSFORMS_QUANTIZATIONPLAN_H
