// RUN: nacre-opt %s -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func @matmul_with_batches_broadcasts
func.func @matmul_with_batches_broadcasts(%a: tensor<7x1x3x4xf32>, %b: tensor<2x4x5xf32>) -> tensor<7x2x3x5xf32> {
  // CHECK: IE.MatMul(%{{.*}}, %{{.*}}) : (tensor<7x1x3x4xf32>, tensor<2x4x5xf32>) -> tensor<7x2x3x5xf32>
  %0 = IE.MatMul(%a, %b) : (tensor<7x1x3x4xf32>, tensor<2x4x5xf32>) -> tensor<7x2x3x5xf32>
  return %0 : tensor<7x2x3x5xf32>
}

// CHECK-LABEL: func @matmul_of_vectors_drops_dimensions
func.func @matmul_of_vectors_drops_dimensions(%row: tensor<4xf32>, %m: tensor<2x4x5xf32>, %column: tensor<5xf32>) -> tensor<2xf32> {
  // CHECK: IE.MatMul(%{{.*}}, %{{.*}}) : (tensor<4xf32>, tensor<2x4x5xf32>) -> tensor<2x5xf32>
  %0 = IE.MatMul(%row, %m) : (tensor<4xf32>, tensor<2x4x5xf32>) -> tensor<2x5xf32>
  // CHECK: IE.MatMul(%{{.*}}, %{{.*}}) : (tensor<2x5xf32>, tensor<5xf32>) -> tensor<2xf32>
  %1 = IE.MatMul(%0, %column) : (tensor<2x5xf32>, tensor<5xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// CHECK-LABEL: func @gemm_of_transposed_integers_is_accepted
func.func @gemm_of_transposed_integers_is_accepted(%a: tensor<4x?xi32>, %b: tensor<5x4xi32>, %c: tensor<1x5xi32>) -> tensor<?x5xi32> {
  // CHECK: IE.Gemm(%{{.*}}, %{{.*}}, %{{.*}}) {beta = 2.000000e+00 : f32, transA = 1 : i64, transB = 1 : i64}
  %0 = IE.Gemm(%a, %b, %c) {beta = 2.0 : f32, transA = 1 : i64, transB = 1 : i64}
      : (tensor<4x?xi32>, tensor<5x4xi32>, tensor<1x5xi32>) -> tensor<?x5xi32>
  return %0 : tensor<?x5xi32>
}

// -----

func.func @matmul_of_scalar_is_rejected(%a: tensor<f32>, %b: tensor<4x5xf32>) {
  // expected-error @below {{expected operands of rank 1 or more, found 'tensor<f32>' and 'tensor<4x5xf32>'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = IE.MatMul(%a, %b) : (tensor<f32>, tensor<4x5xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @matmul_with_unequal_inner_dimensions_is_rejected(%a: tensor<3x4xf32>, %b: tensor<5x6xf32>) {
  // expected-error @below {{expected equal inner dimensions, found 'tensor<3x4xf32>' and 'tensor<5x6xf32>'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = IE.MatMul(%a, %b) : (tensor<3x4xf32>, tensor<5x6xf32>) -> tensor<3x6xf32>
  return
}

// -----

func.func @matmul_with_clashing_batches_is_rejected(%a: tensor<2x3x4xf32>, %b: tensor<3x4x5xf32>) {
  // expected-error @below {{expected batch dimensions that broadcast, found 'tensor<2x3x4xf32>' and 'tensor<3x4x5xf32>'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = IE.MatMul(%a, %b) : (tensor<2x3x4xf32>, tensor<3x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @gemm_of_batches_is_rejected(%a: tensor<2x3x4xf32>, %b: tensor<4x5xf32>) {
  // expected-error @below {{expected two matrices, found 'tensor<2x3x4xf32>' and 'tensor<4x5xf32>'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = IE.Gemm(%a, %b) : (tensor<2x3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
  return
}

// -----

func.func @gemm_with_larger_addend_is_rejected(%a: tensor<1x4xf32>, %b: tensor<4x5xf32>, %c: tensor<3x5xf32>) {
  // expected-error @below {{expected an addend that broadcasts to the product, found 'tensor<3x5xf32>'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = IE.Gemm(%a, %b, %c) : (tensor<1x4xf32>, tensor<4x5xf32>, tensor<3x5xf32>) -> tensor<1x5xf32>
  return
}
