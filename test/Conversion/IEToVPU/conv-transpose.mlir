// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-choose-strategies=decide=operators --convert-ie-to-vpu --convert-layouts-to-copies --vpu-pack-weights --split-input-file | FileCheck %s
// RUN: nacre-opt %s --init-compiler="vpu-arch=NPU37XX" --vpu-choose-strategies=decide=operators --convert-ie-to-vpu --convert-layouts-to-copies --vpu-pack-weights --split-input-file | FileCheck %s --check-prefix=NPU

// The kernel is mirrored, and channels change places.
// CHECK-LABEL: @without_strides_is_one_convolution
// CHECK-DAG: arith.constant dense<{{\[\[\[\[\[\[}}3.000000e+00, 6.100000e+00, 0.000000e+00{{.*}}]], {{\[\[}}2.000000e+00, 5.000000e+00, 0.000000e+00{{.*}}]], {{\[\[}}1.000000e+00, 4.000000e+00, 0.000000e+00{{.*}}]]]]]]> : tensor<1x1x1x3x1x16xf32>
// CHECK: %[[X:.*]] = VPU.Copy ins(%arg0 {{.*}} {dstOrder = #VPU.order<NCHWc>, pads = array<i64: 0, 2, 0, 1>, srcOrder = #VPU.order<NCHW>} -> tensor<1x1x4x8x1xf32>
// CHECK: %[[Y:.*]] = VPU.NCE.Convolution ins(%[[X]], {{.*}} -> tensor<1x1x4x6x16xf32>
// CHECK: VPU.Copy ins(%[[Y]] {{.*}} -> tensor<1x2x4x6xf32>
func.func @without_strides_is_one_convolution(%x: tensor<1x1x4x5xf32>) -> tensor<1x2x4x6xf32> {
  %w = IE.Constant dense<[[[[1.0, 2.0, 3.0]], [[4.0, 5.0, 6.1]]]]> : tensor<1x2x1x3xf32>
  %0 = IE.ConvTranspose(%x, %w) {pads = array<i64: 0, 0, 0, 1>} : (tensor<1x1x4x5xf32>, tensor<1x2x1x3xf32>) -> tensor<1x2x4x6xf32>
  return %0 : tensor<1x2x4x6xf32>
}

// -----

// Each phase reads its part of the padded input, and writes every other pixel.
// CHECK-LABEL: @strides_make_phases
// CHECK: %[[X:.*]] = VPU.Copy ins(%arg0 {{.*}} pads = array<i64: 1, 1, 1, 1>, {{.*}} -> tensor<1x2x10x10x16xf32>
// CHECK: %[[E:.*]] = tensor.empty() : tensor<1x1x16x16x16xf32>
// CHECK: %[[X00:.*]] = tensor.extract_slice %[[X]][0, 0, 0, 0, 0] [1, 2, 9, 9, 16] [1, 1, 1, 1, 1]
// CHECK: %[[Y00:.*]] = VPU.NCE.Convolution ins(%[[X00]], %{{.*}} : {{.*}}, tensor<1x2x2x2x16x16xf32>) bias(%[[B:.*]] : tensor<1x16xf32>) outs({{.*}} -> tensor<1x1x8x8x16xf32>
// CHECK: %[[I00:.*]] = tensor.insert_slice %[[Y00]] into %[[E]][0, 0, 0, 0, 0] [1, 1, 8, 8, 16] [1, 1, 2, 2, 1]
// CHECK: %[[X01:.*]] = tensor.extract_slice %[[X]][0, 0, 0, 1, 0] [1, 2, 9, 9, 16] [1, 1, 1, 1, 1]
// CHECK: %[[Y01:.*]] = VPU.NCE.Convolution ins(%[[X01]], {{.*}} bias(%[[B]] :
// CHECK: %[[I01:.*]] = tensor.insert_slice %[[Y01]] into %[[I00]][0, 0, 0, 1, 0] [1, 1, 8, 8, 16] [1, 1, 2, 2, 1]
// CHECK: %[[I10:.*]] = tensor.insert_slice %{{.*}} into %[[I01]][0, 0, 1, 0, 0] [1, 1, 8, 8, 16] [1, 1, 2, 2, 1]
// CHECK: %[[I11:.*]] = tensor.insert_slice %{{.*}} into %[[I10]][0, 0, 1, 1, 0] [1, 1, 8, 8, 16] [1, 1, 2, 2, 1]
// CHECK: VPU.Copy ins(%[[I11]] {{.*}} -> tensor<1x16x16x16xf32>
// NPU-LABEL: @strides_make_phases
// NPU-COUNT-4: VPU.NCE.Convolution ins({{.*}} : tensor<1x1x9x9x32xf32>, tensor<1x1x2x2x32x16xf32>)
func.func @strides_make_phases(%x: tensor<1x32x8x8xf32>) -> tensor<1x16x16x16xf32> {
  %w = IE.Constant dense<0.1> : tensor<32x16x4x4xf32>
  %b = IE.Constant dense<0.2> : tensor<16xf32>
  %0 = IE.ConvTranspose(%x, %w, %b) {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>} : (tensor<1x32x8x8xf32>, tensor<32x16x4x4xf32>, tensor<16xf32>) -> tensor<1x16x16x16xf32>
  return %0 : tensor<1x16x16x16xf32>
}

