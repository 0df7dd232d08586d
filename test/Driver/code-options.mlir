// --mabi, --code-model and --relocation-model choose how code calls and
// addresses.

// RUN: rm -rf %t && mkdir %t

// Where there is an operating system, code runs wherever it is loaded; without
// one it is for a fixed address. Options say it otherwise.
// RUN: nacre compile %s --target=armv7-linux-gnueabihf -o %t/pic.o
// RUN: llvm-readelf --relocations %t/pic.o | FileCheck %s --check-prefix=PIC --implicit-check-not=ABS
// PIC: R_ARM_GOT_PREL{{.*}} pic_weights
// RUN: nacre compile %s --target=armv7-linux-gnueabihf --relocation-model=static -o %t/fixed.o
// RUN: llvm-readelf --relocations %t/fixed.o | FileCheck %s --check-prefix=STATIC --implicit-check-not=GOT
// STATIC: ABS{{.*}} fixed_weights
// RUN: nacre compile %s --target=aarch64-none-elf --relocation-model=pic -o %t/bare.o
// RUN: llvm-readelf --relocations %t/bare.o | FileCheck %s --check-prefix=BARE
// BARE: R_AARCH64_ADR_PREL_PG_HI21{{.*}} bare_weights

// How far code reaches.
// RUN: nacre compile %s --target=aarch64-linux-gnu --code-model=tiny -o %t/tiny.o
// RUN: llvm-readelf --relocations %t/tiny.o | FileCheck %s --check-prefix=TINY --implicit-check-not=PAGE
// TINY: R_AARCH64_GOT_LD_PREL19{{.*}} tiny_weights
// RUN: nacre compile %s --target=aarch64-none-elf --code-model=large -o %t/large.o
// RUN: llvm-readelf --relocations %t/large.o | FileCheck %s --check-prefix=LARGE
// LARGE: R_AARCH64_MOVW_UABS_G3{{.*}} large_weights
// RUN: nacre compile %s --target=x86_64-linux-gnu --code-model=medium -o %t/medium.o
// RUN: nacre compile %s --target=x86_64-linux-gnu --code-model=large -o %t/large64.a

// Which registers floats are passed in. The object says it, and what comes with it.
// RUN: nacre compile %s --target=riscv64-linux-gnu -o %t/own.o && llvm-readelf -h %t/own.o | FileCheck %s --check-prefix=DOUBLE
// DOUBLE: Flags: {{.*}}double-float ABI
// RUN: nacre compile %s --target=riscv64-linux-gnu --mabi=lp64f -o %t/single.o && llvm-readelf -h %t/single.o | FileCheck %s --check-prefix=SINGLE
// SINGLE: Flags: {{.*}}single-float ABI
// RUN: nacre compile %s --target=riscv64-linux-gnu --mabi=lp64 -o %t/soft.o && llvm-readelf -h %t/soft.o | FileCheck %s --check-prefix=SOFT --implicit-check-not="float ABI"
// SOFT: Flags:
// RUN: FileCheck %s --input-file=%t/soft.h --check-prefix=GUARD
// GUARD: #elif !(defined(__riscv_float_abi_soft))
// GUARD-NEXT: #error "soft is compiled for riscv64-unknown-linux-gnu, {{.*}}ABI lp64; use -mabi=lp64"
// RUN: nacre compile %s --target=riscv32-none-elf --mattr=+f,+d --mabi=ilp32 -o %t/narrow.o && nacre info %t/narrow.o | FileCheck %s --check-prefix=NARROW
// NARROW: target {{.*}}, +f,+d, ABI ilp32
// RUN: nacre compile %s --target=arm-none-eabi --mcpu=cortex-m7 --mabi=aapcs --float-abi=hard --relocation-model=pic --code-model=small --emit=bundle -o %t/all && nacre info %t/all | FileCheck %s --check-prefix=ALL
// ALL: target {{.*}}cortex-m7, floats hard, ABI aapcs, code model small, pic

// A module that goes on from a level below keeps them, or gets others.
// RUN: nacre compile %s --target=riscv64-linux-gnu --mabi=lp64 --emit=loops -o %t/loops.mlir
// RUN: nacre compile %t/loops.mlir -o %t/kept.o && llvm-readelf -h %t/kept.o | FileCheck %s --check-prefix=SOFT --implicit-check-not="float ABI"
// RUN: nacre compile %t/loops.mlir --mabi=lp64d -o %t/other.o && llvm-readelf -h %t/other.o | FileCheck %s --check-prefix=DOUBLE

// What runs here needs nothing of that.
// RUN: nacre compile %s --relocation-model=static --emit=loops -o %t/static.mlir && FileCheck %s --input-file=%t/static.mlir --check-prefix=RECORDED
// RECORDED: "relocation-model" = "static"
// RUN: nacre bench %t/static.mlir --seconds=0.01 | FileCheck %s --check-prefix=BENCH
// RUN: sed 's/"relocation-model" = "static"/"code-model" = "tiny"/' %t/static.mlir > %t/foreign.mlir
// RUN: nacre bench %t/foreign.mlir --seconds=0.01 | FileCheck %s --check-prefix=BENCH
// BENCH: median
// RUN: %python %S/Inputs/status.py 3 nacre compile %t/foreign.mlir -o %t/x.o 2>&1 | FileCheck %s --check-prefix=FOREIGN
// FOREIGN: error: --code-model needs small or medium or large

