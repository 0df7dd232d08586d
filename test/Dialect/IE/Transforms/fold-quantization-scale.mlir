// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-fold-quantization-scale))' -split-input-file | FileCheck %s

// CHECK-LABEL: func @scale_behind_relu_divides_the_scale_before_it
// CHECK-DAG: %[[ONE:.*]] = IE.Constant dense<1.000000e+00> : tensor<f32>
// CHECK-DAG: %[[S:.*]] = IE.Constant dense<2.500000e-01> : tensor<f32>
// CHECK: %[[D:.*]] = IE.DequantizeLinear(%arg0, %[[S]], %arg1)
// CHECK: %[[R:.*]] = IE.Relu %[[D]]
// CHECK: IE.QuantizeLinear(%[[R]], %[[ONE]], %arg1)
func.func @scale_behind_relu_divides_the_scale_before_it(%x: tensor<2x8xui8>, %z: tensor<ui8>) -> tensor<2x8xui8> {
  %s = IE.Constant dense<0.5> : tensor<f32>
  %t = IE.Constant dense<2.0> : tensor<f32>
  %0 = IE.DequantizeLinear(%x, %s, %z) : (tensor<2x8xui8>, tensor<f32>, tensor<ui8>) -> tensor<2x8xf32>
  %1 = IE.Relu %0 : tensor<2x8xf32> -> tensor<2x8xf32>
  %2 = IE.QuantizeLinear(%1, %t, %z) : (tensor<2x8xf32>, tensor<f32>, tensor<ui8>) -> tensor<2x8xui8>
  return %2 : tensor<2x8xui8>
}

// -----

// The first operand is used elsewhere with its own scale, which stays.
// CHECK-LABEL: func @scale_of_sum_divides_both_operands
// CHECK-DAG: %[[ONE:.*]] = IE.Constant dense<1.000000e+00> : tensor<f32>
// CHECK-DAG: %[[A:.*]] = IE.Constant dense<2.000000e+00> : tensor<f32>
// CHECK-DAG: %[[B:.*]] = IE.Constant dense<4.000000e+00> : tensor<f32>
// CHECK-DAG: %[[S:.*]] = IE.Constant dense<5.000000e-01> : tensor<f32>
// CHECK-DAG: %[[OWN:.*]] = IE.DequantizeLinear(%arg0, %[[S]])
// CHECK-DAG: %[[X:.*]] = IE.DequantizeLinear(%arg0, %[[A]])
// CHECK-DAG: %[[Y:.*]] = IE.DequantizeLinear(%arg1, %[[B]])
// CHECK: %[[SUM:.*]] = IE.Add %[[X]], %[[Y]]
// CHECK: %[[Q:.*]] = IE.QuantizeLinear(%[[SUM]], %[[ONE]])
// CHECK: return %[[Q]], %[[OWN]]
func.func @scale_of_sum_divides_both_operands(%x: tensor<2x8xui8>, %y: tensor<2x8xui8>) -> (tensor<2x8xui8>, tensor<2x8xf32>) {
  %s = IE.Constant dense<0.5> : tensor<f32>
  %u = IE.Constant dense<1.0> : tensor<f32>
  %t = IE.Constant dense<0.25> : tensor<f32>
  %0 = IE.DequantizeLinear(%x, %s) : (tensor<2x8xui8>, tensor<f32>) -> tensor<2x8xf32>
  %1 = IE.DequantizeLinear(%y, %u) : (tensor<2x8xui8>, tensor<f32>) -> tensor<2x8xf32>
  %2 = IE.Add %0, %1 : tensor<2x8xf32>, tensor<2x8xf32> -> tensor<2x8xf32>
  %3 = IE.QuantizeLinear(%2, %t) : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xui8>
  return %3, %0 : tensor<2x8xui8>, tensor<2x8xf32>
}

// -----

