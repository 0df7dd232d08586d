// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-decompose))' -split-input-file | FileCheck %s

// CHECK-LABEL: func @qlinear_conv_becomes_a_scaled_conv_integer
// CHECK: %[[ONE:.*]] = IE.Constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[S:.*]] = IE.ConvInteger(%arg0, %arg1) zero(%{{.*}} : tensor<ui8>) weightsZero(%{{.*}} : tensor<4xi8>) {strides = array<i64: 2, 2>} : (tensor<1x3x8x8xui8>, tensor<4x3x2x2xi8>) -> tensor<1x4x4x4xi32>
// CHECK: %[[B:.*]] = IE.Reshape %arg2, %{{.*}} : tensor<4xi32>, tensor<3xi64> -> tensor<4x1x1xi32>
// CHECK: %[[A:.*]] = IE.Add %[[S]], %[[B]]
// CHECK: %[[P:.*]] = IE.Mul %{{.*}}, %{{.*}} : tensor<f32>, tensor<4x1x1xf32> -> tensor<4x1x1xf32>
// CHECK: %[[D:.*]] = IE.Div %[[P]], %arg7 : tensor<4x1x1xf32>, tensor<f32> -> tensor<4x1x1xf32>
// CHECK: %[[F:.*]] = IE.Cast %[[A]] to f32
// CHECK: %[[M:.*]] = IE.Mul %[[F]], %[[D]]
// CHECK: %[[Y:.*]] = IE.QuantizeLinear(%[[M]], %[[ONE]], %{{.*}}) : (tensor<1x4x4x4xf32>, tensor<f32>, tensor<i8>) -> tensor<1x4x4x4xi8>
// CHECK: return %[[Y]]
func.func @qlinear_conv_becomes_a_scaled_conv_integer(%x: tensor<1x3x8x8xui8>, %w: tensor<4x3x2x2xi8>, %b: tensor<4xi32>, %xs: tensor<1xf32>, %xz: tensor<ui8>, %ws: tensor<4xf32>, %wz: tensor<4xi8>, %ys: tensor<f32>, %yz: tensor<1xi8>) -> tensor<1x4x4x4xi8> {
  %0 = IE.QLinearConv(%x, %xs, %xz, %w, %ws, %wz, %ys, %yz, %b) {strides = array<i64: 2, 2>} : (tensor<1x3x8x8xui8>, tensor<1xf32>, tensor<ui8>, tensor<4x3x2x2xi8>, tensor<4xf32>, tensor<4xi8>, tensor<f32>, tensor<1xi8>, tensor<4xi32>) -> tensor<1x4x4x4xi8>
  return %0 : tensor<1x4x4x4xi8>
}

// -----

// Scales of rows are a column.
// CHECK-LABEL: func @qlinear_matmul_becomes_a_scaled_matmul_integer
// CHECK: %[[S:.*]] = IE.MatMulInteger(%arg0, %arg1) lhsZero(%{{.*}} : tensor<3xui8>) rhsZero(%{{.*}} : tensor<5xi8>) : (tensor<2x3x4xui8>, tensor<4x5xi8>) -> tensor<2x3x5xi32>
// CHECK: %[[L:.*]] = IE.Reshape %{{.*}} : tensor<3xf32>, tensor<3xi64> -> tensor<1x3x1xf32>
// CHECK: %[[R:.*]] = IE.Reshape %{{.*}} : tensor<5xf32>, tensor<2xi64> -> tensor<1x5xf32>
// CHECK: IE.Mul %[[L]], %[[R]] : tensor<1x3x1xf32>, tensor<1x5xf32> -> tensor<1x3x5xf32>
// CHECK: IE.QuantizeLinear({{.*}}) : (tensor<2x3x5xf32>, tensor<f32>, tensor<ui8>) -> tensor<2x3x5xui8>
func.func @qlinear_matmul_becomes_a_scaled_matmul_integer(%a: tensor<2x3x4xui8>, %b: tensor<4x5xi8>, %as: tensor<3xf32>, %az: tensor<3xui8>, %bs: tensor<5xf32>, %bz: tensor<5xi8>, %ys: tensor<f32>, %yz: tensor<ui8>) -> tensor<2x3x5xui8> {
  %0 = IE.QLinearMatMul(%a, %as, %az, %b, %bs, %bz, %ys, %yz) : (tensor<2x3x4xui8>, tensor<3xf32>, tensor<3xui8>, tensor<4x5xi8>, tensor<5xf32>, tensor<5xi8>, tensor<f32>, tensor<ui8>) -> tensor<2x3x5xui8>
  return %0 : tensor<2x3x5xui8>
}

// -----

