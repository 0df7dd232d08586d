// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize-weights))' -split-input-file | FileCheck %s
// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize-weights{bits=4 block-size=8}))' -split-input-file | FileCheck %s --check-prefix=BLOCKS
// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize-weights,ie-fuse-quantization))' -split-input-file | FileCheck %s --check-prefix=FUSED
// RUN: not nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize-weights{bits=3}))' -split-input-file 2>&1 | FileCheck %s --check-prefix=BITS
// RUN: not nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize-weights{block-size=12}))' -split-input-file 2>&1 | FileCheck %s --check-prefix=BITS
// RUN: not nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize-weights{rounding=hessian ranges=%S/Inputs/quantize.ranges.yaml}))' -split-input-file 2>&1 | FileCheck %s --check-prefix=SUMS
// SUMS: error: '{{.*}}quantize.ranges.yaml' has no sums of inputs, which rounding by them needs: nacre calibrate --hessians measures them
// BITS: error: expected 4 or 8 bits and blocks of a multiple of 8 elements, found {{3 bits and blocks of 0|8 bits and blocks of 12}}

// A scale for each column, or for eight rows of it.
// CHECK-LABEL: func @matrix_of_a_product
// CHECK-DAG: %[[I:.*]] = IE.Constant dense<127> : tensor<16x2xi8>
// CHECK-DAG: %[[S:.*]] = IE.Constant dense<2.000000e+00> : tensor<2xf32>
// CHECK: %[[W:.*]] = IE.DequantizeLinear(%[[I]], %[[S]]) : (tensor<16x2xi8>, tensor<2xf32>) -> tensor<16x2xf32>
// CHECK: IE.MatMul(%arg0, %[[W]])
// BLOCKS-LABEL: func @matrix_of_a_product
// BLOCKS-DAG: %[[P:.*]] = IE.Constant {{.*}} : tensor<16x2xi4>
// BLOCKS-DAG: %[[I:.*]] = IE.Cast %[[P]] to i8
// BLOCKS-DAG: %[[S:.*]] = IE.Constant {{.*}} : tensor<2x2xf32>
// BLOCKS: IE.DequantizeLinear(%[[I]], %[[S]]) {axis = 0 : i64, block_size = 8 : i64} : (tensor<16x2xi8>, tensor<2x2xf32>) -> tensor<16x2xf32>
// FUSED-LABEL: func @matrix_of_a_product
// FUSED: IE.MatMulNBits
func.func @matrix_of_a_product(%x: tensor<?x16xf32>) -> tensor<?x2xf32> {
  %w = IE.Constant dense<254.0> : tensor<16x2xf32>
  %0 = IE.MatMul(%x, %w) : (tensor<?x16xf32>, tensor<16x2xf32>) -> tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}

// -----

// Of a transposed one columns are rows.
// CHECK-LABEL: func @transposed_matrix
// CHECK: IE.DequantizeLinear({{.*}}) {axis = 0 : i64} : (tensor<2x16xi8>, tensor<2xf32>) -> tensor<2x16xf32>
// BLOCKS-LABEL: func @transposed_matrix
// BLOCKS: IE.DequantizeLinear({{.*}}) {block_size = 8 : i64} : (tensor<2x16xi8>, tensor<2x2xf32>) -> tensor<2x16xf32>
// FUSED-LABEL: func @transposed_matrix
// FUSED: IE.MatMulNBits
func.func @transposed_matrix(%x: tensor<4x16xf32>, %b: tensor<2xf32>) -> tensor<4x2xf32> {
  %w = IE.Constant dense<1.0> : tensor<2x16xf32>
  %0 = IE.Gemm(%x, %w, %b) {transB = 1 : i64} : (tensor<4x16xf32>, tensor<2x16xf32>, tensor<2xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// -----

// Convolutions, batches of matrices, and what is no constant.
// CHECK-LABEL: func @other_weights_stay
// CHECK-NOT: IE.DequantizeLinear
// BLOCKS-LABEL: func @other_weights_stay
// BLOCKS-NOT: IE.DequantizeLinear
// FUSED-LABEL: func @other_weights_stay
func.func @other_weights_stay(%x: tensor<1x2x8x8xf32>, %y: tensor<2x4x8xf32>, %z: tensor<4x8xf32>, %v: tensor<8x2xf32>)
    -> (tensor<1x2x8x8xf32>, tensor<2x4x2xf32>, tensor<4x2xf32>) {
  %w = IE.Constant dense<1.0> : tensor<2x2x1x1xf32>
  %m = IE.Constant dense<1.0> : tensor<2x8x2xf32>
  %0 = IE.Conv(%x, %w) : (tensor<1x2x8x8xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x8x8xf32>
  %1 = IE.MatMul(%y, %m) : (tensor<2x4x8xf32>, tensor<2x8x2xf32>) -> tensor<2x4x2xf32>
  %2 = IE.MatMul(%z, %v) : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  return %0, %1, %2 : tensor<1x2x8x8xf32>, tensor<2x4x2xf32>, tensor<4x2xf32>
}
