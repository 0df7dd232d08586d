// RUN: nacre-opt %s --ie-sink-transposes --split-input-file | FileCheck %s

// Elements are moved, and computed each as before: NaN and the sign of zero stay
// as they are. Sums of reductions may be rounded in another order.

// CHECK-LABEL: func @transposes_around_elementwise_ops_cancel
// CHECK-DAG: %[[BIAS:.*]] = IE.Constant dense<{{.*}}> : tensor<1x3x1x1xf32>
// CHECK: %[[SUM:.*]] = IE.Add %arg0, %[[BIAS]] : tensor<1x3x8x8xf32>, tensor<1x3x1x1xf32> -> tensor<1x3x8x8xf32>
// CHECK: %[[Y:.*]] = IE.Clip %[[SUM]]
// CHECK-NEXT: return %[[Y]]
func.func @transposes_around_elementwise_ops_cancel(%x: tensor<1x3x8x8xf32>) -> tensor<1x3x8x8xf32> {
  %bias = IE.Constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %low = IE.Constant dense<0.0> : tensor<f32>
  %high = IE.Constant dense<6.0> : tensor<f32>
  %0 = IE.Transpose %x {perm = array<i64: 0, 2, 3, 1>} : tensor<1x3x8x8xf32> -> tensor<1x8x8x3xf32>
  %1 = IE.Add %0, %bias : tensor<1x8x8x3xf32>, tensor<3xf32> -> tensor<1x8x8x3xf32>
  %2 = IE.Clip %1 min(%low : tensor<f32>) max(%high : tensor<f32>) : tensor<1x8x8x3xf32> -> tensor<1x8x8x3xf32>
  %3 = IE.Transpose %2 {perm = array<i64: 0, 3, 1, 2>} : tensor<1x8x8x3xf32> -> tensor<1x3x8x8xf32>
  return %3 : tensor<1x3x8x8xf32>
}

// -----

// CHECK-LABEL: func @operands_transposed_alike_are_added_before
// CHECK-NEXT: %[[SUM:.*]] = IE.Add %arg0, %arg1 : tensor<?x3x8x8xf32>, tensor<?x3x8x8xf32> -> tensor<?x3x8x8xf32>
// CHECK-NEXT: %[[Y:.*]] = IE.Transpose %[[SUM]] {perm = array<i64: 0, 2, 3, 1>} : tensor<?x3x8x8xf32> -> tensor<?x8x8x3xf32>
// CHECK-NEXT: return %[[Y]]
func.func @operands_transposed_alike_are_added_before(%x: tensor<?x3x8x8xf32>, %y: tensor<?x3x8x8xf32>) -> tensor<?x8x8x3xf32> {
  %0 = IE.Transpose %x {perm = array<i64: 0, 2, 3, 1>} : tensor<?x3x8x8xf32> -> tensor<?x8x8x3xf32>
  %1 = IE.Transpose %y {perm = array<i64: 0, 2, 3, 1>} : tensor<?x3x8x8xf32> -> tensor<?x8x8x3xf32>
  %2 = IE.Add %0, %1 : tensor<?x8x8x3xf32>, tensor<?x8x8x3xf32> -> tensor<?x8x8x3xf32>
  return %2 : tensor<?x8x8x3xf32>
}

// -----

// Down a chain to where another one joins it.

// CHECK-LABEL: func @transpose_moves_down_to_another
// CHECK: %[[A:.*]] = IE.Sigmoid %arg0 : tensor<2x3x4xf32>
// CHECK: %[[B:.*]] = IE.Concat %[[A]], %arg1 {axis = 0 : i64} : tensor<2x3x4xf32>, tensor<5x3x4xf32> -> tensor<7x3x4xf32>
// CHECK: %[[Y:.*]] = IE.Transpose %[[B]] {perm = array<i64: 1, 2, 0>} : tensor<7x3x4xf32> -> tensor<3x4x7xf32>
// CHECK: return %[[Y]]
func.func @transpose_moves_down_to_another(%x: tensor<2x3x4xf32>, %y: tensor<5x3x4xf32>) -> tensor<3x4x7xf32> {
  %0 = IE.Transpose %x {perm = array<i64: 1, 2, 0>} : tensor<2x3x4xf32> -> tensor<3x4x2xf32>
  %1 = IE.Sigmoid %0 : tensor<3x4x2xf32> -> tensor<3x4x2xf32>
  %2 = IE.Transpose %y {perm = array<i64: 1, 2, 0>} : tensor<5x3x4xf32> -> tensor<3x4x5xf32>
  %3 = IE.Concat %1, %2 {axis = -1 : i64} : tensor<3x4x2xf32>, tensor<3x4x5xf32> -> tensor<3x4x7xf32>
  return %3 : tensor<3x4x7xf32>
}

// -----

// Nothing to meet below.

