//===- Convolution.cpp - Interpreter kernels: Convolution family --------===//
//
// Evaluation of the IE operator family Convolution.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include "nacre/Dialect/IE/IR/Convolution.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::interpreter;

void interpreter::registerConvolutionKernels(MLIRContext *context) {}
