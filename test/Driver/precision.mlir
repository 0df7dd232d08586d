// `--precision=bf16` is a choice for machines that have it.

// RUN: nacre compile %s --emit=vpu --vpu-arch=znver4 --precision=bf16 -o %t.mlir && FileCheck %s --input-file=%t.mlir
// CHECK: VPU.NCE.MatMul ins(%{{.*}} : tensor<1x4x8xbf16>, tensor<1x1x4x16x2xbf16>) outs(%{{.*}} : tensor<1x4x16xf32>)

// RUN: nacre compile %s --emit=vpu --vpu-arch=znver4 -o %t.mlir && FileCheck %s --input-file=%t.mlir --check-prefix=F32
// F32: VPU.NCE.MatMul ins(%{{.*}} : tensor<1x4x8xf32>, tensor<1x1x8x16xf32>) outs(%{{.*}} : tensor<1x4x16xf32>)

// RUN: %python %S/Inputs/status.py 2 nacre compile %s --emit=vpu --vpu-arch=x86-64-v4 --precision=bf16 -o %t.mlir 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: error: {{.*}}the architecture x86-64-v4 does not compute in bf16: choose one with bf16 among its element_types

func.func @main(%x: tensor<4x8xf32> {nacre.name = "x"}) -> (tensor<4x16xf32> {nacre.name = "y"}) {
  %w = IE.Constant dense<0.5> : tensor<8x16xf32>
  %y = IE.MatMul(%x, %w) : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  return %y : tensor<4x16xf32>
}
