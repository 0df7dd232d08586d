// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=2" --vpu-distribute-software="min-cycles=8000" --split-input-file | FileCheck %s
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-distribute-software="min-cycles=8000" --split-input-file | FileCheck %s --check-prefix=ONE

// One core needs no distribution.
// ONE-NOT: scf.forall

// CHECK-LABEL: @large_copy_is_split_over_images
func.func @large_copy_is_split_over_images(%x: tensor<4x34x56x56xf32>) -> tensor<4x3x56x56x16xf32> {
  %e = tensor.empty() : tensor<4x3x56x56x16xf32>
  // CHECK: scf.forall (%{{.*}}) = (0) to (4) step (2)
  // CHECK: VPU.Copy ins(%{{.*}} : tensor<2x34x56x56xf32>) outs(%{{.*}} : tensor<2x3x56x56x16xf32>)
  %0 = VPU.Copy ins(%x : tensor<4x34x56x56xf32>) outs(%e : tensor<4x3x56x56x16xf32>) {srcOrder = #VPU.order<NCHW>, dstOrder = #VPU.order<NCHWc>} -> tensor<4x3x56x56x16xf32>
  return %0 : tensor<4x3x56x56x16xf32>
}

// -----

// The channels do not fill their blocks, so a part of the blocks is no part of
// the channels; rows split into parts of one size, which need not be one per
// core.
// CHECK-LABEL: @copy_of_odd_rows_is_split_into_equal_parts
func.func @copy_of_odd_rows_is_split_into_equal_parts(%x: tensor<1x60x55x55xf32>) -> tensor<1x4x55x55x16xf32> {
  %e = tensor.empty() : tensor<1x4x55x55x16xf32>
  // CHECK: scf.forall (%{{.*}}) = (0) to (55) step (11)
  %0 = VPU.Copy ins(%x : tensor<1x60x55x55xf32>) outs(%e : tensor<1x4x55x55x16xf32>) {srcOrder = #VPU.order<NCHW>, dstOrder = #VPU.order<NCHWc>} -> tensor<1x4x55x55x16xf32>
  return %0 : tensor<1x4x55x55x16xf32>
}

// -----

// CHECK-LABEL: @large_software_kernel_is_split_over_its_rows
#map = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @large_software_kernel_is_split_over_its_rows(%x: tensor<512x1024xf32>, %e: tensor<512xf32>) -> tensor<512xf32> {
  // CHECK: scf.forall (%{{.*}}) = (0) to (512) step (256)
  // CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<256x1024xf32>)
  %0 = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<512x1024xf32>) outs(%e : tensor<512xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.addf %out, %in : f32
    linalg.yield %1 : f32
  } -> tensor<512xf32>
  return %0 : tensor<512xf32>
}

// -----

// A filter that runs backwards: the first element of a part does not read the
// first of what the part reads, which linalg takes for granted.
// CHECK-LABEL: @kernel_that_reads_backwards_stays
#back = affine_map<(i, j, k) -> (i - k + 2, j)>
#tap = affine_map<(i, j, k) -> (k)>
#out = affine_map<(i, j, k) -> (i, j)>
func.func @kernel_that_reads_backwards_stays(%x: tensor<514x512xf32>, %w: tensor<3xf32>, %e: tensor<512x512xf32>) -> tensor<512x512xf32> {
  // CHECK-NOT: scf.forall
  // CHECK: return
  %0 = linalg.generic {indexing_maps = [#back, #tap, #out], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<514x512xf32>, tensor<3xf32>) outs(%e : tensor<512x512xf32>) {
  ^bb0(%in: f32, %tap: f32, %out: f32):
    %1 = arith.mulf %in, %tap : f32
    %2 = arith.addf %out, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<512x512xf32>
  return %0 : tensor<512x512xf32>
}

// -----

// CHECK-LABEL: @small_software_kernel_stays
func.func @small_software_kernel_stays(%x: tensor<8x8xf32>, %e: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // CHECK-NOT: scf.forall
  %0 = linalg.exp ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// Channels come first and split evenly, but no part of them is a part of the
// blocks; rows are the next choice.
// CHECK-LABEL: @copy_whose_channels_cannot_be_split_is_split_over_rows
func.func @copy_whose_channels_cannot_be_split_is_split_over_rows(%x: tensor<1x2x56x112x16xf32>) -> tensor<1x24x56x112xf32> {
  %e = tensor.empty() : tensor<1x24x56x112xf32>
  // CHECK: scf.forall (%{{.*}}) = (0) to (56) step (28)
  // CHECK: VPU.Copy ins(%{{.*}} : tensor<1x2x28x112x16xf32>) outs(%{{.*}} : tensor<1x24x28x112xf32>)
  %0 = VPU.Copy ins(%x : tensor<1x2x56x112x16xf32>) outs(%e : tensor<1x24x56x112xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHW>} -> tensor<1x24x56x112xf32>
  return %0 : tensor<1x24x56x112xf32>
}

// -----

// A run makes one part of what is too little for two.
// CHECK: #[[ENOUGH:.*]] = affine_map<()[s0] -> (s0 floordiv 8, 1)>
// CHECK: #[[CLUSTERS:.*]] = affine_map<()[s0] -> (s0, 2)>
// CHECK-LABEL: func @kernel_of_dynamic_extent_is_split_at_run_time
// CHECK: %[[MOST:.*]] = affine.max #[[ENOUGH]]()[%{{.*}}]
// CHECK: %[[PARTS:.*]] = affine.min #[[CLUSTERS]]()[%[[MOST]]]
// CHECK: scf.forall (%{{.*}}) in (%[[PARTS]])
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<?x512xf32>)
func.func @kernel_of_dynamic_extent_is_split_at_run_time(%x: tensor<?x512xf32>, %init: tensor<?x512xf32>) -> tensor<?x512xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x512xf32>) outs(%init : tensor<?x512xf32>) {
  ^bb0(%a: f32, %b: f32):
    %e = math.exp %a : f32
    linalg.yield %e : f32
  } -> tensor<?x512xf32>
  return %0 : tensor<?x512xf32>
}

