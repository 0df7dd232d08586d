//===- Reduction.cpp - Interpreter kernels: Reduction family ------------===//
//
// Evaluation of the IE operator family Reduction.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include "nacre/Dialect/IE/IR/Reduction.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::interpreter;

void interpreter::registerReductionKernels(MLIRContext *context) {}
