// Loops over a window stay loops where there are few registers: neighbouring taps
// share inputs, and LLVM would unroll and spill what it keeps of them.

// RUN: nacre-opt %s --init-compiler=vpu-arch=x86-64-v3 --convert-vpu-to-vector | FileCheck %s --check-prefixes=CHECK,FEW
// RUN: nacre-opt %s --init-compiler=vpu-arch=x86-64-v4 --convert-vpu-to-vector | FileCheck %s --check-prefixes=CHECK,MANY
// RUN: nacre-opt %s --init-compiler=vpu-arch=x86-64-v3 --convert-vpu-to-vector --lower-to-llvm | FileCheck %s --check-prefix=LLVM

// FEW: #[[ROLLED:.*]] = #llvm.loop_annotation<unroll = #{{.*}}>
// MANY-NOT: loop_annotation
// CHECK-LABEL: func @depthwise
// FEW: scf.for
// FEW: vector.fma
// FEW: {loop_annotation = #[[ROLLED]]}
// LLVM: llvm.br {{.*}} {loop_annotation = #{{.*}}}
func.func @depthwise(%x: memref<1x2x9x9x8xf32>, %w: memref<2x3x3x8xf32>, %y: memref<1x2x7x7x8xf32>) {
  VPU.NCE.DepthConvolution ins(%x, %w : memref<1x2x9x9x8xf32>, memref<2x3x3x8xf32>)
    outs(%y : memref<1x2x7x7x8xf32>) {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>}
  return
}