// CHECK-LABEL: func @transpose_that_meets_none_stays
// CHECK-NEXT: %[[T:.*]] = IE.Transpose %arg0
// CHECK-NEXT: IE.Relu %[[T]]
func.func @transpose_that_meets_none_stays(%x: tensor<2x3x4xf32>) -> tensor<4x3x2xf32> {
  %0 = IE.Transpose %x : tensor<2x3x4xf32> -> tensor<4x3x2xf32>
  %1 = IE.Relu %0 : tensor<4x3x2xf32> -> tensor<4x3x2xf32>
  return %1 : tensor<4x3x2xf32>
}

// -----

// CHECK-LABEL: func @transpose_with_other_users_stays
// CHECK-NEXT: %[[T:.*]] = IE.Transpose %arg0
// CHECK-NEXT: IE.Relu %[[T]]
func.func @transpose_with_other_users_stays(%x: tensor<2x3x4xf32>) -> (tensor<4x3x2xf32>, tensor<2x3x4xf32>) {
  %0 = IE.Transpose %x : tensor<2x3x4xf32> -> tensor<4x3x2xf32>
  %1 = IE.Relu %0 : tensor<4x3x2xf32> -> tensor<4x3x2xf32>
  %2 = IE.Transpose %1 : tensor<4x3x2xf32> -> tensor<2x3x4xf32>
  return %0, %2 : tensor<4x3x2xf32>, tensor<2x3x4xf32>
}

// -----

// The other operand is in another order; or is a matrix of constants.

// CHECK-LABEL: func @operands_in_different_orders_stay
// CHECK: IE.Add {{.*}} tensor<4x3x3xf32>, tensor<4x3x3xf32>
// CHECK: IE.Mul {{.*}} tensor<3x4x2xf32>, tensor<4x2xf32>
func.func @operands_in_different_orders_stay(%x: tensor<3x3x4xf32>, %y: tensor<3x3x4xf32>, %z: tensor<2x3x4xf32>) -> (tensor<4x3x3xf32>, tensor<2x3x4xf32>) {
  %0 = IE.Transpose %x {perm = array<i64: 2, 0, 1>} : tensor<3x3x4xf32> -> tensor<4x3x3xf32>
  %1 = IE.Transpose %y {perm = array<i64: 2, 1, 0>} : tensor<3x3x4xf32> -> tensor<4x3x3xf32>
  %2 = IE.Add %0, %1 : tensor<4x3x3xf32>, tensor<4x3x3xf32> -> tensor<4x3x3xf32>
  %matrix = IE.Constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]]> : tensor<4x2xf32>
  %3 = IE.Transpose %z {perm = array<i64: 1, 2, 0>} : tensor<2x3x4xf32> -> tensor<3x4x2xf32>
  %4 = IE.Mul %3, %matrix : tensor<3x4x2xf32>, tensor<4x2xf32> -> tensor<3x4x2xf32>
  %5 = IE.Transpose %4 {perm = array<i64: 2, 0, 1>} : tensor<3x4x2xf32> -> tensor<2x3x4xf32>
  return %2, %5 : tensor<4x3x3xf32>, tensor<2x3x4xf32>
}

// -----

// A row and a column are small: their sum would have to be transposed.

// CHECK-LABEL: func @what_broadcasts_stays
// CHECK: IE.Add {{.*}} tensor<1x4x8xf32>, tensor<9x4x1xf32> -> tensor<9x4x8xf32>
func.func @what_broadcasts_stays(%x: tensor<4x8x1xf32>, %y: tensor<4x1x9xf32>) -> tensor<9x4x8xf32> {
  %0 = IE.Transpose %x {perm = array<i64: 2, 0, 1>} : tensor<4x8x1xf32> -> tensor<1x4x8xf32>
  %1 = IE.Transpose %y {perm = array<i64: 2, 0, 1>} : tensor<4x1x9xf32> -> tensor<9x4x1xf32>
  %2 = IE.Add %0, %1 : tensor<1x4x8xf32>, tensor<9x4x1xf32> -> tensor<9x4x8xf32>
  return %2 : tensor<9x4x8xf32>
}

// -----

// CHECK-LABEL: func @slice_is_taken_before
// CHECK-DAG: %[[AXES:.*]] = IE.Constant dense<[1, 2]> : tensor<2xi64>
// CHECK: %[[S:.*]] = IE.Slice %arg0, %{{.*}}, %{{.*}} axes(%[[AXES]] : tensor<2xi64>) : tensor<2x3x?xf32>, {{.*}} -> tensor<2x1x?xf32>
// CHECK: %[[Y:.*]] = IE.Transpose %[[S]] {perm = array<i64: 2, 0, 1>} : tensor<2x1x?xf32> -> tensor<?x2x1xf32>
// CHECK: return %[[Y]]
func.func @slice_is_taken_before(%x: tensor<2x3x?xf32>) -> tensor<?x2x1xf32> {
  %starts = IE.Constant dense<[1, 0]> : tensor<2xi64>
  %ends = IE.Constant dense<[2, 4]> : tensor<2xi64>
  %axes = IE.Constant dense<[-1, 0]> : tensor<2xi64>
  %0 = IE.Transpose %x {perm = array<i64: 2, 0, 1>} : tensor<2x3x?xf32> -> tensor<?x2x3xf32>
  %1 = IE.Slice %0, %starts, %ends axes(%axes : tensor<2xi64>) : tensor<?x2x3xf32>, tensor<2xi64>, tensor<2xi64> -> tensor<?x2x1xf32>
  return %1 : tensor<?x2x1xf32>
}

