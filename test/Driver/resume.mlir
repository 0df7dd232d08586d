// A module of any level goes on as it has begun, with equal results.

// RUN: rm -rf %t && mkdir %t && cd %t && cp %s model.mlir
// RUN: %python -c "import array; array.array('f', [i %% 7 - 3.3 for i in range(5120)]).tofile(open('w.bin', 'wb'))"
// RUN: nacre run model.mlir --input x=random:7 --vpu-arch=x86-64-v3 --threads=2 --output-dir=%t/expected

// Every level, its weights beside it, goes on in nacre and in nacre-opt.
// RUN: nacre compile model.mlir --emit=ie --vpu-arch=x86-64-v3 --threads=2 -o ie.mlir
// RUN: nacre compile ie.mlir --emit=vpu -o vpu.mlir
// RUN: nacre compile vpu.mlir --emit=loops -o loops.mlir
// RUN: nacre-opt loops.mlir --lower-to-llvm=threads=2 -o llvm.mlir
// RUN: nacre run ie.mlir --input x=random:7 --output-dir=ie && cmp ie/y.npy expected/y.npy
// RUN: nacre run vpu.mlir --input x=random:7 --output-dir=vpu && cmp vpu/y.npy expected/y.npy
// RUN: nacre run loops.mlir --input x=random:7 --output-dir=loops && cmp loops/y.npy expected/y.npy
// RUN: nacre run llvm.mlir --input x=random:7 --output-dir=llvm && cmp llvm/y.npy expected/y.npy
// RUN: FileCheck %s --check-prefix=VPU --input-file=vpu.mlir
// VPU: module attributes {VPU.arch = #VPU.arch<
// VPU-SAME: nacre.interface = #nacre.interface<signature = (tensor<4x64xf32>) -> tensor<4x80xf32>, inputs = [{nacre.name = "x"}]
// VPU-SAME: nacre.options = {threads = "2", "vpu-arch" = "x86-64-v3"}
// VPU-NOT: __elided__
// VPU: {-#
// VPU-NEXT: dialect_resources: {
// VPU-NEXT: IE: {
// VPU-NEXT: "{{.*}}": "vpu.mlir.weights@0+

// The same architecture may be named, another may not; nor may other options.
// RUN: nacre run vpu.mlir --vpu-arch=x86-64-v3
// RUN: not nacre run vpu.mlir --vpu-arch=NPU40XX 2>&1 | FileCheck %s --check-prefix=ARCH
// ARCH: error: the module already has the architecture x86-64-v3, found another request for NPU40XX
// RUN: not nacre run vpu.mlir --vpu-arch=x86-64-v3 --mcpu=znver4 2>&1 | FileCheck %s --check-prefix=CPU
// CPU: error: the module {{.*}}--mcpu
// RUN: not nacre run vpu.mlir --threads=4 2>&1 | FileCheck %s --check-prefix=THREADS
// THREADS: error: the module has been lowered with --threads=2, found --threads=4
// RUN: not nacre compile loops.mlir --emit=vpu 2>&1 | FileCheck %s --check-prefix=BACK
// BACK: error: --emit=vpu is a level that the module has left behind
// RUN: not nacre run vpu.mlir --backend=interpreter 2>&1 | FileCheck %s --check-prefix=INTERPRETER
// INTERPRETER: error: the module has been lowered without --backend, found --backend=interpreter

// So does how much LLVM optimises, which is free to change.
// RUN: nacre compile model.mlir --emit=loops -Os -o small.loops.mlir && FileCheck %s --check-prefix=SMALL --input-file=small.loops.mlir
// SMALL: nacre.options = {Os = ""
// RUN: nacre compile small.loops.mlir --emit=llvm -o small.ll && FileCheck %s --check-prefix=OPTSIZE --input-file=small.ll
// OPTSIZE: attributes #0 = {{.*}}optsize
// RUN: nacre compile small.loops.mlir -O3 --emit=llvm -o fast.ll && FileCheck %s --check-prefix=FAST --input-file=fast.ll
// FAST-NOT: optsize

// Standard output has no file beside it.
// RUN: nacre compile model.mlir --emit=ie -o - | FileCheck %s --check-prefix=STDOUT
// STDOUT: builtin: {
// STDOUT-NEXT: "0x40000000

