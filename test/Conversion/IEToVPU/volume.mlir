// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --convert-ie-to-vpu --convert-layouts-to-copies --split-input-file | FileCheck %s

// Images of zeroes before and after; the kernel's first images are added to the
// second ones, and these to the third. Between two convolutions are images.
// CHECK-LABEL: @volume_is_a_batch_of_images
// CHECK: %[[T:.*]] = IE.Transpose %arg0 {perm = array<i64: 0, 2, 1, 3, 4>}
// CHECK: %[[X:.*]] = VPU.Copy ins(%{{.*}} : tensor<4x16x4x4xf32>) {{.*}} pads = array<i64: 1, 1, 1, 1>, {{.*}} -> tensor<4x1x6x6x16xf32>
// CHECK: tensor.insert_slice %[[X]] into %{{.*}}[1, 0, 0, 0, 0] [4, 1, 6, 6, 16]
// CHECK: linalg.fill
// CHECK: tensor.insert_slice {{.*}}[0, 0, 0, 0, 0] [1, 1, 6, 6, 16]
// CHECK: %[[P:.*]] = tensor.insert_slice {{.*}}[5, 0, 0, 0, 0] [1, 1, 6, 6, 16]
// CHECK: %[[X0:.*]] = tensor.extract_slice %[[P]][0, 0, 0, 0, 0] [4, 1, 6, 6, 16] [1, 1, 1, 1, 1]
// CHECK: %[[Y0:.*]] = VPU.NCE.Convolution ins(%[[X0]], {{.*}} bias(
// CHECK: %[[X1:.*]] = tensor.extract_slice %[[P]][1, 0, 0, 0, 0] [4, 1, 6, 6, 16] [1, 1, 1, 1, 1]
// CHECK: %[[Y1:.*]] = VPU.NCE.Convolution ins(%[[X1]], {{.*}} residual(%[[Y0]] :
// CHECK: %[[X2:.*]] = tensor.extract_slice %[[P]][2, 0, 0, 0, 0] [4, 1, 6, 6, 16] [1, 1, 1, 1, 1]
// CHECK: %[[Y2:.*]] = VPU.NCE.Convolution ins(%[[X2]], {{.*}} residual(%[[Y1]] :
// CHECK: VPU.NCE.Eltwise ins(%[[Y2]], %[[Y2]]
// CHECK-NOT: IE.
// CHECK: VPU.NCE.Convolution {{.*}} -> tensor<4x2x4x4x16xf32>
// CHECK: IE.Transpose {{.*}} -> tensor<1x32x4x4x4xf32>
func.func @volume_is_a_batch_of_images(%x: tensor<1x16x4x4x4xf32>) -> tensor<1x32x4x4x4xf32> {
  %w = IE.Constant dense<0.1> : tensor<16x16x3x3x3xf32>
  %b = IE.Constant dense<0.2> : tensor<16xf32>
  %v = IE.Constant dense<0.1> : tensor<32x16x1x1x1xf32>
  %0 = IE.Conv(%x, %w, %b) {pads = array<i64: 1, 1, 1, 1, 1, 1>} : (tensor<1x16x4x4x4xf32>, tensor<16x16x3x3x3xf32>, tensor<16xf32>) -> tensor<1x16x4x4x4xf32>
  %1 = IE.Relu %0 : tensor<1x16x4x4x4xf32> -> tensor<1x16x4x4x4xf32>
  %2 = IE.Conv(%1, %v) : (tensor<1x16x4x4x4xf32>, tensor<32x16x1x1x1xf32>) -> tensor<1x32x4x4x4xf32>
  return %2 : tensor<1x32x4x4x4xf32>
}

// -----

// Each element of the kernel meets every other image, three apart.
// CHECK-LABEL: @strides_and_dilations_skip_images
// CHECK: tensor.extract_slice %[[X:.*]][0, 0, 0, 0, 0] [3, 1, 4, 4, 16] [2, 1, 1, 1, 1]
// CHECK: tensor.extract_slice %[[X]][3, 0, 0, 0, 0] [3, 1, 4, 4, 16] [2, 1, 1, 1, 1]
func.func @strides_and_dilations_skip_images(%x: tensor<1x16x8x4x4xf32>) -> tensor<1x16x3x4x4xf32> {
  %w = IE.Constant dense<0.1> : tensor<16x16x2x1x1xf32>
  %0 = IE.Conv(%x, %w) {strides = array<i64: 2, 1, 1>, dilations = array<i64: 3, 1, 1>} : (tensor<1x16x8x4x4xf32>, tensor<16x16x2x1x1xf32>) -> tensor<1x16x3x4x4xf32>
  return %0 : tensor<1x16x3x4x4xf32>
}

