// Loops of the model whose iterations clusters share. Nothing moves.
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-choose-strategies="decide=concurrency min-cycles=2000" --split-input-file | FileCheck %s --check-prefix=NONE
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=2" --vpu-choose-strategies="decide=concurrency min-cycles=2000" --split-input-file | FileCheck %s
// RUN: nacre-opt %s --init-compiler="vpu-arch=NPU37XX" --vpu-choose-strategies="decide=concurrency min-cycles=2000" --split-input-file | FileCheck %s --check-prefix=NONE

// One core has nobody to share them with, and an NPU no cores.
// NONE-NOT: parts

// A run of any number of samples finds how many parts are worth it: with two
// iterations there is enough for one.
// CHECK-LABEL: func @samples_of_unknown_number
// CHECK: } {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?], grain = 2>, nacre.has_steps, nacre.independent = 0 : i64}
func.func @samples_of_unknown_number(%x: tensor<?x64x64xf32>, %n: index) -> tensor<?x64x64xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %a = tensor.empty(%n) : tensor<?x64x64xf32>
  %e = tensor.empty() : tensor<64x64xf32>
  %y = scf.for %i = %zero to %n step %one iter_args(%s = %a) -> tensor<?x64x64xf32> {
    %p = tensor.extract_slice %x[%i, 0, 0] [1, 64, 64] [1, 1, 1] : tensor<?x64x64xf32> to tensor<64x64xf32>
    %t = linalg.abs ins(%p : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    %r = tensor.insert_slice %t into %s[%i, 0, 0] [1, 64, 64] [1, 1, 1] : tensor<64x64xf32> into tensor<?x64x64xf32>
    scf.yield %r : tensor<?x64x64xf32>
  } {nacre.has_steps, nacre.independent = 0 : i64}
  return %y : tensor<?x64x64xf32>
}

// -----

// Of a known number there are parts of one size.
// CHECK-LABEL: func @samples_of_known_number
// CHECK: } {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [2]>, nacre.has_steps, nacre.independent = 0 : i64}
func.func @samples_of_known_number(%x: tensor<7x64x64xf32>) -> tensor<7x64x64xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant 7 : index
  %a = tensor.empty() : tensor<7x64x64xf32>
  %e = tensor.empty() : tensor<64x64xf32>
  %y = scf.for %i = %zero to %n step %one iter_args(%s = %a) -> tensor<7x64x64xf32> {
    %p = tensor.extract_slice %x[%i, 0, 0] [1, 64, 64] [1, 1, 1] : tensor<7x64x64xf32> to tensor<64x64xf32>
    %t = linalg.abs ins(%p : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    %r = tensor.insert_slice %t into %s[%i, 0, 0] [1, 64, 64] [1, 1, 1] : tensor<64x64xf32> into tensor<7x64x64xf32>
    scf.yield %r : tensor<7x64x64xf32>
  } {nacre.has_steps, nacre.independent = 0 : i64}
  return %y : tensor<7x64x64xf32>
}

// -----

// Clusters share the product of each sample, which a run of one sample needs.
// CHECK-LABEL: func @samples_with_enough_to_share
// CHECK-NOT: VPU.strategy
// CHECK: return
func.func @samples_with_enough_to_share(%x: tensor<?x1x64x256xf32>, %w: tensor<1x8x256x32xf32>, %n: index) -> tensor<?x1x64x256xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %a = tensor.empty(%n) : tensor<?x1x64x256xf32>
  %e = tensor.empty() : tensor<1x64x256xf32>
  %y = scf.for %i = %zero to %n step %one iter_args(%s = %a) -> tensor<?x1x64x256xf32> {
    %p = tensor.extract_slice %x[%i, 0, 0, 0] [1, 1, 64, 256] [1, 1, 1, 1] : tensor<?x1x64x256xf32> to tensor<1x64x256xf32>
    %t = VPU.NCE.MatMul ins(%p, %w : tensor<1x64x256xf32>, tensor<1x8x256x32xf32>) outs(%e : tensor<1x64x256xf32>) -> tensor<1x64x256xf32>
    %r = tensor.insert_slice %t into %s[%i, 0, 0, 0] [1, 1, 64, 256] [1, 1, 1, 1] : tensor<1x64x256xf32> into tensor<?x1x64x256xf32>
    scf.yield %r : tensor<?x1x64x256xf32>
  } {nacre.has_steps, nacre.independent = 0 : i64}
  return %y : tensor<?x1x64x256xf32>
}

// -----

