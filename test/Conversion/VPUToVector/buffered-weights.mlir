// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-choose-strategies=decide=registers -convert-vpu-to-vector -canonicalize -split-input-file | FileCheck %s

// Two vectors of weights become f32 once, for all tiles of rows.
// CHECK-LABEL: func @many_rows_widen_weights_once
// CHECK-SAME: (%[[X:.*]]: memref<1x96x64xf32>, %[[W:.*]]: memref<1x2x64x16xf16>
// CHECK: llvm.intr.stacksave
// CHECK: %[[S:.*]] = memref.alloca() {alignment = 64 : i64} : memref<2x64x16xf32>
// CHECK: scf.for
// CHECK-COUNT-2: arith.extf %{{.*}} : vector<16xf16> to vector<16xf32>
// CHECK-NOT: arith.extf
// CHECK: scf.for
// CHECK-NOT: memref.prefetch
// CHECK: vector.load %[[S]]
// CHECK: vector.fma
// CHECK: llvm.intr.stackrestore
func.func @many_rows_widen_weights_once(%x: memref<1x96x64xf32>, %w: memref<1x2x64x16xf16>, %y: memref<1x96x32xf32>) {
  VPU.NCE.MatMul ins(%x, %w : memref<1x96x64xf32>, memref<1x2x64x16xf16>) outs(%y : memref<1x96x32xf32>)
  return
}

// -----

// While rows are multiplied by four vectors, the four that come next are on their
// way to the second cache: they become f32 all at once. Of 96 rows each has its
// share of 4096 elements, so that a step of six rows takes four further.
// CHECK-LABEL: func @weights_to_be_widened_are_prefetched
// CHECK-SAME: %[[W:[a-z0-9]*]]: memref<1x8x64x16xf16>
// CHECK-COUNT-4: arith.extf
// CHECK: scf.for %[[ROW:.*]] = %c0 to %c96 step %c6
// CHECK: %[[BEFORE:.*]] = arith.muli %[[ROW]], %c4096
// CHECK-NEXT: %[[SHARE:.*]] = arith.divui %[[BEFORE]], %c96
// CHECK: scf.for %[[STEP:.*]] = %c0 to %c64
// CHECK-NEXT: %[[STEPS:.*]] = arith.muli %[[STEP]], %c4
// CHECK-NEXT: %[[AT:.*]] = arith.addi %[[SHARE]], %[[STEPS]]
// CHECK-NEXT: memref.prefetch %[[W]][%c0, %{{.*}}, %c0, %[[AT]]], read, locality<2>
// CHECK-NOT: memref.prefetch
// CHECK: vector.fma
func.func @weights_to_be_widened_are_prefetched(%x: memref<1x96x64xf32>, %w: memref<1x8x64x16xf16>, %y: memref<1x96x128xf32>) {
  VPU.NCE.MatMul ins(%x, %w : memref<1x96x64xf32>, memref<1x8x64x16xf16>) outs(%y : memref<1x96x128xf32>)
  return
}

// -----

// The same for tiles of pixels.
// CHECK-LABEL: func @weights_of_a_convolution_to_be_widened_are_prefetched
// CHECK-SAME: %[[W:[a-z0-9]*]]: memref<8x1x1x1x16x16xf16>
// CHECK: arith.extf
// CHECK: %[[NEXT:.*]] = arith.addi %{{.*}}, %c4
// CHECK: %[[BEFORE:.*]] = arith.muli %{{.*}}, %c1024
// CHECK: %[[SHARE:.*]] = arith.divui %[[BEFORE]], %c49
// CHECK: scf.for %[[STEP:.*]] = %c0 to %c16
// CHECK: %[[STEPS:.*]] = arith.muli %[[STEP]], %c7
// CHECK: %[[AT:.*]] = arith.addi %[[SHARE]], %[[STEPS]]
// CHECK: memref.prefetch %[[W]][%[[NEXT]], %c0, %c0, %c0, %c0, %[[AT]]], read, locality<2>
// CHECK-NOT: memref.prefetch
// CHECK: vector.fma
func.func @weights_of_a_convolution_to_be_widened_are_prefetched(%x: memref<1x1x7x7x16xf32>, %w: memref<8x1x1x1x16x16xf16>, %y: memref<1x8x7x7x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x7x7x16xf32>, memref<8x1x1x1x16x16xf16>) outs(%y : memref<1x8x7x7x16xf32>)
  return
}

// -----

