//===- ReportPage.cpp - A report of quantization as a web page ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables, the worst first, and the histogram of each value with what of it is
// told apart. The page is whole: it asks nothing of a network and runs nothing.
//
//===----------------------------------------------------------------------===//

#include "Pareto.h"
#include "QuantizationReport.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

#include <cmath>

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using namespace nacre::quantization;

static constexpr StringRef kStyle = R"html(<style>
body{font:14px sans-serif;margin:2em;max-width:1500px}
table{border-collapse:collapse}
td,th{padding:2px 10px;text-align:right;border-bottom:1px solid #ddd;
white-space:nowrap}
th{background:#f0f0f0;position:sticky;top:0}
td.text,th.text{text-align:left;font-family:monospace;white-space:normal}
tr.float{background:#f6f6f6;color:#666}
td.bad{background:#f8c0b0}td.poor{background:#f8e8b0}
svg{background:#f8f8f8;display:block}
</style>)html";

static std::string escape(StringRef text) {
  std::string result;
  llvm::raw_string_ostream os(result);
  llvm::printHTMLEscaped(text, os);
  return result;
}

static void printCell(llvm::raw_ostream &os, StringRef content,
                      StringRef kind = "") {
  os << "<td";
  if (!kind.empty()) {
    os << " class=\"" << kind << '"';
  }
  os << '>' << content << "</td>";
}

/// Decibels, in a colour where they are few.
static void printDecibels(llvm::raw_ostream &os,
                          std::optional<double> decibels) {
  constexpr double kBad = 10, kPoor = 20;
  bool isKnown = decibels.has_value();
  printCell(os, formatDecibels(decibels),
            isKnown && *decibels < kBad    ? "bad"
            : isKnown && *decibels < kPoor ? "poor"
                                           : "");
}

static void printDistortion(llvm::raw_ostream &os,
                            const std::optional<Distortion> &distortion) {
  printDecibels(os, distortion ? std::optional(distortion->getDecibels())
                               : std::nullopt);
}

static void printHead(llvm::raw_ostream &os, ArrayRef<StringRef> titles,
                      size_t numNumbers) {
  os << "<table><tr>";
  for (auto [i, title] : llvm::enumerate(titles)) {
    os << (i < numNumbers ? "<th>" : "<th class=\"text\">") << title << "</th>";
  }
  os << "</tr>\n";
}

/// The histogram of a value, and a line under what of it is told apart.
static std::string drawHistogram(const ReportedValue &value) {
  constexpr size_t kColumns = 64;
  constexpr int kWidth = 3, kHeight = 3, kHighest = 8;
  const Bins &bins = value.profile.histogram;
  if (bins.counts.empty()) {
    return "";
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  int width = kColumns * kWidth, height = kHighest * kHeight;
  os << "<svg width=\"" << width << "\" height=\"" << height + 4 << "\">";
  for (auto [i, tall] : llvm::enumerate(shrinkHistogram(bins, kColumns))) {
    if (tall > 0) {
      int up = static_cast<int>(tall) * kHeight;
      os << "<rect x=\"" << i * kWidth << "\" y=\"" << height - up
         << "\" width=\"" << kWidth << "\" height=\"" << up
         << "\" fill=\"#68a\"/>";
    }
  }
  if (value.quantized) {
    quantization::Range range = value.quantized->parameters.getRange();
    auto first = static_cast<double>(bins.first);
    auto count = static_cast<double>(bins.counts.size());
    auto place = [&](double number) {
      double part = (number / bins.getWidth() - first) / count;
      return std::clamp(part, 0.0, 1.0) * width;
    };
    os << llvm::format("<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"3\" "
                       "fill=\"#c40\"/>",
                       place(range.low), height + 1,
                       place(range.high) - place(range.low));
  }
  os << "</svg>";
  return text;
}

static void printOutputs(const QuantizationReport &report,
                         llvm::raw_ostream &os) {
  if (report.outputs.empty()) {
    return;
  }
  os << "<h2>Outputs</h2>\n";
  printHead(
      os,
      {"dB", "cosine", "largest error", "rows", "of the same choice", "output"},
      5);
  for (const OutputComparison &output : report.outputs) {
    os << "<tr>";
    printDecibels(os, output.distortion.getDecibels());
    printCell(os, formatNumber(output.distortion.getCosine()));
    printCell(os, formatNumber(output.distortion.getLargestError()));
    printCell(os, std::to_string(output.agreement.getCount()));
    printCell(os, std::to_string(output.agreement.getSame()));
    printCell(os, escape(output.name), "text");
    os << "</tr>\n";
  }
  os << "</table>\n";
}

static void printRepairs(const QuantizationReport &report,
                         llvm::raw_ostream &os) {
  for (const std::string &line : describeRepairs(report)) {
    os << "<p>" << escape(line) << ".</p>\n";
  }
  if (report.repairs.empty()) {
    return;
  }
  os << "<h2>Repairs</h2><p>Values whose channels were multiplied, and by how "
        "much less noise is expected in the results of those that read "
        "them.</p>\n";
  printHead(os, {"expected dB", "repair", "value", "reader"}, 1);
  for (const IE::Repair &repair : report.repairs) {
    os << "<tr>";
    printCell(os, formatDecibels(repair.decibels));
    printCell(os, escape(repair.kind), "text");
    printCell(os, escape(repair.value), "text");
    printCell(os, escape(repair.node), "text");
    os << "</tr>\n";
  }
  os << "</table>\n";
}

static void printTrials(const QuantizationReport &report,
                        llvm::raw_ostream &os) {
  if (report.trials.empty()) {
    return;
  }
  os << "<h2>Trials</h2><p>*: no other one is as good in metric, MACs in f32 "
        "and estimated time, and better in one of them. The time is that of "
        "all products where the architecture is never waiting.</p>\n";
  printHead(os,
            {"trial", report.metric, "% of MACs in f32", "estimated ms",
             "seconds", "what"},
            5);
  for (auto [i, trial] : llvm::enumerate(report.trials)) {
    os << (trial.reaches ? "<tr>" : "<tr class=\"float\">");
    printCell(os, std::to_string(i + 1));
    printCell(os, formatNumber(trial.metric));
    printCell(os, formatNumber(trial.floatShare * 100));
    printCell(os, formatMilliseconds(trial.milliseconds));
    printCell(os, formatNumber(trial.seconds));
    printCell(os,
              escape((trial.isPareto ? "* " : "") + trial.what +
                     (trial.reaches ? " (reached)" : "")),
              "text");
    os << "</tr>\n";
  }
  os << "</table>\n";
}

static void printProducts(const QuantizationReport &report,
                          llvm::raw_ostream &os) {
  os << "<h2>Products</h2><p>The worst result first. dB: what the quantized "
        "model's result differs by from the model's; weights dB: what rounding "
        "of the weights does; spread: the largest weight over the largest of "
        "the channel where that is least.</p>\n";
  printHead(
      os,
      {"dB", "weights dB", "spread", "million MACs", "type", "node", "why so"},
      4);
  for (const ReportedProduct &product : report.products) {
    bool isFloat = !product.obstacle.empty();
    os << (isFloat ? "<tr class=\"float\">" : "<tr>");
    printDistortion(os, product.distortion);
    printDecibels(os, product.weightDecibels);
    printCell(os, isFloat ? "" : formatNumber(product.channelSpread));
    printCell(os, product.macs ? formatNumber(*product.macs / 1e6) : "");
    printCell(os, product.precision, "text");
    printCell(os, escape(product.node + " (" + product.op + ")"), "text");
    printCell(os, escape(product.obstacle), "text");
    os << "</tr>\n";
  }
  os << "</table>\n";
}

static void printTables(const QuantizationReport &report,
                        llvm::raw_ostream &os) {
  if (!report.tables || report.tables->empty()) {
    return;
  }
  os << "<h2>Tables of embeddings</h2><p>dB: what rounding does to "
        "them; elements: of a row.</p>\n";
  printHead(os, {"dB", "rows", "elements", "type", "node", "why so"}, 3);
  for (const ReportedTable &table : *report.tables) {
    os << (table.obstacle.empty() ? "<tr>" : "<tr class=\"float\">");
    printDecibels(os, table.decibels);
    printCell(os, std::to_string(table.rows));
    printCell(os, std::to_string(table.rowSize));
    printCell(os, table.obstacle.empty() ? "int8" : "f32", "text");
    printCell(os, escape(table.node), "text");
    printCell(os, escape(table.obstacle), "text");
    os << "</tr>\n";
  }
  os << "</table>\n";
}

static void printValue(const ReportedValue &value, llvm::raw_ostream &os) {
  const ValueProfile &profile = value.profile;
  os << (value.quantized ? "<tr>" : "<tr class=\"float\">");
  printDistortion(os, value.distortion);
  printDecibels(os, value.ownDecibels);
  printCell(os, value.distortion ? formatNumber(value.distortion->getCosine())
                                 : "");
  printCell(os, value.distortion
                    ? formatNumber(value.distortion->getLargestError())
                    : "");
  printCell(os, formatNumber(static_cast<double>(profile.low)));
  printCell(os, formatNumber(static_cast<double>(profile.high)));
  if (value.quantized) {
    const Parameters &parameters = value.quantized->parameters;
    printCell(os, formatNumber(parameters.getRange().low));
    printCell(os, formatNumber(parameters.getRange().high));
    printCell(os, formatNumber(value.clipped * 100));
    printCell(os, formatNumber(static_cast<double>(parameters.scale)));
    printCell(os, std::to_string(parameters.zeroPoint));
    printCell(os, parameters.getTypeName(), "text");
  } else {
    os << "<td></td><td></td><td></td><td></td><td></td>";
    printCell(os, "f32", "text");
  }
  printCell(os, drawHistogram(value), "text");
  printCell(os,
            escape(profile.name +
                   (profile.op.empty() ? "" : " (" + profile.op + ")")),
            "text");
  os << "</tr>\n";
}

static void printValues(const QuantizationReport &report,
                        llvm::raw_ostream &os) {
  os << "<h2>Values</h2><p>The worst first. dB: what the quantized model's "
        "value differs by from the model's; own dB: what its own rounding is "
        "expected to do; clipped: how many of its numbers are outside of the "
        "range. Heights of a histogram are roots of counts; under it is what "
        "is told apart.</p>\n";
  printHead(os,
            {"dB", "own dB", "cosine", "largest error", "least seen",
             "largest seen", "least used", "largest used", "% clipped", "scale",
             "zero point", "type", "histogram", "value"},
            11);
  for (const ReportedValue &value : report.values) {
    printValue(value, os);
  }
  os << "</table>\n";
}

void driver::printHTML(const QuantizationReport &report,
                       llvm::raw_ostream &os) {
  std::string title = escape(report.model + " " + report.manner);
  os << "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
     << "<title>" << title << "</title>\n"
     << kStyle << "</head><body><h1>" << title << "</h1>\n<p>"
     << escape(report.options) << "; compared on " << report.samples
     << " samples.</p>\n<p>" << report.countQuantized() << " of "
     << report.products.size() << " products " << report.manner;
  if (report.macs > 0) {
    os << llvm::format(", %.1f %% of %.4g million multiply-accumulates",
                       report.macsQuantized / report.macs * 100,
                       report.macs / 1e6);
  }
  os << "; constants of " << formatBytes(report.constantBytesBefore)
     << " become " << formatBytes(report.constantBytes) << ".</p>\n";
  if (!report.note.empty()) {
    os << "<p>" << escape(report.note) << ".</p>\n";
  }
  for (const std::string &line : describeEnds(report)) {
    os << "<p>" << escape(line) << ".</p>\n";
  }
  printOutputs(report, os);
  printRepairs(report, os);
  printTrials(report, os);
  printProducts(report, os);
  printTables(report, os);
  printValues(report, os);
  os << "</body></html>\n";
}
