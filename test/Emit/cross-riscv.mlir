// A descriptor is all that another machine needs, weights included.

// REQUIRES: qemu-riscv64

// RUN: rm -rf %t && mkdir %t
// RUN: nacre compile %s --vpu-arch=%S/Inputs/riscv64.json -o %t/net.a
// RUN: clang --target=riscv64-linux-gnu -march=rv64gc -mabi=lp64d -O1 -fuse-ld=lld -ffreestanding -nostdlib -static -I%t %S/Inputs/call-freestanding.c %t/net.a -o %t/archive
// RUN: qemu-riscv64 %t/archive
// RUN: nacre compile %s --vpu-arch=%S/Inputs/riscv64.json -o %t/net.o
// RUN: clang --target=riscv64-linux-gnu -march=rv64gc -mabi=lp64d -O1 -fuse-ld=lld -ffreestanding -nostdlib -static -I%t %S/Inputs/call-freestanding.c %t/net.o -o %t/object
// RUN: qemu-riscv64 %t/object

func.func @main(%x: tensor<1x16x8x8xf32> {nacre.name = "x"}) -> (tensor<1x32x8x8xf32> {nacre.name = "y"}) {
  %w = IE.Constant dense<0.5> : tensor<32x16x1x1xf32>
  %0 = IE.Conv(%x, %w) : (tensor<1x16x8x8xf32>, tensor<32x16x1x1xf32>) -> tensor<1x32x8x8xf32>
  return %0 : tensor<1x32x8x8xf32>
}
