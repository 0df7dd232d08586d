//===- VPUAttributes.h - Attributes of the VPU dialect ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory spaces, tensor encodings, post-processing, cluster mapping, and the
// architecture a module is compiled for.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_VPU_IR_VPUATTRIBUTES_H
#define NACRE_DIALECT_VPU_IR_VPUATTRIBUTES_H

#include "nacre/Dialect/Nacre/IR/LoweringInterface.h"
#include "nacre/Dialect/VPU/IR/RegisterTile.h"
#include "nacre/Dialect/VPU/IR/VPUDialect.h"

#include "mlir/Dialect/SCF/IR/DeviceMappingInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/TensorEncoding.h"
#include <optional>

#define GET_ATTRDEF_CLASSES
#include "nacre/Dialect/VPU/IR/VPUAttributes.h.inc"

#endif // NACRE_DIALECT_VPU_IR_VPUATTRIBUTES_H
