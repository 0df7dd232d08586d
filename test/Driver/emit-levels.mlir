// `nacre compile --emit=` stops at any level and writes what a reader wants.

// RUN: rm -rf %t && mkdir %t
// RUN: nacre compile %s --emit=ie -o %t/ie.mlir && FileCheck %s --input-file=%t/ie.mlir --check-prefix=IE
// IE: IE.Relu
// RUN: nacre compile %s --emit=vpu -o %t/vpu.mlir && FileCheck %s --input-file=%t/vpu.mlir --check-prefix=VPU
// VPU-NOT: IE.
// VPU: func.func @main
// VPU: tensor<64xf32>
// RUN: nacre compile %s --emit=loops -o %t/loops.mlir && FileCheck %s --input-file=%t/loops.mlir --check-prefix=LOOPS
// LOOPS: func.func @main({{.*}}memref<64xf32>
// LOOPS-NOT: tensor<
// RUN: nacre compile %s --emit=llvm -o %t/out.ll && FileCheck %s --input-file=%t/out.ll --check-prefix=LLVM
// LLVM: define {{.*}}i32 @out_run(ptr
// RUN: nacre compile %s --emit=asm -o %t/out.s && FileCheck %s --input-file=%t/out.s --check-prefix=ASM
// ASM: out_run:

// The IR after each pass lands in numbered files.
// RUN: nacre compile %s --emit=obj -o %t/out.o --dump-ir=%t/ir
// RUN: ls %t/ir | FileCheck %s --check-prefix=DUMP
// DUMP: 000_record-interface.mlir
// DUMP: 0{{[0-9]+}}_convert-all-to-llvm.mlir

func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
  %0 = "IE.Relu"(%x) : (tensor<64xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}
