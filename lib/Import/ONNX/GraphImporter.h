//===- GraphImporter.h - ONNX graphs into IE functions ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds the IE module of a parsed model.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_IMPORT_ONNX_GRAPHIMPORTER_H
#define NACRE_LIB_IMPORT_ONNX_GRAPHIMPORTER_H

#include "Node.h"
#include "NodeOrder.h"
#include "ValueEvaluator.h"
#include "nacre/Dialect/IE/IR/ControlFlow.h"
#include "nacre/Import/ONNX/Import.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringSet.h"

#include <memory>
#include <onnx/onnx_pb.h>

namespace nacre::onnx_import {

/// The newest operator set that libonnx's registry describes.
inline constexpr int kNewestKnownOpset = 17;

/// Names in force while the nodes of one graph or function body are imported.
struct Scope {
  /// Without a value: an omitted input of a function.
  llvm::StringMap<mlir::Value> values;
  llvm::StringMap<int64_t> opsets;
  /// Types the model declares for intermediate and output values.
  llvm::StringMap<mlir::RankedTensorType> declared;
  /// In a function body: the calling node's attributes by name.
  llvm::StringMap<const onnx::AttributeProto *> attributes;
  /// Of a subgraph: the scope around it, whose names it may use.
  const Scope *parent = nullptr;
  /// The graph of these names; null in a function body.
  const onnx::GraphProto *graph = nullptr;
  /// The nodes that are not imported yet, sorted.
  llvm::ArrayRef<const onnx::NodeProto *> rest;
  /// The names of what the graph or function gives.
  llvm::SmallVector<llvm::StringRef> outputs;
  /// Of a branch that goes on with what follows its If: that node and the scope
  /// behind it.
  const onnx::NodeProto *node = nullptr;
  const Scope *next = nullptr;
  /// The results, where branches of an If have imported the rest of the nodes.
  std::optional<llvm::SmallVector<mlir::Value>> results;

  /// The scope that what is imported here ends in.
  const Scope &getLast() const { return next ? next->getLast() : *this; }

