// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=2" --vpu-choose-strategies="min-cycles=8000" --vpu-apply-padding --vpu-apply-clusters --canonicalize --split-input-file | FileCheck %s
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-choose-strategies="min-cycles=8000" --vpu-apply-padding --vpu-apply-clusters --split-input-file | FileCheck %s --check-prefix=ONE

// One cluster needs no distribution.
// ONE-NOT: scf.forall

// Rows split evenly; the padding is fused and knows where its tile lies.
// CHECK-LABEL: @padded_convolution_is_split_over_rows
func.func @padded_convolution_is_split_over_rows(%x: tensor<1x4x56x56x16xf32>, %w: tensor<4x4x3x3x16x16xf32>) -> tensor<1x4x56x56x16xf32> {
  %p = tensor.empty() : tensor<1x4x58x58x16xf32>
  %pad = VPU.Copy ins(%x : tensor<1x4x56x56x16xf32>) outs(%p : tensor<1x4x58x58x16xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>} -> tensor<1x4x58x58x16xf32>
  %e = tensor.empty() : tensor<1x4x56x56x16xf32>
  // CHECK: scf.forall (%[[ROW:[a-z0-9_]+]]) = (0) to (56) step (28) shared_outs(%[[OUT:[a-z0-9_]+]] = %{{.*}})
  // CHECK: %[[PAD:[a-z0-9_]+]] = VPU.Copy ins(%arg0 : tensor<1x4x56x56x16xf32>) offset(%[[ROW]]) outs(%{{.*}} : tensor<1x4x30x58x16xf32>)
  // CHECK: %[[TILE:[a-z0-9_]+]] = tensor.extract_slice %[[OUT]][0, 0, %[[ROW]], 0, 0] [1, 4, 28, 56, 16]
  // CHECK: VPU.NCE.Convolution ins(%[[PAD]], %arg1 : tensor<1x4x30x58x16xf32>, tensor<4x4x3x3x16x16xf32>) outs(%[[TILE]]
  // CHECK: mapping = [#VPU.cluster<SplitOverHeight>]
  %0 = VPU.NCE.Convolution ins(%pad, %w : tensor<1x4x58x58x16xf32>, tensor<4x4x3x3x16x16xf32>) outs(%e : tensor<1x4x56x56x16xf32>) -> tensor<1x4x56x56x16xf32>
  return %0 : tensor<1x4x56x56x16xf32>
}

// -----

// Tiles of rows do not know whether they end with the image; all have its columns.
// CHECK-LABEL: @tiles_of_rows_keep_the_zeros_of_columns
func.func @tiles_of_rows_keep_the_zeros_of_columns(%x: tensor<1x4x58x58x16xf32>, %w: tensor<4x4x3x3x16x16xf32>) -> tensor<1x4x56x56x16xf32> {
  %e = tensor.empty() : tensor<1x4x56x56x16xf32>
  // CHECK: VPU.NCE.Convolution {{.*}}zeroBorder = array<i64: 0, 1, 0, 1>
  // CHECK: mapping = [#VPU.cluster<SplitOverHeight>]
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x4x58x58x16xf32>, tensor<4x4x3x3x16x16xf32>) outs(%e : tensor<1x4x56x56x16xf32>) {zeroBorder = array<i64: 1, 1, 1, 1>} -> tensor<1x4x56x56x16xf32>
  return %0 : tensor<1x4x56x56x16xf32>
}

// -----

// Tiles of channels have all edges of the image.
// CHECK-LABEL: @tiles_of_blocks_keep_all_zeros
func.func @tiles_of_blocks_keep_all_zeros(%x: tensor<1x32x9x9x16xf32>, %w: tensor<32x32x3x3x16x16xf32>) -> tensor<1x32x7x7x16xf32> {
  %e = tensor.empty() : tensor<1x32x7x7x16xf32>
  // CHECK: VPU.NCE.Convolution {{.*}}zeroBorder = array<i64: 1, 1, 1, 1>
  // CHECK: mapping = [#VPU.cluster<SplitOverKernel>]
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x32x9x9x16xf32>, tensor<32x32x3x3x16x16xf32>) outs(%e : tensor<1x32x7x7x16xf32>) {zeroBorder = array<i64: 1, 1, 1, 1>} -> tensor<1x32x7x7x16xf32>
  return %0 : tensor<1x32x7x7x16xf32>
}

// -----

// Seven rows do not split evenly, 32 blocks do.
// CHECK-LABEL: @odd_rows_are_split_over_blocks
func.func @odd_rows_are_split_over_blocks(%x: tensor<1x32x7x7x16xf32>, %w: tensor<32x32x1x1x16x16xf32>) -> tensor<1x32x7x7x16xf32> {
  %e = tensor.empty() : tensor<1x32x7x7x16xf32>
  // CHECK: scf.forall (%[[BLOCK:[a-z0-9_]+]]) = (0) to (32) step (16)
  // CHECK: tensor.extract_slice %arg1[%[[BLOCK]], 0, 0, 0, 0, 0] [16, 32, 1, 1, 16, 16]
  // CHECK: mapping = [#VPU.cluster<SplitOverKernel>]
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x32x7x7x16xf32>, tensor<32x32x1x1x16x16xf32>) outs(%e : tensor<1x32x7x7x16xf32>) -> tensor<1x32x7x7x16xf32>
  return %0 : tensor<1x32x7x7x16xf32>
}

// -----

// A block of results needs the same block of inputs.
// CHECK-LABEL: @groups_are_split_over_blocks
func.func @groups_are_split_over_blocks(%x: tensor<1x32x9x9x16xf32>, %w: tensor<32x3x3x4x16xf32>, %b: tensor<32x16xf32>) -> tensor<1x32x7x7x16xf32> {
  %e = tensor.empty() : tensor<1x32x7x7x16xf32>
  // CHECK: scf.forall (%[[BLOCK:[a-z0-9_]+]]) = (0) to (32) step (16)
  // CHECK-DAG: tensor.extract_slice %arg0[0, %[[BLOCK]], 0, 0, 0] [1, 16, 9, 9, 16]
  // CHECK-DAG: tensor.extract_slice %arg1[%[[BLOCK]], 0, 0, 0, 0] [16, 3, 3, 4, 16]
  // CHECK-DAG: tensor.extract_slice %arg2[%[[BLOCK]], 0] [16, 16]
  // CHECK: VPU.NCE.GroupConvolution {{.*}} -> tensor<1x16x7x7x16xf32>
  // CHECK: mapping = [#VPU.cluster<SplitOverKernel>]
  %0 = VPU.NCE.GroupConvolution ins(%x, %w : tensor<1x32x9x9x16xf32>, tensor<32x3x3x4x16xf32>) bias(%b : tensor<32x16xf32>) outs(%e : tensor<1x32x7x7x16xf32>) -> tensor<1x32x7x7x16xf32>
  return %0 : tensor<1x32x7x7x16xf32>
}

// -----

