//===- ResizeUtils.h - Arithmetic of Resize ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What Resize does along one dimension, as positions and weights, after the
// reference implementation of the ONNX operator (version 19).
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_UTILS_RESIZEUTILS_H
#define NACRE_DIALECT_IE_UTILS_RESIZEUTILS_H

#include "nacre/Dialect/IE/IR/Resampling.h"

#include <optional>

namespace nacre::IE {

/// The most points per bin and dimension that RoiAlign samples where the region
/// says how many: a damaged one must not keep it busy for ever.
inline constexpr double kMaxRoiPoints = 4096;
/// The elements of the image around each point.
inline constexpr int64_t kRoiNeighbours = 4;

/// One dimension that Resize changes, or would change.
struct ResizedDim {
  int64_t dim;
  int64_t inputSize;
  int64_t outputSize;
  double scale;
  double roiStart = 0, roiEnd = 1;
};

/// The values of Resize's operands, where they are known: empty where absent.
struct ResizeValues {
  llvm::ArrayRef<double> roi;
  llvm::ArrayRef<double> scales;
  llvm::ArrayRef<int64_t> sizes;
};

/// A size times a scale, a whole number. The product is of single precision, as
/// scales are: 0.7 makes a little less than that, but 21 of 30.
double getScaledSize(int64_t size, double scale);

/// The dimensions that are resized. Fails, after an error at `location`, where
/// the values do not fit the input's shape.
mlir::FailureOr<llvm::SmallVector<ResizedDim>>
resolveResize(std::optional<mlir::Location> location, ResizeOp::Adaptor op,
              llvm::ArrayRef<int64_t> inputShape, const ResizeValues &values);

/// The weight 1 of ResizeOp::isFixedPoint, and its logarithm.
inline constexpr int64_t kFixedPointBits = 22;
inline constexpr int64_t kFixedPointOne = int64_t(1) << kFixedPointBits;

/// Where an output element comes from. Without taps it lies outside of the
/// region of interest, and is the extrapolation value. Weights of
/// ResizeOp::isFixedPoint are whole numbers of 32 bits, of which kFixedPointOne
/// is one.
struct ResizeTaps {
  llvm::SmallVector<int64_t> positions;
  llvm::SmallVector<double> weights;
};

/// How many times in succession a dimension of `inputSize` elements that is
/// resized by `taps` has each of them; 0 where it is no such repetition. Taps
/// without weight, which may be those before the first element, do not count,
/// and `one` is a whole weight.
int64_t getRepetition(llvm::ArrayRef<ResizeTaps> taps, int64_t inputSize,
                      double one);

/// The taps of every output position of a dimension: equally many for all that
/// have any; a single one of weight 1 in mode nearest.
llvm::SmallVector<ResizeTaps> computeResizeTaps(ResizeOp op,
                                                const ResizedDim &dim);

} // namespace nacre::IE

#endif // NACRE_DIALECT_IE_UTILS_RESIZEUTILS_H
