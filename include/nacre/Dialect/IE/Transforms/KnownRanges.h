//===- KnownRanges.h - A range profile for look-ups -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What passes ask of a range profile.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_TRANSFORMS_KNOWNRANGES_H
#define NACRE_DIALECT_IE_TRANSFORMS_KNOWNRANGES_H

#include "nacre/Quantization/RangeProfile.h"

#include "mlir/IR/Location.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/GlobPattern.h"
#include <memory>

namespace nacre::IE {

class KnownRanges {
public:
  /// Fails, after an error at `loc`, where the file is none of ranges.
  static mlir::FailureOr<std::shared_ptr<const KnownRanges>>
  read(mlir::Location loc, llvm::StringRef path);

  /// What is known of a value; null where nothing is.
  const quantization::ValueProfile *find(llvm::StringRef name) const {
    return byName.lookup(name);
  }
  /// The range that an override gives the value.
  std::optional<quantization::Range> findOverride(llvm::StringRef name) const;
  /// The override that keeps a node f32; null where none does.
  const quantization::Override *findFloat(llvm::StringRef node) const;

  /// Warns where the ranges are those of another graph than the one of that
  /// digest.
  void warnOfOtherGraph(mlir::Location loc, llvm::StringRef digest) const;
  const quantization::RangeProfile &getProfile() const { return profile; }
  llvm::StringRef getPath() const { return path; }

private:
  std::string path;
  quantization::RangeProfile profile;
  llvm::StringMap<const quantization::ValueProfile *> byName;
  std::vector<std::pair<llvm::GlobPattern, const quantization::Override *>>
      precisions;
};

} // namespace nacre::IE

#endif // NACRE_DIALECT_IE_TRANSFORMS_KNOWNRANGES_H
