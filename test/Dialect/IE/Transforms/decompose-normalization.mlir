// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-decompose))' -split-input-file | FileCheck %s --check-prefix=EARLY
// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-decompose{late=true}))' -split-input-file | FileCheck %s

// EARLY-LABEL: func @formula_with_bias
// EARLY: IE.LayerNormalization
// CHECK-LABEL: func @formula_with_bias
// CHECK-DAG: %[[AXES:.*]] = IE.Constant dense<2> : tensor<1xi64>
// CHECK-DAG: %[[EPSILON:.*]] = IE.Constant dense<9.99999996E-13> : tensor<f32>
// CHECK: %[[MEAN:.*]] = IE.ReduceMean(%arg0, %[[AXES]]) : (tensor<?x4x8xf32>, tensor<1xi64>) -> tensor<?x4x1xf32>
// CHECK: %[[D:.*]] = IE.Sub %arg0, %[[MEAN]]
// CHECK: %[[SQUARE:.*]] = IE.Mul %[[D]], %[[D]]
// CHECK: %[[VARIANCE:.*]] = IE.ReduceMean(%[[SQUARE]], %{{.*}}) : (tensor<?x4x8xf32>, tensor<1xi64>) -> tensor<?x4x1xf32>
// CHECK: %[[SUM:.*]] = IE.Add %[[VARIANCE]], %[[EPSILON]]
// CHECK: %[[ROOT:.*]] = IE.Sqrt %[[SUM]]
// CHECK-NOT: IE.Reciprocal
// CHECK: %[[N:.*]] = IE.Div %[[D]], %[[ROOT]]
// CHECK: %[[S:.*]] = IE.Mul %[[N]], %arg1
// CHECK: %[[Y:.*]] = IE.Add %[[S]], %arg2
// CHECK: return %[[Y]] : tensor<?x4x8xf32>
func.func @formula_with_bias(%x: tensor<?x4x8xf32>, %s: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<?x4x8xf32> {
  %0:3 = IE.LayerNormalization(%x, %s, %b) {epsilon = 1.0e-12 : f32} : (tensor<?x4x8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<?x4x8xf32>, tensor<?x4x1xf32>, tensor<?x4x1xf32>)
  return %0#0 : tensor<?x4x8xf32>
}

// -----

// CHECK-LABEL: func @statistics_that_are_read
// CHECK: %[[MEAN:.*]] = IE.ReduceMean(%arg0, %{{.*}}) : (tensor<2x4x8xf32>, tensor<2xi64>) -> tensor<2x1x1xf32>
// CHECK: %[[ROOT:.*]] = IE.Sqrt
// CHECK: %[[INVERSE:.*]] = IE.Reciprocal %[[ROOT]]
// CHECK: %[[N:.*]] = IE.Div
// CHECK: %[[Y:.*]] = IE.Mul %[[N]], %arg1
// CHECK: return %[[Y]], %[[MEAN]], %[[INVERSE]]
func.func @statistics_that_are_read(%x: tensor<2x4x8xf32>, %s: tensor<4x8xf32>) -> (tensor<2x4x8xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>) {
  %0:3 = IE.LayerNormalization(%x, %s) {axis = 1 : i64} : (tensor<2x4x8xf32>, tensor<4x8xf32>) -> (tensor<2x4x8xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>)
  return %0#0, %0#1, %0#2 : tensor<2x4x8xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>
}

// -----

// The last cast is one that ie-widen-floats may leave out.
// CHECK-LABEL: func @half_precision_is_normalised_in_f32
// CHECK: %[[X:.*]] = IE.Cast %arg0 to f32
// CHECK: IE.ReduceMean(%[[X]], %{{.*}}) : (tensor<2x8xf32>, tensor<1xi64>) -> tensor<2x1xf32>
// CHECK: %[[N:.*]] = IE.Div
// CHECK: %[[H:.*]] = IE.Cast %[[N]] to f16 {nacre.implicit}
// CHECK: IE.Mul %[[H]], %arg1 : tensor<2x8xf16>, tensor<8xf16> -> tensor<2x8xf16>
func.func @half_precision_is_normalised_in_f32(%x: tensor<2x8xf16>, %s: tensor<8xf16>) -> tensor<2x8xf16> {
  %0:3 = IE.LayerNormalization(%x, %s) : (tensor<2x8xf16>, tensor<8xf16>) -> (tensor<2x8xf16>, tensor<2x1xf32>, tensor<2x1xf32>)
  return %0#0 : tensor<2x8xf16>
}

// -----

// CHECK-LABEL: func @declared_sizes_stay
// CHECK: %[[S:.*]] = IE.Mul %{{.*}}, %arg1 : tensor<?x8xf32>, tensor<8xf32> -> tensor<?x8xf32>
// CHECK: %[[Y:.*]] = IE.Identity %[[S]] : tensor<?x8xf32> -> tensor<2x8xf32>
// CHECK: return %[[Y]]
func.func @declared_sizes_stay(%x: tensor<?x8xf32>, %s: tensor<8xf32>) -> tensor<2x8xf32> {
  %0:3 = IE.LayerNormalization(%x, %s) : (tensor<?x8xf32>, tensor<8xf32>) -> (tensor<2x8xf32>, tensor<?x1xf32>, tensor<?x1xf32>)
  return %0#0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @what_the_architecture_wants_stays
// CHECK: IE.LayerNormalization
module attributes {nacre.keep = ["LayerNormalization"]} {
func.func @what_the_architecture_wants_stays(%x: tensor<2x8xf32>, %s: tensor<8xf32>) -> tensor<2x8xf32> {
  %0:3 = IE.LayerNormalization(%x, %s) : (tensor<2x8xf32>, tensor<8xf32>) -> (tensor<2x8xf32>, tensor<2x1xf32>, tensor<2x1xf32>)
  return %0#0 : tensor<2x8xf32>
}
}
