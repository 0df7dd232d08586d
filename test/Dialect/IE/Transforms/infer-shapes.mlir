// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-infer-shapes))' -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func @chain_with_static_argument_becomes_static
// CHECK-SAME: -> tensor<2x8xf32>
func.func @chain_with_static_argument_becomes_static(%x: tensor<2x8xf32>) -> tensor<?x?xf32> {
  // CHECK: IE.Relu %{{.*}} : tensor<2x8xf32> -> tensor<2x8xf32>
  %0 = IE.Relu %x : tensor<2x8xf32> -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: func @declared_static_result_is_kept
// CHECK-SAME: -> tensor<4x8xf32>
func.func @declared_static_result_is_kept(%x: tensor<?x8xf32>) -> tensor<4x8xf32> {
  // CHECK: IE.Relu %{{.*}} : tensor<?x8xf32> -> tensor<4x8xf32>
  %0 = IE.Relu %x : tensor<?x8xf32> -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// What the loop keeps is static; what grows stays dynamic.
// CHECK-LABEL: func @carried_values_are_as_static_as_they_stay
// CHECK-SAME: -> (tensor<2xf32>, tensor<?xf32>)
func.func @carried_values_are_as_static_as_they_stay(%n: tensor<i64>, %x: tensor<2xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  // CHECK: ^bb0(%{{.*}}: tensor<i64>, %{{.*}}: tensor<i1>, %{{.*}}: tensor<2xf32>, %{{.*}}: tensor<?xf32>):
  // CHECK: IE.Relu %{{.*}} : tensor<2xf32> -> tensor<2xf32>
  %0:2 = IE.Loop(%n, %x, %x) {operandSegmentSizes = array<i32: 1, 0, 2>} : (tensor<i64>, tensor<2xf32>, tensor<2xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  ^bb0(%i: tensor<i64>, %c: tensor<i1>, %kept: tensor<?xf32>, %grown: tensor<?xf32>):
    %relu = IE.Relu %kept : tensor<?xf32> -> tensor<?xf32>
    %longer = IE.Concat %grown, %relu {axis = 0 : i64} : tensor<?xf32>, tensor<?xf32> -> tensor<?xf32>
    IE.Yield %c, %relu, %longer : tensor<i1>, tensor<?xf32>, tensor<?xf32>
  }
  return %0#0, %0#1 : tensor<?xf32>, tensor<?xf32>
}

// -----

// A size that is scaled by a constant is known, whatever the others are.
// CHECK-LABEL: func @resize_of_image_keeps_channels
// CHECK-SAME: -> tensor<1x32x?x?xf32>
func.func @resize_of_image_keeps_channels(%x: tensor<1x32x?x?xf32>) -> tensor<?x?x?x?xf32> {
  %s = IE.Constant dense<[1.0, 1.0, 2.0, 2.0]> : tensor<4xf32>
  %0 = IE.Resize(%x) scales(%s : tensor<4xf32>) : (tensor<1x32x?x?xf32>) -> tensor<?x?x?x?xf32>
  return %0 : tensor<?x?x?x?xf32>
}

// -----

// The constants in a shape that is computed, of which 0 and -1 are none.
// CHECK-LABEL: func @computed_shape_with_constants_is_known_in_part
// CHECK-SAME: -> (tensor<1x32x?x?xf32>, tensor<1x2x16x?x?xf32>, tensor<?x32x?xf32>, tensor<1x8x?x?xf32>)
func.func @computed_shape_with_constants_is_known_in_part(%x: tensor<1x32x?x?xf32>, %y: tensor<1x8x1x1xf32>) -> (tensor<?x?x?x?xf32>, tensor<?x?x?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?x?xf32>) {
  %two = IE.Constant dense<[1, 32]> : tensor<2xi64>
  %three = IE.Constant dense<[0, 2, 16]> : tensor<3xi64>
  %rest = IE.Constant dense<-1> : tensor<1xi64>
  %first = IE.Constant dense<[0, 1]> : tensor<2xi64>
  %starts = IE.Constant dense<1> : tensor<1xi64>
  %ends = IE.Constant dense<2> : tensor<1xi64>
  %shape = IE.Shape %x : tensor<1x32x?x?xf32> -> tensor<4xi64>
  %size = IE.Shape %x {start = 2 : i64} : tensor<1x32x?x?xf32> -> tensor<2xi64>
  %0 = IE.Concat %two, %size {axis = 0 : i64} : tensor<2xi64>, tensor<2xi64> -> tensor<4xi64>
  %1 = IE.Resize(%x) sizes(%0 : tensor<4xi64>) : (tensor<1x32x?x?xf32>) -> tensor<?x?x?x?xf32>
  %2 = IE.Concat %three, %size {axis = 0 : i64} : tensor<3xi64>, tensor<2xi64> -> tensor<5xi64>
  %3 = IE.Reshape %x, %2 : tensor<1x32x?x?xf32>, tensor<5xi64> -> tensor<?x?x?x?x?xf32>
  %4 = IE.Slice %shape, %starts, %ends : tensor<4xi64>, tensor<1xi64>, tensor<1xi64> -> tensor<1xi64>
  %h = IE.Constant dense<2> : tensor<1xi64>
  %5 = IE.Gather %shape, %h : tensor<4xi64>, tensor<1xi64> -> tensor<1xi64>
  %6 = IE.Concat %5, %4, %rest {axis = 0 : i64} : tensor<1xi64>, tensor<1xi64>, tensor<1xi64> -> tensor<3xi64>
  %7 = IE.Reshape %x, %6 : tensor<1x32x?x?xf32>, tensor<3xi64> -> tensor<?x?x?xf32>
  %8 = IE.Constant dense<1> : tensor<2xi64>
  %9 = IE.Concat %8, %size {axis = 0 : i64} : tensor<2xi64>, tensor<2xi64> -> tensor<4xi64>
  %10 = IE.Expand %y, %9 : tensor<1x8x1x1xf32>, tensor<4xi64> -> tensor<?x?x?x?xf32>
  return %1, %3, %7, %10 : tensor<?x?x?x?xf32>, tensor<?x?x?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?x?xf32>
}

// -----

// So is what is computed from it, as far as both operands are.
// CHECK-LABEL: func @shape_computed_from_known_sizes_is_known
// CHECK: IE.Reshape {{.*}} -> tensor<?x24x4xf32>
// CHECK: IE.Reshape {{.*}} -> tensor<?x?x2xf32>
func.func @shape_computed_from_known_sizes_is_known(%x: tensor<?x6x8xf32>, %y: tensor<?xf32>) -> (tensor<?x?x?xf32>, tensor<?x?x?xf32>) {
  %two = IE.Constant dense<2> : tensor<i64>
  %factors = IE.Constant dense<[2, 4]> : tensor<2xi64>
  %all = IE.Constant dense<-1> : tensor<1xi64>
  %zero = IE.Constant dense<0> : tensor<1xi64>
  %one = IE.Constant dense<1> : tensor<1xi64>
  %known = IE.Shape %x {start = 1 : i64} : tensor<?x6x8xf32> -> tensor<2xi64>
  %half = IE.Div %known, %two : tensor<2xi64>, tensor<i64> -> tensor<2xi64>
  %more = IE.Mul %half, %factors : tensor<2xi64>, tensor<2xi64> -> tensor<2xi64>
  %narrow = IE.Cast %more to i32 : tensor<2xi64> -> tensor<2xi32>
  %wide = IE.Cast %narrow to i64 : tensor<2xi32> -> tensor<2xi64>
  %parts = IE.Constant dense<[18, -12]> : tensor<2xi64>
  %sum = IE.Add %wide, %parts : tensor<2xi64>, tensor<2xi64> -> tensor<2xi64>
  %shape = IE.Concat %all, %sum {axis = 0 : i64} : tensor<1xi64>, tensor<2xi64> -> tensor<3xi64>
  %0 = IE.Reshape %x, %shape : tensor<?x6x8xf32>, tensor<3xi64> -> tensor<?x?x?xf32>
  %any = IE.Shape %x : tensor<?x6x8xf32> -> tensor<3xi64>
  %rank = IE.Size %any : tensor<3xi64> -> tensor<i64>
  %less = IE.Sub %rank, %one : tensor<i64>, tensor<1xi64> -> tensor<1xi64>
  %length = IE.Shape %x {end = 1 : i64} : tensor<?x6x8xf32> -> tensor<1xi64>
  %twice = IE.Mul %length, %two : tensor<1xi64>, tensor<i64> -> tensor<1xi64>
  %other = IE.Concat %all, %twice, %less {axis = 0 : i64} : tensor<1xi64>, tensor<1xi64>, tensor<1xi64> -> tensor<3xi64>
  %1 = IE.Reshape %y, %other : tensor<?xf32>, tensor<3xi64> -> tensor<?x?x?xf32>
  return %0, %1 : tensor<?x?x?xf32>, tensor<?x?x?xf32>
}

// -----

// CHECK-LABEL: func @stacked_elements_are_as_many_as_are_written_out
// CHECK: IE.ConcatFromSequence{{.*}} -> tensor<?x2xi64>
func.func @stacked_elements_are_as_many_as_are_written_out(%x: tensor<?xi64>, %y: tensor<?xi64>) -> tensor<?x?xi64> {
  %0 = IE.SequenceConstruct(%x, %y) : (tensor<?xi64>, tensor<?xi64>) -> !IE.Sequence<tensor<?xi64>>
  %1 = IE.ConcatFromSequence(%0) {axis = -1 : i64, new_axis = 1 : i64} : (!IE.Sequence<tensor<?xi64>>) -> tensor<?x?xi64>
  return %1 : tensor<?x?xi64>
}

// -----

// CHECK-LABEL: func @branch_that_does_not_fit_open_batch_must_not_be_taken
// CHECK-SAME: %[[X:.*]]: tensor<?x2xf32>, %[[C:.*]]: tensor<i1>
// CHECK-NEXT: %[[ABS:.*]] = IE.Abs %[[X]]
// CHECK-NEXT: %[[NOT:.*]] = IE.Not %[[C]]
// CHECK-NEXT: %[[Y:.*]] = IE.Require %[[ABS]] if %[[NOT]], "a branch of If that does not fit its values: expected size 1 in dimension 1, found 'tensor<?x2xf32>'" : tensor<?x2xf32>
// CHECK-NEXT: return %[[Y]]
func.func @branch_that_does_not_fit_open_batch_must_not_be_taken(%x: tensor<?x2xf32>, %c: tensor<i1>) -> tensor<?x?xf32> {
  %y = IE.If %c : (tensor<i1>) -> tensor<?x?xf32> {
    %axes = IE.Constant dense<1> : tensor<1xi64>
    %0 = IE.Relu %x : tensor<?x2xf32> -> tensor<?x?xf32>
    %1 = IE.Squeeze %0 axes(%axes : tensor<1xi64>) : tensor<?x?xf32> -> tensor<?xf32>
    %2 = IE.Unsqueeze %1, %axes : tensor<?xf32>, tensor<1xi64> -> tensor<?x1xf32>
    IE.Yield %2 : tensor<?x1xf32>
  } else {
    %0 = IE.Abs %x : tensor<?x2xf32> -> tensor<?x?xf32>
    IE.Yield %0 : tensor<?x?xf32>
  }
  return %y : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: func @branch_that_does_not_fit_static_sizes_must_not_be_taken
// CHECK-SAME: %[[X:.*]]: tensor<3x2xf32>, %[[C:.*]]: tensor<i1>
// CHECK-NEXT: %[[ABS:.*]] = IE.Abs %[[X]]
// CHECK-NEXT: IE.Require %[[ABS]] if %[[C]], "a branch of If that does not fit its values: {{.*}}" : tensor<3x2xf32>
func.func @branch_that_does_not_fit_static_sizes_must_not_be_taken(%x: tensor<3x2xf32>, %c: tensor<i1>) -> tensor<?x?xf32> {
  %y = IE.If %c : (tensor<i1>) -> tensor<?x?xf32> {
    %0 = IE.Abs %x : tensor<3x2xf32> -> tensor<?x?xf32>
    IE.Yield %0 : tensor<?x?xf32>
  } else {
    %w = IE.Constant dense<1.0> : tensor<4x2xf32>
    %0 = IE.Relu %x : tensor<3x2xf32> -> tensor<?x?xf32>
    %1 = IE.MatMul(%0, %w) : (tensor<?x?xf32>, tensor<4x2xf32>) -> tensor<?x2xf32>
    IE.Yield %1 : tensor<?x2xf32>
  }
  return %y : tensor<?x?xf32>
}

// -----

// There may be no run of a loop's body that does not fit.
func.func @branch_with_a_loop_that_does_not_fit_is_an_error(%x: tensor<?x2xf32>, %n: tensor<i64>, %c: tensor<i1>) -> tensor<?x?xf32> {
  %y = IE.If %c : (tensor<i1>) -> tensor<?x?xf32> {
    %axes = IE.Constant dense<1> : tensor<1xi64>
    %0 = IE.Relu %x : tensor<?x2xf32> -> tensor<?x?xf32>
    %1 = IE.Loop(%n, %x) {operandSegmentSizes = array<i32: 1, 0, 1>} : (tensor<i64>, tensor<?x2xf32>) -> tensor<?x?xf32> {
    ^bb0(%i: tensor<i64>, %go: tensor<i1>, %kept: tensor<?x?xf32>):
      // expected-error@+1 {{expected size 1 in dimension 1, found 'tensor<?x2xf32>'}}
      %2 = IE.Squeeze %0 axes(%axes : tensor<1xi64>) : tensor<?x?xf32> -> tensor<?xf32>
      %3 = IE.Unsqueeze %2, %axes : tensor<?xf32>, tensor<1xi64> -> tensor<?x1xf32>
      %4 = IE.Add %kept, %3 : tensor<?x?xf32>, tensor<?x1xf32> -> tensor<?x?xf32>
      IE.Yield %go, %4 : tensor<i1>, tensor<?x?xf32>
    }
    IE.Yield %1 : tensor<?x?xf32>
  } else {
    %0 = IE.Abs %x : tensor<?x2xf32> -> tensor<?x?xf32>
    IE.Yield %0 : tensor<?x?xf32>
  }
  return %y : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: func @branches_that_fit_stay
// CHECK: IE.If
// CHECK-NOT: IE.Require
func.func @branches_that_fit_stay(%x: tensor<?x1xf32>, %c: tensor<i1>) -> tensor<?xf32> {
  %axes = IE.Constant dense<1> : tensor<1xi64>
  %y = IE.If %c : (tensor<i1>) -> tensor<?xf32> {
    %0 = IE.Relu %x : tensor<?x1xf32> -> tensor<?x?xf32>
    %1 = IE.Squeeze %0 axes(%axes : tensor<1xi64>) : tensor<?x?xf32> -> tensor<?xf32>
    IE.Yield %1 : tensor<?xf32>
  } else {
    %0 = IE.Squeeze %x axes(%axes : tensor<1xi64>) : tensor<?x1xf32> -> tensor<?xf32>
    IE.Yield %0 : tensor<?xf32>
  }
  return %y : tensor<?xf32>
}

// -----

func.func @branches_that_both_do_not_fit_are_errors(%x: tensor<?x2xf32>, %c: tensor<i1>) -> tensor<?xf32> {
  %axes = IE.Constant dense<1> : tensor<1xi64>
  %0 = IE.Relu %x : tensor<?x2xf32> -> tensor<?x?xf32>
  %y = IE.If %c : (tensor<i1>) -> tensor<?xf32> {
    // expected-error@+1 {{expected size 1 in dimension 1, found 'tensor<?x2xf32>'}}
    %1 = IE.Squeeze %0 axes(%axes : tensor<1xi64>) : tensor<?x?xf32> -> tensor<?xf32>
    IE.Yield %1 : tensor<?xf32>
  } else {
    // expected-error@+1 {{expected size 1 in dimension 1, found 'tensor<?x2xf32>'}}
    %1 = IE.Squeeze %0 axes(%axes : tensor<1xi64>) : tensor<?x?xf32> -> tensor<?xf32>
    IE.Yield %1 : tensor<?xf32>
  }
  return %y : tensor<?xf32>
}