// CHECK-LABEL: func @qlinear_matmul_of_an_unknown_number_of_scales_stays
// CHECK: IE.QLinearMatMul
func.func @qlinear_matmul_of_an_unknown_number_of_scales_stays(%a: tensor<3x4xui8>, %b: tensor<4x5xui8>, %as: tensor<?xf32>, %az: tensor<?xui8>, %s: tensor<f32>, %z: tensor<ui8>) -> tensor<3x5xui8> {
  %0 = IE.QLinearMatMul(%a, %as, %az, %b, %s, %z, %s, %z) : (tensor<3x4xui8>, tensor<?xf32>, tensor<?xui8>, tensor<4x5xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<3x5xui8>
  return %0 : tensor<3x5xui8>
}

// -----

// Both batches and both rows become one dimension.
// CHECK-LABEL: func @einsum_of_two_operands_becomes_a_matmul
// CHECK: %[[A:.*]] = IE.Transpose %arg0 {perm = array<i64: 0, 2, 1, 3>} : tensor<2x3x4x5xf32> -> tensor<2x4x3x5xf32>
// CHECK: %[[B:.*]] = IE.Transpose %arg1 {perm = array<i64: 0, 2, 3, 1>} : tensor<2x6x4x5xf32> -> tensor<2x4x5x6xf32>
// CHECK: %[[L:.*]] = IE.Reshape %[[A]], %{{.*}} -> tensor<8x3x5xf32>
// CHECK: %[[R:.*]] = IE.Reshape %[[B]], %{{.*}} -> tensor<8x5x6xf32>
// CHECK: %[[P:.*]] = IE.MatMul(%[[L]], %[[R]]) : (tensor<8x3x5xf32>, tensor<8x5x6xf32>) -> tensor<8x3x6xf32>
// CHECK: %[[Y:.*]] = IE.Reshape %[[P]], %{{.*}} -> tensor<2x4x3x6xf32>
// CHECK: return %[[Y]]
func.func @einsum_of_two_operands_becomes_a_matmul(%q: tensor<2x3x4x5xf32>, %k: tensor<2x6x4x5xf32>) -> tensor<2x4x3x6xf32> {
  %0 = IE.Einsum(%q, %k) {equation = "bqhd,bkhd->bhqk"} : (tensor<2x3x4x5xf32>, tensor<2x6x4x5xf32>) -> tensor<2x4x3x6xf32>
  return %0 : tensor<2x4x3x6xf32>
}

// -----

// CHECK-LABEL: func @einsum_of_no_sums_becomes_a_mul
// CHECK-NOT: IE.MatMul
// CHECK: IE.Mul %{{.*}}, %{{.*}} : tensor<3x1xf32>, tensor<1x4xf32> -> tensor<3x4xf32>
// CHECK: IE.Transpose %{{.*}} {perm = array<i64: 1, 0>}
func.func @einsum_of_no_sums_becomes_a_mul(%a: tensor<3xf32>, %b: tensor<4xf32>) -> tensor<4x3xf32> {
  %0 = IE.Einsum(%a, %b) {equation = "i,j->ji"} : (tensor<3xf32>, tensor<4xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

// Every n+1st element of a matrix is its diagonal.
// CHECK-LABEL: func @einsum_of_a_diagonal_becomes_a_slice
// CHECK: IE.Reshape %arg0, %{{.*}} : tensor<2x3x3xf32>, tensor<2xi64> -> tensor<2x9xf32>
// CHECK: IE.Slice %{{.*}} -> tensor<2x3xf32>
// CHECK: IE.ReduceSum(%{{.*}}) {keepdims = 0 : i64} : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<2xf32>
func.func @einsum_of_a_diagonal_becomes_a_slice(%x: tensor<2x3x3xf32>) -> tensor<2xf32> {
  %0 = IE.Einsum(%x) {equation = "...ii->..."} : (tensor<2x3x3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK-LABEL: func @einsum_of_dynamic_shapes_stays
// CHECK: IE.Einsum
func.func @einsum_of_dynamic_shapes_stays(%x: tensor<?x3xf32>) -> tensor<3x?xf32> {
  %0 = IE.Einsum(%x) {equation = "ij->ji"} : (tensor<?x3xf32>) -> tensor<3x?xf32>
  return %0 : tensor<3x?xf32>
}

// -----

// Indices count in the tensor that was pooled, 4x4.
// CHECK-LABEL: func @max_unpool_becomes_a_scatter_into_zeros
// CHECK: %[[Z:.*]] = IE.Expand %{{.*}} -> tensor<16xf32>
// CHECK: %[[I:.*]] = IE.Reshape %arg1, %{{.*}} -> tensor<4xi64>
// CHECK: %[[X:.*]] = IE.Reshape %arg0, %{{.*}} -> tensor<4xf32>
// CHECK: %[[S:.*]] = IE.ScatterElements %[[Z]], %[[I]], %[[X]]
// CHECK: %[[R:.*]] = IE.Reshape %[[S]], %{{.*}} -> tensor<1x1x4x4xf32>
// CHECK: %[[P:.*]] = IE.Pad %[[R]], %{{.*}} -> tensor<1x1x5x6xf32>
// CHECK: return %[[P]]
func.func @max_unpool_becomes_a_scatter_into_zeros(%x: tensor<1x1x2x2xf32>, %i: tensor<1x1x2x2xi64>, %s: tensor<4xi64>) -> tensor<1x1x5x6xf32> {
  %0 = IE.MaxUnpool(%x, %i, %s) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x1x2x2xf32>, tensor<1x1x2x2xi64>, tensor<4xi64>) -> tensor<1x1x5x6xf32>
  return %0 : tensor<1x1x5x6xf32>
}
