// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-choose-strategies=decide=registers -convert-vpu-to-vector -canonicalize -split-input-file | FileCheck %s

// Tiles of four rows and of three. A tap is a loop over channels that adds to the
// sums that it reaches: 3x6, 3x7 and 3x6 of the first kernel row, 4x6, 4x7 and 4x6
// of the two others, and so on.
// CHECK-LABEL: func @small_image_leaves_out_its_edges
// CHECK-COUNT-18: vector.fma
// CHECK-NEXT: scf.yield
// CHECK-COUNT-21: vector.fma
// CHECK-NEXT: scf.yield
// CHECK-COUNT-18: vector.fma
// CHECK-NEXT: scf.yield
// CHECK: scf.for %{{.*}} = %c0 to %c2 step %c1
// CHECK-COUNT-24: vector.fma
// CHECK-NEXT: scf.yield
// CHECK-COUNT-28: vector.fma
// CHECK-NEXT: scf.yield
// CHECK-COUNT-24: vector.fma
// CHECK-NEXT: scf.yield
// CHECK: scf.for %{{.*}} = %c0 to %c2 step %c1
// CHECK-COUNT-18: vector.fma
// CHECK-NEXT: scf.yield
// CHECK-COUNT-21: vector.fma
// CHECK-NEXT: scf.yield
// CHECK-COUNT-18: vector.fma
// CHECK-NEXT: scf.yield
// CHECK-COUNT-12: vector.fma
// CHECK-NEXT: scf.yield
// CHECK-COUNT-14: vector.fma
// CHECK-NEXT: scf.yield
// CHECK-COUNT-12: vector.fma
// CHECK-NEXT: scf.yield
// CHECK-NOT: vector.fma
func.func @small_image_leaves_out_its_edges(%x: memref<1x2x9x9x16xf32>, %w: memref<1x2x3x3x16x16xf32>, %y: memref<1x1x7x7x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x2x9x9x16xf32>, memref<1x2x3x3x16x16xf32>) outs(%y : memref<1x1x7x7x16xf32>) {zeroBorder = array<i64: 1, 1, 1, 1>}
  return
}

// -----

// Without a border, all taps are one loop.
// CHECK-LABEL: func @image_of_data_is_multiplied_whole
// CHECK-COUNT-28: vector.fma
// CHECK-NEXT: scf.yield
// CHECK-COUNT-21: vector.fma
// CHECK-NEXT: scf.yield
// CHECK-NOT: vector.fma
func.func @image_of_data_is_multiplied_whole(%x: memref<1x2x9x9x16xf32>, %w: memref<1x2x3x3x16x16xf32>, %y: memref<1x1x7x7x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x2x9x9x16xf32>, memref<1x2x3x3x16x16xf32>) outs(%y : memref<1x1x7x7x16xf32>)
  return
}

// -----

// A large image has little of a border: 1 in 200 products.
// CHECK-LABEL: func @large_image_is_multiplied_whole
// CHECK-NOT: arith.maxsi
// CHECK-COUNT-28: vector.fma
// CHECK-NEXT: scf.yield
// CHECK-NOT: vector.fma
func.func @large_image_is_multiplied_whole(%x: memref<1x1x226x226x16xf32>, %w: memref<2x1x3x3x16x16xf32>, %y: memref<1x2x224x224x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x226x226x16xf32>, memref<2x1x3x3x16x16xf32>) outs(%y : memref<1x2x224x224x16xf32>) {zeroBorder = array<i64: 1, 1, 1, 1>}
  return
}

// -----

