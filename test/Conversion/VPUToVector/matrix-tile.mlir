// RUN: nacre-opt %s --init-compiler="vpu-arch=sapphirerapids threads=1" --vpu-choose-strategies=decide=registers -convert-vpu-to-vector -canonicalize -cse -split-input-file | FileCheck %s
// RUN: nacre-opt %s --init-compiler="vpu-arch=znver4 threads=1" --vpu-choose-strategies=decide=registers -convert-vpu-to-vector -canonicalize -cse -split-input-file | FileCheck %s --check-prefix=VECTORS

// Without a unit, vectors do it.
// VECTORS-NOT: tdpb
// VECTORS-NOT: ldtilecfg

// 81 pixels are six tiles of 14, of which the last overlaps the one before.
// Pixels of a row of the kernel follow each other in memory: its three times
// eight pairs are two tiles 12 deep. Sums start from the bias, in every row of
// their tiles.
// CHECK-LABEL: func @convolution_multiplies_two_by_two_tiles
// CHECK-DAG: %[[SAME:.*]] = arith.constant 0 : i64
// CHECK-DAG: %[[STRIDE:.*]] = arith.constant 32 : i64
// CHECK-DAG: %[[LINE:.*]] = arith.constant 64 : i64
// CHECK: %[[STACK:.*]] = llvm.intr.stacksave
// CHECK: %[[SUMS:.*]] = memref.alloca() {alignment = 64 : i64} : memref<4x16x16xf32>
// CHECK: llvm.call_intrinsic "llvm.x86.ldtilecfg"
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.x86.tileloadd64"(%{{.*}}, %{{.*}}, %[[SAME]])
// CHECK: scf.for
// CHECK: scf.for
// CHECK: scf.for
// CHECK: llvm.call_intrinsic "llvm.x86.tileloadd64"(%[[B0:.*]], %{{.*}}, %[[LINE]])
// CHECK: llvm.call_intrinsic "llvm.x86.tileloadd64"(%[[A0:.*]], %{{.*}}, %[[STRIDE]])
// CHECK: llvm.call_intrinsic "llvm.x86.tdpbf16ps"(%{{.*}}, %[[A0]], %[[B0]])
// CHECK: llvm.call_intrinsic "llvm.x86.tileloadd64"(%[[A1:.*]], %{{.*}}, %[[STRIDE]])
// CHECK: llvm.call_intrinsic "llvm.x86.tdpbf16ps"(%{{.*}}, %[[A1]], %[[B0]])
// CHECK: llvm.call_intrinsic "llvm.x86.tileloadd64"(%[[B1:.*]], %{{.*}}, %[[LINE]])
// CHECK: llvm.call_intrinsic "llvm.x86.tdpbf16ps"(%{{.*}}, %[[A0]], %[[B1]])
// CHECK: llvm.call_intrinsic "llvm.x86.tdpbf16ps"(%{{.*}}, %[[A1]], %[[B1]])
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.x86.tilestored64"(%{{.*}}, %{{.*}}, %[[LINE]])
// CHECK: vector.load %[[SUMS]]{{.*}} : memref<4x16x16xf32>, vector<16xf32>
// CHECK: arith.truncf %{{.*}} : vector<16xf32> to vector<16xbf16>
// CHECK: llvm.call_intrinsic "llvm.x86.tilerelease"
// CHECK: llvm.intr.stackrestore %[[STACK]]
// CHECK-NOT: VPU.NCE
// CHECK: return
func.func @convolution_multiplies_two_by_two_tiles(%x: memref<1x2x3x83x16xbf16>, %w: memref<2x2x3x3x8x16x2xbf16>, %b: memref<2x16xf32>, %y: memref<1x2x1x81x16xbf16>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x2x3x83x16xbf16>, memref<2x2x3x3x8x16x2xbf16>) bias(%b : memref<2x16xf32>) outs(%y : memref<1x2x1x81x16xbf16>)
  return
}

// -----

