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
#include "llvm/Support/MemoryBuffer.h"
#include <memory>

namespace nacre::IE {

class KnownRanges {
public:
  /// Fails, after an error at `loc`, where the file is none of ranges, or has
  /// no sums that `rounding` needs.
  static mlir::FailureOr<std::shared_ptr<const KnownRanges>>
  read(mlir::Location loc, llvm::StringRef path,
       quantization::Rounding rounding = quantization::Rounding::Nearest);

  /// The same and some values more, which count instead of those of their
  /// names.
  std::shared_ptr<const KnownRanges>
  with(std::vector<quantization::ValueProfile> values) const;

  /// What is known of a value; null where nothing is.
  const quantization::ValueProfile *find(llvm::StringRef name) const {
    return byName.lookup(name);
  }
  /// The range that an override gives the value.
  std::optional<quantization::Range> findOverride(llvm::StringRef name) const;
  /// The override that gives a node its precision; null where none does.
  const quantization::Override *findPrecision(llvm::StringRef node) const;

  /// The sums of products of what a product multiplies, group by group, by the
  /// name of its result; empty where they are not known or were not asked for.
  llvm::ArrayRef<float> findSums(llvm::StringRef result, uint64_t columns,
                                 uint64_t groups) const;

  /// What runs have shown that the biases of a product have to make up for, by
  /// the name of its result; empty where that is not known.
  llvm::ArrayRef<float> findCorrections(llvm::StringRef result) const;

  /// Warns where the ranges are those of another graph than the one of that
  /// digest.
  void warnOfOtherGraph(mlir::Location loc, llvm::StringRef digest) const;
  const quantization::RangeProfile &getProfile() const { return profile; }
  llvm::StringRef getPath() const { return path; }

private:
  /// Fills in what is looked up, of a profile whose patterns are some.
  void index();
  mlir::LogicalResult readSums(mlir::Location loc);

  std::string path;
  quantization::RangeProfile profile;
  llvm::StringMap<const quantization::ValueProfile *> byName;
  std::vector<std::pair<llvm::GlobPattern, const quantization::Override *>>
      precisions;
  std::shared_ptr<const llvm::MemoryBuffer> sums;
};

} // namespace nacre::IE

#endif // NACRE_DIALECT_IE_TRANSFORMS_KNOWNRANGES_H
