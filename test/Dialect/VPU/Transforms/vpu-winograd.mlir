// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-winograd --split-input-file | FileCheck %s
// RUN: nacre-opt %s --init-compiler="vpu-arch=znver4 threads=1" --vpu-winograd --split-input-file | FileCheck %s --check-prefix=BF16
// RUN: nacre-opt %s --init-compiler="vpu-arch=sapphirerapids threads=1" --vpu-winograd --split-input-file | FileCheck %s --check-prefix=TILES
// RUN: nacre-opt %s --init-compiler="vpu-arch=NPU37XX" --vpu-winograd --split-input-file | FileCheck %s --check-prefix=NPU

// The weights become 36 planes; everything else stays as it is.
// CHECK-LABEL: @large_convolution_is_replaced
// CHECK: %[[U:.*]] = arith.constant dense_resource<winograd> : tensor<36x4x4x16x16xf32>
// CHECK: VPU.NCE.WinogradConvolution ins(%arg0, %[[U]] {{.*}}) bias(%arg1 {{.*}}) residual(%arg2 {{.*}}) {{.*}} {ppe = #VPU.PPE<mode = RELU>}
// NPU-LABEL: @large_convolution_is_replaced
// NPU: VPU.NCE.Convolution
func.func @large_convolution_is_replaced(%x: tensor<1x4x58x58x16xf32>, %b: tensor<4x16xf32>, %r: tensor<1x4x56x56x16xf32>) -> tensor<1x4x56x56x16xf32> {
  %w = arith.constant dense<0.5> : tensor<4x4x3x3x16x16xf32>
  %e = tensor.empty() : tensor<1x4x56x56x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x4x58x58x16xf32>, tensor<4x4x3x3x16x16xf32>) bias(%b : tensor<4x16xf32>) residual(%r : tensor<1x4x56x56x16xf32>) outs(%e : tensor<1x4x56x56x16xf32>) {ppe = #VPU.PPE<mode = RELU>} -> tensor<1x4x56x56x16xf32>
  return %0 : tensor<1x4x56x56x16xf32>
}

// -----

// One tile: reading four times the weights costs more than it saves.
// CHECK-LABEL: @convolution_of_few_pixels_stays
// CHECK: VPU.NCE.Convolution
func.func @convolution_of_few_pixels_stays(%x: tensor<1x4x4x4x16xf32>) -> tensor<1x4x2x2x16xf32> {
  %w = arith.constant dense<0.5> : tensor<4x4x3x3x16x16xf32>
  %e = tensor.empty() : tensor<1x4x2x2x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x4x4x4x16xf32>, tensor<4x4x3x3x16x16xf32>) outs(%e : tensor<1x4x2x2x16xf32>) -> tensor<1x4x2x2x16xf32>
  return %0 : tensor<1x4x2x2x16xf32>
}

// -----

// Many weights for few pixels: smaller tiles need fewer of them.
// CHECK-LABEL: @convolution_of_many_weights_uses_small_tiles
// CHECK: %[[U:.*]] = arith.constant dense_resource<winograd{{.*}}> : tensor<16x32x32x16x16xf32>
// CHECK: VPU.NCE.WinogradConvolution ins(%arg0, %[[U]] {{.*}} {tileSize = 2 : i64}
func.func @convolution_of_many_weights_uses_small_tiles(%x: tensor<1x32x9x9x16xf32>) -> tensor<1x32x7x7x16xf32> {
  %w = arith.constant dense<0.5> : tensor<32x32x3x3x16x16xf32>
  %e = tensor.empty() : tensor<1x32x7x7x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x32x9x9x16xf32>, tensor<32x32x3x3x16x16xf32>) outs(%e : tensor<1x32x7x7x16xf32>) -> tensor<1x32x7x7x16xf32>
  return %0 : tensor<1x32x7x7x16xf32>
}

// -----

// Large tiles would be a little faster, for twice the memory.
// CHECK-LABEL: @convolution_that_gains_little_by_memory_uses_small_tiles
// CHECK: VPU.NCE.WinogradConvolution ins({{.*}} : tensor<1x16x16x16x16xf32>, tensor<16x16x16x16x16xf32>) {{.*}} {tileSize = 2 : i64}
func.func @convolution_that_gains_little_by_memory_uses_small_tiles(%x: tensor<1x16x16x16x16xf32>) -> tensor<1x16x14x14x16xf32> {
  %w = arith.constant dense<1.0> : tensor<16x16x3x3x16x16xf32>
  %e = tensor.empty() : tensor<1x16x14x14x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x16x16x16x16xf32>, tensor<16x16x3x3x16x16xf32>) outs(%e : tensor<1x16x14x14x16xf32>) -> tensor<1x16x14x14x16xf32>
  return %0 : tensor<1x16x14x14x16xf32>
}

