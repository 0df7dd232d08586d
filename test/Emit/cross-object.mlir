// Objects for another machine need nothing but its descriptor.

// RUN: nacre compile %s --emit=obj --vpu-arch=aarch64 -o %t.o
// RUN: %python -c "import sys; b = open(sys.argv[1], 'rb').read(20); print(b[:4], b[18])" %t.o | FileCheck %s
// 183 is EM_AARCH64.
// CHECK: ELF' 183

// RUN: nacre compile %s --emit=asm --vpu-arch=aarch64 -o %t.s && FileCheck %s --input-file=%t.s --check-prefix=ASM
// ASM-NOT: xmm
// ASM: q0

func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = "IE.Relu"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
