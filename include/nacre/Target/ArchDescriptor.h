//===- ArchDescriptor.h - What the compiler knows of a machine --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Architecture descriptors: plain data read from JSON, one file per
// architecture under lib/Target/Architectures, embedded into the library.
// Adding one touches no C++.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_TARGET_ARCHDESCRIPTOR_H
#define NACRE_TARGET_ARCHDESCRIPTOR_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace nacre {

/// The LLVM target that the architecture's code runs on.
struct LLVMTarget {
  std::string triple;
  std::string cpu;
  std::string tune;
  /// "+a,-b", on top of the CPU's. Where there are 16 registers, rather several
  /// shuffles than one whose lanes are in a register: "-fast-variable-…".
  std::string features;
};

/// What multiplies tiles of matrices: `tiles` registers of up to `rows` rows of
/// `rowBytes` bytes.
struct MatrixUnit {
  int64_t tiles = 0;
  int64_t rows = 0;
  int64_t rowBytes = 0;
  /// Of the tiles that it multiplies.
  std::vector<std::string> elementTypes;
};

/// One architecture. Units are in the names; bandwidth and clock feed the cost
/// model only.
struct ArchDescriptor {
  std::string name;
  bool isNPU = false;
  /// Cores of a CPU, tiles of an NPU.
  int64_t clusters = 1;
  /// Scratchpad of a cluster; on a CPU, the share of a core's L2 to fill.
  int64_t cmxBytes = 0;
  /// The last cache before memory, which cores share; 0 if it is not known.
  int64_t sharedCacheBytes = 0;
  int64_t dmaEngines = 1;
  int64_t dmaGigabytesPerSecond = 1;
  int64_t clockMHz = 1;
  /// The MAC array as a register tile: vectors of `lanes` elements, `registers`
  /// of them, accumulating `pixels` x `blocks` vectors at a time.
  int64_t lanes = 1;
  int64_t registers = 1;
  int64_t pixels = 1;
  int64_t blocks = 1;
  /// How many 8-bit integers and bf16 numbers the MAC array multiplies and adds
  /// at once for each lane.
  int64_t packI8 = 1;
  int64_t packBF16 = 1;
  std::optional<MatrixUnit> matrixUnit;
  /// Element types the neural compute engine takes, as MLIR spells them.
  std::vector<std::string> elementTypes;
  /// True for activations in blocks of `lanes` channels, false for NHWC.
  bool blockedChannels = true;
  /// Composite ops of IE, without the dialect's name, that the engine wants
  /// whole.
  std::vector<std::string> keep;
  LLVMTarget target;
  /// LLVM names of the CPU features a host must have to run the code.
  std::vector<std::string> hostFeatures;
};

/// Names of the built-in descriptors, sorted; `host` stands for one of them.
std::vector<llvm::StringRef> getArchNames();

/// The descriptor called `name`: `host`, a built-in name, or the path of a
/// JSON file (anything that ends in ".json"). After it, "@" and another LLVM
/// target may follow, as TargetChoice has it: "aarch64@cortex-a76".
llvm::Expected<ArchDescriptor> loadArch(llvm::StringRef name);

/// Reads a descriptor from JSON text; `origin` names it in errors.
llvm::Expected<ArchDescriptor> parseArch(llvm::StringRef json,
                                         llvm::StringRef origin);

/// The most specific built-in CPU descriptor for a machine of LLVM architecture
/// `arch` ("x86_64") with these features: the one that needs the most of them.
/// The CPU's name plays no role: under virtualisation it lies.
llvm::Expected<ArchDescriptor>
resolveHostArch(llvm::StringRef arch, const llvm::StringMap<bool> &features);

} // namespace nacre

#endif // NACRE_TARGET_ARCHDESCRIPTOR_H
