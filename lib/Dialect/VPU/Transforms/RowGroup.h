//===- RowGroup.h - Ops that share a loop over rows -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A group of ops that compute rows of a result from rows of their operands, and
// how it becomes one loop.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DIALECT_VPU_TRANSFORMS_ROWGROUP_H
#define NACRE_LIB_DIALECT_VPU_TRANSFORMS_ROWGROUP_H

#include "RowSizes.h"

#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Interfaces/TilingInterface.h"

namespace nacre::VPU {

/// A box of a tensor or of an op's loops that has one size for all tiles, or
/// one in terms of the tile's size. Where it lies is given in terms of where
/// the tile lies in the root's loops.
struct Box {
  llvm::SmallVector<mlir::AffineExpr> offsets;
  llvm::SmallVector<Extent> sizes;

  bool operator==(const Box &other) const {
    return offsets == other.offsets && sizes == other.sizes;
  }
  Extent getVolume() const;
};

/// The extents of an op's loops as its types know them. A reshape has those of
/// its result.
llvm::SmallVector<int64_t> getLoopExtents(mlir::Operation *op);

/// The position that the loop's index has in the shape of what the root's op
/// computes.
llvm::SmallVector<unsigned> getResultDims(mlir::Operation *op);

/// True for what only renames elements.
bool isReshape(mlir::Operation *op);

/// The operands whose producers may join the op in a loop: the others, such as
/// weights, are read whole or from elsewhere.
llvm::SmallVector<mlir::OpOperand *> getRowOperands(mlir::Operation *op);

/// In place of the size of a tile: all of the loop.
constexpr int64_t kWhole = 0;

/// What a member of a group reads or writes for a tile.
struct Traffic {
  Extent elements;
  int64_t bits; // of an element

  /// Bytes of a tile that may not begin anywhere but at a byte.
  Extent getBytes() const {
    return elements * Extent(llvm::divideCeilSigned(bits, 8));
  }
};

/// How a loop over tiles is shared among a dynamic number of clusters.
struct RunTimeParts {
  mlir::OpFoldResult number;
  /// The loop to share and, where its extent would leave clusters without, the
  /// one to share instead; the same one where there is no other.
  unsigned first, second;
  /// The steps of a part of `first` below which `second` is shared, where it is
  /// longer and parts of `first` would differ in size.
  int64_t fewSteps;
};

class TileBuilder;

/// Ops of one block of which all but the last, the root, are used by the others
/// alone. A tile of the root's loops needs one box of each: nothing is computed
/// twice.
class RowGroup {
public:
  /// A group of `root` alone, which gets loops over `dims`.
  RowGroup(mlir::TilingInterface root, llvm::ArrayRef<unsigned> dims);

  /// A group of these ops, users before producers, of which the first gets
  /// loops over `dims`.
  RowGroup(llvm::ArrayRef<mlir::Operation *> members,
           llvm::ArrayRef<unsigned> dims);

  /// A member of which a tile does not need one box, or that tiles together
  /// would compute more often than once; null where there is none.
  mlir::Operation *getMisfit() const;

  /// The box of `producer`'s result that the members need together; nothing
  /// where they need different ones or it has other users.
  std::optional<Box> getNeededBox(mlir::Operation *producer) const;

  /// Adds an op of which getNeededBox() gave `box`; false, and no change, where
  /// its loops cannot compute that box alone.
  bool add(mlir::Operation *producer, const Box &box);

  /// Drops reshapes that rename what no member computes.
  void dropLeadingReshapes();

  /// Chooses which loops of the root are tiled, by single steps. Like
  /// setTile(), false where a tile would not need one box of each member.
  bool setDims(llvm::ArrayRef<unsigned> dims);

  /// Chooses the sizes of a tile of the root's loops: constants that divide
  /// them, kWhole, or ShapedType::kDynamic for those computed at run time.
  bool setTile(llvm::ArrayRef<int64_t> sizes);

  /// What a tile reads and writes; operands of the engine other than the left
  /// one do not count.
  llvm::SmallVector<Traffic> getTraffic() const;
  /// Bytes of it, at most, where the tile's size is known.
  int64_t getTileBytes() const;

  /// True if some size of what a member computes is dynamic.
  bool isDynamic() const;
  /// The extent of a loop of the root, and the points of all loops of a member.
  Extent getExtent(unsigned dim) const;
  Extent getPoints(mlir::Operation *member) const;
  const SizeTable &getSizes() const { return table; }

  /// Replaces the ops by loops over tiles. Returns the group of what computes a
  /// tile, which can be tiled again.
  mlir::FailureOr<RowGroup> tile(mlir::RewriterBase &rewriter,
                                 mlir::scf::SCFTilingOptions options) const;

  /// The same for tiles of dynamic sizes: `tileSizes` has the sizes of all
  /// loops that setTile() left open, as values, and `parts`, unless
  /// null, how to share them. The group cannot be tiled again.
  mlir::FailureOr<RowGroup>
  tileAtRunTime(mlir::RewriterBase &rewriter,
                llvm::ArrayRef<mlir::OpFoldResult> tileSizes,
                const RunTimeParts *parts) const;

  /// Lets members write their tiles where one lies that nobody reads any more.
  /// Of groups that are not tiled again.
  void reuseTiles(mlir::RewriterBase &rewriter) const;

  mlir::TilingInterface getRoot() const { return root; }
  /// Users before producers; the root is the first.
  llvm::ArrayRef<mlir::Operation *> getMembers() const { return members; }
  bool contains(mlir::Operation *op) const { return loops.contains(op); }
  llvm::ArrayRef<int64_t> getTile() const { return sizes; }
  llvm::ArrayRef<unsigned> getDims() const { return dims; }
  /// How many tiles there are, for a typical size of what is not known.
  int64_t getNumTiles() const;

private:
  llvm::SmallVector<Extent> getExtents(mlir::Operation *op) const;
  Box getLoops(mlir::Operation *op, const Box &result) const;
  bool computeBoxes();
  bool isComputedOnce(mlir::Operation *op, const Box &part) const;
  mlir::OpOperand *getReusableOperand(mlir::Operation *op) const;
  void addNeeds(mlir::Operation *op);

  /// Builds a tile of each member but the root, of which `tiled` is one, and
  /// replaces the root by `replacements`.
  mlir::FailureOr<RowGroup> finishTile(mlir::RewriterBase &rewriter,
                                       TileBuilder &builder,
                                       mlir::Operation *tiled,
                                       llvm::ArrayRef<mlir::Operation *> slices,
                                       mlir::ValueRange replacements) const;

  mlir::TilingInterface root;
  llvm::SmallVector<unsigned> dims;
  llvm::SmallVector<int64_t> sizes;
  /// Only grows: numbers of symbols stay what they are.
  mutable SizeTable table;
  llvm::SmallVector<mlir::Operation *> members;
  /// The part of each member's loops that a tile needs.
  llvm::DenseMap<mlir::Operation *, Box> loops;
  /// The boxes of values that the members read.
  llvm::DenseMap<mlir::Value, Box> needs;
};

} // namespace nacre::VPU

#endif // NACRE_LIB_DIALECT_VPU_TRANSFORMS_ROWGROUP_H
