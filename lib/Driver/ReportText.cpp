//===- ReportText.cpp - A report of quantization as text ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables for terminals, and the few lines of a summary.
//
//===----------------------------------------------------------------------===//

#include "Pareto.h"
#include "QuantizationReport.h"
#include "TextTable.h"

#include "llvm/Support/Format.h"

#include <cmath>

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using namespace nacre::quantization;

std::string driver::formatNumber(double number) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.4g", number);
  return text;
}

std::string driver::formatDecibels(std::optional<double> decibels) {
  if (!decibels) {
    return "-";
  }
  if (std::isinf(*decibels)) {
    return *decibels > 0 ? "exact" : "-inf";
  }
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.1f", *decibels);
  return text;
}

std::string driver::formatBytes(int64_t bytes) {
  constexpr double kUnit = 1000;
  auto count = static_cast<double>(bytes);
  return count < kUnit           ? formatNumber(count) + " bytes"
         : count < kUnit * kUnit ? formatNumber(count / kUnit) + " KB"
                                 : formatNumber(count / kUnit / kUnit) + " MB";
}

std::vector<unsigned> driver::shrinkHistogram(const Bins &bins,
                                              size_t columns) {
  std::vector<double> sums(columns, 0);
  for (auto [i, count] : llvm::enumerate(bins.counts)) {
    sums[i * columns / bins.counts.size()] += static_cast<double>(count);
  }
  constexpr double kHighest = 8;
  double most = *llvm::max_element(sums);
  std::vector<unsigned> heights;
  for (double sum : sums) {
    heights.push_back(most == 0 ? 0
                                : static_cast<unsigned>(std::ceil(
                                      std::sqrt(sum / most) * kHighest)));
  }
  return heights;
}

/// Numbers as blocks of eight heights.
static std::string drawBlocks(ArrayRef<unsigned> heights) {
  static constexpr StringRef kBlocks[] = {" ", "▁", "▂", "▃", "▄",
                                          "▅", "▆", "▇", "█"};
  std::string text;
  for (unsigned height : heights) {
    text += kBlocks[height];
  }
  return text;
}

static std::optional<double>
getDecibels(const std::optional<Distortion> &distortion) {
  return distortion ? std::optional<double>(distortion->getDecibels())
                    : std::nullopt;
}

static std::string formatRange(double low, double high) {
  return formatNumber(low) + " … " + formatNumber(high);
}

static std::string formatPercent(double part) {
  return formatNumber(part * 100) + " %";
}

static void printWork(const QuantizationReport &report, llvm::raw_ostream &os) {
  os << report.countQuantized() << " of " << report.products.size()
     << " products";
  if (report.macs > 0) {
    os << ", " << llvm::format("%.1f", report.macsQuantized / report.macs * 100)
       << " % of " << formatNumber(report.macs / 1e6)
       << " million multiply-accumulates,";
  }
  os << " " << report.manner << "; constants of "
     << formatBytes(report.constantBytesBefore) << " become "
     << formatBytes(report.constantBytes) << "\n";
}

/// How many tables of embeddings are int8, and why others are not.
static std::string describeTables(const QuantizationReport &report) {
  if (report.tables->empty()) {
    return "no Gather picks rows of a constant in f32";
  }
  std::string text = std::to_string(report.countQuantizedTables()) + " of " +
                     std::to_string(report.tables->size()) +
                     " tables of embeddings in int8";
  for (const ReportedTable &table : *report.tables) {
    if (!table.obstacle.empty()) {
      text += "; that of '" + table.node + "' stays f32: " + table.obstacle;
    }
  }
  return text;
}

static void printTables(const QuantizationReport &report,
                        llvm::raw_ostream &os) {
  if (!report.tables || report.tables->empty()) {
    return;
  }
  TextTable table({"dB", "rows", "elements", "type", "node", "why so"}, 3);
  for (const ReportedTable &entry : *report.tables) {
    table.add({formatDecibels(entry.decibels), std::to_string(entry.rows),
               std::to_string(entry.rowSize),
               entry.obstacle.empty() ? "int8" : "f32", entry.node,
               entry.obstacle});
  }
  os << "Tables of embeddings. dB: what rounding does to them; elements: of a "
        "row.\n\n";
  table.print(os);
}

static void printOutput(const OutputComparison &output, llvm::raw_ostream &os) {
  const Distortion &distortion = output.distortion;
  os << "output '" << output.name
     << "': " << formatDecibels(distortion.getDecibels()) << " dB, cosine "
     << llvm::format("%.6f", distortion.getCosine()) << ", at most "
     << formatNumber(distortion.getLargestError()) << " off";
  if (uint64_t count = output.agreement.getCount()) {
    os << ", the same choice in " << output.agreement.getSame() << " of "
       << count << " rows";
  }
  os << "\n";
}

/// What was changed, in the order of the model.
static void printRepairs(const QuantizationReport &report,
                         llvm::raw_ostream &os) {
  if (report.repairs.empty()) {
    return;
  }
  TextTable table({"expected dB", "repair", "value", "reader"}, 1);
  for (const IE::Repair &repair : report.repairs) {
    table.add({formatDecibels(repair.decibels), repair.kind, repair.value,
               repair.node});
  }
  os << "Repairs: values whose channels were multiplied, and by how much less "
        "noise is\nexpected in the results of those that read them.\n\n";
  table.print(os);
}

