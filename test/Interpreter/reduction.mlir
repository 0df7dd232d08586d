// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-constant-fold))' -split-input-file | FileCheck %s

// CHECK-LABEL: func @reductions_of_floats
func.func @reductions_of_floats() -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %x = IE.Constant dense<[[3.0, -4.0], [1.0, 2.0]]> : tensor<2x2xf32>
  %axes = IE.Constant dense<-1> : tensor<1xi64>
  // CHECK-DAG: IE.Constant dense<[-1.000000e+00, 3.000000e+00]>
  %0 = IE.ReduceSum(%x, %axes) {keepdims = 0 : i64} : (tensor<2x2xf32>, tensor<1xi64>) -> tensor<2xf32>
  // CHECK-DAG: IE.Constant dense<[-5.000000e-01, 1.500000e+00]>
  %1 = IE.ReduceMean(%x, %axes) {keepdims = 0 : i64} : (tensor<2x2xf32>, tensor<1xi64>) -> tensor<2xf32>
  // CHECK-DAG: IE.Constant dense<[-1.200000e+01, 2.000000e+00]>
  %2 = IE.ReduceProd(%x, %axes) {keepdims = 0 : i64} : (tensor<2x2xf32>, tensor<1xi64>) -> tensor<2xf32>
  // CHECK-DAG: IE.Constant dense<[7.000000e+00, 3.000000e+00]>
  %3 = IE.ReduceL1(%x, %axes) {keepdims = 0 : i64} : (tensor<2x2xf32>, tensor<1xi64>) -> tensor<2xf32>
  // CHECK-DAG: IE.Constant dense<[2.500000e+01, 5.000000e+00]>
  %4 = IE.ReduceSumSquare(%x, %axes) {keepdims = 0 : i64} : (tensor<2x2xf32>, tensor<1xi64>) -> tensor<2xf32>
  return %0, %1, %2, %3, %4 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// -----

// CHECK-LABEL: func @extremes_of_bytes_are_unsigned
func.func @extremes_of_bytes_are_unsigned() -> (tensor<1xui8>, tensor<1xui8>) {
  %x = IE.Constant dense<[200, 7]> : tensor<2xui8>
  // CHECK-DAG: IE.Constant dense<200> : tensor<1xui8>
  %0 = IE.ReduceMax(%x) : (tensor<2xui8>) -> tensor<1xui8>
  // CHECK-DAG: IE.Constant dense<7> : tensor<1xui8>
  %1 = IE.ReduceMin(%x) : (tensor<2xui8>) -> tensor<1xui8>
  return %0, %1 : tensor<1xui8>, tensor<1xui8>
}

// -----

// CHECK-LABEL: func @logarithms_and_roots
func.func @logarithms_and_roots() -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %x = IE.Constant dense<[3.0, 4.0]> : tensor<2xf32>
  %large = IE.Constant dense<1000.0> : tensor<2xf32>
  // CHECK-DAG: IE.Constant dense<5.000000e+00> : tensor<f32>
  %0 = IE.ReduceL2(%x) {keepdims = 0 : i64} : (tensor<2xf32>) -> tensor<f32>
  // CHECK-DAG: IE.Constant dense<1.94591{{[0-9]*}}> : tensor<f32>
  %1 = IE.ReduceLogSum(%x) {keepdims = 0 : i64} : (tensor<2xf32>) -> tensor<f32>
  // CHECK-DAG: IE.Constant dense<1000.69318> : tensor<f32>
  %2 = IE.ReduceLogSumExp(%large) {keepdims = 0 : i64} : (tensor<2xf32>) -> tensor<f32>
  return %0, %1, %2 : tensor<f32>, tensor<f32>, tensor<f32>
}

// -----

// log(4 e^3) is 4.39; truncated at each step it would stay at 3.
// CHECK-LABEL: func @reduce_log_sum_exp_of_integers_truncates_once
func.func @reduce_log_sum_exp_of_integers_truncates_once() -> tensor<i32> {
  %x = IE.Constant dense<3> : tensor<4xi32>
  // CHECK: IE.Constant dense<4> : tensor<i32>
  %0 = IE.ReduceLogSumExp(%x) {keepdims = 0 : i64} : (tensor<4xi32>) -> tensor<i32>
  return %0 : tensor<i32>
}

// -----

