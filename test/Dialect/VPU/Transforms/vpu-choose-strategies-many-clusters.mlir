// Of many clusters an op has as many as it keeps busy.
// RUN: nacre-opt %s --init-compiler="vpu-arch=sapphirerapids threads=16" --vpu-choose-strategies="min-cycles=8000" --split-input-file | FileCheck %s

// Two parts of it would not have 8,000 cycles each.
// CHECK-LABEL: @op_for_one_cluster_stays_whole
// CHECK: VPU.NCE.Convolution {{.*}}VPU.strategy = #VPU.strategy<>
func.func @op_for_one_cluster_stays_whole(%x: tensor<1x4x12x12x16xf32>, %w: tensor<2x4x1x1x16x16xf32>) -> tensor<1x2x12x12x16xf32> {
  %e = tensor.empty() : tensor<1x2x12x12x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x4x12x12x16xf32>, tensor<2x4x1x1x16x16xf32>) outs(%e : tensor<1x2x12x12x16xf32>) -> tensor<1x2x12x12x16xf32>
  return %0 : tensor<1x2x12x12x16xf32>
}

// -----

// CHECK-LABEL: @op_for_four_clusters_has_four_parts
// CHECK: VPU.NCE.Convolution {{.*}}VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [1, 1, 4, 1, 1]>
func.func @op_for_four_clusters_has_four_parts(%x: tensor<1x4x16x16x16xf32>, %w: tensor<4x4x1x1x16x16xf32>) -> tensor<1x4x16x16x16xf32> {
  %e = tensor.empty() : tensor<1x4x16x16x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x4x16x16x16xf32>, tensor<4x4x1x1x16x16xf32>) outs(%e : tensor<1x4x16x16x16xf32>) -> tensor<1x4x16x16x16xf32>
  return %0 : tensor<1x4x16x16x16xf32>
}

// -----

// Seven rows are for seven clusters, and ten blocks for ten.
// CHECK-LABEL: @few_rows_and_blocks_are_both_split
// CHECK: VPU.NCE.Convolution {{.*}}VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [1, 2, 7, 1, 1]>
func.func @few_rows_and_blocks_are_both_split(%x: tensor<1x64x7x7x16xf32>, %w: tensor<10x64x1x1x16x16xf32>) -> tensor<1x10x7x7x16xf32> {
  %e = tensor.empty() : tensor<1x10x7x7x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x64x7x7x16xf32>, tensor<10x64x1x1x16x16xf32>) outs(%e : tensor<1x10x7x7x16xf32>) -> tensor<1x10x7x7x16xf32>
  return %0 : tensor<1x10x7x7x16xf32>
}

// -----

// Enough rows for all are not cut across.
// CHECK-LABEL: @many_rows_are_split_alone
// CHECK: VPU.NCE.Convolution {{.*}}VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [1, 1, 16, 1, 1]>
func.func @many_rows_are_split_alone(%x: tensor<1x10x64x56x16xf32>, %w: tensor<10x10x1x1x16x16xf32>) -> tensor<1x10x64x56x16xf32> {
  %e = tensor.empty() : tensor<1x10x64x56x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x10x64x56x16xf32>, tensor<10x10x1x1x16x16xf32>) outs(%e : tensor<1x10x64x56x16xf32>) -> tensor<1x10x64x56x16xf32>
  return %0 : tensor<1x10x64x56x16xf32>
}

// -----

// 992 columns are 31 parts of 32, two for each cluster but one; sixteen parts of
// 48 would leave 232 over.
// CHECK-LABEL: @columns_leave_the_smallest_rest
// CHECK: VPU.NCE.MatMul {{.*}}VPU.strategy = #VPU.strategy<multiCluster = SplitOverKernel, parts = [1, 1, 31], rest = 8>
func.func @columns_leave_the_smallest_rest(%x: tensor<1x1x2048xf32>, %w: tensor<1x63x2048x16xf32>) -> tensor<1x1x1000xf32> {
  %e = tensor.empty() : tensor<1x1x1000xf32>
  %0 = VPU.NCE.MatMul ins(%x, %w : tensor<1x1x2048xf32>, tensor<1x63x2048x16xf32>) outs(%e : tensor<1x1x1000xf32>) -> tensor<1x1x1000xf32>
  return %0 : tensor<1x1x1000xf32>
}

// -----

// The copy to the model's order needs all blocks: it has no place in a loop over
// some of them.
// CHECK-LABEL: @parts_of_blocks_have_no_neighbours
// CHECK: VPU.NCE.Convolution {{.*}}VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [1, 2, 7, 1, 1]>
func.func @parts_of_blocks_have_no_neighbours(%x: tensor<1x64x7x7x16xf32>, %w: tensor<10x64x1x1x16x16xf32>) -> tensor<1x160x7x7xf32> {
  %e = tensor.empty() : tensor<1x10x7x7x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x64x7x7x16xf32>, tensor<10x64x1x1x16x16xf32>) outs(%e : tensor<1x10x7x7x16xf32>) -> tensor<1x10x7x7x16xf32>
  %u = tensor.empty() : tensor<1x160x7x7xf32>
  %1 = VPU.Copy ins(%0 : tensor<1x10x7x7x16xf32>) outs(%u : tensor<1x160x7x7xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHW>} -> tensor<1x160x7x7xf32>
  return %1 : tensor<1x160x7x7xf32>
}

// -----

// Of sixteen rows, fifteen clusters have enough to do: eight have two each, as
// sixteen parts would be too small.
// CHECK-LABEL: @parts_are_worth_their_start
// CHECK: VPU.NCE.Convolution {{.*}}VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [1, 1, 8, 1, 1]>
func.func @parts_are_worth_their_start(%x: tensor<1x3x16x52x16xf32>, %w: tensor<3x3x1x1x16x16xf32>) -> tensor<1x3x16x52x16xf32> {
  %e = tensor.empty() : tensor<1x3x16x52x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x3x16x52x16xf32>, tensor<3x3x1x1x16x16xf32>) outs(%e : tensor<1x3x16x52x16xf32>) -> tensor<1x3x16x52x16xf32>
  return %0 : tensor<1x3x16x52x16xf32>
}

// -----

// Nine rows and 62 vectors of columns could both be split, but not with a rest.
// CHECK-LABEL: @rest_is_left_of_columns_alone
// CHECK: VPU.NCE.MatMul {{.*}}VPU.strategy = #VPU.strategy<multiCluster = SplitOverKernel, parts = [1, 1, 31], rest = 8>
func.func @rest_is_left_of_columns_alone(%x: tensor<1x9x4096xf32>, %w: tensor<1x63x4096x16xf32>) -> tensor<1x9x1000xf32> {
  %e = tensor.empty() : tensor<1x9x1000xf32>
  %0 = VPU.NCE.MatMul ins(%x, %w : tensor<1x9x4096xf32>, tensor<1x63x4096x16xf32>) outs(%e : tensor<1x9x1000xf32>) -> tensor<1x9x1000xf32>
  return %0 : tensor<1x9x1000xf32>
}
