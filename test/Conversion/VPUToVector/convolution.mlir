// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-choose-strategies=decide=registers -convert-vpu-to-vector -split-input-file | FileCheck %s

// Two vectors of channels; the 9 columns are one register tile. Accumulators
// are carried through all reduction loops and stored once.
// CHECK-LABEL: func @convolution_of_whole_blocks_keeps_accumulators_in_registers
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (vector<16xf32>
// CHECK: memref.load
// CHECK: vector.broadcast
// CHECK: vector.fma
// CHECK: %[[NEGATIVE:.*]] = arith.cmpf olt
// CHECK: arith.select %[[NEGATIVE]]
// CHECK: vector.store
// CHECK-NOT: VPU.NCE
func.func @convolution_of_whole_blocks_keeps_accumulators_in_registers(%x: memref<1x2x11x11x16xf32>, %w: memref<2x2x3x3x16x16xf32>, %b: memref<2x16xf32>, %y: memref<1x2x9x9x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x2x11x11x16xf32>, memref<2x2x3x3x16x16xf32>) bias(%b : memref<2x16xf32>) outs(%y : memref<1x2x9x9x16xf32>) {ppe = #VPU.PPE<mode = RELU>}
  return
}

// -----

// NHWC with 18 channels: one full vector and one of two lanes.
// CHECK-LABEL: func @convolution_with_a_lane_tail_masks_it
// CHECK: vector.store
// CHECK: vector.maskedload
// CHECK: vector.maskedstore
func.func @convolution_with_a_lane_tail_masks_it(%x: memref<1x1x4x4x3xf32>, %w: memref<1x1x1x1x3x18xf32>, %y: memref<1x1x4x4x18xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x4x4x3xf32>, memref<1x1x1x1x3x18xf32>) outs(%y : memref<1x1x4x4x18xf32>)
  return
}

// -----

// The last of 17 channels is a scalar in memory.
// CHECK-LABEL: func @convolution_with_a_tail_of_one_lane_needs_no_mask
// CHECK-NOT: mask
// CHECK: %[[LANE:.*]] = memref.load {{.*}} : memref<1x1x1x1x3x17xf32>
// CHECK: vector.insert %[[LANE]], %{{.*}} [0] : f32 into vector<16xf32>
// CHECK-NOT: mask
// CHECK: %[[SUM:.*]] = vector.extract %{{.*}}[0] : f32 from vector<16xf32>
// CHECK: memref.store %[[SUM]], %{{.*}} : memref<1x1x{{.*}}x17xf32>
// CHECK-NOT: mask
// CHECK: return
func.func @convolution_with_a_tail_of_one_lane_needs_no_mask(%x: memref<1x1x4x4x3xf32>, %w: memref<1x1x1x1x3x17xf32>, %y: memref<1x1x4x4x17xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x4x4x3xf32>, memref<1x1x1x1x3x17xf32>) outs(%y : memref<1x1x4x4x17xf32>)
  return
}

// -----

// Tiles of 12 columns, then of powers of two; the narrowest are of several rows.
// What is left over is not worth unrolling.
// CHECK-LABEL: func @convolution_of_unknown_size_has_narrow_tiles_of_several_rows
// CHECK: arith.divui %{{.*}}, %c12
// CHECK: arith.divui %{{.*}}, %c8
// CHECK: arith.divui %{{.*}}, %c4
// CHECK: arith.divui %{{.*}}, %c2
// CHECK-COUNT-24: vector.fma
// CHECK-NEXT: scf.yield
// CHECK-NEXT: }{{$}}
// CHECK-COUNT-16: vector.fma
// CHECK-NEXT: scf.yield
// CHECK-NEXT: } {loop_annotation
// CHECK: %[[ROWS:.*]] = arith.divui %{{.*}}, %c2
// CHECK: vector.fma
// CHECK: loop_annotation
// CHECK: arith.divui %{{.*}}, %c4
// CHECK: vector.fma
// CHECK: loop_annotation
// CHECK-NOT: VPU.NCE
func.func @convolution_of_unknown_size_has_narrow_tiles_of_several_rows(%x: memref<1x2x?x?x16xf32>, %w: memref<2x2x3x3x16x16xf32>, %y: memref<1x2x?x?x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x2x?x?x16xf32>, memref<2x2x3x3x16x16xf32>) outs(%y : memref<1x2x?x?x16xf32>)
  return
}

// -----

// Rows are merged in runs in which they follow each other.
// CHECK-LABEL: func @pointwise_convolution_of_unknown_size_merges_rows_at_run_time
// CHECK: %[[MERGES:.*]] = arith.andi
// CHECK: %[[BOTH:.*]] = arith.andi %[[MERGES]]
// CHECK: arith.select %[[BOTH]], %c1
// CHECK: memref.reinterpret_cast
// CHECK: vector.fma
// CHECK-NOT: VPU.NCE
func.func @pointwise_convolution_of_unknown_size_merges_rows_at_run_time(%x: memref<1x2x?x?x16xf32>, %w: memref<2x2x1x1x16x16xf32>, %y: memref<1x2x?x?x16xf32, strided<[?, ?, ?, 16, 1], offset: ?>>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x2x?x?x16xf32>, memref<2x2x1x1x16x16xf32>) outs(%y : memref<1x2x?x?x16xf32, strided<[?, ?, ?, 16, 1], offset: ?>>)
  return
}

