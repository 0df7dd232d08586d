//===- WeightFiles.cpp - Weights beside a file of IR ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Resolves the resources of IE while a module is parsed. Nothing is copied:
// large blobs are pages of the file.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/WeightFiles.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace nacre;

MLIR_DEFINE_EXPLICIT_TYPE_ID(nacre::IE::WeightHandle)

/// The folder of the module that is being parsed.
static std::string getFolder(AsmParsedResourceEntry &entry) {
  // Where an error would be is all that an entry says.
  InFlightDiagnostic diagnostic = entry.emitError();
  Location loc = diagnostic.getUnderlyingDiagnostic()->getLocation();
  diagnostic.abandon();
  auto file = dyn_cast<FileLineColLoc>(loc);
  return file ? llvm::sys::path::parent_path(file.getFilename()).str() : "";
}

/// The blob of the builtin dialect that the module has declared as `name` and
/// that has no data yet: of a name that is taken the dialect makes another.
static DialectResourceBlobManager::BlobEntry *
findUnresolved(MLIRContext *context, StringRef name) {
  DialectResourceBlobManager &blobs =
      DenseResourceElementsHandle::getManagerInterface(context)
          .getBlobManager();
  std::string key = name.str();
  for (size_t i = 1;; ++i) {
    DialectResourceBlobManager::BlobEntry *entry = blobs.lookup(key);
    if (!entry || !entry->getBlob()) {
      return entry;
    }
    key = (name + "_" + Twine(i)).str();
  }
}

namespace {
struct WeightFiles final : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  FailureOr<AsmDialectResourceHandle>
  declareResource(StringRef key) const override {
    return AsmDialectResourceHandle(IE::WeightHandle(
        &*names.insert(key).first, static_cast<IE::IEDialect *>(getDialect())));
  }

  std::string
  getResourceKey(const AsmDialectResourceHandle &handle) const override {
    return cast<IE::WeightHandle>(handle).getResource()->getKey().str();
  }

  LogicalResult parseResource(AsmParsedResourceEntry &entry) const override {
    FailureOr<std::string> text = entry.parseAsString();
    if (failed(text)) {
      return failure();
    }
    auto [file, range] = StringRef(*text).rsplit('@');
    auto [first, count] = range.split('+');
    uint64_t offset, size;
    if (file.empty() || first.getAsInteger(10, offset) ||
        count.getAsInteger(10, size) || size > UINT64_MAX - offset ||
        offset % IE::kWeightAlignment != 0) {
      return entry.emitError()
             << "expected FILE@OFFSET+SIZE, the offset a multiple "
                "of "
             << IE::kWeightAlignment << ", found '" << *text << "'";
    }
    auto *target = findUnresolved(getContext(), entry.getKey());
    if (!target) {
      return success();
    }
    SmallString<128> path(file);
    if (llvm::sys::path::is_relative(path)) {
      path = getFolder(entry);
      llvm::sys::path::append(path, file);
    }
    uint64_t available = 0;
    if (std::error_code error = llvm::sys::fs::file_size(path, available)) {
      return entry.emitError() << "cannot read the weights in '" << path
                               << "': " << error.message();
    }
    if (offset + size > available) {
      return entry.emitError()
             << "expected weights up to byte " << offset + size << " of '"
             << path << "', which has " << available;
    }
    auto buffer = llvm::MemoryBuffer::getFileSlice(
        path, size, offset, /*IsVolatile=*/false,
        llvm::Align(IE::kWeightAlignment));
    if (!buffer) {
      return entry.emitError() << "cannot read the weights in '" << path
                               << "': " << buffer.getError().message();
    }
    std::shared_ptr<llvm::MemoryBuffer> bytes = std::move(*buffer);
    ArrayRef<char> data(bytes->getBufferStart(), bytes->getBufferSize());
    target->setBlob(AsmResourceBlob(
        data, IE::kWeightAlignment,
        [bytes](void *, size_t, size_t) mutable { bytes.reset(); },
        /*dataIsMutable=*/false));
    return success();
  }

private:
  mutable llvm::StringSet<> names;
};
} // namespace

std::unique_ptr<OpAsmDialectInterface>
IE::createWeightFiles(IEDialect *dialect) {
  return std::make_unique<WeightFiles>(dialect);
}
