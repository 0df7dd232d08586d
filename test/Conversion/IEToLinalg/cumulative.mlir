// RUN: nacre-opt %s -split-input-file -convert-ie-to-linalg | FileCheck %s
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v3 threads=2" -split-input-file -convert-ie-to-linalg | FileCheck %s --check-prefix=CORES

// CHECK-LABEL: func @cum_sum_scans_slices_in_place
func.func @cum_sum_scans_slices_in_place(%x: tensor<8x2xf32>) -> tensor<8x2xf32> {
  %axis = IE.Constant dense<0> : tensor<i64>
  // CHECK: scf.for {{.*}} -> (tensor<8x2xf32>, tensor<1x2xf32>)
  // CHECK: %[[ROW:.*]] = tensor.extract_slice %arg0
  // CHECK: %[[TO:.*]] = tensor.extract_slice
  // CHECK: %[[SUM:.*]]:2 = linalg.generic {{.*}} ins(%[[ROW]] : tensor<1x2xf32>) outs(%[[TO]], %{{.*}} : tensor<1x2xf32>, tensor<1x2xf32>)
  // CHECK: %[[NEXT:.*]] = arith.addf
  // CHECK: linalg.yield %[[NEXT]], %[[NEXT]]
  // CHECK: tensor.insert_slice %[[SUM]]#0
  // CHECK: scf.yield %{{.*}}, %[[SUM]]#1
  %0 = IE.CumSum(%x, %axis) : (tensor<8x2xf32>, tensor<i64>) -> tensor<8x2xf32>
  return %0 : tensor<8x2xf32>
}

// -----

// Along the last axis, or one that only ones follow, lines keep their sums in
// registers.
// CHECK-LABEL: func @cum_sum_scans_lines_one_after_the_other
func.func @cum_sum_scans_lines_one_after_the_other(%x: tensor<2x8x1xf32>) -> tensor<2x8x1xf32> {
  %axis = IE.Constant dense<1> : tensor<i64>
  // CHECK: scf.for %[[ROW:[a-z0-9]+]] = {{.*}} -> (tensor<2x8x1xf32>)
  // CHECK: scf.for %[[I:[a-z0-9]+]] = {{.*}} -> (tensor<2x8x1xf32>, f32)
  // CHECK: %[[AT:.*]] = arith.subi %{{.*}}, %[[I]]
  // CHECK: %[[X:.*]] = tensor.extract %arg0[%[[ROW]], %[[AT]], %{{.*}}]
  // CHECK: %[[SUM:.*]] = arith.addf %{{.*}}, %[[X]]
  // CHECK: tensor.insert %[[SUM]] into %{{.*}}[%[[ROW]], %[[AT]], %{{.*}}]
  %0 = IE.CumSum(%x, %axis) {reverse = 1 : i64} : (tensor<2x8x1xf32>, tensor<i64>) -> tensor<2x8x1xf32>
  return %0 : tensor<2x8x1xf32>
}

// -----

// CHECK-LABEL: func @cum_sum_of_one_element_is_that
// CHECK-SAME: %[[X:.*]]: tensor<1x8xf32>
func.func @cum_sum_of_one_element_is_that(%x: tensor<1x8xf32>) -> tensor<1x8xf32> {
  %axis = IE.Constant dense<0> : tensor<i64>
  // CHECK: return %[[X]]
  %0 = IE.CumSum(%x, %axis) : (tensor<1x8xf32>, tensor<i64>) -> tensor<1x8xf32>
  return %0 : tensor<1x8xf32>
}

// -----

// Of nothing before it, the sum is zero.
// CHECK-LABEL: func @exclusive_cum_sum_of_one_element_is_none
func.func @exclusive_cum_sum_of_one_element_is_none(%x: tensor<1x8xf32>) -> tensor<1x8xf32> {
  %axis = IE.Constant dense<0> : tensor<i64>
  // CHECK: linalg.fill
  %0 = IE.CumSum(%x, %axis) {exclusive = 1 : i64} : (tensor<1x8xf32>, tensor<i64>) -> tensor<1x8xf32>
  return %0 : tensor<1x8xf32>
}

// -----

// What is written is the product before an element, which is multiplied in f32.
// CHECK-LABEL: func @exclusive_cum_prod_starts_at_one
func.func @exclusive_cum_prod_starts_at_one(%x: tensor<?x2xf16>) -> tensor<?x2xf16> {
  %axis = IE.Constant dense<-2> : tensor<i64>
  // CHECK: %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
  // CHECK: linalg.fill ins(%[[ONE]] : f32)
  // CHECK: scf.for {{.*}} -> (tensor<?x2xf16>, tensor<1x2xf32>)
  // CHECK: ^bb0(%{{.*}}: f16, %{{.*}}: f16, %[[PRODUCT:.*]]: f32):
  // CHECK: %[[NEXT:.*]] = arith.mulf %[[PRODUCT]], %{{.*}} : f32
  // CHECK: %[[WRITTEN:.*]] = arith.truncf %[[PRODUCT]]
  // CHECK: linalg.yield %[[WRITTEN]], %[[NEXT]]
  %0 = IE.CumProd(%x, %axis) {exclusive = 1 : i64} : (tensor<?x2xf16>, tensor<i64>) -> tensor<?x2xf16>
  return %0 : tensor<?x2xf16>
}

