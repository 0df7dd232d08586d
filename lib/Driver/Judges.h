//===- Judges.h - The runs that judge a repair ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a repair is worth, a model is run for on some of the samples. What is
// learned from samples in much detail, as how weights are rounded, is judged by
// others: of those that it was learned from it says only that it fits them.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_JUDGES_H
#define NACRE_LIB_DRIVER_JUDGES_H

#include "SampleSet.h"

namespace nacre::driver {

/// The runs of each group of samples that judge; empty where there are none.
using Judges = std::vector<SampleSet::Group>;

/// Up to 32 runs, for what somebody has asked for. The bytes of their files
/// decide, so that they are the same ones in any order. Prints errors.
mlir::FailureOr<Judges> chooseJudges(const SampleSet &samples);

/// Those that nothing is learned from, for what nobody has asked for: a
/// quarter of all, but at least eight or half of them; none where these are too
/// few to say anything, or too much work. Prints errors.
mlir::FailureOr<Judges> chooseUnseenJudges(const SampleSet &samples,
                                           llvm::StringRef model,
                                           ExitCode &status);

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_JUDGES_H
