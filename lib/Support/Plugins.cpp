//===- Plugins.cpp - Libraries with dialects from outside -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Support/Plugins.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"

#include <cstdlib>

using namespace mlir;
using namespace nacre;

/// What bad input ends with, as of all of nacre's tools.
static constexpr int kBadInput = 3;

llvm::Expected<DialectPlugin> nacre::loadDialectPlugin(StringRef path) {
  // A name without a folder would be looked for where the system has libraries.
  SmallString<128> file(path);
  if (llvm::sys::fs::exists(path)) {
    (void)llvm::sys::fs::make_absolute(file);
  }
  llvm::Expected<DialectPlugin> plugin = DialectPlugin::load(file.str().str());
  if (plugin) {
    return plugin;
  }
  // Some of the messages are cut before their last quotation mark.
  std::string reason = llvm::toString(plugin.takeError()).c_str();
  if (llvm::count(reason, '\'') % 2 != 0) {
    reason += "'";
  }
  return llvm::createStringError("'" + path +
                                 "' is no dialect plugin: " + reason);
}

void nacre::addDialectPluginOption(
    std::function<void(const DialectPlugin &plugin)> use) {
  static llvm::cl::list<std::string> option(
      "load-dialect-plugin", llvm::cl::value_desc("file"),
      llvm::cl::desc("Load dialects from a library, as from one with operators "
                     "of its own; may be repeated"));
  option.setCallback([use = std::move(use)](const std::string &path) {
    llvm::Expected<DialectPlugin> plugin = loadDialectPlugin(path);
    if (!plugin) {
      llvm::WithColor::error()
          << "--load-dialect-plugin: " << llvm::toString(plugin.takeError())
          << "\n";
      std::exit(kBadInput);
    }
    use(*plugin);
  });
}
