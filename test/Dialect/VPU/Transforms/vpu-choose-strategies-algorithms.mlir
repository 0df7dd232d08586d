// By what algorithm convolutions are computed, architecture by architecture.
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-choose-strategies=decide=algorithms --split-input-file | FileCheck %s
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v3 threads=1" --vpu-choose-strategies=decide=algorithms --split-input-file | FileCheck %s --check-prefix=V3
// RUN: nacre-opt %s --init-compiler="vpu-arch=aarch64 threads=1" --vpu-choose-strategies=decide=algorithms --split-input-file | FileCheck %s --check-prefix=ARM
// RUN: nacre-opt %s --init-compiler="vpu-arch=znver4 threads=1" --vpu-choose-strategies=decide=algorithms --split-input-file | FileCheck %s --check-prefix=BF16
// RUN: nacre-opt %s --init-compiler="vpu-arch=sapphirerapids threads=1" --vpu-choose-strategies=decide=algorithms --split-input-file | FileCheck %s --check-prefix=TILES
// RUN: nacre-opt %s --init-compiler="vpu-arch=NPU37XX" --vpu-choose-strategies=decide=algorithms --split-input-file | FileCheck %s --check-prefix=NPU

// The multiplications saved outweigh the transforms. An engine that is not made
// of vectors has no choice.
// CHECK-LABEL: @large_convolution_is_by_large_tiles
// CHECK: VPU.NCE.Convolution {{.*}}VPU.strategy = #VPU.strategy<algorithm = winograd, winogradTile = 4>
// NPU-LABEL: @large_convolution_is_by_large_tiles
// NPU-NOT: VPU.strategy
func.func @large_convolution_is_by_large_tiles(%x: tensor<1x4x58x58x16xf32>, %b: tensor<4x16xf32>, %r: tensor<1x4x56x56x16xf32>) -> tensor<1x4x56x56x16xf32> {
  %m_w = arith.constant dense<0.5> : tensor<64x64x3x3xf32>
  %w = VPU.PackWeights %m_w {form = #VPU.weights<DENSE>} : tensor<64x64x3x3xf32> -> tensor<4x4x3x3x16x16xf32>
  %e = tensor.empty() : tensor<1x4x56x56x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x4x58x58x16xf32>, tensor<4x4x3x3x16x16xf32>) bias(%b : tensor<4x16xf32>) residual(%r : tensor<1x4x56x56x16xf32>) outs(%e : tensor<1x4x56x56x16xf32>) {ppe = #VPU.PPE<mode = RELU>} -> tensor<1x4x56x56x16xf32>
  return %0 : tensor<1x4x56x56x16xf32>
}

// -----

// One tile: reading four times the weights costs more than it saves.
// NPU-LABEL: @convolution_of_few_pixels_is_direct
// CHECK-LABEL: @convolution_of_few_pixels_is_direct
// CHECK: VPU.NCE.Convolution {{.*}}VPU.strategy = #VPU.strategy<algorithm = direct>
func.func @convolution_of_few_pixels_is_direct(%x: tensor<1x4x4x4x16xf32>) -> tensor<1x4x2x2x16xf32> {
  %m_w = arith.constant dense<0.5> : tensor<64x64x3x3xf32>
  %w = VPU.PackWeights %m_w {form = #VPU.weights<DENSE>} : tensor<64x64x3x3xf32> -> tensor<4x4x3x3x16x16xf32>
  %e = tensor.empty() : tensor<1x4x2x2x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x4x4x4x16xf32>, tensor<4x4x3x3x16x16xf32>) outs(%e : tensor<1x4x2x2x16xf32>) -> tensor<1x4x2x2x16xf32>
  return %0 : tensor<1x4x2x2x16xf32>
}

// -----

// Many weights for few pixels: smaller tiles need fewer of them.
// CHECK-LABEL: @convolution_of_many_weights_has_small_tiles
// CHECK: VPU.NCE.Convolution {{.*}}VPU.strategy = #VPU.strategy<algorithm = winograd, winogradTile = 2>
func.func @convolution_of_many_weights_has_small_tiles(%x: tensor<1x32x9x9x16xf32>) -> tensor<1x32x7x7x16xf32> {
  %m_w = arith.constant dense<0.5> : tensor<512x512x3x3xf32>
  %w = VPU.PackWeights %m_w {form = #VPU.weights<DENSE>} : tensor<512x512x3x3xf32> -> tensor<32x32x3x3x16x16xf32>
  %e = tensor.empty() : tensor<1x32x7x7x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x32x9x9x16xf32>, tensor<32x32x3x3x16x16xf32>) outs(%e : tensor<1x32x7x7x16xf32>) -> tensor<1x32x7x7x16xf32>
  return %0 : tensor<1x32x7x7x16xf32>
}

// -----

// Large tiles would be a little faster, for twice the memory.
// CHECK-LABEL: @convolution_that_gains_little_by_memory_has_small_tiles
// CHECK: VPU.NCE.Convolution {{.*}}VPU.strategy = #VPU.strategy<algorithm = winograd, winogradTile = 2>
func.func @convolution_that_gains_little_by_memory_has_small_tiles(%x: tensor<1x16x16x16x16xf32>) -> tensor<1x16x14x14x16xf32> {
  %m_w = arith.constant dense<1.0> : tensor<256x256x3x3xf32>
  %w = VPU.PackWeights %m_w {form = #VPU.weights<DENSE>} : tensor<256x256x3x3xf32> -> tensor<16x16x3x3x16x16xf32>
  %e = tensor.empty() : tensor<1x16x14x14x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x16x16x16x16xf32>, tensor<16x16x3x3x16x16xf32>) outs(%e : tensor<1x16x14x14x16xf32>) -> tensor<1x16x14x14x16xf32>
  return %0 : tensor<1x16x14x14x16xf32>
}

// -----

// Where the machine multiplies pairs by vectors, points are multiplied as fast; a
// matrix unit multiplies the blocks faster than vectors multiply points.
// BF16-LABEL: @convolution_of_bfloat16_depends_on_the_unit
// BF16: VPU.NCE.Convolution {{.*}}VPU.strategy = #VPU.strategy<algorithm = winograd, winogradTile = 4>
// TILES-LABEL: @convolution_of_bfloat16_depends_on_the_unit
// TILES: VPU.NCE.Convolution {{.*}}VPU.strategy = #VPU.strategy<algorithm = direct>
func.func @convolution_of_bfloat16_depends_on_the_unit(%x: tensor<1x4x58x58x16xbf16>) -> tensor<1x4x56x56x16xbf16> {
  %m_w = arith.constant dense<0.5> : tensor<64x64x3x3xbf16>
  %w = VPU.PackWeights %m_w {form = #VPU.weights<DENSE>} : tensor<64x64x3x3xbf16> -> tensor<4x4x3x3x8x16x2xbf16>
  %e = tensor.empty() : tensor<1x4x56x56x16xbf16>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x4x58x58x16xbf16>, tensor<4x4x3x3x8x16x2xbf16>) outs(%e : tensor<1x4x56x56x16xbf16>) -> tensor<1x4x56x56x16xbf16>
  return %0 : tensor<1x4x56x56x16xbf16>
}

// -----

// CHECK-LABEL: @convolution_of_single_bfloat16_is_by_large_tiles
// CHECK: VPU.NCE.Convolution {{.*}}VPU.strategy = #VPU.strategy<algorithm = winograd, winogradTile = 4>
func.func @convolution_of_single_bfloat16_is_by_large_tiles(%x: tensor<1x4x58x58x16xbf16>) -> tensor<1x4x56x56x16xbf16> {
  %m_w = arith.constant dense<0.5> : tensor<64x64x3x3xbf16>
  %w = VPU.PackWeights %m_w {form = #VPU.weights<DENSE>} : tensor<64x64x3x3xbf16> -> tensor<4x4x3x3x16x16xbf16>
  %e = tensor.empty() : tensor<1x4x56x56x16xbf16>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x4x58x58x16xbf16>, tensor<4x4x3x3x16x16xbf16>) outs(%e : tensor<1x4x56x56x16xbf16>) -> tensor<1x4x56x56x16xbf16>
  return %0 : tensor<1x4x56x56x16xbf16>
}

// -----

// CHECK-LABEL: @strided_convolution_has_no_choice
// CHECK-NOT: VPU.strategy
func.func @strided_convolution_has_no_choice(%x: tensor<1x4x113x113x16xf32>) -> tensor<1x4x56x56x16xf32> {
  %m_w = arith.constant dense<0.5> : tensor<64x64x3x3xf32>
  %w = VPU.PackWeights %m_w {form = #VPU.weights<DENSE>} : tensor<64x64x3x3xf32> -> tensor<4x4x3x3x16x16xf32>
  %e = tensor.empty() : tensor<1x4x56x56x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x4x113x113x16xf32>, tensor<4x4x3x3x16x16xf32>) outs(%e : tensor<1x4x56x56x16xf32>) {strides = array<i64: 2, 2>} -> tensor<1x4x56x56x16xf32>
  return %0 : tensor<1x4x56x56x16xf32>
}

// -----

// CHECK-LABEL: @convolution_with_runtime_weights_has_no_choice
// CHECK-NOT: VPU.strategy
func.func @convolution_with_runtime_weights_has_no_choice(%x: tensor<1x4x58x58x16xf32>, %w: tensor<4x4x3x3x16x16xf32>) -> tensor<1x4x56x56x16xf32> {
  %e = tensor.empty() : tensor<1x4x56x56x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x4x58x58x16xf32>, tensor<4x4x3x3x16x16xf32>) outs(%e : tensor<1x4x56x56x16xf32>) -> tensor<1x4x56x56x16xf32>
  return %0 : tensor<1x4x56x56x16xf32>
}

