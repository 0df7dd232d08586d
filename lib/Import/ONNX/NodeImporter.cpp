//===- NodeImporter.cpp - ONNX nodes into IE ops --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generic: the IE op of the node's name, its inputs in order, its attributes by
// name, its result types inferred.
//
//===----------------------------------------------------------------------===//

#include "Expansions/Expansions.h"
#include "GraphImporter.h"
#include "InferTypes.h"
#include "Schema.h"
#include "TensorData.h"
#include "Training.h"

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/OperatorDialect.h"
#include "nacre/Dialect/IE/IR/Sequence.h"

#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "llvm/ADT/StringSwitch.h"

#include <onnx/defs/schema.h>

using namespace mlir;
using namespace nacre;
using namespace nacre::onnx_import;

static constexpr StringRef kSegments = "operandSegmentSizes";

/// How many inputs an op has of which any may be left out; 0 for an op whose
/// inputs are in a row.
static unsigned getNumInputSlots(RegisteredOperationName name) {
  if (!name.hasTrait<OpTrait::AttrSizedOperandSegments>()) {
    return 0;
  }
  // An op knows it, if only an op that exists.
  Operation *op = Operation::create(
      OperationState(UnknownLoc::get(name.getContext()), name));
  auto segments = dyn_cast_if_present<DenseI32ArrayAttr>(
      op->getInherentAttr(kSegments).value_or(Attribute()));
  unsigned slots = segments ? segments.size() : 0;
  op->destroy();
  return slots;
}

/// Operators that live on under the name an adapter gives them.
static bool isRenamed(StringRef opType) {
  return opType == "Scatter" || opType == "Upsample";
}

/// The domain as IE knows it.
static StringRef getDomain(const onnx::NodeProto &proto) {
  StringRef domain = proto.domain();
  return domain == "ai.onnx" ? StringRef() : domain;
}

static bool isControlFlow(StringRef opType) {
  return opType == "If" || opType == "Loop" || opType == "Scan";
}

/// What a node is called in messages.
static StringRef getNodeName(const onnx::NodeProto &proto) {
  StringRef name = proto.name();
  for (int i = 0; name.empty() && i < proto.output_size(); ++i) {
    name = proto.output(i);
  }
  return name.empty() ? StringRef(proto.op_type()) : name;
}

Location GraphImporter::getNodeLocation(const onnx::NodeProto &proto) {
  return getLocation(getNodeName(proto));
}

FailureOr<Attribute>
GraphImporter::importAttribute(const onnx::AttributeProto &attribute,
                               Location loc) {
  using onnx::AttributeProto;
  switch (attribute.type()) {
  case AttributeProto::INT:
    // Element types are numbers in ONNX.
    if (attribute.name() == "to" || attribute.name() == "dtype" ||
        attribute.name() == "output_datatype") {
      Type type = getElementType(&context, attribute.i());
      if (!type) {
        return unsupported(loc)
               << "unsupported element type " << getDataTypeName(attribute.i())
               << " in attribute '" << attribute.name() << "'";
      }
      return Attribute(TypeAttr::get(type));
    }
    return Attribute(builder.getI64IntegerAttr(attribute.i()));
  case AttributeProto::FLOAT:
    return Attribute(builder.getF32FloatAttr(attribute.f()));
  case AttributeProto::STRING:
    return Attribute(builder.getStringAttr(attribute.s()));
  case AttributeProto::INTS:
    return Attribute(builder.getDenseI64ArrayAttr(SmallVector<int64_t>(
        attribute.ints().begin(), attribute.ints().end())));
  case AttributeProto::FLOATS:
    return Attribute(builder.getDenseF32ArrayAttr(SmallVector<float>(
        attribute.floats().begin(), attribute.floats().end())));
  case AttributeProto::STRINGS:
    return Attribute(builder.getStrArrayAttr(SmallVector<StringRef>(
        attribute.strings().begin(), attribute.strings().end())));
  case AttributeProto::TYPE_PROTO: {
    FailureOr<Type> type = getType(attribute.tp(), loc);
    if (failed(type)) {
      return failure();
    }
    return Attribute(TypeAttr::get(*type));
  }
  case AttributeProto::TENSOR: {
    FailureOr<ElementsAttr> value =
        importTensor(loc, attribute.t(), model, folder);
    if (failed(value)) {
      return failure();
    }
    return Attribute(*value);
  }
  case AttributeProto::SPARSE_TENSOR: {
    FailureOr<ElementsAttr> value =
        importSparseTensor(loc, attribute.sparse_tensor(), model, folder);
    if (failed(value)) {
      return failure();
    }
    return Attribute(*value);
  }
  default:
    return unsupported(loc)
           << "unsupported kind of attribute '" << attribute.name() << "'";
  }
}

