//===- CPUCheck.h - What the CPU has, asked when code is loaded -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code that asks for CPU features and picks a version of a model's code.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_EMIT_CPUCHECK_H
#define NACRE_LIB_EMIT_CPUCHECK_H

#include "nacre/Dialect/Nacre/IR/NacreDialect.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/IRBuilder.h"

#include <string>
#include <vector>

namespace llvm {
class Function;
class GlobalVariable;
class Module;
class Triple;
} // namespace llvm

namespace nacre {

/// The model's code for one architecture.
struct CodeVersion {
  std::string architecture;
  /// What the CPU must have; empty where nothing can be missing.
  std::vector<std::string> features;
  /// What `main` is called with.
  llvm::SmallVector<abi::Role> roles;
  llvm::Function *main;
};

/// Whether a compiled model asks the CPU, when it is loaded, what it has.
bool canAskCPU(const llvm::Triple &triple);

/// The CPU features that it can ask for.
llvm::ArrayRef<llvm::StringRef> getCheckableFeatures();

/// Code that finds out whether the process can use all of `features`.
llvm::Value *buildFeatureCheck(llvm::IRBuilder<> &b,
                               llvm::ArrayRef<std::string> features);

/// Marks a function as runnable on any CPU of the architecture, if something
/// asks the CPU what it has; elsewhere code is for the CPU that it is for.
void setBaseline(llvm::Function *function);

/// A byte that, once the code is loaded, numbers the version which the CPU
/// runs, from 1; it stays 0 when there is none. Null when there is nothing to
/// check. cpuid is slow under virtualisation, hence once.
llvm::GlobalVariable *addVersionCheck(llvm::Module &module,
                                      llvm::StringRef name,
                                      llvm::ArrayRef<CodeVersion> versions);

} // namespace nacre

#endif // NACRE_LIB_EMIT_CPUCHECK_H
