//===- Indexing.cpp - Interpreter kernels: Indexing family --------------===//
//
// Evaluation of the IE operator family Indexing.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include "nacre/Dialect/IE/IR/Indexing.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::interpreter;

void interpreter::registerIndexingKernels(MLIRContext *context) {}
