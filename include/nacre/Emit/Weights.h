//===- Weights.h - The constants of a compiled model ------------*- C++ -*-===//
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

  /// The same into memory of getBytes().
  void release(char *memory);

private:
  /// Calls `take` with each constant's offset and bytes, then releases it.
  void visit(llvm::function_ref<void(int64_t, llvm::ArrayRef<char>)> take);

  llvm::SmallVector<std::pair<mlir::ElementsAttr, int64_t>> constants;
  int64_t bytes = 0;
};

/// Writes a relocatable ELF object that holds nothing but the weights as the
/// hidden symbol `symbol`, aligned to `alignment`, large ones to huge pages.
/// Releases them.
mlir::LogicalResult writeWeightsObject(mlir::Location loc,
                                       llvm::raw_ostream &stream,
                                       const llvm::Triple &triple,
                                       llvm::StringRef symbol,
                                       int64_t alignment, Weights &weights);

} // namespace nacre

#endif // NACRE_EMIT_WEIGHTS_H
