//===- NodeOrder.cpp - The order in which nodes are imported --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ONNX wants nodes sorted; tools that add some at the end leave them unsorted,
// and users of such models never hear of it.
//
//===----------------------------------------------------------------------===//

#include "NodeOrder.h"
#include "Training.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::onnx_import;

static void visitReads(const onnx::NodeProto &node,
                       llvm::function_ref<void(StringRef)> visit);

/// Visits the names that a subgraph takes from around it.
static void visitCaptures(const onnx::GraphProto &graph,
                          llvm::function_ref<void(StringRef)> visit) {
  llvm::StringSet<> own;
  for (const onnx::ValueInfoProto &input : graph.input()) {
    own.insert(input.name());
  }
  for (const onnx::TensorProto &tensor : graph.initializer()) {
    own.insert(tensor.name());
  }
  for (const onnx::SparseTensorProto &tensor : graph.sparse_initializer()) {
    own.insert(tensor.values().name());
  }
  for (const onnx::NodeProto &node : graph.node()) {
    own.insert_range(node.output());
  }
  auto visitOuter = [&](StringRef name) {
    if (!own.contains(name)) {
      visit(name);
    }
  };
  for (const onnx::NodeProto &node : graph.node()) {
    visitReads(node, visitOuter);
  }
  for (const onnx::ValueInfoProto &output : graph.output()) {
    visitOuter(output.name());
  }
}

/// Visits the names of what must be there before `node`.
static void visitReads(const onnx::NodeProto &node,
                       llvm::function_ref<void(StringRef)> visit) {
  for (const std::string &input : node.input()) {
    visit(input);
  }
  // Gradient names values in its attributes, too.
  bool isGradient = isTrainingOperator(node.domain(), node.op_type()) &&
                    node.op_type() == "Gradient";
  for (const onnx::AttributeProto &attribute : node.attribute()) {
    if (attribute.type() == onnx::AttributeProto::GRAPH) {
      visitCaptures(attribute.g(), visit);
    }
    if (isGradient) {
      visit(attribute.s());
      llvm::for_each(attribute.strings(), visit);
    }
  }
}

FailureOr<SmallVector<const onnx::NodeProto *>>
onnx_import::sortNodes(const NodeList &nodes,
                       SmallVectorImpl<const onnx::NodeProto *> &cycle) {
  llvm::StringMap<int> producers;
  for (auto [i, node] : llvm::enumerate(nodes)) {
    for (const std::string &output : node.output()) {
      if (!output.empty()) {
        producers.try_emplace(output, i);
      }
    }
  }
  SmallVector<SmallVector<int, 2>> needed(nodes.size());
  for (auto [i, node] : llvm::enumerate(nodes)) {
    visitReads(node, [&, &own = needed[i]](StringRef name) {
      auto it = producers.find(name);
      if (it != producers.end()) {
        own.push_back(it->second);
      }
    });
  }
  // Depth first, on a stack of one's own: graphs are deeper than the thread's.
  enum { Untouched, Entered, Done };
  SmallVector<unsigned char> state(nodes.size(), Untouched);
  SmallVector<std::pair<int, unsigned>> path; // a node, and what it needs next
  SmallVector<const onnx::NodeProto *> sorted;
  auto enter = [&](int node) {
    state[node] = Entered;
    path.emplace_back(node, 0);
  };
  for (int first = 0; first < nodes.size(); ++first) {
    if (state[first] == Untouched) {
      enter(first);
    }
    while (!path.empty()) {
      auto &[node, next] = path.back();
      if (next == needed[node].size()) {
        state[node] = Done;
        sorted.push_back(&nodes[node]);
        path.pop_back();
        continue;
      }
      int other = needed[node][next++];
      if (state[other] == Entered) {
        auto *start = llvm::find_if(
            path, [&](const auto &entry) { return entry.first == other; });
        for (const auto &entry : llvm::make_range(start, path.end())) {
          cycle.push_back(&nodes[entry.first]);
        }
        return failure();
      }
      if (state[other] == Untouched) {
        enter(other);
      }
    }
  }
  return sorted;
}
