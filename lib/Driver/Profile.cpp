//===- Profile.cpp - Time per step of a compiled model --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recording, and the table and JSON; the page is in ProfilePage.cpp.
//
//===----------------------------------------------------------------------===//

#include "Profile.h"
#include "RankCorrelation.h"

#include "nacre/Dialect/Nacre/IR/NacreDialect.h"
#include "nacre/Support/Locations.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/Format.h"

#include <cstring>
#include <numeric>

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using Clock = StepRecorder::Clock;

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

std::vector<ProfileStep> driver::readSteps(ModuleOp module) {
  std::vector<ProfileStep> steps;
  auto list = abi::get<abi::Steps>(module);
  if (!list) {
    return steps;
  }
  for (auto step : list.getAsRange<abi::StepAttr>()) {
    ProfileStep &result = steps.emplace_back();
    result.node = getLocationName(step.getName());
    result.nodes = getLocationNames(step.getName());
    for (auto shape : step.getShapes().getAsRange<StringAttr>()) {
      result.shapes.push_back(shape.str());
    }
    result.kernel = step.getKernel().str();
    result.flops = step.getFlops();
    result.cycles = step.getCycles();
    result.predicted = step.getPredicted();
    result.bytes = step.getBytes();
    ArrayRef<int64_t> buffers = step.getBuffers();
    for (size_t i = 0; i + 1 < buffers.size(); i += 2) {
      result.buffers.emplace_back(buffers[i], buffers[i + 1]);
    }
  }
  return steps;
}

double Profile::getTotal() const {
  return std::accumulate(steps.begin(), steps.end(), 0.0,
                         [](double sum, const ProfileStep &step) {
                           return sum + step.milliseconds;
                         });
}

/// Milliseconds of the step's arithmetic and of its memory traffic, at least.
static std::pair<double, double> getBounds(const ProfileStep &step,
                                           const MachinePeak &peak) {
  return {step.cycles / (peak.gigacycles * 1e6),
          step.bytes / (peak.gigabytesPerSec * 1e6)};
}

double Profile::getRooflineShare(const ProfileStep &step) const {
  auto [compute, traffic] = getBounds(step, peak);
  return step.milliseconds > 0 ? std::max(compute, traffic) / step.milliseconds
                               : 0;
}

bool Profile::isBoundByMemory(const ProfileStep &step) const {
  auto [compute, traffic] = getBounds(step, peak);
  return traffic > compute;
}

double Profile::getPredicted(const ProfileStep &step) const {
  return static_cast<double>(step.predicted) / (peak.clock * 1e6);
}

std::optional<double> Profile::getRankCorrelation() const {
  constexpr double kLongEnough = 0.02;
  std::vector<double> measured, expected;
  for (const ProfileStep &step : steps) {
    if (step.milliseconds >= kLongEnough) {
      measured.push_back(step.milliseconds);
      expected.push_back(getPredicted(step));
    }
  }
  return correlateRanks(measured, expected);
}

//===----------------------------------------------------------------------===//
// Recording
//===----------------------------------------------------------------------===//

namespace {
struct Record {
  std::vector<Clock::duration> times;
  /// Of the last run: when steps began, and how many have.
  std::vector<Clock::time_point> marks;
  size_t numMarks = 0;
  Clock::time_point last;
  int64_t runs = 0;
};
} // namespace

// Compiled code calls a plain function.
static Record *record = nullptr;

static void recordStep(int64_t step) {
  Clock::time_point now = Clock::now();
  if (!record) {
    return;
  }
  record->marks[step] = now;
  record->numMarks = step + 1;
  if (step > 0) {
    record->times[step - 1] += now - record->last;
  }
  if (static_cast<size_t>(step) == record->times.size()) {
    ++record->runs;
  }
  record->last = Clock::now();
}

StepRecorder::StepRecorder(size_t steps) {
  record = new Record();
  record->times.resize(steps);
  record->marks.resize(steps + 1);
}

StepRecorder::~StepRecorder() {
  delete record;
  record = nullptr;
}