// -----

// Where the machine multiplies pairs, transformed weights are rounded and
// packed; elsewhere rounding them would save nothing.
// BF16-LABEL: @convolution_of_bfloat16_keeps_its_packs
// BF16: VPU.NCE.WinogradConvolution ins(%arg0, %{{.*}} : tensor<1x4x58x58x16xbf16>, tensor<36x4x4x8x16x2xbf16>)
// A matrix unit multiplies the blocks faster than vectors multiply points.
// TILES-LABEL: @convolution_of_bfloat16_keeps_its_packs
// TILES: VPU.NCE.Convolution
func.func @convolution_of_bfloat16_keeps_its_packs(%x: tensor<1x4x58x58x16xbf16>) -> tensor<1x4x56x56x16xbf16> {
  %w = arith.constant dense<0.5> : tensor<4x4x3x3x8x16x2xbf16>
  %e = tensor.empty() : tensor<1x4x56x56x16xbf16>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x4x58x58x16xbf16>, tensor<4x4x3x3x8x16x2xbf16>) outs(%e : tensor<1x4x56x56x16xbf16>) -> tensor<1x4x56x56x16xbf16>
  return %0 : tensor<1x4x56x56x16xbf16>
}

// -----

// CHECK-LABEL: @convolution_of_single_bfloat16_transforms_in_f32
// CHECK: VPU.NCE.WinogradConvolution ins(%arg0, %{{.*}} : tensor<1x4x58x58x16xbf16>, tensor<36x4x4x16x16xf32>)
func.func @convolution_of_single_bfloat16_transforms_in_f32(%x: tensor<1x4x58x58x16xbf16>) -> tensor<1x4x56x56x16xbf16> {
  %w = arith.constant dense<0.5> : tensor<4x4x3x3x16x16xbf16>
  %e = tensor.empty() : tensor<1x4x56x56x16xbf16>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x4x58x58x16xbf16>, tensor<4x4x3x3x16x16xbf16>) outs(%e : tensor<1x4x56x56x16xbf16>) -> tensor<1x4x56x56x16xbf16>
  return %0 : tensor<1x4x56x56x16xbf16>
}

// -----

// CHECK-LABEL: @strided_convolution_stays
// CHECK: VPU.NCE.Convolution
func.func @strided_convolution_stays(%x: tensor<1x4x113x113x16xf32>) -> tensor<1x4x56x56x16xf32> {
  %w = arith.constant dense<0.5> : tensor<4x4x3x3x16x16xf32>
  %e = tensor.empty() : tensor<1x4x56x56x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x4x113x113x16xf32>, tensor<4x4x3x3x16x16xf32>) outs(%e : tensor<1x4x56x56x16xf32>) {strides = array<i64: 2, 2>} -> tensor<1x4x56x56x16xf32>
  return %0 : tensor<1x4x56x56x16xf32>
}

// -----

// CHECK-LABEL: @convolution_with_runtime_weights_stays
// CHECK: VPU.NCE.Convolution
func.func @convolution_with_runtime_weights_stays(%x: tensor<1x4x58x58x16xf32>, %w: tensor<4x4x3x3x16x16xf32>) -> tensor<1x4x56x56x16xf32> {
  %e = tensor.empty() : tensor<1x4x56x56x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x4x58x58x16xf32>, tensor<4x4x3x3x16x16xf32>) outs(%e : tensor<1x4x56x56x16xf32>) -> tensor<1x4x56x56x16xf32>
  return %0 : tensor<1x4x56x56x16xf32>
}

// -----

// 56×56 of an image of 224×224.
// CHECK-LABEL: @convolution_of_unknown_size_is_taken_for_that_of_a_nominal_image
// CHECK: VPU.NCE.WinogradConvolution ins(%arg0, %{{.*}} : tensor<1x4x?x?x16xf32>, tensor<36x4x4x16x16xf32>)
func.func @convolution_of_unknown_size_is_taken_for_that_of_a_nominal_image(%x: tensor<1x4x?x?x16xf32>, %h: index, %w: index) -> tensor<1x4x?x?x16xf32> {
  %u = arith.constant dense<0.5> : tensor<4x4x3x3x16x16xf32>
  %rows = affine.apply affine_map<(d0) -> (d0 ceildiv 4)>(%h)
  %columns = affine.apply affine_map<(d0) -> (d0 ceildiv 4)>(%w)
  %e = tensor.empty(%rows, %columns) : tensor<1x4x?x?x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %u : tensor<1x4x?x?x16xf32>, tensor<4x4x3x3x16x16xf32>) outs(%e : tensor<1x4x?x?x16xf32>) -> tensor<1x4x?x?x16xf32>
  return %0 : tensor<1x4x?x?x16xf32>
}

