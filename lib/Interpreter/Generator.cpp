//===- Generator.cpp - Interpreter kernels: Constant family -------------===//
//
// Evaluation of the IE operator family Constant.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include "nacre/Dialect/IE/IR/Constant.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::interpreter;

void interpreter::registerGeneratorKernels(MLIRContext *context) {}
