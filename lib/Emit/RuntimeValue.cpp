//===- RuntimeValue.cpp - Data as values of the runtime -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inputs are viewed, outputs copied.
//
//===----------------------------------------------------------------------===//

#include "RuntimeValue.h"

#include "nacre/Dialect/IE/IR/Sequence.h"
#include "nacre/Dialect/IE/Utils/SmallNumbers.h"
#include "nacre/Dialect/Runtime/IR/ElementTypes.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace nacre;
using interpreter::Datum;
using interpreter::Tensor;

static FailureOr<nacre_value *> createStrings(Location loc,
                                              const Tensor &tensor) {
  std::vector<std::string> texts;
  for (StringRef text : tensor.values<interpreter::String>()) {
    if (text.contains('\0')) {
      return emitError(loc) << "unsupported string with a zero in it, where "
                               "strings end in compiled code";
    }
    texts.push_back(text.str());
  }
  SmallVector<const char *> pointers;
  for (const std::string &text : texts) {
    pointers.push_back(text.c_str());
  }
  ArrayRef<int64_t> shape = tensor.getShape();
  return nacre_tensor_of_strings(static_cast<int64_t>(shape.size()),
                                 shape.data(), pointers.data());
}

FailureOr<RuntimeValue> RuntimeValue::create(Location loc, const Datum &datum,
                                             Type type) {
  if (auto map = dyn_cast<IE::MapType>(type); map && datum.isMap()) {
    SmallVector<RuntimeValue> parts;
    for (auto [part, element] :
         llvm::zip_equal(datum.getElements(),
                         SmallVector<Type>{map.getKey(), map.getValue()})) {
      Type found = part.getTensor().getElementType();
      if (found != element) {
        return emitError(loc)
               << "expected a map of type " << type << ", found " << found;
      }
      FailureOr<RuntimeValue> value =
          create(loc, part, part.getTensor().getType());
      if (failed(value)) {
        return failure();
      }
      parts.push_back(std::move(*value));
    }
    return RuntimeValue(nacre_map_new(parts[0].get(), parts[1].get()));
  }
  if (!datum.isTensor()) {
    auto sequence = dyn_cast<IE::SequenceType>(type);
    auto optional = dyn_cast<IE::OptionalType>(type);
    if (datum.isMap() || (!sequence && !optional)) {
      return emitError(loc)
             << "expected a value of type " << type << ", found a list";
    }
    Type held =
        sequence ? sequence.getElementType() : optional.getElementType();
    SmallVector<RuntimeValue> owners;
    SmallVector<nacre_value *> elements;
    for (const Datum &element : datum.getElements()) {
      FailureOr<RuntimeValue> value = create(loc, element, held);
      if (failed(value)) {
        return failure();
      }
      elements.push_back(value->get());
      owners.push_back(std::move(*value));
    }
    return RuntimeValue(
        sequence ? nacre_sequence_new(static_cast<int64_t>(elements.size()),
                                      elements.data())
                 : nacre_optional_new(elements.empty() ? nullptr
                                                       : elements.front()));
  }
  const Tensor &tensor = datum.getTensor();
  if (!isa<TensorType>(type)) {
    return emitError(loc) << "expected a value of type " << type
                          << ", found a tensor";
  }
  if (tensor.hasStrings()) {
    FailureOr<nacre_value *> strings = createStrings(loc, tensor);
    if (failed(strings)) {
      return failure();
    }
    return RuntimeValue(*strings);
  }
  ArrayRef<int64_t> shape = tensor.getShape();
  auto rank = static_cast<int64_t>(shape.size());
  char *data = const_cast<char *>(tensor.getBytes().data());
  int64_t number = rt::getTypeNumber(tensor.getElementType());
  if (IE::isPacked(tensor.getElementType())) {
    RuntimeValue codes(
        nacre_tensor_wrap(NACRE_UINT8, rank, shape.data(), data));
    return RuntimeValue(nacre_tensor_pack(codes.get(), number));
  }
  return RuntimeValue(nacre_tensor_wrap(number, rank, shape.data(), data));
}

Datum nacre::readRuntimeValue(MLIRContext &context, const nacre_value *value) {
  if (nacre_is_map(value)) {
    return Datum::map(
        readRuntimeValue(context, nacre_map_keys(value)).getTensor(),
        readRuntimeValue(context, nacre_map_values(value)).getTensor());
  }
  if (!nacre_is_tensor(value)) {
    std::vector<Datum> elements;
    for (int64_t i = 0; i < nacre_length(value); ++i) {
      elements.push_back(readRuntimeValue(context, nacre_element(value, i)));
    }
    return Datum::list(std::move(elements));
  }
  SmallVector<int64_t> shape;
  for (int64_t i = 0; i < nacre_tensor_rank(value); ++i) {
    shape.push_back(nacre_tensor_dim(value, i));
  }
  Tensor tensor(RankedTensorType::get(
      shape, rt::getElementType(&context, nacre_tensor_type(value))));
  if (tensor.hasStrings()) {
    const auto *texts =
        reinterpret_cast<const char *const *>(nacre_tensor_data(value));
    for (auto [i, out] :
         llvm::enumerate(tensor.mutableValues<interpreter::String>())) {
      out = interpreter::String(&context, texts[i]);
    }
    return tensor;
  }
  MutableArrayRef<char> bytes = tensor.getMutableBytes();
  if (IE::isPacked(tensor.getElementType())) {
    RuntimeValue codes(nacre_tensor_unpack(value));
    std::copy_n(nacre_tensor_data(codes.get()), bytes.size(), bytes.begin());
    return tensor;
  }
  std::copy_n(nacre_tensor_data(value), bytes.size(), bytes.begin());
  return tensor;
}
