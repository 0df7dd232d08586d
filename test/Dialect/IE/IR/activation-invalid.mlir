// RUN: nacre-opt %s -split-input-file -verify-diagnostics

func.func @relu_of_bools_is_rejected(%x: tensor<8xi1>) {
  // expected-error @below {{operand #0 must be ranked tensor of number values}}
  %0 = IE.Relu %x : tensor<8xi1> -> tensor<8xi1>
  return
}

// -----

func.func @sigmoid_of_ints_is_rejected(%x: tensor<8xi32>) {
  // expected-error @below {{operand #0 must be ranked tensor of floating point values}}
  %0 = IE.Sigmoid %x : tensor<8xi32> -> tensor<8xi32>
  return
}

// -----

func.func @gelu_with_unknown_approximation_is_rejected(%x: tensor<8xf32>) {
  // expected-error @below {{attribute 'approximate' failed to satisfy constraint: 'none' or 'tanh'}}
  %0 = IE.Gelu %x {approximate = "erf"} : tensor<8xf32> -> tensor<8xf32>
  return
}

// -----

func.func @celu_with_zero_alpha_is_rejected(%x: tensor<8xf32>) {
  // expected-error @below {{expected alpha other than zero, which divides}}
  %0 = IE.Celu %x {alpha = 0.0 : f32} : tensor<8xf32> -> tensor<8xf32>
  return
}

// -----

func.func @prelu_with_larger_slope_is_rejected(%x: tensor<8xf32>, %s: tensor<2x8xf32>) {
  // expected-error @below {{expected a slope that broadcasts to the input 'tensor<8xf32>', found 'tensor<2x8xf32>'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = IE.PRelu %x, %s : tensor<8xf32>, tensor<2x8xf32> -> tensor<8xf32>
  return
}

// -----

func.func @prelu_with_slope_that_widens_is_rejected(%x: tensor<2x1xf32>, %s: tensor<8xf32>) {
  // expected-error @below {{expected a slope that broadcasts to the input 'tensor<2x1xf32>', found 'tensor<8xf32>'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = IE.PRelu %x, %s : tensor<2x1xf32>, tensor<8xf32> -> tensor<2x1xf32>
  return
}
