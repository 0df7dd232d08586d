//===- DumpGraph.cpp - A model's graph for GraphViz -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nodes in the order of the operations, framed by region, and all edges after
// them: an edge may cross frames, and lead to what comes earlier.
//
//===----------------------------------------------------------------------===//

#include "DumpGraph.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;

/// As a string of GraphViz. It reads UTF-8, and names may be of any characters.
static std::string quote(StringRef text) {
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') {
      quoted += '\\';
    }
    if (c == '\n') {
      quoted += "\\n";
    } else {
      quoted += llvm::isPrint(c) || c < 0 ? c : ' ';
    }
  }
  return quoted + "\"";
}

static std::string toString(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// The name of the operation, and a line for each name that it has in the model
/// or had before it was merged with others.
static std::string getLabel(Operation *op) {
  llvm::SetVector<StringRef> names;
  op->getLoc()->walk([&](Location loc) {
    if (auto name = dyn_cast<NameLoc>(loc)) {
      names.insert(name.getName());
    }
    return WalkResult::advance();
  });
  if (auto symbol = dyn_cast<SymbolOpInterface>(op)) {
    names.insert(symbol.getName());
  }
  std::string label = op->getName().getStringRef().str();
  for (StringRef name : names) {
    label += "\n" + name.str();
  }
  return label;
}

namespace {
class GraphPrinter {
public:
  explicit GraphPrinter(raw_ostream &os) : os(os) {}

  void print(ModuleOp module) {
    os << "digraph model {\n  node [shape=box];\n";
    printRegion(module.getBodyRegion());
    for (auto &[value, node] : edges) {
      os << "  " << nodes[value] << " -> " << node
         << " [label=" << quote(toString(value.getType())) << "];\n";
    }
    os << "}\n";
  }

private:
  /// Returns what edges call the node.
  std::string printNode(StringRef label, StringRef shape = "") {
    std::string node = "n" + std::to_string(numNodes++);
    os.indent(indent) << node << " [label=" << quote(label);
    if (!shape.empty()) {
      os << ", shape=" << shape;
    }
    os << "];\n";
    return node;
  }

  /// Inputs and outputs have nodes of their own, with their names where they
  /// have one.
  void printInput(BlockArgument argument, FunctionOpInterface function) {
    StringAttr name;
    if (function) {
      name = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                   "nacre.name");
    }
    std::string label =
        name ? name.str() : "input " + std::to_string(argument.getArgNumber());
    nodes[argument] = printNode(label, "ellipse");
  }

  void printOutput(OpOperand &operand, FunctionOpInterface function) {
    StringAttr name;
    if (function) {
      name = function.getResultAttrOfType<StringAttr>(
          operand.getOperandNumber(), "nacre.name");
    }
    std::string label =
        name ? name.str()
             : "output " + std::to_string(operand.getOperandNumber());
    edges.emplace_back(operand.get(), printNode(label, "ellipse"));
  }

  void printOp(Operation &op) {
    auto function = dyn_cast<FunctionOpInterface>(op.getParentOp());
    if (op.hasTrait<OpTrait::IsTerminator>()) {
      for (OpOperand &operand : op.getOpOperands()) {
        printOutput(operand, function);
      }
      return;
    }
    // A function is its frame alone.
    if (!isa<FunctionOpInterface>(op)) {
      std::string node = printNode(getLabel(&op));
      for (Value operand : op.getOperands()) {
        edges.emplace_back(operand, node);
      }
      for (Value result : op.getResults()) {
        nodes[result] = node;
      }
    }
    for (Region &region : op.getRegions()) {
      os.indent(indent) << "subgraph cluster_" << numFrames++ << " {\n";
      indent += 2;
      os.indent(indent) << "label=" << quote(getLabel(&op)) << ";\n";
      printRegion(region);
      indent -= 2;
      os.indent(indent) << "}\n";
    }
  }

  void printRegion(Region &region) {
    auto function = dyn_cast<FunctionOpInterface>(region.getParentOp());
    for (Block &block : region) {
      for (BlockArgument argument : block.getArguments()) {
        printInput(argument, function);
      }
      for (Operation &op : block) {
        printOp(op);
      }
    }
  }

  raw_ostream &os;
  std::vector<std::pair<Value, std::string>> edges;
  llvm::DenseMap<Value, std::string> nodes;
  unsigned indent = 2, numNodes = 0, numFrames = 0;
};
} // namespace

void driver::printGraph(ModuleOp module, raw_ostream &os) {
  GraphPrinter(os).print(module);
}

std::string driver::getOptimizedGraphPath(StringRef path) {
  if (path == "-") {
    return path.str();
  }
  llvm::SmallString<128> optimized(path);
  llvm::sys::path::replace_extension(
      optimized, ".optimized" + llvm::sys::path::extension(path));
  return optimized.str().str();
}
