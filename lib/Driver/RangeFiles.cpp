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

/// The file that a profile names beside it.
static SmallString<128> findSums(const RangeProfile &profile, StringRef path) {
  SmallString<128> sums(llvm::sys::path::parent_path(path));
  llvm::sys::path::append(sums, profile.sums->file);
  return sums;
}

/// The file that has the sums of a profile once nacre has written both.
static std::string getSumsPath(StringRef path) { return path.str() + ".sums"; }

bool driver::canHaveSums(StringRef path) {
  return path != "-" && !isSpecialFile(path);
}

/// Whether what is at `path` is a profile with a file of sums of its own.
static bool ownsSums(StringRef path) {
  std::string sums = getSumsPath(path);
  auto text = llvm::MemoryBuffer::getFile(path);
  if (!llvm::sys::fs::exists(sums) || !text ||
      !(*text)->getBuffer().contains("sums:")) {
    return false;
  }
  llvm::Expected<RangeProfile> profile = RangeProfile::read(path);
  if (!profile) {
    llvm::consumeError(profile.takeError());
    return false;
  }
  return profile->sums &&
         profile->sums->file == llvm::sys::path::filename(sums);
}

static void dropSums(RangeProfile &profile) {
  profile.sums.reset();
  llvm::erase_if(profile.repairs, [](const MeasuredRepair &repair) {
    return repair.name == "rounding";
  });
}

/// Adds the file of sums to the others.
using SumsWriter =
    llvm::function_ref<LogicalResult(TemporaryFiles &files, Location loc)>;

/// Writes a profile to `path`, and its sums beside it if there is something
/// that writes them.
static LogicalResult
write(RangeProfile &profile, StringRef path, SumsWriter writeSums,
      llvm::function_ref<void(llvm::raw_ostream &)> writeComments = {}) {
  Session session; // prints errors
  Location loc = UnknownLoc::get(&session.getContext());
  TemporaryFiles files(loc);
  bool isStale = !profile.sums && canHaveSums(path) && ownsSums(path);
  if (writeSums && failed(writeSums(files, loc))) {
    return failure();
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
  // New sums are beside no profile that has others.
  if (failed(files.keep(writeSums ? path : StringRef()))) {
    return failure();
  }
  if (isStale) {
    (void)llvm::sys::fs::remove(getSumsPath(path));
  }
  return success();
}

LogicalResult
driver::writeMeasured(RangeProfile &profile, StringRef path,
                      llvm::function_ref<void(llvm::raw_ostream &)> writeSums) {
  if (!profile.sums) {
    return write(profile, path, {});
  }
  return write(
      profile, path, [&](TemporaryFiles &files, Location loc) -> LogicalResult {
        std::string sums = getSumsPath(path);
        FailureOr<StringRef> file = files.createFor(sums);
        if (failed(file) ||
            failed(writeStream(loc, *file, [&](llvm::raw_ostream &os) {
              writeSums(os);
              return success();
            }))) {
          return failure();
        }
        auto bytes =
            llvm::MemoryBuffer::getFile(*file, /*IsText=*/false,
                                        /*RequiresNullTerminator=*/false);
        if (!bytes) {
          printError() << "cannot read '" << *file
                       << "': " << bytes.getError().message() << "\n";
          return failure();
        }
        profile.sums->file = llvm::sys::path::filename(sums).str();
        profile.sums->identify((*bytes)->getBuffer());
        return success();
      });
}

/// Leaves out sums that a profile at `path` cannot have beside it, or whose
/// file is not there.
static void dropLostSums(RangeProfile &profile, StringRef source,
                         StringRef path) {
  SmallString<128> sums = findSums(profile, source);
  bool isThere = llvm::sys::fs::exists(sums);
  if (isThere && canHaveSums(path)) {
    return;
  }
  const MeasuredRepair *rounding = profile.findRepair("rounding");
  if (isThere) {
    printWarning() << "the sums of '" << source << "' are left out, since '"
                   << path << "' is no file that they can be beside\n";
  } else if (!rounding || !rounding->isKept || rounding->decibels <= 0) {
    // Else commands that choose the rounding by it have said so.
    printWarning() << "there is no '" << sums << "', which '" << source
                   << "' names: '" << path << "' has no sums\n";
  }
  dropSums(profile);
}

LogicalResult driver::writeRangeFile(
    RangeProfile profile, StringRef source, StringRef path,
    llvm::function_ref<void(llvm::raw_ostream &)> writeComments) {
  if (profile.sums) {
    dropLostSums(profile, source, path);
  }
  if (!profile.sums || source == path) {
    return write(profile, path, {}, writeComments);
  }
  // The next calibration that writes `source` replaces what is beside it.
  return write(
      profile, path,
      [&](TemporaryFiles &files, Location) -> LogicalResult {
        SmallString<128> from = findSums(profile, source);
        auto sums = llvm::MemoryBuffer::getFile(
            from, /*IsText=*/false, /*RequiresNullTerminator=*/false);
        if (!sums) {
          printError() << "cannot read '" << from << "', which '" << source
                       << "' names: " << sums.getError().message() << "\n";
          return failure();
        }
        std::string copy = getSumsPath(path);
        profile.sums->file = llvm::sys::path::filename(copy).str();
        return files.write(copy, (*sums)->getBuffer());
      },
      writeComments);
}
