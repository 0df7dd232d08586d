// lld links for any machine; this machine's libraries stay out of it.

// RUN: nacre compile %s --vpu-arch=aarch64 -o %t.so
// RUN: %python -c "import sys; b = open(sys.argv[1], 'rb').read(20); print(b[:4], b[18])" %t.so | FileCheck %s
// 183 is EM_AARCH64.
// CHECK: ELF' 183

func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = "IE.Relu"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
