// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=2" --vpu-distribute-software --split-input-file | FileCheck %s

// CHECK-LABEL: @copy_has_parts_of_images
// CHECK-NOT: VPU.strategy
// CHECK: scf.forall (%{{.*}}) = (0) to (4) step (2)
// CHECK: VPU.Copy ins(%{{.*}} : tensor<2x34x56x56xf32>) outs(%{{.*}} : tensor<2x3x56x56x16xf32>)
// CHECK: mapping = [#VPU.cluster<SplitOverHeight>]
func.func @copy_has_parts_of_images(%x: tensor<4x34x56x56xf32>, %e: tensor<4x3x56x56x16xf32>) -> tensor<4x3x56x56x16xf32> {
  %0 = VPU.Copy ins(%x : tensor<4x34x56x56xf32>) outs(%e : tensor<4x3x56x56x16xf32>) {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [2, 1, 1, 1, 1]>, srcOrder = #VPU.order<NCHW>, dstOrder = #VPU.order<NCHWc>} -> tensor<4x3x56x56x16xf32>
  return %0 : tensor<4x3x56x56x16xf32>
}

// -----

// Each with its border.
// CHECK-LABEL: @copy_has_parts_of_blocks
// CHECK: scf.forall (%{{.*}}) in (2)
// CHECK: VPU.Copy ins(%{{.*}} : tensor<1x1x56x56x16xf32>) outs(%{{.*}} : tensor<1x1x58x58x16xf32>)
func.func @copy_has_parts_of_blocks(%x: tensor<1x2x56x56x16xf32>, %e: tensor<1x2x58x58x16xf32>) -> tensor<1x2x58x58x16xf32> {
  %0 = VPU.Copy ins(%x : tensor<1x2x56x56x16xf32>) outs(%e : tensor<1x2x58x58x16xf32>) {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [1, 2, 1, 1, 1]>, srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>} -> tensor<1x2x58x58x16xf32>
  return %0 : tensor<1x2x58x58x16xf32>
}

// -----

// As many parts as the strategy says, however many cores there are.
// CHECK-LABEL: @kernel_has_parts_of_columns
// CHECK: scf.forall (%{{.*}}) = (0) to (48) step (16)
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<64x16xf32>)
// CHECK-NOT: VPU.strategy
func.func @kernel_has_parts_of_columns(%x: tensor<64x48xf32>, %e: tensor<64x48xf32>) -> tensor<64x48xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x48xf32>) outs(%e : tensor<64x48xf32>) attrs = {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [1, 3]>} {
  ^bb0(%i0: f32, %o0: f32):
    %1 = math.exp %i0 : f32
    linalg.yield %1 : f32
  } -> tensor<64x48xf32>
  return %0 : tensor<64x48xf32>
}

// -----

// Nothing is decided here, however large the kernels are. What is to be whole is
// so as buffers, too.
// CHECK-LABEL: @kernel_without_parts_stays
// CHECK-NOT: scf.forall
// CHECK-NOT: VPU.strategy
// CHECK: VPU.strategy = #VPU.strategy<>
// CHECK-NOT: scf.forall
func.func @kernel_without_parts_stays(%x: tensor<4096x1024xf32>, %e: tensor<4096x1024xf32>) -> tensor<4096x1024xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4096x1024xf32>) outs(%e : tensor<4096x1024xf32>) {
  ^bb0(%i0: f32, %o0: f32):
    %1 = math.exp %i0 : f32
    linalg.yield %1 : f32
  } -> tensor<4096x1024xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<4096x1024xf32>) outs(%e : tensor<4096x1024xf32>) attrs = {VPU.strategy = #VPU.strategy<>} {
  ^bb0(%i0: f32, %o0: f32):
    %1 = math.exp %i0 : f32
    linalg.yield %1 : f32
  } -> tensor<4096x1024xf32>
  return %2 : tensor<4096x1024xf32>
}

