// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize-embeddings))' | FileCheck %s
// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize-embeddings{keep-ops=Gather}))' | FileCheck %s --check-prefix=KEPT
// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize-embeddings{keep-nodes=wor*}))' | FileCheck %s --check-prefix=KEPT
// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize-embeddings{only-ops=Gather}))' | FileCheck %s
// RUN: not nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize-embeddings{keep-nodes=[}))' 2>&1 | FileCheck %s --check-prefix=BAD

// BAD: error: '[' is no pattern of nodes' names

#words = loc("words"(fused<{nacre.values = ["rows"]}>["net":0:0]))
// Each row has its own scale; a row of zeros has the scale 1. Two readers share
// one table.
// CHECK-LABEL: func @rows_have_scales
// CHECK-DAG: %[[Q:.*]] = IE.Constant dense<{{\[\[}}127, -127], [64, 127], [0, 0]]> : tensor<3x2xi8>
// CHECK-DAG: %[[S:.*]] = IE.Constant dense<{{\[\[}}1.000000e+00], [2.000000e+00], [1.000000e+00]]> : tensor<3x1xf32>
// CHECK: %[[I:.*]] = IE.Gather %[[Q]], %arg0 {{.*}} -> tensor<?x5x2xi8>
// CHECK: %[[F:.*]] = IE.Cast %[[I]]
// CHECK: %[[R:.*]] = IE.Gather %[[S]], %arg0 {{.*}} -> tensor<?x5x1xf32>
// CHECK: %[[Y:.*]] = IE.Mul %[[F]], %[[R]]
// CHECK: IE.Gather %[[Q]], %arg1
// CHECK: IE.Gather %[[S]], %arg1
// CHECK: return %[[Y]]
// KEPT-LABEL: func @rows_have_scales
// KEPT-NOT: xi8>
// KEPT: return
func.func @rows_have_scales(%ids: tensor<?x5xi64>, %one: tensor<i32>) -> (tensor<?x5x2xf32>, tensor<2xf32>) {
  %t = IE.Constant dense<[[127.0, -127.0], [128.0, 254.0], [0.0, 0.0]]> : tensor<3x2xf32>
  %0 = IE.Gather %t, %ids : tensor<3x2xf32>, tensor<?x5xi64> -> tensor<?x5x2xf32> loc(#words)
  %1 = IE.Gather %t, %one {axis = -2 : i64} : tensor<3x2xf32>, tensor<i32> -> tensor<2xf32> loc(#words)
  return %0, %1 : tensor<?x5x2xf32>, tensor<2xf32>
}

// Rows may have several dimensions.
// CHECK-LABEL: func @rows_are_matrices
// CHECK-DAG: IE.Constant dense<1.000000e+00> : tensor<2x1x1xf32>
// CHECK: IE.Mul {{.*}} -> tensor<4x2x2xf32>
func.func @rows_are_matrices(%ids: tensor<4xi64>) -> tensor<4x2x2xf32> {
  %t = IE.Constant dense<127.0> : tensor<2x2x2xf32>
  %0 = IE.Gather %t, %ids : tensor<2x2x2xf32>, tensor<4xi64> -> tensor<4x2x2xf32>
  return %0 : tensor<4x2x2xf32>
}

// A body reads the table from outside.
// CHECK-LABEL: func @body_picks_rows
// CHECK: IE.Constant {{.*}} : tensor<2x2xi8>
// CHECK: IE.If
// CHECK: IE.Gather {{.*}} -> tensor<2xi8>
func.func @body_picks_rows(%c: tensor<i1>, %id: tensor<i64>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %t = IE.Constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %0 = IE.If %c : (tensor<i1>) -> tensor<2xf32> {
    %1 = IE.Gather %t, %id : tensor<2x2xf32>, tensor<i64> -> tensor<2xf32>
    IE.Yield %1 : tensor<2xf32>
  } else {
    IE.Yield %x : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}

// A table that a product reads, too, would have to be there twice.
// CHECK-LABEL: func @table_is_tied
// CHECK-NOT: xi8>
func.func @table_is_tied(%ids: tensor<4xi64>, %x: tensor<2x3xf32>) -> (tensor<4x2xf32>, tensor<2x2xf32>) {
  %t = IE.Constant dense<1.0> : tensor<3x2xf32>
  %0 = IE.Gather %t, %ids : tensor<3x2xf32>, tensor<4xi64> -> tensor<4x2xf32>
  %1 = IE.MatMul(%x, %t) : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  return %0, %1 : tensor<4x2xf32>, tensor<2x2xf32>
}

// Columns, single numbers, what is infinite, integers and what a run computes
// are no rows that gain.
// CHECK-LABEL: func @others_stay
// CHECK-NOT: xi8>
// CHECK: return
func.func @others_stay(%ids: tensor<4xi64>, %x: tensor<3x2xf32>)
    -> (tensor<3x4xf32>, tensor<4x1xf32>, tensor<4x2xf32>, tensor<4x2xi32>, tensor<4x2xf32>, tensor<4xf32>) {
  %t = IE.Constant dense<1.0> : tensor<3x2xf32>
  %n = IE.Constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %e = IE.Constant dense<0x7F800000> : tensor<3x2xf32>
  %i = IE.Constant dense<7> : tensor<3x2xi32>
  %v = IE.Constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %0 = IE.Gather %t, %ids {axis = 1 : i64} : tensor<3x2xf32>, tensor<4xi64> -> tensor<3x4xf32>
  %1 = IE.Gather %n, %ids : tensor<2x1xf32>, tensor<4xi64> -> tensor<4x1xf32>
  %2 = IE.Gather %e, %ids : tensor<3x2xf32>, tensor<4xi64> -> tensor<4x2xf32>
  %3 = IE.Gather %i, %ids : tensor<3x2xi32>, tensor<4xi64> -> tensor<4x2xi32>
  %4 = IE.Gather %x, %ids : tensor<3x2xf32>, tensor<4xi64> -> tensor<4x2xf32>
  %5 = IE.Gather %v, %ids : tensor<3xf32>, tensor<4xi64> -> tensor<4xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<3x4xf32>, tensor<4x1xf32>, tensor<4x2xf32>, tensor<4x2xi32>, tensor<4x2xf32>, tensor<4xf32>
}
