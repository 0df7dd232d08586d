// RUN: nacre-opt %s -split-input-file -verify-diagnostics -pass-pipeline="builtin.module(func.func(ie-constant-fold))" | FileCheck %s

// Values that the interpreter computes for indexing and generated tensors, and
// the indices that it refuses.

// CHECK-LABEL: func @gathers_count_from_the_end
func.func @gathers_count_from_the_end() -> (tensor<2x1xi8>, tensor<1x3xi8>, tensor<2xi8>) {
  %0 = IE.Constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %last = IE.Constant dense<-1> : tensor<1xi64>
  // CHECK: dense<{{\[\[}}3], [6]]> : tensor<2x1xi8>
  %1 = IE.Gather %0, %last {axis = 1 : i64} : tensor<2x3xi8>, tensor<1xi64> -> tensor<2x1xi8>
  %rows = IE.Constant dense<[[0, 1, -1]]> : tensor<1x3xi64>
  // CHECK: dense<{{\[\[}}1, 5, 6]]> : tensor<1x3xi8>
  %2 = IE.GatherElements %0, %rows : tensor<2x3xi8>, tensor<1x3xi64> -> tensor<1x3xi8>
  %tuples = IE.Constant dense<[[0, 0], [1, -2]]> : tensor<2x2xi64>
  // CHECK: dense<[1, 5]> : tensor<2xi8>
  %3 = IE.GatherND %0, %tuples : tensor<2x3xi8>, tensor<2x2xi64> -> tensor<2xi8>
  return %1, %2, %3 : tensor<2x1xi8>, tensor<1x3xi8>, tensor<2xi8>
}

// -----

// CHECK-LABEL: func @scatters_reduce_repeated_indices
func.func @scatters_reduce_repeated_indices() -> (tensor<3xi32>, tensor<2x2xi32>) {
  %0 = IE.Constant dense<[10, 20, 30]> : tensor<3xi32>
  %indices = IE.Constant dense<[1, 1, -1]> : tensor<3xi64>
  %updates = IE.Constant dense<[1, 2, 3]> : tensor<3xi32>
  // CHECK: dense<[10, 23, 33]> : tensor<3xi32>
  %1 = IE.ScatterElements %0, %indices, %updates {reduction = "add"} : tensor<3xi32>, tensor<3xi64>, tensor<3xi32> -> tensor<3xi32>
  %2 = IE.Constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %row = IE.Constant dense<[[1]]> : tensor<1x1xi64>
  %values = IE.Constant dense<[[8, 9]]> : tensor<1x2xi32>
  // CHECK: dense<{{\[\[}}1, 2], [8, 9]]> : tensor<2x2xi32>
  %3 = IE.ScatterND %2, %row, %values : tensor<2x2xi32>, tensor<1x1xi64>, tensor<1x2xi32> -> tensor<2x2xi32>
  return %1, %3 : tensor<3xi32>, tensor<2x2xi32>
}

// -----

func.func @scatter_beyond_the_end_is_refused() -> tensor<3xi32> {
  %0 = IE.Constant dense<[10, 20, 30]> : tensor<3xi32>
  %indices = IE.Constant dense<[[3]]> : tensor<1x1xi64>
  %updates = IE.Constant dense<1> : tensor<1xi32>
  // expected-error @+1 {{expected an index in [-3, 2], found 3}}
  %1 = IE.ScatterND %0, %indices, %updates : tensor<3xi32>, tensor<1x1xi64>, tensor<1xi32> -> tensor<3xi32>
  return %1 : tensor<3xi32>
}

// -----

// CHECK-LABEL: func @one_hot_leaves_out_of_range_off
func.func @one_hot_leaves_out_of_range_off() -> tensor<3x3xi8> {
  %indices = IE.Constant dense<[0, -1, 5]> : tensor<3xi64>
  %depth = IE.Constant dense<3> : tensor<i64>
  %values = IE.Constant dense<[2, 7]> : tensor<2xi8>
  // CHECK: dense<{{\[\[}}7, 2, 2], [2, 2, 7], [2, 2, 2]]> : tensor<3x3xi8>
  %0 = IE.OneHot %indices, %depth, %values : tensor<3xi64>, tensor<i64>, tensor<2xi8> -> tensor<3x3xi8>
  return %0 : tensor<3x3xi8>
}

// -----

// CHECK-LABEL: func @generators_compute
func.func @generators_compute() -> (tensor<2xui8>, tensor<3xf32>, tensor<2x2xf64>) {
  %two = IE.Constant dense<2> : tensor<1xi64>
  // CHECK: dense<200> : tensor<2xui8>
  %0 = IE.ConstantOfShape %two {value = dense<200> : tensor<1xui8>} : tensor<1xi64> -> tensor<2xui8>
  %start = IE.Constant dense<1.0> : tensor<f32>
  %limit = IE.Constant dense<2.25> : tensor<f32>
  %delta = IE.Constant dense<0.5> : tensor<f32>
  // CHECK: dense<[1.000000e+00, 1.500000e+00, 2.000000e+00]> : tensor<3xf32>
  %1 = IE.Range %start, %limit, %delta : tensor<f32>, tensor<f32>, tensor<f32> -> tensor<3xf32>
  %like = IE.Constant dense<0> : tensor<2x2xi32>
  // CHECK: dense<{{\[\[}}0.000000e+00, 0.000000e+00], [1.000000e+00, 0.000000e+00]]> : tensor<2x2xf64>
  %2 = IE.EyeLike %like {dtype = f64, k = -1 : i64} : tensor<2x2xi32> -> tensor<2x2xf64>
  return %0, %1, %2 : tensor<2xui8>, tensor<3xf32>, tensor<2x2xf64>
}
