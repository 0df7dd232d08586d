// RUN: nacre-opt %s --vpu-trace-sizes | FileCheck %s

// The size comes from where the result's own does.
// CHECK-LABEL: @size_of_a_result
// CHECK-SAME: (%{{.*}}: tensor<?x64xf32>, %[[N:[a-z0-9]+]]: index)
// CHECK-NOT: tensor.dim
// CHECK: return %{{.*}}, %[[N]]
func.func @size_of_a_result(%x: tensor<?x64xf32>, %n: index) -> (tensor<?x64xf32>, index) {
  %c0 = arith.constant 0 : index
  %e = tensor.empty(%n) : tensor<?x64xf32>
  %0 = linalg.exp ins(%x : tensor<?x64xf32>) outs(%e : tensor<?x64xf32>) -> tensor<?x64xf32>
  %size = tensor.dim %0, %c0 : tensor<?x64xf32>
  return %0, %size : tensor<?x64xf32>, index
}

// Of a product of sizes, too.
// CHECK-LABEL: @size_of_collapsed_dimensions
// CHECK: %[[SIZE:.*]] = arith.muli
// CHECK: return %[[SIZE]]
func.func @size_of_collapsed_dimensions(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %e = tensor.empty(%n) : tensor<?x64xf32>
  %0 = tensor.collapse_shape %e [[0, 1]] : tensor<?x64xf32> into tensor<?xf32>
  %size = tensor.dim %0, %c0 : tensor<?xf32>
  return %size : index
}

// What comes from nowhere else stays.
// CHECK-LABEL: @size_of_an_argument
// CHECK: tensor.dim %arg0
func.func @size_of_an_argument(%x: tensor<?x64xf32>) -> index {
  %c0 = arith.constant 0 : index
  %size = tensor.dim %x, %c0 : tensor<?x64xf32>
  return %size : index
}

// CHECK-LABEL: @dimension_that_only_a_run_knows
// CHECK: tensor.dim
func.func @dimension_that_only_a_run_knows(%n: index, %dim: index) -> index {
  %e = tensor.empty(%n) : tensor<?x64xf32>
  %size = tensor.dim %e, %dim : tensor<?x64xf32>
  return %size : index
}
