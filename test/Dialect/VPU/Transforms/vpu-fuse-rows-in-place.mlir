// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-fuse-rows --split-input-file | FileCheck %s

#all = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d0, 0)>
#row = affine_map<(d0, d1) -> (d0)>

// What is scaled is computed in the slice of the result.
// CHECK-LABEL: func @last_reader_of_a_row_writes_over_it
// CHECK: scf.for {{.*}} iter_args(%[[CARRIED:.*]] = %
// CHECK: %[[ROW:.*]] = tensor.extract_slice %[[CARRIED]]{{.*}} : tensor<64x4096xf32> to tensor<1x4096xf32>
// CHECK: %[[EXP:.*]] = linalg.generic {{.*}} outs(%[[ROW]] : tensor<1x4096xf32>)
// CHECK: math.exp
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}} ins(%[[EXP]] : tensor<1x4096xf32>)
// CHECK: %[[Y:.*]] = linalg.generic {{.*}} ins(%[[SUM]] : tensor<1xf32>) outs(%[[EXP]] : tensor<1x4096xf32>)
// CHECK-NEXT: ^bb0(%[[S:.*]]: f32, %[[E:.*]]: f32)
// CHECK-NEXT: arith.divf %[[E]], %[[S]]
// CHECK: tensor.insert_slice %[[Y]]
func.func @last_reader_of_a_row_writes_over_it(%x: tensor<64x4096xf32>, %y: tensor<64x4096xf32>) -> tensor<64x4096xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %r = scf.for %i = %c0 to %c64 step %c1 iter_args(%carried = %y) -> (tensor<64x4096xf32>) {
    %in = tensor.extract_slice %x[%i, 0] [1, 4096] [1, 1] : tensor<64x4096xf32> to tensor<1x4096xf32>
    %0 = tensor.empty() : tensor<1x4096xf32>
    %exp = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%in : tensor<1x4096xf32>) outs(%0 : tensor<1x4096xf32>) {
    ^bb0(%a: f32, %b: f32):
      %e = math.exp %a : f32
      linalg.yield %e : f32
    } -> tensor<1x4096xf32>
    %1 = tensor.empty() : tensor<1xf32>
    %2 = linalg.fill ins(%zero : f32) outs(%1 : tensor<1xf32>) -> tensor<1xf32>
    %sum = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%exp : tensor<1x4096xf32>) outs(%2 : tensor<1xf32>) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %b, %a : f32
      linalg.yield %s : f32
    } -> tensor<1xf32>
    %slice = tensor.extract_slice %carried[%i, 0] [1, 4096] [1, 1] : tensor<64x4096xf32> to tensor<1x4096xf32>
    %out = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]} ins(%exp, %sum : tensor<1x4096xf32>, tensor<1xf32>) outs(%slice : tensor<1x4096xf32>) {
    ^bb0(%a: f32, %s: f32, %b: f32):
      %q = arith.divf %a, %s : f32
      linalg.yield %q : f32
    } -> tensor<1x4096xf32>
    %inserted = tensor.insert_slice %out into %carried[%i, 0] [1, 4096] [1, 1] : tensor<1x4096xf32> into tensor<64x4096xf32>
    scf.yield %inserted : tensor<64x4096xf32>
  }
  return %r : tensor<64x4096xf32>
}

// -----

#all = affine_map<(d0, d1) -> (d0, d1)>

// Blocks of a number of rows that a run computes lie in a part of one buffer.
// CHECK-LABEL: func @last_reader_of_a_block_writes_over_it
// CHECK: scf.for {{.*}} iter_args(%[[CARRIED:.*]] = %
// CHECK: %[[ROWS:.*]] = tensor.extract_slice %[[CARRIED]]
// CHECK: %[[EXP:.*]] = linalg.generic {{.*}} outs(%[[ROWS]] : tensor<?x4096xf32>)
// CHECK: math.exp
// CHECK: linalg.generic {{.*}} outs(%[[EXP]] : tensor<?x4096xf32>)
func.func @last_reader_of_a_block_writes_over_it(%x: tensor<?x4096xf32>, %y: tensor<?x4096xf32>, %n: index, %size: index) -> tensor<?x4096xf32> {
  %block = tensor.empty(%size) : tensor<?x4096xf32>
  %c0 = arith.constant 0 : index
  %r = scf.for %i = %c0 to %n step %size iter_args(%carried = %y) -> (tensor<?x4096xf32>) {
    %rows = affine.min affine_map<(i)[n, size] -> (n - i, size)>(%i)[%n, %size]
    %in = tensor.extract_slice %x[%i, 0] [%rows, 4096] [1, 1] : tensor<?x4096xf32> to tensor<?x4096xf32>
    %0 = tensor.extract_slice %block[0, 0] [%rows, 4096] [1, 1] : tensor<?x4096xf32> to tensor<?x4096xf32>
    %exp = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%in : tensor<?x4096xf32>) outs(%0 : tensor<?x4096xf32>) {
    ^bb0(%a: f32, %b: f32):
      %e = math.exp %a : f32
      linalg.yield %e : f32
    } -> tensor<?x4096xf32>
    %slice = tensor.extract_slice %carried[%i, 0] [%rows, 4096] [1, 1] : tensor<?x4096xf32> to tensor<?x4096xf32>
    %out = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%exp : tensor<?x4096xf32>) outs(%slice : tensor<?x4096xf32>) {
    ^bb0(%a: f32, %b: f32):
      %q = math.sqrt %a : f32
      linalg.yield %q : f32
    } -> tensor<?x4096xf32>
    %inserted = tensor.insert_slice %out into %carried[%i, 0] [%rows, 4096] [1, 1] : tensor<?x4096xf32> into tensor<?x4096xf32>
    scf.yield %inserted : tensor<?x4096xf32>
  }
  return %r : tensor<?x4096xf32>
}

