//===- Steps.h - What a compiled model runs one by one ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared by the passes that mark steps: where they are, and what each does.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_TRANSFORMS_BUFFER_STEPS_H
#define NACRE_LIB_TRANSFORMS_BUFFER_STEPS_H

#include "nacre/Dialect/Nacre/IR/NacreDialect.h"
#include "nacre/Dialect/VPU/IR/VPUAttributes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"

namespace nacre {

/// The steps of main: kernel calls and distributed loops at its top level.
struct Steps {
  mlir::func::FuncOp main;
  VPU::ArchAttr arch;
  llvm::SmallVector<mlir::Operation *> ops;
};

/// Fails, after an error, where there is no such function, or no architecture.
mlir::FailureOr<Steps> findSteps(mlir::ModuleOp module);

/// The buffers that a step uses, without the arena and the weights as a whole.
llvm::SmallVector<mlir::Value> getStepBuffers(mlir::Operation *step);

/// The view of the arena or of the weights that a value is part of; null when
/// it is in none.
mlir::memref::ViewOp getStorageView(mlir::Value value);

/// Location, kernel, floating-point operations, the cycles that a cluster of
/// `arch` needs for them at least and is expected to take, and the buffers:
/// their bytes, their shapes, and where in the arena they lie (offset and size
/// in turn). `operands` are what a hook is given.
abi::StepAttr describeStep(mlir::Operation *step, VPU::ArchAttr arch,
                           mlir::SymbolTableCollection &symbols,
                           mlir::ArrayAttr operands = {});

/// Whether the users of a buffer below `step`, or all of them where that is
/// null, read and write it: a sum of nacre-c/Hooks.h's roles.
unsigned findAccesses(mlir::Value buffer, mlir::Operation *step,
                      mlir::SymbolTableCollection &symbols);

} // namespace nacre

#endif // NACRE_LIB_TRANSFORMS_BUFFER_STEPS_H
