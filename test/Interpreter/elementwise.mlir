// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-constant-fold))' -split-input-file | FileCheck %s

// CHECK-LABEL: func @add_of_bytes_wraps
func.func @add_of_bytes_wraps() -> tensor<2xui8> {
  %0 = IE.Constant dense<[250, 1]> : tensor<2xui8>
  %1 = IE.Constant dense<10> : tensor<ui8>
  // CHECK: IE.Constant dense<[4, 11]> : tensor<2xui8>
  %r = IE.Add %0, %1 : tensor<2xui8>, tensor<ui8> -> tensor<2xui8>
  return %r : tensor<2xui8>
}

// -----

// CHECK-LABEL: func @sub_broadcasts_both_operands
func.func @sub_broadcasts_both_operands() -> tensor<2x2xi32> {
  %0 = IE.Constant dense<[[1], [2]]> : tensor<2x1xi32>
  %1 = IE.Constant dense<[10, 20]> : tensor<2xi32>
  // CHECK: IE.Constant dense<{{\[\[}}-9, -19], [-8, -18{{\]\]}}> : tensor<2x2xi32>
  %r = IE.Sub %0, %1 : tensor<2x1xi32>, tensor<2xi32> -> tensor<2x2xi32>
  return %r : tensor<2x2xi32>
}

// -----

// CHECK-LABEL: func @mul_of_int64_is_exact
func.func @mul_of_int64_is_exact() -> tensor<1xi64> {
  %0 = IE.Constant dense<[3037000500]> : tensor<1xi64>
  %1 = IE.Constant dense<[3037000499]> : tensor<1xi64>
  // CHECK: IE.Constant dense<9223372033963249500> : tensor<1xi64>
  %r = IE.Mul %0, %1 : tensor<1xi64>, tensor<1xi64> -> tensor<1xi64>
  return %r : tensor<1xi64>
}

// -----

// CHECK-LABEL: func @div_of_ints_truncates
func.func @div_of_ints_truncates() -> tensor<4xi8> {
  %0 = IE.Constant dense<[7, -7, 5, -128]> : tensor<4xi8>
  %1 = IE.Constant dense<[2, 2, 0, -1]> : tensor<4xi8>
  // CHECK: IE.Constant dense<[3, -3, 0, -128]> : tensor<4xi8>
  %r = IE.Div %0, %1 : tensor<4xi8>, tensor<4xi8> -> tensor<4xi8>
  return %r : tensor<4xi8>
}

// -----

// CHECK-LABEL: func @mod_has_sign_of_divisor
func.func @mod_has_sign_of_divisor() -> tensor<6xi32> {
  %0 = IE.Constant dense<[-4, 7, 5, 4, -7, 8]> : tensor<6xi32>
  %1 = IE.Constant dense<[2, -3, 8, -2, 3, 5]> : tensor<6xi32>
  // CHECK: IE.Constant dense<[0, -2, 5, 0, 2, 3]> : tensor<6xi32>
  %r = IE.Mod %0, %1 : tensor<6xi32>, tensor<6xi32> -> tensor<6xi32>
  return %r : tensor<6xi32>
}

// -----

// CHECK-LABEL: func @mod_like_c_has_sign_of_dividend
func.func @mod_like_c_has_sign_of_dividend() -> tensor<6xi32> {
  %0 = IE.Constant dense<[-4, 7, 5, 4, -7, 8]> : tensor<6xi32>
  %1 = IE.Constant dense<[2, -3, 8, -2, 3, 5]> : tensor<6xi32>
  // CHECK: IE.Constant dense<[0, 1, 5, 0, -1, 3]> : tensor<6xi32>
  %r = IE.Mod %0, %1 {fmod = 1 : i64} : tensor<6xi32>, tensor<6xi32> -> tensor<6xi32>
  return %r : tensor<6xi32>
}

// -----

