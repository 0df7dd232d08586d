// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-verify-strategies=decided=groups --split-input-file --verify-diagnostics
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-fuse-rows --split-input-file --verify-diagnostics

func.func @copy_is_no_reduction(%x: tensor<64xf32>, %a: tensor<64xf32>) -> tensor<64xf32> {
  // expected-error@+1 {{expected no merge: it is no structured op on tensors, outside of loops, that reduces operands}}
  %0 = linalg.copy {VPU.strategy = #VPU.strategy<merge = 1>} ins(%x : tensor<64xf32>) outs(%a : tensor<64xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

#all = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>

func.func @one_op_is_no_set(%x: tensor<64xf32>, %a: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{expected more ops with merge = 3 than this one}}
  %0 = linalg.generic {indexing_maps = [#all, #none], iterator_types = ["reduction"]} ins(%x : tensor<64xf32>) outs(%a : tensor<f32>) attrs = {VPU.strategy = #VPU.strategy<merge = 3>} {
  ^bb0(%in: f32, %out: f32):
    %m = arith.addf %out, %in : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

#all = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>

func.func @other_operands_are_not_read_along(%x: tensor<64xf32>, %y: tensor<64xf32>, %a: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  // expected-note@+1 {{the first op is here}}
  %0 = linalg.generic {indexing_maps = [#all, #none], iterator_types = ["reduction"]} ins(%x : tensor<64xf32>) outs(%a : tensor<f32>) attrs = {VPU.strategy = #VPU.strategy<merge = 1>} {
  ^bb0(%in: f32, %out: f32):
    %m = arith.addf %out, %in : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  // expected-error@+1 {{expected no merge: it reads other operands than the first op of merge = 1}}
  %1 = linalg.generic {indexing_maps = [#all, #none], iterator_types = ["reduction"]} ins(%y : tensor<64xf32>) outs(%a : tensor<f32>) attrs = {VPU.strategy = #VPU.strategy<merge = 1>} {
  ^bb0(%in: f32, %out: f32):
    %m = arith.addf %out, %in : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}

// -----

#all = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>

func.func @a_reduction_that_goes_on_is_not_merged(%x: tensor<64xf32>, %a: tensor<f32>) -> tensor<f32> {
  // expected-note@+1 {{the op with merge = 1 that it needs is here}}
  %0 = linalg.generic {indexing_maps = [#all, #none], iterator_types = ["reduction"]} ins(%x : tensor<64xf32>) outs(%a : tensor<f32>) attrs = {VPU.strategy = #VPU.strategy<merge = 1>} {
  ^bb0(%in: f32, %out: f32):
    %m = arith.addf %out, %in : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  // expected-error@+1 {{expected no merge: it needs what another op of its set computes}}
  %1 = linalg.generic {indexing_maps = [#all, #none], iterator_types = ["reduction"]} ins(%x : tensor<64xf32>) outs(%0 : tensor<f32>) attrs = {VPU.strategy = #VPU.strategy<merge = 1>} {
  ^bb0(%in: f32, %out: f32):
    %m = arith.addf %out, %in : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  return %1 : tensor<f32>
}

// -----

#row = affine_map<(d0, d1) -> (d1)>
#out = affine_map<(d0, d1) -> (d0)>

func.func @unknown_extents_are_not_the_same(%x: tensor<64xf32>, %a: tensor<?xf32>, %b: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  // expected-note@+1 {{the first op is here}}
  %least = linalg.generic {indexing_maps = [#row, #out], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64xf32>) outs(%a : tensor<?xf32>) attrs = {VPU.strategy = #VPU.strategy<merge = 1>} {
  ^bb0(%in: f32, %out: f32):
    %m = arith.minimumf %out, %in : f32
    linalg.yield %m : f32
  } -> tensor<?xf32>
  // expected-error@+1 {{expected no merge: it reads by loops of other extents than the first op of merge = 1}}
  %most = linalg.generic {indexing_maps = [#row, #out], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64xf32>) outs(%b : tensor<?xf32>) attrs = {VPU.strategy = #VPU.strategy<merge = 1>} {
  ^bb0(%in: f32, %out: f32):
    %m = arith.maximumf %out, %in : f32
    linalg.yield %m : f32
  } -> tensor<?xf32>
  return %least, %most : tensor<?xf32>, tensor<?xf32>
}

// -----

#all = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>

// As one op, the first set needs the second one, which needs the first.
func.func @sets_that_span_each_other_are_refused(%x: tensor<64xf32>, %y: tensor<64xf32>, %i: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  // expected-note@+1 {{the op with merge = 1 that it needs is here}}
  %a = linalg.generic {indexing_maps = [#all, #none], iterator_types = ["reduction"]} ins(%x : tensor<64xf32>) outs(%i : tensor<f32>) attrs = {VPU.strategy = #VPU.strategy<merge = 1>} {
  ^bb0(%in: f32, %out: f32):
    %m = arith.minimumf %out, %in : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  // expected-note@+1 {{the other one is here}}
  %c = linalg.generic {indexing_maps = [#all, #none], iterator_types = ["reduction"]} ins(%y : tensor<64xf32>) outs(%a : tensor<f32>) attrs = {VPU.strategy = #VPU.strategy<merge = 2>} {
  ^bb0(%in: f32, %out: f32):
    %m = arith.minimumf %out, %in : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  // expected-note@+1 {{by this op, which merge = 2 makes one with another one}}
  %d = linalg.generic {indexing_maps = [#all, #none], iterator_types = ["reduction"]} ins(%y : tensor<64xf32>) outs(%i : tensor<f32>) attrs = {VPU.strategy = #VPU.strategy<merge = 2>} {
  ^bb0(%in: f32, %out: f32):
    %m = arith.maximumf %out, %in : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  // expected-error@+1 {{expected no merge: it needs what another op of its set computes}}
  %b = linalg.generic {indexing_maps = [#all, #none], iterator_types = ["reduction"]} ins(%x : tensor<64xf32>) outs(%d : tensor<f32>) attrs = {VPU.strategy = #VPU.strategy<merge = 1>} {
  ^bb0(%in: f32, %out: f32):
    %m = arith.maximumf %out, %in : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  return %c, %b : tensor<f32>, tensor<f32>
}
