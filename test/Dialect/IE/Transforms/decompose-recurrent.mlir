// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-decompose))' | FileCheck %s

// The product with the weights is one for all rows; what remains in the body is
// the product with the state.
// CHECK-LABEL: func @rnn_is_a_product_and_a_scan
func.func @rnn_is_a_product_and_a_scan(%x: tensor<5x3x2xf32>, %w: tensor<1x4x2xf32>, %r: tensor<1x4x4xf32>) -> tensor<5x1x3x4xf32> {
  // CHECK: %[[ROWS:.*]] = IE.MatMul({{.*}} -> tensor<5x3x4xf32>
  // CHECK: IE.Scan(%{{.*}}, %[[ROWS]]) {num_scan_inputs = 1 : i64, scan_input_directions = array<i64: 0>, scan_output_directions = array<i64: 0>}
  // CHECK-NEXT: ^bb0(%[[H:.*]]: tensor<3x4xf32>, %[[ROW:.*]]: tensor<3x4xf32>):
  // CHECK: %[[PRODUCT:.*]] = IE.MatMul(%[[H]],
  // CHECK: %[[SUM:.*]] = IE.Add %[[ROW]], %[[PRODUCT]]
  // CHECK: %[[NEXT:.*]] = IE.Tanh %[[SUM]]
  // CHECK: IE.Yield %[[NEXT]], %[[NEXT]]
  %0:2 = IE.RNN(%x, %w, %r) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>}
      : (tensor<5x3x2xf32>, tensor<1x4x2xf32>, tensor<1x4x4xf32>) -> (tensor<5x1x3x4xf32>, tensor<1x3x4xf32>)
  return %0#0 : tensor<5x1x3x4xf32>
}

// Rows beyond an element's length leave its state as it is.
// CHECK-LABEL: func @lengths_become_masks
func.func @lengths_become_masks(%x: tensor<5x3x2xf32>, %w: tensor<1x4x2xf32>, %r: tensor<1x4x4xf32>, %n: tensor<3xi32>) -> tensor<5x1x3x4xf32> {
  // CHECK: IE.Scan({{.*}}) {num_scan_inputs = 2 : i64, scan_input_directions = array<i64: 1, 1>, scan_output_directions = array<i64: 1>}
  // CHECK-NEXT: ^bb0(%[[H:.*]]: tensor<3x4xf32>, %{{.*}}: tensor<3x4xf32>, %[[T:.*]]: tensor<i32>):
  // CHECK: IE.Less %[[T]], %{{.*}} : tensor<i32>, tensor<3xi32> -> tensor<3xi1>
  // CHECK: IE.Where %{{.*}}, %{{.*}}, %[[H]]
  %0:2 = IE.RNN(%x, %w, %r, %n) {direction = "reverse", operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 0>}
      : (tensor<5x3x2xf32>, tensor<1x4x2xf32>, tensor<1x4x4xf32>, tensor<3xi32>) -> (tensor<5x1x3x4xf32>, tensor<1x3x4xf32>)
  return %0#0 : tensor<5x1x3x4xf32>
}

// CHECK-LABEL: func @both_directions_are_two_scans
func.func @both_directions_are_two_scans(%x: tensor<5x3x2xf32>, %w: tensor<2x16x2xf32>, %r: tensor<2x16x4xf32>) -> tensor<5x2x3x4xf32> {
  // CHECK: IE.Scan({{.*}}) {num_scan_inputs = 1 : i64, scan_input_directions = array<i64: 0>
  // CHECK: IE.Scan({{.*}}) {num_scan_inputs = 1 : i64, scan_input_directions = array<i64: 1>
  // CHECK: IE.Concat {{.*}} {axis = 1 : i64} : tensor<5x1x3x4xf32>, tensor<5x1x3x4xf32>
  %0:3 = IE.LSTM(%x, %w, %r) {direction = "bidirectional", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0>}
      : (tensor<5x3x2xf32>, tensor<2x16x2xf32>, tensor<2x16x4xf32>) -> (tensor<5x2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>)
  return %0#0 : tensor<5x2x3x4xf32>
}

// CHECK-LABEL: func @weights_of_unknown_size_say_how_many_states_there_are
// CHECK-SAME: %[[R:[a-z0-9]+]]: tensor<1x?x?xf32>
// CHECK: %[[FOUR:.*]] = IE.Constant dense<4> : tensor<1xi64>
// CHECK: %[[H:.*]] = IE.Shape %[[R]] {end = 3 : i64, start = 2 : i64}
// CHECK: %[[GATES:.*]] = IE.Mul %[[H]], %[[FOUR]]
// CHECK: IE.Slice %{{.*}}, %{{.*}}, %[[GATES]]
// CHECK-NOT: IE.LSTM
// CHECK: IE.Scan
// CHECK-NOT: IE.Split
func.func @weights_of_unknown_size_say_how_many_states_there_are(%x: tensor<5x3x2xf32>, %w: tensor<1x?x2xf32>, %r: tensor<1x?x?xf32>, %b: tensor<1x?xf32>) -> tensor<5x1x3x?xf32> {
  %0:3 = IE.LSTM(%x, %w, %r, %b) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0>}
      : (tensor<5x3x2xf32>, tensor<1x?x2xf32>, tensor<1x?x?xf32>, tensor<1x?xf32>) -> (tensor<5x1x3x?xf32>, tensor<1x3x?xf32>, tensor<1x3x?xf32>)
  return %0#0 : tensor<5x1x3x?xf32>
}
