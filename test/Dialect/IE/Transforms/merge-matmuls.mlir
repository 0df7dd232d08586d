// RUN: nacre-opt %s --pass-pipeline="builtin.module(func.func(ie-merge-matmuls{tile-columns=64 max-elements=4194304}))" --split-input-file | FileCheck %s
// RUN: nacre-opt %s --pass-pipeline="builtin.module(func.func(ie-merge-matmuls))" --split-input-file | FileCheck %s --check-prefix=ANY
// RUN: not nacre-opt %s --pass-pipeline="builtin.module(func.func(ie-merge-matmuls{tile-columns=0}))" 2>&1 | FileCheck %s --check-prefix=BAD

// BAD: expected tile-columns from 1 on and max-elements from 0 on, found 0 and 0

// Every column is the sum that it was. A part that several ops read is cut once.

// CHECK-LABEL: func @queries_and_keys_are_one_product
// CHECK-NOT: IE.Concat
// CHECK: %[[ALL:.*]] = IE.Constant {{.*}} : tensor<4x192xf32>
// CHECK: %[[Y:.*]] = IE.MatMul(%arg0, %[[ALL]]) : (tensor<?x3x4xf32>, tensor<4x192xf32>) -> tensor<?x3x192xf32>
// CHECK: %[[PARTS:.*]]:2 = IE.Split %[[Y]] split(%{{.*}}) {axis = 2 : i64} : tensor<?x3x192xf32> -> tensor<?x3x64xf32>, tensor<?x3x128xf32>
// CHECK: IE.Transpose %[[PARTS]]#0
// CHECK: IE.Transpose %[[PARTS]]#1
// CHECK: IE.Transpose %[[PARTS]]#1
func.func @queries_and_keys_are_one_product(%x: tensor<?x3x4xf32>) -> (tensor<?x64x3xf32>, tensor<?x128x3xf32>, tensor<3x128x?xf32>) {
  %a = IE.Constant dense<1.0> : tensor<4x64xf32>
  %0 = IE.MatMul(%x, %a) : (tensor<?x3x4xf32>, tensor<4x64xf32>) -> tensor<?x3x64xf32>
  %1 = IE.Transpose %0 {perm = array<i64: 0, 2, 1>} : tensor<?x3x64xf32> -> tensor<?x64x3xf32>
  %b = IE.Constant dense<2.0> : tensor<4x128xf32>
  %2 = IE.MatMul(%x, %b) : (tensor<?x3x4xf32>, tensor<4x128xf32>) -> tensor<?x3x128xf32>
  %3 = IE.Transpose %2 {perm = array<i64: 0, 2, 1>} : tensor<?x3x128xf32> -> tensor<?x128x3xf32>
  %4 = IE.Transpose %2 {perm = array<i64: 1, 2, 0>} : tensor<?x3x128xf32> -> tensor<3x128x?xf32>
  return %1, %3, %4 : tensor<?x64x3xf32>, tensor<?x128x3xf32>, tensor<3x128x?xf32>
}

// -----

// With and without a row there are two groups; of one there is nothing to merge.

