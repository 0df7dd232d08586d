// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-fuse-quantization))' -split-input-file | FileCheck %s

// Integers that stand for floats of the same scale and zero point.
// CHECK-LABEL: func @pair_of_the_same_parameters_is_left_out
// CHECK-NEXT: return %arg0
func.func @pair_of_the_same_parameters_is_left_out(%x: tensor<2x3xui8>) -> tensor<2x3xui8> {
  %s = IE.Constant dense<0.1> : tensor<f32>
  %z = IE.Constant dense<7> : tensor<ui8>
  %t = IE.Constant dense<0.1> : tensor<f32>
  %0 = IE.DequantizeLinear(%x, %s, %z) : (tensor<2x3xui8>, tensor<f32>, tensor<ui8>) -> tensor<2x3xf32>
  %1 = IE.QuantizeLinear(%0, %t, %z) : (tensor<2x3xf32>, tensor<f32>, tensor<ui8>) -> tensor<2x3xui8>
  return %1 : tensor<2x3xui8>
}

// -----

// As a MaxPool between two has it, which is one of integers.
// CHECK-LABEL: func @maxpool_is_one_of_integers
// CHECK: %[[P:.*]] = IE.MaxPool(%arg0) {{.*}} : (tensor<1x3x8x8xi8>) -> tensor<1x3x7x7xi8>
// CHECK: return %[[P]]
func.func @maxpool_is_one_of_integers(%x: tensor<1x3x8x8xi8>) -> tensor<1x3x7x7xi8> {
  %s = IE.Constant dense<0.1> : tensor<f32>
  %z = IE.Constant dense<-7> : tensor<i8>
  %0 = IE.DequantizeLinear(%x, %s, %z) : (tensor<1x3x8x8xi8>, tensor<f32>, tensor<i8>) -> tensor<1x3x8x8xf32>
  %1 = IE.MaxPool(%0) {kernel_shape = array<i64: 2, 2>} : (tensor<1x3x8x8xf32>) -> tensor<1x3x7x7xf32>
  %2 = IE.QuantizeLinear(%1, %s, %z) : (tensor<1x3x7x7xf32>, tensor<f32>, tensor<i8>) -> tensor<1x3x7x7xi8>
  return %2 : tensor<1x3x7x7xi8>
}

// -----

// CHECK-LABEL: func @floats_that_others_read_stay
// CHECK: %[[F:.*]] = IE.DequantizeLinear(%arg0
// CHECK-NEXT: return %arg0, %[[F]]
func.func @floats_that_others_read_stay(%x: tensor<2x3xui8>) -> (tensor<2x3xui8>, tensor<2x3xf32>) {
  %s = IE.Constant dense<0.1> : tensor<f32>
  %0 = IE.DequantizeLinear(%x, %s) : (tensor<2x3xui8>, tensor<f32>) -> tensor<2x3xf32>
  %1 = IE.QuantizeLinear(%0, %s) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xui8>
  return %1, %0 : tensor<2x3xui8>, tensor<2x3xf32>
}

// -----

// CHECK-LABEL: func @sizes_may_be_open_and_elements_16_bits
// CHECK-NEXT: return %arg0
func.func @sizes_may_be_open_and_elements_16_bits(%x: tensor<?x3xi16>) -> tensor<?x3xi16> {
  %s = IE.Constant dense<[0.1, 0.2, 0.3]> : tensor<3xf32>
  %z = IE.Constant dense<0> : tensor<3xi16>
  %0 = IE.DequantizeLinear(%x, %s, %z) {axis = -1 : i64} : (tensor<?x3xi16>, tensor<3xf32>, tensor<3xi16>) -> tensor<?x3xf32>
  %1 = IE.QuantizeLinear(%0, %s, %z) : (tensor<?x3xf32>, tensor<3xf32>, tensor<3xi16>) -> tensor<?x3xi16>
  return %1 : tensor<?x3xi16>
}

// -----

// CHECK-LABEL: func @other_parameters_change_integers
// CHECK: IE.DequantizeLinear
// CHECK: IE.QuantizeLinear
func.func @other_parameters_change_integers(%x: tensor<2x3xui8>) -> tensor<2x3xui8> {
  %s = IE.Constant dense<0.1> : tensor<f32>
  %t = IE.Constant dense<0.2> : tensor<f32>
  %0 = IE.DequantizeLinear(%x, %s) : (tensor<2x3xui8>, tensor<f32>) -> tensor<2x3xf32>
  %1 = IE.QuantizeLinear(%0, %t) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xui8>
  return %1 : tensor<2x3xui8>
}

