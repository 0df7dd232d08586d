//===- Export.cpp - ONNX model files --------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The public entry points, and where the bytes of constants go.
//
//===----------------------------------------------------------------------===//

#include "nacre/Export/ONNX/Export.h"
#include "GraphExporter.h"

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/Utils/BoundaryIntegers.h"
#include "nacre/Dialect/Nacre/IR/NacreDialect.h"
#include "nacre/Support/Files.h"
#include "nacre/Target/Version.h"

#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"

#include <climits>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

using namespace mlir;
using namespace nacre;
using namespace nacre::onnx_export;

// Smaller constants stay in the model: shape inference of other tools wants to
// see them.
static constexpr size_t kMinExternalBytes = 1024;
// Of a page, so that the file can be mapped.
static constexpr uint64_t kExternalAlignment = 4096;

/// The format that an operator set came with.
static int64_t getIRVersion(int64_t opset) {
  return opset >= 25 ? 13 : opset >= 24 ? 12 : opset >= 23 ? 11 : 10;
}

/// The bytes of all constants of a module, at most.
static uint64_t countBytes(ModuleOp module) {
  uint64_t bytes = 0;
  module.walk([&](IE::ConstantOp op) {
    auto type = cast<RankedTensorType>(op.getType());
    bytes += type.getNumElements() *
             interpreter::getElementBytes(type.getElementType());
  });
  return bytes;
}

namespace {
/// Takes the bytes of constants.
class ConstantStore {
public:
  /// Into the tensors where there is no `file` beside the model.
  explicit ConstantStore(std::string file) : file(std::move(file)) {}

  void add(RawData data, onnx::TensorProto &tensor);
  bool hasFile() const { return !parts.empty(); }
  LogicalResult write(llvm::raw_ostream &os) const;

private:
  std::string file;
  std::vector<std::pair<uint64_t, RawData>> parts; // by their offsets
  uint64_t end = 0;
};

/// Lets protobuf write in pieces: a model's bytes need not be in memory twice.
class StreamAdaptor final : public google::protobuf::io::CopyingOutputStream {
public:
  explicit StreamAdaptor(llvm::raw_ostream &os) : os(os) {}
  bool Write(const void *buffer, int size) override {
    os.write(static_cast<const char *>(buffer), size);
    return true;
  }

private:
  llvm::raw_ostream &os;
};
} // namespace

void ConstantStore::add(RawData data, onnx::TensorProto &tensor) {
  ArrayRef<char> bytes = data.get();
  if (file.empty() || bytes.size() < kMinExternalBytes) {
    tensor.set_raw_data(bytes.data(), bytes.size());
    return;
  }
  uint64_t offset = llvm::alignTo(end, kExternalAlignment);
  end = offset + bytes.size();
  auto describe = [&](StringRef key, std::string value) {
    onnx::StringStringEntryProto &entry = *tensor.add_external_data();
    entry.set_key(key.str());
    entry.set_value(std::move(value));
  };
  tensor.set_data_location(onnx::TensorProto::EXTERNAL);
  describe("location", file);
  describe("offset", std::to_string(offset));
  describe("length", std::to_string(bytes.size()));
  parts.emplace_back(offset, std::move(data));
}

LogicalResult ConstantStore::write(llvm::raw_ostream &os) const {
  uint64_t position = 0;
  for (const auto &[offset, data] : parts) {
    os.write_zeros(offset - position);
    os.write(data.get().data(), data.get().size());
    position = offset + data.get().size();
  }
  return success();
}

