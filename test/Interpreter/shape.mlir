// RUN: nacre-opt %s -split-input-file -pass-pipeline="builtin.module(func.func(ie-constant-fold))" | FileCheck %s

// Values that the interpreter computes for the Shape family.

// CHECK-LABEL: func @reshapes_keep_the_order
func.func @reshapes_keep_the_order() -> (tensor<3x2xi8>, tensor<1x6xi8>, tensor<6xi8>) {
  %0 = IE.Constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %shape = IE.Constant dense<[-1, 2]> : tensor<2xi64>
  // CHECK: dense<{{\[\[}}1, 2], [3, 4], [5, 6]]> : tensor<3x2xi8>
  %1 = IE.Reshape %0, %shape : tensor<2x3xi8>, tensor<2xi64> -> tensor<3x2xi8>
  // CHECK: dense<{{\[\[}}1, 2, 3, 4, 5, 6]]> : tensor<1x6xi8>
  %2 = IE.Flatten %1 {axis = 0 : i64} : tensor<3x2xi8> -> tensor<1x6xi8>
  // CHECK: dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi8>
  %3 = IE.Squeeze %2 : tensor<1x6xi8> -> tensor<6xi8>
  return %1, %2, %3 : tensor<3x2xi8>, tensor<1x6xi8>, tensor<6xi8>
}

// -----

// CHECK-LABEL: func @shape_and_size_read_the_type
func.func @shape_and_size_read_the_type() -> (tensor<1xi64>, tensor<i64>) {
  %0 = IE.Constant dense<0> : tensor<2x3xi8>
  // CHECK: dense<3> : tensor<1xi64>
  %1 = IE.Shape %0 {start = -1 : i64} : tensor<2x3xi8> -> tensor<1xi64>
  // CHECK: dense<6> : tensor<i64>
  %2 = IE.Size %0 : tensor<2x3xi8> -> tensor<i64>
  return %1, %2 : tensor<1xi64>, tensor<i64>
}
