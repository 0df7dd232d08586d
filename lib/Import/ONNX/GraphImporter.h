//===- GraphImporter.h - ONNX graphs into IE functions ----------*- C++ -*-===//
//
// Builds the IE module of a parsed model.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_IMPORT_ONNX_GRAPHIMPORTER_H
#define NACRE_LIB_IMPORT_ONNX_GRAPHIMPORTER_H

#include "Node.h"
#include "nacre/Import/ONNX/Import.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringSet.h"

#include <memory>
#include <onnx/onnx_pb.h>

namespace nacre::onnx_import {

/// Names in force while the nodes of one graph or function body are imported.
struct Scope {
  llvm::StringMap<mlir::Value> values;
  llvm::StringMap<int64_t> opsets;
  /// In a function body: the calling node's attributes by name.
  llvm::StringMap<const onnx::AttributeProto *> attributes;
};

class GraphImporter {
public:
  GraphImporter(mlir::MLIRContext &context,
                std::shared_ptr<const onnx::ModelProto> model,
                llvm::StringRef path, const ImportOptions &options);

  ImportResult run();

  /// Why the operator of `node` cannot be imported; empty when it can.
  std::string getReasonUnsupported(const onnx::NodeProto &node, int64_t opset);

private:
  mlir::LogicalResult importGraph(const onnx::GraphProto &graph);
  mlir::LogicalResult importInitializers(const onnx::GraphProto &graph,
                                         Scope &scope);
  mlir::LogicalResult importOutputs(const onnx::GraphProto &graph, Scope &scope,
                                    mlir::func::FuncOp function);
  mlir::LogicalResult importNode(const onnx::NodeProto &proto, Scope &scope,
                                 unsigned depth);
  mlir::LogicalResult importConstant(const onnx::NodeProto &proto, Scope &scope,
                                     mlir::Location loc);
  mlir::LogicalResult expandFunction(const onnx::NodeProto &proto,
                                     const onnx::FunctionProto &function,
                                     Scope &scope, unsigned depth);
  /// The function body of an operator without an IE op, if it has one.
  std::unique_ptr<onnx::FunctionProto>
  findFunction(const onnx::NodeProto &proto, int64_t opset, Scope *scope);

  mlir::LogicalResult createOp(Node &node, const onnx::NodeProto &proto,
                               Scope &scope);
  mlir::FailureOr<mlir::Attribute>
  importAttribute(const onnx::AttributeProto &attribute, mlir::Location loc);
  mlir::LogicalResult define(Scope &scope, llvm::StringRef name,
                             mlir::Value value, mlir::Location loc);

  /// The declared type of a graph value; null when it has none.
  mlir::FailureOr<mlir::RankedTensorType>
  getDeclaredType(const onnx::ValueInfoProto &info, mlir::Location loc);
  mlir::Location getNodeLocation(const onnx::NodeProto &proto);
  mlir::Location getLocation(llvm::StringRef name);

  mlir::InFlightDiagnostic unsupported(mlir::Location loc) {
    isUnsupported = true;
    return mlir::emitError(loc);
  }

  mlir::MLIRContext &context;
  mlir::OpBuilder builder;
  std::shared_ptr<const onnx::ModelProto> model;
  std::string path, folder;
  const ImportOptions &options;
  bool isUnsupported = false;
  /// Types the model declares for intermediate and output values.
  llvm::StringMap<mlir::RankedTensorType> declared;
  /// Keeps expanded function bodies alive: attributes refer to them.
  std::vector<std::shared_ptr<onnx::FunctionProto>> bodies;
  /// Nodes of function bodies with their attribute references resolved.
  std::vector<std::shared_ptr<onnx::NodeProto>> resolved;
};

/// "float32[1,3,224,224]" for a graph value.
std::string describeType(const onnx::ValueInfoProto &info);

} // namespace nacre::onnx_import

#endif // NACRE_LIB_IMPORT_ONNX_GRAPHIMPORTER_H
