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
