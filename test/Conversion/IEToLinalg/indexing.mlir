// RUN: nacre-opt %s -split-input-file --convert-ie-to-linalg | FileCheck %s

// Lowering of the Indexing family: every index is clamped before it is used.

// CHECK-LABEL: func @gather_clamps_its_index
func.func @gather_clamps_its_index(%arg0: tensor<3x5xf32>, %arg1: tensor<4xi64>) -> tensor<3x4xf32> {
  // CHECK: linalg.generic
  // CHECK: %[[ROW:.*]] = linalg.index 0
  // CHECK: %[[WHICH:.*]] = linalg.index 1
  // CHECK: tensor.extract %arg1[%[[WHICH]]]
  // CHECK: arith.select
  // CHECK: %[[INDEX:.*]] = arith.minui
  // CHECK: tensor.extract %arg0[%[[ROW]], %[[INDEX]]]
  %0 = IE.Gather %arg0, %arg1 {axis = 1 : i64} : tensor<3x5xf32>, tensor<4xi64> -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// -----

// CHECK-LABEL: func @gather_nd_extracts_tuples
func.func @gather_nd_extracts_tuples(%arg0: tensor<2x3x4xf32>, %arg1: tensor<5x2xi64>) -> tensor<5x4xf32> {
  // CHECK: linalg.generic
  // CHECK-COUNT-2: tensor.extract %arg1
  // CHECK: tensor.extract %arg0
  %0 = IE.GatherND %arg0, %arg1 : tensor<2x3x4xf32>, tensor<5x2xi64> -> tensor<5x4xf32>
  return %0 : tensor<5x4xf32>
}

// -----

// CHECK-LABEL: func @scatter_elements_loops_over_updates
func.func @scatter_elements_loops_over_updates(%arg0: tensor<4xui8>, %arg1: tensor<2xi64>, %arg2: tensor<2xui8>) -> tensor<4xui8> {
  // CHECK: scf.for %[[I:.*]] = %{{.*}} iter_args(%[[STATE:.*]] = %arg0) -> (tensor<4xi8>)
  // CHECK: tensor.extract %arg1[%[[I]]]
  // CHECK: %[[PRESENT:.*]] = tensor.extract %[[STATE]]
  // CHECK: %[[UPDATE:.*]] = tensor.extract %arg2[%[[I]]]
  // CHECK: %[[COMBINED:.*]] = arith.maxui %[[PRESENT]], %[[UPDATE]]
  // CHECK: tensor.insert %[[COMBINED]] into %[[STATE]]
  %0 = IE.ScatterElements %arg0, %arg1, %arg2 {reduction = "max"} : tensor<4xui8>, tensor<2xi64>, tensor<2xui8> -> tensor<4xui8>
  return %0 : tensor<4xui8>
}

// -----

// CHECK-LABEL: func @scatter_nd_writes_slices
func.func @scatter_nd_writes_slices(%arg0: tensor<4x3xf32>, %arg1: tensor<2x1xi64>, %arg2: tensor<2x3xf32>) -> tensor<4x3xf32> {
  // CHECK: scf.for
  // CHECK: scf.for
  // CHECK: tensor.insert
  %0 = IE.ScatterND %arg0, %arg1, %arg2 : tensor<4x3xf32>, tensor<2x1xi64>, tensor<2x3xf32> -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

// CHECK-LABEL: func @one_hot_compares_with_both_spellings
func.func @one_hot_compares_with_both_spellings(%arg0: tensor<3xi64>, %depth: tensor<i64>, %values: tensor<2xf32>) -> tensor<3x5xf32> {
  // CHECK: linalg.generic
  // CHECK: arith.cmpi eq
  // CHECK: arith.cmpi eq
  // CHECK: arith.ori
  // CHECK: arith.select
  %0 = IE.OneHot %arg0, %depth, %values : tensor<3xi64>, tensor<i64>, tensor<2xf32> -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// -----

// CHECK-LABEL: func @gather_nd_of_any_number_of_tuples
// CHECK: %[[COUNT:.*]] = tensor.dim %arg1, %{{.*}} : tensor<?x2xi64>
// CHECK: tensor.empty(%[[COUNT]]) : tensor<?x4xf32>
// CHECK: linalg.generic
// CHECK: tensor.extract %arg1
// CHECK: tensor.extract %arg0
func.func @gather_nd_of_any_number_of_tuples(%data: tensor<3x5x4xf32>, %indices: tensor<?x2xi64>) -> tensor<?x4xf32> {
  %0 = IE.GatherND %data, %indices : tensor<3x5x4xf32>, tensor<?x2xi64> -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// -----

// Where a run can end, it does so before it reads from elsewhere: each index is
// compared once, whatever it addresses.
// CHECK-LABEL: func @gather_by_any_number_of_indices_asserts_their_range
func.func @gather_by_any_number_of_indices_asserts_their_range(%data: tensor<5x32xf32>, %indices: tensor<?xi64>) -> tensor<?x32xf32> {
  // CHECK: %[[NONE:.*]] = linalg.fill ins(%[[ZERO:.*]] : i64)
  // CHECK: %[[ALL:.*]] = linalg.generic {{.*}} iterator_types = ["reduction"]} ins(%arg1 : tensor<?xi64>) outs(%[[NONE]] : tensor<i64>)
  // CHECK: ^bb0(%[[I:.*]]: i64, %[[SIGNS:.*]]: i64):
  // CHECK-DAG: %[[LOW:.*]] = arith.addi %[[I]], %[[SIZE:.*]] : i64
  // CHECK-DAG: %[[HIGH:.*]] = arith.subi %{{.*}}, %[[I]] : i64
  // CHECK: %[[OWN:.*]] = arith.ori %[[LOW]], %[[HIGH]]
  // CHECK: arith.ori %[[SIGNS]], %[[OWN]]
  // CHECK: %[[SIGN:.*]] = tensor.extract %[[ALL]]
  // CHECK: %[[HOLDS:.*]] = arith.cmpi sge, %[[SIGN]], %[[ZERO]]
  // CHECK: cf.assert %[[HOLDS]], "an index out of range"
  %0 = IE.Gather %data, %indices {axis = 0 : i64} : tensor<5x32xf32>, tensor<?xi64> -> tensor<?x32xf32>
  return %0 : tensor<?x32xf32>
}

// -----

// CHECK-LABEL: func @indices_that_are_known_to_be_in_range_are_not_compared
// CHECK-NOT: an index out of range
// CHECK: return
func.func @indices_that_are_known_to_be_in_range_are_not_compared(%data: tensor<5x?xf32>) -> tensor<2x?xf32> {
  %indices = IE.Constant dense<[4, -5]> : tensor<2xi64>
  %0 = IE.Gather %data, %indices {axis = 0 : i64} : tensor<5x?xf32>, tensor<2xi64> -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// -----

// CHECK-LABEL: func @code_for_known_sizes_has_no_way_to_fail
// CHECK-NOT: cf.assert
// CHECK: return
func.func @code_for_known_sizes_has_no_way_to_fail(%data: tensor<5x32xf32>, %indices: tensor<2xi64>) -> tensor<2x32xf32> {
  %0 = IE.Gather %data, %indices {axis = 0 : i64} : tensor<5x32xf32>, tensor<2xi64> -> tensor<2x32xf32>
  return %0 : tensor<2x32xf32>
}

// -----

// CHECK-LABEL: func @index_of_single_elements_is_only_clamped
// CHECK-NOT: an index out of range
// CHECK: return
func.func @index_of_single_elements_is_only_clamped(%data: tensor<?xf32>, %indices: tensor<?xi64>) -> tensor<?xf32> {
  %0 = IE.Gather %data, %indices {axis = 0 : i64} : tensor<?xf32>, tensor<?xi64> -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