// Beside what so many tiles of pixels compute, it would save nothing.
// CHECK-LABEL: func @weights_of_many_pixels_are_not_prefetched
// CHECK: arith.extf
// CHECK-NOT: memref.prefetch
// CHECK: llvm.intr.stackrestore
func.func @weights_of_many_pixels_are_not_prefetched(%x: memref<1x1x28x28x16xf32>, %w: memref<8x1x1x1x16x16xf16>, %y: memref<1x8x28x28x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x28x28x16xf32>, memref<8x1x1x1x16x16xf16>) outs(%y : memref<1x8x28x28x16xf32>)
  return
}

// -----

// The strategy says so, whatever would be chosen.
// CHECK-LABEL: func @prefetching_is_as_decided
// CHECK: arith.extf
// CHECK-NOT: memref.prefetch
// CHECK: llvm.intr.stackrestore
func.func @prefetching_is_as_decided(%x: memref<1x96x64xf32>, %w: memref<1x8x64x16xf16>, %y: memref<1x96x128xf32>) {
  VPU.NCE.MatMul ins(%x, %w : memref<1x96x64xf32>, memref<1x8x64x16xf16>) outs(%y : memref<1x96x128xf32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 4, bufferWeights = true>]>>}
  return
}

// -----

// CHECK-LABEL: func @one_row_reads_weights_as_they_are
// CHECK-NOT: memref.alloca
// CHECK: arith.extf %{{.*}} : vector<16xf16> to vector<16xf32>
// CHECK: vector.fma
func.func @one_row_reads_weights_as_they_are(%x: memref<1x1x64xf32>, %w: memref<1x2x64x16xf16>, %y: memref<1x1x32xf32>) {
  VPU.NCE.MatMul ins(%x, %w : memref<1x1x64xf32>, memref<1x2x64x16xf16>) outs(%y : memref<1x1x32xf32>)
  return
}

// -----

// A dynamic number of rows may be few.
// CHECK-LABEL: func @unknown_rows_decide_at_run_time
// CHECK: %[[ROWS:.*]] = memref.dim
// CHECK: %[[MANY:.*]] = arith.cmpi ugt, %[[ROWS]]
// CHECK: scf.if %[[MANY]] {
// CHECK: memref.alloca
// CHECK: } else {
// CHECK-NOT: memref.alloca
// CHECK: arith.extf
func.func @unknown_rows_decide_at_run_time(%x: memref<1x?x64xf32>, %w: memref<1x2x64x16xf16>, %y: memref<1x?x32xf32>) {
  VPU.NCE.MatMul ins(%x, %w : memref<1x?x64xf32>, memref<1x2x64x16xf16>) outs(%y : memref<1x?x32xf32>)
  return
}

// -----

// CHECK-LABEL: func @weights_of_f32_are_read_as_they_are
// CHECK-NOT: memref.alloca
func.func @weights_of_f32_are_read_as_they_are(%x: memref<1x96x64xf32>, %w: memref<1x2x64x16xf32>, %y: memref<1x96x32xf32>) {
  VPU.NCE.MatMul ins(%x, %w : memref<1x96x64xf32>, memref<1x2x64x16xf32>) outs(%y : memref<1x96x32xf32>)
  return
}

// -----

// CHECK-LABEL: func @convolution_widens_weights_once
// CHECK: memref.alloca() {alignment = 64 : i64} : memref<1x1x3x3x16x16xf32>
// CHECK: arith.extf %{{.*}} : vector<16xbf16> to vector<16xf32>
// CHECK-NOT: arith.extf
// CHECK-NOT: memref.prefetch
// CHECK: vector.fma
func.func @convolution_widens_weights_once(%x: memref<1x1x30x30x16xf32>, %w: memref<1x1x3x3x16x16xbf16>, %y: memref<1x1x28x28x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x30x30x16xf32>, memref<1x1x3x3x16x16xbf16>) outs(%y : memref<1x1x28x28x16xf32>)
  return
}

// -----

// More than there is room for.
// CHECK-LABEL: func @weights_of_a_long_reduction_are_read_as_they_are
// CHECK-NOT: memref.alloca
// CHECK: arith.extf
func.func @weights_of_a_long_reduction_are_read_as_they_are(%x: memref<1x96x8192xf32>, %w: memref<1x2x8192x16xf16>, %y: memref<1x96x32xf32>) {
  VPU.NCE.MatMul ins(%x, %w : memref<1x96x8192xf32>, memref<1x2x8192x16xf16>) outs(%y : memref<1x96x32xf32>)
  return
}
