//===- DataFiles.cpp - Files of values ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the inputs and outputs that lie beside models: tensors, sequences, maps
// and optional values, a message of ONNX each.
//
//===----------------------------------------------------------------------===//

#include "TensorData.h"

#include "nacre/Dialect/IE/IR/Sequence.h"
#include "nacre/Import/ONNX/TensorProto.h"
#include "nacre/Interpreter/Tensor.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/Path.h"

#include <fstream>
#include <onnx/onnx-data_pb.h>

using namespace mlir;
using namespace nacre;
using namespace nacre::onnx_import;
using onnx::TensorProto;

/// A tensor of a file, beside which others may hold its data.
static FailureOr<interpreter::Tensor>
readTensorOf(Location loc, const TensorProto &proto, StringRef path) {
  return readTensor(loc, proto, llvm::sys::path::parent_path(path));
}

/// The values of a map, scalars, as a vector.
static FailureOr<interpreter::Tensor>
readMapValues(Location loc, const onnx::SequenceProto &proto, StringRef path) {
  SmallVector<interpreter::Tensor> scalars;
  for (const TensorProto &tensor : proto.tensor_values()) {
    FailureOr<interpreter::Tensor> value = readTensorOf(loc, tensor, path);
    if (failed(value)) {
      return failure();
    }
    if (value->getNumElements() != 1 ||
        (!scalars.empty() &&
         value->getElementType() != scalars.front().getElementType())) {
      return emitError(loc) << "expected single values of one type in a map";
    }
    scalars.push_back(*value);
  }
  Type element = scalars.empty() ? Type(Float32Type::get(loc.getContext()))
                                 : scalars.front().getElementType();
  interpreter::Tensor values(
      RankedTensorType::get(static_cast<int64_t>(scalars.size()), element));
  char *out = values.getMutableBytes().data();
  for (const interpreter::Tensor &scalar : scalars) {
    out = llvm::copy(scalar.getBytes(), out);
  }
  return values;
}

static FailureOr<interpreter::Datum>
readMap(Location loc, const onnx::MapProto &proto, StringRef path) {
  FailureOr<interpreter::Tensor> values =
      readMapValues(loc, proto.values(), path);
  if (failed(values)) {
    return failure();
  }
  MLIRContext *context = loc.getContext();
  bool hasStrings = proto.key_type() == TensorProto::STRING;
  int64_t count = hasStrings ? proto.string_keys_size() : proto.keys_size();
  if (count != values->getNumElements() ||
      (!hasStrings && proto.key_type() != TensorProto::INT64)) {
    return emitError(loc)
           << "expected a map with as many values as keys, which "
              "are int64 or strings";
  }
  Type element = getElementType(context, proto.key_type());
  interpreter::Tensor keys(RankedTensorType::get(count, element));
  for (int i = 0; i < count; ++i) {
    if (hasStrings) {
      keys.mutableValues<interpreter::String>()[i] =
          interpreter::String(context, proto.string_keys(i));
    } else {
      keys.mutableValues<int64_t>()[i] = proto.keys(i);
    }
  }
  return interpreter::Datum::map(keys, *values);
}

static FailureOr<interpreter::Datum>
readSequence(Location loc, const onnx::SequenceProto &proto, StringRef path) {
  std::vector<interpreter::Datum> elements;
  if (proto.elem_type() == onnx::SequenceProto::MAP) {
    for (const onnx::MapProto &map : proto.map_values()) {
      FailureOr<interpreter::Datum> element = readMap(loc, map, path);
      if (failed(element)) {
        return failure();
      }
      elements.push_back(*element);
    }
    return interpreter::Datum::list(std::move(elements));
  }
  if (proto.elem_type() != onnx::SequenceProto::TENSOR) {
    return emitError(loc) << "unsupported sequence: its elements are no "
                             "tensors or maps";
  }
  for (const TensorProto &tensor : proto.tensor_values()) {
    FailureOr<interpreter::Tensor> element = readTensorOf(loc, tensor, path);
    if (failed(element)) {
      return failure();
    }
    elements.push_back(*element);
  }
  return interpreter::Datum::list(std::move(elements));
}

static FailureOr<interpreter::Datum>
readOptional(Location loc, const onnx::OptionalProto &proto, StringRef path) {
  std::vector<interpreter::Datum> elements;
  switch (proto.elem_type()) {
  case onnx::OptionalProto::UNDEFINED:
    break;
  case onnx::OptionalProto::TENSOR: {
    if (!proto.has_tensor_value()) {
      break;
    }
    auto element = readTensorOf(loc, proto.tensor_value(), path);
    if (failed(element)) {
      return failure();
    }
    elements.push_back(*element);
    break;
  }
  case onnx::OptionalProto::SEQUENCE: {
    if (!proto.has_sequence_value()) {
      break;
    }
    auto element = readSequence(loc, proto.sequence_value(), path);
    if (failed(element)) {
      return failure();
    }
    elements.push_back(*element);
    break;
  }
  default:
    return emitError(loc) << "unsupported optional: neither a tensor nor a "
                             "sequence of tensors";
  }
  return interpreter::Datum::list(std::move(elements));
}

template <typename ProtoT>
static LogicalResult parseFile(Location loc, StringRef path, StringRef what,
                               ProtoT &proto) {
  std::ifstream file(path.str(), std::ios::binary);
  if (!file) {
    return emitError(loc) << "cannot open the file";
  }
  if (!proto.ParseFromIstream(&file)) {
    return emitError(loc) << "not a serialised " << what;
  }
  return success();
}

FailureOr<NamedTensor> nacre::readTensorProto(StringRef path,
                                              MLIRContext &context) {
  Location loc = FileLineColLoc::get(&context, path, 0, 0);
  TensorProto proto;
  if (failed(parseFile(loc, path, "TensorProto", proto))) {
    return failure();
  }
  FailureOr<interpreter::Tensor> tensor = readTensorOf(loc, proto, path);
  if (failed(tensor)) {
    return failure();
  }
  return NamedTensor{proto.name(), *tensor};
}

std::string nacre::readTensorName(StringRef path) {
  std::ifstream file(path.str(), std::ios::binary);
  TensorProto proto;
  return proto.ParseFromIstream(&file) ? proto.name() : "";
}

FailureOr<NamedDatum> nacre::readDatumProto(StringRef path, Type type) {
  MLIRContext &context = *type.getContext();
  Location loc = FileLineColLoc::get(&context, path, 0, 0);
  FailureOr<interpreter::Datum> datum = failure();
  std::string name;
  if (isa<IE::SequenceType>(type)) {
    onnx::SequenceProto proto;
    if (failed(parseFile(loc, path, "SequenceProto", proto))) {
      return failure();
    }
    datum = readSequence(loc, proto, path);
    name = proto.name();
  } else if (isa<IE::MapType>(type)) {
    onnx::MapProto proto;
    if (failed(parseFile(loc, path, "MapProto", proto))) {
      return failure();
    }
    datum = readMap(loc, proto, path);
    name = proto.name();
  } else if (isa<IE::OptionalType>(type)) {
    onnx::OptionalProto proto;
    if (failed(parseFile(loc, path, "OptionalProto", proto))) {
      return failure();
    }
    datum = readOptional(loc, proto, path);
    name = proto.name();
  } else {
    FailureOr<NamedTensor> tensor = readTensorProto(path, context);
    if (failed(tensor)) {
      return failure();
    }
    datum = interpreter::Datum(tensor->value);
    name = tensor->name;
  }
  if (failed(datum)) {
    return failure();
  }
  return NamedDatum{name, *datum};
}
