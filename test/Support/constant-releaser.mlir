// RUN: nacre-opt %s -ie-fuse-scale-shift=release-constants | FileCheck %s --check-prefixes=CHECK,SCALE
// RUN: nacre-opt %s -init-compiler=vpu-arch=x86-64-v4 -convert-ie-to-vpu=release-constants -vpu-pack-weights=release-constants | FileCheck %s --check-prefixes=CHECK,PACK
// RUN: nacre-opt %s -init-compiler=vpu-arch=x86-64-v4 -convert-ie-to-vpu=release-constants \
// RUN:   -vpu-choose-strategies=decide=algorithms -vpu-apply-winograd=release-constants \
// RUN:   -vpu-pack-weights=release-constants | FileCheck %s --check-prefixes=CHECK,WINOGRAD

// Weights that are used elsewhere, too, outlive those that a pass replaces. That
// the rest is freed shows in the memory of whole compilations, which
// check_code.py measures.
// CHECK-LABEL: func @main
// SCALE: IE.Conv(%arg0, %{{.*}}, %{{.*}})
// SCALE-NOT: IE.Mul
// PACK: VPU.NCE.Convolution
// PACK: VPU.NCE.Convolution
// WINOGRAD: VPU.NCE.Convolution
// WINOGRAD: VPU.NCE.WinogradConvolution
// CHECK: dialect_resources
// What was transformed is packed by now.
// WINOGRAD-NOT: winograd:
// CHECK-DAG: shared: "0x040000000000803F"
// PACK-DAG: packed: "0x{{.+}}"
// WINOGRAD-DAG: packed: "0x{{.+}}"
func.func @main(%x: tensor<1x1x4x4xf32>, %y: tensor<1x64x56x56xf32>) -> (tensor<1x1x4x4xf32>, tensor<1x64x56x56xf32>) {
  %shared = IE.Constant dense_resource<shared> : tensor<1x1x1x1xf32>
  %0 = IE.Conv(%x, %shared) : (tensor<1x1x4x4xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x4x4xf32>
  %two = IE.Constant dense<2.0> : tensor<f32>
  %1 = IE.Mul %0, %two : tensor<1x1x4x4xf32>, tensor<f32> -> tensor<1x1x4x4xf32>
  %again = IE.Constant dense_resource<shared> : tensor<1x1x1x1xf32>
  %2 = IE.Pow %1, %again : tensor<1x1x4x4xf32>, tensor<1x1x1x1xf32> -> tensor<1x1x4x4xf32>
  %w = IE.Constant dense<0.5> : tensor<64x64x3x3xf32>
  %3 = IE.Conv(%y, %w) {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x64x56x56xf32>, tensor<64x64x3x3xf32>) -> tensor<1x64x56x56xf32>
  return %2, %3 : tensor<1x1x4x4xf32>, tensor<1x64x56x56xf32>
}

{-#
  dialect_resources: {
    builtin: {
      shared: "0x040000000000803F"
    }
  }
#-}
