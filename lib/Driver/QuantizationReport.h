//===- QuantizationReport.h - What quantization does to a model -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which products of a model compute on integers and why others do not, what
// that costs in accuracy, value by value, and what it saves.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_QUANTIZATIONREPORT_H
#define NACRE_LIB_DRIVER_QUANTIZATIONREPORT_H

#include "LayerComparison.h"
#include "nacre/Dialect/IE/Transforms/QuantizeConstants.h"
#include "nacre/Dialect/IE/Transforms/Rescaling.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/JSON.h"

namespace nacre::driver {

/// A value of the model.
struct ReportedValue {
  quantization::ValueProfile profile;
  /// None for one that stays f32.
  std::optional<IE::QuantizedValue> quantized;
  /// Of the numbers that were measured: outside of the range, in parts of all.
  double clipped = 0;
  /// Decibels over what its own rounding is expected to do.
  std::optional<double> ownDecibels;
  /// What the quantized model's value differs by from the model's.
  std::optional<quantization::Distortion> distortion;
};

/// A product: a convolution, or one of matrices.
struct ReportedProduct {
  std::string node, op, result; // the name of its result
  std::string precision = "f32";
  /// Why it computes floats; empty for one that does not.
  std::string obstacle;
  std::optional<double> macs; // unknown where a size is
  /// Of constant weights on integers: decibels over their rounding, and the
  /// largest of all channels over the largest of the channel where it is least.
  std::optional<double> weightDecibels;
  double channelSpread = 1;
  /// Of its result.
  std::optional<quantization::Distortion> distortion;
};

/// A constant of which Gathers pick rows.
struct ReportedTable {
  std::string node;     // of the first Gather
  std::string obstacle; // why it is f32; empty where it is int8
  int64_t rows = 0, rowSize = 0;
  /// Over what rounding does to it.
  std::optional<double> decibels;
};

/// An input or output that was to be quantized.
struct ReportedEnd {
  std::string name;
  bool isInput = false;
  quantization::Parameters parameters;
  /// Why it stays f32; empty where it does not.
  std::string obstacle;
};

/// One of the trials that led to a model.
struct ReportedTrial {
  std::string what;
  double metric = 0, floatShare = 0, seconds = 0;
  bool reaches = false;
  /// Of all products, where the architecture is never waiting; nothing where
  /// nobody knows its peak.
  std::optional<double> milliseconds;
  /// No other trial is better without being worse in something.
  bool isPareto = false;
};

struct QuantizationReport {
  std::string model, options;
  /// On what products are said to compute, as "on 8-bit integers".
  std::string manner = "on 8-bit integers";
  /// What else to know of it; empty where there is nothing.
  std::string note;
  uint64_t samples = 0; // that were compared
  std::vector<ReportedValue> values;
  std::vector<ReportedProduct> products;
  /// With --quantize-embeddings.
  std::optional<std::vector<ReportedTable>> tables;
  /// With --quantize-outputs or --io=quantized.
  std::vector<ReportedEnd> ends;
  std::vector<OutputComparison> outputs;
  /// What was changed for quantization to lose less, and what that is worth on
  /// samples, where somebody has tried.
  std::vector<IE::Repair> repairs;
  std::vector<quantization::MeasuredRepair> measuredRepairs;
  double macsQuantized = 0, macs = 0;
  int64_t constantBytes = 0, constantBytesBefore = 0;
  /// Of nacre tune: what was measured.
  std::string metric;
  std::vector<ReportedTrial> trials;

  size_t countQuantized() const;
  size_t countQuantizedTables() const;
};

/// What the module, prepared for quantization, will be by the options of the
/// session. Fails, after an error, where ranges are missing.
mlir::FailureOr<QuantizationReport> makeReport(mlir::ModuleOp module,
                                               const Session &session);

/// Adds what runs have shown.
void addComparison(QuantizationReport &report,
                   const LayerComparison &comparison, uint64_t samples);

/// A line for each kind of repair: how many values it has changed, and what it
/// is worth.
std::vector<std::string> describeRepairs(const QuantizationReport &report);

/// A line for each input and output that was to be quantized.
std::vector<std::string> describeEnds(const QuantizationReport &report);

/// Puts the worst first.
void sortReport(QuantizationReport &report);

/// Some lines on what was done and what it costs, for who has just waited.
void printSummary(const QuantizationReport &report, llvm::raw_ostream &os);

void printText(const QuantizationReport &report, llvm::raw_ostream &os);
void printJSON(const QuantizationReport &report, llvm::raw_ostream &os);
void printHTML(const QuantizationReport &report, llvm::raw_ostream &os);

/// Fails, after an error, where the name of a report is of no form that there
/// is.
mlir::LogicalResult requireReportName(llvm::StringRef path);
/// In the form that the file's extension tells.
mlir::LogicalResult writeReport(const QuantizationReport &report,
                                llvm::StringRef path);

/// Adds what the samples of the command line show, on which it runs the model
/// as it is and quantized.
ExitCode compareWithModel(const Arguments &arguments, llvm::StringRef model,
                          QuantizationReport &report);
/// Prints the summary, and writes what --report asks for.
ExitCode finishReport(const Arguments &arguments, llvm::StringRef model,
                      QuantizationReport &report);

/// How the command line quantizes, in words.
std::string describeQuantization(const Arguments &arguments);
// What the forms have in common.

/// The attributes of a JSON object that say how far numbers are from others.
void printDistortion(const quantization::Distortion &distortion,
                     llvm::json::OStream &json);

/// Decibels with one decimal; "exact" without noise, "-" where nobody knows.
std::string formatDecibels(std::optional<double> decibels);
/// Four digits of a number.
std::string formatNumber(double number);
std::string formatBytes(int64_t bytes);
/// The counts of a histogram as a few numbers from 0 to 8, whose roots are in
/// proportion to the counts'.
std::vector<unsigned> shrinkHistogram(const quantization::Bins &bins,
                                      size_t columns);

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_QUANTIZATIONREPORT_H
