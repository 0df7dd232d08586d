// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-choose-strategies=decide=algorithms | FileCheck %s
// RUN: not nacre-opt %s --init-compiler="vpu-arch=NPU37XX" --vpu-choose-strategies=decide=algorithms 2>&1 | FileCheck %s --check-prefix=NPU

// NPU: error: {{.*}} expected algorithm = direct: Winograd's needs an engine that has it

// What a person wrote stays.
// CHECK-LABEL: @given_algorithm_stays
// CHECK: VPU.NCE.Convolution {{.*}}VPU.strategy = #VPU.strategy<algorithm = winograd, winogradTile = 2>
func.func @given_algorithm_stays(%x: tensor<1x4x58x58x16xf32>) -> tensor<1x4x56x56x16xf32> {
  %m_w = arith.constant dense<0.5> : tensor<64x64x3x3xf32>
  %w = VPU.PackWeights %m_w {form = #VPU.weights<DENSE>} : tensor<64x64x3x3xf32> -> tensor<4x4x3x3x16x16xf32>
  %e = tensor.empty() : tensor<1x4x56x56x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x4x58x58x16xf32>, tensor<4x4x3x3x16x16xf32>) outs(%e : tensor<1x4x56x56x16xf32>) {VPU.strategy = #VPU.strategy<algorithm = winograd, winogradTile = 2>} -> tensor<1x4x56x56x16xf32>
  return %0 : tensor<1x4x56x56x16xf32>
}
