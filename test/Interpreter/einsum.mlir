// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-constant-fold))' -split-input-file | FileCheck %s

// CHECK-LABEL: func @einsum_multiplies_matrices
func.func @einsum_multiplies_matrices() -> tensor<2x1xf32> {
  %a = IE.Constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %b = IE.Constant dense<[[10.0, 100.0]]> : tensor<1x2xf32>
  // CHECK{LITERAL}: IE.Constant dense<[[2.100000e+02], [4.300000e+02]]> : tensor<2x1xf32>
  %0 = IE.Einsum(%a, %b) {equation = "ik,jk"} : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<2x1xf32>
  return %0 : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: func @einsum_takes_the_diagonal
func.func @einsum_takes_the_diagonal() -> tensor<2xi32> {
  %x = IE.Constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  // CHECK: IE.Constant dense<[1, 4]> : tensor<2xi32>
  %0 = IE.Einsum(%x) {equation = "ii->i"} : (tensor<2x2xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

// CHECK-LABEL: func @einsum_broadcasts_its_ellipsis
func.func @einsum_broadcasts_its_ellipsis() -> tensor<2x2xi32> {
  %a = IE.Constant dense<[[1], [3]]> : tensor<2x1xi32>
  %b = IE.Constant dense<[10, 20]> : tensor<2xi32>
  // CHECK{LITERAL}: IE.Constant dense<[[10, 20], [30, 60]]> : tensor<2x2xi32>
  %0 = IE.Einsum(%a, %b) {equation = "...,..."} : (tensor<2x1xi32>, tensor<2xi32>) -> tensor<2x2xi32>
  return %0 : tensor<2x2xi32>
}

// -----

// CHECK-LABEL: func @einsum_of_nothing_is_zero
func.func @einsum_of_nothing_is_zero() -> tensor<f32> {
  %x = IE.Constant dense<> : tensor<0xf32>
  // CHECK: IE.Constant dense<0.000000e+00> : tensor<f32>
  %0 = IE.Einsum(%x) {equation = "i->"} : (tensor<0xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// CHECK-LABEL: func @einsum_of_integers_wraps
func.func @einsum_of_integers_wraps() -> tensor<i64> {
  %a = IE.Constant dense<[4611686018427387904, 5]> : tensor<2xi64>
  %b = IE.Constant dense<[3, 1]> : tensor<2xi64>
  // CHECK: IE.Constant dense<-4611686018427387899> : tensor<i64>
  %0 = IE.Einsum(%a, %b) {equation = "i,i->"} : (tensor<2xi64>, tensor<2xi64>) -> tensor<i64>
  return %0 : tensor<i64>
}
