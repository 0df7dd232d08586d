//===- WeightPacking.h - The packed forms of weights ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the engine has the channels of images and weights. Whoever packs
// weights, changes their form, or verifies it, asks this one description.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_VPU_IR_WEIGHTPACKING_H
#define NACRE_DIALECT_VPU_IR_WEIGHTPACKING_H

#include "nacre/Dialect/VPU/IR/VPUAttributes.h"

#include "llvm/Support/MathExtras.h"

namespace nacre::VPU {

/// How the engine holds an image of channels: cut into blocks, one pixel's part
/// of a block contiguous. Where the groups of a convolution end in the middle
/// of a block, each group of channels is blocked by itself, zeroes filling its
/// last block.
struct BlockedLayout {
  int64_t width;
  int64_t groups = 1;

  bool operator==(const BlockedLayout &other) const {
    return width == other.width && groups == other.groups;
  }
  bool operator!=(const BlockedLayout &other) const {
    return !(*this == other);
  }

  /// The number of blocks of an image with `channels` channels.
  int64_t getBlocks(int64_t channels) const {
    return groups * llvm::divideCeilSigned(channels / groups, width);
  }
  /// Where a channel lies: block * width + lane.
  int64_t getSlot(int64_t channel, int64_t channels) const {
    int64_t perGroup = channels / groups;
    int64_t group = channel / perGroup;
    return group * (getBlocks(channels) / groups) * width + channel % perGroup;
  }
};

/// What VPU.PackWeights says of packed weights. Its documentation has a table
/// of the forms.
struct WeightPacking {
  WeightForm form = WeightForm::DENSE;
  /// The innermost channels or columns, and the input channels of a block where
  /// blocks have both.
  int64_t outputWidth = 1, inputWidth = 1;
  /// Elements that are multiplied at once for each lane.
  int64_t pack = 1;
  /// Groups of the convolution, and by which the channels of its images are
  /// blocked.
  int64_t groups = 1, inputGroups = 1, outputGroups = 1;

  BlockedLayout getInputLayout() const { return {inputWidth, inputGroups}; }
  BlockedLayout getOutputLayout() const { return {outputWidth, outputGroups}; }

  /// The number of dimensions before packing, and after it without packs.
  static int64_t getLogicalRank(WeightForm form);
  static int64_t getPackedRank(WeightForm form);
  /// True for forms whose blocks have input channels, too.
  static bool hasInputBlocks(WeightForm form);

  /// The shape of weights of this shape when they are packed.
  llvm::SmallVector<int64_t>
  getPackedShape(llvm::ArrayRef<int64_t> shape) const;
};

} // namespace nacre::VPU

#endif // NACRE_DIALECT_VPU_IR_WEIGHTPACKING_H
