// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=2" --vpu-group-loops="min-cycles=1000" --split-input-file | FileCheck %s
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-group-loops="min-cycles=1000" --split-input-file | FileCheck %s --check-prefix=ONE

// ONE-NOT: VPU.group

// What the second loop starts from stays in front of both; what needs the first
// one comes behind.
// CHECK-LABEL: func @directions_run_beside_each_other
// CHECK: linalg.exp
// CHECK: scf.for
// CHECK: } {VPU.group = 0 : i64, nacre.has_steps}
// CHECK-NEXT: scf.for
// CHECK: } {VPU.group = 0 : i64, nacre.has_steps}
// CHECK-NEXT: linalg.abs
func.func @directions_run_beside_each_other(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %many = arith.constant 100 : index
  %e = tensor.empty() : tensor<64x64xf32>
  %a = scf.for %i = %zero to %many step %one iter_args(%s = %x) -> tensor<64x64xf32> {
    %t = linalg.tanh ins(%s : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  } {nacre.has_steps}
  %f = linalg.abs ins(%a : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %g = linalg.exp ins(%y : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %b = scf.for %i = %zero to %many step %one iter_args(%s = %g) -> tensor<64x64xf32> {
    %t = linalg.tanh ins(%s : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  } {nacre.has_steps}
  return %f, %b : tensor<64x64xf32>, tensor<64x64xf32>
}

// -----

// CHECK-LABEL: func @loop_that_needs_another_waits
// CHECK-NOT: VPU.group
func.func @loop_that_needs_another_waits(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %many = arith.constant 100 : index
  %e = tensor.empty() : tensor<64x64xf32>
  %a = scf.for %i = %zero to %many step %one iter_args(%s = %x) -> tensor<64x64xf32> {
    %t = linalg.tanh ins(%s : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  } {nacre.has_steps}
  %g = linalg.exp ins(%a : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %b = scf.for %i = %zero to %many step %one iter_args(%s = %g) -> tensor<64x64xf32> {
    %t = linalg.tanh ins(%s : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  } {nacre.has_steps}
  return %b : tensor<64x64xf32>
}

// -----

// A long loop beside a short one leaves a cluster idle, which could have half of
// the long one's products.
// CHECK-LABEL: func @loops_of_very_different_length_stay_apart
// CHECK-NOT: VPU.group
func.func @loops_of_very_different_length_stay_apart(%x: tensor<1x64x256xf32>, %w: tensor<1x16x256x16xf32>) -> (tensor<1x64x256xf32>, tensor<1x64x256xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %few = arith.constant 2 : index
  %many = arith.constant 100 : index
  %e = tensor.empty() : tensor<1x64x256xf32>
  %a = scf.for %i = %zero to %many step %one iter_args(%s = %x) -> tensor<1x64x256xf32> {
    %t = VPU.NCE.MatMul ins(%s, %w : tensor<1x64x256xf32>, tensor<1x16x256x16xf32>) outs(%e : tensor<1x64x256xf32>) -> tensor<1x64x256xf32>
    scf.yield %t : tensor<1x64x256xf32>
  } {nacre.has_steps}
  %b = scf.for %i = %zero to %few step %one iter_args(%s = %x) -> tensor<1x64x256xf32> {
    %t = VPU.NCE.MatMul ins(%s, %w : tensor<1x64x256xf32>, tensor<1x16x256x16xf32>) outs(%e : tensor<1x64x256xf32>) -> tensor<1x64x256xf32>
    scf.yield %t : tensor<1x64x256xf32>
  } {nacre.has_steps}
  return %a, %b : tensor<1x64x256xf32>, tensor<1x64x256xf32>
}

// -----

// CHECK-LABEL: func @what_has_effects_keeps_its_place
// CHECK-NOT: VPU.group
func.func private @sample(tensor<64x64xf32>) -> tensor<64x64xf32>
func.func @what_has_effects_keeps_its_place(%x: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %many = arith.constant 100 : index
  %e = tensor.empty() : tensor<64x64xf32>
  %a = scf.for %i = %zero to %many step %one iter_args(%s = %x) -> tensor<64x64xf32> {
    %t = func.call @sample(%s) : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %u = linalg.tanh ins(%t : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %u : tensor<64x64xf32>
  } {nacre.has_steps}
  %b = scf.for %i = %zero to %many step %one iter_args(%s = %x) -> tensor<64x64xf32> {
    %t = linalg.tanh ins(%s : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  } {nacre.has_steps}
  return %a, %b : tensor<64x64xf32>, tensor<64x64xf32>
}
