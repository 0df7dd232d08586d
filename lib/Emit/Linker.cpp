//===- Linker.cpp - Objects into libraries --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The weights of a shared library are its last segment. The linker gives it an
// address, a placeholder and a program header, which grow afterwards. Where
// there are many, all else goes before them, rather than they behind it:
// writing them once more would take longer than compiling the model.
//
//===----------------------------------------------------------------------===//

#include "Linker.h"

#include "nacre/Emit/Artifact.h"
#include "nacre/Runtime/FunctionNames.h"
#include "nacre/Support/Stage.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

using namespace mlir;
using namespace nacre;

/// Runs LLVM's linker; what it says becomes the diagnostic.
static LogicalResult runLinker(Location loc, StringRef output,
                               ArrayRef<StringRef> options,
                               TemporaryFiles &files) {
  Stage stage("linking");
  llvm::ErrorOr<std::string> linker =
      llvm::sys::findProgramByName("ld.lld", {NACRE_LLVM_TOOLS_DIR});
  if (!linker) {
    linker = llvm::sys::findProgramByName("ld.lld");
  }
  if (!linker) {
    return emitError(loc) << "cannot find ld.lld to link the artifact; "
                             "install lld-22 or use --emit=static";
  }
  std::vector<StringRef> arguments = {*linker, "-o", output};
  llvm::append_range(arguments, options);
  FailureOr<StringRef> log = files.create(output);
  if (failed(log)) {
    return failure();
  }
  std::optional<StringRef> redirects[] = {StringRef(), *log, *log};
  std::string message;
  int status = 0;
  {
    // The linker is done in a moment, and inherits this: one that is stopped
    // midway may leave files of its own, and one that outlives this process
    // writes its result after all others were removed.
    SignalDelay delay;
    status = llvm::sys::ExecuteAndWait(*linker, arguments, std::nullopt,
                                       redirects, 0, 0, &message);
  }
  if (status != 0) {
    auto text = llvm::MemoryBuffer::getFile(*log);
    return emitError(loc) << "linking failed: " << message
                          << (text ? (*text)->getBuffer() : StringRef());
  }
  return success();
}

LogicalResult nacre::linkObject(Location loc, ArrayRef<StringRef> objects,
                                StringRef output, TemporaryFiles &files) {
  std::vector<StringRef> arguments = {"-r"};
  llvm::append_range(arguments, objects);
  return runLinker(loc, output, arguments, files);
}

namespace {
/// What the linker wrote about the weights, and where.
template <typename ELF> struct Placeholder {
  typename ELF::Shdr section;
  typename ELF::Phdr segment;
  uint64_t sectionPosition = 0;
  uint64_t segmentPosition = 0;
  uint64_t fileSize = 0;
};
} // namespace

/// Finds the weights of a library. Nothing where no code uses them, since the
/// linker leaves out what it does not need.
template <typename ELF>
static llvm::Expected<std::optional<Placeholder<ELF>>>
findPlaceholder(StringRef bytes) {
  auto file = llvm::object::ELFFile<ELF>::create(bytes);
  if (!file) {
    return file.takeError();
  }
  auto sections = file->sections();
  auto segments = file->program_headers();
  if (!sections || !segments) {
    return llvm::joinErrors(sections.takeError(), segments.takeError());
  }
  auto positionOf = [&](const auto &header) {
    return reinterpret_cast<const char *>(&header) - bytes.data();
  };
  for (const typename ELF::Shdr &section : *sections) {
    llvm::Expected<StringRef> name = file->getSectionName(section);
    if (!name) {
      return name.takeError();
    }
    if (*name != kWeightsSection) {
      continue;
    }
    for (const typename ELF::Phdr &segment : *segments) {
      if (segment.p_type == llvm::ELF::PT_LOAD &&
          segment.p_vaddr == section.sh_addr) {
        return Placeholder<ELF>{
            section, segment, static_cast<uint64_t>(positionOf(section)),
            static_cast<uint64_t>(positionOf(segment)), bytes.size()};
      }
    }
    return llvm::createStringError("the weights have no segment");
  }
  return std::nullopt;
}

/// Appends the bytes of a file from `position` on. The system keeps what one
/// call writes together in pages as large as that.
static llvm::Error append(llvm::raw_fd_ostream &stream, StringRef path,
                          uint64_t position) {
  llvm::Expected<llvm::sys::fs::file_t> file =
      llvm::sys::fs::openNativeFileForRead(path);
  if (!file) {
    return file.takeError();
  }
  llvm::scope_exit close([&] { llvm::sys::fs::closeFile(*file); });
  stream.SetUnbuffered();
  std::vector<char> block(kHugePage);
  size_t count = 0;
  do {
    llvm::Expected<size_t> read =
        llvm::sys::fs::readNativeFileSlice(*file, block, position);
    if (!read) {
      return read.takeError();
    }
    count = *read;
    position += count;
    stream.write(block.data(), count);
  } while (count > 0 && !stream.has_error());
  return llvm::Error::success();
}

