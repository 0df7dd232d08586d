// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize-weights{bits=4 block-size=16 n-bits}))' | FileCheck %s
// RUN: not nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize-weights{bits=8 block-size=16 n-bits}))' 2>&1 | FileCheck %s --check-prefix=BITS
// RUN: not nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize-weights{bits=4 block-size=24 n-bits}))' 2>&1 | FileCheck %s --check-prefix=BITS
// RUN: not nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize-weights{bits=4 n-bits}))' 2>&1 | FileCheck %s --check-prefix=BITS
// BITS: error: expected 4 bits and blocks of 16, 32, 64, 128 or 256 elements for MatMulNBits, found {{8 bits and blocks of 16|4 bits and blocks of 24|4 bits and blocks of 0}}

// Two integers in a byte, 8 more than what they stand for; a block of less is
// filled with what stands for 0.
// CHECK-LABEL: func @product
// CHECK-DAG: %[[W:.*]] = IE.Constant dense<{{\[\[\[}}255, 255, 255, 255, 255, 255, 255, 255], [31, 136, 136, 136, 136, 136, 136, 136]]]> : tensor<1x2x8xui8>
// CHECK-DAG: %[[S:.*]] = IE.Constant dense<{{\[\[}}1.000000e+00, 2.000000e+00]]> : tensor<1x2xf32>
// CHECK: IE.MatMulNBits(%arg0, %[[W]], %[[S]]) {K = 18 : i64, bits = 4 : i64, block_size = 16 : i64} : {{.*}} -> tensor<?x3x1xf32>
func.func @product(%x: tensor<?x3x18xf32>) -> tensor<?x3x1xf32> {
  %w = IE.Constant dense<[[7.0], [7.0], [7.0], [7.0], [7.0], [7.0], [7.0], [7.0], [7.0], [7.0], [7.0], [7.0], [7.0], [7.0], [7.0], [7.0], [14.0], [-14.0]]> : tensor<18x1xf32>
  %0 = IE.MatMul(%x, %w) : (tensor<?x3x18xf32>, tensor<18x1xf32>) -> tensor<?x3x1xf32>
  return %0 : tensor<?x3x1xf32>
}

// A transposed matrix has its columns as rows; the bias is added.
// CHECK-LABEL: func @transposed_with_a_bias
// CHECK-DAG: %[[W:.*]] = IE.Constant dense<{{.*}}> : tensor<2x1x8xui8>
// CHECK-DAG: %[[S:.*]] = IE.Constant dense<{{\[\[}}1.000000e+00], [3.000000e+00]]> : tensor<2x1xf32>
// CHECK: %[[P:.*]] = IE.MatMulNBits(%arg0, %[[W]], %[[S]]) {K = 3 : i64
// CHECK: IE.Add %[[P]], %arg1
func.func @transposed_with_a_bias(%x: tensor<4x3xf32>, %b: tensor<2xf32>) -> tensor<4x2xf32> {
  %w = IE.Constant dense<[[7.0, 7.0, 7.0], [21.0, -21.0, 21.0]]> : tensor<2x3xf32>
  %0 = IE.Gemm(%x, %w, %b) {transB = 1 : i64} : (tensor<4x3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// CHECK-LABEL: func @convolution_stays
// CHECK: IE.Conv
func.func @convolution_stays(%x: tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32> {
  %w = IE.Constant dense<1.0> : tensor<1x1x1x1xf32>
  %0 = IE.Conv(%x, %w) : (tensor<1x1x4x4xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x4x4xf32>
  return %0 : tensor<1x1x4x4xf32>
}
