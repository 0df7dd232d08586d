// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize-boundary))' | FileCheck %s

// What is quantized first and dequantized last is integers outside, too.
// CHECK-LABEL: func @integers_come_in_and_go_out
// CHECK-SAME: %[[X:.*]]: tensor<4xui8> {nacre.integers = #nacre.integers<scale = 5.000000e-01 : f32, zeroPoint = 3>, nacre.name = "x"}
// CHECK-SAME: -> (tensor<4xui8> {nacre.integers = #nacre.integers<scale = 5.000000e-01 : f32, zeroPoint = 3>})
// CHECK-NOT: IE.QuantizeLinear
// CHECK-NOT: IE.DequantizeLinear
// CHECK: return %[[X]] : tensor<4xui8>
func.func @integers_come_in_and_go_out(%x: tensor<4xf32> {nacre.name = "x"}) -> tensor<4xf32> {
  %s = IE.Constant dense<0.5> : tensor<f32>
  %z = IE.Constant dense<3> : tensor<ui8>
  %0 = IE.QuantizeLinear(%x, %s, %z) : (tensor<4xf32>, tensor<f32>, tensor<ui8>) -> tensor<4xui8>
  %1 = IE.DequantizeLinear(%0, %s, %z) : (tensor<4xui8>, tensor<f32>, tensor<ui8>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// Without a zero point it is 0. The size stays open.
// CHECK-LABEL: func @zero_point_may_be_missing
// CHECK-SAME: tensor<?xui8> {nacre.integers = #nacre.integers<scale = 2.500000e-01 : f32, zeroPoint = 0>}
// CHECK-SAME: -> tensor<?xf32>
// CHECK: IE.DequantizeLinear(%arg0
// CHECK: IE.Relu
func.func @zero_point_may_be_missing(%x: tensor<?xf32>) -> tensor<?xf32> {
  %s = IE.Constant dense<0.25> : tensor<1xf32>
  %0 = IE.QuantizeLinear(%x, %s) : (tensor<?xf32>, tensor<1xf32>) -> tensor<?xui8>
  %1 = IE.DequantizeLinear(%0, %s) : (tensor<?xui8>, tensor<1xf32>) -> tensor<?xf32>
  %2 = IE.Relu %1 : tensor<?xf32> -> tensor<?xf32>
  return %2 : tensor<?xf32>
}

// Who reads the float, too, needs it.
// CHECK-LABEL: func @float_is_read
// CHECK-SAME: tensor<4xf32>) -> tensor<4xf32>
// CHECK: IE.QuantizeLinear
func.func @float_is_read(%x: tensor<4xf32>) -> tensor<4xf32> {
  %s = IE.Constant dense<0.5> : tensor<f32>
  %0 = IE.QuantizeLinear(%x, %s) : (tensor<4xf32>, tensor<f32>) -> tensor<4xui8>
  %1 = IE.DequantizeLinear(%0, %s) : (tensor<4xui8>, tensor<f32>) -> tensor<4xf32>
  %2 = IE.Sub %x, %1 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// Scales that a run decides, and one for each channel, cannot be noted.
// CHECK-LABEL: func @scales_are_no_constant_number
// CHECK-SAME: tensor<2x4xf32>, %{{.*}}: tensor<f32>) -> (tensor<2x4xf32>, tensor<2x4xf32>)
// CHECK-COUNT-2: IE.QuantizeLinear
func.func @scales_are_no_constant_number(%x: tensor<2x4xf32>, %s: tensor<f32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %c = IE.Constant dense<[0.5, 1.0]> : tensor<2xf32>
  %0 = IE.QuantizeLinear(%x, %s) : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xui8>
  %1 = IE.DequantizeLinear(%0, %s) : (tensor<2x4xui8>, tensor<f32>) -> tensor<2x4xf32>
  %2 = IE.Relu %1 : tensor<2x4xf32> -> tensor<2x4xf32>
  %3 = IE.QuantizeLinear(%2, %c) {axis = 0 : i64} : (tensor<2x4xf32>, tensor<2xf32>) -> tensor<2x4xui8>
  %4 = IE.DequantizeLinear(%3, %c) {axis = 0 : i64} : (tensor<2x4xui8>, tensor<2xf32>) -> tensor<2x4xf32>
  return %1, %4 : tensor<2x4xf32>, tensor<2x4xf32>
}

// A state is one buffer of one type.
// CHECK-LABEL: func @state_stays_a_float
// CHECK-SAME: tensor<4xf32> {nacre.state = 0 : i64}) -> tensor<4xf32>
func.func @state_stays_a_float(%x: tensor<4xf32> {nacre.state = 0 : i64}) -> tensor<4xf32> {
  %s = IE.Constant dense<0.5> : tensor<f32>
  %0 = IE.QuantizeLinear(%x, %s) : (tensor<4xf32>, tensor<f32>) -> tensor<4xui8>
  %1 = IE.DequantizeLinear(%0, %s) : (tensor<4xui8>, tensor<f32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// Integers that a model has anyway say what they stand for.
// CHECK-LABEL: func @integers_of_the_model_are_noted
// CHECK-SAME: tensor<4xi8> {nacre.integers = #nacre.integers<scale = 5.000000e-01 : f32, zeroPoint = -1>}
// CHECK-SAME: tensor<4xi8>)
// CHECK-SAME: -> (tensor<4xi16> {nacre.integers = #nacre.integers<scale = 2.000000e+00 : f32, zeroPoint = 0>})
func.func @integers_of_the_model_are_noted(%x: tensor<4xi8>, %read: tensor<4xi8>) -> tensor<4xi16> {
  %s = IE.Constant dense<0.5> : tensor<f32>
  %z = IE.Constant dense<-1> : tensor<i8>
  %t = IE.Constant dense<2.0> : tensor<f32>
  %w = IE.Constant dense<0> : tensor<i16>
  %0 = IE.DequantizeLinear(%x, %s, %z) : (tensor<4xi8>, tensor<f32>, tensor<i8>) -> tensor<4xf32>
  %1 = IE.DequantizeLinear(%read, %s, %z) : (tensor<4xi8>, tensor<f32>, tensor<i8>) -> tensor<4xf32>
  %2 = IE.DequantizeLinear(%read, %t) : (tensor<4xi8>, tensor<f32>) -> tensor<4xf32>
  %3 = IE.Add %0, %1 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %4 = IE.Add %3, %2 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %5 = IE.QuantizeLinear(%4, %t, %w) : (tensor<4xf32>, tensor<f32>, tensor<i16>) -> tensor<4xi16>
  return %5 : tensor<4xi16>
}

// CHECK-LABEL: func private @external
func.func private @external(tensor<4xf32>) -> tensor<4xf32>
