//===- GraphNames.cpp - What is exported, under which names ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Export/ONNX/GraphNames.h"
#include "OperatorForms.h"

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/Utils/ValueNames.h"
#include "nacre/Dialect/Nacre/IR/NacreDialect.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::onnx_export;

static std::string getNameOr(StringAttr name, const Twine &otherwise) {
  return name ? name.str() : otherwise.str();
}

std::string GraphNames::getArgumentName(func::FuncOp function, unsigned i) {
  return getNameOr(abi::getOfArgument<abi::Name>(function, i),
                   "input" + Twine(i));
}

std::string GraphNames::getResultName(func::FuncOp function, unsigned i) {
  return getNameOr(abi::getOfResult<abi::Name>(function, i),
                   "output" + Twine(i));
}

StringRef GraphNames::getStem(Operation *op) const {
  StringRef node = IE::getNodeName(op);
  if (!node.empty()) {
    return node;
  }
  Operation *user = firstUsers.lookup(op);
  return user ? getStem(user) : op->getName().stripDialect();
}

GraphNames::GraphNames(func::FuncOp function) {
  nameInterface(function);
  collect(function.front());
  nameRest(function.front());
}

bool GraphNames::claim(Value value, StringRef name) {
  if (name.empty() || values.contains(value) ||
      !takenByValues.insert(name).second) {
    return false;
  }
  values[value] = name.str();
  return true;
}

void GraphNames::nameInterface(func::FuncOp function) {
  for (BlockArgument argument : function.getArguments()) {
    claim(argument, getArgumentName(function, argument.getArgNumber()));
  }
  // A value that cannot have the name of a result gets it by a node of its own.
  Operation *end = function.front().getTerminator();
  for (auto [i, value] : llvm::enumerate(end->getOperands())) {
    std::string name = getResultName(function, i);
    if (isa<BlockArgument>(value) || !claim(value, name)) {
      takenByValues.insert(name);
    }
  }
}

void GraphNames::collectValues(Operation &op) {
  for (Value result : op.getResults()) {
    // Constants are there for who uses them.
    if (isUsed(result) || !isa<IE::ConstantOp>(op)) {
      claim(result, IE::getValueName(result));
    }
  }
}

void GraphNames::collect(Block &block) {
  Operation *end = block.getTerminator();
  used.insert(end->operand_begin(), end->operand_end());
  for (Operation &op : llvm::reverse(block.without_terminator())) {
    collectValues(op);
    bool isPart = llvm::any_of(op.getResults(), [&](Value result) {
      return isUsed(result) || values.contains(result);
    });
    if (!isPart) {
      continue;
    }
    kept.insert(&op);
    if (isa<IE::ConstantOp>(op)) {
      continue;
    }
    std::string node = getStem(&op).str();
    if (!IE::getNodeName(&op).empty() && takenByNodes.insert(node).second) {
      nodes[&op] = node;
    }
    for (Value input : getInputs(&op)) {
      if (!input) {
        continue;
      }
      used.insert(input);
      if (auto constant = input.getDefiningOp<IE::ConstantOp>()) {
        firstUsers[constant] = &op;
      }
    }
    for (Region &region : llvm::reverse(op.getRegions())) {
      collect(region.front());
    }
  }
  for (BlockArgument argument : block.getArguments()) {
    claim(argument, IE::getValueName(argument));
  }
}

std::string GraphNames::makeUnique(llvm::StringSet<> &taken, StringRef stem) {
  std::string name;
  do {
    name = (stem + "#" + Twine(counts[stem]++)).str();
  } while (!taken.insert(name).second);
  return name;
}

std::string GraphNames::makeName(Operation *op) {
  return makeUnique(takenByValues, getStem(op));
}

void GraphNames::nameRest(Block &block) {
  for (BlockArgument argument : block.getArguments()) {
    if (!values.contains(argument)) {
      values[argument] = makeName(block.getParentOp());
    }
  }
  for (Operation &op : block.without_terminator()) {
    if (!isKept(&op)) {
      continue;
    }
    if (!isa<IE::ConstantOp>(op) && !nodes.contains(&op)) {
      nodes[&op] = makeUnique(takenByNodes, getStem(&op));
    }
    for (Value result : op.getResults()) {
      if (isUsed(result) && !values.contains(result)) {
        values[result] = makeName(&op);
      }
    }
    for (Region &region : op.getRegions()) {
      nameRest(region.front());
    }
  }
}