// -----

// A scale known only at run time may be 0, for which floats are NaN.
// CHECK-LABEL: func @scale_of_a_run_may_be_zero
// CHECK: IE.DequantizeLinear
// CHECK: IE.QuantizeLinear
func.func @scale_of_a_run_may_be_zero(%x: tensor<2x3xui8>, %s: tensor<f32>) -> tensor<2x3xui8> {
  %0 = IE.DequantizeLinear(%x, %s) : (tensor<2x3xui8>, tensor<f32>) -> tensor<2x3xf32>
  %1 = IE.QuantizeLinear(%0, %s) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xui8>
  return %1 : tensor<2x3xui8>
}

// -----

// Products with a scale that small are no normal numbers.
// CHECK-LABEL: func @tiny_scale_loses_digits
// CHECK: IE.DequantizeLinear
// CHECK: IE.QuantizeLinear
func.func @tiny_scale_loses_digits(%x: tensor<2x3xui8>) -> tensor<2x3xui8> {
  %s = IE.Constant dense<1.0e-44> : tensor<f32>
  %0 = IE.DequantizeLinear(%x, %s) : (tensor<2x3xui8>, tensor<f32>) -> tensor<2x3xf32>
  %1 = IE.QuantizeLinear(%0, %s) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xui8>
  return %1 : tensor<2x3xui8>
}

// -----

// CHECK-LABEL: func @scales_of_other_dimensions_change_integers
// CHECK: IE.DequantizeLinear
// CHECK: IE.QuantizeLinear
func.func @scales_of_other_dimensions_change_integers(%x: tensor<3x3xui8>) -> tensor<3x3xui8> {
  %s = IE.Constant dense<[0.1, 0.2, 0.3]> : tensor<3xf32>
  %0 = IE.DequantizeLinear(%x, %s) {axis = 0 : i64} : (tensor<3x3xui8>, tensor<3xf32>) -> tensor<3x3xf32>
  %1 = IE.QuantizeLinear(%0, %s) {axis = 1 : i64} : (tensor<3x3xf32>, tensor<3xf32>) -> tensor<3x3xui8>
  return %1 : tensor<3x3xui8>
}

// -----

// Integers whose least stands for zero have nothing below it.
// CHECK-LABEL: func @relu_before_integers_from_zero_on_is_left_out
// CHECK-NOT: IE.Relu
// CHECK: IE.QuantizeLinear(%arg0
func.func @relu_before_integers_from_zero_on_is_left_out(%x: tensor<?x3xf32>) -> tensor<?x3xi8> {
  %s = IE.Constant dense<0.1> : tensor<f32>
  %z = IE.Constant dense<-128> : tensor<i8>
  %0 = "IE.Relu"(%x) : (tensor<?x3xf32>) -> tensor<?x3xf32>
  %1 = IE.QuantizeLinear(%0, %s, %z) : (tensor<?x3xf32>, tensor<f32>, tensor<i8>) -> tensor<?x3xi8>
  return %1 : tensor<?x3xi8>
}

// -----

// CHECK-LABEL: func @relu_before_integers_below_zero_stays
// CHECK: IE.Relu
func.func @relu_before_integers_below_zero_stays(%x: tensor<2x3xf32>) -> tensor<2x3xi8> {
  %s = IE.Constant dense<0.1> : tensor<f32>
  %z = IE.Constant dense<-127> : tensor<i8>
  %0 = "IE.Relu"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = IE.QuantizeLinear(%0, %s, %z) : (tensor<2x3xf32>, tensor<f32>, tensor<i8>) -> tensor<2x3xi8>
  return %1 : tensor<2x3xi8>
}

// -----

// CHECK-LABEL: func @relu_that_others_read_stays
// CHECK: %[[R:.*]] = IE.Relu
// CHECK: IE.QuantizeLinear(%[[R]]
func.func @relu_that_others_read_stays(%x: tensor<2x3xf32>) -> (tensor<2x3xui8>, tensor<2x3xf32>) {
  %s = IE.Constant dense<0.1> : tensor<f32>
  %0 = "IE.Relu"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = IE.QuantizeLinear(%0, %s) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xui8>
  return %1, %0 : tensor<2x3xui8>, tensor<2x3xf32>
}

// -----

