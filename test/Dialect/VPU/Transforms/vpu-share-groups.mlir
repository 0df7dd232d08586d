// RUN: nacre-opt %s --vpu-share-groups --split-input-file | FileCheck %s

// What prepares the second loop comes before both.
// CHECK-LABEL: func @loops_become_parts
// CHECK: linalg.copy
// CHECK: linalg.copy
// CHECK: scf.forall (%[[PART:.*]]) in (2) {
// CHECK: scf.index_switch %[[PART]] {nacre.has_steps}
// CHECK: case 0 {
// CHECK: scf.for
// CHECK: linalg.tanh ins(%[[A:.*]] : memref<8xf32>) outs(%[[A]] :
// CHECK: scf.yield
// CHECK: default {
// CHECK: scf.for
// CHECK: linalg.tanh ins(%[[B:.*]] : memref<8xf32>) outs(%[[B]] :
// CHECK: {mapping = [#VPU.cluster<SplitOverBatch>], nacre.has_steps}
// CHECK-NOT: VPU.strategy
func.func @loops_become_parts(%x: memref<8xf32>) -> (memref<8xf32>, memref<8xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %many = arith.constant 100 : index
  %a = memref.alloc() : memref<8xf32>
  linalg.copy ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  scf.for %i = %zero to %many step %one {
    linalg.tanh ins(%a : memref<8xf32>) outs(%a : memref<8xf32>)
  } {VPU.strategy = #VPU.strategy<group = 1>, nacre.has_steps}
  %b = memref.alloc() : memref<8xf32>
  linalg.copy ins(%x : memref<8xf32>) outs(%b : memref<8xf32>)
  scf.for %i = %zero to %many step %one {
    linalg.tanh ins(%b : memref<8xf32>) outs(%b : memref<8xf32>)
  } {VPU.strategy = #VPU.strategy<group = 1>, nacre.has_steps}
  return %a, %b : memref<8xf32>, memref<8xf32>
}

// -----

// The halves of one buffer are two.
// CHECK-LABEL: func @parts_of_a_buffer_are_apart
// CHECK: scf.forall
// CHECK: scf.index_switch
func.func @parts_of_a_buffer_are_apart(%x: memref<2x8xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %many = arith.constant 100 : index
  %a = memref.subview %x[0, 0] [1, 8] [1, 1] : memref<2x8xf32> to memref<8xf32, strided<[1]>>
  %b = memref.subview %x[1, 0] [1, 8] [1, 1] : memref<2x8xf32> to memref<8xf32, strided<[1], offset: 8>>
  scf.for %i = %zero to %many step %one {
    linalg.tanh ins(%a : memref<8xf32, strided<[1]>>) outs(%a : memref<8xf32, strided<[1]>>)
  } {VPU.strategy = #VPU.strategy<group = 1>}
  scf.for %i = %zero to %many step %one {
    linalg.tanh ins(%b : memref<8xf32, strided<[1], offset: 8>>) outs(%b : memref<8xf32, strided<[1], offset: 8>>)
  } {VPU.strategy = #VPU.strategy<group = 1>}
  return
}

// -----

// CHECK-LABEL: func @loops_in_one_buffer_stay_in_order
// CHECK-NOT: scf.forall
// CHECK-NOT: VPU.strategy
func.func @loops_in_one_buffer_stay_in_order(%x: memref<8xf32>, %y: memref<8xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %many = arith.constant 100 : index
  scf.for %i = %zero to %many step %one {
    linalg.tanh ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
  } {VPU.strategy = #VPU.strategy<group = 1>}
  scf.for %i = %zero to %many step %one {
    linalg.tanh ins(%y : memref<8xf32>) outs(%x : memref<8xf32>)
  } {VPU.strategy = #VPU.strategy<group = 1>}
  return
}

// -----

// CHECK-LABEL: func @what_reads_a_loops_result_keeps_the_order
// CHECK-NOT: scf.forall
func.func @what_reads_a_loops_result_keeps_the_order(%x: memref<8xf32>, %y: memref<8xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %many = arith.constant 100 : index
  scf.for %i = %zero to %many step %one {
    linalg.tanh ins(%x : memref<8xf32>) outs(%x : memref<8xf32>)
  } {VPU.strategy = #VPU.strategy<group = 1>}
  linalg.copy ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
  scf.for %i = %zero to %many step %one {
    linalg.tanh ins(%y : memref<8xf32>) outs(%y : memref<8xf32>)
  } {VPU.strategy = #VPU.strategy<group = 1>}
  return
}

// -----

// What is chosen of two buffers may be either.
// CHECK-LABEL: func @loop_of_a_chosen_buffer_keeps_the_order
// CHECK-NOT: scf.forall
func.func @loop_of_a_chosen_buffer_keeps_the_order(%x: memref<8xf32>, %y: memref<8xf32>, %c: i1) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %many = arith.constant 100 : index
  %chosen = arith.select %c, %x, %y : memref<8xf32>
  scf.for %i = %zero to %many step %one {
    linalg.tanh ins(%x : memref<8xf32>) outs(%x : memref<8xf32>)
  } {VPU.strategy = #VPU.strategy<group = 1>}
  scf.for %i = %zero to %many step %one {
    linalg.tanh ins(%chosen : memref<8xf32>) outs(%chosen : memref<8xf32>)
  } {VPU.strategy = #VPU.strategy<group = 1>}
  return
}
