//===- DistributionChooser.h - Which part of an op clusters get -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows, blocks of channels, products of a batch, or rows and blocks where there
// are few of each: whichever leaves the fullest last cluster and moves less,
// above all from other clusters.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DIALECT_VPU_TRANSFORMS_DISTRIBUTIONCHOOSER_H
#define NACRE_LIB_DIALECT_VPU_TRANSFORMS_DISTRIBUTIONCHOOSER_H

#include "TilingUtils.h"

#include "llvm/ADT/DenseMap.h"

#include <limits>
#include <optional>

namespace nacre::VPU {

/// One way to distribute an op.
struct Distribution {
  ClusterStrategy strategy;
  llvm::SmallVector<int64_t> tile;
  /// Elements of the split dimension that the busiest cluster computes, as a
  /// share of an even split: 1 is perfect.
  double imbalance;
  /// Bytes that all clusters together touch.
  int64_t traffic;
};

/// Who shares an op.
struct Sharers {
  int64_t clusters;
  /// More parts would not have enough to do. Where there is enough for all
  /// clusters, parts may be smaller, if that keeps them busier.
  int64_t mostParts;
};

/// The op that computed a value, padded since or where it is padded.
NCEOpInterface getProducer(mlir::Value value);

/// How the ops of a function are split. What a cluster computed is in its own
/// cache, so that an op split like its producer reads little from another one.
class DistributionChooser {
public:
  explicit DistributionChooser(ArchAttr arch) : arch(arch) {}

  /// The best way for so many clusters to share `op`; its producers were
  /// entered before.
  std::optional<Distribution> choose(NCEOpInterface op, int64_t clusters) const;

  /// The same of blocks alone, for the part of the op that has this shape.
  std::optional<Distribution> chooseBlocks(NCEOpInterface op,
                                           llvm::ArrayRef<int64_t> shape,
                                           int64_t clusters) const;

  /// Enters what was decided about `op`.
  void enter(NCEOpInterface op, ClusterStrategy strategy) {
    chosen[op] = strategy;
  }

private:
  Sharers getSharers(int64_t clusters) const {
    bool haveEnough = clusters == arch.getClusters();
    return {clusters,
            haveEnough ? std::numeric_limits<int64_t>::max() : clusters};
  }

  /// Bytes of activations that clusters read from others' caches.
  double getForeignBytes(NCEOpInterface op, const Distribution &distribution,
                         int64_t clusters) const;

  /// True if clusters do `op` faster by `other` than by `best`.
  bool isBetter(NCEOpInterface op, const Distribution &other,
                const Distribution &best, int64_t clusters) const;

  ArchAttr arch;
  llvm::DenseMap<mlir::Operation *, ClusterStrategy> chosen;
};

} // namespace nacre::VPU

#endif // NACRE_LIB_DIALECT_VPU_TRANSFORMS_DISTRIBUTIONCHOOSER_H
