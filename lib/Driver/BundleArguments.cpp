//===- BundleArguments.cpp - What a command line says of a bundle ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BundleArguments.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;

static const OptionSpec kOptions[] = {
    {"--bundle-api", "NAME",
     "how a program finds inputs and outputs of a bundle: static (default), by "
     "macros of the header; dynamic, by a table in the object; both"},
    {"--bundle-compat", "glow",
     "also give a bundle the names of Glow's types, fields and macros"},
    {"--weights-text", "WHEN",
     "write a bundle's weights as text for #include, too: auto (default), up "
     "to 8 MB; always; never"},
    {"--entry", "NAME",
     "the name of a bundle's function (default: the model's)"},
};

ArrayRef<OptionSpec> driver::getBundleOptions() { return kOptions; }

/// The choice that an option names.
template <typename T>
static FailureOr<T> choose(const Arguments &arguments, StringRef option,
                           ArrayRef<std::pair<StringRef, T>> choices) {
  StringRef given = arguments.get(option, choices.front().first);
  for (auto [name, value] : choices) {
    if (name == given) {
      return value;
    }
  }
  printError() << option << " needs one of ";
  llvm::interleaveComma(llvm::make_first_range(choices), llvm::errs());
  llvm::errs() << ", found '" << given << "'\n";
  return failure();
}

static bool isCIdentifier(StringRef name) {
  return !name.empty() && !llvm::isDigit(name[0]) &&
         llvm::all_of(name,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

FailureOr<BundleOptions> driver::readBundleOptions(const Arguments &arguments) {
  BundleOptions options;
  auto api = choose<BundleAPI>(arguments, "--bundle-api",
                               {{"static", BundleAPI::Static},
                                {"dynamic", BundleAPI::Dynamic},
                                {"both", BundleAPI::Both}});
  auto compatible = choose<bool>(arguments, "--bundle-compat",
                                 {{"none", false}, {"glow", true}});
  auto text = choose<WeightsText>(arguments, "--weights-text",
                                  {{"auto", WeightsText::Auto},
                                   {"always", WeightsText::Always},
                                   {"never", WeightsText::Never}});
  if (failed(api) || failed(compatible) || failed(text)) {
    return failure();
  }
  options.api = *api;
  options.glow = *compatible;
  options.weightsText = *text;
  options.entry = arguments.get("--entry").str();
  if (arguments.has("--entry") &&
      (!isCIdentifier(options.entry) || options.entry == "main")) {
    printError() << "--entry needs the name of a C function other than main, "
                    "found '"
                 << options.entry << "'\n";
    return failure();
  }
  return options;
}

LogicalResult driver::refuseBundleOptions(const Arguments &arguments) {
  for (const OptionSpec &option : kOptions) {
    if (arguments.has(option.name)) {
      printError() << option.name << " is for --emit=bundle\n";
      return failure();
    }
  }
  return success();
}
