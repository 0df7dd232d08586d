// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-constant-fold))' -split-input-file | FileCheck %s

// Halves round to even, and what does not fit saturates.
// CHECK-LABEL: func @quantize_rounds_and_saturates
func.func @quantize_rounds_and_saturates() -> tensor<6xui8> {
  %x = IE.Constant dense<[0.0, 1.0, 3.0, 5.0, 1000.0, -1000.0]> : tensor<6xf32>
  %s = IE.Constant dense<2.0> : tensor<f32>
  %z = IE.Constant dense<128> : tensor<ui8>
  // CHECK: IE.Constant dense<[128, 128, 130, 130, 255, 0]> : tensor<6xui8>
  %0 = IE.QuantizeLinear(%x, %s, %z) : (tensor<6xf32>, tensor<f32>, tensor<ui8>) -> tensor<6xui8>
  return %0 : tensor<6xui8>
}

// -----

// CHECK-LABEL: func @dequantize_scales_each_index_of_the_axis
func.func @dequantize_scales_each_index_of_the_axis() -> tensor<2x2xf32> {
  %x = IE.Constant dense<[[10, 10], [-3, -3]]> : tensor<2x2xi8>
  %s = IE.Constant dense<[0.5, 2.0]> : tensor<2xf32>
  %z = IE.Constant dense<[0, 1]> : tensor<2xi8>
  // CHECK{LITERAL}: IE.Constant dense<[[5.000000e+00, 1.800000e+01], [-1.500000e+00, -8.000000e+00]]> : tensor<2x2xf32>
  %0 = IE.DequantizeLinear(%x, %s, %z) : (tensor<2x2xi8>, tensor<2xf32>, tensor<2xi8>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// -----

// The last block has one row.
// CHECK-LABEL: func @dequantize_scales_each_block
func.func @dequantize_scales_each_block() -> tensor<3x2xf32> {
  %x = IE.Constant dense<[[10, 10], [-3, -3], [4, 4]]> : tensor<3x2xi8>
  %s = IE.Constant dense<[[0.5, 2.0], [1.0, 4.0]]> : tensor<2x2xf32>
  %z = IE.Constant dense<[[0, 1], [2, 3]]> : tensor<2x2xi8>
  // CHECK{LITERAL}: IE.Constant dense<[[5.000000e+00, 1.800000e+01], [-1.500000e+00, -8.000000e+00], [2.000000e+00, 4.000000e+00]]> : tensor<3x2xf32>
  %0 = IE.DequantizeLinear(%x, %s, %z) {axis = -2 : i64, block_size = 2 : i64} : (tensor<3x2xi8>, tensor<2x2xf32>, tensor<2x2xi8>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}
