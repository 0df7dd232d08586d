// RUN: nacre-opt %s -convert-vpu-to-vector -split-input-file | FileCheck %s

// A row outside the source is filled instead of copied.
// CHECK-LABEL: func @padded_copy_decides_per_row
// CHECK: arith.cmpi ult
// CHECK: scf.if
func.func @padded_copy_decides_per_row(%x: memref<1x1x4x4x16xf32>, %y: memref<1x1x6x6x16xf32>) {
  VPU.Copy ins(%x : memref<1x1x4x4x16xf32>) outs(%y : memref<1x1x6x6x16xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>}
  return
}

// -----

// LLVM cannot select every shuffle of bfloat16: elements become f32 before.
// CHECK-LABEL: func @copy_of_bf16_blocks_to_f32_planes_shuffles_f32
// CHECK: vector.maskedload {{.*}} into vector<16xbf16>
// CHECK: arith.extf %{{.*}} : vector<16xbf16> to vector<16xf32>
// CHECK-NOT: vector.shuffle {{.*}}bf16
// CHECK: vector.maskedstore {{.*}} vector<16xf32>
func.func @copy_of_bf16_blocks_to_f32_planes_shuffles_f32(%x: memref<1x1x2x3x16xbf16>, %y: memref<1x12x2x3xf32>) {
  VPU.Copy ins(%x : memref<1x1x2x3x16xbf16>) outs(%y : memref<1x12x2x3xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHW>}
  return
}

// -----

// One column of three: a dimension of one element is between the rows, but the
// elements are three apart all the same.
// CHECK-LABEL: func @copy_of_a_column_loads_each_row
// CHECK: scf.for
// CHECK: memref.load
// CHECK: memref.store
// CHECK-NOT: vector.constant_mask [3]
// CHECK: return
func.func @copy_of_a_column_loads_each_row(%x: memref<3x1x1xf32, strided<[3, 3, 1], offset: 1>>, %y: memref<3x1x1xf32>) {
  VPU.Copy ins(%x : memref<3x1x1xf32, strided<[3, 3, 1], offset: 1>>) outs(%y : memref<3x1x1xf32>) 
  return
}

// -----

// Pixels of one channel, between those of other channels: no row of them can be
// stored as a vector.
// CHECK-LABEL: func @copy_of_one_channel_into_many_stores_each_pixel
// CHECK-NOT: memref<1x1x1x8xf32, strided<[840, 840, 840, 105]
// CHECK: memref.store {{.*}} : memref<1x1x1x8x1xf32, strided<[840, 840, 840, 105, 1], offset: 104>>
func.func @copy_of_one_channel_into_many_stores_each_pixel(%x: memref<1x1x1x8xf32>, %y: memref<1x1x1x8x1xf32, strided<[840, 840, 840, 105, 1], offset: 104>>) {
  VPU.Copy ins(%x : memref<1x1x1x8xf32>) outs(%y : memref<1x1x1x8x1xf32, strided<[840, 840, 840, 105, 1], offset: 104>>) {srcOrder = #VPU.order<NCHW>, dstOrder = #VPU.order<NCHWc>}
  return
}

// -----

// The last tile of pixels overlaps the one before; of fewer than a tile, each is
// copied alone.
// CHECK-LABEL: func @unblocking_of_unknown_size_overlaps_the_last_tile
// CHECK: scf.if
// CHECK: arith.minui
// CHECK: vector.store
// CHECK: } else {
// CHECK-NOT: VPU.
func.func @unblocking_of_unknown_size_overlaps_the_last_tile(%x: memref<1x1x?x?x16xf32>, %y: memref<1x16x?x?xf32>) {
  VPU.Copy ins(%x : memref<1x1x?x?x16xf32>) outs(%y : memref<1x16x?x?xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHW>}
  return
}

// -----

// Rows of weights: LLVM would unroll all 840 of them.
// CHECK-LABEL: func @copy_of_rows_apart_stays_a_nest
// CHECK-COUNT-3: scf.for
// CHECK: vector.maskedload
// CHECK: vector.maskedstore
// CHECK-COUNT-3: } {loop_annotation = #{{.*}}}
// CHECK-NEXT: return
func.func @copy_of_rows_apart_stays_a_nest(%x: memref<5x7x24x3xf32, strided<[5544, 792, 33, 1]>>, %y: memref<5x7x24x3xf32>) {
  VPU.Copy ins(%x : memref<5x7x24x3xf32, strided<[5544, 792, 33, 1]>>) outs(%y : memref<5x7x24x3xf32>)
  return
}

// -----

// A row of ten pixels with three channels is one vector and 14 elements more.
// CHECK-LABEL: func @pixels_of_few_channels_are_interleaved
// CHECK-COUNT-3: %{{.*}} = vector.maskedload %arg0
// CHECK: %[[FIRST:.*]] = vector.shuffle %{{.*}}, %{{.*}} [0, 16, 2, 1, 17, 5, 2, 18, 8, 3, 19, 11, 4, 20, 14, 5]
// CHECK: %[[ROW:.*]] = vector.shuffle %[[FIRST]], %{{.*}} [0, 1, 16, 3, 4, 17, 6, 7, 18, 9, 10, 19, 12, 13, 20, 15]
// CHECK: %[[REST:.*]] = vector.shuffle %{{.*}} [0, 21, 2, 3, 22, 5, 6, 23, 8, 9, 24, 11, 12, 25, 14, 15]
// CHECK: vector.store %[[ROW]]
// CHECK: %[[MASK:.*]] = vector.constant_mask [14]
// CHECK: vector.maskedstore {{.*}}, %[[MASK]], %[[REST]]
// CHECK-NOT: VPU.
func.func @pixels_of_few_channels_are_interleaved(%x: memref<1x3x4x10xf32>, %y: memref<1x1x4x12x3xf32>) {
  VPU.Copy ins(%x : memref<1x3x4x10xf32>) outs(%y : memref<1x1x4x12x3xf32>) {dstOrder = #VPU.order<NCHWc>, pads = array<i64: 0, 1, 0, 1>, srcOrder = #VPU.order<NCHW>}
  return
}

// -----

// Neither format of 16 bits is the other one's bits.
// CHECK-LABEL: func @copy_of_f16_planes_to_bf16_blocks_goes_by_f32
// CHECK: arith.extf %{{.*}} : vector<16xf16> to vector<16xf32>
// CHECK: arith.truncf %{{.*}} : vector<16xf32> to vector<16xbf16>
// CHECK-NOT: vector<16xf16>, memref<{{.*}}xbf16>
func.func @copy_of_f16_planes_to_bf16_blocks_goes_by_f32(%x: memref<1x20x2x32xf16>, %y: memref<1x2x2x32x16xbf16>) {
  VPU.Copy ins(%x : memref<1x20x2x32xf16>) outs(%y : memref<1x2x2x32x16xbf16>) {srcOrder = #VPU.order<NCHW>, dstOrder = #VPU.order<NCHWc>}
  return
}
