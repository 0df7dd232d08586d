//===- PrecisionSearch.h - Which products need floats -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Searches what has to stay f32 for a quantized model to be as good as it must
// be, and which ranges of values are better ones. What a trial is worth, the
// caller measures.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_PRECISIONSEARCH_H
#define NACRE_LIB_DRIVER_PRECISIONSEARCH_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/BitVector.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace nacre::driver {

/// What is tried.
struct Trial {
  /// The groups on integers, and those of them whose values have 16 bits.
  llvm::BitVector onIntegers, wide;
  /// Of each value, the part of its range that is used.
  std::vector<double> factors;
};

/// What a trial is worth: more is better. Decibels tell trials apart whose
/// metric is equal.
struct Score {
  double metric = 0, decibels = 0;
  bool reaches = false; // the target

  bool operator<(const Score &other) const {
    return metric != other.metric ? metric < other.metric
                                  : decibels < other.decibels;
  }
};

class PrecisionSearch {
public:
  /// Measures a trial, which is described in words; nothing when there is no
  /// time left.
  using Measure = std::function<std::optional<Score>(const Trial &trial,
                                                     llvm::StringRef what)>;

  /// `names` and `costs` are those of the groups; a cost is what a group in
  /// f32 costs, of which one with values of 16 bits, if they are tried, costs
  /// half.
  PrecisionSearch(std::vector<std::string> names, std::vector<double> costs,
                  size_t numValues, bool triesWide, Measure measure);

  /// Measures the model as it is and wholly on integers: false where the first
  /// does not reach the target, or was not measured.
  bool begin();
  /// Narrows ranges as long as a trial on integers gets better by that.
  /// `names` are the values'.
  void searchRanges(llvm::ArrayRef<std::string> names);
  /// Finds the groups that need floats.
  void searchPrecisions();

  /// Of the trials that reach the target, the cheapest one.
  const Trial &getBest() const { return best; }
  double getCost(const Trial &trial) const;
  const std::optional<Score> &getFloatScore() const { return floatScore; }
  const std::optional<Score> &getIntegerScore() const { return integerScore; }

private:
  std::optional<Score> measureTrial(const Trial &trial,
                                    const llvm::Twine &what);
  std::vector<Score> findHarm();
  void revertWorst(llvm::ArrayRef<unsigned> order);
  bool isReached(const Trial &trial, const llvm::Twine &what);
  void tryWide();
  Trial revert(llvm::ArrayRef<unsigned> groups) const;
  std::vector<unsigned> sortByCost(llvm::ArrayRef<unsigned> groups) const;

  std::vector<std::string> names;
  std::vector<double> costs;
  bool triesWide;
  Measure measure;
  Trial best, integers;
  Score bestScore;
  std::optional<Score> floatScore, integerScore;
  /// What was measured, by all bits of a trial.
  std::map<std::string, Score> known;
  bool isOver = false; // the time
};

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_PRECISIONSEARCH_H
