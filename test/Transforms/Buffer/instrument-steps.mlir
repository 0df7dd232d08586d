// RUN: nacre-opt %s --init-compiler=vpu-arch=x86-64-v3 -instrument-steps -split-input-file -verify-diagnostics | FileCheck %s

// CHECK: #[[ADD:.*]] = loc("Add_1")
// CHECK: #[[LOOP:.*]] = loc("loop")
// CHECK: module attributes {{{.*}}nacre.steps = [
// CHECK-SAME: #nacre.step<name = #[[ADD]], kernel = "add", flops = 8, cycles = 1, predicted = 4, bytes = 64, buffers = [64, 32], shapes = ["8xf32", "8xf32"]>
// CHECK-SAME: #nacre.step<name = #[[LOOP]], kernel = "add", flops = 16, cycles = 1, predicted = 4, bytes = 64, buffers = [], shapes = ["8xf32", "8xf32"]>
// CHECK: func.func private @nacre_profile_step(i64)
// CHECK-LABEL: func.func @main
// CHECK: %[[ZERO:.*]] = arith.constant 0 : i64
// CHECK: call @nacre_profile_step(%[[ZERO]])
// CHECK: call @add
// CHECK: %[[ONE:.*]] = arith.constant 1 : i64
// CHECK: call @nacre_profile_step(%[[ONE]])
// CHECK: scf.forall
// CHECK: %[[END:.*]] = arith.constant 2 : i64
// CHECK: call @nacre_profile_step(%[[END]])
// CHECK-NEXT: return
func.func @main(%x: memref<8xf32>, %y: memref<8xf32>, %arena: memref<256xi8> {nacre.role = #nacre.role<arena>}, %weights: memref<16xi8> {nacre.role = #nacre.role<weights>}) {
  %c64 = arith.constant 64 : index
  %view = memref.view %arena[%c64][] : memref<256xi8> to memref<8xf32>
  func.call @add(%x, %view) : (memref<8xf32>, memref<8xf32>) -> () loc("Add_1")
  scf.forall (%i) in (2) {
    func.call @add(%x, %y) : (memref<8xf32>, memref<8xf32>) -> ()
  } loc("loop")
  return
}

func.func private @add(%a: memref<8xf32>, %b: memref<8xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a : memref<8xf32>) outs(%b : memref<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %in : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// A core with eight lanes multiplies and adds 16 numbers a cycle, and is expected
// to move 16 bytes a cycle besides. Bytes that are elements count, other than
// those of the arena.
// CHECK: kernel = "product", flops = 8192, cycles = 256, predicted = 352, bytes = 1536, buffers = [],
func.func @main(%a: memref<1x16x16xi8>, %b: memref<1x2x16x8xi8>, %y: memref<1x16x16xf32>, %arena: memref<256xi8> {nacre.role = #nacre.role<arena>}, %weights: memref<16xi8> {nacre.role = #nacre.role<weights>}) {
  func.call @product(%a, %b, %y) : (memref<1x16x16xi8>, memref<1x2x16x8xi8>, memref<1x16x16xf32>) -> ()
  return
}

func.func private @product(%a: memref<1x16x16xi8>, %b: memref<1x2x16x8xi8>, %y: memref<1x16x16xf32>) {
  VPU.NCE.MatMul ins(%a, %b : memref<1x16x16xi8>, memref<1x2x16x8xi8>) outs(%y : memref<1x16x16xf32>)
  return
}

// -----

// expected-error @below {{expected a function main of one block}}
module {
}
