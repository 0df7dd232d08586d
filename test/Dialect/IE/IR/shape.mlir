// RUN: nacre-opt %s -split-input-file -verify-diagnostics | FileCheck %s
// RUN: nacre-opt %s -split-input-file -verify-diagnostics -canonicalize | FileCheck %s --check-prefix=CANON

// Parsing, inference and folding of the Shape family.

// CHECK-LABEL: func @reshape_copies_and_infers_dimensions
func.func @reshape_copies_and_infers_dimensions(%arg0: tensor<2x3x4xf32>) -> tensor<2x12xf32> {
  %shape = IE.Constant dense<[0, -1]> : tensor<2xi64>
  // CHECK: IE.Reshape %arg0, %{{.*}} : tensor<2x3x4xf32>, tensor<2xi64> -> tensor<2x12xf32>
  %0 = IE.Reshape %arg0, %shape : tensor<2x3x4xf32>, tensor<2xi64> -> tensor<2x12xf32>
  return %0 : tensor<2x12xf32>
}

// -----

// CHECK-LABEL: func @reshape_with_allowzero_keeps_the_zero
func.func @reshape_with_allowzero_keeps_the_zero(%arg0: tensor<0x3xf32>) -> tensor<3x0xf32> {
  %shape = IE.Constant dense<[3, 0]> : tensor<2xi64>
  // CHECK: IE.Reshape %arg0, %{{.*}} {allowzero = 1 : i64}
  %0 = IE.Reshape %arg0, %shape {allowzero = 1 : i64} : tensor<0x3xf32>, tensor<2xi64> -> tensor<3x0xf32>
  return %0 : tensor<3x0xf32>
}

// -----

// A copied dynamic dimension drops out of what -1 stands for.
// CHECK-LABEL: func @reshape_with_dynamic_batch_infers_the_rest
func.func @reshape_with_dynamic_batch_infers_the_rest(%arg0: tensor<?x3x4xf32>) -> tensor<?x12xf32> {
  %shape = IE.Constant dense<[0, -1]> : tensor<2xi64>
  // CHECK: -> tensor<?x12xf32>
  %0 = IE.Reshape %arg0, %shape : tensor<?x3x4xf32>, tensor<2xi64> -> tensor<?x12xf32>
  return %0 : tensor<?x12xf32>
}

// -----