// -----

#all = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func @block_of_a_buffer_that_is_in_use_stays
// CHECK: %[[ROWS:.*]] = tensor.extract_slice %[[BLOCK:.*]][0, 0]
// CHECK: %[[EXP:.*]] = linalg.generic {{.*}} outs(%[[ROWS]] : tensor<?x4096xf32>)
// CHECK: %[[SLICE:.*]] = tensor.extract_slice
// CHECK: linalg.generic {{.*}} ins(%[[EXP]] : tensor<?x4096xf32>) outs(%[[SLICE]] : tensor<?x4096xf32>)
func.func @block_of_a_buffer_that_is_in_use_stays(%x: tensor<?x4096xf32>, %y: tensor<?x4096xf32>, %block: tensor<?x4096xf32>, %n: index, %size: index) -> tensor<?x4096xf32> {
  %c0 = arith.constant 0 : index
  %r = scf.for %i = %c0 to %n step %size iter_args(%carried = %y) -> (tensor<?x4096xf32>) {
    %rows = affine.min affine_map<(i)[n, size] -> (n - i, size)>(%i)[%n, %size]
    %in = tensor.extract_slice %x[%i, 0] [%rows, 4096] [1, 1] : tensor<?x4096xf32> to tensor<?x4096xf32>
    %0 = tensor.extract_slice %block[0, 0] [%rows, 4096] [1, 1] : tensor<?x4096xf32> to tensor<?x4096xf32>
    %exp = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%in : tensor<?x4096xf32>) outs(%0 : tensor<?x4096xf32>) {
    ^bb0(%a: f32, %b: f32):
      %e = math.exp %a : f32
      linalg.yield %e : f32
    } -> tensor<?x4096xf32>
    %slice = tensor.extract_slice %carried[%i, 0] [%rows, 4096] [1, 1] : tensor<?x4096xf32> to tensor<?x4096xf32>
    %out = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%exp : tensor<?x4096xf32>) outs(%slice : tensor<?x4096xf32>) {
    ^bb0(%a: f32, %b: f32):
      %q = math.sqrt %a : f32
      linalg.yield %q : f32
    } -> tensor<?x4096xf32>
    %inserted = tensor.insert_slice %out into %carried[%i, 0] [%rows, 4096] [1, 1] : tensor<?x4096xf32> into tensor<?x4096xf32>
    scf.yield %inserted : tensor<?x4096xf32>
  }
  return %r : tensor<?x4096xf32>
}

// -----

#all = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func @operand_that_is_read_later_stays
// CHECK: %[[EXP:.*]] = linalg.generic
// CHECK: %[[NEG:.*]] = linalg.generic {{.*}} ins(%[[EXP]] : tensor<4096xf32>) outs(%{{.*}} : tensor<4096xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[EXP]] : tensor<4096xf32>) outs(%[[NEG]] : tensor<4096xf32>)
func.func @operand_that_is_read_later_stays(%x: tensor<4096xf32>, %y: tensor<64x4096xf32>) -> tensor<64x4096xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %r = scf.for %i = %c0 to %c64 step %c1 iter_args(%carried = %y) -> (tensor<64x4096xf32>) {
    %slice = tensor.extract_slice %carried[%i, 0] [1, 4096] [1, 1] : tensor<64x4096xf32> to tensor<4096xf32>
    %0 = tensor.empty() : tensor<4096xf32>
    %exp = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel"]} ins(%x : tensor<4096xf32>) outs(%0 : tensor<4096xf32>) {
    ^bb0(%a: f32, %b: f32):
      %e = math.exp %a : f32
      linalg.yield %e : f32
    } -> tensor<4096xf32>
    %1 = tensor.empty() : tensor<4096xf32>
    %neg = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel"]} ins(%exp : tensor<4096xf32>) outs(%1 : tensor<4096xf32>) {
    ^bb0(%a: f32, %b: f32):
      %n = arith.negf %a : f32
      linalg.yield %n : f32
    } -> tensor<4096xf32>
    %out = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel"]} ins(%neg, %exp : tensor<4096xf32>, tensor<4096xf32>) outs(%slice : tensor<4096xf32>) {
    ^bb0(%a: f32, %s: f32, %b: f32):
      %q = arith.divf %a, %s : f32
      linalg.yield %q : f32
    } -> tensor<4096xf32>
    %inserted = tensor.insert_slice %out into %carried[%i, 0] [1, 4096] [1, 1] : tensor<4096xf32> into tensor<64x4096xf32>
    scf.yield %inserted : tensor<64x4096xf32>
  }
  return %r : tensor<64x4096xf32>
}

