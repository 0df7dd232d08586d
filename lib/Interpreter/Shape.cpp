//===- Shape.cpp - Interpreter kernels: Shape family --------------------===//
//
// Evaluation of the IE operator family Shape.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include "nacre/Dialect/IE/IR/Shape.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::interpreter;

void interpreter::registerShapeKernels(MLIRContext *context) {}
