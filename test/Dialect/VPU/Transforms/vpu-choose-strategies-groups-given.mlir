// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-choose-strategies="decide=groups min-cycles=1000" | FileCheck %s
// RUN: not nacre-opt %s --init-compiler="vpu-arch=NPU37XX" --vpu-choose-strategies="decide=groups min-cycles=1000" 2>&1 | FileCheck %s --check-prefix=NPU

// NPU: error: {{.*}} expected no group: NPU37XX has no cache that kernels share

// What a person wrote stays, and its ops are in no other group.
// CHECK-LABEL: @given_group_stays
// CHECK: VPU.strategy = #VPU.strategy<>
// CHECK: VPU.strategy = #VPU.strategy<group = 7>
// CHECK: VPU.strategy = #VPU.strategy<group = 7, block = [4, 0]>
func.func @given_group_stays(%x: tensor<512x128xf32>) -> tensor<512x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x128xf32>
  %r = tensor.empty() : tensor<512xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%r : tensor<512xf32>) -> tensor<512xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<512x128xf32>) outs(%e : tensor<512x128xf32>) attrs = {VPU.strategy = #VPU.strategy<>} {
  ^bb0(%in: f32, %out: f32):
    %y = math.exp %in : f32
    linalg.yield %y : f32
  } -> tensor<512x128xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<512x128xf32>) outs(%fill : tensor<512xf32>) attrs = {VPU.strategy = #VPU.strategy<group = 7>} {
  ^bb0(%in: f32, %out: f32):
    %y = arith.addf %in, %out : f32
    linalg.yield %y : f32
  } -> tensor<512xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%0, %1 : tensor<512x128xf32>, tensor<512xf32>) outs(%e : tensor<512x128xf32>) attrs = {VPU.strategy = #VPU.strategy<group = 7, block = [4, 0]>} {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %y = arith.divf %a, %b : f32
    linalg.yield %y : f32
  } -> tensor<512x128xf32>
  return %2 : tensor<512x128xf32>
}