// CHECK-LABEL: func @rows_are_joined
// CHECK: %[[MATRICES:.*]] = IE.Constant {{.*}} : tensor<4x128xf32>
// CHECK: %[[ROWS:.*]] = IE.Constant {{.*}} : tensor<128xf32>
// CHECK: %[[Y:.*]] = IE.Gemm(%arg0, %[[MATRICES]], %[[ROWS]]) : {{.*}} -> tensor<4x128xf32>
// CHECK: %[[PARTS:.*]]:2 = IE.Split %[[Y]]
// CHECK: %[[Z:.*]] = IE.Gemm(%arg0, %{{.*}}) : (tensor<4x4xf32>, tensor<4x64xf32>) -> tensor<4x64xf32>
func.func @rows_are_joined(%x: tensor<4x4xf32>) -> (tensor<64x4xf32>, tensor<4x2x64xf32>) {
  %a = IE.Constant dense<1.0> : tensor<4x64xf32>
  %b = IE.Constant dense<2.0> : tensor<4x64xf32>
  %c = IE.Constant dense<3.0> : tensor<64xf32>
  %d = IE.Constant dense<4.0> : tensor<64xf32>
  %0 = IE.Gemm(%x, %a, %c) : (tensor<4x4xf32>, tensor<4x64xf32>, tensor<64xf32>) -> tensor<4x64xf32>
  %1 = IE.Gemm(%x, %b, %d) : (tensor<4x4xf32>, tensor<4x64xf32>, tensor<64xf32>) -> tensor<4x64xf32>
  %2 = IE.Gemm(%x, %b) : (tensor<4x4xf32>, tensor<4x64xf32>) -> tensor<4x64xf32>
  %shape = IE.Constant dense<[2, 2, 64]> : tensor<3xi64>
  %3 = IE.Reshape %0, %shape : tensor<4x64xf32>, tensor<3xi64> -> tensor<2x2x64xf32>
  %4 = IE.Transpose %3 {perm = array<i64: 2, 0, 1>} : tensor<2x2x64xf32> -> tensor<64x2x2xf32>
  %flat = IE.Constant dense<[64, 4]> : tensor<2xi64>
  %5 = IE.Reshape %4, %flat : tensor<64x2x2xf32>, tensor<2xi64> -> tensor<64x4xf32>
  %6 = IE.MatMul(%5, %1) : (tensor<64x4xf32>, tensor<4x64xf32>) -> tensor<64x64xf32>
  %7 = IE.MatMul(%6, %5) : (tensor<64x64xf32>, tensor<64x4xf32>) -> tensor<64x4xf32>
  %8 = IE.Reshape %2, %shape : tensor<4x64xf32>, tensor<3xi64> -> tensor<2x2x64xf32>
  %9 = IE.Concat %8, %8 {axis = 0 : i64} : tensor<2x2x64xf32>, tensor<2x2x64xf32> -> tensor<4x2x64xf32>
  return %7, %9 : tensor<64x4xf32>, tensor<4x2x64xf32>
}

// -----

// Rows that are added to products of open size go with their columns.

// CHECK-LABEL: func @added_rows_are_joined
// CHECK: %[[ALL:.*]] = IE.Constant {{.*}} : tensor<4x128xf32>
// CHECK: %[[ROWS:.*]] = IE.Constant {{.*}} : tensor<128xf32>
// CHECK: %[[Y:.*]] = IE.MatMul(%arg0, %[[ALL]])
// CHECK: %[[SUM:.*]] = IE.Add %[[Y]], %[[ROWS]] : tensor<?x4x128xf32>, tensor<128xf32> -> tensor<?x4x128xf32>
// CHECK: %[[PARTS:.*]]:2 = IE.Split %[[SUM]]
// CHECK: IE.MatMul(%{{.*}}, %[[PARTS]]#1)
func.func @added_rows_are_joined(%x: tensor<?x4x4xf32>) -> tensor<?x64x64xf32> {
  %a = IE.Constant dense<1.0> : tensor<4x64xf32>
  %b = IE.Constant dense<2.0> : tensor<4x64xf32>
  %c = IE.Constant dense<3.0> : tensor<64xf32>
  %d = IE.Constant dense<4.0> : tensor<64xf32>
  %0 = IE.MatMul(%x, %a) : (tensor<?x4x4xf32>, tensor<4x64xf32>) -> tensor<?x4x64xf32>
  %1 = IE.Add %c, %0 : tensor<64xf32>, tensor<?x4x64xf32> -> tensor<?x4x64xf32>
  %2 = IE.Transpose %1 {perm = array<i64: 0, 2, 1>} : tensor<?x4x64xf32> -> tensor<?x64x4xf32>
  %3 = IE.MatMul(%x, %b) : (tensor<?x4x4xf32>, tensor<4x64xf32>) -> tensor<?x4x64xf32>
  %4 = IE.Add %3, %d : tensor<?x4x64xf32>, tensor<64xf32> -> tensor<?x4x64xf32>
  %5 = IE.MatMul(%2, %4) : (tensor<?x64x4xf32>, tensor<?x4x64xf32>) -> tensor<?x64x64xf32>
  return %5 : tensor<?x64x64xf32>
}

// -----

// Other operands; parts of tiles; matrices of a run; batches of matrices;
// transposed matrices; scaled products.

