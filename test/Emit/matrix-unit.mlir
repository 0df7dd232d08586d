// A process needs a permission to use tile registers. Code with matrix tiles
// asks for it when it is loaded.

// RUN: rm -rf %t && mkdir %t
// RUN: nacre compile %s --precision=bf16 --vpu-arch=znver4,sapphirerapids --emit=llvm -o %t/model.ll
// RUN: FileCheck %s --input-file=%t/model.ll --check-prefix=CODE
// CODE-DAG: call i64 asm sideeffect "syscall", "{{[^"]*}}"(i64 158, i64 4131, i64 18)
// CODE-DAG: call void @llvm.x86.ldtilecfg
// CODE-DAG: call void @llvm.x86.tdpbf16ps
// CODE-DAG: call void @llvm.x86.tilerelease

// Where it is refused, another version runs.
// RUN: sed -e 's/asm sideeffect "cpuid", "[^"]*"/@fake_cpuid/' -e 's/asm sideeffect "xgetbv", "[^"]*"/@fake_xgetbv/' -e 's/asm sideeffect "syscall", "[^"]*"/@fake_syscall/' -e '/^@llvm.global_ctors/d' -e 's/ hidden / /' %t/model.ll > %t/faked.ll
// RUN: echo 'declare { i32, i32, i32, i32 } @fake_cpuid(i32, i32)' >> %t/faked.ll
// RUN: echo 'declare { i32, i32 } @fake_xgetbv(i32)' >> %t/faked.ll
// RUN: echo 'declare i64 @fake_syscall(i64, i64, i64)' >> %t/faked.ll
// RUN: clang -Wno-override-module -O1 %t/faked.ll %S/Inputs/fake-cpu.ll %S/Inputs/fake-tiles.c -o %t/faked -lm
// RUN: %t/faked | FileCheck %s --check-prefix=PICKED
// PICKED: syscall 158 0x1023 18
// PICKED-NEXT: znver4
// PICKED-NEXT: syscall 158 0x1023 18
// PICKED-NEXT: sapphirerapids

// Code without them neither asks nor needs a CPU with a matrix unit.
// RUN: nacre compile %s --vpu-arch=sapphirerapids --emit=llvm -o %t/f32.ll
// RUN: FileCheck %s --input-file=%t/f32.ll --check-prefix=VECTORS --implicit-check-not=syscall --implicit-check-not=tilecfg
// VECTORS: define hidden void @f32_check_cpu
// The state of AVX-512 is all that the system must save.
// VECTORS: and i32 %{{.*}}, 230

func.func @main(%x: tensor<1x16x8x8xf32> {nacre.name = "x"})
    -> (tensor<1x16x8x8xf32> {nacre.name = "y"}) {
  %w = IE.Constant dense<0.5> : tensor<16x16x1x1xf32>
  %0 = IE.Conv(%x, %w) : (tensor<1x16x8x8xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x8x8xf32>
  return %0 : tensor<1x16x8x8xf32>
}
