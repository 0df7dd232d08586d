//===- VPUOps.h - Ops of the VPU dialect ------------------------*- C++ -*-===//
//
// Declares the NCE ops and the DMA.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_VPU_IR_VPUOPS_H
#define NACRE_DIALECT_VPU_IR_VPUOPS_H

#include "nacre/Dialect/VPU/IR/VPUInterfaces.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

#define GET_OP_CLASSES
#include "nacre/Dialect/VPU/IR/VPUOps.h.inc"

#endif // NACRE_DIALECT_VPU_IR_VPUOPS_H
