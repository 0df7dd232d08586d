//===- RuntimeValue.cpp - Data as values of the runtime -------------------===//
//
// Inputs are viewed, outputs copied.
//
//===----------------------------------------------------------------------===//

#include "RuntimeValue.h"

#include "nacre/Runtime/Calls.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace nacre;
using interpreter::Datum;
using interpreter::Tensor;

FailureOr<RuntimeValue> RuntimeValue::create(Location loc, const Datum &datum) {
  if (!datum.isTensor()) {
    return emitError(loc) << "compiled models take tensors only";
  }
  const Tensor &tensor = datum.getTensor();
  ArrayRef<int64_t> shape = tensor.getShape();
  return RuntimeValue(nacre_tensor_wrap(
      getRuntimeType(tensor.getElementType()), shape.size(), shape.data(),
      const_cast<char *>(tensor.getBytes().data())));
}

Datum nacre::readRuntimeValue(MLIRContext &context, const nacre_value *value) {
  SmallVector<int64_t> shape;
  for (int64_t i = 0; i < nacre_tensor_rank(value); ++i) {
    shape.push_back(nacre_tensor_dim(value, i));
  }
  Tensor tensor(RankedTensorType::get(
      shape, getElementTypeOfRuntime(&context, nacre_tensor_type(value))));
  MutableArrayRef<char> bytes = tensor.getMutableBytes();
  std::copy_n(nacre_tensor_data(value), bytes.size(), bytes.begin());
  return tensor;
}