// A single block stays whole, as its channels are of one vector; its columns are
// split.
// CHECK-LABEL: @groups_of_one_block_stay_whole
func.func @groups_of_one_block_stay_whole(%x: tensor<1x1x3x30002x12xf32>, %w: tensor<1x3x3x4x12xf32>) -> tensor<1x1x1x30000x12xf32> {
  %e = tensor.empty() : tensor<1x1x1x30000x12xf32>
  // CHECK: scf.forall (%{{.*}}) = (0) to (30000) step (15000)
  // CHECK: VPU.NCE.GroupConvolution {{.*}} -> tensor<1x1x1x15000x12xf32>
  %0 = VPU.NCE.GroupConvolution ins(%x, %w : tensor<1x1x3x30002x12xf32>, tensor<1x3x3x4x12xf32>) outs(%e : tensor<1x1x1x30000x12xf32>) -> tensor<1x1x1x30000x12xf32>
  return %0 : tensor<1x1x1x30000x12xf32>
}

// -----

// 1000 columns are 62.5 vectors: 62 split evenly, and half a one is left.
// CHECK-LABEL: @columns_that_end_within_a_vector_leave_a_rest
func.func @columns_that_end_within_a_vector_leave_a_rest(%x: tensor<1x1x2048xf32>, %w: tensor<1x63x2048x16xf32>) -> tensor<1x1x1000xf32> {
  %e = tensor.empty() : tensor<1x1x1000xf32>
  // CHECK: scf.forall (%[[COLUMN:[a-z0-9_]+]]) = (0) to (992) step (496)
  // CHECK: VPU.NCE.MatMul ins(%arg0, %{{.*}} : tensor<1x1x2048xf32>, tensor<1x31x2048x16xf32>)
  // CHECK: mapping = [#VPU.cluster<SplitOverKernel>]
  // CHECK: %[[LAST:[a-z0-9_]+]] = tensor.extract_slice %arg1[0, 62, 0, 0] [1, 1, 2048, 16]
  // CHECK: %[[REST:[a-z0-9_]+]] = VPU.NCE.MatMul ins(%arg0, %[[LAST]] : tensor<1x1x2048xf32>, tensor<1x1x2048x16xf32>) outs({{.*}} : tensor<1x1x8xf32>)
  // CHECK: tensor.insert_slice %[[REST]] into %{{.*}}[0, 0, 992] [1, 1, 8]
  %0 = VPU.NCE.MatMul ins(%x, %w : tensor<1x1x2048xf32>, tensor<1x63x2048x16xf32>) outs(%e : tensor<1x1x1000xf32>) -> tensor<1x1x1000xf32>
  return %0 : tensor<1x1x1000xf32>
}

// -----

// Of 24 columns the rest would be a third: nobody waits for that.
// CHECK-LABEL: @columns_whose_rest_is_large_stay_on_one_cluster
func.func @columns_whose_rest_is_large_stay_on_one_cluster(%x: tensor<1x1x65536xf32>, %w: tensor<1x2x65536x16xf32>) -> tensor<1x1x24xf32> {
  %e = tensor.empty() : tensor<1x1x24xf32>
  // CHECK-NOT: scf.forall
  %0 = VPU.NCE.MatMul ins(%x, %w : tensor<1x1x65536xf32>, tensor<1x2x65536x16xf32>) outs(%e : tensor<1x1x24xf32>) -> tensor<1x1x24xf32>
  return %0 : tensor<1x1x24xf32>
}

// -----

// What a part of the blocks reads depends on its groups: there is no rest.
// CHECK-LABEL: @odd_groups_of_blocks_stay_on_one_cluster
func.func @odd_groups_of_blocks_stay_on_one_cluster(%x: tensor<1x31x7x7x16xf32>, %w: tensor<31x1x7x7x16x16xf32>) -> tensor<1x31x1x1x16xf32> {
  %e = tensor.empty() : tensor<1x31x1x1x16xf32>
  // CHECK-NOT: scf.forall
  // CHECK: VPU.NCE.Convolution ins(%arg0, %arg1
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x31x7x7x16xf32>, tensor<31x1x7x7x16x16xf32>) outs(%e : tensor<1x31x1x1x16xf32>) {groups = 31 : i64, inputChannels = 1 : i64} -> tensor<1x31x1x1x16xf32>
  return %0 : tensor<1x31x1x1x16xf32>
}

// -----

// CHECK-LABEL: @small_op_stays_on_one_cluster
func.func @small_op_stays_on_one_cluster(%x: tensor<1x1x8x8x16xf32>, %w: tensor<1x1x1x1x16x16xf32>) -> tensor<1x1x8x8x16xf32> {
  %e = tensor.empty() : tensor<1x1x8x8x16xf32>
  // CHECK-NOT: scf.forall
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x1x8x8x16xf32>, tensor<1x1x1x1x16x16xf32>) outs(%e : tensor<1x1x8x8x16xf32>) -> tensor<1x1x8x8x16xf32>
  return %0 : tensor<1x1x8x8x16xf32>
}

// -----

// Columns split at panels.
// CHECK-LABEL: @single_row_matmul_is_split_over_panels
func.func @single_row_matmul_is_split_over_panels(%a: tensor<1x1x2048xf32>, %b: tensor<1x64x2048x16xf32>) -> tensor<1x1x1024xf32> {
  %e = tensor.empty() : tensor<1x1x1024xf32>
  // CHECK: scf.forall (%[[COLUMN:[a-z0-9_]+]]) = (0) to (1024) step (512)
  // CHECK: %[[PANEL:[a-z0-9_]+]] = affine.apply #{{.*}}(%[[COLUMN]])
  // CHECK: tensor.extract_slice %arg1[0, %[[PANEL]], 0, 0] [1, 32, 2048, 16]
  %0 = VPU.NCE.MatMul ins(%a, %b : tensor<1x1x2048xf32>, tensor<1x64x2048x16xf32>) outs(%e : tensor<1x1x1024xf32>) -> tensor<1x1x1024xf32>
  return %0 : tensor<1x1x1024xf32>
}

// -----

// Blocks would share the weights, but rows are where the pool left them.
// CHECK-LABEL: @consumer_is_split_like_its_producer
// CHECK: scf.forall (%{{.*}}) = (0) to (14) step (7)
// CHECK: VPU.NCE.MaxPool
// CHECK: mapping = [#VPU.cluster<SplitOverHeight>]
// CHECK: scf.forall (%{{.*}}) = (0) to (14) step (7)
// CHECK: VPU.NCE.Convolution
// CHECK: mapping = [#VPU.cluster<SplitOverHeight>]
func.func @consumer_is_split_like_its_producer(%x: tensor<1x16x28x28x16xf32>, %w: tensor<16x16x1x1x16x16xf32>) -> tensor<1x16x14x14x16xf32> {
  %e = tensor.empty() : tensor<1x16x14x14x16xf32>
  %0 = VPU.NCE.MaxPool ins(%x : tensor<1x16x28x28x16xf32>) outs(%e : tensor<1x16x14x14x16xf32>) {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>} -> tensor<1x16x14x14x16xf32>
  %1 = VPU.NCE.Convolution ins(%0, %w : tensor<1x16x14x14x16xf32>, tensor<16x16x1x1x16x16xf32>) outs(%e : tensor<1x16x14x14x16xf32>) -> tensor<1x16x14x14x16xf32>
  return %1 : tensor<1x16x14x14x16xf32>
}

