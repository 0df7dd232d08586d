// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize{ranges=%S/Inputs/quantize.ranges.yaml}))' -split-input-file -verify-diagnostics | FileCheck %s
// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize{ranges=%S/Inputs/quantize.ranges.yaml schema=symmetric_power2 per-channel=false}))' -split-input-file -verify-diagnostics | FileCheck %s --check-prefix=POWER
// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize{ranges=%S/Inputs/quantize.ranges.yaml activations=int8}))' -split-input-file -verify-diagnostics | FileCheck %s --check-prefix=SIGNED
// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize{ranges=%S/Inputs/quantize.ranges.yaml schema=symmetric}))' -split-input-file -verify-diagnostics | FileCheck %s --check-prefix=SYMMETRIC
// RUN: not nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize{ranges=%t.none}))' -split-input-file 2>&1 | FileCheck %s --check-prefix=MISSING

// MISSING: error: cannot read ranges from '{{.*}}none': No such file or directory

#x = loc(fused<{nacre.argument = ["x"]}>["net":0:0])
// The input has one pair; weights are int8 of a scale for each output channel,
// the bias int32 of the products of the scales. What returns stays a float.
// CHECK-LABEL: func @conv_has_integers
// CHECK-DAG: %[[XS:.*]] = IE.Constant dense<0.00999999977> : tensor<f32>
// CHECK-DAG: %[[XZ:.*]] = IE.Constant dense<0> : tensor<ui8>
// CHECK-DAG: %[[WQ:.*]] = IE.Constant dense<{{\[\[\[\[}}127]]], {{\[\[\[}}-127]]]]> : tensor<2x1x1x1xi8>
// CHECK-DAG: %[[WS:.*]] = IE.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK-DAG: %[[BQ:.*]] = IE.Constant dense<[100, -100]> : tensor<2xi32>
// CHECK-DAG: %[[BS:.*]] = IE.Constant dense<[0.00999999977, 2.000000e-02]> : tensor<2xf32>
// CHECK-DAG: %[[XQ:.*]] = IE.QuantizeLinear(%arg0, %[[XS]], %[[XZ]])
// CHECK-DAG: %[[X:.*]] = IE.DequantizeLinear(%[[XQ]], %[[XS]], %[[XZ]])
// CHECK-DAG: %[[W:.*]] = IE.DequantizeLinear(%[[WQ]], %[[WS]]) {axis = 0 : i64}
// CHECK-DAG: %[[B:.*]] = IE.DequantizeLinear(%[[BQ]], %[[BS]]) {axis = 0 : i64}
// CHECK: %[[Y:.*]] = IE.Conv(%[[X]], %[[W]], %[[B]])
// CHECK: return %[[Y]]
// SIGNED-LABEL: func @conv_has_integers
// SIGNED: IE.Constant dense<-128> : tensor<i8>
// SIGNED: IE.QuantizeLinear{{.*}} -> tensor<?x1x4x4xi8>
// POWER-LABEL: func @conv_has_integers
// POWER-DAG: %[[XS:.*]] = IE.Constant dense<3.125000e-02> : tensor<f32>
// POWER-DAG: %[[XZ:.*]] = IE.Constant dense<0> : tensor<i8>
// POWER-DAG: IE.QuantizeLinear(%arg0, %[[XS]], %[[XZ]])
// POWER-DAG: %[[WQ:.*]] = IE.Constant dense<{{\[\[\[\[}}64]]], {{\[\[\[}}-127]]]]> : tensor<2x1x1x1xi8>
// POWER-DAG: %[[WS:.*]] = IE.Constant dense<2.000000e+00> : tensor<f32>
// POWER-DAG: IE.DequantizeLinear(%[[WQ]], %[[WS]])
func.func @conv_has_integers(%x: tensor<?x1x4x4xf32> loc(#x)) -> tensor<?x2x4x4xf32> {
  %w = IE.Constant dense<[[[[127.0]]], [[[-254.0]]]]> : tensor<2x1x1x1xf32>
  %b = IE.Constant dense<[1.0, -2.0]> : tensor<2xf32>
  %0 = IE.Conv(%x, %w, %b) : (tensor<?x1x4x4xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<?x2x4x4xf32>
  return %0 : tensor<?x2x4x4xf32>
}

// -----

#x = loc(fused<{nacre.argument = ["x"]}>["net":0:0])
// A channel of zeros has the scale 1. Where a bias would be more than 2^30 of
// its scale, the channel's weights get a larger one.
// CHECK-LABEL: func @bias_fits_into_32_bits
// CHECK: IE.Constant dense<{{\[\[}}0, 0, -127], [0, 0, 0]]> : tensor<2x3xi8>
// CHECK: IE.Constant dense<1.000000e+00> : tensor<3xf32>
// CHECK: IE.Constant dense<{{\[\[}}1073741824, 100, 0]]> : tensor<1x3xi32>
// CHECK: IE.DequantizeLinear(%{{.*}}, %{{.*}}) : (tensor<1x3xi32>, tensor<3xf32>)
// POWER-LABEL: func @bias_fits_into_32_bits
// SIGNED-LABEL: func @bias_fits_into_32_bits
func.func @bias_fits_into_32_bits(%x: tensor<4x2xf32> loc(#x)) -> tensor<4x3xf32> {
  %w = IE.Constant dense<[[1.0e-9, 0.0, -127.0], [0.0, 0.0, 0.0]]> : tensor<2x3xf32>
  %b = IE.Constant dense<[[10737418.24, 1.0, 0.0]]> : tensor<1x3xf32>
  %0 = IE.Gemm(%x, %w, %b) : (tensor<4x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

#means = loc(fused<{nacre.argument = ["means"]}>["net":0:0])
// 0.4 becomes 0: of an input that is 2 in the mean, the product is 0.8 less,
// which the bias makes up for.
// CHECK-LABEL: func @bias_makes_up_for_rounded_weights
// CHECK: IE.Constant dense<{{\[\[}}0], [127]]> : tensor<2x1xi8>
// CHECK: IE.Constant dense<80> : tensor<1xi32>
// POWER-LABEL: func @bias_makes_up_for_rounded_weights
// SIGNED-LABEL: func @bias_makes_up_for_rounded_weights
func.func @bias_makes_up_for_rounded_weights(%x: tensor<4x2xf32> loc(#means)) -> tensor<4x1xf32> {
  %w = IE.Constant dense<[[0.4], [127.0]]> : tensor<2x1xf32>
  %b = IE.Constant dense<[0.0]> : tensor<1xf32>
  %0 = IE.Gemm(%x, %w, %b) : (tensor<4x2xf32>, tensor<2x1xf32>, tensor<1xf32>) -> tensor<4x1xf32>
  return %0 : tensor<4x1xf32>
}

// -----

#x = loc(fused<{nacre.argument = ["x"]}>["net":0:0])
// One pair for all users, in front of what carries elements; the function's
// result is the value itself.
// CHECK-LABEL: func @users_share_a_pair
// CHECK: %[[Q:.*]] = IE.QuantizeLinear(%arg0,
// CHECK-NEXT: %[[X:.*]] = IE.DequantizeLinear(%[[Q]],
// CHECK-NOT: IE.QuantizeLinear
// CHECK-DAG: %[[R:.*]] = IE.Reshape %[[X]]
// CHECK-DAG: IE.MatMul(%[[R]],
// CHECK-DAG: IE.MatMul(%[[X]],
// CHECK-DAG: IE.Abs %[[X]]
// CHECK: return %arg0,
// POWER-LABEL: func @users_share_a_pair
// SIGNED-LABEL: func @users_share_a_pair
func.func @users_share_a_pair(%x: tensor<4x2xf32> loc(#x)) -> (tensor<4x2xf32>, tensor<8x3xf32>, tensor<4x3xf32>, tensor<4x2xf32>) {
  %shape = IE.Constant dense<[8, 1]> : tensor<2xi64>
  %v = IE.Constant dense<1.0> : tensor<1x3xf32>
  %w = IE.Constant dense<1.0> : tensor<2x3xf32>
  %0 = IE.Reshape %x, %shape : tensor<4x2xf32>, tensor<2xi64> -> tensor<8x1xf32>
  %1 = IE.MatMul(%0, %v) : (tensor<8x1xf32>, tensor<1x3xf32>) -> tensor<8x3xf32>
  %2 = IE.MatMul(%x, %w) : (tensor<4x2xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %3 = IE.Abs %x : tensor<4x2xf32> -> tensor<4x2xf32>
  return %x, %1, %2, %3 : tensor<4x2xf32>, tensor<8x3xf32>, tensor<4x3xf32>, tensor<4x2xf32>
}

// -----

#x = loc(fused<{nacre.argument = ["x"]}>["net":0:0])
#signed = loc(fused<{nacre.argument = ["signed"]}>["net":0:0])
#sum = loc(fused<{nacre.values = ["sum"]}>["net":0:0])
// A sum that a product reads is one of integers, and so are its operands.
// CHECK-LABEL: func @sum_is_quantized_with_its_operands
// CHECK-DAG: %[[ZERO:.*]] = IE.Constant dense<128> : tensor<ui8>
// CHECK-DAG: %[[A:.*]] = IE.QuantizeLinear(%arg0,
// CHECK-DAG: %[[B:.*]] = IE.QuantizeLinear(%arg1, %{{.*}}, %[[ZERO]])
// CHECK: %[[S:.*]] = IE.Add
// CHECK: %[[R:.*]] = IE.Relu %[[S]]
// CHECK: IE.QuantizeLinear(%[[R]],
// POWER-LABEL: func @sum_is_quantized_with_its_operands
// SIGNED-LABEL: func @sum_is_quantized_with_its_operands
func.func @sum_is_quantized_with_its_operands(%x: tensor<4x2xf32> loc(#x), %y: tensor<4x2xf32> loc(#signed)) -> tensor<4x3xf32> {
  %w = IE.Constant dense<1.0> : tensor<2x3xf32>
  %0 = IE.Add %x, %y : tensor<4x2xf32>, tensor<4x2xf32> -> tensor<4x2xf32>
  %1 = IE.Relu %0 : tensor<4x2xf32> -> tensor<4x2xf32> loc(#sum)
  %2 = IE.MatMul(%1, %w) : (tensor<4x2xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  return %2 : tensor<4x3xf32>
}

// -----

#x = loc(fused<{nacre.argument = ["x"]}>["net":0:0])
#signed = loc(fused<{nacre.argument = ["signed"]}>["net":0:0])
// CHECK-LABEL: func @sum_that_no_product_reads_stays
// CHECK-NEXT: %[[S:.*]] = IE.Add %arg0, %arg1
// CHECK-NEXT: return %[[S]]
// POWER-LABEL: func @sum_that_no_product_reads_stays
// SIGNED-LABEL: func @sum_that_no_product_reads_stays
func.func @sum_that_no_product_reads_stays(%x: tensor<4x2xf32> loc(#x), %y: tensor<4x2xf32> loc(#signed)) -> tensor<4x2xf32> {
  %0 = IE.Add %x, %y : tensor<4x2xf32>, tensor<4x2xf32> -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// -----

#x = loc(fused<{nacre.argument = ["x"]}>["net":0:0])
#six = loc(fused<{nacre.values = ["six"]}>["net":0:0])
#seven = loc(fused<{nacre.values = ["seven"]}>["net":0:0])
// Integers from 0 need no lower bound, and none end above 6. Symmetric ones do
// begin below 0, which is what a Relu is for, and powers of two may end above 6.
// CHECK-LABEL: func @clip_becomes_the_range
// CHECK-NOT: IE.Clip
// CHECK-NOT: IE.Relu
// CHECK: IE.QuantizeLinear(%arg0,
// CHECK: IE.Clip
// POWER-LABEL: func @clip_becomes_the_range
// POWER: IE.Clip
// POWER: IE.Clip
// SYMMETRIC-LABEL: func @clip_becomes_the_range
// SYMMETRIC: %[[R:.*]] = IE.Relu %arg0
// SYMMETRIC: IE.QuantizeLinear(%[[R]],
// SIGNED-LABEL: func @clip_becomes_the_range
// SIGNED-NOT: IE.Relu
func.func @clip_becomes_the_range(%x: tensor<4x2xf32> loc(#x)) -> (tensor<4x3xf32>, tensor<4x3xf32>) {
  %w = IE.Constant dense<1.0> : tensor<2x3xf32>
  %lo = IE.Constant dense<0.0> : tensor<f32>
  %hi = IE.Constant dense<6.0> : tensor<f32>
  %narrow = IE.Constant dense<3.0> : tensor<f32>
  %0 = IE.Clip %x min(%lo : tensor<f32>) max(%hi : tensor<f32>) : tensor<4x2xf32> -> tensor<4x2xf32> loc(#six)
  %1 = IE.MatMul(%0, %w) : (tensor<4x2xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %2 = IE.Clip %x max(%narrow : tensor<f32>) : tensor<4x2xf32> -> tensor<4x2xf32> loc(#seven)
  %3 = IE.MatMul(%2, %w) : (tensor<4x2xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  return %1, %3 : tensor<4x3xf32>, tensor<4x3xf32>
}

// -----

#x = loc(fused<{nacre.argument = ["x"]}>["net":0:0])
#endless = loc(fused<{nacre.argument = ["endless"]}>["net":0:0])
#mask = loc(fused<{nacre.argument = ["mask"]}>["net":0:0])
#judged = loc(fused<{nacre.argument = ["judged"]}>["net":0:0])
// Infinities and masks, weights that are no constants or not finite, and
// what the file keeps. A range that the file gives counts instead.
// CHECK-LABEL: func @what_8_bits_do_not_hold_stays
// CHECK-COUNT-1: IE.QuantizeLinear(%arg3,
// CHECK-NOT: IE.QuantizeLinear
// CHECK: return
// POWER-LABEL: func @what_8_bits_do_not_hold_stays
// SIGNED-LABEL: func @what_8_bits_do_not_hold_stays
func.func @what_8_bits_do_not_hold_stays(%x: tensor<4x2xf32> loc(#x), %e: tensor<4x2xf32> loc(#endless),
    %m: tensor<4x2xf32> loc(#mask), %j: tensor<4x2xf32> loc(#judged), %v: tensor<2x3xf32>)
    -> (tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>) {
  %w = IE.Constant dense<1.0> : tensor<2x3xf32>
  %nan = IE.Constant dense<0x7FC00000> : tensor<2x3xf32>
  %0 = IE.MatMul(%e, %w) : (tensor<4x2xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %1 = IE.MatMul(%m, %w) : (tensor<4x2xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %2 = IE.MatMul(%j, %w) : (tensor<4x2xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %3 = IE.MatMul(%x, %v) : (tensor<4x2xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %4 = IE.MatMul(%x, %nan) : (tensor<4x2xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %5 = IE.MatMul(%x, %w) : (tensor<4x2xf32>, tensor<2x3xf32>) -> tensor<4x3xf32> loc("head/score")
  return %0, %1, %2, %3, %4, %5 : tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>
}

// -----

// Of several missing ones the first is named.
func.func @ranges_of_another_model(%x: tensor<4x2xf32> loc(fused<{nacre.argument = ["other"]}>["net":0:0])) -> tensor<4x2xf32> {
  %w = IE.Constant dense<1.0> : tensor<2x2xf32>
  // expected-error-re @below {{'{{.*}}quantize.ranges.yaml' knows no range of value 'other', which this op reads: it was measured on another model}}
  %0 = IE.MatMul(%x, %w) : (tensor<4x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
  %1 = IE.MatMul(%0, %w) : (tensor<4x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
  return %1 : tensor<4x2xf32>
}