// -----

// Four rows of six columns are a register tile, as long as there are so many.
// CHECK-LABEL: func @convolution_of_unknown_height_joins_rows
// CHECK: memref.dim
// CHECK: :24 = scf.for
// CHECK-COUNT-24: vector.fma
// CHECK-NOT: VPU.NCE
func.func @convolution_of_unknown_height_joins_rows(%x: memref<1x1x?x8x16xf32>, %w: memref<1x1x3x3x16x16xf32>, %y: memref<1x1x?x6x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x?x8x16xf32>, memref<1x1x3x3x16x16xf32>) outs(%y : memref<1x1x?x6x16xf32>)
  return
}

// -----

// 16 steps ask for a line each of twelve pixels: 12 elements on from step to step.
// CHECK-LABEL: func @tiles_of_pixels_ask_for_the_next
// CHECK-SAME: %[[X:[a-z0-9]*]]: memref<1x4x56x56x16xf32>
// CHECK: scf.for %[[COLUMN:.*]] = %{{.*}} to %{{.*}} step %{{.*}} {
// CHECK: scf.for %[[BLOCK:[a-z0-9]*]] =
// CHECK: scf.for %[[CHANNEL:[a-z0-9]*]] = %c0{{.*}} to %c16
// CHECK: %[[NEXT:.*]] = arith.addi %[[COLUMN]], %c12
// CHECK: %[[SHARE:.*]] = arith.muli %[[CHANNEL]], %c12
// CHECK: memref.prefetch %{{.*}}[%{{.*}}, %[[BLOCK]], %{{.*}}, %[[NEXT]], %[[SHARE]]], read, locality<3>, data
// CHECK-NOT: memref.prefetch
// CHECK: vector.fma
func.func @tiles_of_pixels_ask_for_the_next(%x: memref<1x4x56x56x16xf32>, %w: memref<2x4x1x1x16x16xf32>, %y: memref<1x2x56x56x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x4x56x56x16xf32>, memref<2x4x1x1x16x16xf32>) outs(%y : memref<1x2x56x56x16xf32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 12, vectors = 2>], prefetchPixels = true>>}
  return
}

// -----

// Every other pixel: a step asks for one of twelve, two on.
// CHECK-LABEL: func @tiles_of_pixels_apart_ask_for_the_next
// CHECK: scf.for %[[COLUMN:.*]] = %{{.*}} to %{{.*}} step %{{.*}} {
// CHECK: scf.for %[[CHANNEL:[a-z0-9]*]] = %c0{{.*}} to %c16
// CHECK-DAG: %[[BEHIND:.*]] = arith.addi %{{.*}}, %c24
// CHECK-DAG: %[[PIXEL:.*]] = arith.muli %[[CHANNEL]], %c2
// CHECK: %[[NEXT:.*]] = arith.addi %[[BEHIND]], %[[PIXEL]]
// CHECK: memref.prefetch %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}, %[[NEXT]], %c0{{.*}}], read, locality<3>, data
// CHECK-NOT: memref.prefetch
// CHECK: vector.fma
func.func @tiles_of_pixels_apart_ask_for_the_next(%x: memref<1x4x56x56x16xf32>, %w: memref<2x4x1x1x16x16xf32>, %y: memref<1x2x28x28x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x4x56x56x16xf32>, memref<2x4x1x1x16x16xf32>) outs(%y : memref<1x2x28x28x16xf32>) {strides = array<i64: 2, 2>, VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 12, vectors = 2>], prefetchPixels = true>>}
  return
}

// -----

// More pixels than steps: two lines a step.
// CHECK-LABEL: func @wide_tiles_ask_for_several_lines
// CHECK: %[[SHARE:.*]] = arith.muli %{{.*}}, %c28
// CHECK: memref.prefetch %{{.*}}, %[[SHARE]]]
// CHECK: %[[MORE:.*]] = arith.addi %[[SHARE]], %c16
// CHECK: memref.prefetch %{{.*}}, %[[MORE]]]
// CHECK-NOT: memref.prefetch
// CHECK: vector.fma
func.func @wide_tiles_ask_for_several_lines(%x: memref<1x4x56x56x16xf32>, %w: memref<1x4x1x1x16x16xf32>, %y: memref<1x1x56x56x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x4x56x56x16xf32>, memref<1x4x1x1x16x16xf32>) outs(%y : memref<1x1x56x56x16xf32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 28>], prefetchPixels = true>>}
  return
}
