// Inputs and outputs that ie-quantize rounds because somebody asks for it.
// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize{ranges=%S/Inputs/quantize.ranges.yaml quantize-outputs}))' -split-input-file -verify-diagnostics | FileCheck %s
// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize{ranges=%S/Inputs/quantize.ranges.yaml quantize-outputs quantize-inputs}))' -split-input-file -verify-diagnostics | FileCheck %s --check-prefix=BOTH
// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize{ranges=%S/Inputs/quantize.ranges.yaml quantize-outputs run-time-parameters}))' -split-input-file -verify-diagnostics | FileCheck %s --check-prefix=LATE

#x = loc(fused<{nacre.argument = ["x"]}>["net":0:0])
#sum = loc("add"(fused<{nacre.values = ["sum"]}>["net":0:0]))
// Nothing is a product, but the sum's result is asked for, and so are its
// operands then.
// CHECK-LABEL: func @sum_is_rounded
// CHECK: IE.Constant dense<0.00999999977> : tensor<f32>
// CHECK: IE.QuantizeLinear(%arg0
// CHECK: IE.Add
// CHECK: IE.Constant dense<2.000000e-02> : tensor<f32>
// CHECK: IE.QuantizeLinear
// CHECK: %[[Y:.*]] = IE.DequantizeLinear
// CHECK: return %[[Y]]
// BOTH-LABEL: func @sum_is_rounded
// LATE-LABEL: func @sum_is_rounded
// LATE-SAME: tensor<10xf32> {nacre.name = "nacre.quantization"}
// LATE: IE.Where
// LATE: %[[Y:.*]] = IE.Where
// LATE: return %[[Y]]
func.func @sum_is_rounded(%x: tensor<4xf32> loc(#x)) -> tensor<4xf32> {
  %0 = IE.Add %x, %x : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32> loc(#sum)
  return %0 : tensor<4xf32>
}

// -----

#x = loc(fused<{nacre.argument = ["x"]}>["net":0:0])
#sum = loc("exp"(fused<{nacre.values = ["sum"]}>["net":0:0]))
#moved = loc("moved"(fused<{nacre.values = ["six"]}>["net":0:0]))
// What moves the elements of a value has the value's scale at its end, too.
// Only where inputs are to be rounded does one count that no product reads.
// CHECK-LABEL: func @moved_elements_keep_the_scale
// CHECK: IE.Exp %arg0
// CHECK: %[[S:.*]] = IE.Constant dense<2.000000e-02> : tensor<f32>
// CHECK: %[[Q:.*]] = IE.QuantizeLinear
// CHECK: %[[F:.*]] = IE.DequantizeLinear(%[[Q]], %[[S]]
// CHECK: %[[M:.*]] = IE.Transpose %[[F]]
// CHECK: %[[T:.*]] = IE.Constant dense<2.000000e-02> : tensor<f32>
// CHECK: IE.QuantizeLinear(%[[M]], %[[T]]
// CHECK: %[[Y:.*]] = IE.DequantizeLinear
// CHECK: return %[[Y]]
// BOTH-LABEL: func @moved_elements_keep_the_scale
// BOTH: IE.QuantizeLinear(%arg0
// BOTH: IE.Exp
// LATE-LABEL: func @moved_elements_keep_the_scale
func.func @moved_elements_keep_the_scale(%x: tensor<4x2xf32> loc(#x)) -> tensor<2x4xf32> {
  %0 = IE.Exp %x : tensor<4x2xf32> -> tensor<4x2xf32> loc(#sum)
  %1 = IE.Transpose %0 {perm = array<i64: 1, 0>} : tensor<4x2xf32> -> tensor<2x4xf32> loc(#moved)
  return %1 : tensor<2x4xf32>
}

// -----

#x = loc(fused<{nacre.argument = ["x"]}>["net":0:0])
#six = loc("clip"(fused<{nacre.values = ["six"]}>["net":0:0]))
// A Clip of the bounds goes away, also where its result is the function's.
// CHECK-LABEL: func @limit_of_a_result_is_dropped
// CHECK-NOT: IE.Clip
// CHECK: IE.QuantizeLinear
// CHECK-NOT: IE.Clip
// CHECK: return
// BOTH-LABEL: func @limit_of_a_result_is_dropped
// LATE-LABEL: func @limit_of_a_result_is_dropped
func.func @limit_of_a_result_is_dropped(%x: tensor<4xf32> loc(#x)) -> tensor<4xf32> {
  %lo = IE.Constant dense<0.0> : tensor<f32>
  %hi = IE.Constant dense<5.1> : tensor<f32>
  %0 = IE.Exp %x : tensor<4xf32> -> tensor<4xf32>
  %1 = IE.Clip %0 min(%lo : tensor<f32>) max(%hi : tensor<f32>) : tensor<4xf32> -> tensor<4xf32> loc(#six)
  return %1 : tensor<4xf32>
}

// -----

#x = loc(fused<{nacre.argument = ["x"]}>["net":0:0])
#endless = loc("exp"(fused<{nacre.values = ["endless"]}>["net":0:0]))
#sum = loc("state"(fused<{nacre.values = ["sum"]}>["net":0:0]))
// Integers, constants, what was infinite, and states stay what they are.
// CHECK-LABEL: func @others_stay
// CHECK-NOT: IE.QuantizeLinear
// CHECK: return
// BOTH-LABEL: func @others_stay
// LATE-LABEL: func @others_stay
func.func @others_stay(%i: tensor<4xi64>, %s: tensor<4xf32> {nacre.state = 3 : i64} loc(#x))
    -> (tensor<4xi64>, tensor<2xf32>, tensor<4xf32>, tensor<4xf32>) {
  %c = IE.Constant dense<1.0> : tensor<2xf32>
  %0 = IE.Exp %s : tensor<4xf32> -> tensor<4xf32> loc(#endless)
  %1 = IE.Exp %s : tensor<4xf32> -> tensor<4xf32> loc(#sum)
  return %i, %c, %0, %1 : tensor<4xi64>, tensor<2xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

#x = loc(fused<{nacre.argument = ["x"]}>["net":0:0])
func.func @range_is_missing(%x: tensor<4xf32> loc(#x)) -> tensor<4xf32> {
  %0 = IE.Exp %x : tensor<4xf32> -> tensor<4xf32> loc("strange")
  // expected-error @below {{knows no range of value 'strange#0', which this op reads: it was measured on another model}}
  return %0 : tensor<4xf32>
}

// -----

#x = loc(fused<{nacre.argument = ["x"]}>["net":0:0])
// An input of integers that becomes a state becomes what these stand for: else
// somebody would read its floats.
// CHECK-LABEL: func @input_becomes_a_state
// CHECK-NOT: IE.QuantizeLinear
// CHECK: return %arg0
// BOTH-LABEL: func @input_becomes_a_state
// BOTH: %[[Q:.*]] = IE.QuantizeLinear(%arg0
// BOTH: %[[F:.*]] = IE.DequantizeLinear(%[[Q]]
// BOTH: return %[[F]]
// LATE-LABEL: func @input_becomes_a_state
func.func @input_becomes_a_state(%x: tensor<4xf32> loc(#x), %before: tensor<4xf32> {nacre.state = 0 : i64}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
