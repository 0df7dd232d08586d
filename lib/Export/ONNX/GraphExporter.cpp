//===- GraphExporter.cpp - IE functions into ONNX graphs ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generic: the operator of the op's name, its operands in order, its attributes
// by name, its regions as subgraphs. OperatorForms.cpp knows what differs.
//
//===----------------------------------------------------------------------===//

#include "GraphExporter.h"
#include "RequireFunction.h"

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/ControlFlow.h"
#include "nacre/Dialect/IE/IR/Quantization.h"
#include "nacre/Dialect/IE/Utils/SmallNumbers.h"
#include "nacre/Dialect/Nacre/IR/NacreDialect.h"
#include "nacre/Import/ONNX/TensorProto.h"

#include <cmath>

using namespace mlir;
using namespace nacre;
using namespace nacre::onnx_export;
using onnx::AttributeProto;

void GraphExporter::require(StringRef domain, int64_t opset) {
  int64_t &version = opsets[domain.str()];
  version = std::max(version, opset);
}

/// Whether a model of the default operator set does not load in ONNX Runtime,
/// as of 1.30, and one of the set before would: where it moves a
/// QuantizeLinear to int8 over other nodes, it notes the type in an attribute
/// that set 21 has, and keeps that when it goes on to make uint8 of int8.
static bool isForOlderOpset(func::FuncOp function) {
  bool hasSignedBytes = false, isNewer = false;
  function.walk([&](Operation *op) {
    auto visit = [&](Type type) {
      isNewer |= IE::isSmallNumber(getElementTypeOrSelf(type));
    };
    llvm::for_each(op->getOperandTypes(), visit);
    llvm::for_each(op->getResultTypes(), visit);
    if (auto quantize = dyn_cast<IE::QuantizeLinearOp>(op)) {
      Type type = getElementTypeOrSelf(quantize.getOutput().getType());
      hasSignedBytes |= type.isSignlessInteger(8);
      isNewer |= type.isInteger(16);
    } else if (auto dequantize = dyn_cast<IE::DequantizeLinearOp>(op)) {
      Type type = getElementTypeOrSelf(dequantize.getInput().getType());
      isNewer |= type.isInteger(16) || dequantize.isBlocked();
    }
  });
  return hasSignedBytes && !isNewer;
}

LogicalResult GraphExporter::run(onnx::ModelProto &model) {
  onnx::GraphProto &graph = *model.mutable_graph();
  if (failed(exportInterface(graph)) ||
      failed(exportBody(function.front(), graph))) {
    return failure();
  }
  Operation *end = function.front().getTerminator();
  for (auto [i, value] : llvm::enumerate(end->getOperands())) {
    std::string name = GraphNames::getResultName(function, i);
    if (names.getName(value) != name) {
      addIdentity(value, name, graph);
    }
  }
  if (int64_t &version = opsets[""];
      version == kDefaultOpset && isForOlderOpset(function)) {
    version = kDefaultOpset - 1;
  }
  if (opsets.count(kDomain.str())) {
    writeRequireFunction(*model.add_functions(), opsets.at(""));
  }
  for (const auto &[domain, version] : opsets) {
    onnx::OperatorSetIdProto &import = *model.add_opset_import();
    import.set_domain(domain);
    import.set_version(version);
  }
  return success();
}

LogicalResult GraphExporter::exportValue(Operation *op, StringRef name,
                                         Type type, ArrayAttr dimensions,
                                         onnx::ValueInfoProto &proto) {
  proto.set_name(name.str());
  if (!writeType(type, dimensions, *proto.mutable_type())) {
    return op->emitError() << "ONNX has no type " << type << ", that of '"
                           << name << "'";
  }
  require("", getOpset(type));
  return success();
}

LogicalResult GraphExporter::exportInterface(onnx::GraphProto &graph) {
  for (BlockArgument argument : function.getArguments()) {
    unsigned i = argument.getArgNumber();
    if (failed(exportValue(
            function, names.getName(argument), argument.getType(),
            abi::getOfArgument<abi::Dims>(function, i), *graph.add_input()))) {
      return failure();
    }
  }
  llvm::StringMap<Value> seen;
  for (BlockArgument argument : function.getArguments()) {
    seen[names.getName(argument)] = argument;
  }
  Operation *end = function.front().getTerminator();
  for (auto [i, type] : llvm::enumerate(function.getResultTypes())) {
    std::string name = GraphNames::getResultName(function, i);
    Value value = end->getOperand(i);
    auto [it, isNew] = seen.try_emplace(name, value);
    // An argument may be given as it is.
    if (!isNew && (it->second != value || !isa<BlockArgument>(value))) {
      return function.emitError()
             << "two arguments or results are called '" << name << "'";
    }
    // Once.
    it->second = Value();
    if (failed(exportValue(function, name, type,
                           abi::getOfResult<abi::Dims>(function, i),
                           *graph.add_output()))) {
      return failure();
    }
  }
  return success();
}

