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

// CHECK-LABEL: func @matmul_integer_without_zero_points_broadcasts_batches
func.func @matmul_integer_without_zero_points_broadcasts_batches(%a: tensor<7x1x3x4xui8>, %b: tensor<2x4x5xi8>) -> tensor<7x2x3x5xi32> {
  // CHECK: IE.MatMulInteger(%{{.*}}, %{{.*}}) : (tensor<7x1x3x4xui8>, tensor<2x4x5xi8>) -> tensor<7x2x3x5xi32>
  %0 = IE.MatMulInteger(%a, %b) : (tensor<7x1x3x4xui8>, tensor<2x4x5xi8>) -> tensor<7x2x3x5xi32>
  return %0 : tensor<7x2x3x5xi32>
}

// CHECK-LABEL: func @matmul_integer_with_scalar_zero_points_round_trips
func.func @matmul_integer_with_scalar_zero_points_round_trips(%a: tensor<3x4xui8>, %b: tensor<4x5xi8>, %az: tensor<ui8>, %bz: tensor<1xi8>) -> tensor<3x5xi32> {
  // CHECK: IE.MatMulInteger(%{{.*}}, %{{.*}}) lhsZero(%{{.*}} : tensor<ui8>) rhsZero(%{{.*}} : tensor<1xi8>) : (tensor<3x4xui8>, tensor<4x5xi8>) -> tensor<3x5xi32>
  %0 = IE.MatMulInteger(%a, %b) lhsZero(%az : tensor<ui8>) rhsZero(%bz : tensor<1xi8>) : (tensor<3x4xui8>, tensor<4x5xi8>) -> tensor<3x5xi32>
  return %0 : tensor<3x5xi32>
}

// One zero point per row of the left, per column of the right matrix.
// CHECK-LABEL: func @matmul_integer_with_vectors_of_zero_points_round_trips
func.func @matmul_integer_with_vectors_of_zero_points_round_trips(%a: tensor<2x3x4xui8>, %b: tensor<4x5xi8>, %az: tensor<3xui8>, %bz: tensor<5xi8>) -> tensor<2x3x5xi32> {
  // CHECK: IE.MatMulInteger(%{{.*}}, %{{.*}}) lhsZero(%{{.*}} : tensor<3xui8>) rhsZero(%{{.*}} : tensor<5xi8>)
  %0 = IE.MatMulInteger(%a, %b) lhsZero(%az : tensor<3xui8>) rhsZero(%bz : tensor<5xi8>) : (tensor<2x3x4xui8>, tensor<4x5xi8>) -> tensor<2x3x5xi32>
  return %0 : tensor<2x3x5xi32>
}

// CHECK-LABEL: func @matmul_integer_with_zero_points_per_batch_round_trips
func.func @matmul_integer_with_zero_points_per_batch_round_trips(%a: tensor<2x3x4xui8>, %b: tensor<2x4x5xi8>, %az: tensor<2x3x1xui8>, %bz: tensor<2x1x5xi8>) -> tensor<2x3x5xi32> {
  // CHECK: IE.MatMulInteger(%{{.*}}, %{{.*}}) lhsZero(%{{.*}} : tensor<2x3x1xui8>) rhsZero(%{{.*}} : tensor<2x1x5xi8>)
  %0 = IE.MatMulInteger(%a, %b) lhsZero(%az : tensor<2x3x1xui8>) rhsZero(%bz : tensor<2x1x5xi8>) : (tensor<2x3x4xui8>, tensor<2x4x5xi8>) -> tensor<2x3x5xi32>
  return %0 : tensor<2x3x5xi32>
}

