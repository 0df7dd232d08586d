// RUN: nacre-opt %s -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func @top_k_of_a_constant_number_infers_its_shape
func.func @top_k_of_a_constant_number_infers_its_shape(%x: tensor<3x8xf32>) -> (tensor<2x8xf32>, tensor<2x8xi64>) {
  %k = IE.Constant dense<2> : tensor<1xi64>
  // CHECK: IE.TopK(%{{.*}}, %{{.*}}) {axis = 0 : i64, largest = 0 : i64} : (tensor<3x8xf32>, tensor<1xi64>) -> (tensor<2x8xf32>, tensor<2x8xi64>)
  %0:2 = IE.TopK(%x, %k) {axis = 0 : i64, largest = 0 : i64} : (tensor<3x8xf32>, tensor<1xi64>) -> (tensor<2x8xf32>, tensor<2x8xi64>)
  return %0#0, %0#1 : tensor<2x8xf32>, tensor<2x8xi64>
}

// CHECK-LABEL: func @top_k_of_an_unknown_number_is_dynamic
func.func @top_k_of_an_unknown_number_is_dynamic(%x: tensor<3x8xui8>, %k: tensor<1xi64>) -> (tensor<3x?xui8>, tensor<3x?xi64>) {
  // CHECK: IE.TopK(%{{.*}}, %{{.*}}) : (tensor<3x8xui8>, tensor<1xi64>) -> (tensor<3x?xui8>, tensor<3x?xi64>)
  %0:2 = IE.TopK(%x, %k) : (tensor<3x8xui8>, tensor<1xi64>) -> (tensor<3x?xui8>, tensor<3x?xi64>)
  return %0#0, %0#1 : tensor<3x?xui8>, tensor<3x?xi64>
}

// -----

func.func @top_k_of_too_many_is_an_error(%x: tensor<3x8xf32>) {
  %k = IE.Constant dense<9> : tensor<1xi64>
  // expected-error @+2 {{expected k between 0 and the 8 elements of dimension 1, found 9}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = IE.TopK(%x, %k) : (tensor<3x8xf32>, tensor<1xi64>) -> (tensor<3x?xf32>, tensor<3x?xi64>)
  return
}

// -----

func.func @top_k_of_a_negative_number_is_an_error(%x: tensor<?xf32>) {
  %k = IE.Constant dense<-1> : tensor<1xi64>
  // expected-error @+2 {{expected k of 0 or more, found -1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = IE.TopK(%x, %k) : (tensor<?xf32>, tensor<1xi64>) -> (tensor<?xf32>, tensor<?xi64>)
  return
}

// -----

func.func @top_k_declared_beyond_its_input_is_an_error(%x: tensor<3x8xf32>, %k: tensor<1xi64>) {
  // expected-error @+1 {{expected at most the 8 elements of dimension 1, found 'tensor<3x9xf32>'}}
  %0:2 = IE.TopK(%x, %k) : (tensor<3x8xf32>, tensor<1xi64>) -> (tensor<3x9xf32>, tensor<3x9xi64>)
  return
}

// -----

func.func @top_k_with_results_of_two_sizes_is_an_error(%x: tensor<8xf32>, %k: tensor<1xi64>) {
  // expected-error @+1 {{expected values and indices of one shape}}
  %0:2 = IE.TopK(%x, %k) : (tensor<8xf32>, tensor<1xi64>) -> (tensor<3xf32>, tensor<2xi64>)
  return
}

// -----

func.func @top_k_of_several_numbers_is_an_error(%x: tensor<8xf32>, %k: tensor<2xi64>) {
  // expected-error @+2 {{expected}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = IE.TopK(%x, %k) : (tensor<8xf32>, tensor<2xi64>) -> (tensor<?xf32>, tensor<?xi64>)
  return
}

// -----

func.func @top_k_along_an_absent_axis_is_an_error(%x: tensor<8xf32>, %k: tensor<1xi64>) {
  // expected-error @+2 {{axis}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = IE.TopK(%x, %k) {axis = 1 : i64} : (tensor<8xf32>, tensor<1xi64>) -> (tensor<?xf32>, tensor<?xi64>)
  return
}
