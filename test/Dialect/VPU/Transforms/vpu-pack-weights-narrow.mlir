// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-pack-weights | FileCheck %s
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64 threads=1" --vpu-pack-weights | FileCheck %s --check-prefix=OLD
// RUN: nacre-opt %s --init-compiler="vpu-arch=NPU37XX" --vpu-pack-weights | FileCheck %s --check-prefix=NPU

// The bits of 0.5, -2, the largest f16 number and the smallest one.
// CHECK-LABEL: @product_of_halves_reads_16_bits
// CHECK: VPU.NCE.MatMul ins(%{{.*}} : tensor<1x4x2xf32>, tensor<1x1x2x2xf16>)
// An architecture that cannot extend f16 keeps f32, as 65504 has more digits than bf16.
// OLD-LABEL: @product_of_halves_reads_16_bits
// OLD: VPU.NCE.MatMul ins(%{{.*}} : tensor<1x4x2xf32>, tensor<1x1x2x2xf32>)
// NPU-LABEL: @product_of_halves_reads_16_bits
// NPU: VPU.NCE.MatMul ins(%{{.*}} : tensor<1x4x2xf32>, tensor<1x1x2x2xf32>)
func.func @product_of_halves_reads_16_bits(%x: tensor<1x4x2xf32>) -> tensor<1x4x2xf32> {
  %w = arith.constant dense_resource<halves> : tensor<1x1x2x2xf32>
  %e = tensor.empty() : tensor<1x4x2xf32>
  %0 = VPU.NCE.MatMul ins(%x, %w : tensor<1x4x2xf32>, tensor<1x1x2x2xf32>) outs(%e : tensor<1x4x2xf32>) -> tensor<1x4x2xf32>
  return %0 : tensor<1x4x2xf32>
}

// So are the scales of weights of few bits.
// CHECK-LABEL: @product_of_few_bits_reads_scales_of_16_bits
// CHECK: VPU.NCE.MatMulNBits {{.*}} scale(%{{.*}} : tensor<1x1x4xf16>)
// OLD-LABEL: @product_of_few_bits_reads_scales_of_16_bits
// OLD: VPU.NCE.MatMulNBits {{.*}} scale(%{{.*}} : tensor<1x1x4xf32>)
func.func @product_of_few_bits_reads_scales_of_16_bits(%x: tensor<1x4x8xf32>, %w: tensor<1x1x1x4xi32>) -> tensor<1x4x4xf32> {
  %s = arith.constant dense_resource<scales> : tensor<1x1x4xf32>
  %e = tensor.empty() : tensor<1x4x4xf32>
  %0 = VPU.NCE.MatMulNBits ins(%x, %w : tensor<1x4x8xf32>, tensor<1x1x1x4xi32>) scale(%s : tensor<1x1x4xf32>) outs(%e : tensor<1x4x4xf32>) {bits = 4 : i64} -> tensor<1x4x4xf32>
  return %0 : tensor<1x4x4xf32>
}

// 1e30, which f16 has not, is 0x7149F2CA in f32: the upper 16 bits alone are a number of bf16.
// CHECK-LABEL: @convolution_of_bfloat16_reads_16_bits
// CHECK: VPU.NCE.Convolution ins(%{{.*}} : tensor<1x1x1x4x1xf32>, tensor<1x1x1x1x1x1xbf16>)
// OLD-LABEL: @convolution_of_bfloat16_reads_16_bits
// OLD: VPU.NCE.Convolution ins(%{{.*}} : tensor<1x1x1x4x1xf32>, tensor<1x1x1x1x1x1xbf16>)
func.func @convolution_of_bfloat16_reads_16_bits(%x: tensor<1x1x1x4x1xf32>) -> tensor<1x1x1x4x1xf32> {
  %w = arith.constant dense_resource<brain> : tensor<1x1x1x1x1x1xf32>
  %e = tensor.empty() : tensor<1x1x1x4x1xf32>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x1x1x4x1xf32>, tensor<1x1x1x1x1x1xf32>) outs(%e : tensor<1x1x1x4x1xf32>) -> tensor<1x1x1x4x1xf32>
  return %0 : tensor<1x1x1x4x1xf32>
}

// CHECK-LABEL: @weights_of_more_digits_stay
// CHECK: VPU.NCE.MatMul ins(%{{.*}} : tensor<1x4x2xf32>, tensor<1x1x2x2xf32>)
func.func @weights_of_more_digits_stay(%x: tensor<1x4x2xf32>) -> tensor<1x4x2xf32> {
  %w = arith.constant dense_resource<tenths> : tensor<1x1x2x2xf32>
  %e = tensor.empty() : tensor<1x4x2xf32>
  %0 = VPU.NCE.MatMul ins(%x, %w : tensor<1x4x2xf32>, tensor<1x1x2x2xf32>) outs(%e : tensor<1x4x2xf32>) -> tensor<1x4x2xf32>
  return %0 : tensor<1x4x2xf32>
}

