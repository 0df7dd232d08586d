// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-widen-floats))' | FileCheck %s

// CHECK-LABEL: func @neighbours_round_once_at_the_result
// CHECK-SAME: (%[[X:.*]]: tensor<2x8xf16>, %[[Y:.*]]: tensor<8xf16>)
// CHECK-DAG: %[[WX:.*]] = IE.Cast %[[X]] to f32 :
// CHECK-DAG: %[[WY:.*]] = IE.Cast %[[Y]] to f32 :
// CHECK: %[[SUM:.*]] = IE.Add %[[WX]], %[[WY]] : tensor<2x8xf32>, tensor<8xf32> -> tensor<2x8xf32>
// CHECK: %[[EXP:.*]] = IE.Exp %[[SUM]] : tensor<2x8xf32>
// CHECK: %[[R:.*]] = IE.Cast %[[EXP]] to f16 {nacre.implicit} : tensor<2x8xf32> -> tensor<2x8xf16>
// CHECK-NEXT: return %[[R]]
func.func @neighbours_round_once_at_the_result(%x: tensor<2x8xf16>, %y: tensor<8xf16>) -> tensor<2x8xf16> {
  %0 = IE.Add %x, %y : tensor<2x8xf16>, tensor<8xf16> -> tensor<2x8xf16>
  %1 = IE.Exp %0 : tensor<2x8xf16> -> tensor<2x8xf16>
  return %1 : tensor<2x8xf16>
}

// CHECK-LABEL: func @bfloat16_is_computed_in_f32
// CHECK: IE.Conv(%{{.*}}, %{{.*}}) : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32>
// CHECK: IE.Cast %{{.*}} to bf16 {nacre.implicit}
func.func @bfloat16_is_computed_in_f32(%x: tensor<1x3x8x8xbf16>, %w: tensor<4x3x3x3xbf16>) -> tensor<1x4x6x6xbf16> {
  %0 = IE.Conv(%x, %w) : (tensor<1x3x8x8xbf16>, tensor<4x3x3x3xbf16>) -> tensor<1x4x6x6xbf16>
  return %0 : tensor<1x4x6x6xbf16>
}

// CHECK-LABEL: func @progression_is_computed_in_f32
// CHECK: IE.Range %{{.*}}, %{{.*}}, %{{.*}} : tensor<f32>, tensor<f32>, tensor<f32> -> tensor<2xf32>
// CHECK: IE.Cast %{{.*}} to bf16 {nacre.implicit}
func.func @progression_is_computed_in_f32(%s: tensor<bf16>, %l: tensor<bf16>, %d: tensor<bf16>) -> tensor<2xbf16> {
  %0 = IE.Range %s, %l, %d : tensor<bf16>, tensor<bf16>, tensor<bf16> -> tensor<2xbf16>
  return %0 : tensor<2xbf16>
}

// One conversion serves all who read a value.
// CHECK-LABEL: func @operand_of_several_is_converted_once
// CHECK-COUNT-1: to f32
// CHECK-NOT: to f32
// CHECK: return
func.func @operand_of_several_is_converted_once(%x: tensor<8xf16>) -> (tensor<8xf16>, tensor<8xf16>) {
  %0 = IE.Exp %x : tensor<8xf16> -> tensor<8xf16>
  %1 = IE.Mul %x, %0 : tensor<8xf16>, tensor<8xf16> -> tensor<8xf16>
  return %0, %1 : tensor<8xf16>, tensor<8xf16>
}

// CHECK-LABEL: func @table_is_gathered_as_it_is
// CHECK: %[[G:.*]] = IE.Gather %{{.*}} -> tensor<4x8xf16>
// CHECK: %[[W:.*]] = IE.Cast %[[G]] to f32
// CHECK: IE.Sigmoid %[[W]]
func.func @table_is_gathered_as_it_is(%i: tensor<4xi64>) -> tensor<4x8xf16> {
  %t = IE.Constant dense<0.5> : tensor<100x8xf16>
  %0 = IE.Gather %t, %i : tensor<100x8xf16>, tensor<4xi64> -> tensor<4x8xf16>
  %1 = IE.Sigmoid %0 : tensor<4x8xf16> -> tensor<4x8xf16>
  return %1 : tensor<4x8xf16>
}

