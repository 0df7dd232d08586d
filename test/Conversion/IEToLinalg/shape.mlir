// RUN: nacre-opt %s -split-input-file --convert-ie-to-linalg | FileCheck %s

// Lowering of the Shape family.

// CHECK-LABEL: func @reshape_that_merges_is_one_collapse
func.func @reshape_that_merges_is_one_collapse(%arg0: tensor<2x3x4xf32>, %shape: tensor<2xi64>) -> tensor<6x4xf32> {
  // CHECK-NEXT: %[[RESULT:.*]] = tensor.collapse_shape %arg0 {{\[\[}}0, 1], [2]] : tensor<2x3x4xf32> into tensor<6x4xf32>
  // CHECK-NEXT: return %[[RESULT]]
  %0 = IE.Reshape %arg0, %shape : tensor<2x3x4xf32>, tensor<2xi64> -> tensor<6x4xf32>
  return %0 : tensor<6x4xf32>
}

// -----

// CHECK-LABEL: func @reshape_that_regroups_goes_through_a_vector
func.func @reshape_that_regroups_goes_through_a_vector(%arg0: tensor<2x6xf32>, %shape: tensor<2xi64>) -> tensor<4x3xf32> {
  // CHECK-NEXT: %[[LINEAR:.*]] = tensor.collapse_shape %arg0 {{\[\[}}0, 1]] : tensor<2x6xf32> into tensor<12xf32>
  // CHECK-NEXT: tensor.expand_shape %[[LINEAR]] {{\[\[}}0, 1]] output_shape [4, 3] : tensor<12xf32> into tensor<4x3xf32>
  %0 = IE.Reshape %arg0, %shape : tensor<2x6xf32>, tensor<2xi64> -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

// CHECK-LABEL: func @reshape_between_scalar_and_matrix
func.func @reshape_between_scalar_and_matrix(%arg0: tensor<1x1xui8>, %shape: tensor<0xi64>, %axes: tensor<2xi64>) -> tensor<1x1xui8> {
  // CHECK: tensor.collapse_shape %arg0 [] : tensor<1x1xi8> into tensor<i8>
  %0 = IE.Reshape %arg0, %shape : tensor<1x1xui8>, tensor<0xi64> -> tensor<ui8>
  // CHECK: tensor.expand_shape %{{.*}} [] output_shape [1, 1] : tensor<i8> into tensor<1x1xi8>
  %1 = IE.Unsqueeze %0, %axes : tensor<ui8>, tensor<2xi64> -> tensor<1x1xui8>
  return %1 : tensor<1x1xui8>
}

// -----

// CHECK-LABEL: func @empty_tensor_is_reshaped
func.func @empty_tensor_is_reshaped(%arg0: tensor<0x3xf32>, %shape: tensor<3xi64>) -> tensor<2x0x5xf32> {
  // CHECK: tensor.collapse_shape
  // CHECK: tensor.expand_shape %{{.*}} into tensor<2x0x5xf32>
  %0 = IE.Reshape %arg0, %shape : tensor<0x3xf32>, tensor<3xi64> -> tensor<2x0x5xf32>
  return %0 : tensor<2x0x5xf32>
}

// -----

// CHECK-LABEL: func @flatten_and_squeeze_collapse
func.func @flatten_and_squeeze_collapse(%arg0: tensor<1x3x4xf32>) -> tensor<12xf32> {
  // CHECK: tensor.collapse_shape %arg0 {{\[\[}}0], [1, 2]]
  %0 = IE.Flatten %arg0 : tensor<1x3x4xf32> -> tensor<1x12xf32>
  // CHECK: tensor.collapse_shape %{{.*}} {{\[\[}}0, 1]]
  %1 = IE.Squeeze %0 : tensor<1x12xf32> -> tensor<12xf32>
  return %1 : tensor<12xf32>
}

// -----

// CHECK-LABEL: func @shape_and_size_are_constants
func.func @shape_and_size_are_constants(%arg0: tensor<2x3xf32>) -> (tensor<2xi64>, tensor<i64>) {
  // CHECK-DAG: arith.constant dense<[2, 3]> : tensor<2xi64>
  // CHECK-DAG: arith.constant dense<6> : tensor<i64>
  %0 = IE.Shape %arg0 : tensor<2x3xf32> -> tensor<2xi64>
  %1 = IE.Size %arg0 : tensor<2x3xf32> -> tensor<i64>
  return %0, %1 : tensor<2xi64>, tensor<i64>
}
