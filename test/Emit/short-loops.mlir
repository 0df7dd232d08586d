// A loop around one that became a single vector is repeated where it has few
// steps: the two rows of a block are copied without counting them.

// RUN: nacre compile %s --vpu-arch=x86-64-v3 --emit=llvm -o - | FileCheck %s
// RUN: nacre compile %s --vpu-arch=x86-64-v4 --emit=llvm -o - | FileCheck %s

// CHECK: define internal void @linalg_transpose
// CHECK-COUNT-4: load <8 x i8>
// CHECK: br i1
// CHECK-NOT: load
// CHECK: ret void
func.func @main(%x: tensor<1x64x8x8xui8> {nacre.name = "x"})
    -> (tensor<1x16x16x16xui8> {nacre.name = "y"}) {
  %0 = IE.DepthToSpace %x {blocksize = 2 : i64}
      : tensor<1x64x8x8xui8> -> tensor<1x16x16x16xui8>
  return %0 : tensor<1x16x16x16xui8>
}
