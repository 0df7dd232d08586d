// RUN: nacre-opt %s --ie-raise --split-input-file | FileCheck %s

// CHECK-LABEL: func @half_at_the_end_is_fused
// CHECK-NEXT: %[[Y:.*]] = IE.Gelu %arg0
// CHECK-NEXT: return %[[Y]]
func.func @half_at_the_end_is_fused(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %sqrt2 = IE.Constant dense<1.41421354> : tensor<f32>
  %one = IE.Constant dense<1.0> : tensor<f32>
  %half = IE.Constant dense<0.5> : tensor<f32>
  %0 = IE.Div %x, %sqrt2 : tensor<2x8xf32>, tensor<f32> -> tensor<2x8xf32>
  %1 = IE.Erf %0 : tensor<2x8xf32> -> tensor<2x8xf32>
  %2 = IE.Add %1, %one : tensor<2x8xf32>, tensor<f32> -> tensor<2x8xf32>
  %3 = IE.Mul %x, %2 : tensor<2x8xf32>, tensor<2x8xf32> -> tensor<2x8xf32>
  %4 = IE.Mul %3, %half : tensor<2x8xf32>, tensor<f32> -> tensor<2x8xf32>
  return %4 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @half_at_the_start_is_fused
// CHECK-NEXT: IE.Gelu %arg0
// CHECK-NEXT: return
func.func @half_at_the_start_is_fused(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %factor = IE.Constant dense<0.70710677> : tensor<f32>
  %one = IE.Constant dense<1.0> : tensor<1xf32>
  %half = IE.Constant dense<0.5> : tensor<1xf32>
  %0 = IE.Mul %half, %x : tensor<1xf32>, tensor<2x8xf32> -> tensor<2x8xf32>
  %1 = IE.Mul %x, %factor : tensor<2x8xf32>, tensor<f32> -> tensor<2x8xf32>
  %2 = IE.Erf %1 : tensor<2x8xf32> -> tensor<2x8xf32>
  %3 = IE.Add %one, %2 : tensor<1xf32>, tensor<2x8xf32> -> tensor<2x8xf32>
  %4 = IE.Mul %3, %0 : tensor<2x8xf32>, tensor<2x8xf32> -> tensor<2x8xf32>
  return %4 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @tanh_of_sum_with_cube_is_fused
// CHECK-NEXT: IE.Gelu %arg0 {approximate = "tanh"}
// CHECK-NEXT: return
func.func @tanh_of_sum_with_cube_is_fused(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %three = IE.Constant dense<3.0> : tensor<f32>
  %cubic = IE.Constant dense<0.044715> : tensor<f32>
  %scale = IE.Constant dense<0.797884583> : tensor<f32>
  %one = IE.Constant dense<1.0> : tensor<f32>
  %half = IE.Constant dense<0.5> : tensor<f32>
  %0 = IE.Pow %x, %three : tensor<2x8xf32>, tensor<f32> -> tensor<2x8xf32>
  %1 = IE.Mul %0, %cubic : tensor<2x8xf32>, tensor<f32> -> tensor<2x8xf32>
  %2 = IE.Add %x, %1 : tensor<2x8xf32>, tensor<2x8xf32> -> tensor<2x8xf32>
  %3 = IE.Mul %2, %scale : tensor<2x8xf32>, tensor<f32> -> tensor<2x8xf32>
  %4 = IE.Tanh %3 : tensor<2x8xf32> -> tensor<2x8xf32>
  %5 = IE.Add %4, %one : tensor<2x8xf32>, tensor<f32> -> tensor<2x8xf32>
  %6 = IE.Mul %x, %half : tensor<2x8xf32>, tensor<f32> -> tensor<2x8xf32>
  %7 = IE.Mul %6, %5 : tensor<2x8xf32>, tensor<2x8xf32> -> tensor<2x8xf32>
  return %7 : tensor<2x8xf32>
}

// -----

// x * (1 + 0.044715 x^2) for the argument.
// CHECK-LABEL: func @tanh_of_product_with_square_is_fused
// CHECK-NEXT: IE.Gelu %arg0 {approximate = "tanh"}
// CHECK-NEXT: return
func.func @tanh_of_product_with_square_is_fused(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %cubic = IE.Constant dense<0.044715> : tensor<f32>
  %scale = IE.Constant dense<0.797884583> : tensor<f32>
  %one = IE.Constant dense<1.0> : tensor<f32>
  %half = IE.Constant dense<0.5> : tensor<f32>
  %0 = IE.Mul %x, %cubic : tensor<2x8xf32>, tensor<f32> -> tensor<2x8xf32>
  %1 = IE.Mul %0, %x : tensor<2x8xf32>, tensor<2x8xf32> -> tensor<2x8xf32>
  %2 = IE.Add %1, %one : tensor<2x8xf32>, tensor<f32> -> tensor<2x8xf32>
  %3 = IE.Mul %x, %scale : tensor<2x8xf32>, tensor<f32> -> tensor<2x8xf32>
  %4 = IE.Mul %3, %2 : tensor<2x8xf32>, tensor<2x8xf32> -> tensor<2x8xf32>
  %5 = IE.Tanh %4 : tensor<2x8xf32> -> tensor<2x8xf32>
  %6 = IE.Add %5, %one : tensor<2x8xf32>, tensor<f32> -> tensor<2x8xf32>
  %7 = IE.Mul %x, %6 : tensor<2x8xf32>, tensor<2x8xf32> -> tensor<2x8xf32>
  %8 = IE.Mul %half, %7 : tensor<f32>, tensor<2x8xf32> -> tensor<2x8xf32>
  return %8 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @another_scale_stays
// CHECK-NOT: IE.Gelu
func.func @another_scale_stays(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %factor = IE.Constant dense<0.8> : tensor<f32>
  %one = IE.Constant dense<1.0> : tensor<f32>
  %half = IE.Constant dense<0.5> : tensor<f32>
  %0 = IE.Mul %x, %factor : tensor<2x8xf32>, tensor<f32> -> tensor<2x8xf32>
  %1 = IE.Erf %0 : tensor<2x8xf32> -> tensor<2x8xf32>
  %2 = IE.Add %1, %one : tensor<2x8xf32>, tensor<f32> -> tensor<2x8xf32>
  %3 = IE.Mul %x, %2 : tensor<2x8xf32>, tensor<2x8xf32> -> tensor<2x8xf32>
  %4 = IE.Mul %3, %half : tensor<2x8xf32>, tensor<f32> -> tensor<2x8xf32>
  return %4 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @bell_of_another_value_stays
// CHECK-NOT: IE.Gelu
func.func @bell_of_another_value_stays(%x: tensor<2x8xf32>, %y: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %factor = IE.Constant dense<0.70710677> : tensor<f32>
  %one = IE.Constant dense<1.0> : tensor<f32>
  %half = IE.Constant dense<0.5> : tensor<f32>
  %0 = IE.Mul %y, %factor : tensor<2x8xf32>, tensor<f32> -> tensor<2x8xf32>
  %1 = IE.Erf %0 : tensor<2x8xf32> -> tensor<2x8xf32>
  %2 = IE.Add %1, %one : tensor<2x8xf32>, tensor<f32> -> tensor<2x8xf32>
  %3 = IE.Mul %x, %2 : tensor<2x8xf32>, tensor<2x8xf32> -> tensor<2x8xf32>
  %4 = IE.Mul %3, %half : tensor<2x8xf32>, tensor<f32> -> tensor<2x8xf32>
  return %4 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @product_without_half_stays
// CHECK-NOT: IE.Gelu
func.func @product_without_half_stays(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %factor = IE.Constant dense<0.70710677> : tensor<f32>
  %one = IE.Constant dense<1.0> : tensor<f32>
  %0 = IE.Mul %x, %factor : tensor<2x8xf32>, tensor<f32> -> tensor<2x8xf32>
  %1 = IE.Erf %0 : tensor<2x8xf32> -> tensor<2x8xf32>
  %2 = IE.Add %1, %one : tensor<2x8xf32>, tensor<f32> -> tensor<2x8xf32>
  %3 = IE.Mul %x, %2 : tensor<2x8xf32>, tensor<2x8xf32> -> tensor<2x8xf32>
  return %3 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @product_with_its_sigmoid_is_swish
// CHECK-NEXT: %[[Y:.*]] = IE.Swish %arg0 : tensor<2x8xf32> -> tensor<2x8xf32>
// CHECK-NEXT: return %[[Y]]
func.func @product_with_its_sigmoid_is_swish(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = IE.Sigmoid %x : tensor<2x8xf32> -> tensor<2x8xf32>
  %1 = IE.Mul %0, %x : tensor<2x8xf32>, tensor<2x8xf32> -> tensor<2x8xf32>
  return %1 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @sigmoid_of_a_multiple_is_swish_with_alpha
// CHECK-NEXT: IE.Swish %arg0 {alpha = 1.702000e+00 : f32}
// CHECK-NEXT: return
func.func @sigmoid_of_a_multiple_is_swish_with_alpha(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %alpha = IE.Constant dense<1.702> : tensor<f32>
  %0 = IE.Mul %x, %alpha : tensor<2x8xf32>, tensor<f32> -> tensor<2x8xf32>
  %1 = IE.Sigmoid %0 : tensor<2x8xf32> -> tensor<2x8xf32>
  %2 = IE.Mul %x, %1 : tensor<2x8xf32>, tensor<2x8xf32> -> tensor<2x8xf32>
  return %2 : tensor<2x8xf32>
}

// -----

// A product that is activated is no factor of the activation.
// CHECK-LABEL: func @swish_of_a_product_is_fused
// CHECK-NEXT: %[[X:.*]] = IE.Mul %arg0, %arg1
// CHECK-NEXT: IE.Swish %[[X]]
// CHECK-NEXT: return
func.func @swish_of_a_product_is_fused(%a: tensor<2x8xf32>, %b: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %x = IE.Mul %a, %b : tensor<2x8xf32>, tensor<2x8xf32> -> tensor<2x8xf32>
  %0 = IE.Sigmoid %x : tensor<2x8xf32> -> tensor<2x8xf32>
  %1 = IE.Mul %x, %0 : tensor<2x8xf32>, tensor<2x8xf32> -> tensor<2x8xf32>
  return %1 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @sigmoid_with_another_user_stays
// CHECK-NOT: IE.Swish
// CHECK: IE.Mul
func.func @sigmoid_with_another_user_stays(%x: tensor<2x8xf32>) -> (tensor<2x8xf32>, tensor<2x8xf32>) {
  %0 = IE.Sigmoid %x : tensor<2x8xf32> -> tensor<2x8xf32>
  %1 = IE.Mul %x, %0 : tensor<2x8xf32>, tensor<2x8xf32> -> tensor<2x8xf32>
  return %0, %1 : tensor<2x8xf32>, tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @sigmoid_of_another_value_stays
// CHECK-NOT: IE.Swish
// CHECK: IE.Mul
func.func @sigmoid_of_another_value_stays(%x: tensor<2x8xf32>, %y: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = IE.Sigmoid %y : tensor<2x8xf32> -> tensor<2x8xf32>
  %1 = IE.Mul %x, %0 : tensor<2x8xf32>, tensor<2x8xf32> -> tensor<2x8xf32>
  return %1 : tensor<2x8xf32>
}

// -----

// The gate of a squeeze-and-excitation block broadcasts.
// CHECK-LABEL: func @gate_that_is_broadcast_stays
// CHECK-NOT: IE.Swish
// CHECK: IE.Mul
func.func @gate_that_is_broadcast_stays(%x: tensor<1x8xf32>, %y: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = IE.Sigmoid %x : tensor<1x8xf32> -> tensor<1x8xf32>
  %1 = IE.Mul %y, %0 : tensor<2x8xf32>, tensor<1x8xf32> -> tensor<2x8xf32>
  return %1 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @logistic_function_is_sigmoid
// CHECK-NEXT: IE.Sigmoid %arg0
// CHECK-NEXT: return
func.func @logistic_function_is_sigmoid(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %one = IE.Constant dense<1.0> : tensor<f32>
  %0 = IE.Neg %x : tensor<2x8xf32> -> tensor<2x8xf32>
  %1 = IE.Exp %0 : tensor<2x8xf32> -> tensor<2x8xf32>
  %2 = IE.Add %1, %one : tensor<2x8xf32>, tensor<f32> -> tensor<2x8xf32>
  %3 = IE.Div %one, %2 : tensor<f32>, tensor<2x8xf32> -> tensor<2x8xf32>
  return %3 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @x_over_logistic_denominator_is_swish
// CHECK-NEXT: IE.Swish %arg0
// CHECK-NEXT: return
func.func @x_over_logistic_denominator_is_swish(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %one = IE.Constant dense<1.0> : tensor<f32>
  %0 = IE.Neg %x : tensor<2x8xf32> -> tensor<2x8xf32>
  %1 = IE.Exp %0 : tensor<2x8xf32> -> tensor<2x8xf32>
  %2 = IE.Add %one, %1 : tensor<f32>, tensor<2x8xf32> -> tensor<2x8xf32>
  %3 = IE.Div %x, %2 : tensor<2x8xf32>, tensor<2x8xf32> -> tensor<2x8xf32>
  return %3 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @growth_is_no_logistic_function
// CHECK-NOT: IE.Sigmoid
// CHECK: IE.Div
func.func @growth_is_no_logistic_function(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %one = IE.Constant dense<1.0> : tensor<f32>
  %0 = IE.Exp %x : tensor<2x8xf32> -> tensor<2x8xf32>
  %1 = IE.Add %0, %one : tensor<2x8xf32>, tensor<f32> -> tensor<2x8xf32>
  %2 = IE.Div %one, %1 : tensor<f32>, tensor<2x8xf32> -> tensor<2x8xf32>
  return %2 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @clipped_ramp_is_hard_sigmoid
// CHECK-NEXT: IE.HardSigmoid %arg0 {alpha = 0.16666{{[0-9]*}} : f32}
// CHECK-NEXT: return
func.func @clipped_ramp_is_hard_sigmoid(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %zero = IE.Constant dense<0.0> : tensor<f32>
  %three = IE.Constant dense<3.0> : tensor<f32>
  %six = IE.Constant dense<6.0> : tensor<f32>
  %0 = IE.Add %x, %three : tensor<2x8xf32>, tensor<f32> -> tensor<2x8xf32>
  %1 = IE.Clip %0 min(%zero : tensor<f32>) max(%six : tensor<f32>) : tensor<2x8xf32> -> tensor<2x8xf32>
  %2 = IE.Div %1, %six : tensor<2x8xf32>, tensor<f32> -> tensor<2x8xf32>
  return %2 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @product_before_the_sixth_is_hard_swish
// CHECK-NEXT: IE.HardSwish %arg0
// CHECK-NEXT: return
func.func @product_before_the_sixth_is_hard_swish(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %zero = IE.Constant dense<0.0> : tensor<f32>
  %three = IE.Constant dense<3.0> : tensor<f32>
  %six = IE.Constant dense<6.0> : tensor<f32>
  %0 = IE.Add %three, %x : tensor<f32>, tensor<2x8xf32> -> tensor<2x8xf32>
  %1 = IE.Clip %0 min(%zero : tensor<f32>) max(%six : tensor<f32>) : tensor<2x8xf32> -> tensor<2x8xf32>
  %2 = IE.Mul %x, %1 : tensor<2x8xf32>, tensor<2x8xf32> -> tensor<2x8xf32>
  %3 = IE.Div %2, %six : tensor<2x8xf32>, tensor<f32> -> tensor<2x8xf32>
  return %3 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @product_after_the_sixth_is_hard_swish
// CHECK-NEXT: IE.HardSwish %arg0
// CHECK-NEXT: return
func.func @product_after_the_sixth_is_hard_swish(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %zero = IE.Constant dense<0.0> : tensor<f32>
  %three = IE.Constant dense<3.0> : tensor<f32>
  %six = IE.Constant dense<6.0> : tensor<f32>
  %sixth = IE.Constant dense<0.16666667> : tensor<f32>
  %0 = IE.Add %x, %three : tensor<2x8xf32>, tensor<f32> -> tensor<2x8xf32>
  %1 = IE.Clip %0 min(%zero : tensor<f32>) max(%six : tensor<f32>) : tensor<2x8xf32> -> tensor<2x8xf32>
  %2 = IE.Mul %1, %sixth : tensor<2x8xf32>, tensor<f32> -> tensor<2x8xf32>
  %3 = IE.Mul %2, %x : tensor<2x8xf32>, tensor<2x8xf32> -> tensor<2x8xf32>
  return %3 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @other_bound_is_no_hard_swish
// CHECK-NOT: IE.HardS
// CHECK: IE.Div
func.func @other_bound_is_no_hard_swish(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %zero = IE.Constant dense<0.0> : tensor<f32>
  %three = IE.Constant dense<3.0> : tensor<f32>
  %five = IE.Constant dense<5.0> : tensor<f32>
  %six = IE.Constant dense<6.0> : tensor<f32>
  %0 = IE.Add %x, %three : tensor<2x8xf32>, tensor<f32> -> tensor<2x8xf32>
  %1 = IE.Clip %0 min(%zero : tensor<f32>) max(%five : tensor<f32>) : tensor<2x8xf32> -> tensor<2x8xf32>
  %2 = IE.Mul %x, %1 : tensor<2x8xf32>, tensor<2x8xf32> -> tensor<2x8xf32>
  %3 = IE.Div %2, %six : tensor<2x8xf32>, tensor<f32> -> tensor<2x8xf32>
  return %3 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @product_with_hard_sigmoid_is_hard_swish
// CHECK-NEXT: IE.HardSwish %arg0
// CHECK-NEXT: return
func.func @product_with_hard_sigmoid_is_hard_swish(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = IE.HardSigmoid %x {alpha = 0.16666667 : f32} : tensor<2x8xf32> -> tensor<2x8xf32>
  %1 = IE.Mul %x, %0 : tensor<2x8xf32>, tensor<2x8xf32> -> tensor<2x8xf32>
  return %1 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @product_with_other_slope_stays
// CHECK-NOT: IE.HardSwish
// CHECK: IE.Mul
func.func @product_with_other_slope_stays(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = IE.HardSigmoid %x {alpha = 0.2 : f32} : tensor<2x8xf32> -> tensor<2x8xf32>
  %1 = IE.Mul %x, %0 : tensor<2x8xf32>, tensor<2x8xf32> -> tensor<2x8xf32>
  return %1 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @product_with_tanh_of_softplus_is_mish
// CHECK-NEXT: IE.Mish %arg0
// CHECK-NEXT: return
func.func @product_with_tanh_of_softplus_is_mish(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = IE.Softplus %x : tensor<2x8xf32> -> tensor<2x8xf32>
  %1 = IE.Tanh %0 : tensor<2x8xf32> -> tensor<2x8xf32>
  %2 = IE.Mul %x, %1 : tensor<2x8xf32>, tensor<2x8xf32> -> tensor<2x8xf32>
  return %2 : tensor<2x8xf32>
}

// -----

// The f16 next to the root of two.
// CHECK-LABEL: func @root_of_two_as_an_f16_is_fused
// CHECK-NEXT: IE.Gelu %arg0
func.func @root_of_two_as_an_f16_is_fused(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %sqrt2 = IE.Constant dense<1.4140625> : tensor<f32>
  %one = IE.Constant dense<1.0> : tensor<f32>
  %half = IE.Constant dense<0.5> : tensor<f32>
  %0 = IE.Div %x, %sqrt2 : tensor<2x8xf32>, tensor<f32> -> tensor<2x8xf32>
  %1 = IE.Erf %0 : tensor<2x8xf32> -> tensor<2x8xf32>
  %2 = IE.Add %1, %one : tensor<2x8xf32>, tensor<f32> -> tensor<2x8xf32>
  %3 = IE.Mul %x, %2 : tensor<2x8xf32>, tensor<2x8xf32> -> tensor<2x8xf32>
  %4 = IE.Mul %3, %half : tensor<2x8xf32>, tensor<f32> -> tensor<2x8xf32>
  return %4 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @other_factor_is_not_fused
// CHECK-NOT: IE.Gelu
// CHECK: return
func.func @other_factor_is_not_fused(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %sqrt2 = IE.Constant dense<1.412> : tensor<f32>
  %one = IE.Constant dense<1.0> : tensor<f32>
  %half = IE.Constant dense<0.5> : tensor<f32>
  %0 = IE.Div %x, %sqrt2 : tensor<2x8xf32>, tensor<f32> -> tensor<2x8xf32>
  %1 = IE.Erf %0 : tensor<2x8xf32> -> tensor<2x8xf32>
  %2 = IE.Add %1, %one : tensor<2x8xf32>, tensor<f32> -> tensor<2x8xf32>
  %3 = IE.Mul %x, %2 : tensor<2x8xf32>, tensor<2x8xf32> -> tensor<2x8xf32>
  %4 = IE.Mul %3, %half : tensor<2x8xf32>, tensor<f32> -> tensor<2x8xf32>
  return %4 : tensor<2x8xf32>
}

// -----

// A sixth, and 0.1, are other numbers in f32.

// CHECK-LABEL: func @parameters_of_f64_that_f32_does_not_hold_stay
// CHECK: IE.Clip
// CHECK-NOT: IE.HardSigmoid
// CHECK: IE.Sigmoid
// CHECK: IE.Swish %arg0 {alpha = 2.500000e-01 : f32}
func.func @parameters_of_f64_that_f32_does_not_hold_stay(%x: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) {
  %zero = IE.Constant dense<0.0> : tensor<f64>
  %three = IE.Constant dense<3.0> : tensor<f64>
  %six = IE.Constant dense<6.0> : tensor<f64>
  %tenth = IE.Constant dense<0.1> : tensor<f64>
  %quarter = IE.Constant dense<0.25> : tensor<f64>
  %0 = IE.Add %x, %three : tensor<4xf64>, tensor<f64> -> tensor<4xf64>
  %1 = IE.Clip %0 min(%zero : tensor<f64>) max(%six : tensor<f64>) : tensor<4xf64> -> tensor<4xf64>
  %2 = IE.Div %1, %six : tensor<4xf64>, tensor<f64> -> tensor<4xf64>
  %3 = IE.Mul %x, %tenth : tensor<4xf64>, tensor<f64> -> tensor<4xf64>
  %4 = IE.Sigmoid %3 : tensor<4xf64> -> tensor<4xf64>
  %5 = IE.Mul %x, %4 : tensor<4xf64>, tensor<4xf64> -> tensor<4xf64>
  %6 = IE.Mul %x, %quarter : tensor<4xf64>, tensor<f64> -> tensor<4xf64>
  %7 = IE.Sigmoid %6 : tensor<4xf64> -> tensor<4xf64>
  %8 = IE.Mul %x, %7 : tensor<4xf64>, tensor<4xf64> -> tensor<4xf64>
  return %2, %5, %8 : tensor<4xf64>, tensor<4xf64>, tensor<4xf64>
}
