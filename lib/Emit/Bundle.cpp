//===- Bundle.cpp - A model as code, weights and a header -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where placeholders lie, and the four files. All are built under temporary
// names and take their places together, the header last: a folder with a header
// has a whole bundle.
//
//===----------------------------------------------------------------------===//

#include "nacre/Emit/Bundle.h"
#include "ArtifactParts.h"
#include "Linker.h"

#include "nacre/Support/Files.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace nacre;

BundleLayout::BundleLayout(const ArtifactInfo &info)
    : constantBytes(info.weightBytes), mutableBytes(0),
      activationBytes(info.arenaBytes), alignment(info.arenaAlignment) {
  // The header's macros are these behind the model's name.
  llvm::StringSet<> names = {"CONSTANT_MEM_SIZE",
                             "MUTABLE_MEM_SIZE",
                             "ACTIVATIONS_MEM_SIZE",
                             "MEM_ALIGN",
                             "WEIGHTS_CRC32",
                             "BUNDLE_H",
                             "config"};
  auto isTaken = [&](const std::string &name) {
    return names.contains(name) || names.contains(name + "_BYTES") ||
           names.contains(name + "_ELEMENTS");
  };
  auto add = [&](const ModelTensor &tensor, StringRef kind) {
    std::string name = tensor.cName;
    if (isTaken(name)) {
      name += ("_" + kind).str();
    }
    while (isTaken(name)) {
      name += '_';
    }
    for (StringRef suffix : {"", "_BYTES", "_ELEMENTS"}) {
      names.insert(name + suffix.str());
    }
    int64_t bytes = countBytes(tensor.type);
    placeholders.push_back({&tensor, name, mutableBytes, bytes});
    mutableBytes = llvm::alignTo(mutableBytes + bytes, alignment);
  };
  for (const ModelTensor &tensor : info.interface.inputs) {
    add(tensor, "input");
  }
  for (const ModelTensor &tensor : info.interface.outputs) {
    // What a state becomes is where the state is.
    if (!tensor.state) {
      add(tensor, "output");
    }
  }
}

/// Bytes as numbers between commas, for an array that includes the file.
static void writeText(llvm::raw_ostream &stream, StringRef bytes) {
  constexpr size_t kPerLine = 16;
  for (size_t i = 0; i < bytes.size(); ++i) {
    stream << "0x" << llvm::hexdigit(static_cast<uint8_t>(bytes[i]) >> 4, true)
           << llvm::hexdigit(static_cast<uint8_t>(bytes[i]) & 15, true) << ','
           << ((i + 1) % kPerLine == 0 || i + 1 == bytes.size() ? '\n' : ' ');
  }
}

namespace {

/// Writes one bundle.
class BundleWriter {
public:
  BundleWriter(Location loc, Program &program, const BundleOptions &options,
               StringRef folder)
      : loc(loc), program(program), options(options), folder(folder),
        files(loc) {}

  LogicalResult write() {
    // Weights first, which gives their memory back before LLVM takes its own.
    if (failed(writeWeights())) {
      return failure();
    }
    program.identify(/*asSymbol=*/false);
    const std::string &steps = program.getInfo().steps;
    if (failed(writeObject()) ||
        (!steps.empty() &&
         failed(files.write(getPath(".steps.json"), steps))) ||
        failed(
            files.write(getPath(".h"), buildBundleHeader(program.getInfo(),
                                                         options, checksum)))) {
      return failure();
    }
    return files.keep(/*marker=*/getPath(".h"));
  }

private:
  std::string getPath(StringRef extension) const {
    SmallString<128> path(folder);
    llvm::sys::path::append(path, program.getInfo().name + extension);
    return path.str().str();
  }

  /// The code, and the conversions of float16 that it may need.
  LogicalResult writeObject() {
    FailureOr<SmallVector<char, 0>> code = program.emitObject();
    if (failed(code)) {
      return failure();
    }
    StringRef bytes(code->data(), code->size());
    std::optional<StringRef> half = findHalfObject(program, *code);
    if (!half) {
      return files.write(getPath(".o"), bytes);
    }
    FailureOr<StringRef> result = files.createFor(getPath(".o"));
    FailureOr<StringRef> own = files.create(getPath(".o")),
                         others = files.create(getPath(".o"));
    return success(succeeded(result) && succeeded(own) && succeeded(others) &&
                   succeeded(writeBytes(loc, *own, bytes)) &&
                   succeeded(writeBytes(loc, *others, *half)) &&
                   succeeded(linkObject(loc, {*own, *others}, *result, files)));
  }

  LogicalResult writeWeights() {
    FailureOr<StringRef> file = files.createFor(getPath(".weights.bin"));
    if (failed(file) ||
        failed(writeStream(loc, *file, [&](llvm::raw_ostream &stream) {
          program.getWeights().release(stream);
          return success();
        }))) {
      return failure();
    }
    auto bytes = llvm::MemoryBuffer::getFile(*file, /*IsText=*/false,
                                             /*RequiresNullTerminator=*/false);
    if (!bytes) {
      return emitError(loc) << "cannot read '" << *file << "'";
    }
    StringRef data = (*bytes)->getBuffer();
    checksum = llvm::crc32(llvm::arrayRefFromStringRef(data));
    return files.write(getPath(".weights.txt"), [&](llvm::raw_ostream &stream) {
      writeWeightsText(stream, data);
      return success();
    });
  }

  void writeWeightsText(llvm::raw_ostream &stream, StringRef data) const {
    // As text, five times as much.
    constexpr size_t kMostBytes = 8 << 20;
    if (options.weightsText == WeightsText::Always ||
        (options.weightsText == WeightsText::Auto &&
         data.size() <= kMostBytes)) {
      writeText(stream, data);
      return;
    }
    stream << "#error " << data.size()
           << " bytes of weights were not written as text; compile with "
              "--weights-text=always\n";
  }

  Location loc;
  Program &program;
  const BundleOptions &options;
  StringRef folder;
  TemporaryFiles files;
  uint32_t checksum = 0;
};

} // namespace

LogicalResult nacre::writeBundle(Location loc, Program &program,
                                 const BundleOptions &options,
                                 StringRef folder) {
  if (failed(checkSizes(loc, program.getTriple(), program.getInfo()))) {
    return failure();
  }
  std::error_code error = llvm::sys::fs::create_directories(folder);
  if (!error && !llvm::sys::fs::is_directory(folder)) {
    error = std::make_error_code(std::errc::not_a_directory);
  }
  if (error) {
    return emitError(loc) << "cannot make the folder '" << folder
                          << "': " << error.message();
  }
  return BundleWriter(loc, program, options, folder).write();
}
