//===- ModelInfo.h - Everything about a compiled model but its code -*- C++ -*-===//
//
// What the pipelines record on a lowered module, and its two public forms: the
// C header and the JSON metadata that a library carries.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_EMIT_MODELINFO_H
#define NACRE_EMIT_MODELINFO_H

#include "nacre/Emit/ModelInterface.h"
#include "nacre/Emit/TargetSpec.h"

#include "llvm/Support/Error.h"

namespace nacre {

/// The arena's alignment: a cache line and the widest vector register.
inline constexpr int64_t kArenaAlignment = 64;

/// What NAME_run returns.
enum class RunStatus : int { Ok = 0, MissingCpuFeatures = 1, BadArgument = 2 };

struct ModelInfo {
  ModelInterface interface;
  /// The name of the architecture descriptor, for people.
  std::string architecture;
  TargetSpec target;
  unsigned threads = 1;
  int64_t arenaBytes = 0;
  int64_t weightBytes = 0;

  /// Reads a module that has gone through a pipeline: `nacre.interface`,
  /// `nacre.arena_bytes`, `nacre.weights`, `nacre.threads` and the target's
  /// attributes. Emits an error on the module when one is missing or malformed.
  static mlir::FailureOr<ModelInfo> fromModule(mlir::ModuleOp module);

  /// The metadata as JSON, one line.
  std::string toJSON() const;

  /// Parses what toJSON wrote. Everything but the target is restored.
  static llvm::Expected<ModelInfo> fromJSON(mlir::MLIRContext *context,
                                            llvm::StringRef text);

  /// Writes the C header.
  void writeHeader(llvm::raw_ostream &os) const;
};

} // namespace nacre

#endif // NACRE_EMIT_MODELINFO_H
