// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-apply-winograd --split-input-file | FileCheck %s

// The weights become 36 planes; everything else stays as it is.
// CHECK-LABEL: @large_tiles
// CHECK: %[[U:.*]] = arith.constant dense_resource<packed> : tensor<36x4x4x16x16xf32>
// CHECK-NOT: VPU.PackWeights
// CHECK: VPU.NCE.WinogradConvolution ins(%arg0, %[[U]] {{.*}}) bias(%arg1 {{.*}}) residual(%arg2 {{.*}}) {{.*}} {ppe = #VPU.PPE<mode = RELU>} ->
func.func @large_tiles(%x: tensor<1x4x58x58x16xf32>, %b: tensor<4x16xf32>, %r: tensor<1x4x56x56x16xf32>) -> tensor<1x4x56x56x16xf32> {
  %m_w = arith.constant dense<0.5> : tensor<64x64x3x3xf32>
  %w = VPU.PackWeights %m_w {form = #VPU.weights<DENSE>} : tensor<64x64x3x3xf32> -> tensor<4x4x3x3x16x16xf32>
  %e = tensor.empty() : tensor<1x4x56x56x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x4x58x58x16xf32>, tensor<4x4x3x3x16x16xf32>) bias(%b : tensor<4x16xf32>) residual(%r : tensor<1x4x56x56x16xf32>) outs(%e : tensor<1x4x56x56x16xf32>) {VPU.strategy = #VPU.strategy<algorithm = winograd, winogradTile = 4>, ppe = #VPU.PPE<mode = RELU>} -> tensor<1x4x56x56x16xf32>
  return %0 : tensor<1x4x56x56x16xf32>
}

// -----

// CHECK-LABEL: @small_tiles
// CHECK: %[[U:.*]] = arith.constant dense_resource<packed{{.*}}> : tensor<16x4x4x16x16xf32>
// CHECK: VPU.NCE.WinogradConvolution ins(%arg0, %[[U]] {{.*}} {tileSize = 2 : i64}
func.func @small_tiles(%x: tensor<1x4x4x4x16xf32>) -> tensor<1x4x2x2x16xf32> {
  %m_w = arith.constant dense<0.5> : tensor<64x64x3x3xf32>
  %w = VPU.PackWeights %m_w {form = #VPU.weights<DENSE>} : tensor<64x64x3x3xf32> -> tensor<4x4x3x3x16x16xf32>
  %e = tensor.empty() : tensor<1x4x2x2x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x4x4x4x16xf32>, tensor<4x4x3x3x16x16xf32>) outs(%e : tensor<1x4x2x2x16xf32>) {VPU.strategy = #VPU.strategy<algorithm = winograd, winogradTile = 2>} -> tensor<1x4x2x2x16xf32>
  return %0 : tensor<1x4x2x2x16xf32>
}

// -----

// Where the machine multiplies pairs, transformed weights are rounded and
// packed in pairs; elsewhere rounding them would save nothing.
// CHECK-LABEL: @packs_stay_packs
// CHECK: VPU.NCE.WinogradConvolution ins(%arg0, %{{.*}} : tensor<1x4x58x58x16xbf16>, tensor<36x4x4x8x16x2xbf16>)
func.func @packs_stay_packs(%x: tensor<1x4x58x58x16xbf16>) -> tensor<1x4x56x56x16xbf16> {
  %m_w = arith.constant dense<0.5> : tensor<64x64x3x3xbf16>
  %w = VPU.PackWeights %m_w {form = #VPU.weights<DENSE>} : tensor<64x64x3x3xbf16> -> tensor<4x4x3x3x8x16x2xbf16>
  %e = tensor.empty() : tensor<1x4x56x56x16xbf16>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x4x58x58x16xbf16>, tensor<4x4x3x3x8x16x2xbf16>) outs(%e : tensor<1x4x56x56x16xbf16>) {VPU.strategy = #VPU.strategy<algorithm = winograd, winogradTile = 4>} -> tensor<1x4x56x56x16xbf16>
  return %0 : tensor<1x4x56x56x16xbf16>
}

// -----

// CHECK-LABEL: @single_bfloat16_is_transformed_in_f32
// CHECK: VPU.NCE.WinogradConvolution ins(%arg0, %{{.*}} : tensor<1x4x58x58x16xbf16>, tensor<36x4x4x16x16xf32>)
func.func @single_bfloat16_is_transformed_in_f32(%x: tensor<1x4x58x58x16xbf16>) -> tensor<1x4x56x56x16xbf16> {
  %m_w = arith.constant dense<0.5> : tensor<64x64x3x3xbf16>
  %w = VPU.PackWeights %m_w {form = #VPU.weights<DENSE>} : tensor<64x64x3x3xbf16> -> tensor<4x4x3x3x16x16xbf16>
  %e = tensor.empty() : tensor<1x4x56x56x16xbf16>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x4x58x58x16xbf16>, tensor<4x4x3x3x16x16xbf16>) outs(%e : tensor<1x4x56x56x16xbf16>) {VPU.strategy = #VPU.strategy<algorithm = winograd, winogradTile = 4>} -> tensor<1x4x56x56x16xbf16>
  return %0 : tensor<1x4x56x56x16xbf16>
}

// -----

// CHECK-LABEL: @unknown_size
// CHECK: VPU.NCE.WinogradConvolution ins(%arg0, %{{.*}} : tensor<1x4x?x?x16xf32>, tensor<36x4x4x16x16xf32>)
func.func @unknown_size(%x: tensor<1x4x?x?x16xf32>, %h: index, %w: index) -> tensor<1x4x?x?x16xf32> {
  %m_u = arith.constant dense<0.5> : tensor<64x64x3x3xf32>
  %u = VPU.PackWeights %m_u {form = #VPU.weights<DENSE>} : tensor<64x64x3x3xf32> -> tensor<4x4x3x3x16x16xf32>
  %rows = affine.apply affine_map<(d0) -> (d0 ceildiv 4)>(%h)
  %columns = affine.apply affine_map<(d0) -> (d0 ceildiv 4)>(%w)
  %e = tensor.empty(%rows, %columns) : tensor<1x4x?x?x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %u : tensor<1x4x?x?x16xf32>, tensor<4x4x3x3x16x16xf32>) outs(%e : tensor<1x4x?x?x16xf32>) {VPU.strategy = #VPU.strategy<algorithm = winograd, winogradTile = 4>} -> tensor<1x4x?x?x16xf32>
  return %0 : tensor<1x4x?x?x16xf32>
}

// -----

// A decision for the direct algorithm is done with, too.
// CHECK-LABEL: @direct_convolution_stays
// CHECK-NOT: VPU.strategy
// CHECK: VPU.NCE.Convolution
func.func @direct_convolution_stays(%x: tensor<1x4x4x4x16xf32>) -> tensor<1x4x2x2x16xf32> {
  %m_w = arith.constant dense<0.5> : tensor<64x64x3x3xf32>
  %w = VPU.PackWeights %m_w {form = #VPU.weights<DENSE>} : tensor<64x64x3x3xf32> -> tensor<4x4x3x3x16x16xf32>
  %e = tensor.empty() : tensor<1x4x2x2x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x4x4x4x16xf32>, tensor<4x4x3x3x16x16xf32>) outs(%e : tensor<1x4x2x2x16xf32>) {VPU.strategy = #VPU.strategy<algorithm = direct>} -> tensor<1x4x2x2x16xf32>
  return %0 : tensor<1x4x2x2x16xf32>
}

// -----

// What is decided about loops is left to be applied.
// CHECK-LABEL: @loops_are_left
// CHECK: VPU.NCE.WinogradConvolution {{.*}} {VPU.strategy = #VPU.strategy<tiles = [1, 2, 1, 1, 1]>, tileSize = 2 : i64}
func.func @loops_are_left(%x: tensor<1x4x4x4x16xf32>) -> tensor<1x4x2x2x16xf32> {
  %m_w = arith.constant dense<0.5> : tensor<64x64x3x3xf32>
  %w = VPU.PackWeights %m_w {form = #VPU.weights<DENSE>} : tensor<64x64x3x3xf32> -> tensor<4x4x3x3x16x16xf32>
  %e = tensor.empty() : tensor<1x4x2x2x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x4x4x4x16xf32>, tensor<4x4x3x3x16x16xf32>) outs(%e : tensor<1x4x2x2x16xf32>) {VPU.strategy = #VPU.strategy<algorithm = winograd, winogradTile = 2, tiles = [1, 2, 1, 1, 1]>} -> tensor<1x4x2x2x16xf32>
  return %0 : tensor<1x4x2x2x16xf32>
}

// -----

// So is what says nothing about an algorithm.
// CHECK-LABEL: @undecided_convolution_stays
// CHECK: VPU.NCE.Convolution {{.*}} {VPU.strategy = #VPU.strategy<>}
func.func @undecided_convolution_stays(%x: tensor<1x4x4x4x16xf32>) -> tensor<1x4x2x2x16xf32> {
  %m_w = arith.constant dense<0.5> : tensor<64x64x3x3xf32>
  %w = VPU.PackWeights %m_w {form = #VPU.weights<DENSE>} : tensor<64x64x3x3xf32> -> tensor<4x4x3x3x16x16xf32>
  %e = tensor.empty() : tensor<1x4x2x2x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x4x4x4x16xf32>, tensor<4x4x3x3x16x16xf32>) outs(%e : tensor<1x4x2x2x16xf32>) {VPU.strategy = #VPU.strategy<>} -> tensor<1x4x2x2x16xf32>
  return %0 : tensor<1x4x2x2x16xf32>
}

// -----

// Each algorithm has weights of its own, and nothing is left to be packed.
// CHECK-LABEL: @weights_of_several_algorithms
// CHECK-NOT: VPU.PackWeights
// CHECK-DAG: VPU.NCE.WinogradConvolution ins(%arg0, %{{.*}} : {{.*}}, tensor<36x4x4x16x16xf32>)
// CHECK-DAG: VPU.NCE.WinogradConvolution ins(%arg1, %{{.*}} : {{.*}}, tensor<16x4x4x16x16xf32>)
// CHECK-DAG: VPU.NCE.Convolution ins(%arg1, %{{.*}} : {{.*}}, tensor<4x4x3x3x16x16xf32>)
// CHECK: return
func.func @weights_of_several_algorithms(%x: tensor<1x4x58x58x16xf32>, %y: tensor<1x4x4x4x16xf32>) -> (tensor<1x4x56x56x16xf32>, tensor<1x4x2x2x16xf32>, tensor<1x4x2x2x16xf32>) {
  %m_w = arith.constant dense<0.5> : tensor<64x64x3x3xf32>
  %w = VPU.PackWeights %m_w {form = #VPU.weights<DENSE>} : tensor<64x64x3x3xf32> -> tensor<4x4x3x3x16x16xf32>
  %e = tensor.empty() : tensor<1x4x56x56x16xf32>
  %f = tensor.empty() : tensor<1x4x2x2x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x4x58x58x16xf32>, tensor<4x4x3x3x16x16xf32>) outs(%e : tensor<1x4x56x56x16xf32>) {VPU.strategy = #VPU.strategy<algorithm = winograd, winogradTile = 4>} -> tensor<1x4x56x56x16xf32>
  %1 = VPU.NCE.Convolution ins(%y, %w : tensor<1x4x4x4x16xf32>, tensor<4x4x3x3x16x16xf32>) outs(%f : tensor<1x4x2x2x16xf32>) {VPU.strategy = #VPU.strategy<algorithm = winograd, winogradTile = 2>} -> tensor<1x4x2x2x16xf32>
  %2 = VPU.NCE.Convolution ins(%y, %w : tensor<1x4x4x4x16xf32>, tensor<4x4x3x3x16x16xf32>) outs(%f : tensor<1x4x2x2x16xf32>) {VPU.strategy = #VPU.strategy<algorithm = direct>} -> tensor<1x4x2x2x16xf32>
  return %0, %1, %2 : tensor<1x4x56x56x16xf32>, tensor<1x4x2x2x16xf32>, tensor<1x4x2x2x16xf32>
}