/// Why a node of an operator set of that version may mean something else than
/// the op of a dialect from outside; empty when it does not.
static std::string getReasonTooNew(RegisteredOperationName op,
                                   int64_t version) {
  const IE::OperatorDialectInterface *operators = IE::getOperatorDialect(op);
  if (!operators || version <= operators->getVersion()) {
    return "";
  }
  return ("the plugin has version " + Twine(operators->getVersion()) +
          " of domain '" + operators->getDomain() + "', and the model is of " +
          Twine(version))
      .str();
}

std::string GraphImporter::getReasonUnsupported(const onnx::NodeProto &node,
                                                int64_t opset) {
  StringRef domain = getDomain(node);
  bool isOnnx = domain.empty();
  if (isTrainingOperator(node.domain(), node.op_type())) {
    return "";
  }
  if (isOnnx && (node.op_type() == "Constant" || isRenamed(node.op_type()))) {
    return "";
  }
  if (auto op = IE::findOperator(&context, domain, node.op_type())) {
    return getReasonTooNew(*op, opset);
  }
  if (findExpansion(domain, node.op_type())) {
    return "";
  }
  try {
    const onnx::OpSchema *schema = onnx::OpSchemaRegistry::Schema(
        node.op_type(), std::min<int64_t>(opset, kNewestKnownOpset),
        domain.str());
    if (schema &&
        (schema->HasFunction() || schema->HasContextDependentFunction())) {
      return "";
    }
  } catch (const std::exception &) {
    return "the operator's definition cannot be read";
  }
  if (findModelFunction(node)) {
    return "";
  }
  return isOnnx ? "nacre has no such operator in domain 'ai.onnx'"
                : "nacre has no such operator in domain '" + node.domain() +
                      "', and no plugin is loaded that has it";
}

LogicalResult GraphImporter::importConstant(const onnx::NodeProto &proto,
                                            Scope &scope, Location loc) {
  if (proto.attribute_size() != 1 || proto.output_size() != 1) {
    return emitError(loc) << "expected one value attribute and one output of "
                             "Constant";
  }
  const onnx::AttributeProto *source = &proto.attribute(0);
  FailureOr<Attribute> attribute = importAttribute(*source, loc);
  if (failed(attribute)) {
    return failure();
  }
  ElementsAttr value;
  if (auto elements = dyn_cast<ElementsAttr>(*attribute);
      elements && isa<RankedTensorType>(elements.getShapedType()) &&
      (source->type() == onnx::AttributeProto::TENSOR ||
       source->type() == onnx::AttributeProto::SPARSE_TENSOR)) {
    value = elements;
  } else if (auto number = dyn_cast<IntegerAttr>(*attribute)) {
    value = DenseElementsAttr::get(RankedTensorType::get({}, number.getType()),
                                   Attribute(number));
  } else if (auto number = dyn_cast<FloatAttr>(*attribute)) {
    value = DenseElementsAttr::get(RankedTensorType::get({}, number.getType()),
                                   Attribute(number));
  } else if (auto ints = dyn_cast<DenseI64ArrayAttr>(*attribute)) {
    value = DenseElementsAttr::get(
        RankedTensorType::get({ints.size()}, builder.getI64Type()),
        ints.asArrayRef());
  } else if (auto floats = dyn_cast<DenseF32ArrayAttr>(*attribute)) {
    value = DenseElementsAttr::get(
        RankedTensorType::get({floats.size()}, builder.getF32Type()),
        floats.asArrayRef());
  } else if (auto text = dyn_cast<StringAttr>(*attribute)) {
    value = DenseStringElementsAttr::get(
        RankedTensorType::get({}, IE::StringType::get(&context)),
        text.getValue());
  } else if (auto texts = dyn_cast<ArrayAttr>(*attribute)) {
    SmallVector<StringRef> strings(texts.getAsValueRange<StringAttr>());
    value = DenseStringElementsAttr::get(
        RankedTensorType::get({static_cast<int64_t>(strings.size())},
                              IE::StringType::get(&context)),
        strings);
  } else {
    return unsupported(loc)
           << "unsupported Constant: attribute '" << source->name() << "'";
  }
  Value constant = IE::ConstantOp::create(builder, loc, value);
  return define(scope, proto.output(0), constant, loc);
}