// -----

// CHECK-LABEL: func @copy_of_dynamic_rows_is_split_by_them
// CHECK: scf.forall (%{{.*}}) in (%{{.*}})
// CHECK: VPU.Copy ins(%{{.*}} : tensor<1x20x?x?xf32>) offset(%{{.*}}) outs(%{{.*}} : tensor<1x2x?x?x16xf32>)
func.func @copy_of_dynamic_rows_is_split_by_them(%x: tensor<1x20x?x?xf32>, %init: tensor<1x2x?x?x16xf32>) -> tensor<1x2x?x?x16xf32> {
  %0 = VPU.Copy ins(%x : tensor<1x20x?x?xf32>) outs(%init : tensor<1x2x?x?x16xf32>) {srcOrder = #VPU.order<NCHW>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 0, 1, 0>} -> tensor<1x2x?x?x16xf32>
  return %0 : tensor<1x2x?x?x16xf32>
}

// -----

// CHECK-LABEL: func @kernel_of_two_dynamic_extents_is_split_along_both
// CHECK: scf.forall (%{{.*}}, %{{.*}}) in (%{{.*}}, %{{.*}})
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<?x?x512xf32>)
// CHECK: mapping = [#VPU.cluster<SplitOverBatch>, #VPU.cluster<SplitOverHeight>]
func.func @kernel_of_two_dynamic_extents_is_split_along_both(%x: tensor<?x?x512xf32>, %init: tensor<?x?x512xf32>) -> tensor<?x?x512xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<?x?x512xf32>) outs(%init : tensor<?x?x512xf32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = math.exp %a : f32
    linalg.yield %1 : f32
  } -> tensor<?x?x512xf32>
  return %0 : tensor<?x?x512xf32>
}

// -----

#all = affine_map<(d0, d1) -> (d0, d1)>
#none = affine_map<(d0, d1) -> ()>

// Each core starts from the neutral element; what the whole starts from counts
// once.
// CHECK-LABEL: @part_of_a_reduction_is_for_each_core
func.func @part_of_a_reduction_is_for_each_core(%x: tensor<4096x384xf32>, %init: tensor<f32>) -> tensor<f32> {
  // CHECK: %[[START:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<2xf32>) -> tensor<2xf32>
  // CHECK: %[[PARTS:.*]] = scf.forall (%{{.*}}) = (0) to (4096) step (2048) shared_outs(%{{.*}} = %[[START]])
  // CHECK: linalg.generic {{.*}}iterator_types = ["reduction", "reduction"]} ins(%{{.*}} : tensor<2048x384xf32>)
  // CHECK: linalg.reduce ins(%[[PARTS]] : tensor<2xf32>) outs(%arg1 : tensor<f32>) dimensions = [0]
  %0 = linalg.generic {indexing_maps = [#all, #none], iterator_types = ["reduction", "reduction"]} ins(%x : tensor<4096x384xf32>) outs(%init : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.addf %out, %in : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

#all = affine_map<(d0, d1) -> (d0, d1)>
#none = affine_map<(d0, d1) -> ()>

// A difference cannot be combined of parts.
// CHECK-LABEL: @reduction_without_neutral_element_stays
// CHECK-NOT: scf.forall
func.func @reduction_without_neutral_element_stays(%x: tensor<4096x384xf32>, %init: tensor<f32>) -> tensor<f32> {
  %0 = linalg.generic {indexing_maps = [#all, #none], iterator_types = ["reduction", "reduction"]} ins(%x : tensor<4096x384xf32>) outs(%init : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.subf %in, %out : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// What bufferization copies, such as the old rows of a cache that grows: a run
// cuts the batch, or the rows where it is too small for that.
// CHECK-LABEL: func @copy_between_buffers_is_split
// CHECK: scf.forall (%{{.*}}, %{{.*}}) in (%{{.*}}, %{{.*}})
// CHECK: linalg.copy ins(%{{.*}} : memref<?x4x?x64xf32, strided<{{.*}}>>) outs(%{{.*}} : memref<?x4x?x64xf32, strided<{{.*}}>>)
func.func @copy_between_buffers_is_split(%x: memref<?x4x?x64xf32>, %y: memref<?x4x?x64xf32>) {
  linalg.copy ins(%x : memref<?x4x?x64xf32>) outs(%y : memref<?x4x?x64xf32>)
  return
}

// -----

// CHECK-LABEL: func @small_copy_between_buffers_stays
// CHECK-NOT: scf.forall
func.func @small_copy_between_buffers_stays(%x: memref<8x8xf32>, %y: memref<8x8xf32>) {
  linalg.copy ins(%x : memref<8x8xf32>) outs(%y : memref<8x8xf32>)
  return
}
