// A C program calls a compiled model: through a shared library, and linked
// statically. The driver runs the library, too.

// RUN: rm -rf %t && mkdir %t
// RUN: nacre compile %s -o %t/tiny.so
// RUN: clang -std=c11 -Wall -Wextra -Werror -I%t %S/Inputs/call-tiny.c %t/tiny.so -Wl,-rpath,%t -o %t/shared
// RUN: %t/shared | FileCheck %s
// RUN: nacre compile %s --emit=static -o %t/tiny.a
// RUN: clang -std=c11 -Wall -Wextra -Werror -I%t %S/Inputs/call-tiny.c %t/tiny.a -o %t/static
// RUN: %t/static | FileCheck %s
// RUN: nacre compile %s --emit=obj -o %t/tiny.o
// RUN: clang -std=c11 -Wall -Wextra -Werror -I%t %S/Inputs/call-tiny.c %t/tiny.o -o %t/object
// RUN: %t/object | FileCheck %s

// CHECK: status 0: 1.5 0 3.5 0
// CHECK: null inputs: 2
// CHECK: null tensor: 2
// CHECK: metadata: {"

// RUN: nacre run %t/tiny.so | FileCheck %s --check-prefix=LIBRARY
// LIBRARY: y: tensor<1x4xf32>

func.func @main(%x: tensor<1x4xf32> {nacre.name = "x"},
                %b: tensor<4xf32> {nacre.name = "b"})
    -> (tensor<1x4xf32> {nacre.name = "y"}) {
  %0 = "IE.Add"(%x, %b) : (tensor<1x4xf32>, tensor<4xf32>) -> tensor<1x4xf32>
  %1 = "IE.Relu"(%0) : (tensor<1x4xf32>) -> tensor<1x4xf32>
  return %1 : tensor<1x4xf32>
}
