// One artifact for several architectures holds code for each. The best that the
// CPU can run is picked when the code is loaded.

// RUN: rm -rf %t && mkdir %t
// RUN: nacre compile %s --vpu-arch=x86-64-v3,x86-64-v4 --emit=llvm -o %t/model.ll
// RUN: FileCheck %s --input-file=%t/model.ll --check-prefix=CODE

// The order of the command line plays no role.
// CODE: @model_metadata = {{.*}}\22architectures\22:[\22x86-64-v4\22,\22x86-64-v3\22]
// CODE-DAG: define internal {{.*}}@model_main_x86_64_v4({{.*}} [[V4:#[0-9]+]]
// CODE-DAG: define internal {{.*}}@model_main_x86_64_v3({{.*}} [[V3:#[0-9]+]]
// CODE-DAG: attributes [[V4]] = {{.*}}"target-cpu"="x86-64-v4"
// CODE-DAG: attributes [[V3]] = {{.*}}"target-cpu"="x86-64-v3"

// What is picked, on CPUs that lack one thing or another.
// RUN: sed -e 's/asm sideeffect "cpuid", "[^"]*"/@fake_cpuid/' -e 's/asm sideeffect "xgetbv", "[^"]*"/@fake_xgetbv/' -e '/^@llvm.global_ctors/d' -e 's/ hidden / /' %t/model.ll > %t/faked.ll
// RUN: echo 'declare { i32, i32, i32, i32 } @fake_cpuid(i32, i32)' >> %t/faked.ll
// RUN: echo 'declare { i32, i32 } @fake_xgetbv(i32)' >> %t/faked.ll
// RUN: clang -Wno-override-module -O1 %t/faked.ll %S/Inputs/fake-cpu.ll %S/Inputs/fake-cpu.c -o %t/faked -lm
// RUN: %t/faked | FileCheck %s --check-prefix=PICKED
// PICKED: avx512: x86-64-v4
// PICKED-NEXT: avx2: x86-64-v3
// PICKED-NEXT: avx512 not saved: x86-64-v3
// PICKED-NEXT: avx512 without cd: x86-64-v3
// PICKED-NEXT: no bmi: none
// PICKED-NEXT: no bmi: run returns 1
// PICKED-NEXT: no lzcnt: none
// PICKED-NEXT: no lzcnt: run returns 1
// PICKED-NEXT: nothing saved: none
// PICKED-NEXT: nothing saved: run returns 1
// PICKED-NEXT: no leaf 7: none
// PICKED-NEXT: no leaf 7: run returns 1

// NACRE_ARCH picks among what the CPU can run; other names are not this
// artifact's.
// RUN: env NACRE_ARCH=x86-64-v3 %t/faked | FileCheck %s --check-prefix=FORCED
// FORCED: avx512: x86-64-v3
// FORCED-NEXT: avx2: x86-64-v3
// FORCED: no bmi: none
// RUN: env NACRE_ARCH=x86-64-v4 %t/faked | FileCheck %s --check-prefix=TOO-MUCH
// TOO-MUCH: avx512: x86-64-v4
// TOO-MUCH-NEXT: avx2: none
// TOO-MUCH-NEXT: avx2: run returns 1
// RUN: env NACRE_ARCH=NPU37XX %t/faked | FileCheck %s --check-prefix=PICKED

// All forms of an artifact run. The constant that both need is stored once.
// RUN: nacre compile %s --vpu-arch=x86-64-v3,x86-64-v4 -o %t/tiny.so | FileCheck %s --check-prefix=WEIGHTS
// WEIGHTS: tiny.h: x86-64-v4, x86-64-v3, 1 thread
// WEIGHTS-SAME: weights 16 bytes
// RUN: FileCheck %s --input-file=%t/tiny.h --check-prefix=HEADER
// HEADER: a model compiled by nacre {{[0-9.]+}} for x86-64-v4, x86-64-v3.
// HEADER: NACRE_ARCH
// HEADER: const char *tiny_architecture(void);
// RUN: clang -std=c11 -Wall -Wextra -Werror -I%t %S/Inputs/call-tiny.c %t/tiny.so -Wl,-rpath,%t -o %t/shared
// RUN: %t/shared | FileCheck %s --check-prefix=RESULT
// RUN: env NACRE_ARCH=x86-64-v3 %t/shared | FileCheck %s --check-prefix=RESULT
// RUN: nacre compile %s --vpu-arch=x86-64-v3,x86-64-v4 --emit=static -o %t/tiny.a
// RUN: clang -I%t %S/Inputs/call-tiny.c %t/tiny.a -o %t/static -lm
// RUN: %t/static | FileCheck %s --check-prefix=RESULT
// RUN: nacre compile %s --vpu-arch=x86-64-v3,x86-64-v4 --emit=obj -o %t/tiny.o
// RUN: clang -I%t %S/Inputs/call-tiny.c %t/tiny.o -o %t/object -lm
// RUN: %t/object | FileCheck %s --check-prefix=RESULT
// RESULT: status 0: 1.5 0 3.5 0

// RUN: not nacre compile %s --vpu-arch=x86-64-v3,aarch64 -o %t/x.so 2>&1 | FileCheck %s --check-prefix=TRIPLES
// TRIPLES: --vpu-arch needs one architecture, or several of x86-64, found x86_64-unknown-linux-gnu and aarch64
// RUN: not nacre compile %s --vpu-arch=x86-64-v3,x86-64-v3 -o %t/x.so 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: --vpu-arch names x86-64-v3 twice
// RUN: not nacre compile %s --vpu-arch=x86-64-v3,x86-64-v4 --emit=vpu -o %t/x.mlir 2>&1 | FileCheck %s --check-prefix=LEVEL
// LEVEL: --emit=vpu shows one architecture, found 2
// RUN: not nacre bench %s --vpu-arch=x86-64-v3,x86-64-v4 --profile 2>&1 | FileCheck %s --check-prefix=PROFILE
// PROFILE: a profile shows one architecture, found 2

func.func @main(%x: tensor<1x4xf32> {nacre.name = "x"},
                %b: tensor<4xf32> {nacre.name = "b"})
    -> (tensor<1x4xf32> {nacre.name = "y"}) {
  %c = IE.Constant dense<[0.0, 0.0, 0.0, -1.0]> : tensor<4xf32>
  %0 = "IE.Add"(%x, %b) : (tensor<1x4xf32>, tensor<4xf32>) -> tensor<1x4xf32>
  %1 = "IE.Add"(%0, %c) : (tensor<1x4xf32>, tensor<4xf32>) -> tensor<1x4xf32>
  %2 = "IE.Relu"(%1) : (tensor<1x4xf32>) -> tensor<1x4xf32>
  return %2 : tensor<1x4xf32>
}
