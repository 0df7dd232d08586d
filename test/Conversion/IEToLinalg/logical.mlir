// RUN: nacre-opt %s -convert-ie-to-linalg -canonicalize -split-input-file | FileCheck %s

// CHECK-LABEL: func @and_lowers
func.func @and_lowers(%a: tensor<2x8xi1>, %b: tensor<8xi1>) -> tensor<2x8xi1> {
  // CHECK: linalg.generic
  // CHECK: arith.andi
  %0 = IE.And %a, %b : tensor<2x8xi1>, tensor<8xi1> -> tensor<2x8xi1>
  return %0 : tensor<2x8xi1>
}

// -----

// CHECK-LABEL: func @or_lowers
func.func @or_lowers(%a: tensor<2x8xi1>, %b: tensor<8xi1>) -> tensor<2x8xi1> {
  // CHECK: linalg.generic
  // CHECK: arith.ori
  %0 = IE.Or %a, %b : tensor<2x8xi1>, tensor<8xi1> -> tensor<2x8xi1>
  return %0 : tensor<2x8xi1>
}

// -----

// CHECK-LABEL: func @xor_lowers
func.func @xor_lowers(%a: tensor<2x8xi1>, %b: tensor<8xi1>) -> tensor<2x8xi1> {
  // CHECK: linalg.generic
  // CHECK: arith.xori
  %0 = IE.Xor %a, %b : tensor<2x8xi1>, tensor<8xi1> -> tensor<2x8xi1>
  return %0 : tensor<2x8xi1>
}

// -----

// CHECK-LABEL: func @not_lowers
func.func @not_lowers(%a: tensor<2x8xi1>) -> tensor<2x8xi1> {
  // CHECK: linalg.generic
  // CHECK: arith.xori %{{.*}}, %true
  %0 = IE.Not %a : tensor<2x8xi1> -> tensor<2x8xi1>
  return %0 : tensor<2x8xi1>
}

// -----

// CHECK-LABEL: func @equal_of_floats_lowers
func.func @equal_of_floats_lowers(%a: tensor<2x8xf32>, %b: tensor<8xf32>) -> tensor<2x8xi1> {
  // CHECK: linalg.generic
  // CHECK: arith.cmpf oeq
  %0 = IE.Equal %a, %b : tensor<2x8xf32>, tensor<8xf32> -> tensor<2x8xi1>
  return %0 : tensor<2x8xi1>
}

// -----

// CHECK-LABEL: func @equal_of_signed_ints_lowers
func.func @equal_of_signed_ints_lowers(%a: tensor<2x8xi32>, %b: tensor<8xi32>) -> tensor<2x8xi1> {
  // CHECK: linalg.generic
  // CHECK: arith.cmpi eq
  %0 = IE.Equal %a, %b : tensor<2x8xi32>, tensor<8xi32> -> tensor<2x8xi1>
  return %0 : tensor<2x8xi1>
}

// -----

// CHECK-LABEL: func @equal_of_unsigned_ints_lowers
func.func @equal_of_unsigned_ints_lowers(%a: tensor<2x8xui32>, %b: tensor<8xui32>) -> tensor<2x8xi1> {
  // CHECK: linalg.generic
  // CHECK: arith.cmpi eq
  %0 = IE.Equal %a, %b : tensor<2x8xui32>, tensor<8xui32> -> tensor<2x8xi1>
  return %0 : tensor<2x8xi1>
}

// -----

// CHECK-LABEL: func @greater_of_floats_lowers
func.func @greater_of_floats_lowers(%a: tensor<2x8xf32>, %b: tensor<8xf32>) -> tensor<2x8xi1> {
  // CHECK: linalg.generic
  // CHECK: arith.cmpf olt
  %0 = IE.Greater %a, %b : tensor<2x8xf32>, tensor<8xf32> -> tensor<2x8xi1>
  return %0 : tensor<2x8xi1>
}

// -----

// CHECK-LABEL: func @greater_of_signed_ints_lowers
func.func @greater_of_signed_ints_lowers(%a: tensor<2x8xi32>, %b: tensor<8xi32>) -> tensor<2x8xi1> {
  // CHECK: linalg.generic
  // CHECK: arith.cmpi slt
  %0 = IE.Greater %a, %b : tensor<2x8xi32>, tensor<8xi32> -> tensor<2x8xi1>
  return %0 : tensor<2x8xi1>
}

// -----

// CHECK-LABEL: func @greater_of_unsigned_ints_lowers
func.func @greater_of_unsigned_ints_lowers(%a: tensor<2x8xui32>, %b: tensor<8xui32>) -> tensor<2x8xi1> {
  // CHECK: linalg.generic
  // CHECK: arith.cmpi ult
  %0 = IE.Greater %a, %b : tensor<2x8xui32>, tensor<8xui32> -> tensor<2x8xi1>
  return %0 : tensor<2x8xi1>
}

// -----