// -----

// CHECK-LABEL: func @kernel_on_buffers_stays_whole
// CHECK-NOT: scf.forall
// CHECK-NOT: VPU.strategy
func.func @kernel_on_buffers_stays_whole(%x: memref<4096x1024xf32>, %y: memref<4096x1024xf32>) {
  linalg.exp {VPU.strategy = #VPU.strategy<>} ins(%x : memref<4096x1024xf32>) outs(%y : memref<4096x1024xf32>)
  return
}

// -----

// What is too little for two parts is one, at run time.
// CHECK: #[[ENOUGH:.*]] = affine_map<()[s0] -> (s0, 1)>
// CHECK: #[[CLUSTERS:.*]] = affine_map<()[s0] -> (s0, 2)>
// CHECK-LABEL: func @kernel_of_dynamic_extent_is_split_at_run_time
// CHECK: %[[GRAIN:.*]] = arith.constant 8 : index
// CHECK: %[[WORTH:.*]] = arith.divui %{{.*}}, %[[GRAIN]]
// CHECK: %[[MOST:.*]] = affine.max #[[ENOUGH]]()[%[[WORTH]]]
// CHECK: %[[PARTS:.*]] = affine.min #[[CLUSTERS]]()[%[[MOST]]]
// CHECK: %[[ROWS:.*]] = arith.ceildivui %{{.*}}, %[[PARTS]]
// CHECK: scf.forall (%{{.*}}) in (%[[PARTS]])
// CHECK: affine.apply {{.*}}[%[[ROWS]]
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<?x512xf32>)
func.func @kernel_of_dynamic_extent_is_split_at_run_time(%x: tensor<?x512xf32>, %e: tensor<?x512xf32>) -> tensor<?x512xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x512xf32>) outs(%e : tensor<?x512xf32>) attrs = {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?, 1], grain = 8>} {
  ^bb0(%i0: f32, %o0: f32):
    %1 = math.exp %i0 : f32
    linalg.yield %1 : f32
  } -> tensor<?x512xf32>
  return %0 : tensor<?x512xf32>
}

// -----

// There is nothing to do for any core.
// CHECK-LABEL: @kernel_of_a_loop_without_steps_is_not_split
// CHECK-NOT: scf.forall
// CHECK: linalg.abs ins(%{{.*}} : tensor<?x0xf32>)
func.func @kernel_of_a_loop_without_steps_is_not_split(%x: tensor<?x0xf32>, %e: tensor<?x0xf32>) -> tensor<?x0xf32> {
  %0 = linalg.abs {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?, 1], grain = 8>} ins(%x : tensor<?x0xf32>) outs(%e : tensor<?x0xf32>) -> tensor<?x0xf32>
  return %0 : tensor<?x0xf32>
}

// -----

