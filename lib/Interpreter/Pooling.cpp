//===- Pooling.cpp - Interpreter kernels: Pooling family ----------------===//
//
// Evaluation of the IE operator family Pooling.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include "nacre/Dialect/IE/IR/Pooling.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::interpreter;

void interpreter::registerPoolingKernels(MLIRContext *context) {}
