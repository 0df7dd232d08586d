//===- Common.h - Helpers of the lowering to VPU ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moving values between IE's logical layout and the engine's physical ones, and
// building constants for it.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_CONVERSION_IETOVPU_COMMON_H
#define NACRE_LIB_CONVERSION_IETOVPU_COMMON_H

#include "nacre/Conversion/IEToVPU/IEToVPU.h"
#include "nacre/Dialect/IE/Utils/ConstantFloats.h"
#include "nacre/Dialect/IE/Utils/WindowUtils.h"
#include "nacre/Dialect/VPU/IR/VPULayout.h"
#include "nacre/Dialect/VPU/IR/VPUOps.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

#include <vector>

namespace nacre {

using IE::ConstantFloats;
using VPU::BlockedLayout;

/// A pattern that knows the architecture.
template <typename Op> struct VPUPattern : mlir::OpRewritePattern<Op> {
  VPUPattern(VPU::ArchAttr arch, mlir::MLIRContext *context,
             mlir::PatternBenefit benefit = 1)
      : mlir::OpRewritePattern<Op>(context, benefit), arch(arch) {}

  VPU::ArchAttr arch;
};

/// True for elements that the engine computes as they are: f32, and f64 where
/// the architecture has it.
bool isEngineFloat(VPU::ArchAttr arch, mlir::Type type);

/// Calls `body` with a zero of the C++ type of `type`, f32 or f64.
template <typename Body> auto withFloatType(mlir::Type type, Body body) {
  return type.isF64() ? body(0.0) : body(0.0f);
}

/// The value's type when it is static, of this rank (any when negative) and of
/// floats that the engine takes; null otherwise.
mlir::RankedTensorType getEngineType(VPU::ArchAttr arch, mlir::Value value,
                                     int64_t rank = -1);

/// The type of an image, (N, C, W) or (N, C, H, W), that the engine takes: of
/// floats and known channels. On a CPU the other sizes may be dynamic; an NPU
/// has to know them, to fit its scratchpad. So it is for volumes,
/// (N, C, D, H, W), which are batches of images. Null for other values.
mlir::RankedTensorType getImageType(VPU::ArchAttr arch, mlir::Value value);

/// True for the 8-bit integers of a model, signed and unsigned.
bool isByte(mlir::Type type);

/// True for a tensor of 8-bit integers, where the engine takes such. A run may
/// decide about all sizes but that of dimension `dim`; an NPU has to know them.
bool isEngineBytes(VPU::ArchAttr arch, mlir::Value value, int64_t dim);

/// The same of images, whose channels are known, and volumes of known size.
bool isImageOfBytes(VPU::ArchAttr arch, mlir::Value value);

/// The sign bit of a byte, as the byte's value.
inline constexpr int64_t kSignBit = -128;

/// A model's 8-bit integers as the engine's, which are unsigned: signed ones
/// are shifted by half the range.
mlir::Value buildBytes(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value value);
/// The inverse: the engine's bytes as a model's of this type.
mlir::Value buildModelBytes(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Value value, mlir::Type elementType);

/// tensor.empty of this shape.
mlir::Value buildEmpty(mlir::OpBuilder &builder, mlir::Location loc,
                       llvm::ArrayRef<int64_t> shape, mlir::Type elementType);

/// tensor.empty of the type and the sizes of `value`.
mlir::Value buildEmptyLike(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value value);

/// Views `value` in another static shape of as many elements.
mlir::Value buildReshape(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value value, llvm::ArrayRef<int64_t> shape);

/// Lets clusters share the rows of recurrences whose strategies say so.
void shareRecurrences(mlir::Operation *root, VPU::ArchAttr arch);

//===----------------------------------------------------------------------===//
// Sizes, static or dynamic
//===----------------------------------------------------------------------===//

using MixedSizes = llvm::SmallVector<mlir::OpFoldResult>;

/// The sizes of a tensor, traced to where they come from.
MixedSizes getMixedSizes(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value value);

/// True when two sizes are one value, or computed in the same way from the same
/// values, and so equal in every run.
bool areComputedAlike(mlir::OpFoldResult a, mlir::OpFoldResult b);

/// True when two tensors of one type have the same sizes in every run. Leaves
/// no trace in the IR.
bool haveSameSizes(mlir::Operation *user, mlir::Value a, mlir::Value b);

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

/// Rows and columns added around an image: [top, left, bottom, right].
struct Padding {
  std::array<int64_t, 4> sizes = {0, 0, 0, 0};
  float value = 0.0f;
  mlir::Value fill = {}; // a byte computed at run time, in place of `value`
};

/// An image in the engine's form, (N, blocks, H, W, width).
struct BlockedImage {
  mlir::Value value;
  BlockedLayout layout = {0};
  explicit operator bool() const { return static_cast<bool>(value); }
};

/// The engine's image that a value of the model is; null where it is none.
BlockedImage getBlockedImage(mlir::Value value);

/// The layout for a value: as it is blocked already, else as the architecture
/// wants it. An op that reduces channels can also take a value of few channels
/// as it is, without padding them.
BlockedLayout chooseLayout(VPU::ArchAttr arch, mlir::Value value,
                           bool reducesChannels);

/// The sizes (N, C, H, W) of the image that a value of the model is: of a
/// single row where it has none, and of volumes a batch.
MixedSizes getImageSizes(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value value);

/// A value of the model as the engine's image, padded.
mlir::Value buildBlocked(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value value, BlockedLayout layout,
                         const Padding &padding = {});

/// The inverse: an image of the engine as a value of a model's `type`, or of
/// other elements than bytes.
mlir::Value buildFromBlocked(mlir::OpBuilder &builder, mlir::Location loc,
                             const BlockedImage &image, int64_t channels,
                             mlir::RankedTensorType type);

/// A destination for a blocked image of logical sizes (N, C, H, W).
mlir::Value buildBlockedEmpty(mlir::OpBuilder &builder, mlir::Location loc,
                              llvm::ArrayRef<mlir::OpFoldResult> logical,
                              BlockedLayout layout, mlir::Type elementType);

/// Replaces `op` by `result`, the engine's of that many channels.
void replaceByImage(mlir::PatternRewriter &rewriter, mlir::Operation *op,
                    const BlockedImage &result, int64_t channels);

/// A window over rows and columns; one over columns alone has a single row.
struct Window2D {
  std::array<int64_t, 2> kernel;
  std::array<int64_t, 2> strides;
  std::array<int64_t, 2> dilations;
  /// Dynamic where the image's are.
  std::array<int64_t, 2> output;
  /// [top, left, bottom, right]; where they are dynamic, the most.
  std::array<int64_t, 4> pads;
  /// Where the size of the image is dynamic: how ONNX splits the padding that
  /// its size asks for, "" where the padding is fixed.
  llvm::StringRef autoPad;
  bool ceilMode;