// -----

// 56×56 of an image of 224×224.
// CHECK-LABEL: @convolution_of_unknown_size_is_taken_for_that_of_a_nominal_image
// CHECK: VPU.NCE.Convolution {{.*}}VPU.strategy = #VPU.strategy<algorithm = winograd, winogradTile = 4>
func.func @convolution_of_unknown_size_is_taken_for_that_of_a_nominal_image(%x: tensor<1x4x?x?x16xf32>, %h: index, %w: index) -> tensor<1x4x?x?x16xf32> {
  %m_u = arith.constant dense<0.5> : tensor<64x64x3x3xf32>
  %u = VPU.PackWeights %m_u {form = #VPU.weights<DENSE>} : tensor<64x64x3x3xf32> -> tensor<4x4x3x3x16x16xf32>
  %rows = affine.apply affine_map<(d0) -> (d0 ceildiv 4)>(%h)
  %columns = affine.apply affine_map<(d0) -> (d0 ceildiv 4)>(%w)
  %e = tensor.empty(%rows, %columns) : tensor<1x4x?x?x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %u : tensor<1x4x?x?x16xf32>, tensor<4x4x3x3x16x16xf32>) outs(%e : tensor<1x4x?x?x16xf32>) -> tensor<1x4x?x?x16xf32>
  return %0 : tensor<1x4x?x?x16xf32>
}

