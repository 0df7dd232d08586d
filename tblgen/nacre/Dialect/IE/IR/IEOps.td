//===- IEOps.td - All operator families --------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gathers the operator families for the generated reference page. C++ includes
// the families one by one.
//
//===----------------------------------------------------------------------===//

include "nacre/Dialect/IE/IR/Activation.td"
include "nacre/Dialect/IE/IR/Constant.td"
include "nacre/Dialect/IE/IR/ControlFlow.td"
include "nacre/Dialect/IE/IR/Convolution.td"
include "nacre/Dialect/IE/IR/DataMovement.td"
include "nacre/Dialect/IE/IR/Elementwise.td"
include "nacre/Dialect/IE/IR/GettingStarted.td"
include "nacre/Dialect/IE/IR/Indexing.td"
include "nacre/Dialect/IE/IR/Logical.td"
include "nacre/Dialect/IE/IR/Map.td"
include "nacre/Dialect/IE/IR/MatMul.td"
include "nacre/Dialect/IE/IR/NGram.td"
include "nacre/Dialect/IE/IR/Normalization.td"
include "nacre/Dialect/IE/IR/Pooling.td"
include "nacre/Dialect/IE/IR/Quantization.td"
include "nacre/Dialect/IE/IR/Random.td"
include "nacre/Dialect/IE/IR/Recurrent.td"
include "nacre/Dialect/IE/IR/Reduction.td"
include "nacre/Dialect/IE/IR/Resampling.td"
include "nacre/Dialect/IE/IR/Selection.td"
include "nacre/Dialect/IE/IR/Sequence.td"
include "nacre/Dialect/IE/IR/Shape.td"
include "nacre/Dialect/IE/IR/Signal.td"
include "nacre/Dialect/IE/IR/Sorting.td"
include "nacre/Dialect/IE/IR/String.td"
