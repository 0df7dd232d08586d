//===- KeepArguments.cpp - What users keep f32 ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KeepArguments.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;

/// What --ops calls all that become integers where it is not given.
static constexpr StringRef kDefaultKinds = "default";

/// The option that names products of two values; empty where none does.
static StringRef findActivations(const Arguments &arguments) {
  for (StringRef option : {"--ops", "--only"}) {
    if (llvm::is_contained(getWords(arguments, option),
                           IE::kMatMulActivations)) {
      return option;
    }
  }
  return "";
}

bool driver::multipliesActivations(const Arguments &arguments) {
  return !findActivations(arguments).empty();
}

LogicalResult driver::refuseActivations(const Arguments &arguments) {
  StringRef option = findActivations(arguments);
  if (option.empty()) {
    return success();
  }
  printError() << option << "=" << IE::kMatMulActivations
               << " needs --ranges or --data: with --activations="
               << arguments.get("--activations")
               << " only products with constant weights change\n";
  return failure();
}

std::vector<std::string> driver::getWords(const Arguments &arguments,
                                          StringRef option) {
  std::vector<std::string> words;
  for (StringRef text : arguments.getAll(option)) {
    for (StringRef word : llvm::split(text, ',')) {
      words.push_back(word.str());
    }
  }
  return words;
}

FailureOr<std::vector<std::string>>
driver::readOnlyKinds(const Arguments &arguments) {
  std::vector<std::string> only = getWords(arguments, "--only"),
                           kinds = getWords(arguments, "--ops");
  if (kinds.empty()) {
    return only;
  }
  if (!only.empty()) {
    printError() << "--ops says what --only does, and more: give one of them\n";
    return failure();
  }
  bool hasDefault = llvm::is_contained(kinds, kDefaultKinds);
  for (StringRef kind : kinds) {
    // Beside all others, only this one is more.
    if (kind.empty() || (hasDefault && kind != kDefaultKinds &&
                         kind != IE::kMatMulActivations)) {
      printError() << "--ops expects kinds of operators, or '" << kDefaultKinds
                   << "', beside which there is " << IE::kMatMulActivations
                   << " alone; found '" << kind << "'\n";
      return failure();
    }
  }
  return hasDefault ? std::vector<std::string>() : kinds;
}
