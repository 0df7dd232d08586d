// RUN: nacre-opt %s --init-compiler=vpu-arch=NPU37XX --vpu-verify-strategies=decided=software --verify-diagnostics

func.func @engine_without_cores(%x: tensor<8x64xf32>, %e: tensor<8x64xf32>) -> tensor<8x64xf32> {
  // expected-error@+1 {{expected no parts: NPU37XX has no cores that share software kernels}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) attrs = {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [2, 1]>} {
  ^bb0(%i0: f32, %o0: f32):
    %1 = math.exp %i0 : f32
    linalg.yield %1 : f32
  } -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}
