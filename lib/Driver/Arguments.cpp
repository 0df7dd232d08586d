//===- Arguments.cpp - Command lines of the driver ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options may stand anywhere; `--name=value` and `--name value` are the same.
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Format.h"

#include <cmath>
#include <tuple>

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;

llvm::raw_ostream &driver::printError() {
  return llvm::errs() << "nacre: error: ";
}

llvm::raw_ostream &driver::printWarning() {
  return llvm::errs() << "nacre: warning: ";
}

/// Says where to look for what other compilers call by a name that nacre does
/// not have; empty for what none does.
static StringRef explainForeign(StringRef name) {
  return llvm::StringSwitch<StringRef>(name.ltrim('-'))
      .Case("march",
            "some compilers take a machine by it, others instructions: "
            "--target=TRIPLE says the machine, --mcpu=NAME a CPU, and "
            "--mattr=+A,-B instructions beyond or without its own; nacre info "
            "--target=TRIPLE lists them")
      .Case("mcmodel", "--code-model says how far code reaches")
      .Case("mfloat-abi", "--float-abi says how floats are passed")
      .Cases({"fPIC", "fpic", "fno-pic", "static"},
             "--relocation-model=pic or static says where code may be")
      .Case("no-bias-correction",
            "--bias-correction=off has nothing make up for rounding")
      .Default("");
}

std::string driver::suggestName(StringRef given, ArrayRef<StringRef> names) {
  StringRef nearest;
  // Up to a third of the letters may be wrong.
  auto most = static_cast<unsigned>(given.ltrim('-').size()) / 3 + 1;
  for (StringRef name : names) {
    unsigned distance = given.edit_distance(name, /*AllowReplacements=*/true,
                                            /*MaxEditDistance=*/most);
    if (distance < most) {
      nearest = name;
      most = distance;
    }
  }
  return nearest.empty() ? "" : (", did you mean '" + nearest.str() + "'?");
}

/// What nacre calls an option that users of Glow know by another name.
static StringRef resolveAlias(StringRef name) {
  return name == "--load-profile" ? "--ranges" : name;
}

FailureOr<Arguments> Arguments::parse(ArrayRef<OptionSpec> specs,
                                      ArrayRef<const char *> words) {
  Arguments result;
  for (size_t i = 0; i < words.size(); ++i) {
    StringRef word = words[i];
    if (!word.starts_with("-") || word == "-") {
      result.positional.push_back(word.str());
      continue;
    }
    StringRef name, value;
    std::tie(name, value) = word.split('=');
    name = resolveAlias(name);
    bool hasValue = word.contains('=');
    const OptionSpec *spec = llvm::find_if(
        specs, [&](const OptionSpec &option) { return option.name == name; });
    if (spec == specs.end()) {
      SmallVector<StringRef> names(
          llvm::map_range(specs, [](const OptionSpec &s) { return s.name; }));
      StringRef foreign = explainForeign(name);
      std::string suggestion =
          foreign.empty() ? suggestName(name, names) : std::string();
      printError() << "unknown option '" << name << "'"
                   << (suggestion.empty() ? "; " : suggestion + " ")
                   << (foreign.empty() ? "--help lists the options" : foreign)
                   << "\n";
      return failure();
    }
    // "[=X]" marks a value that may be left out.
    bool optional = spec->value.starts_with("[");
    if (spec->value.empty() && hasValue) {
      printError() << "option '" << name << "' takes no value\n";
      return failure();
    }
    if (!spec->value.empty() && !optional && !hasValue) {
      if (++i == words.size()) {
        printError() << "option '" << name << "' needs a value\n";
        return failure();
      }
      value = words[i];
    }
    result.options.emplace_back(name.str(), value.str());
  }
  return result;
}

bool Arguments::has(StringRef name) const {
  return llvm::any_of(options,
                      [&](auto &entry) { return entry.first == name; });
}

StringRef Arguments::get(StringRef name, StringRef fallback) const {
  StringRef result = fallback;
  for (const auto &[key, value] : options) {
    if (key == name) {
      result = value;
    }
  }
  return result;
}

std::vector<StringRef> Arguments::getAll(StringRef name) const {
  std::vector<StringRef> result;
  for (const auto &[key, value] : options) {
    if (key == name) {
      result.push_back(value);
    }
  }
  return result;
}

FailureOr<size_t> Arguments::findChoice(StringRef name,
                                        ArrayRef<StringRef> choices) const {
  StringRef given = get(name, choices.front());
  const StringRef *found = llvm::find(choices, given);
  if (found != choices.end()) {
    return found - choices.begin();
  }
  printError() << name << " needs ";
  llvm::interleave(choices, llvm::errs(), " or ");
  llvm::errs() << ", found '" << given << "'\n";
  return failure();
}

Arguments Arguments::with(StringRef name, StringRef value) const {
  Arguments result = *this;
  result.options.emplace_back(name.str(), value.str());
  return result;
}

Arguments Arguments::without(ArrayRef<StringRef> names) const {
  Arguments result = *this;
  llvm::erase_if(result.options, [&](const auto &entry) {
    return llvm::is_contained(names, entry.first);
  });
  return result;
}

FailureOr<double> Arguments::getNumber(StringRef name, double fallback,
                                       double low, double high) const {
  if (!has(name)) {
    return fallback;
  }
  double number;
  if (get(name).getAsDouble(number) || !(number >= low) || !(number <= high)) {
    printError() << "option '" << name << "' needs a number from "
                 << llvm::format("%g to %g", low, high) << ", found '"
                 << get(name) << "'\n";
    return failure();
  }
  return number;
}

FailureOr<int64_t> Arguments::getCount(StringRef name, int64_t fallback,
                                       int64_t low, int64_t high) const {
  FailureOr<double> number =
      getNumber(name, static_cast<double>(fallback), static_cast<double>(low),
                static_cast<double>(high));
  if (failed(number)) {
    return failure();
  }
  if (*number != std::floor(*number)) {
    printError() << name << " needs a whole number, found '" << get(name)
                 << "'\n";
    return failure();
  }
  return static_cast<int64_t>(*number);
}
