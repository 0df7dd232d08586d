//===- TensorData.cpp - TensorProto into attributes -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ONNX keeps tensor data as raw bytes, in typed fields, or in other files.
// Whatever the model claims about sizes is checked against what is there.
//
//===----------------------------------------------------------------------===//

#include "TensorData.h"

#include "nacre/Dialect/IE/IR/IEDialect.h"
#include "nacre/Dialect/IE/Utils/SmallNumbers.h"
#include "nacre/Import/ONNX/TensorProto.h"
#include "nacre/Interpreter/Tensor.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <optional>

using namespace mlir;
using namespace nacre;
using namespace nacre::onnx_import;
using onnx::TensorProto;

// Smaller constants are dense attributes: folders and readers see into them.
static constexpr int64_t kMaxDenseElements = 64;

Type onnx_import::getElementType(MLIRContext *context, int32_t dataType) {
  Builder builder(context);
  auto unsignedType = [&](unsigned width) {
    return IntegerType::get(context, width, IntegerType::Unsigned);
  };
  switch (dataType) {
  case TensorProto::FLOAT:
    return builder.getF32Type();
  case TensorProto::DOUBLE:
    return builder.getF64Type();
  case TensorProto::FLOAT16:
    return builder.getF16Type();
  case TensorProto::BFLOAT16:
    return builder.getBF16Type();
  case TensorProto::BOOL:
    return builder.getI1Type();
  case TensorProto::COMPLEX64:
    return ComplexType::get(builder.getF32Type());
  case TensorProto::COMPLEX128:
    return ComplexType::get(builder.getF64Type());
  case TensorProto::STRING:
    // A data file may come before any model.
    context->getOrLoadDialect<IE::IEDialect>();
    return IE::StringType::get(context);
  case TensorProto::INT8:
    return builder.getIntegerType(8);
  case TensorProto::INT16:
    return builder.getIntegerType(16);
  case TensorProto::INT32:
    return builder.getIntegerType(32);
  case TensorProto::INT64:
    return builder.getIntegerType(64);
  case TensorProto::UINT8:
    return unsignedType(8);
  case TensorProto::UINT16:
    return unsignedType(16);
  case TensorProto::UINT32:
    return unsignedType(32);
  case TensorProto::UINT64:
    return unsignedType(64);
  // ONNX's numbers of types that libonnx does not know.
  case 17:
    return Float8E4M3FNType::get(context);
  case 18:
    return Float8E4M3FNUZType::get(context);
  case 19:
    return Float8E5M2Type::get(context);
  case 20:
    return Float8E5M2FNUZType::get(context);
  case 21:
    return unsignedType(4);
  case 22:
    return builder.getIntegerType(4);
  case 23:
    return Float4E2M1FNType::get(context);
  case 24:
    return Float8E8M0FNUType::get(context);
  case 25:
    return unsignedType(2);
  case 26:
    return builder.getIntegerType(2);
  default:
    return {};
  }
}

std::optional<int32_t> nacre::getONNXDataType(Type element) {
  constexpr int32_t kLast = 26;
  for (int32_t number = 1; number <= kLast; ++number) {
    if (getElementType(element.getContext(), number) == element) {
      return number;
    }
  }
  return std::nullopt;
}

std::string onnx_import::getDataTypeName(int32_t dataType) {
  // Newer than libonnx, from 17 on.
  static constexpr StringRef kNewerNames[] = {
      "float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz", "uint4",
      "int4",         "float4e2m1",     "float8e8m0", "uint2",          "int2"};
  switch (dataType) {
  case TensorProto::FLOAT:
    return "float32";
  case TensorProto::DOUBLE:
    return "float64";
  default:
    if (TensorProto::DataType_IsValid(dataType)) {
      return StringRef(TensorProto::DataType_Name(
                           static_cast<TensorProto::DataType>(dataType)))
          .lower();
    }
    if (int64_t i = int64_t(dataType) - 17;
        i >= 0 && i < int64_t(std::size(kNewerNames))) {
      return kNewerNames[i].str();
    }
    return "data type " + std::to_string(dataType);
  }
}