// -----

// Depth has phases, too: the even images are sums of two convolutions, the odd
// ones are one.
// CHECK-LABEL: @phases_along_depth
// CHECK: %[[Y0:.*]] = VPU.NCE.Convolution {{.*}} -> tensor<5x1x4x4x16xf32>
// CHECK: %[[Y1:.*]] = VPU.NCE.Convolution {{.*}} residual(%[[Y0]] {{.*}} -> tensor<5x1x4x4x16xf32>
// CHECK: tensor.insert_slice %[[Y1]] into %{{.*}}[0, 0, 0, 0, 0] [5, 1, 4, 4, 16] [2, 1, 1, 1, 1]
// CHECK: %[[Y2:.*]] = VPU.NCE.Convolution {{.*}} -> tensor<4x1x4x4x16xf32>
// CHECK: tensor.insert_slice %[[Y2]] into %{{.*}}[1, 0, 0, 0, 0] [4, 1, 4, 4, 16] [2, 1, 1, 1, 1]
func.func @phases_along_depth(%x: tensor<1x16x4x4x4xf32>) -> tensor<1x16x9x4x4xf32> {
  %w = IE.Constant dense<0.1> : tensor<16x16x3x1x1xf32>
  %0 = IE.ConvTranspose(%x, %w) {strides = array<i64: 2, 1, 1>} : (tensor<1x16x4x4x4xf32>, tensor<16x16x3x1x1xf32>) -> tensor<1x16x9x4x4xf32>
  return %0 : tensor<1x16x9x4x4xf32>
}

// -----

// No window reaches over into the next volume, and weights are packed once.
// CHECK-LABEL: @volumes_of_a_batch_are_apart
// CHECK-COUNT-2: tensor<1x1x1x1x16x16xf32>
// CHECK: tensor.extract_slice %[[X:.*]][0, 0, 0, 0, 0] [4, 1, 4, 4, 16]
// CHECK-COUNT-2: VPU.NCE.Convolution
// CHECK: tensor.insert_slice {{.*}}[0, 0, 0, 0, 0] [3, 1, 4, 4, 16]
// CHECK: tensor.extract_slice %[[X]][4, 0, 0, 0, 0] [4, 1, 4, 4, 16]
// CHECK-COUNT-2: VPU.NCE.Convolution
// CHECK: tensor.insert_slice {{.*}}[3, 0, 0, 0, 0] [3, 1, 4, 4, 16]
func.func @volumes_of_a_batch_are_apart(%x: tensor<2x16x4x4x4xf32>) -> tensor<2x16x3x4x4xf32> {
  %w = IE.Constant dense<0.1> : tensor<16x16x2x1x1xf32>
  %0 = IE.Conv(%x, %w) : (tensor<2x16x4x4x4xf32>, tensor<16x16x2x1x1xf32>) -> tensor<2x16x3x4x4xf32>
  return %0 : tensor<2x16x3x4x4xf32>
}

// -----

// A window of a single image takes all volumes at once.
// CHECK-LABEL: @windows_of_one_image_are_one_convolution
// CHECK-COUNT-1: VPU.NCE.Convolution {{.*}} -> tensor<8x1x2x2x16xf32>
// CHECK-NOT: VPU.NCE
func.func @windows_of_one_image_are_one_convolution(%x: tensor<2x16x4x4x4xf32>) -> tensor<2x16x4x2x2xf32> {
  %w = IE.Constant dense<0.1> : tensor<16x16x1x3x3xf32>
  %0 = IE.Conv(%x, %w) : (tensor<2x16x4x4x4xf32>, tensor<16x16x1x3x3xf32>) -> tensor<2x16x4x2x2xf32>
  return %0 : tensor<2x16x4x2x2xf32>
}

// -----

// CHECK-LABEL: @volume_of_unknown_size_stays
// CHECK: IE.Conv
// CHECK-NOT: VPU.NCE
func.func @volume_of_unknown_size_stays(%x: tensor<1x16x?x4x4xf32>) -> tensor<1x16x?x4x4xf32> {
  %w = IE.Constant dense<0.1> : tensor<16x16x2x1x1xf32>
  %0 = IE.Conv(%x, %w) : (tensor<1x16x?x4x4xf32>, tensor<16x16x2x1x1xf32>) -> tensor<1x16x?x4x4xf32>
  return %0 : tensor<1x16x?x4x4xf32>
}

