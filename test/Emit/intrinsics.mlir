// What a machine has no instruction for is not left to a function of libm that
// is slow, or that its C library has not.

// RUN: rm -rf %t && mkdir %t

// A sum of products is rounded twice where nothing rounds it once.
// RUN: nacre compile %s --vpu-arch=x86-64 -o %t/baseline.o
// RUN: llvm-nm --undefined-only %t/baseline.o | FileCheck %s --check-prefix=BASELINE --implicit-check-not=fma
// BASELINE: roundevenf
// RUN: nacre compile %s --vpu-arch=armv7 -o %t/armv7.o
// RUN: llvm-nm --undefined-only %t/armv7.o | FileCheck %s --check-prefix=BASELINE --implicit-check-not=fma
// RUN: nacre compile %s --vpu-arch=x86-64-v3 -o %t/fused.s && FileCheck %s --check-prefix=FUSED --input-file=%t/fused.s
// FUSED: vfmadd

// A Cortex-M4 has no instruction for rounding to even, newlib no roundevenf.
// RUN: sed 's/cortex-m7/cortex-m4/g; s/-fp64//' %S/Inputs/cortex-m7.json > %t/cortex-m4.json
// RUN: nacre compile %s --vpu-arch=%t/cortex-m4.json -o %t/m4.o
// RUN: llvm-nm --undefined-only %t/m4.o | FileCheck %s --check-prefix=M4 --implicit-check-not=roundeven
// M4: rintf

// Without an FPU, the larger of two numbers would be a function of C23.
// RUN: nacre compile %s --vpu-arch=%t/cortex-m4.json --float-abi=soft -o %t/soft.o
// RUN: llvm-nm --undefined-only %t/soft.o | FileCheck %s --check-prefix=SOFT --implicit-check-not=fmaximum
// SOFT: __aeabi_fcmp
// RUN: nacre compile %s --target=riscv32-unknown-elf --mattr=+m -o %t/riscv.o
// RUN: llvm-nm --undefined-only %t/riscv.o | FileCheck %s --check-prefix=RISCV --implicit-check-not=fmaximum
// RISCV: __mulsf3

// ARM's back end knows no maximum of f64.
// RUN: nacre compile %s --vpu-arch=armv7 --emit=llvm -o %t/armv7.ll && FileCheck %s --check-prefix=WIDE --input-file=%t/armv7.ll
// WIDE-NOT: llvm.maximum.f64
// WIDE: fcmp {{.*}}double

func.func @main(%x: tensor<40xf32> {nacre.name = "x"}, %w: tensor<40xf64> {nacre.name = "w"})
    -> (tensor<40xf32> {nacre.name = "y"}, tensor<40xui8> {nacre.name = "q"}, tensor<40xf64> {nacre.name = "z"}) {
  %scale = IE.Constant dense<0.1> : tensor<f32>
  %zero = IE.Constant dense<3> : tensor<ui8>
  %0 = IE.Exp %x : tensor<40xf32> -> tensor<40xf32>
  %1 = IE.QuantizeLinear(%x, %scale, %zero) : (tensor<40xf32>, tensor<f32>, tensor<ui8>) -> tensor<40xui8>
  %2 = "IE.Relu"(%w) : (tensor<40xf64>) -> tensor<40xf64>
  return %0, %1, %2 : tensor<40xf32>, tensor<40xui8>, tensor<40xf64>
}
