//===- RangeFiles.cpp - Range profiles that commands change ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RangeFiles.h"
#include "Session.h"

#include "nacre/Support/Files.h"

#include "mlir/IR/Location.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using namespace nacre::quantization;

FailureOr<RangeProfile> driver::readRangeFile(StringRef path) {
  llvm::Expected<RangeProfile> profile = RangeProfile::read(path);
  if (!profile) {
    printError() << "cannot read '" << path
                 << "': " << llvm::toString(profile.takeError()) << "\n";
    return failure();
  }
  return std::move(*profile);
}

FailureOr<Arguments> driver::keepPipedRanges(const Arguments &arguments,
                                             TemporaryFolder &folder) {
  StringRef path = arguments.get("--ranges");
  llvm::sys::fs::file_status status;
  if (!arguments.has("--ranges") || llvm::sys::fs::status(path, status)) {
    return arguments; // who needs it says that there is none
  }
  if (status.type() != llvm::sys::fs::file_type::fifo_file &&
      status.type() != llvm::sys::fs::file_type::character_file) {
    return arguments;
  }
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer) {
    printError() << "cannot read '" << path
                 << "': " << buffer.getError().message() << "\n";
    return failure();
  }
  if (failed(folder.create())) {
    return failure();
  }
  std::string copy = folder.getFile("ranges.yaml");
  std::error_code error;
  llvm::raw_fd_ostream os(copy, error);
  if (!error) {
    os << (*buffer)->getBuffer();
    os.close();
    error = os.error();
    os.clear_error();
  }
  if (error) {
    printError() << "cannot write '" << copy << "': " << error.message()
                 << "\n";
    return failure();
  }
  return arguments.without(StringRef("--ranges")).with("--ranges", copy);
}

LogicalResult driver::writeRangeFile(
    RangeProfile profile, StringRef source, StringRef path,
    llvm::function_ref<void(llvm::raw_ostream &)> writeComments) {
  Session session; // prints errors
  TemporaryFiles files(UnknownLoc::get(&session.getContext()));
  // Sums are looked for beside the profile that names them.
  StringRef folder = llvm::sys::path::parent_path(source);
  if (profile.sums && folder != llvm::sys::path::parent_path(path)) {
    SmallString<128> from(folder);
    llvm::sys::path::append(from, profile.sums->file);
    auto sums = llvm::MemoryBuffer::getFile(from, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
    if (!sums) {
      printError() << "cannot read '" << from << "', which '" << source
                   << "' names: " << sums.getError().message() << "\n";
      return failure();
    }
    std::string copy = path.str() + ".sums";
    profile.sums->file = llvm::sys::path::filename(copy).str();
    if (failed(files.write(copy, (*sums)->getBuffer()))) {
      return failure();
    }
  }
  if (failed(files.write(path, [&](llvm::raw_ostream &os) {
        profile.write(os);
        if (writeComments) {
          writeComments(os);
        }
        return success();
      }))) {
    return failure();
  }
  return files.keep();
}
