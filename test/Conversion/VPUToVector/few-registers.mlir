// Loops over a window stay loops where there are few registers: neighbouring taps
// share inputs, and LLVM would unroll and spill what it keeps of them.

// RUN: nacre-opt %s --init-compiler=vpu-arch=x86-64-v3 --vpu-choose-strategies=decide=registers --convert-vpu-to-vector --split-input-file | FileCheck %s --check-prefixes=CHECK,FEW
// RUN: nacre-opt %s --init-compiler=vpu-arch=x86-64-v4 --vpu-choose-strategies=decide=registers --convert-vpu-to-vector --split-input-file | FileCheck %s --check-prefixes=CHECK,MANY
// RUN: nacre-opt %s --init-compiler=vpu-arch=x86-64-v3 --vpu-choose-strategies=decide=registers --convert-vpu-to-vector --lower-to-llvm --split-input-file | FileCheck %s --check-prefix=LLVM

// FEW: #[[ROLLED:.*]] = #llvm.loop_annotation<unroll = #{{.*}}>
// CHECK-LABEL: func @depthwise_of_many_tiles
// FEW: scf.for
// FEW: vector.fma
// FEW: {loop_annotation = #[[ROLLED]]}
// MANY-NOT: loop_annotation
// LLVM: llvm.br {{.*}} {loop_annotation = #{{.*}}}
func.func @depthwise_of_many_tiles(%x: memref<1x2x9x34x8xf32>, %w: memref<2x3x3x8xf32>, %y: memref<1x2x7x32x8xf32>) {
  VPU.NCE.DepthConvolution ins(%x, %w : memref<1x2x9x34x8xf32>, memref<2x3x3x8xf32>)
    outs(%y : memref<1x2x7x32x8xf32>) {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>}
  return
}

// -----

// All tiles of a row are one basic block.
// CHECK: #[[ROLLED:.*]] = #llvm.loop_annotation<unroll = #{{.*}}>
// CHECK-LABEL: func @depthwise_of_few_tiles
// CHECK: vector.fma
// CHECK: {loop_annotation = #[[ROLLED]]}
func.func @depthwise_of_few_tiles(%x: memref<1x2x9x12x8xf32>, %w: memref<2x3x3x8xf32>, %y: memref<1x2x7x10x8xf32>) {
  VPU.NCE.DepthConvolution ins(%x, %w : memref<1x2x9x12x8xf32>, memref<2x3x3x8xf32>)
    outs(%y : memref<1x2x7x10x8xf32>) {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>}
  return
}

// -----

// Accumulators take nearly all registers: none is left to share pixels in.
// CHECK: #[[ROLLED:.*]] = #llvm.loop_annotation<unroll = #{{.*}}>
// CHECK-LABEL: func @convolution_of_many_accumulators
// CHECK: vector.fma
// CHECK: {loop_annotation = #[[ROLLED]]}
func.func @convolution_of_many_accumulators(%x: memref<1x1x18x60x1xf32>, %w: memref<2x1x5x5x1x16xf32>, %y: memref<1x2x14x56x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x18x60x1xf32>, memref<2x1x5x5x1x16xf32>)
    outs(%y : memref<1x2x14x56x16xf32>)
  return
}
