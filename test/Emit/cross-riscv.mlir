// A descriptor is all that another machine of 64 bits needs, weights included.

// REQUIRES: qemu-riscv64

// RUN: rm -rf %t && mkdir %t
// RUN: nacre compile %s --vpu-arch=%S/Inputs/riscv64.json -o %t/net.a
// RUN: clang --target=riscv64-linux-gnu -march=rv64gc -mabi=lp64d -O1 -fuse-ld=lld -ffreestanding -nostdlib -static -I%t %S/Inputs/call-freestanding.c %t/net.a -o %t/archive
// RUN: qemu-riscv64 %t/archive
// RUN: nacre compile %s --vpu-arch=%S/Inputs/riscv64.json -o %t/net.o
// RUN: clang --target=riscv64-linux-gnu -march=rv64gc -mabi=lp64d -O1 -fuse-ld=lld -ffreestanding -nostdlib -static -I%t %S/Inputs/call-freestanding.c %t/net.o -o %t/object
// RUN: qemu-riscv64 %t/object

// Those of 32 bits are refused by what they lack.
// RUN: sed 's/riscv64-unknown/riscv32-unknown/; s/generic-rv64/generic-rv32/' %S/Inputs/riscv64.json > %t/riscv32.json
// RUN: %python %S/../Driver/Inputs/status.py 3 nacre compile %s --vpu-arch=%t/riscv32.json -o %t/narrow.a 2>&1 | FileCheck %s
// CHECK: error: {{.*}}unsupported: machines whose addresses have 32 bits
// RUN: not ls %t/narrow.a

func.func @main(%x: tensor<1x16x8x8xf32> {nacre.name = "x"}) -> (tensor<1x32x8x8xf32> {nacre.name = "y"}) {
  %w = IE.Constant dense<0.5> : tensor<32x16x1x1xf32>
  %0 = IE.Conv(%x, %w) : (tensor<1x16x8x8xf32>, tensor<32x16x1x1xf32>) -> tensor<1x32x8x8xf32>
  return %0 : tensor<1x32x8x8xf32>
}
