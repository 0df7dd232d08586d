//===- Memory.cpp - Memory that a process may have ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Support/Memory.h"

#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MemoryBuffer.h"

#include <sys/resource.h>
#include <unistd.h>

using namespace mlir;
using namespace nacre;

namespace {
/// Of this process, in bytes.
struct UsedMemory {
  int64_t addresses = 0; // of any kind
  int64_t own = 0;       // in memory, and in no file that could be read again
};
} // namespace

static UsedMemory getUsedMemory(int64_t page) {
  UsedMemory used;
  auto file = llvm::MemoryBuffer::getFileAsStream("/proc/self/statm");
  if (!file) {
    return used;
  }
  SmallVector<StringRef> fields;
  (*file)->getBuffer().split(fields, ' ');
  int64_t size, resident, shared;
  if (fields.size() < 3 || fields[0].getAsInteger(10, size) ||
      fields[1].getAsInteger(10, resident) ||
      fields[2].getAsInteger(10, shared)) {
    return used;
  }
  used.addresses = size * page;
  used.own = (resident - shared) * page;
  return used;
}

int64_t nacre::getMachineMemory() {
  return int64_t(sysconf(_SC_PAGESIZE)) * sysconf(_SC_PHYS_PAGES);
}

int64_t nacre::getMemoryLimit() {
  UsedMemory used = getUsedMemory(sysconf(_SC_PAGESIZE));
  int64_t limit = getMachineMemory() - used.own;
  struct rlimit space;
  if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY) {
    limit =
        std::min(limit, static_cast<int64_t>(space.rlim_cur) - used.addresses);
  }
  return std::max<int64_t>(limit, 0);
}

std::optional<int64_t> nacre::countBytes(ArrayRef<int64_t> shape,
                                         int64_t elementBytes) {
  std::optional<int64_t> bytes = elementBytes;
  for (int64_t size : shape) {
    bytes = bytes ? llvm::checkedMul(*bytes, size) : bytes;
  }
  return bytes;
}

bool nacre::fitsMemory(std::optional<int64_t> bytes) {
  constexpr int64_t kAlwaysThere = int64_t(64) << 20;
  return bytes && (*bytes <= kAlwaysThere || *bytes <= getMemoryLimit());
}

LogicalResult
nacre::requireMemory(std::optional<int64_t> bytes,
                     llvm::function_ref<InFlightDiagnostic()> emitBeginning) {
  if (fitsMemory(bytes)) {
    return success();
  }
  InFlightDiagnostic diagnostic = emitBeginning() << " needs ";
  if (bytes) {
    diagnostic << *bytes << " bytes";
  } else {
    diagnostic << "more bytes than can be counted";
  }
  markAsMemoryError(diagnostic);
  return diagnostic << ", but there are " << getMemoryLimit()
                    << " bytes of memory";
}

static constexpr llvm::StringLiteral kMemoryMark = "memory error of nacre";

void nacre::markAsMemoryError(InFlightDiagnostic &diagnostic) {
  if (Diagnostic *underlying = diagnostic.getUnderlyingDiagnostic()) {
    underlying->getMetadata().emplace_back(kMemoryMark);
  }
}

bool nacre::isMemoryError(Diagnostic &diagnostic) {
  return llvm::any_of(
      diagnostic.getMetadata(), [](const DiagnosticArgument &argument) {
        return argument.getKind() ==
                   DiagnosticArgument::DiagnosticArgumentKind::String &&
               argument.getAsString() == kMemoryMark;
      });
}
