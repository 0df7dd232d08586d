//===- Node.cpp - One ONNX node during import -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The inputs and attributes of a node, as adapters and expansions take them.
//
//===----------------------------------------------------------------------===//

#include "Node.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace nacre::onnx_import;

Attribute Node::take(StringRef name) {
  auto *it = attributes.find(name);
  if (it == attributes.end()) {
    return {};
  }
  Attribute value = it->second;
  attributes.erase(it);
  return value;
}

/// What ONNX calls an attribute like this.
static StringRef getKind(Attribute attribute) {
  auto getName = [](auto known) { return kKindName<decltype(known)>; };
  return TypeSwitch<Attribute, StringRef>(attribute)
      .Case<IntegerAttr, FloatAttr, StringAttr, DenseI64ArrayAttr,
            DenseF32ArrayAttr, ArrayAttr, ElementsAttr>(getName)
      .Default([](Attribute) { return "a type"; });
}

void Node::reportMisfit(StringRef name, Attribute found, StringRef expected) {
  hasMisfit = true;
  emitError(loc) << "expected attribute '" << name << "' of " << opType
                 << " to be " << expected << ", found " << getKind(found);
}

void Node::setInput(unsigned i, Value value) {
  if (inputs.size() <= i) {
    inputs.resize(i + 1);
  }
  inputs[i] = value;
}