// CHECK-LABEL: func @movement_of_what_was_computed_is_in_f32
// CHECK: %[[E:.*]] = IE.Exp
// CHECK: %[[C:.*]] = IE.Cast %{{.*}} to f32 : tensor<1x8xf16> -> tensor<1x8xf32>
// CHECK: %[[J:.*]] = IE.Concat %[[E]], %[[C]] {axis = 0 : i64} : tensor<2x8xf32>, tensor<1x8xf32> -> tensor<3x8xf32>
// CHECK: %[[T:.*]] = IE.Transpose %[[J]] {{.*}} -> tensor<8x3xf32>
// CHECK: IE.Exp %[[T]]
func.func @movement_of_what_was_computed_is_in_f32(%x: tensor<2x8xf16>) -> tensor<8x3xf16> {
  %c = IE.Constant dense<1.0> : tensor<1x8xf16>
  %0 = IE.Exp %x : tensor<2x8xf16> -> tensor<2x8xf16>
  %1 = IE.Concat %0, %c {axis = 0 : i64} : tensor<2x8xf16>, tensor<1x8xf16> -> tensor<3x8xf16>
  %2 = IE.Transpose %1 {perm = array<i64: 1, 0>} : tensor<3x8xf16> -> tensor<8x3xf16>
  %3 = IE.Exp %2 : tensor<8x3xf16> -> tensor<8x3xf16>
  return %3 : tensor<8x3xf16>
}

// CHECK-LABEL: func @matrix_is_transposed_for_its_product
// CHECK: %[[W:.*]] = IE.Cast %{{.*}} to f32 : tensor<4x8xf16>
// CHECK: %[[T:.*]] = IE.Transpose %[[W]] {{.*}} -> tensor<8x4xf32>
// CHECK: IE.MatMul(%{{.*}}, %[[T]])
func.func @matrix_is_transposed_for_its_product(%x: tensor<2x8xf16>, %y: tensor<4x8xf16>) -> tensor<2x4xf16> {
  %0 = IE.Transpose %y {perm = array<i64: 1, 0>} : tensor<4x8xf16> -> tensor<8x4xf16>
  %1 = IE.MatMul(%x, %0) : (tensor<2x8xf16>, tensor<8x4xf16>) -> tensor<2x4xf16>
  return %1 : tensor<2x4xf16>
}

// CHECK-LABEL: func @transposed_result_stays
// CHECK: IE.Transpose {{.*}} -> tensor<8x4xf16>
func.func @transposed_result_stays(%y: tensor<4x8xf16>) -> (tensor<8x4xf16>, tensor<8x4xf16>) {
  %0 = IE.Transpose %y {perm = array<i64: 1, 0>} : tensor<4x8xf16> -> tensor<8x4xf16>
  %1 = IE.Exp %0 : tensor<8x4xf16> -> tensor<8x4xf16>
  return %0, %1 : tensor<8x4xf16>, tensor<8x4xf16>
}

// What comes from memory is moved as it is, with what was computed.
// CHECK-LABEL: func @cache_grows_in_f16
// CHECK: %[[N:.*]] = IE.Cast %{{.*}} to f16 {nacre.implicit}
// CHECK: IE.Concat %{{.*}}, %[[N]] {axis = 0 : i64} : tensor<7x8xf16>, tensor<1x8xf16> -> tensor<8x8xf16>
func.func @cache_grows_in_f16(%past: tensor<7x8xf16>, %x: tensor<1x8xf16>) -> tensor<8x8xf16> {
  %0 = IE.Exp %x : tensor<1x8xf16> -> tensor<1x8xf16>
  %1 = IE.Concat %past, %0 {axis = 0 : i64} : tensor<7x8xf16>, tensor<1x8xf16> -> tensor<8x8xf16>
  return %1 : tensor<8x8xf16>
}

// CHECK-LABEL: func @conversion_of_the_model_rounds
// CHECK: %[[F:.*]] = IE.Cast %{{.*}} to f16 : tensor<8xf32> -> tensor<8xf16>
// CHECK: %[[W:.*]] = IE.Cast %[[F]] to f32 : tensor<8xf16> -> tensor<8xf32>
// CHECK: IE.Exp %[[W]]
func.func @conversion_of_the_model_rounds(%x: tensor<8xf32>) -> tensor<8xf16> {
  %0 = IE.Cast %x to f16 : tensor<8xf32> -> tensor<8xf16>
  %1 = IE.Exp %0 : tensor<8xf16> -> tensor<8xf16>
  return %1 : tensor<8xf16>
}

