// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-fuse-rows --split-input-file | FileCheck %s
// RUN: nacre-opt %s --init-compiler="vpu-arch=NPU37XX" --vpu-fuse-rows --split-input-file | FileCheck %s

#all = affine_map<(d0, d1) -> (d0, d1)>
#rows = affine_map<(d0, d1) -> (d0)>
#none = affine_map<(d0, d1) -> ()>

// What the second starts from, and what is computed between them, does not keep
// them apart.
// CHECK-LABEL: func @extremes_are_found_together
// CHECK-DAG: %[[LOW:.*]] = linalg.fill ins(%{{.*}}) outs(%{{.*}} : tensor<f32>)
// CHECK-DAG: %[[HIGH:.*]] = linalg.fill ins(%{{.*}}) outs(%{{.*}} : tensor<f32>)
// CHECK: %[[BOTH:.*]]:2 = linalg.generic {{.*}}iterator_types = ["reduction", "reduction"]} ins(%arg0 : tensor<64x128xf32>) outs(%[[LOW]], %[[HIGH]] : tensor<f32>, tensor<f32>)
// CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %[[A:.*]]: f32, %[[B:.*]]: f32)
// CHECK-DAG: %[[MIN:.*]] = arith.minimumf %[[A]], %[[X]]
// CHECK-DAG: %[[MAX:.*]] = arith.maximumf %[[B]], %[[X]]
// CHECK: linalg.yield %[[MIN]], %[[MAX]]
// CHECK: %[[LEAST:.*]] = math.absf %[[BOTH]]#0
// CHECK-NOT: "reduction"
// CHECK-NOT: VPU.strategy
// CHECK: return %[[LEAST]], %[[BOTH]]#1
func.func @extremes_are_found_together(%x: tensor<64x128xf32>) -> (tensor<f32>, tensor<f32>) {
  %large = arith.constant 0x7F800000 : f32
  %small = arith.constant 0xFF800000 : f32
  %0 = tensor.empty() : tensor<f32>
  %1 = linalg.fill ins(%large : f32) outs(%0 : tensor<f32>) -> tensor<f32>
  %least = linalg.generic {indexing_maps = [#all, #none], iterator_types = ["reduction", "reduction"]} ins(%x : tensor<64x128xf32>) outs(%1 : tensor<f32>) attrs = {VPU.strategy = #VPU.strategy<merge = 1>} {
  ^bb0(%in: f32, %out: f32):
    %m = arith.minimumf %out, %in : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  %abs = math.absf %least : tensor<f32>
  %2 = linalg.fill ins(%small : f32) outs(%0 : tensor<f32>) -> tensor<f32>
  %most = linalg.generic {indexing_maps = [#all, #none], iterator_types = ["reduction", "reduction"]} ins(%x : tensor<64x128xf32>) outs(%2 : tensor<f32>) attrs = {VPU.strategy = #VPU.strategy<merge = 1>} {
  ^bb0(%in: f32, %out: f32):
    %m = arith.maximumf %out, %in : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  return %abs, %most : tensor<f32>, tensor<f32>
}

// -----

#all = affine_map<(d0, d1) -> (d0, d1)>
#rows = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: func @reductions_without_a_strategy_stay_apart
// CHECK-NOT: :2 = linalg.generic
// CHECK-NOT: VPU.strategy
func.func @reductions_without_a_strategy_stay_apart(%x: tensor<64x128xf32>, %a: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %0 = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x128xf32>) outs(%a : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.addf %out, %in : f32
    linalg.yield %m : f32
  } -> tensor<64xf32>
  %1 = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x128xf32>) outs(%a : tensor<64xf32>) attrs = {VPU.strategy = #VPU.strategy<>} {
  ^bb0(%in: f32, %out: f32):
    %m = arith.maximumf %out, %in : f32
    linalg.yield %m : f32
  } -> tensor<64xf32>
  return %0, %1 : tensor<64xf32>, tensor<64xf32>
}