  /// The value of a name in this scope or around it.
  std::optional<mlir::Value> lookup(llvm::StringRef name) const {
    for (const Scope *scope = this; scope; scope = scope->parent) {
      auto it = scope->values.find(name);
      if (it != scope->values.end()) {
        return it->second;
      }
    }
    return std::nullopt;
  }
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
  /// Of the names in `replaced` a caller gives the values.
  mlir::LogicalResult
  importInitializers(const onnx::GraphProto &graph, Scope &scope,
                     const llvm::StringMap<mlir::ElementsAttr> &replaced = {});
  /// Asks for another value of an initializer that is an input, too.
  mlir::LogicalResult
  replaceInitializer(const onnx::TensorProto &initializer, mlir::Type declared,
                     llvm::StringMap<mlir::ElementsAttr> &replaced);
  /// The value of an input that is to be a constant; null if it is not.
  mlir::FailureOr<mlir::ElementsAttr>
  readFixed(llvm::StringRef name, unsigned number, mlir::Type type);
  /// Fails for options that name no input of the graph.
  mlir::LogicalResult verifyNamedInputs(const onnx::GraphProto &graph);
  mlir::LogicalResult importDeclaredTypes(const onnx::GraphProto &graph,
                                          Scope &scope);
  mlir::LogicalResult importOutputs(const onnx::GraphProto &graph,
                                    const Scope &scope,
                                    mlir::ValueRange results,
                                    mlir::func::FuncOp function);
  /// Imports the nodes of a graph or of a function's body, whatever order they
  /// are in, and gives the values of the scope's outputs.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  importNodes(const NodeList &nodes, Scope &scope, unsigned depth);
  /// Imports the nodes that are left of the scope, and of those behind it.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>> importRest(Scope &scope,
                                                             unsigned depth);
  mlir::LogicalResult importNode(const onnx::NodeProto &proto, Scope &scope,
                                 unsigned depth);
  mlir::LogicalResult importConstant(const onnx::NodeProto &proto, Scope &scope,
                                     mlir::Location loc);
  mlir::LogicalResult expandFunction(const onnx::NodeProto &proto,
                                     const onnx::FunctionProto &function,
                                     Scope &scope, unsigned depth);
  /// If, Loop and Scan, whose attributes are graphs.
  mlir::LogicalResult importControlFlow(const onnx::NodeProto &proto,
                                        Scope &scope, unsigned depth);
  mlir::LogicalResult importIf(const onnx::NodeProto &proto,
                               mlir::ValueRange inputs, Scope &scope,
                               unsigned depth);
  /// The results of an If. With `goesOn` each branch imports what follows the
  /// If, too, and the results are what the graphs around it give.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  importBranches(const onnx::NodeProto &proto, mlir::Value condition,
                 const Scope &scope, unsigned depth, bool goesOn);
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  importBranch(const onnx::NodeProto &proto, bool isThen, const Scope &scope,
               unsigned depth, bool goesOn);
  /// Replaces an If whose branches give different ranks by the one branch that
  /// gives the ranks that the model expects of `names`, and requires that it is
  /// taken.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  settleRanks(IE::IfOp op, llvm::ArrayRef<llvm::StringRef> names,
              const Scope &scope);
  mlir::LogicalResult importLoop(const onnx::NodeProto &proto,
                                 mlir::ValueRange inputs, Scope &scope,
                                 unsigned depth);
  mlir::LogicalResult importScan(const onnx::NodeProto &proto,
                                 mlir::ValueRange inputs, Scope &scope,
                                 unsigned depth);
  /// Scan as it was in operator set 8: one scan per element of a batch.
  mlir::LogicalResult importBatchedScan(const onnx::NodeProto &proto,
                                        mlir::ValueRange inputs, Scope &scope,
                                        unsigned depth);
  /// Imports the nodes of a subgraph at the builder's position, and gives the
  /// values of its outputs. With `node`, an If of the scope `parent`, it goes
  /// on with what follows that, and gives what the graph around gives.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  importSubgraph(const onnx::GraphProto &graph, mlir::ValueRange arguments,
                 const Scope &parent, unsigned depth,
                 const onnx::NodeProto *node = nullptr);
  /// The scalar of a condition that may be a vector of one element.
  mlir::Value getScalarCondition(mlir::Value condition);
  /// Makes a subgraph the body of an op that runs it repeatedly: arguments get
  /// dynamic dimensions where they differ from run to run. `wrapped` gets the
  /// numbers of the yielded values that had to become optionals, because the
  /// carried value begins as one.
  mlir::LogicalResult importBody(IE::BodyOpInterface op,
                                 const onnx::GraphProto &graph,
                                 const Scope &scope, unsigned depth,
                                 llvm::SmallVectorImpl<unsigned> &wrapped);
  /// Gives the op the result types that its regions yield; `scope` may declare
  /// more of them, by their names.
  mlir::LogicalResult inferResults(mlir::Operation *op,
                                   llvm::ArrayRef<llvm::StringRef> names,
                                   const Scope &scope);
  /// Infers the results and gives them the names of the node's outputs.
  mlir::LogicalResult finishControlFlow(mlir::Operation *op,
                                        const onnx::NodeProto &proto,
                                        Scope &scope);
  /// The function of the model that a node calls, by name, domain and overload.
  const onnx::FunctionProto *findModelFunction(const onnx::NodeProto &proto);
  /// The function body of an operator without an IE op, if it has one.
  std::unique_ptr<onnx::FunctionProto>
  findFunction(const onnx::NodeProto &proto, int64_t opset, Scope *scope);

  /// Numbers the random nodes that have no seed: each draws its own numbers,
  /// and the same ones whenever the model is compiled.
  void seedRandomNode(Node &node);
  mlir::LogicalResult importTrainingNode(Node &node, const Scope &scope);
  /// Fills a node that knows its operator alone.
  mlir::LogicalResult readNode(const onnx::NodeProto &proto, const Scope &scope,
                               Node &node);
  mlir::LogicalResult createOp(Node &node, mlir::RegisteredOperationName name,
                               unsigned minInputs, const onnx::NodeProto &proto,
                               Scope &scope);
  mlir::FailureOr<mlir::Attribute>
  importAttribute(const onnx::AttributeProto &attribute, mlir::Location loc);
  mlir::LogicalResult define(Scope &scope, llvm::StringRef name,
                             mlir::Value value, mlir::Location loc);
  /// Gives the outputs of a node their values.
  mlir::LogicalResult defineAll(Scope &scope, const onnx::NodeProto &proto,
                                mlir::ValueRange values, mlir::Location loc);

  /// The declared type of a graph value; null when it has none.
  mlir::FailureOr<mlir::Type> getDeclaredType(const onnx::ValueInfoProto &info,
                                              mlir::Location loc);
  /// The IE type of a TypeProto, unranked for a tensor without a shape.
  mlir::FailureOr<mlir::Type> getType(const onnx::TypeProto &type,
                                      mlir::Location loc);
  /// Fails unless a sequence or an optional may hold it.
  mlir::LogicalResult verifyHeld(mlir::Type type, mlir::Location loc);
  mlir::FailureOr<mlir::Type> getMapType(const onnx::TypeProto_Map &type,
                                         mlir::Location loc);
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
  /// Set with an error that is about types of values which do not fit a node.
  bool isMisfit = false;
  /// Set with an error about an If whose branches' results have no common type,
  /// which what follows may settle.
  bool isUnsettled = false;
  /// How many Ifs have been tried with what follows them in their branches.
  unsigned numContinued = 0;
  ValueEvaluator conditions;
  int64_t numUnseeded = 0;
  /// Keeps expanded function bodies alive: attributes refer to them.
  std::vector<std::shared_ptr<onnx::FunctionProto>> bodies;
  /// Nodes of function bodies with their attribute references resolved.
  std::vector<std::shared_ptr<onnx::NodeProto>> resolved;
};

/// The attribute of that name, if it is a graph.
const onnx::GraphProto *findGraph(const onnx::NodeProto &node,
                                  llvm::StringRef name);

/// A type for results whose types are not known before their op's regions are.
mlir::RankedTensorType getPlaceholderType(mlir::MLIRContext *context);

/// The names of a node's outputs.
llvm::SmallVector<llvm::StringRef> getOutputNames(const onnx::NodeProto &node);

/// Each dimension of `inferred` fixed where `declared` knows it; `inferred`
/// when they contradict each other, or there is no declared type.
mlir::RankedTensorType refineType(mlir::RankedTensorType inferred,
                                  mlir::RankedTensorType declared);

/// "float32[1,3,224,224]" for a graph value.
std::string describeType(const onnx::TypeProto &type);

} // namespace nacre::onnx_import

#endif // NACRE_LIB_IMPORT_ONNX_GRAPHIMPORTER_H
