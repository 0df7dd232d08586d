//===- Convolution.cpp - Interpreter kernels: Convolution family --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluation of the IE operator family Convolution.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include <array>

#include "nacre/Dialect/IE/IR/Convolution.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::interpreter;

namespace {

/// A convolution or its transpose with three spatial dimensions; fewer are
/// extended by leading dimensions of one.
struct Geometry {
  int64_t batch, inputChannels, outputChannels, groups;
  std::array<int64_t, 3> input, kernel, output, strides, dilations, pads;
};

} // namespace

/// `values` in the last of three dimensions, `fill` before.
static std::array<int64_t, 3> extend(ArrayRef<int64_t> values, int64_t fill) {
  std::array<int64_t, 3> result = {fill, fill, fill};
  llvm::copy(values, result.end() - values.size());
  return result;
}

static Geometry getGeometry(const IE::Window &window, const Tensor &input,
                            const Tensor &output, int64_t groups) {
  return {input.getDim(0),
          input.getDim(1),
          output.getDim(1),
          groups,
          extend(input.getShape().drop_front(2), 1),
          extend(window.kernel, 1),
          extend(output.getShape().drop_front(2), 1),
          extend(window.strides, 1),
          extend(window.dilations, 1),
          extend(window.padsBegin, 0)};
}

/// The elements as Acc, whatever they are stored as.
template <typename Acc> static SmallVector<Acc, 0> widen(const Tensor &tensor) {
  return dispatch(tensor.getElementType(), [&](auto tag) {
    ArrayRef<decltype(tag)> values = tensor.values<decltype(tag)>();
    SmallVector<Acc, 0> result(values.size());
    llvm::transform(values, result.begin(),
                    [](auto value) { return static_cast<Acc>(value); });
    return result;
  });
}

template <typename Acc>
static void narrow(ArrayRef<Acc> values, Tensor &tensor) {
  dispatch(tensor.getElementType(), [&](auto tag) {
    using T = decltype(tag);
    llvm::transform(values, tensor.mutableValues<T>().begin(),
                    [](Acc value) { return static_cast<T>(value); });
  });
}

/// The outputs o in [first, last) whose input position o * stride + shift lies
/// inside [0, size).
static std::pair<int64_t, int64_t> clipOutputs(int64_t shift, int64_t stride,
                                               int64_t size, int64_t outputs) {
  int64_t first = shift >= 0 ? 0 : (-shift + stride - 1) / stride;
  int64_t last = size - shift <= 0 ? 0 : (size - shift + stride - 1) / stride;
  return {std::min(first, outputs), std::min(last, outputs)};
}

/// Adds one channel's window position to a plane of outputs:
/// out[o] += x[o * stride + shift] * w. The innermost loop has unit stride on
/// the output, so that it vectorises.
template <typename Acc, typename Visit>
static void forEachRow(const Geometry &g, const std::array<int64_t, 3> &k,
                       Visit visit) {
  std::array<int64_t, 3> shift;
  for (int i = 0; i < 3; ++i) {
    shift[i] = k[i] * g.dilations[i] - g.pads[i];
  }
  auto [d0, d1] = clipOutputs(shift[0], g.strides[0], g.input[0], g.output[0]);
  auto [h0, h1] = clipOutputs(shift[1], g.strides[1], g.input[1], g.output[1]);
  auto [w0, w1] = clipOutputs(shift[2], g.strides[2], g.input[2], g.output[2]);
  for (int64_t d = d0; d < d1; ++d) {
    for (int64_t h = h0; h < h1; ++h) {
      int64_t outRow = (d * g.output[1] + h) * g.output[2];
      int64_t inRow = ((d * g.strides[0] + shift[0]) * g.input[1] +
                       h * g.strides[1] + shift[1]) *
                          g.input[2] +
                      shift[2];
      visit(outRow, inRow, w0, w1);
    }
  }
}

