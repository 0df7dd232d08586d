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

struct RangeProfile {
  std::string model;
  std::string graph; // a digest of ops and names
  uint64_t samples = 0;
  std::vector<ValueProfile> values;
  std::vector<Override> overrides;

  void write(llvm::raw_ostream &os);
  /// The profile in a file. The error says where in it, without its name.
  static llvm::Expected<RangeProfile> read(llvm::StringRef path);
};

} // namespace nacre::quantization

#endif // NACRE_QUANTIZATION_RANGEPROFILE_H
