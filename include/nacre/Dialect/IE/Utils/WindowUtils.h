//===- WindowUtils.h - Sliding windows of convolution and pooling -*- C++
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Resolves ONNX's window attributes (kernel_shape, strides, dilations, pads,
// auto_pad, ceil_mode) against an input shape. Type inference, interpreter and
// lowerings all work on the resolved form.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_UTILS_WINDOWUTILS_H
#define NACRE_DIALECT_IE_UTILS_WINDOWUTILS_H

#include "nacre/Dialect/IE/IR/IEDialect.h"

namespace nacre::IE {

/// The window attributes of an op as written; absent ones are empty.
struct WindowAttributes {
  llvm::ArrayRef<int64_t> kernel;
  llvm::ArrayRef<int64_t> strides;
  llvm::ArrayRef<int64_t> dilations;
  llvm::ArrayRef<int64_t> pads;
  llvm::StringRef autoPad = "NOTSET";
  bool ceilMode = false;
  /// The kernel is the shape of an operand, which may be dynamic.
  bool isKernelOperand = false;
};

/// One entry per spatial dimension. Dimensions that depend on a dynamic input
/// size are dynamic, and so are the pads of auto_pad then.
struct Window {
  llvm::SmallVector<int64_t> kernel;
  llvm::SmallVector<int64_t> strides;
  llvm::SmallVector<int64_t> dilations;
  llvm::SmallVector<int64_t> padsBegin;
  llvm::SmallVector<int64_t> padsEnd;
  llvm::SmallVector<int64_t> output;

  bool hasPads() const;
};

/// Resolves the window over an input with the given spatial sizes. Emits an
/// error naming the attribute that is malformed.
mlir::FailureOr<Window> resolveWindow(std::optional<mlir::Location> location,
                                      llvm::ArrayRef<int64_t> spatial,
                                      const WindowAttributes &attributes);

/// A resolved window, whose kernel, pads and output may be dynamic.
struct SizedWindow {
  Sizes kernel, padsBegin, padsEnd, output;
  llvm::SmallVector<int64_t> strides, dilations;

  /// How far apart the first and last element of a window are in dimension `i`.
  mlir::OpFoldResult getReach(SizeBuilder &sizes, size_t i) const;
};

/// The same over an input and a kernel of dynamic sizes.
/// `attributes` have been checked by resolveWindow; their kernel is ignored.
SizedWindow buildWindow(SizeBuilder &sizes,
                        llvm::ArrayRef<mlir::OpFoldResult> spatial,
                        llvm::ArrayRef<mlir::OpFoldResult> kernel,
                        const WindowAttributes &attributes);

/// The window of any op with ONNX's window accessors over `spatial`, with the
/// given kernel.
template <typename OpT>
WindowAttributes getWindowAttributes(OpT op, llvm::ArrayRef<int64_t> kernel) {
  WindowAttributes result;
  auto get = [](std::optional<llvm::ArrayRef<int64_t>> values) {
    return values.value_or(llvm::ArrayRef<int64_t>());
  };
  result.kernel = kernel;
  result.strides = get(op.getStrides());
  result.dilations = get(op.getDilations());
  result.pads = get(op.getPads());
  result.autoPad = op.getAutoPad();
  return result;
}

} // namespace nacre::IE

#endif // NACRE_DIALECT_IE_UTILS_WINDOWUTILS_H
