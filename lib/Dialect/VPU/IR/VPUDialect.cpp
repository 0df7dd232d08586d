//===- VPUDialect.cpp - The VPU dialect -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers the dialect's attributes and ops.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/VPU/IR/VPUDialect.h"
#include "nacre/Dialect/Nacre/IR/NacreDialect.h"
#include "nacre/Dialect/VPU/IR/VPULayout.h"
#include "nacre/Dialect/VPU/IR/VPUOps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace nacre::VPU;

#include "nacre/Dialect/VPU/IR/VPUBaseDialect.cpp.inc"
#include "nacre/Dialect/VPU/IR/VPUBaseEnums.cpp.inc"

void VPUDialect::initialize() {
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "nacre/Dialect/VPU/IR/VPUOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "nacre/Dialect/VPU/IR/VPULayout.cpp.inc"
      >();
}
