// A run that cannot get memory ends with an error, whichever of its threads
// asked for it, and leaves nothing behind; the next one works.

// RUN: rm -rf %t && mkdir %t
// RUN: nacre compile %s --threads=2 -o %t/without_memory.so
// RUN: clang -std=c11 -Wall -Wextra -Werror -I%t %S/Inputs/call-without-memory.c %t/without_memory.so -Wl,-rpath,%t -o %t/without_memory -pthread
// RUN: env NACRE_THREADS=2 %t/without_memory | FileCheck %s --check-prefixes=CHECK,TWO
// RUN: nacre compile %s -o %t/without_memory.so
// RUN: %t/without_memory | FileCheck %s --check-prefixes=CHECK,ONE

// CHECK: with all: status 0
// CHECK-NEXT: with less: failures, then status 0
// TWO-NEXT: in other threads: failures
// ONE-NEXT: in other threads: none
// CHECK-NOT: {{.}}

func.func @main(%x: tensor<?x2x?x16xf32> {nacre.name = "x", nacre.dims = ["b", "", "s", ""]}) -> (tensor<?x2x?x16xf32> {nacre.name = "y"}) {
  %t = IE.Transpose %x {perm = array<i64: 0, 1, 3, 2>} : tensor<?x2x?x16xf32> -> tensor<?x2x16x?xf32>
  %s = IE.MatMul(%x, %t) : (tensor<?x2x?x16xf32>, tensor<?x2x16x?xf32>) -> tensor<?x2x?x?xf32>
  %p = IE.Softmax(%s) {axis = -1 : i64} : (tensor<?x2x?x?xf32>) -> tensor<?x2x?x?xf32>
  %y = IE.MatMul(%p, %x) : (tensor<?x2x?x?xf32>, tensor<?x2x?x16xf32>) -> tensor<?x2x?x16xf32>
  return %y : tensor<?x2x?x16xf32>
}
