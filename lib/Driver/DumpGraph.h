//===- DumpGraph.h - A model's graph for GraphViz ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Upstream's view-op-graph cuts types short and knows nothing of the names that
// operations have in the model.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_DUMPGRAPH_H
#define NACRE_LIB_DRIVER_DUMPGRAPH_H

#include "mlir/IR/BuiltinOps.h"

namespace nacre::driver {

struct GraphOptions {
  /// Constants beside what uses them.
  bool showsConstants = true;
  /// The bits of numbers as colours.
  bool showsPrecision = false;
};

/// Prints in the language of GraphViz a node per operation, with the names of
/// the ONNX nodes that it comes from and its attributes, and an edge per
/// operand, with its name and type. What lies in a region is framed.
void printGraph(mlir::ModuleOp module, const GraphOptions &options,
                llvm::raw_ostream &os);

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_DUMPGRAPH_H
