//===- Resampling.cpp - Interpreter kernels: resampling -------------------===//
//
// Evaluation of the IE operator family: resampling.
//
//===----------------------------------------------------------------------===//

#include "ElementwiseKernels.h"

#include "nacre/Dialect/IE/Utils/ResizeUtils.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::interpreter;

/// One dimension of `values`, which have `shape`, resized.
template <typename C>
static std::vector<C> resizeDim(IE::ResizeOp op, const IE::ResizedDim &dim,
                                const std::vector<C> &values,
                                ArrayRef<int64_t> shape) {
  int64_t inner = ShapedType::getNumElements(shape.drop_front(dim.dim + 1));
  int64_t outer = ShapedType::getNumElements(shape.take_front(dim.dim));
  SmallVector<IE::ResizeTaps> taps = IE::computeResizeTaps(op, dim);
  std::vector<C> result(outer * dim.outputSize * inner);
  for (int64_t o = 0; o < outer; ++o) {
    for (int64_t x = 0; x < dim.outputSize; ++x) {
      const IE::ResizeTaps &tap = taps[x];
      for (int64_t i = 0; i < inner; ++i) {
        C &out = result[(o * dim.outputSize + x) * inner + i];
        auto at = [&](int64_t position) {
          return values[(o * dim.inputSize + position) * inner + i];
        };
        if (tap.positions.empty()) {
          out = static_cast<C>(op.getExtrapolationValue().convertToDouble());
        } else if (tap.positions.size() == 1) {
          out = at(tap.positions.front());
        } else {
          double sum = 0;
          for (auto [position, weight] :
               llvm::zip_equal(tap.positions, tap.weights)) {
            sum += weight * static_cast<double>(at(position));
          }
          out = static_cast<C>(sum);
        }
      }
    }
  }
  return result;
}

static LogicalResult evalResize(IE::ResizeOp op, ArrayRef<Tensor> operands,
                                MutableArrayRef<Tensor> results) {
  // Optional operands are absent from the list, not null.
  const Tensor *next = operands.data() + 1;
  std::vector<double> roi, scales;
  std::vector<int64_t> sizes;
  if (op.getRoi()) {
    roi = load<double>(*next++);
  }
  if (op.getScales()) {
    scales = load<double>(*next++);
  }
  if (op.getSizes()) {
    sizes = load<int64_t>(*next);
  }
  SmallVector<int64_t> shape(operands[0].getShape());
  FailureOr<SmallVector<IE::ResizedDim>> dims =
      IE::resolveResize(op.getLoc(), op, shape, {roi, scales, sizes});
  if (failed(dims)) {
    return failure();
  }
  dispatchCompute(results[0].getElementType(), [&](auto tag) {
    using C = decltype(tag);
    std::vector<C> values = load<C>(operands[0]);
    for (const IE::ResizedDim &dim : *dims) {
      values = resizeDim(op, dim, values, shape);
      shape[dim.dim] = dim.outputSize;
    }
    store(values, results[0]);
  });
  return success();
}

void interpreter::registerResamplingKernels(MLIRContext *context) {
  attachKernel<IE::ResizeOp, evalResize>(context);
}
