// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --convert-ie-to-linalg --split-input-file | FileCheck %s
// RUN: nacre-opt %s --convert-ie-to-linalg --split-input-file | FileCheck %s

// What is stored in 16 bits is padded so, and becomes f32 when it is summed.
// CHECK-LABEL: func @narrow_image_is_read_as_16_bits
func.func @narrow_image_is_read_as_16_bits(%h: tensor<1x1x4x4xf16>) -> tensor<1x1x4x4xf32> {
  // CHECK: tensor.insert_slice %arg0 into %{{.*}} : tensor<1x1x4x4xf16> into tensor<1x1x6x6xf16>
  // CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<1x1x6x6xf16>
  // CHECK: arith.extf
  // CHECK: arith.addf
  %x = IE.Cast %h to f32 : tensor<1x1x4x4xf16> -> tensor<1x1x4x4xf32>
  %0 = IE.AveragePool(%x) {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>, VPU.strategy = #VPU.strategy<algorithm = narrowImage>} : (tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32>
  return %0 : tensor<1x1x4x4xf32>
}

// -----

// CHECK-LABEL: func @narrow_image_of_bfloat16
func.func @narrow_image_of_bfloat16(%h: tensor<1x1x4xbf16>) -> tensor<1x1x4xf32> {
  // CHECK: tensor.insert_slice %arg0 into %{{.*}} : tensor<1x1x4xbf16> into tensor<1x1x6xbf16>
  // CHECK: arith.extf
  // CHECK: arith.addf
  %x = IE.Cast %h to f32 : tensor<1x1x4xbf16> -> tensor<1x1x4xf32>
  %0 = IE.AveragePool(%x) {kernel_shape = array<i64: 3>, pads = array<i64: 1, 1>, VPU.strategy = #VPU.strategy<algorithm = narrowImage>} : (tensor<1x1x4xf32>) -> tensor<1x1x4xf32>
  return %0 : tensor<1x1x4xf32>
}

// -----

// CHECK-LABEL: func @direct_is_read_as_32_bits
func.func @direct_is_read_as_32_bits(%h: tensor<1x1x4x4xf16>) -> tensor<1x1x4x4xf32> {
  // CHECK: arith.extf
  // CHECK: tensor.insert_slice %{{.*}} into %{{.*}} : tensor<1x1x4x4xf32> into tensor<1x1x6x6xf32>
  %x = IE.Cast %h to f32 : tensor<1x1x4x4xf16> -> tensor<1x1x4x4xf32>
  %0 = IE.AveragePool(%x) {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>, VPU.strategy = #VPU.strategy<algorithm = direct>} : (tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32>
  return %0 : tensor<1x1x4x4xf32>
}

// -----

// CHECK-LABEL: func @undecided_is_read_as_32_bits
func.func @undecided_is_read_as_32_bits(%h: tensor<1x1x4xf16>) -> tensor<1x1x4xf32> {
  // CHECK: arith.extf
  // CHECK: tensor.insert_slice %{{.*}} into %{{.*}} : tensor<1x1x4xf32> into tensor<1x1x6xf32>
  %x = IE.Cast %h to f32 : tensor<1x1x4xf16> -> tensor<1x1x4xf32>
  %0 = IE.AveragePool(%x) {kernel_shape = array<i64: 3>, pads = array<i64: 1, 1>} : (tensor<1x1x4xf32>) -> tensor<1x1x4xf32>
  return %0 : tensor<1x1x4xf32>
}

// -----

// CHECK-LABEL: func @narrowed_numbers_are_padded_as_they_are
func.func @narrowed_numbers_are_padded_as_they_are(%d: tensor<1x1x4xf64>) -> tensor<1x1x4xf32> {
  // CHECK: arith.truncf
  // CHECK: tensor.insert_slice %{{.*}} into %{{.*}} : tensor<1x1x4xf32> into tensor<1x1x6xf32>
  %x = IE.Cast %d to f32 : tensor<1x1x4xf64> -> tensor<1x1x4xf32>
  %0 = IE.AveragePool(%x) {kernel_shape = array<i64: 3>, pads = array<i64: 1, 1>} : (tensor<1x1x4xf32>) -> tensor<1x1x4xf32>
  return %0 : tensor<1x1x4xf32>
}
