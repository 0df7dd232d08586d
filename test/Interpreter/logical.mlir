// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-constant-fold))' -split-input-file | FileCheck %s

// CHECK-LABEL: func @and_of_bools
func.func @and_of_bools() -> tensor<4xi1> {
  %0 = IE.Constant dense<[true, true, false, false]> : tensor<4xi1>
  %1 = IE.Constant dense<[true, false, true, false]> : tensor<4xi1>
  // CHECK: IE.Constant dense<[true, false, false, false]> : tensor<4xi1>
  %r = IE.And %0, %1 : tensor<4xi1>, tensor<4xi1> -> tensor<4xi1>
  return %r : tensor<4xi1>
}

// -----

// CHECK-LABEL: func @or_of_bools
func.func @or_of_bools() -> tensor<4xi1> {
  %0 = IE.Constant dense<[true, true, false, false]> : tensor<4xi1>
  %1 = IE.Constant dense<[true, false, true, false]> : tensor<4xi1>
  // CHECK: IE.Constant dense<[true, true, true, false]> : tensor<4xi1>
  %r = IE.Or %0, %1 : tensor<4xi1>, tensor<4xi1> -> tensor<4xi1>
  return %r : tensor<4xi1>
}

// -----

// CHECK-LABEL: func @xor_of_bools
func.func @xor_of_bools() -> tensor<4xi1> {
  %0 = IE.Constant dense<[true, true, false, false]> : tensor<4xi1>
  %1 = IE.Constant dense<[true, false, true, false]> : tensor<4xi1>
  // CHECK: IE.Constant dense<[false, true, true, false]> : tensor<4xi1>
  %r = IE.Xor %0, %1 : tensor<4xi1>, tensor<4xi1> -> tensor<4xi1>
  return %r : tensor<4xi1>
}

// -----