/// `proto` with attributes that refer to those of the function's call replaced
/// by what they refer to; a reference to nothing leaves the default.
static onnx::NodeProto resolveReferences(const onnx::NodeProto &proto,
                                         const Scope &scope) {
  onnx::NodeProto result = proto;
  result.clear_attribute();
  for (const onnx::AttributeProto &attribute : proto.attribute()) {
    if (attribute.ref_attr_name().empty()) {
      *result.add_attribute() = attribute;
    } else if (const onnx::AttributeProto *value =
                   scope.attributes.lookup(attribute.ref_attr_name())) {
      onnx::AttributeProto *added = result.add_attribute();
      *added = *value;
      added->set_name(attribute.name());
    }
  }
  return result;
}

void GraphImporter::seedRandomNode(Node &node) {
  bool isRandom = llvm::StringSwitch<bool>(node.opType)
                      .Cases({"RandomUniform", "RandomUniformLike"}, true)
                      .Cases({"RandomNormal", "RandomNormalLike"}, true)
                      .Cases({"Bernoulli", "Multinomial"}, true)
                      .Default(false);
  Attribute &seed = node.attributes["seed"];
  if (isRandom) {
    // A double holds every seed that NumPy knows.
    auto given = dyn_cast_if_present<FloatAttr>(seed);
    seed = builder.getF64FloatAttr(given ? given.getValueAsDouble()
                                         : numUnseeded++);
  } else if (node.opType == "Dropout" && !seed) {
    seed = builder.getI64IntegerAttr(numUnseeded++);
  } else if (!seed) {
    node.attributes.erase("seed");
  }
}

FailureOr<SmallVector<Value>> GraphImporter::importNodes(const NodeList &nodes,
                                                         Scope &scope,
                                                         unsigned depth) {
  SmallVector<const onnx::NodeProto *> cycle;
  FailureOr<SmallVector<const onnx::NodeProto *>> sorted =
      sortNodes(nodes, cycle);
  if (failed(sorted)) {
    constexpr size_t kMostNames = 8;
    InFlightDiagnostic error = emitError(getNodeLocation(*cycle.front()));
    if (cycle.size() == 1) {
      return error << "the node needs its own result";
    }
    error << "the nodes ";
    llvm::interleaveComma(
        ArrayRef(cycle).take_front(kMostNames), error,
        [&](const auto *node) { error << "'" << getNodeName(*node) << "'"; });
    if (cycle.size() > kMostNames) {
      error << " and " << cycle.size() - kMostNames << " others";
    }
    return error << " form a cycle: each needs a result of the next one";
  }
  scope.rest = *sorted;
  return importRest(scope, depth);
}

LogicalResult GraphImporter::readNode(const onnx::NodeProto &proto,
                                      const Scope &scope, Node &node) {
  for (const std::string &input : proto.input()) {
    if (input.empty()) {
      node.inputs.push_back(Value());
      continue;
    }
    std::optional<Value> value = scope.lookup(input);
    if (!value) {
      return emitError(node.loc) << "input '" << input << "' of "
                                 << proto.op_type() << " is defined nowhere";
    }
    node.inputs.push_back(*value);
  }
  for (int i = 0; i < proto.output_size(); ++i) {
    if (!proto.output(i).empty()) {
      node.numOutputs = i + 1;
    }
    node.outputs.push_back(
        {!proto.output(i).empty(), scope.declared.lookup(proto.output(i))});
  }
  for (const onnx::AttributeProto &attribute : proto.attribute()) {
    FailureOr<Attribute> value = importAttribute(attribute, node.loc);
    if (failed(value)) {
      return failure();
    }
    node.attributes[attribute.name()] = *value;
  }
  return success();
}

