// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-verify-strategies=decided=registers -convert-vpu-to-vector -canonicalize -split-input-file | FileCheck %s

// Eight tiles of rows sweep over the next two panels, 2048 elements: four further
// with each of 64 steps.
// CHECK-LABEL: func @rows_sweep_over_the_next_panels
// CHECK-SAME: %[[W:[a-z0-9]*]]: memref<1x8x64x16xf32>
// CHECK: scf.for %[[PANEL:.*]] = %c0 to %c8 step %c2
// CHECK: scf.for %[[ROW:.*]] = %c0 to %c96 step %c12
// CHECK-DAG: %[[NEXT:.*]] = arith.addi %[[PANEL]], %c2
// CHECK-DAG: %[[BEFORE:.*]] = arith.muli %[[ROW]], %c2048
// CHECK-DAG: %[[SHARE:.*]] = arith.divui %[[BEFORE]], %c96
// CHECK: scf.for %[[STEP:.*]] = %c0 to %c64
// CHECK-NEXT: %[[STEPS:.*]] = arith.muli %[[STEP]], %c4
// CHECK-NEXT: %[[AT:.*]] = arith.addi %[[SHARE]], %[[STEPS]]
// CHECK-NEXT: memref.prefetch %[[W]][%c0, %[[NEXT]], %c0, %[[AT]]], read, locality<2>, data
// CHECK-NOT: memref.prefetch
// CHECK: vector.fma
func.func @rows_sweep_over_the_next_panels(%a: memref<1x96x64xf32>, %b: memref<1x8x64x16xf32>, %y: memref<1x96x128xf32>) {
  VPU.NCE.MatMul ins(%a, %b : memref<1x96x64xf32>, memref<1x8x64x16xf32>) outs(%y : memref<1x96x128xf32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 12, vectors = 2>], prefetchWeights = true>>}
  return
}

// -----

// Of two tiles each one asks for two lines at a step, of four.
// CHECK-LABEL: func @few_tiles_ask_for_several_lines
// CHECK: scf.for %{{.*}} = %c0 to %c12 step %c6
// CHECK: scf.for %[[STEP:.*]] = %c0 to %c64
// CHECK-NEXT: arith.muli %[[STEP]], %c32
// CHECK-COUNT-2: memref.prefetch
// CHECK-NOT: memref.prefetch
// CHECK: vector.fma
func.func @few_tiles_ask_for_several_lines(%a: memref<1x12x64xf32>, %b: memref<1x8x64x16xf32>, %y: memref<1x12x128xf32>) {
  VPU.NCE.MatMul ins(%a, %b : memref<1x12x64xf32>, memref<1x8x64x16xf32>) outs(%y : memref<1x12x128xf32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 4>], prefetchWeights = true>>}
  return
}

// -----

// Rows that are left over do not take part.
// CHECK-LABEL: func @rows_left_over_ask_for_nothing
// CHECK: scf.for %{{.*}} = %c0 to %c12 step %c6
// CHECK: memref.prefetch
// CHECK: scf.for
// CHECK-NOT: memref.prefetch
// CHECK: return
func.func @rows_left_over_ask_for_nothing(%a: memref<1x13x64xf32>, %b: memref<1x8x64x16xf32>, %y: memref<1x13x128xf32>) {
  VPU.NCE.MatMul ins(%a, %b : memref<1x13x64xf32>, memref<1x8x64x16xf32>) outs(%y : memref<1x13x128xf32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 2>], prefetchWeights = true>>}
  return
}

// -----

// A run knows the number of tiles. Each step asks for a line at most.
// CHECK-LABEL: func @unknown_rows_share_at_run_time
// CHECK: scf.for %[[ROW:.*]] = %c0 to %{{.*}} step %c6
// CHECK: %[[ROWS:.*]] = memref.dim
// CHECK: %[[TILES:.*]] = arith.divui %[[ROWS]], %c6
// CHECK: %[[ALL:.*]] = arith.muli %[[TILES]], %c6
// CHECK: %[[EVEN:.*]] = arith.ceildivui %c192, %[[ALL]]
// CHECK: %[[STRIDE:.*]] = arith.minui %[[EVEN]], %c16
// CHECK: %[[BEFORE:.*]] = arith.muli %[[ROW]], %c2048
// CHECK: %[[SHARE:.*]] = arith.divui %[[BEFORE]], %[[ALL]]
// CHECK: %[[STEPS:.*]] = arith.muli %{{.*}}, %[[STRIDE]]
// CHECK: %[[AT:.*]] = arith.addi %[[SHARE]], %[[STEPS]]
// CHECK: memref.prefetch %{{.*}}[%c0, %{{.*}}, %c0, %[[AT]]]
func.func @unknown_rows_share_at_run_time(%a: memref<1x?x64xf32>, %b: memref<1x8x64x16xf32>, %y: memref<1x?x128xf32>) {
  VPU.NCE.MatMul ins(%a, %b : memref<1x?x64xf32>, memref<1x8x64x16xf32>) outs(%y : memref<1x?x128xf32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 2>], prefetchWeights = true>>}
  return
}

// -----

