//===- CompiledModel.h - Running compiled models ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A compiled model in this process: from memory (JIT) or from a shared library.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_EMIT_COMPILEDMODEL_H
#define NACRE_EMIT_COMPILEDMODEL_H

#include "nacre-c/Hooks.h"
#include "nacre-c/Runtime.h"
#include "nacre/Emit/CodeGen.h"
#include "nacre/Interpreter/Datum.h"

#include <chrono>

namespace llvm::orc {
class LLJIT;
} // namespace llvm::orc

namespace nacre {

class CompiledModel {
public:
  /// Loads the program's object and takes its weights; allocateArena() is left
  /// to be called. `functions` are what the code calls besides the C library's:
  /// names and addresses.
  static mlir::FailureOr<std::unique_ptr<CompiledModel>>
  jit(mlir::Location loc, Program &program, llvm::ArrayRef<char> object,
      llvm::ArrayRef<std::pair<llvm::StringRef, void *>> functions = {});

  /// Opens a library that `nacre compile` made.
  static mlir::FailureOr<std::unique_ptr<CompiledModel>>
  load(mlir::MLIRContext &context, llvm::StringRef path);

  ~CompiledModel();

  /// Fails, after an error, where there is no memory for the arena.
  mlir::LogicalResult allocateArena(mlir::Location loc);

  const ArtifactInfo &getInfo() const { return info; }
  /// Bytes of the object, or of what a library loads, without the weights.
  int64_t getCodeBytes() const { return codeBytes; }

  /// The architecture whose code this CPU runs; empty when it lacks what all of
  /// them need.
  llvm::StringRef getArchitecture() const;

  /// When the code was called, and when it returned.
  struct Call {
    std::chrono::steady_clock::time_point begin, end;
  };
  /// The last one of run().
  const Call &getLastCall() const { return lastCall; }

  /// Runs once. Inputs match the interface's types; outputs are allocated.
  mlir::LogicalResult run(mlir::Location loc,
                          llvm::ArrayRef<interpreter::Datum> inputs,
                          llvm::SmallVectorImpl<interpreter::Datum> &outputs);

  /// From now on runs of code that has hooks call these; none where it is null.
  void setHooks(const nacre_hooks *value) { hooks = value; }

  /// Makes the pointers of a call and calls `use` with them, for timing: `use`
  /// may run the model any number of times. Gives the outputs of the last run.
  mlir::LogicalResult withPointers(
      mlir::Location loc, llvm::ArrayRef<interpreter::Datum> inputs,
      llvm::SmallVectorImpl<interpreter::Datum> &outputs,
      llvm::function_ref<mlir::LogicalResult(llvm::function_ref<int()>)> use);

private:
  CompiledModel() = default;

  using RunFunction = int (*)(const void *, void *, void *);
  using HookedFunction = int (*)(const void *, void *, void *,
                                 const nacre_hooks *);
  using NameFunction = const char *(*)();
  using ReleaseFunction = void (*)(nacre_value *);

  ArtifactInfo info;
  Call lastCall;
  int64_t codeBytes = 0;
  RunFunction function = nullptr;
  HookedFunction hooked = nullptr; // of code that has hooks, and is no library
  const nacre_hooks *hooks = nullptr;
  NameFunction architecture = nullptr;
  NameFunction error = nullptr; // why a run failed; null without the runtime
  ReleaseFunction release = nacre_release; // of the runtime that made a result
  std::shared_ptr<void> arena, weights;
  std::unique_ptr<llvm::orc::LLJIT> engine;
  std::shared_ptr<void> library;
};

} // namespace nacre

#endif // NACRE_EMIT_COMPILEDMODEL_H
