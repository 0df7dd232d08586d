// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=2" --vpu-choose-strategies="decide=concurrency min-cycles=1000" | FileCheck %s
// RUN: not nacre-opt %s --init-compiler="vpu-arch=NPU37XX" --vpu-choose-strategies="decide=concurrency min-cycles=1000" 2>&1 | FileCheck %s --check-prefix=NPU

// NPU: error: {{.*}} expected no group: NPU37XX has no cores that loops run on

// What was given stays, and the numbers of others follow.
// CHECK-LABEL: func @given_group_stays
// CHECK: } {VPU.strategy = #VPU.strategy<>, nacre.has_steps}
// CHECK: } {VPU.strategy = #VPU.strategy<group = 4>, nacre.has_steps}
// CHECK: } {VPU.strategy = #VPU.strategy<group = 5>, nacre.has_steps}
// CHECK: } {VPU.strategy = #VPU.strategy<group = 4>, nacre.has_steps}
// CHECK: } {VPU.strategy = #VPU.strategy<group = 5>, nacre.has_steps}
func.func @given_group_stays(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %many = arith.constant 100 : index
  %e = tensor.empty() : tensor<64x64xf32>
  %a = scf.for %i = %zero to %many step %one iter_args(%s = %x) -> tensor<64x64xf32> {
    %t = linalg.tanh ins(%s : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  } {VPU.strategy = #VPU.strategy<>, nacre.has_steps}
  %b = scf.for %i = %zero to %many step %one iter_args(%s = %y) -> tensor<64x64xf32> {
    %t = linalg.tanh ins(%s : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  } {VPU.strategy = #VPU.strategy<group = 4>, nacre.has_steps}
  %c = scf.for %i = %zero to %many step %one iter_args(%s = %x) -> tensor<64x64xf32> {
    %t = linalg.tanh ins(%s : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  } {nacre.has_steps}
  %d = scf.for %i = %zero to %many step %one iter_args(%s = %x) -> tensor<64x64xf32> {
    %t = linalg.tanh ins(%s : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  } {VPU.strategy = #VPU.strategy<group = 4>, nacre.has_steps}
  %f = scf.for %i = %zero to %many step %one iter_args(%s = %y) -> tensor<64x64xf32> {
    %t = linalg.tanh ins(%s : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  } {nacre.has_steps}
  return %a, %b, %c, %d, %f : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
}
