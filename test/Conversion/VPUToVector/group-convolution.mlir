// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-choose-strategies=decide=registers -convert-vpu-to-vector -split-input-file | FileCheck %s

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
// CHECK-NOT: VPU.NCE
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
// CHECK-NOT: VPU.NCE
func.func @group_convolution_of_pairs_repeats_them(%x: memref<1x2x8x14x16xbf16>, %w: memref<2x3x3x2x16x2xbf16>, %b: memref<2x16xf32>, %y: memref<1x2x6x12x16xbf16>) {
  VPU.NCE.GroupConvolution ins(%x, %w : memref<1x2x8x14x16xbf16>, memref<2x3x3x2x16x2xbf16>) bias(%b : memref<2x16xf32>) outs(%y : memref<1x2x6x12x16xbf16>)
  return
}

// -----

// Two rows of six columns, times two sums, are a register tile, as long as there are so many.
// CHECK-LABEL: func @groups_of_unknown_height_join_rows
// CHECK: memref.dim
// CHECK: :24 = scf.for
// CHECK-COUNT-24: vector.fma
// CHECK-NOT: VPU.NCE
func.func @groups_of_unknown_height_join_rows(%x: memref<1x1x?x8x16xf32>, %w: memref<1x3x3x2x16xf32>, %y: memref<1x1x?x6x16xf32>) {
  VPU.NCE.GroupConvolution ins(%x, %w : memref<1x1x?x8x16xf32>, memref<1x3x3x2x16xf32>) outs(%y : memref<1x1x?x6x16xf32>)
  return
}
