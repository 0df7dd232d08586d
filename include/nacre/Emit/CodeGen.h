//===- CodeGen.h - LLVM dialect to machine code -----------------*- C++ -*-===//
//
// The last step of compilation: one optimised LLVM module per model with a C
// interface, and its forms.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_EMIT_CODEGEN_H
#define NACRE_EMIT_CODEGEN_H

#include "nacre/Emit/ModelInterface.h"

#include "mlir/IR/BuiltinAttributes.h"
#include <memory>

namespace llvm {
class LLVMContext;
class Module;
class TargetMachine;
class Triple;
} // namespace llvm

namespace nacre {

/// What describes an artifact besides its code.
struct ArtifactInfo {
  std::string name;
  std::string architecture;
  int64_t threads = 1;
  int64_t arenaBytes = 0;
  int64_t arenaLowerBound = 0;
  int64_t arenaAlignment = 64;
  int64_t weightBytes = 0;
  ModelInterface interface;
};

/// A model as an LLVM module. The weights are not part of it: the module refers
/// to them as the hidden symbol NAME_weights.
class Program {
public:
  /// Translates and optimises the result of one of the lowering pipelines.
  static mlir::FailureOr<Program> create(mlir::ModuleOp module,
                                         const ModelInterface &interface,
                                         llvm::StringRef name, int64_t threads,
                                         unsigned optLevel);
  Program(Program &&);
  ~Program();

  const ArtifactInfo &getInfo() const { return info; }
  const llvm::Triple &getTriple() const;
  llvm::ArrayRef<char> getWeights() const;
  std::string getWeightsSymbol() const { return info.name + "_weights"; }

  /// The object file. With a path, the weights in that file are embedded.
  mlir::FailureOr<llvm::SmallVector<char, 0>>
  emitObject(llvm::StringRef weightsFile = "");
  mlir::FailureOr<llvm::SmallVector<char, 0>> emitAssembly();
  std::string emitLLVMIR();

private:
  explicit Program(mlir::Location loc);
  mlir::FailureOr<llvm::SmallVector<char, 0>> emit(bool asObject);

  ArtifactInfo info;
  mlir::DenseResourceElementsAttr weights;
  mlir::Location loc;
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
  std::unique_ptr<llvm::TargetMachine> machine;
};

} // namespace nacre

#endif // NACRE_EMIT_CODEGEN_H
