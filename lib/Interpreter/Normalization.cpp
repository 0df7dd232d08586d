//===- Normalization.cpp - Interpreter kernels: Normalization family ----===//
//
// Evaluation of the IE operator family Normalization.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include "nacre/Dialect/IE/IR/Normalization.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::interpreter;

void interpreter::registerNormalizationKernels(MLIRContext *context) {}
