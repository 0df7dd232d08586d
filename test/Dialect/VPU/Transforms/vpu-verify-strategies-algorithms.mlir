// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-verify-strategies=decided=algorithms --split-input-file --verify-diagnostics
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-apply-winograd --split-input-file --verify-diagnostics
// RUN: not nacre-opt %s --init-compiler="vpu-arch=NPU37XX" --vpu-verify-strategies=decided=algorithms --split-input-file 2>&1 | FileCheck %s --check-prefix=NPU

// NPU: error: {{.*}}expected algorithm = direct: Winograd's needs an engine that has it
func.func @good(%x: tensor<1x4x4x4x16xf32>) -> tensor<1x4x2x2x16xf32> {
  %m_w = arith.constant dense<0.5> : tensor<64x64x3x3xf32>
  %w = VPU.PackWeights %m_w {form = #VPU.weights<DENSE>} : tensor<64x64x3x3xf32> -> tensor<4x4x3x3x16x16xf32>
  %e = tensor.empty() : tensor<1x4x2x2x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x4x4x4x16xf32>, tensor<4x4x3x3x16x16xf32>) outs(%e : tensor<1x4x2x2x16xf32>) {VPU.strategy = #VPU.strategy<algorithm = winograd, winogradTile = 4>} -> tensor<1x4x2x2x16xf32>
  return %0 : tensor<1x4x2x2x16xf32>
}

// -----

func.func @strided(%x: tensor<1x4x113x113x16xf32>) -> tensor<1x4x56x56x16xf32> {
  %m_w = arith.constant dense<0.5> : tensor<64x64x3x3xf32>
  %w = VPU.PackWeights %m_w {form = #VPU.weights<DENSE>} : tensor<64x64x3x3xf32> -> tensor<4x4x3x3x16x16xf32>
  %e = tensor.empty() : tensor<1x4x56x56x16xf32>
  // expected-error@+1 {{expected algorithm = direct: Winograd's needs a dense 3x3 kernel of stride and dilation 1}}
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x4x113x113x16xf32>, tensor<4x4x3x3x16x16xf32>) outs(%e : tensor<1x4x56x56x16xf32>) {VPU.strategy = #VPU.strategy<algorithm = winograd, winogradTile = 4>, strides = array<i64: 2, 2>} -> tensor<1x4x56x56x16xf32>
  return %0 : tensor<1x4x56x56x16xf32>
}

// -----

func.func @computed_weights(%x: tensor<1x4x58x58x16xf32>, %w: tensor<4x4x3x3x16x16xf32>) -> tensor<1x4x56x56x16xf32> {
  %e = tensor.empty() : tensor<1x4x56x56x16xf32>
  // expected-error@+1 {{expected algorithm = direct: Winograd's needs constant weights that are yet to be packed}}
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x4x58x58x16xf32>, tensor<4x4x3x3x16x16xf32>) outs(%e : tensor<1x4x56x56x16xf32>) {VPU.strategy = #VPU.strategy<algorithm = winograd, winogradTile = 4>} -> tensor<1x4x56x56x16xf32>
  return %0 : tensor<1x4x56x56x16xf32>
}

// -----

func.func @packed_weights(%x: tensor<1x4x58x58x16xf32>) -> tensor<1x4x56x56x16xf32> {
  %w = arith.constant dense<0.5> : tensor<4x4x3x3x16x16xf32>
  %e = tensor.empty() : tensor<1x4x56x56x16xf32>
  // expected-error@+1 {{expected algorithm = direct: Winograd's needs constant weights that are yet to be packed}}
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x4x58x58x16xf32>, tensor<4x4x3x3x16x16xf32>) outs(%e : tensor<1x4x56x56x16xf32>) {VPU.strategy = #VPU.strategy<algorithm = winograd, winogradTile = 4>} -> tensor<1x4x56x56x16xf32>
  return %0 : tensor<1x4x56x56x16xf32>
}

// -----

func.func @doubles(%x: tensor<1x4x58x58x8xf64>, %init: tensor<1x4x56x56x8xf64>) -> tensor<1x4x56x56x8xf64> {
  %m_w = arith.constant dense<0.1> : tensor<32x32x3x3xf64>
  %w = VPU.PackWeights %m_w {form = #VPU.weights<DENSE>} : tensor<32x32x3x3xf64> -> tensor<4x4x3x3x8x8xf64>
  // expected-error@+1 {{expected algorithm = direct: Winograd's needs tensors of f32 or bf16}}
  %y = VPU.NCE.Convolution ins(%x, %w : tensor<1x4x58x58x8xf64>, tensor<4x4x3x3x8x8xf64>) outs(%init : tensor<1x4x56x56x8xf64>) {VPU.strategy = #VPU.strategy<algorithm = winograd, winogradTile = 4>} -> tensor<1x4x56x56x8xf64>
  return %y : tensor<1x4x56x56x8xf64>
}

// -----

func.func @blocks_of_half_vectors(%x: tensor<1x8x58x58x8xf32>) -> tensor<1x8x56x56x8xf32> {
  %m_w = arith.constant dense<0.5> : tensor<64x64x3x3xf32>
  %w = VPU.PackWeights %m_w {form = #VPU.weights<DENSE>} : tensor<64x64x3x3xf32> -> tensor<8x8x3x3x8x8xf32>
  %e = tensor.empty() : tensor<1x8x56x56x8xf32>
  // expected-error@+1 {{expected algorithm = direct: Winograd's needs blocks of one vector}}
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x8x58x58x8xf32>, tensor<8x8x3x3x8x8xf32>) outs(%e : tensor<1x8x56x56x8xf32>) {VPU.strategy = #VPU.strategy<algorithm = winograd, winogradTile = 4>} -> tensor<1x8x56x56x8xf32>
  return %0 : tensor<1x8x56x56x8xf32>
}

// -----

func.func @chunk_before_algorithms(%x: tensor<1x1x9x9x16xf32>, %w: tensor<1x1x1x1x16x16xf32>) -> tensor<1x1x9x9x16xf32> {
  %e = tensor.empty() : tensor<1x1x9x9x16xf32>
  // expected-error@+1 {{expected no chunk: it is chosen on buffers}}
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x1x9x9x16xf32>, tensor<1x1x1x1x16x16xf32>) outs(%e : tensor<1x1x9x9x16xf32>) {VPU.strategy = #VPU.strategy<chunk = [4]>} -> tensor<1x1x9x9x16xf32>
  return %0 : tensor<1x1x9x9x16xf32>
}
