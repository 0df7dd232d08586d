//===- GraphImporter.cpp - ONNX graphs into IE functions ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The graph as a whole: inputs, initializers, declared types, outputs.
//
//===----------------------------------------------------------------------===//

#include "GraphImporter.h"
#include "Schema.h"
#include "TensorData.h"

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/Sequence.h"
#include "nacre/Dialect/IE/Utils/SmallNumbers.h"
#include "nacre/Dialect/IE/Utils/ValueNames.h"
#include "nacre/Dialect/Nacre/IR/NacreDialect.h"

#include "mlir/IR/TypeUtilities.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::onnx_import;

// docs/Operators.md names it, too.
static constexpr int64_t kNewestTestedOpset = 28;

GraphImporter::GraphImporter(MLIRContext &context,
                             std::shared_ptr<const onnx::ModelProto> model,
                             StringRef path, const ImportOptions &options)
    : context(context), builder(&context), model(std::move(model)),
      path(path.str()), folder(llvm::sys::path::parent_path(path).str()),
      options(options) {
  context.loadDialect<IE::IEDialect, func::FuncDialect>();
}

Location GraphImporter::getLocation(StringRef name) {
  Location file = FileLineColLoc::get(&context, path, 0, 0);
  return name.empty() ? file : NameLoc::get(builder.getStringAttr(name), file);
}

LogicalResult GraphImporter::verifyHeld(Type type, Location loc) {
  Type element = getElementTypeOrSelf(type);
  if (IE::isSmallNumber(element)) {
    return unsupported(loc) << "unsupported type: sequences and optionals of "
                            << element << " are none of ONNX's";
  }
  return success();
}

FailureOr<Type> GraphImporter::getMapType(const onnx::TypeProto_Map &type,
                                          Location loc) {
  Type key = getElementType(&context, type.key_type());
  FailureOr<Type> value = getType(type.value_type(), loc);
  if (failed(value)) {
    return failure();
  }
  // A scalar, of which models say any shape.
  bool isTensor = isa<TensorType>(*value);
  Type element = getElementTypeOrSelf(*value);
  if (!key || !isTensor || !IE::MapType::isValid(key, element)) {
    return unsupported(loc)
           << "unsupported type: a map of " << getDataTypeName(type.key_type())
           << " to " << *value
           << "; keys are int64 or strings, values these, float or double";
  }
  return Type(IE::MapType::get(key, element));
}

FailureOr<Type> GraphImporter::getType(const onnx::TypeProto &type,
                                       Location loc) {
  if (type.has_sequence_type()) {
    FailureOr<Type> element = getType(type.sequence_type().elem_type(), loc);
    if (failed(element) || failed(verifyHeld(*element, loc))) {
      return failure();
    }
    return Type(IE::SequenceType::get(*element));
  }
  if (type.has_optional_type()) {
    FailureOr<Type> element = getType(type.optional_type().elem_type(), loc);
    if (failed(element) || failed(verifyHeld(*element, loc))) {
      return failure();
    }
    return Type(IE::OptionalType::get(*element));
  }
  if (type.has_map_type()) {
    return getMapType(type.map_type(), loc);
  }
  if (!type.has_tensor_type()) {
    return unsupported(loc) << "unsupported type: sparse tensors";
  }
  const auto &tensor = type.tensor_type();
  Type elementType = getElementType(&context, tensor.elem_type());
  if (!elementType) {
    return unsupported(loc) << "unsupported element type "
                            << getDataTypeName(tensor.elem_type());
  }
  if (!tensor.has_shape()) {
    return Type(UnrankedTensorType::get(elementType));
  }
  SmallVector<int64_t> dims;
  for (const auto &dim : tensor.shape().dim()) {
    // Some exporters write -1 for a dimension that is not known.
    bool isKnown = dim.has_dim_value() && dim.dim_value() != -1;
    dims.push_back(isKnown ? dim.dim_value() : ShapedType::kDynamic);
  }
  FailureOr<RankedTensorType> result =
      getTensorType(loc, tensor.elem_type(), dims);
  if (failed(result)) {
    return failure();
  }
  return Type(*result);
}

FailureOr<Type> GraphImporter::getDeclaredType(const onnx::ValueInfoProto &info,
                                               Location loc) {
  bool isUnrankedTensor =
      info.type().has_tensor_type() && !info.type().tensor_type().has_shape();
  if (!info.has_type() || isUnrankedTensor) {
    return Type();
  }
  return getType(info.type(), loc);
}

