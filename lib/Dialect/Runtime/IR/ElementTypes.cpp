//===- ElementTypes.cpp - Element types of the runtime --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers them.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/Runtime/IR/ElementTypes.h"

#include "nacre-c/Runtime.h"
#include "nacre/Dialect/IE/IR/IEDialect.h"
#include "nacre/Dialect/IE/Utils/ElementTypes.h"
#include "nacre/Dialect/IE/Utils/SmallNumbers.h"

using namespace mlir;
using namespace nacre;

int64_t rt::getTypeNumber(Type element) {
  if (element.isF32()) {
    return NACRE_FLOAT32;
  }
  if (element.isF64()) {
    return NACRE_FLOAT64;
  }
  if (element.isF16()) {
    return NACRE_FLOAT16;
  }
  if (element.isBF16()) {
    return NACRE_BFLOAT16;
  }
  if (isa<IE::StringType>(element)) {
    return NACRE_STRING;
  }
  if (auto complex = dyn_cast<ComplexType>(element)) {
    return complex.getElementType().isF32() ? NACRE_COMPLEX64
                                            : NACRE_COMPLEX128;
  }
  if (isa<Float8E4M3FNType>(element)) {
    return NACRE_FLOAT8E4M3FN;
  }
  if (isa<Float8E4M3FNUZType>(element)) {
    return NACRE_FLOAT8E4M3FNUZ;
  }
  if (isa<Float8E5M2Type>(element)) {
    return NACRE_FLOAT8E5M2;
  }
  if (isa<Float8E5M2FNUZType>(element)) {
    return NACRE_FLOAT8E5M2FNUZ;
  }
  if (isa<Float4E2M1FNType>(element)) {
    return NACRE_FLOAT4E2M1;
  }
  if (isa<Float8E8M0FNUType>(element)) {
    return NACRE_FLOAT8E8M0;
  }
  bool isUnsigned = element.isUnsignedInteger();
  switch (element.getIntOrFloatBitWidth()) {
  case 1:
    return NACRE_BOOL;
  case 2:
    return isUnsigned ? NACRE_UINT2 : NACRE_INT2;
  case 4:
    return isUnsigned ? NACRE_UINT4 : NACRE_INT4;
  case 8:
    return isUnsigned ? NACRE_UINT8 : NACRE_INT8;
  case 16:
    return isUnsigned ? NACRE_UINT16 : NACRE_INT16;
  case 32:
    return isUnsigned ? NACRE_UINT32 : NACRE_INT32;
  default:
    return isUnsigned ? NACRE_UINT64 : NACRE_INT64;
  }
}

Type rt::getElementType(MLIRContext *context, int64_t number) {
  return IE::findElementType(
      context, [&](Type element) { return getTypeNumber(element) == number; });
}

bool rt::isElementType(Type type) {
  return static_cast<bool>(IE::findElementType(
      type.getContext(), [&](Type element) { return element == type; }));
}

bool rt::isTensorValue(ShapedType type, Type element) {
  return !type.hasStaticShape() || isa<IE::StringType>(element) ||
         IE::isPacked(element);
}
