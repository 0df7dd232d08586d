// `--accuracy-level` is for products of weights of few bits that do not say how
// exact they are: a model with DequantizeLinear has no place for it.

// RUN: nacre compile %s --emit=vpu --vpu-arch=x86-64-v4 --accuracy-level=4 -o %t.4.mlir && FileCheck %s --input-file=%t.4.mlir --check-prefix=BYTES
// BYTES: nacre.options = {"accuracy-level" = "4"
// BYTES: VPU.NCE.MatMulNBits {{.*}}bits = 4 : i64, rowParts = 1 : i64}

// RUN: nacre compile %s --emit=vpu --vpu-arch=x86-64-v4 --accuracy-level=3 -o %t.3.mlir && FileCheck %s --input-file=%t.3.mlir --check-prefix=HALVES
// HALVES: VPU.NCE.MatMulNBits {{.*}}bits = 4 : i64, rowParts = 2 : i64}

// RUN: nacre compile %s --emit=vpu --vpu-arch=x86-64-v4 -o %t.0.mlir && FileCheck %s --input-file=%t.0.mlir --check-prefix=FLOATS
// RUN: nacre compile %s --emit=vpu --vpu-arch=x86-64-v4 --accuracy-level=1 -o %t.1.mlir && FileCheck %s --input-file=%t.1.mlir --check-prefix=FLOATS
// FLOATS: VPU.NCE.MatMulNBits {{.*}}bits = 4 : i64}

// From VPU on the choice has been made.
// RUN: %python %S/Inputs/status.py 3 nacre compile %t.0.mlir --accuracy-level=4 --emit=asm -o %t.s 2>&1 | FileCheck %s --check-prefix=LATE
// LATE: error: the module has been lowered without --accuracy-level, found --accuracy-level=4

func.func @main(%x: tensor<4x64xf32> {nacre.name = "x"}) -> (tensor<4x16xf32> {nacre.name = "y"}) {
  %w = IE.Constant dense<3> : tensor<64x16xi4>
  %s = IE.Constant dense<0.5> : tensor<2x16xf32>
  %b = IE.Cast %w to i8 : tensor<64x16xi4> -> tensor<64x16xi8>
  %f = IE.DequantizeLinear(%b, %s) {axis = 0 : i64, block_size = 32 : i64} : (tensor<64x16xi8>, tensor<2x16xf32>) -> tensor<64x16xf32>
  %y = IE.MatMul(%x, %f) : (tensor<4x64xf32>, tensor<64x16xf32>) -> tensor<4x16xf32>
  return %y : tensor<4x16xf32>
}
