//===- Volume.h - Volumes as batches of images ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The engine knows images. A volume, (N, C, D, H, W), is as many of them as it
// is deep, (N * D, C, H, W), so that what works on each of them alone needs
// nothing more, and a window over depth takes images of one volume.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_CONVERSION_IETOVPU_VOLUME_H
#define NACRE_LIB_CONVERSION_IETOVPU_VOLUME_H

#include "Common.h"

namespace nacre {

/// What windows do along the depth of volumes. The default is that of windows
/// over single images.
struct Depth {
  int64_t kernel = 1, stride = 1, dilation = 1;
  int64_t padsBegin = 0, padsEnd = 0;
  int64_t output = 0; // not used where a window takes a single image

  /// Takes the depth away from a window that has one.
  static Depth take(IE::Window &window);

  bool hasNegativePadding() const { return padsBegin < 0 || padsEnd < 0; }
  bool isSingle() const {
    return kernel == 1 && stride == 1 && padsBegin == 0 && padsEnd == 0;
  }

  /// How many images of a padded volume all windows together reach over.
  int64_t getReach() const {
    return (output - 1) * stride + (kernel - 1) * dilation + 1;
  }

  /// Of a padded volume, the image that element `tap` of the kernel meets for
  /// each output.
  mlir::Value buildTap(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value volume, int64_t tap) const;
};

/// Each op costs code, and time to compile it: a convolution of volumes that
/// would take more of them is left to software. A bound of these two, whatever
/// a run of such code would take.
constexpr int64_t kMaxVolumeOps = 256;

/// (N, C, D, H, W) as images (N * D, C, H, W), and the inverse. Sizes are
/// known.
mlir::Value buildVolumeImages(mlir::OpBuilder &builder, mlir::Location loc,
                              mlir::Value value);
mlir::Value buildFromVolumeImages(mlir::OpBuilder &builder, mlir::Location loc,
                                  mlir::Value images,
                                  mlir::RankedTensorType type);

/// Images `first`, `first` + `stride`, … of a blocked value.
mlir::Value buildSomeImages(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Value images, int64_t first, int64_t count,
                            int64_t stride = 1);

/// A blocked volume with images of zeroes before and after it.
mlir::Value buildPaddedVolume(mlir::OpBuilder &builder, mlir::Location loc,
                              mlir::Value volume, int64_t before,
                              int64_t after);

/// Joins what `build` makes of each of `count` blocked volumes.
mlir::Value forEachVolume(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value images, int64_t count,
                          llvm::function_ref<mlir::Value(mlir::Value)> build);

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_IETOVPU_VOLUME_H
