// RUN: nacre-opt %s -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func @random_tensors_have_the_type_that_dtype_names
func.func @random_tensors_have_the_type_that_dtype_names(%x: tensor<2x?xi32>) -> (tensor<2x3xf64>, tensor<4xf32>, tensor<2x?xf16>, tensor<2x?xf32>) {
  // CHECK: IE.RandomUniform {dtype = f64, low = -1.000000e+00 : f32, seed = 7.000000e+00 : f64, shape = array<i64: 2, 3>} : tensor<2x3xf64>
  %0 = IE.RandomUniform {dtype = f64, low = -1.0 : f32, seed = 7.0, shape = array<i64: 2, 3>} : tensor<2x3xf64>
  // CHECK: IE.RandomNormal {shape = array<i64: 4>} : tensor<4xf32>
  %1 = IE.RandomNormal {shape = array<i64: 4>} : tensor<4xf32>
  // CHECK: IE.RandomUniformLike %{{.*}} {dtype = f16} : tensor<2x?xi32> -> tensor<2x?xf16>
  %2 = IE.RandomUniformLike %x {dtype = f16} : tensor<2x?xi32> -> tensor<2x?xf16>
  // CHECK: IE.RandomNormalLike %{{.*}} {dtype = f32} : tensor<2x?xi32> -> tensor<2x?xf32>
  %3 = IE.RandomNormalLike %x {dtype = f32} : tensor<2x?xi32> -> tensor<2x?xf32>
  return %0, %1, %2, %3 : tensor<2x3xf64>, tensor<4xf32>, tensor<2x?xf16>, tensor<2x?xf32>
}

// CHECK-LABEL: func @draws_by_probabilities
func.func @draws_by_probabilities(%p: tensor<8xf32>, %l: tensor<2x10xf16>) -> (tensor<8xi1>, tensor<2x4xi64>) {
  // CHECK: IE.Bernoulli %{{.*}} {dtype = i1} : tensor<8xf32> -> tensor<8xi1>
  %0 = IE.Bernoulli %p {dtype = i1} : tensor<8xf32> -> tensor<8xi1>
  // CHECK: IE.Multinomial %{{.*}} {dtype = i64, sample_size = 4 : i64} : tensor<2x10xf16> -> tensor<2x4xi64>
  %1 = IE.Multinomial %l {dtype = i64, sample_size = 4 : i64} : tensor<2x10xf16> -> tensor<2x4xi64>
  return %0, %1 : tensor<8xi1>, tensor<2x4xi64>
}

// -----

func.func @random_tensor_of_negative_size_is_an_error() {
  // expected-error @+2 {{expected dimensions that are not negative, found -2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.RandomUniform {shape = array<i64: -2>} : tensor<?xf32>
  return
}

// -----

func.func @random_integers_are_an_error(%x: tensor<2xi32>) {
  // expected-error @+1 {{result #0 must be ranked tensor of floating point values, but got 'tensor<2xi32>'}}
  %0 = IE.RandomUniformLike %x : tensor<2xi32> -> tensor<2xi32>
  return
}

// -----

func.func @multinomial_of_a_negative_number_is_an_error(%x: tensor<2x3xf32>) {
  // expected-error @+2 {{expected dimensions that are not negative, found -1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.Multinomial %x {sample_size = -1 : i64} : tensor<2x3xf32> -> tensor<2x?xi32>
  return
}
