// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --convert-ie-to-vpu --split-input-file | FileCheck %s

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