// The declared type wins over an unknown shape operand, which is then dropped.
// CANON-LABEL: func @reshape_by_argument_takes_the_declared_type
func.func @reshape_by_argument_takes_the_declared_type(%arg0: tensor<2x3xf32>, %shape: tensor<1xi64>) -> tensor<6xf32> {
  // CANON: %[[SHAPE:.*]] = IE.Constant dense<6> : tensor<1xi64>
  // CANON: IE.Reshape %arg0, %[[SHAPE]]
  %0 = IE.Reshape %arg0, %shape : tensor<2x3xf32>, tensor<1xi64> -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----

func.func @reshape_to_other_number_of_elements_is_rejected(%arg0: tensor<2x3xf32>, %shape: tensor<1xi64>) -> tensor<5xf32> {
  // expected-error @+1 {{expected a result of 6 elements, found 'tensor<5xf32>'}}
  %0 = IE.Reshape %arg0, %shape : tensor<2x3xf32>, tensor<1xi64> -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

func.func @reshape_with_two_unknowns_is_rejected(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %shape = IE.Constant dense<-1> : tensor<2xi64>
  // expected-error @+2 {{expected at most one -1 in the shape}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.Reshape %arg0, %shape : tensor<2x3xf32>, tensor<2xi64> -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @reshape_that_does_not_divide_is_rejected(%arg0: tensor<2x3xf32>) -> tensor<4x?xf32> {
  %shape = IE.Constant dense<[4, -1]> : tensor<2xi64>
  // expected-error @+2 {{expected a shape that divides 6 elements, found parts of 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.Reshape %arg0, %shape : tensor<2x3xf32>, tensor<2xi64> -> tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}

// -----

// CANON-LABEL: func @reshape_to_own_shape_folds
func.func @reshape_to_own_shape_folds(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %shape = IE.Constant dense<[2, 3]> : tensor<2xi64>
  // CANON-NEXT: return %arg0
  %0 = IE.Reshape %arg0, %shape : tensor<2x3xf32>, tensor<2xi64> -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// CANON-LABEL: func @reshapes_of_all_kinds_merge
func.func @reshapes_of_all_kinds_merge(%arg0: tensor<2x3x4xf32>) -> tensor<24xf32> {
  // CANON: %[[SHAPE:.*]] = IE.Constant dense<24> : tensor<1xi64>
  // CANON-NEXT: %[[RESULT:.*]] = IE.Reshape %arg0, %[[SHAPE]] : tensor<2x3x4xf32>, tensor<1xi64> -> tensor<24xf32>
  // CANON-NEXT: return %[[RESULT]]
  %zero = IE.Constant dense<0> : tensor<1xi64>
  // CHECK: IE.Unsqueeze %arg0, %{{.*}} : tensor<2x3x4xf32>, tensor<1xi64> -> tensor<1x2x3x4xf32>
  %0 = IE.Unsqueeze %arg0, %zero : tensor<2x3x4xf32>, tensor<1xi64> -> tensor<1x2x3x4xf32>
  // CHECK: IE.Flatten %{{.*}} : tensor<1x2x3x4xf32> -> tensor<1x24xf32>
  %1 = IE.Flatten %0 : tensor<1x2x3x4xf32> -> tensor<1x24xf32>
  // CHECK: IE.Squeeze %{{.*}} axes(%{{.*}} : tensor<1xi64>) : tensor<1x24xf32> -> tensor<24xf32>
  %2 = IE.Squeeze %1 axes(%zero : tensor<1xi64>) : tensor<1x24xf32> -> tensor<24xf32>
  return %2 : tensor<24xf32>
}

// -----

func.func @flatten_with_axis_beyond_rank_is_rejected(%arg0: tensor<2x3xf32>) -> tensor<?x?xf32> {
  // expected-error @+2 {{expected an axis in [-2, 2], found 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.Flatten %arg0 {axis = 3 : i64} : tensor<2x3xf32> -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @squeeze_of_other_size_is_rejected(%arg0: tensor<2x3xf32>) -> tensor<6xf32> {
  %axes = IE.Constant dense<0> : tensor<1xi64>
  // expected-error @+2 {{expected size 1 in dimension 0, found 'tensor<2x3xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.Squeeze %arg0 axes(%axes : tensor<1xi64>) : tensor<2x3xf32> -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----

// CHECK-LABEL: func @squeeze_without_axes_drops_all_ones
func.func @squeeze_without_axes_drops_all_ones(%arg0: tensor<1x3x1xf32>) -> tensor<3xf32> {
  // CHECK: IE.Squeeze %arg0 : tensor<1x3x1xf32> -> tensor<3xf32>
  %0 = IE.Squeeze %arg0 : tensor<1x3x1xf32> -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @unsqueeze_with_axis_twice_is_rejected(%arg0: tensor<3xf32>) -> tensor<1x1x3xf32> {
  %axes = IE.Constant dense<[0, -3]> : tensor<2xi64>
  // expected-error @+2 {{expected distinct axes, found -3 twice}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.Unsqueeze %arg0, %axes : tensor<3xf32>, tensor<2xi64> -> tensor<1x1x3xf32>
  return %0 : tensor<1x1x3xf32>
}

// -----

// CANON-LABEL: func @shape_of_static_dimensions_folds
func.func @shape_of_static_dimensions_folds(%arg0: tensor<?x3x4xf32>) -> (tensor<2xi64>, tensor<3xi64>) {
  // CANON-DAG: %[[TAIL:.*]] = IE.Constant dense<[3, 4]> : tensor<2xi64>
  // CANON-DAG: %[[ALL:.*]] = IE.Shape %arg0 : tensor<?x3x4xf32> -> tensor<3xi64>
  // CANON: return %[[TAIL]], %[[ALL]]
  // CHECK: IE.Shape %arg0 {start = -2 : i64}
  %0 = IE.Shape %arg0 {start = -2 : i64} : tensor<?x3x4xf32> -> tensor<2xi64>
  %1 = IE.Shape %arg0 : tensor<?x3x4xf32> -> tensor<3xi64>
  return %0, %1 : tensor<2xi64>, tensor<3xi64>
}

// -----

// CANON-LABEL: func @size_of_static_tensor_folds
func.func @size_of_static_tensor_folds(%arg0: tensor<2x3xi1>) -> tensor<i64> {
  // CANON: IE.Constant dense<6> : tensor<i64>
  // CHECK: IE.Size %arg0 : tensor<2x3xi1> -> tensor<i64>
  %0 = IE.Size %arg0 : tensor<2x3xi1> -> tensor<i64>
  return %0 : tensor<i64>
}

// -----

func.func @reshape_to_more_dimensions_than_tensors_have_is_an_error(%x: tensor<4xf32>, %s: tensor<65xi64>) {
  // expected-error @+2 {{expected a shape of at most 64 dimensions, found 'tensor<65xi64>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.Reshape %x, %s : tensor<4xf32>, tensor<65xi64> -> tensor<4xf32>
  return
}