void driver::printSummary(const QuantizationReport &report,
                          llvm::raw_ostream &os) {
  constexpr size_t kShown = 3;
  os << "nacre: ";
  printWork(report, os);
  if (!report.note.empty()) {
    os << "nacre: " << report.note << "\n";
  }
  for (const std::string &line : describeRepairs(report)) {
    os << "nacre: " << line << "\n";
  }
  if (report.tables) {
    os << "nacre: " << describeTables(report) << "\n";
  }
  for (const std::string &line : describeEnds(report)) {
    os << "nacre: " << line << "\n";
  }
  for (const OutputComparison &output : report.outputs) {
    os << "nacre: ";
    printOutput(output, os);
  }
  if (report.samples > 0) {
    os << "nacre: worst values: ";
    llvm::interleaveComma(
        ArrayRef(report.values).take_front(kShown), os, [&](const auto &value) {
          os << "'" << value.profile.name << "' "
             << formatDecibels(getDecibels(value.distortion)) << " dB";
        });
    os << "\n";
  }
  size_t left = report.products.size() - report.countQuantized();
  size_t shown = 0;
  for (const ReportedProduct &product : report.products) {
    if (!product.obstacle.empty() && shown++ < kShown) {
      os << "nacre: f32: '" << product.node << "' (" << product.op
         << "): " << product.obstacle << "\n";
    }
  }
  if (left > kShown) {
    os << "nacre: f32: " << left - kShown << " more\n";
  }
}

static void printProducts(const QuantizationReport &report,
                          llvm::raw_ostream &os) {
  TextTable table(
      {"dB", "weights dB", "spread", "million MACs", "type", "node", "why so"},
      4);
  for (const ReportedProduct &product : report.products) {
    table.add({formatDecibels(getDecibels(product.distortion)),
               formatDecibels(product.weightDecibels),
               formatNumber(product.channelSpread),
               product.macs ? formatNumber(*product.macs / 1e6) : "-",
               product.precision, product.node + " (" + product.op + ")",
               product.obstacle});
  }
  os << "Products, the worst result first. dB: what the quantized model's "
        "result differs by\nfrom the model's; weights dB: what rounding of the "
        "weights does; spread: the\nlargest weight over the largest of the "
        "channel where that is least.\n\n";
  table.print(os);
}

static void printValues(const QuantizationReport &report,
                        llvm::raw_ostream &os) {
  constexpr size_t kColumns = 16;
  TextTable table({"dB", "own dB", "cosine", "largest error", "clipped",
                   "scale", "zero", "type", "range seen", "range used",
                   "value"},
                  7);
  for (const ReportedValue &value : report.values) {
    const ValueProfile &profile = value.profile;
    std::vector<std::string> row(11, "-");
    row[0] = formatDecibels(getDecibels(value.distortion));
    row[1] = formatDecibels(value.ownDecibels);
    if (value.distortion) {
      row[2] = formatNumber(value.distortion->getCosine());
      row[3] = formatNumber(value.distortion->getLargestError());
    }
    row[7] = "f32";
    if (value.quantized) {
      const Parameters &parameters = value.quantized->parameters;
      row[4] = formatPercent(value.clipped);
      row[5] = formatNumber(static_cast<double>(parameters.scale));
      row[6] = std::to_string(parameters.zeroPoint);
      row[7] = parameters.getTypeName();
      row[9] =
          formatRange(parameters.getRange().low, parameters.getRange().high);
    }
    if (profile.count > 0) {
      row[8] = formatRange(static_cast<double>(profile.low),
                           static_cast<double>(profile.high));
    }
    row[10] =
        profile.name + (profile.op.empty() ? "" : " (" + profile.op + ")");
    if (!profile.histogram.counts.empty()) {
      row[10] +=
          " |" + drawBlocks(shrinkHistogram(profile.histogram, kColumns)) + "|";
    }
    table.add(std::move(row));
  }
  os << "Values, the worst first. dB: what the quantized model's value differs "
        "by from the\nmodel's; own dB: what its own rounding is expected to "
        "do; clipped: how many of its\nnumbers are outside of the range.\n\n";
  table.print(os);
}

static void printTrials(const QuantizationReport &report,
                        llvm::raw_ostream &os) {
  if (report.trials.empty()) {
    return;
  }
  TextTable table({"trial", report.metric, "MACs in f32", "estimated ms", "s",
                   "", "", "what"},
                  5);
  for (auto [i, trial] : llvm::enumerate(report.trials)) {
    table.add({std::to_string(i + 1), formatNumber(trial.metric),
               formatPercent(trial.floatShare),
               formatMilliseconds(trial.milliseconds),
               formatNumber(trial.seconds), trial.isPareto ? "*" : "",
               trial.reaches ? "reached" : "", trial.what});
  }
  os << "Trials. *: no other one is as good in metric, MACs in f32 and "
        "estimated time, and\nbetter in one of them. The time is that of all "
        "products where the architecture is\nnever waiting.\n\n";
  table.print(os);
}

void driver::printText(const QuantizationReport &report,
                       llvm::raw_ostream &os) {
  os << report.model << " " << report.manner
     << "\n\noptions: " << report.options << "; compared on " << report.samples
     << " samples\n";
  printWork(report, os);
  if (!report.note.empty()) {
    os << report.note << "\n";
  }
  for (const std::string &line : describeRepairs(report)) {
    os << line << "\n";
  }
  for (const std::string &line : describeEnds(report)) {
    os << line << "\n";
  }
  for (const OutputComparison &output : report.outputs) {
    printOutput(output, os);
  }
  os << "\n";
  printTrials(report, os);
  printRepairs(report, os);
  printProducts(report, os);
  printTables(report, os);
  printValues(report, os);
}