// CHECK-LABEL: @constant_that_others_read_stays
// CHECK: VPU.NCE.MatMul ins(%{{.*}} : tensor<1x4x2xf32>, tensor<1x1x2x2xf32>)
func.func @constant_that_others_read_stays(%x: tensor<1x4x2xf32>) -> (tensor<1x4x2xf32>, tensor<1x1x2x2xf32>) {
  %w = arith.constant dense_resource<shared> : tensor<1x1x2x2xf32>
  %e = tensor.empty() : tensor<1x4x2xf32>
  %0 = VPU.NCE.MatMul ins(%x, %w : tensor<1x4x2xf32>, tensor<1x1x2x2xf32>) outs(%e : tensor<1x4x2xf32>) -> tensor<1x4x2xf32>
  return %0, %w : tensor<1x4x2xf32>, tensor<1x1x2x2xf32>
}

// Weights are packed in the type that they are narrowed to. Whatever else reads
// them keeps the wide form.
// CHECK-LABEL: @weights_to_be_packed_are_packed_in_16_bits
// CHECK: %[[WIDE:.*]] = arith.constant dense_resource<halves> : tensor<1x2x2xf32>
// CHECK: %[[NARROW:.*]] = arith.constant {{.*}} : tensor<1x1x2x2xf16>
// CHECK: VPU.NCE.MatMul ins(%{{.*}}, %[[NARROW]] : tensor<1x4x2xf32>, tensor<1x1x2x2xf16>)
// CHECK: return %{{.*}}, %[[WIDE]]
// NPU-LABEL: @weights_to_be_packed_are_packed_in_16_bits
// NPU: arith.constant {{.*}} : tensor<1x1x2x2xf32>
func.func @weights_to_be_packed_are_packed_in_16_bits(%x: tensor<1x4x2xf32>) -> (tensor<1x4x2xf32>, tensor<1x2x2xf32>) {
  %m = arith.constant dense_resource<halves> : tensor<1x2x2xf32>
  %w = VPU.PackWeights %m {form = #VPU.weights<PANELS>} : tensor<1x2x2xf32> -> tensor<1x1x2x2xf32>
  %e = tensor.empty() : tensor<1x4x2xf32>
  %0 = VPU.NCE.MatMul ins(%x, %w : tensor<1x4x2xf32>, tensor<1x1x2x2xf32>) outs(%e : tensor<1x4x2xf32>) -> tensor<1x4x2xf32>
  return %0, %m : tensor<1x4x2xf32>, tensor<1x2x2xf32>
}

// Only kernels of activations in f32 extend weights.
// CHECK-LABEL: @other_packed_weights_keep_their_type
// CHECK: arith.constant {{.*}} : tensor<1x1x2x2xf32>
func.func @other_packed_weights_keep_their_type(%x: tensor<1x4x2xbf16>) -> tensor<1x4x2xf32> {
  %m = arith.constant dense_resource<halves> : tensor<1x2x2xf32>
  %w = VPU.PackWeights %m {form = #VPU.weights<PANELS>} : tensor<1x2x2xf32> -> tensor<1x1x2x2xf32>
  %e = tensor.empty() : tensor<1x4x2xf32>
  %0 = VPU.NCE.MatMul ins(%x, %w : tensor<1x4x2xbf16>, tensor<1x1x2x2xf32>) outs(%e : tensor<1x4x2xf32>) -> tensor<1x4x2xf32>
  return %0 : tensor<1x4x2xf32>
}

// Weights that will be transformed stay as the model has them.
// CHECK-LABEL: @weights_of_winograd
// CHECK: %[[W:.*]] = arith.constant dense<5.000000e-01> : tensor<64x64x3x3xf32>
// CHECK: VPU.PackWeights %[[W]]
func.func @weights_of_winograd(%x: tensor<1x4x58x58x16xf32>) -> tensor<1x4x56x56x16xf32> {
  %m_w = arith.constant dense<0.5> : tensor<64x64x3x3xf32>
  %w = VPU.PackWeights %m_w {form = #VPU.weights<DENSE>} : tensor<64x64x3x3xf32> -> tensor<4x4x3x3x16x16xf32>
  %e = tensor.empty() : tensor<1x4x56x56x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x4x58x58x16xf32>, tensor<4x4x3x3x16x16xf32>) outs(%e : tensor<1x4x56x56x16xf32>) {VPU.strategy = #VPU.strategy<algorithm = winograd, winogradTile = 4>} -> tensor<1x4x56x56x16xf32>
  return %0 : tensor<1x4x56x56x16xf32>
}

// 0.5, -2, 65504, 2^-24 in f32, little-endian, become 0x3800, 0xC000, 0x7BFF, 0x0001.
// CHECK: narrow{{.*}}: "0x{{[0-9A-F]+}}003800C0FF7B0100"
{-#
  dialect_resources: {
    builtin: {
      halves: "0x040000000000003F000000C000E07F4700008033",
      scales: "0x040000000000003F000000C000E07F4700008033",
      brain: "0x0400000000004971",
      tenths: "0x040000000000003FCDCCCC3D00000040000080BF",
      shared: "0x040000000000003F000000400000803F00000040"
    }
  }
#-}
