//===- Plugins.h - Libraries with dialects from outside ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR's dialect plugins, as files that a command line names.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_SUPPORT_PLUGINS_H
#define NACRE_SUPPORT_PLUGINS_H

#include "mlir/Tools/Plugins/DialectPlugin.h"

#include <functional>

namespace nacre {

/// Loads the library that `path` names. The error says why it is no plugin.
llvm::Expected<mlir::DialectPlugin> loadDialectPlugin(llvm::StringRef path);

/// Adds --load-dialect-plugin to the options of llvm::cl, which mlir-opt's main
/// has itself. `use` gets each plugin while the command line is parsed; a file
/// that is none ends the program with an error.
void addDialectPluginOption(
    std::function<void(const mlir::DialectPlugin &plugin)> use);

} // namespace nacre

#endif // NACRE_SUPPORT_PLUGINS_H