// From 0 to 127.5, of which the Clip has all; to 127.4 it has not.
// CHECK-LABEL: func @clip_with_all_that_integers_have_is_left_out
// CHECK: IE.QuantizeLinear(%arg0
// CHECK: %[[C:.*]] = IE.Clip
// CHECK: IE.QuantizeLinear(%[[C]]
func.func @clip_with_all_that_integers_have_is_left_out(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> (tensor<2x3xui8>, tensor<2x3xui8>) {
  %s = IE.Constant dense<0.5> : tensor<f32>
  %low = IE.Constant dense<0.0> : tensor<f32>
  %high = IE.Constant dense<127.5> : tensor<f32>
  %less = IE.Constant dense<127.4> : tensor<f32>
  %0 = IE.Clip %x min(%low : tensor<f32>) max(%high : tensor<f32>) : tensor<2x3xf32> -> tensor<2x3xf32>
  %1 = IE.QuantizeLinear(%0, %s) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xui8>
  %2 = IE.Clip %y min(%low : tensor<f32>) max(%less : tensor<f32>) : tensor<2x3xf32> -> tensor<2x3xf32>
  %3 = IE.QuantizeLinear(%2, %s) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xui8>
  return %1, %3 : tensor<2x3xui8>, tensor<2x3xui8>
}

// -----

// CHECK-LABEL: func @clip_of_bounds_that_a_run_knows_stays
// CHECK: IE.Clip
func.func @clip_of_bounds_that_a_run_knows_stays(%x: tensor<2x3xf32>, %high: tensor<f32>) -> tensor<2x3xui8> {
  %s = IE.Constant dense<0.5> : tensor<f32>
  %low = IE.Constant dense<0.0> : tensor<f32>
  %0 = IE.Clip %x min(%low : tensor<f32>) max(%high : tensor<f32>) : tensor<2x3xf32> -> tensor<2x3xf32>
  %1 = IE.QuantizeLinear(%0, %s) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xui8>
  return %1 : tensor<2x3xui8>
}

// -----

// CHECK-LABEL: func @relu_of_integers_from_zero_on_is_left_out
// CHECK: %[[F:.*]] = IE.DequantizeLinear(%arg0
// CHECK: %[[G:.*]] = IE.DequantizeLinear(%arg1
// CHECK: %[[R:.*]] = IE.Relu %[[G]]
// CHECK: return %[[F]], %[[R]]
func.func @relu_of_integers_from_zero_on_is_left_out(%x: tensor<3xui8>, %y: tensor<3xi8>) -> (tensor<3xf32>, tensor<3xf32>) {
  %s = IE.Constant dense<[0.5, 0.25, 2.0]> : tensor<3xf32>
  %0 = IE.DequantizeLinear(%x, %s) {axis = 0 : i64} : (tensor<3xui8>, tensor<3xf32>) -> tensor<3xf32>
  %1 = "IE.Relu"(%0) : (tensor<3xf32>) -> tensor<3xf32>
  %2 = IE.DequantizeLinear(%y, %s) {axis = 0 : i64} : (tensor<3xi8>, tensor<3xf32>) -> tensor<3xf32>
  %3 = "IE.Relu"(%2) : (tensor<3xf32>) -> tensor<3xf32>
  return %1, %3 : tensor<3xf32>, tensor<3xf32>
}

// -----

// CHECK-LABEL: func @clip_of_integers_that_it_has_all_of_is_left_out
// CHECK: %[[F:.*]] = IE.DequantizeLinear(%arg0
// CHECK: %[[C:.*]] = IE.Clip %[[F]]
// CHECK: return %[[F]], %[[C]]
func.func @clip_of_integers_that_it_has_all_of_is_left_out(%x: tensor<?xui8>) -> (tensor<?xf32>, tensor<?xf32>) {
  %s = IE.Constant dense<0.5> : tensor<f32>
  %low = IE.Constant dense<0.0> : tensor<f32>
  %high = IE.Constant dense<127.5> : tensor<f32>
  %less = IE.Constant dense<6.0> : tensor<f32>
  %0 = IE.DequantizeLinear(%x, %s) : (tensor<?xui8>, tensor<f32>) -> tensor<?xf32>
  %1 = IE.Clip %0 min(%low : tensor<f32>) max(%high : tensor<f32>) : tensor<?xf32> -> tensor<?xf32>
  %2 = IE.Clip %0 min(%low : tensor<f32>) max(%less : tensor<f32>) : tensor<?xf32> -> tensor<?xf32>
  return %1, %2 : tensor<?xf32>, tensor<?xf32>
}

// -----

// Integers are joined: those of the result's parameters as they are.
// CHECK-LABEL: func @values_are_quantized_before_they_are_joined
// CHECK: %[[D:.*]] = IE.DequantizeLinear(%arg0
// CHECK: %[[Q:.*]] = IE.QuantizeLinear(%[[D]]
// CHECK: %[[C:.*]] = IE.Concat %[[Q]], %arg1 {axis = 1 : i64} : tensor<?x3xui8>, tensor<?x2xui8> -> tensor<?x5xui8>
// CHECK: return %[[C]]
func.func @values_are_quantized_before_they_are_joined(%x: tensor<?x3xi8>, %y: tensor<?x2xui8>) -> tensor<?x5xui8> {
  %s = IE.Constant dense<0.1> : tensor<f32>
  %t = IE.Constant dense<0.3> : tensor<f32>
  %0 = IE.DequantizeLinear(%x, %s) : (tensor<?x3xi8>, tensor<f32>) -> tensor<?x3xf32>
  %1 = IE.DequantizeLinear(%y, %t) : (tensor<?x2xui8>, tensor<f32>) -> tensor<?x2xf32>
  %2 = IE.Concat %0, %1 {axis = 1 : i64} : tensor<?x3xf32>, tensor<?x2xf32> -> tensor<?x5xf32>
  %3 = IE.QuantizeLinear(%2, %t) : (tensor<?x5xf32>, tensor<f32>) -> tensor<?x5xui8>
  return %3 : tensor<?x5xui8>
}

// -----

// CHECK-LABEL: func @joined_values_that_others_read_are_quantized_thereafter
// CHECK: %[[C:.*]] = IE.Concat
// CHECK: IE.QuantizeLinear(%[[C]]
func.func @joined_values_that_others_read_are_quantized_thereafter(%x: tensor<2xf32>, %y: tensor<2xf32>) -> (tensor<4xui8>, tensor<4xf32>) {
  %s = IE.Constant dense<0.1> : tensor<f32>
  %0 = IE.Concat %x, %y {axis = 0 : i64} : tensor<2xf32>, tensor<2xf32> -> tensor<4xf32>
  %1 = IE.QuantizeLinear(%0, %s) : (tensor<4xf32>, tensor<f32>) -> tensor<4xui8>
  return %1, %0 : tensor<4xui8>, tensor<4xf32>
}

// -----

// Parts would need their own of these scales.
// CHECK-LABEL: func @joined_values_of_several_scales_are_quantized_thereafter
// CHECK: %[[C:.*]] = IE.Concat
// CHECK: IE.QuantizeLinear(%[[C]]
func.func @joined_values_of_several_scales_are_quantized_thereafter(%x: tensor<1xf32>, %y: tensor<1xf32>) -> tensor<2xui8> {
  %s = IE.Constant dense<[0.1, 0.2]> : tensor<2xf32>
  %0 = IE.Concat %x, %y {axis = 0 : i64} : tensor<1xf32>, tensor<1xf32> -> tensor<2xf32>
  %1 = IE.QuantizeLinear(%0, %s) {axis = 0 : i64} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xui8>
  return %1 : tensor<2xui8>
}

// -----

// What only moves them moves integers of 16 bits, too. Engines have no maximum
// of these.
// CHECK-LABEL: func @integers_of_16_bits_are_moved
// CHECK: %[[T:.*]] = IE.Transpose %arg0 {{.*}} tensor<1x2x?xi16>
// CHECK: %[[D:.*]] = IE.DequantizeLinear(%[[T]]
// CHECK: %[[P:.*]] = IE.MaxPool(%[[D]])
// CHECK: return %[[P]]
func.func @integers_of_16_bits_are_moved(%x: tensor<1x?x2xi16>) -> tensor<1x2x?xf32> {
  %s = IE.Constant dense<0.5> : tensor<f32>
  %0 = IE.DequantizeLinear(%x, %s) : (tensor<1x?x2xi16>, tensor<f32>) -> tensor<1x?x2xf32>
  %1 = IE.Transpose %0 {perm = array<i64: 0, 2, 1>} : tensor<1x?x2xf32> -> tensor<1x2x?xf32>
  %2 = IE.MaxPool(%1) {kernel_shape = array<i64: 1>} : (tensor<1x2x?xf32>) -> tensor<1x2x?xf32>
  return %2 : tensor<1x2x?xf32>
}
