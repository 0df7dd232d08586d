// A descriptor is all that another machine needs, weights included.

// REQUIRES: qemu-riscv64, qemu-riscv32

// RUN: rm -rf %t && mkdir %t
// RUN: nacre compile %s --vpu-arch=%S/Inputs/riscv64.json -o %t/net.a
// RUN: clang --target=riscv64-linux-gnu -march=rv64gc -mabi=lp64d -O1 -fuse-ld=lld -ffreestanding -nostdlib -static -I%t %S/Inputs/call-freestanding.c %t/net.a -o %t/archive
// RUN: qemu-riscv64 %t/archive
// RUN: nacre compile %s --vpu-arch=%S/Inputs/riscv64.json -o %t/net.o
// RUN: clang --target=riscv64-linux-gnu -march=rv64gc -mabi=lp64d -O1 -fuse-ld=lld -ffreestanding -nostdlib -static -I%t %S/Inputs/call-freestanding.c %t/net.o -o %t/object
// RUN: qemu-riscv64 %t/object

// So it is of 32 bits.
// RUN: sed 's/riscv64-unknown/riscv32-unknown/; s/generic-rv64/generic-rv32/' %S/Inputs/riscv64.json > %t/riscv32.json
// RUN: nacre compile %s --vpu-arch=%t/riscv32.json -o %t/net.a
// RUN: clang --target=riscv32-linux-gnu -march=rv32gc -mabi=ilp32d -O1 -fuse-ld=lld -ffreestanding -nostdlib -static -I%t %S/Inputs/call-freestanding.c %t/net.a -o %t/narrow
// RUN: qemu-riscv32 %t/narrow

// Without an operating system, no table of addresses is needed.
// RUN: sed 's/unknown-linux-gnu/unknown-elf/' %S/Inputs/riscv64.json > %t/bare.json
// RUN: nacre compile %s --vpu-arch=%t/bare.json -o %t/net.o
// RUN: llvm-readelf --relocations %t/net.o | FileCheck %s --implicit-check-not=GOT
// CHECK: net_weights
// RUN: clang --target=riscv64-unknown-elf -march=rv64gc -mabi=lp64d -O1 -fuse-ld=lld -ffreestanding -nostdlib -static -I%t %S/Inputs/call-freestanding.c %t/net.o -o %t/bare
// RUN: qemu-riscv64 %t/bare

func.func @main(%x: tensor<1x16x8x8xf32> {nacre.name = "x"}) -> (tensor<1x32x8x8xf32> {nacre.name = "y"}) {
  %w = IE.Constant dense<0.5> : tensor<32x16x1x1xf32>
  %0 = IE.Conv(%x, %w) : (tensor<1x16x8x8xf32>, tensor<32x16x1x1xf32>) -> tensor<1x32x8x8xf32>
  return %0 : tensor<1x32x8x8xf32>
}
