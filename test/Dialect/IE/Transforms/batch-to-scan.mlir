// RUN: nacre-opt %s --pass-pipeline="builtin.module(func.func(ie-batch-to-scan))" -split-input-file | FileCheck %s

// The whole run of ops on samples becomes one loop; rows of a product are
// multiplied at once, after it.
// CHECK-LABEL: func @convolutional_net_runs_sample_by_sample
// CHECK-SAME: (%[[X:.*]]: tensor<?x3x8x8xf32>, %
// CHECK: %[[W:.*]] = IE.Constant
// CHECK: %[[ALL:.*]] = IE.Scan(%[[X]]) {num_scan_inputs = 1 : i64} : (tensor<?x3x8x8xf32>) -> tensor<?x4xf32> {
// CHECK-NEXT: ^bb0(%[[SLICE:.*]]: tensor<3x8x8xf32>):
// CHECK: %[[SAMPLE:.*]] = IE.Unsqueeze %[[SLICE]]
// CHECK: %[[CONV:.*]] = IE.Conv(%[[SAMPLE]], %[[W]]) : (tensor<1x3x8x8xf32>, tensor<4x3x1x1xf32>) -> tensor<1x4x8x8xf32>
// CHECK: IE.Relu %[[CONV]] : tensor<1x4x8x8xf32>
// CHECK: IE.GlobalAveragePool
// CHECK: IE.Reshape {{.*}} -> tensor<1x4xf32>
// CHECK: %[[RESULT:.*]] = IE.Squeeze
// CHECK: IE.Yield %[[RESULT]] : tensor<4xf32>
// CHECK: IE.MatMul(%[[ALL]],
func.func @convolutional_net_runs_sample_by_sample(%x: tensor<?x3x8x8xf32>, %m: tensor<4x2xf32>) -> tensor<?x2xf32> {
  %w = IE.Constant dense<1.0> : tensor<4x3x1x1xf32>
  %0 = IE.Conv(%x, %w) : (tensor<?x3x8x8xf32>, tensor<4x3x1x1xf32>) -> tensor<?x4x8x8xf32>
  %1 = IE.Relu %0 : tensor<?x4x8x8xf32> -> tensor<?x4x8x8xf32>
  %2 = IE.GlobalAveragePool(%1) : (tensor<?x4x8x8xf32>) -> tensor<?x4x1x1xf32>
  %3 = IE.Flatten %2 : tensor<?x4x1x1xf32> -> tensor<?x4xf32>
  %4 = IE.MatMul(%3, %m) : (tensor<?x4xf32>, tensor<4x2xf32>) -> tensor<?x2xf32>
  return %4 : tensor<?x2xf32>
}

// -----

// CHECK-LABEL: func @light_ops_on_samples_stay
// CHECK-NOT: IE.Scan
func.func @light_ops_on_samples_stay(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = IE.Relu %x : tensor<?x4xf32> -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// -----

// Nothing says that there are as many of the one as of the other.
// CHECK-LABEL: func @samples_of_different_arguments_are_not_joined
// CHECK: IE.Scan(%{{[a-z0-9]*}})
// CHECK: IE.Scan(%{{[a-z0-9]*}})
// CHECK: IE.Add {{.*}} : tensor<?x2x2x2xf32>, tensor<?x2x2x2xf32>
func.func @samples_of_different_arguments_are_not_joined(%x: tensor<?x2x4x4xf32>, %y: tensor<?x2x4x4xf32>) -> tensor<?x2x2x2xf32> {
  %0 = IE.MaxPool(%x) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<?x2x4x4xf32>) -> tensor<?x2x2x2xf32>
  %1 = IE.MaxPool(%y) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<?x2x4x4xf32>) -> tensor<?x2x2x2xf32>
  %2 = IE.Add %0, %1 : tensor<?x2x2x2xf32>, tensor<?x2x2x2xf32> -> tensor<?x2x2x2xf32>
  return %2 : tensor<?x2x2x2xf32>
}

// -----

// CHECK-LABEL: func @samples_of_one_name_are_joined
// CHECK: IE.Scan(%{{.*}}, %{{.*}}) {num_scan_inputs = 2 : i64}
// CHECK-NOT: IE.Scan
func.func @samples_of_one_name_are_joined(
    %x: tensor<?x2x4x4xf32> {nacre.dims = ["n", "", "", ""]},
    %y: tensor<?x2x2x2xf32> {nacre.dims = ["n", "", "", ""]}) -> tensor<?x2x2x2xf32> {
  %0 = IE.MaxPool(%x) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<?x2x4x4xf32>) -> tensor<?x2x2x2xf32>
  %1 = IE.Add %0, %y : tensor<?x2x2x2xf32>, tensor<?x2x2x2xf32> -> tensor<?x2x2x2xf32>
  return %1 : tensor<?x2x2x2xf32>
}

// -----

// CHECK-LABEL: func @softmax_over_the_batch_ends_the_loop
// CHECK: IE.Scan
// CHECK: IE.Softmax
func.func @softmax_over_the_batch_ends_the_loop(%x: tensor<?x2x4x4xf32>) -> tensor<?x2x2x2xf32> {
  %0 = IE.MaxPool(%x) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<?x2x4x4xf32>) -> tensor<?x2x2x2xf32>
  %1 = IE.Softmax(%0) {axis = 0 : i64} : (tensor<?x2x2x2xf32>) -> tensor<?x2x2x2xf32>
  return %1 : tensor<?x2x2x2xf32>
}

