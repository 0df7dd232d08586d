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

// CHECK-DAG: #[[ROWS:.*]] = affine_map<(d0, d1, d2) -> (0, d1, 0)>
// CHECK-DAG: #[[COLUMNS:.*]] = affine_map<(d0, d1) -> (0, d1)>
// CHECK-LABEL: func @matmul_integer_with_zero_points_subtracts_them_from_rows_and_columns
func.func @matmul_integer_with_zero_points_subtracts_them_from_rows_and_columns(%a: tensor<2x3x4xui8>, %b: tensor<4x5xi8>, %az: tensor<3xui8>, %bz: tensor<5xi8>) -> tensor<2x3x5xi32> {
  // CHECK: tensor.expand_shape %arg2 {{.*}} : tensor<3xi8> into tensor<1x3x1xi8>
  // CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[ROWS]], #{{.*}}]{{.*}}} ins(%arg0, %{{.*}} : tensor<2x3x4xi8>, tensor<1x3x1xi8>)
  // CHECK: arith.extui
  // CHECK: arith.extui
  // CHECK: arith.subi
  // CHECK: tensor.expand_shape %arg3 {{.*}} : tensor<5xi8> into tensor<1x5xi8>
  // CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[COLUMNS]], #{{.*}}]{{.*}}} ins(%arg1, %{{.*}} : tensor<4x5xi8>, tensor<1x5xi8>)
  // CHECK: arith.extsi
  // CHECK: arith.extsi
  // CHECK: arith.subi
  // CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<2x3x4xi32>, tensor<4x5xi32>) outs(%{{.*}} : tensor<2x3x5xi32>)
  // CHECK: arith.muli %{{.*}} : i32
  // CHECK: arith.addi %{{.*}} : i32
  %0 = IE.MatMulInteger(%a, %b) lhsZero(%az : tensor<3xui8>) rhsZero(%bz : tensor<5xi8>) : (tensor<2x3x4xui8>, tensor<4x5xi8>) -> tensor<2x3x5xi32>
  return %0 : tensor<2x3x5xi32>
}

// -----

// The sums of a row are next to each other in the innermost loop.
// CHECK-LABEL: func @matmul_integer_without_zero_points_only_extends
// CHECK: arith.extsi
// CHECK: arith.extui
// CHECK-NOT: arith.subi
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction", "parallel"]}
// CHECK: arith.muli %{{.*}} : i32
func.func @matmul_integer_without_zero_points_only_extends(%a: tensor<3x4xi8>, %b: tensor<4x5xui8>) -> tensor<3x5xi32> {
  %0 = IE.MatMulInteger(%a, %b) : (tensor<3x4xi8>, tensor<4x5xui8>) -> tensor<3x5xi32>
  return %0 : tensor<3x5xi32>
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

// -----

// CHECK-LABEL: func @det_eliminates_below_the_largest_pivot
// CHECK: scf.for %[[M:[a-z0-9]+]] = {{.*}} -> (tensor<5x3x3xf32>, tensor<5xf32>)
// CHECK: scf.for {{.*}} -> (tensor<5x3x3xf32>, f32)
// CHECK: %[[P:[a-z0-9_]+]]:2 = scf.for {{.*}} -> (index, f32)
// CHECK: scf.for {{.*}} -> (tensor<5x3x3xf32>)
// CHECK: tensor.insert %{{.*}} into %{{.*}}[%[[M]], %[[P]]#0, %{{.*}}]
// CHECK: arith.divf
// CHECK: arith.subf
func.func @det_eliminates_below_the_largest_pivot(%x: tensor<5x3x3xf32>) -> tensor<5xf32> {
  %0 = IE.Det(%x) : (tensor<5x3x3xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}
