//===- Activation.cpp - Interpreter kernels: Activation family ----------===//
//
// Evaluation of the IE operator family Activation.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include "nacre/Dialect/IE/IR/Activation.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::interpreter;

static LogicalResult evalRelu(IE::ReluOp, ArrayRef<Tensor> operands,
                              MutableArrayRef<Tensor> results) {
  dispatch(results[0].getElementType(), [&](auto tag) {
    using T = decltype(tag);
    ArrayRef<T> in = operands[0].values<T>();
    MutableArrayRef<T> out = results[0].mutableValues<T>();
    for (size_t i = 0; i < in.size(); ++i) {
      out[i] = in[i] < T(0) ? T(0) : in[i];
    }
  });
  return success();
}

void interpreter::registerActivationKernels(MLIRContext *context) {
  attachKernel<IE::ReluOp, evalRelu>(context);
}
