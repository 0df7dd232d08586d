// RUN: nacre-opt %s -approximate-math -canonicalize | FileCheck %s

// The exponent is in the lowest bits of the sum with a large number: constants of
// integers would take registers.
// CHECK-LABEL: func @f32_exp_becomes_a_polynomial
// CHECK-NOT: math.exp
// CHECK-DAG: %[[ROUNDER:.*]] = arith.constant dense<0x4B40007F> : vector<16xf32>
// CHECK-DAG: %[[SHIFT:.*]] = arith.constant dense<23> : vector<16xi32>
// CHECK: math.fma %{{.*}}, %{{.*}}, %[[ROUNDER]]
// CHECK: %[[ROUNDED:.*]] = arith.select
// CHECK: arith.subf %[[ROUNDED]], %[[ROUNDER]]
// CHECK-COUNT-8: math.fma
// CHECK: arith.addf
// CHECK: %[[SUM:.*]] = arith.bitcast %[[ROUNDED]] : vector<16xf32> to vector<16xi32>
// CHECK: %[[BITS:.*]] = arith.shli %[[SUM]], %[[SHIFT]]
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

// The power of two is in two factors, which reach subnormal numbers.
// CHECK-LABEL: func @f64_exp_becomes_a_quotient_of_polynomials
// CHECK-NOT: math.exp
// CHECK: %[[QUOTIENT:.*]] = arith.divf
// CHECK: %[[POWER:.*]] = math.fma %[[QUOTIENT]]
// CHECK: arith.shli %{{.*}} : i64
// CHECK: %[[FIRST:.*]] = arith.mulf %[[POWER]]
// CHECK: arith.shli %{{.*}} : i64
// CHECK: arith.mulf %[[FIRST]]
func.func @f64_exp_becomes_a_quotient_of_polynomials(%x: f64) -> f64 {
  %0 = math.exp %x : f64
  return %0 : f64
}

// CHECK-LABEL: func @f64_tanh_of_small_numbers_needs_no_exp
// CHECK-NOT: math.tanh
// CHECK: %[[LARGE:.*]] = arith.subf %cst{{.*}}, %
// CHECK: %[[IS_LARGE:.*]] = arith.cmpf oge
// CHECK: arith.select %[[IS_LARGE]]
// CHECK: math.copysign
func.func @f64_tanh_of_small_numbers_needs_no_exp(%x: f64) -> f64 {
  %0 = math.tanh %x : f64
  return %0 : f64
}

// Seven parts of 1 / (2 pi), of whose products with x whole turns are left out,
// and the polynomials of both quarters.
// CHECK-LABEL: func @f32_sin_counts_turns_in_f64
// CHECK-NOT: math.sin
// CHECK: arith.extf %{{.*}} : vector<16xf32> to vector<16xf64>
// CHECK-COUNT-7: math.roundeven
// CHECK: arith.bitcast %{{.*}} : vector<16xf64> to vector<16xi64>
// CHECK: arith.truncf %{{.*}} : vector<16xf64> to vector<16xf32>
// CHECK-COUNT-6: math.fma
// CHECK: arith.select
// CHECK: arith.xori
// CHECK: arith.xori
func.func @f32_sin_counts_turns_in_f64(%x: vector<16xf32>) -> vector<16xf32> {
  %0 = math.sin %x : vector<16xf32>
  return %0 : vector<16xf32>
}

// CHECK-LABEL: func @f32_cos_is_the_sine_of_a_quarter_more
// CHECK-NOT: math.cos
// CHECK: %[[QUARTERS:.*]] = arith.trunci
// CHECK: arith.addi %[[QUARTERS]], %c1_i32
func.func @f32_cos_is_the_sine_of_a_quarter_more(%x: f32) -> f32 {
  %0 = math.cos %x : f32
  return %0 : f32
}

// Four numbers for the exponent of x, of a table that the module has once.
// CHECK-LABEL: func @f64_sin_and_cos_read_a_table
// CHECK-NOT: math.sin
// CHECK: %[[TABLE:.*]] = memref.get_global @nacre_two_over_pi : memref<248xf64>
// CHECK-COUNT-4: memref.load %[[TABLE]]
// CHECK-NOT: memref.load
// CHECK: memref.get_global @nacre_two_over_pi : memref<248xf64>
// CHECK-NOT: math.cos
// CHECK: return
func.func @f64_sin_and_cos_read_a_table(%x: f64) -> (f64, f64) {
  %0 = math.sin %x : f64
  %1 = math.cos %x : f64
  return %0, %1 : f64, f64
}

// CHECK-LABEL: func @f64_sin_of_a_vector_gathers
// CHECK-COUNT-4: vector.gather
func.func @f64_sin_of_a_vector_gathers(%x: vector<8xf64>) -> vector<8xf64> {
  %0 = math.sin %x : vector<8xf64>
  return %0 : vector<8xf64>
}

// An odd quarter is the negated reciprocal: one division for both.
// CHECK-LABEL: func @f32_tan_is_a_quotient
// CHECK-NOT: math.tan
// CHECK-COUNT-1: arith.divf
// CHECK-NOT: arith.divf
// CHECK: return
func.func @f32_tan_is_a_quotient(%x: f32) -> f32 {
  %0 = math.tan %x : f32
  return %0 : f32
}