// -----

// 14×14: what large tiles save, their weights take in memory.
// CHECK-LABEL: @convolution_of_unknown_number_and_size_is_taken_for_one_image
// CHECK: VPU.NCE.Convolution {{.*}}VPU.strategy = #VPU.strategy<algorithm = winograd, winogradTile = 2>
func.func @convolution_of_unknown_number_and_size_is_taken_for_one_image(%x: tensor<?x16x?x?x16xf32>, %n: index, %h: index, %w: index) -> tensor<?x16x?x?x16xf32> {
  %m_u = arith.constant dense<0.5> : tensor<256x256x3x3xf32>
  %u = VPU.PackWeights %m_u {form = #VPU.weights<DENSE>} : tensor<256x256x3x3xf32> -> tensor<16x16x3x3x16x16xf32>
  %rows = affine.apply affine_map<(d0) -> (d0 ceildiv 16)>(%h)
  %columns = affine.apply affine_map<(d0) -> (d0 ceildiv 16)>(%w)
  %e = tensor.empty(%n, %rows, %columns) : tensor<?x16x?x?x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %u : tensor<?x16x?x?x16xf32>, tensor<16x16x3x3x16x16xf32>) outs(%e : tensor<?x16x?x?x16xf32>) -> tensor<?x16x?x?x16xf32>
  return %0 : tensor<?x16x?x?x16xf32>
}

// -----