void StepRecorder::reset() {
  record->times.assign(record->times.size(), Clock::duration::zero());
  record->runs = 0;
}

std::vector<double> StepRecorder::getMeans() const {
  std::vector<double> means;
  for (Clock::duration time : record->times) {
    means.push_back(std::chrono::duration<double, std::milli>(time).count() /
                    static_cast<double>(std::max<int64_t>(record->runs, 1)));
  }
  return means;
}

ArrayRef<Clock::time_point> StepRecorder::getMarks() const {
  return ArrayRef(record->marks).take_front(record->numMarks);
}

void *StepRecorder::getCallback() {
  return reinterpret_cast<void *>(recordStep);
}

//===----------------------------------------------------------------------===//
// The machine
//===----------------------------------------------------------------------===//

static double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Cycles per second, from a chain of operations of one cycle each.
static double measureClock() {
  constexpr int64_t kSteps = 20'000'000, kCyclesPerStep = 2;
  double best = 0;
  for (int attempt = 0; attempt < 3; ++attempt) {
    Clock::time_point start = Clock::now();
    uint64_t value = start.time_since_epoch().count();
    for (int64_t i = 0; i < kSteps; ++i) {
      value ^= value << 1;
      // Two rounds are one shift by two: the compiler must not see both.
      asm volatile("" : "+r"(value));
    }
    double seconds = secondsSince(start);
    best = std::max(best, kSteps * kCyclesPerStep / seconds);
  }
  return best;
}

#ifdef __x86_64__
/// More than a core has underway at once.
static constexpr int64_t kChains = 12;

__attribute__((target("avx512f"))) static void multiplyAdd512(int64_t times) {
  using Vector = float __attribute__((vector_size(64)));
  Vector sums[kChains] = {}, factor = {};
  for (int64_t i = 0; i < times; ++i) {
    for (Vector &sum : sums) {
      asm volatile("vfmadd231ps %1, %1, %0" : "+v"(sum) : "v"(factor));
    }
  }
}

__attribute__((target("fma"))) static void multiplyAdd256(int64_t times) {
  using Vector = float __attribute__((vector_size(32)));
  Vector sums[kChains] = {}, factor = {};
  for (int64_t i = 0; i < times; ++i) {
    for (Vector &sum : sums) {
      asm volatile("vfmadd231ps %1, %1, %0" : "+x"(sum) : "x"(factor));
    }
  }
}
#endif

/// Fused multiply-adds of vectors per second: some cores have one unit for the
/// widest ones, some two. Two a cycle where no code here measures it.
static double measureMultiplyAdds(int64_t lanes) {
#ifdef __x86_64__
  if (lanes == 16 || lanes == 8) {
    constexpr int64_t kTimes = 2'000'000;
    double best = 0;
    for (int attempt = 0; attempt < 3; ++attempt) {
      Clock::time_point start = Clock::now();
      (lanes == 16 ? multiplyAdd512 : multiplyAdd256)(kTimes);
      best = std::max(best, kTimes * kChains / secondsSince(start));
    }
    return best;
  }
#endif
  return 2 * measureClock();
}

