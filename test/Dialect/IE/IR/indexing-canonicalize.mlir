// RUN: nacre-opt %s --canonicalize --split-input-file | FileCheck %s

// CHECK-LABEL: func @repeated_index_gathers_rows
// CHECK: %[[LIST:.*]] = IE.Reshape %arg1, %{{.*}} -> tensor<5xi64>
// CHECK: %[[ROWS:.*]] = IE.Gather %arg0, %[[LIST]] : tensor<7x4xf32>, tensor<5xi64> -> tensor<5x4xf32>
// CHECK: return %[[ROWS]]
func.func @repeated_index_gathers_rows(%data: tensor<7x4xf32>, %rows: tensor<5x1xi64>) -> tensor<5x4xf32> {
  %shape = IE.Constant dense<[5, 4]> : tensor<2xi64>
  %0 = IE.Expand %rows, %shape : tensor<5x1xi64>, tensor<2xi64> -> tensor<5x4xi64>
  %1 = IE.GatherElements %data, %0 : tensor<7x4xf32>, tensor<5x4xi64> -> tensor<5x4xf32>
  return %1 : tensor<5x4xf32>
}

// -----

// CHECK-LABEL: func @repeated_index_gathers_columns
// CHECK: IE.Gather %arg0, %{{.*}} {axis = 1 : i64} : tensor<7x4xf32>, tensor<3xi32> -> tensor<7x3xf32>
func.func @repeated_index_gathers_columns(%data: tensor<7x4xf32>, %columns: tensor<3xi32>) -> tensor<7x3xf32> {
  %shape = IE.Constant dense<[7, 3]> : tensor<2xi64>
  %0 = IE.Expand %columns, %shape : tensor<3xi32>, tensor<2xi64> -> tensor<7x3xi32>
  %1 = IE.GatherElements %data, %0 {axis = -1 : i64} : tensor<7x4xf32>, tensor<7x3xi32> -> tensor<7x3xf32>
  return %1 : tensor<7x3xf32>
}

// -----

// CHECK-LABEL: func @part_of_rows_stays
// CHECK: IE.GatherElements
func.func @part_of_rows_stays(%data: tensor<7x4xf32>, %rows: tensor<5x1xi64>) -> tensor<5x3xf32> {
  %shape = IE.Constant dense<[5, 3]> : tensor<2xi64>
  %0 = IE.Expand %rows, %shape : tensor<5x1xi64>, tensor<2xi64> -> tensor<5x3xi64>
  %1 = IE.GatherElements %data, %0 : tensor<7x4xf32>, tensor<5x3xi64> -> tensor<5x3xf32>
  return %1 : tensor<5x3xf32>
}

// -----

// CHECK-LABEL: func @index_repeated_along_the_axis_stays
// CHECK: IE.GatherElements
func.func @index_repeated_along_the_axis_stays(%data: tensor<7x4xf32>, %row: tensor<1x4xi64>) -> tensor<5x4xf32> {
  %shape = IE.Constant dense<[5, 4]> : tensor<2xi64>
  %0 = IE.Expand %row, %shape : tensor<1x4xi64>, tensor<2xi64> -> tensor<5x4xi64>
  %1 = IE.GatherElements %data, %0 : tensor<7x4xf32>, tensor<5x4xi64> -> tensor<5x4xf32>
  return %1 : tensor<5x4xf32>
}

// -----

// CHECK-LABEL: func @repeated_index_scatters_rows
// CHECK: %[[TUPLES:.*]] = IE.Reshape %arg1, %{{.*}} -> tensor<5x1xi32>
// CHECK: %[[WIDE:.*]] = IE.Cast %[[TUPLES]]{{.*}} tensor<5x1xi32> -> tensor<5x1xi64>
// CHECK: IE.ScatterND %arg0, %[[WIDE]], %arg2 {reduction = "add"} : tensor<7x2x3xf32>, tensor<5x1xi64>, tensor<5x2x3xf32>
func.func @repeated_index_scatters_rows(%data: tensor<7x2x3xf32>, %rows: tensor<5x1x1xi32>, %updates: tensor<5x2x3xf32>) -> tensor<7x2x3xf32> {
  %shape = IE.Constant dense<[5, 2, 3]> : tensor<3xi64>
  %0 = IE.Expand %rows, %shape : tensor<5x1x1xi32>, tensor<3xi64> -> tensor<5x2x3xi32>
  %1 = IE.ScatterElements %data, %0, %updates {reduction = "add"} : tensor<7x2x3xf32>, tensor<5x2x3xi32>, tensor<5x2x3xf32> -> tensor<7x2x3xf32>
  return %1 : tensor<7x2x3xf32>
}

// -----

// CHECK-LABEL: func @scatter_of_columns_stays
// CHECK: IE.ScatterElements
func.func @scatter_of_columns_stays(%data: tensor<7x4xf32>, %columns: tensor<3xi64>, %updates: tensor<7x3xf32>) -> tensor<7x4xf32> {
  %shape = IE.Constant dense<[7, 3]> : tensor<2xi64>
  %0 = IE.Expand %columns, %shape : tensor<3xi64>, tensor<2xi64> -> tensor<7x3xi64>
  %1 = IE.ScatterElements %data, %0, %updates {axis = 1 : i64} : tensor<7x4xf32>, tensor<7x3xi64>, tensor<7x3xf32> -> tensor<7x4xf32>
  return %1 : tensor<7x4xf32>
}

// -----

// CHECK-LABEL: func @indices_of_their_own_stay
// CHECK: IE.ScatterElements
func.func @indices_of_their_own_stay(%data: tensor<7x4xf32>, %indices: tensor<5x4xi64>, %updates: tensor<5x4xf32>) -> tensor<7x4xf32> {
  %0 = IE.ScatterElements %data, %indices, %updates : tensor<7x4xf32>, tensor<5x4xi64>, tensor<5x4xf32> -> tensor<7x4xf32>
  return %0 : tensor<7x4xf32>
}
