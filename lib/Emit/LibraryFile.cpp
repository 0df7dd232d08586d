//===- LibraryFile.cpp - Is a file a library to load? ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The system's loader maps what headers promise and runs constructors before
// anybody sees the symbols: of a truncated file the first access ends the
// process, and a foreign library's code has run by then.
//
//===----------------------------------------------------------------------===//

#include "LibraryFile.h"
#include "nacre/Emit/Artifact.h"
#include "nacre/Runtime/FunctionNames.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;
using namespace nacre;
using llvm::object::ELF64LEObjectFile;

/// The bytes that a file must have at least for what it loads.
static llvm::Expected<uint64_t> getLoadedEnd(const ELF64LEObjectFile &file) {
  auto segments = file.getELFFile().program_headers();
  if (!segments) {
    return segments.takeError();
  }
  uint64_t end = 0;
  for (const auto &segment : *segments) {
    uint64_t last = segment.p_offset + segment.p_filesz;
    if (last < segment.p_offset) {
      return llvm::createStringError("a segment has no end");
    }
    // One that has nothing in the file may begin behind its end.
    if (segment.p_filesz > 0) {
      end = std::max(end, last);
    }
  }
  return end;
}

static bool definesInterface(const ELF64LEObjectFile &file) {
  std::string wanted = (names::kModelPrefix + "_metadata").str();
  return llvm::any_of(file.getDynamicSymbolIterators(),
                      [&](const llvm::object::ELFSymbolRef &symbol) {
                        llvm::Expected<StringRef> name = symbol.getName();
                        llvm::Expected<uint32_t> flags = symbol.getFlags();
                        bool isIt =
                            name && flags && *name == wanted &&
                            !(*flags & llvm::object::SymbolRef::SF_Undefined);
                        llvm::consumeError(name.takeError());
                        llvm::consumeError(flags.takeError());
                        return isIt;
                      });
}

LogicalResult nacre::checkLibraryFile(Location loc, StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer) {
    return emitError(loc) << "cannot read the library: "
                          << buffer.getError().message();
  }
  StringRef bytes = (*buffer)->getBuffer();
  if (bytes.empty()) {
    return emitError(loc) << "expected a library made by nacre, found an empty "
                             "file";
  }
  if (!bytes.starts_with(llvm::ELF::ElfMagic)) {
    return emitError(loc) << "expected a library made by nacre, found a file "
                             "that is no library";
  }
  auto damaged = [&](llvm::Error error) {
    return emitError(loc) << "the library is truncated or damaged: "
                          << llvm::toString(std::move(error));
  };
  auto object = llvm::object::ObjectFile::createELFObjectFile(
      llvm::MemoryBufferRef(bytes, path));
  if (!object) {
    return damaged(object.takeError());
  }
  llvm::Triple::ArchType host =
      llvm::Triple(llvm::sys::getProcessTriple()).getArch();
  auto *file = dyn_cast<ELF64LEObjectFile>(object->get());
  if (!file || (*object)->getArch() != host) {
    return emitError(loc) << "the library is for "
                          << llvm::Triple::getArchTypeName((*object)->getArch())
                          << ", and this machine is "
                          << llvm::Triple::getArchTypeName(host);
  }
  if (file->getELFFile().getHeader().e_type != llvm::ELF::ET_DYN) {
    return emitError(loc) << "expected a shared library, found an object or a "
                             "program";
  }
  llvm::Expected<uint64_t> end = getLoadedEnd(*file);
  if (!end) {
    return damaged(end.takeError());
  }
  if (*end > bytes.size()) {
    return emitError(loc) << "the library is truncated: it has " << bytes.size()
                          << " bytes of at least " << *end;
  }
  if (!definesInterface(*file)) {
    return emitError(loc)
           << "expected a library made by nacre, found one without "
           << names::kModelPrefix << "_metadata";
  }
  return success();
}