// -----

// Image by image, then along depth: rows of an image that has no channels.
// CHECK-LABEL: @pools_along_depth_are_over_rows
// CHECK: %[[Y:.*]] = VPU.NCE.Convolution
// CHECK: %[[FLAT:.*]] = VPU.NCE.MaxPool ins(%{{.*}} {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>} -> tensor<8x1x2x2x16xf32>
// CHECK: %[[ROWS:.*]] = tensor.expand_shape %{{.*}} into tensor<2x1x4x4x16xf32>
// CHECK: %[[PADDED:.*]] = VPU.Copy ins(%[[ROWS]] {{.*}} padValue = 0xFF800000 : f32, pads = array<i64: 1, 0, 0, 0>, {{.*}} -> tensor<2x1x5x4x16xf32>
// CHECK: VPU.NCE.MaxPool ins(%[[PADDED]] {{.*}} {kernel = array<i64: 3, 1>, strides = array<i64: 2, 1>} -> tensor<2x1x2x4x16xf32>
// CHECK: tensor.expand_shape {{.*}} into tensor<4x1x2x2x16xf32>
func.func @pools_along_depth_are_over_rows(%x: tensor<2x16x4x4x4xf32>) -> tensor<2x16x2x2x2xf32> {
  %w = IE.Constant dense<0.1> : tensor<16x16x1x1x1xf32>
  %0 = IE.Conv(%x, %w) : (tensor<2x16x4x4x4xf32>, tensor<16x16x1x1x1xf32>) -> tensor<2x16x4x4x4xf32>
  %1 = IE.MaxPool(%0) {kernel_shape = array<i64: 3, 2, 2>, strides = array<i64: 2, 2, 2>, pads = array<i64: 1, 0, 0, 0, 0, 0>} : (tensor<2x16x4x4x4xf32>) -> tensor<2x16x2x2x2xf32>
  return %1 : tensor<2x16x2x2x2xf32>
}

// -----

// CHECK-LABEL: @average_of_a_volume_is_that_of_its_images
// CHECK: %[[IMAGES:.*]] = VPU.NCE.AveragePool {{.*}} {kernel = array<i64: 4, 4>} -> tensor<8x1x1x1x16xf32>
// CHECK: VPU.NCE.AveragePool {{.*}} {kernel = array<i64: 4, 1>} -> tensor<2x1x1x1x16xf32>
func.func @average_of_a_volume_is_that_of_its_images(%x: tensor<2x16x4x4x4xf32>) -> tensor<2x16x1x1x1xf32> {
  %w = IE.Constant dense<0.1> : tensor<16x16x1x1x1xf32>
  %0 = IE.Conv(%x, %w) : (tensor<2x16x4x4x4xf32>, tensor<16x16x1x1x1xf32>) -> tensor<2x16x4x4x4xf32>
  %1 = IE.GlobalAveragePool(%0) : (tensor<2x16x4x4x4xf32>) -> tensor<2x16x1x1x1xf32>
  return %1 : tensor<2x16x1x1x1xf32>
}

// -----

