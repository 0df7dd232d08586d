//===- Files.cpp - Files that tools write ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Support/Files.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"

#include <csignal>

using namespace mlir;
using namespace nacre;

TemporaryFiles::~TemporaryFiles() {
  for (StringRef path : paths) {
    llvm::sys::fs::remove(path);
    llvm::sys::DontRemoveFileOnSignal(path);
  }
}

FailureOr<StringRef> TemporaryFiles::create() {
  constexpr int kAttempts = 128;
  std::error_code error;
  for (int i = 0; i < kAttempts; ++i) {
    SmallString<128> path;
    llvm::sys::fs::createUniquePath(destination + ".%%%%%%.tmp", path,
                                    /*MakeAbsolute=*/false);
    // First the name, then the file: a signal may come between the two.
    llvm::sys::RemoveFileOnSignal(path);
    int file;
    error = llvm::sys::fs::openFileForReadWrite(
        path, file, llvm::sys::fs::CD_CreateNew, llvm::sys::fs::OF_None,
        llvm::sys::fs::owner_read | llvm::sys::fs::owner_write);
    if (!error) {
      (void)llvm::sys::Process::SafelyCloseFileDescriptor(file);
      return StringRef(paths.emplace_back(path));
    }
    llvm::sys::DontRemoveFileOnSignal(path);
    if (error != std::errc::file_exists) {
      break;
    }
  }
  return emitError(loc) << "cannot write beside '" << destination
                        << "': " << error.message();
}

LogicalResult TemporaryFiles::keep(StringRef path, bool executable) {
  // Temporary files have the mode of secrets; results are for everybody the
  // umask allows.
  unsigned mode = (executable ? 0777 : 0666) & ~llvm::sys::fs::getUmask();
  (void)llvm::sys::fs::setPermissions(path,
                                      static_cast<llvm::sys::fs::perms>(mode));
  if (std::error_code error = llvm::sys::fs::rename(path, destination)) {
    return emitError(loc) << "cannot write '" << destination
                          << "': " << error.message();
  }
  return success();
}

bool nacre::isSpecialFile(StringRef path) {
  return llvm::sys::fs::exists(path) && !llvm::sys::fs::is_regular_file(path);
}

std::error_code nacre::takeError(llvm::raw_fd_ostream &stream) {
  stream.flush();
  std::error_code error = stream.error();
  stream.clear_error();
  return error;
}

void nacre::ignoreFileSizeSignal() { signal(SIGXFSZ, SIG_IGN); }

LogicalResult nacre::writeStream(Location loc, StringRef path,
                                 WriteFunction write) {
  std::error_code error;
  llvm::raw_fd_ostream stream(path, error);
  LogicalResult written = success();
  if (!error) {
    written = write(stream);
    stream.close();
    error = takeError(stream);
  }
  if (error) {
    return emitError(loc) << "cannot write '" << path
                          << "': " << error.message();
  }
  return written;
}

LogicalResult nacre::writeBytes(Location loc, StringRef path, StringRef bytes) {
  return writeStream(loc, path, [&](llvm::raw_ostream &stream) {
    stream << bytes;
    return success();
  });
}

LogicalResult nacre::writeFile(Location loc, StringRef path,
                               WriteFunction write) {
  if (path == "-") {
    LogicalResult written = write(llvm::outs());
    if (std::error_code error = takeError(llvm::outs())) {
      return emitError(loc)
             << "cannot write to standard output: " << error.message();
    }
    return written;
  }
  if (isSpecialFile(path)) {
    return writeStream(loc, path, write);
  }
  TemporaryFiles files(loc, path);
  FailureOr<StringRef> temporary = files.create();
  if (failed(temporary) || failed(writeStream(loc, *temporary, write))) {
    return failure();
  }
  return files.keep(*temporary);
}

LogicalResult nacre::writeFile(Location loc, StringRef path, StringRef bytes) {
  return writeFile(loc, path, [&](llvm::raw_ostream &stream) {
    stream << bytes;
    return success();
  });
}
