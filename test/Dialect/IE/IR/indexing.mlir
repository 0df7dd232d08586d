// RUN: nacre-opt %s -split-input-file -verify-diagnostics | FileCheck %s

// Parsing and inference of the Indexing family.

// CHECK-LABEL: func @gather_replaces_the_axis
func.func @gather_replaces_the_axis(%arg0: tensor<3x5x2xf32>, %arg1: tensor<4x1xi64>) -> tensor<3x4x1x2xf32> {
  // CHECK: IE.Gather %arg0, %arg1 {axis = 1 : i64} : tensor<3x5x2xf32>, tensor<4x1xi64> -> tensor<3x4x1x2xf32>
  %0 = IE.Gather %arg0, %arg1 {axis = 1 : i64} : tensor<3x5x2xf32>, tensor<4x1xi64> -> tensor<3x4x1x2xf32>
  return %0 : tensor<3x4x1x2xf32>
}

// -----

func.func @gather_beyond_the_axis_is_rejected(%arg0: tensor<3xf32>) -> tensor<2xf32> {
  %indices = IE.Constant dense<[0, 3]> : tensor<2xi64>
  // expected-error @+2 {{expected indices in [-3, 2], found 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.Gather %arg0, %indices : tensor<3xf32>, tensor<2xi64> -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK-LABEL: func @gather_elements_takes_the_shape_of_indices
func.func @gather_elements_takes_the_shape_of_indices(%arg0: tensor<3x3xf32>, %arg1: tensor<2x3xi32>) -> tensor<2x3xf32> {
  // CHECK: IE.GatherElements %arg0, %arg1 : tensor<3x3xf32>, tensor<2x3xi32> -> tensor<2x3xf32>
  %0 = IE.GatherElements %arg0, %arg1 : tensor<3x3xf32>, tensor<2x3xi32> -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @gather_elements_of_other_rank_is_rejected(%arg0: tensor<3x3xf32>, %arg1: tensor<2xi64>) -> tensor<2xf32> {
  // expected-error @+2 {{expected indices of rank 2, found 'tensor<2xi64>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.GatherElements %arg0, %arg1 : tensor<3x3xf32>, tensor<2xi64> -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK-LABEL: func @gather_nd_with_batch_keeps_the_batch
func.func @gather_nd_with_batch_keeps_the_batch(%arg0: tensor<2x3x4xf32>, %arg1: tensor<2x5x1xi64>) -> tensor<2x5x4xf32> {
  // CHECK: IE.GatherND %arg0, %arg1 {batch_dims = 1 : i64} : tensor<2x3x4xf32>, tensor<2x5x1xi64> -> tensor<2x5x4xf32>
  %0 = IE.GatherND %arg0, %arg1 {batch_dims = 1 : i64} : tensor<2x3x4xf32>, tensor<2x5x1xi64> -> tensor<2x5x4xf32>
  return %0 : tensor<2x5x4xf32>
}

// -----

func.func @gather_nd_with_long_tuples_is_rejected(%arg0: tensor<2x3xf32>, %arg1: tensor<5x3xi64>) -> tensor<5xf32> {
  // expected-error @+2 {{expected index tuples of at most 2 entries, found 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.GatherND %arg0, %arg1 : tensor<2x3xf32>, tensor<5x3xi64> -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

// CHECK-LABEL: func @scatters_keep_the_type_of_data
func.func @scatters_keep_the_type_of_data(%arg0: tensor<4x3xf32>, %arg1: tensor<2x3xi64>, %arg2: tensor<2x3xf32>, %arg3: tensor<2x1xi64>) -> tensor<4x3xf32> {
  // CHECK: IE.ScatterElements %arg0, %arg1, %arg2 {reduction = "add"} : tensor<4x3xf32>, tensor<2x3xi64>, tensor<2x3xf32> -> tensor<4x3xf32>
  %0 = IE.ScatterElements %arg0, %arg1, %arg2 {reduction = "add"} : tensor<4x3xf32>, tensor<2x3xi64>, tensor<2x3xf32> -> tensor<4x3xf32>
  // CHECK: IE.ScatterND %{{.*}}, %arg3, %arg2 : tensor<4x3xf32>, tensor<2x1xi64>, tensor<2x3xf32> -> tensor<4x3xf32>
  %1 = IE.ScatterND %0, %arg3, %arg2 : tensor<4x3xf32>, tensor<2x1xi64>, tensor<2x3xf32> -> tensor<4x3xf32>
  return %1 : tensor<4x3xf32>
}

// -----

func.func @scatter_nd_of_other_updates_is_rejected(%arg0: tensor<4x3xf32>, %arg1: tensor<2x1xi64>, %arg2: tensor<3x3xf32>) -> tensor<4x3xf32> {
  // expected-error @+2 {{expected updates of type 'tensor<2x3xf32>', found 'tensor<3x3xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.ScatterND %arg0, %arg1, %arg2 : tensor<4x3xf32>, tensor<2x1xi64>, tensor<3x3xf32> -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

func.func @scatter_with_unknown_reduction_is_rejected(%arg0: tensor<4xf32>, %arg1: tensor<2xi64>, %arg2: tensor<2xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{attribute 'reduction' failed to satisfy constraint}}
  %0 = IE.ScatterElements %arg0, %arg1, %arg2 {reduction = "sub"} : tensor<4xf32>, tensor<2xi64>, tensor<2xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func @one_hot_inserts_the_depth
func.func @one_hot_inserts_the_depth(%arg0: tensor<2x3xi64>, %arg1: tensor<2xf32>) -> tensor<2x10x3xf32> {
  %depth = IE.Constant dense<10> : tensor<i64>
  // CHECK: IE.OneHot %arg0, %{{.*}}, %arg1 {axis = 1 : i64} : tensor<2x3xi64>, tensor<i64>, tensor<2xf32> -> tensor<2x10x3xf32>
  %0 = IE.OneHot %arg0, %depth, %arg1 {axis = 1 : i64} : tensor<2x3xi64>, tensor<i64>, tensor<2xf32> -> tensor<2x10x3xf32>
  return %0 : tensor<2x10x3xf32>
}

// -----

func.func @one_hot_of_three_values_is_rejected(%arg0: tensor<2xi64>, %arg1: tensor<i64>, %arg2: tensor<3xf32>) -> tensor<2x?xf32> {
  // expected-error @+2 {{expected 2 values, found 'tensor<3xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.OneHot %arg0, %arg1, %arg2 : tensor<2xi64>, tensor<i64>, tensor<3xf32> -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// -----

// CHECK-LABEL: func @gather_takes_negative_i32_indices_from_a_blob
func.func @gather_takes_negative_i32_indices_from_a_blob(%arg0: tensor<3xf32>) -> tensor<2xf32> {
  %indices = IE.Constant dense_resource<indices> : tensor<2xi32>
  // CHECK: IE.Gather %arg0
  %0 = IE.Gather %arg0, %indices {axis = 0 : i64} : tensor<3xf32>, tensor<2xi32> -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

{-#
  dialect_resources: {
    builtin: {
      // -3 and -1.
      indices: "0x04000000FDFFFFFFFFFFFFFF"
    }
  }
#-}
