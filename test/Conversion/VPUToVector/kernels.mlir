// RUN: nacre-opt %s -convert-vpu-to-vector -split-input-file | FileCheck %s

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
// CHECK-NOT: VPU.
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

// Six pixels times four sums, one for each distance between channels of a group,
// are a register tile. The sums of a pixel are exchanged within groups at last.
// CHECK-LABEL: func @group_convolution_exchanges_sums_after_the_window
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (vector<16xf32>
// CHECK-NOT: vector.shuffle
// CHECK-COUNT-24: vector.fma
// CHECK-NOT: vector.fma
// CHECK: loop_annotation
// CHECK: loop_annotation
// CHECK: vector.shuffle %[[B:.*]], %[[B]] [1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14]
// CHECK: vector.shuffle %[[D:.*]], %[[D]] [1, 0, 3, 2,
// CHECK: vector.shuffle %[[C:.*]], %[[C]] [2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13]
// CHECK: vector.store
// CHECK-NOT: VPU.
func.func @group_convolution_exchanges_sums_after_the_window(%x: memref<1x2x8x14x16xf32>, %w: memref<2x3x3x4x16xf32>, %b: memref<2x16xf32>, %y: memref<1x2x6x12x16xf32>) {
  VPU.NCE.GroupConvolution ins(%x, %w : memref<1x2x8x14x16xf32>, memref<2x3x3x4x16xf32>) bias(%b : memref<2x16xf32>) outs(%y : memref<1x2x6x12x16xf32>) {ppe = #VPU.PPE<mode = RELU>}
  return
}

// -----

// 16 channels as eight pairs fill half of the lanes: they are there twice. Two
// vectors of weights do for groups of four, and what is exchanged is taken to the
// order of channels last.
// CHECK-LABEL: func @group_convolution_of_pairs_repeats_them
// CHECK: vector.shuffle %{{.*}} [0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15] : vector<16xf32>
// CHECK: %[[W0:.*]] = vector.load %[[WEIGHTS:.*]][%{{.*}}, %{{.*}}, %{{.*}}, %c0{{.*}}] : memref<2x3x3x2x32xbf16>{{.*}}, vector<32xbf16>
// CHECK: %[[W1:.*]] = vector.load %[[WEIGHTS]]
// CHECK: %[[PAIRS:.*]] = vector.bitcast %{{.*}} : vector<16xbf16> to vector<8xi32>
// CHECK: %[[TWICE:.*]] = vector.shuffle %[[PAIRS]], %[[PAIRS]] [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7]
// CHECK: %[[PIXEL:.*]] = vector.bitcast %[[TWICE]] : vector<16xi32> to vector<32xbf16>
// CHECK: llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%{{.*}}, %[[PIXEL]], %[[W0]])
// CHECK: llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%{{.*}}, %[[PIXEL]], %[[W1]])
// CHECK: %[[LANES:.*]] = arith.addf
// CHECK: vector.shuffle %[[LANES]], %[[LANES]] [0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15]
// CHECK-NOT: VPU.
func.func @group_convolution_of_pairs_repeats_them(%x: memref<1x2x8x14x16xbf16>, %w: memref<2x3x3x2x16x2xbf16>, %b: memref<2x16xf32>, %y: memref<1x2x6x12x16xbf16>) {
  VPU.NCE.GroupConvolution ins(%x, %w : memref<1x2x8x14x16xbf16>, memref<2x3x3x2x16x2xbf16>) bias(%b : memref<2x16xf32>) outs(%y : memref<1x2x6x12x16xbf16>)
  return
}

// -----

// What is in memory is the last operand of an instruction: pixels that one
// product needs, else weights, though they are in a register.
// CHECK-LABEL: func @convolution_of_one_vector_multiplies_by_pixels_in_memory
// CHECK: %[[W:.*]] = vector.load {{.*}}, vector<32xbf16>
// CHECK: %[[PIXEL:.*]] = vector.bitcast %{{.*}} : vector<16xi32> to vector<32xbf16>
// CHECK: llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%{{.*}}, %[[W]], %[[PIXEL]])
// CHECK-LABEL: func @convolution_of_two_vectors_multiplies_pixels_by_weights
// CHECK: %[[W:.*]] = vector.load {{.*}}, vector<32xbf16>
// CHECK: %[[PIXEL:.*]] = vector.bitcast %{{.*}} : vector<16xi32> to vector<32xbf16>
// CHECK: llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%{{.*}}, %[[PIXEL]], %[[W]])
func.func @convolution_of_one_vector_multiplies_by_pixels_in_memory(%x: memref<1x2x9x9x16xbf16>, %w: memref<1x2x3x3x8x16x2xbf16>, %y: memref<1x1x7x7x16xbf16>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x2x9x9x16xbf16>, memref<1x2x3x3x8x16x2xbf16>) outs(%y : memref<1x1x7x7x16xbf16>)
  return
}
func.func @convolution_of_two_vectors_multiplies_pixels_by_weights(%x: memref<1x2x9x16x16xbf16>, %w: memref<2x2x3x3x8x16x2xbf16>, %y: memref<1x2x7x14x16xbf16>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x2x9x16x16xbf16>, memref<2x2x3x3x8x16x2xbf16>) outs(%y : memref<1x2x7x14x16xbf16>)
  return
}

