//===- Files.cpp - Files that artifacts are built from --------------------===//

#include "Files.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir;
using namespace nacre;

TemporaryFiles::~TemporaryFiles() {
  for (StringRef path : paths) {
    llvm::sys::fs::remove(path);
  }
}

FailureOr<StringRef> TemporaryFiles::create() {
  SmallString<128> path;
  if (std::error_code error =
          llvm::sys::fs::createUniqueFile(destination + ".%%%%%%.tmp", path)) {
    return emitError(loc) << "cannot write beside '" << destination
                          << "': " << error.message();
  }
  return StringRef(paths.emplace_back(path));
}

LogicalResult nacre::writeStream(
    Location loc, StringRef path,
    llvm::function_ref<LogicalResult(llvm::raw_ostream &)> write) {
  std::error_code error;
  llvm::raw_fd_ostream stream(path, error);
  LogicalResult written = success();
  if (!error) {
    written = write(stream);
    stream.close();
    error = stream.error();
    stream.clear_error();
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