// CHECK-LABEL: @kernel_of_a_loop_whose_steps_come_out_as_none_is_not_split
// CHECK-NOT: scf.forall
// CHECK: linalg.abs
func.func @kernel_of_a_loop_whose_steps_come_out_as_none_is_not_split(%x: tensor<?x?xf32>, %n: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %s = tensor.extract_slice %x[0, 0] [%c0, %n] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  %e = tensor.empty(%c0, %n) : tensor<?x?xf32>
  %0 = linalg.abs {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?, ?], grain = 8>} ins(%s : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @copy_of_dynamic_rows_is_split_by_them
// CHECK: scf.forall (%{{.*}}) in (%{{.*}})
// CHECK: VPU.Copy ins(%{{.*}} : tensor<1x20x?x?xf32>) offset(%{{.*}}) outs(%{{.*}} : tensor<1x2x?x?x16xf32>)
func.func @copy_of_dynamic_rows_is_split_by_them(%x: tensor<1x20x?x?xf32>, %e: tensor<1x2x?x?x16xf32>) -> tensor<1x2x?x?x16xf32> {
  %0 = VPU.Copy ins(%x : tensor<1x20x?x?xf32>) outs(%e : tensor<1x2x?x?x16xf32>) {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [1, 1, ?, 1, 1], grain = 100>, srcOrder = #VPU.order<NCHW>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 0, 1, 0>} -> tensor<1x2x?x?x16xf32>
  return %0 : tensor<1x2x?x?x16xf32>
}

// -----

// CHECK-LABEL: @kernel_of_two_dynamic_extents_is_split_along_both
// CHECK: scf.forall (%{{.*}}, %{{.*}}) in (%{{.*}}, %{{.*}})
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<?x?x512xf32>)
// CHECK: mapping = [#VPU.cluster<SplitOverBatch>, #VPU.cluster<SplitOverHeight>]
func.func @kernel_of_two_dynamic_extents_is_split_along_both(%x: tensor<?x?x512xf32>, %e: tensor<?x?x512xf32>) -> tensor<?x?x512xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<?x?x512xf32>) outs(%e : tensor<?x?x512xf32>) attrs = {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?, ?, 1], grain = 8>} {
  ^bb0(%i0: f32, %o0: f32):
    %1 = math.exp %i0 : f32
    linalg.yield %1 : f32
  } -> tensor<?x?x512xf32>
  return %0 : tensor<?x?x512xf32>
}

// -----

// Each core starts from the neutral element; what the whole starts from counts
// once.
// CHECK-LABEL: @part_of_a_reduction_is_for_each_core
// CHECK: %[[START:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<2xf32>) -> tensor<2xf32>
// CHECK: %[[PARTS:.*]] = scf.forall (%{{.*}}) = (0) to (4096) step (2048) shared_outs(%{{.*}} = %[[START]])
// CHECK: linalg.generic {{.*}}iterator_types = ["reduction", "reduction"]} ins(%{{.*}} : tensor<2048x384xf32>)
// CHECK: linalg.reduce ins(%[[PARTS]] : tensor<2xf32>) outs(%arg1 : tensor<f32>) dimensions = [0]
func.func @part_of_a_reduction_is_for_each_core(%x: tensor<4096x384xf32>, %e: tensor<f32>) -> tensor<f32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%x : tensor<4096x384xf32>) outs(%e : tensor<f32>) attrs = {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [2, 1]>} {
  ^bb0(%i0: f32, %o0: f32):
    %1 = arith.addf %o0, %i0 : f32
    linalg.yield %1 : f32
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
  linalg.copy {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?, 1, ?, 1], grain = 10>} ins(%x : memref<?x4x?x64xf32>) outs(%y : memref<?x4x?x64xf32>)
  return
}

// -----

// CHECK-LABEL: @rows_that_parts_leave_over_are_an_op_of_their_own
// CHECK: %[[PARTS:.*]] = scf.forall (%{{.*}}) = (0) to (52) step (13)
// CHECK: linalg.exp ins(%{{.*}} : tensor<13x64xf32>)
// CHECK: %[[FIRST:.*]] = tensor.insert_slice %[[PARTS]] into %{{.*}}[0, 0] [52, 64] [1, 1]
// CHECK: %[[PLACE:.*]] = tensor.extract_slice %[[FIRST]][52, 0] [3, 64] [1, 1]
// One core's as buffers, too.
// CHECK: %[[REST:.*]] = linalg.exp {VPU.strategy = #VPU.strategy<>} ins(%{{.*}} : tensor<3x64xf32>) outs(%[[PLACE]] : tensor<3x64xf32>)
// CHECK: %[[ALL:.*]] = tensor.insert_slice %[[REST]] into %[[FIRST]][52, 0] [3, 64] [1, 1]
// CHECK: return %[[ALL]]
func.func @rows_that_parts_leave_over_are_an_op_of_their_own(%x: tensor<55x64xf32>) -> tensor<55x64xf32> {
  %e = tensor.empty() : tensor<55x64xf32>
  %0 = linalg.exp {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [4, 1]>} ins(%x : tensor<55x64xf32>) outs(%e : tensor<55x64xf32>) -> tensor<55x64xf32>
  return %0 : tensor<55x64xf32>
}

