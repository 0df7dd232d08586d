//===- Expander.cpp - Builds the ops a node expands to --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What expansions have in common: reading a node, and building IE ops with
// their types inferred.
//
//===----------------------------------------------------------------------===//

#include "Expander.h"

#include "../InferTypes.h"
#include "../TensorData.h"
#include "../ValueEvaluator.h"

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/ControlFlow.h"
#include "nacre/Dialect/IE/IR/Precision.h"
#include "nacre/Dialect/IE/IR/Shape.h"
#include "nacre/Interpreter/Interpreter.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::onnx_import;
using interpreter::Tensor;

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

void Expander::fail(const Twine &message) {
  if (!failed) {
    failed = true;
    emitError(node.loc) << node.opType << ": " << message;
  }
}

void Expander::reject(const Twine &reason) {
  if (!failed) {
    failed = true;
    unsupported = true;
    emitError(node.loc) << "unsupported " << node.opType << ": " << reason;
  }
}

//===----------------------------------------------------------------------===//
// The node
//===----------------------------------------------------------------------===//

Value Expander::getRequiredInput(unsigned i, StringRef name) {
  Value value = node.getInput(i);
  if (!value) {
    fail("expected input " + Twine(i) + ", '" + name + "'");
  } else if (!isa<RankedTensorType>(value.getType())) {
    fail("expected a tensor as input '" + name + "'");
  }
  return failed ? Value() : value;
}

RankedTensorType Expander::getDeclared(unsigned i) const {
  return i < node.outputs.size() ? node.outputs[i].declared
                                 : RankedTensorType();
}

int64_t Expander::takeInt(StringRef attribute, int64_t otherwise) {
  auto value = node.take<IntegerAttr>(attribute);
  return value ? value.getInt() : otherwise;
}

int64_t Expander::takeRequiredInt(StringRef attribute) {
  if (!has(attribute)) {
    fail("expected attribute '" + attribute + "'");
  }
  return takeInt(attribute, 1);
}

double Expander::takeFloat(StringRef attribute, double otherwise) {
  auto value = node.take<FloatAttr>(attribute);
  return value ? value.getValueAsDouble() : otherwise;
}

std::string Expander::takeString(StringRef attribute, StringRef otherwise) {
  auto value = node.take<StringAttr>(attribute);
  return (value ? value.getValue() : otherwise).str();
}

SmallVector<int64_t> Expander::takeInts(StringRef attribute) {
  auto values = node.take<DenseI64ArrayAttr>(attribute);
  return values ? SmallVector<int64_t>(values.asArrayRef())
                : SmallVector<int64_t>();
}

SmallVector<double> Expander::takeFloats(StringRef attribute) {
  auto values = node.take<DenseF32ArrayAttr>(attribute);
  return values ? llvm::map_to_vector(values.asArrayRef(),
                                      [](float value) { return double(value); })
                : SmallVector<double>();
}

SmallVector<std::string> Expander::takeStrings(StringRef attribute) {
  SmallVector<std::string> strings;
  if (auto values = node.take<ArrayAttr>(attribute)) {
    for (StringAttr value : values.getAsRange<StringAttr>()) {
      strings.push_back(value.str());
    }
  }
  return strings;
}

SmallVector<double> Expander::takeTensor(StringRef attribute) {
  auto value = node.take<ElementsAttr>(attribute);
  if (!value) {
    return {};
  }
  FailureOr<Tensor> tensor = Tensor::fromAttr(value);
  if (mlir::failed(tensor)) {
    fail("expected a tensor with data in '" + attribute + "'");
    return {};
  }
  return llvm::map_to_vector(llvm::seq<int64_t>(0, tensor->getNumElements()),
                             [&](int64_t i) { return tensor->getDouble(i); });
}

Value Expander::takeConstant(StringRef attribute) {
  auto *it = node.attributes.find(attribute);
  if (failed || it == node.attributes.end()) {
    return {};
  }
  auto value = dyn_cast<ElementsAttr>(it->second);
  node.attributes.erase(it);
  if (!value) {
    fail("expected a tensor in '" + attribute + "'");
    return {};
  }
  return IE::ConstantOp::create(builder, node.loc, value);
}

