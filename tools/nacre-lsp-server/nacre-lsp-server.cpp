//===- nacre-lsp-server.cpp - Language server for nacre's IR --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mlir-lsp-server's main with nacre's dialects, and descriptions of their ops.
//
//===----------------------------------------------------------------------===//

#include "Descriptions.h"

#include "nacre/InitAllDialects.h"
#include "nacre/Support/Plugins.h"
#include "nacre/Target/Version.h"

#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/Support/CommandLine.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static int runServer(int argc, char **argv) {
  llvm::cl::SetVersionPrinter(nacre::printVersion);
  mlir::DialectRegistry registry;
  nacre::registerAllDialects(registry);
  nacre::addDialectPluginOption([&](const mlir::DialectPlugin &plugin) {
    plugin.registerDialectRegistryCallbacks(registry);
  });
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}

/// The server is a process of its own, whose answers come through a pipe.
int main(int argc, char **argv) {
  int answers[2];
  pid_t server = pipe(answers) == 0 ? fork() : -1;
  if (server < 0) {
    llvm::errs() << "nacre-lsp-server: " << std::strerror(errno) << "\n";
    return EXIT_FAILURE;
  }
  if (server == 0) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    dup2(answers[1], STDOUT_FILENO);
    close(answers[0]);
    close(answers[1]);
    return runServer(argc, argv);
  }
  close(answers[1]);
  nacre::addDescriptions(fdopen(answers[0], "r"), llvm::outs());
  int status = 0;
  waitpid(server, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILURE;
}
