// What a kernel does with its operands before it multiplies them.
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v3 threads=1" --vpu-choose-strategies=decide=registers --vpu-verify-strategies=decided=registers --split-input-file | FileCheck %s

// Each run of vectors of channels reads 3 MB again.
// CHECK-LABEL: func @pixels_of_a_large_image_are_asked_for
// CHECK: kernel = <registers = [<columns = {{.*}}>], prefetchPixels = true>
func.func @pixels_of_a_large_image_are_asked_for(%x: memref<1x32x56x56x8xf32>, %w: memref<8x32x1x1x8x8xf32>, %y: memref<1x8x56x56x8xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x32x56x56x8xf32>, memref<8x32x1x1x8x8xf32>) outs(%y : memref<1x8x56x56x8xf32>)
  return
}

// -----

// CHECK-LABEL: func @pixels_of_an_image_of_any_size_are_asked_for
// CHECK: prefetchPixels = true
func.func @pixels_of_an_image_of_any_size_are_asked_for(%x: memref<1x32x?x?x8xf32>, %w: memref<8x32x1x1x8x8xf32>, %y: memref<1x8x?x?x8xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x32x?x?x8xf32>, memref<8x32x1x1x8x8xf32>) outs(%y : memref<1x8x?x?x8xf32>)
  return
}

// -----

// CHECK-LABEL: func @pixels_of_a_small_image_stay_near
// CHECK-NOT: prefetchPixels
// CHECK: return
func.func @pixels_of_a_small_image_stay_near(%x: memref<1x32x7x7x8xf32>, %w: memref<8x32x1x1x8x8xf32>, %y: memref<1x8x7x7x8xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x32x7x7x8xf32>, memref<8x32x1x1x8x8xf32>) outs(%y : memref<1x8x7x7x8xf32>)
  return
}

// -----

// CHECK-LABEL: func @pixels_of_a_window_are_near
// CHECK-NOT: prefetchPixels
// CHECK: return
func.func @pixels_of_a_window_are_near(%x: memref<1x32x58x58x8xf32>, %w: memref<8x32x3x3x8x8xf32>, %y: memref<1x8x56x56x8xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x32x58x58x8xf32>, memref<8x32x3x3x8x8xf32>) outs(%y : memref<1x8x56x56x8xf32>)
  return
}

// -----

// CHECK-LABEL: func @rows_of_bytes_become_words
// CHECK: kernel = <registers = [<columns = {{[0-9]+}}, vectors = {{[0-9]+}}, widenRows = true>]
func.func @rows_of_bytes_become_words(%a: memref<1x?x256xi8>, %b: memref<1x32x128x8x2xi8>, %y: memref<1x?x256xi32>) {
  VPU.NCE.MatMul ins(%a, %b : memref<1x?x256xi8>, memref<1x32x128x8x2xi8>) outs(%y : memref<1x?x256xi32>)
  return
}

// -----

// CHECK-LABEL: func @pixels_of_bytes_become_words
// CHECK: kernel = <registers = [<columns = {{[0-9]+}}, vectors = {{[0-9]+}}, widenRows = true>]
func.func @pixels_of_bytes_become_words(%x: memref<1x4x30x30x16xi8>, %w: memref<8x4x3x3x8x8x2xi8>, %y: memref<1x8x28x28x8xi32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x4x30x30x16xi8>, memref<8x4x3x3x8x8x2xi8>) outs(%y : memref<1x8x28x28x8xi32>)
  return
}

// -----

// Windows that pass over most pixels of a tile read those that they do not, few as
// all of them would be.
// CHECK-LABEL: func @pixels_that_windows_pass_over_stay
// CHECK-NOT: widenRows
// CHECK: return
func.func @pixels_that_windows_pass_over_stay(%x: memref<1x1x52x52x4xi8>, %w: memref<8x1x3x3x2x8x2xi8>, %y: memref<1x8x28x28x8xi32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x52x52x4xi8>, memref<8x1x3x3x2x8x2xi8>) outs(%y : memref<1x8x28x28x8xi32>) {dilations = array<i64: 12, 12>}
  return
}

// -----

// Their words would push each other out of the first cache.
// CHECK-LABEL: func @long_rows_of_bytes_stay
// CHECK-NOT: widenRows
// CHECK: return
func.func @long_rows_of_bytes_stay(%a: memref<1x96x8192xi8>, %b: memref<1x32x4096x8x2xi8>, %y: memref<1x96x256xi32>) {
  VPU.NCE.MatMul ins(%a, %b : memref<1x96x8192xi8>, memref<1x32x4096x8x2xi8>) outs(%y : memref<1x96x256xi32>)
  return
}

// -----

// Two rows of 16 bytes are as many vectors of pairs. A second tile is for few rows.
// CHECK-LABEL: func @rows_of_bytes_are_packed_once_for_many_rows
// CHECK: kernel = <registers = [<columns = {{[0-9]+}}, vectors = 2, bufferWeights = true, widenRows = true>, <columns = {{[0-9]+}}, vectors = 2, widenRows = true>]>
func.func @rows_of_bytes_are_packed_once_for_many_rows(%a: memref<1x?x64xi8>, %b: memref<1x1x64x100xi8>, %y: memref<1x?x100xi32>) {
  VPU.NCE.MatMul ins(%a, %b : memref<1x?x64xi8>, memref<1x1x64x100xi8>) outs(%y : memref<1x?x100xi32>)
  return
}

// -----

// 16 rows of what no cache keeps are read side by side.
// CHECK-LABEL: func @a_large_matrix_of_bytes_is_read_in_order
// CHECK: kernel = <registers = [<columns = 2, vectors = {{[24]}}, widenRows = true, steps = 8>]>
func.func @a_large_matrix_of_bytes_is_read_in_order(%a: memref<1x2x2048xi8>, %b: memref<1x1x2048x2048xi8>, %y: memref<1x2x2048xi32>) {
  VPU.NCE.MatMul ins(%a, %b : memref<1x2x2048xi8>, memref<1x1x2048x2048xi8>) outs(%y : memref<1x2x2048xi32>)
  return
}
