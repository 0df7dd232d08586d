// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=2" --vpu-apply-clusters --split-input-file | FileCheck %s

// The rows of a reshaped matrix are those that its parts were made of: all of it is
// read, and not a slice.
// CHECK-LABEL: func @reshaped_rows_of_dynamic_number_are_read_whole
// CHECK: %[[ROWS:.*]] = tensor.collapse_shape
// CHECK: scf.forall
// CHECK: VPU.NCE.MatMul ins(%[[ROWS]], %
func.func @reshaped_rows_of_dynamic_number_are_read_whole(%x: tensor<?x4x16xf32>, %w: tensor<1x2x64x16xf32>, %n: index) -> tensor<1x?x32xf32> {
  %parts = tensor.expand_shape %x [[0, 1], [2], [3]] output_shape [1, %n, 4, 16] : tensor<?x4x16xf32> into tensor<1x?x4x16xf32>
  %rows = tensor.collapse_shape %parts [[0], [1], [2, 3]] : tensor<1x?x4x16xf32> into tensor<1x?x64xf32>
  %e = tensor.empty(%n) : tensor<1x?x32xf32>
  %0 = VPU.NCE.MatMul ins(%rows, %w : tensor<1x?x64xf32>, tensor<1x2x64x16xf32>) outs(%e : tensor<1x?x32xf32>) {VPU.strategy = #VPU.strategy<multiCluster = SplitOverKernel, parts = [1, 1, 2]>} -> tensor<1x?x32xf32>
  return %0 : tensor<1x?x32xf32>
}

// -----

// That two dimensions become one does not show in any value that there is already.
// CHECK-LABEL: func @joined_rows_are_asked_for
// CHECK: %[[ROWS:.*]] = tensor.collapse_shape
// CHECK: scf.forall
// CHECK: VPU.NCE.MatMul ins(%[[ROWS]], %
func.func @joined_rows_are_asked_for(%x: tensor<1x?x4x64xf32>, %w: tensor<1x2x64x16xf32>, %n: index) -> tensor<1x?x32xf32> {
  %rows = tensor.collapse_shape %x [[0], [1, 2], [3]] : tensor<1x?x4x64xf32> into tensor<1x?x64xf32>
  %c1 = arith.constant 1 : index
  %m = tensor.dim %rows, %c1 : tensor<1x?x64xf32>
  %e = tensor.empty(%m) : tensor<1x?x32xf32>
  %0 = VPU.NCE.MatMul ins(%rows, %w : tensor<1x?x64xf32>, tensor<1x2x64x16xf32>) outs(%e : tensor<1x?x32xf32>) {VPU.strategy = #VPU.strategy<multiCluster = SplitOverKernel, parts = [1, 1, 2]>} -> tensor<1x?x32xf32>
  return %0 : tensor<1x?x32xf32>
}
