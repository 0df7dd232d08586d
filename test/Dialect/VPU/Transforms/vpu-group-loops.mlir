// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=2" --vpu-group-loops --split-input-file | FileCheck %s

// What the second loop starts from stays in front of both; what needs the first
// one comes behind.
// CHECK-LABEL: func @loops_of_a_group_follow_each_other
// CHECK: linalg.exp
// CHECK-NEXT: scf.for
// CHECK: } {VPU.strategy = #VPU.strategy<group = 1>, nacre.has_steps}
// CHECK-NEXT: scf.for
// CHECK: } {VPU.strategy = #VPU.strategy<group = 1>, nacre.has_steps}
// CHECK-NEXT: linalg.abs
func.func @loops_of_a_group_follow_each_other(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %many = arith.constant 100 : index
  %e = tensor.empty() : tensor<64x64xf32>
  %a = scf.for %i = %zero to %many step %one iter_args(%s = %x) -> tensor<64x64xf32> {
    %t = linalg.tanh ins(%s : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  } {VPU.strategy = #VPU.strategy<group = 1>, nacre.has_steps}
  %f = linalg.abs ins(%a : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %g = linalg.exp ins(%y : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %b = scf.for %i = %zero to %many step %one iter_args(%s = %g) -> tensor<64x64xf32> {
    %t = linalg.tanh ins(%s : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  } {VPU.strategy = #VPU.strategy<group = 1>, nacre.has_steps}
  return %f, %b : tensor<64x64xf32>, tensor<64x64xf32>
}

// -----

// The third loop needs the first, and changes places with the fourth.
// CHECK-LABEL: func @loops_of_two_groups_follow_each_other
// CHECK-COUNT-2: } {VPU.strategy = #VPU.strategy<group = 1>, nacre.has_steps}
// CHECK: linalg.exp
// CHECK-COUNT-2: } {VPU.strategy = #VPU.strategy<group = 2>, nacre.has_steps}
func.func @loops_of_two_groups_follow_each_other(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %many = arith.constant 100 : index
  %e = tensor.empty() : tensor<64x64xf32>
  %a = scf.for %i = %zero to %many step %one iter_args(%s = %x) -> tensor<64x64xf32> {
    %t = linalg.tanh ins(%s : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  } {VPU.strategy = #VPU.strategy<group = 1>, nacre.has_steps}
  %g = linalg.exp ins(%a : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %b = scf.for %i = %zero to %many step %one iter_args(%s = %g) -> tensor<64x64xf32> {
    %t = linalg.tanh ins(%s : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  } {VPU.strategy = #VPU.strategy<group = 2>, nacre.has_steps}
  %c = scf.for %i = %zero to %many step %one iter_args(%s = %y) -> tensor<64x64xf32> {
    %t = linalg.tanh ins(%s : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  } {VPU.strategy = #VPU.strategy<group = 1>, nacre.has_steps}
  %d = scf.for %i = %zero to %many step %one iter_args(%s = %y) -> tensor<64x64xf32> {
    %t = linalg.tanh ins(%s : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  } {VPU.strategy = #VPU.strategy<group = 2>, nacre.has_steps}
  return %b, %c, %d : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
}

// -----

// Nothing is decided, so nothing moves.
// CHECK-LABEL: func @loops_without_a_group_stay
// CHECK: scf.for
// CHECK: } {nacre.has_steps}
// CHECK-NEXT: linalg.abs
// CHECK-NEXT: scf.for
// CHECK: } {nacre.has_steps}
// CHECK-NOT: VPU.strategy
func.func @loops_without_a_group_stay(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %many = arith.constant 100 : index
  %e = tensor.empty() : tensor<64x64xf32>
  %a = scf.for %i = %zero to %many step %one iter_args(%s = %x) -> tensor<64x64xf32> {
    %t = linalg.tanh ins(%s : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  } {nacre.has_steps}
  %f = linalg.abs ins(%a : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %b = scf.for %i = %zero to %many step %one iter_args(%s = %y) -> tensor<64x64xf32> {
    %t = linalg.tanh ins(%s : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  } {VPU.strategy = #VPU.strategy<>, nacre.has_steps}
  return %f, %b : tensor<64x64xf32>, tensor<64x64xf32>
}
