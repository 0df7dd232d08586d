// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-choose-strategies=decide=registers -convert-vpu-to-vector -split-input-file | FileCheck %s

// Inputs are transformed, multiplied point by point, and transformed back. 32
// registers hold four columns of six; the first two wait where products will be.
// CHECK-LABEL: func @winograd_convolution_multiplies_36_points
// CHECK: memref.reinterpret_cast %arg2 to offset: [0], sizes: [1, 36, 1, 4, 16]
// CHECK: %[[STAGING:.*]] = memref.reinterpret_cast %arg3 to offset: [0], sizes: [1, 36, 1, 1, 16]
// CHECK: scf.for {{.*}} = %{{.*}} to %c2{{.*}} {
// CHECK-COUNT-6: vector.store {{.*}}, %[[STAGING]]
// CHECK-NEXT: } {loop_annotation = #{{.*}}}
// CHECK: vector.fma
// CHECK-COUNT-2: vector.load %[[STAGING]]
// CHECK: scf.for {{.*}} = %{{.*}} to %c36
// CHECK: scf.for {{.*}} iter_args
// CHECK: vector.broadcast
// CHECK: vector.fma
// CHECK-NOT: VPU.NCE
func.func @winograd_convolution_multiplies_36_points(%x: memref<1x1x10x10x16xf32>, %u: memref<36x1x1x16x16xf32>, %v: memref<2880xf32>, %m: memref<2880xf32>, %y: memref<1x1x8x8x16xf32>) {
  VPU.NCE.WinogradConvolution ins(%x, %u : memref<1x1x10x10x16xf32>, memref<36x1x1x16x16xf32>) scratch(%v, %m : memref<2880xf32>, memref<2880xf32>) outs(%y : memref<1x1x8x8x16xf32>) {chunk = array<i64: 2, 2>}
  return
}

// -----

// The tiles of all images are counted through, from one image to the next. At an
// edge the last row and column are read again, and written last. Of the tiles
// that fill no group, four, two and one are multiplied at a time.
// CHECK-LABEL: func @winograd_convolution_of_unknown_size_clamps_tiles_at_edges
// CHECK: memref.reinterpret_cast %arg2 to offset: [0], sizes: [2, 36, 1, 6, 16]
// CHECK: arith.muli
// CHECK: %[[TILES:.*]] = arith.muli
// CHECK: scf.for {{.*}} to %[[TILES]]
// CHECK: scf.for {{.*}} iter_args(%[[IMAGE:.*]] = %{{.*}}, %[[ROW:.*]] = %{{.*}}, %[[COLUMN:.*]] = %{{.*}}) -> (index, index, index)
// CHECK-COUNT-3: arith.minui
// CHECK: scf.for %[[C:.*]] = %{{.*}} to %c2
// CHECK: %[[SUM:.*]] = arith.addi %[[COLUMN]], %[[C]]
// CHECK: %[[CLAMPED:.*]] = arith.minui %[[SUM]],
// CHECK: vector.load %arg0[%[[IMAGE]], %{{.*}}, %[[ROW]], %[[CLAMPED]],
// CHECK-COUNT-4: arith.select
// CHECK: scf.for {{.*}} = %{{.*}} to %c36
// CHECK: scf.for {{.*}} iter_args
// CHECK-COUNT-6: vector.fma
// CHECK: scf.for {{.*}} iter_args
// CHECK-COUNT-4: vector.fma
// CHECK: scf.for {{.*}} iter_args
// CHECK-COUNT-2: vector.fma
// CHECK: scf.for {{.*}} iter_args
// CHECK: vector.fma
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (index, index, index)
// CHECK-COUNT-15: vector.store {{.*}}, %arg4
// CHECK: vector.store {{.*}}, %arg4[%[[I:.*]], %{{.*}}, %[[R:.*]], %[[C:.*]], %
// CHECK: arith.addi %[[C]]
// CHECK-NOT: VPU.NCE
func.func @winograd_convolution_of_unknown_size_clamps_tiles_at_edges(%x: memref<?x1x?x?x16xf32>, %u: memref<36x1x1x16x16xf32>, %v: memref<8064xf32>, %m: memref<8064xf32>, %y: memref<?x1x?x?x16xf32>) {
  VPU.NCE.WinogradConvolution ins(%x, %u : memref<?x1x?x?x16xf32>, memref<36x1x1x16x16xf32>) scratch(%v, %m : memref<8064xf32>, memref<8064xf32>) outs(%y : memref<?x1x?x?x16xf32>) {chunk = array<i64: 2, 6>}
  return
}

// -----

// Tiles at the edges of an image of 7×7 pixels take the last row and column
// again, which are written last, with the code of all others.
// CHECK-LABEL: func @winograd_convolution_has_one_code_for_all_tiles
// CHECK: arith.minui
// CHECK-COUNT-36: vector.store {{.*}} : memref<1x36x1x4x16xf32
// CHECK-NOT: arith.minui
// CHECK: scf.for {{.*}} = %{{.*}} to %c36
// CHECK: arith.minui
// CHECK-COUNT-16: vector.store {{.*}}, %arg4
// CHECK-NOT: vector.store
func.func @winograd_convolution_has_one_code_for_all_tiles(%x: memref<1x1x9x9x16xf32>, %u: memref<36x1x1x16x16xf32>, %v: memref<2880xf32>, %m: memref<2880xf32>, %y: memref<1x1x7x7x16xf32>) {
  VPU.NCE.WinogradConvolution ins(%x, %u : memref<1x1x9x9x16xf32>, memref<36x1x1x16x16xf32>) scratch(%v, %m : memref<2880xf32>, memref<2880xf32>) outs(%y : memref<1x1x7x7x16xf32>) {chunk = array<i64: 2, 2>}
  return
}
