// The threads that computed what an op reads are awake: less work pays for them.
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=2" --vpu-choose-strategies=decide=software --split-input-file | FileCheck %s

// CHECK-LABEL: @small_copy_that_reads_what_cores_share_is_split
// CHECK: VPU.NCE.Eltwise
// CHECK: VPU.Copy {{.*}} {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [1, 1, 2, 1]>,
// CHECK: VPU.Copy
// CHECK-NOT: VPU.strategy
func.func @small_copy_that_reads_what_cores_share_is_split(%x: tensor<1x8x14x14x16xf32>, %y: tensor<1x8x14x14x16xf32>, %e: tensor<1x8x14x14x16xf32>) -> (tensor<1x128x14x14xf32>, tensor<1x128x14x14xf32>) {
  %0 = scf.forall (%row) = (0) to (14) step (7) shared_outs(%out = %e) -> tensor<1x8x14x14x16xf32> {
    %in = tensor.extract_slice %x[0, 0, %row, 0, 0] [1, 8, 7, 14, 16] [1, 1, 1, 1, 1] : tensor<1x8x14x14x16xf32> to tensor<1x8x7x14x16xf32>
    %part = tensor.extract_slice %out[0, 0, %row, 0, 0] [1, 8, 7, 14, 16] [1, 1, 1, 1, 1] : tensor<1x8x14x14x16xf32> to tensor<1x8x7x14x16xf32>
    %sum = VPU.NCE.Eltwise ins(%in, %in : tensor<1x8x7x14x16xf32>, tensor<1x8x7x14x16xf32>) outs(%part : tensor<1x8x7x14x16xf32>) {kind = #VPU.eltwise<ADD>} -> tensor<1x8x7x14x16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %sum into %out[0, 0, %row, 0, 0] [1, 8, 7, 14, 16] [1, 1, 1, 1, 1] : tensor<1x8x7x14x16xf32> into tensor<1x8x14x14x16xf32>
    }
  } {mapping = [#VPU.cluster<SplitOverHeight>]}
  %init = tensor.empty() : tensor<1x128x14x14xf32>
  %1 = VPU.Copy ins(%0 : tensor<1x8x14x14x16xf32>) outs(%init : tensor<1x128x14x14xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHW>} -> tensor<1x128x14x14xf32>
  %2 = VPU.Copy ins(%y : tensor<1x8x14x14x16xf32>) outs(%init : tensor<1x128x14x14xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHW>} -> tensor<1x128x14x14xf32>
  return %1, %2 : tensor<1x128x14x14xf32>, tensor<1x128x14x14xf32>
}

// -----

// So are those of an op that the same run gives parts.
// CHECK-LABEL: @small_kernel_that_reads_what_cores_will_share_is_split
// CHECK: parts = [2, 1]>
// CHECK: parts = [2, 1]>
// CHECK-NOT: parts
func.func @small_kernel_that_reads_what_cores_will_share_is_split(%x: tensor<512x512xf32>, %e: tensor<512x512xf32>, %w: tensor<48x64xf32>, %s: tensor<48x64xf32>) -> (tensor<512x512xf32>, tensor<48x64xf32>, tensor<48x64xf32>) {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<512x512xf32>) outs(%e : tensor<512x512xf32>) {
  ^bb0(%i0: f32, %o0: f32):
    %1 = math.exp %i0 : f32
    linalg.yield %1 : f32
  } -> tensor<512x512xf32>
  %v = tensor.extract_slice %0[0, 0] [48, 64] [1, 1] : tensor<512x512xf32> to tensor<48x64xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v : tensor<48x64xf32>) outs(%s : tensor<48x64xf32>) {
  ^bb0(%i0: f32, %o0: f32):
    %1 = math.exp %i0 : f32
    linalg.yield %1 : f32
  } -> tensor<48x64xf32>
  %4 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<48x64xf32>) outs(%s : tensor<48x64xf32>) {
  ^bb0(%i0: f32, %o0: f32):
    %1 = math.exp %i0 : f32
    linalg.yield %1 : f32
  } -> tensor<48x64xf32>
  return %0, %2, %4 : tensor<512x512xf32>, tensor<48x64xf32>, tensor<48x64xf32>
}

// -----

// CHECK-LABEL: @small_kernel_that_reads_what_one_core_computes_stays
// CHECK: VPU.strategy = #VPU.strategy<>
// CHECK-NOT: parts
func.func @small_kernel_that_reads_what_one_core_computes_stays(%x: tensor<512x512xf32>, %e: tensor<512x512xf32>, %w: tensor<48x64xf32>, %s: tensor<48x64xf32>) -> (tensor<512x512xf32>, tensor<48x64xf32>, tensor<48x64xf32>) {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<512x512xf32>) outs(%e : tensor<512x512xf32>) attrs = {VPU.strategy = #VPU.strategy<>} {
  ^bb0(%i0: f32, %o0: f32):
    %1 = math.exp %i0 : f32
    linalg.yield %1 : f32
  } -> tensor<512x512xf32>
  %v = tensor.extract_slice %0[0, 0] [48, 64] [1, 1] : tensor<512x512xf32> to tensor<48x64xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v : tensor<48x64xf32>) outs(%s : tensor<48x64xf32>) {
  ^bb0(%i0: f32, %o0: f32):
    %1 = math.exp %i0 : f32
    linalg.yield %1 : f32
  } -> tensor<48x64xf32>
  %4 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<48x64xf32>) outs(%s : tensor<48x64xf32>) {
  ^bb0(%i0: f32, %o0: f32):
    %1 = math.exp %i0 : f32
    linalg.yield %1 : f32
  } -> tensor<48x64xf32>
  return %0, %2, %4 : tensor<512x512xf32>, tensor<48x64xf32>, tensor<48x64xf32>
}

// -----

// One core combines the parts of a reduction.
// CHECK-LABEL: @small_kernel_that_reads_a_sum_of_parts_stays
// CHECK: parts = [2, 1]>
// CHECK-NOT: parts
func.func @small_kernel_that_reads_a_sum_of_parts_stays(%x: tensor<512x512xf32>, %e: tensor<f32>, %w: tensor<48x64xf32>, %s: tensor<48x64xf32>) -> tensor<48x64xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%x : tensor<512x512xf32>) outs(%e : tensor<f32>) {
  ^bb0(%i0: f32, %o0: f32):
    %1 = arith.addf %o0, %i0 : f32
    linalg.yield %1 : f32
  } -> tensor<f32>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%0, %w : tensor<f32>, tensor<48x64xf32>) outs(%s : tensor<48x64xf32>) {
  ^bb0(%i0: f32, %i1: f32, %o0: f32):
    %1 = arith.addf %i0, %i1 : f32
    %2 = math.exp %1 : f32
    linalg.yield %2 : f32
  } -> tensor<48x64xf32>
  return %2 : tensor<48x64xf32>
}