// -----

// 14×14: what large tiles save, their weights take in memory.
// CHECK-LABEL: @convolution_of_unknown_number_and_size_is_taken_for_one_image
// CHECK: VPU.NCE.WinogradConvolution ins(%arg0, %{{.*}} : tensor<?x16x?x?x16xf32>, tensor<16x16x16x16x16xf32>) {{.*}} {tileSize = 2 : i64}
func.func @convolution_of_unknown_number_and_size_is_taken_for_one_image(%x: tensor<?x16x?x?x16xf32>, %n: index, %h: index, %w: index) -> tensor<?x16x?x?x16xf32> {
  %u = arith.constant dense<0.5> : tensor<16x16x3x3x16x16xf32>
  %rows = affine.apply affine_map<(d0) -> (d0 ceildiv 16)>(%h)
  %columns = affine.apply affine_map<(d0) -> (d0 ceildiv 16)>(%w)
  %e = tensor.empty(%n, %rows, %columns) : tensor<?x16x?x?x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %u : tensor<?x16x?x?x16xf32>, tensor<16x16x3x3x16x16xf32>) outs(%e : tensor<?x16x?x?x16xf32>) -> tensor<?x16x?x?x16xf32>
  return %0 : tensor<?x16x?x?x16xf32>
}

// -----

// 7×7 would gain, but 4×4, of a smaller image, would wait for more weights.
// CHECK-LABEL: @convolution_that_would_be_slow_for_smaller_images_stays
// CHECK: VPU.NCE.Convolution
func.func @convolution_that_would_be_slow_for_smaller_images_stays(%x: tensor<1x16x?x?x16xf32>, %h: index, %w: index) -> tensor<1x16x?x?x16xf32> {
  %u = arith.constant dense<0.5> : tensor<16x16x3x3x16x16xf32>
  %rows = affine.apply affine_map<(d0) -> (d0 ceildiv 32)>(%h)
  %columns = affine.apply affine_map<(d0) -> (d0 ceildiv 32)>(%w)
  %e = tensor.empty(%rows, %columns) : tensor<1x16x?x?x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %u : tensor<1x16x?x?x16xf32>, tensor<16x16x3x3x16x16xf32>) outs(%e : tensor<1x16x?x?x16xf32>) -> tensor<1x16x?x?x16xf32>
  return %0 : tensor<1x16x?x?x16xf32>
}

// -----

// Sizes are followed through what computes them; nothing of that stays.
// CHECK-LABEL: @size_of_a_size_is_followed
// CHECK-COUNT-2: tensor.dim
// CHECK-NOT: tensor.dim
// CHECK: VPU.NCE.WinogradConvolution {{.*}} {tileSize = 2 : i64}
func.func @size_of_a_size_is_followed(%x: tensor<1x16x?x?x16xf32>, %h: index, %w: index) -> tensor<1x16x?x?x16xf32> {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  %u = arith.constant dense<0.5> : tensor<16x16x3x3x16x16xf32>
  %rows = arith.divui %h, %c16 : index
  %columns = arith.divui %w, %c16 : index
  %e = tensor.empty(%rows, %columns) : tensor<1x16x?x?x16xf32>
  %y = VPU.NCE.MaxPool ins(%x : tensor<1x16x?x?x16xf32>) outs(%e : tensor<1x16x?x?x16xf32>) {kernel = array<i64: 1, 1>} -> tensor<1x16x?x?x16xf32>
  %r = tensor.dim %y, %c2 : tensor<1x16x?x?x16xf32>
  %c = tensor.dim %y, %c3 : tensor<1x16x?x?x16xf32>
  %f = tensor.empty(%r, %c) : tensor<1x16x?x?x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %u : tensor<1x16x?x?x16xf32>, tensor<16x16x3x3x16x16xf32>) outs(%f : tensor<1x16x?x?x16xf32>) -> tensor<1x16x?x?x16xf32>
  return %0 : tensor<1x16x?x?x16xf32>
}

// -----

// The transforms would need constants of f64.
// CHECK-LABEL: @convolution_of_doubles_stays
// CHECK: VPU.NCE.Convolution
func.func @convolution_of_doubles_stays(%x: tensor<1x4x58x58x8xf64>, %init: tensor<1x4x56x56x8xf64>) -> tensor<1x4x56x56x8xf64> {
  %w = arith.constant dense<0.1> : tensor<4x4x3x3x8x8xf64>
  %y = VPU.NCE.Convolution ins(%x, %w : tensor<1x4x58x58x8xf64>, tensor<4x4x3x3x8x8xf64>) outs(%init : tensor<1x4x56x56x8xf64>) -> tensor<1x4x56x56x8xf64>
  return %y : tensor<1x4x56x56x8xf64>
}