// CHECK-LABEL: func @arg_reductions_of_equal_elements
func.func @arg_reductions_of_equal_elements() -> (tensor<2x1xi64>, tensor<2x1xi64>, tensor<2xi64>) {
  %x = IE.Constant dense<[[1.0, 1.0, 0.0], [2.0, 5.0, 5.0]]> : tensor<2x3xf32>
  // CHECK-DAG: IE.Constant dense<{{\[\[}}0], [1]]> : tensor<2x1xi64>
  %0 = IE.ArgMax(%x) {axis = -1 : i64} : (tensor<2x3xf32>) -> tensor<2x1xi64>
  // CHECK-DAG: IE.Constant dense<{{\[\[}}1], [2]]> : tensor<2x1xi64>
  %1 = IE.ArgMax(%x) {axis = -1 : i64, select_last_index = 1 : i64} : (tensor<2x3xf32>) -> tensor<2x1xi64>
  // CHECK-DAG: IE.Constant dense<[2, 0]> : tensor<2xi64>
  %2 = IE.ArgMin(%x) {axis = 1 : i64, keepdims = 0 : i64} : (tensor<2x3xf32>) -> tensor<2xi64>
  return %0, %1, %2 : tensor<2x1xi64>, tensor<2x1xi64>, tensor<2xi64>
}

// -----

// CHECK-LABEL: func @cum_sum_in_each_direction
func.func @cum_sum_in_each_direction() -> (tensor<3xi32>, tensor<3xi32>) {
  %x = IE.Constant dense<[1, 2, 3]> : tensor<3xi32>
  %axis = IE.Constant dense<-1> : tensor<i64>
  // CHECK-DAG: IE.Constant dense<[1, 3, 6]> : tensor<3xi32>
  %0 = IE.CumSum(%x, %axis) : (tensor<3xi32>, tensor<i64>) -> tensor<3xi32>
  // CHECK-DAG: IE.Constant dense<[5, 3, 0]> : tensor<3xi32>
  %1 = IE.CumSum(%x, %axis) {exclusive = 1 : i64, reverse = 1 : i64} : (tensor<3xi32>, tensor<i64>) -> tensor<3xi32>
  return %0, %1 : tensor<3xi32>, tensor<3xi32>
}

// -----

// CHECK-LABEL: func @cum_prod_in_each_direction
func.func @cum_prod_in_each_direction() -> (tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x3xi32>) {
  %x = IE.Constant dense<[[2, 3, 4], [5, 6, 7]]> : tensor<2x3xi32>
  %first = IE.Constant dense<0> : tensor<i64>
  %last = IE.Constant dense<-1> : tensor<i64>
  // CHECK-DAG: IE.Constant dense<{{\[\[}}2, 6, 24], [5, 30, 210]]> : tensor<2x3xi32>
  %0 = IE.CumProd(%x, %last) : (tensor<2x3xi32>, tensor<i64>) -> tensor<2x3xi32>
  // CHECK-DAG: IE.Constant dense<{{\[\[}}12, 4, 1], [42, 7, 1]]> : tensor<2x3xi32>
  %1 = IE.CumProd(%x, %last) {exclusive = 1 : i64, reverse = 1 : i64} : (tensor<2x3xi32>, tensor<i64>) -> tensor<2x3xi32>
  // CHECK-DAG: IE.Constant dense<{{\[\[}}2, 3, 4], [10, 18, 28]]> : tensor<2x3xi32>
  %2 = IE.CumProd(%x, %first) : (tensor<2x3xi32>, tensor<i64>) -> tensor<2x3xi32>
  return %0, %1, %2 : tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x3xi32>
}

// -----

// CHECK-LABEL: func @reductions_of_large_integers_wrap
func.func @reductions_of_large_integers_wrap() -> (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<2xi64>) {
  %x = IE.Constant dense<[-9223372036854775808, -5]> : tensor<2xi64>
  // CHECK-DAG: IE.Constant dense<9223372036854775803> : tensor<1xi64>
  %0 = IE.ReduceSum(%x) {keepdims = 1 : i64} : (tensor<2xi64>) -> tensor<1xi64>
  // CHECK-DAG: IE.Constant dense<-9223372036854775808> : tensor<1xi64>
  %1 = IE.ReduceProd(%x) {keepdims = 1 : i64} : (tensor<2xi64>) -> tensor<1xi64>
  // CHECK-DAG: IE.Constant dense<-9223372036854775803> : tensor<1xi64>
  %2 = IE.ReduceL1(%x) {keepdims = 1 : i64} : (tensor<2xi64>) -> tensor<1xi64>
  // CHECK-DAG: IE.Constant dense<25> : tensor<1xi64>
  %3 = IE.ReduceSumSquare(%x) {keepdims = 1 : i64} : (tensor<2xi64>) -> tensor<1xi64>
  %axis = IE.Constant dense<0> : tensor<i64>
  // CHECK-DAG: IE.Constant dense<[-9223372036854775808, 9223372036854775803]> : tensor<2xi64>
  %4 = IE.CumSum(%x, %axis) : (tensor<2xi64>, tensor<i64>) -> tensor<2xi64>
  return %0, %1, %2, %3, %4 : tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<2xi64>
}
