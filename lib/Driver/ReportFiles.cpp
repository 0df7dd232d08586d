//===- ReportFiles.cpp - Reports of quantization as files -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The forms of a report's file, and JSON among them.
//
//===----------------------------------------------------------------------===//

#include "QuantizationReport.h"

#include "nacre/Support/Files.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

#include <cmath>

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using namespace nacre::quantization;

using PrintFunction = void (*)(const QuantizationReport &, llvm::raw_ostream &);

/// How a file of that name is written; null for a name that tells no form.
static PrintFunction findForm(StringRef path) {
  static constexpr std::pair<StringRef, PrintFunction> kForms[] = {
      {".html", printHTML}, {".txt", printText}, {".json", printJSON}};
  for (auto [extension, print] : kForms) {
    if (path.ends_with(extension)) {
      return print;
    }
  }
  return nullptr;
}

LogicalResult driver::requireReportName(StringRef path) {
  if (path.empty() || findForm(path)) {
    return success();
  }
  printError() << "--report needs a file that ends with .html, .txt or .json, "
                  "found '"
               << path << "'\n";
  return failure();
}

LogicalResult driver::writeReport(const QuantizationReport &report,
                                  StringRef path) {
  MLIRContext context;
  return writeFile(UnknownLoc::get(&context), path, [&](llvm::raw_ostream &os) {
    findForm(path)(report, os);
    return success();
  });
}

/// JSON knows no infinity: null stands for it and for what nobody knows.
static llvm::json::Value toJSON(std::optional<double> number) {
  return number && std::isfinite(*number) ? llvm::json::Value(*number)
                                          : llvm::json::Value(nullptr);
}

static llvm::json::Value toJSON(StringRef text) {
  return llvm::json::fixUTF8(text);
}

void driver::printDistortion(const Distortion &distortion,
                             llvm::json::OStream &json) {
  json.attribute("snr_db", toJSON(distortion.getDecibels()));
  json.attribute("exact", distortion.getLargestError() == 0);
  json.attribute("cosine", toJSON(distortion.getCosine()));
  json.attribute("largest_error", toJSON(distortion.getLargestError()));
}

static void print(const OutputComparison &output, llvm::json::OStream &json) {
  json.attribute("name", toJSON(output.name));
  printDistortion(output.distortion, json);
  if (uint64_t rows = output.agreement.getCount()) {
    json.attribute("rows", rows);
    json.attribute("rows_of_same_choice", output.agreement.getSame());
  }
}

static void print(const ReportedProduct &product, llvm::json::OStream &json) {
  json.attribute("node", toJSON(product.node));
  json.attribute("op", product.op);
  json.attribute("result", toJSON(product.result));
  json.attribute("precision", product.precision);
  if (!product.obstacle.empty()) {
    json.attribute("why", toJSON(product.obstacle));
  }
  json.attribute("macs", toJSON(product.macs));
  if (product.weightDecibels) {
    json.attribute("weights_snr_db", toJSON(product.weightDecibels));
    json.attribute("channel_spread", toJSON(product.channelSpread));
  }
  if (product.distortion) {
    printDistortion(*product.distortion, json);
  }
}

static void printRange(StringRef key, double low, double high,
                       llvm::json::OStream &json) {
  json.attribute(key, llvm::json::Array{toJSON(low), toJSON(high)});
}

static void print(const ReportedValue &value, llvm::json::OStream &json) {
  const ValueProfile &profile = value.profile;
  json.attribute("name", toJSON(profile.name));
  json.attribute("node", toJSON(profile.node));
  json.attribute("op", profile.op);
  printRange("range_seen", static_cast<double>(profile.low),
             static_cast<double>(profile.high), json);
  json.attribute("precision", value.quantized
                                  ? value.quantized->parameters.getTypeName()
                                  : "f32");
  if (value.quantized) {
    const Parameters &parameters = value.quantized->parameters;
    printRange("range_used", parameters.getRange().low,
               parameters.getRange().high, json);
    json.attribute("scale", toJSON(static_cast<double>(parameters.scale)));
    json.attribute("zero_point", parameters.zeroPoint);
    json.attribute("clipped", toJSON(value.clipped));
    json.attribute("own_snr_db", toJSON(value.ownDecibels));
  }
  if (value.distortion) {
    printDistortion(*value.distortion, json);
  }
}

