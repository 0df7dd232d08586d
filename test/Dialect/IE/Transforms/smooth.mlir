// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-smooth{ranges=%S/Inputs/repairs.ranges.yaml}))' -split-input-file | FileCheck %s
// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-smooth{ranges=%S/Inputs/repairs-dropped.ranges.yaml}))' -split-input-file | FileCheck %s --check-prefix=DROPPED
// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-smooth{ranges=%S/Inputs/repairs.ranges.yaml},ie-quantize{ranges=%S/Inputs/repairs.ranges.yaml}))' -split-input-file 2>&1 | FileCheck %s --check-prefix=QUANTIZED
// RUN: not nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-smooth{ranges=%t.none}))' -split-input-file 2>&1 | FileCheck %s --check-prefix=MISSING

// MISSING: error: cannot read ranges from '{{.*}}none': No such file or directory
// DROPPED-NOT: nacre.re

#rows = loc(fused<{nacre.argument = ["rows"]}>["net":0:0])
// Nothing computes the rows that could do so divided.
// CHECK-LABEL: func @input_gets_a_mul
// CHECK-SAME: nacre.repairs = [#nacre.repair<kind = "smooth", value = "rows", node = "", decibels = {{[0-9.e+]+}} : f64>]
// CHECK: %[[X:.*]] = IE.Mul %arg0, %{{.*}} {nacre.rescaled = #nacre.rescaling<was = "rows", name = "rows/rescaled", of = "rows", factors = [{{.*}}]>}
// CHECK: IE.Gemm(%[[X]],
// QUANTIZED-LABEL: func @input_gets_a_mul
// QUANTIZED-NOT: nacre.re
// QUANTIZED: %[[X:.*]] = IE.Mul %arg0
// QUANTIZED: IE.QuantizeLinear(%[[X]],
func.func @input_gets_a_mul(%x: tensor<4x4xf32> loc(#rows)) -> tensor<4x2xf32> {
  %w = IE.Constant dense<[[1.0, 0.5], [0.5, 1.0], [1.0, 0.25], [0.25, 1.0]]> : tensor<4x2xf32>
  %0 = IE.Gemm(%x, %w) : (tensor<4x4xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// -----

#rows = loc(fused<{nacre.values = ["rows"]}>["net":1:0])
// The end of a normalisation: both constants take the factors.
// CHECK-LABEL: func @constants_of_a_normalization_take_factors
// CHECK-COUNT-1: IE.Mul
// CHECK-NOT: IE.Mul
// CHECK: IE.Add {{.*}} {nacre.rescaled = #nacre.rescaling<{{.*}}name = "rows/rescaled", of = "rows"
// CHECK: IE.Gemm
// QUANTIZED-LABEL: func @constants_of_a_normalization_take_factors
func.func @constants_of_a_normalization_take_factors(%x: tensor<4x4xf32>) -> tensor<4x2xf32> {
  %gamma = IE.Constant dense<[1.0, 1.0, 1.0, 50.0]> : tensor<4xf32>
  %beta = IE.Constant dense<[0.5, 0.5, 0.5, 5.0]> : tensor<4xf32>
  %w = IE.Constant dense<[[1.0, 0.5], [0.5, 1.0], [1.0, 0.25], [0.25, 1.0]]> : tensor<4x2xf32>
  %0 = IE.Mul %x, %gamma : tensor<4x4xf32>, tensor<4xf32> -> tensor<4x4xf32>
  %1 = IE.Add %0, %beta : tensor<4x4xf32>, tensor<4xf32> -> tensor<4x4xf32> loc(#rows)
  %2 = IE.Gemm(%1, %w) : (tensor<4x4xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  return %2 : tensor<4x2xf32>
}

// -----

#rows = loc(fused<{nacre.values = ["rows", "", ""]}>["net":1:0])
// CHECK-LABEL: func @normalization_takes_factors
// CHECK-NOT: IE.Mul
// CHECK: %[[Y:.*]], %{{.*}}, %{{.*}} = IE.LayerNormalization(%arg0, %{{.*}}, %{{.*}}) {nacre.rescaled = #nacre.rescaling<{{.*}}name = "rows/rescaled", of = "rows"
// CHECK: IE.Gemm(%[[Y]],
// QUANTIZED-LABEL: func @normalization_takes_factors
func.func @normalization_takes_factors(%x: tensor<4x4xf32>) -> tensor<4x2xf32> {
  %gamma = IE.Constant dense<[1.0, 1.0, 1.0, 50.0]> : tensor<4xf32>
  %beta = IE.Constant dense<[0.5, 0.5, 0.5, 5.0]> : tensor<4xf32>
  %w = IE.Constant dense<[[1.0, 0.5], [0.5, 1.0], [1.0, 0.25], [0.25, 1.0]]> : tensor<4x2xf32>
  %0:3 = IE.LayerNormalization(%x, %gamma, %beta) : (tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4x4xf32>, tensor<4x1xf32>, tensor<4x1xf32>) loc(#rows)
  %1 = IE.Gemm(%0#0, %w) : (tensor<4x4xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  return %1 : tensor<4x2xf32>
}

// -----

#rows = loc(fused<{nacre.values = ["rows", "", ""]}>["net":1:0])
// A scale that is no constant takes none.
// CHECK-LABEL: func @normalization_by_an_input_gets_a_mul
// CHECK: %[[V:.*]], %{{.*}}, %{{.*}} = IE.LayerNormalization(%arg0, %arg1)
// CHECK: %[[Y:.*]] = IE.Mul %[[V]], %{{.*}} {nacre.rescaled
// CHECK: IE.Gemm(%[[Y]],
// QUANTIZED-LABEL: func @normalization_by_an_input_gets_a_mul
func.func @normalization_by_an_input_gets_a_mul(%x: tensor<4x4xf32>, %gamma: tensor<4xf32>) -> tensor<4x2xf32> {
  %w = IE.Constant dense<[[1.0, 0.5], [0.5, 1.0], [1.0, 0.25], [0.25, 1.0]]> : tensor<4x2xf32>
  %0:3 = IE.LayerNormalization(%x, %gamma) : (tensor<4x4xf32>, tensor<4xf32>) -> (tensor<4x4xf32>, tensor<4x1xf32>, tensor<4x1xf32>) loc(#rows)
  %1 = IE.Gemm(%0#0, %w) : (tensor<4x4xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  return %1 : tensor<4x2xf32>
}

// -----

#rows = loc(fused<{nacre.values = ["rows"]}>["net":1:0])
// Another reader needs the value as it is.
// CHECK-LABEL: func @value_with_another_reader_gets_a_mul
// CHECK: %[[V:.*]] = IE.Mul %arg0, %{{.*}} : tensor<4x4xf32>
// CHECK: %[[X:.*]] = IE.Mul %[[V]], %{{.*}} {nacre.rescaled
// CHECK: IE.Gemm(%[[X]],
// CHECK: return {{.*}}, %[[V]]
// QUANTIZED-LABEL: func @value_with_another_reader_gets_a_mul
func.func @value_with_another_reader_gets_a_mul(%x: tensor<4x4xf32>) -> (tensor<4x2xf32>, tensor<4x4xf32>) {
  %gamma = IE.Constant dense<[1.0, 1.0, 1.0, 50.0]> : tensor<4xf32>
  %w = IE.Constant dense<[[1.0, 0.5], [0.5, 1.0], [1.0, 0.25], [0.25, 1.0]]> : tensor<4x2xf32>
  %0 = IE.Mul %x, %gamma : tensor<4x4xf32>, tensor<4xf32> -> tensor<4x4xf32> loc(#rows)
  %1 = IE.Gemm(%0, %w) : (tensor<4x4xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  return %1, %0 : tensor<4x2xf32>, tensor<4x4xf32>
}

// -----

#batches = loc(fused<{nacre.argument = ["batches"]}>["net":1:0])
// CHECK-LABEL: func @products_share_factors
// CHECK: %[[X:.*]] = IE.Mul %arg0
// CHECK-DAG: IE.MatMul(%[[X]], %{{.*}}) : (tensor<2x4x4xf32>, tensor<4x2xf32>)
// CHECK-DAG: IE.MatMul(%[[X]], %{{.*}}) : (tensor<2x4x4xf32>, tensor<4x1xf32>)
// QUANTIZED-LABEL: func @products_share_factors
func.func @products_share_factors(%x: tensor<2x4x4xf32> loc(#batches)) -> (tensor<2x4x2xf32>, tensor<2x4x1xf32>) {
  %w0 = IE.Constant dense<[[1.0, 0.5], [0.5, 1.0], [1.0, 0.25], [0.25, 1.0]]> : tensor<4x2xf32>
  %w1 = IE.Constant dense<[[1.0], [0.5], [1.0], [0.25]]> : tensor<4x1xf32>
  %0 = IE.MatMul(%x, %w0) : (tensor<2x4x4xf32>, tensor<4x2xf32>) -> tensor<2x4x2xf32>
  %1 = IE.MatMul(%x, %w1) : (tensor<2x4x4xf32>, tensor<4x1xf32>) -> tensor<2x4x1xf32>
  return %0, %1 : tensor<2x4x2xf32>, tensor<2x4x1xf32>
}

// -----

#level = loc(fused<{nacre.argument = ["level"]}>["net":1:0])
// A Mul has to be worth it.
// CHECK-LABEL: func @columns_that_are_alike_stay
// CHECK-NOT: IE.Mul
// CHECK: return
// QUANTIZED-LABEL: func @columns_that_are_alike_stay
func.func @columns_that_are_alike_stay(%x: tensor<4x4xf32> loc(#level)) -> tensor<4x2xf32> {
  %w = IE.Constant dense<[[1.0, 0.5], [0.5, 1.0], [1.0, 0.25], [0.25, 1.0]]> : tensor<4x2xf32>
  %0 = IE.Gemm(%x, %w) : (tensor<4x4xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// -----

#image = loc(fused<{nacre.argument = ["sums"]}>["net":0:0])
// Channels of images are no columns.
// CHECK-LABEL: func @convolutions_stay
// CHECK-NOT: IE.Mul
// CHECK: return
// QUANTIZED-LABEL: func @convolutions_stay
func.func @convolutions_stay(%x: tensor<1x2x4x4xf32> loc(#image)) -> tensor<1x1x4x4xf32> {
  %w = IE.Constant dense<[[[[1.0]], [[0.01]]]]> : tensor<1x2x1x1xf32>
  %0 = IE.Conv(%x, %w) : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>) -> tensor<1x1x4x4xf32>
  return %0 : tensor<1x1x4x4xf32>
}
