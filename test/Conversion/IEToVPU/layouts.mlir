// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --convert-ie-to-vpu --split-input-file | FileCheck %s
// RUN: nacre-opt %s --init-compiler="vpu-arch=NPU37XX" --convert-ie-to-vpu --split-input-file | FileCheck %s --check-prefix=NPU

// A value changes its layout where the engine meets other ops, and nowhere else.
// CHECK-LABEL: @chain_changes_layout_at_its_ends
// CHECK: %[[X:.*]] = VPU.ToBlocked %arg0 : tensor<1x3x8x8xf32> -> tensor<1x1x8x8x3xf32>
// CHECK: %[[P:.*]] = VPU.Copy ins(%[[X]] {{.*}}pads = array<i64: 1, 1, 1, 1>, srcOrder = #VPU.order<NCHWc>}
// CHECK: %[[A:.*]] = VPU.NCE.Convolution ins(%[[P]]
// CHECK: %[[R:.*]] = VPU.NCE.Eltwise ins(%[[A]], %[[A]]
// CHECK: VPU.NCE.Convolution ins(%[[R]]
// CHECK: %[[Y:.*]] = VPU.FromBlocked %{{.*}} : tensor<1x2x8x8x16xf32> -> tensor<1x24x8x8xf32>
// CHECK-NEXT: return %[[Y]]
// NPU-LABEL: @chain_changes_layout_at_its_ends
// NPU: VPU.ToBlocked %arg0 : tensor<1x3x8x8xf32> -> tensor<1x1x8x8x3xf32>
// NPU: VPU.FromBlocked %{{.*}} : tensor<1x1x8x8x24xf32> -> tensor<1x24x8x8xf32>
func.func @chain_changes_layout_at_its_ends(%x: tensor<1x3x8x8xf32>) -> tensor<1x24x8x8xf32> {
  %v = IE.Constant dense<0.1> : tensor<24x3x3x3xf32>
  %w = IE.Constant dense<0.1> : tensor<24x24x1x1xf32>
  %0 = IE.Conv(%x, %v) {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x3x8x8xf32>, tensor<24x3x3x3xf32>) -> tensor<1x24x8x8xf32>
  %1 = IE.Relu %0 : tensor<1x24x8x8xf32> -> tensor<1x24x8x8xf32>
  %2 = IE.Conv(%1, %w) : (tensor<1x24x8x8xf32>, tensor<24x24x1x1xf32>) -> tensor<1x24x8x8xf32>
  return %2 : tensor<1x24x8x8xf32>
}

// -----

