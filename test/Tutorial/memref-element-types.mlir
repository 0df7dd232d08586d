// RUN: nacre-opt %s -split-input-file -verify-diagnostics | FileCheck %s

// A memref holds scalars and vectors, never tensors: those have no address.

// CHECK-LABEL: func private @memref_of_vector_is_accepted(memref<4xvector<8xf32>>)
func.func private @memref_of_vector_is_accepted(memref<4xvector<8xf32>>)

// -----

// expected-error @+1 {{invalid memref element type}}
func.func private @memref_of_tensor_is_rejected(memref<4xtensor<8xf32>>)