// -----

#all = affine_map<(d0) -> (d0)>

// A value that the loop carries is the buffer of its result.
// CHECK-LABEL: func @carried_destination_stays
// CHECK: scf.for {{.*}} iter_args(%[[CARRIED:.*]] = %
// CHECK: %[[EXP:.*]] = linalg.generic
// CHECK: linalg.generic {{.*}} ins(%[[EXP]] : tensor<4096xf32>) outs(%[[CARRIED]] : tensor<4096xf32>)
func.func @carried_destination_stays(%x: tensor<4096xf32>, %y: tensor<4096xf32>) -> tensor<4096xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%carried = %y) -> (tensor<4096xf32>) {
    %0 = tensor.empty() : tensor<4096xf32>
    %exp = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel"]} ins(%x : tensor<4096xf32>) outs(%0 : tensor<4096xf32>) {
    ^bb0(%a: f32, %b: f32):
      %e = math.exp %a : f32
      linalg.yield %e : f32
    } -> tensor<4096xf32>
    %out = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel"]} ins(%exp : tensor<4096xf32>) outs(%carried : tensor<4096xf32>) {
    ^bb0(%a: f32, %b: f32):
      %n = arith.negf %a : f32
      linalg.yield %n : f32
    } -> tensor<4096xf32>
    scf.yield %out : tensor<4096xf32>
  }
  return %r : tensor<4096xf32>
}

// -----

#all = affine_map<(d0) -> (d0)>

// Only loops run often enough for a row to be in the cache.
// CHECK-LABEL: func @ops_outside_of_loops_stay
// CHECK: %[[EXP:.*]] = linalg.generic
// CHECK: linalg.generic {{.*}} ins(%[[EXP]] : tensor<4096xf32>)
func.func @ops_outside_of_loops_stay(%x: tensor<4096xf32>) -> tensor<4096xf32> {
  %0 = tensor.empty() : tensor<4096xf32>
  %exp = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel"]} ins(%x : tensor<4096xf32>) outs(%0 : tensor<4096xf32>) {
  ^bb0(%a: f32, %b: f32):
    %e = math.exp %a : f32
    linalg.yield %e : f32
  } -> tensor<4096xf32>
  %1 = tensor.empty() : tensor<4096xf32>
  %out = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel"]} ins(%exp : tensor<4096xf32>) outs(%1 : tensor<4096xf32>) {
  ^bb0(%a: f32, %b: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  } -> tensor<4096xf32>
  return %out : tensor<4096xf32>
}

// -----

#all = affine_map<(d0, d1) -> (d0, d1)>

// Elements of a column block are far from each other.
// CHECK-LABEL: func @columns_are_computed_side_by_side
// CHECK: %[[EMPTY:.*]] = tensor.empty
// CHECK: %[[EXP:.*]] = linalg.generic {{.*}} outs(%[[EMPTY]] : tensor<1024x16xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[EXP]] : tensor<1024x16xf32>)
func.func @columns_are_computed_side_by_side(%x: tensor<1024x16xf32>, %y: tensor<1024x4096xf32>) -> tensor<1024x4096xf32> {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c4096 = arith.constant 4096 : index
  %r = scf.for %i = %c0 to %c4096 step %c16 iter_args(%carried = %y) -> (tensor<1024x4096xf32>) {
    %0 = tensor.empty() : tensor<1024x16xf32>
    %exp = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<1024x16xf32>) outs(%0 : tensor<1024x16xf32>) {
    ^bb0(%a: f32, %b: f32):
      %e = math.exp %a : f32
      linalg.yield %e : f32
    } -> tensor<1024x16xf32>
    %slice = tensor.extract_slice %carried[0, %i] [1024, 16] [1, 1] : tensor<1024x4096xf32> to tensor<1024x16xf32>
    %out = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%exp : tensor<1024x16xf32>) outs(%slice : tensor<1024x16xf32>) {
    ^bb0(%a: f32, %b: f32):
      %n = arith.negf %a : f32
      linalg.yield %n : f32
    } -> tensor<1024x16xf32>
    %inserted = tensor.insert_slice %out into %carried[0, %i] [1024, 16] [1, 1] : tensor<1024x16xf32> into tensor<1024x4096xf32>
    scf.yield %inserted : tensor<1024x4096xf32>
  }
  return %r : tensor<1024x4096xf32>
}