// Four blocks lie beside each other in copies: of the pixels of a strip, which are 64
// bytes each, and of the weights of two vectors. A left tile's rows are pixels then,
// wherever in the window.
// CHECK-LABEL: func @packed_window_copies_pixels_and_weights
// CHECK-DAG: %[[PIXEL:.*]] = arith.constant 64 : i64
// CHECK: %[[STACK:.*]] = llvm.intr.stacksave
// CHECK: memref.alloca() {alignment = 64 : i64} : memref<1x3248x64xi8>
// CHECK: memref.alloca() {alignment = 64 : i64} : memref<2x1x3x3x16x64xi8>
// CHECK: llvm.call_intrinsic "llvm.x86.ldtilecfg"
// CHECK: scf.for
// CHECK-COUNT-4: llvm.load %{{.*}} : !llvm.ptr -> vector<16xi32>
// CHECK-COUNT-8: vector.shuffle
// CHECK-COUNT-4: llvm.store %{{.*}} : vector<16xi32>, !llvm.ptr
// CHECK: scf.for
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> vector<64xi8>
// CHECK: scf.for
// CHECK: llvm.call_intrinsic "llvm.x86.tileloadd64"(%{{.*}}, %{{.*}}, %[[PIXEL]])
// CHECK: llvm.call_intrinsic "llvm.x86.tdpbusd"
// CHECK: llvm.call_intrinsic "llvm.x86.tilerelease"
// CHECK: llvm.intr.stackrestore
// CHECK: llvm.intr.stackrestore %[[STACK]]
func.func @packed_window_copies_pixels_and_weights(%x: memref<1x4x58x56x16xi8>, %w: memref<4x4x3x3x4x16x4xi8>, %y: memref<1x4x56x54x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x4x58x56x16xi8>, memref<4x4x3x3x4x16x4xi8>) outs(%y : memref<1x4x56x54x16xf32>)
  return
}

// -----

// Two rows of the window lie beside each other in a copy of 56 bytes for each column of
// the result, from every second row of the image on. Weights of the eighth row are zero.
// CHECK-LABEL: func @packed_rows_of_a_window
// CHECK: memref.alloca() {alignment = 64 : i64} : memref<34x112x64xi8>
// CHECK: memref.alloca() {alignment = 64 : i64} : memref<2x4x14x64xi8>
// CHECK: scf.for
// CHECK: arith.minui
// CHECK: scf.for
// CHECK-COUNT-2: llvm.intr.masked.store
// CHECK-COUNT-49: llvm.load %{{.*}} : !llvm.ptr -> vector<64xi8>
// CHECK-NOT: llvm.load
// CHECK-COUNT-7: llvm.store %[[ZERO:.*]], %{{.*}} : vector<64xi8>, !llvm.ptr
// CHECK: llvm.call_intrinsic "llvm.x86.tdpbusd"
func.func @packed_rows_of_a_window(%x: memref<1x1x67x230x4xi8>, %w: memref<4x1x7x7x1x16x4xi8>, %y: memref<1x4x31x112x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x67x230x4xi8>, memref<4x1x7x7x1x16x4xi8>) outs(%y : memref<1x4x31x112x16xf32>) {strides = array<i64: 2, 2>}
  return
}

// -----

// A dilated kernel's pixels do not follow each other.
// CHECK-LABEL: func @dilated_convolution_loops_over_kernel_columns
// CHECK: %[[TAPS:.*]] = arith.constant 3 : index
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[TAPS]]
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[TAPS]]
// CHECK: llvm.call_intrinsic "llvm.x86.tdpbf16ps"
func.func @dilated_convolution_loops_over_kernel_columns(%x: memref<1x1x5x20x16xbf16>, %w: memref<1x1x3x3x8x16x2xbf16>, %y: memref<1x1x1x16x16xbf16>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x5x20x16xbf16>, memref<1x1x3x3x8x16x2xbf16>) outs(%y : memref<1x1x1x16x16xbf16>) {dilations = array<i64: 2, 2>}
  return
}

