//===- Pareto.h - Trials that no other one beats ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What can be had for what: of the trials of nacre tune those beside which no
// other one is as good in everything and better in something.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_PARETO_H
#define NACRE_LIB_DRIVER_PARETO_H

#include "QuantizationReport.h"

namespace nacre::driver {

/// Marks them. What counts is the metric, of which more is better, the share of
/// multiply-accumulates in f32, and the estimated time. Of equal trials the
/// first one is marked.
void markPareto(llvm::MutableArrayRef<ReportedTrial> trials);

/// Writes them as comments for the end of a range profile, the best metric
/// first.
void writePareto(llvm::ArrayRef<ReportedTrial> trials, llvm::StringRef metric,
                 llvm::raw_ostream &os);

/// The estimated time, or "-" where there is none.
std::string formatMilliseconds(std::optional<double> milliseconds);

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_PARETO_H