// -----

// A dynamic number of rows is shared by as many clusters as there are.
// CHECK-LABEL: func @matmul_of_dynamic_rows_is_split_by_them
// CHECK: %[[ROWS:.*]] = tensor.dim
// CHECK: %[[PARTS:.*]] = affine.min
// CHECK: scf.forall (%{{.*}}) in (%[[PARTS]])
// CHECK: affine.m
// CHECK: tensor.extract_slice %{{.*}} : tensor<1x?x64xf32> to tensor<1x?x64xf32>
// CHECK: VPU.NCE.MatMul {{.*}} tensor<1x?x64xf32>
func.func @matmul_of_dynamic_rows_is_split_by_them(%x: tensor<1x?x64xf32>, %w: tensor<1x4x64x16xf32>, %init: tensor<1x?x64xf32>) -> tensor<1x?x64xf32> {
  %0 = VPU.NCE.MatMul ins(%x, %w : tensor<1x?x64xf32>, tensor<1x4x64x16xf32>) outs(%init : tensor<1x?x64xf32>) -> tensor<1x?x64xf32>
  return %0 : tensor<1x?x64xf32>
}

// -----

// Attention over the used rows of a cache.
// CHECK-LABEL: func @matmul_of_dynamic_depth_is_split_by_its_batch
// CHECK: scf.forall (%{{.*}}) = (0) to (4) step (2)
// CHECK-DAG: tensor.extract_slice %{{.*}} : tensor<4x64x?xf32> to tensor<2x64x?xf32>
// CHECK-DAG: tensor.extract_slice %{{.*}} : tensor<4x4x?x16xf32> to tensor<2x4x?x16xf32>
// CHECK: mapping = [#VPU.cluster<SplitOverBatch>]
func.func @matmul_of_dynamic_depth_is_split_by_its_batch(%x: tensor<4x64x?xf32>, %w: tensor<4x4x?x16xf32>, %init: tensor<4x64x64xf32>) -> tensor<4x64x64xf32> {
  %0 = VPU.NCE.MatMul ins(%x, %w : tensor<4x64x?xf32>, tensor<4x4x?x16xf32>) outs(%init : tensor<4x64x64xf32>) -> tensor<4x64x64xf32>
  return %0 : tensor<4x64x64xf32>
}

// -----

// A right matrix that does not fit the cache is read once, half of it by each.
// CHECK-LABEL: func @matmul_of_dynamic_rows_and_many_weights_is_split_by_columns
// CHECK: scf.forall (%[[COLUMN:[a-z0-9_]+]]) = (0) to (512) step (256)
// CHECK-DAG: tensor.extract_slice %{{.*}} : tensor<1x32x1690x16xf32> to tensor<1x16x1690x16xf32>
// CHECK: VPU.NCE.MatMul {{.*}} tensor<1x?x256xf32>
// CHECK: mapping = [#VPU.cluster<SplitOverKernel>]
func.func @matmul_of_dynamic_rows_and_many_weights_is_split_by_columns(%x: tensor<1x?x1690xf32>, %w: tensor<1x32x1690x16xf32>, %init: tensor<1x?x512xf32>) -> tensor<1x?x512xf32> {
  %0 = VPU.NCE.MatMul ins(%x, %w : tensor<1x?x1690xf32>, tensor<1x32x1690x16xf32>) outs(%init : tensor<1x?x512xf32>) -> tensor<1x?x512xf32>
  return %0 : tensor<1x?x512xf32>
}

// -----

// One row, as a decoder's step has, keeps both clusters busy.
// CHECK-LABEL: func @weights_of_few_bits_and_dynamic_rows_are_split_by_columns
// CHECK: scf.forall (%{{.*}}) = (0) to (512) step (256)
// CHECK: VPU.NCE.MatMulNBits {{.*}} tensor<1x?x256xf32>
// CHECK: mapping = [#VPU.cluster<SplitOverKernel>]
func.func @weights_of_few_bits_and_dynamic_rows_are_split_by_columns(%x: tensor<1x?x1024xf32>, %w: tensor<32x32x4x16xi32>, %s: tensor<32x32x16xf32>, %init: tensor<1x?x512xf32>) -> tensor<1x?x512xf32> {
  %0 = VPU.NCE.MatMulNBits ins(%x, %w : tensor<1x?x1024xf32>, tensor<32x32x4x16xi32>) scale(%s : tensor<32x32x16xf32>) outs(%init : tensor<1x?x512xf32>) {bits = 4 : i64} -> tensor<1x?x512xf32>
  return %0 : tensor<1x?x512xf32>
}

// -----

// CHECK-LABEL: func @few_weights_of_few_bits_and_dynamic_rows_are_split_by_them
// CHECK: VPU.NCE.MatMulNBits {{.*}} tensor<1x?x64xf32>
func.func @few_weights_of_few_bits_and_dynamic_rows_are_split_by_them(%x: tensor<1x?x1024xf32>, %w: tensor<4x32x4x16xi32>, %s: tensor<4x32x16xf32>, %init: tensor<1x?x64xf32>) -> tensor<1x?x64xf32> {
  %0 = VPU.NCE.MatMulNBits ins(%x, %w : tensor<1x?x1024xf32>, tensor<4x32x4x16xi32>) scale(%s : tensor<4x32x16xf32>) outs(%init : tensor<1x?x64xf32>) {bits = 4 : i64} -> tensor<1x?x64xf32>
  return %0 : tensor<1x?x64xf32>
}

// -----

// Columns that do not split evenly stay together.
// CHECK-LABEL: func @matmul_of_dynamic_rows_and_odd_columns_is_split_by_rows
// CHECK: VPU.NCE.MatMul {{.*}} tensor<1x?x496xf32>
func.func @matmul_of_dynamic_rows_and_odd_columns_is_split_by_rows(%x: tensor<1x?x1690xf32>, %w: tensor<1x31x1690x16xf32>, %init: tensor<1x?x496xf32>) -> tensor<1x?x496xf32> {
  %0 = VPU.NCE.MatMul ins(%x, %w : tensor<1x?x1690xf32>, tensor<1x31x1690x16xf32>) outs(%init : tensor<1x?x496xf32>) -> tensor<1x?x496xf32>
  return %0 : tensor<1x?x496xf32>
}

// -----

