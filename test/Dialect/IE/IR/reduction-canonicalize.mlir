// RUN: nacre-opt %s -canonicalize | FileCheck %s

// CHECK-LABEL: func @reduce_sum_with_empty_axes_has_none
func.func @reduce_sum_with_empty_axes_has_none(%x: tensor<2x3xf32>, %axes: tensor<0xi64>) -> tensor<1x1xf32> {
  // CHECK: IE.ReduceSum(%arg0) : (tensor<2x3xf32>) -> tensor<1x1xf32>
  %0 = IE.ReduceSum(%x, %axes) : (tensor<2x3xf32>, tensor<0xi64>) -> tensor<1x1xf32>
  return %0 : tensor<1x1xf32>
}

// CHECK-LABEL: func @reduce_l1_with_empty_axes_and_noop_keeps_its_meaning
func.func @reduce_l1_with_empty_axes_and_noop_keeps_its_meaning(%x: tensor<2x3xf32>, %axes: tensor<0xi64>) -> tensor<2x3xf32> {
  // CHECK: IE.ReduceL1(%arg0) {noop_with_empty_axes = 1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = IE.ReduceL1(%x, %axes) {noop_with_empty_axes = 1 : i64} : (tensor<2x3xf32>, tensor<0xi64>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func @reduce_max_with_axes_stays
func.func @reduce_max_with_axes_stays(%x: tensor<2x3xf32>, %axes: tensor<1xi64>) -> tensor<2x1xf32> {
  // CHECK: IE.ReduceMax(%arg0, %arg1)
  %0 = IE.ReduceMax(%x, %axes) : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<2x1xf32>
  return %0 : tensor<2x1xf32>
}
