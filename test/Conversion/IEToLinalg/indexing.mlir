// RUN: nacre-opt %s -split-input-file --convert-ie-to-linalg | FileCheck %s

// Lowering of the Indexing family: every index is clamped before it is used.

// CHECK-LABEL: func @gather_clamps_its_index
func.func @gather_clamps_its_index(%arg0: tensor<3x5xf32>, %arg1: tensor<4xi64>) -> tensor<3x4xf32> {
  // CHECK: linalg.generic
  // CHECK: %[[ROW:.*]] = linalg.index 0
  // CHECK: %[[WHICH:.*]] = linalg.index 1
  // CHECK: tensor.extract %arg1[%[[WHICH]]]
  // CHECK: arith.select
  // CHECK: arith.minsi
  // CHECK: %[[INDEX:.*]] = arith.maxsi
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