// -----

// Phases of their own lengths, of which none needs zeroes around its image.
// CHECK-LABEL: @phases_have_their_own_kernels
// CHECK: VPU.NCE.Convolution {{.*}} tensor<1x1x1x1x16x16xf32>) outs({{.*}} -> tensor<1x1x5x5x16xf32>
// CHECK: VPU.NCE.Convolution {{.*}} tensor<1x1x1x2x16x16xf32>) outs({{.*}} -> tensor<1x1x5x4x16xf32>
// CHECK: VPU.NCE.Convolution {{.*}} tensor<1x1x2x1x16x16xf32>) outs({{.*}} -> tensor<1x1x4x5x16xf32>
// CHECK: VPU.NCE.Convolution {{.*}} tensor<1x1x2x2x16x16xf32>) outs({{.*}} -> tensor<1x1x4x4x16xf32>
// CHECK: tensor.insert_slice {{.*}}[0, 0, 1, 1, 0] [1, 1, 4, 4, 16] [1, 1, 2, 2, 1] : {{.*}} into tensor<1x1x9x9x16xf32>
func.func @phases_have_their_own_kernels(%x: tensor<1x16x5x5xf32>) -> tensor<1x16x9x9xf32> {
  %w = IE.Constant dense<0.1> : tensor<16x16x3x3xf32>
  %0 = IE.ConvTranspose(%x, %w) {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>} : (tensor<1x16x5x5xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x9x9xf32>
  return %0 : tensor<1x16x9x9xf32>
}

// -----

// More is cropped than the kernel reaches over: the edge is not read.
// CHECK-LABEL: @pads_beyond_the_kernel_crop_the_input
// CHECK: %[[X:.*]] = VPU.Copy ins({{.*}} -> tensor<1x1x1x9x16xf32>
// CHECK: %[[SLICE:.*]] = tensor.extract_slice %[[X]][0, 0, 0, 1, 0] [1, 1, 1, 7, 16] [1, 1, 1, 1, 1]
// CHECK: VPU.NCE.Convolution ins(%[[SLICE]],
func.func @pads_beyond_the_kernel_crop_the_input(%x: tensor<1x16x9xf32>) -> tensor<1x16x6xf32> {
  %w = IE.Constant dense<0.1> : tensor<16x16x2xf32>
  %0 = IE.ConvTranspose(%x, %w) {pads = array<i64: 2, 2>} : (tensor<1x16x9xf32>, tensor<16x16x2xf32>) -> tensor<1x16x6xf32>
  return %0 : tensor<1x16x6xf32>
}

// -----

// Where the stride leaps over the kernel is the bias.
// CHECK-LABEL: @stride_beyond_the_kernel_leaves_the_bias
// CHECK: %[[B:.*]] = linalg.broadcast ins(%{{.*}} : tensor<1x16xf32>) outs(%{{.*}} : tensor<1x1x1x9x16xf32>) dimensions = [0, 2, 3]
// CHECK: %[[Y0:.*]] = VPU.NCE.Convolution
// CHECK: %[[I0:.*]] = tensor.insert_slice %[[Y0]] into %[[B]][0, 0, 0, 0, 0] [1, 1, 1, 3, 16] [1, 1, 1, 3, 1]
// CHECK: %[[Y1:.*]] = VPU.NCE.Convolution
// CHECK: tensor.insert_slice %[[Y1]] into %[[I0]][0, 0, 0, 1, 0] [1, 1, 1, 3, 16] [1, 1, 1, 3, 1]
// CHECK-NOT: insert_slice
func.func @stride_beyond_the_kernel_leaves_the_bias(%x: tensor<1x16x3xf32>) -> tensor<1x16x9xf32> {
  %w = IE.Constant dense<0.1> : tensor<16x16x2xf32>
  %b = IE.Constant dense<0.2> : tensor<16xf32>
  %0 = IE.ConvTranspose(%x, %w, %b) {output_padding = array<i64: 1>, strides = array<i64: 3>} : (tensor<1x16x3xf32>, tensor<16x16x2xf32>, tensor<16xf32>) -> tensor<1x16x9xf32>
  return %0 : tensor<1x16x9xf32>
}

// -----

// Stride and dilation are even: elements meet in even outputs only.
// CHECK-LABEL: @dilation_shares_a_factor_with_the_stride
// CHECK: linalg.fill
// CHECK: VPU.NCE.Convolution {{.*}} tensor<1x1x1x3x16x16xf32>) outs({{.*}} {dilations = array<i64: 1, 3>} -> tensor<1x1x1x9x16xf32>
// CHECK: tensor.insert_slice {{.*}}[0, 0, 0, 0, 0] [1, 1, 1, 9, 16] [1, 1, 1, 2, 1]
// CHECK-NOT: VPU.NCE.Convolution
func.func @dilation_shares_a_factor_with_the_stride(%x: tensor<1x16x3xf32>) -> tensor<1x16x17xf32> {
  %w = IE.Constant dense<0.1> : tensor<16x16x3xf32>
  %0 = IE.ConvTranspose(%x, %w) {dilations = array<i64: 6>, strides = array<i64: 2>} : (tensor<1x16x3xf32>, tensor<16x16x3xf32>) -> tensor<1x16x17xf32>
  return %0 : tensor<1x16x17xf32>
}

// -----

// CHECK-LABEL: @channels_of_their_own_keep_their_own_kernels
// CHECK-COUNT-4: VPU.NCE.DepthConvolution
// CHECK-NOT: VPU.NCE
func.func @channels_of_their_own_keep_their_own_kernels(%x: tensor<1x32x5x5xf32>) -> tensor<1x32x10x10xf32> {
  %w = IE.Constant dense<0.1> : tensor<32x1x4x4xf32>
  %0 = IE.ConvTranspose(%x, %w) {group = 32 : i64, auto_pad = "SAME_UPPER", strides = array<i64: 2, 2>} : (tensor<1x32x5x5xf32>, tensor<32x1x4x4xf32>) -> tensor<1x32x10x10xf32>
  return %0 : tensor<1x32x10x10xf32>
}

// -----

// Twelve of sixteen lanes in place of three.
// CHECK-LABEL: @few_channels_take_phases_as_channels
// CHECK: VPU.NCE.Convolution {{.*}} tensor<1x1x2x2x16x16xf32>) {{.*}} -> tensor<1x1x6x6x16xf32>
// CHECK: %[[PHASES:.*]] = VPU.Copy {{.*}} -> tensor<1x12x6x6xf32>
// CHECK: %[[ALL:.*]] = IE.DepthToSpace %[[PHASES]] {blocksize = 2 : i64, mode = "CRD"} : tensor<1x12x6x6xf32> -> tensor<1x3x12x12xf32>
// CHECK: IE.Slice %[[ALL]]
// CHECK-SAME: tensor<1x3x12x12xf32>, {{.*}} -> tensor<1x3x10x10xf32>
func.func @few_channels_take_phases_as_channels(%x: tensor<1x16x5x5xf32>) -> tensor<1x3x10x10xf32> {
  %w = IE.Constant dense<0.1> : tensor<16x3x4x4xf32>
  %0 = IE.ConvTranspose(%x, %w) {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>} : (tensor<1x16x5x5xf32>, tensor<16x3x4x4xf32>) -> tensor<1x3x10x10xf32>
  return %0 : tensor<1x3x10x10xf32>
}

// -----

// One op takes less time than a thousand.
// CHECK-LABEL: @many_phases_become_channels
// CHECK: VPU.NCE.Convolution {{.*}} -> tensor<1x1024x4x4x16xf32>
// CHECK: IE.DepthToSpace {{.*}} {blocksize = 32 : i64, mode = "CRD"}
// NPU-LABEL: @many_phases_become_channels
// NPU: IE.DepthToSpace
func.func @many_phases_become_channels(%x: tensor<1x16x3x3xf32>) -> tensor<1x16x128x128xf32> {
  %w = IE.Constant dense<0.1> : tensor<16x16x64x64xf32>
  %0 = IE.ConvTranspose(%x, %w) {strides = array<i64: 32, 32>} : (tensor<1x16x3x3xf32>, tensor<16x16x64x64xf32>) -> tensor<1x16x128x128xf32>
  return %0 : tensor<1x16x128x128xf32>
}

// -----

// CHECK-LABEL: @image_of_unknown_size_is_padded_by_known_amounts
// CHECK: %[[X:.*]] = VPU.Copy ins(%arg0 {{.*}} pads = array<i64: 1, 1, 1, 1>
// CHECK: tensor.extract_slice %[[X]][0, 0, 0, 1, 0] [%{{.*}}, 1, %{{.*}}, %{{.*}}, 16] [1, 1, 1, 1, 1]
// CHECK: VPU.NCE.Convolution {{.*}} -> tensor<?x1x?x?x16xf32>
// CHECK: tensor.insert_slice {{.*}}[0, 0, 1, 1, 0] [%{{.*}}, 1, %{{.*}}, %{{.*}}, 16] [1, 1, 2, 2, 1]
// NPU-LABEL: @image_of_unknown_size_is_padded_by_known_amounts
// NPU: IE.ConvTranspose
func.func @image_of_unknown_size_is_padded_by_known_amounts(%x: tensor<?x16x?x?xf32>) -> tensor<?x16x?x?xf32> {
  %w = IE.Constant dense<0.1> : tensor<16x16x4x4xf32>
  %0 = IE.ConvTranspose(%x, %w) {auto_pad = "SAME_LOWER", strides = array<i64: 2, 2>} : (tensor<?x16x?x?xf32>, tensor<16x16x4x4xf32>) -> tensor<?x16x?x?xf32>
  return %0 : tensor<?x16x?x?xf32>
}

// -----

// How much to crop follows from the size of the image.
// CHECK-LABEL: @fixed_result_of_unknown_image_stays
// CHECK: IE.ConvTranspose
// CHECK-NOT: VPU.NCE
func.func @fixed_result_of_unknown_image_stays(%x: tensor<1x16x?x?xf32>) -> tensor<1x16x?x?xf32> {
  %w = IE.Constant dense<0.1> : tensor<16x16x4x4xf32>
  %0 = IE.ConvTranspose(%x, %w) {output_shape = array<i64: 20, 20>, strides = array<i64: 2, 2>} : (tensor<1x16x?x?xf32>, tensor<16x16x4x4xf32>) -> tensor<1x16x?x?xf32>
  return %0 : tensor<1x16x?x?xf32>
}

// -----

// CHECK-LABEL: @groups_that_would_leave_vectors_empty_stay
// CHECK: IE.ConvTranspose
// CHECK-NOT: VPU.NCE
func.func @groups_that_would_leave_vectors_empty_stay(%x: tensor<1x36x4x4xf32>) -> tensor<1x4x6x6xf32> {
  %w = IE.Constant dense<0.1> : tensor<36x1x3x3xf32>
  %0 = IE.ConvTranspose(%x, %w) {group = 4 : i64} : (tensor<1x36x4x4xf32>, tensor<36x1x3x3xf32>) -> tensor<1x4x6x6xf32>
  return %0 : tensor<1x4x6x6xf32>
}