// -----

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
// CHECK-NOT: VPU.
func.func @winograd_convolution_multiplies_36_points(%x: memref<1x1x10x10x16xf32>, %u: memref<36x1x1x16x16xf32>, %v: memref<2880xf32>, %m: memref<2880xf32>, %y: memref<1x1x8x8x16xf32>) {
  VPU.NCE.WinogradConvolution ins(%x, %u : memref<1x1x10x10x16xf32>, memref<36x1x1x16x16xf32>) scratch(%v, %m : memref<2880xf32>, memref<2880xf32>) outs(%y : memref<1x1x8x8x16xf32>) {chunk = array<i64: 2, 2>}
  return
}

// -----

// A run counts the tiles of all images and steps from one to the next. At an
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
// CHECK-NOT: VPU.
func.func @winograd_convolution_of_unknown_size_clamps_tiles_at_edges(%x: memref<?x1x?x?x16xf32>, %u: memref<36x1x1x16x16xf32>, %v: memref<8064xf32>, %m: memref<8064xf32>, %y: memref<?x1x?x?x16xf32>) {
  VPU.NCE.WinogradConvolution ins(%x, %u : memref<?x1x?x?x16xf32>, memref<36x1x1x16x16xf32>) scratch(%v, %m : memref<8064xf32>, memref<8064xf32>) outs(%y : memref<?x1x?x?x16xf32>) {chunk = array<i64: 2, 6>}
  return
}

// -----

// CHECK-LABEL: func @matmul_with_a_column_tail_masks_the_store
// CHECK: vector.fma
// CHECK: vector.maskedstore
func.func @matmul_with_a_column_tail_masks_the_store(%a: memref<1x1x8xf32>, %b: memref<1x1x8x16xf32>, %y: memref<1x1x10xf32>) {
  VPU.NCE.MatMul ins(%a, %b : memref<1x1x8xf32>, memref<1x1x8x16xf32>) outs(%y : memref<1x1x10xf32>)
  return
}

// -----

// CHECK-LABEL: func @max_pool_takes_the_largest_of_the_window
// CHECK: arith.maximumf {{.*}} fastmath<nsz>
// CHECK: vector.store
func.func @max_pool_takes_the_largest_of_the_window(%x: memref<1x1x4x4x16xf32>, %y: memref<1x1x2x2x16xf32>) {
  VPU.NCE.MaxPool ins(%x : memref<1x1x4x4x16xf32>) outs(%y : memref<1x1x2x2x16xf32>) {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>}
  return
}

// -----

// CHECK-LABEL: func @eltwise_of_contiguous_buffers_is_one_loop
// CHECK: memref.collapse_shape
// CHECK: arith.addf
func.func @eltwise_of_contiguous_buffers_is_one_loop(%a: memref<1x2x3x3x16xf32>, %b: memref<1x2x3x3x16xf32>) {
  VPU.NCE.Eltwise ins(%a, %b : memref<1x2x3x3x16xf32>, memref<1x2x3x3x16xf32>) outs(%b : memref<1x2x3x3x16xf32>) {kind = #VPU.eltwise<ADD>}
  return
}

// -----

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

// Weights that come from memory are asked for one vector of channels ahead,
// which one vector of accumulators for each pixel leaves time for.
// CHECK-LABEL: @convolution_of_many_weights_and_few_pixels_prefetches
// CHECK: memref.prefetch %arg1[%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}], read, locality<3>, data
func.func @convolution_of_many_weights_and_few_pixels_prefetches(%x: memref<1x32x9x9x16xf32>, %w: memref<32x32x3x3x16x16xf32>, %y: memref<1x32x7x7x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x32x9x9x16xf32>, memref<32x32x3x3x16x16xf32>) outs(%y : memref<1x32x7x7x16xf32>)
  return
}

// -----

// Many pixels use each of them.
// CHECK-LABEL: @convolution_of_many_pixels_does_not_prefetch
// CHECK-NOT: memref.prefetch
func.func @convolution_of_many_pixels_does_not_prefetch(%x: memref<1x32x58x58x16xf32>, %w: memref<32x32x3x3x16x16xf32>, %y: memref<1x32x56x56x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x32x58x58x16xf32>, memref<32x32x3x3x16x16xf32>) outs(%y : memref<1x32x56x56x16xf32>)
  return
}

// -----