// -----

// CHECK-LABEL: func @known_batch_stays
// CHECK-NOT: IE.Scan
func.func @known_batch_stays(%x: tensor<3x2x4x4xf32>) -> tensor<3x2x2x2xf32> {
  %0 = IE.MaxPool(%x) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<3x2x4x4xf32>) -> tensor<3x2x2x2xf32>
  return %0 : tensor<3x2x2x2xf32>
}

// -----

// CHECK-LABEL: func @normalization_of_samples_is_in_the_loop
// CHECK: IE.Scan
// CHECK: IE.LayerNormalization(%{{.*}}, %{{.*}}) : (tensor<1x2x2x2xf32>, tensor<2xf32>) -> (tensor<1x2x2x2xf32>, tensor<1x2x2x1xf32>, tensor<1x2x2x1xf32>)
// CHECK: IE.Yield
func.func @normalization_of_samples_is_in_the_loop(%x: tensor<?x2x4x4xf32>, %s: tensor<2xf32>) -> tensor<?x2x2x2xf32> {
  %0 = IE.MaxPool(%x) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<?x2x4x4xf32>) -> tensor<?x2x2x2xf32>
  %1:3 = IE.LayerNormalization(%0, %s) : (tensor<?x2x2x2xf32>, tensor<2xf32>) -> (tensor<?x2x2x2xf32>, tensor<?x2x2x1xf32>, tensor<?x2x2x1xf32>)
  return %1#0 : tensor<?x2x2x2xf32>
}

// -----

// CHECK-LABEL: func @normalization_over_the_batch_ends_the_loop
// CHECK: IE.Yield
// CHECK: IE.LayerNormalization
func.func @normalization_over_the_batch_ends_the_loop(%x: tensor<?x2x4x4xf32>, %s: tensor<2xf32>) -> tensor<?x2x2x2xf32> {
  %0 = IE.MaxPool(%x) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<?x2x4x4xf32>) -> tensor<?x2x2x2xf32>
  %1:3 = IE.LayerNormalization(%0, %s) {axis = 0 : i64} : (tensor<?x2x2x2xf32>, tensor<2xf32>) -> (tensor<?x2x2x2xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>)
  return %1#0 : tensor<?x2x2x2xf32>
}

// -----

// The rows of a product are those of its first operand, of which there are not as
// many as of its second.
// CHECK-LABEL: func @shape_of_product_by_a_batch_stays
// CHECK: %[[P:.*]] = IE.MatMul
// CHECK: IE.Shape %[[P]]
// CHECK: %[[G:.*]] = IE.Gemm
// CHECK: IE.Shape %[[G]]
func.func @shape_of_product_by_a_batch_stays(%x: tensor<?x?xf32>, %w: tensor<?x4xf32>) -> (tensor<2xi64>, tensor<2xi64>) {
  %0 = IE.MatMul(%x, %w) : (tensor<?x?xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %1 = IE.Shape %0 : tensor<?x4xf32> -> tensor<2xi64>
  %2 = IE.Gemm(%x, %w) : (tensor<?x?xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %3 = IE.Shape %2 : tensor<?x4xf32> -> tensor<2xi64>
  return %1, %3 : tensor<2xi64>, tensor<2xi64>
}

// -----

// Either batch may be broadcast to the other.
// CHECK-LABEL: func @shape_of_product_of_two_batches_stays
// CHECK: %[[P:.*]] = IE.MatMul
// CHECK: IE.Shape %[[P]]
// CHECK: %[[Q:.*]] = IE.MatMul
// CHECK: IE.Shape %[[Q]]
func.func @shape_of_product_of_two_batches_stays(%x: tensor<?x2x3xf32>, %w: tensor<?x?x4xf32>, %y: tensor<?x2x?xf32>, %v: tensor<?x3x4xf32>) -> (tensor<3xi64>, tensor<3xi64>) {
  %0 = IE.MatMul(%x, %w) : (tensor<?x2x3xf32>, tensor<?x?x4xf32>) -> tensor<?x2x4xf32>
  %1 = IE.Shape %0 : tensor<?x2x4xf32> -> tensor<3xi64>
  %2 = IE.MatMul(%y, %v) : (tensor<?x2x?xf32>, tensor<?x3x4xf32>) -> tensor<?x2x4xf32>
  %3 = IE.Shape %2 : tensor<?x2x4xf32> -> tensor<3xi64>
  return %1, %3 : tensor<3xi64>, tensor<3xi64>
}

// -----

// CHECK-LABEL: func @shape_of_product_of_a_batch_is_that_of_the_argument
// CHECK-SAME: (%[[X:.*]]: tensor<?x3xf32>
// CHECK: IE.Shape %[[X]] {end = 1 : i64}
func.func @shape_of_product_of_a_batch_is_that_of_the_argument(%x: tensor<?x3xf32>, %w: tensor<3x4xf32>) -> tensor<2xi64> {
  %0 = IE.MatMul(%x, %w) : (tensor<?x3xf32>, tensor<3x4xf32>) -> tensor<?x4xf32>
  %1 = IE.Shape %0 : tensor<?x4xf32> -> tensor<2xi64>
  return %1 : tensor<2xi64>
}