MachinePeak driver::measurePeak(int64_t lanes, int64_t threads) {
  constexpr size_t kBytes = size_t(1) << 18;
  constexpr int kCopies = 2000;
  std::vector<char> from(kBytes, 1), to(kBytes);
  double seconds = 1e9;
  for (int attempt = 0; attempt < 3; ++attempt) {
    Clock::time_point start = Clock::now();
    for (int i = 0; i < kCopies; ++i) {
      std::memcpy(to.data(), from.data(), kBytes);
      // The compiler must not see that one copy would do.
      asm volatile("" : : "r"(to.data()) : "memory");
    }
    seconds = std::min(seconds, secondsSince(start));
  }
  double copied = 2.0 * kBytes * kCopies / seconds;
  double multiplyAdds =
      measureMultiplyAdds(lanes) * static_cast<double>(threads) * 1e-9;
  auto count = static_cast<double>(threads);
  return {2 * multiplyAdds * static_cast<double>(lanes), multiplyAdds / 2,
          multiplyAdds / 2 / count, copied * count * 1e-9};
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// "vpu_nce_convolution" for "vpu_nce_convolution_12".
static StringRef getKind(StringRef kernel) {
  StringRef kind = kernel.rtrim("0123456789");
  return kind.size() < kernel.size() && kind.ends_with("_") ? kind.drop_back()
                                                            : kernel;
}

void driver::printTable(const Profile &profile, llvm::raw_ostream &os) {
  double total = profile.getTotal();
  std::vector<const ProfileStep *> order;
  llvm::MapVector<StringRef, double> kinds;
  for (const ProfileStep &step : profile.steps) {
    order.push_back(&step);
    kinds[getKind(step.kernel)] += step.milliseconds;
  }
  // Steps of equal time stay in the order of execution: their addresses are.
  llvm::sort(order, [](const ProfileStep *a, const ProfileStep *b) {
    return std::make_pair(b->milliseconds, a) <
           std::make_pair(a->milliseconds, b);
  });
  os << llvm::format("peak %.0f GFLOP/s, %.0f GB/s in the cache; %.3f ms in "
                     "%zu steps\n\n",
                     profile.peak.gigaflops, profile.peak.gigabytesPerSec,
                     total, profile.steps.size());
  os << "      us predicted      %  GFLOP/s    GB/s  roofline  kernel"
     << std::string(28, ' ') << "node\n";
  for (const ProfileStep *step : order) {
    double ms = std::max(step->milliseconds, 1e-9);
    os << llvm::format("%8.1f %9.1f %6.1f %8.1f %7.1f %8.0f%%  ", ms * 1e3,
                       profile.getPredicted(*step) * 1e3, 100 * ms / total,
                       step->flops / ms * 1e-6, step->bytes / ms * 1e-6,
                       100 * profile.getRooflineShare(*step))
       << llvm::left_justify(step->kernel, 33) << " " << step->node << "\n";
  }
  if (llvm::any_of(profile.steps, [&](const ProfileStep &step) {
        return profile.getRooflineShare(step) > 1;
      })) {
    os << "above 100 %: " << kRooflineNote << "\n";
  }
  if (std::optional<double> correlation = profile.getRankCorrelation()) {
    os << llvm::format("the cost model orders steps of 20 us and more with a "
                       "rank correlation of %.2f\n",
                       *correlation);
  }
  auto sorted = kinds.takeVector();
  llvm::sort(sorted, [](const auto &a, const auto &b) {
    return std::make_pair(b.second, a.first) <
           std::make_pair(a.second, b.first);
  });
  os << "\n";
  for (const auto &[kind, ms] : sorted) {
    os << llvm::format("%8.1f %6.1f  ", ms * 1e3, 100 * ms / total) << kind
       << "\n";
  }
}

void driver::printJSON(const Profile &profile, llvm::json::OStream &json) {
  json.attribute("peak_gflops", profile.peak.gigaflops);
  json.attribute("peak_gb_per_s", profile.peak.gigabytesPerSec);
  if (std::optional<double> correlation = profile.getRankCorrelation()) {
    json.attribute("rank_correlation", *correlation);
  }
  json.attributeArray("steps", [&] {
    for (const ProfileStep &step : profile.steps) {
      json.object([&] {
        json.attribute("node", step.node);
        json.attribute("kernel", step.kernel);
        json.attribute("ms", step.milliseconds);
        json.attribute("predicted_ms", profile.getPredicted(step));
        json.attribute("flops", step.flops);
        json.attribute("bytes", step.bytes);
        json.attribute("roofline", profile.getRooflineShare(step));
        json.attribute("bound", profile.isBoundByMemory(step) ? "memory traffic"
                                                              : "arithmetic");
        json.attribute("nodes", llvm::json::Array(step.nodes));
        json.attribute("shapes", llvm::json::Array(step.shapes));
        json.attributeArray("buffers", [&] {
          for (auto [offset, size] : step.buffers) {
            json.array([&, offset = offset, size = size] {
              json.value(offset);
              json.value(size);
            });
          }
        });
      });
    }
  });
}
