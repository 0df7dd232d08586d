// Copies of more than the caches hold pass them by where their destination is
// aligned, and end with a call, which is for all of it where that is not. Copies
// that fit, and those of dynamic length, are calls.

// RUN: rm -rf %t && mkdir %t
// RUN: nacre compile %s --vpu-arch=znver4 -o %t/net.s && FileCheck %s --input-file=%t/net.s
// RUN: sed 's/4194304/65536/g' %s > %t/small.mlir
// RUN: nacre compile %t/small.mlir --vpu-arch=znver4 -o %t/small.s && FileCheck %s --check-prefix=CALL --input-file=%t/small.s --implicit-check-not=vmovnt
// RUN: sed 's/4194304/?/g' %s > %t/open.mlir
// RUN: nacre compile %t/open.mlir --vpu-arch=znver4 -o %t/open.s && FileCheck %s --check-prefix=CALL --input-file=%t/open.s --implicit-check-not=vmovnt
// CALL: memcpy

// CHECK: testb $63
// CHECK-COUNT-4: vmovntps %zmm
// CHECK: memcpy
// CHECK: sfence
func.func @main(%x: tensor<1x4194304xf32> {nacre.name = "x"}, %y: tensor<1x4194304xf32> {nacre.name = "y"})
    -> (tensor<2x4194304xf32> {nacre.name = "both"}) {
  %0 = IE.Concat %x, %y {axis = 0 : i64} : tensor<1x4194304xf32>, tensor<1x4194304xf32> -> tensor<2x4194304xf32>
  return %0 : tensor<2x4194304xf32>
}
