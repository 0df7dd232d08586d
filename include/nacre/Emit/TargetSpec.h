//===- TargetSpec.h - The machine that code is emitted for ------*- C++ -*-===//
//
// An LLVM triple, CPU and feature list, taken from the module's architecture or
// from the host.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_EMIT_TARGETSPEC_H
#define NACRE_EMIT_TARGETSPEC_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace llvm {
class MCSubtargetInfo;
class TargetMachine;
} // namespace llvm

namespace nacre {

struct TargetSpec {
  std::string triple;
  /// Selects the instruction set and the scheduling model.
  std::string cpu;
  /// Comma-separated `+feature` list on top of the CPU's.
  std::string features;

  /// The machine this process runs on. Features come from CPUID: under
  /// virtualisation the CPU's model number, and so its name, is unreliable.
  static TargetSpec host();

  /// The module's `nacre.target_triple`, `nacre.target_cpu` and
  /// `nacre.target_features`; the host's where the triple is absent.
  static TargetSpec fromModule(mlir::ModuleOp module);

  /// The target machine, position independent. Fails with a message when LLVM
  /// does not know the triple or the CPU.
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
  createTargetMachine(unsigned optLevel) const;
};

/// One CPUID bit that a feature of x86-64 is announced by.
struct CpuidBit {
  enum Register { EAX, EBX, ECX, EDX };
  llvm::StringLiteral feature;
  uint32_t leaf;
  uint32_t subleaf;
  Register reg;
  unsigned bit;
  /// Bits of XCR0 that the operating system must have set for the state the
  /// feature's instructions use.
  uint32_t stateMask;
};

/// The features of x86-64 that change which instructions are selected.
llvm::ArrayRef<CpuidBit> getX86CpuidBits();

} // namespace nacre

#endif // NACRE_EMIT_TARGETSPEC_H