LogicalResult GraphImporter::define(Scope &scope, StringRef name, Value value,
                                    Location loc) {
  if (name.empty()) {
    return success();
  }
  if (!scope.values.try_emplace(name, value).second) {
    return emitError(loc) << "value '" << name << "' is defined twice";
  }
  // What a function calls its values is not the model's.
  if (scope.graph) {
    IE::setValueName(value, name);
  }
  return success();
}

LogicalResult GraphImporter::importInitializers(
    const onnx::GraphProto &graph, Scope &scope,
    const llvm::StringMap<ElementsAttr> &replaced) {
  for (const onnx::TensorProto &tensor : graph.initializer()) {
    Location loc = getLocation(tensor.name());
    if (!getElementType(&context, tensor.data_type())) {
      return unsupported(loc) << "unsupported element type "
                              << getDataTypeName(tensor.data_type())
                              << " of initializer '" << tensor.name() << "'";
    }
    FailureOr<ElementsAttr> value = replaced.lookup(tensor.name());
    if (!*value) {
      value = importTensor(loc, tensor, model, folder);
    }
    if (failed(value)) {
      return failure();
    }
    Value constant = IE::ConstantOp::create(builder, loc, *value);
    if (failed(define(scope, tensor.name(), constant, loc))) {
      return failure();
    }
  }
  for (const onnx::SparseTensorProto &sparse : graph.sparse_initializer()) {
    const std::string &name = sparse.values().name();
    Location loc = getLocation(name);
    FailureOr<ElementsAttr> value =
        importSparseTensor(loc, sparse, model, folder);
    if (failed(value) ||
        failed(define(scope, name, IE::ConstantOp::create(builder, loc, *value),
                      loc))) {
      return failure();
    }
  }
  return success();
}

LogicalResult
GraphImporter::replaceInitializer(const onnx::TensorProto &initializer,
                                  Type declared,
                                  llvm::StringMap<ElementsAttr> &replaced) {
  Type element = getElementType(&context, initializer.data_type());
  if (!element) {
    return success();
  }
  auto type = dyn_cast_if_present<RankedTensorType>(declared);
  type = type ? type : RankedTensorType::get(initializer.dims(), element);
  FailureOr<ElementsAttr> value = ElementsAttr();
  auto fixed = options.values.find(initializer.name());
  if (fixed != options.values.end()) {
    value = fixed->second(std::nullopt, type);
  } else if (options.replaceInitializer) {
    value = options.replaceInitializer(initializer.name(), type);
  }
  if (failed(value)) {
    return failure();
  }
  replaced[initializer.name()] = *value;
  return success();
}

FailureOr<ElementsAttr> GraphImporter::readFixed(StringRef name,
                                                 unsigned number, Type type) {
  auto it = options.values.find(name);
  return it == options.values.end()
             ? ElementsAttr()
             : it->second(number, dyn_cast_if_present<RankedTensorType>(type));
}

LogicalResult GraphImporter::verifyNamedInputs(const onnx::GraphProto &graph) {
  llvm::StringSet<> initialized, inputs, plain; // plain: not initialized
  for (const onnx::TensorProto &tensor : graph.initializer()) {
    initialized.insert(tensor.name());
  }
  for (const onnx::ValueInfoProto &input : graph.input()) {
    inputs.insert(input.name());
    if (!initialized.contains(input.name())) {
      plain.insert(input.name());
    }
  }
  auto verify = [&](StringRef option, const auto &named, const auto &known) {
    for (const auto &entry : named) {
      if (!known.contains(entry.getKey())) {
        emitError(getLocation("")) << option << " names '" << entry.getKey()
                                   << "', which is no graph input";
        return failure();
      }
    }
    return success();
  };
  return failure(failed(verify("--shape", options.shapes, plain)) ||
                 failed(verify("--value", options.values, inputs)));
}

LogicalResult GraphImporter::importDeclaredTypes(const onnx::GraphProto &graph,
                                                 Scope &scope) {
  for (const auto *values : {&graph.value_info(), &graph.output()}) {
    for (const onnx::ValueInfoProto &info : *values) {
      // A declared type of an unsupported kind is the producer's problem.
      if (!info.has_type() || !info.type().has_tensor_type() ||
          !getElementType(&context, info.type().tensor_type().elem_type())) {
        continue;
      }
      FailureOr<Type> type = getDeclaredType(info, getLocation(info.name()));
      if (failed(type)) {
        return failure();
      }
      if (auto tensor = dyn_cast_if_present<RankedTensorType>(*type)) {
        scope.declared[info.name()] = tensor;
      }
    }
  }
  return success();
}

