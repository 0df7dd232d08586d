// RUN: nacre-opt %s --lower-linalg | FileCheck %s

// CHECK-LABEL: @tile_of_unknown_size_becomes_loops
// CHECK: scf.for
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step
// CHECK: memref.load
// CHECK: memref.store
// CHECK-NOT: linalg
func.func @tile_of_unknown_size_becomes_loops(%x: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %n step %c64 {
    %size = affine.min affine_map<(i)[n] -> (n - i, 64)>(%i)[%n]
    %tile = memref.subview %x[%i] [%size] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%tile : memref<?xf32, strided<[1], offset: ?>>) {
    ^bb0(%a: f32):
      %0 = arith.addf %a, %a : f32
      linalg.yield %0 : f32
    }
  }
  return
}

// CHECK-LABEL: @op_of_a_cast_to_a_known_size_becomes_loops
// CHECK: scf.if
// CHECK: scf.for
// CHECK-NOT: linalg
func.func @op_of_a_cast_to_a_known_size_becomes_loops(%x: memref<?xf32>, %y: memref<4xf32>, %c: i1) {
  scf.if %c {
    %known = memref.cast %x : memref<?xf32> to memref<4xf32>
    linalg.copy ins(%known : memref<4xf32>) outs(%y : memref<4xf32>)
  }
  return
}

// CHECK-LABEL: @tile_of_known_size_becomes_affine_loops
// CHECK: affine.for %{{.*}} = 0 to 64
// CHECK-NOT: linalg
func.func @tile_of_known_size_becomes_affine_loops(%x: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %n step %c64 {
    %tile = memref.subview %x[%i] [64] [1] : memref<?xf32> to memref<64xf32, strided<[1], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%tile : memref<64xf32, strided<[1], offset: ?>>) {
    ^bb0(%a: f32):
      %0 = arith.addf %a, %a : f32
      linalg.yield %0 : f32
    }
  }
  return
}

// CHECK-LABEL: @op_of_unknown_size_outside_of_loops_becomes_affine_loops
// CHECK: %[[SIZE:.*]] = memref.dim
// CHECK: affine.for {{.*}} to #{{.*}}(%[[SIZE]])
// CHECK-NOT: linalg
func.func @op_of_unknown_size_outside_of_loops_becomes_affine_loops(%x: memref<?xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%x : memref<?xf32>) {
  ^bb0(%a: f32):
    %0 = arith.addf %a, %a : f32
    linalg.yield %0 : f32
  }
  return
}

// CHECK-LABEL: @op_on_tensors_stays
// CHECK: linalg.generic
func.func @op_on_tensors_stays(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%x : tensor<4xf32>) {
  ^bb0(%a: f32):
    %1 = arith.addf %a, %a : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @index_in_a_map_is_no_symbol_of_the_loop
// CHECK: affine.for %[[I:.*]] = 0 to 4
// CHECK: %[[AT:.*]] = arith.addi %{{.*}}, %[[I]]
// CHECK-NEXT: memref.load %{{.*}}[%[[AT]]]
func.func @index_in_a_map_is_no_symbol_of_the_loop(%from: memref<8xi64>, %to: memref<4xi64>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c4 {
    linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%to : memref<4xi64>) {
    ^bb0(%out: i64):
      %0 = linalg.index 0 : index
      %1 = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%i)[%0]
      %2 = memref.load %from[%1] : memref<8xi64>
      linalg.yield %2 : i64
    }
  }
  return
}
