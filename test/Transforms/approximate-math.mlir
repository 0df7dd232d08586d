// RUN: nacre-opt %s -approximate-math | FileCheck %s

// The bias of the exponent is added to a float: constants of integers would take
// registers.
// CHECK-LABEL: func @f32_exp_becomes_a_polynomial
// CHECK-NOT: math.exp
// CHECK-COUNT-9: math.fma
// CHECK: arith.addf
// CHECK: %[[BIASED:.*]] = arith.addf
// CHECK: %[[EXPONENT:.*]] = arith.fptosi %[[BIASED]] : vector<16xf32> to vector<16xi32>
// CHECK: %[[BITS:.*]] = arith.shli %[[EXPONENT]]
// CHECK: arith.bitcast %[[BITS]] : vector<16xi32> to vector<16xf32>
func.func @f32_exp_becomes_a_polynomial(%x: vector<16xf32>) -> vector<16xf32> {
  %0 = math.exp %x : vector<16xf32>
  return %0 : vector<16xf32>
}

// CHECK-LABEL: func @f32_exp_of_a_negated_number_negates_constants
// CHECK-SAME: (%[[X:.*]]: f32)
// CHECK: arith.cmpf olt, %{{.*}}, %[[X]]
// CHECK-NOT: arith.negf %[[X]]
// CHECK: return
func.func @f32_exp_of_a_negated_number_negates_constants(%x: f32) -> f32 {
  %0 = arith.negf %x : f32
  %1 = math.exp %0 : f32
  return %1 : f32
}

// CHECK-LABEL: func @f32_tanh_becomes_a_quotient_of_polynomials
// CHECK-NOT: math.tanh
// CHECK-COUNT-2: arith.select
// CHECK-COUNT-9: math.fma
// CHECK: arith.divf
// CHECK-NOT: arith.select
// CHECK: return
func.func @f32_tanh_becomes_a_quotient_of_polynomials(%x: f32) -> f32 {
  %0 = math.tanh %x : f32
  return %0 : f32
}

// One quotient for all arguments.
// CHECK-LABEL: func @f32_erf_becomes_a_quotient_of_polynomials
// CHECK-NOT: math.erf
// CHECK-COUNT-2: arith.select
// CHECK-COUNT-10: math.fma
// CHECK: arith.divf
// CHECK-NOT: arith.select
// CHECK: return
func.func @f32_erf_becomes_a_quotient_of_polynomials(%x: vector<16xf32>) -> vector<16xf32> {
  %0 = math.erf %x : vector<16xf32>
  return %0 : vector<16xf32>
}

// CHECK-LABEL: func @f64_erf_stays
// CHECK: math.erf
func.func @f64_erf_stays(%x: f64) -> f64 {
  %0 = math.erf %x : f64
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

// CHECK-LABEL: func @log_of_a_subnormal_number_is_scaled
// CHECK-SAME: (%[[X:.*]]: f32)
// CHECK-DAG: %[[MIN:.*]] = arith.constant 1.17549435E-38 : f32
// CHECK-DAG: %[[SCALE:.*]] = arith.constant 0x4B000000 : f32
// CHECK: %[[TINY:.*]] = arith.cmpf olt, %[[X]], %[[MIN]]
// CHECK: %[[SCALED:.*]] = arith.mulf %[[X]], %[[SCALE]]
// CHECK: arith.select %[[TINY]], %[[SCALED]], %[[X]]
// CHECK-NOT: math.log
func.func @log_of_a_subnormal_number_is_scaled(%x: f32) -> f32 {
  %0 = math.log %x : f32
  return %0 : f32
}

// The names that LLVM's lowering would turn into exp(x) - 1 and log(1 + x),
// which lose all digits near 0.
// CHECK-LABEL: func @expm1_and_log1p_become_polynomials
// CHECK-NOT: math.expm1
// CHECK-NOT: math.log1p
func.func @expm1_and_log1p_become_polynomials(%x: vector<8xf32>) -> vector<8xf32> {
  %0 = math.expm1 %x : vector<8xf32>
  %1 = math.log1p %0 : vector<8xf32>
  return %1 : vector<8xf32>
}

// The exponent is what is left of a sum with 2^52.
// CHECK-LABEL: func @f64_exp_becomes_a_polynomial
// CHECK-NOT: math.exp
// CHECK-COUNT-15: math.fma
// CHECK-NOT: arith.fptosi
// CHECK: %[[SUM:.*]] = arith.bitcast %{{.*}} : vector<8xf64> to vector<8xi64>
// CHECK: %[[BITS:.*]] = arith.shli %[[SUM]]
// CHECK: arith.bitcast %[[BITS]] : vector<8xi64> to vector<8xf64>
func.func @f64_exp_becomes_a_polynomial(%x: vector<8xf64>) -> vector<8xf64> {
  %0 = math.exp %x : vector<8xf64>
  return %0 : vector<8xf64>
}

// CHECK-LABEL: func @f64_tanh_is_a_quotient_where_exp_would_cancel
// CHECK-NOT: math.exp
// CHECK-NOT: math.tanh
// CHECK: math.copysign
// CHECK: arith.divf
// CHECK-NEXT: %[[SMALL:.*]] = math.fma
// CHECK: arith.select %{{.*}}, %{{.*}}, %[[SMALL]]
func.func @f64_tanh_is_a_quotient_where_exp_would_cancel(%x: f64) -> f64 {
  %0 = math.tanh %x : f64
  return %0 : f64
}
