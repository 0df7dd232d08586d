//===- BundleArguments.cpp - What a command line says of a bundle ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BundleArguments.h"

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

FailureOr<BundleOptions> driver::readBundleOptions(const Arguments &arguments) {
  BundleOptions options;
  auto api = arguments.getChoice<BundleAPI>("--bundle-api",
                                            {{"static", BundleAPI::Static},
                                             {"dynamic", BundleAPI::Dynamic},
                                             {"both", BundleAPI::Both}});
  auto compatible = arguments.getChoice<bool>(
      "--bundle-compat", {{"none", false}, {"glow", true}});
  auto text = arguments.getChoice<WeightsText>("--weights-text",
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
