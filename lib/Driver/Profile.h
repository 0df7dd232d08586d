//===- Profile.h - Time per step of a compiled model ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `nacre bench --profile` measures and shows.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_PROFILE_H
#define NACRE_LIB_DRIVER_PROFILE_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/JSON.h"

#include <chrono>
#include <string>
#include <vector>

namespace nacre::driver {

/// One kernel call, or loop over kernels, of a model.
struct ProfileStep {
  std::string node; // the ONNX node it computes, as far as there is one
  std::vector<std::string> nodes;  // all of them, where several are fused
  std::vector<std::string> shapes; // of its buffers, as 1x8x4xf32
  std::string kernel;              // the function that computes it
  int64_t flops;                   // floating-point operations
  int64_t cycles;    // that a core of two multiply-adds each needs at least
  int64_t predicted; // cycles that the compiler's cost model expects
  int64_t bytes;     // of the buffers it reads and writes
  /// Offset and size of what it uses of the arena, in bytes.
  std::vector<std::pair<int64_t, int64_t>> buffers;
  double milliseconds = 0; // of one run, on average
};

/// What the machine could do at most.
struct MachinePeak {
  double gigaflops;       // of fused multiply-adds on full vectors of f32
  double gigacycles;      // of two of these each, a second, of all threads
  double clock;           // the same of one thread
  double gigabytesPerSec; // of copying within the second-level cache
};

/// Why a step may take less time than it should at least.
constexpr llvm::StringLiteral kRooflineNote =
    "faster than the estimate of the least time: data that are in the "
    "first-level cache or in registers come faster than from the second level, "
    "of some buffers only a part is touched, and the machine may have been "
    "slower or busier while its peak was measured";

struct Profile {
  std::vector<ProfileStep> steps;
  MachinePeak peak;
  int64_t arenaBytes;

  double getTotal() const;
  /// The least time the step could take on the machine, as a share of what it
  /// took: 1 is on the roofline.
  double getRooflineShare(const ProfileStep &step) const;
  /// Whether that least time is of the memory traffic.
  bool isBoundByMemory(const ProfileStep &step) const;
  /// What the cost model expects the step to take, in milliseconds.
  double getPredicted(const ProfileStep &step) const;
  /// How well the cost model orders the steps of 20 µs and more by their time:
  /// Spearman's correlation of ranks, from -1 to 1, the same order. Nothing
  /// where there are fewer than three of them.
  std::optional<double> getRankCorrelation() const;
};

/// The steps that `instrument-steps` wrote down on the module, not timed yet.
std::vector<ProfileStep> readSteps(mlir::ModuleOp module);

/// What instrumented code calls. Times are recorded while a recorder exists,
/// by one thread.
class StepRecorder {
public:
  using Clock = std::chrono::steady_clock;

  explicit StepRecorder(size_t steps);
  ~StepRecorder();
  StepRecorder(const StepRecorder &) = delete;
  StepRecorder &operator=(const StepRecorder &) = delete;

  /// Forgets what was recorded, as of warm-up runs.
  void reset();
  /// Mean milliseconds of each step over all runs since.
  std::vector<double> getMeans() const;

  /// When each step of the last run began, and when the last one ended; fewer
  /// where the run ended within a step.
  llvm::ArrayRef<Clock::time_point> getMarks() const;

  /// `void nacre_profile_step(int64_t)`.
  static void *getCallback();
};

/// Measures the machine with `lanes` f32 to a vector and this many threads. The
/// host must have such vectors.
MachinePeak measurePeak(int64_t lanes, int64_t threads);

/// Slowest steps first, and their sum by kind of kernel.
void printTable(const Profile &profile, llvm::raw_ostream &os);
void printJSON(const Profile &profile, llvm::json::OStream &json);
/// A page without outside references: timeline, memory map, table.
void printHTML(const Profile &profile, llvm::StringRef title,
               llvm::raw_ostream &os);

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_PROFILE_H