// -----

// Bytes are multiplied with signed weights; sums start from their offset.
// CHECK-LABEL: func @convolution_of_bytes_multiplies_unsigned_by_signed
// CHECK: memref.alloca() {alignment = 64 : i64} : memref<4x16x16xi32>
// CHECK: llvm.call_intrinsic "llvm.x86.tdpbusd"
// CHECK: arith.sitofp
func.func @convolution_of_bytes_multiplies_unsigned_by_signed(%x: memref<1x1x4x4x16xi8>, %w: memref<1x1x1x1x4x16x4xi8>, %o: memref<1x16xi32>, %y: memref<1x1x4x4x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x4x4x16xi8>, memref<1x1x1x1x4x16x4xi8>) offset(%o : memref<1x16xi32>) outs(%y : memref<1x1x4x4x16xf32>)
  return
}

// -----

// A block of which a part holds data is a part of the reduction: with tiles of
// its own, 5 pairs deep and 20 bytes wide, while those of the full block hold
// 12 pairs of several columns.
// CHECK-LABEL: func @convolution_of_part_blocks_has_tiles_of_two_depths
// CHECK: arith.constant dense<[1, {{.*}}, 48, 0, 20, 0, 64, 0, 64, 0, {{.*}}, 16, 16, 12, 5, {{.*}}]> : vector<64xi8>
// CHECK: llvm.call_intrinsic "llvm.x86.tileloadd64"(%[[B0:.*]], %{{.*}}, %{{.*}}64
// CHECK: llvm.call_intrinsic "llvm.x86.tileloadd64"(%[[A0:.*]], %{{.*}}, %{{.*}}32
// CHECK: llvm.call_intrinsic "llvm.x86.tdpbf16ps"(%[[SUM:.*]], %[[A0]], %[[B0]])
// CHECK: llvm.call_intrinsic "llvm.x86.tileloadd64"(%[[B1:.*]], %{{.*}}, %{{.*}}64
// CHECK: llvm.call_intrinsic "llvm.x86.tileloadd64"(%[[A1:.*]], %{{.*}}, %{{.*}}32
// CHECK: llvm.call_intrinsic "llvm.x86.tdpbf16ps"(%[[SUM]], %[[A1]], %[[B1]])
func.func @convolution_of_part_blocks_has_tiles_of_two_depths(%x: memref<1x2x3x18x16xbf16>, %w: memref<1x2x3x3x8x16x2xbf16>, %y: memref<1x1x1x16x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x2x3x18x16xbf16>, memref<1x2x3x3x8x16x2xbf16>) outs(%y : memref<1x1x1x16x16xf32>) {inputChannels = 26 : i64}
  return
}

// Elements that weights hold singly are left to vectors, and so is less than a
// vector of output channels.

// CHECK-LABEL: func @convolution_of_single_elements_takes_vectors
// CHECK-NOT: tdpbf16ps
// CHECK: vector.fma
func.func @convolution_of_single_elements_takes_vectors(%x: memref<1x1x4x4x16xbf16>, %w: memref<1x1x1x1x16x16xbf16>, %y: memref<1x1x4x4x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x4x4x16xbf16>, memref<1x1x1x1x16x16xbf16>) outs(%y : memref<1x1x4x4x16xf32>)
  return
}

// CHECK-LABEL: func @convolution_to_part_of_a_vector_takes_vectors
// CHECK-NOT: tdpbf16ps
// CHECK: llvm.x86.avx512bf16.dpbf16ps.512
func.func @convolution_to_part_of_a_vector_takes_vectors(%x: memref<1x1x4x4x16xbf16>, %w: memref<1x1x1x1x8x9x2xbf16>, %y: memref<1x1x4x4x9xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x4x4x16xbf16>, memref<1x1x1x1x8x9x2xbf16>) outs(%y : memref<1x1x4x4x9xf32>)
  return
}

// -----

