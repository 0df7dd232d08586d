//===- ModelFile.cpp - Parsing of ONNX files ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// protobuf copies every byte of a message, and twice while a long string
// grows. So the file is first walked in wire format, which is documented and
// fixed (https://protobuf.dev/programming-guides/encoding), and what is handed
// to protobuf has the large initializers as references into the file.
//
//===----------------------------------------------------------------------===//

#include "ModelFile.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/wire_format_lite.h>

using namespace mlir;
using namespace nacre;
using namespace nacre::onnx_import;
using google::protobuf::io::CodedInputStream;
using google::protobuf::io::CodedOutputStream;
using google::protobuf::io::StringOutputStream;
using WireFormat = google::protobuf::internal::WireFormatLite;

namespace {
/// Rewrites the messages on the way from the model to its initializers.
class WeightLifter {
public:
  WeightLifter(StringRef bytes, StringRef fileName)
      : bytes(bytes), fileName(fileName) {}

  /// The model without its large weights; nothing where the bytes are not
  /// plain protobuf, which is then protobuf's to judge.
  std::optional<std::string> run() {
    return rewrite(bytes, {onnx::ModelProto::kGraphFieldNumber,
                           onnx::GraphProto::kInitializerFieldNumber});
  }

private:
  std::optional<std::string> rewrite(StringRef message, ArrayRef<int> path);
  void writeReference(StringRef data, CodedOutputStream &out);

  StringRef bytes;
  StringRef fileName;
};
} // namespace

/// Copies `message` field by field. `path` names the fields to descend into;
/// at its end is a tensor.
std::optional<std::string> WeightLifter::rewrite(StringRef message,
                                                 ArrayRef<int> path) {
  std::string result;
  StringOutputStream stream(&result);
  CodedOutputStream out(&stream);
  // A StringRef, for CodedInputStream stops at 2 GiB.
  StringRef rest = message;
  while (!rest.empty()) {
    // The longest tag and varint together have 15 bytes.
    int window = static_cast<int>(std::min<size_t>(rest.size(), 32));
    CodedInputStream in(reinterpret_cast<const uint8_t *>(rest.data()), window);
    uint32_t tag = in.ReadTag();
    WireFormat::WireType type = WireFormat::GetTagWireType(tag);
    if (tag == 0) {
      return std::nullopt;
    }
    if (type != WireFormat::WIRETYPE_LENGTH_DELIMITED) {
      if (!WireFormat::SkipField(&in, tag)) {
        return std::nullopt;
      }
      out.WriteRaw(rest.data(), in.CurrentPosition());
      rest = rest.drop_front(in.CurrentPosition());
      continue;
    }
    uint64_t length;
    if (!in.ReadVarint64(&length) ||
        length > rest.size() - in.CurrentPosition()) {
      return std::nullopt;
    }
    StringRef content = rest.substr(in.CurrentPosition(), length);
    rest = rest.drop_front(in.CurrentPosition() + length);
    int field = WireFormat::GetTagFieldNumber(tag);
    if (path.empty() && field == onnx::TensorProto::kRawDataFieldNumber &&
        length >= kMinBytesLeftInFile) {
      writeReference(content, out);
      continue;
    }
    std::optional<std::string> inner;
    if (!path.empty() && field == path.front()) {
      inner = rewrite(content, path.drop_front());
      if (!inner) {
        return std::nullopt;
      }
      content = *inner;
    }
    out.WriteVarint32(tag);
    out.WriteVarint64(content.size());
    for (; content.size() > INT_MAX; content = content.drop_front(INT_MAX)) {
      out.WriteRaw(content.data(), INT_MAX);
    }
    out.WriteRaw(content.data(), static_cast<int>(content.size()));
  }
  out.Trim();
  return result;
}

void WeightLifter::writeReference(StringRef data, CodedOutputStream &out) {
  onnx::TensorProto reference;
  reference.set_data_location(onnx::TensorProto::EXTERNAL);
  auto add = [&](StringRef key, const std::string &value) {
    auto *entry = reference.add_external_data();
    entry->set_key(key.str());
    entry->set_value(value);
  };
  add("location", fileName.str());
  add("offset", std::to_string(data.data() - bytes.data()));
  add("length", std::to_string(data.size()));
  // Fields of a message may come in any order and in pieces.
  out.WriteString(reference.SerializePartialAsString());
}

std::shared_ptr<onnx::ModelProto>
onnx_import::parseModel(StringRef path, MLIRContext &context) {
  Location loc = FileLineColLoc::get(&context, path, 0, 0);
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false);
  if (!file) {
    emitError(loc) << "cannot open the file: " << file.getError().message();
    return nullptr;
  }
  StringRef bytes = (*file)->getBuffer();
  std::optional<std::string> slim =
      WeightLifter(bytes, llvm::sys::path::filename(path)).run();
  if (slim) {
    bytes = *slim;
  }
  if (bytes.size() > INT_MAX) {
    emitError(loc) << "expected less than 2 GiB besides initializers, found "
                   << bytes.size() << " bytes; store large constants as "
                   << "initializers or as external data";
    return nullptr;
  }
  auto model = std::make_shared<onnx::ModelProto>();
  // protobuf writes to stderr on its own.
  google::protobuf::LogSilencer silencer;
  CodedInputStream coded(reinterpret_cast<const uint8_t *>(bytes.data()),
                         static_cast<int>(bytes.size()));
  coded.SetTotalBytesLimit(INT_MAX);
  if (!model->ParseFromCodedStream(&coded) || !coded.ConsumedEntireMessage()) {
    emitError(loc) << "not an ONNX model: malformed protobuf";
    return nullptr;
  }
  if (!model->has_graph()) {
    emitError(loc) << "not an ONNX model: it has no graph";
    return nullptr;
  }
  return model;
}
