// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize-dynamic))' -split-input-file | FileCheck %s
// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize-dynamic{per-channel=false}))' -split-input-file | FileCheck %s --check-prefix=ONE
// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize-dynamic{only-ops=Gemm}))' -split-input-file | FileCheck %s --check-prefix=ONLY
// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize-dynamic{keep-nodes=head*}))' -split-input-file | FileCheck %s --check-prefix=NODE
// RUN: not nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize-dynamic{keep-nodes=[}))' -split-input-file 2>&1 | FileCheck %s --check-prefix=PATTERN
// PATTERN: error: '[' is no pattern of nodes' names

// A scale for each column, whose sums get the bias as floats.
// CHECK-LABEL: func @product_of_a_run_time_range
// CHECK: %[[Q:.*]], %[[S:.*]], %[[Z:.*]] = IE.DynamicQuantizeLinear(%arg0) : (tensor<?x2xf32>) -> (tensor<?x2xui8>, tensor<f32>, tensor<ui8>)
// CHECK: %[[W:.*]] = IE.Constant dense<{{\[\[}}127, 64], [-127, -127]]> : tensor<2x2xi8>
// CHECK: %[[I:.*]] = IE.MatMulInteger(%[[Q]], %[[W]]) lhsZero(%[[Z]] : tensor<ui8>) : (tensor<?x2xui8>, tensor<2x2xi8>) -> tensor<?x2xi32>
// CHECK: %[[F:.*]] = IE.Cast %[[I]] to f32
// CHECK: %[[WS:.*]] = IE.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK: %[[SS:.*]] = IE.Mul %[[S]], %[[WS]]
// CHECK: %[[Y:.*]] = IE.Mul %[[F]], %[[SS]]
// CHECK: %[[B:.*]] = IE.Add %[[Y]], %arg1
// CHECK: return %[[B]]
// ONE-LABEL: func @product_of_a_run_time_range
// ONE: IE.Constant dense<{{\[\[}}64, 64], [-64, -127]]> : tensor<2x2xi8>
// ONE: IE.Constant dense<2.000000e+00> : tensor<f32>
// ONLY-LABEL: func @product_of_a_run_time_range
// ONLY: IE.MatMulInteger
// NODE-LABEL: func @product_of_a_run_time_range
// NODE: IE.MatMulInteger
func.func @product_of_a_run_time_range(%x: tensor<?x2xf32>, %b: tensor<2xf32>) -> tensor<?x2xf32> {
  %w = IE.Constant dense<[[127.0, 127.0], [-127.0, -254.0]]> : tensor<2x2xf32>
  %0 = IE.Gemm(%x, %w, %b) : (tensor<?x2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}

// -----

// Weights are transposed, and a value is quantized once for all that read it.
// CHECK-LABEL: func @products_share_what_they_read
// CHECK: %[[Q:.*]], %[[S:.*]], %[[Z:.*]] = IE.DynamicQuantizeLinear(%arg0)
// CHECK: %[[W:.*]] = IE.Constant dense<{{\[\[}}127, -127], [0, 127]]> : tensor<2x2xi8>
// CHECK: IE.MatMulInteger(%[[Q]], %[[W]]) lhsZero(%[[Z]]
// CHECK-NOT: IE.DynamicQuantizeLinear
// CHECK: IE.MatMulInteger(%[[Q]], %{{.*}}) lhsZero(%[[Z]] : tensor<ui8>) : (tensor<3x2xui8>, tensor<4x2x5xi8>) -> tensor<4x3x5xi32>
// CHECK: IE.Mul %[[S]], %{{.*}} : tensor<f32>, tensor<5xf32>
// ONLY-LABEL: func @products_share_what_they_read
// ONLY: IE.MatMulInteger
// ONLY: IE.MatMul(
// NODE-LABEL: func @products_share_what_they_read
// NODE: IE.Gemm(
// NODE: IE.MatMulInteger
func.func @products_share_what_they_read(%x: tensor<3x2xf32>) -> (tensor<3x2xf32>, tensor<4x3x5xf32>) {
  %w = IE.Constant dense<[[127.0, 0.0], [-127.0, 127.0]]> : tensor<2x2xf32>
  %v = IE.Constant dense<1.0> : tensor<4x2x5xf32>
  %0 = IE.Gemm(%x, %w) {transB = 1 : i64} : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32> loc("head_0")
  %1 = IE.MatMul(%x, %v) : (tensor<3x2xf32>, tensor<4x2x5xf32>) -> tensor<4x3x5xf32>
  return %0, %1 : tensor<3x2xf32>, tensor<4x3x5xf32>
}

// -----

// Of convolutions, unsigned weights around 128, and attributes as they were.
// CHECK-LABEL: func @convolution_with_a_bias
// CHECK: %[[Q:.*]], %[[S:.*]], %[[Z:.*]] = IE.DynamicQuantizeLinear(%arg0)
// CHECK-DAG: %[[W:.*]] = IE.Constant dense<{{\[\[\[\[}}255]]], {{\[\[\[}}1]]]]> : tensor<2x1x1x1xui8>
// CHECK-DAG: %[[M:.*]] = IE.Constant dense<128> : tensor<ui8>
// CHECK: %[[I:.*]] = IE.ConvInteger(%[[Q]], %[[W]]) zero(%[[Z]] : tensor<ui8>) weightsZero(%[[M]] : tensor<ui8>) {strides = array<i64: 2, 2>} : (tensor<1x1x4x4xui8>, tensor<2x1x1x1xui8>) -> tensor<1x2x2x2xi32>
// CHECK: %[[F:.*]] = IE.Cast %[[I]] to f32
// CHECK: %[[WS:.*]] = IE.Constant dense<{{\[\[\[}}1.000000e+00]], {{\[\[}}2.000000e+00]]]> : tensor<2x1x1xf32>
// CHECK: %[[SS:.*]] = IE.Mul %[[S]], %[[WS]]
// CHECK: %[[Y:.*]] = IE.Mul %[[F]], %[[SS]]
// CHECK: %[[B:.*]] = IE.Constant dense<{{\[\[\[}}1.000000e+00]], {{\[\[}}-2.000000e+00]]]> : tensor<2x1x1xf32>
// CHECK: IE.Add %[[Y]], %[[B]]
// ONLY-LABEL: func @convolution_with_a_bias
// ONLY: IE.Conv(
func.func @convolution_with_a_bias(%x: tensor<1x1x4x4xf32>) -> tensor<1x2x2x2xf32> {
  %w = IE.Constant dense<[[[[127.0]]], [[[-254.0]]]]> : tensor<2x1x1x1xf32>
  %b = IE.Constant dense<[1.0, -2.0]> : tensor<2xf32>
  %0 = IE.Conv(%x, %w, %b) {strides = array<i64: 2, 2>} : (tensor<1x1x4x4xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
  return %0 : tensor<1x2x2x2xf32>
}

// -----

// A bias that is no constant is reshaped at run time. Groups of several channels are
// as good as one.
// CHECK-LABEL: func @convolution_of_rows_with_a_computed_bias
// CHECK: IE.ConvInteger({{.*}} {group = 2 : i64} : {{.*}} -> tensor<?x2x?xi32>
// CHECK: %[[B:.*]] = IE.Reshape %arg1, %{{.*}} -> tensor<2x1xf32>
// CHECK: IE.Add %{{.*}}, %[[B]] : tensor<?x2x?xf32>, tensor<2x1xf32> -> tensor<?x2x?xf32>
func.func @convolution_of_rows_with_a_computed_bias(%x: tensor<?x6x?xf32>, %b: tensor<2xf32>) -> tensor<?x2x?xf32> {
  %w = IE.Constant dense<1.0> : tensor<2x3x3xf32>
  %0 = IE.Conv(%x, %w, %b) {group = 2 : i64} : (tensor<?x6x?xf32>, tensor<2x3x3xf32>, tensor<2xf32>) -> tensor<?x2x?xf32>
  return %0 : tensor<?x2x?xf32>
}

// -----

// Weights that are no constants, that are infinite or of another type, a scaled
// product, one of a vector, a depthwise convolution, and an op that is no
// product.
// CHECK-LABEL: func @others_stay
// CHECK-NOT: IE.DynamicQuantizeLinear
func.func @others_stay(%x: tensor<2x2xf32>, %y: tensor<2x2xf32>, %v: tensor<2xf32>, %d: tensor<2x2xf64>, %r: tensor<1x2x5xf32>)
    -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf64>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<1x4x3xf32>) {
  %w = IE.Constant dense<1.0> : tensor<2x2xf32>
  %i = IE.Constant dense<0x7F800000> : tensor<2x2xf32>
  %l = IE.Constant dense<1.0> : tensor<2x2xf64>
  %0 = IE.MatMul(%x, %y) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = IE.MatMul(%x, %i) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %2 = IE.MatMul(%d, %l) : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>
  %3 = IE.Gemm(%x, %w) {alpha = 2.0 : f32} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %4 = IE.MatMul(%v, %w) : (tensor<2xf32>, tensor<2x2xf32>) -> tensor<2xf32>
  %5 = IE.Add %x, %w : tensor<2x2xf32>, tensor<2x2xf32> -> tensor<2x2xf32>
  %k = IE.Constant dense<1.0> : tensor<4x1x3xf32>
  %6 = IE.Conv(%r, %k) {group = 2 : i64} : (tensor<1x2x5xf32>, tensor<4x1x3xf32>) -> tensor<1x4x3xf32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf64>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<1x4x3xf32>
}

// -----

// Weights of few bits stay; nodes that are kept round nothing.
// CHECK-LABEL: func @weights_of_few_bits
// CHECK: IE.MatMulNBits(%arg0, %arg1, %arg2) {K = 32 : i64, accuracy_level = 4 : i64,
// CHECK: IE.MatMulNBits(%arg0, %arg1, %arg2) {K = 32 : i64, accuracy_level = 4 : i64,
// ONLY-LABEL: func @weights_of_few_bits
// ONLY-NOT: accuracy_level = 4
// ONLY: return
// NODE-LABEL: func @weights_of_few_bits
// NODE: IE.MatMulNBits(%arg0, %arg1, %arg2) {K = 32 : i64, bits
// NODE: IE.MatMulNBits(%arg0, %arg1, %arg2) {K = 32 : i64, accuracy_level = 4 : i64,
func.func @weights_of_few_bits(%x: tensor<?x32xf32>, %w: tensor<8x1x16xui8>, %s: tensor<8x1xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>) {
  %0 = IE.MatMulNBits(%x, %w, %s) {K = 32 : i64, bits = 4 : i64, block_size = 32 : i64} : (tensor<?x32xf32>, tensor<8x1x16xui8>, tensor<8x1xf32>) -> tensor<?x8xf32> loc("head_0")
  %1 = IE.MatMulNBits(%x, %w, %s) {K = 32 : i64, accuracy_level = 1 : i64, bits = 4 : i64, block_size = 32 : i64} : (tensor<?x32xf32>, tensor<8x1x16xui8>, tensor<8x1xf32>) -> tensor<?x8xf32>
  return %0, %1 : tensor<?x8xf32>, tensor<?x8xf32>
}