// The number of columns of a tile is dynamic; at least one.
// CHECK-LABEL: func @convolution_of_unknown_size_configures_tiles_at_run_time
// CHECK: %[[COLUMNS:.*]] = memref.dim %arg2, %c3
// CHECK: %[[SOME:.*]] = arith.maxui %[[COLUMNS]], %c1
// CHECK: %[[PIXELS:.*]] = arith.ceildivui %[[SOME]], %{{.*}} : index
// CHECK: %[[COUNT:.*]] = arith.index_cast %[[PIXELS]] : index to i8
// CHECK: vector.broadcast %[[COUNT]] : i8 to vector<64xi8>
// CHECK: llvm.call_intrinsic "llvm.x86.ldtilecfg"
func.func @convolution_of_unknown_size_configures_tiles_at_run_time(%x: memref<1x1x?x?x16xbf16>, %w: memref<1x1x3x3x8x16x2xbf16>, %y: memref<1x1x?x?x16xbf16>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x?x?x16xbf16>, memref<1x1x3x3x8x16x2xbf16>) outs(%y : memref<1x1x?x?x16xbf16>)
  return
}

// -----

// Weights that come from memory while they are multiplied are asked for before.
// CHECK-LABEL: func @convolution_of_many_weights_prefetches_the_next
// CHECK: llvm.intr.prefetch
func.func @convolution_of_many_weights_prefetches_the_next(%x: memref<1x32x9x9x16xbf16>, %w: memref<32x32x3x3x8x16x2xbf16>, %y: memref<1x32x7x7x16xbf16>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x32x9x9x16xbf16>, memref<32x32x3x3x8x16x2xbf16>) outs(%y : memref<1x32x7x7x16xbf16>)
  return
}

// -----

// 40 pairs are four tiles 10 deep; the last ten columns are masked.
// CHECK-LABEL: func @matmul_masks_its_last_columns
// CHECK: %[[DEPTHS:.*]] = arith.constant 4 : index
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[DEPTHS]]
// CHECK: llvm.call_intrinsic "llvm.x86.tdpbf16ps"
// CHECK: vector.store
// CHECK: llvm.call_intrinsic "llvm.x86.tdpbf16ps"
// CHECK: vector.constant_mask [10]
func.func @matmul_masks_its_last_columns(%a: memref<1x16x80xbf16>, %b: memref<1x2x40x16x2xbf16>, %y: memref<1x16x26xf32>) {
  VPU.NCE.MatMul ins(%a, %b : memref<1x16x80xbf16>, memref<1x2x40x16x2xbf16>) outs(%y : memref<1x16x26xf32>)
  return
}

// -----

// One row makes no use of a tile.
// CHECK-LABEL: func @matmul_of_one_row_takes_vectors
// CHECK-NOT: tdpbf16ps
// CHECK: llvm.x86.avx512bf16.dpbf16ps.512
func.func @matmul_of_one_row_takes_vectors(%a: memref<1x1x80xbf16>, %b: memref<1x1x40x16x2xbf16>, %y: memref<1x1x16xf32>) {
  VPU.NCE.MatMul ins(%a, %b : memref<1x1x80xbf16>, memref<1x1x40x16x2xbf16>) outs(%y : memref<1x1x16xf32>)
  return
}

// -----

// Four blocks of 16 bytes fill a row of a tile. The 17 tiles are two strips; of
// each, all tiles are copied before all vectors of channels read them.
// CHECK-LABEL: func @pointwise_convolution_packs_the_pixels_of_tiles
// CHECK-DAG: %[[PACKED:.*]] = memref.alloca() {alignment = 64 : i64} : memref<10x1x16x64xi8>
// CHECK: scf.for
// CHECK-COUNT-4: llvm.load %{{.*}} : !llvm.ptr -> vector<16xi32>
// CHECK-COUNT-8: vector.shuffle
// CHECK-COUNT-4: llvm.store %{{.*}} : vector<16xi32>, !llvm.ptr
// CHECK: llvm.call_intrinsic "llvm.x86.tileloadd64"
// CHECK: llvm.call_intrinsic "llvm.x86.tdpbusd"
// CHECK: return
func.func @pointwise_convolution_packs_the_pixels_of_tiles(%x: memref<1x4x1x272x16xi8>, %w: memref<5x4x1x1x4x16x4xi8>, %y: memref<1x5x1x272x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x4x1x272x16xi8>, memref<5x4x1x1x4x16x4xi8>) outs(%y : memref<1x5x1x272x16xf32>)
  return
}

