// Threads come with the first step that they share, none but one's own in a
// process that another one forks, and end with the library. Results do not
// depend on them.

// RUN: rm -rf %t && mkdir %t
// RUN: nacre compile %s --threads=4 -o %t/threads.so
// RUN: clang -std=gnu11 -Wall -Wextra -Werror -I%t %S/Inputs/call-threads.c -o %t/call
// RUN: env NACRE_THREADS=4 %t/call %t/threads.so | FileCheck %s --check-prefixes=CHECK,FOUR
// RUN: env NACRE_THREADS=1 %t/call %t/threads.so | FileCheck %s --check-prefixes=CHECK,ONE
// RUN: env NACRE_THREADS=100 %t/call %t/threads.so | FileCheck %s --check-prefixes=CHECK,FOUR

// Nothing else is needed.
// RUN: llvm-readelf -d %t/threads.so | FileCheck %s --check-prefix=NEEDED
// NEEDED-NOT: libomp
// NEEDED: NEEDED{{.*}}libc.so.6
// NEEDED-NOT: libomp

// FOUR: here: 0 differ, 4 threads
// ONE: here: 0 differ, 1 threads
// FOUR-NEXT: in a fork: 0 differ, 4 threads
// ONE-NEXT: in a fork: 0 differ, 1 threads
// CHECK-NEXT: the fork ended with 0
// FOUR-NEXT: here again: 0 differ, 4 threads
// ONE-NEXT: here again: 0 differ, 1 threads
// CHECK-NEXT: without the library: 1 threads

// An emulator has threads of its own.
// EMULATED: here: 0 differ
// EMULATED-NEXT: in a fork: 0 differ
// EMULATED-NEXT: the fork ended with 0
// EMULATED-NEXT: here again: 0 differ

// RUN: FileCheck %s --check-prefix=HEADER --input-file=%t/threads.h
// HEADER: Runs on up to 4 threads, and on no more than the process has cores or than
// HEADER-NEXT: NACRE_THREADS says when it first runs.

func.func @main(%x: tensor<256x256xf32> {nacre.name = "x"}) -> (tensor<256x256xf32> {nacre.name = "y"}) {
  %0 = IE.MatMul(%x, %x) : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %1 = "IE.Relu"(%0) : (tensor<256x256xf32>) -> tensor<256x256xf32>
  %y = IE.MatMul(%1, %x) : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  return %y : tensor<256x256xf32>
}