// What a machine has.
// RUN: nacre info --target=riscv32-none-elf | FileCheck %s --check-prefix=KNOWN
// KNOWN: ABIs        ilp32, ilp32f, ilp32d, ilp32e
// KNOWN-NEXT: code models small, medium

// What does not fit is refused.
// RUN: %python %S/Inputs/status.py 3 nacre compile %s --relocation-model=static -o %t/x.so 2>&1 | FileCheck %s --check-prefix=SHARED
// SHARED: error: --relocation-model=static is for code that a program is linked with, and a shared library is loaded anywhere; write an archive
// RUN: %python %S/Inputs/status.py 3 nacre compile %s --target=x86_64-linux-gnu --code-model=large -o %t/x.so 2>&1 | FileCheck %s --check-prefix=FAR
// FAR: error: --code-model=large has data behind everything else, where the weights of a shared library are, which need no other model however large they are; write an archive, as -o NAME.a does
// RUN: %python %S/Inputs/status.py 3 nacre compile %s --relocation-model=fixed -o %t/x.o 2>&1 | FileCheck %s --check-prefix=RELOCATION
// RELOCATION: error: --relocation-model needs static or pic, found 'fixed'
// RUN: %python %S/Inputs/status.py 3 nacre compile %s --target=x86_64-linux-gnu --code-model=tiny -o %t/x.o 2>&1 | FileCheck %s --check-prefix=MODEL
// MODEL: error: --code-model needs small or medium or large for 'x86_64-unknown-linux-gnu', found 'tiny'
// RUN: %python %S/Inputs/status.py 3 nacre compile %s --target=thumbv7em-none-eabi --code-model=medium -o %t/x.o 2>&1 | FileCheck %s --check-prefix=ONE
// ONE: error: --code-model needs small for 'thumbv7em-unknown-none-eabi', found 'medium'
// RUN: %python %S/Inputs/status.py 3 nacre compile %s --target=aarch64-linux-gnu --code-model=large -o %t/x.o 2>&1 | FileCheck %s --check-prefix=ABSOLUTE
// ABSOLUTE: error: --code-model=large has whole addresses in code for 'aarch64-unknown-linux-gnu', which --relocation-model=static allows
// RUN: %python %S/Inputs/status.py 3 nacre compile %s --target=x86_64-linux-gnu --mabi=sysv -o %t/x.o 2>&1 | FileCheck %s --check-prefix=NOABI
// NOABI: error: --mabi: 'x86_64-unknown-linux-gnu' has one ABI, which the triple says
// RUN: %python %S/Inputs/status.py 3 nacre compile %s --target=arm-none-eabi --mcpu=cortex-m7 --mabi=aapcs-vfp -o %t/x.o 2>&1 | FileCheck %s --check-prefix=ARMABI
// ARMABI: error: --mabi needs aapcs or aapcs-linux for {{.*}}, found 'aapcs-vfp'; --float-abi says how floats are passed
// RUN: %python %S/Inputs/status.py 3 nacre compile %s --target=riscv32-none-elf --mabi=ilp32d -o %t/x.o 2>&1 | FileCheck %s --check-prefix=REGISTERS
// REGISTERS: error: --mabi=ilp32d passes floats in registers that 'generic-rv32' with these features does not have; --mattr=+d
// RUN: %python %S/Inputs/status.py 3 nacre compile %s --target=riscv32-none-elf --mabi=ilp32e -o %t/x.o 2>&1 | FileCheck %s --check-prefix=FEW
// FEW: error: --mabi=ilp32e is for CPUs with 16 registers, and 'generic-rv32' has 32
// RUN: %python %S/Inputs/status.py 3 nacre compile %s --mabi= -o %t/x.o 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: error: option '--mabi' needs a value
// RUN: %python %S/Inputs/status.py 3 nacre compile %s --march=armv7 -o %t/x.o 2>&1 | FileCheck %s --check-prefix=MARCH
// MARCH: error: unknown option '--march'; some compilers take a machine by it, others instructions: --target=TRIPLE says the machine, --mcpu=NAME a CPU, and --mattr=+A,-B
// RUN: %python %S/Inputs/status.py 3 nacre compile %s -mcmodel=large -o %t/x.o 2>&1 | FileCheck %s --check-prefix=MCMODEL
// MCMODEL: error: unknown option '-mcmodel'; --code-model says how far code reaches
// RUN: %python %S/Inputs/status.py 3 nacre compile %s --no-bias-correction -o %t/x.o 2>&1 | FileCheck %s --check-prefix=BIASES
// BIASES: error: unknown option '--no-bias-correction'; --bias-correction=off has nothing make up for rounding
// RUN: not ls %t/x.o %t/x.so

func.func @main(%x: tensor<1x16x8x8xf32> {nacre.name = "x"}) -> (tensor<1x32x8x8xf32> {nacre.name = "y"}) {
  %w = IE.Constant dense<0.5> : tensor<32x16x1x1xf32>
  %0 = IE.Conv(%x, %w) : (tensor<1x16x8x8xf32>, tensor<32x16x1x1xf32>) -> tensor<1x32x8x8xf32>
  return %0 : tensor<1x32x8x8xf32>
}