// -----

// Two blocks of 16 bytes are pieces of a pixel by itself.
// CHECK-LABEL: func @pointwise_convolution_packs_half_a_row
// CHECK: memref.alloca() {alignment = 64 : i64} : memref<{{.*}}x1x16x64xi8>
// CHECK-COUNT-2: llvm.load %{{.*}} : !llvm.ptr -> vector<4xi32>
// CHECK: return
func.func @pointwise_convolution_packs_half_a_row(%x: memref<1x2x1x272x16xi8>, %w: memref<9x2x1x1x4x16x4xi8>, %y: memref<1x9x1x272x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x2x1x272x16xi8>, memref<9x2x1x1x4x16x4xi8>) outs(%y : memref<1x9x1x272x16xf32>)
  return
}

// -----

// One vector is not worth the copies.
// CHECK-LABEL: func @pointwise_convolution_to_few_channels_reads_pixels_in_place
// CHECK-NOT: llvm.load
// CHECK: return
func.func @pointwise_convolution_to_few_channels_reads_pixels_in_place(%x: memref<1x4x1x272x16xi8>, %w: memref<1x4x1x1x4x16x4xi8>, %y: memref<1x1x1x272x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x4x1x272x16xi8>, memref<1x4x1x1x4x16x4xi8>) outs(%y : memref<1x1x1x272x16xf32>)
  return
}

// -----

// Neither are images of dynamic size.
// CHECK-LABEL: func @pointwise_convolution_of_open_images_reads_pixels_in_place
// CHECK-NOT: llvm.load
// CHECK: return
func.func @pointwise_convolution_of_open_images_reads_pixels_in_place(%x: memref<1x4x?x?x16xi8>, %w: memref<5x4x1x1x4x16x4xi8>, %y: memref<1x5x?x?x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x4x?x?x16xi8>, memref<5x4x1x1x4x16x4xi8>) outs(%y : memref<1x5x?x?x16xf32>)
  return
}

// -----

// Seven rows of seven pixels would be as many tiles of seven, and each pair of
// them would load all weights from the second cache. With the two columns of
// padding between them they are 61 pixels, four tiles of 16, and what was computed
// of padding is not stored.
// CHECK-LABEL: func @convolution_of_short_rows_takes_them_as_one
// CHECK-DAG: %[[PITCH:.*]] = arith.constant 9 : index
// CHECK-DAG: %[[COLUMNS:.*]] = arith.constant 7 : index
// CHECK: llvm.call_intrinsic "llvm.x86.tilestored64"
// CHECK: %[[ROW:.*]] = arith.divui %[[PIXEL:.*]], %[[PITCH]]
// CHECK: %[[COLUMN:.*]] = arith.remui %[[PIXEL]], %[[PITCH]]
// CHECK: %[[IS_RESULT:.*]] = arith.cmpi ult, %[[COLUMN]], %[[COLUMNS]]
// CHECK: scf.if %[[IS_RESULT]]
// CHECK: vector.store %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}, %[[ROW]], %[[COLUMN]], %{{.*}}] : memref<1x2x7x7x16xf32>
func.func @convolution_of_short_rows_takes_them_as_one(%x: memref<1x16x9x9x16xi8>, %w: memref<2x16x3x3x4x16x4xi8>, %y: memref<1x2x7x7x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x16x9x9x16xi8>, memref<2x16x3x3x4x16x4xi8>) outs(%y : memref<1x2x7x7x16xf32>)
  return
}

