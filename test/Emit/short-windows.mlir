// The loops over a small window become a block, and columns vectors, in a part
// of images of unknown sizes, too, whose addresses take many instructions.

// RUN: nacre compile %s --vpu-arch=x86-64-v3 --threads=2 --emit=llvm -o - | FileCheck %s

// CHECK: define internal void @linalg_generic(
// CHECK: load <16 x float>
// CHECK-COUNT-2: fadd <8 x float>
// CHECK: load <16 x float>
// CHECK-COUNT-2: fadd <8 x float>
func.func @main(%x: tensor<?x16x?x?xf32> {nacre.name = "x"})
    -> (tensor<?x16x?x?xf32> {nacre.name = "y"}) {
  %0 = IE.AveragePool(%x) {kernel_shape = array<i64: 2, 2>,
                           strides = array<i64: 2, 2>}
      : (tensor<?x16x?x?xf32>) -> tensor<?x16x?x?xf32>
  return %0 : tensor<?x16x?x?xf32>
}
