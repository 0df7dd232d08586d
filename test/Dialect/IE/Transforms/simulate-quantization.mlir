// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize{run-time-parameters ranges=%S/Inputs/quantize.ranges.yaml}))' -split-input-file | FileCheck %s

#x = loc(fused<{nacre.argument = ["x"]}>["net":0:0])
// Five numbers of the value, then one of the product, whose branches have int8's
// weights and its own. What is returned is not rounded.
// CHECK-LABEL: func @conv_reads_what_an_input_says
// CHECK-SAME: %[[N:.*]]: tensor<6xf32> {nacre.name = "nacre.quantization"}
// CHECK: %[[S:.*]] = IE.Reshape
// CHECK: %[[Q:.*]] = IE.Div %arg0, %[[S]]
// CHECK: %[[R:.*]] = IE.Round %[[Q]]
// CHECK: %[[I:.*]] = IE.Add %[[R]],
// CHECK: %[[MAX:.*]] = IE.Max %[[I]],
// CHECK: %[[MIN:.*]] = IE.Min %[[MAX]],
// CHECK: %[[D:.*]] = IE.Sub %[[MIN]],
// CHECK: %[[ROUNDED:.*]] = IE.Mul %[[D]], %[[S]]
// CHECK: %[[X:.*]] = IE.Where %{{.*}}, %[[ROUNDED]], %arg0
// CHECK: IE.If
// CHECK: IE.Conv(%[[X]], %[[W8:[a-z0-9]*]], %[[B8:[a-z0-9]*]])
// CHECK: else
// CHECK: IE.Conv(%[[X]], %[[W:[a-z0-9]*]], %[[B:[a-z0-9]*]])
// CHECK: return %{{.*}}, %arg0
func.func @conv_reads_what_an_input_says(%x: tensor<?x1x4x4xf32> loc(#x)) -> (tensor<?x2x4x4xf32>, tensor<?x1x4x4xf32>) {
  %w = IE.Constant dense<[[[[127.0]]], [[[-253.0]]]]> : tensor<2x1x1x1xf32>
  %b = IE.Constant dense<[1.0, -2.0]> : tensor<2xf32>
  %0 = IE.Conv(%x, %w, %b) : (tensor<?x1x4x4xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<?x2x4x4xf32>
  return %0, %x : tensor<?x2x4x4xf32>, tensor<?x1x4x4xf32>
}

// -----

#x = loc(fused<{nacre.argument = ["x"]}>["net":0:0])
#sum = loc(fused<{nacre.values = ["sum"]}>["net":0:0])
// Products come last ones first, and what they compute is a value, too.
// CHECK-LABEL: func @values_of_products_are_rounded
// CHECK-SAME: tensor<12xf32>
// CHECK: %[[Y:.*]] = IE.If
// CHECK: IE.MatMul
// CHECK: IE.MatMul
// CHECK: IE.Div %[[Y]],
// CHECK: IE.If
func.func @values_of_products_are_rounded(%x: tensor<4x2xf32> loc(#x)) -> tensor<4x2xf32> {
  %w = IE.Constant dense<1.0> : tensor<2x2xf32>
  %0 = IE.MatMul(%x, %w) : (tensor<4x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32> loc(#sum)
  %1 = IE.MatMul(%0, %w) : (tensor<4x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
  return %1 : tensor<4x2xf32>
}

// -----

#endless = loc(fused<{nacre.argument = ["endless"]}>["net":0:0])
// Nothing can be quantized.
// CHECK-LABEL: func @what_8_bits_do_not_hold_has_no_choice
// CHECK-SAME: tensor<0xf32> {nacre.name = "nacre.quantization"}
// CHECK-NEXT: IE.Constant
// CHECK-NEXT: IE.MatMul
// CHECK-NEXT: return
func.func @what_8_bits_do_not_hold_has_no_choice(%e: tensor<4x2xf32> loc(#endless)) -> tensor<4x3xf32> {
  %w = IE.Constant dense<1.0> : tensor<2x3xf32>
  %0 = IE.MatMul(%e, %w) : (tensor<4x2xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}
