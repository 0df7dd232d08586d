// Two models of one prefix in one program are told apart, or refused.

// RUN: rm -rf %t && mkdir -p %t/a %t/b
// RUN: sed s/Relu/Neg/ %s > %t/other.mlir
// RUN: nacre compile %s -o %t/a/net.a
// RUN: nacre compile %t/other.mlir -o %t/b/net.a

// The linker takes neither for the other.
// RUN: echo '#include "net.h"' > %t/one.c
// RUN: echo 'int one(void) { return net_run(0, 0, 0); }' >> %t/one.c
// RUN: echo '#include "net.h"' > %t/two.c
// RUN: echo 'int one(void); int main(void) { return one() + net_run(0, 0, 0); }' >> %t/two.c
// RUN: clang -c -I%t/a %t/one.c -o %t/one.o
// RUN: clang -c -I%t/b %t/two.c -o %t/two.o
// RUN: not clang -fuse-ld=lld %t/one.o %t/two.o %t/a/net.a %t/b/net.a -o %t/program 2>&1 | FileCheck %s --check-prefix=LINK
// LINK: duplicate symbol: net_run

// Nor does the preprocessor; the same header twice is no error.
// RUN: echo '#include "a/net.h"' > %t/both.c
// RUN: echo '#include "a/net.h"' >> %t/both.c
// RUN: clang -fsyntax-only -I%t %t/both.c
// RUN: echo '#include "b/net.h"' >> %t/both.c
// RUN: not clang -fsyntax-only -I%t %t/both.c 2>&1 | FileCheck %s --check-prefix=INCLUDE
// INCLUDE: error: two models are called net: compile one of them with --name=

// With names of their own both are called.
// RUN: nacre compile %t/other.mlir --name=other -o %t/b/net.a
// RUN: sed 's/net_run/other_run/' %t/two.c > %t/three.c
// RUN: clang -c -I%t/b %t/three.c -o %t/two.o
// RUN: clang -fuse-ld=lld %t/one.o %t/two.o %t/a/net.a %t/b/net.a -o %t/program

// Libraries of one prefix, loaded for everybody, call themselves.
// RUN: nacre compile %s -o %t/a/net.so
// RUN: nacre compile %t/other.mlir --name=net -o %t/b/renamed.so.1.2
// RUN: clang %S/Inputs/two-models.c -o %t/call
// RUN: %t/call %t/a/net.so %t/b/renamed.so.1.2 | FileCheck %s --check-prefix=CALL
// CALL: 0 1

// Each has its runtime.
// RUN: sed 's/tensor<2x/tensor<?x/g' %s > %t/dynamic.mlir
// RUN: nacre compile %t/dynamic.mlir --name=net -o %t/a/dynamic.so
// RUN: nacre compile %t/dynamic.mlir --name=net -o %t/b/dynamic.so
// RUN: %t/call %t/a/dynamic.so %t/b/dynamic.so | FileCheck %s --check-prefix=ERROR
// ERROR: 3, first: 0, second: 1

func.func @main(%x: tensor<2xf32> {nacre.name = "x"}) -> (tensor<2xf32> {nacre.name = "y"}) {
  %0 = IE.Relu %x : tensor<2xf32> -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