LogicalResult GraphExporter::exportBody(Block &block, onnx::GraphProto &graph) {
  for (Operation &op : block.without_terminator()) {
    if (!names.isKept(&op)) {
      continue;
    }
    if (failed(isa<IE::ConstantOp>(op) ? exportConstant(&op, graph)
                                       : exportNode(&op, graph))) {
      return failure();
    }
  }
  return success();
}

LogicalResult GraphExporter::exportConstant(Operation *op,
                                            onnx::GraphProto &graph) {
  auto constant = cast<IE::ConstantOp>(op);
  onnx::TensorProto &tensor = *graph.add_initializer();
  tensor.set_name(names.getName(constant.getOutput()));
  FailureOr<std::optional<RawData>> data =
      writeTensor(constant.getValue(), tensor);
  if (failed(data)) {
    return op->emitError() << "the constant's elements are not at hand";
  }
  require("", getOpset(constant.getType()));
  if (*data) {
    store(std::move(**data), tensor);
  }
  return success();
}

LogicalResult GraphExporter::exportNode(Operation *op,
                                        onnx::GraphProto &graph) {
  std::optional<OperatorForm> form = findForm(op);
  if (!form) {
    return op->emitError() << op->getName()
                           << " is no operator of ONNX and has no form there; "
                              "nacre compile --emit=ie writes any model";
  }
  onnx::NodeProto &node = *graph.add_node();
  node.set_op_type(form->name.str());
  if (!form->domain.empty()) {
    node.set_domain(form->domain.str());
  }
  node.set_name(names.getNodeName(op));
  for (Value input : getInputs(op)) {
    node.add_input(input ? names.getName(input) : std::string());
  }
  exportOutputs(op, *form, node);
  for (NamedAttribute attribute : getAttributes(op)) {
    if (failed(exportAttribute(op, *form, attribute, *node.add_attribute()))) {
      return failure();
    }
  }
  require(form->domain, form->opset);
  for (Value result : op->getResults()) {
    std::string name = names.getName(result);
    bool isOutput = llvm::any_of(graph.output(), [&](const auto &output) {
      return output.name() == name;
    });
    if (!name.empty() && !isOutput &&
        failed(exportValue(op, name, result.getType(), {},
                           *graph.add_value_info()))) {
      return failure();
    }
  }
  return exportRegions(op, node);
}

void GraphExporter::exportOutputs(Operation *op, const OperatorForm &form,
                                  onnx::NodeProto &node) {
  unsigned count = op->getNumResults();
  while (count > 0 && names.getName(op->getResult(count - 1)).empty() &&
         isOptionalOutput(form, count - 1)) {
    --count;
  }
  for (Value result : op->getResults().take_front(count)) {
    std::string name = names.getName(result);
    bool isLeftOut =
        name.empty() &&
        isOptionalOutput(form, cast<OpResult>(result).getResultNumber());
    node.add_output(name.empty() && !isLeftOut ? names.makeName(op) : name);
  }
}

LogicalResult GraphExporter::exportType(Operation *op, const OperatorForm &form,
                                        TypeAttr type, AttributeProto &proto) {
  require("", getOpset(type.getValue()));
  if (isTypeAttribute(form, proto.name())) {
    proto.set_type(AttributeProto::TYPE_PROTO);
    if (writeType(type.getValue(), {}, *proto.mutable_tp())) {
      return success();
    }
  } else if (std::optional<int32_t> number = getONNXDataType(type.getValue())) {
    proto.set_type(AttributeProto::INT);
    proto.set_i(*number);
    return success();
  }
  return op->emitError() << "ONNX has no type " << type << ", that of '"
                         << proto.name() << "'";
}

/// The strings of an attribute; nothing for an array of anything else.
static std::optional<SmallVector<StringRef>> getStrings(ArrayAttr array) {
  if (!llvm::all_of(array, llvm::IsaPred<StringAttr>)) {
    return std::nullopt;
  }
  return SmallVector<StringRef>(array.getAsValueRange<StringAttr>());
}