// CHECK-LABEL: @pool_as_its_operand_stays_where_that_is_of_software
// CHECK: IE.MaxPool
// CHECK-NOT: VPU.NCE
func.func @pool_as_its_operand_stays_where_that_is_of_software(%x: tensor<1x16x4x4x4xf32>) -> tensor<1x16x2x2x2xf32> {
  %0 = IE.MaxPool(%x) {VPU.strategy = #VPU.strategy<algorithm = asOperand>, kernel_shape = array<i64: 2, 2, 2>, strides = array<i64: 2, 2, 2>} : (tensor<1x16x4x4x4xf32>) -> tensor<1x16x2x2x2xf32>
  return %0 : tensor<1x16x2x2x2xf32>
}

// -----

// CHECK-LABEL: @pool_of_slices_stays_where_its_operand_is_of_software
// CHECK: IE.MaxPool
// CHECK-NOT: VPU.NCE
func.func @pool_of_slices_stays_where_its_operand_is_of_software(%x: tensor<1x16x4x4xf32>) -> tensor<1x16x3x3xf32> {
  %0 = IE.MaxPool(%x) {VPU.strategy = #VPU.strategy<algorithm = slices>, kernel_shape = array<i64: 2, 2>} : (tensor<1x16x4x4xf32>) -> tensor<1x16x3x3xf32>
  return %0 : tensor<1x16x3x3xf32>
}

// -----

// CHECK-LABEL: @pool_of_slices_is_of_the_engine_where_its_operand_is
// CHECK: VPU.NCE.Convolution
// CHECK: VPU.NCE.MaxPool
func.func @pool_of_slices_is_of_the_engine_where_its_operand_is(%x: tensor<1x16x4x4xf32>) -> tensor<1x16x3x3xf32> {
  %w = IE.Constant dense<0.1> : tensor<16x16x1x1xf32>
  %0 = IE.Conv(%x, %w) : (tensor<1x16x4x4xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x4x4xf32>
  %1 = IE.MaxPool(%0) {VPU.strategy = #VPU.strategy<algorithm = slices>, kernel_shape = array<i64: 2, 2>} : (tensor<1x16x4x4xf32>) -> tensor<1x16x3x3xf32>
  return %1 : tensor<1x16x3x3xf32>
}

// -----

// CHECK-LABEL: @pool_as_its_operand_is_of_the_engine_where_that_is
// CHECK: VPU.NCE.Convolution
// CHECK-COUNT-2: VPU.NCE.MaxPool
func.func @pool_as_its_operand_is_of_the_engine_where_that_is(%x: tensor<1x16x4x4x4xf32>) -> tensor<1x16x2x2x2xf32> {
  %w = IE.Constant dense<0.1> : tensor<16x16x1x1x1xf32>
  %0 = IE.Conv(%x, %w) : (tensor<1x16x4x4x4xf32>, tensor<16x16x1x1x1xf32>) -> tensor<1x16x4x4x4xf32>
  %1 = IE.MaxPool(%0) {VPU.strategy = #VPU.strategy<algorithm = asOperand>, kernel_shape = array<i64: 2, 2, 2>, strides = array<i64: 2, 2, 2>} : (tensor<1x16x4x4x4xf32>) -> tensor<1x16x2x2x2xf32>
  return %1 : tensor<1x16x2x2x2xf32>
}

// -----

// The divisor depends on how many images a window meets.
// CHECK-LABEL: @means_without_the_padding_of_depth_stay
// CHECK: IE.AveragePool
func.func @means_without_the_padding_of_depth_stay(%x: tensor<1x16x4x4x4xf32>) -> tensor<1x16x5x4x4xf32> {
  %w = IE.Constant dense<0.1> : tensor<16x16x1x1x1xf32>
  %0 = IE.Conv(%x, %w) : (tensor<1x16x4x4x4xf32>, tensor<16x16x1x1x1xf32>) -> tensor<1x16x4x4x4xf32>
  %1 = IE.AveragePool(%0) {kernel_shape = array<i64: 2, 1, 1>, pads = array<i64: 1, 0, 0, 1, 0, 0>} : (tensor<1x16x4x4x4xf32>) -> tensor<1x16x5x4x4xf32>
  return %1 : tensor<1x16x5x4x4xf32>
}

// -----

// CHECK-LABEL: @volumes_are_joined_in_place
// CHECK: %[[Y:.*]] = VPU.NCE.Convolution {{.*}} -> tensor<4x1x4x4x16xf32>
// CHECK: tensor.insert_slice %[[Y]] into %{{.*}}[0, 0, 0, 0, 0] [4, 1, 4, 4, 16]
// CHECK: tensor.insert_slice %[[Y]] into %{{.*}}[0, 1, 0, 0, 0] [4, 1, 4, 4, 16]
func.func @volumes_are_joined_in_place(%x: tensor<1x16x4x4x4xf32>) -> tensor<1x32x4x4x4xf32> {
  %w = IE.Constant dense<0.1> : tensor<16x16x1x1x1xf32>
  %0 = IE.Conv(%x, %w) : (tensor<1x16x4x4x4xf32>, tensor<16x16x1x1x1xf32>) -> tensor<1x16x4x4x4xf32>
  %1 = IE.Concat %0, %0 {axis = -4 : i64} : tensor<1x16x4x4x4xf32>, tensor<1x16x4x4x4xf32> -> tensor<1x32x4x4x4xf32>
  return %1 : tensor<1x32x4x4x4xf32>
}

// -----

// CHECK-LABEL: @direct_pools_of_other_volumes_are_reordered
// CHECK: VPU.NCE.MaxPool {{.*}} {kernel = array<i64: 1, 1>} -> tensor<4x1x4x4x16xf32>
// CHECK: VPU.NCE.MaxPool {{.*}} {kernel = array<i64: 3, 1>} -> tensor<1x1x2x16x16xf32>
func.func @direct_pools_of_other_volumes_are_reordered(%x: tensor<1x16x4x4x4xf32>) -> tensor<1x16x2x4x4xf32> {
  %0 = IE.MaxPool(%x) {kernel_shape = array<i64: 3, 1, 1>} : (tensor<1x16x4x4x4xf32>) -> tensor<1x16x2x4x4xf32>
  return %0 : tensor<1x16x2x4x4xf32>
}

// -----

// 8 * 8 * 8 phases would take long to compile.
// CHECK-LABEL: @volume_of_many_phases_stays
// CHECK: IE.ConvTranspose
func.func @volume_of_many_phases_stays(%x: tensor<1x16x2x2x2xf32>) -> tensor<1x16x16x16x16xf32> {
  %w = IE.Constant dense<0.1> : tensor<16x16x8x8x8xf32>
  %0 = IE.ConvTranspose(%x, %w) {strides = array<i64: 8, 8, 8>} : (tensor<1x16x2x2x2xf32>, tensor<16x16x8x8x8xf32>) -> tensor<1x16x16x16x16xf32>
  return %0 : tensor<1x16x16x16x16xf32>
}

// -----

// CHECK-LABEL: @batch_of_many_volumes_stays
// CHECK: IE.Conv
func.func @batch_of_many_volumes_stays(%x: tensor<129x16x2x2x2xf32>) -> tensor<129x16x1x2x2xf32> {
  %w = IE.Constant dense<0.1> : tensor<16x16x2x1x1xf32>
  %0 = IE.Conv(%x, %w) : (tensor<129x16x2x2x2xf32>, tensor<16x16x2x1x1xf32>) -> tensor<129x16x1x2x2xf32>
  return %0 : tensor<129x16x1x2x2xf32>
}

// -----

// CHECK-LABEL: @volumes_of_bytes_are_pooled
// CHECK: VPU.NCE.MaxPool {{.*}} kernel = array<i64: 3, 3>
// CHECK: VPU.NCE.MaxPool {{.*}} kernel = array<i64: 3, 1>
func.func @volumes_of_bytes_are_pooled(%x: tensor<1x16x4x4x4xui8>) -> tensor<1x16x2x2x2xui8> {
  %0 = IE.MaxPool(%x) {kernel_shape = array<i64: 3, 3, 3>} : (tensor<1x16x4x4x4xui8>) -> tensor<1x16x2x2x2xui8>
  return %0 : tensor<1x16x2x2x2xui8>
}

// -----

// CHECK-LABEL: @volumes_of_bytes_of_unknown_size_stay
// CHECK: IE.MaxPool
// CHECK-NOT: VPU.NCE
func.func @volumes_of_bytes_of_unknown_size_stay(%x: tensor<1x16x4x?x4xui8>) -> tensor<1x16x4x?x2xui8> {
  %0 = IE.MaxPool(%x) {kernel_shape = array<i64: 1, 3, 3>} : (tensor<1x16x4x?x4xui8>) -> tensor<1x16x4x?x2xui8>
  return %0 : tensor<1x16x4x?x2xui8>
}

// -----

// That of each image would be rounded before the average of those.
// CHECK-LABEL: @quantized_average_of_a_volume_stays
// CHECK: VPU.NCE.MaxPool
// CHECK-NOT: VPU.NCE.AveragePool
// CHECK: IE.QuantizeLinear
func.func @quantized_average_of_a_volume_stays(%x: tensor<2x16x4x4x4xui8>) -> tensor<2x16x1x1x1xui8> {
  %scale = IE.Constant dense<0.5> : tensor<f32>
  %zero = IE.Constant dense<3> : tensor<ui8>
  %0 = IE.MaxPool(%x) {kernel_shape = array<i64: 3, 3, 3>} : (tensor<2x16x4x4x4xui8>) -> tensor<2x16x2x2x2xui8>
  %1 = IE.DequantizeLinear(%0, %scale, %zero) : (tensor<2x16x2x2x2xui8>, tensor<f32>, tensor<ui8>) -> tensor<2x16x2x2x2xf32>
  %2 = IE.GlobalAveragePool(%1) : (tensor<2x16x2x2x2xf32>) -> tensor<2x16x1x1x1xf32>
  %3 = IE.QuantizeLinear(%2, %scale, %zero) : (tensor<2x16x1x1x1xf32>, tensor<f32>, tensor<ui8>) -> tensor<2x16x1x1x1xui8>
  return %3 : tensor<2x16x1x1x1xui8>
}
