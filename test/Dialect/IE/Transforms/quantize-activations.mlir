// Products of two values, and Clips that the integers make unnecessary.
// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize{ranges=%S/Inputs/quantize.ranges.yaml}))' | FileCheck %s --check-prefixes=CHECK,PLAIN
// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize{ranges=%S/Inputs/quantize.ranges.yaml matmul-activations keep-activations}))' | FileCheck %s --check-prefixes=CHECK,ALL
// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize{ranges=%S/Inputs/quantize.ranges.yaml matmul-activations only-ops=MatMulActivations}))' | FileCheck %s --check-prefixes=CHECK,VALUES
// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize{ranges=%S/Inputs/quantize.ranges.yaml matmul-activations keep-ops=MatMul}))' | FileCheck %s --check-prefixes=CHECK,KEPT
// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize{ranges=%S/Inputs/quantize.ranges.yaml matmul-activations run-time-parameters}))' | FileCheck %s --check-prefixes=CHECK,LATE

#x = loc(fused<{nacre.argument = ["x"]}>["net":0:0])
#signed = loc(fused<{nacre.argument = ["signed"]}>["net":0:0])
// Both operands have a pair, also behind what moves elements.
// CHECK-LABEL: func @product_of_values
// PLAIN-NOT: IE.QuantizeLinear
// ALL: IE.QuantizeLinear(%arg1
// ALL: %[[B:.*]] = IE.DequantizeLinear
// ALL: IE.QuantizeLinear(%arg0
// ALL: %[[A:.*]] = IE.DequantizeLinear
// ALL: %[[T:.*]] = IE.Transpose %[[B]]
// ALL: IE.MatMul(%[[A]], %[[T]])
// VALUES-COUNT-2: IE.QuantizeLinear
// KEPT-NOT: IE.QuantizeLinear
// LATE: IE.MatMul
// LATE-NOT: IE.If
// CHECK: return
func.func @product_of_values(%x: tensor<4x8xf32> loc(#x), %y: tensor<4x8xf32> loc(#signed)) -> tensor<4x4xf32> {
  %0 = IE.Transpose %y {perm = array<i64: 1, 0>} : tensor<4x8xf32> -> tensor<8x4xf32>
  %1 = IE.MatMul(%x, %0) : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// Weights are no values.
// CHECK-LABEL: func @product_with_weights
// ALL: tensor<8x4xi8>
// VALUES-NOT: xi8>
// KEPT-NOT: xi8>
// LATE: IE.If
// CHECK: return
func.func @product_with_weights(%x: tensor<4x8xf32> loc(#x)) -> tensor<4x4xf32> {
  %w = IE.Constant dense<1.0> : tensor<8x4xf32>
  %0 = IE.MatMul(%x, %w) : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

#six = loc("clip"(fused<{nacre.values = ["six"]}>["net":0:0]))
// CHECK-LABEL: func @bounds_of_the_integers
// PLAIN-NOT: IE.Clip
// ALL: IE.Clip
// CHECK: return
func.func @bounds_of_the_integers(%x: tensor<4x8xf32>) -> tensor<4x4xf32> {
  %w = IE.Constant dense<1.0> : tensor<8x4xf32>
  %lo = IE.Constant dense<0.0> : tensor<f32>
  %hi = IE.Constant dense<5.1> : tensor<f32>
  %0 = IE.Exp %x : tensor<4x8xf32> -> tensor<4x8xf32>
  %1 = IE.Clip %0 min(%lo : tensor<f32>) max(%hi : tensor<f32>) : tensor<4x8xf32> -> tensor<4x8xf32> loc(#six)
  %2 = IE.Gemm(%1, %w) : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}
