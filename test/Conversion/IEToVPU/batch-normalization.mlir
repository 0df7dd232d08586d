// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --convert-ie-to-vpu --convert-layouts-to-copies --vpu-fuse-ppe --split-input-file | FileCheck %s

// What is normalised and rectified before it is convolved stays in blocks.
// CHECK-LABEL: @normalised_before_it_is_convolved
// CHECK-NOT: IE.BatchNormalization
// CHECK: %[[X:.*]] = VPU.Copy ins(%arg0 :
// CHECK: %[[Y:.*]] = VPU.NCE.DepthConvolution ins(%[[X]], %{{.*}} : tensor<1x2x8x8x16xf32>, tensor<2x1x1x16xf32>) bias(%{{.*}} : tensor<2x16xf32>) {{.*}}mode = RELU
// CHECK: VPU.NCE.Convolution ins(%[[Y]],
func.func @normalised_before_it_is_convolved(%x: tensor<1x32x8x8xf32>) -> tensor<1x16x8x8xf32> {
  %scale = IE.Constant dense<2.0> : tensor<32xf32>
  %bias = IE.Constant dense<0.1> : tensor<32xf32>
  %mean = IE.Constant dense<0.5> : tensor<32xf32>
  %variance = IE.Constant dense<4.0> : tensor<32xf32>
  %w = IE.Constant dense<0.1> : tensor<16x32x1x1xf32>
  %0 = IE.BatchNormalization(%x, %scale, %bias, %mean, %variance) : (tensor<1x32x8x8xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) -> tensor<1x32x8x8xf32>
  %1 = IE.Relu %0 : tensor<1x32x8x8xf32> -> tensor<1x32x8x8xf32>
  %2 = IE.Conv(%1, %w) : (tensor<1x32x8x8xf32>, tensor<16x32x1x1xf32>) -> tensor<1x16x8x8xf32>
  return %2 : tensor<1x16x8x8xf32>
}

// -----

// Who else reads it wants the model's order.
// CHECK-LABEL: @normalised_for_the_caller_stays
// CHECK: IE.BatchNormalization
func.func @normalised_for_the_caller_stays(%x: tensor<1x32x8x8xf32>) -> (tensor<1x32x8x8xf32>, tensor<1x16x8x8xf32>) {
  %scale = IE.Constant dense<2.0> : tensor<32xf32>
  %bias = IE.Constant dense<0.1> : tensor<32xf32>
  %w = IE.Constant dense<0.1> : tensor<16x32x1x1xf32>
  %0 = IE.BatchNormalization(%x, %scale, %bias, %bias, %scale) : (tensor<1x32x8x8xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) -> tensor<1x32x8x8xf32>
  %1 = IE.Conv(%0, %w) : (tensor<1x32x8x8xf32>, tensor<16x32x1x1xf32>) -> tensor<1x16x8x8xf32>
  return %0, %1 : tensor<1x32x8x8xf32>, tensor<1x16x8x8xf32>
}

// -----

// CHECK-LABEL: @normalised_by_what_a_run_computes_stays
// CHECK: IE.BatchNormalization
func.func @normalised_by_what_a_run_computes_stays(%x: tensor<1x32x8x8xf32>, %scale: tensor<32xf32>) -> tensor<1x16x8x8xf32> {
  %bias = IE.Constant dense<0.1> : tensor<32xf32>
  %w = IE.Constant dense<0.1> : tensor<16x32x1x1xf32>
  %0 = IE.BatchNormalization(%x, %scale, %bias, %bias, %scale) : (tensor<1x32x8x8xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) -> tensor<1x32x8x8xf32>
  %1 = IE.Conv(%0, %w) : (tensor<1x32x8x8xf32>, tensor<16x32x1x1xf32>) -> tensor<1x16x8x8xf32>
  return %1 : tensor<1x16x8x8xf32>
}
