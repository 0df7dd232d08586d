// RUN: nacre-opt %s -convert-ie-to-linalg -canonicalize -split-input-file | FileCheck %s

// The result is a heap: filled, ordered, improved by each other element, sorted.
// CHECK-LABEL: func @top_k_keeps_the_best_in_a_heap
// CHECK-DAG: %[[C8:.*]] = arith.constant 8 : index
// CHECK-DAG: %[[C3:.*]] = arith.constant 3 : index
// CHECK: scf.for %[[ROW:.*]] = %{{.*}} iter_args(%{{.*}}, %{{.*}}) -> (tensor<2x3xf32>, tensor<2x3xi64>)
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[C3]]
// CHECK: tensor.extract %arg0[%[[ROW]], %[[I]]]
// CHECK: scf.for %[[J:.*]] = %[[C3]] to %[[C8]]
// CHECK: tensor.extract %arg0[%[[ROW]], %[[J]]]
// CHECK: arith.cmpf olt
// CHECK: scf.for
// CHECK: tensor.insert
func.func @top_k_keeps_the_best_in_a_heap(%x: tensor<2x8xf32>) -> (tensor<2x3xf32>, tensor<2x3xi64>) {
  %k = IE.Constant dense<3> : tensor<1xi64>
  %0:2 = IE.TopK(%x, %k) : (tensor<2x8xf32>, tensor<1xi64>) -> (tensor<2x3xf32>, tensor<2x3xi64>)
  return %0#0, %0#1 : tensor<2x3xf32>, tensor<2x3xi64>
}

// -----

// CHECK-LABEL: func @top_k_of_unsigned_bytes_compares_them_unsigned
// CHECK: arith.cmpi ult
func.func @top_k_of_unsigned_bytes_compares_them_unsigned(%x: tensor<8xui8>) -> tensor<3xui8> {
  %k = IE.Constant dense<3> : tensor<1xi64>
  %0:2 = IE.TopK(%x, %k) : (tensor<8xui8>, tensor<1xi64>) -> (tensor<3xui8>, tensor<3xi64>)
  return %0#0 : tensor<3xui8>
}

// -----

// CHECK-LABEL: func @top_k_of_none_is_empty
// CHECK-NOT: scf.for
// CHECK: tensor.empty() : tensor<0xf32>
func.func @top_k_of_none_is_empty(%x: tensor<8xf32>) -> tensor<0xf32> {
  %k = IE.Constant dense<0> : tensor<1xi64>
  %0:2 = IE.TopK(%x, %k) : (tensor<8xf32>, tensor<1xi64>) -> (tensor<0xf32>, tensor<0xi64>)
  return %0#0 : tensor<0xf32>
}