/// Puts the weights in the place of their placeholder in `bytes`, which the
/// library consists of: behind everything else, with headers that say so. The
/// file that has them already becomes the library if `bytes` fit before them.
template <typename ELF>
static llvm::Error addWeights(StringRef bytes, StringRef library,
                              StringRef weights, uint64_t size,
                              uint64_t alignment) {
  auto found = findPlaceholder<ELF>(bytes);
  if (!found) {
    return found.takeError();
  }
  if (!*found) {
    return llvm::Error::success();
  }
  Placeholder<ELF> &place = **found;
  // A segment lies at the same offset from a page in the file as in memory.
  place.segment.p_align = std::max<uint64_t>(place.segment.p_align, alignment);
  uint64_t offset = llvm::alignTo(place.fileSize, place.segment.p_align);
  place.section.sh_offset = offset;
  place.section.sh_size = size;
  place.segment.p_offset = offset;
  place.segment.p_filesz = size;
  place.segment.p_memsz = size;
  uint64_t room = getRoomBeforeWeights(static_cast<int64_t>(size));
  bool fits = offset == room;
  int file;
  if (std::error_code error = llvm::sys::fs::openFileForWrite(
          fits ? weights : library, file, llvm::sys::fs::CD_OpenExisting)) {
    return llvm::errorCodeToError(error);
  }
  llvm::raw_fd_ostream stream(file, /*shouldClose=*/true);
  if (fits) {
    stream << bytes;
  }
  auto overwrite = [&](uint64_t position, const auto &header) {
    stream.pwrite(reinterpret_cast<const char *>(&header), sizeof(header),
                  position);
  };
  overwrite(place.sectionPosition, place.section);
  overwrite(place.segmentPosition, place.segment);
  llvm::Error copied = llvm::Error::success();
  if (!fits) {
    stream.seek(offset);
    copied = append(stream, weights, room);
  }
  stream.close();
  std::error_code error = stream.error();
  stream.clear_error();
  if (fits && !error) {
    error = llvm::sys::fs::rename(weights, library);
  }
  return llvm::joinErrors(std::move(copied), llvm::errorCodeToError(error));
}

static llvm::Error addWeights(StringRef library, StringRef weights,
                              uint64_t size, uint64_t alignment) {
  auto buffer = llvm::MemoryBuffer::getFile(library, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer) {
    return llvm::errorCodeToError(buffer.getError());
  }
  StringRef bytes = (*buffer)->getBuffer();
  bool isNarrow =
      llvm::object::getElfArchType(bytes).first == llvm::ELF::ELFCLASS32;
  auto add = isNarrow ? addWeights<llvm::object::ELF32LE>
                      : addWeights<llvm::object::ELF64LE>;
  return add(bytes, library, weights, size, alignment);
}

LogicalResult nacre::linkLibrary(Location loc, ArrayRef<StringRef> objects,
                                 StringRef weights, StringRef output,
                                 const LibraryOptions &options,
                                 TemporaryFiles &files) {
  // As an address, not as the section's alignment: the placeholder need not be
  // aligned in the file.
  int64_t alignment = getWeightsAlignment(options.weightBytes, /*least=*/1);
  FailureOr<StringRef> script = files.create(output);
  if (failed(script) ||
      failed(writeBytes(loc, *script,
                        ("SECTIONS { " + kWeightsSection +
                         " ALIGN(MAX(CONSTANT(MAXPAGESIZE), " +
                         llvm::Twine(alignment) + ")) : { *(.rodata." +
                         options.weightsSymbol + ") } } INSERT AFTER .bss;\n")
                            .str()))) {
    return failure();
  }
  // What the library calls of itself is its own, whatever else a program has
  // under that name.
  std::vector<StringRef> arguments = {
      "-shared",       "-soname", options.soname, "--as-needed",
      "--gc-sections", "-z",      "now",          "-Bsymbolic"};
  SmallVector<std::string> aliases;
  for (StringRef part : {"_run", "_architecture", "_metadata"}) {
    aliases.push_back(
        ("--defsym=" + names::kModelPrefix + part + "=" + options.name + part)
            .str());
  }
  llvm::append_range(arguments, aliases);
  llvm::append_range(arguments, objects);
  arguments.push_back(*script);
  // libm for the functions the code calls; the search path is the usual one.
  // A library for another machine leaves them to the program that loads it:
  // this machine's libraries do not fit.
  if (options.isForHost) {
    for (StringRef folder :
         {"-L/lib/x86_64-linux-gnu", "-L/usr/lib/x86_64-linux-gnu", "-L/lib64",
          "-L/usr/lib64", "-L/usr/lib"}) {
      arguments.push_back(folder);
    }
    arguments.push_back("-l:libm.so.6");
    arguments.push_back("-l:libc.so.6");
  }
  if (failed(runLinker(loc, output, arguments, files))) {
    return failure();
  }
  if (llvm::Error error =
          addWeights(output, weights,
                     static_cast<uint64_t>(options.weightBytes), alignment)) {
    return emitError(loc) << "cannot add the weights to the library: "
                          << llvm::toString(std::move(error));
  }
  return success();
}
