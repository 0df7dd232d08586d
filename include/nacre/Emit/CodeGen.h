//===- CodeGen.h - LLVM dialect to machine code -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The last step of compilation: one optimised LLVM module per model with a C
// interface, and its forms.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_EMIT_CODEGEN_H
#define NACRE_EMIT_CODEGEN_H

#include "nacre/Emit/ModelInterface.h"
#include "nacre/Emit/Weights.h"
#include "nacre/Target/CodeChoice.h"

#include <memory>
#include <optional>

namespace llvm {
class LLVMContext;
class Module;
class TargetMachine;
class Triple;
} // namespace llvm

namespace nacre {

struct BundleOptions;

/// `names` as they are shown to people.
std::string listArchitectures(llvm::ArrayRef<std::string> names);

/// What an architecture's code in an artifact is compiled for, in LLVM's words.
struct CodeTarget {
  std::string triple;
  std::string cpu;
  std::string features; // "+a,-b", on top of the CPU's
  std::string floatABI; // as TargetChoice names it; empty where there is one
  CodeChoice code;

  /// For people: "thumbv7em-unknown-none-eabihf, cortex-m7, floats hard".
  std::string describe() const;
};

/// What describes an artifact besides its code.
struct ArtifactInfo {
  std::string name;
  /// A number that no other model has, as far as Program::identify made one.
  std::optional<uint64_t> identity = std::nullopt;
  /// A second name of NAME_run, which has that number in it.
  std::string uniqueRun;
  /// The one of these that comes first and that the CPU can run is used.
  std::vector<std::string> architectures;
  /// One for each of these; empty of artifacts that do not say it.
  std::vector<CodeTarget> targets;
  int64_t threads = 1;
  /// Of the architecture that needs most.
  int64_t arenaBytes = 0;
  int64_t arenaLowerBound = 0;
  int64_t arenaAlignment = 64;
  int64_t weightBytes = 0;
  /// The code calls the runtime (nacre-c/Runtime.h) for values, for memory, or
  /// to fail.
  bool usesRuntime = false;
  /// The code releases weights, which the runtime does, too.
  bool releasesWeights = false;
  /// The code shares loops among threads, which the runtime has.
  bool usesThreads = false;
  /// What the steps are that the code calls hooks for, as JSON; empty where it
  /// calls none.
  std::string steps;

  bool hasHooks() const { return !steps.empty(); }
  ModelInterface interface;
};

/// How code is made of a model's modules.
struct CodeOptions {
  unsigned optLevel = 3;
  /// Size comes before speed.
  bool smallCode = false;
  CodeChoice choice;
  /// If given, the code has a bundle's interface instead of NAME_run.
  const BundleOptions *bundle = nullptr;
};

/// A model as an LLVM module. The weights are not part of it: the module refers
/// to them as the hidden symbol NAME_weights.
class Program {
public:
  /// Translates the results of one of the lowering pipelines, one module for
  /// each architecture, the preferred one first. The last has the weights of
  /// all. LLVM optimises what is emitted, at the first time: whoever takes the
  /// weights before that spares their memory.
  static mlir::FailureOr<Program> create(llvm::ArrayRef<mlir::ModuleOp> modules,
                                         const ModelInterface &interface,
                                         llvm::StringRef name, int64_t threads,
                                         const CodeOptions &options);
  Program(Program &&);
  ~Program();

  const ArtifactInfo &getInfo() const { return info; }
  const llvm::Triple &getTriple() const;
  Weights &getWeights() { return weights; }
  std::string getWeightsSymbol() const { return info.name + "_weights"; }

  /// Gives the model its identity, a hash of its code and weights, after these
  /// are written and before anything is emitted. `asSymbol` exports NAME_run
  /// under a name with it, too.
  void identify(bool asSymbol);

  mlir::FailureOr<llvm::SmallVector<char, 0>> emitObject();
  mlir::FailureOr<llvm::SmallVector<char, 0>> emitAssembly();
  /// An object for the same machine that has nothing in it.
  mlir::FailureOr<llvm::SmallVector<char, 0>> emitEmptyObject();
  std::string emitLLVMIR();

private:
  explicit Program(mlir::Location loc);
  mlir::FailureOr<llvm::SmallVector<char, 0>> emit(llvm::Module &source,
                                                   bool asObject);
  llvm::Module &getOptimized();

  ArtifactInfo info;
  Weights weights;
  mlir::Location loc;
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
  std::unique_ptr<llvm::TargetMachine> machine;
  /// The preferred architecture's vector registers.
  int64_t registers = 0;
  /// How much the module is yet to be optimised.
  std::optional<unsigned> pendingLevel;
};

} // namespace nacre

#endif // NACRE_EMIT_CODEGEN_H
