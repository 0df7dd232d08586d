//===- Expansions.cpp - Operators that become several IE ops --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which operators expand, and what holds for all of them.
//
//===----------------------------------------------------------------------===//

#include "Expansions.h"

#include "Expander.h"

#include "nacre/Dialect/IE/IR/Sequence.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::onnx_import;

Expansion onnx_import::findExpansion(StringRef domain, StringRef opType) {
  const ArrayRef<ExpansionEntry> families[] = {
      getActivationExpansions(),
      getAliases(),
      getAttentionExpansions(),
      getContribAttentionExpansions(),
      getContribMatMulExpansions(),
      getContribQuantizationExpansions(),
      getGeometryExpansions(),
      getLinearModelExpansions(),
      getNormalizationExpansions(),
      getPreprocessingExpansions(),
      getMapExpansions(),
      getSupportVectorExpansions(),
      getTreeExpansions(),
      getExperimentalExpansions(),
      getStatefulSequenceExpansions(),
  };
  for (ArrayRef<ExpansionEntry> family : families) {
    for (const ExpansionEntry &entry : family) {
      if (entry.opType == opType && entry.domain == domain) {
        return entry.expansion;
      }
    }
  }
  return nullptr;
}

LogicalResult onnx_import::expand(Expansion expansion, OpBuilder &builder,
                                  Node &node, bool &unsupported) {
  Expander expander(builder, node, unsupported);
  for (Value input : node.inputs) {
    if (input && !isa<RankedTensorType, IE::MapType>(input.getType())) {
      expander.fail("expected tensors of known rank as inputs");
    }
  }
  if (!expander.hasFailed()) {
    expansion(expander);
  }
  if (!expander.hasFailed() && !node.attributes.empty()) {
    expander.reject("attribute '" + node.attributes.front().first + "'");
  }
  for (auto [i, output] : llvm::enumerate(node.outputs)) {
    bool isBuilt = i < node.results.size() && node.results[i];
    if (!expander.hasFailed() && output.isNamed && !isBuilt) {
      expander.reject("output " + Twine(i));
    }
  }
  return failure(expander.hasFailed());
}
