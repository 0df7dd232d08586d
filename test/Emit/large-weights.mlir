// Programs reach weights wherever linkers place them: here 8 GB behind the code,
// as with more than 2 GB of them.

// REQUIRES: x86-64-v3

// RUN: rm -rf %t && mkdir %t
// RUN: echo "SECTIONS { .lrodata 0x200000000 : { *(.lrodata .lrodata.*) } } INSERT AFTER .bss;" > %t/far.ld
// RUN: nacre compile %s --vpu-arch=x86-64-v3 --name=net -o %t/net.a
// RUN: clang -fuse-ld=lld -no-pie -I%t %S/Inputs/call-far.c %t/net.a -lm %t/far.ld -o %t/archive
// RUN: %t/archive | FileCheck %s
// RUN: llvm-readelf --sections %t/archive | FileCheck %s --check-prefix=FAR
// FAR: .lrodata PROGBITS 0000000200000000
// RUN: nacre compile %s --vpu-arch=x86-64-v3 --name=net -o %t/net.o
// RUN: clang -fuse-ld=lld -no-pie -I%t %S/Inputs/call-far.c %t/net.o -lm %t/far.ld -o %t/object
// RUN: %t/object | FileCheck %s
// CHECK: 0 8

func.func @main(%x: tensor<1x16x8x8xf32> {nacre.name = "x"}) -> (tensor<1x32x8x8xf32> {nacre.name = "y"}) {
  %w = IE.Constant dense<0.5> : tensor<32x16x1x1xf32>
  %0 = IE.Conv(%x, %w) : (tensor<1x16x8x8xf32>, tensor<32x16x1x1xf32>) -> tensor<1x32x8x8xf32>
  return %0 : tensor<1x32x8x8xf32>
}
