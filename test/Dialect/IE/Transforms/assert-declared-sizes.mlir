// Sizes that only the model declares are asserted before the op; what type
// inference finds is not.

// RUN: nacre-opt %s --ie-assert-declared-sizes --split-input-file | FileCheck %s

// CHECK-LABEL: func @concat_of_declared_length_is_asserted
func.func @concat_of_declared_length_is_asserted(%x: tensor<?xf32>) -> tensor<6xf32> {
  // CHECK: %[[A:.*]] = tensor.dim %arg0
  // CHECK: %[[B:.*]] = tensor.dim %arg0
  // CHECK: %[[SUM:.*]] = arith.addi
  // CHECK: %[[SAME:.*]] = arith.cmpi eq, %[[SUM]], %{{.*}} : index
  // CHECK: cf.assert %[[SAME]], "a result has another size than the model declares"
  // CHECK-NEXT: IE.Concat
  %0 = IE.Concat %x, %x {axis = 0 : i64} : tensor<?xf32>, tensor<?xf32> -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----

// CHECK-LABEL: func @convolution_of_declared_rows_is_asserted
func.func @convolution_of_declared_rows_is_asserted(%x: tensor<1x3x?x8xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32> {
  // CHECK: cf.assert %{{.*}}, "a result has another size than the model declares"
  // CHECK-NEXT: IE.Conv
  %0 = IE.Conv(%x, %w) : (tensor<1x3x?x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32>
  return %0 : tensor<1x4x6x6xf32>
}

// -----

// CHECK-LABEL: func @body_of_a_branch_is_asserted
func.func @body_of_a_branch_is_asserted(%c: tensor<i1>, %x: tensor<?x3xf32>) -> tensor<3x?xf32> {
  // CHECK: IE.If
  // CHECK: cf.assert
  // CHECK-NEXT: IE.Transpose
  %0 = IE.If %c : (tensor<i1>) -> tensor<3x?xf32> {
    %1 = IE.Transpose %x : tensor<?x3xf32> -> tensor<3x4xf32>
    IE.Yield %1 : tensor<3x4xf32>
  } else {
    %2 = IE.Transpose %x : tensor<?x3xf32> -> tensor<3x?xf32>
    IE.Yield %2 : tensor<3x?xf32>
  }
  return %0 : tensor<3x?xf32>
}

// -----

// CHECK-LABEL: func @inferred_sizes_are_not_asserted
func.func @inferred_sizes_are_not_asserted(%x: tensor<2x?xf32>, %y: tensor<2x3xf32>) -> (tensor<2x?xf32>, tensor<3x2xf32>) {
  // CHECK-NOT: cf.assert
  %0 = IE.Relu %x : tensor<2x?xf32> -> tensor<2x?xf32>
  %1 = IE.Transpose %y : tensor<2x3xf32> -> tensor<3x2xf32>
  return %0, %1 : tensor<2x?xf32>, tensor<3x2xf32>
}

// -----

// A number without a sign is what index arithmetic takes.
// CHECK-LABEL: func @unsigned_depth_is_converted
func.func @unsigned_depth_is_converted(%i: tensor<?xi64>, %d: tensor<ui8>, %v: tensor<2xf32>) -> tensor<?x5xf32> {
  // CHECK: IE.Cast %arg1
  // CHECK: cf.assert %{{.*}}, "a result has another size than the model declares"
  // CHECK: cf.assert %{{.*}}, "a negative depth"
  // CHECK-NEXT: IE.OneHot
  %0 = IE.OneHot %i, %d, %v : tensor<?xi64>, tensor<ui8>, tensor<2xf32> -> tensor<?x5xf32>
  return %0 : tensor<?x5xf32>
}

// -----

// Not asked of Relu's result, whose type may come to be the declared one; so
// that is asserted before.
// CHECK-LABEL: func @size_is_followed_to_the_argument
func.func @size_is_followed_to_the_argument(%x: tensor<?x3xf32>) -> tensor<3x4xf32> {
  // CHECK: %[[SIZE:.*]] = tensor.dim %arg0
  // CHECK-NOT: tensor.dim
  // CHECK: arith.cmpi eq, %[[SIZE]]
  // CHECK: cf.assert
  // CHECK-NEXT: IE.Relu
  // CHECK-NEXT: IE.Transpose
  %0 = IE.Relu %x : tensor<?x3xf32> -> tensor<?x3xf32>
  %1 = IE.Transpose %0 : tensor<?x3xf32> -> tensor<3x4xf32>
  return %1 : tensor<3x4xf32>
}

// -----

// What a branch declares, and one of its sides does not know.
// CHECK-LABEL: func @yielded_sizes_of_a_branch_are_asserted
func.func @yielded_sizes_of_a_branch_are_asserted(%c: tensor<i1>, %x: tensor<?xf32>, %y: tensor<6xf32>) -> tensor<6xf32> {
  // CHECK: IE.If
  // CHECK: %[[SIZE:.*]] = arith.addi
  // CHECK: %[[SAME:.*]] = arith.cmpi eq, %[[SIZE]], %{{.*}} : index
  // CHECK: cf.assert %[[SAME]], "a result has another size than the model declares"
  // CHECK: IE.Concat
  // CHECK: IE.Yield
  // CHECK: } else {
  // CHECK-NOT: cf.assert
  %0 = IE.If %c : (tensor<i1>) -> tensor<6xf32> {
    %1 = IE.Concat %x, %x {axis = 0 : i64} : tensor<?xf32>, tensor<?xf32> -> tensor<?xf32>
    IE.Yield %1 : tensor<?xf32>
  } else {
    IE.Yield %y : tensor<6xf32>
  }
  return %0 : tensor<6xf32>
}

// -----

// Stacked elements in each run, what is carried behind the last one: its size may
// change.
// CHECK-LABEL: func @elements_and_last_value_of_a_loop_are_asserted
func.func @elements_and_last_value_of_a_loop_are_asserted(%trips: tensor<i64>, %x: tensor<?xf32>) -> (tensor<7xf32>, tensor<?x4xf32>) {
  // CHECK: %[[LOOP:.*]]:2 = IE.Loop{{.*}} -> (tensor<?xf32>, tensor<?x4xf32>)
  // CHECK: cf.assert %{{.*}}, "a result has another size than the model declares"
  // CHECK-NOT: cf.assert
  // CHECK: IE.Yield
  // CHECK: %[[SIZE:.*]] = tensor.dim %[[LOOP]]#0
  // CHECK: %[[SAME:.*]] = arith.cmpi eq, %[[SIZE]]
  // CHECK: cf.assert %[[SAME]], "a result has another size than the model declares"
  // CHECK: %[[LAST:.*]] = tensor.cast %[[LOOP]]#0 : tensor<?xf32> to tensor<7xf32>
  // CHECK: return %[[LAST]], %[[LOOP]]#1
  %0:2 = IE.Loop(%trips, %x) {operandSegmentSizes = array<i32: 1, 0, 1>} : (tensor<i64>, tensor<?xf32>) -> (tensor<7xf32>, tensor<?x4xf32>) {
  ^bb0(%i: tensor<i64>, %c: tensor<i1>, %v: tensor<?xf32>):
    %1 = IE.Concat %v, %v {axis = 0 : i64} : tensor<?xf32>, tensor<?xf32> -> tensor<?xf32>
    IE.Yield %c, %1, %1 : tensor<i1>, tensor<?xf32>, tensor<?xf32>
  }
  return %0#0, %0#1 : tensor<7xf32>, tensor<?x4xf32>
}

// -----

// CHECK-LABEL: func @state_of_a_scan_is_asserted
func.func @state_of_a_scan_is_asserted(%s: tensor<?xf32>, %x: tensor<5x1xf32>) -> tensor<7xf32> {
  // CHECK: %[[LAST:.*]]:2 = IE.Scan{{.*}} -> (tensor<?xf32>, tensor<5x1xf32>)
  // CHECK: tensor.dim %[[LAST]]#0
  // CHECK: cf.assert %{{.*}}, "a result has another size than the model declares"
  // CHECK: tensor.cast %[[LAST]]#0 : tensor<?xf32> to tensor<7xf32>
  %0:2 = IE.Scan(%s, %x) {num_scan_inputs = 1 : i64} : (tensor<?xf32>, tensor<5x1xf32>) -> (tensor<7xf32>, tensor<5x1xf32>) {
  ^bb0(%state: tensor<?xf32>, %part: tensor<1xf32>):
    %next = IE.Add %state, %part : tensor<?xf32>, tensor<1xf32> -> tensor<?xf32>
    IE.Yield %next, %part : tensor<?xf32>, tensor<1xf32>
  }
  return %0#0 : tensor<7xf32>
}

// -----

// A run that comes to the second branch has ended before what it gives has a type
// that it cannot have.
// CHECK-LABEL: func @yielded_size_that_is_another_ends_a_run
func.func @yielded_size_that_is_another_ends_a_run(%c: tensor<i1>, %x: tensor<?x2xf32>, %y: tensor<?x3xf32>) -> tensor<?x2xf32> {
  // CHECK: IE.If
  // CHECK-NOT: cf.assert
  // CHECK: } else {
  // CHECK: %[[SAME:.*]] = arith.cmpi eq, %c3, %c2
  // CHECK: cf.assert %[[SAME]], "a result has another size than the model declares"
  // CHECK: %[[ROWS:.*]] = tensor.dim %arg2, %{{.*}}
  // CHECK: %[[NONE:.*]] = tensor.empty(%[[ROWS]]) : tensor<?x2xf32>
  // CHECK: IE.Yield %[[NONE]]
  %0 = IE.If %c : (tensor<i1>) -> tensor<?x2xf32> {
    IE.Yield %x : tensor<?x2xf32>
  } else {
    IE.Yield %y : tensor<?x3xf32>
  }
  return %0 : tensor<?x2xf32>
}