FailureOr<RankedTensorType> onnx_import::getTensorType(Location loc,
                                                       int32_t dataType,
                                                       ArrayRef<int64_t> dims) {
  Type element = getElementType(loc.getContext(), dataType);
  if (!element) {
    return emitError(loc) << "unsupported element type "
                          << getDataTypeName(dataType)
                          << "; convert the model to a numeric type";
  }
  int64_t count = 1;
  for (int64_t dim : dims) {
    if (ShapedType::isDynamic(dim)) {
      continue;
    }
    if (dim < 0 || llvm::MulOverflow(count, std::max<int64_t>(dim, 1), count) ||
        count > kMaxElements) {
      return emitError(loc)
             << "expected a plausible shape, found dimension " << dim;
    }
  }
  return RankedTensorType::get(dims, element);
}

/// The external file's bytes named by the tensor, checked to lie in `folder`.
static FailureOr<std::unique_ptr<llvm::MemoryBuffer>>
mapExternalData(Location loc, const TensorProto &tensor, StringRef folder,
                size_t bytes) {
  std::string location;
  uint64_t offset = 0, length = bytes;
  for (const auto &entry : tensor.external_data()) {
    StringRef value = entry.value();
    bool bad = false;
    if (entry.key() == "location") {
      location = entry.value();
    } else if (entry.key() == "offset") {
      bad = value.getAsInteger(10, offset);
    } else if (entry.key() == "length") {
      bad = value.getAsInteger(10, length);
    }
    if (bad) {
      return emitError(loc) << "expected a number in the external data's '"
                            << entry.key() << "', found '" << value << "'";
    }
  }
  // A model must not be able to read files outside its own folder.
  bool escapes = location.empty() || llvm::sys::path::is_absolute(location);
  for (auto it = llvm::sys::path::begin(location),
            end = llvm::sys::path::end(location);
       it != end; ++it) {
    escapes |= *it == "..";
  }
  if (escapes) {
    return emitError(loc) << "expected external data in a file beside the "
                             "model, found location '"
                          << location << "'";
  }
  if (length != bytes) {
    return emitError(loc) << "expected " << bytes
                          << " bytes of tensor data, found " << length;
  }
  SmallString<256> path(folder);
  llvm::sys::path::append(path, location);
  uint64_t size;
  if (std::error_code error = llvm::sys::fs::file_size(path, size)) {
    return emitError(loc) << "cannot read external data '" << path
                          << "': " << error.message();
  }
  if (offset > size || size - offset < length) {
    return emitError(loc) << "expected " << length << " bytes at offset "
                          << offset << " of external data '" << path
                          << "', which has " << size;
  }
  auto slice = llvm::MemoryBuffer::getFileSlice(path, length, offset);
  if (!slice) {
    return emitError(loc) << "cannot read external data '" << path
                          << "': " << slice.getError().message();
  }
  return std::move(*slice);
}

/// Copies a typed field of `tensor` into `result`, converting each element.
template <typename Field>
static LogicalResult copyField(Location loc, const Field &field,
                               interpreter::Tensor &result) {
  if (field.size() != result.getNumElements()) {
    return emitError(loc) << "expected " << result.getNumElements()
                          << " elements of tensor data, found " << field.size();
  }
  if (result.hasSmallNumbers()) {
    for (auto [code, bits] : llvm::zip_equal(result.getMutableBytes(), field)) {
      code = static_cast<char>(bits);
    }
    return success();
  }
  interpreter::dispatch(result.getElementType(), [&](auto tag) {
    using T = decltype(tag);
    auto out = result.mutableValues<T>();
    for (int64_t i = 0; i < field.size(); ++i) {
      if constexpr (std::is_same_v<T, interpreter::Half> ||
                    std::is_same_v<T, interpreter::BFloat16>) {
        // The field holds the bits.
        out[i].bits = static_cast<uint16_t>(field.Get(i));
      } else {
        out[i] = static_cast<T>(field.Get(i));
      }
    }
  });
  return success();
}

