//===- KnownRanges.cpp - A range profile for look-ups ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/Transforms/KnownRanges.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::quantization;

FailureOr<std::shared_ptr<const IE::KnownRanges>>
IE::KnownRanges::read(Location loc, StringRef path) {
  llvm::Expected<RangeProfile> profile = RangeProfile::read(path);
  if (!profile) {
    return emitError(loc) << "cannot read ranges from '" << path
                          << "': " << llvm::toString(profile.takeError());
  }
  auto result = std::make_shared<KnownRanges>();
  result->path = path.str();
  result->profile = std::move(*profile);
  for (const ValueProfile &value : result->profile.values) {
    result->byName[value.name] = &value;
  }
  for (const Override &override : result->profile.overrides) {
    if (override.node.empty()) {
      continue;
    }
    llvm::Expected<llvm::GlobPattern> pattern =
        llvm::GlobPattern::create(override.node);
    if (!pattern) {
      return emitError(loc) << "'" << override.node << "' in '" << path
                            << "' is no pattern of names: "
                            << llvm::toString(pattern.takeError());
    }
    result->precisions.emplace_back(std::move(*pattern), &override);
  }
  return std::shared_ptr<const KnownRanges>(std::move(result));
}

std::optional<Range> IE::KnownRanges::findOverride(StringRef name) const {
  for (const Override &override : llvm::reverse(profile.overrides)) {
    if (override.range && override.value == name) {
      return override.range;
    }
  }
  return std::nullopt;
}

/// Of several patterns that match, the last counts.
const Override *IE::KnownRanges::findFloat(StringRef node) const {
  for (const auto &[pattern, override] : llvm::reverse(precisions)) {
    if (pattern.match(node)) {
      return override->precision == "f32" ? override : nullptr;
    }
  }
  return nullptr;
}

void IE::KnownRanges::warnOfOtherGraph(Location loc, StringRef digest) const {
  if (!profile.graph.empty() && profile.graph != digest) {
    emitWarning(loc, "'") << path << "' was measured on another graph, whose "
                          << "values have the names of this one's";
  }
}