// -----

// CHECK-LABEL: func @exclusive_cum_prod_of_lines_starts_at_one
func.func @exclusive_cum_prod_of_lines_starts_at_one(%x: tensor<2x?xf16>) -> tensor<2x?xf16> {
  %axis = IE.Constant dense<-1> : tensor<i64>
  // CHECK: %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
  // CHECK: scf.for
  // CHECK: scf.for {{.*}}, %[[PRODUCT:.*]] = %[[ONE]]) -> (tensor<2x?xf16>, f32)
  // CHECK: %[[NEXT:.*]] = arith.mulf %[[PRODUCT]], %{{.*}} : f32
  // CHECK: %[[WRITTEN:.*]] = arith.truncf %[[PRODUCT]]
  // CHECK: tensor.insert %[[WRITTEN]]
  // CHECK: scf.yield %{{.*}}, %[[NEXT]]
  %0 = IE.CumProd(%x, %axis) {exclusive = 1 : i64} : (tensor<2x?xf16>, tensor<i64>) -> tensor<2x?xf16>
  return %0 : tensor<2x?xf16>
}

// -----

// Both scans write to the same buffer, which the branch only chooses between.
// CHECK-LABEL: func @cum_sum_along_variable_axis_branches
func.func @cum_sum_along_variable_axis_branches(%x: tensor<2x3xf32>, %axis: tensor<i32>) -> tensor<2x3xf32> {
  // CHECK: %[[OUT:.*]] = tensor.empty() : tensor<2x3xf32>
  // CHECK: scf.if
  // CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[OUT]], {{.*}}) -> (tensor<2x3xf32>, tensor<1x3xf32>)
  // CHECK: else
  // CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[OUT]]) -> (tensor<2x3xf32>)
  %0 = IE.CumSum(%x, %axis) : (tensor<2x3xf32>, tensor<i32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// What is outside of the axis is scanned part by part, with one row of sums. Cores
// share the parts.
// CHECK-LABEL: func @cum_sum_of_parts_keeps_a_row_of_sums
// CORES-LABEL: func @cum_sum_of_parts_keeps_a_row_of_sums
func.func @cum_sum_of_parts_keeps_a_row_of_sums(%x: tensor<?x8x100xf32>) -> tensor<?x8x100xf32> {
  %axis = IE.Constant dense<1> : tensor<i64>
  // CHECK: scf.for {{.*}} -> (tensor<?x8x100xf32>, tensor<1x1x100xf32>)
  // CHECK: linalg.fill
  // CHECK: scf.for {{.*}} -> (tensor<1x8x100xf32>, tensor<1x1x100xf32>)
  // CHECK: linalg.generic
  // CHECK: tensor.insert_slice
  // CHECK: nacre.independent = 0
  // CORES: nacre.independent = 0
  %0 = IE.CumSum(%x, %axis) : (tensor<?x8x100xf32>, tensor<i64>) -> tensor<?x8x100xf32>
  return %0 : tensor<?x8x100xf32>
}

// -----

// Along the first dimension one core reads on in order, two have rows of their own,
// if these are long.
// CHECK-LABEL: func @cum_sum_along_the_first_dimension
// CORES-LABEL: func @cum_sum_along_the_first_dimension
func.func @cum_sum_along_the_first_dimension(%x: tensor<?x8x100xf32>, %y: tensor<?x8x10xf32>) -> (tensor<?x8x100xf32>, tensor<?x8x10xf32>) {
  %axis = IE.Constant dense<0> : tensor<i64>
  // CHECK: scf.for {{.*}} -> (tensor<?x8x100xf32>, tensor<1x8x100xf32>)
  // CHECK-NOT: nacre.independent
  // CORES: scf.for {{.*}} -> (tensor<?x8x100xf32>, tensor<1x1x100xf32>)
  // CORES: nacre.independent = 1
  // CORES: scf.for {{.*}} -> (tensor<?x8x10xf32>, tensor<1x8x10xf32>)
  // CORES-NOT: nacre.independent
  %0 = IE.CumSum(%x, %axis) : (tensor<?x8x100xf32>, tensor<i64>) -> tensor<?x8x100xf32>
  %1 = IE.CumSum(%y, %axis) : (tensor<?x8x10xf32>, tensor<i64>) -> tensor<?x8x10xf32>
  return %0, %1 : tensor<?x8x100xf32>, tensor<?x8x10xf32>
}
