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
#include <pthread.h>

using namespace mlir;
using namespace nacre;

SignalDelay::SignalDelay() {
  sigset_t delayed;
  sigemptyset(&delayed);
  for (int number : {SIGHUP, SIGINT, SIGTERM}) {
    sigaddset(&delayed, number);
  }
  pthread_sigmask(SIG_BLOCK, &delayed, &before);
}

SignalDelay::~SignalDelay() { pthread_sigmask(SIG_SETMASK, &before, nullptr); }

TemporaryFiles::~TemporaryFiles() {
  for (const File &file : files) {
    llvm::sys::fs::remove(file.path);
    llvm::sys::DontRemoveFileOnSignal(file.path);
  }
}

FailureOr<StringRef> TemporaryFiles::add(StringRef beside, File file) {
  constexpr int kAttempts = 128;
  std::error_code error;
  for (int i = 0; i < kAttempts; ++i) {
    file.path.clear();
    llvm::sys::fs::createUniquePath(beside + ".%%%%%%.tmp", file.path,
                                    /*MakeAbsolute=*/false);
    // First the name, then the file: a signal may come between the two.
    llvm::sys::RemoveFileOnSignal(file.path);
    int descriptor;
    error = llvm::sys::fs::openFileForReadWrite(
        file.path, descriptor, llvm::sys::fs::CD_CreateNew,
        llvm::sys::fs::OF_None,
        llvm::sys::fs::owner_read | llvm::sys::fs::owner_write);
    if (!error) {
      (void)llvm::sys::Process::SafelyCloseFileDescriptor(descriptor);
      return StringRef(files.emplace_back(std::move(file)).path);
    }
    llvm::sys::DontRemoveFileOnSignal(file.path);
    if (error != std::errc::file_exists) {
      break;
    }
  }
  return emitError(loc) << "cannot write beside '" << beside
                        << "': " << error.message();
}

FailureOr<StringRef> TemporaryFiles::create(StringRef destination) {
  return add(destination, File());
}

FailureOr<StringRef> TemporaryFiles::createFor(StringRef destination,
                                               bool executable) {
  File file;
  file.destination = destination.str();
  file.executable = executable;
  return add(destination, std::move(file));
}

LogicalResult TemporaryFiles::write(StringRef destination,
                                    WriteFunction write) {
  if (destination == "-") {
    LogicalResult written = write(llvm::outs());
    if (std::error_code error = takeError(llvm::outs())) {
      return emitError(loc)
             << "cannot write to standard output: " << error.message();
    }
    return written;
  }
  if (isSpecialFile(destination)) {
    return writeStream(loc, destination, write);
  }
  FailureOr<StringRef> path = createFor(destination);
  return failed(path) ? failure() : writeStream(loc, *path, write);
}

LogicalResult TemporaryFiles::write(StringRef destination, StringRef bytes) {
  return write(destination, [&](llvm::raw_ostream &stream) {
    stream << bytes;
    return success();
  });
}

LogicalResult TemporaryFiles::keep(StringRef marker) {
  auto refuse = [&](const File &file, std::error_code error) -> LogicalResult {
    return emitError(loc) << "cannot write '" << file.destination
                          << "': " << error.message();
  };
  for (const File &file : files) {
    if (llvm::sys::fs::is_directory(file.destination)) {
      return refuse(file, std::make_error_code(std::errc::is_a_directory));
    }
  }
  SignalDelay delay;
  if (!marker.empty() && !isSpecialFile(marker)) {
    if (std::error_code error = llvm::sys::fs::remove(marker)) {
      return emitError(loc)
             << "cannot replace '" << marker << "': " << error.message();
    }
  }
  SmallVector<StringRef> added;
  for (const File &file : files) {
    if (file.destination.empty()) {
      continue;
    }
    bool isNew = !llvm::sys::fs::exists(file.destination);
    // Temporary files have the mode of secrets; results are for everybody the
    // umask allows.
    unsigned mode =
        (file.executable ? 0777 : 0666) & ~llvm::sys::fs::getUmask();
    (void)llvm::sys::fs::setPermissions(
        file.path, static_cast<llvm::sys::fs::perms>(mode));
    if (std::error_code error =
            llvm::sys::fs::rename(file.path, file.destination)) {
      for (StringRef other : added) {
        llvm::sys::fs::remove(other);
      }
      return refuse(file, error);
    }
    if (isNew) {
      added.push_back(file.destination);
    }
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
  TemporaryFiles files(loc);
  return failed(files.write(path, write)) ? failure() : files.keep();
}

LogicalResult nacre::writeFile(Location loc, StringRef path, StringRef bytes) {
  TemporaryFiles files(loc);
  return failed(files.write(path, bytes)) ? failure() : files.keep();
}