// Each dumped file says which passes are left.
// RUN: nacre compile model.mlir --vpu-arch=x86-64-v3 --emit=obj -o out.o --dump-ir=dump
// RUN: nacre run model.mlir --vpu-arch=x86-64-v3 --input x=random:7 --output-dir=single
// RUN: nacre run dump/*_record-interface.mlir --input x=random:7 --output-dir=record-interface && cmp record-interface/y.npy single/y.npy
// RUN: nacre run dump/*_init-compiler.mlir --input x=random:7 --output-dir=init-compiler && cmp init-compiler/y.npy single/y.npy
// RUN: nacre run dump/*_vpu-fuse-ppe.mlir --input x=random:7 --output-dir=vpu-fuse-ppe && cmp vpu-fuse-ppe/y.npy single/y.npy
// RUN: nacre run dump/*_plan-memory.mlir --input x=random:7 --output-dir=plan-memory && cmp plan-memory/y.npy single/y.npy
// RUN: cp dump/*plan-memory.mlir dump/plan.mlir
// RUN: FileCheck %s --check-prefix=DUMP --input-file=dump/plan.mlir
// DUMP: "weights.bin@
// DUMP: mlir_reproducer: {
// DUMP-NEXT: pipeline: "builtin.module(pack-constants{
// RUN: nacre-opt --run-reproducer dump/plan.mlir | FileCheck %s --check-prefix=LLVM
// LLVM: llvm.func @main

// Every dumped file can be read again, and is the same when it is written again.
// RUN: %python -c "import glob, subprocess; [subprocess.run(['nacre-opt', f, '-o', '/dev/null'], check=True) for f in sorted(glob.glob('dump/*.mlir'))]"
// RUN: nacre compile model.mlir --vpu-arch=x86-64-v3 --emit=obj --instrument -o hooked.o --dump-ir=hooked
// RUN: nacre-opt hooked/*_hook-steps.mlir -o once.mlir && nacre-opt once.mlir -o twice.mlir && cmp once.mlir twice.mlir
// RUN: FileCheck %s --check-prefix=ROLES --input-file=once.mlir
// ROLES: func.func @main(
// ROLES-SAME: {nacre.name = "x", nacre.role = #nacre.role<input>}
// ROLES-SAME: {nacre.name = "y", nacre.role = #nacre.role<output>}
// ROLES-SAME: {nacre.role = #nacre.role<hooks>}
// ROLES-SAME: {nacre.role = #nacre.role<arena>}
// ROLES-SAME: {nacre.role = #nacre.role<weights>}

// Callers go by roles: without one, or with another number of inputs, there is
// no program.
// RUN: sed 's/#nacre.role<arena>/#nacre.role<input>/' llvm.mlir > two-inputs.mlir
// RUN: not nacre run two-inputs.mlir 2>&1 | FileCheck %s --check-prefix=INPUTS
// INPUTS: error: two-inputs.mlir:{{.*}}: expected main to take 1 inputs and 1 outputs, and hooks only where the module has them
// RUN: sed 's/ {nacre.role = #nacre.role<arena>}//' llvm.mlir > no-role.mlir
// RUN: %python -c "import subprocess; assert subprocess.run(['nacre', 'run', 'no-role.mlir'], stderr=open('role.txt', 'w')).returncode == 3"
// RUN: FileCheck %s --check-prefix=ROLE --input-file=role.txt
// ROLE: error: no-role.mlir:{{.*}}: expected argument 2 of main to have a role; record-interface, plan-memory and pack-constants give them

// Weights that are not there are an error.
// RUN: mkdir alone && cp vpu.mlir alone && not nacre run alone/vpu.mlir 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: error: {{.*}}vpu.mlir:{{.*}}cannot read the weights in 'alone/vpu.mlir.weights': No such file
// RUN: head -c 100 vpu.mlir.weights > alone/vpu.mlir.weights
// RUN: not nacre run alone/vpu.mlir 2>&1 | FileCheck %s --check-prefix=CUT
// CUT: expected weights up to byte 20480 of 'alone/vpu.mlir.weights', which has 100

func.func @main(%x: tensor<4x64xf32> {nacre.name = "x"}) -> (tensor<4x80xf32> {nacre.name = "y"}) {
  %w = "IE.Constant"() {value = dense_resource<w> : tensor<64x80xf32>} : () -> tensor<64x80xf32>
  %0 = "IE.MatMul"(%x, %w) : (tensor<4x64xf32>, tensor<64x80xf32>) -> tensor<4x80xf32>
  %1 = "IE.Relu"(%0) : (tensor<4x80xf32>) -> tensor<4x80xf32>
  return %1 : tensor<4x80xf32>
}

{-#
  dialect_resources: {
    IE: { w: "w.bin@0+20480" }
  }
#-}
