//===- KeepArguments.h - What users keep f32 --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --keep, --only, --ops and their companions.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_KEEPARGUMENTS_H
#define NACRE_LIB_DRIVER_KEEPARGUMENTS_H

#include "Arguments.h"
#include "nacre/Dialect/IE/Transforms/KeepRules.h"

namespace nacre::driver {

/// Whether products of two values are to become integers, by --ops or --only.
bool multipliesActivations(const Arguments &arguments);

/// Fails, after an error, where products of two values are to become integers,
/// which have no ranges.
llvm::LogicalResult refuseActivations(const Arguments &arguments);

/// The words of all lists that an option was given.
std::vector<std::string> getWords(const Arguments &arguments,
                                  llvm::StringRef option);

/// The kinds of operators that alone become integers, by --only or --ops; none
/// where all do. Fails, after an error, where the two contradict each other or
/// a kind says nothing.
llvm::FailureOr<std::vector<std::string>>
readOnlyKinds(const Arguments &arguments);

/// Reads what users keep f32 into the options of a pass, which are checked.
template <typename OptionsT>
llvm::LogicalResult readKeep(const Arguments &arguments,
                             mlir::MLIRContext &context, OptionsT &options) {
  auto only = readOnlyKinds(arguments);
  if (failed(only)) {
    return llvm::failure();
  }
  auto assign = [](auto &list, const auto &words) {
    list.assign(words.begin(), words.end());
  };
  auto toStrings = [&](llvm::StringRef option) {
    return llvm::map_to_vector(arguments.getAll(option),
                               [](llvm::StringRef text) { return text.str(); });
  };
  assign(options.onlyOps, *only);
  assign(options.keepOps, getWords(arguments, "--keep"));
  assign(options.keepNodes, toStrings("--keep-node"));
  assign(options.keepBetween, toStrings("--keep-between"));
  options.keepFirst = arguments.has("--keep-first");
  options.keepLast = arguments.has("--keep-last");
  return IE::KeepOptions::read(mlir::UnknownLoc::get(&context), options);
}

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_KEEPARGUMENTS_H