// CHECK-LABEL: func @not_of_bools
func.func @not_of_bools() -> tensor<2xi1> {
  %0 = IE.Constant dense<[true, false]> : tensor<2xi1>
  // CHECK: IE.Constant dense<[false, true]> : tensor<2xi1>
  %r = IE.Not %0 : tensor<2xi1> -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// -----

// CHECK-LABEL: func @equal_of_floats_is_false_for_nan
func.func @equal_of_floats_is_false_for_nan() -> tensor<4xi1> {
  %0 = IE.Constant dense<[1.0, 2.0, 3.0, 0x7FC00000]> : tensor<4xf32>
  %1 = IE.Constant dense<[2.0, 2.0, 2.0, 0x7FC00000]> : tensor<4xf32>
  // CHECK: IE.Constant dense<[false, true, false, false]> : tensor<4xi1>
  %r = IE.Equal %0, %1 : tensor<4xf32>, tensor<4xf32> -> tensor<4xi1>
  return %r : tensor<4xi1>
}

// -----

// CHECK-LABEL: func @greater_of_floats_is_false_for_nan
func.func @greater_of_floats_is_false_for_nan() -> tensor<4xi1> {
  %0 = IE.Constant dense<[1.0, 2.0, 3.0, 0x7FC00000]> : tensor<4xf32>
  %1 = IE.Constant dense<[2.0, 2.0, 2.0, 0x7FC00000]> : tensor<4xf32>
  // CHECK: IE.Constant dense<[false, false, true, false]> : tensor<4xi1>
  %r = IE.Greater %0, %1 : tensor<4xf32>, tensor<4xf32> -> tensor<4xi1>
  return %r : tensor<4xi1>
}

// -----

// CHECK-LABEL: func @greater_or_equal_of_floats_is_false_for_nan
func.func @greater_or_equal_of_floats_is_false_for_nan() -> tensor<4xi1> {
  %0 = IE.Constant dense<[1.0, 2.0, 3.0, 0x7FC00000]> : tensor<4xf32>
  %1 = IE.Constant dense<[2.0, 2.0, 2.0, 0x7FC00000]> : tensor<4xf32>
  // CHECK: IE.Constant dense<[false, true, true, false]> : tensor<4xi1>
  %r = IE.GreaterOrEqual %0, %1 : tensor<4xf32>, tensor<4xf32> -> tensor<4xi1>
  return %r : tensor<4xi1>
}

// -----

// CHECK-LABEL: func @less_of_floats_is_false_for_nan
func.func @less_of_floats_is_false_for_nan() -> tensor<4xi1> {
  %0 = IE.Constant dense<[1.0, 2.0, 3.0, 0x7FC00000]> : tensor<4xf32>
  %1 = IE.Constant dense<[2.0, 2.0, 2.0, 0x7FC00000]> : tensor<4xf32>
  // CHECK: IE.Constant dense<[true, false, false, false]> : tensor<4xi1>
  %r = IE.Less %0, %1 : tensor<4xf32>, tensor<4xf32> -> tensor<4xi1>
  return %r : tensor<4xi1>
}

// -----

// CHECK-LABEL: func @less_or_equal_of_floats_is_false_for_nan
func.func @less_or_equal_of_floats_is_false_for_nan() -> tensor<4xi1> {
  %0 = IE.Constant dense<[1.0, 2.0, 3.0, 0x7FC00000]> : tensor<4xf32>
  %1 = IE.Constant dense<[2.0, 2.0, 2.0, 0x7FC00000]> : tensor<4xf32>
  // CHECK: IE.Constant dense<[true, true, false, false]> : tensor<4xi1>
  %r = IE.LessOrEqual %0, %1 : tensor<4xf32>, tensor<4xf32> -> tensor<4xi1>
  return %r : tensor<4xi1>
}

// -----

// CHECK-LABEL: func @less_of_unsigned_ints_compares_unsigned
func.func @less_of_unsigned_ints_compares_unsigned() -> tensor<2xi1> {
  %0 = IE.Constant dense<[200, 1]> : tensor<2xui8>
  %1 = IE.Constant dense<100> : tensor<ui8>
  // CHECK: IE.Constant dense<[false, true]> : tensor<2xi1>
  %r = IE.Less %0, %1 : tensor<2xui8>, tensor<ui8> -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// -----

// CHECK-LABEL: func @less_of_signed_ints_compares_signed
func.func @less_of_signed_ints_compares_signed() -> tensor<2xi1> {
  %0 = IE.Constant dense<[-56, 101]> : tensor<2xi8>
  %1 = IE.Constant dense<100> : tensor<i8>
  // CHECK: IE.Constant dense<[true, false]> : tensor<2xi1>
  %r = IE.Less %0, %1 : tensor<2xi8>, tensor<i8> -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// -----

// CHECK-LABEL: func @equal_of_large_int64_is_exact
func.func @equal_of_large_int64_is_exact() -> tensor<1xi1> {
  %0 = IE.Constant dense<[9007199254740993]> : tensor<1xi64>
  %1 = IE.Constant dense<[9007199254740992]> : tensor<1xi64>
  // CHECK: IE.Constant dense<false> : tensor<1xi1>
  %r = IE.Equal %0, %1 : tensor<1xi64>, tensor<1xi64> -> tensor<1xi1>
  return %r : tensor<1xi1>
}

// -----

// CHECK-LABEL: func @equal_of_bools
func.func @equal_of_bools() -> tensor<2xi1> {
  %0 = IE.Constant dense<[true, false]> : tensor<2xi1>
  %1 = IE.Constant dense<true> : tensor<i1>
  // CHECK: IE.Constant dense<[true, false]> : tensor<2xi1>
  %r = IE.Equal %0, %1 : tensor<2xi1>, tensor<i1> -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// -----

// CHECK-LABEL: func @where_broadcasts_all_operands
func.func @where_broadcasts_all_operands() -> tensor<2x2xi64> {
  %0 = IE.Constant dense<[[true], [false]]> : tensor<2x1xi1>
  %1 = IE.Constant dense<[1, 2]> : tensor<2xi64>
  %2 = IE.Constant dense<9> : tensor<i64>
  // CHECK: IE.Constant dense<{{\[\[}}1, 2], [9, 9{{\]\]}}> : tensor<2x2xi64>
  %r = IE.Where %0, %1, %2 : tensor<2x1xi1>, tensor<2xi64>, tensor<i64> -> tensor<2x2xi64>
  return %r : tensor<2x2xi64>
}
