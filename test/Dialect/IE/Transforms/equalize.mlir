// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-equalize{ranges=%S/Inputs/repairs.ranges.yaml}))' -split-input-file | FileCheck %s
// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-equalize{ranges=%S/Inputs/repairs-dropped.ranges.yaml}))' -split-input-file | FileCheck %s --check-prefix=DROPPED
// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-equalize{ranges=%S/Inputs/repairs.ranges.yaml},ie-quantize{ranges=%S/Inputs/repairs.ranges.yaml}))' -split-input-file 2>&1 | FileCheck %s --check-prefix=QUANTIZED
// RUN: not nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-equalize{ranges=%t.none}))' -split-input-file 2>&1 | FileCheck %s --check-prefix=MISSING

// MISSING: error: cannot read ranges from '{{.*}}none': No such file or directory
// DROPPED-NOT: nacre.re

#image = loc(fused<{nacre.argument = ["image"]}>["net":0:0])
#sums = loc(fused<{nacre.values = ["sums"]}>["net":1:0])
#rectified = loc(fused<{nacre.values = ["rectified"]}>["net":2:0])
// The small channel becomes larger, and what reads it smaller. The function
// says what was done, the values what they are multiples of.
// CHECK-LABEL: func @channels_between_convolutions_become_alike
// CHECK-SAME: nacre.repairs = [#nacre.repair<kind = "equalize", value = "rectified", node = "", decibels = {{[0-9.e+]+}} : f64>]
// CHECK-DAG: IE.Constant dense<1.000000e+01> : tensor<2x1x1x1xf32>
// CHECK-DAG: IE.Constant dense<2.000000e+00> : tensor<2xf32>
// CHECK: IE.Conv{{.*}} {nacre.rescaled = #nacre.rescaling<was = "sums", name = "sums/rescaled", of = "sums", factors = [1.000000e+01, 1.000000e-01]>}
// CHECK: IE.Relu{{.*}} {nacre.rescaled = #nacre.rescaling<was = "rectified", name = "rectified/rescaled", of = "rectified", factors = [1.000000e+01, 1.000000e-01]>}
// One scale is for 0 to 10 now, and nothing is left of the attributes.
// QUANTIZED-LABEL: func @channels_between_convolutions_become_alike
// QUANTIZED-NOT: nacre.re
// QUANTIZED: IE.Constant dense<0.03{{[0-9]*}}> : tensor<f32>
func.func @channels_between_convolutions_become_alike(%x: tensor<1x1x4x4xf32> loc(#image)) -> tensor<1x1x4x4xf32> {
  %w0 = IE.Constant dense<[[[[1.0]]], [[[100.0]]]]> : tensor<2x1x1x1xf32>
  %b0 = IE.Constant dense<[0.2, 20.0]> : tensor<2xf32>
  %w1 = IE.Constant dense<[[[[1.0]], [[0.01]]]]> : tensor<1x2x1x1xf32>
  %0 = IE.Conv(%x, %w0, %b0) : (tensor<1x1x4x4xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<1x2x4x4xf32> loc(#sums)
  %1 = IE.Relu %0 : tensor<1x2x4x4xf32> -> tensor<1x2x4x4xf32> loc(#rectified)
  %2 = IE.Conv(%1, %w1) : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>) -> tensor<1x1x4x4xf32>
  return %2 : tensor<1x1x4x4xf32>
}

// -----

#image = loc(fused<{nacre.argument = ["image"]}>["net":0:0])
#sums = loc(fused<{nacre.values = ["sums"]}>["net":1:0])
// A depthwise convolution reads each channel by weights of its own.
// CHECK-LABEL: func @depthwise_convolutions_take_factors
// CHECK: IE.Conv{{.*}} {nacre.rescaled = #nacre.rescaling<{{.*}}name = "sums/rescaled"
// QUANTIZED-LABEL: func @depthwise_convolutions_take_factors
func.func @depthwise_convolutions_take_factors(%x: tensor<1x1x4x4xf32> loc(#image)) -> tensor<1x2x4x4xf32> {
  %w0 = IE.Constant dense<[[[[1.0]]], [[[100.0]]]]> : tensor<2x1x1x1xf32>
  %w1 = IE.Constant dense<[[[[1.0]]], [[[0.01]]]]> : tensor<2x1x1x1xf32>
  %0 = IE.Conv(%x, %w0) : (tensor<1x1x4x4xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x4xf32> loc(#sums)
  %1 = IE.Conv(%0, %w1) {group = 2 : i64} : (tensor<1x2x4x4xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x4xf32>
  return %1 : tensor<1x2x4x4xf32>
}

// -----

#image = loc(fused<{nacre.argument = ["image"]}>["net":0:0])
#sums = loc(fused<{nacre.values = ["sums"]}>["net":1:0])
#clipped = loc(fused<{nacre.values = ["clipped"]}>["net":2:0])
// Samples come to 100: a bound of 200 is none, and 0 is a Relu's.
// CHECK-LABEL: func @bound_that_was_never_reached_goes_away
// CHECK-NOT: IE.Clip
// CHECK: IE.Relu{{.*}} {nacre.rescaled = #nacre.rescaling<{{.*}}name = "clipped/rescaled"
// QUANTIZED-LABEL: func @bound_that_was_never_reached_goes_away
func.func @bound_that_was_never_reached_goes_away(%x: tensor<1x1x4x4xf32> loc(#image)) -> tensor<1x1x4x4xf32> {
  %w0 = IE.Constant dense<[[[[1.0]]], [[[100.0]]]]> : tensor<2x1x1x1xf32>
  %w1 = IE.Constant dense<[[[[1.0]], [[0.01]]]]> : tensor<1x2x1x1xf32>
  %low = IE.Constant dense<0.0> : tensor<f32>
  %high = IE.Constant dense<200.0> : tensor<f32>
  %0 = IE.Conv(%x, %w0) : (tensor<1x1x4x4xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x4xf32> loc(#sums)
  %1 = IE.Clip %0 min(%low : tensor<f32>) max(%high : tensor<f32>) : tensor<1x2x4x4xf32> -> tensor<1x2x4x4xf32> loc(#clipped)
  %2 = IE.Conv(%1, %w1) : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>) -> tensor<1x1x4x4xf32>
  return %2 : tensor<1x1x4x4xf32>
}

// -----

#image = loc(fused<{nacre.argument = ["image"]}>["net":0:0])
#sums = loc(fused<{nacre.values = ["sums"]}>["net":1:0])
#clipped = loc(fused<{nacre.values = ["clipped"]}>["net":2:0])
// CHECK-LABEL: func @bound_that_was_reached_stays
// CHECK-NOT: nacre.re
// CHECK: IE.Clip
// QUANTIZED-LABEL: func @bound_that_was_reached_stays
func.func @bound_that_was_reached_stays(%x: tensor<1x1x4x4xf32> loc(#image)) -> tensor<1x1x4x4xf32> {
  %w0 = IE.Constant dense<[[[[1.0]]], [[[100.0]]]]> : tensor<2x1x1x1xf32>
  %w1 = IE.Constant dense<[[[[1.0]], [[0.01]]]]> : tensor<1x2x1x1xf32>
  %low = IE.Constant dense<0.0> : tensor<f32>
  %high = IE.Constant dense<100.0> : tensor<f32>
  %0 = IE.Conv(%x, %w0) : (tensor<1x1x4x4xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x4xf32> loc(#sums)
  %1 = IE.Clip %0 min(%low : tensor<f32>) max(%high : tensor<f32>) : tensor<1x2x4x4xf32> -> tensor<1x2x4x4xf32> loc(#clipped)
  %2 = IE.Conv(%1, %w1) : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>) -> tensor<1x1x4x4xf32>
  return %2 : tensor<1x1x4x4xf32>
}

// -----

#image = loc(fused<{nacre.argument = ["image"]}>["net":0:0])
#sums = loc(fused<{nacre.values = ["sums"]}>["net":1:0])
// CHECK-LABEL: func @value_that_something_else_reads_stays
// CHECK-NOT: nacre.re
// QUANTIZED-LABEL: func @value_that_something_else_reads_stays
func.func @value_that_something_else_reads_stays(%x: tensor<1x1x4x4xf32> loc(#image)) -> (tensor<1x1x4x4xf32>, tensor<1x2x4x4xf32>) {
  %w0 = IE.Constant dense<[[[[1.0]]], [[[100.0]]]]> : tensor<2x1x1x1xf32>
  %w1 = IE.Constant dense<[[[[1.0]], [[0.01]]]]> : tensor<1x2x1x1xf32>
  %0 = IE.Conv(%x, %w0) : (tensor<1x1x4x4xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x4xf32> loc(#sums)
  %1 = IE.Conv(%0, %w1) : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>) -> tensor<1x1x4x4xf32>
  return %1, %0 : tensor<1x1x4x4xf32>, tensor<1x2x4x4xf32>
}

// -----

#image = loc(fused<{nacre.argument = ["image"]}>["net":0:0])
#even = loc(fused<{nacre.values = ["even"]}>["net":1:0])
// CHECK-LABEL: func @channels_that_are_alike_stay
// CHECK-NOT: nacre.re
// QUANTIZED-LABEL: func @channels_that_are_alike_stay
func.func @channels_that_are_alike_stay(%x: tensor<1x1x4x4xf32> loc(#image)) -> tensor<1x1x4x4xf32> {
  %w0 = IE.Constant dense<[[[[100.0]]], [[[100.0]]]]> : tensor<2x1x1x1xf32>
  %w1 = IE.Constant dense<[[[[1.0]], [[1.0]]]]> : tensor<1x2x1x1xf32>
  %0 = IE.Conv(%x, %w0) : (tensor<1x1x4x4xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x4xf32> loc(#even)
  %1 = IE.Conv(%0, %w1) : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>) -> tensor<1x1x4x4xf32>
  return %1 : tensor<1x1x4x4xf32>
}

// -----

#image = loc(fused<{nacre.argument = ["image"]}>["net":0:0])
#judged = loc(fused<{nacre.values = ["judged"]}>["net":1:0])
// The range that somebody has given is of the value as it is.
// CHECK-LABEL: func @override_keeps_the_value
// CHECK-NOT: nacre.re
// QUANTIZED-LABEL: func @override_keeps_the_value
func.func @override_keeps_the_value(%x: tensor<1x1x4x4xf32> loc(#image)) -> tensor<1x1x4x4xf32> {
  %w0 = IE.Constant dense<[[[[1.0]]], [[[100.0]]]]> : tensor<2x1x1x1xf32>
  %w1 = IE.Constant dense<[[[[1.0]], [[0.01]]]]> : tensor<1x2x1x1xf32>
  %0 = IE.Conv(%x, %w0) : (tensor<1x1x4x4xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x4xf32> loc(#judged)
  %1 = IE.Conv(%0, %w1) : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>) -> tensor<1x1x4x4xf32>
  return %1 : tensor<1x1x4x4xf32>
}

// -----

#image = loc(fused<{nacre.argument = ["image"]}>["net":0:0])
#endless = loc(fused<{nacre.values = ["endless"]}>["net":1:0])
// CHECK-LABEL: func @infinite_value_stays
// CHECK-NOT: nacre.re
// QUANTIZED-LABEL: func @infinite_value_stays
func.func @infinite_value_stays(%x: tensor<1x1x4x4xf32> loc(#image)) -> tensor<1x1x4x4xf32> {
  %w0 = IE.Constant dense<[[[[1.0]]], [[[100.0]]]]> : tensor<2x1x1x1xf32>
  %w1 = IE.Constant dense<[[[[1.0]], [[0.01]]]]> : tensor<1x2x1x1xf32>
  %0 = IE.Conv(%x, %w0) : (tensor<1x1x4x4xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x4xf32> loc(#endless)
  %1 = IE.Conv(%0, %w1) : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>) -> tensor<1x1x4x4xf32>
  return %1 : tensor<1x1x4x4xf32>
}

// -----

#image = loc(fused<{nacre.argument = ["image"]}>["net":0:0])
#sums = loc(fused<{nacre.values = ["sums"]}>["net":1:0])
#rectified = loc(fused<{nacre.values = ["rectified"]}>["net":2:0])
// CHECK-LABEL: func @weights_that_a_run_decides_stay
// CHECK-NOT: nacre.re
// QUANTIZED-LABEL: func @weights_that_a_run_decides_stay
func.func @weights_that_a_run_decides_stay(%x: tensor<1x1x4x4xf32> loc(#image), %w1: tensor<1x2x1x1xf32>) -> tensor<1x1x4x4xf32> {
  %w0 = IE.Constant dense<[[[[1.0]]], [[[100.0]]]]> : tensor<2x1x1x1xf32>
  %0 = IE.Conv(%x, %w0) : (tensor<1x1x4x4xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x4xf32> loc(#sums)
  %1 = IE.Relu %0 : tensor<1x2x4x4xf32> -> tensor<1x2x4x4xf32> loc(#rectified)
  %2 = IE.Conv(%1, %w1) : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>) -> tensor<1x1x4x4xf32>
  return %2 : tensor<1x1x4x4xf32>
}
