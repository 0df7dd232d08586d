//===- Bundle.h - A model as code, weights and a header ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A bundle is for programs without an operating system or a loader: an object
// of code alone, the weights as a file beside it, and a header. The caller has
// three regions of memory, for constants, for placeholders (inputs, outputs and
// states) and for activations. The form is Glow's.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_EMIT_BUNDLE_H
#define NACRE_EMIT_BUNDLE_H

#include "nacre/Emit/CodeGen.h"

namespace nacre {

/// How a program finds its way in the regions: by macros of the header, by a
/// table in the object, or by both.
enum class BundleAPI { Static, Dynamic, Both };

/// Whether weights are written as text, too, for `#include`.
enum class WeightsText { Auto, Always, Never };

struct BundleOptions {
  BundleAPI api = BundleAPI::Static;
  WeightsText weightsText = WeightsText::Auto;
  /// Adds the names of Glow's types, fields and macros.
  bool glow = false;
  /// The function's name; the model's if empty.
  std::string entry;

  bool hasTable() const { return api != BundleAPI::Static; }
  bool hasMacros() const { return api != BundleAPI::Dynamic; }
  llvm::StringRef getEntry(const ArtifactInfo &info) const {
    return entry.empty() ? llvm::StringRef(info.name) : entry;
  }
};

/// An input, an output, or a state, which is both, in the region of
/// placeholders.
struct Placeholder {
  const ModelTensor *tensor;
  std::string cName; // a C identifier, unique in the bundle
  int64_t offset;    // in bytes from the region's start
  int64_t bytes;
};

/// The three regions, all aligned to the arena's alignment.
struct BundleLayout {
  explicit BundleLayout(const ArtifactInfo &info);

  std::vector<Placeholder> placeholders;
  int64_t constantBytes, mutableBytes, activationBytes, alignment;
};

/// Writes NAME.o, NAME.weights.bin, NAME.weights.txt, NAME.steps.json where the
/// code calls hooks, and NAME.h into `folder`, the header last. The program
/// must have been made for a bundle.
mlir::LogicalResult writeBundle(mlir::Location loc, Program &program,
                                const BundleOptions &options,
                                llvm::StringRef folder);

/// The text of the bundle's header.
std::string buildBundleHeader(const ArtifactInfo &info,
                              const BundleOptions &options,
                              uint32_t weightsChecksum);

} // namespace nacre

#endif // NACRE_EMIT_BUNDLE_H
