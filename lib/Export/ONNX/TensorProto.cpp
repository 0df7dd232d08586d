//===- TensorProto.cpp - Types and constants as ONNX's --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorProto.h"
#include "OperatorForms.h"

#include "nacre/Dialect/IE/IR/Sequence.h"
#include "nacre/Dialect/IE/Utils/SmallNumbers.h"
#include "nacre/Export/ONNX/Export.h"
#include "nacre/Import/ONNX/TensorProto.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::onnx_export;
using onnx::TensorProto;

/// The type of the tensors in a value; of a map that of its values.
static Type getInnermost(Type type) {
  if (auto sequence = dyn_cast<IE::SequenceType>(type)) {
    return getInnermost(sequence.getElementType());
  }
  if (auto optional = dyn_cast<IE::OptionalType>(type)) {
    return getInnermost(optional.getElementType());
  }
  if (auto map = dyn_cast<IE::MapType>(type)) {
    return map.getValue();
  }
  return getElementTypeOrSelf(type);
}

int64_t onnx_export::getOpset(Type type) {
  Type element = getInnermost(type);
  if (element.isInteger(2)) {
    return 25;
  }
  return isa<Float8E8M0FNUType>(element)  ? 24
         : isa<Float4E2M1FNType>(element) ? 23
                                          : kDefaultOpset;
}

static bool writeTensorType(TensorType type, ArrayAttr dimensions,
                            onnx::TypeProto_Tensor &proto) {
  std::optional<int32_t> element = getONNXDataType(type.getElementType());
  if (!element) {
    return false;
  }
  proto.set_elem_type(*element);
  if (!type.hasRank()) {
    return true;
  }
  onnx::TensorShapeProto &shape = *proto.mutable_shape();
  for (auto [i, size] : llvm::enumerate(type.getShape())) {
    onnx::TensorShapeProto_Dimension &dim = *shape.add_dim();
    if (!ShapedType::isDynamic(size)) {
      dim.set_dim_value(size);
    } else if (dimensions && i < dimensions.size()) {
      StringRef name = cast<StringAttr>(dimensions[i]).getValue();
      if (!name.empty()) {
        dim.set_dim_param(name.str());
      }
    }
  }
  return true;
}

bool onnx_export::writeType(Type type, ArrayAttr dimensions,
                            onnx::TypeProto &proto) {
  if (auto sequence = dyn_cast<IE::SequenceType>(type)) {
    return writeType(sequence.getElementType(), {},
                     *proto.mutable_sequence_type()->mutable_elem_type());
  }
  if (auto optional = dyn_cast<IE::OptionalType>(type)) {
    return writeType(optional.getElementType(), {},
                     *proto.mutable_optional_type()->mutable_elem_type());
  }
  if (auto map = dyn_cast<IE::MapType>(type)) {
    std::optional<int32_t> key = getONNXDataType(map.getKey());
    proto.mutable_map_type()->set_key_type(key.value_or(0));
    return key && writeType(RankedTensorType::get({}, map.getValue()), {},
                            *proto.mutable_map_type()->mutable_value_type());
  }
  auto tensor = dyn_cast<TensorType>(type);
  return tensor &&
         writeTensorType(tensor, dimensions, *proto.mutable_tensor_type());
}

RawData::RawData(interpreter::Tensor source) : tensor(std::move(source)) {
  if (!IE::isPacked(tensor.getElementType())) {
    return;
  }
  // The lowest bits of each byte first.
  unsigned bits = tensor.getElementType().getIntOrFloatBitWidth();
  unsigned perByte = 8 / bits;
  packed.resize(llvm::divideCeil(tensor.getNumElements(), perByte));
  for (auto [i, code] : llvm::enumerate(tensor.getBytes())) {
    packed[i / perByte] |=
        static_cast<char>(static_cast<uint8_t>(code) << (i % perByte * bits));
  }
}

FailureOr<std::optional<RawData>> onnx_export::writeTensor(ElementsAttr value,
                                                           TensorProto &proto) {
  FailureOr<interpreter::Tensor> tensor = interpreter::Tensor::fromAttr(value);
  if (failed(tensor)) {
    return failure();
  }
  std::optional<int32_t> element = getONNXDataType(tensor->getElementType());
  if (!element) {
    return failure();
  }
  proto.set_data_type(*element);
  for (int64_t size : tensor->getShape()) {
    proto.add_dims(size);
  }
  if (!tensor->hasStrings()) {
    return std::optional<RawData>(RawData(*tensor));
  }
  for (StringRef text : tensor->values<interpreter::String>()) {
    proto.add_string_data(text.str());
  }
  return std::optional<RawData>();
}

std::string nacre::formatTensorProto(StringRef name,
                                     const interpreter::Tensor &tensor) {
  TensorProto proto;
  proto.set_name(name.str());
  proto.set_data_type(*getONNXDataType(tensor.getElementType()));
  for (int64_t dim : tensor.getShape()) {
    proto.add_dims(dim);
  }
  ArrayRef<char> bytes = tensor.getBytes();
  proto.set_raw_data(bytes.data(), bytes.size());
  return proto.SerializeAsString();
}
