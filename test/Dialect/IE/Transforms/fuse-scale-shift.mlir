// RUN: nacre-opt %s -pass-pipeline='builtin.module(ie-fuse-scale-shift)' | FileCheck %s

// scale 2 / sqrt(3 + 1) = 1, shift 5 - 1 * 1 = 4, on top of the bias 10.
// CHECK-LABEL: func @batch_norm_after_conv_becomes_bias
// CHECK-DAG: %[[W:.*]] = IE.Constant dense<2.000000e+00> : tensor<1x1x1x1xf32>
// CHECK-DAG: %[[B:.*]] = IE.Constant dense<1.400000e+01> : tensor<1xf32>
// CHECK: %[[Y:.*]] = IE.Conv(%{{.*}}, %[[W]], %[[B]])
// CHECK-NOT: IE.BatchNormalization
// CHECK: return %[[Y]]
func.func @batch_norm_after_conv_becomes_bias(%x: tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32> {
  %w = IE.Constant dense<2.0> : tensor<1x1x1x1xf32>
  %b = IE.Constant dense<10.0> : tensor<1xf32>
  %scale = IE.Constant dense<2.0> : tensor<1xf32>
  %shift = IE.Constant dense<5.0> : tensor<1xf32>
  %mean = IE.Constant dense<1.0> : tensor<1xf32>
  %var = IE.Constant dense<3.0> : tensor<1xf32>
  %0 = IE.Conv(%x, %w, %b) : (tensor<1x1x4x4xf32>, tensor<1x1x1x1xf32>, tensor<1xf32>) -> tensor<1x1x4x4xf32>
  %1 = IE.BatchNormalization(%0, %scale, %shift, %mean, %var) {epsilon = 1.0 : f32} : (tensor<1x1x4x4xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x4x4xf32>
  return %1 : tensor<1x1x4x4xf32>
}

// CHECK-LABEL: func @scale_per_channel_goes_into_the_weights
// CHECK: IE.Constant dense<{{\[\[\[\[}}2.000000e+00]]], {{\[\[\[}}3.000000e+00]]]]> : tensor<2x1x1x1xf32>
// CHECK-NOT: IE.Mul
func.func @scale_per_channel_goes_into_the_weights(%x: tensor<1x1x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = IE.Constant dense<1.0> : tensor<2x1x1x1xf32>
  %s = IE.Constant dense<[[[2.0]], [[3.0]]]> : tensor<2x1x1xf32>
  %0 = IE.Conv(%x, %w) : (tensor<1x1x4x4xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = IE.Mul %0, %s : tensor<1x2x4x4xf32>, tensor<2x1x1xf32> -> tensor<1x2x4x4xf32>
  return %1 : tensor<1x2x4x4xf32>
}

// Both inputs of a group have weights for its output.
// CHECK-LABEL: func @scale_after_conv_transpose_goes_into_the_weights_of_its_group
// CHECK: IE.Constant dense<{{\[\[\[\[}}2.000000e+00]]], {{\[\[\[}}2.000000e+00]]], {{\[\[\[}}3.000000e+00]]], {{\[\[\[}}3.000000e+00]]]]> : tensor<4x1x1x1xf32>
// CHECK-NOT: IE.Mul
func.func @scale_after_conv_transpose_goes_into_the_weights_of_its_group(%x: tensor<1x4x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = IE.Constant dense<1.0> : tensor<4x1x1x1xf32>
  %s = IE.Constant dense<[[[2.0]], [[3.0]]]> : tensor<2x1x1xf32>
  %0 = IE.ConvTranspose(%x, %w) {group = 2 : i64} : (tensor<1x4x4x4xf32>, tensor<4x1x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = IE.Mul %0, %s : tensor<1x2x4x4xf32>, tensor<2x1x1xf32> -> tensor<1x2x4x4xf32>
  return %1 : tensor<1x2x4x4xf32>
}

// CHECK-LABEL: func @constant_per_pixel_stays
// CHECK: IE.Add
func.func @constant_per_pixel_stays(%x: tensor<1x1x1x2xf32>) -> tensor<1x2x1x2xf32> {
  %w = IE.Constant dense<1.0> : tensor<2x1x1x1xf32>
  %s = IE.Constant dense<[2.0, 3.0]> : tensor<2xf32>
  %0 = IE.Conv(%x, %w) : (tensor<1x1x1x2xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x1x2xf32>
  %1 = IE.Add %0, %s : tensor<1x2x1x2xf32>, tensor<2xf32> -> tensor<1x2x1x2xf32>
  return %1 : tensor<1x2x1x2xf32>
}

// CHECK-LABEL: func @conv_with_a_second_user_stays
// CHECK: IE.Add
func.func @conv_with_a_second_user_stays(%x: tensor<1x1x4x4xf32>) -> (tensor<1x1x4x4xf32>, tensor<1x1x4x4xf32>) {
  %w = IE.Constant dense<2.0> : tensor<1x1x1x1xf32>
  %s = IE.Constant dense<1.0> : tensor<1x1x1xf32>
  %0 = IE.Conv(%x, %w) : (tensor<1x1x4x4xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x4x4xf32>
  %1 = IE.Add %0, %s : tensor<1x1x4x4xf32>, tensor<1x1x1xf32> -> tensor<1x1x4x4xf32>
  return %0, %1 : tensor<1x1x4x4xf32>, tensor<1x1x4x4xf32>
}

// What a model declares of the result is known of the convolution, too.
// CHECK-LABEL: func @declared_size_of_the_normalised_result_is_kept
// CHECK: %[[Y:.*]] = IE.Conv({{.*}}) : (tensor<?x1x?x?xf32>, {{.*}}) -> tensor<1x1x4x4xf32>
// CHECK: return %[[Y]]
func.func @declared_size_of_the_normalised_result_is_kept(%x: tensor<?x1x?x?xf32>) -> tensor<1x1x4x4xf32> {
  %w = IE.Constant dense<2.0> : tensor<1x1x1x1xf32>
  %s = IE.Constant dense<3.0> : tensor<1xf32>
  %0 = IE.Conv(%x, %w) : (tensor<?x1x?x?xf32>, tensor<1x1x1x1xf32>) -> tensor<?x1x?x?xf32>
  %1 = IE.BatchNormalization(%0, %s, %s, %s, %s) {epsilon = 1.0 : f32} : (tensor<?x1x?x?xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x4x4xf32>
  return %1 : tensor<1x1x4x4xf32>
}
