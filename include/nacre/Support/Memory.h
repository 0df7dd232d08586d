//===- Memory.h - Memory that a process may have ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asked before much is allocated: a system may promise more than it has.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_SUPPORT_MEMORY_H
#define NACRE_SUPPORT_MEMORY_H

#include "mlir/IR/Diagnostics.h"

#include <optional>

namespace nacre {

/// The bytes of memory that the machine has.
int64_t getMachineMemory();

/// The bytes that this process may still have: the machine's memory without
/// what the process has of it, or what is left of its address space where that
/// is limited.
int64_t getMemoryLimit();

/// The bytes of as many elements as the sizes say, none of which is negative;
/// nothing where they cannot be counted.
std::optional<int64_t> countBytes(llvm::ArrayRef<int64_t> shape,
                                  int64_t elementBytes);

/// True where memory has room for as many bytes more. The system is asked only
/// about what might not fit.
bool fitsMemory(std::optional<int64_t> bytes);

/// Fails where it has none, after an error that begins with what
/// `emitBeginning` emits, the name of what needs the bytes.
mlir::LogicalResult
requireMemory(std::optional<int64_t> bytes,
              llvm::function_ref<mlir::InFlightDiagnostic()> emitBeginning);

/// Marks an error as one about memory: it is the machine's lack, not what is
/// unsupported.
void markAsMemoryError(mlir::InFlightDiagnostic &diagnostic);
bool isMemoryError(mlir::Diagnostic &diagnostic);

} // namespace nacre

#endif // NACRE_SUPPORT_MEMORY_H