// CHECK-LABEL: func @mod_of_floats_is_fmod
func.func @mod_of_floats_is_fmod() -> tensor<2xf32> {
  %0 = IE.Constant dense<[-4.25, 7.5]> : tensor<2xf32>
  %1 = IE.Constant dense<[2.0, -3.0]> : tensor<2xf32>
  // CHECK: IE.Constant dense<[-2.500000e-01, 1.500000e+00]> : tensor<2xf32>
  %r = IE.Mod %0, %1 {fmod = 1 : i64} : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func @pow_of_ints_is_exact
func.func @pow_of_ints_is_exact() -> tensor<5xi64> {
  %0 = IE.Constant dense<[3, -2, 1, -1, 2]> : tensor<5xi64>
  %1 = IE.Constant dense<[39, 3, -5, -3, -1]> : tensor<5xi64>
  // CHECK: IE.Constant dense<[4052555153018976267, -8, 1, -1, 0]> : tensor<5xi64>
  %r = IE.Pow %0, %1 : tensor<5xi64>, tensor<5xi64> -> tensor<5xi64>
  return %r : tensor<5xi64>
}

// -----

// CHECK-LABEL: func @pow_of_int_base_and_float_exponent_truncates
func.func @pow_of_int_base_and_float_exponent_truncates() -> tensor<2xi32> {
  %0 = IE.Constant dense<[4, 2]> : tensor<2xi32>
  %1 = IE.Constant dense<[0.5, 0.5]> : tensor<2xf32>
  // CHECK: IE.Constant dense<[2, 1]> : tensor<2xi32>
  %r = IE.Pow %0, %1 : tensor<2xi32>, tensor<2xf32> -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

// CHECK-LABEL: func @pow_of_float_base_and_int_exponent_keeps_type
func.func @pow_of_float_base_and_int_exponent_keeps_type() -> tensor<2xf32> {
  %0 = IE.Constant dense<[2.0, -3.0]> : tensor<2xf32>
  %1 = IE.Constant dense<[-1, 3]> : tensor<2xi64>
  // CHECK: IE.Constant dense<[5.000000e-01, -2.700000e+01]> : tensor<2xf32>
  %r = IE.Pow %0, %1 : tensor<2xf32>, tensor<2xi64> -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func @max_propagates_nan
func.func @max_propagates_nan() -> tensor<2xf32> {
  %0 = IE.Constant dense<[0x7FC00000, 1.0]> : tensor<2xf32>
  %1 = IE.Constant dense<[2.0, 0x7FC00000]> : tensor<2xf32>
  // CHECK: IE.Constant dense<0x7FC00000> : tensor<2xf32>
  %r = IE.Max %0, %1 : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func @min_of_unsigned_ints_compares_unsigned
func.func @min_of_unsigned_ints_compares_unsigned() -> tensor<2xui8> {
  %0 = IE.Constant dense<[200, 1]> : tensor<2xui8>
  %1 = IE.Constant dense<100> : tensor<ui8>
  // CHECK: IE.Constant dense<[100, 1]> : tensor<2xui8>
  %r = IE.Min %0, %1 : tensor<2xui8>, tensor<ui8> -> tensor<2xui8>
  return %r : tensor<2xui8>
}

// -----

// CHECK-LABEL: func @sum_of_three_broadcasts
func.func @sum_of_three_broadcasts() -> tensor<2x2xf32> {
  %0 = IE.Constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = IE.Constant dense<10.0> : tensor<f32>
  %2 = IE.Constant dense<[[100.0], [200.0]]> : tensor<2x1xf32>
  // CHECK: IE.Constant dense<{{\[\[}}1.110000e+02, 1.120000e+02], [2.110000e+02, 2.120000e+02{{\]\]}}> : tensor<2x2xf32>
  %r = IE.Sum %0, %1, %2 : tensor<2xf32>, tensor<f32>, tensor<2x1xf32> -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: func @mean_divides_by_number_of_operands
func.func @mean_divides_by_number_of_operands() -> tensor<2xf16> {
  %0 = IE.Constant dense<[1.0, 2.0]> : tensor<2xf16>
  %1 = IE.Constant dense<4.0> : tensor<f16>
  // CHECK: IE.Constant dense<[2.500000e+00, 3.000000e+00]> : tensor<2xf16>
  %r = IE.Mean %0, %1 : tensor<2xf16>, tensor<f16> -> tensor<2xf16>
  return %r : tensor<2xf16>
}

// -----

// CHECK-LABEL: func @bitwise_and_of_ints
func.func @bitwise_and_of_ints() -> tensor<2xi32> {
  %0 = IE.Constant dense<[12, -1]> : tensor<2xi32>
  %1 = IE.Constant dense<10> : tensor<i32>
  // CHECK: IE.Constant dense<[8, 10]> : tensor<2xi32>
  %r = IE.BitwiseAnd %0, %1 : tensor<2xi32>, tensor<i32> -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

// CHECK-LABEL: func @bitwise_or_of_ints
func.func @bitwise_or_of_ints() -> tensor<2xi32> {
  %0 = IE.Constant dense<[12, 0]> : tensor<2xi32>
  %1 = IE.Constant dense<10> : tensor<i32>
  // CHECK: IE.Constant dense<[14, 10]> : tensor<2xi32>
  %r = IE.BitwiseOr %0, %1 : tensor<2xi32>, tensor<i32> -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

// CHECK-LABEL: func @bitwise_xor_of_ints
func.func @bitwise_xor_of_ints() -> tensor<2xi32> {
  %0 = IE.Constant dense<[12, -1]> : tensor<2xi32>
  %1 = IE.Constant dense<10> : tensor<i32>
  // CHECK: IE.Constant dense<[6, -11]> : tensor<2xi32>
  %r = IE.BitwiseXor %0, %1 : tensor<2xi32>, tensor<i32> -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

// CHECK-LABEL: func @bitwise_not_of_bytes
func.func @bitwise_not_of_bytes() -> tensor<2xui8> {
  %0 = IE.Constant dense<[0, 5]> : tensor<2xui8>
  // CHECK: IE.Constant dense<[255, 250]> : tensor<2xui8>
  %r = IE.BitwiseNot %0 : tensor<2xui8> -> tensor<2xui8>
  return %r : tensor<2xui8>
}

// -----

// CHECK-LABEL: func @bit_shift_left_drops_high_bits
func.func @bit_shift_left_drops_high_bits() -> tensor<3xui8> {
  %0 = IE.Constant dense<[129, 1, 1]> : tensor<3xui8>
  %1 = IE.Constant dense<[1, 7, 9]> : tensor<3xui8>
  // CHECK: IE.Constant dense<[2, 128, 0]> : tensor<3xui8>
  %r = IE.BitShift %0, %1 {direction = "LEFT"} : tensor<3xui8>, tensor<3xui8> -> tensor<3xui8>
  return %r : tensor<3xui8>
}

// -----

// CHECK-LABEL: func @bit_shift_right_fills_with_zeros
func.func @bit_shift_right_fills_with_zeros() -> tensor<2xui8> {
  %0 = IE.Constant dense<[129, 128]> : tensor<2xui8>
  %1 = IE.Constant dense<[1, 200]> : tensor<2xui8>
  // CHECK: IE.Constant dense<[64, 0]> : tensor<2xui8>
  %r = IE.BitShift %0, %1 {direction = "RIGHT"} : tensor<2xui8>, tensor<2xui8> -> tensor<2xui8>
  return %r : tensor<2xui8>
}

// -----

// CHECK-LABEL: func @neg_of_floats
func.func @neg_of_floats() -> tensor<2xf32> {
  %0 = IE.Constant dense<[1.0, 0.0]> : tensor<2xf32>
  // CHECK: IE.Constant dense<[-1.000000e+00, -0.000000e+00]> : tensor<2xf32>
  %r = IE.Neg %0 : tensor<2xf32> -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func @abs_of_floats
func.func @abs_of_floats() -> tensor<2xf32> {
  %0 = IE.Constant dense<[-1.5, 2.0]> : tensor<2xf32>
  // CHECK: IE.Constant dense<[1.500000e+00, 2.000000e+00]> : tensor<2xf32>
  %r = IE.Abs %0 : tensor<2xf32> -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func @sign_of_floats
func.func @sign_of_floats() -> tensor<2xf32> {
  %0 = IE.Constant dense<[-3.0, 4.0]> : tensor<2xf32>
  // CHECK: IE.Constant dense<[-1.000000e+00, 1.000000e+00]> : tensor<2xf32>
  %r = IE.Sign %0 : tensor<2xf32> -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func @floor_of_floats
func.func @floor_of_floats() -> tensor<2xf32> {
  %0 = IE.Constant dense<[-1.5, 1.5]> : tensor<2xf32>
  // CHECK: IE.Constant dense<[-2.000000e+00, 1.000000e+00]> : tensor<2xf32>
  %r = IE.Floor %0 : tensor<2xf32> -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func @ceil_of_floats
func.func @ceil_of_floats() -> tensor<2xf32> {
  %0 = IE.Constant dense<[-1.5, 1.5]> : tensor<2xf32>
  // CHECK: IE.Constant dense<[-1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %r = IE.Ceil %0 : tensor<2xf32> -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func @round_of_floats
func.func @round_of_floats() -> tensor<2xf32> {
  %0 = IE.Constant dense<[0.5, 1.5]> : tensor<2xf32>
  // CHECK: IE.Constant dense<[0.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %r = IE.Round %0 : tensor<2xf32> -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func @sqrt_of_floats
func.func @sqrt_of_floats() -> tensor<2xf32> {
  %0 = IE.Constant dense<[4.0, 2.25]> : tensor<2xf32>
  // CHECK: IE.Constant dense<[2.000000e+00, 1.500000e+00]> : tensor<2xf32>
  %r = IE.Sqrt %0 : tensor<2xf32> -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func @reciprocal_of_floats
func.func @reciprocal_of_floats() -> tensor<2xf32> {
  %0 = IE.Constant dense<[4.0, 0.0]> : tensor<2xf32>
  // CHECK: IE.Constant dense<[2.500000e-01, 0x7F800000]> : tensor<2xf32>
  %r = IE.Reciprocal %0 : tensor<2xf32> -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func @exp_of_floats
func.func @exp_of_floats() -> tensor<2xf32> {
  %0 = IE.Constant dense<[0.0, 1.0]> : tensor<2xf32>
  // CHECK: IE.Constant dense<[1.000000e+00, 2.71828175]> : tensor<2xf32>
  %r = IE.Exp %0 : tensor<2xf32> -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func @log_of_floats
func.func @log_of_floats() -> tensor<2xf32> {
  %0 = IE.Constant dense<[1.0, 10.0]> : tensor<2xf32>
  // CHECK: IE.Constant dense<[0.000000e+00, 2.30258512]> : tensor<2xf32>
  %r = IE.Log %0 : tensor<2xf32> -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func @erf_of_floats
func.func @erf_of_floats() -> tensor<2xf32> {
  %0 = IE.Constant dense<[0.0, 1.0]> : tensor<2xf32>
  // CHECK: IE.Constant dense<[0.000000e+00, 0.842700779]> : tensor<2xf32>
  %r = IE.Erf %0 : tensor<2xf32> -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func @sin_of_floats
func.func @sin_of_floats() -> tensor<2xf32> {
  %0 = IE.Constant dense<[0.0, 1.0]> : tensor<2xf32>
  // CHECK: IE.Constant dense<[0.000000e+00, 0.841470957]> : tensor<2xf32>
  %r = IE.Sin %0 : tensor<2xf32> -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func @cos_of_floats
func.func @cos_of_floats() -> tensor<2xf32> {
  %0 = IE.Constant dense<[0.0, 1.0]> : tensor<2xf32>
  // CHECK: IE.Constant dense<[1.000000e+00, 0.540302277]> : tensor<2xf32>
  %r = IE.Cos %0 : tensor<2xf32> -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func @tan_of_floats
func.func @tan_of_floats() -> tensor<2xf32> {
  %0 = IE.Constant dense<[0.0, 1.0]> : tensor<2xf32>
  // CHECK: IE.Constant dense<[0.000000e+00, 1.55740774]> : tensor<2xf32>
  %r = IE.Tan %0 : tensor<2xf32> -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func @asin_of_floats
func.func @asin_of_floats() -> tensor<2xf32> {
  %0 = IE.Constant dense<[0.0, 1.0]> : tensor<2xf32>
  // CHECK: IE.Constant dense<[0.000000e+00, 1.57079637]> : tensor<2xf32>
  %r = IE.Asin %0 : tensor<2xf32> -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func @acos_of_floats
func.func @acos_of_floats() -> tensor<2xf32> {
  %0 = IE.Constant dense<[0.0, 1.0]> : tensor<2xf32>
  // CHECK: IE.Constant dense<[1.57079637, 0.000000e+00]> : tensor<2xf32>
  %r = IE.Acos %0 : tensor<2xf32> -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func @atan_of_floats
func.func @atan_of_floats() -> tensor<2xf32> {
  %0 = IE.Constant dense<[0.0, 1.0]> : tensor<2xf32>
  // CHECK: IE.Constant dense<[0.000000e+00, 0.785398185]> : tensor<2xf32>
  %r = IE.Atan %0 : tensor<2xf32> -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func @sinh_of_floats
func.func @sinh_of_floats() -> tensor<2xf32> {
  %0 = IE.Constant dense<[0.0, 1.0]> : tensor<2xf32>
  // CHECK: IE.Constant dense<[0.000000e+00, 1.17520118]> : tensor<2xf32>
  %r = IE.Sinh %0 : tensor<2xf32> -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func @cosh_of_floats
func.func @cosh_of_floats() -> tensor<2xf32> {
  %0 = IE.Constant dense<[0.0, 1.0]> : tensor<2xf32>
  // CHECK: IE.Constant dense<[1.000000e+00, 1.54308069]> : tensor<2xf32>
  %r = IE.Cosh %0 : tensor<2xf32> -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func @asinh_of_floats
func.func @asinh_of_floats() -> tensor<2xf32> {
  %0 = IE.Constant dense<[0.0, 1.0]> : tensor<2xf32>
  // CHECK: IE.Constant dense<[0.000000e+00, 0.881373584]> : tensor<2xf32>
  %r = IE.Asinh %0 : tensor<2xf32> -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func @acosh_of_floats
func.func @acosh_of_floats() -> tensor<2xf32> {
  %0 = IE.Constant dense<[1.0, 2.0]> : tensor<2xf32>
  // CHECK: IE.Constant dense<[0.000000e+00, 1.31695795]> : tensor<2xf32>
  %r = IE.Acosh %0 : tensor<2xf32> -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func @atanh_of_floats
func.func @atanh_of_floats() -> tensor<2xf32> {
  %0 = IE.Constant dense<[0.0, 0.5]> : tensor<2xf32>
  // CHECK: IE.Constant dense<[0.000000e+00, 0.549306154]> : tensor<2xf32>
  %r = IE.Atanh %0 : tensor<2xf32> -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func @neg_of_least_int_wraps
func.func @neg_of_least_int_wraps() -> tensor<2xi8> {
  %0 = IE.Constant dense<[-128, 3]> : tensor<2xi8>
  // CHECK: IE.Constant dense<[-128, -3]> : tensor<2xi8>
  %r = IE.Neg %0 : tensor<2xi8> -> tensor<2xi8>
  return %r : tensor<2xi8>
}

// -----

// CHECK-LABEL: func @is_nan_excludes_infinity
func.func @is_nan_excludes_infinity() -> tensor<3xi1> {
  %0 = IE.Constant dense<[0x7FC00000, 0x7F800000, 1.0]> : tensor<3xf32>
  // CHECK: IE.Constant dense<[true, false, false]> : tensor<3xi1>
  %r = IE.IsNaN %0 : tensor<3xf32> -> tensor<3xi1>
  return %r : tensor<3xi1>
}

// -----

// CHECK-LABEL: func @is_inf_finds_both_signs
func.func @is_inf_finds_both_signs() -> tensor<3xi1> {
  %0 = IE.Constant dense<[0xFF800000, 0x7F800000, 0x7FC00000]> : tensor<3xf32>
  // CHECK: IE.Constant dense<[true, true, false]> : tensor<3xi1>
  %r = IE.IsInf %0 : tensor<3xf32> -> tensor<3xi1>
  return %r : tensor<3xi1>
}

// -----

// CHECK-LABEL: func @is_inf_of_positive_only
func.func @is_inf_of_positive_only() -> tensor<3xi1> {
  %0 = IE.Constant dense<[0xFF800000, 0x7F800000, 1.0]> : tensor<3xf32>
  // CHECK: IE.Constant dense<[false, true, false]> : tensor<3xi1>
  %r = IE.IsInf %0 {detect_negative = 0 : i64} : tensor<3xf32> -> tensor<3xi1>
  return %r : tensor<3xi1>
}

// -----

// CHECK-LABEL: func @cast_of_float_to_int_truncates
func.func @cast_of_float_to_int_truncates() -> tensor<3xi32> {
  %0 = IE.Constant dense<[-1.9, 1.9, 1.0e10]> : tensor<3xf32>
  // CHECK: IE.Constant dense<[-1, 1, 2147483647]> : tensor<3xi32>
  %r = IE.Cast %0 to i32 : tensor<3xf32> -> tensor<3xi32>
  return %r : tensor<3xi32>
}

// -----

// CHECK-LABEL: func @cast_of_float_to_byte_wraps
func.func @cast_of_float_to_byte_wraps() -> tensor<2xui8> {
  %0 = IE.Constant dense<[-1.0, 257.5]> : tensor<2xf32>
  // CHECK: IE.Constant dense<[255, 1]> : tensor<2xui8>
  %r = IE.Cast %0 to ui8 : tensor<2xf32> -> tensor<2xui8>
  return %r : tensor<2xui8>
}

// -----

// CHECK-LABEL: func @cast_of_float_to_bool_is_not_zero
func.func @cast_of_float_to_bool_is_not_zero() -> tensor<4xi1> {
  %0 = IE.Constant dense<[0.0, -0.0, 0.25, 0x7FC00000]> : tensor<4xf32>
  // CHECK: IE.Constant dense<[false, false, true, true]> : tensor<4xi1>
  %r = IE.Cast %0 to i1 : tensor<4xf32> -> tensor<4xi1>
  return %r : tensor<4xi1>
}

// -----

// CHECK-LABEL: func @cast_of_int_to_unsigned_wraps
func.func @cast_of_int_to_unsigned_wraps() -> tensor<2xui8> {
  %0 = IE.Constant dense<[-1, 256]> : tensor<2xi32>
  // CHECK: IE.Constant dense<[255, 0]> : tensor<2xui8>
  %r = IE.Cast %0 to ui8 : tensor<2xi32> -> tensor<2xui8>
  return %r : tensor<2xui8>
}

// -----

// CHECK-LABEL: func @cast_of_bool_to_float_is_one
func.func @cast_of_bool_to_float_is_one() -> tensor<2xf16> {
  %0 = IE.Constant dense<[true, false]> : tensor<2xi1>
  // CHECK: IE.Constant dense<[1.000000e+00, 0.000000e+00]> : tensor<2xf16>
  %r = IE.Cast %0 to f16 : tensor<2xi1> -> tensor<2xf16>
  return %r : tensor<2xf16>
}

// -----

// CHECK-LABEL: func @cast_of_float_to_bfloat16_rounds
func.func @cast_of_float_to_bfloat16_rounds() -> tensor<2xbf16> {
  %0 = IE.Constant dense<[1.00390625, 1.01171875]> : tensor<2xf32>
  // CHECK: IE.Constant dense<[1.000000e+00, 1.015630e+00]> : tensor<2xbf16>
  %r = IE.Cast %0 to bf16 : tensor<2xf32> -> tensor<2xbf16>
  return %r : tensor<2xbf16>
}

// -----

// CHECK-LABEL: func @cast_like_takes_type_only
func.func @cast_like_takes_type_only() -> tensor<2xui16> {
  %0 = IE.Constant dense<[1.5, 2.5]> : tensor<2xf32>
  %1 = IE.Constant dense<[[1], [2], [3]]> : tensor<3x1xui16>
  // CHECK: IE.Constant dense<[1, 2]> : tensor<2xui16>
  %r = IE.CastLike %0, %1 : tensor<2xf32>, tensor<3x1xui16> -> tensor<2xui16>
  return %r : tensor<2xui16>
}

// -----

// CHECK-LABEL: func @identity_copies
func.func @identity_copies() -> tensor<2xi16> {
  %0 = IE.Constant dense<[1, 2]> : tensor<2xi16>
  // CHECK: IE.Constant dense<[1, 2]> : tensor<2xi16>
  %r = IE.Identity %0 : tensor<2xi16> -> tensor<2xi16>
  return %r : tensor<2xi16>
}

// -----

// CHECK-LABEL: func @clip_with_crossing_bounds_gives_upper
func.func @clip_with_crossing_bounds_gives_upper() -> tensor<3xf32> {
  %0 = IE.Constant dense<[-1.0, 9.0, 0x7FC00000]> : tensor<3xf32>
  %1 = IE.Constant dense<5.0> : tensor<f32>
  %2 = IE.Constant dense<[2.0]> : tensor<1xf32>
  // CHECK: IE.Constant dense<[2.000000e+00, 2.000000e+00, 0x7FC00000]> : tensor<3xf32>
  %r = IE.Clip %0 min(%1 : tensor<f32>) max(%2 : tensor<1xf32>) : tensor<3xf32> -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// CHECK-LABEL: func @dropout_with_zero_ratio_copies_in_training
func.func @dropout_with_zero_ratio_copies_in_training() -> (tensor<2xf32>, tensor<2xi1>) {
  %0 = IE.Constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = IE.Constant dense<0.0> : tensor<f32>
  %2 = IE.Constant dense<true> : tensor<i1>
  // CHECK-DAG: IE.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  // CHECK-DAG: IE.Constant dense<true> : tensor<2xi1>
  // CHECK-NOT: IE.Dropout
  %output, %mask = IE.Dropout %0 ratio(%1 : tensor<f32>) training_mode(%2 : tensor<i1>) : tensor<2xf32> -> tensor<2xf32>, tensor<2xi1>
  return %output, %mask : tensor<2xf32>, tensor<2xi1>
}

// -----

// CHECK-LABEL: func @bit_cast_keeps_bits
func.func @bit_cast_keeps_bits() -> (tensor<2xui32>, tensor<2xf16>, tensor<3xi1>, tensor<2xui8>, tensor<1xi64>) {
  %x = IE.Constant dense<[1.0, -2.0]> : tensor<2xf32>
  // CHECK-DAG: IE.Constant dense<[1065353216, 3221225472]> : tensor<2xui32>
  %0 = IE.BitCast %x to ui32 : tensor<2xf32> -> tensor<2xui32>
  %brain = IE.Constant dense<[1.0, 2.0]> : tensor<2xbf16>
  // CHECK-DAG: IE.Constant dense<[1.875000e+00, 2.000000e+00]> : tensor<2xf16>
  %1 = IE.BitCast %brain to f16 : tensor<2xbf16> -> tensor<2xf16>
  %bytes = IE.Constant dense<[0, -128, 1]> : tensor<3xi8>
  // CHECK-DAG: IE.Constant dense<[false, true, true]> : tensor<3xi1>
  %2 = IE.BitCast %bytes to i1 : tensor<3xi8> -> tensor<3xi1>
  %bools = IE.Constant dense<[true, false]> : tensor<2xi1>
  // CHECK-DAG: IE.Constant dense<[1, 0]> : tensor<2xui8>
  %3 = IE.BitCast %bools to ui8 : tensor<2xi1> -> tensor<2xui8>
  %complex = IE.Constant dense<(1.0, 0.0)> : tensor<1xcomplex<f32>>
  // CHECK-DAG: IE.Constant dense<1065353216> : tensor<1xi64>
  %4 = IE.BitCast %complex to i64 : tensor<1xcomplex<f32>> -> tensor<1xi64>
  return %0, %1, %2, %3, %4 : tensor<2xui32>, tensor<2xf16>, tensor<3xi1>, tensor<2xui8>, tensor<1xi64>
}
