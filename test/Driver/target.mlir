// --target, --mcpu, --mattr and --float-abi choose what code is generated for.

// RUN: rm -rf %t && mkdir %t

// The triple finds an architecture: of its machine, and what its CPU has most of.
// RUN: nacre compile %s --target=aarch64-unknown-linux-gnu -o %t/a.o | FileCheck %s --check-prefix=AARCH64
// AARCH64: a.h: aarch64,
// RUN: nacre compile %s --target=aarch64-none-elf --mcpu=cortex-a53 --emit=llvm -o %t/bare.ll && FileCheck %s --input-file=%t/bare.ll --check-prefix=BARE
// BARE: target triple = "aarch64-unknown-none-elf"
// BARE: "target-cpu"="cortex-a53"
// RUN: nacre compile %s --target=x86_64-linux-gnu -o %t/b.o | FileCheck %s --check-prefix=X86
// X86: b.h: x86-64,
// RUN: nacre compile %s --target=x86_64-linux-gnu --mcpu=znver4 -o %t/b.o | FileCheck %s --check-prefix=ZEN
// ZEN: b.h: znver4,
// RUN: nacre compile %s --target=riscv64-linux-gnu -o %t/c.o | FileCheck %s --check-prefix=RISCV
// RISCV: c.h: riscv64,
// RUN: nacre compile %s --target=armv7-linux-gnueabihf --mcpu=cortex-a7 -o %t/d.o | FileCheck %s --check-prefix=ARMV7
// ARMV7: d.h: armv7,
// Where there is none, a generic one.
// RUN: nacre compile %s --target=armv6-linux-gnueabihf --mcpu=arm1176jzf-s -o %t/e.o | FileCheck %s --check-prefix=GENERIC
// RUN: nacre compile %s --target=riscv32-unknown-elf -o %t/e.o | FileCheck %s --check-prefix=GENERIC
// RUN: nacre compile %s --target=loongarch64-linux-gnu -o %t/e.o | FileCheck %s --check-prefix=GENERIC
// GENERIC: e.h: generic,
// An architecture that is named gets the triple, too.
// RUN: nacre compile %s --vpu-arch=x86-64-v3 --target=x86_64-unknown-freebsd --emit=llvm -o %t/bsd.ll && FileCheck %s --input-file=%t/bsd.ll --check-prefix=BSD
// BSD: target triple = "x86_64-unknown-freebsd"
// BSD: "target-cpu"="x86-64-v3"
// RUN: nacre compile %s --vpu-arch=generic --target=aarch64-linux-gnu -o %t/e.o | FileCheck %s --check-prefix=GENERIC

// As with clang, "arm" stands for the CPU's own instructions.
// RUN: nacre compile %s --target=arm-none-eabi --mcpu=cortex-m4 --float-abi=hard --mattr=+strict-align,-dsp -o %t/m4.o
// RUN: nacre info %t/m4.o | FileCheck %s --check-prefix=OBJECT
// OBJECT: object      m4
// OBJECT: compiled    for generic
// OBJECT: target      thumbv7em-unknown-none-eabihf, cortex-m4, +strict-align,-dsp, floats hard
// OBJECT: threads     1
// OBJECT: input       x: float32[8]
// OBJECT: output      y: float32[8]
// OBJECT: weights     0 bytes
// OBJECT: code        {{[1-9][0-9]*}} bytes
// RUN: nacre compile %s --target=arm-none-eabihf --mcpu=cortex-m4 --float-abi=softfp -o %t/m4.a && nacre info %t/m4.a | FileCheck %s --check-prefix=ARCHIVE
// ARCHIVE: archive     m4
// ARCHIVE: target      thumbv7em-unknown-none-eabi, cortex-m4, floats softfp
// ARCHIVE: code        {{[1-9][0-9]*}} bytes
// RUN: nacre compile %s --target=arm-none-eabi --mcpu=cortex-m4 --float-abi=soft --emit=bundle -o %t/m4 && nacre info %t/m4 | FileCheck %s --check-prefix=BUNDLE
// BUNDLE: bundle      m4
// BUNDLE: target      thumbv7em-unknown-none-eabi, cortex-m4, +soft-float,-fpregs, floats soft
// BUNDLE: code        {{[1-9][0-9]*}} bytes
// RUN: FileCheck %s --input-file=%t/m4/m4.h --check-prefix=HEADER
// HEADER: generic: thumbv7em-unknown-none-eabi, cortex-m4, +soft-float,-fpregs, floats soft.
// HEADER: #ifndef M4_ANY_TARGET
// RUN: nacre compile %s --target=aarch64-linux-gnu -o %t/other.so && nacre info %t/other.so | FileCheck %s --check-prefix=LIBRARY
// LIBRARY: library     other
// LIBRARY: target      aarch64-unknown-linux-gnu, generic, +neon
// RUN: nacre compile %s -o %t/own.so && nacre info %t/own.so | FileCheck %s --check-prefix=OWN
// OWN: library     own
// OWN: target      {{x86_64|aarch64}}-unknown-linux-gnu,