// CHECK-LABEL: func @f64_tan_stays
// CHECK: math.tan
func.func @f64_tan_stays(%x: f64) -> f64 {
  %0 = math.tan %x : f64
  return %0 : f64
}

// CHECK-LABEL: func @f32_atan_of_large_numbers_takes_the_reciprocal
// CHECK-NOT: math.atan
// CHECK: arith.divf
// CHECK: math.copysign
func.func @f32_atan_of_large_numbers_takes_the_reciprocal(%x: f32) -> f32 {
  %0 = math.atan %x : f32
  return %0 : f32
}

// CHECK-LABEL: func @f32_hyperbolic_functions_are_computed_in_f64
// CHECK-NOT: math.sinh
// CHECK-NOT: math.cosh
// CHECK: arith.extf %{{.*}} : f32 to f64
// CHECK: arith.truncf %{{.*}} : f64 to f32
func.func @f32_hyperbolic_functions_are_computed_in_f64(%x: f32) -> (f32, f32) {
  %0 = math.sinh %x : f32
  %1 = math.cosh %x : f32
  return %0, %1 : f32, f32
}

// CHECK-LABEL: func @f32_inverse_hyperbolic_functions_are_logarithms_in_f64
// CHECK-NOT: math.asinh
// CHECK-NOT: math.acosh
// CHECK-NOT: math.atanh
// CHECK-NOT: math.log
// CHECK: return
func.func @f32_inverse_hyperbolic_functions_are_logarithms_in_f64(%x: f32) -> (f32, f32, f32) {
  %0 = math.asinh %x : f32
  %1 = math.acosh %x : f32
  %2 = math.atanh %x : f32
  return %0, %1, %2 : f32, f32, f32
}

// CHECK-LABEL: func @f64_asinh_stays
// CHECK: math.asinh
func.func @f64_asinh_stays(%x: f64) -> f64 {
  %0 = math.asinh %x : f64
  return %0 : f64
}

// CHECK-LABEL: func @f32_asin_and_acos_take_the_root_of_large_arguments
// CHECK-NOT: math.asin
// CHECK-NOT: math.acos
// CHECK: math.sqrt
// CHECK: math.copysign
// CHECK: math.sqrt
// CHECK: math.copysign
func.func @f32_asin_and_acos_take_the_root_of_large_arguments(%x: f32) -> (f32, f32) {
  %0 = math.asin %x : f32
  %1 = math.acos %x : f32
  return %0, %1 : f32, f32
}

// CHECK-LABEL: func @power_of_three_quarters_is_two_square_roots
// CHECK-NOT: math.powf
// CHECK-COUNT-2: math.sqrt
func.func @power_of_three_quarters_is_two_square_roots(%x: f32) -> f32 {
  %c = arith.constant 0.75 : f32
  %0 = math.powf %x, %c : f32
  return %0 : f32
}

// CHECK-LABEL: func @f32_power_is_computed_in_f64
// CHECK-NOT: math.powf
// CHECK: arith.extf
// CHECK: arith.truncf
func.func @f32_power_is_computed_in_f64(%x: f32, %y: f32) -> f32 {
  %0 = math.powf %x, %y : f32
  return %0 : f32
}

// CHECK-LABEL: func @f64_power_has_a_logarithm_of_two_numbers
// CHECK-NOT: math.powf
// CHECK: arith.divf
// CHECK: math.fma
// CHECK: return
func.func @f64_power_has_a_logarithm_of_two_numbers(%x: vector<8xf64>, %y: vector<8xf64>) -> vector<8xf64> {
  %0 = math.powf %x, %y : vector<8xf64>
  return %0 : vector<8xf64>
}

// CHECK-LABEL: func @f16_power_stays
// CHECK: math.powf
func.func @f16_power_stays(%x: f16, %y: f16) -> f16 {
  %0 = math.powf %x, %y : f16
  return %0 : f16
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

// One polynomial, that of exp, without the quotient of upstream's form; neither
// product nor sum loses what is near 0.
// CHECK-LABEL: func @expm1_is_a_sum_that_keeps_small_results
// CHECK-NOT: arith.divf
// CHECK-COUNT-8: math.fma
// CHECK: %[[EXCESS:.*]] = math.fma
// CHECK-NEXT: arith.bitcast
// CHECK-NEXT: arith.shli
// CHECK-NEXT: %[[POWER:.*]] = arith.bitcast %{{.*}} : vector<8xi32> to vector<8xf32>
// CHECK-NEXT: %[[REST:.*]] = arith.subf %[[POWER]], %{{.*}}
// CHECK-NEXT: %[[RESULT:.*]] = math.fma %[[EXCESS]], %[[POWER]], %[[REST]]
// CHECK: return %[[RESULT]]
func.func @expm1_is_a_sum_that_keeps_small_results(%x: vector<8xf32>) -> vector<8xf32> {
  %0 = math.expm1 %x : vector<8xf32>
  return %0 : vector<8xf32>
}
