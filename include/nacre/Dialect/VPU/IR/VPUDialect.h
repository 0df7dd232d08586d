//===- VPUDialect.h - The VPU dialect ---------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the VPU dialect and its enums.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_VPU_IR_VPUDIALECT_H
#define NACRE_DIALECT_VPU_IR_VPUDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Dialect.h"

#include "nacre/Dialect/VPU/IR/VPUBaseDialect.h.inc"
#include "nacre/Dialect/VPU/IR/VPUBaseEnums.h.inc"

#endif // NACRE_DIALECT_VPU_IR_VPUDIALECT_H