LogicalResult GraphImporter::importNode(const onnx::NodeProto &original,
                                        Scope &scope, unsigned depth) {
  bool refers = llvm::any_of(original.attribute(), [](const auto &attribute) {
    return !attribute.ref_attr_name().empty();
  });
  if (refers) {
    // Kept alive: constants may refer to its tensors.
    resolved.push_back(
        std::make_shared<onnx::NodeProto>(resolveReferences(original, scope)));
  }
  const onnx::NodeProto &proto = refers ? *resolved.back() : original;
  Location loc = getNodeLocation(proto);
  StringRef domain = getDomain(proto);
  bool isOnnx = domain.empty();
  auto opset = scope.opsets.find(domain);
  int64_t version = opset == scope.opsets.end() ? 1 : opset->second;
  if (failed(checkSignature(proto, version, loc))) {
    return failure();
  }
  if (isOnnx && proto.op_type() == "Constant") {
    return importConstant(proto, scope, loc);
  }
  if (isOnnx && isControlFlow(proto.op_type())) {
    return importControlFlow(proto, scope, depth);
  }
  // Adapters can rename, so ask for the op of the adapted name below.
  bool isTraining = isTrainingOperator(proto.domain(), proto.op_type());
  std::optional<RegisteredOperationName> op =
      IE::findOperator(&context, domain, proto.op_type());
  bool isForeign = op && IE::getOperatorDialect(*op);
  bool hasOp = op || (isOnnx && isRenamed(proto.op_type()));
  Expansion expansion = findExpansion(domain, proto.op_type());
  std::string tooNew = op ? getReasonTooNew(*op, version) : "";
  if (!tooNew.empty() || (!hasOp && !expansion && !isTraining)) {
    std::shared_ptr<onnx::FunctionProto> body =
        tooNew.empty() ? findFunction(proto, version, &scope) : nullptr;
    if (body) {
      bodies.push_back(body);
      return expandFunction(proto, *body, scope, depth);
    }
    return unsupported(loc)
           << "unsupported operator " << proto.op_type() << " in node '"
           << proto.name() << "': " << getReasonUnsupported(proto, version)
           << "; `nacre info` lists all such nodes";
  }
  Node node{proto.op_type(), version, loc, {}, {}, 0, {}, {}};
  if (failed(readNode(proto, scope, node))) {
    return failure();
  }
  if (isForeign) {
    return createOp(node, *op, /*minInputs=*/0, proto, scope);
  }
  if (node.opType == "Identity" && node.getInput(0) &&
      !isa<TensorType>(node.getInput(0).getType())) {
    return define(scope, proto.output(0), node.getInput(0), loc);
  }
  if (failed(checkKindsOfInputs(proto, node.inputs, loc))) {
    return failure();
  }
  seedRandomNode(node);
  LogicalResult adapted = isTraining ? importTrainingNode(node, scope)
                          : hasOp
                              ? adaptToNewestOpset(builder, node, isUnsupported)
                              : expand(expansion, builder, node, isUnsupported);
  if (failed(adapted) || node.hasMisfit) {
    return failure();
  }
  if (node.results.empty()) {
    op = IE::findOperator(&context, "", node.opType);
    if (!op) {
      return unsupported(loc) << "unsupported operator " << node.opType;
    }
    return createOp(node, *op, getMinInputs(proto, node.opType), proto, scope);
  }
  if (node.numOutputs > node.results.size()) {
    return unsupported(loc) << "unsupported output " << node.results.size()
                            << " of " << node.opType;
  }
  for (auto [name, value] : llvm::zip(proto.output(), node.results)) {
    if (failed(define(scope, name, value, loc))) {
      return failure();
    }
  }
  return success();
}

