// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --convert-ie-to-vpu --split-input-file | FileCheck %s

// Channel c * 3 + k is channel c of the image that element k of depth meets.
// CHECK-LABEL: @few_channels_take_depth_as_channels
// CHECK: %[[P:.*]] = tensor.insert_slice {{.*}} into tensor<6x2x4x4xf32>
// CHECK: %[[X0:.*]] = tensor.extract_slice %[[P:.*]][0, 0, 0, 0] [2, 2, 4, 4] [2, 1, 1, 1]
// CHECK: tensor.insert_slice %[[X0]] into %{{.*}}[0, 0, 0, 0] [2, 2, 4, 4] [1, 3, 1, 1] : {{.*}} into tensor<2x6x4x4xf32>
// CHECK: %[[X1:.*]] = tensor.extract_slice %[[P]][1, 0, 0, 0] [2, 2, 4, 4] [2, 1, 1, 1]
// CHECK: tensor.insert_slice %[[X1]] into %{{.*}}[0, 1, 0, 0] [2, 2, 4, 4] [1, 3, 1, 1]
// CHECK: %[[X2:.*]] = tensor.extract_slice %[[P]][2, 0, 0, 0] [2, 2, 4, 4] [2, 1, 1, 1]
// CHECK: tensor.insert_slice %[[X2]] into %{{.*}}[0, 2, 0, 0] [2, 2, 4, 4] [1, 3, 1, 1]
// CHECK: VPU.NCE.Convolution {{.*}} tensor<2x1x4x6x6xf32>, tensor<1x1x1x3x6x16xf32>)
// CHECK-NOT: VPU.NCE
func.func @few_channels_take_depth_as_channels(%x: tensor<1x2x4x4x4xf32>) -> tensor<1x16x2x4x4xf32> {
  %w = IE.Constant dense<0.1> : tensor<16x2x3x1x3xf32>
  %0 = IE.Conv(%x, %w) {VPU.strategy = #VPU.strategy<algorithm = atOnce>, pads = array<i64: 1, 0, 1, 1, 0, 1>, strides = array<i64: 2, 1, 1>} : (tensor<1x2x4x4x4xf32>, tensor<16x2x3x1x3xf32>) -> tensor<1x16x2x4x4xf32>
  return %0 : tensor<1x16x2x4x4xf32>
}

// -----

// CHECK-LABEL: @images_are_taken_in_turn_where_nothing_is_decided
// CHECK-COUNT-3: VPU.NCE.Convolution {{.*}} tensor<1x1x1x1x6x16xf32>)
func.func @images_are_taken_in_turn_where_nothing_is_decided(%x: tensor<1x6x4x4x4xf32>) -> tensor<1x16x2x4x4xf32> {
  %w = IE.Constant dense<0.1> : tensor<16x6x3x1x1xf32>
  %0 = IE.Conv(%x, %w) : (tensor<1x6x4x4x4xf32>, tensor<16x6x3x1x1xf32>) -> tensor<1x16x2x4x4xf32>
  return %0 : tensor<1x16x2x4x4xf32>
}

// -----

// 18 channels are two blocks.
// CHECK-LABEL: @channels_of_a_depth_may_be_more_than_a_block
// CHECK: VPU.NCE.Convolution {{.*}} -> tensor<2x1x4x4x16xf32>
// CHECK-NOT: VPU.NCE
func.func @channels_of_a_depth_may_be_more_than_a_block(%x: tensor<1x6x4x4x4xf32>) -> tensor<1x16x2x4x4xf32> {
  %w = IE.Constant dense<0.1> : tensor<16x6x3x1x1xf32>
  %0 = IE.Conv(%x, %w) {VPU.strategy = #VPU.strategy<algorithm = atOnce>} : (tensor<1x6x4x4x4xf32>, tensor<16x6x3x1x1xf32>) -> tensor<1x16x2x4x4xf32>
  return %0 : tensor<1x16x2x4x4xf32>
}

// -----

// CHECK-LABEL: @images_of_the_engine_are_taken_in_turn
// CHECK-COUNT-3: VPU.NCE.Convolution
func.func @images_of_the_engine_are_taken_in_turn(%x: tensor<1x4x4x4x4xf32>) -> tensor<1x16x3x4x4xf32> {
  %v = IE.Constant dense<0.1> : tensor<4x4x1x1x1xf32>
  %w = IE.Constant dense<0.1> : tensor<16x4x2x1x1xf32>
  %0 = IE.Conv(%x, %v) : (tensor<1x4x4x4x4xf32>, tensor<4x4x1x1x1xf32>) -> tensor<1x4x4x4x4xf32>
  %1 = IE.Conv(%0, %w) {VPU.strategy = #VPU.strategy<algorithm = atOnce>} : (tensor<1x4x4x4x4xf32>, tensor<16x4x2x1x1xf32>) -> tensor<1x16x3x4x4xf32>
  return %1 : tensor<1x16x3x4x4xf32>
}

// -----

// CHECK-LABEL: @single_elements_take_depth_as_rows
// CHECK: VPU.NCE.Convolution {{.*}} -> tensor<2x1x20x6x16xf32>
// CHECK-NOT: IE.Transpose
// CHECK: tensor.expand_shape {{.*}} into tensor<2x16x4x5x6xf32>
func.func @single_elements_take_depth_as_rows(%x: tensor<2x24x4x5x6xf32>, %w: tensor<16x24x1x1x1xf32>) -> tensor<2x16x4x5x6xf32> {
  %0 = IE.Conv(%x, %w) {VPU.strategy = #VPU.strategy<algorithm = rowMajor>} : (tensor<2x24x4x5x6xf32>, tensor<16x24x1x1x1xf32>) -> tensor<2x16x4x5x6xf32>
  return %0 : tensor<2x16x4x5x6xf32>
}

// -----

// CHECK-LABEL: @single_elements_of_images_stay_images
// CHECK: VPU.NCE.Convolution {{.*}} -> tensor<4x1x5x6x16xf32>
// CHECK: VPU.NCE.Eltwise
func.func @single_elements_of_images_stay_images(%x: tensor<1x24x4x5x6xf32>, %w: tensor<16x24x1x1x1xf32>) -> tensor<1x16x4x5x6xf32> {
  %0 = IE.Conv(%x, %w) : (tensor<1x24x4x5x6xf32>, tensor<16x24x1x1x1xf32>) -> tensor<1x16x4x5x6xf32>
  %1 = IE.Relu %0 : tensor<1x16x4x5x6xf32> -> tensor<1x16x4x5x6xf32>
  return %1 : tensor<1x16x4x5x6xf32>
}