static LogicalResult copyTypedData(Location loc, const TensorProto &tensor,
                                   interpreter::Tensor &result) {
  switch (tensor.data_type()) {
  case TensorProto::FLOAT:
  case TensorProto::COMPLEX64:
    return copyField(loc, tensor.float_data(), result);
  case TensorProto::DOUBLE:
  case TensorProto::COMPLEX128:
    return copyField(loc, tensor.double_data(), result);
  case TensorProto::INT64:
    return copyField(loc, tensor.int64_data(), result);
  case TensorProto::UINT32:
  case TensorProto::UINT64:
    return copyField(loc, tensor.uint64_data(), result);
  default:
    return copyField(loc, tensor.int32_data(), result);
  }
}

/// Wraps bytes that `keep` owns, without a copy.
static ElementsAttr wrapBlob(RankedTensorType type, StringRef name,
                             ArrayRef<char> bytes,
                             std::shared_ptr<const void> keep) {
  AsmResourceBlob blob(
      bytes, /*dataAlignment=*/1,
      [keep = std::move(keep)](void *, size_t, size_t) mutable {
        keep.reset();
      },
      /*dataIsMutable=*/false);
  return DenseResourceElementsAttr::get(type, name.empty() ? "constant" : name,
                                        std::move(blob));
}

/// The elements in `bytes`, the lowest bits of each byte first.
static interpreter::Tensor unpack(RankedTensorType type, ArrayRef<char> bytes) {
  interpreter::Tensor result(type);
  unsigned bits = type.getElementTypeBitWidth(), perByte = 8 / bits;
  for (auto [i, out] : llvm::enumerate(result.getMutableBytes())) {
    unsigned above =
        static_cast<uint8_t>(bytes[i / perByte]) >> (i % perByte * bits);
    out = static_cast<char>(above & llvm::maskTrailingOnes<unsigned>(bits));
  }
  return result;
}

static FailureOr<interpreter::Tensor>
readStrings(Location loc, const TensorProto &tensor, RankedTensorType type) {
  if (tensor.data_location() == TensorProto::EXTERNAL ||
      tensor.has_raw_data()) {
    return emitError(loc) << "expected strings in 'string_data', found them "
                             "elsewhere";
  }
  if (tensor.string_data_size() != type.getNumElements()) {
    return emitError(loc) << "expected " << type.getNumElements()
                          << " elements of tensor data, found "
                          << tensor.string_data_size();
  }
  interpreter::Tensor result(type);
  for (auto [text, out] : llvm::zip_equal(
           tensor.string_data(), result.mutableValues<interpreter::String>())) {
    out = interpreter::String(loc.getContext(), text);
  }
  return result;
}

namespace {

/// The elements of a tensor: as they lie in the message or in a file, or a copy
/// where that is not how they lie in memory.
struct Contents {
  RankedTensorType type;
  ArrayRef<char> raw;
  std::shared_ptr<const void> owner; // of raw
  std::optional<interpreter::Tensor> copy;
};

} // namespace

