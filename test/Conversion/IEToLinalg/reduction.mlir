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
