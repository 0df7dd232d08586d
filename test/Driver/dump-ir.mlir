// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: nacre compile net.mlir --vpu-arch=x86-64-v3 --emit=obj -o net.o --dump-ir=all

// Of passes whose names fit, with the numbers that their files have among all.
// RUN: nacre compile net.mlir --vpu-arch=x86-64-v3 --emit=obj -o net.o --dump-ir=some "--dump-ir-filter=bufferize$|^plan-"
// RUN: ls some | FileCheck %s --check-prefix=PASSES
// PASSES-NOT: .mlir
// PASSES: {{[0-9]+}}_vpu-bufferize.mlir
// PASSES-NEXT: {{[0-9]+}}_plan-memory.mlir
// PASSES-NOT: .mlir
// RUN: cmp some/*_plan-memory.mlir all/*_plan-memory.mlir
// RUN: nacre-opt --run-reproducer some/*_plan-memory.mlir -o /dev/null

// Of functions whose names fit, where one of them has changed: kernels are there
// from outline-kernels on, and main calls nothing before.
// RUN: nacre compile net.mlir --vpu-arch=x86-64-v3 --emit=obj -o net.o --dump-ir=kernels --dump-ir-function=^vpu_nce_
// RUN: ls kernels | FileCheck %s --check-prefix=KERNELS
// KERNELS-NOT: bufferize
// KERNELS: {{[0-9]+}}_outline-kernels.mlir
// KERNELS: {{[0-9]+}}_convert-vpu-to-vector.mlir
// RUN: cat kernels/*_outline-kernels.mlir | FileCheck %s --check-prefix=KERNEL
// KERNEL-NOT: func.func @main
// KERNEL: func.func private @vpu_nce_matmul
// KERNEL-NOT: func.func

// Of both.
// RUN: nacre compile net.mlir --vpu-arch=x86-64-v3 --emit=obj -o net.o --dump-ir=both --dump-ir-function=^main$ --dump-ir-filter=kernels
// RUN: ls both | count 1
// RUN: cat both/*_outline-kernels.mlir | FileCheck %s --check-prefix=MAIN
// MAIN: func.func @main
// MAIN: call @vpu_nce_matmul
// MAIN-NOT: func.func

// Nothing fits.
// RUN: nacre compile net.mlir --vpu-arch=x86-64-v3 --emit=obj -o net.o --dump-ir=none --dump-ir-filter=frobnicate 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: warning: --dump-ir has written nothing: no pass that changed the module fits --dump-ir-filter and --dump-ir-function
// RUN: not ls none

// What is no expression, or has nothing to choose from.
// RUN: %python %S/Inputs/status.py 3 nacre compile net.mlir --emit=obj -o bad.o --dump-ir=bad "--dump-ir-filter=a(" 2>&1 | FileCheck %s --check-prefix=FILTER
// FILTER: error: --dump-ir-filter needs a regular expression, found 'a(': parentheses not balanced
// RUN: %python %S/Inputs/status.py 3 nacre compile net.mlir --emit=obj -o bad.o --dump-ir=bad "--dump-ir-function=[" 2>&1 | FileCheck %s --check-prefix=FUNCTION
// FUNCTION: error: --dump-ir-function needs a regular expression, found '[': brackets ([ ]) not balanced
// RUN: %python %S/Inputs/status.py 3 nacre compile net.mlir --emit=obj -o bad.o --dump-ir-filter=vpu 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: error: --dump-ir-filter needs --dump-ir, whose files it chooses
// RUN: not ls bad bad.o

//--- net.mlir
func.func @main(%x: tensor<4x64xf32> {nacre.name = "x"}, %w: tensor<64x80xf32> {nacre.name = "w"}) -> (tensor<4x80xf32> {nacre.name = "y"}) {
  %0 = "IE.MatMul"(%x, %w) : (tensor<4x64xf32>, tensor<64x80xf32>) -> tensor<4x80xf32>
  %1 = "IE.Sqrt"(%0) : (tensor<4x80xf32>) -> tensor<4x80xf32>
  return %1 : tensor<4x80xf32>
}
