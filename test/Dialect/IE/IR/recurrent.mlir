// RUN: nacre-opt %s -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func @lstm_of_both_directions
func.func @lstm_of_both_directions(%x: tensor<5x?x2xf32>, %w: tensor<2x16x2xf32>, %r: tensor<2x16x4xf32>)
    -> (tensor<5x2x?x4xf32>, tensor<2x?x4xf32>, tensor<2x?x4xf32>) {
  // CHECK: IE.LSTM(%{{.*}}, %{{.*}}, %{{.*}}) {clip = 1.000000e+00 : f32, direction = "bidirectional", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0>}
  // CHECK-SAME: -> (tensor<5x2x?x4xf32>, tensor<2x?x4xf32>, tensor<2x?x4xf32>)
  %0:3 = IE.LSTM(%x, %w, %r) {direction = "bidirectional", clip = 1.0 : f32, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0>}
      : (tensor<5x?x2xf32>, tensor<2x16x2xf32>, tensor<2x16x4xf32>) -> (tensor<5x2x?x4xf32>, tensor<2x?x4xf32>, tensor<2x?x4xf32>)
  return %0#0, %0#1, %0#2 : tensor<5x2x?x4xf32>, tensor<2x?x4xf32>, tensor<2x?x4xf32>
}

// CHECK-LABEL: func @gru_with_the_batch_first
func.func @gru_with_the_batch_first(%x: tensor<3x5x2xf64>, %w: tensor<1x12x2xf64>, %r: tensor<1x12x4xf64>) -> (tensor<3x5x1x4xf64>, tensor<3x1x4xf64>) {
  // CHECK: IE.GRU{{.*}} -> (tensor<3x5x1x4xf64>, tensor<3x1x4xf64>)
  %0:2 = IE.GRU(%x, %w, %r) {layout = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>}
      : (tensor<3x5x2xf64>, tensor<1x12x2xf64>, tensor<1x12x4xf64>) -> (tensor<3x5x1x4xf64>, tensor<3x1x4xf64>)
  return %0#0, %0#1 : tensor<3x5x1x4xf64>, tensor<3x1x4xf64>
}

// -----

func.func @rnn_of_other_weights_is_an_error(%x: tensor<5x1x2xf32>, %w: tensor<1x4x3xf32>, %r: tensor<1x4x4xf32>) {
  // expected-error @+1 {{expected W of type 'tensor<1x4x2xf32>', found 'tensor<1x4x3xf32>'}}
  %0:2 = IE.RNN(%x, %w, %r) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>}
      : (tensor<5x1x2xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>) -> (tensor<5x1x1x4xf32>, tensor<1x1x4xf32>)
  return
}

// -----

func.func @rnn_of_two_ranks_is_an_error(%x: tensor<5x2xf32>, %w: tensor<1x4x2xf32>, %r: tensor<1x4x4xf32>) {
  // expected-error @+2 {{expected X and R of three dimensions, found 'tensor<5x2xf32>' and 'tensor<1x4x4xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = IE.RNN(%x, %w, %r) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>}
      : (tensor<5x2xf32>, tensor<1x4x2xf32>, tensor<1x4x4xf32>) -> (tensor<5x1x1x4xf32>, tensor<1x1x4xf32>)
  return
}

// -----

func.func @rnn_of_another_hidden_size_is_an_error(%x: tensor<5x1x2xf32>, %w: tensor<1x4x2xf32>, %r: tensor<1x4x4xf32>) {
  // expected-error @+1 {{expected R of hidden_size 3, found 'tensor<1x4x4xf32>'}}
  %0:2 = IE.RNN(%x, %w, %r) {hidden_size = 3 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>}
      : (tensor<5x1x2xf32>, tensor<1x4x2xf32>, tensor<1x4x4xf32>) -> (tensor<5x1x1x4xf32>, tensor<1x1x4xf32>)
  return
}

// -----

func.func @rnn_of_an_unknown_function_is_an_error(%x: tensor<5x1x2xf32>, %w: tensor<1x4x2xf32>, %r: tensor<1x4x4xf32>) {
  // expected-error @+1 {{expected activations of ONNX, found "Cosine"}}
  %0:2 = IE.RNN(%x, %w, %r) {activations = ["Cosine"], operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>}
      : (tensor<5x1x2xf32>, tensor<1x4x2xf32>, tensor<1x4x4xf32>) -> (tensor<5x1x1x4xf32>, tensor<1x1x4xf32>)
  return
}

// -----

func.func @gru_of_too_few_functions_is_an_error(%x: tensor<5x1x2xf32>, %w: tensor<1x12x2xf32>, %r: tensor<1x12x4xf32>) {
  // expected-error @+1 {{expected 2 activations, found 1}}
  %0:2 = IE.GRU(%x, %w, %r) {activations = ["Tanh"], operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>}
      : (tensor<5x1x2xf32>, tensor<1x12x2xf32>, tensor<1x12x4xf32>) -> (tensor<5x1x1x4xf32>, tensor<1x1x4xf32>)
  return
}

// -----

func.func @lstm_of_other_peepholes_is_an_error(%x: tensor<5x1x2xf32>, %w: tensor<1x16x2xf32>, %r: tensor<1x16x4xf32>, %p: tensor<1x4xf32>) {
  // expected-error @+1 {{expected P of type 'tensor<1x12xf32>', found 'tensor<1x4xf32>'}}
  %0:3 = IE.LSTM(%x, %w, %r, %p) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 1>}
      : (tensor<5x1x2xf32>, tensor<1x16x2xf32>, tensor<1x16x4xf32>, tensor<1x4xf32>) -> (tensor<5x1x1x4xf32>, tensor<1x1x4xf32>, tensor<1x1x4xf32>)
  return
}
