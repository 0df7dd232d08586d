// Overrides that give products 16 bits.

// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize{ranges=%S/Inputs/quantize-some-wide.ranges.yaml}))' -split-input-file | FileCheck %s
// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize{ranges=%S/Inputs/quantize-some-wide.ranges.yaml schema=symmetric_power2}))' -split-input-file | FileCheck %s --check-prefix=POWER
// RUN: not nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize{ranges=%S/Inputs/quantize-some-wide.ranges.yaml calibrator=entropy}))' -split-input-file 2>&1 | FileCheck %s --check-prefix=ENTROPY

// ENTROPY: net:0:0: error: 'x' has 16 bits by an override of '{{.*}}quantize-some-wide.ranges.yaml', which the calibrator entropy has no ranges for: use mse, minmax or percentile

#x = loc(fused<{nacre.argument = ["x"]}>["net":0:0])
// The value is symmetric int16 for whatever reads it through a Reshape; weights
// stay int8. The last override that fits a node counts.
// CHECK-LABEL: func @node_of_16_bits_reads_them
// CHECK-DAG: %[[S:.*]] = IE.Constant dense<1.55{{.*}}E-4> : tensor<f32>
// CHECK-DAG: %[[Z:.*]] = IE.Constant dense<0> : tensor<i16>
// CHECK: %[[Q:.*]] = IE.QuantizeLinear(%arg0, %[[S]], %[[Z]]) : {{.*}} -> tensor<?x2xi16>
// CHECK: %[[X:.*]] = IE.DequantizeLinear(%[[Q]], %[[S]], %[[Z]])
// CHECK: IE.Reshape %[[X]]
// CHECK: IE.DequantizeLinear(%{{.*}}) {{.*}}: (tensor<2x2xi8>
// CHECK: IE.Gemm
// A schema of powers of two is one of 16 bits, too.
// POWER-LABEL: func @node_of_16_bits_reads_them
// POWER: IE.Constant dense<2.44140625E-4> : tensor<f32>
func.func @node_of_16_bits_reads_them(%x: tensor<?x2xf32> loc(#x)) -> tensor<?x2xf32> {
  %w = IE.Constant dense<[[1.27, 0.1], [0.5, 1.27]]> : tensor<2x2xf32>
  %shape = IE.Constant dense<[-1, 2]> : tensor<2xi64>
  %0 = IE.Reshape %x, %shape : tensor<?x2xf32>, tensor<2xi64> -> tensor<?x2xf32>
  %1 = IE.Gemm(%0, %w) : (tensor<?x2xf32>, tensor<2x2xf32>) -> tensor<?x2xf32> loc("wide_head")
  return %1 : tensor<?x2xf32>
}

// -----

#x = loc(fused<{nacre.argument = ["x"]}>["net":0:0])
// CHECK-LABEL: func @last_override_counts
// CHECK: IE.QuantizeLinear{{.*}} -> tensor<4x2xui8>
func.func @last_override_counts(%x: tensor<4x2xf32> loc(#x)) -> tensor<4x2xf32> {
  %w = IE.Constant dense<[[1.27, 0.1], [0.5, 1.27]]> : tensor<2x2xf32>
  %0 = IE.Gemm(%x, %w) : (tensor<4x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32> loc("wide_no_more")
  return %0 : tensor<4x2xf32>
}

// -----

#x = loc(fused<{nacre.argument = ["x"]}>["net":0:0])
#y = loc(fused<{nacre.argument = ["y"]}>["net":0:0])
#sum = loc(fused<{nacre.values = ["sum"]}>["net":0:0])
// What is summed for 16 bits stays f32: only the sum is rounded, and whoever
// reads it has 16 bits, too.
// CHECK-LABEL: func @sum_for_16_bits_is_one_of_floats
// CHECK: %[[S:.*]] = IE.Add %arg0, %arg1
// CHECK: %[[Q:.*]] = IE.QuantizeLinear(%[[S]], {{.*}} -> tensor<4x2xi16>
// CHECK: %[[D:.*]] = IE.DequantizeLinear(%[[Q]]
// CHECK: IE.Gemm(%[[D]]
// CHECK: IE.Gemm(%[[D]]
// CHECK-NOT: tensor<4x2xui8>
func.func @sum_for_16_bits_is_one_of_floats(%x: tensor<4x2xf32> loc(#x), %y: tensor<4x2xf32> loc(#y)) -> (tensor<4x2xf32>, tensor<4x2xf32>) {
  %w = IE.Constant dense<[[1.27, 0.1], [0.5, 1.27]]> : tensor<2x2xf32>
  %0 = IE.Add %x, %y : tensor<4x2xf32>, tensor<4x2xf32> -> tensor<4x2xf32> loc(#sum)
  %1 = IE.Gemm(%0, %w) : (tensor<4x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32> loc("wide_head")
  %2 = IE.Gemm(%0, %w) : (tensor<4x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32> loc("narrow_head")
  return %1, %2 : tensor<4x2xf32>, tensor<4x2xf32>
}