// -----

// CHECK-LABEL: func @mean_over_pixels_needs_no_transposition
// CHECK: %[[AXES:.*]] = IE.Constant dense<[2, 3]> : tensor<2xi64>
// CHECK: %[[Y:.*]] = IE.ReduceMean(%arg0, %[[AXES]]) {keepdims = 0 : i64} : (tensor<1x64x7x7xf32>, tensor<2xi64>) -> tensor<1x64xf32>
// CHECK-NEXT: return %[[Y]]
func.func @mean_over_pixels_needs_no_transposition(%x: tensor<1x64x7x7xf32>) -> tensor<1x64xf32> {
  %axes = IE.Constant dense<[1, 2]> : tensor<2xi64>
  %0 = IE.Transpose %x {perm = array<i64: 0, 2, 3, 1>} : tensor<1x64x7x7xf32> -> tensor<1x7x7x64xf32>
  %1 = IE.ReduceMean(%0, %axes) {keepdims = 0 : i64} : (tensor<1x7x7x64xf32>, tensor<2xi64>) -> tensor<1x64xf32>
  return %1 : tensor<1x64xf32>
}

// -----

// Of dimensions that stay, the order remains to be changed.

// CHECK-LABEL: func @sum_is_transposed_behind
// CHECK: %[[SUM:.*]] = IE.ReduceSum(%arg0, %{{.*}}) : (tensor<2x3x?xf32>, tensor<1xi64>) -> tensor<2x1x?xf32>
// CHECK: %[[Y:.*]] = IE.Transpose %[[SUM]] {perm = array<i64: 2, 1, 0>} : tensor<2x1x?xf32> -> tensor<?x1x2xf32>
// CHECK: return %[[Y]]
func.func @sum_is_transposed_behind(%x: tensor<2x3x?xf32>) -> tensor<?x1x2xf32> {
  %axes = IE.Constant dense<1> : tensor<1xi64>
  %0 = IE.Transpose %x : tensor<2x3x?xf32> -> tensor<?x3x2xf32>
  %1 = IE.ReduceSum(%0, %axes) : (tensor<?x3x2xf32>, tensor<1xi64>) -> tensor<?x1x2xf32>
  return %1 : tensor<?x1x2xf32>
}

// -----

// CHECK-LABEL: func @dimensions_of_one_element_move_by_reshape
// CHECK-DAG: %[[A:.*]] = IE.Reshape %arg0, %{{.*}} -> tensor<4x8x1xf32>
// CHECK-DAG: %[[B:.*]] = IE.Reshape %arg1, %{{.*}} -> tensor<?x1x4xf32>
// CHECK: return %[[A]], %[[B]]
func.func @dimensions_of_one_element_move_by_reshape(%x: tensor<1x4x8xf32>, %y: tensor<1x?x4xf32>) -> (tensor<4x8x1xf32>, tensor<?x1x4xf32>) {
  %0 = IE.Transpose %x {perm = array<i64: 1, 2, 0>} : tensor<1x4x8xf32> -> tensor<4x8x1xf32>
  %1 = IE.Transpose %y {perm = array<i64: 1, 0, 2>} : tensor<1x?x4xf32> -> tensor<?x1x4xf32>
  return %0, %1 : tensor<4x8x1xf32>, tensor<?x1x4xf32>
}

// -----

// Two sizes are open, or there are no elements: no Reshape says that.

// CHECK-LABEL: func @other_permutations_stay
// CHECK-COUNT-3: IE.Transpose
func.func @other_permutations_stay(%x: tensor<1x?x?xf32>, %y: tensor<0x1xf32>, %z: tensor<1x2x3xf32>) -> (tensor<?x1x?xf32>, tensor<1x0xf32>, tensor<3x1x2xf32>) {
  %0 = IE.Transpose %x {perm = array<i64: 1, 0, 2>} : tensor<1x?x?xf32> -> tensor<?x1x?xf32>
  %1 = IE.Transpose %y : tensor<0x1xf32> -> tensor<1x0xf32>
  %2 = IE.Transpose %z {perm = array<i64: 2, 0, 1>} : tensor<1x2x3xf32> -> tensor<3x1x2xf32>
  return %0, %1, %2 : tensor<?x1x?xf32>, tensor<1x0xf32>, tensor<3x1x2xf32>
}
