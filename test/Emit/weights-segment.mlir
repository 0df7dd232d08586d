// The weights of a library are a segment that nobody writes to, behind
// everything else, which other tools respect.

// RUN: rm -rf %t && mkdir %t
// RUN: nacre compile %s --vpu-arch=x86-64-v3 -o %t/model.so
// RUN: llvm-readelf -lSW %t/model.so | FileCheck %s
// RUN: llvm-strip %t/model.so
// RUN: nacre run %t/model.so | FileCheck %s --check-prefix=RESULT

// CHECK: .nacre.weights PROGBITS [[ADDRESS:[0-9a-f]+]] [[OFFSET:[0-9a-f]+]] 000010 00 A
// CHECK: LOAD 0x[[OFFSET]] 0x[[ADDRESS]] 0x{{[0-9a-f]+}} 0x000010 0x000010 R
// CHECK-NOT: LOAD
// RESULT: y: tensor<4xf32> [1, -2, 3, -4]
func.func @main(%x: tensor<4xf32> {nacre.name = "x"}) -> (tensor<4xf32> {nacre.name = "y"}) {
  %w = IE.Constant dense<[1.0, -2.0, 3.0, -4.0]> : tensor<4xf32>
  %zero = IE.Constant dense<0.0> : tensor<4xf32>
  %0 = IE.Mul %x, %zero : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %1 = IE.Add %0, %w : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