// The columns of a right matrix of any width stay together.
// CHECK-LABEL: func @matmul_of_dynamic_batch_takes_whole_right_matrices
// CHECK: scf.forall (%{{.*}}) in (%{{.*}})
// CHECK: tensor.extract_slice %{{.*}}[%{{.*}}, 0, 0, 0] [%{{.*}}, 1, 64, %{{.*}}] [1, 1, 1, 1] : tensor<?x1x64x?xf32> to tensor<?x1x64x?xf32>
// CHECK: VPU.NCE.MatMul
func.func @matmul_of_dynamic_batch_takes_whole_right_matrices(%x: tensor<?x?x64xf32>, %w: tensor<?x1x64x?xf32>, %init: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %0 = VPU.NCE.MatMul ins(%x, %w : tensor<?x?x64xf32>, tensor<?x1x64x?xf32>) outs(%init : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}

// -----

// Each cluster pads the rows that it reads.
// CHECK-LABEL: func @convolution_of_dynamic_image_is_split_over_rows_with_its_padding
// CHECK-SAME: (%[[X:.*]]: tensor<1x1x?x?x16xf32>,
// CHECK: scf.forall (%{{.*}}) in (%{{.*}})
// CHECK: %[[PADDED:.*]] = VPU.Copy ins(%[[X]] : tensor<1x1x?x?x16xf32>) offset(%{{.*}})
// CHECK: VPU.NCE.Convolution ins(%[[PADDED]], %{{.*}} : tensor<1x1x?x?x16xf32>
// CHECK: mapping = [#VPU.cluster<SplitOverHeight>]
func.func @convolution_of_dynamic_image_is_split_over_rows_with_its_padding(%x: tensor<1x1x?x?x16xf32>, %w: tensor<1x1x3x3x16x16xf32>, %h: index, %width: index) -> tensor<1x1x?x?x16xf32> {
  %rows = affine.apply affine_map<(h) -> (h + 2)>(%h)
  %columns = affine.apply affine_map<(w) -> (w + 2)>(%width)
  %p = tensor.empty(%rows, %columns) : tensor<1x1x?x?x16xf32>
  %padded = VPU.Copy ins(%x : tensor<1x1x?x?x16xf32>) outs(%p : tensor<1x1x?x?x16xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>} -> tensor<1x1x?x?x16xf32>
  %e = tensor.empty(%h, %width) : tensor<1x1x?x?x16xf32>
  %0 = VPU.NCE.Convolution ins(%padded, %w : tensor<1x1x?x?x16xf32>, tensor<1x1x3x3x16x16xf32>) outs(%e : tensor<1x1x?x?x16xf32>) -> tensor<1x1x?x?x16xf32>
  return %0 : tensor<1x1x?x?x16xf32>
}

// -----

// A sequence has one row: its columns are what there is to split.
// CHECK-LABEL: func @convolution_of_dynamic_sequence_is_split_over_columns
// CHECK: scf.forall (%{{.*}}) in (%{{.*}})
// CHECK: VPU.NCE.Convolution ins(%{{.*}}, %{{.*}} : tensor<1x4x1x?x16xf32>
func.func @convolution_of_dynamic_sequence_is_split_over_columns(%x: tensor<1x4x1x?x16xf32>, %w: tensor<4x4x1x3x16x16xf32>, %init: tensor<1x4x1x?x16xf32>) -> tensor<1x4x1x?x16xf32> {
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x4x1x?x16xf32>, tensor<4x4x1x3x16x16xf32>) outs(%init : tensor<1x4x1x?x16xf32>) {strides = array<i64: 1, 2>} -> tensor<1x4x1x?x16xf32>
  return %0 : tensor<1x4x1x?x16xf32>
}

// -----

// Neither rows, by whole tiles, nor channels, by whole vectors, split evenly.
// CHECK-LABEL: func @winograd_convolution_of_one_block_keeps_its_channels_together
// CHECK-NOT: scf.forall
// CHECK: VPU.NCE.WinogradConvolution
func.func @winograd_convolution_of_one_block_keeps_its_channels_together(%x: tensor<1x8x32x66x16xf32>, %u: tensor<36x1x8x16x16xf32>) -> tensor<1x1x30x64x16xf32> {
  %e = tensor.empty() : tensor<1x1x30x64x16xf32>
  %0 = VPU.NCE.WinogradConvolution ins(%x, %u : tensor<1x8x32x66x16xf32>, tensor<36x1x8x16x16xf32>) outs(%e : tensor<1x1x30x64x16xf32>) -> tensor<1x1x30x64x16xf32>
  return %0 : tensor<1x1x30x64x16xf32>
}

// -----

// Where there are samples for all parts the batch is split, else rows, and the batch
// again where there are fewer rows than clusters.
// CHECK-LABEL: func @convolution_of_dynamic_batch_of_images_is_split_over_samples_or_rows
// CHECK-SAME: %[[N:[a-z0-9]*]]: index, %[[H:[a-z0-9]*]]: index
// CHECK: %[[PARTS:.*]] = affine.min
// CHECK: %[[LEAST:.*]] = affine.min {{.*}}%[[H]]
// CHECK: %[[SOME:.*]] = affine.max {{.*}}%[[LEAST]]
// CHECK: %[[REST:.*]] = arith.remui %[[N]], %[[PARTS]]
// CHECK: %[[EVEN:.*]] = arith.cmpi eq, %[[REST]], %{{.*}}
// CHECK: %[[LONG:.*]] = arith.cmpi uge, %[[N]], %[[PARTS]]
// CHECK: %[[ALL:.*]] = arith.ori %[[EVEN]], %[[LONG]]
// CHECK: %[[ROWS:.*]] = arith.select %[[ALL]], %{{.*}}, %[[SOME]]
// CHECK: %[[IMAGES:.*]] = arith.divui %[[PARTS]], %[[ROWS]]
// CHECK: scf.forall (%{{.*}}, %{{.*}}) in (%[[IMAGES]], %[[ROWS]])
// CHECK: mapping = [#VPU.cluster<SplitOverBatch>, #VPU.cluster<SplitOverHeight>]
func.func @convolution_of_dynamic_batch_of_images_is_split_over_samples_or_rows(%n: index, %h: index, %x: tensor<?x1x?x?x16xf32>, %w: tensor<1x1x1x1x16x16xf32>) -> tensor<?x1x?x?x16xf32> {
  %e = tensor.empty(%n, %h, %h) : tensor<?x1x?x?x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<?x1x?x?x16xf32>, tensor<1x1x1x1x16x16xf32>) outs(%e : tensor<?x1x?x?x16xf32>) -> tensor<?x1x?x?x16xf32>
  return %0 : tensor<?x1x?x?x16xf32>
}

// -----

