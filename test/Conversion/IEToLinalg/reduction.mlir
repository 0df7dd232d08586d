// RUN: nacre-opt %s -split-input-file -convert-ie-to-linalg | FileCheck %s

// Lowering of the Reduction family.

// CHECK-LABEL: func @reduce_sum_keeps_dims_by_reshape
func.func @reduce_sum_keeps_dims_by_reshape(%x: tensor<2x3x4xf32>) -> tensor<2x1x4xf32> {
  // CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction", "parallel"]{{.*}} outs(%{{.*}} : tensor<2x4xf32>)
  // CHECK: arith.addf
  // CHECK: tensor<2x1x4xf32>
  %axes = IE.Constant dense<1> : tensor<1xi64>
  %0 = IE.ReduceSum(%x, %axes) : (tensor<2x3x4xf32>, tensor<1xi64>) -> tensor<2x1x4xf32>
  return %0 : tensor<2x1x4xf32>
}

// -----

// CHECK-LABEL: func @reduce_mean_of_integers_sums_in_64_bits
func.func @reduce_mean_of_integers_sums_in_64_bits(%x: tensor<2x8xi8>) -> tensor<i8> {
  // CHECK: arith.extsi
  // CHECK: arith.addi {{.*}} : i64
  // CHECK: arith.divsi
  // CHECK: arith.trunci
  %0 = IE.ReduceMean(%x) {keepdims = 0 : i64} : (tensor<2x8xi8>) -> tensor<i8>
  return %0 : tensor<i8>
}

// -----

// CHECK-LABEL: func @reduce_max_of_unsigned_starts_at_zero
func.func @reduce_max_of_unsigned_starts_at_zero(%x: tensor<8xui8>) -> tensor<1xui8> {
  // CHECK: arith.constant 0 : i8
  // CHECK: arith.maxui
  %0 = IE.ReduceMax(%x) : (tensor<8xui8>) -> tensor<1xui8>
  return %0 : tensor<1xui8>
}

// -----

// CHECK-LABEL: func @reduce_log_sum_exp_shifts_by_the_maximum
func.func @reduce_log_sum_exp_shifts_by_the_maximum(%x: tensor<2x8xf32>) -> tensor<1x1xf32> {
  // CHECK: arith.maximumf
  // CHECK: arith.subf
  // CHECK-NEXT: math.exp
  // CHECK: math.log
  // CHECK: arith.select
  %0 = IE.ReduceLogSumExp(%x) : (tensor<2x8xf32>) -> tensor<1x1xf32>
  return %0 : tensor<1x1xf32>
}

// -----

// CHECK-LABEL: func @reduce_l2_takes_the_root
func.func @reduce_l2_takes_the_root(%x: tensor<2x8xf32>) -> tensor<1x1xf32> {
  // CHECK: arith.mulf
  // CHECK-NEXT: arith.addf
  // CHECK: math.sqrt
  %0 = IE.ReduceL2(%x) : (tensor<2x8xf32>) -> tensor<1x1xf32>
  return %0 : tensor<1x1xf32>
}

// -----

// First the largest key of a line, then the first position that has it: the one
// with most elements from there on.
// CHECK-LABEL: func @arg_max_of_lines_finds_the_largest_then_its_position
func.func @arg_max_of_lines_finds_the_largest_then_its_position(%x: tensor<2x8xf32>) -> tensor<2xi64> {
  // CHECK: %[[KEYS:.*]] = linalg.generic {{.*}}"parallel", "reduction"{{.*}} ins(%arg0 : tensor<2x8xf32>)
  // CHECK: %[[IS_NAN:.*]] = arith.cmpf uno
  // The key of this NaN is less than those of all numbers.
  // CHECK: arith.select %[[IS_NAN]], %c-4194304_i32
  // CHECK: arith.maxui
  // CHECK: %[[RANKS:.*]] = linalg.generic {{.*}} ins(%arg0, %[[KEYS]] : tensor<2x8xf32>, tensor<2xi32>)
  // CHECK: ^bb0(%[[X:.*]]: f32, %[[KEY:.*]]: i32, %[[BEST_RANK:.*]]: i32)
  // CHECK: %[[RANK:.*]] = arith.subi %c8_i32, %[[POSITION:.*]] :
  // CHECK: %[[NEGATIVE:.*]] = arith.cmpi sge, %[[KEY]], %c0_i32
  // CHECK: %[[TURNED:.*]] = arith.select %[[NEGATIVE]], %c-1_i32, %c-2147483648_i32
  // CHECK: %[[BITS:.*]] = arith.xori %[[KEY]], %[[TURNED]]
  // CHECK: %[[BEST:.*]] = arith.bitcast %[[BITS]] : i32 to f32
  // CHECK: %[[SUM:.*]] = arith.addf %[[X]], %cst
  // CHECK: %[[IS_BEST:.*]] = arith.cmpf oeq, %[[SUM]], %[[BEST]]
  // CHECK: %[[TAKEN:.*]] = arith.select %[[IS_BEST]], %[[RANK]], %c0_i32
  // A NaN in front has a rank above all others.
  // CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[POSITION]], %c0_i32
  // CHECK: %[[IS_NAN:.*]] = arith.cmpf uno, %[[X]], %[[X]]
  // CHECK: %[[WINS:.*]] = arith.andi %[[IS_NAN]], %[[FIRST]]
  // CHECK: arith.select %[[WINS]], %c8_i32, %[[TAKEN]]
  // CHECK: arith.maxsi
  // CHECK: linalg.generic {{.*}} ins(%[[RANKS]] :
  // CHECK: arith.subi %c8_i32
  %0 = IE.ArgMax(%x) {axis = 1 : i64, keepdims = 0 : i64} : (tensor<2x8xf32>) -> tensor<2xi64>
  return %0 : tensor<2xi64>
}

