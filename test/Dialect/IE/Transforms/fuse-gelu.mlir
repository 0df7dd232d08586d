// RUN: nacre-opt %s --ie-fuse-gelu --split-input-file | FileCheck %s

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
