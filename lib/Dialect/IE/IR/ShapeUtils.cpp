//===- ShapeUtils.cpp - Shape arithmetic of ONNX --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements the shape computations shared by the operator families.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/Utils/ShapeUtils.h"
#include "nacre/Dialect/IE/Utils/ConstantFloats.h"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace nacre;

ElementsAttr IE::getConstantElements(Value value) {
  ElementsAttr elements;
  if (!value || !matchPattern(value, m_Constant(&elements))) {
    return {};
  }
  return elements;
}

/// Calls `visit` with every one of `count` integers of type T.
template <typename T>
static void forEachOf(ArrayRef<char> data, int64_t count,
                      llvm::function_ref<void(int64_t)> visit) {
  for (int64_t i = 0; i < count; ++i) {
    T value;
    memcpy(&value, data.data() + i * sizeof(value), sizeof(value));
    visit(static_cast<int64_t>(value));
  }
}

/// Calls `visit` with every integer of `elements`.
static LogicalResult forEachInt(ElementsAttr elements,
                                llvm::function_ref<void(int64_t)> visit) {
  auto type = dyn_cast<IntegerType>(elements.getElementType());
  if (!type) {
    return failure();
  }
  if (auto dense = dyn_cast<DenseIntElementsAttr>(elements)) {
    for (const APInt &value : dense.getValues<APInt>()) {
      visit(type.isUnsigned() ? static_cast<int64_t>(value.getZExtValue())
                              : value.getSExtValue());
    }
    return success();
  }
  auto resource = dyn_cast<DenseResourceElementsAttr>(elements);
  if (!resource || !resource.getRawHandle().getBlob()) {
    return failure();
  }
  ArrayRef<char> data = resource.getRawHandle().getBlob()->getData();
  int64_t count = elements.getNumElements();
  bool isUnsigned = type.isUnsigned();
  switch (type.getWidth()) {
  case 64:
    forEachOf<int64_t>(data, count, visit);
    return success();
  case 32:
    isUnsigned ? forEachOf<uint32_t>(data, count, visit)
               : forEachOf<int32_t>(data, count, visit);
    return success();
  case 16:
    isUnsigned ? forEachOf<uint16_t>(data, count, visit)
               : forEachOf<int16_t>(data, count, visit);
    return success();
  case 8:
    isUnsigned ? forEachOf<uint8_t>(data, count, visit)
               : forEachOf<int8_t>(data, count, visit);
    return success();
  default:
    return failure();
  }
}

std::optional<SmallVector<int64_t>> IE::getConstantInts(Value value) {
  ElementsAttr elements = getConstantElements(value);
  SmallVector<int64_t> ints;
  if (!elements || failed(forEachInt(elements, [&](int64_t element) {
        ints.push_back(element);
      }))) {
    return std::nullopt;
  }
  return ints;
}

std::optional<SmallVector<double>> IE::getConstantFloats(Value value) {
  ElementsAttr elements = getConstantElements(value);
  if (!elements || !isa<FloatType>(elements.getElementType())) {
    return std::nullopt;
  }
  SmallVector<double> floats;
  if (auto dense = dyn_cast<DenseFPElementsAttr>(elements)) {
    for (const APFloat &element : dense.getValues<APFloat>()) {
      APFloat copy = element;
      bool lossy;
      copy.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lossy);
      floats.push_back(copy.convertToDouble());
    }
    return floats;
  }
  ConstantFloats resource(value);
  if (!resource) {
    return std::nullopt;
  }
  for (size_t i = 0; i < resource.size(); ++i) {
    floats.push_back(resource[i]);
  }
  return floats;
}

FailureOr<SmallVector<int64_t>>
IE::broadcastShapes(ArrayRef<ArrayRef<int64_t>> shapes) {
  size_t rank = 0;
  for (ArrayRef<int64_t> shape : shapes) {
    rank = std::max(rank, shape.size());
  }
  SmallVector<int64_t> result(rank, 1);
  for (ArrayRef<int64_t> shape : shapes) {
    for (auto [i, dim] : llvm::enumerate(shape)) {
      int64_t &out = result[rank - shape.size() + i];
      if (dim == out || dim == 1) {
        continue;
      }
      if (out == 1 || (ShapedType::isDynamic(out) && dim != 1)) {
        out = dim;
      } else if (!ShapedType::isDynamic(dim)) {
        return failure();
      }
    }
  }
  return result;
}

LogicalResult IE::inferBroadcastType(std::optional<Location> location,
                                     ValueRange operands, Type elementType,
                                     SmallVectorImpl<Type> &inferred) {
  SmallVector<ArrayRef<int64_t>> shapes;
  for (Value operand : operands) {
    shapes.push_back(cast<ShapedType>(operand.getType()).getShape());
  }
  FailureOr<SmallVector<int64_t>> shape = broadcastShapes(shapes);
  if (failed(shape)) {
    if (location) {
      InFlightDiagnostic diag = emitError(*location)
                                << "expected shapes that broadcast, found ";
      llvm::interleaveComma(operands.getTypes(), diag);
    }
    return failure();
  }
  inferred.push_back(RankedTensorType::get(*shape, elementType));
  return success();
}

FailureOr<int64_t> IE::normalizeAxis(std::optional<Location> location,
                                     int64_t axis, int64_t rank) {
  if (axis < -rank || axis >= rank) {
    (void)emitOptionalError(location, "expected an axis in [", -rank, ", ",
                            rank - 1, "], found ", axis);
    return failure();
  }
  return axis < 0 ? axis + rank : axis;
}

FailureOr<SmallVector<int64_t>>
IE::normalizeAxes(std::optional<Location> location, ArrayRef<int64_t> axes,
                  int64_t rank) {
  SmallVector<int64_t> result;
  for (int64_t axis : axes) {
    FailureOr<int64_t> normalized = normalizeAxis(location, axis, rank);
    if (failed(normalized)) {
      return failure();
    }
    if (llvm::is_contained(result, *normalized)) {
      (void)emitOptionalError(location, "expected distinct axes, found ", axis,
                              " twice");
      return failure();
    }
    result.push_back(*normalized);
  }
  return result;
}

int64_t IE::ceilDiv(int64_t a, int64_t b) {
  return a > 0 ? (a + b - 1) / b : -(-a / b);
}
