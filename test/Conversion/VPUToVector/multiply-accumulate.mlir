// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-choose-strategies=decide=registers -convert-vpu-to-vector -split-input-file | FileCheck %s

// What is in memory is the last operand of an instruction: pixels that one
// product needs, else weights, though they are in a register.
// CHECK-LABEL: func @convolution_of_one_vector_multiplies_by_pixels_in_memory
// CHECK: %[[W:.*]] = vector.load {{.*}}, vector<32xbf16>
// CHECK: %[[PIXEL:.*]] = vector.bitcast %{{.*}} : vector<16xi32> to vector<32xbf16>
// CHECK: llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%{{.*}}, %[[W]], %[[PIXEL]])
// CHECK-LABEL: func @convolution_of_two_vectors_multiplies_pixels_by_weights
// CHECK: %[[W:.*]] = vector.load {{.*}}, vector<32xbf16>
// CHECK: %[[PIXEL:.*]] = vector.bitcast %{{.*}} : vector<16xi32> to vector<32xbf16>
// CHECK: llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%{{.*}}, %[[PIXEL]], %[[W]])
func.func @convolution_of_one_vector_multiplies_by_pixels_in_memory(%x: memref<1x2x9x9x16xbf16>, %w: memref<1x2x3x3x8x16x2xbf16>, %y: memref<1x1x7x7x16xbf16>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x2x9x9x16xbf16>, memref<1x2x3x3x8x16x2xbf16>) outs(%y : memref<1x1x7x7x16xbf16>)
  return
}
func.func @convolution_of_two_vectors_multiplies_pixels_by_weights(%x: memref<1x2x9x16x16xbf16>, %w: memref<2x2x3x3x8x16x2xbf16>, %y: memref<1x2x7x14x16xbf16>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x2x9x16x16xbf16>, memref<2x2x3x3x8x16x2xbf16>) outs(%y : memref<1x2x7x14x16xbf16>)
  return
}