// CHECK-LABEL: func @implicit_conversion_is_left_out
// CHECK: %[[S:.*]] = IE.Sqrt
// CHECK-NEXT: IE.Exp %[[S]]
func.func @implicit_conversion_is_left_out(%x: tensor<8xf32>) -> tensor<8xf16> {
  %0 = IE.Sqrt %x : tensor<8xf32> -> tensor<8xf32>
  %1 = IE.Cast %0 to f16 {nacre.implicit} : tensor<8xf32> -> tensor<8xf16>
  %2 = IE.Exp %1 : tensor<8xf16> -> tensor<8xf16>
  return %2 : tensor<8xf16>
}

// CHECK-LABEL: func @numbers_that_are_read_are_not_rounded
// CHECK: %[[E:.*]] = IE.Exp
// CHECK: IE.Cast %[[E]] to i32 : tensor<8xf32> -> tensor<8xi32>
// CHECK: IE.ArgMax(%[[E]])
// CHECK: IE.Greater %[[E]], %{{.*}} : tensor<8xf32>, tensor<8xf32> -> tensor<8xi1>
// CHECK: IE.Shape %[[E]]
// CHECK-NOT: to f16
func.func @numbers_that_are_read_are_not_rounded(%x: tensor<8xf16>) -> (tensor<8xi32>, tensor<1xi64>, tensor<8xi1>, tensor<1xi64>) {
  %0 = IE.Exp %x : tensor<8xf16> -> tensor<8xf16>
  %1 = IE.Cast %0 to i32 : tensor<8xf16> -> tensor<8xi32>
  %2 = IE.ArgMax(%0) : (tensor<8xf16>) -> tensor<1xi64>
  %3 = IE.Greater %0, %x : tensor<8xf16>, tensor<8xf16> -> tensor<8xi1>
  %4 = IE.Shape %0 : tensor<8xf16> -> tensor<1xi64>
  return %1, %2, %3, %4 : tensor<8xi32>, tensor<1xi64>, tensor<8xi1>, tensor<1xi64>
}

// A body takes and yields the types that it declares, and reads f32 from
// around it.
// CHECK-LABEL: func @body_yields_what_it_declares
// CHECK: %[[E:.*]] = IE.Exp
// CHECK: IE.If
// CHECK: %[[S:.*]] = IE.Sqrt %[[E]] : tensor<8xf32>
// CHECK: %[[Y:.*]] = IE.Cast %[[S]] to f16 {nacre.implicit}
// CHECK: IE.Yield %[[Y]] : tensor<8xf16>
func.func @body_yields_what_it_declares(%c: tensor<i1>, %x: tensor<8xf16>) -> tensor<8xf16> {
  %0 = IE.Exp %x : tensor<8xf16> -> tensor<8xf16>
  %1 = IE.If %c : (tensor<i1>) -> tensor<8xf16> {
    %2 = IE.Sqrt %0 : tensor<8xf16> -> tensor<8xf16>
    IE.Yield %2 : tensor<8xf16>
  } else {
    IE.Yield %x : tensor<8xf16>
  }
  return %1 : tensor<8xf16>
}

// CHECK-LABEL: func @scatter_that_adds_computes
// CHECK: IE.ScatterElements {{.*}} -> tensor<8xf32>
// CHECK: IE.ScatterElements {{.*}} -> tensor<8xf16>
func.func @scatter_that_adds_computes(%x: tensor<8xf16>, %i: tensor<2xi64>, %u: tensor<2xf16>) -> (tensor<8xf16>, tensor<8xf16>) {
  %0 = IE.ScatterElements %x, %i, %u {reduction = "add"} : tensor<8xf16>, tensor<2xi64>, tensor<2xf16> -> tensor<8xf16>
  %1 = IE.ScatterElements %x, %i, %u : tensor<8xf16>, tensor<2xi64>, tensor<2xf16> -> tensor<8xf16>
  return %0, %1 : tensor<8xf16>, tensor<8xf16>
}

// CHECK-LABEL: func @other_floats_stay
// CHECK-NOT: IE.Cast
// CHECK: return
func.func @other_floats_stay(%x: tensor<8xf64>, %y: tensor<8xf32>) -> (tensor<8xf64>, tensor<8xf32>) {
  %0 = IE.Exp %x : tensor<8xf64> -> tensor<8xf64>
  %1 = IE.Exp %y : tensor<8xf32> -> tensor<8xf32>
  return %0, %1 : tensor<8xf64>, tensor<8xf32>
}
