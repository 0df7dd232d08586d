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

// -----

// A sample that is left of an odd number is computed behind the others. What each
// needs room for is not carried on.
// CHECK-LABEL: func @rest_is_a_loop_of_its_own
// CHECK-SAME: %[[N:[a-z0-9]+]]: index)
// CHECK-DAG: %[[ROOM:.*]] = tensor.empty() : tensor<64x64xf32>
// CHECK-DAG: %[[TWO:.*]] = arith.constant 2 : index
// CHECK: %[[LEFT:.*]] = arith.remui %[[N]], %[[TWO]]
// CHECK: %[[EVEN:.*]] = arith.subi %[[N]], %[[LEFT]]
// CHECK: %[[SHARED:.*]]:2 = scf.for %{{.*}} = %c0 to %[[EVEN]] step %c1
// CHECK: } {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?], grain = 1>, nacre.has_steps, nacre.independent = 0 : i64}
// CHECK: %[[ALL:.*]]:2 = scf.for %{{.*}} = %[[EVEN]] to %[[N]] step %c1 iter_args(%{{.*}} = %[[SHARED]]#0, %{{.*}} = %[[ROOM]])
// CHECK: } {nacre.has_steps}
// CHECK: return %[[ALL]]#0
func.func @rest_is_a_loop_of_its_own(%x: tensor<?x64x64xf32>, %n: index) -> tensor<?x64x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tensor.empty(%n) : tensor<?x64x64xf32>
  %e = tensor.empty() : tensor<64x64xf32>
  %y:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a, %u = %e) -> (tensor<?x64x64xf32>, tensor<64x64xf32>) {
    %p = tensor.extract_slice %x[%i, 0, 0] [1, 64, 64] [1, 1, 1] : tensor<?x64x64xf32> to tensor<64x64xf32>
    %t = linalg.abs ins(%p : tensor<64x64xf32>) outs(%u : tensor<64x64xf32>) -> tensor<64x64xf32>
    %r = tensor.insert_slice %t into %s[%i, 0, 0] [1, 64, 64] [1, 1, 1] : tensor<64x64xf32> into tensor<?x64x64xf32>
    scf.yield %r, %t : tensor<?x64x64xf32>, tensor<64x64xf32>
  } {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?], grain = 1, shareRest = true>, nacre.has_steps, nacre.independent = 0 : i64}
  return %y#0 : tensor<?x64x64xf32>
}