// A module that goes on from a level below keeps the target.
// RUN: nacre compile %s --target=arm-none-eabi --mcpu=cortex-m4 --float-abi=hard --mattr=-dsp --emit=loops -o %t/loops.mlir
// RUN: nacre compile %t/loops.mlir -o %t/again.o && nacre info %t/again.o | FileCheck %s --check-prefix=AGAIN
// AGAIN: target      thumbv7em-unknown-none-eabihf, cortex-m4, -dsp, floats hard
// RUN: nacre compile %t/loops.mlir --target=arm-none-eabi --mcpu=cortex-m4 --float-abi=hard --mattr=-dsp -o %t/same.o
// RUN: %python %S/Inputs/status.py 3 nacre compile %t/loops.mlir --target=arm-none-eabi --mcpu=cortex-m4 --float-abi=soft --mattr=-dsp -o %t/x.o 2>&1 | FileCheck %s --check-prefix=LOWERED
// LOWERED: error: the module has been lowered with --float-abi=hard, found --float-abi=soft
// RUN: nacre-opt %s --init-compiler="vpu-arch=generic@cortex-m7:triple=arm-none-eabi:features=-fp64:float-abi=hard" | FileCheck %s --check-prefix=PASS
// PASS: triple = "thumbv7em-unknown-none-eabihf", cpu = "cortex-m7"
// PASS-SAME: features = "-fp64"

// What LLVM knows of a machine.
// RUN: nacre info --target=thumbv7em-none-eabi --mcpu=cortex-m7 | FileCheck %s --check-prefix=KNOWN
// KNOWN: target      thumbv7em-unknown-none-eabi, cortex-m7, floats softfp
// KNOWN-NEXT: compiled    for generic
// KNOWN-NEXT: CPUs        {{.*}}cortex-m4, {{.*}}cortex-m7,
// KNOWN-NEXT: features    {{.*}}dsp,
// KNOWN-NEXT: float ABIs  hard, softfp, soft

