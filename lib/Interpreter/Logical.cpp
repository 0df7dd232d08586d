//===- Logical.cpp - Interpreter kernels: Logical family ----------------===//
//
// Evaluation of the IE operator family Logical.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include "nacre/Dialect/IE/IR/Logical.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::interpreter;

void interpreter::registerLogicalKernels(MLIRContext *context) {}
