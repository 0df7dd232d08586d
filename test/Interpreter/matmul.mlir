// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-constant-fold))' -split-input-file | FileCheck %s

// CHECK-LABEL: func @matmul_with_batches_broadcasts
func.func @matmul_with_batches_broadcasts() -> tensor<2x1x1xi32> {
  %a = IE.Constant dense<[[[1, 2]], [[3, 4]]]> : tensor<2x1x2xi32>
  %b = IE.Constant dense<[[10], [100]]> : tensor<2x1xi32>
  // CHECK: IE.Constant dense<{{\[\[\[}}210]], {{\[\[}}430]]]> : tensor<2x1x1xi32>
  %0 = IE.MatMul(%a, %b) : (tensor<2x1x2xi32>, tensor<2x1xi32>) -> tensor<2x1x1xi32>
  return %0 : tensor<2x1x1xi32>
}

// -----

// CHECK-LABEL: func @matmul_of_vectors_is_scalar
func.func @matmul_of_vectors_is_scalar() -> tensor<f32> {
  %a = IE.Constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = IE.Constant dense<[10.0, 100.0]> : tensor<2xf32>
  // CHECK: IE.Constant dense<2.100000e+02> : tensor<f32>
  %0 = IE.MatMul(%a, %b) : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// CHECK-LABEL: func @gemm_with_all_attributes
func.func @gemm_with_all_attributes() -> tensor<2x2xf32> {
  %a = IE.Constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %b = IE.Constant dense<[[1.0, 10.0], [100.0, 1000.0]]> : tensor<2x2xf32>
  %c = IE.Constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  // A'B' is [[31, 3100], [42, 4200]].
  // CHECK: IE.Constant dense<{{\[\[}}6.300000e+01, 6.201000e+03], [8.600000e+01, 8.402000e+03]]> : tensor<2x2xf32>
  %0 = IE.Gemm(%a, %b, %c) {alpha = 2.0 : f32, beta = 1.0 : f32, transA = 1 : i64, transB = 1 : i64} : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: func @matmul_integer_extends_by_sign
func.func @matmul_integer_extends_by_sign() -> tensor<1x1xi32> {
  %a = IE.Constant dense<[[255, 128]]> : tensor<1x2xui8>
  %b = IE.Constant dense<[[-128], [1]]> : tensor<2x1xi8>
  // CHECK: IE.Constant dense<-32512> : tensor<1x1xi32>
  %0 = IE.MatMulInteger(%a, %b) : (tensor<1x2xui8>, tensor<2x1xi8>) -> tensor<1x1xi32>
  return %0 : tensor<1x1xi32>
}

// -----

// CHECK-LABEL: func @matmul_integer_with_zero_points_of_rows_and_columns
func.func @matmul_integer_with_zero_points_of_rows_and_columns() -> tensor<2x2xi32> {
  %a = IE.Constant dense<[[1, 2], [3, 4]]> : tensor<2x2xui8>
  %b = IE.Constant dense<[[1, 10], [2, 20]]> : tensor<2x2xi8>
  %az = IE.Constant dense<[1, 5]> : tensor<2xui8>
  %bz = IE.Constant dense<[0, 10]> : tensor<2xi8>
  // The operands are [[0, 1], [-2, -1]] and [[1, 0], [2, 10]].
  // CHECK: IE.Constant dense<{{\[\[}}2, 10], [-4, -10]]> : tensor<2x2xi32>
  %0 = IE.MatMulInteger(%a, %b) lhsZero(%az : tensor<2xui8>) rhsZero(%bz : tensor<2xi8>) : (tensor<2x2xui8>, tensor<2x2xi8>) -> tensor<2x2xi32>
  return %0 : tensor<2x2xi32>
}

// -----

// CHECK-LABEL: func @matmul_integer_with_zero_points_per_batch
func.func @matmul_integer_with_zero_points_per_batch() -> tensor<2x1x1xi32> {
  %a = IE.Constant dense<[[[1, 2]], [[3, 4]]]> : tensor<2x1x2xui8>
  %b = IE.Constant dense<[[1], [1]]> : tensor<2x1xi8>
  %az = IE.Constant dense<[[[1]], [[5]]]> : tensor<2x1x1xui8>
  // CHECK: IE.Constant dense<{{\[\[\[}}1]], {{\[\[}}-3]]]> : tensor<2x1x1xi32>
  %0 = IE.MatMulInteger(%a, %b) lhsZero(%az : tensor<2x1x1xui8>) : (tensor<2x1x2xui8>, tensor<2x1xi8>) -> tensor<2x1x1xi32>
  return %0 : tensor<2x1x1xi32>
}

// -----

// The first matrix needs an exchange of rows, the second has none that helps.
// CHECK-LABEL: func @det_of_each_matrix
func.func @det_of_each_matrix() -> tensor<2xf32> {
  %x = IE.Constant dense<[[[0.0, 2.0], [3.0, 4.0]], [[0.0, 1.0], [0.0, 2.0]]]> : tensor<2x2x2xf32>
  // CHECK: IE.Constant dense<[-6.000000e+00, 0.000000e+00]> : tensor<2xf32>
  %0 = IE.Det(%x) : (tensor<2x2x2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// 2^62 * 2 + 1 and -2^63 - 1, in 64 bits.
// CHECK-LABEL: func @matmul_of_integers_wraps
func.func @matmul_of_integers_wraps() -> tensor<2xi64> {
  %a = IE.Constant dense<[[4611686018427387904, 1], [-4611686018427387904, -1]]> : tensor<2x2xi64>
  %b = IE.Constant dense<[2, 1]> : tensor<2xi64>
  // CHECK: IE.Constant dense<[-9223372036854775807, 9223372036854775807]> : tensor<2xi64>
  %0 = IE.MatMul(%a, %b) : (tensor<2x2xi64>, tensor<2xi64>) -> tensor<2xi64>
  return %0 : tensor<2xi64>
}

// -----

// 2^53 + 1 is no f64.
// CHECK-LABEL: func @gemm_of_integers_is_exact
func.func @gemm_of_integers_is_exact() -> (tensor<1x1xi64>, tensor<1x1xi32>) {
  %a = IE.Constant dense<0> : tensor<1x1xi64>
  %c = IE.Constant dense<9007199254740993> : tensor<1xi64>
  // CHECK-DAG: IE.Constant dense<9007199254740993> : tensor<1x1xi64>
  %0 = IE.Gemm(%a, %a, %c) {alpha = 1.0 : f32, beta = 1.0 : f32, transA = 0 : i64, transB = 0 : i64} : (tensor<1x1xi64>, tensor<1x1xi64>, tensor<1xi64>) -> tensor<1x1xi64>
  %x = IE.Constant dense<-3> : tensor<1x1xi32>
  %y = IE.Constant dense<7> : tensor<1x1xi32>
  %z = IE.Constant dense<-5> : tensor<1xi32>
  // CHECK-DAG: IE.Constant dense<-25> : tensor<1x1xi32>
  %1 = IE.Gemm(%x, %y, %z) {alpha = 0.5 : f32, beta = 3.0 : f32, transA = 0 : i64, transB = 0 : i64} : (tensor<1x1xi32>, tensor<1x1xi32>, tensor<1xi32>) -> tensor<1x1xi32>
  return %0, %1 : tensor<1x1xi64>, tensor<1x1xi32>
}

// -----

// Integers of 4 bits, the first in the lower half of a byte, less 8.
// CHECK-LABEL: func @matmul_n_bits_without_zero_points_subtracts_half_the_range
func.func @matmul_n_bits_without_zero_points_subtracts_half_the_range() -> tensor<2xf32> {
  %a = IE.Constant dense<[1.0, 10.0, 100.0]> : tensor<3xf32>
  %b = IE.Constant dense<[[[0x98], [0x0A]], [[0x89], [0x08]]]> : tensor<2x2x1xui8>
  %s = IE.Constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  // CHECK: IE.Constant dense<[4.100000e+02, 3.000000e+00]> : tensor<2xf32>
  %0 = IE.MatMulNBits(%a, %b, %s) {K = 3 : i64, bits = 4 : i64, block_size = 2 : i64} : (tensor<3xf32>, tensor<2x2x1xui8>, tensor<2x2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK-LABEL: func @matmul_n_bits_with_zero_points_subtracts_them
func.func @matmul_n_bits_with_zero_points_subtracts_them() -> tensor<1x1xf32> {
  %a = IE.Constant dense<[[1.0, 10.0, 100.0]]> : tensor<1x3xf32>
  %b = IE.Constant dense<[[[0x98], [0x0A]]]> : tensor<1x2x1xui8>
  %s = IE.Constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  // The zero points are 7 and 9.
  %z = IE.Constant dense<[[0x97]]> : tensor<1x1xui8>
  %v = IE.Constant dense<[0.5]> : tensor<1xf32>
  // CHECK: IE.Constant dense<2.215000e+02> : tensor<1x1xf32>
  %0 = IE.MatMulNBits(%a, %b, %s) zeroPoints(%z : tensor<1x1xui8>) bias(%v : tensor<1xf32>) {K = 3 : i64, bits = 4 : i64, block_size = 2 : i64} : (tensor<1x3xf32>, tensor<1x2x1xui8>, tensor<1x2xf32>) -> tensor<1x1xf32>
  return %0 : tensor<1x1xf32>
}