// A tile of one row computes which kernel rows it needs. Of two tiles in a row, the
// first lacks a column of the first tap, the second one of the last.
// CHECK-LABEL: func @tiles_of_one_row_compute_their_kernel_rows
// CHECK: scf.for %[[ROW:.*]] = %c0 to %c28 step %c1
// CHECK: %[[ABOVE:.*]] = arith.subi %c1, %[[ROW]]
// CHECK: %[[FIRST:.*]] = arith.maxsi %[[ABOVE]], %c0
// CHECK: %[[BELOW:.*]] = arith.subi %c29, %[[ROW]]
// CHECK: %[[CLAMPED:.*]] = arith.maxsi %[[BELOW]], %c0
// CHECK: %[[END:.*]] = arith.minsi %[[CLAMPED]], %c3
// CHECK: %[[COUNT:.*]] = arith.subi %[[END]], %[[FIRST]]
// CHECK: scf.for %{{.*}} = %c0 to %[[COUNT]] step %c1
// CHECK-COUNT-26: vector.fma
// CHECK-NEXT: scf.yield
// CHECK: scf.for %{{.*}} = %c0 to %c2 step %c1
// CHECK-COUNT-28: vector.fma
// CHECK-NEXT: scf.yield
// CHECK-COUNT-28: vector.fma
// CHECK-NEXT: scf.yield
// CHECK-COUNT-26: vector.fma
// CHECK-NEXT: scf.yield
// CHECK-NOT: vector.fma
func.func @tiles_of_one_row_compute_their_kernel_rows(%x: memref<1x2x30x30x16xf32>, %w: memref<2x2x3x3x16x16xf32>, %y: memref<1x2x28x28x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x2x30x30x16xf32>, memref<2x2x3x3x16x16xf32>) outs(%y : memref<1x2x28x28x16xf32>) {zeroBorder = array<i64: 1, 1, 1, 1>}
  return
}

// -----

// With a stride of two and zeros before the image only, the last tap has all outputs.
// CHECK-LABEL: func @strided_windows_leave_out_what_they_reach_of_uneven_edges
// CHECK-COUNT-18: vector.fma
// CHECK-NEXT: scf.yield
// CHECK: scf.for %{{.*}} = %c0 to %c2 step %c1
// CHECK-COUNT-21: vector.fma
// CHECK-NEXT: scf.yield
// CHECK: scf.for %{{.*}} = %c0 to %c2 step %c1
// CHECK-COUNT-24: vector.fma
// CHECK-NEXT: scf.yield
// CHECK: scf.for %{{.*}} = %c0 to %c2 step %c1
// CHECK-COUNT-28: vector.fma
// CHECK-NEXT: scf.yield
// CHECK-NOT: vector.fma
func.func @strided_windows_leave_out_what_they_reach_of_uneven_edges(%x: memref<1x1x9x15x16xf32>, %w: memref<1x1x3x3x16x16xf32>, %y: memref<1x1x4x7x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x9x15x16xf32>, memref<1x1x3x3x16x16xf32>) outs(%y : memref<1x1x4x7x16xf32>) {strides = array<i64: 2, 2>, zeroBorder = array<i64: 1, 1, 0, 0>}
  return
}

// -----

// Taps three apart around a single row and column: only the middle one is left.
// CHECK-LABEL: func @dilated_windows_may_have_one_tap_left
// CHECK-COUNT-1: vector.fma
// CHECK-NOT: vector.fma
func.func @dilated_windows_may_have_one_tap_left(%x: memref<1x1x7x7x16xf32>, %w: memref<1x1x3x3x16x16xf32>, %y: memref<1x1x1x1x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x7x7x16xf32>, memref<1x1x3x3x16x16xf32>) outs(%y : memref<1x1x1x1x16xf32>) {dilations = array<i64: 3, 3>, zeroBorder = array<i64: 3, 3, 3, 3>}
  return
}

// -----

// The last of a dynamic number of rows is found, too.
// CHECK-LABEL: func @rows_of_a_run_have_their_edges_computed
// CHECK: %[[ROWS:.*]] = memref.dim %arg0, %c2
// CHECK: %[[EDGE:.*]] = arith.subi %[[ROWS]], %c2
// CHECK: arith.subi %[[EDGE]], %{{.*}}
// CHECK: arith.minsi %{{.*}}, %c3
func.func @rows_of_a_run_have_their_edges_computed(%x: memref<1x1x?x16x16xf32>, %w: memref<2x1x3x3x16x16xf32>, %y: memref<1x2x?x14x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x?x16x16xf32>, memref<2x1x3x3x16x16xf32>) outs(%y : memref<1x2x?x14x16xf32>) {zeroBorder = array<i64: 1, 1, 2, 1>}
  return
}
