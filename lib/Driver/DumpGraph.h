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

/// Prints in the language of GraphViz a node per operation, with the names of
/// the ONNX nodes that it comes from, and an edge per operand, with its type.
/// What lies in a region is framed.
void printGraph(mlir::ModuleOp module, llvm::raw_ostream &os);

/// Where --dump-graph=`path` writes the graph as it is optimised:
/// NAME.optimized.dot beside NAME.dot; `-`, standard output, has both.
std::string getOptimizedGraphPath(llvm::StringRef path);

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_DUMPGRAPH_H
