//===- Weights.h - The constants of a compiled model ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants stay where the compiler made them until the moment they are written
// or loaded; then each is copied once and given back.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_EMIT_WEIGHTS_H
#define NACRE_EMIT_WEIGHTS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"

namespace llvm {
class Triple;
} // namespace llvm

namespace nacre {

class Weights {
public:
  Weights() = default;

  /// Reads what `pack-constants` left on the module.
  static mlir::FailureOr<Weights> get(mlir::ModuleOp module);

  /// Bytes of all constants and the gaps between them.
  int64_t getBytes() const { return bytes; }

  /// Writes the constants in order, the gaps as zeros. Each is released once it
  /// is written, so this happens only once.
  void release(llvm::raw_ostream &stream);

  /// A number for what a stream got.
  uint64_t getHash() const { return hash; }

  /// The same into memory of getBytes().
  void release(char *memory);

private:
  /// Calls `take` with each constant's offset and bytes, then releases it.
  void visit(llvm::function_ref<void(int64_t, llvm::ArrayRef<char>)> take);

  llvm::SmallVector<std::pair<mlir::ElementsAttr, int64_t>> constants;
  int64_t bytes = 0;
  uint64_t hash = 0;
};

/// Whether a program can have weights of so many bytes in it, and not only in a
/// library: code must reach what lies beyond them.
bool canLinkIntoPrograms(const llvm::Triple &triple, int64_t bytes);

/// Writes a relocatable ELF object that holds nothing but the weights as the
/// hidden symbol `symbol`, aligned to `alignment`, large ones to huge pages. It
/// is for the machine and with the flags of the object `like`. For a program,
/// linkers place them where they are in nobody's way, if the machine has such a
/// section. Releases them.
mlir::LogicalResult
writeWeightsObject(mlir::Location loc, llvm::raw_ostream &stream,
                   llvm::ArrayRef<char> like, llvm::StringRef symbol,
                   int64_t alignment, bool forProgram, Weights &weights);

} // namespace nacre

#endif // NACRE_EMIT_WEIGHTS_H
