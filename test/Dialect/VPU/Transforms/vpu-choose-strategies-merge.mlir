// What strategy is chosen, not what becomes of it; the same on all machines.
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-choose-strategies="decide=groups min-cycles=100000000" --vpu-verify-strategies=decided=groups --split-input-file | FileCheck %s
// RUN: nacre-opt %s --init-compiler="vpu-arch=aarch64 threads=2" --vpu-choose-strategies="decide=groups min-cycles=100000000" --split-input-file | FileCheck %s
// RUN: nacre-opt %s --init-compiler="vpu-arch=NPU37XX" --vpu-choose-strategies="decide=groups min-cycles=100000000" --split-input-file | FileCheck %s

#all = affine_map<(d0, d1) -> (d0, d1)>
#rows = affine_map<(d0, d1) -> (d0)>
#none = affine_map<(d0, d1) -> ()>

// What the second starts from, and what is computed between them, does not keep
// them apart.
// CHECK-LABEL: func @extremes_are_found_together
// CHECK-COUNT-2: linalg.generic {{.*}}iterator_types = ["reduction", "reduction"]{{.*}}#VPU.strategy<merge = 1>
func.func @extremes_are_found_together(%x: tensor<64x128xf32>) -> (tensor<f32>, tensor<f32>) {
  %large = arith.constant 0x7F800000 : f32
  %small = arith.constant 0xFF800000 : f32
  %0 = tensor.empty() : tensor<f32>
  %1 = linalg.fill ins(%large : f32) outs(%0 : tensor<f32>) -> tensor<f32>
  %least = linalg.generic {indexing_maps = [#all, #none], iterator_types = ["reduction", "reduction"]} ins(%x : tensor<64x128xf32>) outs(%1 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.minimumf %out, %in : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  %abs = math.absf %least : tensor<f32>
  %2 = linalg.fill ins(%small : f32) outs(%0 : tensor<f32>) -> tensor<f32>
  %most = linalg.generic {indexing_maps = [#all, #none], iterator_types = ["reduction", "reduction"]} ins(%x : tensor<64x128xf32>) outs(%2 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.maximumf %out, %in : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  return %abs, %most : tensor<f32>, tensor<f32>
}

// -----

#all = affine_map<(d0, d1) -> (d0, d1)>
#rows = affine_map<(d0, d1) -> (d0)>
#columns = affine_map<(d0, d1) -> (d1)>

// CHECK-LABEL: func @reductions_by_other_loops_stay_apart
// CHECK-NOT: merge
func.func @reductions_by_other_loops_stay_apart(%x: tensor<64x128xf32>, %a: tensor<64xf32>, %b: tensor<128xf32>) -> (tensor<64xf32>, tensor<128xf32>) {
  %0 = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x128xf32>) outs(%a : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.addf %out, %in : f32
    linalg.yield %m : f32
  } -> tensor<64xf32>
  %1 = linalg.generic {indexing_maps = [#all, #columns], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<64x128xf32>) outs(%b : tensor<128xf32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.addf %out, %in : f32
    linalg.yield %m : f32
  } -> tensor<128xf32>
  return %0, %1 : tensor<64xf32>, tensor<128xf32>
}

// -----

#all = affine_map<(d0, d1) -> (d0, d1)>
#rows = affine_map<(d0, d1) -> (d0)>

// The second starts from the result of the first.
// CHECK-LABEL: func @a_reduction_that_goes_on_stays_apart
// CHECK-NOT: merge
func.func @a_reduction_that_goes_on_stays_apart(%x: tensor<64x128xf32>, %a: tensor<64xf32>) -> tensor<64xf32> {
  %0 = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x128xf32>) outs(%a : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.addf %out, %in : f32
    linalg.yield %m : f32
  } -> tensor<64xf32>
  %1 = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x128xf32>) outs(%0 : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.maximumf %out, %in : f32
    linalg.yield %m : f32
  } -> tensor<64xf32>
  return %1 : tensor<64xf32>
}

// -----

#all = affine_map<(d0, d1) -> (d0, d1)>
#rows = affine_map<(d0, d1) -> (d0)>

// A cache holds what is small.
// CHECK-LABEL: func @small_reductions_stay_apart
// CHECK-NOT: merge
func.func @small_reductions_stay_apart(%x: tensor<4x8xf32>, %a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x8xf32>) outs(%a : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.addf %out, %in : f32
    linalg.yield %m : f32
  } -> tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x8xf32>) outs(%a : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.maximumf %out, %in : f32
    linalg.yield %m : f32
  } -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

#all = affine_map<(d0, d1) -> (d0, d1)>
#none = affine_map<(d0, d1) -> ()>

// As one op, the first and the last would need what the second set computes, which
// needs the first.
// CHECK-LABEL: func @sets_that_need_each_other_are_not_made
// CHECK: linalg.generic {{.*}}ins(%arg0
// CHECK-NOT: merge
// CHECK: linalg.generic {{.*}}ins(%arg1 {{.*}}#VPU.strategy<merge = 1>
// CHECK: linalg.generic {{.*}}ins(%arg1 {{.*}}#VPU.strategy<merge = 1>
// CHECK: linalg.generic {{.*}}ins(%arg0
// CHECK-NOT: merge
func.func @sets_that_need_each_other_are_not_made(%x: tensor<64x128xf32>, %y: tensor<64x128xf32>, %i: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %a = linalg.generic {indexing_maps = [#all, #none], iterator_types = ["reduction", "reduction"]} ins(%x : tensor<64x128xf32>) outs(%i : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.minimumf %out, %in : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  %d = linalg.generic {indexing_maps = [#all, #none], iterator_types = ["reduction", "reduction"]} ins(%y : tensor<64x128xf32>) outs(%a : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.minimumf %out, %in : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  %c = linalg.generic {indexing_maps = [#all, #none], iterator_types = ["reduction", "reduction"]} ins(%y : tensor<64x128xf32>) outs(%i : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.maximumf %out, %in : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  %b = linalg.generic {indexing_maps = [#all, #none], iterator_types = ["reduction", "reduction"]} ins(%x : tensor<64x128xf32>) outs(%c : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.maximumf %out, %in : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  return %d, %b : tensor<f32>, tensor<f32>
}

// -----

#row = affine_map<(d0, d1) -> (d1)>
#out = affine_map<(d0, d1) -> (d0)>

// What is reduced is broadcast along four elements of one result and eight of
// the other.
// CHECK-LABEL: func @reductions_of_other_extents_stay_apart
// CHECK-NOT: merge =
func.func @reductions_of_other_extents_stay_apart(%x: tensor<8192xf32>, %a: tensor<4xf32>, %b: tensor<8xf32>) -> (tensor<4xf32>, tensor<8xf32>) {
  %least = linalg.generic {indexing_maps = [#row, #out], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8192xf32>) outs(%a : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.minimumf %out, %in : f32
    linalg.yield %m : f32
  } -> tensor<4xf32>
  %most = linalg.generic {indexing_maps = [#row, #out], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8192xf32>) outs(%b : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.maximumf %out, %in : f32
    linalg.yield %m : f32
  } -> tensor<8xf32>
  return %least, %most : tensor<4xf32>, tensor<8xf32>
}

// -----

#all = affine_map<(d0, d1) -> (d0, d1)>
#none = affine_map<(d0, d1) -> ()>

// What a person wrote stays: with the first and the last as one op, those in
// between cannot be one, as one of them needs it and the other is needed by it.
// CHECK-LABEL: func @no_set_is_made_that_a_given_one_spans
// CHECK: linalg.generic {{.*}}ins(%arg0 {{.*}}#VPU.strategy<merge = 1>
// CHECK-NOT: merge
// CHECK: linalg.generic {{.*}}ins(%arg0 {{.*}}#VPU.strategy<merge = 1>
func.func @no_set_is_made_that_a_given_one_spans(%x: tensor<64x128xf32>, %y: tensor<64x128xf32>, %i: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %a = linalg.generic {indexing_maps = [#all, #none], iterator_types = ["reduction", "reduction"]} ins(%x : tensor<64x128xf32>) outs(%i : tensor<f32>) attrs = {VPU.strategy = #VPU.strategy<merge = 1>} {
  ^bb0(%in: f32, %out: f32):
    %m = arith.minimumf %out, %in : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  %c = linalg.generic {indexing_maps = [#all, #none], iterator_types = ["reduction", "reduction"]} ins(%y : tensor<64x128xf32>) outs(%a : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.minimumf %out, %in : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  %d = linalg.generic {indexing_maps = [#all, #none], iterator_types = ["reduction", "reduction"]} ins(%y : tensor<64x128xf32>) outs(%i : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.maximumf %out, %in : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  %b = linalg.generic {indexing_maps = [#all, #none], iterator_types = ["reduction", "reduction"]} ins(%x : tensor<64x128xf32>) outs(%d : tensor<f32>) attrs = {VPU.strategy = #VPU.strategy<merge = 1>} {
  ^bb0(%in: f32, %out: f32):
    %m = arith.maximumf %out, %in : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  return %c, %b : tensor<f32>, tensor<f32>
}
