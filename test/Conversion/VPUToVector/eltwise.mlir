// RUN: nacre-opt %s -convert-vpu-to-vector -split-input-file | FileCheck %s

// CHECK-LABEL: func @eltwise_of_contiguous_buffers_is_one_loop
// CHECK: memref.collapse_shape
// CHECK: arith.addf
func.func @eltwise_of_contiguous_buffers_is_one_loop(%a: memref<1x2x3x3x16xf32>, %b: memref<1x2x3x3x16xf32>) {
  VPU.NCE.Eltwise ins(%a, %b : memref<1x2x3x3x16xf32>, memref<1x2x3x3x16xf32>) outs(%b : memref<1x2x3x3x16xf32>) {kind = #VPU.eltwise<ADD>}
  return
}
