// RUN: nacre-opt %s -convert-ie-to-linalg -canonicalize -split-input-file | FileCheck %s

// CHECK-LABEL: func @relu_of_floats_lowers
func.func @relu_of_floats_lowers(%a: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // CHECK: linalg.generic
  // CHECK: arith.maximumf
  %0 = IE.Relu %a : tensor<2x8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @hard_swish_of_floats_lowers
func.func @hard_swish_of_floats_lowers(%a: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // CHECK: linalg.generic
  // CHECK: arith.minimumf
  // CHECK: arith.maximumf
  // CHECK: arith.mulf
  %0 = IE.HardSwish %a : tensor<2x8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @mish_of_floats_lowers
func.func @mish_of_floats_lowers(%a: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // CHECK: linalg.generic
  // CHECK: math.absf
  // CHECK: math.exp
  // CHECK: math.log1p
  // CHECK: math.tanh
  // CHECK: arith.mulf
  %0 = IE.Mish %a : tensor<2x8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @swish_of_floats_lowers
func.func @swish_of_floats_lowers(%a: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // CHECK: %[[ALPHA:.*]] = arith.constant 1.702000e+00 : f32
  // CHECK: linalg.generic
  // CHECK: ^bb0(%[[X:.*]]: f32, %{{.*}}: f32):
  // CHECK: %[[SCALED:.*]] = arith.mulf %[[X]], %[[ALPHA]]
  // CHECK: %[[NEGATED:.*]] = arith.negf %[[SCALED]]
  // CHECK: math.exp %[[NEGATED]]
  // CHECK: %[[GATE:.*]] = arith.divf
  // CHECK: arith.mulf %[[X]], %[[GATE]]
  %0 = IE.Swish %a {alpha = 1.702 : f32} : tensor<2x8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @sigmoid_of_floats_lowers
func.func @sigmoid_of_floats_lowers(%a: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // CHECK: linalg.generic
  // CHECK: arith.negf
  // CHECK: math.exp
  // CHECK: arith.addf
  // CHECK: arith.divf
  %0 = IE.Sigmoid %a : tensor<2x8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @softplus_of_floats_lowers
func.func @softplus_of_floats_lowers(%a: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // CHECK: linalg.generic
  // CHECK: math.absf
  // CHECK: math.exp
  // CHECK: math.log1p
  // CHECK: arith.maximumf
  // CHECK: arith.addf
  %0 = IE.Softplus %a : tensor<2x8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @softsign_of_floats_lowers
func.func @softsign_of_floats_lowers(%a: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // CHECK: linalg.generic
  // CHECK: math.absf
  // CHECK: arith.addf
  // CHECK: arith.divf
  %0 = IE.Softsign %a : tensor<2x8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @tanh_of_floats_lowers
func.func @tanh_of_floats_lowers(%a: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // CHECK: linalg.generic
  // CHECK: math.tanh
  %0 = IE.Tanh %a : tensor<2x8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @leaky_relu_of_floats_lowers
func.func @leaky_relu_of_floats_lowers(%a: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // CHECK: linalg.generic
  // CHECK: ^bb0(%[[X:.*]]: f32, %{{.*}}: f32):
  // CHECK: %[[SCALED:.*]] = arith.mulf
  // CHECK: %[[LESS:.*]] = arith.cmpf olt, %[[SCALED]], %[[X]]
  // CHECK: arith.select %[[LESS]], %[[X]], %[[SCALED]]
  %0 = IE.LeakyRelu %a {alpha = 0.25 : f32} : tensor<2x8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// Above 1, and below 0, the multiple is not the larger one.

// CHECK-LABEL: func @leaky_relu_of_steep_slope_lowers
func.func @leaky_relu_of_steep_slope_lowers(%a: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // CHECK: linalg.generic
  // CHECK: arith.mulf
  // CHECK: arith.cmpf olt
  // CHECK: arith.select
  %0 = IE.LeakyRelu %a {alpha = 2.0 : f32} : tensor<2x8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @elu_of_floats_lowers
func.func @elu_of_floats_lowers(%a: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // CHECK: linalg.generic
  // CHECK: math.expm1
  // CHECK: arith.cmpf olt
  // CHECK: arith.select
  %0 = IE.Elu %a : tensor<2x8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @celu_of_floats_lowers
func.func @celu_of_floats_lowers(%a: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // CHECK: linalg.generic
  // CHECK: arith.divf
  // CHECK: math.expm1
  // CHECK: arith.maximumf
  // CHECK: arith.minimumf
  // CHECK: arith.addf
  %0 = IE.Celu %a {alpha = 2.0 : f32} : tensor<2x8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @selu_of_floats_lowers
func.func @selu_of_floats_lowers(%a: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // CHECK: linalg.generic
  // CHECK: math.expm1
  // CHECK: arith.cmpf olt
  // CHECK: arith.select
  // CHECK: arith.mulf
  %0 = IE.Selu %a : tensor<2x8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @thresholded_relu_of_floats_lowers
func.func @thresholded_relu_of_floats_lowers(%a: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // CHECK: linalg.generic
  // CHECK: arith.cmpf ole
  // CHECK: arith.select
  %0 = IE.ThresholdedRelu %a : tensor<2x8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @hard_sigmoid_of_floats_lowers
func.func @hard_sigmoid_of_floats_lowers(%a: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // CHECK: linalg.generic
  // CHECK: arith.mulf
  // CHECK: arith.addf
  // CHECK: arith.minimumf
  // CHECK: arith.maximumf
  %0 = IE.HardSigmoid %a : tensor<2x8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @shrink_of_floats_lowers
func.func @shrink_of_floats_lowers(%a: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // CHECK: linalg.generic
  // CHECK: arith.cmpf ole
  // CHECK: arith.cmpf ole
  // CHECK: arith.andi
  // CHECK: arith.addf
  // CHECK: arith.subf
  // CHECK: arith.select
  %0 = IE.Shrink %a {bias = 0.5 : f32} : tensor<2x8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @gelu_of_floats_lowers
func.func @gelu_of_floats_lowers(%a: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // CHECK: linalg.generic
  // CHECK: math.erf
  // CHECK: arith.addf
  // CHECK: arith.mulf
  %0 = IE.Gelu %a : tensor<2x8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @gelu_with_tanh_of_floats_lowers
func.func @gelu_with_tanh_of_floats_lowers(%a: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // CHECK: linalg.generic
  // CHECK: math.tanh
  // CHECK: arith.addf
  // CHECK: arith.mulf
  %0 = IE.Gelu %a {approximate = "tanh"} : tensor<2x8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @relu_of_signed_ints_lowers
func.func @relu_of_signed_ints_lowers(%a: tensor<2x8xi32>) -> tensor<2x8xi32> {
  // CHECK: linalg.generic
  // CHECK: arith.maxsi
  %0 = IE.Relu %a : tensor<2x8xi32> -> tensor<2x8xi32>
  return %0 : tensor<2x8xi32>
}

// -----

// CHECK-LABEL: func @shrink_of_ints_goes_through_f64
func.func @shrink_of_ints_goes_through_f64(%a: tensor<2x8xi32>) -> tensor<2x8xi32> {
  // CHECK: linalg.generic
  // CHECK: arith.sitofp %{{.*}} : i32 to f64
  // CHECK: arith.fptosi %{{.*}} : f64 to i32
  %0 = IE.Shrink %a : tensor<2x8xi32> -> tensor<2x8xi32>
  return %0 : tensor<2x8xi32>
}

// -----

// CHECK-LABEL: func @sigmoid_of_bfloats_computes_in_f32
func.func @sigmoid_of_bfloats_computes_in_f32(%a: tensor<8xbf16>) -> tensor<8xbf16> {
  // CHECK: linalg.generic
  // CHECK: arith.extf %{{.*}} : bf16 to f32
  // CHECK: arith.truncf %{{.*}} : f32 to bf16
  %0 = IE.Sigmoid %a : tensor<8xbf16> -> tensor<8xbf16>
  return %0 : tensor<8xbf16>
}

// -----

// CHECK-LABEL: func @prelu_broadcasts_slope
func.func @prelu_broadcasts_slope(%a: tensor<1x4x8x8xf32>, %b: tensor<4x1x1xf32>) -> tensor<1x4x8x8xf32> {
  // CHECK: linalg.generic
  // CHECK: arith.mulf
  // CHECK: arith.select
  %0 = IE.PRelu %a, %b : tensor<1x4x8x8xf32>, tensor<4x1x1xf32> -> tensor<1x4x8x8xf32>
  return %0 : tensor<1x4x8x8xf32>
}
