// RUN: nacre-opt %s --init-compiler="vpu-arch=sapphirerapids threads=16" --vpu-apply-clusters --canonicalize | FileCheck %s

// A part of two dimensions is a step of one loop over both.
// CHECK-LABEL: @rows_and_blocks_are_split_in_one_loop
func.func @rows_and_blocks_are_split_in_one_loop(%x: tensor<1x64x7x7x16xf32>, %w: tensor<10x64x1x1x16x16xf32>) -> tensor<1x10x7x7x16xf32> {
  %e = tensor.empty() : tensor<1x10x7x7x16xf32>
  // CHECK: scf.forall (%[[BLOCK:[a-z0-9_]+]], %[[ROW:[a-z0-9_]+]]) = (0, 0) to (10, 7) step (5, 1)
  // CHECK: tensor.extract_slice %arg0[0, 0, %[[ROW]], 0, 0] [1, 64, 1, 7, 16]
  // CHECK: tensor.extract_slice %arg1[%[[BLOCK]], 0, 0, 0, 0, 0] [5, 64, 1, 1, 16, 16]
  // CHECK: VPU.NCE.Convolution {{.*}} -> tensor<1x5x1x7x16xf32>
  // CHECK: tensor.parallel_insert_slice {{.*}}[0, %[[BLOCK]], %[[ROW]], 0, 0] [1, 5, 1, 7, 16]
  // CHECK: mapping = [#VPU.cluster<SplitOverKernel>, #VPU.cluster<SplitOverHeight>]
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x64x7x7x16xf32>, tensor<10x64x1x1x16x16xf32>) outs(%e : tensor<1x10x7x7x16xf32>) {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [1, 2, 7, 1, 1]>} -> tensor<1x10x7x7x16xf32>
  return %0 : tensor<1x10x7x7x16xf32>
}

// Of matrices rows come first.
// CHECK-LABEL: @rows_and_columns_are_split_in_one_loop
func.func @rows_and_columns_are_split_in_one_loop(%a: tensor<1x8x64xf32>, %b: tensor<1x4x64x16xf32>) -> tensor<1x8x64xf32> {
  %e = tensor.empty() : tensor<1x8x64xf32>
  // CHECK: scf.forall (%[[ROW:[a-z0-9_]+]], %[[COLUMN:[a-z0-9_]+]]) = (0, 0) to (8, 64) step (4, 32)
  // CHECK: VPU.NCE.MatMul {{.*}} -> tensor<1x4x32xf32>
  // CHECK: tensor.parallel_insert_slice {{.*}}[0, %[[ROW]], %[[COLUMN]]] [1, 4, 32]
  // CHECK: mapping = [#VPU.cluster<SplitOverHeight>, #VPU.cluster<SplitOverKernel>]
  %0 = VPU.NCE.MatMul ins(%a, %b : tensor<1x8x64xf32>, tensor<1x4x64x16xf32>) outs(%e : tensor<1x8x64xf32>) {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [1, 2, 2]>} -> tensor<1x8x64xf32>
  return %0 : tensor<1x8x64xf32>
}