// A depthwise convolution is computed by the cluster that reads it.
// CHECK-LABEL: @depthwise_before_pointwise_shares_its_loop
func.func @depthwise_before_pointwise_shares_its_loop(%x: tensor<1x24x14x14x16xf32>, %d: tensor<24x3x3x16xf32>, %w: tensor<4x24x1x1x16x16xf32>) -> tensor<1x4x14x14x16xf32> {
  %p = tensor.empty() : tensor<1x24x16x16x16xf32>
  %pad = VPU.Copy ins(%x : tensor<1x24x14x14x16xf32>) outs(%p : tensor<1x24x16x16x16xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>} -> tensor<1x24x16x16x16xf32>
  %e = tensor.empty() : tensor<1x24x14x14x16xf32>
  // CHECK: scf.forall (%[[ROW:[a-z0-9_]+]]) = (0) to (14) step (7)
  // CHECK: %[[PAD:[a-z0-9_]+]] = VPU.Copy ins(%arg0 : tensor<1x24x14x14x16xf32>) offset(%[[ROW]]) outs(%{{.*}} : tensor<1x24x9x16x16xf32>)
  // CHECK: %[[DEPTH:[a-z0-9_]+]] = VPU.NCE.DepthConvolution ins(%[[PAD]], %arg1 : {{.*}} -> tensor<1x24x7x14x16xf32>
  // CHECK: VPU.NCE.Convolution ins(%[[DEPTH]], %arg2 :
  // CHECK: mapping = [#VPU.cluster<SplitOverHeight>]
  // CHECK-NOT: scf.forall
  %0 = VPU.NCE.DepthConvolution ins(%pad, %d : tensor<1x24x16x16x16xf32>, tensor<24x3x3x16xf32>) outs(%e : tensor<1x24x14x14x16xf32>) -> tensor<1x24x14x14x16xf32>
  %f = tensor.empty() : tensor<1x4x14x14x16xf32>
  %1 = VPU.NCE.Convolution ins(%0, %w : tensor<1x24x14x14x16xf32>, tensor<4x24x1x1x16x16xf32>) outs(%f : tensor<1x4x14x14x16xf32>) -> tensor<1x4x14x14x16xf32>
  return %1 : tensor<1x4x14x14x16xf32>
}

// -----

// Split over blocks, the convolution needs all of its input in each cluster.
// CHECK-LABEL: @depthwise_before_pointwise_split_over_blocks_is_on_its_own
// CHECK: VPU.NCE.DepthConvolution
// CHECK: scf.forall
// CHECK-NOT: VPU.NCE.DepthConvolution
// CHECK: mapping = [#VPU.cluster<SplitOverKernel>]
func.func @depthwise_before_pointwise_split_over_blocks_is_on_its_own(%x: tensor<1x24x7x7x16xf32>, %d: tensor<24x3x3x16xf32>, %w: tensor<4x24x1x1x16x16xf32>) -> tensor<1x4x7x7x16xf32> {
  %p = tensor.empty() : tensor<1x24x9x9x16xf32>
  %pad = VPU.Copy ins(%x : tensor<1x24x7x7x16xf32>) outs(%p : tensor<1x24x9x9x16xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>} -> tensor<1x24x9x9x16xf32>
  %e = tensor.empty() : tensor<1x24x7x7x16xf32>
  %0 = VPU.NCE.DepthConvolution ins(%pad, %d : tensor<1x24x9x9x16xf32>, tensor<24x3x3x16xf32>) outs(%e : tensor<1x24x7x7x16xf32>) -> tensor<1x24x7x7x16xf32>
  %f = tensor.empty() : tensor<1x4x7x7x16xf32>
  %1 = VPU.NCE.Convolution ins(%0, %w : tensor<1x24x7x7x16xf32>, tensor<4x24x1x1x16x16xf32>) outs(%f : tensor<1x4x7x7x16xf32>) -> tensor<1x4x7x7x16xf32>
  return %1 : tensor<1x4x7x7x16xf32>
}

// -----

// Who else reads the result needs all of it.
// CHECK-LABEL: @depthwise_with_two_users_has_its_own_loop
// CHECK: scf.forall
// CHECK: VPU.NCE.DepthConvolution
// CHECK: mapping
// CHECK: scf.forall
// CHECK-NOT: VPU.NCE.DepthConvolution
// CHECK: VPU.NCE.Convolution
func.func @depthwise_with_two_users_has_its_own_loop(%x: tensor<1x24x14x14x16xf32>, %d: tensor<24x3x3x16xf32>, %w: tensor<4x24x1x1x16x16xf32>) -> (tensor<1x4x14x14x16xf32>, tensor<1x24x14x14x16xf32>) {
  %p = tensor.empty() : tensor<1x24x16x16x16xf32>
  %pad = VPU.Copy ins(%x : tensor<1x24x14x14x16xf32>) outs(%p : tensor<1x24x16x16x16xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>} -> tensor<1x24x16x16x16xf32>
  %e = tensor.empty() : tensor<1x24x14x14x16xf32>
  %0 = VPU.NCE.DepthConvolution ins(%pad, %d : tensor<1x24x16x16x16xf32>, tensor<24x3x3x16xf32>) outs(%e : tensor<1x24x14x14x16xf32>) -> tensor<1x24x14x14x16xf32>
  %f = tensor.empty() : tensor<1x4x14x14x16xf32>
  %1 = VPU.NCE.Convolution ins(%0, %w : tensor<1x24x14x14x16xf32>, tensor<4x24x1x1x16x16xf32>) outs(%f : tensor<1x4x14x14x16xf32>) -> tensor<1x4x14x14x16xf32>
  return %1, %0 : tensor<1x4x14x14x16xf32>, tensor<1x24x14x14x16xf32>
}

// -----

// So is one of an image of unknown size.
// CHECK-LABEL: @depthwise_before_pointwise_of_unknown_size_shares_its_loop
// CHECK: scf.forall
// CHECK: VPU.Copy ins(%arg0 : tensor<1x1x?x?x16xf32>) offset
// CHECK: %[[DEPTH:[a-z0-9_]+]] = VPU.NCE.DepthConvolution
// CHECK: VPU.NCE.Convolution ins(%[[DEPTH]]
// CHECK: mapping = [#VPU.cluster<SplitOverHeight>]
// CHECK-NOT: scf.forall
func.func @depthwise_before_pointwise_of_unknown_size_shares_its_loop(%x: tensor<1x1x?x?x16xf32>, %d: tensor<1x3x3x16xf32>, %w: tensor<1x1x1x1x16x16xf32>, %h: index, %width: index) -> tensor<1x1x?x?x16xf32> {
  %rows = affine.apply affine_map<(h) -> (h + 2)>(%h)
  %columns = affine.apply affine_map<(w) -> (w + 2)>(%width)
  %p = tensor.empty(%rows, %columns) : tensor<1x1x?x?x16xf32>
  %pad = VPU.Copy ins(%x : tensor<1x1x?x?x16xf32>) outs(%p : tensor<1x1x?x?x16xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>} -> tensor<1x1x?x?x16xf32>
  %e = tensor.empty(%h, %width) : tensor<1x1x?x?x16xf32>
  %0 = VPU.NCE.DepthConvolution ins(%pad, %d : tensor<1x1x?x?x16xf32>, tensor<1x3x3x16xf32>) outs(%e : tensor<1x1x?x?x16xf32>) -> tensor<1x1x?x?x16xf32>
  %f = tensor.empty(%h, %width) : tensor<1x1x?x?x16xf32>
  %1 = VPU.NCE.Convolution ins(%0, %w : tensor<1x1x?x?x16xf32>, tensor<1x1x1x1x16x16xf32>) outs(%f : tensor<1x1x?x?x16xf32>) -> tensor<1x1x?x?x16xf32>
  return %1 : tensor<1x1x?x?x16xf32>
}

// -----

