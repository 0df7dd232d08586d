// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --convert-ie-to-linalg --split-input-file | FileCheck %s --check-prefixes=CHECK,EXTENDS
// RUN: nacre-opt %s --init-compiler="vpu-arch=aarch64 threads=1" --convert-ie-to-linalg --split-input-file | FileCheck %s --check-prefixes=CHECK,EXTENDS
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64 threads=1" --convert-ie-to-linalg --split-input-file | FileCheck %s --check-prefixes=CHECK,CALLS
// RUN: nacre-opt %s --convert-ie-to-linalg --split-input-file | FileCheck %s --check-prefixes=CHECK,CALLS

// What is stored in 16 bits is padded so, and becomes f32 when it is summed. A machine
// that calls a function for that does it once for each element.
// CHECK-LABEL: func @small_window_reads_16_bits
func.func @small_window_reads_16_bits(%h: tensor<1x1x4x4xf16>) -> tensor<1x1x4x4xf32> {
  // EXTENDS: tensor.insert_slice %arg0 into %{{.*}} : tensor<1x1x4x4xf16> into tensor<1x1x6x6xf16>
  // EXTENDS: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<1x1x6x6xf16>
  // EXTENDS: arith.extf
  // EXTENDS: arith.addf
  // CALLS: arith.extf
  // CALLS: tensor.insert_slice %{{.*}} into %{{.*}} : tensor<1x1x4x4xf32> into tensor<1x1x6x6xf32>
  %x = IE.Cast %h to f32 : tensor<1x1x4x4xf16> -> tensor<1x1x4x4xf32>
  %0 = IE.AveragePool(%x) {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32>
  return %0 : tensor<1x1x4x4xf32>
}

// -----

// Of bf16 it is a shift.
// CHECK-LABEL: func @small_window_reads_bfloat16
func.func @small_window_reads_bfloat16(%h: tensor<1x1x4xbf16>) -> tensor<1x1x4xf32> {
  // CHECK: tensor.insert_slice %arg0 into %{{.*}} : tensor<1x1x4xbf16> into tensor<1x1x6xbf16>
  // CHECK: arith.extf
  // CHECK: arith.addf
  %x = IE.Cast %h to f32 : tensor<1x1x4xbf16> -> tensor<1x1x4xf32>
  %0 = IE.AveragePool(%x) {kernel_shape = array<i64: 3>, pads = array<i64: 1, 1>} : (tensor<1x1x4xf32>) -> tensor<1x1x4xf32>
  return %0 : tensor<1x1x4xf32>
}

// -----

// An element would be extended 25 times.
// CHECK-LABEL: func @large_window_reads_32_bits
func.func @large_window_reads_32_bits(%h: tensor<1x1x4x4xf16>) -> tensor<1x1x4x4xf32> {
  // CHECK: arith.extf
  // CHECK: tensor.insert_slice %{{.*}} into %{{.*}} : tensor<1x1x4x4xf32> into tensor<1x1x8x8xf32>
  %x = IE.Cast %h to f32 : tensor<1x1x4x4xf16> -> tensor<1x1x4x4xf32>
  %0 = IE.AveragePool(%x) {kernel_shape = array<i64: 5, 5>, pads = array<i64: 2, 2, 2, 2>} : (tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32>
  return %0 : tensor<1x1x4x4xf32>
}

// -----

// Elements that do not lie side by side would be extended one by one.
// CHECK-LABEL: func @window_in_steps_reads_32_bits
func.func @window_in_steps_reads_32_bits(%h: tensor<1x1x4xf16>) -> tensor<1x1x2xf32> {
  // CHECK: arith.extf
  // CHECK: tensor.insert_slice %{{.*}} into %{{.*}} : tensor<1x1x4xf32> into tensor<1x1x6xf32>
  %x = IE.Cast %h to f32 : tensor<1x1x4xf16> -> tensor<1x1x4xf32>
  %0 = IE.AveragePool(%x) {kernel_shape = array<i64: 3>, pads = array<i64: 1, 1>, strides = array<i64: 2>} : (tensor<1x1x4xf32>) -> tensor<1x1x2xf32>
  return %0 : tensor<1x1x2xf32>
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
