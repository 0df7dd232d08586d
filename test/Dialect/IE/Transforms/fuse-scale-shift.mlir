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

// Scale 2 / sqrt(3 + 1) = 1 and 4 / 2 = 2, shift 5 - 1 = 4 and 6 - 2 = 4: the
// bias is 10 + 4 * (1 + 2).
// CHECK-LABEL: func @batch_norm_before_conv_becomes_weights_and_bias
// CHECK-DAG: %[[W:.*]] = IE.Constant dense<{{\[\[\[\[}}1.000000e+00]], {{\[\[}}4.000000e+00]]]]> : tensor<1x2x1x1xf32>
// CHECK-DAG: %[[B:.*]] = IE.Constant dense<2.200000e+01> : tensor<1xf32>
// CHECK: %[[Y:.*]] = IE.Conv(%arg0, %[[W]], %[[B]])
// CHECK: return %[[Y]]
func.func @batch_norm_before_conv_becomes_weights_and_bias(%x: tensor<?x2x4x4xf32>) -> tensor<?x1x4x4xf32> {
  %w = IE.Constant dense<[[[[1.0]], [[2.0]]]]> : tensor<1x2x1x1xf32>
  %b = IE.Constant dense<10.0> : tensor<1xf32>
  %scale = IE.Constant dense<[2.0, 4.0]> : tensor<2xf32>
  %shift = IE.Constant dense<[5.0, 6.0]> : tensor<2xf32>
  %mean = IE.Constant dense<1.0> : tensor<2xf32>
  %var = IE.Constant dense<3.0> : tensor<2xf32>
  %0 = IE.BatchNormalization(%x, %scale, %shift, %mean, %var) {epsilon = 1.0 : f32} : (tensor<?x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<?x2x4x4xf32>
  %1 = IE.Conv(%0, %w, %b) : (tensor<?x2x4x4xf32>, tensor<1x2x1x1xf32>, tensor<1xf32>) -> tensor<?x1x4x4xf32>
  return %1 : tensor<?x1x4x4xf32>
}

// Each group has weights for its own inputs. What is only multiplied may be
// padded.
// CHECK-LABEL: func @scale_before_padded_groups_goes_into_the_weights
// CHECK: %[[W:.*]] = IE.Constant dense<{{\[\[\[}}2.000000e+00], [3.000000e+00]], {{\[\[}}4.000000e+00], [5.000000e+00]]]> : tensor<2x2x1xf32>
// CHECK: IE.Conv(%arg0, %[[W]], %{{.*}}) {group = 2 : i64, pads = array<i64: 1, 1>}
func.func @scale_before_padded_groups_goes_into_the_weights(%x: tensor<1x4x?xf32>) -> tensor<1x2x?xf32> {
  %w = IE.Constant dense<1.0> : tensor<2x2x1xf32>
  %s = IE.Constant dense<[[2.0], [3.0], [4.0], [5.0]]> : tensor<4x1xf32>
  %0 = IE.Mul %s, %x : tensor<4x1xf32>, tensor<1x4x?xf32> -> tensor<1x4x?xf32>
  %1 = IE.Conv(%0, %w) {group = 2 : i64, pads = array<i64: 1, 1>} : (tensor<1x4x?xf32>, tensor<2x2x1xf32>) -> tensor<1x2x?xf32>
  return %1 : tensor<1x2x?xf32>
}

// A mean that is subtracted before a division, in front of a Gemm.
// CHECK-LABEL: func @scale_and_shift_before_gemm_go_into_weights_and_bias
// CHECK-DAG: %[[W:.*]] = IE.Constant dense<{{\[\[}}5.000000e-01, 1.000000e+00]]> : tensor<1x2xf32>
// CHECK-DAG: %[[B:.*]] = IE.Constant dense<-4.500000e+00> : tensor<1xf32>
// CHECK: %[[Y:.*]] = IE.Gemm(%arg0, %[[W]], %[[B]])
// CHECK: return %[[Y]]
func.func @scale_and_shift_before_gemm_go_into_weights_and_bias(%x: tensor<3x2xf32>) -> tensor<3x1xf32> {
  %w = IE.Constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %m = IE.Constant dense<3.0> : tensor<2xf32>
  %d = IE.Constant dense<2.0> : tensor<f32>
  %0 = IE.Sub %x, %m : tensor<3x2xf32>, tensor<2xf32> -> tensor<3x2xf32>
  %1 = IE.Div %0, %d : tensor<3x2xf32>, tensor<f32> -> tensor<3x2xf32>
  %2 = IE.Gemm(%1, %w) {transB = 1 : i64} : (tensor<3x2xf32>, tensor<1x2xf32>) -> tensor<3x1xf32>
  return %2 : tensor<3x1xf32>
}

// Zeros of the padding are not shifted.
// CHECK-LABEL: func @shift_before_padded_conv_stays
// CHECK: IE.Add
// CHECK: IE.Add
func.func @shift_before_padded_conv_stays(%x: tensor<1x1x4xf32>) -> (tensor<1x1x4xf32>, tensor<1x1x4xf32>) {
  %w = IE.Constant dense<1.0> : tensor<1x1x3xf32>
  %s = IE.Constant dense<2.0> : tensor<1x1xf32>
  %0 = IE.Add %x, %s : tensor<1x1x4xf32>, tensor<1x1xf32> -> tensor<1x1x4xf32>
  %1 = IE.Conv(%0, %w) {pads = array<i64: 1, 1>} : (tensor<1x1x4xf32>, tensor<1x1x3xf32>) -> tensor<1x1x4xf32>
  %2 = IE.Add %x, %s : tensor<1x1x4xf32>, tensor<1x1xf32> -> tensor<1x1x4xf32>
  %3 = IE.Conv(%2, %w) {auto_pad = "SAME_UPPER"} : (tensor<1x1x4xf32>, tensor<1x1x3xf32>) -> tensor<1x1x4xf32>
  return %1, %3 : tensor<1x1x4xf32>, tensor<1x1x4xf32>
}

// CHECK-LABEL: func @scaled_value_that_others_read_stays
// CHECK: %[[M:.*]] = IE.Mul
// CHECK: IE.Conv(%[[M]]
func.func @scaled_value_that_others_read_stays(%x: tensor<1x1x4xf32>) -> (tensor<1x1x4xf32>, tensor<1x1x4xf32>) {
  %w = IE.Constant dense<1.0> : tensor<1x1x1xf32>
  %s = IE.Constant dense<2.0> : tensor<1x1xf32>
  %0 = IE.Mul %x, %s : tensor<1x1x4xf32>, tensor<1x1xf32> -> tensor<1x1x4xf32>
  %1 = IE.Conv(%0, %w) : (tensor<1x1x4xf32>, tensor<1x1x1xf32>) -> tensor<1x1x4xf32>
  return %1, %0 : tensor<1x1x4xf32>, tensor<1x1x4xf32>
}

// Between two convolutions it belongs to the first, whose padding does not matter.
// CHECK-LABEL: func @scale_between_convs_goes_into_the_first
// CHECK: %[[W:.*]] = IE.Constant dense<2.000000e+00> : tensor<1x1x1xf32>
// CHECK: %[[Y:.*]] = IE.Conv(%arg0, %[[W]]
// CHECK: IE.Conv(%[[Y]], %{{.*}}) {pads = array<i64: 1, 1>} : (tensor<1x1x4xf32>, tensor<1x1x3xf32>) -> tensor<1x1x4xf32>
func.func @scale_between_convs_goes_into_the_first(%x: tensor<1x1x4xf32>) -> tensor<1x1x4xf32> {
  %w = IE.Constant dense<1.0> : tensor<1x1x1xf32>
  %v = IE.Constant dense<1.0> : tensor<1x1x3xf32>
  %s = IE.Constant dense<2.0> : tensor<1x1xf32>
  %0 = IE.Conv(%x, %w) : (tensor<1x1x4xf32>, tensor<1x1x1xf32>) -> tensor<1x1x4xf32>
  %1 = IE.Mul %0, %s : tensor<1x1x4xf32>, tensor<1x1xf32> -> tensor<1x1x4xf32>
  %2 = IE.Conv(%1, %v) {pads = array<i64: 1, 1>} : (tensor<1x1x4xf32>, tensor<1x1x3xf32>) -> tensor<1x1x4xf32>
  return %2 : tensor<1x1x4xf32>
}

// One constant for each pixel; weights that a run gives; a product that is
// scaled itself.
// CHECK-LABEL: func @other_scales_before_products_stay
// CHECK-COUNT-3: IE.Mul
func.func @other_scales_before_products_stay(%x: tensor<1x1x2xf32>, %v: tensor<1x1x1xf32>, %y: tensor<3x2xf32>) -> (tensor<1x1x2xf32>, tensor<1x1x2xf32>, tensor<3x1xf32>) {
  %w = IE.Constant dense<1.0> : tensor<1x1x1xf32>
  %p = IE.Constant dense<[2.0, 3.0]> : tensor<2xf32>
  %s = IE.Constant dense<2.0> : tensor<f32>
  %m = IE.Constant dense<1.0> : tensor<2x1xf32>
  %0 = IE.Mul %x, %p : tensor<1x1x2xf32>, tensor<2xf32> -> tensor<1x1x2xf32>
  %1 = IE.Conv(%0, %w) : (tensor<1x1x2xf32>, tensor<1x1x1xf32>) -> tensor<1x1x2xf32>
  %2 = IE.Mul %x, %s : tensor<1x1x2xf32>, tensor<f32> -> tensor<1x1x2xf32>
  %3 = IE.Conv(%2, %v) : (tensor<1x1x2xf32>, tensor<1x1x1xf32>) -> tensor<1x1x2xf32>
  %4 = IE.Mul %y, %p : tensor<3x2xf32>, tensor<2xf32> -> tensor<3x2xf32>
  %5 = IE.Gemm(%4, %m) {alpha = 0.5 : f32} : (tensor<3x2xf32>, tensor<2x1xf32>) -> tensor<3x1xf32>
  return %1, %3, %5 : tensor<1x1x2xf32>, tensor<1x1x2xf32>, tensor<3x1xf32>
}

// A time in seconds, less its mean: what is multiplied before would have lost the
// digits that are left.
// CHECK-LABEL: func @shift_by_a_far_number_stays
// CHECK: %[[D:.*]] = IE.Sub %arg0
// CHECK: IE.Gemm(%[[D]]
func.func @shift_by_a_far_number_stays(%x: tensor<3x2xf32>) -> tensor<3x1xf32> {
  %w = IE.Constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %m = IE.Constant dense<[0.0, 1.7e9]> : tensor<2xf32>
  %0 = IE.Sub %x, %m : tensor<3x2xf32>, tensor<2xf32> -> tensor<3x2xf32>
  %1 = IE.Gemm(%0, %w) {transB = 1 : i64} : (tensor<3x2xf32>, tensor<1x2xf32>) -> tensor<3x1xf32>
  return %1 : tensor<3x1xf32>
}

// CHECK-LABEL: func @scale_that_makes_infinite_weights_stays
// CHECK: %[[D:.*]] = IE.Div %arg0
// CHECK: IE.Gemm(%[[D]]
func.func @scale_that_makes_infinite_weights_stays(%x: tensor<3x2xf32>) -> tensor<3x1xf32> {
  %w = IE.Constant dense<[[1.0e8, 2.0]]> : tensor<1x2xf32>
  %d = IE.Constant dense<1.0e-35> : tensor<f32>
  %0 = IE.Div %x, %d : tensor<3x2xf32>, tensor<f32> -> tensor<3x2xf32>
  %1 = IE.Gemm(%0, %w) {transB = 1 : i64} : (tensor<3x2xf32>, tensor<1x2xf32>) -> tensor<3x1xf32>
  return %1 : tensor<3x1xf32>
}

// Weights that several products read are in memory once; a shift leaves them alone.
// CHECK-LABEL: func @weights_of_several_products_are_not_scaled
// CHECK-DAG: %[[W:.*]] = IE.Constant dense<{{\[\[}}1.000000e+00, 2.000000e+00]]> : tensor<1x2xf32>
// CHECK-DAG: %[[B:.*]] = IE.Constant dense<9.000000e+00> : tensor<1xf32>
// CHECK-DAG: %[[M:.*]] = IE.Mul %arg0
// CHECK-DAG: IE.Gemm(%[[M]], %[[W]])
// CHECK-DAG: IE.Gemm(%arg1, %[[W]], %[[B]])
func.func @weights_of_several_products_are_not_scaled(%x: tensor<3x2xf32>, %y: tensor<3x2xf32>) -> (tensor<3x1xf32>, tensor<3x1xf32>) {
  %w = IE.Constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %s = IE.Constant dense<3.0> : tensor<2xf32>
  %0 = IE.Mul %x, %s : tensor<3x2xf32>, tensor<2xf32> -> tensor<3x2xf32>
  %1 = IE.Add %y, %s : tensor<3x2xf32>, tensor<2xf32> -> tensor<3x2xf32>
  %2 = IE.Gemm(%0, %w) {transB = 1 : i64} : (tensor<3x2xf32>, tensor<1x2xf32>) -> tensor<3x1xf32>
  %3 = IE.Gemm(%1, %w) {transB = 1 : i64} : (tensor<3x2xf32>, tensor<1x2xf32>) -> tensor<3x1xf32>
  return %2, %3 : tensor<3x1xf32>, tensor<3x1xf32>
}