// Half a vector takes as long as a whole one.
// CHECK-LABEL: func @odd_rows_of_one_block_are_split_nevertheless
// CHECK: scf.forall (%{{.*}}) in (65)
// CHECK: mapping = [#VPU.cluster<SplitOverHeight>]
func.func @odd_rows_of_one_block_are_split_nevertheless(%x: tensor<1x4x66x66x16xf32>, %w: tensor<1x4x2x2x16x16xf32>) -> tensor<1x1x65x65x16xf32> {
  %e = tensor.empty() : tensor<1x1x65x65x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x4x66x66x16xf32>, tensor<1x4x2x2x16x16xf32>) outs(%e : tensor<1x1x65x65x16xf32>) -> tensor<1x1x65x65x16xf32>
  return %0 : tensor<1x1x65x65x16xf32>
}

// -----

// A loop of the model would compute it in each iteration.
// CHECK-LABEL: @depthwise_before_a_loop_stays_before_it
// CHECK: VPU.NCE.DepthConvolution
// CHECK: scf.for
// CHECK-NOT: VPU.NCE.DepthConvolution
// CHECK: VPU.NCE.Convolution
func.func @depthwise_before_a_loop_stays_before_it(%x: tensor<1x24x16x16x16xf32>, %d: tensor<24x3x3x16xf32>, %w: tensor<4x24x1x1x16x16xf32>, %y: tensor<1x4x14x14x16xf32>, %n: index) -> tensor<1x4x14x14x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<1x24x14x14x16xf32>
  %0 = VPU.NCE.DepthConvolution ins(%x, %d : tensor<1x24x16x16x16xf32>, tensor<24x3x3x16xf32>) outs(%e : tensor<1x24x14x14x16xf32>) -> tensor<1x24x14x14x16xf32>
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%state = %y) -> tensor<1x4x14x14x16xf32> {
    %f = tensor.empty() : tensor<1x4x14x14x16xf32>
    %2 = VPU.NCE.Convolution ins(%0, %w : tensor<1x24x14x14x16xf32>, tensor<4x24x1x1x16x16xf32>) residual(%state : tensor<1x4x14x14x16xf32>) outs(%f : tensor<1x4x14x14x16xf32>) -> tensor<1x4x14x14x16xf32>
    scf.yield %2 : tensor<1x4x14x14x16xf32>
  } {nacre.has_steps}
  return %1 : tensor<1x4x14x14x16xf32>
}

// -----

// Each cluster widens the rows or blocks that it reads, which vpu-apply-tiles
// puts into its loops.
// CHECK-LABEL: @widening_before_depthwise_is_left_to_tiles
// CHECK: %[[WIDE:.*]] = VPU.NCE.Convolution ins(%arg0, %arg1
// CHECK: scf.forall
// CHECK: VPU.Copy ins(%[[WIDE]] :
// CHECK: VPU.NCE.DepthConvolution
// CHECK: VPU.NCE.Convolution
// CHECK: mapping = [#VPU.cluster<SplitOverHeight>]
// CHECK-NOT: scf.forall
func.func @widening_before_depthwise_is_left_to_tiles(%x: tensor<1x2x28x28x16xf32>, %v: tensor<12x2x1x1x16x16xf32>, %d: tensor<12x3x3x16xf32>, %w: tensor<2x12x1x1x16x16xf32>) -> tensor<1x2x28x28x16xf32> {
  %0 = tensor.empty() : tensor<1x12x28x28x16xf32>
  %wide = VPU.NCE.Convolution ins(%x, %v : tensor<1x2x28x28x16xf32>, tensor<12x2x1x1x16x16xf32>) outs(%0 : tensor<1x12x28x28x16xf32>) -> tensor<1x12x28x28x16xf32>
  %1 = tensor.empty() : tensor<1x12x30x30x16xf32>
  %pad = VPU.Copy ins(%wide : tensor<1x12x28x28x16xf32>) outs(%1 : tensor<1x12x30x30x16xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>} -> tensor<1x12x30x30x16xf32>
  %2 = tensor.empty() : tensor<1x12x28x28x16xf32>
  %depth = VPU.NCE.DepthConvolution ins(%pad, %d : tensor<1x12x30x30x16xf32>, tensor<12x3x3x16xf32>) outs(%2 : tensor<1x12x28x28x16xf32>) -> tensor<1x12x28x28x16xf32>
  %3 = tensor.empty() : tensor<1x2x28x28x16xf32>
  %y = VPU.NCE.Convolution ins(%depth, %w : tensor<1x12x28x28x16xf32>, tensor<2x12x1x1x16x16xf32>) outs(%3 : tensor<1x2x28x28x16xf32>) -> tensor<1x2x28x28x16xf32>
  return %y : tensor<1x2x28x28x16xf32>
}

// -----

// Together with what reads it, a tile of the depthwise convolution has too few
// rows for that; the widened image is split like others.
// CHECK-LABEL: @widening_before_depthwise_in_tiles_of_few_rows_is_split
// CHECK: scf.forall
// CHECK: VPU.NCE.Convolution
// CHECK: mapping
// CHECK: scf.forall
// CHECK: VPU.NCE.DepthConvolution
// CHECK: VPU.NCE.Convolution
// CHECK: mapping
func.func @widening_before_depthwise_in_tiles_of_few_rows_is_split(%x: tensor<1x1x112x112x16xf32>, %v: tensor<6x1x1x1x16x16xf32>, %d: tensor<6x3x3x16xf32>, %w: tensor<32x6x1x1x16x16xf32>) -> tensor<1x32x112x112x16xf32> {
  %0 = tensor.empty() : tensor<1x6x112x112x16xf32>
  %wide = VPU.NCE.Convolution ins(%x, %v : tensor<1x1x112x112x16xf32>, tensor<6x1x1x1x16x16xf32>) outs(%0 : tensor<1x6x112x112x16xf32>) -> tensor<1x6x112x112x16xf32>
  %1 = tensor.empty() : tensor<1x6x114x114x16xf32>
  %pad = VPU.Copy ins(%wide : tensor<1x6x112x112x16xf32>) outs(%1 : tensor<1x6x114x114x16xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>} -> tensor<1x6x114x114x16xf32>
  %2 = tensor.empty() : tensor<1x6x112x112x16xf32>
  %depth = VPU.NCE.DepthConvolution ins(%pad, %d : tensor<1x6x114x114x16xf32>, tensor<6x3x3x16xf32>) outs(%2 : tensor<1x6x112x112x16xf32>) -> tensor<1x6x112x112x16xf32>
  %3 = tensor.empty() : tensor<1x32x112x112x16xf32>
  %y = VPU.NCE.Convolution ins(%depth, %w : tensor<1x6x112x112x16xf32>, tensor<32x6x1x1x16x16xf32>) outs(%3 : tensor<1x32x112x112x16xf32>) -> tensor<1x32x112x112x16xf32>
  return %y : tensor<1x32x112x112x16xf32>
}

// -----

