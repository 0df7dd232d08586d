//===- Zip.cpp - Archives of files ----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The directory at an archive's end says where files are. What their own
// headers say of sizes is left alone: who writes while compressing does not
// know them.
//
//===----------------------------------------------------------------------===//

#include "Zip.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/Endian.h"

using namespace mlir;
using namespace nacre::driver;
using llvm::support::endian::read16le;
using llvm::support::endian::read32le;

static constexpr llvm::StringLiteral kEnd("PK\x05\x06"), kEntry("PK\x01\x02"),
    kFile("PK\x03\x04");
static constexpr size_t kEndBytes = 22, kEntryBytes = 46, kFileBytes = 30;
/// A number of 32 bits that stands for one of 64 elsewhere.
static constexpr uint32_t kElsewhere = ~uint32_t(0);

/// The content of a file whose header is at `offset`; nothing where that is not
/// in the archive.
static std::optional<StringRef> readFile(StringRef bytes, size_t offset,
                                         size_t size) {
  StringRef header = bytes.substr(offset);
  if (header.size() < kFileBytes || !header.starts_with(kFile)) {
    return std::nullopt;
  }
  size_t skipped =
      kFileBytes + read16le(header.data() + 26) + read16le(header.data() + 28);
  return header.size() < skipped || header.size() - skipped < size
             ? std::nullopt
             : std::optional(header.substr(skipped, size));
}

FailureOr<std::vector<ZipEntry>> nacre::driver::readZip(Location loc,
                                                        StringRef bytes) {
  auto damaged = [&] {
    return emitError(loc) << "not a usable archive: damaged, or no zip file";
  };
  size_t end = bytes.rfind(kEnd);
  if (end == StringRef::npos || bytes.size() - end < kEndBytes) {
    return damaged();
  }
  size_t count = read16le(bytes.data() + end + 10);
  size_t at = read32le(bytes.data() + end + 16);
  std::vector<ZipEntry> entries;
  for (size_t i = 0; i < count; ++i) {
    StringRef entry = bytes.substr(at);
    if (entry.size() < kEntryBytes || !entry.starts_with(kEntry)) {
      return damaged();
    }
    uint16_t method = read16le(entry.data() + 10);
    uint32_t size = read32le(entry.data() + 24);
    uint32_t offset = read32le(entry.data() + 42);
    size_t name = read16le(entry.data() + 28);
    size_t rest = read16le(entry.data() + 30) + read16le(entry.data() + 32);
    if (method != 0) {
      return emitError(loc) << "the archive is compressed; numpy.savez writes "
                               "one that is not";
    }
    if (size == kElsewhere || offset == kElsewhere) {
      return emitError(loc) << "the archive is beyond 4 GB; a folder of "
                               "NAME_N.npy may be larger";
    }
    std::optional<StringRef> content = readFile(bytes, offset, size);
    if (entry.size() < kEntryBytes + name || !content) {
      return damaged();
    }
    entries.push_back({entry.substr(kEntryBytes, name).str(), *content});
    at += kEntryBytes + name + rest;
  }
  return entries;
}
