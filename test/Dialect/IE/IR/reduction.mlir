// RUN: nacre-opt %s -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func @reduce_sum_without_axes_reduces_all
func.func @reduce_sum_without_axes_reduces_all(%x: tensor<2x?xf32>) -> tensor<1x1xf32> {
  // CHECK: IE.ReduceSum(%{{.*}}) : (tensor<2x?xf32>) -> tensor<1x1xf32>
  %0 = IE.ReduceSum(%x) : (tensor<2x?xf32>) -> tensor<1x1xf32>
  return %0 : tensor<1x1xf32>
}

// CHECK-LABEL: func @reduce_mean_with_constant_axes_drops_them
func.func @reduce_mean_with_constant_axes_drops_them(%x: tensor<2x3x4xf32>) -> tensor<3xf32> {
  %axes = IE.Constant dense<[-1, 0]> : tensor<2xi64>
  // CHECK: IE.ReduceMean(%{{.*}}, %{{.*}}) {keepdims = 0 : i64} : (tensor<2x3x4xf32>, tensor<2xi64>) -> tensor<3xf32>
  %0 = IE.ReduceMean(%x, %axes) {keepdims = 0 : i64} : (tensor<2x3x4xf32>, tensor<2xi64>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func @reduce_max_without_axes_and_noop_changes_nothing
func.func @reduce_max_without_axes_and_noop_changes_nothing(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: IE.ReduceMax(%{{.*}}) {noop_with_empty_axes = 1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = IE.ReduceMax(%x) {noop_with_empty_axes = 1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// The declared result may say what the axes do not.
// CHECK-LABEL: func @reduce_l1_with_variable_axes_takes_declared_shape
func.func @reduce_l1_with_variable_axes_takes_declared_shape(%x: tensor<2x3x4xf32>, %axes: tensor<1xi64>) -> tensor<2x4xf32> {
  // CHECK: IE.ReduceL1(%{{.*}}, %{{.*}}) {keepdims = 0 : i64} : (tensor<2x3x4xf32>, tensor<1xi64>) -> tensor<2x4xf32>
  %0 = IE.ReduceL1(%x, %axes) {keepdims = 0 : i64} : (tensor<2x3x4xf32>, tensor<1xi64>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: func @arg_max_gives_positions
func.func @arg_max_gives_positions(%x: tensor<2x8xui8>) -> tensor<2xi64> {
  // CHECK: IE.ArgMax(%{{.*}}) {axis = -1 : i64, keepdims = 0 : i64, select_last_index = 1 : i64} : (tensor<2x8xui8>) -> tensor<2xi64>
  %0 = IE.ArgMax(%x) {axis = -1 : i64, keepdims = 0 : i64, select_last_index = 1 : i64} : (tensor<2x8xui8>) -> tensor<2xi64>
  return %0 : tensor<2xi64>
}

// CHECK-LABEL: func @cum_sum_round_trips
func.func @cum_sum_round_trips(%x: tensor<5xf64>, %axis: tensor<i32>) -> tensor<5xf64> {
  // CHECK: IE.CumSum(%{{.*}}, %{{.*}}) {exclusive = 1 : i64, reverse = 1 : i64} : (tensor<5xf64>, tensor<i32>) -> tensor<5xf64>
  %0 = IE.CumSum(%x, %axis) {exclusive = 1 : i64, reverse = 1 : i64} : (tensor<5xf64>, tensor<i32>) -> tensor<5xf64>
  return %0 : tensor<5xf64>
}

// CHECK-LABEL: func @cum_prod_round_trips
func.func @cum_prod_round_trips(%x: tensor<?x5xui32>, %axis: tensor<1xi64>) -> tensor<?x5xui32> {
  // CHECK: IE.CumProd(%{{.*}}, %{{.*}}) {exclusive = 1 : i64, reverse = 1 : i64} : (tensor<?x5xui32>, tensor<1xi64>) -> tensor<?x5xui32>
  %0 = IE.CumProd(%x, %axis) {exclusive = 1 : i64, reverse = 1 : i64} : (tensor<?x5xui32>, tensor<1xi64>) -> tensor<?x5xui32>
  return %0 : tensor<?x5xui32>
}

// -----

func.func @reduce_sum_with_matrix_of_axes_is_rejected(%x: tensor<2x3xf32>, %axes: tensor<1x1xi64>) {
  // expected-error @below {{expected axes of rank 1, found 'tensor<1x1xi64>'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = IE.ReduceSum(%x, %axes) : (tensor<2x3xf32>, tensor<1x1xi64>) -> tensor<2x1xf32>
  return
}

// -----

func.func @reduce_sum_with_axis_out_of_range_is_rejected(%x: tensor<2x3xf32>) {
  %axes = IE.Constant dense<2> : tensor<1xi64>
  // expected-error @below {{expected an axis in [-2, 1], found 2}}
  // expected-error @below {{failed to infer returned types}}
  %0 = IE.ReduceSum(%x, %axes) : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<2x1xf32>
  return
}

// -----

// How many axes there are follows from the declared result.
func.func @reduce_sum_with_unknown_number_of_axes_is_as_declared(%x: tensor<2x3xf32>, %axes: tensor<?xi64>) -> tensor<?xf32> {
  %0 = IE.ReduceSum(%x, %axes) {keepdims = 0 : i64} : (tensor<2x3xf32>, tensor<?xi64>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @reduce_sum_along_more_axes_than_dimensions_is_rejected(%x: tensor<2x3xf32>, %axes: tensor<3xi64>) {
  // expected-error @below {{expected at most 2 axes, found 'tensor<3xi64>'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = IE.ReduceSum(%x, %axes) {keepdims = 0 : i64} : (tensor<2x3xf32>, tensor<3xi64>) -> tensor<f32>
  return
}

// -----

func.func @arg_min_of_scalar_is_rejected(%x: tensor<f32>) {
  // expected-error @below {{expected an axis}}
  // expected-error @below {{failed to infer returned types}}
  %0 = IE.ArgMin(%x) : (tensor<f32>) -> tensor<i64>
  return
}

// -----

func.func @cum_sum_along_several_axes_is_rejected(%x: tensor<5x5xf32>, %axis: tensor<2xi32>) {
  // expected-error @below {{expected one axis, found 'tensor<2xi32>'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = IE.CumSum(%x, %axis) : (tensor<5x5xf32>, tensor<2xi32>) -> tensor<5x5xf32>
  return
}

// -----

func.func @cum_prod_along_axis_out_of_range_is_rejected(%x: tensor<5x5xf32>) {
  %axis = IE.Constant dense<-3> : tensor<i64>
  // expected-error @below {{expected an axis in [-2, 1], found -3}}
  // expected-error @below {{failed to infer returned types}}
  %0 = IE.CumProd(%x, %axis) : (tensor<5x5xf32>, tensor<i64>) -> tensor<5x5xf32>
  return
}

// -----

func.func @cum_sum_of_scalar_is_rejected(%x: tensor<f32>, %axis: tensor<i64>) {
  // expected-error @below {{expected an input with an axis, found 'tensor<f32>'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = IE.CumSum(%x, %axis) : (tensor<f32>, tensor<i64>) -> tensor<f32>
  return
}