  /// Nothing for windows of other ranks, or with negative padding.
  static std::optional<Window2D>
  get(const IE::Window &window, llvm::StringRef autoPad, bool ceilMode = false);

  /// The number of elements that a window reaches over in dimension `i`.
  int64_t getExtent(unsigned i) const {
    return (kernel[i] - 1) * dilations[i] + 1;
  }

  /// What is missing at the bottom and right of an input of (H, W), beyond the
  /// pads, to compute all outputs: ceil_mode can ask for that. Of dynamic
  /// sizes, the most that can be missing.
  std::array<int64_t, 2> getOverhang(llvm::ArrayRef<int64_t> image) const;
};

/// The operand of an op with a window.
struct WindowInput {
  /// Blocked, padded, and possibly larger than needed.
  mlir::Value value;
  /// Rows and columns of the result, and of the padding before the image.
  MixedSizes output, padsBegin;
  /// The padding at each edge, where that does not depend on the run.
  std::array<int64_t, 4> border = {0, 0, 0, 0};
};

/// A value of the model as the engine's image, padded with `padding`, whose
/// sizes are the window's. A run in which no window fits fails.
WindowInput buildWindowInput(mlir::OpBuilder &builder, mlir::Location loc,
                             mlir::Value value, BlockedLayout layout,
                             const Window2D &window, Padding padding = {});

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// A constant of this shape. Large ones are resource blobs.
template <typename T>
mlir::Value buildConstant(mlir::OpBuilder &builder, mlir::Location loc,
                          llvm::ArrayRef<int64_t> shape,
                          llvm::ArrayRef<T> values);
/// The same without a copy, for weights that take much memory.
template <typename T>
mlir::Value buildConstant(mlir::OpBuilder &builder, mlir::Location loc,
                          llvm::ArrayRef<int64_t> shape,
                          std::vector<T> &&values);

/// The elements of `constant`, which ConstantFloats reads, in another shape.
mlir::Value buildConstantView(mlir::OpBuilder &builder, mlir::Location loc,
                              mlir::Value constant,
                              llvm::ArrayRef<int64_t> shape);

/// One value per channel in blocks; zeroes fill the last ones.
mlir::Value buildPackedBias(mlir::OpBuilder &builder, mlir::Location loc,
                            llvm::ArrayRef<float> values, BlockedLayout layout);
/// The same of floats of `elementType`.
mlir::Value buildPackedBias(mlir::OpBuilder &builder, mlir::Location loc,
                            llvm::ArrayRef<double> values, BlockedLayout layout,
                            mlir::Type elementType);
mlir::Value buildPackedOffset(mlir::OpBuilder &builder, mlir::Location loc,
                              llvm::ArrayRef<int32_t> values,
                              BlockedLayout layout);

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_IETOVPU_COMMON_H