// Bytes lie four to a lane: 64 of them for each of a vector's steps.
// CHECK-LABEL: func @bytes_are_swept_over
// CHECK: scf.for %[[STEP:.*]] = %c0 to %c16
// CHECK-NEXT: %[[STEPS:.*]] = arith.muli %[[STEP]], %c16
// CHECK: memref.prefetch %{{.*}} : memref<1x8x16x64xi8>
func.func @bytes_are_swept_over(%a: memref<1x96x64xi8>, %b: memref<1x8x16x16x4xi8>, %y: memref<1x96x128xi32>) {
  VPU.NCE.MatMul ins(%a, %b : memref<1x96x64xi8>, memref<1x8x16x16x4xi8>) outs(%y : memref<1x96x128xi32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 12, vectors = 2>], prefetchWeights = true>>}
  return
}

// -----

// Tiles of pixels, too. Of seven columns three are left over, which take their
// share of 2 vectors by 2 blocks by 9 taps by 256 elements, behind those of 4.
// CHECK-LABEL: func @pixels_sweep_over_the_next_channels
// CHECK-SAME: %[[W:[a-z0-9]*]]: memref<4x2x3x3x16x16xf32>
// CHECK: scf.for %[[BLOCK:.*]] = %c0 to %c4 step %c2
// CHECK: scf.for %[[ROW:.*]] = %c0 to %c7
// CHECK: memref.prefetch
// CHECK: %[[ROWS:.*]] = arith.muli %[[ROW]], %c7
// CHECK: %[[PIXELS:.*]] = arith.addi %[[ROWS]], %c4
// CHECK: %[[NEXT:.*]] = arith.addi %[[BLOCK]], %c2
// CHECK: %[[BEFORE:.*]] = arith.muli %[[PIXELS]], %c9216
// CHECK: %[[SHARE:.*]] = arith.divui %[[BEFORE]], %c49
// CHECK: scf.for %[[I:.*]] = %c0 to %c2
// CHECK: scf.for %[[J:.*]] = %c0 to %c3
// CHECK: scf.for %[[K:.*]] = %c0 to %c3
// CHECK: scf.for %[[C:.*]] = %c0 to %c16
// CHECK: %[[I3:.*]] = arith.muli %[[I]], %c3
// CHECK: %[[J3:.*]] = arith.addi %[[I3]], %[[J]]
// CHECK: %[[J9:.*]] = arith.muli %[[J3]], %c3
// CHECK: %[[K9:.*]] = arith.addi %[[J9]], %[[K]]
// CHECK: %[[K144:.*]] = arith.muli %[[K9]], %c16
// CHECK: %[[STEP:.*]] = arith.addi %[[K144]], %[[C]]
// CHECK: %[[STEPS:.*]] = arith.muli %[[STEP]], %c2
// CHECK: %[[AT:.*]] = arith.addi %[[SHARE]], %[[STEPS]]
// CHECK: memref.prefetch %[[W]][%[[NEXT]], %c0, %c0, %c0, %c0, %[[AT]]], read, locality<2>, data
func.func @pixels_sweep_over_the_next_channels(%x: memref<1x2x9x9x16xf32>, %w: memref<4x2x3x3x16x16xf32>, %y: memref<1x4x7x7x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x2x9x9x16xf32>, memref<4x2x3x3x16x16xf32>) outs(%y : memref<1x4x7x7x16xf32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 4, vectors = 2>], prefetchWeights = true>>}
  return
}

// -----

// An image may have no rows.
// CHECK-LABEL: func @images_without_rows_are_left_alone
// CHECK-NOT: memref.prefetch
// CHECK: return
func.func @images_without_rows_are_left_alone(%x: memref<1x2x2x?x16xf32>, %w: memref<4x2x3x3x16x16xf32>, %y: memref<1x4x0x?x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x2x2x?x16xf32>, memref<4x2x3x3x16x16xf32>) outs(%y : memref<1x4x0x?x16xf32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 7, vectors = 2>], prefetchWeights = true>>}
  return
}

// -----

// Products of a batch with matrices of their own, of f64: eight to a line.
// CHECK-LABEL: func @matrices_of_a_batch_are_swept_over
// CHECK-SAME: %[[W:[a-z0-9]*]]: memref<3x8x64x8xf64>
// CHECK: scf.for %[[BATCH:.*]] = %c0 to %c3
// CHECK: scf.for %[[STEP:.*]] = %c0 to %c64
// CHECK-NEXT: arith.muli %[[STEP]], %c8
// CHECK: memref.prefetch %[[W]][%[[BATCH]], %{{.*}}, %c0, %{{.*}}], read, locality<2>, data
func.func @matrices_of_a_batch_are_swept_over(%a: memref<3x12x64xf64>, %b: memref<3x8x64x8xf64>, %y: memref<3x12x64xf64>) {
  VPU.NCE.MatMul ins(%a, %b : memref<3x12x64xf64>, memref<3x8x64x8xf64>) outs(%y : memref<3x12x64xf64>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 2>], prefetchWeights = true>>}
  return
}

// -----

// The strategy says so, whatever would be chosen.
// CHECK-LABEL: func @nothing_is_asked_for
// CHECK-NOT: memref.prefetch
// CHECK: return
func.func @nothing_is_asked_for(%a: memref<1x96x64xf32>, %b: memref<1x8x64x16xf32>, %y: memref<1x96x128xf32>) {
  VPU.NCE.MatMul ins(%a, %b : memref<1x96x64xf32>, memref<1x8x64x16xf32>) outs(%y : memref<1x96x128xf32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 12, vectors = 2>]>>}
  return
}