template <typename Visit>
static void forEachKernelPosition(const Geometry &g, Visit visit) {
  int64_t position = 0;
  for (int64_t d = 0; d < g.kernel[0]; ++d) {
    for (int64_t h = 0; h < g.kernel[1]; ++h) {
      for (int64_t w = 0; w < g.kernel[2]; ++w) {
        visit(position++, std::array<int64_t, 3>{d, h, w});
      }
    }
  }
}

static int64_t product(const std::array<int64_t, 3> &values) {
  return values[0] * values[1] * values[2];
}

template <typename Acc>
static void convolve(const Geometry &g, ArrayRef<Acc> x, ArrayRef<Acc> w,
                     MutableArrayRef<Acc> y) {
  int64_t inGroup = g.inputChannels / g.groups;
  int64_t outGroup = g.outputChannels / g.groups;
  int64_t inPlane = product(g.input), outPlane = product(g.output);
  int64_t window = product(g.kernel), stride = g.strides[2];
  for (int64_t n = 0; n < g.batch; ++n) {
    for (int64_t m = 0; m < g.outputChannels; ++m) {
      Acc *out = y.data() + (n * g.outputChannels + m) * outPlane;
      for (int64_t c = 0; c < inGroup; ++c) {
        const Acc *in =
            x.data() +
            (n * g.inputChannels + m / outGroup * inGroup + c) * inPlane;
        const Acc *weights = w.data() + (m * inGroup + c) * window;
        forEachKernelPosition(g, [&](int64_t position, auto k) {
          Acc weight = weights[position];
          forEachRow<Acc>(
              g, k, [&](int64_t outRow, int64_t inRow, int64_t w0, int64_t w1) {
                if (stride == 1) {
                  for (int64_t o = w0; o < w1; ++o) {
                    out[outRow + o] += in[inRow + o] * weight;
                  }
                } else {
                  for (int64_t o = w0; o < w1; ++o) {
                    out[outRow + o] += in[inRow + o * stride] * weight;
                  }
                }
              });
        });
      }
    }
  }
}

/// The transpose: the roles of input and output positions are exchanged, so `g`
/// describes the convolution from result to operand.
template <typename Acc>
static void convolveTransposed(const Geometry &g, ArrayRef<Acc> x,
                               ArrayRef<Acc> w, MutableArrayRef<Acc> y) {
  int64_t operandGroup = g.outputChannels / g.groups;
  int64_t resultGroup = g.inputChannels / g.groups;
  int64_t operandPlane = product(g.output), resultPlane = product(g.input);
  int64_t window = product(g.kernel), stride = g.strides[2];
  for (int64_t n = 0; n < g.batch; ++n) {
    for (int64_t c = 0; c < g.outputChannels; ++c) {
      const Acc *in = x.data() + (n * g.outputChannels + c) * operandPlane;
      for (int64_t m = 0; m < resultGroup; ++m) {
        Acc *out = y.data() +
                   (n * g.inputChannels + c / operandGroup * resultGroup + m) *
                       resultPlane;
        const Acc *weights = w.data() + (c * resultGroup + m) * window;
        forEachKernelPosition(g, [&](int64_t position, auto k) {
          Acc weight = weights[position];
          forEachRow<Acc>(
              g, k, [&](int64_t inRow, int64_t outRow, int64_t w0, int64_t w1) {
                for (int64_t o = w0; o < w1; ++o) {
                  out[outRow + o * stride] += in[inRow + o] * weight;
                }
              });
        });
      }
    }
  }
}

/// Fills each channel plane with its bias, or zero.
template <typename Acc>
static SmallVector<Acc, 0> initWithBias(const Tensor &output,
                                        const Tensor *bias) {
  SmallVector<Acc, 0> result(output.getNumElements(), Acc(0));
  if (!bias) {
    return result;
  }
  SmallVector<Acc, 0> values = widen<Acc>(*bias);
  int64_t channels = output.getDim(1);
  int64_t plane = output.getNumElements() /
                  std::max<int64_t>(output.getDim(0) * channels, 1);
  for (size_t i = 0; i < result.size(); ++i) {
    result[i] = values[i / plane % channels];
  }
  return result;
}

