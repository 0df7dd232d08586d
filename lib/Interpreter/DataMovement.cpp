//===- DataMovement.cpp - Interpreter kernels: DataMovement family ------===//
//
// Evaluation of the IE operator family DataMovement.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include "nacre/Dialect/IE/IR/DataMovement.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::interpreter;

void interpreter::registerDataMovementKernels(MLIRContext *context) {}