// -----

// That would not spare rows of 14 pixels a tile; weights that the first cache
// holds are loaded fast; and with a stride, pixels of two rows are not equally far
// from each other.
// CHECK-LABEL: func @convolution_of_long_rows_keeps_them
// CHECK-NOT: scf.if
// CHECK-LABEL: func @convolution_of_short_rows_and_few_weights_keeps_them
// CHECK-NOT: scf.if
// CHECK-LABEL: func @strided_convolution_of_short_rows_keeps_them
// CHECK-NOT: scf.if
func.func @convolution_of_long_rows_keeps_them(%x: memref<1x16x16x16x16xi8>, %w: memref<2x16x3x3x4x16x4xi8>, %y: memref<1x2x14x14x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x16x16x16x16xi8>, memref<2x16x3x3x4x16x4xi8>) outs(%y : memref<1x2x14x14x16xf32>)
  return
}
func.func @convolution_of_short_rows_and_few_weights_keeps_them(%x: memref<1x4x9x9x16xi8>, %w: memref<2x4x3x3x4x16x4xi8>, %y: memref<1x2x7x7x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x4x9x9x16xi8>, memref<2x4x3x3x4x16x4xi8>) outs(%y : memref<1x2x7x7x16xf32>)
  return
}
func.func @strided_convolution_of_short_rows_keeps_them(%x: memref<1x16x9x9x16xi8>, %w: memref<2x16x3x3x4x16x4xi8>, %y: memref<1x2x4x4x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x16x9x9x16xi8>, memref<2x16x3x3x4x16x4xi8>) outs(%y : memref<1x2x4x4x16xf32>) {strides = array<i64: 2, 2>}
  return
}

// -----

// A pair of left tiles stays in the first cache while all right ones pass it by.
// CHECK-LABEL: func @shallow_product_meets_all_vectors_with_a_pair_of_tiles
// CHECK: scf.for %[[PAIR:.*]] =
// CHECK: scf.for %[[VECTOR:.*]] =
// CHECK: llvm.call_intrinsic "llvm.x86.tileloaddt164"
// CHECK: llvm.call_intrinsic "llvm.x86.tileloadd64"
// CHECK: llvm.call_intrinsic "llvm.x86.tdpbf16ps"
func.func @shallow_product_meets_all_vectors_with_a_pair_of_tiles(%a: memref<1x256x256xbf16>, %b: memref<1x16x128x16x2xbf16>, %y: memref<1x256x256xf32>) {
  VPU.NCE.MatMul ins(%a, %b : memref<1x256x256xbf16>, memref<1x16x128x16x2xbf16>) outs(%y : memref<1x256x256xf32>)
  return
}

// -----

// Of fewer rows than columns, the left ones are read again for each two vectors.
// CHECK-LABEL: func @product_of_few_rows_meets_all_pixels_with_two_vectors
// CHECK-NOT: llvm.x86.tileloaddt164
func.func @product_of_few_rows_meets_all_pixels_with_two_vectors(%a: memref<1x64x256xbf16>, %b: memref<1x16x128x16x2xbf16>, %y: memref<1x64x256xf32>) {
  VPU.NCE.MatMul ins(%a, %b : memref<1x64x256xbf16>, memref<1x16x128x16x2xbf16>) outs(%y : memref<1x64x256xf32>)
  return
}

// -----

// What all fits the first cache does so.
// CHECK-LABEL: func @small_product_keeps_all_tiles_in_the_cache
// CHECK-NOT: llvm.x86.tileloaddt164
func.func @small_product_keeps_all_tiles_in_the_cache(%a: memref<1x64x64xbf16>, %b: memref<1x4x32x16x2xbf16>, %y: memref<1x64x64xf32>) {
  VPU.NCE.MatMul ins(%a, %b : memref<1x64x64xbf16>, memref<1x4x32x16x2xbf16>) outs(%y : memref<1x64x64xf32>)
  return
}