/// The names that the model gives to the dimensions of an input which `type`
/// leaves open, as strings that are empty elsewhere; null when there are none.
static ArrayAttr getDimensionNames(Builder &builder,
                                   const onnx::ValueInfoProto &value,
                                   Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  const auto &shape = value.type().tensor_type().shape();
  if (!tensor || shape.dim_size() != tensor.getRank()) {
    return {};
  }
  SmallVector<StringRef> names;
  for (int i = 0; i < shape.dim_size(); ++i) {
    names.push_back(tensor.isDynamicDim(i) ? StringRef(shape.dim(i).dim_param())
                                           : StringRef());
  }
  bool isNamed =
      llvm::any_of(names, [](StringRef name) { return !name.empty(); });
  return isNamed ? builder.getStrArrayAttr(names) : ArrayAttr();
}

LogicalResult GraphImporter::importGraph(const onnx::GraphProto &graph) {
  Scope scope;
  scope.graph = &graph;
  for (const onnx::ValueInfoProto &output : graph.output()) {
    scope.outputs.push_back(output.name());
  }
  for (const auto &import : model->opset_import()) {
    scope.opsets[import.domain() == "ai.onnx" ? "" : import.domain()] =
        import.version();
  }
  if (failed(verifyNamedInputs(graph)) ||
      failed(importDeclaredTypes(graph, scope))) {
    return failure();
  }

  llvm::StringMap<const onnx::TensorProto *> initializers;
  for (const onnx::TensorProto &tensor : graph.initializer()) {
    initializers[tensor.name()] = &tensor;
  }
  llvm::StringMap<ElementsAttr> replaced;
  auto function = func::FuncOp::create(builder, getLocation(graph.name()),
                                       "main", builder.getFunctionType({}, {}));
  Block *entry = function.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  SmallVector<Attribute> argumentAttrs;
  unsigned numInputs = 0;
  for (const onnx::ValueInfoProto &input : graph.input()) {
    Location loc = getLocation(input.name());
    FailureOr<Type> type = getDeclaredType(input, loc);
    if (failed(type)) {
      return failure();
    }
    // Old models list initializers among the inputs.
    if (const onnx::TensorProto *value = initializers.lookup(input.name())) {
      if (failed(replaceInitializer(*value, *type, replaced))) {
        return failure();
      }
      continue;
    }
    auto shape = options.shapes.find(input.name());
    if (shape != options.shapes.end()) {
      Type element =
          getElementType(&context, input.type().tensor_type().elem_type());
      auto given = RankedTensorType::get(shape->second, element);
      auto declared = dyn_cast_if_present<RankedTensorType>(*type);
      if (*type &&
          (!declared || failed(verifyCompatibleShape(declared, given)))) {
        return emitError(loc) << "expected a shape that fits the declared "
                              << *type << ", found " << given;
      }
      type = given;
    }
    FailureOr<ElementsAttr> fixed = readFixed(input.name(), numInputs++, *type);
    if (failed(fixed)) {
      return failure();
    }
    if (*fixed) {
      Value constant = IE::ConstantOp::create(builder, loc, *fixed);
      if (failed(define(scope, input.name(), constant, loc))) {
        return failure();
      }
      continue;
    }
    if (!*type) {
      return emitError(loc) << "graph input '" << input.name()
                            << "' has no shape; give one with --shape";
    }
    Value argument = entry->addArgument(*type, loc);
    NamedAttrList attributes;
    attributes.push_back(
        abi::name<abi::Name>(builder.getStringAttr(input.name())));
    if (ArrayAttr dims = getDimensionNames(builder, input, *type)) {
      attributes.push_back(abi::name<abi::Dims>(dims));
    }
    argumentAttrs.push_back(attributes.getDictionary(&context));
    if (failed(define(scope, input.name(), argument, loc))) {
      return failure();
    }
  }
  if (failed(importInitializers(graph, scope, replaced))) {
    return failure();
  }
  FailureOr<SmallVector<Value>> results =
      importNodes(graph.node(), scope, /*depth=*/0);
  if (failed(results)) {
    return failure();
  }
  function.setType(builder.getFunctionType(entry->getArgumentTypes(), {}));
  function.setArgAttrsAttr(builder.getArrayAttr(argumentAttrs));
  return importOutputs(graph, scope, *results, function);
}