RankedTensorType onnx_import::refineType(RankedTensorType inferred,
                                         RankedTensorType declared) {
  if (!declared || inferred.getElementType() != declared.getElementType() ||
      failed(verifyCompatibleShape(inferred, declared))) {
    return inferred;
  }
  SmallVector<int64_t> shape(inferred.getShape());
  for (auto [dim, known] : llvm::zip_equal(shape, declared.getShape())) {
    dim = ShapedType::isDynamic(dim) ? known : dim;
  }
  return inferred.clone(shape);
}

LogicalResult GraphImporter::createOp(Node &node, RegisteredOperationName name,
                                      unsigned minInputs,
                                      const onnx::NodeProto &proto,
                                      Scope &scope) {
  Location loc = node.loc;
  OperationState state(loc, name);
  ArrayRef<StringAttr> known = name.getAttributeNames();
  for (auto &[key, value] : node.attributes) {
    if (!llvm::is_contained(known, builder.getStringAttr(key))) {
      return unsupported(loc)
             << "unsupported attribute '" << key << "' of " << node.opType;
    }
    state.addAttribute(key, value);
  }
  while (!node.inputs.empty() && !node.inputs.back()) {
    node.inputs.pop_back();
  }
  if (unsigned slots = getNumInputSlots(name)) {
    if (node.inputs.size() > slots) {
      return emitError(loc) << "expected at most " << slots << " inputs of "
                            << node.opType << ", found " << node.inputs.size();
    }
    SmallVector<int32_t> segments(slots, 0);
    for (auto [i, input] : llvm::enumerate(node.inputs)) {
      segments[i] = input ? 1 : 0;
    }
    state.addAttribute(kSegments, builder.getDenseI32ArrayAttr(segments));
  } else if (llvm::is_contained(node.inputs, Value())) {
    return unsupported(loc)
           << "unsupported " << node.opType << ": a required input is omitted";
  }
  for (Value input : node.inputs) {
    if (input) {
      state.operands.push_back(input);
    }
  }

  if (!name.hasInterface<InferTypeOpInterface>()) {
    return unsupported(loc) << "unsupported operator " << node.opType;
  }
  if (state.operands.size() < minInputs) {
    return emitError(loc) << "expected at least " << minInputs << " inputs of "
                          << node.opType << ", found " << state.operands.size();
  }
  if (failed(inferTypes(state, node.opType))) {
    isMisfit = true;
    return failure();
  }
  if (node.numOutputs > state.types.size()) {
    return unsupported(loc) << "unsupported output " << state.types.size()
                            << " of " << node.opType;
  }
  for (auto [i, type] : llvm::enumerate(state.types)) {
    StringRef output;
    if (static_cast<int>(i) < proto.output_size()) {
      output = proto.output(i);
    }
    RankedTensorType stated = scope.declared.lookup(output);
    if (!isa<TensorType>(type)) {
      continue;
    }
    // Without a rank only the model can say what the result is.
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor && !stated) {
      return unsupported(loc)
             << "unsupported " << node.opType
             << ": the number of its result's dimensions depends on data; "
             << "state the shape of '" << output
             << "' in the model, or what it follows from with --shape";
    }
    tensor = tensor ? refineType(tensor, stated) : stated;
    int64_t elements = 1;
    for (int64_t dim : tensor.getShape()) {
      if (!ShapedType::isDynamic(dim) &&
          (llvm::MulOverflow(elements, std::max<int64_t>(dim, 1), elements) ||
           elements > kMaxElements)) {
        return emitError(loc)
               << "expected a result of a plausible size, found " << tensor;
      }
    }
    type = tensor;
  }
  Operation *op = builder.create(state);
  if (failed(name.verifyInvariants(op))) {
    isMisfit = true;
    return failure();
  }
  for (auto [output, result] : llvm::zip(proto.output(), op->getResults())) {
    if (failed(define(scope, output, result, loc))) {
      return failure();
    }
  }
  return success();
}