LogicalResult GraphExporter::exportAttribute(Operation *op,
                                             const OperatorForm &form,
                                             NamedAttribute attribute,
                                             AttributeProto &proto) {
  proto.set_name(attribute.getName().str());
  Attribute value = attribute.getValue();
  if (auto type = dyn_cast<TypeAttr>(value)) {
    return exportType(op, form, type, proto);
  }
  if (auto number = dyn_cast<IntegerAttr>(value)) {
    proto.set_type(AttributeProto::INT);
    proto.set_i(number.getInt());
    return success();
  }
  if (auto number = dyn_cast<FloatAttr>(value)) {
    // Seeds are doubles in IE.
    double wide = number.getValueAsDouble();
    auto narrow = static_cast<float>(wide);
    proto.set_type(AttributeProto::FLOAT);
    proto.set_f(narrow);
    if (wide != narrow && !std::isnan(wide)) {
      return op->emitError()
             << "attribute '" << proto.name() << "' is no float of 32 bits";
    }
    return success();
  }
  if (auto text = dyn_cast<StringAttr>(value)) {
    proto.set_type(AttributeProto::STRING);
    proto.set_s(text.str());
    return success();
  }
  if (auto numbers = dyn_cast<DenseI64ArrayAttr>(value)) {
    proto.set_type(AttributeProto::INTS);
    proto.mutable_ints()->Add(numbers.asArrayRef().begin(),
                              numbers.asArrayRef().end());
    return success();
  }
  if (auto numbers = dyn_cast<DenseF32ArrayAttr>(value)) {
    proto.set_type(AttributeProto::FLOATS);
    proto.mutable_floats()->Add(numbers.asArrayRef().begin(),
                                numbers.asArrayRef().end());
    return success();
  }
  if (auto array = dyn_cast<ArrayAttr>(value)) {
    if (std::optional<SmallVector<StringRef>> texts = getStrings(array)) {
      proto.set_type(AttributeProto::STRINGS);
      for (StringRef text : *texts) {
        proto.add_strings(text.str());
      }
      return success();
    }
  }
  if (auto elements = dyn_cast<ElementsAttr>(value)) {
    proto.set_type(AttributeProto::TENSOR);
    FailureOr<std::optional<RawData>> data =
        writeTensor(elements, *proto.mutable_t());
    if (succeeded(data)) {
      if (*data) {
        ArrayRef<char> bytes = (*data)->get();
        proto.mutable_t()->set_raw_data(bytes.data(), bytes.size());
      }
      return success();
    }
  }
  return op->emitError() << "attribute '" << proto.name()
                         << "' has no form in ONNX: " << value;
}

/// What the subgraph of a region is called.
static StringRef getRegionName(Operation *op, unsigned number) {
  if (isa<IE::IfOp>(op)) {
    return number == 0 ? "then_branch" : "else_branch";
  }
  return "body";
}

LogicalResult GraphExporter::exportRegions(Operation *op,
                                           onnx::NodeProto &node) {
  for (Region &region : op->getRegions()) {
    AttributeProto &attribute = *node.add_attribute();
    attribute.set_name(getRegionName(op, region.getRegionNumber()).str());
    attribute.set_type(AttributeProto::GRAPH);
    attribute.mutable_g()->set_name(node.name() + "." + attribute.name());
    if (failed(exportRegion(region, *attribute.mutable_g()))) {
      return failure();
    }
  }
  return success();
}

LogicalResult GraphExporter::exportRegion(Region &region,
                                          onnx::GraphProto &graph) {
  Block &block = region.front();
  Operation *op = region.getParentOp();
  for (BlockArgument argument : block.getArguments()) {
    if (failed(exportValue(op, names.getName(argument), argument.getType(), {},
                           *graph.add_input()))) {
      return failure();
    }
  }
  // A subgraph gives what its nodes compute, each value once.
  llvm::DenseSet<Value> given;
  SmallVector<std::pair<Value, std::string>> copies;
  for (Value value : block.getTerminator()->getOperands()) {
    std::string name = names.getName(value);
    if (isa<BlockArgument>(value) || value.getParentBlock() != &block ||
        !given.insert(value).second) {
      name = names.makeName(op);
      copies.emplace_back(value, name);
    }
    if (failed(
            exportValue(op, name, value.getType(), {}, *graph.add_output()))) {
      return failure();
    }
  }
  if (failed(exportBody(block, graph))) {
    return failure();
  }
  for (auto &[value, name] : copies) {
    addIdentity(value, name, graph);
  }
  return success();
}

void GraphExporter::addIdentity(Value value, StringRef name,
                                onnx::GraphProto &graph) {
  onnx::NodeProto &node = *graph.add_node();
  node.set_op_type("Identity");
  node.set_name(name.str());
  node.add_input(names.getName(value));
  node.add_output(name.str());
}
