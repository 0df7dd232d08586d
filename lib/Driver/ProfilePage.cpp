//===- ProfilePage.cpp - A profile as a web page --------------------------===//
//
// Two pictures over the same time axis, as SVG: what ran when, and what lay
// where in the arena.
//
//===----------------------------------------------------------------------===//

#include "Profile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;

static std::string escape(StringRef text) {
  std::string result;
  llvm::raw_string_ostream os(result);
  llvm::printHTMLEscaped(text, os);
  return result;
}

namespace {

constexpr double kWidth = 1200, kBarHeight = 60, kMapHeight = 360;

/// A colour per kind of kernel: the same for equal names, apart for others.
std::string getColor(StringRef kernel) {
  StringRef kind = kernel.rtrim("0123456789");
  unsigned hue = 0;
  for (char c : kind) {
    hue = (hue * 31 + static_cast<unsigned char>(c)) % 360;
  }
  return "hsl(" + std::to_string(hue) + ",55%,60%)";
}

struct Rectangle {
  double x, y, width, height;
  std::string color, title;
};

void print(const Rectangle &r, llvm::raw_ostream &os) {
  os << llvm::format("<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" "
                     "height=\"%.2f\"",
                     r.x, r.y, std::max(r.width, 0.3), r.height)
     << " fill=\"" << r.color << "\"><title>" << escape(r.title)
     << "</title></rect>\n";
}

std::string describe(const Profile &profile, const ProfileStep &step) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << step.node << "\n"
     << step.kernel << "\n"
     << llvm::format("%.1f us, %.1f GFLOP/s, %.0f%% of the roofline",
                     step.milliseconds * 1e3,
                     step.flops / std::max(step.milliseconds, 1e-9) * 1e-6,
                     100 * profile.getRooflineShare(step));
  return text;
}

} // namespace

void driver::printHTML(const Profile &profile, StringRef title,
                       llvm::raw_ostream &os) {
  double total = std::max(profile.getTotal(), 1e-9);
  double arena = std::max<double>(profile.arenaBytes, 1);
  os << "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
     << "<title>" << escape(title) << "</title>\n<style>"
     << "body{font:14px sans-serif;margin:2em;max-width:1250px}"
     << "table{border-collapse:collapse}td,th{padding:2px 10px;"
     << "text-align:right;border-bottom:1px solid #ddd}"
     << "td.name,th.name{text-align:left;font-family:monospace}"
     << "rect:hover{stroke:#000}svg{background:#f6f6f6}</style></head>\n"
     << "<body><h1>" << escape(title) << "</h1>\n"
     << llvm::format("<p>%.3f ms in %zu steps; arena %.2f MB; the machine's "
                     "peak is %.0f GFLOP/s.</p>\n",
                     total, profile.steps.size(), arena / 1e6,
                     profile.peak.gigaflops);

  os << "<h2>Timeline</h2><p>One bar a step, as wide as it takes long.</p>\n"
     << llvm::format("<svg viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\">\n", kWidth,
                     kBarHeight, kWidth);
  double start = 0;
  for (const ProfileStep &step : profile.steps) {
    double width = step.milliseconds / total * kWidth;
    print({start, 0, width, kBarHeight, getColor(step.kernel),
           describe(profile, step)},
          os);
    start += width;
  }
  os << "</svg>\n<h2>Memory map</h2><p>What each step uses of the arena, "
        "offset "
        "0 at the top.</p>\n"
     << llvm::format("<svg viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\">\n", kWidth,
                     kMapHeight, kWidth);
  start = 0;
  for (const ProfileStep &step : profile.steps) {
    double width = step.milliseconds / total * kWidth;
    for (auto [offset, size] : step.buffers) {
      print({start, offset / arena * kMapHeight, width,
             size / arena * kMapHeight, getColor(step.kernel),
             step.node + "\n" + std::to_string(size) + " bytes at " +
                 std::to_string(offset)},
            os);
    }
    start += width;
  }
  os << "</svg>\n<h2>Steps</h2>\n<table><tr><th>us</th><th>%</th>"
        "<th>GFLOP/s</th><th>GB/s</th><th>roofline</th>"
        "<th class=\"name\">kernel</th><th class=\"name\">node</th></tr>\n";
  for (const ProfileStep &step : profile.steps) {
    double ms = std::max(step.milliseconds, 1e-9);
    os << llvm::format("<tr><td>%.1f</td><td>%.1f</td><td>%.1f</td>"
                       "<td>%.1f</td><td>%.0f%%</td>",
                       ms * 1e3, 100 * ms / total, step.flops / ms * 1e-6,
                       step.bytes / ms * 1e-6,
                       100 * profile.getRooflineShare(step))
       << "<td class=\"name\">" << escape(step.kernel)
       << "</td><td class=\"name\">" << escape(step.node) << "</td></tr>\n";
  }
  os << "</table></body></html>\n";
}
