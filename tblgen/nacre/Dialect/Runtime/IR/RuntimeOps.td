//===- RuntimeOps.td - All ops of the Runtime dialect ------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gathers the families of ops.
//
//===----------------------------------------------------------------------===//

include "nacre/Dialect/Runtime/IR/Check.td"
include "nacre/Dialect/Runtime/IR/Map.td"
include "nacre/Dialect/Runtime/IR/Ownership.td"
include "nacre/Dialect/Runtime/IR/Sequence.td"
include "nacre/Dialect/Runtime/IR/String.td"
include "nacre/Dialect/Runtime/IR/Tensor.td"