FailureOr<SmallVector<Value>> GraphImporter::importRest(Scope &scope,
                                                        unsigned depth) {
  while (!scope.rest.empty()) {
    const onnx::NodeProto &node = *scope.rest.front();
    scope.rest = scope.rest.drop_front();
    if (failed(importNode(node, scope, depth))) {
      return failure();
    }
  }
  if (scope.results) {
    return *scope.results;
  }
  SmallVector<Value> outputs;
  for (StringRef name : scope.outputs) {
    outputs.push_back(scope.lookup(name).value_or(Value()));
    if (!outputs.back()) {
      return emitError(getLocation(name))
             << (!scope.graph   ? "function"
                 : scope.parent ? "subgraph"
                                : "graph")
             << " output '" << name << "' is produced by no node";
    }
  }
  if (!scope.next) {
    return outputs;
  }
  Scope around = *scope.next;
  if (failed(defineAll(around, *scope.node, outputs,
                       getNodeLocation(*scope.node)))) {
    return failure();
  }
  return importRest(around, depth);
}

LogicalResult GraphImporter::importOutputs(const onnx::GraphProto &graph,
                                           const Scope &scope,
                                           ValueRange results,
                                           func::FuncOp function) {
  SmallVector<Attribute> resultAttrs;
  if (graph.output_size() == 0) {
    return emitError(function.getLoc()) << "the graph has no output";
  }
  for (auto [output, result] : llvm::zip_equal(graph.output(), results)) {
    NamedAttrList attributes;
    attributes.push_back(
        abi::name<abi::Name>(builder.getStringAttr(output.name())));
    if (ArrayAttr dims = getDimensionNames(builder, output, result.getType())) {
      attributes.push_back(abi::name<abi::Dims>(dims));
    }
    resultAttrs.push_back(attributes.getDictionary(&context));
    auto wanted = scope.declared.find(output.name());
    if (wanted != scope.declared.end() &&
        getElementTypeOrSelf(wanted->second) !=
            getElementTypeOrSelf(result.getType())) {
      return emitError(getLocation(output.name()))
             << "expected graph output '" << output.name() << "' of type "
             << wanted->second << ", found " << result.getType();
    }
  }
  func::ReturnOp::create(builder, function.getLoc(), results);
  function.setType(
      builder.getFunctionType(function.getArgumentTypes(), results.getTypes()));
  function.setResAttrsAttr(builder.getArrayAttr(resultAttrs));
  return success();
}

ImportResult GraphImporter::run() {
  ImportResult result;
  auto fail = [&]() -> ImportResult {
    result.status =
        isUnsupported ? ImportStatus::Unsupported : ImportStatus::BadInput;
    result.module = nullptr;
    return std::move(result);
  };
  if (!model->has_graph()) {
    emitError(getLocation("")) << "the model has no graph";
    return fail();
  }
  if (model->opset_import_size() == 0) {
    emitError(getLocation("")) << "the model imports no operator set";
    return fail();
  }
  for (const auto &import : model->opset_import()) {
    if (failed(checkOpset(import, getLocation("")))) {
      return fail();
    }
    bool isOnnx = import.domain().empty() || import.domain() == "ai.onnx";
    if (isOnnx && import.version() > kNewestTestedOpset) {
      emitWarning(getLocation(""))
          << "the model uses operator set " << import.version()
          << ", the newest that is tested is " << kNewestTestedOpset
          << "; its operators are taken as in that one";
    }
  }
  result.module = ModuleOp::create(getLocation(""), model->graph().name());
  if (model->metadata_props_size() != 0) {
    SmallVector<StringRef> pairs;
    for (const onnx::StringStringEntryProto &entry : model->metadata_props()) {
      pairs.append({entry.key(), entry.value()});
    }
    abi::set<abi::Metadata>(*result.module, builder.getStrArrayAttr(pairs));
  }
  builder.setInsertionPointToStart(result.module->getBody());
  if (failed(importGraph(model->graph())) || failed(verify(*result.module))) {
    return fail();
  }
  return result;
}
