// --mcpu compiles for a CPU of the architecture.

// RUN: rm -rf %t && mkdir %t
// RUN: nacre compile %s --vpu-arch=aarch64 -o %t/generic.ll && FileCheck %s --input-file=%t/generic.ll --check-prefix=GENERIC
// RUN: nacre compile %s --vpu-arch=aarch64 --mcpu=cortex-a76 -o %t/core.ll && FileCheck %s --input-file=%t/core.ll --check-prefix=CORE --implicit-check-not=neoverse-n1
// GENERIC: "target-cpu"="generic"{{.*}}"tune-cpu"="neoverse-n1"
// CORE: "target-cpu"="cortex-a76"

// A module that goes on from a level below keeps it.
// RUN: nacre compile %s --vpu-arch=aarch64 --mcpu=cortex-a76 --emit=loops -o %t/loops.mlir
// RUN: nacre compile %t/loops.mlir -o %t/again.ll && FileCheck %s --input-file=%t/again.ll --check-prefix=CORE
// RUN: %python %S/Inputs/status.py 3 nacre compile %t/loops.mlir --vpu-arch=aarch64 --mcpu=cortex-a55 -o %t/x.ll 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: error: the module has been lowered with --mcpu=cortex-a76, found --mcpu=cortex-a55

// RUN: %python %S/Inputs/status.py 3 nacre compile %s --vpu-arch=aarch64 --mcpu=cortex-a76x -o %t/x.a 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: LLVM knows no CPU 'cortex-a76x' of aarch64; perhaps 'cortex-a76'; nacre info --target=aarch64-unknown-linux-gnu lists all
// RUN: %python %S/Inputs/status.py 3 nacre compile %s --vpu-arch=x86-64-v4 --mcpu=haswell -o %t/x.a 2>&1 | FileCheck %s --check-prefix=LACKS
// LACKS: error: 'haswell' lacks 'avx512{{[a-z]+}}', which code for x86-64-v4 needs
// RUN: %python %S/Inputs/status.py 3 nacre compile %s --vpu-arch=x86-64-v3,x86-64-v4 --mcpu=znver4 -o %t/x.a 2>&1 | FileCheck %s --check-prefix=SEVERAL
// SEVERAL: error: --mcpu needs one architecture, found x86-64-v3,x86-64-v4

func.func @main(%x: tensor<8xf32> {nacre.name = "x"}) -> (tensor<8xf32> {nacre.name = "y"}) {
  %0 = IE.Relu %x : tensor<8xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
