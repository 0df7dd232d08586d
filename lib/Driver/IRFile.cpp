//===- IRFile.cpp - Modules as files that compile again -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the resources of a module by hand: upstream's printer either knows
// them all or leaves all out.
//
//===----------------------------------------------------------------------===//

#include "IRFile.h"

#include "nacre/Dialect/IE/IR/WeightFiles.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;

/// Bytes of weights from which on they lie beside the text.
static constexpr uint64_t kMaxInText = uint64_t(1) << 14;

/// The blobs that the module names, in the order of their first use.
static SmallVector<DenseResourceElementsHandle>
collectWeights(ModuleOp module) {
  SmallVector<DenseResourceElementsHandle> weights;
  llvm::StringSet<> seen;
  AttrTypeWalker walker;
  walker.addWalk([&](DenseResourceElementsAttr attr) {
    DenseResourceElementsHandle handle = attr.getRawHandle();
    // One that a pass has replaced and freed is used by dead code alone.
    if (handle.getBlob() && seen.insert(handle.getKey()).second) {
      weights.push_back(handle);
    }
  });
  module.walk<WalkOrder::PreOrder>(
      [&](Operation *op) { walker.walk(op->getAttrDictionary()); });
  return weights;
}

static void printString(llvm::raw_ostream &os, StringRef text) {
  os << '"';
  llvm::printEscapedString(text, os);
  os << '"';
}

/// Upstream's form: the alignment in four bytes, then the data.
static void printBlob(llvm::raw_ostream &os, const AsmResourceBlob &blob) {
  char alignment[sizeof(uint32_t)];
  llvm::support::endian::write32le(alignment, blob.getDataAlignment());
  os << "\"0x" << llvm::toHex(StringRef(alignment, sizeof(alignment)));
  ArrayRef<char> data = blob.getData();
  os << llvm::toHex(StringRef(data.data(), data.size())) << '"';
}

/// The module as text; its weights are only named.
static std::string printWithoutResources(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  // With any other limit than 0 the printer makes the text of a blob only to
  // find that it is too long.
  module.print(stream, OpPrintingFlags().elideLargeResourceString(0));
  // Around what it leaves out it leaves brackets.
  StringRef body = StringRef(text).rtrim();
  if (body.consume_back("#-}")) {
    body = body.rtrim();
    if (body.consume_back("{-#")) {
      text.resize(body.rtrim().size());
      text += "\n";
    }
  }
  return text;
}

LogicalResult IRWriter::append(Location loc, const Weights &weights,
                               TemporaryFiles &files) {
  Weights added;
  llvm::copy_if(weights, std::back_inserter(added), [&](const auto &handle) {
    return !offsets.contains(handle.getKey());
  });
  bool isFirst = offsets.empty();
  auto writeAll = [&](llvm::raw_ostream &os) {
    for (const DenseResourceElementsHandle &handle : added) {
      uint64_t offset = llvm::alignTo(end, IE::kWeightAlignment);
      os.write_zeros(offset - end);
      ArrayRef<char> data = handle.getBlob()->getData();
      os.write(data.data(), data.size());
      offsets[handle.getKey()] = offset;
      end = offset + data.size();
    }
    return success();
  };
  if (added.empty()) {
    return success();
  }
  if (isFirst) {
    return files.write(weightsPath, writeAll);
  }
  std::error_code error;
  llvm::raw_fd_ostream os(weightsPath, error, llvm::sys::fs::CD_OpenExisting,
                          llvm::sys::fs::FA_Write, llvm::sys::fs::OF_Append);
  if (!error) {
    (void)writeAll(os);
    error = takeError(os);
  }
  if (error) {
    return emitError(loc) << "cannot write '" << weightsPath
                          << "': " << error.message();
  }
  return success();
}

LogicalResult IRWriter::write(ModuleOp module, StringRef path,
                              StringRef pipeline) {
  Location loc = module.getLoc();
  Weights weights = collectWeights(module);
  uint64_t bytes = 0;
  for (const DenseResourceElementsHandle &handle : weights) {
    bytes += handle.getBlob()->getData().size();
  }
  bool isBeside = path != "-" && bytes > kMaxInText;
  TemporaryFiles files(loc);
  if (isBeside && failed(append(loc, weights, files))) {
    return failure();
  }
  auto printResources = [&](llvm::raw_ostream &os) {
    llvm::ListSeparator comma(",\n");
    os << "  dialect_resources: {\n    " << (isBeside ? "IE" : "builtin")
       << ": {\n";
    for (const DenseResourceElementsHandle &handle : weights) {
      os << comma << "      ";
      printString(os, handle.getKey());
      os << ": ";
      if (isBeside) {
        printString(os, (llvm::sys::path::filename(weightsPath) + "@" +
                         Twine(offsets.at(handle.getKey())) + "+" +
                         Twine(handle.getBlob()->getData().size()))
                            .str());
      } else {
        printBlob(os, *handle.getBlob());
      }
    }
    os << "\n    }\n  }";
  };
  auto writeText = [&](llvm::raw_ostream &os) {
    os << printWithoutResources(module);
    if (weights.empty() && pipeline.empty()) {
      return success();
    }
    os << "\n{-#\n";
    if (!weights.empty()) {
      printResources(os);
    }
    if (!pipeline.empty()) {
      os << (weights.empty() ? "" : ",\n")
         << "  external_resources: {\n    mlir_reproducer: {\n"
            "      pipeline: ";
      printString(os, pipeline);
      os << ",\n      disable_threading: true,\n      verify_each: true\n"
            "    }\n  }";
    }
    os << "\n#-}\n";
    return success();
  };
  return failed(files.write(path, writeText)) ? failure() : files.keep();
}