// -----

// CHECK-LABEL: @rows_of_buffers_that_parts_leave_over_are_an_op_of_their_own
// CHECK: scf.forall (%{{.*}}) = (0) to (54) step (27)
// CHECK: linalg.exp ins(%{{.*}} : memref<27x64xf32, {{.*}}>) outs(%{{.*}} : memref<27x64xf32, {{.*}}>)
// CHECK: linalg.exp ins(%{{.*}} : memref<1x64xf32, {{.*}}>) outs(%{{.*}} : memref<1x64xf32, {{.*}}>)
// CHECK-NOT: linalg.exp
func.func @rows_of_buffers_that_parts_leave_over_are_an_op_of_their_own(%x: memref<55x64xf32>, %y: memref<55x64xf32>) {
  linalg.exp {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [2, 1]>} ins(%x : memref<55x64xf32>) outs(%y : memref<55x64xf32>)
  return
}

// -----

// They start from what the parts sum up to.
// CHECK-LABEL: @steps_of_a_reduction_that_parts_leave_over_go_on_from_them
// CHECK: %[[PARTS:.*]] = scf.forall (%{{.*}}) = (0) to (4096) step (2048)
// CHECK: %[[SUM:.*]] = linalg.reduce ins(%[[PARTS]] : tensor<2xf32>) outs(%{{.*}} : tensor<f32>) dimensions = [0]
// CHECK: %[[START:.*]] = tensor.insert_slice %[[SUM]] into %arg1
// CHECK: %[[FROM:.*]] = tensor.extract_slice %[[START]]
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<1x384xf32>) outs(%[[FROM]] : tensor<f32>)
func.func @steps_of_a_reduction_that_parts_leave_over_go_on_from_them(%x: tensor<4097x384xf32>, %e: tensor<f32>) -> tensor<f32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%x : tensor<4097x384xf32>) outs(%e : tensor<f32>) attrs = {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [2, 1]>} {
  ^bb0(%i0: f32, %o0: f32):
    %1 = arith.addf %o0, %i0 : f32
    linalg.yield %1 : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// What is around an image is filled first, so that the image can be computed
// where it belongs.
// CHECK-LABEL: @border_is_filled_before_the_image
// CHECK: scf.forall
// CHECK: linalg.fill
// CHECK: scf.forall
// CHECK: linalg.generic
// CHECK: tensor.insert_slice
func.func @border_is_filled_before_the_image(%x: tensor<64x48xf16>) -> tensor<64x50xf32> {
  %c0 = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x48xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x48xf16>) outs(%e : tensor<64x48xf32>) attrs = {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [2, 1]>} {
  ^bb0(%i0: f16, %o0: f32):
    %3 = arith.extf %i0 : f16 to f32
    linalg.yield %3 : f32
  } -> tensor<64x48xf32>
  %f = tensor.empty() : tensor<64x50xf32>
  %1 = linalg.fill {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [2, 1]>} ins(%c0 : f32) outs(%f : tensor<64x50xf32>) -> tensor<64x50xf32>
  %2 = tensor.insert_slice %0 into %1[0, 1] [64, 48] [1, 1] : tensor<64x48xf32> into tensor<64x50xf32>
  return %2 : tensor<64x50xf32>
}

// -----

