//===- GraphExporter.h - IE functions into ONNX graphs ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds the model of an IE module.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_EXPORT_ONNX_GRAPHEXPORTER_H
#define NACRE_LIB_EXPORT_ONNX_GRAPHEXPORTER_H

#include "OperatorForms.h"
#include "TensorProto.h"

#include "nacre/Export/ONNX/GraphNames.h"

#include "mlir/IR/BuiltinOps.h"

#include <map>

namespace nacre::onnx_export {

/// Takes the bytes of a constant: into the tensor, or to where it says that
/// they are.
using StoreFunction = llvm::function_ref<void(RawData, onnx::TensorProto &)>;

class GraphExporter {
public:
  GraphExporter(mlir::func::FuncOp function, StoreFunction store)
      : function(function), names(function), store(store) {}

  /// Writes the graph and the operator sets that it needs. Fails, after an
  /// error, where a node has no form in ONNX.
  mlir::LogicalResult run(onnx::ModelProto &model);

private:
  mlir::LogicalResult exportInterface(onnx::GraphProto &graph);
  /// The nodes and constants of a block, but not what the graph gives.
  mlir::LogicalResult exportBody(mlir::Block &block, onnx::GraphProto &graph);
  mlir::LogicalResult exportConstant(mlir::Operation *op,
                                     onnx::GraphProto &graph);
  mlir::LogicalResult exportNode(mlir::Operation *op, onnx::GraphProto &graph);
  void exportOutputs(mlir::Operation *op, const OperatorForm &form,
                     onnx::NodeProto &node);
  mlir::LogicalResult exportAttribute(mlir::Operation *op,
                                      const OperatorForm &form,
                                      mlir::NamedAttribute attribute,
                                      onnx::AttributeProto &proto);
  mlir::LogicalResult exportType(mlir::Operation *op, const OperatorForm &form,
                                 mlir::TypeAttr type,
                                 onnx::AttributeProto &proto);
  mlir::LogicalResult exportRegions(mlir::Operation *op, onnx::NodeProto &node);
  mlir::LogicalResult exportRegion(mlir::Region &region,
                                   onnx::GraphProto &graph);
  /// A node that gives a value another name.
  void addIdentity(mlir::Value value, llvm::StringRef name,
                   onnx::GraphProto &graph);
  mlir::LogicalResult exportValue(mlir::Operation *op, llvm::StringRef name,
                                  mlir::Type type, mlir::ArrayAttr dimensions,
                                  onnx::ValueInfoProto &proto);
  void require(llvm::StringRef domain, int64_t opset);

  mlir::func::FuncOp function;
  GraphNames names;
  StoreFunction store;
  /// The operator sets in use, by domain.
  std::map<std::string, int64_t> opsets = {{"", kDefaultOpset}};
};

} // namespace nacre::onnx_export

#endif // NACRE_LIB_EXPORT_ONNX_GRAPHEXPORTER_H
