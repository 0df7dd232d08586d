//===- FunctionImporter.cpp - ONNX functions into IE ops ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators IE lacks are expanded when ONNX, or the model, defines them as
// functions of others.
//
//===----------------------------------------------------------------------===//

#include "GraphImporter.h"
#include "Schema.h"
#include "TensorData.h"

#include "nacre/Dialect/IE/IR/Sequence.h"

#include <onnx/defs/function.h>
#include <onnx/defs/schema.h>

using namespace mlir;
using namespace nacre;
using namespace nacre::onnx_import;

// Functions may call functions, but a cycle must end.
static constexpr unsigned kMaxFunctionDepth = 16;

// Fields that are newer than libonnx, which keeps them unread.
static constexpr int kNodeOverload = 8;
static constexpr int kFunctionDefaults = 11;
static constexpr int kFunctionOverload = 13;

/// The strings and messages in a field that libonnx does not know.
static SmallVector<std::string>
getUnknownField(const google::protobuf::Message &message, int number) {
  const google::protobuf::UnknownFieldSet &fields =
      message.GetReflection()->GetUnknownFields(message);
  SmallVector<std::string> values;
  for (int i = 0; i < fields.field_count(); ++i) {
    const google::protobuf::UnknownField &field = fields.field(i);
    if (field.number() == number &&
        field.type() == google::protobuf::UnknownField::TYPE_LENGTH_DELIMITED) {
      values.push_back(field.length_delimited());
    }
  }
  return values;
}

/// ONNX's own type of an IE type, for context-dependent function bodies.
static onnx::TypeProto getTypeProto(Type type) {
  onnx::TypeProto result;
  if (auto sequence = dyn_cast_if_present<IE::SequenceType>(type)) {
    *result.mutable_sequence_type()->mutable_elem_type() =
        getTypeProto(sequence.getElementType());
    return result;
  }
  auto tensor = dyn_cast_if_present<TensorType>(type);
  if (!tensor) {
    return result;
  }
  for (int code = 1; code <= onnx::TensorProto::BFLOAT16; ++code) {
    if (getElementType(type.getContext(), code) == tensor.getElementType()) {
      result.mutable_tensor_type()->set_elem_type(code);
    }
  }
  if (!tensor.hasRank()) {
    return result;
  }
  auto *shape = result.mutable_tensor_type()->mutable_shape();
  for (int64_t dim : tensor.getShape()) {
    auto *added = shape->add_dim();
    if (!ShapedType::isDynamic(dim)) {
      added->set_dim_value(dim);
    }
  }
  return result;
}

const onnx::FunctionProto *
GraphImporter::findModelFunction(const onnx::NodeProto &proto) {
  SmallVector<std::string> overload = getUnknownField(proto, kNodeOverload);
  for (const onnx::FunctionProto &function : model->functions()) {
    if (function.name() == proto.op_type() &&
        function.domain() == proto.domain() &&
        getUnknownField(function, kFunctionOverload) == overload) {
      return &function;
    }
  }
  return nullptr;
}

std::unique_ptr<onnx::FunctionProto>
GraphImporter::findFunction(const onnx::NodeProto &proto, int64_t opset,
                            Scope *scope) {
  auto result = std::make_unique<onnx::FunctionProto>();
  if (const onnx::FunctionProto *function = findModelFunction(proto)) {
    *result = *function;
    return result;
  }
  // libonnx reports what it dislikes by exceptions.
  try {
    const onnx::OpSchema *schema = onnx::OpSchemaRegistry::Schema(
        proto.op_type(), std::min<int64_t>(opset, kNewestKnownOpset),
        proto.domain());
    if (!schema) {
      return nullptr;
    }
    if (schema->HasFunction()) {
      *result = *schema->GetFunction();
      return result;
    }
    if (!schema->HasContextDependentFunction()) {
      return nullptr;
    }
    std::vector<onnx::TypeProto> types;
    for (const std::string &input : proto.input()) {
      Value value = scope ? scope->lookup(input).value_or(Value()) : Value();
      types.push_back(getTypeProto(value ? value.getType() : Type()));
    }
    onnx::FunctionBodyBuildContextImpl buildContext(proto, types);
    if (schema->BuildContextDependentFunction(buildContext, *result)) {
      return result;
    }
  } catch (const std::exception &) {
    return nullptr;
  }
  return nullptr;
}

LogicalResult GraphImporter::expandFunction(const onnx::NodeProto &proto,
                                            const onnx::FunctionProto &function,
                                            Scope &scope, unsigned depth) {
  Location loc = getNodeLocation(proto);
  if (depth >= kMaxFunctionDepth) {
    return emitError(loc) << "functions are nested too deeply at "
                          << proto.op_type();
  }
  Scope inner;
  inner.opsets = scope.opsets;
  for (const auto &import : function.opset_import()) {
    if (failed(checkOpset(import, loc))) {
      return failure();
    }
    inner.opsets[import.domain() == "ai.onnx" ? "" : import.domain()] =
        import.version();
  }
  // What the node leaves out has the operator's default value.
  if (const onnx::OpSchema *schema =
          findSchema(proto.op_type(), proto.domain(),
                     scope.opsets.lookup(proto.domain()))) {
    for (const auto &[name, attribute] : schema->attributes()) {
      if (attribute.default_value.has_type()) {
        inner.attributes[name] = &attribute.default_value;
      }
    }
  }
  SmallVector<std::unique_ptr<onnx::AttributeProto>> defaults;
  for (const std::string &bytes :
       getUnknownField(function, kFunctionDefaults)) {
    onnx::AttributeProto &attribute =
        *defaults.emplace_back(std::make_unique<onnx::AttributeProto>());
    if (!attribute.ParseFromString(bytes)) {
      return emitError(loc)
             << "malformed default of an attribute of " << proto.op_type();
    }
    inner.attributes[attribute.name()] = &attribute;
  }
  for (const onnx::AttributeProto &attribute : proto.attribute()) {
    inner.attributes[attribute.name()] = &attribute;
  }
  for (int i = 0; i < function.input_size(); ++i) {
    if (i >= proto.input_size() || proto.input(i).empty()) {
      // Omitted: known by its name, but without a value.
      inner.values[function.input(i)] = Value();
      continue;
    }
    std::optional<Value> value = scope.lookup(proto.input(i));
    if (!value) {
      return emitError(loc) << "input '" << proto.input(i) << "' of "
                            << proto.op_type() << " is defined nowhere";
    }
    inner.values[function.input(i)] = *value;
  }
  // A body computes its shapes where the model may simply state them.
  for (auto [output, formal] : llvm::zip(proto.output(), function.output())) {
    if (RankedTensorType type = scope.declared.lookup(output)) {
      inner.declared[formal] = type;
    }
  }
  if (proto.output_size() > function.output_size()) {
    return emitError(loc) << "expected at most " << function.output_size()
                          << " outputs of " << proto.op_type() << ", found "
                          << proto.output_size();
  }
  SmallVector<StringRef> used;
  for (auto [output, formal] : llvm::zip(proto.output(), function.output())) {
    if (!output.empty()) {
      used.push_back(output);
      inner.outputs.push_back(formal);
    }
  }
  FailureOr<SmallVector<Value>> values =
      importNodes(function.node(), inner, depth + 1);
  if (failed(values)) {
    return failure();
  }
  for (auto [output, value] : llvm::zip_equal(used, *values)) {
    if (failed(define(scope, output, value, loc))) {
      return failure();
    }
  }
  return success();
}