static void print(const IE::Repair &repair, llvm::json::OStream &json) {
  json.attribute("kind", repair.kind);
  json.attribute("value", toJSON(repair.value));
  json.attribute("node", toJSON(repair.node));
  json.attribute("expected_gain_db", toJSON(repair.decibels));
}

static void print(const MeasuredRepair &repair, llvm::json::OStream &json) {
  json.attribute("kind", toJSON(repair.name));
  json.attribute("gain_db", toJSON(repair.decibels));
  json.attribute("kept", repair.isKept);
  if (!repair.integers.empty()) {
    json.attribute("unseen", repair.isUnseen);
    json.attribute("integers", toJSON(repair.integers));
  }
}

static void print(const ReportedTable &table, llvm::json::OStream &json) {
  json.attribute("node", toJSON(table.node));
  json.attribute("rows", table.rows);
  json.attribute("row_size", table.rowSize);
  json.attribute("precision", table.obstacle.empty() ? "int8" : "f32");
  if (!table.obstacle.empty()) {
    json.attribute("why", toJSON(table.obstacle));
  }
  if (table.decibels) {
    json.attribute("snr_db", toJSON(table.decibels));
  }
}

static void print(const ReportedEnd &end, llvm::json::OStream &json) {
  json.attribute("name", toJSON(end.name));
  json.attribute("kind", end.isInput ? "input" : "output");
  if (!end.obstacle.empty()) {
    json.attribute("why", toJSON(end.obstacle));
    return;
  }
  json.attribute("type", end.parameters.getTypeName());
  json.attribute("scale", toJSON(static_cast<double>(end.parameters.scale)));
  json.attribute("zero_point", end.parameters.zeroPoint);
}

static void print(const ReportedTrial &trial, llvm::json::OStream &json) {
  json.attribute("what", toJSON(trial.what));
  json.attribute("metric", toJSON(trial.metric));
  json.attribute("float_macs", toJSON(trial.floatShare));
  json.attribute("seconds", toJSON(trial.seconds));
  json.attribute("reaches_target", trial.reaches);
  json.attribute("estimated_ms", toJSON(trial.milliseconds));
  json.attribute("pareto", trial.isPareto);
}

template <typename T>
static void printAll(StringRef key, ArrayRef<T> entries,
                     llvm::json::OStream &json) {
  json.attributeArray(key, [&] {
    for (const T &entry : entries) {
      json.object([&] { print(entry, json); });
    }
  });
}

void driver::printJSON(const QuantizationReport &report,
                       llvm::raw_ostream &os) {
  llvm::json::OStream json(os, /*IndentSize=*/1);
  json.object([&] {
    json.attribute("model", toJSON(report.model));
    json.attribute("options", toJSON(report.options));
    if (!report.note.empty()) {
      json.attribute("note", report.note);
    }
    json.attribute("samples", report.samples);
    json.attribute("macs", toJSON(report.macs));
    json.attribute("macs_quantized", toJSON(report.macsQuantized));
    json.attribute("constant_bytes_before", report.constantBytesBefore);
    json.attribute("constant_bytes", report.constantBytes);
    printAll<MeasuredRepair>("repairs", report.measuredRepairs, json);
    printAll<IE::Repair>("repaired_values", report.repairs, json);
    if (report.tables) {
      printAll<ReportedTable>("tables", *report.tables, json);
    }
    if (!report.ends.empty()) {
      printAll<ReportedEnd>("ends", report.ends, json);
    }
    printAll<OutputComparison>("outputs", report.outputs, json);
    printAll<ReportedProduct>("products", report.products, json);
    printAll<ReportedValue>("values", report.values, json);
    if (!report.trials.empty()) {
      json.attribute("metric", report.metric);
      printAll<ReportedTrial>("trials", report.trials, json);
    }
  });
  os << "\n";
}