// What it does not know, with the word that may be meant.
// RUN: %python %S/Inputs/status.py 3 nacre compile %s --target=aarch46-linux-gnu -o %t/x.o 2>&1 | FileCheck %s --check-prefix=TRIPLE
// TRIPLE: error: --target: expected a triple such as x86_64-unknown-linux-gnu, found 'aarch46-unknown-linux-gnu'; perhaps 'aarch64'; it begins with one of aarch64, arm, {{.*}}thumb, {{.*}}x86_64{{.*}}
// RUN: %python %S/Inputs/status.py 3 nacre compile %s --target=aarch64-lunix-gnu -o %t/x.o 2>&1 | FileCheck %s --check-prefix=SYSTEM
// SYSTEM: error: --target: LLVM knows no system or environment 'lunix' of triple {{.*}}perhaps 'linux'
// RUN: %python %S/Inputs/status.py 3 nacre compile %s --target=thumbv7em-none-eabbi -o %t/x.o 2>&1 | FileCheck %s --check-prefix=ENVIRONMENT
// ENVIRONMENT: error: --target: LLVM knows no system or environment 'eabbi' of triple {{.*}}perhaps 'eabi'
// RUN: %python %S/Inputs/status.py 3 nacre compile %s --target=x86_64-apple-macosx -o %t/x.o 2>&1 | FileCheck %s --check-prefix=FORMAT
// FORMAT: error: --target: expected a target whose objects are ELF, found MACHO
// RUN: %python %S/Inputs/status.py 3 nacre compile %s --target=nvptx64-nvidia-cuda -o %t/x.o 2>&1 | FileCheck %s --check-prefix=GPU
// GPU: error: --target: expected a CPU, found 'nvptx64-nvidia-cuda'
// RUN: %python %S/Inputs/status.py 3 nacre compile %s --target=arm-none-eabi --mcpu=cortex-m77 -o %t/x.o 2>&1 | FileCheck %s --check-prefix=CPU
// CPU: error: LLVM knows no CPU 'cortex-m77' of arm; perhaps 'cortex-a77' or 'cortex-m7'; nacre info --target=arm-unknown-none-eabi lists all
// RUN: %python %S/Inputs/status.py 3 nacre compile %s --target=arm-none-eabi --mcpu=cortex-m7 --mattr=+neom -o %t/x.o 2>&1 | FileCheck %s --check-prefix=FEATURE
// FEATURE: error: LLVM knows no feature 'neom' of thumbv7em; perhaps 'neon'; nacre info --target=thumbv7em-unknown-none-eabi lists all
// RUN: %python %S/Inputs/status.py 3 nacre compile %s --target=arm-none-eabi --mattr=dsp -o %t/x.o 2>&1 | FileCheck %s --check-prefix=SIGN
// SIGN: error: expected '+' or '-' before 'dsp'
// RUN: %python %S/Inputs/status.py 3 nacre compile %s --target=arm-none-eabi --float-abi=hrad -o %t/x.o 2>&1 | FileCheck %s --check-prefix=ABI
// ABI: error: expected one of hard, softfp, soft for how floats are passed, found 'hrad'
// RUN: %python %S/Inputs/status.py 3 nacre compile %s --target=aarch64-linux-gnu --float-abi=hard -o %t/x.o 2>&1 | FileCheck %s --check-prefix=ONEWAY
// ONEWAY: error: 'aarch64-unknown-linux-gnu' has one way to pass floats; --float-abi is for ARM of 32 bits
// RUN: %python %S/Inputs/status.py 3 nacre compile %s --target=arm-none-eabi --mcpu=cortex-m3 --float-abi=hard -o %t/x.o 2>&1 | FileCheck %s --check-prefix=FPU
// FPU: error: 'cortex-m3' with these features has no FPU, whose registers 'thumbv7m-unknown-none-eabihf' passes floats in; --float-abi=soft
// RUN: %python %S/Inputs/status.py 3 nacre compile %s --vpu-arch=x86-64-v4 --mattr=-avx512vl -o %t/x.o 2>&1 | FileCheck %s --check-prefix=NEEDS
// NEEDS: error: 'x86-64-v4' lacks 'avx512vl', which code for x86-64-v4 needs
// RUN: %python %S/Inputs/status.py 3 nacre compile %s --vpu-arch=x86-64-v4 --target=arm-none-eabi -o %t/x.o 2>&1 | FileCheck %s --check-prefix=MACHINE
// MACHINE: error: the architecture x86-64-v4 is for machines of x86_64-unknown-linux-gnu, not of 'arm-unknown-none-eabi'
// RUN: %python %S/Inputs/status.py 3 nacre compile %s --vpu-arch=x86-64-v3,x86-64-v4 --mattr=+gfni -o %t/x.a 2>&1 | FileCheck %s --check-prefix=SEVERAL
// SEVERAL: error: --mattr needs one architecture, found x86-64-v3,x86-64-v4
// RUN: %python %S/Inputs/status.py 3 nacre compile %s --target= -o %t/x.o 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: error: --target needs a name of LLVM's, found ''
// RUN: sed 's/thumbv7em/arm/' %S/../Emit/Inputs/cortex-m7.json > %t/arm.json
// RUN: %python %S/Inputs/status.py 3 nacre compile %s --vpu-arch=%t/arm.json -o %t/x.o 2>&1 | FileCheck %s --check-prefix=THUMB
// THUMB: error: {{.*}}arm.json: field 'llvm.cpu': 'cortex-m7' runs Thumb code only; expected a triple that begins with thumb
// RUN: not nacre-opt %s --init-compiler="vpu-arch=generic@cortex-m7:abi=hard" 2>&1 | FileCheck %s --check-prefix=KEY
// KEY: error: expected triple=, features= or float-abi= with a value behind '@' and ':' of an architecture, found 'abi=hard'
// RUN: not ls %t/x.o %t/x.a

// What says nothing of itself.
// RUN: mkdir %t/empty && %python %S/Inputs/status.py 3 nacre info %t/empty 2>&1 | FileCheck %s --check-prefix=FOLDER
// FOLDER: error: {{.*}}empty: expected the folder of a bundle, with one object, found 0
// RUN: echo text > %t/text.o && %python %S/Inputs/status.py 3 nacre info %t/text.o 2>&1 | FileCheck %s --check-prefix=TEXT
// TEXT: error: {{.*}}text.o: expected what nacre compile has written
// RUN: clang -c -x c /dev/null -o %t/c.o && %python %S/Inputs/status.py 3 nacre info %t/c.o 2>&1 | FileCheck %s --check-prefix=FOREIGN
// FOREIGN: error: {{.*}}c.o: expected what nacre compile has written, found a file without metadata
// RUN: %python %S/Inputs/status.py 3 nacre info %t/m4.o --shape x=3 2>&1 | FileCheck %s --check-prefix=SHAPE
// SHAPE: error: --shape needs a model or a library for this machine, found '{{.*}}m4.o'

func.func @main(%x: tensor<8xf32> {nacre.name = "x"}) -> (tensor<8xf32> {nacre.name = "y"}) {
  %0 = IE.Relu %x : tensor<8xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
