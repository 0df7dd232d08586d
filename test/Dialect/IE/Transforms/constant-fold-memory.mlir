// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-constant-fold{max-elements=1099511627776}))' -split-input-file -verify-diagnostics

// A constant of which one element stands for all is as large as its type says.
func.func @constant_that_memory_cannot_hold_is_an_error() -> tensor<1048576x1048576xf32> {
  %c = IE.Constant dense<1.0> : tensor<1048576x1048576xf32>
  // expected-error @+1 {{a constant of type 'tensor<1048576x1048576xf32>' needs 4398046511104 bytes, but there are}}
  %0 = IE.Relu %c : tensor<1048576x1048576xf32> -> tensor<1048576x1048576xf32>
  return %0 : tensor<1048576x1048576xf32>
}

// -----

func.func @result_that_memory_cannot_hold_is_an_error() -> tensor<1048576x1048576xf32> {
  %c = IE.Constant dense<1.0> : tensor<1048576x1xf32>
  %d = IE.Constant dense<1.0> : tensor<1x1048576xf32>
  // expected-error @+1 {{a result of type 'tensor<1048576x1048576xf32>' needs 4398046511104 bytes, but there are}}
  %0 = IE.Add %c, %d : tensor<1048576x1xf32>, tensor<1x1048576xf32> -> tensor<1048576x1048576xf32>
  return %0 : tensor<1048576x1048576xf32>
}
