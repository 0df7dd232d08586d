//===- RangeProfile.h - The ranges of a model's values ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `nacre calibrate` writes: statistics of each value of a model, as YAML,
// and what was decided by hand besides.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_QUANTIZATION_RANGEPROFILE_H
#define NACRE_QUANTIZATION_RANGEPROFILE_H

#include "nacre/Quantization/Parameters.h"
#include "nacre/Quantization/Statistics.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <string>

namespace nacre::quantization {

/// What is known of one value.
struct ValueProfile {
  std::string name; // the model's
  std::string node; // that computes it; empty for an input
  std::string op;   // as Conv
  /// Of the finite elements, over all samples.
  uint64_t count = 0;
  float low = 0, high = 0;
  double mean = 0, deviation = 0;
  uint64_t nans = 0, infinities = 0;
  std::optional<ChannelRanges> channels;
  Bins histogram;

  void take(const Statistics &statistics);
};

/// A decision of the reader's, that of a tool or of a person.
struct Override {
  std::string value; // has this range …
  std::optional<Range> range;
  std::string node; // … or, all whose name this pattern matches, this precision
  std::string precision;
  std::string why;
};

/// What a repair was found to be worth when the model ran on samples.
struct MeasuredRepair {
  std::string name; // of the option, as "equalize"
  /// By how much it lowers the noise of the worst output.
  double decibels = 0;
  /// Whether it is done where it is asked for. Rounding for inputs is in any
  /// case: it is kept if it was asked for, whatever it gains, or has gained.
  bool isKept = true;
  /// Of rounding: whether it was judged by samples that it was not learned
  /// from, and for which integers, in words; empty in a profile that does not
  /// say so.
  bool isUnseen = false;
  std::string integers;
};

/// What a calibrator was found to be worth when the model ran on samples.
struct MeasuredCalibrator {
  std::string name; // as "entropy"
  /// Of the worst output, against the model in f32, to a tenth.
  double decibels = 0;
};

/// What runs have shown of calibrators.
struct CalibratorTrials {
  std::string integers; // those that values were rounded to, in words
  uint64_t runs = 0;
  std::vector<MeasuredCalibrator> tried;

  /// The name of the best one to a tenth of a decibel, of equal ones the first.
  /// Entropy does not count where ranges of 16 bits are needed, of which it has
  /// none.
  llvm::StringRef findBest(bool needsWide = false) const;
  /// The one that is used where users name none: the default, but for one that
  /// is so much better that other samples will hardly tell otherwise.
  llvm::StringRef findClearlyBest(bool needsWide = false) const;
  /// What one was worth; infinitely little if it was not tried.
  double findDecibels(llvm::StringRef name) const;
};

/// Where the sums of products of a product's input are: those of its groups one
/// after the other, from this number of the file on.
struct ProductSums {
  std::string result; // the name of the product's result
  uint64_t columns = 0, groups = 1, offset = 0;
};

/// A file of f32 beside the profile, in the order of bytes of the machine.
struct InputSumsIndex {
  std::string file;
  /// How many bytes it has, and a digest of them.
  uint64_t size = 0;
  std::string digest;
  std::vector<ProductSums> products;

  /// Takes note of the bytes of the file.
  void identify(llvm::StringRef bytes);
  /// Whether these are the bytes of the file.
  bool isOf(llvm::StringRef bytes) const;
};

/// What is added to the biases of a product so that its channels are as large
/// as in f32, in the mean.
struct CorrectedBias {
  std::string result; // the name of the product's result
  std::vector<float> addends;
};

/// What runs have shown of one plan of quantization.
struct BiasCorrections {
  std::string plan;    // a digest of what is quantized, and how
  std::string weights; // a digest of those of the products
  std::vector<CorrectedBias> products;
};

struct RangeProfile {
  std::string model;
  std::string graph; // a digest of ops and names
  uint64_t samples = 0;
  std::vector<ValueProfile> values;
  std::vector<Override> overrides;
  std::optional<CalibratorTrials> calibrators;
  /// Whether there is a choice of calibrator that does not say for which
  /// integers, as earlier versions wrote it. It is of no account, and not
  /// written again.
  bool hasEarlierChoice = false;
  std::vector<MeasuredRepair> repairs;
  std::optional<InputSumsIndex> sums;
  std::optional<BiasCorrections> biases;

  /// Whether an override asks for 16 bits.
  bool hasWideOverride() const;
  /// What is known of a repair; null where it was not tried.
  const MeasuredRepair *findRepair(llvm::StringRef name) const;
  /// False for a repair that was of no use on the samples.
  bool keeps(llvm::StringRef name) const {
    const MeasuredRepair *repair = findRepair(name);
    return !repair || repair->isKept;
  }

  void write(llvm::raw_ostream &os);
  /// The profile in a file. The error says where in it, without its name.
  static llvm::Expected<RangeProfile> read(llvm::StringRef path);
};

} // namespace nacre::quantization

#endif // NACRE_QUANTIZATION_RANGEPROFILE_H
