// RUN: nacre-opt %s -split-input-file -verify-diagnostics | FileCheck %s

// Parsing and inference of constants and generated tensors.

// CHECK-LABEL: func @constant_of_unsigned_round_trips
func.func @constant_of_unsigned_round_trips() -> tensor<2xui8> {
  // CHECK: IE.Constant dense<[0, 255]> : tensor<2xui8>
  %0 = IE.Constant dense<[0, 255]> : tensor<2xui8>
  return %0 : tensor<2xui8>
}

// -----

// CHECK-LABEL: func @constant_of_shape_without_value_is_float
func.func @constant_of_shape_without_value_is_float() -> (tensor<2x3xf32>, tensor<2x3xi1>) {
  %shape = IE.Constant dense<[2, 3]> : tensor<2xi64>
  // CHECK: IE.ConstantOfShape %{{.*}} : tensor<2xi64> -> tensor<2x3xf32>
  %0 = IE.ConstantOfShape %shape : tensor<2xi64> -> tensor<2x3xf32>
  // CHECK: IE.ConstantOfShape %{{.*}} {value = dense<true> : tensor<1xi1>} : tensor<2xi64> -> tensor<2x3xi1>
  %1 = IE.ConstantOfShape %shape {value = dense<true> : tensor<1xi1>} : tensor<2xi64> -> tensor<2x3xi1>
  return %0, %1 : tensor<2x3xf32>, tensor<2x3xi1>
}

// -----

func.func @constant_of_negative_shape_is_rejected() -> tensor<?xf32> {
  %shape = IE.Constant dense<-2> : tensor<1xi64>
  // expected-error @+2 {{expected dimensions that are not negative, found -2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.ConstantOfShape %shape : tensor<1xi64> -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @constant_of_shape_with_two_values_is_rejected(%shape: tensor<1xi64>) -> tensor<?xf32> {
  // expected-error @+1 {{expected a value of one element, found 'tensor<2xf32>'}}
  %0 = IE.ConstantOfShape %shape {value = dense<0.0> : tensor<2xf32>} : tensor<1xi64> -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// CHECK-LABEL: func @range_of_constants_has_a_size
func.func @range_of_constants_has_a_size(%arg0: tensor<i64>) -> (tensor<4xi64>, tensor<?xi64>) {
  %start = IE.Constant dense<10> : tensor<i64>
  %limit = IE.Constant dense<-1> : tensor<i64>
  %delta = IE.Constant dense<-3> : tensor<i64>
  // CHECK: IE.Range %{{.*}}, %{{.*}}, %{{.*}} : tensor<i64>, tensor<i64>, tensor<i64> -> tensor<4xi64>
  %0 = IE.Range %start, %limit, %delta : tensor<i64>, tensor<i64>, tensor<i64> -> tensor<4xi64>
  // CHECK: -> tensor<?xi64>
  %1 = IE.Range %start, %arg0, %delta : tensor<i64>, tensor<i64>, tensor<i64> -> tensor<?xi64>
  return %0, %1 : tensor<4xi64>, tensor<?xi64>
}

// -----

func.func @range_by_zero_is_rejected(%arg0: tensor<f32>) -> tensor<?xf32> {
  %zero = IE.Constant dense<0.0> : tensor<f32>
  // expected-error @+2 {{expected a delta other than 0 and finite bounds}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.Range %zero, %zero, %zero : tensor<f32>, tensor<f32>, tensor<f32> -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// CHECK-LABEL: func @eye_like_with_dtype_changes_the_element_type
func.func @eye_like_with_dtype_changes_the_element_type(%arg0: tensor<3x4xi32>) -> tensor<3x4xf64> {
  // CHECK: IE.EyeLike %arg0 {dtype = f64, k = 1 : i64} : tensor<3x4xi32> -> tensor<3x4xf64>
  %0 = IE.EyeLike %arg0 {dtype = f64, k = 1 : i64} : tensor<3x4xi32> -> tensor<3x4xf64>
  return %0 : tensor<3x4xf64>
}
