//===- Generator.cpp - Interpreter kernels: generated tensors -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluation of the IE operators that compute tensors from shapes and scalars.
//
//===----------------------------------------------------------------------===//

#include "Movement.h"

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/Utils/SectionUtils.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::interpreter;

static LogicalResult evalConstantOfShape(IE::ConstantOfShapeOp op,
                                         ArrayRef<Tensor> operands,
                                         MutableArrayRef<Tensor> results) {
  if (failed(checkShape(op, *getInts(&operands[0]), results[0]))) {
    return failure();
  }
  if (!op.getValueAttr()) {
    return success(); // results start as zeros
  }
  FailureOr<Tensor> value = Tensor::fromAttr(op.getValueAttr());
  if (failed(value)) {
    return op.emitError("expected a value with data");
  }
  dispatchWidth(value->getElementType(), [&](auto tag) {
    using T = decltype(tag);
    llvm::fill(results[0].mutableValues<T>(), value->values<T>().front());
  });
  return success();
}

static LogicalResult evalRange(IE::RangeOp op, ArrayRef<Tensor> operands,
                               MutableArrayRef<Tensor> results) {
  bool isFloat = isa<FloatType>(results[0].getElementType());
  std::optional<int64_t> size =
      isFloat
          ? IE::getRangeSize(operands[0].getDouble(0), operands[1].getDouble(0),
                             operands[2].getDouble(0))
          : IE::getRangeSize(operands[0].getInt(0), operands[1].getInt(0),
                             operands[2].getInt(0));
  if (!size) {
    return op.emitError("expected a delta other than 0 and finite bounds");
  }
  if (failed(checkShape(op, *size, results[0]))) {
    return failure();
  }
  dispatch(results[0].getElementType(), [&](auto tag) {
    using T = decltype(tag);
    // Computed in the element's own arithmetic, as compiled code does.
    T start = operands[0].values<T>()[0];
    T delta = operands[2].values<T>()[0];
    MutableArrayRef<T> out = results[0].mutableValues<T>();
    for (size_t i = 0; i < out.size(); ++i) {
      out[i] = T(start + T(T(i) * delta));
    }
  });
  return success();
}

static LogicalResult evalEyeLike(IE::EyeLikeOp op, ArrayRef<Tensor>,
                                 MutableArrayRef<Tensor> results) {
  int64_t k = op.getK();
  dispatch(results[0].getElementType(), [&](auto tag) {
    using T = decltype(tag);
    MutableArrayRef<T> out = results[0].mutableValues<T>();
    int64_t columns = results[0].getDim(1);
    for (int64_t row = 0; row < results[0].getDim(0); ++row) {
      int64_t column = row + k;
      if (column >= 0 && column < columns) {
        out[row * columns + column] = T(1);
      }
    }
  });
  return success();
}

void interpreter::registerGeneratorKernels(MLIRContext *context) {
  attachKernel<IE::ConstantOfShapeOp, evalConstantOfShape>(context);
  attachKernel<IE::RangeOp, evalRange>(context);
  attachKernel<IE::EyeLikeOp, evalEyeLike>(context);
}
