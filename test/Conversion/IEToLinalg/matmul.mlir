// RUN: nacre-opt %s -split-input-file -convert-ie-to-linalg | FileCheck %s

// Lowering of the MatMul family.

// CHECK-DAG: #[[LHS:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (0, d1, d2, d4)>
// CHECK-DAG: #[[RHS:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, 0, d4, d3)>
// CHECK-DAG: #[[OUTPUT:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
// CHECK-LABEL: func @matmul_broadcasts_in_maps
func.func @matmul_broadcasts_in_maps(%a: tensor<1x7x3x4xf32>, %b: tensor<2x1x4x5xf32>) -> tensor<2x7x3x5xf32> {
  // CHECK: linalg.generic {indexing_maps = [#[[LHS]], #[[RHS]], #[[OUTPUT]]]
  %0 = IE.MatMul(%a, %b) : (tensor<1x7x3x4xf32>, tensor<2x1x4x5xf32>) -> tensor<2x7x3x5xf32>
  return %0 : tensor<2x7x3x5xf32>
}

// -----

// CHECK-DAG: #[[SUM:.*]] = affine_map<(d0) -> (d0)>
// CHECK-DAG: #[[SCALAR:.*]] = affine_map<(d0) -> ()>
// CHECK-LABEL: func @matmul_of_vectors_is_a_scalar
func.func @matmul_of_vectors_is_a_scalar(%a: tensor<4xi32>, %b: tensor<4xi32>) -> tensor<i32> {
  // CHECK: linalg.generic {indexing_maps = [#[[SUM]], #[[SUM]], #[[SCALAR]]], iterator_types = ["reduction"]}
  // CHECK: arith.muli
  %0 = IE.MatMul(%a, %b) : (tensor<4xi32>, tensor<4xi32>) -> tensor<i32>
  return %0 : tensor<i32>
}

// -----

// CHECK-DAG: #[[RHS:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-LABEL: func @gemm_transposes_in_maps_and_scales
func.func @gemm_transposes_in_maps_and_scales(%a: tensor<2x4xf32>, %b: tensor<5x4xf32>, %c: tensor<5xf32>) -> tensor<2x5xf32> {
  // CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[RHS]], #{{.*}}]
  // CHECK: linalg.generic
  // CHECK: arith.mulf
  // CHECK-NEXT: arith.addf
  %0 = IE.Gemm(%a, %b, %c) {alpha = 0.5 : f32, transB = 1 : i64} : (tensor<2x4xf32>, tensor<5x4xf32>, tensor<5xf32>) -> tensor<2x5xf32>
  return %0 : tensor<2x5xf32>
}
