// RUN: nacre-opt %s -split-input-file -verify-diagnostics

func.func @add_of_shapes_that_clash_is_rejected(%a: tensor<2x8xf32>, %b: tensor<7xf32>) {
  // expected-error @below {{expected shapes that broadcast, found 'tensor<2x8xf32>', 'tensor<7xf32>'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = "IE.Add"(%a, %b) : (tensor<2x8xf32>, tensor<7xf32>) -> tensor<2x8xf32>
  return
}

// -----

func.func @add_of_mixed_types_is_rejected(%a: tensor<8xf32>, %b: tensor<8xi32>) {
  // expected-error @below {{requires the same element type for all operands}}
  %0 = IE.Add %a, %b : tensor<8xf32>, tensor<8xi32> -> tensor<8xf32>
  return
}

// -----

func.func @add_of_bools_is_rejected(%a: tensor<8xi1>) {
  // expected-error @below {{operand #0 must be ranked tensor of number values}}
  %0 = IE.Add %a, %a : tensor<8xi1>, tensor<8xi1> -> tensor<8xi1>
  return
}

// -----

func.func @add_with_contradicting_result_is_rejected(%a: tensor<2x8xf32>) {
  // expected-error @below {{failed to infer returned types}}
  // expected-error @below {{'IE.Add' op inferred type(s) 'tensor<2x8xf32>' are incompatible with return type(s) of operation 'tensor<3x8xf32>'}}
  %0 = IE.Add %a, %a : tensor<2x8xf32>, tensor<2x8xf32> -> tensor<3x8xf32>
  return
}

// -----

func.func @mod_of_floats_without_fmod_is_rejected(%a: tensor<8xf32>) {
  // expected-error @below {{expected fmod = 1 for elements of type 'f32'}}
  %0 = IE.Mod %a, %a : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  return
}

// -----

func.func @mod_with_fmod_of_two_is_rejected(%a: tensor<8xi32>) {
  // expected-error @below {{expected fmod to be 0 or 1, found 2}}
  %0 = IE.Mod %a, %a {fmod = 2 : i64} : tensor<8xi32>, tensor<8xi32> -> tensor<8xi32>
  return
}

// -----

func.func @pow_of_narrow_ints_is_rejected(%a: tensor<8xi8>) {
  // expected-error @below {{operand #0 must be ranked tensor of floating point, i32 or i64 values}}
  %0 = IE.Pow %a, %a : tensor<8xi8>, tensor<8xi8> -> tensor<8xi8>
  return
}

// -----

func.func @sum_of_nothing_is_rejected() {
  // expected-error @below {{expected 1 or more operands, but found 0}}
  %0 = "IE.Sum"() : () -> tensor<8xf32>
  return
}

// -----

func.func @bit_shift_without_direction_is_rejected(%a: tensor<8xui8>) {
  // expected-error @below {{requires attribute 'direction'}}
  %0 = IE.BitShift %a, %a : tensor<8xui8>, tensor<8xui8> -> tensor<8xui8>
  return
}

// -----

func.func @bit_shift_sideways_is_rejected(%a: tensor<8xui8>) {
  // expected-error @below {{attribute 'direction' failed to satisfy constraint: 'LEFT' or 'RIGHT'}}
  %0 = IE.BitShift %a, %a {direction = "UP"} : tensor<8xui8>, tensor<8xui8> -> tensor<8xui8>
  return
}

// -----

func.func @bit_shift_of_signed_ints_is_rejected(%a: tensor<8xi8>) {
  // expected-error @below {{operand #0 must be ranked tensor of unsigned integer values}}
  %0 = IE.BitShift %a, %a {direction = "LEFT"} : tensor<8xi8>, tensor<8xi8> -> tensor<8xi8>
  return
}

// -----

func.func @neg_of_unsigned_ints_is_rejected(%a: tensor<8xui8>) {
  // expected-error @below {{operand #0 must be ranked tensor of floating point or signed integer values}}
  %0 = IE.Neg %a : tensor<8xui8> -> tensor<8xui8>
  return
}

// -----

func.func @cast_to_index_is_rejected(%a: tensor<8xf32>) {
  // expected-error @below {{attribute 'to' failed to satisfy constraint: type attribute of any}}
  %0 = IE.Cast %a to index : tensor<8xf32> -> tensor<8xi64>
  return
}

// -----

func.func @cast_with_other_result_type_is_rejected(%a: tensor<8xf32>) {
  // expected-error @below {{failed to infer returned types}}
  // expected-error @below {{inferred type(s) 'tensor<8xi64>' are incompatible with return type(s) of operation 'tensor<8xi32>'}}
  %0 = IE.Cast %a to i64 : tensor<8xf32> -> tensor<8xi32>
  return
}

// -----

func.func @bit_cast_to_another_width_is_rejected(%a: tensor<8xf32>) {
  // expected-error @below {{expected 'to' to be a type of 32 bits like 'f32', found 'f64'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = IE.BitCast %a to f64 : tensor<8xf32> -> tensor<8xf64>
  return
}

// -----

func.func @bit_cast_of_bool_to_four_bits_is_rejected(%a: tensor<8xi1>) {
  // expected-error @below {{expected 'to' to be a type of 8 bits like 'i1', found 'i4'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = IE.BitCast %a to i4 : tensor<8xi1> -> tensor<8xi4>
  return
}

// -----

func.func @bit_cast_of_strings_is_rejected(%a: tensor<8x!IE.String>) {
  // expected-error @below {{must be ranked tensor of any but string values, but got 'tensor<8x!IE.String>'}}
  %0 = IE.BitCast %a to i64 : tensor<8x!IE.String> -> tensor<8xi64>
  return
}

// -----

func.func @bit_cast_to_strings_is_rejected(%a: tensor<8xi64>) {
  // expected-error @below {{attribute 'to' failed to satisfy constraint}}
  %0 = IE.BitCast %a to !IE.String : tensor<8xi64> -> tensor<8x!IE.String>
  return
}

// -----

func.func @clip_with_vector_bound_is_rejected(%a: tensor<8xf32>) {
  // expected-error @below {{expected min to be a scalar, found 'tensor<8xf32>'}}
  %0 = IE.Clip %a min(%a : tensor<8xf32>) : tensor<8xf32> -> tensor<8xf32>
  return
}

// -----

func.func @clip_with_bound_of_other_type_is_rejected(%a: tensor<8xf32>, %b: tensor<f64>) {
  // expected-error @below {{requires the same element type for all operands}}
  %0 = IE.Clip %a max(%b : tensor<f64>) : tensor<8xf32> -> tensor<8xf32>
  return
}

// -----

func.func @dropout_with_vector_ratio_is_rejected(%a: tensor<8xf32>) {
  // expected-error @below {{expected ratio to be a scalar, found 'tensor<8xf32>'}}
  %0, %1 = IE.Dropout %a ratio(%a : tensor<8xf32>) : tensor<8xf32> -> tensor<8xf32>, tensor<8xi1>
  return
}
