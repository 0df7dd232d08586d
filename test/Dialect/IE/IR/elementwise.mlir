// RUN: nacre-opt %s | nacre-opt | FileCheck %s

// CHECK-LABEL: func @add_broadcasts
func.func @add_broadcasts(%a: tensor<2x?xf32>, %b: tensor<8xf32>) -> tensor<2x8xf32> {
  // CHECK: IE.Add %{{.*}}, %{{.*}} : tensor<2x?xf32>, tensor<8xf32> -> tensor<2x8xf32>
  %0 = IE.Add %a, %b : tensor<2x?xf32>, tensor<8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// CHECK-LABEL: func @sub_broadcasts
func.func @sub_broadcasts(%a: tensor<2x?xf32>, %b: tensor<8xf32>) -> tensor<2x8xf32> {
  // CHECK: IE.Sub %{{.*}}, %{{.*}} : tensor<2x?xf32>, tensor<8xf32> -> tensor<2x8xf32>
  %0 = IE.Sub %a, %b : tensor<2x?xf32>, tensor<8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// CHECK-LABEL: func @mul_broadcasts
func.func @mul_broadcasts(%a: tensor<2x?xf32>, %b: tensor<8xf32>) -> tensor<2x8xf32> {
  // CHECK: IE.Mul %{{.*}}, %{{.*}} : tensor<2x?xf32>, tensor<8xf32> -> tensor<2x8xf32>
  %0 = IE.Mul %a, %b : tensor<2x?xf32>, tensor<8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// CHECK-LABEL: func @div_broadcasts
func.func @div_broadcasts(%a: tensor<2x?xf32>, %b: tensor<8xf32>) -> tensor<2x8xf32> {
  // CHECK: IE.Div %{{.*}}, %{{.*}} : tensor<2x?xf32>, tensor<8xf32> -> tensor<2x8xf32>
  %0 = IE.Div %a, %b : tensor<2x?xf32>, tensor<8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// CHECK-LABEL: func @add_unsigned_broadcasts
func.func @add_unsigned_broadcasts(%a: tensor<2x1xui8>, %b: tensor<1x8xui8>) -> tensor<2x8xui8> {
  // CHECK: IE.Add %{{.*}}, %{{.*}} : tensor<2x1xui8>, tensor<1x8xui8> -> tensor<2x8xui8>
  %0 = IE.Add %a, %b : tensor<2x1xui8>, tensor<1x8xui8> -> tensor<2x8xui8>
  return %0 : tensor<2x8xui8>
}

// CHECK-LABEL: func @mod_broadcasts
func.func @mod_broadcasts(%a: tensor<2x8xi32>, %b: tensor<8xi32>) -> tensor<2x8xi32> {
  // CHECK: IE.Mod %{{.*}}, %{{.*}} : tensor<2x8xi32>, tensor<8xi32> -> tensor<2x8xi32>
  %0 = IE.Mod %a, %b : tensor<2x8xi32>, tensor<8xi32> -> tensor<2x8xi32>
  return %0 : tensor<2x8xi32>
}

// CHECK-LABEL: func @mod_like_c_broadcasts
func.func @mod_like_c_broadcasts(%a: tensor<2x?xf32>, %b: tensor<8xf32>) -> tensor<2x8xf32> {
  // CHECK: IE.Mod %{{.*}}, %{{.*}} {fmod = 1 : i64} : tensor<2x?xf32>, tensor<8xf32> -> tensor<2x8xf32>
  %0 = IE.Mod %a, %b {fmod = 1 : i64} : tensor<2x?xf32>, tensor<8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// CHECK-LABEL: func @pow_mixed_types_broadcasts
func.func @pow_mixed_types_broadcasts(%a: tensor<2x8xf32>, %b: tensor<i64>) -> tensor<2x8xf32> {
  // CHECK: IE.Pow %{{.*}}, %{{.*}} : tensor<2x8xf32>, tensor<i64> -> tensor<2x8xf32>
  %0 = IE.Pow %a, %b : tensor<2x8xf32>, tensor<i64> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// CHECK-LABEL: func @min_broadcasts
func.func @min_broadcasts(%a: tensor<2x?xf32>, %b: tensor<8xf32>) -> tensor<2x8xf32> {
  // CHECK: IE.Min %{{.*}}, %{{.*}} : tensor<2x?xf32>, tensor<8xf32> -> tensor<2x8xf32>
  %0 = IE.Min %a, %b : tensor<2x?xf32>, tensor<8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// CHECK-LABEL: func @max_broadcasts
func.func @max_broadcasts(%a: tensor<2x?xf32>, %b: tensor<8xf32>) -> tensor<2x8xf32> {
  // CHECK: IE.Max %{{.*}}, %{{.*}} : tensor<2x?xf32>, tensor<8xf32> -> tensor<2x8xf32>
  %0 = IE.Max %a, %b : tensor<2x?xf32>, tensor<8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// CHECK-LABEL: func @sum_broadcasts
func.func @sum_broadcasts(%a: tensor<2x?xf32>, %b: tensor<8xf32>) -> tensor<2x8xf32> {
  // CHECK: IE.Sum %{{.*}}, %{{.*}} : tensor<2x?xf32>, tensor<8xf32> -> tensor<2x8xf32>
  %0 = IE.Sum %a, %b : tensor<2x?xf32>, tensor<8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// CHECK-LABEL: func @mean_broadcasts
func.func @mean_broadcasts(%a: tensor<2x?xf32>, %b: tensor<8xf32>) -> tensor<2x8xf32> {
  // CHECK: IE.Mean %{{.*}}, %{{.*}} : tensor<2x?xf32>, tensor<8xf32> -> tensor<2x8xf32>
  %0 = IE.Mean %a, %b : tensor<2x?xf32>, tensor<8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// CHECK-LABEL: func @max_of_three_broadcasts
func.func @max_of_three_broadcasts(%a: tensor<2x1xf32>, %b: tensor<8xf32>, %c: tensor<f32>) -> tensor<2x8xf32> {
  // CHECK: IE.Max %{{.*}}, %{{.*}}, %{{.*}} : tensor<2x1xf32>, tensor<8xf32>, tensor<f32> -> tensor<2x8xf32>
  %0 = IE.Max %a, %b, %c : tensor<2x1xf32>, tensor<8xf32>, tensor<f32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// CHECK-LABEL: func @bitwise_and_broadcasts
func.func @bitwise_and_broadcasts(%a: tensor<2x8xi32>, %b: tensor<8xi32>) -> tensor<2x8xi32> {
  // CHECK: IE.BitwiseAnd %{{.*}}, %{{.*}} : tensor<2x8xi32>, tensor<8xi32> -> tensor<2x8xi32>
  %0 = IE.BitwiseAnd %a, %b : tensor<2x8xi32>, tensor<8xi32> -> tensor<2x8xi32>
  return %0 : tensor<2x8xi32>
}

// CHECK-LABEL: func @bitwise_or_broadcasts
func.func @bitwise_or_broadcasts(%a: tensor<2x8xi32>, %b: tensor<8xi32>) -> tensor<2x8xi32> {
  // CHECK: IE.BitwiseOr %{{.*}}, %{{.*}} : tensor<2x8xi32>, tensor<8xi32> -> tensor<2x8xi32>
  %0 = IE.BitwiseOr %a, %b : tensor<2x8xi32>, tensor<8xi32> -> tensor<2x8xi32>
  return %0 : tensor<2x8xi32>
}

// CHECK-LABEL: func @bitwise_xor_broadcasts
func.func @bitwise_xor_broadcasts(%a: tensor<2x8xi32>, %b: tensor<8xi32>) -> tensor<2x8xi32> {
  // CHECK: IE.BitwiseXor %{{.*}}, %{{.*}} : tensor<2x8xi32>, tensor<8xi32> -> tensor<2x8xi32>
  %0 = IE.BitwiseXor %a, %b : tensor<2x8xi32>, tensor<8xi32> -> tensor<2x8xi32>
  return %0 : tensor<2x8xi32>
}

// CHECK-LABEL: func @bit_shift_broadcasts
func.func @bit_shift_broadcasts(%a: tensor<2x8xui16>, %b: tensor<8xui16>) -> tensor<2x8xui16> {
  // CHECK: IE.BitShift %{{.*}}, %{{.*}} {direction = "LEFT"} : tensor<2x8xui16>, tensor<8xui16> -> tensor<2x8xui16>
  %0 = IE.BitShift %a, %b {direction = "LEFT"} : tensor<2x8xui16>, tensor<8xui16> -> tensor<2x8xui16>
  return %0 : tensor<2x8xui16>
}

// CHECK-LABEL: func @bitwise_not_round_trips
func.func @bitwise_not_round_trips(%x: tensor<8xui8>) -> tensor<8xui8> {
  // CHECK: IE.BitwiseNot %{{.*}} : tensor<8xui8> -> tensor<8xui8>
  %0 = IE.BitwiseNot %x : tensor<8xui8> -> tensor<8xui8>
  return %0 : tensor<8xui8>
}

// CHECK-LABEL: func @neg_round_trips
func.func @neg_round_trips(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  // CHECK: IE.Neg %{{.*}} : tensor<2x?xf32> -> tensor<2x?xf32>
  %0 = IE.Neg %x : tensor<2x?xf32> -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// CHECK-LABEL: func @abs_round_trips
func.func @abs_round_trips(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  // CHECK: IE.Abs %{{.*}} : tensor<2x?xf32> -> tensor<2x?xf32>
  %0 = IE.Abs %x : tensor<2x?xf32> -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// CHECK-LABEL: func @sign_round_trips
func.func @sign_round_trips(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  // CHECK: IE.Sign %{{.*}} : tensor<2x?xf32> -> tensor<2x?xf32>
  %0 = IE.Sign %x : tensor<2x?xf32> -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// CHECK-LABEL: func @floor_round_trips
func.func @floor_round_trips(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  // CHECK: IE.Floor %{{.*}} : tensor<2x?xf32> -> tensor<2x?xf32>
  %0 = IE.Floor %x : tensor<2x?xf32> -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// CHECK-LABEL: func @ceil_round_trips
func.func @ceil_round_trips(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  // CHECK: IE.Ceil %{{.*}} : tensor<2x?xf32> -> tensor<2x?xf32>
  %0 = IE.Ceil %x : tensor<2x?xf32> -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// CHECK-LABEL: func @round_round_trips
func.func @round_round_trips(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  // CHECK: IE.Round %{{.*}} : tensor<2x?xf32> -> tensor<2x?xf32>
  %0 = IE.Round %x : tensor<2x?xf32> -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// CHECK-LABEL: func @sqrt_round_trips
func.func @sqrt_round_trips(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  // CHECK: IE.Sqrt %{{.*}} : tensor<2x?xf32> -> tensor<2x?xf32>
  %0 = IE.Sqrt %x : tensor<2x?xf32> -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// CHECK-LABEL: func @reciprocal_round_trips
func.func @reciprocal_round_trips(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  // CHECK: IE.Reciprocal %{{.*}} : tensor<2x?xf32> -> tensor<2x?xf32>
  %0 = IE.Reciprocal %x : tensor<2x?xf32> -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// CHECK-LABEL: func @exp_round_trips
func.func @exp_round_trips(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  // CHECK: IE.Exp %{{.*}} : tensor<2x?xf32> -> tensor<2x?xf32>
  %0 = IE.Exp %x : tensor<2x?xf32> -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// CHECK-LABEL: func @log_round_trips
func.func @log_round_trips(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  // CHECK: IE.Log %{{.*}} : tensor<2x?xf32> -> tensor<2x?xf32>
  %0 = IE.Log %x : tensor<2x?xf32> -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// CHECK-LABEL: func @erf_round_trips
func.func @erf_round_trips(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  // CHECK: IE.Erf %{{.*}} : tensor<2x?xf32> -> tensor<2x?xf32>
  %0 = IE.Erf %x : tensor<2x?xf32> -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// CHECK-LABEL: func @sin_round_trips
func.func @sin_round_trips(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  // CHECK: IE.Sin %{{.*}} : tensor<2x?xf32> -> tensor<2x?xf32>
  %0 = IE.Sin %x : tensor<2x?xf32> -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// CHECK-LABEL: func @cos_round_trips
func.func @cos_round_trips(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  // CHECK: IE.Cos %{{.*}} : tensor<2x?xf32> -> tensor<2x?xf32>
  %0 = IE.Cos %x : tensor<2x?xf32> -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// CHECK-LABEL: func @tan_round_trips
func.func @tan_round_trips(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  // CHECK: IE.Tan %{{.*}} : tensor<2x?xf32> -> tensor<2x?xf32>
  %0 = IE.Tan %x : tensor<2x?xf32> -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// CHECK-LABEL: func @asin_round_trips
func.func @asin_round_trips(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  // CHECK: IE.Asin %{{.*}} : tensor<2x?xf32> -> tensor<2x?xf32>
  %0 = IE.Asin %x : tensor<2x?xf32> -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// CHECK-LABEL: func @acos_round_trips
func.func @acos_round_trips(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  // CHECK: IE.Acos %{{.*}} : tensor<2x?xf32> -> tensor<2x?xf32>
  %0 = IE.Acos %x : tensor<2x?xf32> -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// CHECK-LABEL: func @atan_round_trips
func.func @atan_round_trips(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  // CHECK: IE.Atan %{{.*}} : tensor<2x?xf32> -> tensor<2x?xf32>
  %0 = IE.Atan %x : tensor<2x?xf32> -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// CHECK-LABEL: func @sinh_round_trips
func.func @sinh_round_trips(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  // CHECK: IE.Sinh %{{.*}} : tensor<2x?xf32> -> tensor<2x?xf32>
  %0 = IE.Sinh %x : tensor<2x?xf32> -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// CHECK-LABEL: func @cosh_round_trips
func.func @cosh_round_trips(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  // CHECK: IE.Cosh %{{.*}} : tensor<2x?xf32> -> tensor<2x?xf32>
  %0 = IE.Cosh %x : tensor<2x?xf32> -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// CHECK-LABEL: func @asinh_round_trips
func.func @asinh_round_trips(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  // CHECK: IE.Asinh %{{.*}} : tensor<2x?xf32> -> tensor<2x?xf32>
  %0 = IE.Asinh %x : tensor<2x?xf32> -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// CHECK-LABEL: func @acosh_round_trips
func.func @acosh_round_trips(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  // CHECK: IE.Acosh %{{.*}} : tensor<2x?xf32> -> tensor<2x?xf32>
  %0 = IE.Acosh %x : tensor<2x?xf32> -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// CHECK-LABEL: func @atanh_round_trips
func.func @atanh_round_trips(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  // CHECK: IE.Atanh %{{.*}} : tensor<2x?xf32> -> tensor<2x?xf32>
  %0 = IE.Atanh %x : tensor<2x?xf32> -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// CHECK-LABEL: func @identity_round_trips
func.func @identity_round_trips(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  // CHECK: IE.Identity %{{.*}} : tensor<2x?xf32> -> tensor<2x?xf32>
  %0 = IE.Identity %x : tensor<2x?xf32> -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// CHECK-LABEL: func @is_nan_round_trips
func.func @is_nan_round_trips(%x: tensor<2x?xf32>) -> tensor<2x?xi1> {
  // CHECK: IE.IsNaN %{{.*}} : tensor<2x?xf32> -> tensor<2x?xi1>
  %0 = IE.IsNaN %x : tensor<2x?xf32> -> tensor<2x?xi1>
  return %0 : tensor<2x?xi1>
}

// CHECK-LABEL: func @is_inf_round_trips
func.func @is_inf_round_trips(%x: tensor<2x?xf32>) -> tensor<2x?xi1> {
  // CHECK: IE.IsInf %{{.*}} : tensor<2x?xf32> -> tensor<2x?xi1>
  %0 = IE.IsInf %x : tensor<2x?xf32> -> tensor<2x?xi1>
  return %0 : tensor<2x?xi1>
}

// CHECK-LABEL: func @is_inf_with_attributes_round_trips
func.func @is_inf_with_attributes_round_trips(%x: tensor<2x?xf32>) -> tensor<2x?xi1> {
  // CHECK: IE.IsInf %{{.*}} {detect_negative = 0 : i64} : tensor<2x?xf32> -> tensor<2x?xi1>
  %0 = IE.IsInf %x {detect_negative = 0 : i64} : tensor<2x?xf32> -> tensor<2x?xi1>
  return %0 : tensor<2x?xi1>
}

// CHECK-LABEL: func @cast_to_bool_round_trips
func.func @cast_to_bool_round_trips(%x: tensor<2x?xf32>) -> tensor<2x?xi1> {
  // CHECK: IE.Cast %{{.*}} to i1 : tensor<2x?xf32> -> tensor<2x?xi1>
  %0 = IE.Cast %x to i1 : tensor<2x?xf32> -> tensor<2x?xi1>
  return %0 : tensor<2x?xi1>
}

// CHECK-LABEL: func @bit_cast_to_types_of_the_same_width_round_trips
func.func @bit_cast_to_types_of_the_same_width_round_trips(%x: tensor<2x?xf64>, %b: tensor<i1>, %f: tensor<3xf4E2M1FN>) -> (tensor<2x?xcomplex<f32>>, tensor<f8E5M2>, tensor<3xui4>) {
  // CHECK: IE.BitCast %{{.*}} to complex<f32> : tensor<2x?xf64> -> tensor<2x?xcomplex<f32>>
  %0 = IE.BitCast %x to complex<f32> : tensor<2x?xf64> -> tensor<2x?xcomplex<f32>>
  // CHECK: IE.BitCast %{{.*}} to f8E5M2 : tensor<i1> -> tensor<f8E5M2>
  %1 = IE.BitCast %b to f8E5M2 : tensor<i1> -> tensor<f8E5M2>
  // CHECK: IE.BitCast %{{.*}} to ui4 : tensor<3xf4E2M1FN> -> tensor<3xui4>
  %2 = IE.BitCast %f to ui4 : tensor<3xf4E2M1FN> -> tensor<3xui4>
  return %0, %1, %2 : tensor<2x?xcomplex<f32>>, tensor<f8E5M2>, tensor<3xui4>
}

// CHECK-LABEL: func @cast_like_ignores_the_shape_of_its_target
func.func @cast_like_ignores_the_shape_of_its_target(%x: tensor<2x8xf32>, %t: tensor<3xui8>) -> tensor<2x8xui8> {
  // CHECK: IE.CastLike %{{.*}}, %{{.*}} : tensor<2x8xf32>, tensor<3xui8> -> tensor<2x8xui8>
  %0 = IE.CastLike %x, %t : tensor<2x8xf32>, tensor<3xui8> -> tensor<2x8xui8>
  return %0 : tensor<2x8xui8>
}

// CHECK-LABEL: func @dropout_without_optional_operands_round_trips
func.func @dropout_without_optional_operands_round_trips(%x: tensor<2x8xf32>) -> (tensor<2x8xf32>, tensor<2x8xi1>) {
  // CHECK: IE.Dropout %{{.*}} : tensor<2x8xf32> -> tensor<2x8xf32>, tensor<2x8xi1>
  %output, %mask = IE.Dropout %x : tensor<2x8xf32> -> tensor<2x8xf32>, tensor<2x8xi1>
  return %output, %mask : tensor<2x8xf32>, tensor<2x8xi1>
}

// CHECK-LABEL: func @dropout_with_all_operands_round_trips
func.func @dropout_with_all_operands_round_trips(%x: tensor<2x8xf32>, %r: tensor<f32>, %t: tensor<i1>) -> tensor<2x8xf32> {
  // CHECK: IE.Dropout %{{.*}} ratio(%{{.*}} : tensor<f32>) training_mode(%{{.*}} : tensor<i1>) {seed = 3 : i64}
  %output, %mask = IE.Dropout %x ratio(%r : tensor<f32>) training_mode(%t : tensor<i1>) {seed = 3 : i64} : tensor<2x8xf32> -> tensor<2x8xf32>, tensor<2x8xi1>
  return %output : tensor<2x8xf32>
}

// CHECK-LABEL: func @clip_with_both_bounds_round_trips
func.func @clip_with_both_bounds_round_trips(%x: tensor<2x8xf32>, %l: tensor<f32>, %h: tensor<f32>) -> tensor<2x8xf32> {
  // CHECK: IE.Clip %{{.*}} min(%{{.*}} : tensor<f32>) max(%{{.*}} : tensor<f32>) : tensor<2x8xf32> -> tensor<2x8xf32>
  %0 = IE.Clip %x min(%l : tensor<f32>) max(%h : tensor<f32>) : tensor<2x8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// CHECK-LABEL: func @clip_with_upper_bound_only_round_trips
func.func @clip_with_upper_bound_only_round_trips(%x: tensor<2x8xf32>, %l: tensor<f32>, %h: tensor<f32>) -> tensor<2x8xf32> {
  // CHECK: IE.Clip %{{.*}} max(%{{.*}} : tensor<f32>) : tensor<2x8xf32> -> tensor<2x8xf32>
  %0 = IE.Clip %x max(%h : tensor<f32>) : tensor<2x8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// CHECK-LABEL: func @clip_with_no_bound_round_trips
func.func @clip_with_no_bound_round_trips(%x: tensor<2x8xf32>, %l: tensor<f32>, %h: tensor<f32>) -> tensor<2x8xf32> {
  // CHECK: IE.Clip %{{.*}} : tensor<2x8xf32> -> tensor<2x8xf32>
  %0 = IE.Clip %x : tensor<2x8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}
