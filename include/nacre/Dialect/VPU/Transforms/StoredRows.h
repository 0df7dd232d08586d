//===- StoredRows.h - Rows that are stored and then reduced -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// collapse-loops joins a reduction to the loop that stores what it reduces
// where its strategy says so, which a person may have written.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_VPU_TRANSFORMS_STOREDROWS_H
#define NACRE_DIALECT_VPU_TRANSFORMS_STOREDROWS_H

#include "nacre/Dialect/VPU/Transforms/KernelLoops.h"

namespace nacre::VPU {

class JoinedOps;

/// A loop that stores what one behind it reduces.
struct StoredRows {
  /// What `reduction` could be joined to, after those that are `joined`
  /// already, if any; nothing where there is none.
  static std::optional<StoredRows> find(mlir::linalg::GenericOp reduction,
                                        const JoinedOps *joined = nullptr);

  mlir::linalg::GenericOp producer, reduction;
  unsigned input; // of the reduction
  /// For each loop of the producer the one of the reduction.
  llvm::SmallVector<unsigned> loops;
};

/// Reductions that will be joined to the loops that store what they reduce.
class JoinedOps {
public:
  void add(const StoredRows &rows) {
    producers[rows.reduction] = rows.producer;
    taken.insert(rows.producer);
  }
  bool contains(mlir::Operation *reduction) const {
    return producers.contains(reduction);
  }
  mlir::Operation *lookup(mlir::Operation *reduction) const {
    return producers.lookup(reduction);
  }
  bool isTaken(mlir::Operation *producer) const {
    return taken.contains(producer);
  }

private:
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> producers;
  llvm::DenseSet<mlir::Operation *> taken;
};

/// True for a reduction whose strategy has it joined to such a loop.
bool isJoined(mlir::Operation *op);

/// Checks that all such reductions in `root` can be joined. An error names the
/// op and says what was expected.
mlir::LogicalResult verifyJoins(mlir::Operation *root);

} // namespace nacre::VPU

#endif // NACRE_DIALECT_VPU_TRANSFORMS_STOREDROWS_H