static FailureOr<Contents> readContents(Location loc, const TensorProto &tensor,
                                        std::shared_ptr<const void> owner,
                                        StringRef folder) {
  SmallVector<int64_t> dims(tensor.dims().begin(), tensor.dims().end());
  for (int64_t dim : dims) {
    if (dim < 0) {
      return emitError(loc)
             << "expected non-negative dimensions, found " << dim;
    }
  }
  FailureOr<RankedTensorType> type =
      getTensorType(loc, tensor.data_type(), dims);
  if (failed(type)) {
    return failure();
  }
  bool isPacked = IE::isPacked(type->getElementType());
  if (tensor.has_segment()) {
    return emitError(loc) << "unsupported tensor stored in segments";
  }
  if (isa<IE::StringType>(type->getElementType())) {
    FailureOr<interpreter::Tensor> strings = readStrings(loc, tensor, *type);
    return failed(strings) ? FailureOr<Contents>(failure())
                           : Contents{*type, {}, nullptr, std::move(*strings)};
  }
  int64_t elements = type->getNumElements();
  size_t bytes =
      isPacked
          ? llvm::divideCeil(elements * type->getElementTypeBitWidth(), 8)
          : elements * interpreter::getElementBytes(type->getElementType());
  bool isBool = type->getElementType().isInteger(1);

  ArrayRef<char> raw;
  if (tensor.data_location() == TensorProto::EXTERNAL) {
    auto mapped = mapExternalData(loc, tensor, folder, bytes);
    if (failed(mapped)) {
      return failure();
    }
    raw = ArrayRef<char>((*mapped)->getBufferStart(), bytes);
    owner = std::shared_ptr<const void>(std::move(*mapped));
  } else if (tensor.has_raw_data()) {
    raw = ArrayRef<char>(tensor.raw_data().data(), tensor.raw_data().size());
    if (raw.size() != bytes) {
      return emitError(loc)
             << "expected " << bytes << " bytes of tensor data for " << *type
             << ", found " << raw.size();
    }
  } else {
    if (bytes > (size_t(1) << 34)) {
      return emitError(loc) << "expected tensor data for " << *type;
    }
    // Checked before anything of the claimed size is allocated.
    int64_t present =
        std::max({tensor.float_data_size(), tensor.double_data_size(),
                  tensor.int32_data_size(), tensor.int64_data_size(),
                  tensor.uint64_data_size()});
    bool isComplex = isa<ComplexType>(type->getElementType());
    int64_t expected = isPacked ? bytes : isComplex ? 2 * elements : elements;
    if (present != expected) {
      return emitError(loc) << "expected " << expected
                            << " elements of tensor data, found " << present;
    }
    if (isPacked) {
      SmallVector<char> packed(tensor.int32_data().begin(),
                               tensor.int32_data().end());
      packed.resize(bytes);
      return Contents{*type, {}, nullptr, unpack(*type, packed)};
    }
    interpreter::Tensor converted(*type);
    // Of complex numbers the fields hold the parts in turn.
    interpreter::Tensor fields = converted.withParts();
    if (failed(copyTypedData(loc, tensor, fields))) {
      return failure();
    }
    return Contents{*type, {}, nullptr, std::move(converted)};
  }
  if (isPacked) {
    return Contents{*type, {}, nullptr, unpack(*type, raw)};
  }
  if (isBool) {
    // Any non-zero byte is true.
    interpreter::Tensor copy(*type);
    for (auto [byte, out] : llvm::zip_equal(raw, copy.getMutableBytes())) {
      out = static_cast<char>(byte != 0);
    }
    return Contents{*type, {}, nullptr, std::move(copy)};
  }
  return Contents{*type, raw, std::move(owner), std::nullopt};
}

static interpreter::Tensor copyBytes(RankedTensorType type,
                                     ArrayRef<char> bytes) {
  interpreter::Tensor copy(type);
  llvm::copy(bytes, copy.getMutableBytes().begin());
  return copy;
}

FailureOr<ElementsAttr>
onnx_import::importTensor(Location loc, const TensorProto &tensor,
                          std::shared_ptr<const void> owner, StringRef folder) {
  FailureOr<Contents> contents =
      readContents(loc, tensor, std::move(owner), folder);
  if (failed(contents)) {
    return failure();
  }
  RankedTensorType type = contents->type;
  if (contents->copy) {
    return contents->copy->toAttr();
  }
  if (type.getNumElements() <= kMaxDenseElements) {
    return copyBytes(type, contents->raw).toAttr();
  }
  return wrapBlob(type, tensor.name(), contents->raw,
                  std::move(contents->owner));
}

FailureOr<interpreter::Tensor>
onnx_import::readTensor(Location loc, const TensorProto &tensor,
                        StringRef folder) {
  FailureOr<Contents> contents =
      readContents(loc, tensor, /*owner=*/nullptr, folder);
  if (failed(contents)) {
    return failure();
  }
  return contents->copy ? std::move(*contents->copy)
                        : copyBytes(contents->type, contents->raw);
}