// CHECK-LABEL: func @matmul_integer_with_only_rhs_zero_drops_the_row
func.func @matmul_integer_with_only_rhs_zero_drops_the_row(%a: tensor<4xi8>, %b: tensor<4x5xui8>, %bz: tensor<ui8>) -> tensor<5xi32> {
  // CHECK: IE.MatMulInteger(%{{.*}}, %{{.*}}) rhsZero(%{{.*}} : tensor<ui8>) : (tensor<4xi8>, tensor<4x5xui8>) -> tensor<5xi32>
  %0 = IE.MatMulInteger(%a, %b) rhsZero(%bz : tensor<ui8>) : (tensor<4xi8>, tensor<4x5xui8>) -> tensor<5xi32>
  return %0 : tensor<5xi32>
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

// -----

// CHECK-LABEL: func @qlinear_matmul_has_the_type_of_its_zero_point
func.func @qlinear_matmul_has_the_type_of_its_zero_point(%a: tensor<2x3x4xui8>, %b: tensor<4x5xi8>, %s: tensor<f32>, %rows: tensor<3xf32>, %za: tensor<3xui8>, %zb: tensor<i8>) -> tensor<2x3x5xi8> {
  // CHECK: IE.QLinearMatMul({{.*}}) : (tensor<2x3x4xui8>, tensor<3xf32>, tensor<3xui8>, tensor<4x5xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>) -> tensor<2x3x5xi8>
  %0 = IE.QLinearMatMul(%a, %rows, %za, %b, %s, %zb, %s, %zb) : (tensor<2x3x4xui8>, tensor<3xf32>, tensor<3xui8>, tensor<4x5xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>) -> tensor<2x3x5xi8>
  return %0 : tensor<2x3x5xi8>
}

// -----

// CHECK-LABEL: func @det_drops_the_matrices_dimensions
func.func @det_drops_the_matrices_dimensions(%x: tensor<5x?x3x3xf32>) -> tensor<5x?xf32> {
  // CHECK: IE.Det(%{{.*}}) : (tensor<5x?x3x3xf32>) -> tensor<5x?xf32>
  %0 = IE.Det(%x) : (tensor<5x?x3x3xf32>) -> tensor<5x?xf32>
  return %0 : tensor<5x?xf32>
}

// -----

// CHECK-LABEL: @matmul_n_bits_without_zero_points
func.func @matmul_n_bits_without_zero_points(%a: tensor<2x?x40xf32>, %b: tensor<10x2x16xui8>, %s: tensor<10x2xf32>) -> tensor<2x?x10xf32> {
  // CHECK: IE.MatMulNBits(%{{.*}}, %{{.*}}, %{{.*}}) {K = 40 : i64, bits = 4 : i64, block_size = 32 : i64} : (tensor<2x?x40xf32>, tensor<10x2x16xui8>, tensor<10x2xf32>) -> tensor<2x?x10xf32>
  %0 = IE.MatMulNBits(%a, %b, %s) {K = 40 : i64, bits = 4 : i64, block_size = 32 : i64} : (tensor<2x?x40xf32>, tensor<10x2x16xui8>, tensor<10x2xf32>) -> tensor<2x?x10xf32>
  return %0 : tensor<2x?x10xf32>
}

// -----

// CHECK-LABEL: @matmul_n_bits_with_all_operands
func.func @matmul_n_bits_with_all_operands(%a: tensor<64xf16>, %b: tensor<10x2x16xui8>, %s: tensor<10x2xf16>, %z: tensor<10x1xui8>, %v: tensor<10xf16>) -> tensor<10xf16> {
  // CHECK: IE.MatMulNBits(%{{.*}}, %{{.*}}, %{{.*}}) zeroPoints(%{{.*}} : tensor<10x1xui8>) bias(%{{.*}} : tensor<10xf16>) {K = 64 : i64, bits = 4 : i64, block_size = 32 : i64}
  %0 = IE.MatMulNBits(%a, %b, %s) zeroPoints(%z : tensor<10x1xui8>) bias(%v : tensor<10xf16>) {K = 64 : i64, bits = 4 : i64, block_size = 32 : i64} : (tensor<64xf16>, tensor<10x2x16xui8>, tensor<10x2xf16>) -> tensor<10xf16>
  return %0 : tensor<10xf16>
}