Type Expander::takeType(StringRef attribute) {
  int64_t code = takeInt(attribute, 0);
  if (code == 0) {
    return {};
  }
  Type type = getElementType(builder.getContext(), code);
  if (!type) {
    reject("element type " + getDataTypeName(code) + " in attribute '" +
           attribute + "'");
  }
  return type;
}

SmallVector<NamedAttribute> Expander::takeAttributes() {
  SmallVector<NamedAttribute> attributes;
  for (auto &[name, value] : node.attributes) {
    attributes.push_back(attr(name, value));
  }
  node.attributes.clear();
  return attributes;
}

void Expander::ignore(ArrayRef<StringRef> attributes) {
  for (StringRef attribute : attributes) {
    node.take(attribute);
  }
}

void Expander::setResults(ArrayRef<Value> values) {
  node.results.assign(values.begin(), values.end());
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

RankedTensorType Expander::getType(Value value) {
  return value ? llvm::cast<RankedTensorType>(value.getType())
               : RankedTensorType();
}

int64_t Expander::getRank(Value value) {
  return value ? getType(value).getRank() : 0;
}

int64_t Expander::getDim(Value value, int64_t i) {
  int64_t rank = getRank(value);
  i += i < 0 ? rank : 0;
  return i < 0 || i >= rank ? ShapedType::kDynamic
                            : getType(value).getDimSize(i);
}

Type Expander::getElement(Value value) {
  return value ? getType(value).getElementType() : Type();
}

bool Expander::hasStrings(Value value) {
  return isa_and_present<IE::StringType>(getElement(value));
}

int64_t Expander::normalizeAxis(int64_t axis, int64_t rank) {
  if (axis < -rank || axis >= rank) {
    fail("expected an axis in [" + Twine(-rank) + ", " + Twine(rank) +
         "), found " + Twine(axis));
    return 0;
  }
  return axis < 0 ? axis + rank : axis;
}

/// A type as diagnostics show it.
static std::string describe(Value value) {
  std::string text;
  llvm::raw_string_ostream(text) << value.getType();
  return text;
}

bool Expander::expectRank(Value value, int64_t rank, StringRef name) {
  if (value && !failed && getRank(value) != rank) {
    fail("expected '" + name + "' of " + Twine(rank) + " dimensions, found " +
         describe(value));
  }
  return value && !failed;
}

bool Expander::expectStatic(Value value, StringRef name) {
  if (value && !failed && !getType(value).hasStaticShape()) {
    reject("the shape of '" + name + "', " + describe(value) +
           ", must be known; fix it with --shape");
  }
  return value && !failed;
}

int64_t Expander::getStaticDim(Value value, int64_t i, StringRef name) {
  int64_t dim = getDim(value, i);
  if (value && !failed && ShapedType::isDynamic(dim)) {
    reject("dimension " + Twine(i) + " of '" + name + "', " + describe(value) +
           ", must be known; fix it with --shape");
  }
  return ShapedType::isDynamic(dim) ? 1 : dim;
}

bool Expander::expectPlausible(ArrayRef<int64_t> factors) {
  // More than any grid or table that a model computes with.
  constexpr int64_t kMaxComputed = int64_t(1) << 26;
  int64_t count = 1;
  for (int64_t factor : factors) {
    if (factor < 0 || llvm::MulOverflow(count, factor, count) ||
        count > kMaxComputed) {
      fail("expected sizes of a plausible product, found a factor of " +
           Twine(factor));
      break;
    }
  }
  return !failed;
}

std::optional<SmallVector<int64_t>> Expander::evaluateInts(Value value) {
  if (!value || failed || !getElement(value).isInteger()) {
    return std::nullopt;
  }
  std::optional<Tensor> tensor = ValueEvaluator().getValue(value);
  if (!tensor) {
    return std::nullopt;
  }
  return llvm::map_to_vector(llvm::seq<int64_t>(0, tensor->getNumElements()),
                             [&](int64_t i) { return tensor->getInt(i); });
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

Type Expander::getInt(unsigned bits, bool isUnsigned) {
  return IntegerType::get(builder.getContext(), bits,
                          isUnsigned ? IntegerType::Unsigned
                                     : IntegerType::Signless);
}

Value Expander::buildInts(ArrayRef<int64_t> values) {
  return buildTensor(values, {static_cast<int64_t>(values.size())}, getInt(64));
}

Value Expander::buildIota(int64_t count) {
  constexpr int64_t kMaxConstant = 4096;
  if (count <= kMaxConstant) {
    return buildInts(llvm::to_vector(llvm::seq<int64_t>(0, count)));
  }
  return create<IE::RangeOp>(
      {buildScalar(0, getInt(64)),
       buildScalar(static_cast<double>(count), getInt(64)),
       buildScalar(1, getInt(64))});
}

Value Expander::buildScalar(double value, Type element) {
  return buildTensor(ArrayRef<double>(value), {}, element);
}

template <typename T>
static ElementsAttr getElements(ArrayRef<T> values, RankedTensorType type) {
  Tensor tensor(type);
  interpreter::dispatch(type.getElementType(), [&](auto tag) {
    using E = decltype(tag);
    for (auto [to, from] : llvm::zip_equal(tensor.mutableValues<E>(), values)) {
      if constexpr (std::is_arithmetic_v<E>) {
        to = static_cast<E>(from);
      } else {
        to = E(static_cast<float>(from));
      }
    }
  });
  return tensor.toAttr();
}

Value Expander::buildTensor(ArrayRef<double> values, ArrayRef<int64_t> shape,
                            Type element) {
  if (failed || !element) {
    return {};
  }
  if (IE::isFloatOf16Bits(element)) {
    return cast(buildTensor(values, shape, getF32()), element);
  }
  auto type = RankedTensorType::get(shape, element);
  return IE::ConstantOp::create(builder, node.loc, getElements(values, type));
}

Value Expander::buildTensor(ArrayRef<int64_t> values, ArrayRef<int64_t> shape,
                            Type element) {
  if (failed || !element) {
    return {};
  }
  auto type = RankedTensorType::get(shape, element);
  return IE::ConstantOp::create(builder, node.loc, getElements(values, type));
}

Value Expander::buildStrings(ArrayRef<std::string> values) {
  if (failed) {
    return {};
  }
  auto type = RankedTensorType::get({static_cast<int64_t>(values.size())},
                                    IE::StringType::get(builder.getContext()));
  SmallVector<StringRef> texts(values.begin(), values.end());
  return IE::ConstantOp::create(builder, node.loc,
                                DenseStringElementsAttr::get(type, texts));
}

Value Expander::buildString(StringRef value) {
  if (failed) {
    return {};
  }
  auto type =
      RankedTensorType::get({}, IE::StringType::get(builder.getContext()));
  return IE::ConstantOp::create(builder, node.loc,
                                DenseStringElementsAttr::get(type, value));
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

Value Expander::repeat(int64_t count, Value initial,
                       function_ref<Value(Value)> body) {
  if (failed) {
    return {};
  }
  Value trips = buildTensor(ArrayRef<int64_t>(count), {}, getInt(64));
  auto loop = IE::LoopOp::create(builder, node.loc, initial.getType(), trips,
                                 /*condition=*/Value(), initial);
  OpBuilder::InsertionGuard guard(builder);
  Block *block = builder.createBlock(&loop.getBody());
  block->addArgument(trips.getType(), node.loc);
  Value condition =
      block->addArgument(RankedTensorType::get({}, getInt(1)), node.loc);
  Value next = body(block->addArgument(initial.getType(), node.loc));
  if (!failed && next.getType() != initial.getType()) {
    reject("the loop carries a value that does not keep its type");
  }
  IE::YieldOp::create(builder, node.loc,
                      failed ? ValueRange{} : ValueRange{condition, next});
  return failed ? Value() : loop->getResult(0);
}

Value Expander::mapRows(Value rows, int64_t size,
                        function_ref<Value(Value)> body) {
  if (failed) {
    return {};
  }
  RankedTensorType type = getType(rows);
  auto rowType = RankedTensorType::get(type.getShape().drop_front(),
                                       type.getElementType());
  auto resultType =
      RankedTensorType::get({type.getDimSize(0), size}, type.getElementType());
  auto scan = IE::ScanOp::create(
      builder, node.loc, TypeRange(resultType), ValueRange(rows),
      /*num_scan_inputs=*/1, DenseI64ArrayAttr(), DenseI64ArrayAttr(),
      DenseI64ArrayAttr(), DenseI64ArrayAttr());
  OpBuilder::InsertionGuard guard(builder);
  Block *block = builder.createBlock(&scan.getBody());
  Value element = body(block->addArgument(rowType, node.loc));
  IE::YieldOp::create(builder, node.loc,
                      failed ? ValueRange{} : ValueRange{element});
  return failed ? Value() : scan->getResult(0);
}

std::pair<Value, Value>
Expander::scan(Value initial, ArrayRef<Value> inputs,
               function_ref<std::pair<Value, Value>(Value, ValueRange)> body) {
  if (failed) {
    return {};
  }
  SmallVector<Value> operands = {initial};
  llvm::append_range(operands, inputs);
  // The body says what is stacked.
  auto scan = IE::ScanOp::create(
      builder, node.loc, TypeRange{initial.getType(), initial.getType()},
      operands, inputs.size(), DenseI64ArrayAttr(), DenseI64ArrayAttr(),
      DenseI64ArrayAttr(), DenseI64ArrayAttr());
  OpBuilder::InsertionGuard guard(builder);
  Block *block = builder.createBlock(&scan.getBody());
  block->addArgument(initial.getType(), node.loc);
  for (Value input : inputs) {
    RankedTensorType type = getType(input);
    block->addArgument(RankedTensorType::get(type.getShape().drop_front(),
                                             type.getElementType()),
                       node.loc);
  }
  auto [next, element] =
      body(block->getArgument(0), block->getArguments().drop_front());
  if (!failed && next.getType() != initial.getType()) {
    reject("the recurrence carries a state that does not keep its type");
  }
  IE::YieldOp::create(builder, node.loc,
                      failed ? ValueRange{} : ValueRange{next, element});
  if (failed) {
    return {};
  }
  SmallVector<int64_t> shape = {getDim(inputs.front(), 0)};
  llvm::append_range(shape, getType(element).getShape());
  scan->getResult(1).setType(getType(element).clone(shape));
  return {scan->getResult(0), scan->getResult(1)};
}

SmallVector<Value> Expander::createByName(StringRef name,
                                          ArrayRef<Value> operands,
                                          ArrayRef<NamedAttribute> attributes) {
  OperationName opName(name, builder.getContext());
  RegisteredOperationName info = *opName.getRegisteredInfo();
  OperationState state(node.loc, opName);
  state.addAttributes(attributes);
  bool hasSegments = info.hasTrait<OpTrait::AttrSizedOperandSegments>();
  SmallVector<int32_t> segments;
  for (Value operand : operands) {
    segments.push_back(operand ? 1 : 0);
    if (operand) {
      state.operands.push_back(operand);
    } else if (!hasSegments && !failed) {
      fail("expected all inputs of " + name);
    }
  }
  if (hasSegments) {
    state.addAttribute("operandSegmentSizes",
                       builder.getDenseI32ArrayAttr(segments));
  }
  // More results than any op has whose number of results is fixed.
  SmallVector<Value> nothing(4);
  if (failed) {
    return nothing;
  }
  if (mlir::failed(inferTypes(state, node.opType))) {
    failed = true;
    return nothing;
  }
  for (Type type : state.types) {
    if (isa<UnrankedTensorType>(type)) {
      reject("the number of dimensions of a result depends on data");
      return nothing;
    }
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (tensor && tensor.hasStaticShape() &&
        tensor.getNumElements() > kMaxElements) {
      fail("expected results of a plausible size, found " +
           Twine(tensor.getNumElements()) + " elements");
      return nothing;
    }
  }
  Operation *op = builder.create(state);
  if (mlir::failed(info.verifyInvariants(op))) {
    failed = true;
    return nothing;
  }
  return SmallVector<Value>(op->getResults());
}

NamedAttribute Expander::attr(StringRef name, Attribute value) {
  return builder.getNamedAttr(name, value);
}
NamedAttribute Expander::attr(StringRef name, int64_t value) {
  return attr(name, Attribute(builder.getI64IntegerAttr(value)));
}
NamedAttribute Expander::attr(StringRef name, double value) {
  return attr(name, Attribute(builder.getF32FloatAttr(value)));
}
NamedAttribute Expander::attr(StringRef name, StringRef value) {
  return attr(name, Attribute(builder.getStringAttr(value)));
}
NamedAttribute Expander::attr(StringRef name, ArrayRef<int64_t> value) {
  return attr(name, Attribute(builder.getDenseI64ArrayAttr(value)));
}
