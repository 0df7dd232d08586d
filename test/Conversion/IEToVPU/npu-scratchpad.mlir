// RUN: nacre-opt %s --init-compiler="vpu-arch=NPU40XX" --convert-ie-to-vpu --split-input-file | FileCheck %s

// The sum of a product is not cut into tiles: one that is too long for the
// scratchpad is left to software.
// CHECK-LABEL: func @matmul_of_panels_beyond_the_scratchpad_stays
// CHECK: IE.MatMul
// CHECK-NOT: VPU.NCE
func.func @matmul_of_panels_beyond_the_scratchpad_stays(%x: tensor<4x100000xf32>, %w: tensor<100000x16xf32>) -> tensor<4x16xf32> {
  %0 = IE.MatMul(%x, %w) : (tensor<4x100000xf32>, tensor<100000x16xf32>) -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}

// -----

// CHECK-LABEL: func @matmul_that_fits_is_the_engines
// CHECK: VPU.NCE.MatMul
func.func @matmul_that_fits_is_the_engines(%x: tensor<4x128xf32>, %w: tensor<128x16xf32>) -> tensor<4x16xf32> {
  %0 = IE.MatMul(%x, %w) : (tensor<4x128xf32>, tensor<128x16xf32>) -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}

// -----

// Along depth, all that an image holds is a row, which is not cut.
// CHECK-LABEL: func @volumes_of_images_beyond_the_scratchpad_stay
// CHECK: IE.MaxPool
// CHECK: IE.AveragePool
// CHECK-NOT: VPU.NCE
func.func @volumes_of_images_beyond_the_scratchpad_stay(%x: tensor<1x4x4x512x512xf32>) -> (tensor<1x4x2x512x512xf32>, tensor<1x4x2x512x512xf32>) {
  %0 = IE.MaxPool(%x) {kernel_shape = array<i64: 3, 1, 1>} : (tensor<1x4x4x512x512xf32>) -> tensor<1x4x2x512x512xf32>
  %1 = IE.AveragePool(%x) {kernel_shape = array<i64: 3, 1, 1>} : (tensor<1x4x4x512x512xf32>) -> tensor<1x4x2x512x512xf32>
  return %0, %1 : tensor<1x4x2x512x512xf32>, tensor<1x4x2x512x512xf32>
}

// -----

// CHECK-LABEL: func @volumes_of_images_that_fit_are_the_engines
// CHECK: VPU.NCE.MaxPool
func.func @volumes_of_images_that_fit_are_the_engines(%x: tensor<1x4x4x64x64xf32>) -> tensor<1x4x2x64x64xf32> {
  %0 = IE.MaxPool(%x) {kernel_shape = array<i64: 3, 1, 1>} : (tensor<1x4x4x64x64xf32>) -> tensor<1x4x2x64x64xf32>
  return %0 : tensor<1x4x2x64x64xf32>
}