// Scale and bias of a sum of integers; the sum itself is as it was.
// CHECK-LABEL: func @scale_behind_constants_divides_factor_and_addend
// CHECK-DAG: %[[ONE:.*]] = IE.Constant dense<1.000000e+00> : tensor<f32>
// CHECK-DAG: %[[M:.*]] = IE.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK-DAG: %[[B:.*]] = IE.Constant dense<[-2.000000e+00, 6.000000e+00]> : tensor<2xf32>
// CHECK: %[[P:.*]] = IE.Mul %arg0, %[[M]]
// CHECK: %[[S:.*]] = IE.Add %[[P]], %[[B]]
// CHECK: IE.QuantizeLinear(%[[S]], %[[ONE]])
func.func @scale_behind_constants_divides_factor_and_addend(%x: tensor<8x2xf32>) -> tensor<8x2xui8> {
  %m = IE.Constant dense<[0.5, 1.0]> : tensor<2xf32>
  %b = IE.Constant dense<[-1.0, 3.0]> : tensor<2xf32>
  %t = IE.Constant dense<0.5> : tensor<f32>
  %0 = IE.Mul %x, %m : tensor<8x2xf32>, tensor<2xf32> -> tensor<8x2xf32>
  %1 = IE.Add %0, %b : tensor<8x2xf32>, tensor<2xf32> -> tensor<8x2xf32>
  %2 = IE.QuantizeLinear(%1, %t) : (tensor<8x2xf32>, tensor<f32>) -> tensor<8x2xui8>
  return %2 : tensor<8x2xui8>
}

// -----

// CHECK-LABEL: func @scale_behind_global_average_pool_divides_the_scale_before_it
// CHECK-DAG: %[[ONE:.*]] = IE.Constant dense<1.000000e+00> : tensor<f32>
// CHECK-DAG: %[[S:.*]] = IE.Constant dense<4.000000e+00> : tensor<f32>
// CHECK: %[[D:.*]] = IE.DequantizeLinear(%arg0, %[[S]])
// CHECK: %[[P:.*]] = IE.GlobalAveragePool(%[[D]])
// CHECK: IE.QuantizeLinear(%[[P]], %[[ONE]])
func.func @scale_behind_global_average_pool_divides_the_scale_before_it(%x: tensor<1x4x8x8xui8>) -> tensor<1x4x1x1xui8> {
  %s = IE.Constant dense<0.5> : tensor<f32>
  %t = IE.Constant dense<0.125> : tensor<f32>
  %0 = IE.DequantizeLinear(%x, %s) : (tensor<1x4x8x8xui8>, tensor<f32>) -> tensor<1x4x8x8xf32>
  %1 = IE.GlobalAveragePool(%0) : (tensor<1x4x8x8xf32>) -> tensor<1x4x1x1xf32>
  %2 = IE.QuantizeLinear(%1, %t) : (tensor<1x4x1x1xf32>, tensor<f32>) -> tensor<1x4x1x1xui8>
  return %2 : tensor<1x4x1x1xui8>
}

// -----