static void writeMetadata(func::FuncOp function, onnx::ModelProto &model) {
  auto add = [&](StringRef key, StringRef value) {
    onnx::StringStringEntryProto &entry = *model.add_metadata_props();
    entry.set_key(key.str());
    entry.set_value(value.str());
  };
  std::string integers = IE::printIntegers(function);
  auto module = function->getParentOfType<ModuleOp>();
  auto pairs = abi::get<abi::Metadata>(module);
  for (size_t i = 0; pairs && i < pairs.size(); i += 2) {
    StringRef key = cast<StringAttr>(pairs[i]).getValue();
    // What the model said before is known by now, and may be no longer true.
    if (integers.empty() || key != abi::Integers::getNameStr()) {
      add(key, cast<StringAttr>(pairs[i + 1]).getValue());
    }
  }
  // The ops beside inputs and outputs do not tell all of it.
  if (!integers.empty()) {
    add(abi::Integers::getNameStr(), integers);
  }
}

/// Fails, after an error, where the module is no model, or none of ONNX's.
static LogicalResult buildModel(ModuleOp module, ConstantStore &store,
                                onnx::ModelProto &model) {
  auto function = module.lookupSymbol<func::FuncOp>("main");
  if (!function || function.isExternal() ||
      !llvm::hasSingleElement(function.getBody())) {
    return module.emitError("expected a function @main of one block");
  }
  model.set_producer_name("nacre");
  model.set_producer_version(getVersion().str());
  std::optional<StringRef> name = module.getName();
  model.mutable_graph()->set_name(name ? name->str() : "main");
  GraphExporter exporter(function,
                         [&](RawData data, onnx::TensorProto &tensor) {
                           store.add(std::move(data), tensor);
                         });
  if (failed(exporter.run(model))) {
    return failure();
  }
  for (const onnx::OperatorSetIdProto &import : model.opset_import()) {
    if (import.domain().empty()) {
      model.set_ir_version(getIRVersion(import.version()));
    }
  }
  writeMetadata(function, model);
  size_t size = model.ByteSizeLong();
  return size <= INT_MAX
             ? success()
             : LogicalResult(module.emitError()
                             << "expected less than 2 GiB besides constants in "
                                "a file of their own, found "
                             << size << " bytes");
}

static LogicalResult writeModel(const onnx::ModelProto &model,
                                llvm::raw_ostream &os) {
  StreamAdaptor adaptor(os);
  google::protobuf::io::CopyingOutputStreamAdaptor stream(&adaptor);
  return success(model.SerializeToZeroCopyStream(&stream));
}

LogicalResult nacre::exportONNXModel(ModuleOp module, llvm::raw_ostream &os) {
  // protobuf writes to stderr on its own.
  google::protobuf::LogSilencer silencer;
  if (countBytes(module) > INT_MAX) {
    return module.emitError("constants of 2 GiB and more need a file beside "
                            "the model: nacre compile writes both");
  }
  ConstantStore store("");
  onnx::ModelProto model;
  return failed(buildModel(module, store, model)) ? failure()
                                                  : writeModel(model, os);
}

ExportStatus nacre::exportONNXModel(ModuleOp module, StringRef path,
                                    bool usesExternalData) {
  google::protobuf::LogSilencer silencer;
  std::string data = (path + ".data").str();
  // Half is left to what else there is, in the worst case names.
  bool isBeside = usesExternalData || countBytes(module) > INT_MAX / 2;
  if (isBeside && path == "-") {
    emitError(module.getLoc()) << "constants in a file of their own need a "
                                  "name for the model's";
    return ExportStatus::BadOutput;
  }
  ConstantStore store(isBeside ? llvm::sys::path::filename(data).str() : "");
  onnx::ModelProto model;
  if (failed(buildModel(module, store, model))) {
    return ExportStatus::Unsupported;
  }
  TemporaryFiles files(module.getLoc());
  if ((store.hasFile() &&
       failed(files.write(
           data, [&](llvm::raw_ostream &os) { return store.write(os); }))) ||
      failed(files.write(
          path,
          [&](llvm::raw_ostream &os) { return writeModel(model, os); })) ||
      failed(files.keep())) {
    return ExportStatus::BadOutput;
  }
  return ExportStatus::Success;
}