// Clusters share the product, but not what follows it: each takes samples of its
// own as long as all of them have one, and the last one is shared as well as it
// can be.
// CHECK-LABEL: func @samples_with_little_to_share
// CHECK: } {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?], grain = 1, shareRest = true>, nacre.has_steps, nacre.independent = 0 : i64}
func.func @samples_with_little_to_share(%x: tensor<?x1x64x256xf32>, %w: tensor<1x8x256x32xf32>, %n: index) -> tensor<?x1x64x256xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %a = tensor.empty(%n) : tensor<?x1x64x256xf32>
  %e = tensor.empty() : tensor<1x64x256xf32>
  %y = scf.for %i = %zero to %n step %one iter_args(%s = %a) -> tensor<?x1x64x256xf32> {
    %p = tensor.extract_slice %x[%i, 0, 0, 0] [1, 1, 64, 256] [1, 1, 1, 1] : tensor<?x1x64x256xf32> to tensor<1x64x256xf32>
    %t = VPU.NCE.MatMul ins(%p, %w : tensor<1x64x256xf32>, tensor<1x8x256x32xf32>) outs(%e : tensor<1x64x256xf32>) -> tensor<1x64x256xf32>
    %u = linalg.exp ins(%t : tensor<1x64x256xf32>) outs(%e : tensor<1x64x256xf32>) -> tensor<1x64x256xf32>
    %v = linalg.erf ins(%u : tensor<1x64x256xf32>) outs(%e : tensor<1x64x256xf32>) -> tensor<1x64x256xf32>
    %q = linalg.tanh ins(%v : tensor<1x64x256xf32>) outs(%e : tensor<1x64x256xf32>) -> tensor<1x64x256xf32>
    %r = tensor.insert_slice %q into %s[%i, 0, 0, 0] [1, 1, 64, 256] [1, 1, 1, 1] : tensor<1x64x256xf32> into tensor<?x1x64x256xf32>
    scf.yield %r : tensor<?x1x64x256xf32>
  } {nacre.has_steps, nacre.independent = 0 : i64}
  return %y : tensor<?x1x64x256xf32>
}

// -----

// Iterations that may need each other, and those that carry a value on.
// CHECK-LABEL: func @iterations_that_need_each_other
// CHECK-NOT: VPU.strategy
// CHECK: return
func.func @iterations_that_need_each_other(%x: tensor<?x64x64xf32>, %v: tensor<64x64xf32>, %n: index) -> (tensor<?x64x64xf32>, tensor<?x64x64xf32>, tensor<64x64xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %a = tensor.empty(%n) : tensor<?x64x64xf32>
  %e = tensor.empty() : tensor<64x64xf32>
  %y = scf.for %i = %zero to %n step %one iter_args(%s = %a) -> tensor<?x64x64xf32> {
    %p = tensor.extract_slice %x[%i, 0, 0] [1, 64, 64] [1, 1, 1] : tensor<?x64x64xf32> to tensor<64x64xf32>
    %t = linalg.abs ins(%p : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    %r = tensor.insert_slice %t into %s[%i, 0, 0] [1, 64, 64] [1, 1, 1] : tensor<64x64xf32> into tensor<?x64x64xf32>
    scf.yield %r : tensor<?x64x64xf32>
  } {nacre.has_steps}
  %z:2 = scf.for %i = %zero to %n step %one iter_args(%s = %y, %c = %v) -> (tensor<?x64x64xf32>, tensor<64x64xf32>) {
    %t = linalg.abs ins(%c : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    %r = tensor.insert_slice %t into %s[%i, 0, 0] [1, 64, 64] [1, 1, 1] : tensor<64x64xf32> into tensor<?x64x64xf32>
    scf.yield %r, %t : tensor<?x64x64xf32>, tensor<64x64xf32>
  } {nacre.has_steps, nacre.independent = 0 : i64}
  return %y, %z#0, %z#1 : tensor<?x64x64xf32>, tensor<?x64x64xf32>, tensor<64x64xf32>
}

// -----

func.func private @draw() -> f32

// What a call does has an order.
// CHECK-LABEL: func @iterations_with_effects
// CHECK-NOT: VPU.strategy
// CHECK: return
func.func @iterations_with_effects(%n: index) -> tensor<?x64x64xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %a = tensor.empty(%n) : tensor<?x64x64xf32>
  %e = tensor.empty() : tensor<64x64xf32>
  %y = scf.for %i = %zero to %n step %one iter_args(%s = %a) -> tensor<?x64x64xf32> {
    %c = func.call @draw() : () -> f32
    %t = linalg.fill ins(%c : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    %r = tensor.insert_slice %t into %s[%i, 0, 0] [1, 64, 64] [1, 1, 1] : tensor<64x64xf32> into tensor<?x64x64xf32>
    scf.yield %r : tensor<?x64x64xf32>
  } {nacre.has_steps, nacre.independent = 0 : i64}
  return %y : tensor<?x64x64xf32>
}

// -----

// Each cluster would have 4 GB of its own.
// CHECK-LABEL: func @samples_that_no_cache_holds
// CHECK-NOT: parts
// CHECK: return
func.func @samples_that_no_cache_holds(%x: tensor<?x32768x32768xf32>, %n: index) -> tensor<?x32768x32768xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %a = tensor.empty(%n) : tensor<?x32768x32768xf32>
  %e = tensor.empty() : tensor<32768x32768xf32>
  %y = scf.for %i = %zero to %n step %one iter_args(%s = %a) -> tensor<?x32768x32768xf32> {
    %p = tensor.extract_slice %x[%i, 0, 0] [1, 32768, 32768] [1, 1, 1] : tensor<?x32768x32768xf32> to tensor<32768x32768xf32>
    %t = linalg.abs ins(%p : tensor<32768x32768xf32>) outs(%e : tensor<32768x32768xf32>) -> tensor<32768x32768xf32>
    %r = tensor.insert_slice %t into %s[%i, 0, 0] [1, 32768, 32768] [1, 1, 1] : tensor<32768x32768xf32> into tensor<?x32768x32768xf32>
    scf.yield %r : tensor<?x32768x32768xf32>
  } {nacre.has_steps, nacre.independent = 0 : i64}
  return %y : tensor<?x32768x32768xf32>
}
