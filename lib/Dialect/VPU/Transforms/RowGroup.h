//===- RowGroup.h - Ops that share a loop over rows -------------*- C++ -*-===//
//
// A group of ops that compute rows of a result from rows of their operands, and
// how it becomes one loop.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DIALECT_VPU_TRANSFORMS_ROWGROUP_H
#define NACRE_LIB_DIALECT_VPU_TRANSFORMS_ROWGROUP_H

#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Interfaces/TilingInterface.h"

namespace nacre::VPU {

/// A box of a tensor or of an op's loops that has one size for all tiles. Where
/// it lies is given in terms of where the tile lies in the root's loops.
struct Box {
  llvm::SmallVector<mlir::AffineExpr> offsets;
  llvm::SmallVector<int64_t> sizes;

  bool operator==(const Box &other) const {
    return offsets == other.offsets && sizes == other.sizes;
  }
  int64_t getVolume() const;
};

/// The extents of an op's loops. A reshape has those of its result.
llvm::SmallVector<int64_t> getLoopExtents(mlir::Operation *op);

/// True for what only renames elements.
bool isReshape(mlir::Operation *op);

/// The operands whose producers may join the op in a loop: the others, such as
/// weights, are read whole or from elsewhere.
llvm::SmallVector<mlir::OpOperand *> getRowOperands(mlir::Operation *op);

/// Ops of one block of which all but the last, the root, are used by the others
/// alone. A tile of the root's loops needs one box of each: nothing is computed
/// twice.
class RowGroup {
public:
  /// A group of `root` alone, which gets loops over `dims`.
  RowGroup(mlir::TilingInterface root, llvm::ArrayRef<unsigned> dims);

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

  /// Chooses the sizes of a tile of the root's loops.
  bool setTile(llvm::ArrayRef<int64_t> sizes);

  /// Bytes that a tile reads and writes; operands of the engine other than the
  /// left one do not count.
  int64_t getTileBytes() const;

  /// Replaces the ops by loops over tiles. Returns the group of what computes a
  /// tile, which can be tiled again.
  mlir::FailureOr<RowGroup> tile(mlir::RewriterBase &rewriter,
                                 mlir::scf::SCFTilingOptions options) const;

  /// Lets members write their tiles where one lies that nobody reads any more.
  /// Of groups that are not tiled again.
  void reuseTiles(mlir::RewriterBase &rewriter) const;

  mlir::TilingInterface getRoot() const { return root; }
  /// Users before producers; the root is the first.
  llvm::ArrayRef<mlir::Operation *> getMembers() const { return members; }
  bool contains(mlir::Operation *op) const { return loops.contains(op); }
  llvm::ArrayRef<int64_t> getTile() const { return sizes; }
  llvm::ArrayRef<unsigned> getDims() const { return dims; }
  int64_t getNumTiles() const;

private:
  bool computeBoxes();
  mlir::OpOperand *getReusableOperand(mlir::Operation *op) const;
  void addNeeds(mlir::Operation *op);

  mlir::TilingInterface root;
  llvm::SmallVector<unsigned> dims;
  llvm::SmallVector<int64_t> sizes;
  llvm::SmallVector<mlir::Operation *> members;
  /// The part of each member's loops that a tile needs.
  llvm::DenseMap<mlir::Operation *, Box> loops;
  /// The boxes of values that the members read.
  llvm::DenseMap<mlir::Value, Box> needs;
};

} // namespace nacre::VPU

#endif // NACRE_LIB_DIALECT_VPU_TRANSFORMS_ROWGROUP_H
