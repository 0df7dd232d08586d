// Which loops run at the same time, architecture by architecture. Nothing moves.
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-choose-strategies="decide=concurrency min-cycles=1000" --split-input-file | FileCheck %s --check-prefix=NONE
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=2" --vpu-choose-strategies="decide=concurrency min-cycles=1000" --split-input-file | FileCheck %s --check-prefixes=CHECK,TWO
// RUN: nacre-opt %s --init-compiler="vpu-arch=sapphirerapids threads=3" --vpu-choose-strategies="decide=concurrency min-cycles=1000" --split-input-file | FileCheck %s --check-prefixes=CHECK,MORE
// RUN: nacre-opt %s --init-compiler="vpu-arch=aarch64 threads=4" --vpu-choose-strategies="decide=concurrency min-cycles=1000" --split-input-file | FileCheck %s --check-prefixes=CHECK,MORE
// RUN: nacre-opt %s --init-compiler="vpu-arch=NPU37XX" --vpu-choose-strategies="decide=concurrency min-cycles=1000" --split-input-file | FileCheck %s --check-prefix=NONE

// One core runs a loop at a time, and an NPU has none.
// NONE-NOT: group = {{[1-35]}}

// CHECK-LABEL: func @directions_are_a_group
// CHECK: scf.for
// CHECK: } {VPU.strategy = #VPU.strategy<group = 1>, nacre.has_steps}
// CHECK-NEXT: linalg.abs
// CHECK-NEXT: linalg.exp
// CHECK-NEXT: scf.for
// CHECK: } {VPU.strategy = #VPU.strategy<group = 1>, nacre.has_steps}
func.func @directions_are_a_group(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
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

// There are as many loops in a group as cores.
// CHECK-LABEL: func @three_loops
// CHECK: } {VPU.strategy = #VPU.strategy<group = 1>, nacre.has_steps}
// CHECK: } {VPU.strategy = #VPU.strategy<group = 1>, nacre.has_steps}
// TWO: } {nacre.has_steps}
// MORE: } {VPU.strategy = #VPU.strategy<group = 1>, nacre.has_steps}
func.func @three_loops(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %many = arith.constant 100 : index
  %e = tensor.empty() : tensor<64x64xf32>
  %a = scf.for %i = %zero to %many step %one iter_args(%s = %x) -> tensor<64x64xf32> {
    %t = linalg.tanh ins(%s : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  } {nacre.has_steps}
  %b = scf.for %i = %zero to %many step %one iter_args(%s = %y) -> tensor<64x64xf32> {
    %t = linalg.tanh ins(%s : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  } {nacre.has_steps}
  %c = scf.for %i = %zero to %many step %one iter_args(%s = %x) -> tensor<64x64xf32> {
    %t = linalg.tanh ins(%s : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  } {nacre.has_steps}
  return %a, %b, %c : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
}

// -----

// The second pair needs the first.
// CHECK-LABEL: func @two_layers_are_two_groups
// CHECK: } {VPU.strategy = #VPU.strategy<group = 1>, nacre.has_steps}
// CHECK: } {VPU.strategy = #VPU.strategy<group = 1>, nacre.has_steps}
// CHECK: linalg.add
// CHECK: } {VPU.strategy = #VPU.strategy<group = 2>, nacre.has_steps}
// CHECK: } {VPU.strategy = #VPU.strategy<group = 2>, nacre.has_steps}
func.func @two_layers_are_two_groups(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %many = arith.constant 100 : index
  %e = tensor.empty() : tensor<64x64xf32>
  %a = scf.for %i = %zero to %many step %one iter_args(%s = %x) -> tensor<64x64xf32> {
    %t = linalg.tanh ins(%s : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  } {nacre.has_steps}
  %b = scf.for %i = %zero to %many step %one iter_args(%s = %y) -> tensor<64x64xf32> {
    %t = linalg.tanh ins(%s : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  } {nacre.has_steps}
  %h = linalg.add ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %c = scf.for %i = %zero to %many step %one iter_args(%s = %h) -> tensor<64x64xf32> {
    %t = linalg.tanh ins(%s : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  } {nacre.has_steps}
  %d = scf.for %i = %zero to %many step %one iter_args(%s = %h) -> tensor<64x64xf32> {
    %t = linalg.tanh ins(%s : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  } {nacre.has_steps}
  return %c, %d : tensor<64x64xf32>, tensor<64x64xf32>
}

// -----

// CHECK-LABEL: func @loop_that_needs_another_waits
// CHECK-NOT: VPU.strategy
func.func @loop_that_needs_another_waits(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> tensor<64x64xf32> {
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

// CHECK-LABEL: func @short_loops_stay_apart
// CHECK-NOT: VPU.strategy
func.func @short_loops_stay_apart(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %e = tensor.empty() : tensor<64x64xf32>
  %a = scf.for %i = %zero to %zero step %one iter_args(%s = %x) -> tensor<64x64xf32> {
    %t = linalg.tanh ins(%s : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  } {nacre.has_steps}
  %b = scf.for %i = %zero to %zero step %one iter_args(%s = %y) -> tensor<64x64xf32> {
    %t = linalg.tanh ins(%s : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  } {nacre.has_steps}
  return %a, %b : tensor<64x64xf32>, tensor<64x64xf32>
}

// -----

// A long loop beside a short one leaves a cluster idle, which could have half of
// the long one's products.
// CHECK-LABEL: func @loops_of_very_different_length_stay_apart
// CHECK-NOT: VPU.strategy
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

// Loops that are a kernel are shared in another way.
// CHECK-LABEL: func @loops_of_kernels_stay_apart
// CHECK-NOT: VPU.strategy
func.func @loops_of_kernels_stay_apart(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %many = arith.constant 100 : index
  %e = tensor.empty() : tensor<64x64xf32>
  %a = scf.for %i = %zero to %many step %one iter_args(%s = %x) -> tensor<64x64xf32> {
    %t = linalg.tanh ins(%s : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  }
  %b = scf.for %i = %zero to %many step %one iter_args(%s = %y) -> tensor<64x64xf32> {
    %t = linalg.tanh ins(%s : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  }
  return %a, %b : tensor<64x64xf32>, tensor<64x64xf32>
}

// -----

// CHECK-LABEL: func @what_has_effects_keeps_its_place
// CHECK-NOT: VPU.strategy
func.func private @sample(tensor<64x64xf32>) -> tensor<64x64xf32>
func.func @what_has_effects_keeps_its_place(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %many = arith.constant 100 : index
  %e = tensor.empty() : tensor<64x64xf32>
  %a = scf.for %i = %zero to %many step %one iter_args(%s = %x) -> tensor<64x64xf32> {
    %u = func.call @sample(%s) : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %t = linalg.tanh ins(%u : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  } {nacre.has_steps}
  %b = scf.for %i = %zero to %many step %one iter_args(%s = %x) -> tensor<64x64xf32> {
    %t = linalg.tanh ins(%s : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  } {nacre.has_steps}
  return %a, %b : tensor<64x64xf32>, tensor<64x64xf32>
}

// -----

// The call would have to come behind the second loop.
// CHECK-LABEL: func @effect_between_loops_keeps_them_apart
// CHECK-NOT: VPU.strategy
func.func private @sample(tensor<64x64xf32>) -> tensor<64x64xf32>
func.func @effect_between_loops_keeps_them_apart(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %many = arith.constant 100 : index
  %e = tensor.empty() : tensor<64x64xf32>
  %a = scf.for %i = %zero to %many step %one iter_args(%s = %x) -> tensor<64x64xf32> {
    %t = linalg.tanh ins(%s : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  } {nacre.has_steps}
  %c = func.call @sample(%a) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %b = scf.for %i = %zero to %many step %one iter_args(%s = %x) -> tensor<64x64xf32> {
    %t = linalg.tanh ins(%s : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  } {nacre.has_steps}
  return %c, %b : tensor<64x64xf32>, tensor<64x64xf32>
}
