// RUN: nacre-opt %s -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func @transforms_infer_the_number_of_bins
func.func @transforms_infer_the_number_of_bins(%x: tensor<2x9x1xf32>) -> (tensor<2x5x2xf32>, tensor<2x16x2xf32>) {
  %axis = IE.Constant dense<1> : tensor<i64>
  %n = IE.Constant dense<16> : tensor<i64>
  // CHECK: IE.DFT(%{{.*}}) axis(%{{.*}} : tensor<i64>) {onesided = 1 : i64} : (tensor<2x9x1xf32>) -> tensor<2x5x2xf32>
  %0 = IE.DFT(%x) axis(%axis : tensor<i64>) {onesided = 1 : i64} : (tensor<2x9x1xf32>) -> tensor<2x5x2xf32>
  // CHECK: IE.DFT(%{{.*}}) length(%{{.*}} : tensor<i64>) : (tensor<2x9x1xf32>) -> tensor<2x16x2xf32>
  %1 = IE.DFT(%x) length(%n : tensor<i64>) : (tensor<2x9x1xf32>) -> tensor<2x16x2xf32>
  return %0, %1 : tensor<2x5x2xf32>, tensor<2x16x2xf32>
}

// CHECK-LABEL: func @frames_overlap_by_their_step
func.func @frames_overlap_by_their_step(%x: tensor<1x128x1xf32>, %w: tensor<16xf32>) -> tensor<1x15x9x2xf32> {
  %step = IE.Constant dense<8> : tensor<i64>
  // CHECK: IE.STFT(%{{.*}}, %{{.*}}) window(%{{.*}} : tensor<16xf32>) : (tensor<1x128x1xf32>, tensor<i64>) -> tensor<1x15x9x2xf32>
  %0 = IE.STFT(%x, %step) window(%w : tensor<16xf32>) : (tensor<1x128x1xf32>, tensor<i64>) -> tensor<1x15x9x2xf32>
  return %0 : tensor<1x15x9x2xf32>
}

// CHECK-LABEL: func @mel_weights_of_constants_are_static
func.func @mel_weights_of_constants_are_static(%f: tensor<f32>) -> tensor<9x8xf32> {
  %bins = IE.Constant dense<8> : tensor<i64>
  %n = IE.Constant dense<16> : tensor<i64>
  // CHECK: IE.MelWeightMatrix({{.*}}) : (tensor<i64>, tensor<i64>, tensor<i64>, tensor<f32>, tensor<f32>) -> tensor<9x8xf32>
  %0 = IE.MelWeightMatrix(%bins, %n, %n, %f, %f) : (tensor<i64>, tensor<i64>, tensor<i64>, tensor<f32>, tensor<f32>) -> tensor<9x8xf32>
  return %0 : tensor<9x8xf32>
}

// -----

func.func @transform_along_the_parts_is_an_error(%x: tensor<2x9x1xf32>) {
  %axis = IE.Constant dense<2> : tensor<i64>
  // expected-error @+2 {{expected an axis other than the last}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.DFT(%x) axis(%axis : tensor<i64>) : (tensor<2x9x1xf32>) -> tensor<?x?x2xf32>
  return
}

// -----

func.func @transform_of_three_parts_is_an_error(%x: tensor<9x3xf32>) {
  // expected-error @+2 {{expected a last dimension of 1 or 2, found 'tensor<9x3xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.DFT(%x) : (tensor<9x3xf32>) -> tensor<9x2xf32>
  return
}

// -----

func.func @transform_of_no_length_is_an_error(%x: tensor<9x1xf32>) {
  %n = IE.Constant dense<0> : tensor<i64>
  // expected-error @+2 {{expected a positive length of a transform, found 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.DFT(%x) length(%n : tensor<i64>) : (tensor<9x1xf32>) -> tensor<?x2xf32>
  return
}

// -----

func.func @half_an_inverse_transform_is_an_error(%x: tensor<9x1xf32>) {
  // expected-error @+1 {{expected 'onesided' = 0 where 'inverse' is 1}}
  %0 = IE.DFT(%x) {inverse = 1 : i64, onesided = 1 : i64} : (tensor<9x1xf32>) -> tensor<5x2xf32>
  return
}

// -----

func.func @half_a_transform_of_complex_numbers_is_an_error(%x: tensor<9x2xf32>) {
  // expected-error @+1 {{expected a real signal where 'onesided' is 1, found 'tensor<9x2xf32>'}}
  %0 = IE.DFT(%x) {onesided = 1 : i64} : (tensor<9x2xf32>) -> tensor<5x2xf32>
  return
}

// -----

func.func @frames_of_no_length_are_an_error(%x: tensor<1x128x1xf32>, %step: tensor<i64>) {
  // expected-error @+2 {{expected a window or a frame length}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.STFT(%x, %step) : (tensor<1x128x1xf32>, tensor<i64>) -> tensor<1x?x?x2xf32>
  return
}

// -----

func.func @frames_without_a_step_are_an_error(%x: tensor<1x128x1xf32>, %w: tensor<16xf32>) {
  %step = IE.Constant dense<0> : tensor<i64>
  // expected-error @+2 {{expected a positive frame step, found 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.STFT(%x, %step) window(%w : tensor<16xf32>) : (tensor<1x128x1xf32>, tensor<i64>) -> tensor<1x?x9x2xf32>
  return
}

// -----

func.func @frames_beyond_the_signal_are_an_error(%x: tensor<1x8x1xf32>, %w: tensor<16xf32>) {
  %step = IE.Constant dense<4> : tensor<i64>
  // expected-error @+2 {{expected frames within the signal's 8 elements, found frames of 16}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.STFT(%x, %step) window(%w : tensor<16xf32>) : (tensor<1x8x1xf32>, tensor<i64>) -> tensor<1x?x9x2xf32>
  return
}

// -----

func.func @mel_weights_of_no_bins_are_an_error(%n: tensor<i64>, %f: tensor<f32>) {
  %bins = IE.Constant dense<0> : tensor<i64>
  // expected-error @+2 {{expected a positive number of bins, found 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.MelWeightMatrix(%bins, %n, %n, %f, %f) : (tensor<i64>, tensor<i64>, tensor<i64>, tensor<f32>, tensor<f32>) -> tensor<?x?xf32>
  return
}