// Software reads the model's order; the engine behind it blocks again.
// CHECK-LABEL: @software_between_engine_ops_reads_the_models_order
// CHECK: %[[Y:.*]] = VPU.FromBlocked
// CHECK: %[[S:.*]] = IE.Softmax(%[[Y]])
// CHECK: VPU.ToBlocked %[[S]]
func.func @software_between_engine_ops_reads_the_models_order(%x: tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32> {
  %w = IE.Constant dense<0.1> : tensor<16x16x1x1xf32>
  %0 = IE.Conv(%x, %w) : (tensor<1x16x8x8xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x8x8xf32>
  %1 = IE.Softmax(%0) : (tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
  %2 = IE.Conv(%1, %w) : (tensor<1x16x8x8xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x8x8xf32>
  return %2 : tensor<1x16x8x8xf32>
}

// -----

// Where two layouts meet, both are written down.
// CHECK-LABEL: @groups_that_end_in_a_block_meet_whole_blocks
// CHECK: %[[Y:.*]] = VPU.FromBlocked %{{.*}} : tensor<1x2x8x8x16xf32> -> tensor<1x24x8x8xf32>
// CHECK: VPU.ToBlocked %[[Y]] {groups = 2 : i64} : tensor<1x24x8x8xf32> -> tensor<1x2x8x8x16xf32>
// CHECK: VPU.NCE.Convolution {{.*}}groups = 2
// CHECK: VPU.FromBlocked %{{.*}} {groups = 2 : i64}
func.func @groups_that_end_in_a_block_meet_whole_blocks(%x: tensor<1x24x8x8xf32>) -> tensor<1x24x8x8xf32> {
  %v = IE.Constant dense<0.1> : tensor<24x24x1x1xf32>
  %w = IE.Constant dense<0.1> : tensor<24x12x1x1xf32>
  %0 = IE.Conv(%x, %v) : (tensor<1x24x8x8xf32>, tensor<24x24x1x1xf32>) -> tensor<1x24x8x8xf32>
  %1 = IE.Conv(%0, %w) {group = 2 : i64} : (tensor<1x24x8x8xf32>, tensor<24x12x1x1xf32>) -> tensor<1x24x8x8xf32>
  return %1 : tensor<1x24x8x8xf32>
}

// -----

// CHECK-LABEL: @bytes_change_layout_and_sign_at_once
// CHECK: VPU.ToBlocked %arg0 : tensor<1x16x8xui8> -> tensor<1x1x1x8x16xi8>
// CHECK: VPU.FromBlocked %{{.*}} : tensor<1x1x1x4x16xi8> -> tensor<1x16x4xui8>
func.func @bytes_change_layout_and_sign_at_once(%x: tensor<1x16x8xui8>) -> tensor<1x16x4xui8> {
  %0 = IE.MaxPool(%x) {kernel_shape = array<i64: 2>, strides = array<i64: 2>} : (tensor<1x16x8xui8>) -> tensor<1x16x4xui8>
  return %0 : tensor<1x16x4xui8>
}

// -----

// Between two convolutions of volumes are batches of images.
// CHECK-LABEL: @volumes_are_batches_of_images
// CHECK: VPU.ToBlocked %arg0 : tensor<1x16x4x4x4xf32> -> tensor<4x1x4x4x16xf32>
// CHECK-NOT: VPU.FromBlocked
// CHECK: VPU.FromBlocked %{{.*}} : tensor<4x1x4x4x16xf32> -> tensor<1x16x4x4x4xf32>
// CHECK-NEXT: return
func.func @volumes_are_batches_of_images(%x: tensor<1x16x4x4x4xf32>) -> tensor<1x16x4x4x4xf32> {
  %w = IE.Constant dense<0.1> : tensor<16x16x1x1x1xf32>
  %0 = IE.Conv(%x, %w) : (tensor<1x16x4x4x4xf32>, tensor<16x16x1x1x1xf32>) -> tensor<1x16x4x4x4xf32>
  %1 = IE.Conv(%0, %w) : (tensor<1x16x4x4x4xf32>, tensor<16x16x1x1x1xf32>) -> tensor<1x16x4x4x4xf32>
  return %1 : tensor<1x16x4x4x4xf32>
}

// -----

// Volumes of few channels, whose images become channels, leave the engine as
// other volumes do.
// CHECK-LABEL: @depth_as_channels_gives_images_of_volumes
// CHECK: VPU.NCE.Convolution
// CHECK-NOT: VPU.FromBlocked
// CHECK: VPU.NCE.Convolution
// CHECK: VPU.FromBlocked %{{.*}} : tensor<4x1x4x4x16xf32> -> tensor<1x16x4x4x4xf32>
func.func @depth_as_channels_gives_images_of_volumes(%x: tensor<1x1x4x4x4xf32>) -> tensor<1x16x4x4x4xf32> {
  %v = IE.Constant dense<0.1> : tensor<16x1x3x3x3xf32>
  %w = IE.Constant dense<0.1> : tensor<16x16x1x1x1xf32>
  %0 = IE.Conv(%x, %v) {pads = array<i64: 1, 1, 1, 1, 1, 1>} : (tensor<1x1x4x4x4xf32>, tensor<16x1x3x3x3xf32>) -> tensor<1x16x4x4x4xf32>
  %1 = IE.Conv(%0, %w) : (tensor<1x16x4x4x4xf32>, tensor<16x16x1x1x1xf32>) -> tensor<1x16x4x4x4xf32>
  return %1 : tensor<1x16x4x4x4xf32>
}

// -----

// Rows stay the engine's through reshapes that keep them.
// CHECK-LABEL: @products_and_activations_read_matrices
// CHECK: %[[A:.*]] = VPU.ToMatrices %arg0 : tensor<2x4x16xf32> -> tensor<1x8x16xf32>
// CHECK: %[[B:.*]] = VPU.NCE.MatMul ins(%[[A]]
// CHECK: %[[C:.*]] = VPU.NCE.Eltwise ins(%[[B]], %[[B]]
// CHECK: %[[D:.*]] = VPU.NCE.MatMul ins(%[[C]]
// CHECK: VPU.FromMatrices %[[D]] : tensor<1x8x16xf32> -> tensor<8x16xf32>
func.func @products_and_activations_read_matrices(%x: tensor<2x4x16xf32>) -> tensor<8x16xf32> {
  %w = IE.Constant dense<0.1> : tensor<16x16xf32>
  %s = IE.Constant dense<[8, 16]> : tensor<2xi64>
  %0 = IE.MatMul(%x, %w) : (tensor<2x4x16xf32>, tensor<16x16xf32>) -> tensor<2x4x16xf32>
  %1 = IE.Reshape %0, %s : tensor<2x4x16xf32>, tensor<2xi64> -> tensor<8x16xf32>
  %2 = IE.Relu %1 : tensor<8x16xf32> -> tensor<8x16xf32>
  %3 = IE.MatMul(%2, %w) : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
  return %3 : tensor<8x16xf32>
}

// -----

// A reshape into other rows is left to software.
// CHECK-LABEL: @reshape_of_rows_stays
// CHECK: %[[Y:.*]] = VPU.FromMatrices
// CHECK: IE.Reshape %[[Y]]
func.func @reshape_of_rows_stays(%x: tensor<8x16xf32>) -> tensor<8x2x8xf32> {
  %w = IE.Constant dense<0.1> : tensor<16x16xf32>
  %s = IE.Constant dense<[8, 2, 8]> : tensor<3xi64>
  %0 = IE.MatMul(%x, %w) : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
  %1 = IE.Reshape %0, %s : tensor<8x16xf32>, tensor<3xi64> -> tensor<8x2x8xf32>
  return %1 : tensor<8x2x8xf32>
}

// -----

// What else reads a product does not get a bias that is added behind a reshape.
// CHECK-LABEL: @product_of_two_users_has_no_bias
// CHECK: %[[M:.*]] = VPU.NCE.MatMul ins(%{{.*}}) outs(
// CHECK-DAG: %[[Y:.*]] = VPU.FromMatrices %[[M]] : tensor<1x8x16xf32> -> tensor<8x16xf32>
// CHECK-DAG: %[[Z:.*]] = VPU.FromMatrices %[[M]] : tensor<1x8x16xf32> -> tensor<2x4x16xf32>
// CHECK: %[[S:.*]] = IE.Add %[[Z]]
// CHECK: return %[[Y]], %[[S]]
func.func @product_of_two_users_has_no_bias(%x: tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<2x4x16xf32>) {
  %w = IE.Constant dense<0.1> : tensor<16x16xf32>
  %b = IE.Constant dense<5.0> : tensor<16xf32>
  %s = IE.Constant dense<[2, 4, 16]> : tensor<3xi64>
  %0 = IE.MatMul(%x, %w) : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
  %1 = IE.Reshape %0, %s : tensor<8x16xf32>, tensor<3xi64> -> tensor<2x4x16xf32>
  %2 = IE.Add %1, %b : tensor<2x4x16xf32>, tensor<16xf32> -> tensor<2x4x16xf32>
  return %0, %2 : tensor<8x16xf32>, tensor<2x4x16xf32>
}
