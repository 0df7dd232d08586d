//===- ElementwiseKernels.h - Templates of elementwise kernels --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An elementwise kernel widens its operands to one of three computation types,
// broadcasts them to the result's shape, applies a scalar function per element
// and narrows the result. The op's own file supplies the scalar function as a
// factory, `auto make(OpT op)`, which reads the attributes once.
//
// Floats are computed in double and rounded once, so that the interpreter is
// more exact than what it judges. Integers are computed in 64 bits.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_INTERPRETER_ELEMENTWISEKERNELS_H
#define NACRE_LIB_INTERPRETER_ELEMENTWISEKERNELS_H

#include "Kernels.h"

#include "nacre/Dialect/IE/Utils/SmallNumbers.h"

#include <cmath>
#include <limits>
#include <vector>

namespace nacre::interpreter {

/// Calls `visit` with a value of the computation type of `elementType`: double,
/// int64_t, or uint64_t for unsigned integers and bool.
template <typename Visitor>
auto dispatchCompute(mlir::Type elementType, Visitor &&visit) {
  if (llvm::isa<mlir::FloatType>(elementType)) {
    return visit(double());
  }
  if (elementType.isUnsignedInteger() || elementType.isInteger(1)) {
    return visit(uint64_t());
  }
  return visit(int64_t());
}

/// Converts as IE.Cast does. A float beyond the range of the integer type,
/// which ONNX leaves open, saturates at 32 or 64 bits and then wraps.
template <typename To, typename From> To convertElement(From value) {
  if constexpr (std::is_same_v<To, bool>) {
    return value != From(0);
  } else if constexpr (std::is_same_v<From, double> && std::is_integral_v<To>) {
    constexpr bool fitsInt32 =
        sizeof(To) < 4 || (sizeof(To) == 4 && std::is_signed_v<To>);
    constexpr bool isUint64 = std::is_same_v<To, uint64_t>;
    using Wide =
        std::conditional_t<fitsInt32, int32_t,
                           std::conditional_t<isUint64, uint64_t, int64_t>>;
    if (std::isnan(value)) {
      return 0;
    }
    // The bounds as doubles; the upper one is rounded up to the power of two.
    double lower = static_cast<double>(std::numeric_limits<Wide>::min());
    double upper = static_cast<double>(std::numeric_limits<Wide>::max());
    if (value <= lower) {
      return static_cast<To>(std::numeric_limits<Wide>::min());
    }
    if (value >= upper) {
      return static_cast<To>(std::numeric_limits<Wide>::max());
    }
    return static_cast<To>(static_cast<Wide>(value));
  } else {
    return static_cast<To>(value);
  }
}

/// The elements widened to the computation type.
template <typename C> std::vector<C> load(const Tensor &tensor) {
  if (tensor.hasSmallNumbers()) {
    std::vector<C> result;
    for (char code : tensor.getBytes()) {
      result.push_back(convertElement<C>(
          IE::decodeSmallNumber(tensor.getElementType(), code)));
    }
    return result;
  }
  return dispatch(tensor.getElementType(), [&](auto tag) {
    std::vector<C> result;
    result.reserve(tensor.getNumElements());
    for (decltype(tag) value : tensor.values<decltype(tag)>()) {
      result.push_back(convertElement<C>(value));
    }
    return result;
  });
}

/// The same, repeated to fill `shape` by NumPy's rules.
template <typename C>
std::vector<C> load(const Tensor &tensor, llvm::ArrayRef<int64_t> shape) {
  std::vector<C> own = load<C>(tensor);
  if (tensor.getShape() == shape) {
    return own;
  }
  llvm::SmallVector<int64_t> strides =
      computeBroadcastStrides(tensor.getShape(), shape);
  // A row of the last dimension at a time: its elements lie side by side, or
  // are one.
  int64_t width = shape.back(), step = strides.back();
  std::vector<C> result;
  result.reserve(mlir::ShapedType::getNumElements(shape));
  forEachIndex(shape.drop_back(), [&](int64_t, llvm::ArrayRef<int64_t> index) {
    int64_t offset = 0;
    for (auto [i, stride] : llvm::zip_first(index, strides)) {
      offset += i * stride;
    }
    for (int64_t i = 0; i < width; ++i) {
      result.push_back(own[offset + i * step]);
    }
  });
  return result;
}

/// Narrows `values` into `tensor`.
template <typename C> void store(const std::vector<C> &values, Tensor &tensor) {
  dispatch(tensor.getElementType(), [&](auto tag) {
    auto out = tensor.mutableValues<decltype(tag)>();
    for (size_t i = 0; i < out.size(); ++i) {
      out[i] = convertElement<decltype(tag)>(values[i]);
    }
  });
}

/// True for a float that is not a number.
template <typename C> bool isNaN(C value) {
  if constexpr (std::is_floating_point_v<C>) {
    return std::isnan(value);
  } else {
    return false;
  }
}

/// Greatest and least of two; NaN in either is the result.
template <typename C> C maximum(C a, C b) {
  return isNaN(a) ? a : isNaN(b) ? b : std::max(a, b);
}
template <typename C> C minimum(C a, C b) {
  return isNaN(a) ? a : isNaN(b) ? b : std::min(a, b);
}

/// Applies `function` to integers as unsigned ones, where overflow wraps.
template <typename C, typename Function>
C applyWrapping(C a, C b, Function function) {
  using Wrapping = std::conditional_t<std::is_floating_point_v<C>, C, uint64_t>;
  return static_cast<C>(
      function(static_cast<Wrapping>(a), static_cast<Wrapping>(b)));
}

/// Kernel of a function of one double, such as std::sqrt.
template <typename OpT, double (*function)(double)>
mlir::LogicalResult evalMath(OpT, llvm::ArrayRef<Tensor> operands,
                             llvm::MutableArrayRef<Tensor> results) {
  std::vector<double> values = load<double>(operands[0]);
  for (double &value : values) {
    value = function(value);
  }
  store(values, results[0]);
  return mlir::success();
}

/// Kernel of one operand computed as `C`, whatever its element type: `make(op)`
/// maps an element.
template <typename C, typename OpT, auto make>
mlir::LogicalResult evalUnaryAs(OpT op, llvm::ArrayRef<Tensor> operands,
                                llvm::MutableArrayRef<Tensor> results) {
  auto function = make(op);
  std::vector<C> values = load<C>(operands[0]);
  for (C &value : values) {
    value = static_cast<C>(function(value));
  }
  store(values, results[0]);
  return mlir::success();
}

/// The same in the element type's own computation type.
template <typename OpT, auto make>
mlir::LogicalResult evalUnary(OpT op, llvm::ArrayRef<Tensor> operands,
                              llvm::MutableArrayRef<Tensor> results) {
  return dispatchCompute(operands[0].getElementType(), [&](auto tag) {
    return evalUnaryAs<decltype(tag), OpT, make>(op, operands, results);
  });
}

/// Kernel of any number of operands of one element type that broadcast,
/// computed as `C`: `make(op)` combines the elements from the left.
template <typename C, typename OpT, auto make>
mlir::LogicalResult evalBroadcastAs(OpT op, llvm::ArrayRef<Tensor> operands,
                                    llvm::MutableArrayRef<Tensor> results) {
  auto function = make(op);
  llvm::ArrayRef<int64_t> shape = results[0].getShape();
  std::vector<C> values = load<C>(operands[0], shape);
  for (const Tensor &operand : operands.drop_front()) {
    std::vector<C> others = load<C>(operand, shape);
    for (size_t i = 0; i < values.size(); ++i) {
      values[i] = static_cast<C>(function(values[i], others[i]));
    }
  }
  store(values, results[0]);
  return mlir::success();
}

/// The same in the element type's own computation type.
template <typename OpT, auto make>
mlir::LogicalResult evalBroadcast(OpT op, llvm::ArrayRef<Tensor> operands,
                                  llvm::MutableArrayRef<Tensor> results) {
  return dispatchCompute(operands[0].getElementType(), [&](auto tag) {
    return evalBroadcastAs<decltype(tag), OpT, make>(op, operands, results);
  });
}

} // namespace nacre::interpreter

#endif // NACRE_LIB_INTERPRETER_ELEMENTWISEKERNELS_H
