//===- VPUReference.td - Everything of the VPU dialect -----*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gathers the definitions for the generated reference. C++ is generated from
// each family, so that editing one rebuilds only its users.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_VPU_IR_VPUREFERENCE_TD
#define NACRE_DIALECT_VPU_IR_VPUREFERENCE_TD

include "nacre/Dialect/VPU/IR/VPULayout.td"
include "nacre/Dialect/VPU/IR/VPUOps.td"

#endif // NACRE_DIALECT_VPU_IR_VPUREFERENCE_TD