// -----

// CHECK-LABEL: func @arg_max_of_lines_of_unknown_length_counts_in_64_bits
func.func @arg_max_of_lines_of_unknown_length_counts_in_64_bits(%x: tensor<2x?xui8>) -> tensor<2xi64> {
  // CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<2xi8>)
  // CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<2xi64>)
  // CHECK-NOT: arith.subi
  // CHECK: return
  %0 = IE.ArgMax(%x) {axis = 1 : i64, keepdims = 0 : i64, select_last_index = 1 : i64} : (tensor<2x?xui8>) -> tensor<2xi64>
  return %0 : tensor<2xi64>
}

// -----

// Lines with others behind them are compared side by side.
// CHECK-LABEL: func @arg_max_of_columns_carries_the_position
func.func @arg_max_of_columns_carries_the_position(%x: tensor<2x8xf32>) -> tensor<8xi64> {
  // CHECK: %[[BETTER:.*]] = arith.cmpf olt, %[[BEST:.*]], %[[X:.*]] : f32
  // CHECK: arith.select %{{.*}}, %[[X]], %[[BEST]]
  %0 = IE.ArgMax(%x) {axis = 0 : i64, keepdims = 0 : i64, VPU.strategy = #VPU.strategy<algorithm = atOnce>} : (tensor<2x8xf32>) -> tensor<8xi64>
  return %0 : tensor<8xi64>
}

// -----

// CHECK-LABEL: func @undecided_arg_max_of_columns_compares_keys
func.func @undecided_arg_max_of_columns_compares_keys(%x: tensor<2x8xf32>) -> tensor<8xi64> {
  // CHECK: arith.maxui
  // CHECK: arith.maxsi
  %0 = IE.ArgMax(%x) {axis = 0 : i64, keepdims = 0 : i64} : (tensor<2x8xf32>) -> tensor<8xi64>
  return %0 : tensor<8xi64>
}

// -----

// CHECK-LABEL: func @arg_min_with_select_last_index_takes_equals
func.func @arg_min_with_select_last_index_takes_equals(%x: tensor<2x8xi32>) -> tensor<1x8xi64> {
  // CHECK: arith.cmpi sle
  %0 = IE.ArgMin(%x) {select_last_index = 1 : i64, VPU.strategy = #VPU.strategy<algorithm = atOnce>} : (tensor<2x8xi32>) -> tensor<1x8xi64>
  return %0 : tensor<1x8xi64>
}

// -----

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

// Which of the two equal dimensions disappears is known at run time only.
// CHECK-LABEL: func @reduce_sum_along_a_run_time_axis_computes_positions
// CHECK-DAG: %[[AXIS:.*]] = tensor.extract %arg1
// CHECK: arith.index_cast %[[AXIS]]
// CHECK: arith.select
// CHECK: scf.for
// CHECK: %[[X:.*]] = tensor.extract %arg0
// CHECK: %[[SUM:.*]] = tensor.extract %[[STATE:.*]][%[[AT:.*]]] : tensor<?xf32>
// CHECK: %[[NEXT:.*]] = arith.addf %[[SUM]], %[[X]]
// CHECK: tensor.insert %[[NEXT]] into %[[STATE]][%[[AT]]]
func.func @reduce_sum_along_a_run_time_axis_computes_positions(%x: tensor<3x2x2xf32>, %axes: tensor<1xi64>) -> tensor<3x2xf32> {
  %0 = IE.ReduceSum(%x, %axes) {keepdims = 0 : i64} : (tensor<3x2x2xf32>, tensor<1xi64>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}