template <typename Acc>
static void evalConvAs(IE::ConvOp op, const IE::Window &window,
                       ArrayRef<Tensor> operands, Tensor &result) {
  Geometry geometry = getGeometry(window, operands[0], result, op.getGroup());
  SmallVector<Acc, 0> sums =
      initWithBias<Acc>(result, operands.size() > 2 ? &operands[2] : nullptr);
  convolve<Acc>(geometry, widen<Acc>(operands[0]), widen<Acc>(operands[1]),
                sums);
  narrow<Acc>(sums, result);
}

static LogicalResult evalConv(IE::ConvOp op, ArrayRef<Tensor> operands,
                              MutableArrayRef<Tensor> results) {
  FailureOr<IE::Window> window = op.getWindow();
  if (failed(window)) {
    return failure();
  }
  if (results[0].getElementType().isF64()) {
    evalConvAs<double>(op, *window, operands, results[0]);
  } else {
    evalConvAs<float>(op, *window, operands, results[0]);
  }
  return success();
}

/// The elements less their zero points: one, or one for each of the first
/// dimension's indices.
static SmallVector<int32_t, 0> widenFrom(const Tensor &tensor,
                                         const Tensor *zeroPoint) {
  SmallVector<int32_t, 0> values = widen<int32_t>(tensor);
  if (zeroPoint) {
    SmallVector<int32_t, 0> zeros = widen<int32_t>(*zeroPoint);
    size_t perZero = values.size() / std::max<size_t>(zeros.size(), 1);
    for (size_t i = 0; i < values.size(); ++i) {
      values[i] -= zeros[i / perZero];
    }
  }
  return values;
}

static LogicalResult evalConvInteger(IE::ConvIntegerOp op,
                                     ArrayRef<Tensor> operands,
                                     MutableArrayRef<Tensor> results) {
  FailureOr<IE::Window> window = op.getWindow();
  if (failed(window)) {
    return failure();
  }
  const Tensor *next = operands.data() + 2;
  const Tensor *inputZero = op.getXZeroPoint() ? next++ : nullptr;
  const Tensor *weightsZero = op.getWZeroPoint() ? next : nullptr;
  Geometry geometry =
      getGeometry(*window, operands[0], results[0], op.getGroup());
  convolve<int32_t>(geometry, widenFrom(operands[0], inputZero),
                    widenFrom(operands[1], weightsZero),
                    results[0].mutableValues<int32_t>());
  return success();
}

template <typename Acc>
static void evalConvTransposeAs(IE::ConvTransposeOp op,
                                const IE::Window &window,
                                ArrayRef<Tensor> operands, Tensor &result) {
  Geometry geometry = getGeometry(window, result, operands[0], op.getGroup());
  SmallVector<Acc, 0> sums =
      initWithBias<Acc>(result, operands.size() > 2 ? &operands[2] : nullptr);
  convolveTransposed<Acc>(geometry, widen<Acc>(operands[0]),
                          widen<Acc>(operands[1]), sums);
  narrow<Acc>(sums, result);
}

static LogicalResult evalConvTranspose(IE::ConvTransposeOp op,
                                       ArrayRef<Tensor> operands,
                                       MutableArrayRef<Tensor> results) {
  FailureOr<IE::Window> window = op.getWindow();
  if (failed(window)) {
    return failure();
  }
  if (results[0].getElementType().isF64()) {
    evalConvTransposeAs<double>(op, *window, operands, results[0]);
  } else {
    evalConvTransposeAs<float>(op, *window, operands, results[0]);
  }
  return success();
}

void interpreter::registerConvolutionKernels(MLIRContext *context) {
  attachKernel<IE::ConvOp, evalConv>(context);
  attachKernel<IE::ConvIntegerOp, evalConvInteger>(context);
  attachKernel<IE::ConvTransposeOp, evalConvTranspose>(context);
}
