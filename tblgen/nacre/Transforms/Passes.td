//===- Passes.td - Passes that belong to no dialect --------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the passes that belong to no dialect of nacre's, by what they run on.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_TRANSFORMS_PASSES_TD
#define NACRE_TRANSFORMS_PASSES_TD

include "nacre/Transforms/BufferPasses.td"
include "nacre/Transforms/KernelPasses.td"
include "nacre/Transforms/LLVMPasses.td"
include "nacre/Transforms/TensorPasses.td"

#endif // NACRE_TRANSFORMS_PASSES_TD
