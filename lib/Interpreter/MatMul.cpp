//===- MatMul.cpp - Interpreter kernels: MatMul family ------------------===//
//
// Evaluation of the IE operator family MatMul.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include "nacre/Dialect/IE/IR/MatMul.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::interpreter;

void interpreter::registerMatMulKernels(MLIRContext *context) {}
