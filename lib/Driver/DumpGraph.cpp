//===- DumpGraph.cpp - A model's graph for GraphViz -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nodes in the order of the operations, framed by region, and all edges after
// them: an edge may cross frames, and lead to what comes earlier. A constant is
// shown beside each operation that uses it, so that its edges are short.
//
//===----------------------------------------------------------------------===//

#include "DumpGraph.h"
#include "ListingText.h"

#include "nacre/Dialect/IE/Utils/ValueNames.h"
#include "nacre/Dialect/Nacre/IR/NacreDialect.h"

#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

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

/// The name of the value, if the model has one, and its type.
static std::string getLabel(Value value) {
  StringRef name = IE::getValueName(value);
  return name.empty() ? toString(value.getType())
                      : name.str() + "\n" + toString(value.getType());
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

/// The same with a line for each attribute.
static std::string getLabelWithAttributes(Operation *op) {
  std::string label = getLabel(op);
  for (const std::string &attribute : getAttributeTexts(op)) {
    label += "\n" + attribute;
  }
  return label;
}

namespace {
/// What numbers of fewer bits than f32 an operation reads or gives, and how it
/// is filled then.
struct Precision {
  unsigned mostBits;
  StringRef color;
  StringRef name;
};
} // namespace

static constexpr Precision kPrecisions[] = {{8, "palegreen", "8 bits or fewer"},
                                            {16, "lightskyblue", "16 bits"},
                                            {32, "white", "32 bits"},
                                            {64, "plum", "64 bits"}};

/// By the first operand and the first result; null for what has no numbers.
static const Precision *getPrecision(Operation *op) {
  unsigned bits = 0;
  auto look = [&](ValueRange values) {
    Type element =
        values.empty() ? Type() : getElementTypeOrSelf(values.front());
    // Truth has no precision.
    if (element && element.isIntOrFloat() && !element.isInteger(1)) {
      unsigned width = element.getIntOrFloatBitWidth();
      bits = bits == 0 ? width : std::min(bits, width);
    }
  };
  look(op->getOperands());
  look(op->getResults());
  const Precision *found =
      llvm::find_if(kPrecisions, [&](const Precision &precision) {
        return bits <= precision.mostBits;
      });
  return bits == 0 || found == std::end(kPrecisions) ? nullptr : found;
}

namespace {
class GraphPrinter {
public:
  GraphPrinter(raw_ostream &os, const GraphOptions &options)
      : os(os), options(options) {}

  void print(ModuleOp module) {
    os << "digraph model {\n  node [shape=box];\n";
    printRegion(module.getBodyRegion());
    for (const Edge &edge : edges) {
      os << "  " << (edge.from.empty() ? nodes[edge.value] : edge.from)
         << " -> " << edge.to << " [label=" << quote(getLabel(edge.value))
         << "];\n";
    }
    if (options.showsPrecision) {
      printLegend();
    }
    os << "}\n";
  }

private:
  struct Edge {
    Value value;
    std::string to;
    std::string from; // empty for the node that gives the value
  };

  /// Returns what edges call the node.
  std::string printNode(StringRef label, StringRef attributes = "") {
    std::string node = "n" + std::to_string(numNodes++);
    os.indent(indent) << node << " [label=" << quote(label) << attributes
                      << "];\n";
    return node;
  }

  void printLegend() {
    os << "  subgraph cluster_precision {\n    label=\"precision\";\n";
    for (auto [i, precision] : llvm::enumerate(kPrecisions)) {
      os << "    precision" << i << " [label=" << quote(precision.name)
         << getFill(precision.color) << "];\n";
    }
    os << "  }\n";
  }

  static std::string getFill(StringRef color) {
    return (", style=filled, fillcolor=" + color).str();
  }

  void addOperand(Value operand, const std::string &node) {
    Operation *def = operand.getDefiningOp();
    if (!def || !def->hasTrait<OpTrait::ConstantLike>()) {
      edges.push_back({operand, node, ""});
    } else if (options.showsConstants) {
      std::string name = IE::getValueName(operand).str();
      edges.push_back(
          {operand, node,
           printNode(name.empty() ? "constant" : name, getFill("lightgrey"))});
    }
  }

  /// Inputs and outputs have nodes of their own, with their names where they
  /// have one.
  void printInput(BlockArgument argument, FunctionOpInterface function) {
    StringAttr name;
    if (function) {
      name = abi::getOfArgument<abi::Name>(function, argument.getArgNumber());
    }
    std::string label =
        name ? name.str() : "input " + std::to_string(argument.getArgNumber());
    nodes[argument] = printNode(label, ", shape=ellipse");
  }

  void printOutput(OpOperand &operand, FunctionOpInterface function) {
    StringAttr name;
    if (function) {
      name = abi::getOfResult<abi::Name>(function, operand.getOperandNumber());
    }
    std::string label =
        name ? name.str()
             : "output " + std::to_string(operand.getOperandNumber());
    addOperand(operand.get(), printNode(label, ", shape=ellipse"));
  }

  void printOp(Operation &op) {
    auto function = dyn_cast<FunctionOpInterface>(op.getParentOp());
    if (op.hasTrait<OpTrait::IsTerminator>()) {
      for (OpOperand &operand : op.getOpOperands()) {
        printOutput(operand, function);
      }
      return;
    }
    if (op.hasTrait<OpTrait::ConstantLike>()) {
      return;
    }
    // A function is its frame alone.
    if (!isa<FunctionOpInterface>(op)) {
      const Precision *precision =
          options.showsPrecision ? getPrecision(&op) : nullptr;
      std::string node = printNode(getLabelWithAttributes(&op),
                                   precision ? getFill(precision->color) : "");
      for (Value operand : op.getOperands()) {
        addOperand(operand, node);
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
  const GraphOptions &options;
  std::vector<Edge> edges;
  llvm::DenseMap<Value, std::string> nodes;
  unsigned indent = 2, numNodes = 0, numFrames = 0;
};
} // namespace

void driver::printGraph(ModuleOp module, const GraphOptions &options,
                        raw_ostream &os) {
  GraphPrinter(os, options).print(module);
}
