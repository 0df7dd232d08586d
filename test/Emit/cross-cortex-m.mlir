// A microcontroller has addresses of 32 bits and no operating system. Its code
// is that of other ARM machines, so that an emulator of those runs it.

// RUN: rm -rf %t && mkdir %t
// RUN: nacre compile %s --vpu-arch=%S/Inputs/cortex-m7.json -o %t/net.o
// RUN: llvm-readelf --file-header --sections --symbols --arch-specific %t/net.o | FileCheck %s
// CHECK: Class: ELF32
// CHECK: Machine: ARM
// Weights are read where they lie, without a table of addresses.
// CHECK: .rodata.net_weights
// CHECK-NOT: GLOBAL_OFFSET_TABLE
// CHECK: net_run{{$}}
// CHECK: Value: cortex-m7
// CHECK: Description: ARM v7E-M
// CHECK: Description: Microcontroller
// CHECK: TagName: ABI_VFP_args
// CHECK-NEXT: Description: AAPCS VFP

// RUN: llvm-nm --undefined-only %t/net.o | FileCheck %s --check-prefix=NEEDS --allow-empty
// NEEDS-NOT: {{[a-z]}}

// Floats are passed in integer registers where the triple says so.
// RUN: sed 's/eabihf/eabi/' %S/Inputs/cortex-m7.json > %t/soft.json
// RUN: nacre compile %s --vpu-arch=%t/soft.json -o %t/soft.o
// RUN: llvm-readelf --arch-specific %t/soft.o | FileCheck %s --check-prefix=SOFT
// SOFT-NOT: ABI_VFP_args

// A library needs somebody to load it, and threads somebody to run them.
// RUN: %python %S/../Driver/Inputs/status.py 3 nacre compile %s --vpu-arch=%S/Inputs/cortex-m7.json -o %t/net.so 2>&1 | FileCheck %s --check-prefix=SHARED
// SHARED: error: {{.*}}unsupported: a shared library for thumbv7em-unknown-none-eabihf, which has no operating system to load it; write an archive, as -o NAME.a does
// RUN: %python %S/../Driver/Inputs/status.py 3 nacre compile %s --vpu-arch=%S/Inputs/cortex-m7.json --threads=2 -o %t/two.a 2>&1 | FileCheck %s --check-prefix=THREADS
// THREADS: error: {{.*}}unsupported: several threads on thumbv7em-unknown-none-eabihf, which has no operating system; leave out --threads
// RUN: not ls %t/net.so %t/two.a

func.func @main(%x: tensor<1x16x8x8xf32> {nacre.name = "x"}) -> (tensor<1x32x8x8xf32> {nacre.name = "y"}) {
  %w = IE.Constant dense<0.5> : tensor<32x16x1x1xf32>
  %0 = IE.Conv(%x, %w) : (tensor<1x16x8x8xf32>, tensor<32x16x1x1xf32>) -> tensor<1x32x8x8xf32>
  return %0 : tensor<1x32x8x8xf32>
}
