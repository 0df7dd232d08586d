//===- Map.cpp - Values by keys -------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Type inference and verification of the IE operator family: maps.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/Map.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/Map.cpp.inc"

void IEDialect::registerMapOps() {
  addOperations<
#define GET_OP_LIST
#include "nacre/Dialect/IE/IR/Map.cpp.inc"
      >();
}

static bool isKey(Type type) {
  return type.isSignlessInteger(64) || isa<StringType>(type);
}

static bool isValue(Type type) {
  return isKey(type) || type.isF32() || type.isF64();
}

bool MapType::isValid(Type key, Type value) {
  return isKey(key) && isValue(value);
}

LogicalResult
MapType::verify(llvm::function_ref<InFlightDiagnostic()> emitError, Type key,
                Type value) {
  if (!isKey(key)) {
    return emitError() << "expected keys that are i64 or !IE.String, found "
                       << key;
  }
  if (!isValue(value)) {
    return emitError() << "expected values that are i64, f32, f64 or "
                          "!IE.String, found "
                       << value;
  }
  return success();
}

LogicalResult ZipMapOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &inferred) {
  inferred.push_back(SequenceType::get(
      MapType::get(getElementTypeOrSelf(adaptor.getLabels()),
                   getElementTypeOrSelf(adaptor.getInput()))));
  return success();
}

LogicalResult ZipMapOp::verify() {
  int64_t columns = cast<ShapedType>(getInput().getType()).getShape().back();
  int64_t labels = cast<ShapedType>(getLabels().getType()).getDimSize(0);
  if (failed(verifyCompatibleShape({columns}, {labels}))) {
    return emitOpError("expected a label for each of ")
           << columns << " columns, found " << labels;
  }
  return success();
}

LogicalResult MapGetOp::inferReturnTypes(MLIRContext *context,
                                         std::optional<Location>,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &inferred) {
  int64_t count = cast<ShapedType>(adaptor.getKeys().getType()).getDimSize(0);
  Type value = cast<MapType>(adaptor.getMap().getType()).getValue();
  inferred.push_back(RankedTensorType::get({1, count}, value));
  inferred.push_back(
      RankedTensorType::get({1, count}, IntegerType::get(context, 1)));
  return success();
}

LogicalResult MapGetOp::verify() {
  Type key = cast<MapType>(getMap().getType()).getKey();
  if (getElementTypeOrSelf(getKeys()) != key) {
    return emitOpError("expected keys of the map's type ")
           << key << ", found " << getKeys().getType();
  }
  return success();
}

LogicalResult MapValuesOp::inferReturnTypes(MLIRContext *,
                                            std::optional<Location>,
                                            Adaptor adaptor,
                                            SmallVectorImpl<Type> &inferred) {
  inferred.push_back(RankedTensorType::get(
      {1, ShapedType::kDynamic},
      cast<MapType>(adaptor.getMap().getType()).getValue()));
  return success();
}