// What reads another depthwise convolution's rows is computed with these.
// CHECK-LABEL: @pointwise_between_two_depthwise_shares_the_first_ones_loop
// CHECK: scf.forall
// CHECK: VPU.NCE.DepthConvolution
// CHECK: VPU.NCE.Convolution
// CHECK: mapping
// CHECK: scf.forall
// CHECK: VPU.NCE.DepthConvolution
// CHECK: VPU.NCE.Convolution
// CHECK: mapping
func.func @pointwise_between_two_depthwise_shares_the_first_ones_loop(%x: tensor<1x24x16x16x16xf32>, %d: tensor<24x3x3x16xf32>, %w: tensor<24x24x1x1x16x16xf32>) -> tensor<1x24x14x14x16xf32> {
  %e = tensor.empty() : tensor<1x24x14x14x16xf32>
  %0 = VPU.NCE.DepthConvolution ins(%x, %d : tensor<1x24x16x16x16xf32>, tensor<24x3x3x16xf32>) outs(%e : tensor<1x24x14x14x16xf32>) -> tensor<1x24x14x14x16xf32>
  %f = tensor.empty() : tensor<1x24x14x14x16xf32>
  %1 = VPU.NCE.Convolution ins(%0, %w : tensor<1x24x14x14x16xf32>, tensor<24x24x1x1x16x16xf32>) outs(%f : tensor<1x24x14x14x16xf32>) -> tensor<1x24x14x14x16xf32>
  %p = tensor.empty() : tensor<1x24x16x16x16xf32>
  %pad = VPU.Copy ins(%1 : tensor<1x24x14x14x16xf32>) outs(%p : tensor<1x24x16x16x16xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>} -> tensor<1x24x16x16x16xf32>
  %g = tensor.empty() : tensor<1x24x14x14x16xf32>
  %2 = VPU.NCE.DepthConvolution ins(%pad, %d : tensor<1x24x16x16x16xf32>, tensor<24x3x3x16xf32>) outs(%g : tensor<1x24x14x14x16xf32>) -> tensor<1x24x14x14x16xf32>
  %h = tensor.empty() : tensor<1x24x14x14x16xf32>
  %3 = VPU.NCE.Convolution ins(%2, %w : tensor<1x24x14x14x16xf32>, tensor<24x24x1x1x16x16xf32>) outs(%h : tensor<1x24x14x14x16xf32>) -> tensor<1x24x14x14x16xf32>
  return %3 : tensor<1x24x14x14x16xf32>
}

// -----

// The threads that computed what it reads are awake.
// CHECK-LABEL: @small_op_that_reads_what_clusters_share_is_split
func.func @small_op_that_reads_what_clusters_share_is_split(%x: tensor<1x20x7x7x16xf32>, %w: tensor<64x20x1x1x16x16xf32>) -> tensor<1x64x1x1x16xf32> {
  %c = tensor.empty() : tensor<1x64x7x7x16xf32>
  %p = tensor.empty() : tensor<1x64x1x1x16xf32>
  // CHECK: scf.forall
  // CHECK: VPU.NCE.Convolution
  // CHECK: scf.forall {{.*}} = (0) to (64) step (32)
  // CHECK: VPU.NCE.AveragePool {{.*}} outs(%{{.*}} : tensor<1x32x1x1x16xf32>)
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x20x7x7x16xf32>, tensor<64x20x1x1x16x16xf32>) outs(%c : tensor<1x64x7x7x16xf32>) -> tensor<1x64x7x7x16xf32>
  %1 = VPU.NCE.AveragePool ins(%0 : tensor<1x64x7x7x16xf32>) outs(%p : tensor<1x64x1x1x16xf32>) {kernel = array<i64: 7, 7>} -> tensor<1x64x1x1x16xf32>
  return %1 : tensor<1x64x1x1x16xf32>
}

// -----

// Shares of windows are those of a cluster's rows.
// CHECK-LABEL: @pool_with_shares_is_split_by_rows
// CHECK-SAME: %[[SHARES:[a-z0-9]+]]: tensor<112x112xf32>
// CHECK: scf.forall (%[[ROW:.*]]) = (0) to (112) step (56)
// CHECK: %[[PART:.*]] = tensor.extract_slice %[[SHARES]][%[[ROW]], 0] [56, 112] [1, 1]
// CHECK: VPU.NCE.AveragePool ins(%{{.*}} : tensor<1x1x58x114x16xf32>) shares(%[[PART]] : tensor<56x112xf32>) outs(%{{.*}} : tensor<1x1x56x112x16xf32>)
func.func @pool_with_shares_is_split_by_rows(%x: tensor<1x1x114x114x16xf32>, %s: tensor<112x112xf32>) -> tensor<1x1x112x112x16xf32> {
  %p = tensor.empty() : tensor<1x1x112x112x16xf32>
  %0 = VPU.NCE.AveragePool ins(%x : tensor<1x1x114x114x16xf32>) shares(%s : tensor<112x112xf32>) outs(%p : tensor<1x1x112x112x16xf32>) {kernel = array<i64: 3, 3>} -> tensor<1x1x112x112x16xf32>
  return %0 : tensor<1x1x112x112x16xf32>
}

// -----

// CHECK-LABEL: @small_op_that_reads_an_argument_is_not_split
// CHECK-NOT: scf.forall
func.func @small_op_that_reads_an_argument_is_not_split(%x: tensor<1x64x7x7x16xf32>) -> tensor<1x64x1x1x16xf32> {
  %p = tensor.empty() : tensor<1x64x1x1x16xf32>
  %0 = VPU.NCE.AveragePool ins(%x : tensor<1x64x7x7x16xf32>) outs(%p : tensor<1x64x1x1x16xf32>) {kernel = array<i64: 7, 7>} -> tensor<1x64x1x1x16xf32>
  return %0 : tensor<1x64x1x1x16xf32>
}

// -----

// Of 13 blocks, each alone would transform all of the input: two parts of six do,
// and one is left over.
// CHECK-LABEL: @winograd_convolution_of_odd_blocks_leaves_a_rest
func.func @winograd_convolution_of_odd_blocks_leaves_a_rest(%x: tensor<1x6x15x15x16xf32>, %u: tensor<16x13x6x16x16xf32>) -> tensor<1x13x13x13x16xf32> {
  %e = tensor.empty() : tensor<1x13x13x13x16xf32>
  // CHECK: scf.forall {{.*}} = (0) to (12) step (6)
  // CHECK: VPU.NCE.WinogradConvolution {{.*}} outs(%{{.*}} : tensor<1x6x13x13x16xf32>)
  // CHECK: VPU.NCE.WinogradConvolution {{.*}} outs(%{{.*}} : tensor<1x1x13x13x16xf32>)
  %0 = VPU.NCE.WinogradConvolution ins(%x, %u : tensor<1x6x15x15x16xf32>, tensor<16x13x6x16x16xf32>) outs(%e : tensor<1x13x13x13x16xf32>) {tileSize = 2 : i64} -> tensor<1x13x13x13x16xf32>
  return %0 : tensor<1x13x13x13x16xf32>
}

// -----

