// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-choose-strategies=decide=operators --convert-ie-to-vpu --convert-layouts-to-copies --split-input-file | FileCheck %s
// RUN: nacre-opt %s --init-compiler="vpu-arch=NPU37XX" --vpu-choose-strategies=decide=operators --convert-ie-to-vpu --convert-layouts-to-copies --split-input-file | FileCheck %s --check-prefix=NPU

// All that an output channel is multiplied with is one row of an image, zeroes
// behind its 24 input channels. Blocks of output channels come innermost.
// CHECK-DAG: #[[FROM:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, 0, d2, d3, d5)>
// CHECK-LABEL: @weights_of_a_run_are_packed_by_it
// CHECK: %[[ROWS:.*]] = tensor.expand_shape %{{.*}} output_shape [1, 20, 1, 144]
// CHECK: %[[LANES:.*]] = VPU.Copy ins(%[[ROWS]] : {{.*}} pads = array<i64: 0, 0, 0, 48>, {{.*}} -> tensor<1x2x1x192x16xf32>
// CHECK: %[[SPLIT:.*]] = tensor.expand_shape %{{.*}} : tensor<6144xf32> into tensor<2x2x16x1x3x2x16xf32>
// CHECK: %[[W:.*]] = linalg.generic {indexing_maps = [#[[FROM]], {{.*}} ins(%[[SPLIT]] : {{.*}} outs(%{{.*}} : tensor<2x2x3x2x16x16xf32>)
// CHECK: %[[B:.*]] = VPU.Copy ins(%{{.*}} : tensor<1x20x1x1xf32>) {{.*}} -> tensor<1x2x1x1x16xf32>
// CHECK: %[[BIAS:.*]] = tensor.collapse_shape %[[B]] {{.*}} into tensor<2x16xf32>
// CHECK: VPU.NCE.Convolution ins(%{{.*}}, %[[W]] : {{.*}}) bias(%[[BIAS]] : {{.*}} {inputChannels = 24 : i64}
// NPU-LABEL: @weights_of_a_run_are_packed_by_it
// NPU: IE.Conv
func.func @weights_of_a_run_are_packed_by_it(%x: tensor<1x24x8x8xf32>, %w: tensor<20x24x3x2xf32>, %b: tensor<20xf32>) -> tensor<1x20x6x7xf32> {
  %0 = IE.Conv(%x, %w, %b) : (tensor<1x24x8x8xf32>, tensor<20x24x3x2xf32>, tensor<20xf32>) -> tensor<1x20x6x7xf32>
  return %0 : tensor<1x20x6x7xf32>
}

// -----

// CHECK-LABEL: @single_elements_need_no_gathering
// CHECK: VPU.Copy ins(%{{.*}} : tensor<1x32x1x16xf32>) {{.*}} -> tensor<1x2x1x16x16xf32>
// CHECK-NOT: linalg.generic
// CHECK: VPU.NCE.Convolution {{.*}} tensor<2x1x1x1x16x16xf32>)
func.func @single_elements_need_no_gathering(%x: tensor<1x16x8x8xf32>, %w: tensor<32x16x1x1xf32>) -> tensor<1x32x8x8xf32> {
  %0 = IE.Conv(%x, %w) : (tensor<1x16x8x8xf32>, tensor<32x16x1x1xf32>) -> tensor<1x32x8x8xf32>
  return %0 : tensor<1x32x8x8xf32>
}

// -----

// CHECK-LABEL: @kernels_of_channels_of_their_own_need_no_gathering
// CHECK: VPU.Copy ins(%{{.*}} : tensor<1x16x1x9xf32>) {{.*}} -> tensor<1x1x1x9x16xf32>
// CHECK-NOT: linalg.generic
// CHECK: VPU.NCE.DepthConvolution {{.*}} tensor<1x3x3x16xf32>)
func.func @kernels_of_channels_of_their_own_need_no_gathering(%x: tensor<1x16x8x8xf32>, %w: tensor<16x1x3x3xf32>) -> tensor<1x16x6x6xf32> {
  %0 = IE.Conv(%x, %w) {group = 16 : i64} : (tensor<1x16x8x8xf32>, tensor<16x1x3x3xf32>) -> tensor<1x16x6x6xf32>
  return %0 : tensor<1x16x6x6xf32>
}

// -----

