// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=2" --vpu-choose-strategies="decide=software min-cycles=8000" | FileCheck %s
// RUN: not nacre-opt %s --init-compiler="vpu-arch=NPU37XX" --vpu-choose-strategies="decide=software min-cycles=8000" 2>&1 | FileCheck %s --check-prefix=NPU

// NPU: error: {{.*}} expected no parts: NPU37XX has no cores that share software kernels

// A kernel is whole, or has other parts, because a person said so.
// CHECK-LABEL: @given_strategies_stay
// CHECK: parts = [1, 4]>
// CHECK: VPU.strategy = #VPU.strategy<>
// CHECK: parts = [2, 1]>
func.func @given_strategies_stay(%x: tensor<512x1024xf32>, %e: tensor<512x1024xf32>) -> tensor<512x1024xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<512x1024xf32>) outs(%e : tensor<512x1024xf32>) attrs = {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [1, 4]>} {
  ^bb0(%i0: f32, %o0: f32):
    %1 = math.exp %i0 : f32
    linalg.yield %1 : f32
  } -> tensor<512x1024xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<512x1024xf32>) outs(%e : tensor<512x1024xf32>) attrs = {VPU.strategy = #VPU.strategy<>} {
  ^bb0(%i0: f32, %o0: f32):
    %1 = math.exp %i0 : f32
    linalg.yield %1 : f32
  } -> tensor<512x1024xf32>
  %4 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<512x1024xf32>) outs(%e : tensor<512x1024xf32>) {
  ^bb0(%i0: f32, %o0: f32):
    %1 = math.exp %i0 : f32
    linalg.yield %1 : f32
  } -> tensor<512x1024xf32>
  return %4 : tensor<512x1024xf32>
}
