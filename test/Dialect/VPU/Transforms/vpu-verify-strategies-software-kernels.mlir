// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-verify-strategies=decided=registers --split-input-file --verify-diagnostics
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vectorize-structured-ops --split-input-file --verify-diagnostics

func.func @blocks_and_no_decision(%x: memref<64x32xf32>, %y: memref<32x64xf32>) {
  linalg.transpose ins(%x : memref<64x32xf32>) outs(%y : memref<32x64xf32>) permutation = [1, 0] {VPU.strategy = #VPU.strategy<kernel = <loops = <blockEdge = 2>>>}
  linalg.transpose ins(%x : memref<64x32xf32>) outs(%y : memref<32x64xf32>) permutation = [1, 0] {VPU.strategy = #VPU.strategy<kernel = <loops = <innermost = 0, unrolled = 1>>>}
  linalg.transpose ins(%x : memref<64x32xf32>) outs(%y : memref<32x64xf32>) permutation = [1, 0] {VPU.strategy = #VPU.strategy<kernel = <loops = <>>>}
  linalg.transpose ins(%x : memref<64x32xf32>) outs(%y : memref<32x64xf32>) permutation = [1, 0]
  return
}

// -----

func.func @block_beyond_a_dimension(%x: memref<64x6xf32>, %y: memref<6x64xf32>) {
  // expected-error@+1 {{expected a blockEdge of at most 6, the size of dimension 0, found 8}}
  linalg.transpose ins(%x : memref<64x6xf32>) outs(%y : memref<6x64xf32>) permutation = [1, 0] {VPU.strategy = #VPU.strategy<kernel = <loops = <blockEdge = 8>>>}
  return
}

// -----

func.func @block_of_bits(%x: memref<64x32xi1>, %y: memref<32x64xi1>) {
  // expected-error@+1 {{expected no blockEdge with elements that are not whole bytes of a register, found 'i1'}}
  linalg.transpose ins(%x : memref<64x32xi1>) outs(%y : memref<32x64xi1>) permutation = [1, 0] {VPU.strategy = #VPU.strategy<kernel = <loops = <blockEdge = 8>>>}
  return
}

// -----

func.func @block_of_a_copy(%x: memref<64x32xf32>, %y: memref<64x32xf32>) {
  // expected-error@+1 {{expected no blockEdge: it is of copies of a buffer with another innermost dimension, or with each element several times side by side}}
  linalg.copy {VPU.strategy = #VPU.strategy<kernel = <loops = <blockEdge = 8>>>} ins(%x : memref<64x32xf32>) outs(%y : memref<64x32xf32>)
  return
}

// -----

func.func @unrolled_loop_of_a_copy(%x: memref<64x32xf32>, %y: memref<64x32xf32>) {
  // expected-error@+1 {{expected no unrolled loop: it is of copies of a buffer with another innermost dimension}}
  linalg.copy {VPU.strategy = #VPU.strategy<kernel = <loops = <innermost = 0, unrolled = 1>>>} ins(%x : memref<64x32xf32>) outs(%y : memref<64x32xf32>)
  return
}

// -----

func.func @unrolled_loop_of_no_neighbours(%x: memref<4x64x3xf32>, %y: memref<4x3x64xf32>) {
  // expected-error@+1 {{expected loops 1 and 2 to be unrolled and innermost, as elements lie side by side along them, found 0 and 2}}
  linalg.transpose ins(%x : memref<4x64x3xf32>) outs(%y : memref<4x3x64xf32>) permutation = [0, 2, 1] {VPU.strategy = #VPU.strategy<kernel = <loops = <innermost = 2, unrolled = 0>>>}
  return
}

// -----

func.func @unrolled_loop_of_dynamic_size(%x: memref<64x?xf32>, %y: memref<?x64xf32>) {
  // expected-error@+1 {{expected a static size of at most 64 of the unrolled loop, found a dynamic one}}
  linalg.transpose ins(%x : memref<64x?xf32>) outs(%y : memref<?x64xf32>) permutation = [1, 0] {VPU.strategy = #VPU.strategy<kernel = <loops = <innermost = 1, unrolled = 0>>>}
  return
}

// -----

func.func @unrolled_loop_of_many(%x: memref<64x100xf32>, %y: memref<100x64xf32>) {
  // expected-error@+1 {{expected a static size of at most 64 of the unrolled loop, found 100}}
  linalg.transpose ins(%x : memref<64x100xf32>) outs(%y : memref<100x64xf32>) permutation = [1, 0] {VPU.strategy = #VPU.strategy<kernel = <loops = <innermost = 1, unrolled = 0>>>}
  return
}

// -----

func.func @loop_that_there_is_not(%x: memref<64x3xf32>, %y: memref<3x64xf32>) {
  // expected-error@+1 {{expected loops from 0 to 1, found 2}}
  linalg.transpose ins(%x : memref<64x3xf32>) outs(%y : memref<3x64xf32>) permutation = [1, 0] {VPU.strategy = #VPU.strategy<kernel = <loops = <innermost = 2>>>}
  return
}

// -----

func.func @innermost_loop_of_a_named_op(%x: memref<64x3xf32>, %y: memref<3x64xf32>) {
  // expected-error@+1 {{expected no innermost loop but of a linalg.generic, whose loops have an order}}
  linalg.transpose ins(%x : memref<64x3xf32>) outs(%y : memref<3x64xf32>) permutation = [1, 0] {VPU.strategy = #VPU.strategy<kernel = <loops = <innermost = 0>>>}
  return
}

// -----

#in = affine_map<(d0, d1, d2, d3) -> (d0 + d2, d1 + d3)>
#window = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#out = affine_map<(d0, d1, d2, d3) -> (d0, d1)>

// Sums would have another order.
func.func @reduction_moved_behind_others(%x: memref<134x134xf32>, %w: memref<7x7xf32>, %y: memref<128x128xf32>) {
  // expected-error@+1 {{expected a parallel loop, or the last of the reductions, as the innermost one, found loop 2}}
  linalg.generic {indexing_maps = [#in, #window, #out], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%x, %w : memref<134x134xf32>, memref<7x7xf32>) outs(%y : memref<128x128xf32>) attrs = {VPU.strategy = #VPU.strategy<kernel = <loops = <innermost = 2>>>} {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %c, %a : f32
    linalg.yield %s : f32
  }
  return
}

// -----

func.func @byte_product_of_a_copy(%x: memref<64x32xi8>, %y: memref<32x64xi8>) {
  // expected-error@+1 {{expected no byteProduct: it sums no products of rows by a matrix of bytes}}
  linalg.transpose ins(%x : memref<64x32xi8>) outs(%y : memref<32x64xi8>) permutation = [1, 0] {VPU.strategy = #VPU.strategy<kernel = <loops = <byteProduct = <perLane = 2, rows = 8, columns = 64>>>>}
  return
}

// -----

#left = affine_map<(m, k, n) -> (m, k)>
#right = affine_map<(m, k, n) -> (k, n)>
#sums = affine_map<(m, k, n) -> (m, n)>

func.func @fours_of_signed_bytes(%a: memref<4x10xi8>, %b: memref<10x64xi8>, %y: memref<4x64xi32>) {
  // expected-error@+1 {{expected perLane of at most 2, as x86-64-v4 multiplies such bytes, found 4}}
  linalg.generic {indexing_maps = [#left, #right, #sums], iterator_types = ["parallel", "reduction", "parallel"]}
    ins(%a, %b : memref<4x10xi8>, memref<10x64xi8>) outs(%y : memref<4x64xi32>) attrs = {VPU.strategy = #VPU.strategy<kernel = <loops = <byteProduct = <perLane = 4, rows = 8, columns = 64>>>>} {
  ^bb0(%x: i8, %w: i8, %sum: i32):
    %0 = arith.extsi %x : i8 to i32
    %1 = arith.extsi %w : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %sum, %2 : i32
    linalg.yield %3 : i32
  }
  return
}

// -----

func.func @strategy_of_an_op_of_the_engine(%x: memref<64x32xf32>, %y: memref<32x64xf32>) {
  // expected-error@+1 {{expected loops in the kernel of a structured op, found #VPU.kernel_strategy<registers = [<columns = 4>]>}}
  linalg.transpose ins(%x : memref<64x32xf32>) outs(%y : memref<32x64xf32>) permutation = [1, 0] {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 4>]>>}
  return
}

// -----

func.func @rows_are_joined_before(%x: memref<64x32xf32>, %y: memref<32x64xf32>) {
  // expected-error@+1 {{expected no joinStored: collapse-loops joins rows before other loops are decided about}}
  linalg.transpose ins(%x : memref<64x32xf32>) outs(%y : memref<32x64xf32>) permutation = [1, 0] {VPU.strategy = #VPU.strategy<kernel = <loops = <joinStored = true>>>}
  return
}

// -----

#few = affine_map<(d0, d1, d2) -> (d0, d1)>
#some = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

func.func @vector_beyond_a_row(%x: memref<64x6xi8>, %y: memref<64x6x2xi8>) {
  // expected-error@+1 {{expected a blockEdge of at most 6, the size of dimension 1, found 8}}
  linalg.generic {indexing_maps = [#few, #some], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%x : memref<64x6xi8>) outs(%y : memref<64x6x2xi8>) attrs = {VPU.strategy = #VPU.strategy<kernel = <loops = <blockEdge = 8>>>} {
  ^bb0(%in: i8, %out: i8):
    linalg.yield %in : i8
  }
  return
}

// -----

#few = affine_map<(d0, d1, d2) -> (d0, d1)>
#some = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

func.func @vectors_of_many_copies(%x: memref<64x16xi8>, %y: memref<64x16x65xi8>) {
  // expected-error@+1 {{expected no blockEdge of more than 64 copies of each element, found 65}}
  linalg.generic {indexing_maps = [#few, #some], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%x : memref<64x16xi8>) outs(%y : memref<64x16x65xi8>) attrs = {VPU.strategy = #VPU.strategy<kernel = <loops = <blockEdge = 8>>>} {
  ^bb0(%in: i8, %out: i8):
    linalg.yield %in : i8
  }
  return
}
