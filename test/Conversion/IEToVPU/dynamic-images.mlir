// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --convert-ie-to-vpu --convert-layouts-to-copies --canonicalize --cse --split-input-file | FileCheck %s
// RUN: nacre-opt %s --init-compiler="vpu-arch=NPU37XX" --convert-ie-to-vpu --convert-layouts-to-copies --split-input-file | FileCheck %s --check-prefix=NPU

// The sizes of the result follow from those of the image. An NPU has to know
// them.
// CHECK-DAG: #[[PADDED:.*]] = affine_map<()[s0] -> (s0 + 2)>
// CHECK-DAG: #[[HALF:.*]] = affine_map<()[s0] -> ((s0 - 1) floordiv 2 + 1)>
// CHECK-LABEL: func @conv_of_any_image
// CHECK-DAG: %[[H:.*]] = tensor.dim %arg0, %c2
// CHECK-DAG: %[[W:.*]] = tensor.dim %arg0, %c3
// CHECK: %[[PH:.*]] = affine.apply #[[PADDED]]()[%[[H]]]
// CHECK: %[[FITS:.*]] = arith.cmpi sge, %[[PH]], %c3
// CHECK: cf.assert %[[FITS]], "the window does not fit the padded input"
// CHECK: %[[OH:.*]] = affine.apply #[[HALF]]()[%[[H]]]
// CHECK: %[[PW:.*]] = affine.apply #[[PADDED]]()[%[[W]]]
// CHECK: %[[OW:.*]] = affine.apply #[[HALF]]()[%[[W]]]
// CHECK: %[[IN:.*]] = tensor.empty(%[[PH]], %[[PW]]) : tensor<1x1x?x?x3xf32>
// CHECK: %[[X:.*]] = VPU.Copy ins(%arg0 : tensor<1x3x?x?xf32>) outs(%[[IN]] : tensor<1x1x?x?x3xf32>)
// CHECK: %[[INIT:.*]] = tensor.empty(%[[OH]], %[[OW]]) : tensor<1x2x?x?x16xf32>
// CHECK: VPU.NCE.Convolution ins(%[[X]], %{{.*}} : tensor<1x1x?x?x3xf32>, tensor<2x1x3x3x3x16xf32>) outs(%[[INIT]] : tensor<1x2x?x?x16xf32>) {strides = array<i64: 2, 2>, zeroBorder = array<i64: 1, 1, 1, 1>}
// NPU-LABEL: func @conv_of_any_image
// NPU-NOT: VPU.NCE
// NPU: IE.Conv
func.func @conv_of_any_image(%x: tensor<1x3x?x?xf32>) -> tensor<1x24x?x?xf32> {
  %w = IE.Constant dense<0.1> : tensor<24x3x3x3xf32>
  %0 = IE.Conv(%x, %w) {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>} : (tensor<1x3x?x?xf32>, tensor<24x3x3x3xf32>) -> tensor<1x24x?x?xf32>
  return %0 : tensor<1x24x?x?xf32>
}

// -----

// Two layers, an addition and an activation between them stay in blocks.
// CHECK-LABEL: func @network_stays_in_blocks
// CHECK: VPU.Copy ins(%arg0
// CHECK: %[[A:.*]] = VPU.NCE.DepthConvolution
// CHECK: %[[B:.*]] = VPU.NCE.Eltwise ins(%[[A]], %[[A]]
// CHECK-NOT: srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHW>
// CHECK: %[[P:.*]] = VPU.Copy ins(%[[B]] : tensor<?x1x?x?x16xf32>) {{.*}}pads = array<i64: 1, 1, 1, 1>, srcOrder = #VPU.order<NCHWc>}
// CHECK: %[[C:.*]] = VPU.NCE.Convolution ins(%[[P]]
// CHECK: %[[D:.*]] = VPU.NCE.Eltwise ins(%[[B]], %[[C]] {{.*}}kind = #VPU.eltwise<ADD>
// CHECK: %[[E:.*]] = VPU.NCE.AveragePool ins(%[[D]] : tensor<?x1x?x?x16xf32>) outs(%{{.*}} : tensor<?x1x1x1x16xf32>) {kernel = array<i64>}
// CHECK: VPU.Copy ins(%[[E]] {{.*}} -> tensor<?x16x1x1xf32>
func.func @network_stays_in_blocks(%x: tensor<?x16x?x?xf32>) -> tensor<?x16x1x1xf32> {
  %w0 = IE.Constant dense<0.1> : tensor<16x1x3x3xf32>
  %w1 = IE.Constant dense<0.1> : tensor<16x16x3x3xf32>
  %a = IE.Conv(%x, %w0) {group = 16 : i64, pads = array<i64: 1, 1, 1, 1>} : (tensor<?x16x?x?xf32>, tensor<16x1x3x3xf32>) -> tensor<?x16x?x?xf32>
  %b = IE.Relu %a : tensor<?x16x?x?xf32> -> tensor<?x16x?x?xf32>
  %c = IE.Conv(%b, %w1) {pads = array<i64: 1, 1, 1, 1>} : (tensor<?x16x?x?xf32>, tensor<16x16x3x3xf32>) -> tensor<?x16x?x?xf32>
  %d = IE.Add %b, %c : tensor<?x16x?x?xf32>, tensor<?x16x?x?xf32> -> tensor<?x16x?x?xf32>
  %e = IE.GlobalAveragePool(%d) : (tensor<?x16x?x?xf32>) -> tensor<?x16x1x1xf32>
  return %e : tensor<?x16x1x1xf32>
}