// CHECK-LABEL: func @greater_or_equal_of_floats_lowers
func.func @greater_or_equal_of_floats_lowers(%a: tensor<2x8xf32>, %b: tensor<8xf32>) -> tensor<2x8xi1> {
  // CHECK: linalg.generic
  // CHECK: arith.cmpf ole
  %0 = IE.GreaterOrEqual %a, %b : tensor<2x8xf32>, tensor<8xf32> -> tensor<2x8xi1>
  return %0 : tensor<2x8xi1>
}

// -----

// CHECK-LABEL: func @greater_or_equal_of_signed_ints_lowers
func.func @greater_or_equal_of_signed_ints_lowers(%a: tensor<2x8xi32>, %b: tensor<8xi32>) -> tensor<2x8xi1> {
  // CHECK: linalg.generic
  // CHECK: arith.cmpi sle
  %0 = IE.GreaterOrEqual %a, %b : tensor<2x8xi32>, tensor<8xi32> -> tensor<2x8xi1>
  return %0 : tensor<2x8xi1>
}

// -----

// CHECK-LABEL: func @greater_or_equal_of_unsigned_ints_lowers
func.func @greater_or_equal_of_unsigned_ints_lowers(%a: tensor<2x8xui32>, %b: tensor<8xui32>) -> tensor<2x8xi1> {
  // CHECK: linalg.generic
  // CHECK: arith.cmpi ule
  %0 = IE.GreaterOrEqual %a, %b : tensor<2x8xui32>, tensor<8xui32> -> tensor<2x8xi1>
  return %0 : tensor<2x8xi1>
}

// -----

// CHECK-LABEL: func @less_of_floats_lowers
func.func @less_of_floats_lowers(%a: tensor<2x8xf32>, %b: tensor<8xf32>) -> tensor<2x8xi1> {
  // CHECK: linalg.generic
  // CHECK: arith.cmpf olt
  %0 = IE.Less %a, %b : tensor<2x8xf32>, tensor<8xf32> -> tensor<2x8xi1>
  return %0 : tensor<2x8xi1>
}

// -----

// CHECK-LABEL: func @less_of_signed_ints_lowers
func.func @less_of_signed_ints_lowers(%a: tensor<2x8xi32>, %b: tensor<8xi32>) -> tensor<2x8xi1> {
  // CHECK: linalg.generic
  // CHECK: arith.cmpi slt
  %0 = IE.Less %a, %b : tensor<2x8xi32>, tensor<8xi32> -> tensor<2x8xi1>
  return %0 : tensor<2x8xi1>
}

// -----

// CHECK-LABEL: func @less_of_unsigned_ints_lowers
func.func @less_of_unsigned_ints_lowers(%a: tensor<2x8xui32>, %b: tensor<8xui32>) -> tensor<2x8xi1> {
  // CHECK: linalg.generic
  // CHECK: arith.cmpi ult
  %0 = IE.Less %a, %b : tensor<2x8xui32>, tensor<8xui32> -> tensor<2x8xi1>
  return %0 : tensor<2x8xi1>
}

// -----

// CHECK-LABEL: func @less_or_equal_of_floats_lowers
func.func @less_or_equal_of_floats_lowers(%a: tensor<2x8xf32>, %b: tensor<8xf32>) -> tensor<2x8xi1> {
  // CHECK: linalg.generic
  // CHECK: arith.cmpf ole
  %0 = IE.LessOrEqual %a, %b : tensor<2x8xf32>, tensor<8xf32> -> tensor<2x8xi1>
  return %0 : tensor<2x8xi1>
}

// -----

// CHECK-LABEL: func @less_or_equal_of_signed_ints_lowers
func.func @less_or_equal_of_signed_ints_lowers(%a: tensor<2x8xi32>, %b: tensor<8xi32>) -> tensor<2x8xi1> {
  // CHECK: linalg.generic
  // CHECK: arith.cmpi sle
  %0 = IE.LessOrEqual %a, %b : tensor<2x8xi32>, tensor<8xi32> -> tensor<2x8xi1>
  return %0 : tensor<2x8xi1>
}

// -----

// CHECK-LABEL: func @less_or_equal_of_unsigned_ints_lowers
func.func @less_or_equal_of_unsigned_ints_lowers(%a: tensor<2x8xui32>, %b: tensor<8xui32>) -> tensor<2x8xi1> {
  // CHECK: linalg.generic
  // CHECK: arith.cmpi ule
  %0 = IE.LessOrEqual %a, %b : tensor<2x8xui32>, tensor<8xui32> -> tensor<2x8xi1>
  return %0 : tensor<2x8xi1>
}

// -----

// CHECK-LABEL: func @where_broadcasts_all_operands
func.func @where_broadcasts_all_operands(%a: tensor<2x1xi1>, %b: tensor<8xf32>, %c: tensor<f32>) -> tensor<2x8xf32> {
  // CHECK: linalg.generic
  // CHECK: arith.select
  %0 = IE.Where %a, %b, %c : tensor<2x1xi1>, tensor<8xf32>, tensor<f32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}
