// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-allocate-scratch --split-input-file | FileCheck %s

// All of a small image in one chunk.
// CHECK-LABEL: @small_image_is_one_chunk
// CHECK: %[[V:.*]] = memref.alloc() {alignment = 64 : i64} : memref<2880xf32>
// CHECK: %[[M:.*]] = memref.alloc() {alignment = 64 : i64} : memref<2880xf32>
// CHECK: VPU.NCE.WinogradConvolution {{.*}} scratch(%[[V]], %[[M]] : memref<2880xf32>, memref<2880xf32>) {{.*}} {chunk = array<i64: 2, 2>}
func.func @small_image_is_one_chunk(%x: memref<1x1x9x8x16xf32>, %u: memref<36x1x1x16x16xf32>, %y: memref<1x1x7x6x16xf32>) {
  VPU.NCE.WinogradConvolution ins(%x, %u : memref<1x1x9x8x16xf32>, memref<36x1x1x16x16xf32>) outs(%y : memref<1x1x7x6x16xf32>)
  return
}

// -----

// Inputs are of the weights' type, products are f32.
// CHECK-LABEL: @transformed_inputs_are_rounded
// CHECK: memref.alloc() {alignment = 64 : i64} : memref<2304xbf16>
// CHECK: memref.alloc() {alignment = 64 : i64} : memref<2304xf32>
// CHECK: VPU.NCE.WinogradConvolution {{.*}} {chunk = array<i64: 2, 4>, tileSize = 2 : i64}
func.func @transformed_inputs_are_rounded(%x: memref<1x1x6x10x16xbf16>, %u: memref<16x1x1x8x16x2xbf16>, %y: memref<1x1x4x8x16xbf16>) {
  VPU.NCE.WinogradConvolution ins(%x, %u : memref<1x1x6x10x16xbf16>, memref<16x1x1x8x16x2xbf16>) outs(%y : memref<1x1x4x8x16xbf16>) {tileSize = 2 : i64}
  return
}

// -----

// A row of tiles exceeds the cache: even parts of it.
// CHECK-LABEL: @wide_image_is_cut_into_parts_of_rows
// CHECK: VPU.NCE.WinogradConvolution {{.*}} {chunk = array<i64: 1, 14>}
func.func @wide_image_is_cut_into_parts_of_rows(%x: memref<1x4x226x226x16xf32>, %u: memref<36x8x4x16x16xf32>, %y: memref<1x8x224x224x16xf32>) {
  VPU.NCE.WinogradConvolution ins(%x, %u : memref<1x4x226x226x16xf32>, memref<36x8x4x16x16xf32>) outs(%y : memref<1x8x224x224x16xf32>)
  return
}

// -----

// Every chunk would read the 37 MB of weights.
// CHECK-LABEL: @large_weights_want_one_large_chunk
// CHECK: VPU.NCE.WinogradConvolution {{.*}} {chunk = array<i64: 7, 7>}
func.func @large_weights_want_one_large_chunk(%x: memref<1x32x30x30x16xf32>, %u: memref<36x32x32x16x16xf32>, %y: memref<1x32x28x28x16xf32>) {
  VPU.NCE.WinogradConvolution ins(%x, %u : memref<1x32x30x30x16xf32>, memref<36x32x32x16x16xf32>) outs(%y : memref<1x32x28x28x16xf32>)
  return
}

// -----

// Of images of any size, groups of six tiles: as many as fit half a megabyte.
// CHECK-LABEL: @images_of_unknown_size_are_counted_in_groups
// CHECK: memref.alloc() {alignment = 64 : i64} : memref<43200xf32>
// CHECK: memref.alloc() {alignment = 64 : i64} : memref<84672xf32>
// CHECK: VPU.NCE.WinogradConvolution {{.*}} {chunk = array<i64: 3, 6>}
func.func @images_of_unknown_size_are_counted_in_groups(%x: memref<?x4x?x?x16xf32>, %u: memref<36x8x4x16x16xf32>, %y: memref<?x8x?x?x16xf32>) {
  VPU.NCE.WinogradConvolution ins(%x, %u : memref<?x4x?x?x16xf32>, memref<36x8x4x16x16xf32>) outs(%y : memref<?x8x?x?x16xf32>)
  return
}

// -----

// On tensors there is nothing to allocate yet.
// CHECK-LABEL: @tensors_stay
// CHECK-NOT: memref.alloc
// CHECK-NOT: scratch
func.func @tensors_stay(%x: tensor<1x1x6x6x16xf32>, %u: tensor<36x1x1x16x16xf32>, %e: tensor<1x1x4x4x16xf32>) -> tensor<1x1x4x4x16xf32> {
  %0 = VPU.NCE.WinogradConvolution ins(%x, %u : tensor<1x1x6x6x16xf32>, tensor<36x1x1x16x16xf32>) outs(%e : tensor<1x1x4x4x16xf32>) -> tensor<1x1x4x4x16xf32>
  return %0 : tensor<1x1x4x4x16xf32>
}