// 7×7 would gain, but 4×4, of a smaller image, would wait for more weights.
// CHECK-LABEL: @convolution_that_would_be_slow_for_smaller_images_is_direct
// CHECK: VPU.NCE.Convolution {{.*}}VPU.strategy = #VPU.strategy<algorithm = direct>
func.func @convolution_that_would_be_slow_for_smaller_images_is_direct(%x: tensor<1x16x?x?x16xf32>, %h: index, %w: index) -> tensor<1x16x?x?x16xf32> {
  %m_u = arith.constant dense<0.5> : tensor<256x256x3x3xf32>
  %u = VPU.PackWeights %m_u {form = #VPU.weights<DENSE>} : tensor<256x256x3x3xf32> -> tensor<16x16x3x3x16x16xf32>
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
// CHECK: VPU.NCE.Convolution {{.*}}VPU.strategy = #VPU.strategy<algorithm = winograd, winogradTile = 2>
func.func @size_of_a_size_is_followed(%x: tensor<1x16x?x?x16xf32>, %h: index, %w: index) -> tensor<1x16x?x?x16xf32> {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  %m_u = arith.constant dense<0.5> : tensor<256x256x3x3xf32>
  %u = VPU.PackWeights %m_u {form = #VPU.weights<DENSE>} : tensor<256x256x3x3xf32> -> tensor<16x16x3x3x16x16xf32>
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
// CHECK-LABEL: @convolution_of_doubles_has_no_choice
// CHECK-NOT: VPU.strategy
func.func @convolution_of_doubles_has_no_choice(%x: tensor<1x4x58x58x8xf64>, %init: tensor<1x4x56x56x8xf64>) -> tensor<1x4x56x56x8xf64> {
  %m_w = arith.constant dense<0.1> : tensor<32x32x3x3xf64>
  %w = VPU.PackWeights %m_w {form = #VPU.weights<DENSE>} : tensor<32x32x3x3xf64> -> tensor<4x4x3x3x8x8xf64>
  %y = VPU.NCE.Convolution ins(%x, %w : tensor<1x4x58x58x8xf64>, tensor<4x4x3x3x8x8xf64>) outs(%init : tensor<1x4x56x56x8xf64>) -> tensor<1x4x56x56x8xf64>
  return %y : tensor<1x4x56x56x8xf64>
}

// -----

// Blocks are not of one vector elsewhere.
// V3-LABEL: @convolution_of_blocks_of_8
// V3: VPU.NCE.Convolution {{.*}}VPU.strategy = #VPU.strategy<algorithm = winograd, winogradTile = 4>
// CHECK-LABEL: @convolution_of_blocks_of_8
// CHECK-NOT: VPU.strategy
func.func @convolution_of_blocks_of_8(%x: tensor<1x8x58x58x8xf32>) -> tensor<1x8x56x56x8xf32> {
  %m_w = arith.constant dense<0.5> : tensor<64x64x3x3xf32>
  %w = VPU.PackWeights %m_w {form = #VPU.weights<DENSE>} : tensor<64x64x3x3xf32> -> tensor<8x8x3x3x8x8xf32>
  %e = tensor.empty() : tensor<1x8x56x56x8xf32>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x8x58x58x8xf32>, tensor<8x8x3x3x8x8xf32>) outs(%e : tensor<1x8x56x56x8xf32>) -> tensor<1x8x56x56x8xf32>
  return %0 : tensor<1x8x56x56x8xf32>
}

// -----

// Blocks are not of one vector elsewhere.
// ARM-LABEL: @convolution_of_blocks_of_4
// ARM: VPU.NCE.Convolution {{.*}}VPU.strategy = #VPU.strategy<algorithm = winograd, winogradTile = 4>
// CHECK-LABEL: @convolution_of_blocks_of_4
// CHECK-NOT: VPU.strategy
func.func @convolution_of_blocks_of_4(%x: tensor<1x16x58x58x4xf32>) -> tensor<1x16x56x56x4xf32> {
  %m_w = arith.constant dense<0.5> : tensor<64x64x3x3xf32>
  %w = VPU.PackWeights %m_w {form = #VPU.weights<DENSE>} : tensor<64x64x3x3xf32> -> tensor<16x16x3x3x4x4xf32>
  %e = tensor.empty() : tensor<1x16x56x56x4xf32>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x16x58x58x4xf32>, tensor<16x16x3x3x4x4xf32>) outs(%e : tensor<1x16x56x56x4xf32>) -> tensor<1x16x56x56x4xf32>
  return %0 : tensor<1x16x56x56x4xf32>
}
