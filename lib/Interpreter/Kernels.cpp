//===- Kernels.cpp - Shared pieces of the interpreter's kernels -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Index helpers and the registration of all operator families.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include "nacre/Dialect/IE/IR/IEDialect.h"
#include "nacre/Interpreter/Interpreter.h"

#include "mlir/IR/DialectRegistry.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::interpreter;

SmallVector<int64_t> interpreter::computeStrides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (int64_t i = static_cast<int64_t>(shape.size()) - 2; i >= 0; --i) {
    strides[i] = strides[i + 1] * shape[i + 1];
  }
  return strides;
}

SmallVector<int64_t>
interpreter::computeBroadcastStrides(ArrayRef<int64_t> shape,
                                     ArrayRef<int64_t> resultShape) {
  SmallVector<int64_t> own = computeStrides(shape);
  SmallVector<int64_t> strides(resultShape.size(), 0);
  size_t missing = resultShape.size() - shape.size();
  for (size_t i = 0; i < shape.size(); ++i) {
    strides[missing + i] = shape[i] == 1 ? 0 : own[i];
  }
  return strides;
}

void interpreter::forEachIndex(
    ArrayRef<int64_t> shape,
    llvm::function_ref<void(int64_t, ArrayRef<int64_t>)> visit) {
  SmallVector<int64_t> index(shape.size(), 0);
  int64_t total = 1;
  for (int64_t dim : shape) {
    total *= dim;
  }
  for (int64_t linear = 0; linear < total; ++linear) {
    visit(linear, index);
    for (int64_t i = static_cast<int64_t>(shape.size()) - 1; i >= 0; --i) {
      if (++index[i] < shape[i]) {
        break;
      }
      index[i] = 0;
    }
  }
}

void interpreter::registerExternalModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, IE::IEDialect *) {
    registerActivationKernels(context);
    registerControlFlowKernels(context);
    registerConvolutionKernels(context);
    registerDataMovementKernels(context);
    registerElementwiseKernels(context);
    registerGeneratorKernels(context);
    registerIndexingKernels(context);
    registerLogicalKernels(context);
    registerMapKernels(context);
    registerMatMulKernels(context);
    registerNormalizationKernels(context);
    registerPoolingKernels(context);
    registerQuantizationKernels(context);
    registerRandomKernels(context);
    registerReductionKernels(context);
    registerResamplingKernels(context);
    registerSelectionKernels(context);
    registerSequenceKernels(context);
    registerShapeKernels(context);
    registerSortingKernels(context);
    registerStringKernels(context);
  });
}