// Split over blocks, both clusters would read all of the input, half of which the
// other one wrote; split over rows, half of theirs.
// CHECK-LABEL: @convolution_of_many_channels_to_few_is_split_over_rows
func.func @convolution_of_many_channels_to_few_is_split_over_rows(%x: tensor<1x16x27x27x16xf32>, %w: tensor<2x16x1x1x16x16xf32>) -> tensor<1x2x27x27x16xf32> {
  %e = tensor.empty() : tensor<1x2x27x27x16xf32>
  // CHECK: scf.forall (%{{.*}}) in (27)
  // CHECK: mapping = [#VPU.cluster<SplitOverHeight>]
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x16x27x27x16xf32>, tensor<2x16x1x1x16x16xf32>) outs(%e : tensor<1x2x27x27x16xf32>) -> tensor<1x2x27x27x16xf32>
  return %0 : tensor<1x2x27x27x16xf32>
}

// -----

// Single rows would each copy the three that they read, where a copy pads; so
// blocks are split, half of whose input another cluster computed.
// CHECK-LABEL: @padded_pool_of_odd_rows_is_split_over_blocks
// CHECK: scf.forall (%{{.*}}) in (27)
// CHECK: VPU.NCE.Convolution
// CHECK: mapping = [#VPU.cluster<SplitOverHeight>]
// CHECK: scf.forall (%{{.*}}) = (0) to (4) step (2)
// CHECK: VPU.Copy
// CHECK: VPU.NCE.MaxPool
// CHECK: mapping = [#VPU.cluster<SplitOverKernel>]
func.func @padded_pool_of_odd_rows_is_split_over_blocks(%x: tensor<1x16x27x27x16xf32>, %w: tensor<4x16x1x1x16x16xf32>) -> tensor<1x4x27x27x16xf32> {
  %e = tensor.empty() : tensor<1x4x27x27x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x16x27x27x16xf32>, tensor<4x16x1x1x16x16xf32>) outs(%e : tensor<1x4x27x27x16xf32>) -> tensor<1x4x27x27x16xf32>
  %p = tensor.empty() : tensor<1x4x29x29x16xf32>
  %1 = VPU.Copy ins(%0 : tensor<1x4x27x27x16xf32>) outs(%p : tensor<1x4x29x29x16xf32>) {VPU.strategy = #VPU.strategy<>, dstOrder = #VPU.order<NCHWc>, padValue = 0xFF800000 : f32, pads = array<i64: 1, 1, 1, 1>, srcOrder = #VPU.order<NCHWc>} -> tensor<1x4x29x29x16xf32>
  %2 = VPU.NCE.MaxPool ins(%1 : tensor<1x4x29x29x16xf32>) outs(%e : tensor<1x4x27x27x16xf32>) {kernel = array<i64: 3, 3>} -> tensor<1x4x27x27x16xf32>
  return %2 : tensor<1x4x27x27x16xf32>
}

// -----

// What has one dimension is an image of one row, here of one block.
// CHECK-LABEL: func @single_row_is_split_over_columns
// CHECK: scf.forall (%[[COLUMN:[a-z0-9_]+]]) = (0) to (8192) step (4096)
// CHECK: tensor.extract_slice %{{.*}}[0, 0, 0, %[[COLUMN]], 0] [1, 1, 1, 4098, 16]
// CHECK: VPU.NCE.Convolution {{.*}} -> tensor<1x1x1x4096x16xf32>
// CHECK: mapping = [#VPU.cluster<SplitOverWidth>]
func.func @single_row_is_split_over_columns(%x: tensor<1x1x1x8194x16xf32>, %w: tensor<1x1x1x3x16x16xf32>) -> tensor<1x1x1x8192x16xf32> {
  %e = tensor.empty() : tensor<1x1x1x8192x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x1x1x8194x16xf32>, tensor<1x1x1x3x16x16xf32>) outs(%e : tensor<1x1x1x8192x16xf32>) -> tensor<1x1x1x8192x16xf32>
  return %0 : tensor<1x1x1x8192x16xf32>
}

// -----

// A loop of a group is one cluster's.
// CHECK-LABEL: func @product_in_a_loop_of_a_group_stays_whole
// CHECK-NOT: scf.forall
func.func @product_in_a_loop_of_a_group_stays_whole(%x: tensor<1x64x256xf32>, %w: tensor<1x16x256x16xf32>, %n: index) -> tensor<1x64x256xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %e = tensor.empty() : tensor<1x64x256xf32>
  %a = scf.for %i = %zero to %n step %one iter_args(%s = %x) -> tensor<1x64x256xf32> {
    %t = VPU.NCE.MatMul ins(%s, %w : tensor<1x64x256xf32>, tensor<1x16x256x16xf32>) outs(%e : tensor<1x64x256xf32>) -> tensor<1x64x256xf32>
    scf.yield %t : tensor<1x64x256xf32>
  } {VPU.strategy = #VPU.strategy<group = 1>, nacre.has_steps}
  return %a : tensor<1x64x256xf32>
}

// -----

// A cluster takes the rows that it computed to the model's order. Of blocks it
// does not: channels that end within one would be of another number.
// CHECK-LABEL: @copy_to_the_models_order_shares_the_loop_over_rows
// CHECK: scf.forall (%[[ROW:[a-z0-9_]+]]) = (0) to (56) step (28)
// CHECK: %[[PART:.*]] = VPU.NCE.Convolution
// CHECK: VPU.Copy ins(%[[PART]] : tensor<1x4x28x56x16xf32>)
// CHECK: mapping = [#VPU.cluster<SplitOverHeight>]
// CHECK-LABEL: @copy_of_blocks_to_the_models_order_is_on_its_own
// CHECK: scf.forall
// CHECK: mapping = [#VPU.cluster<SplitOverKernel>]
// CHECK: VPU.Copy
func.func @copy_to_the_models_order_shares_the_loop_over_rows(%x: tensor<1x4x56x56x16xf32>, %w: tensor<4x4x1x1x16x16xf32>) -> tensor<1x60x56x56xf32> {
  %e = tensor.empty() : tensor<1x4x56x56x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x4x56x56x16xf32>, tensor<4x4x1x1x16x16xf32>) outs(%e : tensor<1x4x56x56x16xf32>) -> tensor<1x4x56x56x16xf32>
  %f = tensor.empty() : tensor<1x60x56x56xf32>
  %1 = VPU.Copy ins(%0 : tensor<1x4x56x56x16xf32>) outs(%f : tensor<1x60x56x56xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHW>} -> tensor<1x60x56x56xf32>
  return %1 : tensor<1x60x56x56xf32>
}
func.func @copy_of_blocks_to_the_models_order_is_on_its_own(%x: tensor<1x32x7x7x16xf32>, %w: tensor<32x32x1x1x16x16xf32>) -> tensor<1x512x7x7xf32> {
  %e = tensor.empty() : tensor<1x32x7x7x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x32x7x7x16xf32>, tensor<32x32x1x1x16x16xf32>) outs(%e : tensor<1x32x7x7x16xf32>) -> tensor<1x32x7x7x16xf32>
  %f = tensor.empty() : tensor<1x512x7x7xf32>
  %1 = VPU.Copy ins(%0 : tensor<1x32x7x7x16xf32>) outs(%f : tensor<1x512x7x7xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHW>} -> tensor<1x512x7x7xf32>
  return %1 : tensor<1x512x7x7xf32>
}