// Not where the image says what it is filled with.
// CHECK-LABEL: @border_of_the_image_s_elements_comes_after_it
// CHECK: linalg.generic
// CHECK: linalg.fill
// CHECK: tensor.insert_slice
func.func @border_of_the_image_s_elements_comes_after_it(%x: tensor<64x48xf32>) -> tensor<64x50xf32> {
  %e = tensor.empty() : tensor<64x48xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x48xf32>) outs(%e : tensor<64x48xf32>) attrs = {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [2, 1]>} {
  ^bb0(%i0: f32, %o0: f32):
    %3 = math.exp %i0 : f32
    linalg.yield %3 : f32
  } -> tensor<64x48xf32>
  %c0 = arith.constant 0 : index
  %s = tensor.extract %0[%c0, %c0] : tensor<64x48xf32>
  %f = tensor.empty() : tensor<64x50xf32>
  %1 = linalg.fill {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [2, 1]>} ins(%s : f32) outs(%f : tensor<64x50xf32>) -> tensor<64x50xf32>
  %2 = tensor.insert_slice %0 into %1[0, 1] [64, 48] [1, 1] : tensor<64x48xf32> into tensor<64x50xf32>
  return %2 : tensor<64x50xf32>
}

// -----

// Of two cores one has all where the sums turn out to be short.
// CHECK-DAG: #[[MOST:.*]] = affine_map<()[s0] -> (s0, 1)>
// CHECK-DAG: #[[LEAST:.*]] = affine_map<()[s0] -> (s0, 2)>
// CHECK-LABEL: @sums_of_dynamic_length_have_parts_by_it
// CHECK-SAME: %[[X:.*]]: tensor<32x?xf32>
// CHECK: %[[LENGTH:.*]] = tensor.dim %[[X]], %{{.*}}
// CHECK: %[[GRAIN:.*]] = arith.constant 3000 : index
// CHECK: %[[WORTH:.*]] = arith.divui %[[LENGTH]], %[[GRAIN]]
// CHECK: %[[PARTS:.*]] = affine.max #[[MOST]]()[%[[WORTH]]]
// CHECK: %[[COUNT:.*]] = affine.min #[[LEAST]]()[%[[PARTS]]]
// CHECK: scf.forall (%{{.*}}) in (%[[COUNT]])
func.func @sums_of_dynamic_length_have_parts_by_it(%x: tensor<32x?xf32>, %e: tensor<32xf32>) -> tensor<32xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<32x?xf32>) outs(%e : tensor<32xf32>) attrs = {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?, 1], grain = 3000>} {
  ^bb0(%i0: f32, %o0: f32):
    %1 = arith.addf %o0, %i0 : f32
    linalg.yield %1 : f32
  } -> tensor<32xf32>
  return %0 : tensor<32xf32>
}

// -----

// Each part writes a part of both results, where their loops have it, and counts its
// rows from those before it.
// CHECK-LABEL: func @two_results_in_parts_that_a_run_counts
// CHECK: scf.forall (%{{.*}}) in (%{{.*}}) shared_outs(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}})
// CHECK: linalg.generic
// CHECK: %[[ROW:.*]] = linalg.index 0
// CHECK: affine.apply {{.*}}%[[ROW]]]
// CHECK: tensor.parallel_insert_slice %{{.*}} into %[[A]][%[[FIRST:.*]], 0]
// CHECK: tensor.parallel_insert_slice %{{.*}} into %[[B]][0, %{{.*}}]
func.func @two_results_in_parts_that_a_run_counts(%x: tensor<?x64xf32>, %e: tensor<?x64xf32>, %t: tensor<64x?xindex>) -> (tensor<?x64xf32>, tensor<64x?xindex>) {
  %0:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1, d0)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x64xf32>) outs(%e, %t : tensor<?x64xf32>, tensor<64x?xindex>) attrs = {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?, 1], grain = 8>} {
  ^bb0(%i0: f32, %o0: f32, %o1: index):
    %1 = math.exp %i0 : f32
    %row = linalg.index 0 : index
    linalg.yield %1, %row : f32, index
  } -> (tensor<?x64xf32>, tensor<64x?xindex>)
  return %0#0, %0#1 : tensor<?x64xf32>, tensor<64x?xindex>
}
