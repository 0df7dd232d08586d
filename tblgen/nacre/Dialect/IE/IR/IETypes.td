//===- IETypes.td - All types of IE ------------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gathers the types: a dialect has one parser and one printer for all of them.
//
//===----------------------------------------------------------------------===//

include "nacre/Dialect/IE/IR/GettingStartedTypes.td"
include "nacre/Dialect/IE/IR/SequenceTypes.td"
include "nacre/Dialect/IE/IR/StringTypes.td"