// CHECK-LABEL: func @scale_behind_value_of_another_use_stays
// CHECK-DAG: %[[T:.*]] = IE.Constant dense<2.000000e+00> : tensor<f32>
// CHECK: IE.QuantizeLinear(%{{.*}}, %[[T]])
func.func @scale_behind_value_of_another_use_stays(%x: tensor<2x8xui8>) -> (tensor<2x8xui8>, tensor<2x8xf32>) {
  %s = IE.Constant dense<0.5> : tensor<f32>
  %t = IE.Constant dense<2.0> : tensor<f32>
  %0 = IE.DequantizeLinear(%x, %s) : (tensor<2x8xui8>, tensor<f32>) -> tensor<2x8xf32>
  %1 = IE.Add %0, %0 : tensor<2x8xf32>, tensor<2x8xf32> -> tensor<2x8xf32>
  %2 = IE.Relu %1 : tensor<2x8xf32> -> tensor<2x8xf32>
  %3 = IE.QuantizeLinear(%2, %t) : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xui8>
  return %3, %1 : tensor<2x8xui8>, tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @scale_of_unknown_operand_stays
// CHECK-DAG: %[[S:.*]] = IE.Constant dense<5.000000e-01> : tensor<f32>
// CHECK-DAG: %[[T:.*]] = IE.Constant dense<2.000000e+00> : tensor<f32>
// CHECK: IE.DequantizeLinear(%arg0, %[[S]])
// CHECK: IE.QuantizeLinear(%{{.*}}, %[[T]])
func.func @scale_of_unknown_operand_stays(%x: tensor<2x8xui8>, %y: tensor<2x8xf32>) -> tensor<2x8xui8> {
  %s = IE.Constant dense<0.5> : tensor<f32>
  %t = IE.Constant dense<2.0> : tensor<f32>
  %0 = IE.DequantizeLinear(%x, %s) : (tensor<2x8xui8>, tensor<f32>) -> tensor<2x8xf32>
  %1 = IE.Add %0, %y : tensor<2x8xf32>, tensor<2x8xf32> -> tensor<2x8xf32>
  %2 = IE.QuantizeLinear(%1, %t) : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xui8>
  return %2 : tensor<2x8xui8>
}

// -----

// What it does is not the same for a multiple of its operand.
// CHECK-LABEL: func @scale_behind_sigmoid_stays
// CHECK-DAG: %[[T:.*]] = IE.Constant dense<2.000000e+00> : tensor<f32>
// CHECK: IE.QuantizeLinear(%{{.*}}, %[[T]])
func.func @scale_behind_sigmoid_stays(%x: tensor<2x8xui8>) -> tensor<2x8xui8> {
  %s = IE.Constant dense<0.5> : tensor<f32>
  %t = IE.Constant dense<2.0> : tensor<f32>
  %0 = IE.DequantizeLinear(%x, %s) : (tensor<2x8xui8>, tensor<f32>) -> tensor<2x8xf32>
  %1 = IE.Sigmoid %0 : tensor<2x8xf32> -> tensor<2x8xf32>
  %2 = IE.QuantizeLinear(%1, %t) : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xui8>
  return %2 : tensor<2x8xui8>
}

// -----

// CHECK-LABEL: func @scale_of_one_stays
// CHECK: %[[S:.*]] = IE.Constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT: %[[T:.*]] = IE.Constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: IE.DequantizeLinear(%arg0, %[[S]])
// CHECK-NEXT: IE.Relu
// CHECK-NEXT: IE.QuantizeLinear(%{{.*}}, %[[T]])
func.func @scale_of_one_stays(%x: tensor<2x8xui8>) -> tensor<2x8xui8> {
  %s = IE.Constant dense<0.5> : tensor<f32>
  %t = IE.Constant dense<1.0> : tensor<f32>
  %0 = IE.DequantizeLinear(%x, %s) : (tensor<2x8xui8>, tensor<f32>) -> tensor<2x8xf32>
  %1 = IE.Relu %0 : tensor<2x8xf32> -> tensor<2x8xf32>
  %2 = IE.QuantizeLinear(%1, %t) : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xui8>
  return %2 : tensor<2x8xui8>
}

// -----

// CHECK-LABEL: func @scale_known_at_run_time_stays
// CHECK: %[[S:.*]] = IE.Constant dense<5.000000e-01> : tensor<f32>
// CHECK: IE.DequantizeLinear(%arg0, %[[S]])
// CHECK: IE.QuantizeLinear(%{{.*}}, %arg1)
func.func @scale_known_at_run_time_stays(%x: tensor<2x8xui8>, %t: tensor<f32>) -> tensor<2x8xui8> {
  %s = IE.Constant dense<0.5> : tensor<f32>
  %0 = IE.DequantizeLinear(%x, %s) : (tensor<2x8xui8>, tensor<f32>) -> tensor<2x8xf32>
  %1 = IE.Relu %0 : tensor<2x8xf32> -> tensor<2x8xf32>
  %2 = IE.QuantizeLinear(%1, %t) : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xui8>
  return %2 : tensor<2x8xui8>
}

// -----

// CHECK-LABEL: func @product_of_a_constant_with_itself_is_divided_once
// CHECK-DAG: %[[C:.*]] = IE.Constant dense<4.000000e+00> : tensor<8xf32>
// CHECK-DAG: %[[D:.*]] = IE.Constant dense<8.000000e+00> : tensor<8xf32>
// CHECK: IE.Mul %[[D]], %[[C]]
func.func @product_of_a_constant_with_itself_is_divided_once() -> tensor<8xui8> {
  %s = IE.Constant dense<0.5> : tensor<f32>
  %c = IE.Constant dense<4.0> : tensor<8xf32>
  %0 = IE.Mul %c, %c : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %1 = IE.QuantizeLinear(%0, %s) : (tensor<8xf32>, tensor<f32>) -> tensor<8xui8>
  return %1 : tensor<8xui8>
}

// -----

// CHECK-LABEL: func @scale_behind_normalization_divides_its_parameters
// CHECK-DAG: %[[ONE:.*]] = IE.Constant dense<1.000000e+00> : tensor<f32>
// CHECK-DAG: %[[S:.*]] = IE.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK-DAG: %[[B:.*]] = IE.Constant dense<[-2.000000e+00, 6.000000e+00]> : tensor<2xf32>
// CHECK: %[[N:.*]], %{{.*}}, %{{.*}} = IE.LayerNormalization(%arg0, %[[S]], %[[B]])
// CHECK: IE.QuantizeLinear(%[[N]], %[[ONE]])
func.func @scale_behind_normalization_divides_its_parameters(%x: tensor<8x2xf32>) -> tensor<8x2xui8> {
  %s = IE.Constant dense<[0.5, 1.0]> : tensor<2xf32>
  %b = IE.Constant dense<[-1.0, 3.0]> : tensor<2xf32>
  %t = IE.Constant dense<0.5> : tensor<f32>
  %0:3 = IE.LayerNormalization(%x, %s, %b) : (tensor<8x2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<8x2xf32>, tensor<8x1xf32>, tensor<8x1xf32>)
  %1 = IE.QuantizeLinear(%0#0, %t) : (tensor<8x2xf32>, tensor<f32>) -> tensor<8x2xui8>
  return %1 : tensor<8x2xui8>
}

// -----

// The op would be there twice.
// CHECK-LABEL: func @normalization_whose_mean_is_read_keeps_its_scale
// CHECK: %[[S:.*]] = IE.Constant dense<3.000000e+00> : tensor<2xf32>
// CHECK: IE.LayerNormalization(%arg0, %[[S]])
// CHECK-NOT: IE.LayerNormalization
func.func @normalization_whose_mean_is_read_keeps_its_scale(%x: tensor<8x2xf32>) -> (tensor<8x2xui8>, tensor<8x1xf32>) {
  %s = IE.Constant dense<3.0> : tensor<2xf32>
  %t = IE.Constant dense<0.5> : tensor<f32>
  %0:3 = IE.LayerNormalization(%x, %s) : (tensor<8x2xf32>, tensor<2xf32>) -> (tensor<8x2xf32>, tensor<8x1xf32>, tensor<8x1xf32>)
  // CHECK: IE.QuantizeLinear(%{{.*}}, %{{.*}}) : (tensor<8x2xf32>, tensor<f32>)
  %1 = IE.QuantizeLinear(%0#0, %t) : (tensor<8x2xf32>, tensor<f32>) -> tensor<8x2xui8>
  return %1, %0#1 : tensor<8x2xui8>, tensor<8x1xf32>
}

// -----

// Of integers alone, the factor rounds each of them as the two scales do; the
// first is 0.05 / 0.075, the second the float above 0.01 / 0.46.
// CHECK-LABEL: func @integers_of_another_scale_are_multiplied_once
// CHECK-DAG: %[[ONE:.*]] = IE.Constant dense<1.000000e+00> : tensor<f32>
// CHECK-DAG: %[[M:.*]] = IE.Constant dense<0.66666{{[0-9]*}}> : tensor<f32>
// CHECK-DAG: %[[N:.*]] = IE.Constant dense<0.0217391{{[0-9]*}}> : tensor<f32>
// CHECK: %[[D:.*]] = IE.DequantizeLinear(%arg0, %[[M]], %arg2)
// CHECK: IE.QuantizeLinear(%[[D]], %[[ONE]], %arg3)
// CHECK: %[[E:.*]] = IE.DequantizeLinear(%arg1, %[[N]])
// CHECK: IE.QuantizeLinear(%[[E]], %[[ONE]])
func.func @integers_of_another_scale_are_multiplied_once(%x: tensor<?x8xui8>, %y: tensor<2xui8>, %z: tensor<ui8>, %u: tensor<i8>) -> (tensor<?x8xi8>, tensor<2xui8>) {
  %s = IE.Constant dense<0.05> : tensor<f32>
  %t = IE.Constant dense<0.075> : tensor<f32>
  %v = IE.Constant dense<0.01> : tensor<f32>
  %w = IE.Constant dense<0.46> : tensor<f32>
  %0 = IE.DequantizeLinear(%x, %s, %z) : (tensor<?x8xui8>, tensor<f32>, tensor<ui8>) -> tensor<?x8xf32>
  %1 = IE.QuantizeLinear(%0, %t, %u) : (tensor<?x8xf32>, tensor<f32>, tensor<i8>) -> tensor<?x8xi8>
  %2 = IE.DequantizeLinear(%y, %v) : (tensor<2xui8>, tensor<f32>) -> tensor<2xf32>
  %3 = IE.QuantizeLinear(%2, %w) : (tensor<2xf32>, tensor<f32>) -> tensor<2xui8>
  return %1, %3 : tensor<?x8xi8>, tensor<2xui8>
}

// -----

// 0.1 is no half of 0.2 once products with it are rounded: of 25 the model
// makes 12 or 13, and no factor knows which.
// CHECK-LABEL: func @integers_that_no_factor_rounds_alike_are_divided
// CHECK-DAG: %[[S:.*]] = IE.Constant dense<1.000000e-01> : tensor<f32>
// CHECK-DAG: %[[T:.*]] = IE.Constant dense<2.000000e-01> : tensor<f32>
// CHECK: %[[D:.*]] = IE.DequantizeLinear(%arg0, %[[S]])
// CHECK: IE.QuantizeLinear(%[[D]], %[[T]])
func.func @integers_that_no_factor_rounds_alike_are_divided(%x: tensor<2x8xui8>) -> tensor<2x8xui8> {
  %s = IE.Constant dense<0.1> : tensor<f32>
  %t = IE.Constant dense<0.2> : tensor<f32>
  %0 = IE.DequantizeLinear(%x, %s) : (tensor<2x8xui8>, tensor<f32>) -> tensor<2x8xf32>
  %1 = IE.QuantizeLinear(%0, %t) : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xui8>
  return %1 : tensor<2x8xui8>
}

// -----

// Whoever else reads the floats has their own.
// CHECK-LABEL: func @floats_of_integers_that_others_read_stay
// CHECK-DAG: %[[S:.*]] = IE.Constant dense<5.000000e-01> : tensor<f32>
// CHECK-DAG: %[[M:.*]] = IE.Constant dense<2.500000e-01> : tensor<f32>
// CHECK-DAG: %[[D:.*]] = IE.DequantizeLinear(%arg0, %[[S]])
// CHECK-DAG: %[[E:.*]] = IE.DequantizeLinear(%arg0, %[[M]])
// CHECK: %[[Q:.*]] = IE.QuantizeLinear(%[[E]]
// CHECK: return %[[Q]], %[[D]]
func.func @floats_of_integers_that_others_read_stay(%x: tensor<2x8xui8>) -> (tensor<2x8xui8>, tensor<2x8xf32>) {
  %s = IE.Constant dense<0.5> : tensor<f32>
  %t = IE.Constant dense<2.0> : tensor<f32>
  %0 = IE.DequantizeLinear(%x, %s) : (tensor<2x8xui8>, tensor<f32>) -> tensor<2x8xf32>
  %1 = IE.QuantizeLinear(%0, %t) : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xui8>
  return %1, %0 : tensor<2x8xui8>, tensor<2x8xf32>
}

// -----

// Channels have a factor each; of 16 bits, all that become bytes are looked at.
// CHECK-LABEL: func @channels_of_16_bits_have_a_factor_each
// CHECK: %[[M:.*]] = IE.Constant dense<[2.500000e-01, 5.000000e-01]> : tensor<2xf32>
// CHECK: IE.DequantizeLinear(%arg0, %[[M]]) {axis = 0 : i64}
func.func @channels_of_16_bits_have_a_factor_each(%x: tensor<2x?xi16>) -> tensor<2x?xui8> {
  %s = IE.Constant dense<[0.5, 1.0]> : tensor<2xf32>
  %t = IE.Constant dense<2.0> : tensor<f32>
  %0 = IE.DequantizeLinear(%x, %s) {axis = 0 : i64} : (tensor<2x?xi16>, tensor<2xf32>) -> tensor<2x?xf32>
  %1 = IE.QuantizeLinear(%0, %t) : (tensor<2x?xf32>, tensor<f32>) -> tensor<2x?xui8>
  return %1 : tensor<2x?xui8>
}

// -----

// Through int16 of a quarter of the scale nothing is lost.
// CHECK-LABEL: func @integers_that_are_rescaled_twice_are_so_once
// CHECK-DAG: %[[ONE:.*]] = IE.Constant dense<1.000000e+00> : tensor<f32>
// CHECK-DAG: %[[M:.*]] = IE.Constant dense<2.500000e-01> : tensor<f32>
// CHECK-DAG: %[[Z:.*]] = IE.Constant dense<3> : tensor<ui8>
// CHECK-DAG: %[[Y:.*]] = IE.Constant dense<-5> : tensor<i8>
// CHECK: %[[D:.*]] = IE.DequantizeLinear(%arg0, %[[M]], %[[Z]])
// CHECK-NEXT: %[[Q:.*]] = IE.QuantizeLinear(%[[D]], %[[ONE]], %[[Y]])
// CHECK-NEXT: return %[[Q]]
func.func @integers_that_are_rescaled_twice_are_so_once(%x: tensor<?xui8>) -> tensor<?xi8> {
  %s = IE.Constant dense<0.5> : tensor<f32>
  %z = IE.Constant dense<3> : tensor<ui8>
  %h = IE.Constant dense<0.125> : tensor<f32>
  %i = IE.Constant dense<7> : tensor<i16>
  %t = IE.Constant dense<2.0> : tensor<f32>
  %y = IE.Constant dense<-5> : tensor<i8>
  %0 = IE.DequantizeLinear(%x, %s, %z) : (tensor<?xui8>, tensor<f32>, tensor<ui8>) -> tensor<?xf32>
  %1 = IE.QuantizeLinear(%0, %h, %i) : (tensor<?xf32>, tensor<f32>, tensor<i16>) -> tensor<?xi16>
  %2 = IE.DequantizeLinear(%1, %h, %i) : (tensor<?xi16>, tensor<f32>, tensor<i16>) -> tensor<?xf32>
  %3 = IE.QuantizeLinear(%2, %t, %y) : (tensor<?xf32>, tensor<f32>, tensor<i8>) -> tensor<?xi8>
  return %3 : tensor<?xi8>
}

// -----

// A scale four times as large in between loses what no single step would; so
// does a type in between that has less than the numbers need.
// CHECK-LABEL: func @integers_that_lose_in_between_are_rescaled_twice
// CHECK-COUNT-4: IE.QuantizeLinear
func.func @integers_that_lose_in_between_are_rescaled_twice(%x: tensor<4xui8>, %w: tensor<4xui8>) -> (tensor<4xui8>, tensor<4xui8>) {
  %s = IE.Constant dense<0.5> : tensor<f32>
  %h = IE.Constant dense<2.0> : tensor<f32>
  %z = IE.Constant dense<0> : tensor<i8>
  %0 = IE.DequantizeLinear(%x, %s) : (tensor<4xui8>, tensor<f32>) -> tensor<4xf32>
  %1 = IE.QuantizeLinear(%0, %h) : (tensor<4xf32>, tensor<f32>) -> tensor<4xui8>
  %2 = IE.DequantizeLinear(%1, %h) : (tensor<4xui8>, tensor<f32>) -> tensor<4xf32>
  %3 = IE.QuantizeLinear(%2, %s) : (tensor<4xf32>, tensor<f32>) -> tensor<4xui8>
  %4 = IE.DequantizeLinear(%w, %s) : (tensor<4xui8>, tensor<f32>) -> tensor<4xf32>
  %5 = IE.QuantizeLinear(%4, %s, %z) : (tensor<4xf32>, tensor<f32>, tensor<i8>) -> tensor<4xi8>
  %6 = IE.DequantizeLinear(%5, %s, %z) : (tensor<4xi8>, tensor<f32>, tensor<i8>) -> tensor<4xf32>
  %7 = IE.QuantizeLinear(%6, %s) : (tensor<4xf32>, tensor<f32>) -> tensor<4xui8>
  return %3, %7 : tensor<4xui8>, tensor<4xui8>
}

// -----

// What others read in between is computed all the same.
// CHECK-LABEL: func @integers_in_between_that_others_read_stay
// CHECK-COUNT-2: IE.QuantizeLinear
func.func @integers_in_between_that_others_read_stay(%x: tensor<4xui8>) -> (tensor<4xui8>, tensor<4xi16>) {
  %s = IE.Constant dense<0.5> : tensor<f32>
  %h = IE.Constant dense<0.125> : tensor<f32>
  %i = IE.Constant dense<7> : tensor<i16>
  %t = IE.Constant dense<2.0> : tensor<f32>
  %0 = IE.DequantizeLinear(%x, %s) : (tensor<4xui8>, tensor<f32>) -> tensor<4xf32>
  %1 = IE.QuantizeLinear(%0, %h, %i) : (tensor<4xf32>, tensor<f32>, tensor<i16>) -> tensor<4xi16>
  %2 = IE.DequantizeLinear(%1, %h, %i) : (tensor<4xi16>, tensor<f32>, tensor<i16>) -> tensor<4xf32>
  %3 = IE.QuantizeLinear(%2, %t) : (tensor<4xf32>, tensor<f32>) -> tensor<4xui8>
  return %3, %1 : tensor<4xui8>, tensor<4xi16>
}

// -----

// The same behind what rectifies and moves them.
// CHECK-LABEL: func @integers_that_are_moved_in_between_are_multiplied_once
// CHECK-DAG: %[[ONE:.*]] = IE.Constant dense<1.000000e+00> : tensor<f32>
// CHECK-DAG: %[[N:.*]] = IE.Constant dense<0.0217391{{[0-9]*}}> : tensor<f32>
// CHECK: %[[D:.*]] = IE.DequantizeLinear(%arg0, %[[N]], %arg1)
// CHECK: %[[R:.*]] = IE.Relu %[[D]]
// CHECK: %[[T:.*]] = IE.Transpose %[[R]]
// CHECK: IE.QuantizeLinear(%[[T]], %[[ONE]])
func.func @integers_that_are_moved_in_between_are_multiplied_once(%x: tensor<2x8xui8>, %z: tensor<ui8>) -> tensor<8x2xui8> {
  %s = IE.Constant dense<0.01> : tensor<f32>
  %t = IE.Constant dense<0.46> : tensor<f32>
  %0 = IE.DequantizeLinear(%x, %s, %z) : (tensor<2x8xui8>, tensor<f32>, tensor<ui8>) -> tensor<2x8xf32>
  %1 = IE.Relu %0 : tensor<2x8xf32> -> tensor<2x8xf32>
  %2 = IE.Transpose %1 {perm = array<i64: 1, 0>} : tensor<2x8xf32> -> tensor<8x2xf32>
  %3 = IE.QuantizeLinear(%2, %t) : (tensor<8x2xf32>, tensor<f32>) -> tensor<8x2xui8>
  return %3 : tensor<8x2xui8>
}

// -----

// One channel that no factor rounds alike keeps all of them as they are.
// CHECK-LABEL: func @channels_that_are_moved_are_divided_where_ties_are
// CHECK-DAG: %[[S:.*]] = IE.Constant dense<[1.000000e-01, 2.000000e-01]> : tensor<2xf32>
// CHECK-DAG: %[[T:.*]] = IE.Constant dense<2.000000e-01> : tensor<f32>
// CHECK: IE.DequantizeLinear(%arg0, %[[S]])
// CHECK: IE.Transpose
// CHECK: IE.QuantizeLinear(%{{.*}}, %[[T]])
func.func @channels_that_are_moved_are_divided_where_ties_are(%x: tensor<2x8xui8>) -> tensor<8x2xui8> {
  %s = IE.Constant dense<[0.1, 0.2]> : tensor<2xf32>
  %t = IE.Constant dense<0.2> : tensor<f32>
  %0 = IE.DequantizeLinear(%x, %s) {axis = 0 : i64} : (tensor<2x8xui8>, tensor<2xf32>) -> tensor<2x8xf32>
  %1 = IE.Transpose %0 {perm = array<i64: 1, 0>} : tensor<2x8xf32> -> tensor<8x2xf32>
  %2 = IE.QuantizeLinear(%1, %t) : (tensor<8x2xf32>, tensor<f32>) -> tensor<8x2xui8>
  return %2 : tensor<8x2xui8>
}