// -----

// The size of the other operand is dynamic: it may have to be repeated.
// CHECK-LABEL: func @addition_of_an_image_of_unknown_size_is_left_to_software
// CHECK: VPU.NCE.Convolution
// CHECK: IE.Add
func.func @addition_of_an_image_of_unknown_size_is_left_to_software(%x: tensor<1x16x?x?xf32>, %y: tensor<1x16x?x?xf32>) -> tensor<1x16x?x?xf32> {
  %w = IE.Constant dense<0.1> : tensor<16x16x1x1xf32>
  %0 = IE.Conv(%x, %w) : (tensor<1x16x?x?xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x?x?xf32>
  %1 = IE.Add %0, %y : tensor<1x16x?x?xf32>, tensor<1x16x?x?xf32> -> tensor<1x16x?x?xf32>
  return %1 : tensor<1x16x?x?xf32>
}

// -----

// Operands to join are of one size, or the run fails.
// CHECK-LABEL: func @concat_of_images_asserts_their_sizes
// CHECK: cf.assert %{{.*}}, "the images to join differ in size"
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0, 0, 0, 0, 0] [1, 1, %{{.*}}, %{{.*}}, 16]
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0, 1, 0, 0, 0] [1, 1, %{{.*}}, %{{.*}}, 16]
func.func @concat_of_images_asserts_their_sizes(%x: tensor<1x16x?x?xf32>, %y: tensor<1x16x?x?xf32>) -> tensor<1x32x?x?xf32> {
  %w = IE.Constant dense<0.1> : tensor<16x16x1x1xf32>
  %0 = IE.Conv(%x, %w) : (tensor<1x16x?x?xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x?x?xf32>
  %1 = IE.Concat %0, %y {axis = 1 : i64} : tensor<1x16x?x?xf32>, tensor<1x16x?x?xf32> -> tensor<1x32x?x?xf32>
  return %1 : tensor<1x32x?x?xf32>
}

// -----

// Where the padding starts depends on the size: the image is padded with the
// most there can be, and read from where the run's padding starts.
// CHECK-LABEL: func @conv_with_same_padding_and_stride_reads_from_where_padding_starts
// CHECK: %[[P:.*]] = VPU.Copy {{.*}}pads = array<i64: 1, 1, 1, 1>
// CHECK: %[[S:.*]] = tensor.extract_slice %[[P]][0, 0, %{{.*}}, %{{.*}}, 0] [1, 1, %{{.*}}, %{{.*}}, 16]
// CHECK: VPU.NCE.Convolution ins(%[[S]]
func.func @conv_with_same_padding_and_stride_reads_from_where_padding_starts(%x: tensor<1x16x?x?xf32>) -> tensor<1x16x?x?xf32> {
  %w = IE.Constant dense<0.1> : tensor<16x16x3x3xf32>
  %0 = IE.Conv(%x, %w) {auto_pad = "SAME_UPPER", strides = array<i64: 2, 2>} : (tensor<1x16x?x?xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x?x?xf32>
  return %0 : tensor<1x16x?x?xf32>
}

// -----

// Groups that end within a block are images of their own, however many images
// a run has; between two such convolutions they stay that.
// CHECK-LABEL: func @groups_within_blocks_of_any_batch
// CHECK-SAME: (%[[X:.*]]: tensor<?x24x?x?xf32>)
// CHECK: %[[N:.*]] = tensor.dim %[[X]], %c0
// CHECK: %[[G:.*]] = tensor.expand_shape %[[X]] {{\[\[}}0], [1, 2], [3], [4]] output_shape [%[[N]], 2, 12, %{{.*}}, %{{.*}}]
// CHECK: %[[I:.*]] = tensor.collapse_shape %[[G]] {{\[\[}}0, 1], [2], [3], [4]] : tensor<?x2x12x?x?xf32> into tensor<?x12x?x?xf32>
// CHECK: %[[C:.*]] = VPU.Copy ins(%[[I]] : tensor<?x12x?x?xf32>)
// CHECK: tensor.expand_shape %[[C]] {{\[\[}}0, 1], [2], [3], [4], [5]] output_shape [%[[N]], 2, 1, %{{.*}}, %{{.*}}, 16]
// CHECK: %[[Y:.*]] = VPU.NCE.Convolution {{.*}}groups = 2{{.*}} -> tensor<?x2x?x?x16xf32>
// CHECK-NOT: VPU.Copy
// CHECK: VPU.NCE.Convolution ins(%[[Y]]
func.func @groups_within_blocks_of_any_batch(%x: tensor<?x24x?x?xf32>) -> tensor<?x24x?x?xf32> {
  %w = IE.Constant dense<0.1> : tensor<24x12x1x1xf32>
  %0 = IE.Conv(%x, %w) {group = 2 : i64} : (tensor<?x24x?x?xf32>, tensor<24x12x1x1xf32>) -> tensor<?x24x?x?xf32>
  %1 = IE.Conv(%0, %w) {group = 2 : i64} : (tensor<?x24x?x?xf32>, tensor<24x12x1x1xf32>) -> tensor<?x24x?x?xf32>
  return %1 : tensor<?x24x?x?xf32>
}

// -----

// Sequences are images of one row.
// CHECK-LABEL: func @conv_of_any_sequence
// CHECK: tensor.expand_shape %arg0 {{\[\[}}0], [1], [2, 3]] output_shape [1, 16, 1, %{{.*}}]
// CHECK: %[[Y:.*]] = VPU.NCE.Convolution
// CHECK: VPU.NCE.Eltwise ins(%[[Y]], %[[Y]]
func.func @conv_of_any_sequence(%x: tensor<1x16x?xf32>) -> tensor<1x16x?xf32> {
  %w = IE.Constant dense<0.1> : tensor<16x16x3xf32>
  %0 = IE.Conv(%x, %w) {pads = array<i64: 1, 1>} : (tensor<1x16x?xf32>, tensor<16x16x3xf32>) -> tensor<1x16x?xf32>
  %1 = IE.Relu %0 : tensor<1x16x?xf32> -> tensor<1x16x?xf32>
  return %1 : tensor<1x16x?xf32>
}

// -----

// The last windows of ceil_mode hang over by less than a stride.
// CHECK-LABEL: func @max_pool_with_ceil_mode_pads_what_windows_reach
// CHECK: VPU.Copy {{.*}}padValue = 0xFF800000 : f32, pads = array<i64: 0, 0, 1, 1>
// CHECK: VPU.NCE.MaxPool
func.func @max_pool_with_ceil_mode_pads_what_windows_reach(%x: tensor<1x16x?x?xf32>) -> tensor<1x16x?x?xf32> {
  %0 = IE.MaxPool(%x) {kernel_shape = array<i64: 3, 3>, strides = array<i64: 2, 2>, ceil_mode = 1 : i64} : (tensor<1x16x?x?xf32>) -> tensor<1x16x?x?xf32>
  return %0 : tensor<1x16x?x?xf32>
}

// -----

// Only taps inside the image count.
// CHECK-LABEL: func @average_pool_without_padding_has_shares_at_run_time
// CHECK: %[[ROWS:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<?xf32>)
// CHECK: linalg.index 0
// CHECK: %[[COLUMNS:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<?xf32>)
// CHECK: %[[SHARES:.*]] = linalg.generic {{.*}} ins(%[[ROWS]], %[[COLUMNS]] : tensor<?xf32>, tensor<?xf32>)
// CHECK: arith.divf
// CHECK: VPU.NCE.AveragePool ins({{.*}}) shares(%[[SHARES]] : tensor<?x?xf32>)
func.func @average_pool_without_padding_has_shares_at_run_time(%x: tensor<1x16x?x?xf32>) -> tensor<1x16x?x?xf32> {
  %0 = IE.AveragePool(%x) {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x16x?x?xf32>) -> tensor<1x16x?x?xf32>
  return %0 : tensor<1x16x?x?xf32>
}

// -----

// What follows a convolution may know the sizes of its result: it keeps them.
// CHECK-LABEL: func @relu_and_sum_keep_the_sizes_they_know
// CHECK: VPU.NCE.DepthConvolution
// CHECK: return %{{.*}} : tensor<1x7x1x3xf32>, tensor<1x7x1x3xf32>
func.func @relu_and_sum_keep_the_sizes_they_know(%x: tensor<?x7x?x?xf32>) -> (tensor<1x7x1x3xf32>, tensor<1x7x1x3xf32>) {
  %w = IE.Constant dense<0.1> : tensor<7x1x3x3xf32>
  %0 = IE.Conv(%x, %w) {group = 7 : i64, pads = array<i64: 1, 1, 1, 1>} : (tensor<?x7x?x?xf32>, tensor<7x1x3x3xf32>) -> tensor<1x7x1x3xf32>
  %1 = IE.Relu %0 : tensor<1x7x1x3xf32> -> tensor<1x7x1x3xf32>
  %2 = IE.Add %0, %1 : tensor<1x7x1x3xf32>, tensor<1x7x1x3xf32> -> tensor<1x7x1x3xf32>
  return %1, %2 : tensor<1x7x1x3xf32>, tensor<1x7x1x3xf32>
}

// -----

// Sizes are traced through what is left to software, here the gates of a
// squeeze and excitation block: the sum is a residual nevertheless.
// CHECK-LABEL: func @sum_of_images_behind_software_stays_in_blocks
// CHECK: IE.Mul
// CHECK: VPU.NCE.Convolution
// CHECK: VPU.NCE.Eltwise {{.*}}kind = #VPU.eltwise<ADD>
func.func @sum_of_images_behind_software_stays_in_blocks(%x: tensor<1x16x?x?xf32>, %gates: tensor<1x16x1x1xf32>) -> tensor<1x16x?x?xf32> {
  %w = IE.Constant dense<0.1> : tensor<16x16x1x1xf32>
  %0 = IE.Conv(%x, %w) : (tensor<1x16x?x?xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x?x?xf32>
  %1 = IE.Mul %0, %gates : tensor<1x16x?x?xf32>, tensor<1x16x1x1xf32> -> tensor<1x16x?x?xf32>
  %2 = IE.Conv(%1, %w) : (tensor<1x16x?x?xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x?x?xf32>
  %3 = IE.Add %0, %2 : tensor<1x16x?x?xf32>, tensor<1x16x?x?xf32> -> tensor<1x16x?x?xf32>
  return %3 : tensor<1x16x?x?xf32>
}

// -----

// The size that a shape of the model gives is dynamic.
// CHECK-LABEL: func @sum_with_an_image_of_a_computed_size_is_left_to_software
// CHECK: VPU.NCE.Convolution
// CHECK: IE.Add
func.func @sum_with_an_image_of_a_computed_size_is_left_to_software(%x: tensor<1x16x?x?xf32>, %v: tensor<1x16x1x1xf32>, %shape: tensor<4xi64>) -> tensor<1x16x?x?xf32> {
  %w = IE.Constant dense<0.1> : tensor<16x16x1x1xf32>
  %0 = IE.Conv(%x, %w) : (tensor<1x16x?x?xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x?x?xf32>
  %1 = IE.Expand %v, %shape : tensor<1x16x1x1xf32>, tensor<4xi64> -> tensor<1x16x?x?xf32>
  %2 = IE.Add %0, %1 : tensor<1x16x?x?xf32>, tensor<1x16x?x?xf32> -> tensor<1x16x?x?xf32>
  return %2 : tensor<1x16x?x?xf32>
}