// CHECK-LABEL: func @other_products_stay
// CHECK-NOT: IE.Split
func.func @other_products_stay(%x: tensor<3x4xf32>, %y: tensor<3x4xf32>, %m: tensor<4x64xf32>)
    -> (tensor<64x3xf32>, tensor<64x3xf32>, tensor<60x3xf32>, tensor<64x3xf32>, tensor<64x3x2xf32>, tensor<64x3xf32>, tensor<64x3xf32>) {
  %a = IE.Constant dense<1.0> : tensor<4x64xf32>
  %b = IE.Constant dense<2.0> : tensor<4x60xf32>
  %c = IE.Constant dense<2.0> : tensor<2x4x64xf32>
  %d = IE.Constant dense<2.0> : tensor<64x4xf32>
  %0 = IE.MatMul(%x, %a) : (tensor<3x4xf32>, tensor<4x64xf32>) -> tensor<3x64xf32>
  %1 = IE.MatMul(%y, %a) : (tensor<3x4xf32>, tensor<4x64xf32>) -> tensor<3x64xf32>
  %2 = IE.MatMul(%x, %b) : (tensor<3x4xf32>, tensor<4x60xf32>) -> tensor<3x60xf32>
  %3 = IE.MatMul(%x, %m) : (tensor<3x4xf32>, tensor<4x64xf32>) -> tensor<3x64xf32>
  %4 = IE.MatMul(%x, %c) : (tensor<3x4xf32>, tensor<2x4x64xf32>) -> tensor<2x3x64xf32>
  %5 = IE.Gemm(%x, %d) {transB = 1 : i64} : (tensor<3x4xf32>, tensor<64x4xf32>) -> tensor<3x64xf32>
  %6 = IE.Gemm(%x, %a) {alpha = 2.0 : f32} : (tensor<3x4xf32>, tensor<4x64xf32>) -> tensor<3x64xf32>
  %t0 = IE.Transpose %0 : tensor<3x64xf32> -> tensor<64x3xf32>
  %t1 = IE.Transpose %1 : tensor<3x64xf32> -> tensor<64x3xf32>
  %t2 = IE.Transpose %2 : tensor<3x60xf32> -> tensor<60x3xf32>
  %t3 = IE.Transpose %3 : tensor<3x64xf32> -> tensor<64x3xf32>
  %t4 = IE.Transpose %4 : tensor<2x3x64xf32> -> tensor<64x3x2xf32>
  %t5 = IE.Transpose %5 : tensor<3x64xf32> -> tensor<64x3xf32>
  %t6 = IE.Transpose %6 : tensor<3x64xf32> -> tensor<64x3xf32>
  return %t0, %t1, %t2, %t3, %t4, %t5, %t6 : tensor<64x3xf32>, tensor<64x3xf32>, tensor<60x3xf32>, tensor<64x3xf32>, tensor<64x3x2xf32>, tensor<64x3xf32>, tensor<64x3xf32>
}

// -----

// A product of its own computes its activation on the way, and writes a result
// where the caller wants it.

// CHECK-LABEL: func @rectified_and_returned_products_stay
// CHECK-NOT: IE.Split
func.func @rectified_and_returned_products_stay(%x: tensor<3x4xf32>) -> (tensor<3x64xf32>, tensor<3x64xf32>) {
  %a = IE.Constant dense<1.0> : tensor<4x64xf32>
  %b = IE.Constant dense<2.0> : tensor<4x64xf32>
  %0 = IE.MatMul(%x, %a) : (tensor<3x4xf32>, tensor<4x64xf32>) -> tensor<3x64xf32>
  %1 = IE.Relu %0 : tensor<3x64xf32> -> tensor<3x64xf32>
  %2 = IE.MatMul(%x, %b) : (tensor<3x4xf32>, tensor<4x64xf32>) -> tensor<3x64xf32>
  return %1, %2 : tensor<3x64xf32>, tensor<3x64xf32>
}

// -----

// CHECK-LABEL: func @large_matrices_stay
// CHECK-NOT: IE.Split
// ANY-LABEL: func @large_matrices_stay
// ANY: IE.Split
func.func @large_matrices_stay(%x: tensor<3x2048xf32>) -> (tensor<2048x3xf32>, tensor<2048x3xf32>) {
  %a = IE.Constant dense<1.0> : tensor<2048x2048xf32>
  %b = IE.Constant dense<2.0> : tensor<2048x2048xf32>
  %0 = IE.MatMul(%x, %a) : (tensor<3x2048xf32>, tensor<2048x2048xf32>) -> tensor<3x2048xf32>
  %1 = IE.MatMul(%x, %b) : (tensor<3x2048xf32>, tensor<2048x2048xf32>) -> tensor<3x2048xf32>
  %2 = IE.Transpose %0 : tensor<3x2048xf32> -> tensor<2048x3xf32>
  %3 = IE.Transpose %1 : tensor<3x2048xf32> -> tensor<2048x3xf32>
  return %2, %3 : tensor<2048x3xf32>, tensor<2048x3xf32>
}