// To lane i, distance d adds what the output channel i xor d takes of it.
// CHECK-LABEL: @kernels_of_small_groups_lie_by_distance
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x1x1x4x16xf32>)
// CHECK: %[[LANE:.*]] = arith.xori
// CHECK: %[[EXISTS:.*]] = arith.cmpi ule, %[[LANE]], %{{.*}} : index
// CHECK: %[[W:.*]] = tensor.extract
// CHECK: arith.select %[[EXISTS]], %[[W]], %{{.*}} : f32
// CHECK: VPU.NCE.GroupConvolution
func.func @kernels_of_small_groups_lie_by_distance(%x: tensor<1x12x8x8xf32>, %w: tensor<12x4x1x1xf32>) -> tensor<1x12x8x8xf32> {
  %0 = IE.Conv(%x, %w) {group = 3 : i64} : (tensor<1x12x8x8xf32>, tensor<12x4x1x1xf32>) -> tensor<1x12x8x8xf32>
  return %0 : tensor<1x12x8x8xf32>
}

// -----

// Channels change places once; each phase takes every other row from the last.
// CHECK-DAG: #[[EVEN:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, 0, d2 * -2 + 2, -d3, d5)>
// CHECK-DAG: #[[ODD:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, 0, d2 * -2 + 1, -d3, d5)>
// CHECK-LABEL: @phases_gather_their_part_of_the_kernel
// CHECK: linalg.transpose ins(%{{.*}} : tensor<1x16x32x3xf32>) {{.*}} permutation = [0, 2, 1, 3]
// CHECK: linalg.generic {indexing_maps = [#[[EVEN]], {{.*}} outs(%{{.*}} : tensor<2x1x2x1x16x16xf32>)
// CHECK: linalg.generic {indexing_maps = [#[[ODD]], {{.*}} outs(%{{.*}} : tensor<2x1x1x1x16x16xf32>)
// CHECK-NOT: linalg.transpose
// NPU-LABEL: @phases_gather_their_part_of_the_kernel
// NPU: IE.ConvTranspose
func.func @phases_gather_their_part_of_the_kernel(%x: tensor<1x16x4x4xf32>, %w: tensor<16x32x3x1xf32>) -> tensor<1x32x9x4xf32> {
  %0 = IE.ConvTranspose(%x, %w) {strides = array<i64: 2, 1>} : (tensor<1x16x4x4xf32>, tensor<16x32x3x1xf32>) -> tensor<1x32x9x4xf32>
  return %0 : tensor<1x32x9x4xf32>
}

// -----

// Four phases of three channels each; the kernel has zeroes behind it.
// CHECK-DAG: #[[FROM:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d1, d2 - d5 * 2 + 2, d3 - d6 * 2 + 2)>
// CHECK-LABEL: @phases_as_channels_gather_theirs
// CHECK: %[[W:.*]] = tensor.insert_slice {{.*}} [1, 16, 3, 3, 3] [1, 1, 1, 1, 1] : {{.*}} into tensor<1x16x3x4x4xf32>
// CHECK: linalg.generic {indexing_maps = [#[[FROM]], {{.*}} ins(%[[W]] : {{.*}} outs(%{{.*}} : tensor<1x3x2x2x16x2x2xf32>)
// CHECK: linalg.broadcast {{.*}} outs(%{{.*}} : tensor<3x4xf32>) dimensions = [1]
// CHECK: IE.DepthToSpace
func.func @phases_as_channels_gather_theirs(%x: tensor<1x16x5x5xf32>, %w: tensor<16x3x3x3xf32>, %b: tensor<3xf32>) -> tensor<1x3x11x11xf32> {
  %0 = IE.ConvTranspose(%x, %w, %b) {strides = array<i64: 2, 2>} : (tensor<1x16x5x5xf32>, tensor<16x3x3x3xf32>, tensor<3xf32>) -> tensor<1x3x11x11xf32>
  return %0 : tensor<1x3x11x11xf32>
}

// -----

// CHECK-LABEL: @weights_of_unknown_size_stay
// CHECK: IE.Conv
// CHECK-NOT: VPU.NCE
func.func @weights_of_unknown_size_stay(%x: tensor<1x16x8x8xf32>, %w: tensor<16x16x?x1xf32>) -> tensor<1x16x?x8xf32> {
  %0 = IE.Conv(%x, %w) : (tensor<1x16x8x8xf32>, tensor<16x16x?x1xf32>) -> tensor<1x16x?x8xf32>
  return %0 : tensor<1x16x?x8xf32>
}
