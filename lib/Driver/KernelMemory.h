//===- KernelMemory.h - What memory ops on buffers use ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows buffers to where they come from, and asks ops what they do with them.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_KERNELMEMORY_H
#define NACRE_LIB_DRIVER_KERNELMEMORY_H

#include "nacre/Listing/Listing.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"

namespace nacre::driver {

/// What the arguments of a function are where it is called.
using CallArguments = llvm::DenseMap<mlir::Value, mlir::Value>;

/// A part of the arena or of the weights.
struct PlacedBuffer {
  mlir::MemRefType type;
  int64_t offset = 0;
  int64_t bytes = 0;
  std::vector<listing::Copies> copies;
};

/// What an op does with a buffer.
struct BufferUse {
  mlir::Value root;
  listing::Access access;
};

class KernelMemory {
public:
  explicit KernelMemory(mlir::func::FuncOp main);

  /// True for the arena and the weights, as a whole.
  bool isStorage(mlir::Value value) const {
    return value && (value == arena || value == weights);
  }
  /// The view that `root` is, if it is one of storage.
  mlir::memref::ViewOp getPlacedView(mlir::Value root) const;
  bool isOfWeights(mlir::memref::ViewOp view) const {
    return view.getSource() == weights;
  }
  /// The place of a view in main, or, given the arguments, in what it calls.
  PlacedBuffer getPlace(mlir::memref::ViewOp view,
                        const CallArguments &arguments = CallArguments()) const;

  /// Where a buffer or a value of the runtime comes from: arguments of main,
  /// views of storage, and ops that make one. Of a branch there are several.
  llvm::SetVector<mlir::Value> findRoots(mlir::Value value) const;

  /// What the op itself, without its regions, does with which roots, in the
  /// order of its operands; what is written, first.
  llvm::SmallVector<BufferUse> getUses(mlir::Operation *op);

  /// The buffers that a called function makes of the arena for itself, and what
  /// the call does with these.
  llvm::SmallVector<std::pair<PlacedBuffer, listing::Access>>
  getOwnBuffers(mlir::func::CallOp call);

private:
  bool isPlaced(mlir::Value value) const;

  /// Bit sets of what is done with an argument.
  enum Effect : unsigned { kNothing = 0, kReads = 1, kWrites = 2 };

  /// What a function does with its arguments and with the views it makes.
  using FunctionEffects = llvm::DenseMap<mlir::Value, unsigned>;
  const FunctionEffects &getEffects(mlir::func::FuncOp function);
  mlir::func::FuncOp getCallee(mlir::func::CallOp call);
  unsigned getRuntimeEffect(mlir::Value operand) const;
  static listing::Access toAccess(unsigned effect);

  mlir::func::FuncOp main;
  mlir::Value arena, weights;
  mlir::SymbolTableCollection symbols;
  llvm::DenseMap<mlir::Operation *, FunctionEffects> effects;
};

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_KERNELMEMORY_H
