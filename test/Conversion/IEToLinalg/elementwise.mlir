// RUN: nacre-opt %s -convert-ie-to-linalg -canonicalize -split-input-file | FileCheck %s

// CHECK-DAG: #[[ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1) -> (d0, 0)>
// CHECK-DAG: #[[COLUMN:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: func @add_broadcasts_through_indexing_maps
func.func @add_broadcasts_through_indexing_maps(%a: tensor<2x1xf32>, %b: tensor<8xf32>) -> tensor<2x8xf32> {
  // CHECK: linalg.generic {indexing_maps = [#[[ROW]], #[[COLUMN]], #[[ID]]], iterator_types = ["parallel", "parallel"]}
  // CHECK: arith.addf
  %0 = IE.Add %a, %b : tensor<2x1xf32>, tensor<8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @add_of_halves_computes_in_f32
func.func @add_of_halves_computes_in_f32(%a: tensor<2x8xf16>, %b: tensor<8xf16>) -> tensor<2x8xf16> {
  // CHECK: linalg.generic
  // CHECK: %[[A:.*]] = arith.extf %{{.*}} : f16 to f32
  // CHECK: %[[B:.*]] = arith.extf %{{.*}} : f16 to f32
  // CHECK: %[[S:.*]] = arith.addf %[[A]], %[[B]] : f32
  // CHECK: arith.truncf %[[S]] : f32 to f16
  %0 = IE.Add %a, %b : tensor<2x8xf16>, tensor<8xf16> -> tensor<2x8xf16>
  return %0 : tensor<2x8xf16>
}

// -----

// CHECK-LABEL: func @add_of_floats_lowers
func.func @add_of_floats_lowers(%a: tensor<2x8xf32>, %b: tensor<8xf32>) -> tensor<2x8xf32> {
  // CHECK: linalg.generic
  // CHECK: arith.addf
  %0 = IE.Add %a, %b : tensor<2x8xf32>, tensor<8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @add_of_ints_lowers
func.func @add_of_ints_lowers(%a: tensor<2x8xui32>, %b: tensor<8xui32>) -> tensor<2x8xui32> {
  // CHECK: linalg.generic
  // CHECK: arith.addi
  %0 = IE.Add %a, %b : tensor<2x8xui32>, tensor<8xui32> -> tensor<2x8xui32>
  return %0 : tensor<2x8xui32>
}

// -----

// CHECK-LABEL: func @sub_of_floats_lowers
func.func @sub_of_floats_lowers(%a: tensor<2x8xf32>, %b: tensor<8xf32>) -> tensor<2x8xf32> {
  // CHECK: linalg.generic
  // CHECK: arith.subf
  %0 = IE.Sub %a, %b : tensor<2x8xf32>, tensor<8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @sub_of_ints_lowers
func.func @sub_of_ints_lowers(%a: tensor<2x8xui32>, %b: tensor<8xui32>) -> tensor<2x8xui32> {
  // CHECK: linalg.generic
  // CHECK: arith.subi
  %0 = IE.Sub %a, %b : tensor<2x8xui32>, tensor<8xui32> -> tensor<2x8xui32>
  return %0 : tensor<2x8xui32>
}

// -----

// CHECK-LABEL: func @mul_of_floats_lowers
func.func @mul_of_floats_lowers(%a: tensor<2x8xf32>, %b: tensor<8xf32>) -> tensor<2x8xf32> {
  // CHECK: linalg.generic
  // CHECK: arith.mulf
  %0 = IE.Mul %a, %b : tensor<2x8xf32>, tensor<8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @mul_of_ints_lowers
func.func @mul_of_ints_lowers(%a: tensor<2x8xui32>, %b: tensor<8xui32>) -> tensor<2x8xui32> {
  // CHECK: linalg.generic
  // CHECK: arith.muli
  %0 = IE.Mul %a, %b : tensor<2x8xui32>, tensor<8xui32> -> tensor<2x8xui32>
  return %0 : tensor<2x8xui32>
}

// -----

// CHECK-LABEL: func @div_of_floats_lowers
func.func @div_of_floats_lowers(%a: tensor<2x8xf32>, %b: tensor<8xf32>) -> tensor<2x8xf32> {
  // CHECK: linalg.generic
  // CHECK: arith.divf
  %0 = IE.Div %a, %b : tensor<2x8xf32>, tensor<8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @div_of_signed_ints_guards_zero_and_minus_one
func.func @div_of_signed_ints_guards_zero_and_minus_one(%a: tensor<2x8xi32>, %b: tensor<8xi32>) -> tensor<2x8xi32> {
  // CHECK: linalg.generic
  // CHECK: arith.cmpi eq, %{{.*}}, %c0_i32
  // CHECK: arith.cmpi eq, %{{.*}}, %c-1_i32
  // CHECK: arith.select
  // CHECK: arith.divf %{{.*}} : f64
  // CHECK: arith.fptosi %{{.*}} : f64 to i32
  %0 = IE.Div %a, %b : tensor<2x8xi32>, tensor<8xi32> -> tensor<2x8xi32>
  return %0 : tensor<2x8xi32>
}

// -----

// CHECK-LABEL: func @div_of_unsigned_ints_guards_zero
func.func @div_of_unsigned_ints_guards_zero(%a: tensor<2x8xui32>, %b: tensor<8xui32>) -> tensor<2x8xui32> {
  // CHECK: linalg.generic
  // CHECK: arith.cmpi eq, %{{.*}}, %c0_i32
  // CHECK: arith.select
  // CHECK: arith.uitofp
  // CHECK: arith.divf %{{.*}} : f64
  // CHECK: arith.fptoui %{{.*}} : f64 to i32
  %0 = IE.Div %a, %b : tensor<2x8xui32>, tensor<8xui32> -> tensor<2x8xui32>
  return %0 : tensor<2x8xui32>
}

// -----

// CHECK-LABEL: func @div_of_bytes_needs_f32_only
func.func @div_of_bytes_needs_f32_only(%a: tensor<2x8xi8>, %b: tensor<8xi8>) -> tensor<2x8xi8> {
  // CHECK: arith.divf %{{.*}} : f32
  %0 = IE.Div %a, %b : tensor<2x8xi8>, tensor<8xi8> -> tensor<2x8xi8>
  return %0 : tensor<2x8xi8>
}

// -----

// No float has the bits of their quotients.
// CHECK-LABEL: func @div_of_wide_ints_stays
func.func @div_of_wide_ints_stays(%a: tensor<2x8xi64>, %b: tensor<8xi64>) -> tensor<2x8xi64> {
  // CHECK: arith.divsi
  %0 = IE.Div %a, %b : tensor<2x8xi64>, tensor<8xi64> -> tensor<2x8xi64>
  return %0 : tensor<2x8xi64>
}

// -----

// CHECK-LABEL: func @mod_of_signed_ints_takes_sign_of_divisor
func.func @mod_of_signed_ints_takes_sign_of_divisor(%a: tensor<2x8xi32>, %b: tensor<8xi32>) -> tensor<2x8xi32> {
  // CHECK: linalg.generic
  // CHECK: %[[QUOTIENT:.*]] = arith.fptosi
  // CHECK: %[[PRODUCT:.*]] = arith.muli %[[QUOTIENT]]
  // CHECK: arith.subi %{{.*}}, %[[PRODUCT]]
  // CHECK: arith.xori
  // CHECK: arith.addi
  // CHECK: arith.select
  %0 = IE.Mod %a, %b : tensor<2x8xi32>, tensor<8xi32> -> tensor<2x8xi32>
  return %0 : tensor<2x8xi32>
}

// -----

// CHECK-LABEL: func @mod_of_unsigned_ints_lowers
func.func @mod_of_unsigned_ints_lowers(%a: tensor<2x8xui32>, %b: tensor<8xui32>) -> tensor<2x8xui32> {
  // CHECK: linalg.generic
  // CHECK: %[[QUOTIENT:.*]] = arith.fptoui
  // CHECK: %[[PRODUCT:.*]] = arith.muli %[[QUOTIENT]]
  // CHECK: arith.subi %{{.*}}, %[[PRODUCT]]
  %0 = IE.Mod %a, %b : tensor<2x8xui32>, tensor<8xui32> -> tensor<2x8xui32>
  return %0 : tensor<2x8xui32>
}

// -----

// CHECK-LABEL: func @mod_of_floats_lowers
func.func @mod_of_floats_lowers(%a: tensor<2x8xf32>, %b: tensor<8xf32>) -> tensor<2x8xf32> {
  // CHECK: linalg.generic
  // CHECK: arith.remf
  %0 = IE.Mod %a, %b {fmod = 1 : i64} : tensor<2x8xf32>, tensor<8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @pow_of_floats_stays_in_f32
func.func @pow_of_floats_stays_in_f32(%a: tensor<2x8xf32>, %b: tensor<8xf32>) -> tensor<2x8xf32> {
  // CHECK: linalg.generic
  // CHECK: math.powf %{{.*}}, %{{.*}} : f32
  %0 = IE.Pow %a, %b : tensor<2x8xf32>, tensor<8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @pow_of_float_base_and_wide_int_exponent_goes_through_f64
func.func @pow_of_float_base_and_wide_int_exponent_goes_through_f64(%a: tensor<2x8xf32>, %b: tensor<i64>) -> tensor<2x8xf32> {
  // CHECK: linalg.generic
  // CHECK: arith.extf %{{.*}} : f32 to f64
  // CHECK: arith.sitofp %{{.*}} : i64 to f64
  // CHECK: math.powf %{{.*}}, %{{.*}} : f64
  // CHECK: arith.truncf %{{.*}} : f64 to f32
  %0 = IE.Pow %a, %b : tensor<2x8xf32>, tensor<i64> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @pow_of_ints_squares_in_a_loop
func.func @pow_of_ints_squares_in_a_loop(%a: tensor<2x8xi32>, %b: tensor<8xi32>) -> tensor<2x8xi32> {
  // CHECK: linalg.generic
  // CHECK: scf.for
  // CHECK: arith.muli
  // CHECK: scf.yield
  // CHECK: arith.cmpi slt
  %0 = IE.Pow %a, %b : tensor<2x8xi32>, tensor<8xi32> -> tensor<2x8xi32>
  return %0 : tensor<2x8xi32>
}

// -----

// CHECK-LABEL: func @pow_of_wide_ints_ends_with_the_highest_bit
func.func @pow_of_wide_ints_ends_with_the_highest_bit(%a: tensor<2x8xi64>, %b: tensor<8xi64>) -> tensor<2x8xi64> {
  // CHECK: linalg.generic
  // CHECK-NOT: scf.for
  // CHECK: scf.while
  // CHECK: arith.cmpi ne
  // CHECK: scf.condition
  // CHECK: arith.muli
  // CHECK: scf.yield
  // CHECK: arith.cmpi slt
  %0 = IE.Pow %a, %b : tensor<2x8xi64>, tensor<8xi64> -> tensor<2x8xi64>
  return %0 : tensor<2x8xi64>
}

// -----

// CHECK-LABEL: func @pow_of_int_base_and_float_exponent_goes_through_f64
func.func @pow_of_int_base_and_float_exponent_goes_through_f64(%a: tensor<2x8xi32>, %b: tensor<8xf32>) -> tensor<2x8xi32> {
  // CHECK: linalg.generic
  // CHECK: arith.sitofp %{{.*}} : i32 to f64
  // CHECK: math.powf
  // CHECK: arith.fptosi %{{.*}} : f64 to i32
  %0 = IE.Pow %a, %b : tensor<2x8xi32>, tensor<8xf32> -> tensor<2x8xi32>
  return %0 : tensor<2x8xi32>
}

// -----

// CHECK-LABEL: func @max_of_floats_propagates_nan
func.func @max_of_floats_propagates_nan(%a: tensor<2x8xf32>, %b: tensor<8xf32>) -> tensor<2x8xf32> {
  // CHECK: linalg.generic
  // CHECK: arith.maximumf {{.*}} fastmath<nsz>
  %0 = IE.Max %a, %b : tensor<2x8xf32>, tensor<8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @max_of_signed_ints_lowers
func.func @max_of_signed_ints_lowers(%a: tensor<2x8xi32>, %b: tensor<8xi32>) -> tensor<2x8xi32> {
  // CHECK: linalg.generic
  // CHECK: arith.maxsi
  %0 = IE.Max %a, %b : tensor<2x8xi32>, tensor<8xi32> -> tensor<2x8xi32>
  return %0 : tensor<2x8xi32>
}

// -----

// CHECK-LABEL: func @max_of_unsigned_ints_lowers
func.func @max_of_unsigned_ints_lowers(%a: tensor<2x8xui32>, %b: tensor<8xui32>) -> tensor<2x8xui32> {
  // CHECK: linalg.generic
  // CHECK: arith.maxui
  %0 = IE.Max %a, %b : tensor<2x8xui32>, tensor<8xui32> -> tensor<2x8xui32>
  return %0 : tensor<2x8xui32>
}

// -----

// CHECK-LABEL: func @min_of_floats_propagates_nan
func.func @min_of_floats_propagates_nan(%a: tensor<2x8xf32>, %b: tensor<8xf32>) -> tensor<2x8xf32> {
  // CHECK: linalg.generic
  // CHECK: arith.minimumf
  %0 = IE.Min %a, %b : tensor<2x8xf32>, tensor<8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @min_of_signed_ints_lowers
func.func @min_of_signed_ints_lowers(%a: tensor<2x8xi32>, %b: tensor<8xi32>) -> tensor<2x8xi32> {
  // CHECK: linalg.generic
  // CHECK: arith.minsi
  %0 = IE.Min %a, %b : tensor<2x8xi32>, tensor<8xi32> -> tensor<2x8xi32>
  return %0 : tensor<2x8xi32>
}

// -----

// CHECK-LABEL: func @min_of_unsigned_ints_lowers
func.func @min_of_unsigned_ints_lowers(%a: tensor<2x8xui32>, %b: tensor<8xui32>) -> tensor<2x8xui32> {
  // CHECK: linalg.generic
  // CHECK: arith.minui
  %0 = IE.Min %a, %b : tensor<2x8xui32>, tensor<8xui32> -> tensor<2x8xui32>
  return %0 : tensor<2x8xui32>
}

// -----

// CHECK-LABEL: func @sum_of_three_is_one_kernel
func.func @sum_of_three_is_one_kernel(%a: tensor<2x8xf32>, %b: tensor<8xf32>, %c: tensor<f32>) -> tensor<2x8xf32> {
  // CHECK: linalg.generic
  // CHECK: arith.addf
  // CHECK: arith.addf
  // CHECK: linalg.yield
  %0 = IE.Sum %a, %b, %c : tensor<2x8xf32>, tensor<8xf32>, tensor<f32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @mean_of_three_is_one_kernel
func.func @mean_of_three_is_one_kernel(%a: tensor<2x8xf32>, %b: tensor<8xf32>, %c: tensor<f32>) -> tensor<2x8xf32> {
  // CHECK: linalg.generic
  // CHECK: arith.addf
  // CHECK: arith.addf
  // CHECK: arith.divf
  // CHECK: linalg.yield
  %0 = IE.Mean %a, %b, %c : tensor<2x8xf32>, tensor<8xf32>, tensor<f32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @bitwise_and_lowers
func.func @bitwise_and_lowers(%a: tensor<2x8xi32>, %b: tensor<8xi32>) -> tensor<2x8xi32> {
  // CHECK: linalg.generic
  // CHECK: arith.andi
  %0 = IE.BitwiseAnd %a, %b : tensor<2x8xi32>, tensor<8xi32> -> tensor<2x8xi32>
  return %0 : tensor<2x8xi32>
}

// -----

// CHECK-LABEL: func @bitwise_or_lowers
func.func @bitwise_or_lowers(%a: tensor<2x8xi32>, %b: tensor<8xi32>) -> tensor<2x8xi32> {
  // CHECK: linalg.generic
  // CHECK: arith.ori
  %0 = IE.BitwiseOr %a, %b : tensor<2x8xi32>, tensor<8xi32> -> tensor<2x8xi32>
  return %0 : tensor<2x8xi32>
}

// -----

// CHECK-LABEL: func @bitwise_xor_lowers
func.func @bitwise_xor_lowers(%a: tensor<2x8xi32>, %b: tensor<8xi32>) -> tensor<2x8xi32> {
  // CHECK: linalg.generic
  // CHECK: arith.xori
  %0 = IE.BitwiseXor %a, %b : tensor<2x8xi32>, tensor<8xi32> -> tensor<2x8xi32>
  return %0 : tensor<2x8xi32>
}

// -----

// CHECK-LABEL: func @bitwise_not_lowers
func.func @bitwise_not_lowers(%a: tensor<2x8xi32>) -> tensor<2x8xi32> {
  // CHECK: linalg.generic
  // CHECK: arith.xori %{{.*}}, %c-1_i32
  %0 = IE.BitwiseNot %a : tensor<2x8xi32> -> tensor<2x8xi32>
  return %0 : tensor<2x8xi32>
}

// -----

// CHECK-LABEL: func @bit_shift_left_guards_far_distance
func.func @bit_shift_left_guards_far_distance(%a: tensor<2x8xui32>, %b: tensor<8xui32>) -> tensor<2x8xui32> {
  // CHECK: linalg.generic
  // CHECK: arith.shli
  // CHECK: arith.cmpi ult, %{{.*}}, %c32_i32
  // CHECK: arith.select
  %0 = IE.BitShift %a, %b {direction = "LEFT"} : tensor<2x8xui32>, tensor<8xui32> -> tensor<2x8xui32>
  return %0 : tensor<2x8xui32>
}

// -----

// CHECK-LABEL: func @bit_shift_right_lowers
func.func @bit_shift_right_lowers(%a: tensor<2x8xui32>, %b: tensor<8xui32>) -> tensor<2x8xui32> {
  // CHECK: linalg.generic
  // CHECK: arith.shrui
  %0 = IE.BitShift %a, %b {direction = "RIGHT"} : tensor<2x8xui32>, tensor<8xui32> -> tensor<2x8xui32>
  return %0 : tensor<2x8xui32>
}

// -----

// CHECK-LABEL: func @floor_of_floats_lowers
func.func @floor_of_floats_lowers(%a: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // CHECK: linalg.generic
  // CHECK: math.floor 
  %0 = IE.Floor %a : tensor<2x8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @ceil_of_floats_lowers
func.func @ceil_of_floats_lowers(%a: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // CHECK: linalg.generic
  // CHECK: math.ceil 
  %0 = IE.Ceil %a : tensor<2x8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @round_of_floats_lowers
func.func @round_of_floats_lowers(%a: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // CHECK: linalg.generic
  // CHECK: math.roundeven 
  %0 = IE.Round %a : tensor<2x8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @sqrt_of_floats_lowers
func.func @sqrt_of_floats_lowers(%a: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // CHECK: linalg.generic
  // CHECK: math.sqrt 
  %0 = IE.Sqrt %a : tensor<2x8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @exp_of_floats_lowers
func.func @exp_of_floats_lowers(%a: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // CHECK: linalg.generic
  // CHECK: math.exp 
  %0 = IE.Exp %a : tensor<2x8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @log_of_floats_lowers
func.func @log_of_floats_lowers(%a: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // CHECK: linalg.generic
  // CHECK: math.log 
  %0 = IE.Log %a : tensor<2x8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @erf_of_floats_lowers
func.func @erf_of_floats_lowers(%a: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // CHECK: linalg.generic
  // CHECK: math.erf 
  %0 = IE.Erf %a : tensor<2x8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @sin_of_floats_lowers
func.func @sin_of_floats_lowers(%a: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // CHECK: linalg.generic
  // CHECK: math.sin 
  %0 = IE.Sin %a : tensor<2x8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @cos_of_floats_lowers
func.func @cos_of_floats_lowers(%a: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // CHECK: linalg.generic
  // CHECK: math.cos 
  %0 = IE.Cos %a : tensor<2x8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @tan_of_floats_lowers
func.func @tan_of_floats_lowers(%a: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // CHECK: linalg.generic
  // CHECK: math.tan 
  %0 = IE.Tan %a : tensor<2x8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @asin_of_floats_lowers
func.func @asin_of_floats_lowers(%a: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // CHECK: linalg.generic
  // CHECK: math.asin 
  %0 = IE.Asin %a : tensor<2x8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @acos_of_floats_lowers
func.func @acos_of_floats_lowers(%a: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // CHECK: linalg.generic
  // CHECK: math.acos 
  %0 = IE.Acos %a : tensor<2x8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @atan_of_floats_lowers
func.func @atan_of_floats_lowers(%a: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // CHECK: linalg.generic
  // CHECK: math.atan 
  %0 = IE.Atan %a : tensor<2x8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @sinh_of_floats_lowers
func.func @sinh_of_floats_lowers(%a: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // CHECK: linalg.generic
  // CHECK: math.sinh 
  %0 = IE.Sinh %a : tensor<2x8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @cosh_of_floats_lowers
func.func @cosh_of_floats_lowers(%a: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // CHECK: linalg.generic
  // CHECK: math.cosh 
  %0 = IE.Cosh %a : tensor<2x8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @asinh_of_floats_lowers
func.func @asinh_of_floats_lowers(%a: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // CHECK: linalg.generic
  // CHECK: math.asinh 
  %0 = IE.Asinh %a : tensor<2x8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @acosh_of_floats_lowers
func.func @acosh_of_floats_lowers(%a: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // CHECK: linalg.generic
  // CHECK: math.acosh 
  %0 = IE.Acosh %a : tensor<2x8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @atanh_of_floats_lowers
func.func @atanh_of_floats_lowers(%a: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // CHECK: linalg.generic
  // CHECK: math.atanh 
  %0 = IE.Atanh %a : tensor<2x8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @neg_of_floats_lowers
func.func @neg_of_floats_lowers(%a: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // CHECK: linalg.generic
  // CHECK: arith.negf 
  %0 = IE.Neg %a : tensor<2x8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @abs_of_floats_lowers
func.func @abs_of_floats_lowers(%a: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // CHECK: linalg.generic
  // CHECK: math.absf 
  %0 = IE.Abs %a : tensor<2x8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @reciprocal_of_floats_lowers
func.func @reciprocal_of_floats_lowers(%a: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // CHECK: linalg.generic
  // CHECK: arith.divf %{{.*}}, %{{.*}} 
  %0 = IE.Reciprocal %a : tensor<2x8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @neg_of_ints_lowers
func.func @neg_of_ints_lowers(%a: tensor<2x8xi32>) -> tensor<2x8xi32> {
  // CHECK: linalg.generic
  // CHECK: arith.subi %c0_i32, %{{.*}}
  %0 = IE.Neg %a : tensor<2x8xi32> -> tensor<2x8xi32>
  return %0 : tensor<2x8xi32>
}

// -----

// CHECK-LABEL: func @abs_of_signed_ints_lowers
func.func @abs_of_signed_ints_lowers(%a: tensor<2x8xi32>) -> tensor<2x8xi32> {
  // CHECK: linalg.generic
  // CHECK: math.absi
  %0 = IE.Abs %a : tensor<2x8xi32> -> tensor<2x8xi32>
  return %0 : tensor<2x8xi32>
}

// -----

// CHECK-LABEL: func @abs_of_unsigned_ints_folds_away
func.func @abs_of_unsigned_ints_folds_away(%a: tensor<2x8xui32>) -> tensor<2x8xui32> {
  // CHECK: return %{{.*}} : tensor<2x8xi32>
  %0 = IE.Abs %a : tensor<2x8xui32> -> tensor<2x8xui32>
  return %0 : tensor<2x8xui32>
}

// -----

// CHECK-LABEL: func @sign_of_floats_keeps_nan
func.func @sign_of_floats_keeps_nan(%a: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // CHECK: linalg.generic
  // CHECK: arith.cmpf olt, %{{.*}}, %[[X:.*]] :
  // CHECK: arith.select %{{.*}}, %{{.*}}, %[[X]]
  // CHECK: arith.cmpf olt, %[[X]], %{{.*}}
  // CHECK: arith.select
  %0 = IE.Sign %a : tensor<2x8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @is_nan_lowers
func.func @is_nan_lowers(%a: tensor<2x8xf32>) -> tensor<2x8xi1> {
  // CHECK: linalg.generic
  // CHECK: arith.cmpf uno
  %0 = IE.IsNaN %a : tensor<2x8xf32> -> tensor<2x8xi1>
  return %0 : tensor<2x8xi1>
}

// -----

// CHECK-LABEL: func @is_inf_compares_with_both_infinities
func.func @is_inf_compares_with_both_infinities(%a: tensor<2x8xf32>) -> tensor<2x8xi1> {
  // CHECK: linalg.generic
  // CHECK: arith.cmpf oeq
  // CHECK: arith.cmpf oeq
  // CHECK: arith.ori
  %0 = IE.IsInf %a : tensor<2x8xf32> -> tensor<2x8xi1>
  return %0 : tensor<2x8xi1>
}

// -----

// CHECK-LABEL: func @is_inf_of_positive_only_compares_once
func.func @is_inf_of_positive_only_compares_once(%a: tensor<2x8xf32>) -> tensor<2x8xi1> {
  // CHECK: linalg.generic
  // CHECK: arith.cmpf oeq
  // CHECK: linalg.yield
  %0 = IE.IsInf %a {detect_negative = 0 : i64} : tensor<2x8xf32> -> tensor<2x8xi1>
  return %0 : tensor<2x8xi1>
}

// -----

// CHECK-LABEL: func @cast_of_float_to_int_lowers
func.func @cast_of_float_to_int_lowers(%a: tensor<2x8xf32>) -> tensor<2x8xi32> {
  // CHECK: linalg.generic
  // CHECK: arith.fptosi %{{.*}} : f32 to i32
  %0 = IE.Cast %a to i32 : tensor<2x8xf32> -> tensor<2x8xi32>
  return %0 : tensor<2x8xi32>
}

// -----

// CHECK-LABEL: func @cast_of_float_to_byte_lowers
func.func @cast_of_float_to_byte_lowers(%a: tensor<2x8xf32>) -> tensor<2x8xui8> {
  // CHECK: linalg.generic
  // CHECK: arith.fptosi %{{.*}} : f32 to i32
  // CHECK: arith.trunci %{{.*}} : i32 to i8
  %0 = IE.Cast %a to ui8 : tensor<2x8xf32> -> tensor<2x8xui8>
  return %0 : tensor<2x8xui8>
}

// -----

// CHECK-LABEL: func @cast_of_float_to_unsigned_int64_lowers
func.func @cast_of_float_to_unsigned_int64_lowers(%a: tensor<2x8xf32>) -> tensor<2x8xui64> {
  // CHECK: linalg.generic
  // CHECK: arith.fptoui %{{.*}} : f32 to i64
  %0 = IE.Cast %a to ui64 : tensor<2x8xf32> -> tensor<2x8xui64>
  return %0 : tensor<2x8xui64>
}

// -----

// CHECK-LABEL: func @cast_of_float_to_bool_lowers
func.func @cast_of_float_to_bool_lowers(%a: tensor<2x8xf32>) -> tensor<2x8xi1> {
  // CHECK: linalg.generic
  // CHECK: arith.cmpf une
  %0 = IE.Cast %a to i1 : tensor<2x8xf32> -> tensor<2x8xi1>
  return %0 : tensor<2x8xi1>
}

// -----

// CHECK-LABEL: func @cast_of_int_to_bool_lowers
func.func @cast_of_int_to_bool_lowers(%a: tensor<2x8xi32>) -> tensor<2x8xi1> {
  // CHECK: linalg.generic
  // CHECK: arith.cmpi ne
  %0 = IE.Cast %a to i1 : tensor<2x8xi32> -> tensor<2x8xi1>
  return %0 : tensor<2x8xi1>
}

// -----

// CHECK-LABEL: func @cast_of_bool_to_float_lowers
func.func @cast_of_bool_to_float_lowers(%a: tensor<2x8xi1>) -> tensor<2x8xf32> {
  // CHECK: linalg.generic
  // CHECK: arith.uitofp %{{.*}} : i1 to f32
  %0 = IE.Cast %a to f32 : tensor<2x8xi1> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @cast_of_bool_to_int_lowers
func.func @cast_of_bool_to_int_lowers(%a: tensor<2x8xi1>) -> tensor<2x8xi64> {
  // CHECK: linalg.generic
  // CHECK: arith.extui %{{.*}} : i1 to i64
  %0 = IE.Cast %a to i64 : tensor<2x8xi1> -> tensor<2x8xi64>
  return %0 : tensor<2x8xi64>
}

// -----

// CHECK-LABEL: func @cast_of_signed_to_wider_int_lowers
func.func @cast_of_signed_to_wider_int_lowers(%a: tensor<2x8xi32>) -> tensor<2x8xi64> {
  // CHECK: linalg.generic
  // CHECK: arith.extsi
  %0 = IE.Cast %a to i64 : tensor<2x8xi32> -> tensor<2x8xi64>
  return %0 : tensor<2x8xi64>
}

// -----

// CHECK-LABEL: func @cast_of_unsigned_to_wider_int_lowers
func.func @cast_of_unsigned_to_wider_int_lowers(%a: tensor<2x8xui32>) -> tensor<2x8xi64> {
  // CHECK: linalg.generic
  // CHECK: arith.extui
  %0 = IE.Cast %a to i64 : tensor<2x8xui32> -> tensor<2x8xi64>
  return %0 : tensor<2x8xi64>
}

// -----

// CHECK-LABEL: func @cast_of_int_to_narrower_int_lowers
func.func @cast_of_int_to_narrower_int_lowers(%a: tensor<2x8xi32>) -> tensor<2x8xi8> {
  // CHECK: linalg.generic
  // CHECK: arith.trunci
  %0 = IE.Cast %a to i8 : tensor<2x8xi32> -> tensor<2x8xi8>
  return %0 : tensor<2x8xi8>
}

// -----

// CHECK-LABEL: func @cast_of_unsigned_to_float_lowers
func.func @cast_of_unsigned_to_float_lowers(%a: tensor<2x8xui32>) -> tensor<2x8xf32> {
  // CHECK: linalg.generic
  // CHECK: arith.uitofp
  %0 = IE.Cast %a to f32 : tensor<2x8xui32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @cast_of_half_to_bfloat_lowers
func.func @cast_of_half_to_bfloat_lowers(%a: tensor<2x8xf16>) -> tensor<2x8xbf16> {
  // CHECK: linalg.generic
  // CHECK: arith.extf %{{.*}} : f16 to f32
  // CHECK: arith.truncf %{{.*}} : f32 to bf16
  %0 = IE.Cast %a to bf16 : tensor<2x8xf16> -> tensor<2x8xbf16>
  return %0 : tensor<2x8xbf16>
}

// -----

// CHECK-LABEL: func @cast_like_does_not_read_its_target
func.func @cast_like_does_not_read_its_target(%a: tensor<2x8xf32>, %b: tensor<3xi32>) -> tensor<2x8xi32> {
  // CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<2x8xf32>) outs
  // CHECK: arith.fptosi
  %0 = IE.CastLike %a, %b : tensor<2x8xf32>, tensor<3xi32> -> tensor<2x8xi32>
  return %0 : tensor<2x8xi32>
}

// -----

// CHECK-LABEL: func @identity_lowers_to_its_operand
func.func @identity_lowers_to_its_operand(%a: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // CHECK-NOT: linalg
  // CHECK: return %{{.*}}
  %0 = IE.Identity %a : tensor<2x8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @clip_with_bounds_of_any_rank_lowers
func.func @clip_with_bounds_of_any_rank_lowers(%x: tensor<8xf32>, %lo: tensor<f32>, %hi: tensor<1x1xf32>) -> tensor<8xf32> {
  // CHECK: linalg.generic
  // CHECK: %[[M:.*]] = arith.maximumf
  // CHECK: arith.minimumf %[[M]], %{{.*}}
  %0 = IE.Clip %x min(%lo : tensor<f32>) max(%hi : tensor<1x1xf32>) : tensor<8xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func @clip_with_upper_bound_only_lowers
func.func @clip_with_upper_bound_only_lowers(%x: tensor<8xui8>, %hi: tensor<ui8>) -> tensor<8xui8> {
  // CHECK: linalg.generic
  // CHECK-NOT: arith.max
  // CHECK: arith.minui
  %0 = IE.Clip %x max(%hi : tensor<ui8>) : tensor<8xui8> -> tensor<8xui8>
  return %0 : tensor<8xui8>
}

// -----

// CHECK-LABEL: func @dropout_lowers_to_copy_and_full_mask
// CHECK-SAME: (%[[X:.*]]: tensor<8xf32>)
func.func @dropout_lowers_to_copy_and_full_mask(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xi1>) {
  // CHECK: %[[MASK:.*]] = linalg.fill ins(%true
  %0, %1 = IE.Dropout %x : tensor<8xf32> -> tensor<8xf32>, tensor<8xi1>
  // CHECK: return %[[X]], %[[MASK]]
  return %0, %1 : tensor<8xf32>, tensor<8xi1>
}

// -----

// CHECK-LABEL: func @add_of_scalars_lowers
func.func @add_of_scalars_lowers(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  // CHECK: linalg.generic
  // CHECK: arith.addf
  %0 = IE.Add %a, %b : tensor<f32>, tensor<f32> -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// CHECK-LABEL: func @add_of_empty_tensors_lowers
func.func @add_of_empty_tensors_lowers(%a: tensor<0x8xf32>, %b: tensor<8xf32>) -> tensor<0x8xf32> {
  // CHECK: linalg.generic
  // CHECK: arith.addf
  %0 = IE.Add %a, %b : tensor<0x8xf32>, tensor<8xf32> -> tensor<0x8xf32>
  return %0 : tensor<0x8xf32>
}

// -----

// No value is widened on the way, which could change the bits of a NaN.
// CHECK-LABEL: func @bit_cast_of_halves_stays_in_16_bits
func.func @bit_cast_of_halves_stays_in_16_bits(%x: tensor<2x?xf16>) -> tensor<2x?xui16> {
  // CHECK-NOT: arith.extf
  // CHECK: arith.bitcast %{{.*}} : f16 to i16
  %0 = IE.BitCast %x to ui16 : tensor<2x?xf16> -> tensor<2x?xui16>
  return %0 : tensor<2x?xui16>
}

// -----

// CHECK-LABEL: func @bit_cast_of_bools_is_by_bytes
func.func @bit_cast_of_bools_is_by_bytes(%x: tensor<3xi1>, %y: tensor<3xf8E5M2>) -> (tensor<3xui8>, tensor<3xi1>) {
  // CHECK: arith.extui %{{.*}} : i1 to i8
  %0 = IE.BitCast %x to ui8 : tensor<3xi1> -> tensor<3xui8>
  // CHECK: arith.cmpi ne, %{{.*}}, %{{.*}} : i8
  %1 = IE.BitCast %y to i1 : tensor<3xf8E5M2> -> tensor<3xi1>
  return %0, %1 : tensor<3xui8>, tensor<3xi1>
}
