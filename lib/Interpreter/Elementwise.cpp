//===- Elementwise.cpp - Interpreter kernels: Elementwise family --------===//
//
// Evaluation of the IE operator family Elementwise.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include "nacre/Dialect/IE/IR/Elementwise.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::interpreter;

void interpreter::registerElementwiseKernels(MLIRContext *context) {}
