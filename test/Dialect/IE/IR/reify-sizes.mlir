// RUN: nacre-opt %s -split-input-file -resolve-ranked-shaped-type-result-dims -canonicalize -cse | FileCheck %s

// What operators say of the sizes of their results, through upstream's
// ReifyRankedShapedTypeOpInterface: the operators themselves go.

// CHECK-LABEL: func @transpose_permutes_sizes
// CHECK-SAME: %[[X:.*]]: tensor<?x?xf32>
// CHECK: %[[N:.*]] = tensor.dim %[[X]], %c1
// CHECK-NEXT: return %[[N]]
func.func @transpose_permutes_sizes(%x: tensor<?x?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %0 = IE.Transpose %x {perm = array<i64: 1, 0>} : tensor<?x?xf32> -> tensor<?x?xf32>
  %n = tensor.dim %0, %c0 : tensor<?x?xf32>
  return %n : index
}

// -----

// CHECK-LABEL: func @add_broadcasts_sizes_that_only_a_run_knows
// CHECK-DAG: %[[A:.*]] = tensor.dim %arg0
// CHECK-DAG: %[[B:.*]] = tensor.dim %arg1
// CHECK: %[[ONE:.*]] = arith.cmpi eq, %[[A]], %c1
// CHECK: %[[N:.*]] = arith.select %[[ONE]], %[[B]], %[[A]]
// CHECK: return %[[N]]
func.func @add_broadcasts_sizes_that_only_a_run_knows(%x: tensor<?xf32>, %y: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %0 = IE.Add %x, %y : tensor<?xf32>, tensor<?xf32> -> tensor<?xf32>
  %n = tensor.dim %0, %c0 : tensor<?xf32>
  return %n : index
}

// -----

// CHECK-LABEL: func @convolution_with_stride_rounds_up
// CHECK: %[[H:.*]] = tensor.dim %arg0, %c2
// CHECK: %[[REST:.*]] = arith.maxsi %[[H]], %c0
// CHECK: %[[SUM:.*]] = arith.addi %[[REST]], %c1
// CHECK: arith.divui %[[SUM]], %c2
// CHECK-NOT: IE.Conv
func.func @convolution_with_stride_rounds_up(%x: tensor<1x3x?x8xf32>, %w: tensor<4x3x3x3xf32>) -> index {
  %c2 = arith.constant 2 : index
  %0 = IE.Conv(%x, %w) {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>} : (tensor<1x3x?x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x?x4xf32>
  %n = tensor.dim %0, %c2 : tensor<1x4x?x4xf32>
  return %n : index
}

// -----

// CHECK-LABEL: func @expand_reads_its_shape
// CHECK: tensor.extract %arg1
// CHECK-NOT: IE.Expand
func.func @expand_reads_its_shape(%x: tensor<1xf32>, %shape: tensor<2xi64>) -> index {
  %c0 = arith.constant 0 : index
  %0 = IE.Expand %x, %shape : tensor<1xf32>, tensor<2xi64> -> tensor<?x?xf32>
  %n = tensor.dim %0, %c0 : tensor<?x?xf32>
  return %n : index
}

// -----

// Which dimension disappears is known when the axes are.
// CHECK-LABEL: func @reduction_along_run_time_axes_counts_what_is_left
// CHECK: tensor.extract %arg1
// CHECK: arith.select
// CHECK-NOT: IE.ReduceSum
func.func @reduction_along_run_time_axes_counts_what_is_left(%x: tensor<?x?xf32>, %axes: tensor<1xi64>) -> index {
  %c0 = arith.constant 0 : index
  %0 = IE.ReduceSum(%x, %axes) {keepdims = 0 : i64} : (tensor<?x?xf32>, tensor<1xi64>) -> tensor<?xf32>
  %n = tensor.dim %0, %c0 : tensor<?xf32>
  return %n : index
}

// -----

// How many elements are not zero is no matter of sizes.
// CHECK-LABEL: func @nonzero_does_not_know
// CHECK: IE.NonZero
func.func @nonzero_does_not_know(%x: tensor<?xf32>) -> index {
  %c1 = arith.constant 1 : index
  %0 = IE.NonZero(%x) : (tensor<?xf32>) -> tensor<1x?xi64>
  %n = tensor.dim %0, %c1 : tensor<1x?xi64>
  return %n : index
}

// -----

// CHECK-LABEL: func @dynamically_quantized_elements_are_as_many
// CHECK: %[[N:.*]] = tensor.dim %arg0, %c0
// CHECK: return %[[N]]
func.func @dynamically_quantized_elements_are_as_many(%x: tensor<?x4xf32>) -> index {
  %c0 = arith.constant 0 : index
  %0:3 = IE.DynamicQuantizeLinear(%x) : (tensor<?x4xf32>) -> (tensor<?x4xui8>, tensor<f32>, tensor<ui8>)
  %n = tensor.dim %0#0, %c0 : tensor<?x4xui8>
  return %n : index
}

// -----

// CHECK-LABEL: func @statistics_of_layers_are_one_for_each
// CHECK: %[[N:.*]] = tensor.dim %arg0, %c0
// CHECK: return %[[N]], %c1
func.func @statistics_of_layers_are_one_for_each(%x: tensor<?x?xf32>, %p: tensor<?xf32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:3 = IE.LayerNormalization(%x, %p) : (tensor<?x?xf32>, tensor<?xf32>) -> (tensor<?x?xf32>, tensor<?x1xf32>, tensor<?x1xf32>)
  %n = tensor.dim %0#0, %c0 : tensor<?x?xf32>
  %one = tensor.dim %0#1, %c1 : tensor<?x1xf32>
  return %n, %one : index, index
}
