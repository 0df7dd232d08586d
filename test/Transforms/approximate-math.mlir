// RUN: nacre-opt %s -approximate-math | FileCheck %s

// CHECK-LABEL: func @f32_exp_becomes_a_polynomial
// CHECK-NOT: math.exp
// CHECK: math.fma
func.func @f32_exp_becomes_a_polynomial(%x: vector<16xf32>) -> vector<16xf32> {
  %0 = math.exp %x : vector<16xf32>
  return %0 : vector<16xf32>
}

// CHECK-LABEL: func @f64_exp_stays
// CHECK: math.exp
func.func @f64_exp_stays(%x: f64) -> f64 {
  %0 = math.exp %x : f64
  return %0 : f64
}

// CHECK-LABEL: func @f32_sin_stays
// CHECK: math.sin
func.func @f32_sin_stays(%x: f32) -> f32 {
  %0 = math.sin %x : f32
  return %0 : f32
}

// CHECK-LABEL: func @power_of_three_quarters_is_two_square_roots
// CHECK-NOT: math.powf
// CHECK-COUNT-2: math.sqrt
func.func @power_of_three_quarters_is_two_square_roots(%x: f32) -> f32 {
  %c = arith.constant 0.75 : f32
  %0 = math.powf %x, %c : f32
  return %0 : f32
}

// CHECK-LABEL: func @power_with_an_unknown_exponent_stays
// CHECK: math.powf
func.func @power_with_an_unknown_exponent_stays(%x: f32, %y: f32) -> f32 {
  %0 = math.powf %x, %y : f32
  return %0 : f32
}