// Rows and columns that only a run counts: full tiles, then tails of powers of
// two, and a last vector of so many lanes.
// CHECK-LABEL: func @matmul_of_dynamic_size_masks_its_last_columns
// CHECK: %[[K:.*]] = memref.dim
// CHECK: arith.divui
// CHECK: scf.for
// CHECK: vector.fma
// CHECK: vector.create_mask %{{.*}} : vector<16xi1>
// CHECK: vector.maskedload
// CHECK: vector.maskedstore
func.func @matmul_of_dynamic_size_masks_its_last_columns(%a: memref<2x?x8xf32>, %b: memref<2x1x8x?xf32>, %c: memref<2x?x?xf32>) {
  VPU.NCE.MatMul ins(%a, %b : memref<2x?x8xf32>, memref<2x1x8x?xf32>) outs(%c : memref<2x?x?xf32>)
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
// CHECK-NOT: VPU.
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
// CHECK-NOT: VPU.
func.func @pointwise_convolution_of_unknown_size_merges_rows_at_run_time(%x: memref<1x2x?x?x16xf32>, %w: memref<2x2x1x1x16x16xf32>, %y: memref<1x2x?x?x16xf32, strided<[?, ?, ?, 16, 1], offset: ?>>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x2x?x?x16xf32>, memref<2x2x1x1x16x16xf32>) outs(%y : memref<1x2x?x?x16xf32, strided<[?, ?, ?, 16, 1], offset: ?>>)
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

// A window of the input's size divides by that.
// CHECK-LABEL: func @average_of_whole_image_divides_by_its_size
// CHECK-DAG: %[[H:.*]] = memref.dim %arg0, %c2
// CHECK-DAG: %[[W:.*]] = memref.dim %arg0, %c3
// CHECK: %[[COUNT:.*]] = arith.muli %[[H]], %[[W]]
// CHECK: arith.index_cast %[[COUNT]]
// CHECK: arith.divf
// CHECK-NOT: VPU.
func.func @average_of_whole_image_divides_by_its_size(%x: memref<1x1x?x?x16xf32>, %y: memref<1x1x1x1x16xf32>) {
  VPU.NCE.AveragePool ins(%x : memref<1x1x?x?x16xf32>) outs(%y : memref<1x1x1x1x16xf32>) {kernel = array<i64>}
  return
}

// -----

// Two vectors of the source have the lanes of the first of the destination; the
// second has one of them, and zeros. Other images are shuffled alike.
// CHECK-LABEL: func @shuffled_channels_are_put_together_from_vectors
// CHECK: scf.for
// CHECK: %[[FIRST:.*]] = vector.load %arg0
// CHECK: %[[PART:.*]] = vector.shuffle %{{.*}}, %[[FIRST]] [4, 1, 5, 3]
// CHECK: %[[SECOND:.*]] = vector.load %arg0
// CHECK: %[[BOTH:.*]] = vector.shuffle %[[PART]], %[[SECOND]] [0, 4, 2, 5]
// CHECK: vector.store %[[BOTH]], %arg1
// CHECK: vector.shuffle %{{.*}}, %{{.*}} [7, 1, 2, 3]
// CHECK-NOT: VPU.
func.func @shuffled_channels_are_put_together_from_vectors(%x: memref<3x2x?x?x4xf32>, %y: memref<3x2x?x?x4xf32>) {
  VPU.ShuffleChannels ins(%x : memref<3x2x?x?x4xf32>) outs(%y : memref<3x2x?x?x4xf32>) {channels = array<i64: 0, 4, 1, 5, 7, -1, -1, -1>}
  return
}

// -----

// A row above, columns of the rows between, two rows below.
// CHECK-LABEL: func @border_is_filled_around_what_stays
// CHECK-SAME: (%[[X:.*]]: memref<1x2x16x18x16xf32>)
// CHECK-DAG: %[[C13:.*]] = arith.constant 13 : index
// CHECK-DAG: %[[C18:.*]] = arith.constant 18 : index
// CHECK: scf.for %[[BLOCK:[a-z0-9]+]] =
// CHECK: scf.for %{{.*}} to %[[C18]]
// CHECK: vector.store
// CHECK: scf.for %{{.*}} to %[[C13]]
// CHECK: vector.store
// CHECK: scf.for %{{.*}} to %[[C18]]
// CHECK: vector.store
// CHECK-NOT: VPU.
func.func @border_is_filled_around_what_stays(%x: memref<1x2x16x18x16xf32>) {
  VPU.FillBorder outs(%x : memref<1x2x16x18x16xf32>) {pads = array<i64: 1, 1, 2, 0>}
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

// Vectors of f64 have half as many lanes; what follows the sums is of f64, too.
// CHECK-LABEL: func @product_of_doubles
// CHECK-NOT: f32
// CHECK: memref.load %arg0{{.*}} : memref<1x8x24xf64>
// CHECK: vector.fma {{.*}} : vector<8xf64>
// CHECK: arith.cmpf olt, {{.*}} : vector<8xf64>
// CHECK-NOT: f32
// CHECK: vector.store {{.*}} : memref<1x8x16xf64>, vector<8xf64>
func.func @product_of_doubles(%a: memref<1x8x24xf64>, %b: memref<1x2x24x8xf64>, %bias: memref<2x8xf64>, %y: memref<1x8x16xf64>) {
  VPU.NCE.MatMul ins(%a, %b : memref<1x8x24xf64>, memref<1x2x24x8xf64>) bias(%bias : memref<2x8xf64>) outs(%y : memref<1x8x16xf64>) {ppe = #VPU.PPE<mode = RELU>}
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
