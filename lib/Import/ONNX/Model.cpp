//===- Model.cpp - ONNX model files ---------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The public entry points, and the summary for `nacre info`.
//
//===----------------------------------------------------------------------===//

#include "GraphImporter.h"
#include "ModelFile.h"
#include "TensorData.h"

#include "nacre/Interpreter/Tensor.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::onnx_import;

ImportResult nacre::importONNXModel(StringRef path, MLIRContext &context,
                                    const ImportOptions &options) {
  std::shared_ptr<onnx::ModelProto> model = parseModel(path, context);
  if (!model) {
    return {ImportStatus::BadInput, nullptr};
  }
  return GraphImporter(context, std::move(model), path, options).run();
}

std::string onnx_import::describeType(const onnx::TypeProto &type) {
  // No deeper than parsing a message goes.
  switch (type.value_case()) {
  case onnx::TypeProto::kTensorType:
    break;
  case onnx::TypeProto::kSequenceType:
    return "sequence(" + describeType(type.sequence_type().elem_type()) + ")";
  case onnx::TypeProto::kOptionalType:
    return "optional(" + describeType(type.optional_type().elem_type()) + ")";
  case onnx::TypeProto::kMapType:
    return "map(" + getDataTypeName(type.map_type().key_type()) + "," +
           describeType(type.map_type().value_type()) + ")";
  case onnx::TypeProto::kSparseTensorType:
    return "sparse tensor of " +
           getDataTypeName(type.sparse_tensor_type().elem_type());
  default:
    return "of unknown type";
  }
  const auto &tensor = type.tensor_type();
  std::string result = getDataTypeName(tensor.elem_type());
  if (!tensor.has_shape()) {
    return result;
  }
  result += "[";
  for (int i = 0; i < tensor.shape().dim_size(); ++i) {
    const auto &dim = tensor.shape().dim(i);
    result += i == 0 ? "" : ",";
    if (dim.has_dim_value()) {
      result += std::to_string(dim.dim_value());
    } else {
      result += dim.dim_param().empty() ? "?" : dim.dim_param();
    }
  }
  return result + "]";
}

/// Visits the nodes of a graph and of its nodes' subgraphs.
static void
forEachNode(const onnx::GraphProto &graph,
            llvm::function_ref<void(const onnx::NodeProto &)> visit) {
  for (const onnx::NodeProto &node : graph.node()) {
    visit(node);
    for (const onnx::AttributeProto &attribute : node.attribute()) {
      if (attribute.type() == onnx::AttributeProto::GRAPH) {
        forEachNode(attribute.g(), visit);
      }
    }
  }
}

static bool isDynamic(const onnx::ValueInfoProto &info) {
  const auto &tensor = info.type().tensor_type();
  return info.type().has_tensor_type() &&
         (!tensor.has_shape() ||
          llvm::any_of(tensor.shape().dim(), [](const auto &dim) {
            return !dim.has_dim_value() || dim.dim_value() < 0;
          }));
}

static std::optional<std::vector<int64_t>>
findShape(const onnx::ValueInfoProto &info) {
  if (!info.type().has_tensor_type() ||
      !info.type().tensor_type().has_shape()) {
    return std::nullopt;
  }
  std::vector<int64_t> shape;
  for (const auto &dim : info.type().tensor_type().shape().dim()) {
    shape.push_back(dim.has_dim_value() ? dim.dim_value() : -1);
  }
  return shape;
}

static std::vector<std::string>
findSizeNames(const onnx::ValueInfoProto &info) {
  std::vector<std::string> names;
  for (const auto &dim : info.type().tensor_type().shape().dim()) {
    names.push_back(dim.dim_param());
  }
  return names;
}

static void addParameters(MLIRContext &context, const onnx::TensorProto &tensor,
                          ModelInfo &info) {
  int64_t elements = 1;
  for (int64_t dim : tensor.dims()) {
    if (dim < 0 || llvm::MulOverflow(elements, dim, elements)) {
      elements = 0;
      break;
    }
  }
  Type type = getElementType(&context, tensor.data_type());
  info.parameters += elements;
  info.parameterBytes +=
      type ? elements * interpreter::getElementBytes(type) : 0;
}

FailureOr<ModelInfo> nacre::inspectONNXModel(StringRef path,
                                             MLIRContext &context) {
  std::shared_ptr<onnx::ModelProto> model = parseModel(path, context);
  if (!model) {
    return failure();
  }
  ImportOptions options;
  GraphImporter importer(context, model, path, options);
  const onnx::GraphProto &graph = model->graph();
  ModelInfo info;
  info.name = graph.name();
  info.producer = model->producer_name();
  llvm::StringMap<int64_t> opsets;
  for (const auto &import : model->opset_import()) {
    std::string domain = import.domain().empty() ? "ai.onnx" : import.domain();
    info.opsets.emplace_back(domain, import.version());
    opsets[domain] = import.version();
  }
  llvm::StringSet<> initializers;
  for (const onnx::TensorProto &tensor : graph.initializer()) {
    initializers.insert(tensor.name());
    addParameters(context, tensor, info);
  }
  for (const onnx::ValueInfoProto &input : graph.input()) {
    if (initializers.contains(input.name())) {
      info.initializedInputs.push_back(input.name());
    } else {
      info.inputs.push_back({input.name(), describeType(input.type()),
                             input.type().has_tensor_type(), isDynamic(input),
                             findShape(input), findSizeNames(input)});
    }
  }
  for (const onnx::ValueInfoProto &output : graph.output()) {
    info.outputs.push_back({output.name(), describeType(output.type()),
                            output.type().has_tensor_type(), isDynamic(output),
                            findShape(output), findSizeNames(output)});
  }
  llvm::MapVector<StringRef, int64_t> counts;
  forEachNode(graph, [&](const onnx::NodeProto &node) {
    ++counts[node.op_type()];
    if (node.op_type() == "Constant") {
      for (const onnx::AttributeProto &attribute : node.attribute()) {
        if (attribute.has_t()) {
          addParameters(context, attribute.t(), info);
        }
      }
    }
    auto opset = opsets.find(node.domain().empty() ? "ai.onnx" : node.domain());
    std::string reason = importer.getReasonUnsupported(
        node, opset == opsets.end() ? 1 : opset->second);
    if (!reason.empty()) {
      StringRef name = node.name();
      if (name.empty() && node.output_size() > 0) {
        name = node.output(0);
      }
      info.unsupported.push_back({name.str(), node.op_type(), reason});
    }
  });
  for (auto &[name, count] : counts) {
    info.operators.emplace_back(name.str(), count);
  }
  return info;
}
