// Rows of a matrix of bytes on a machine that multiplies them in pairs.
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v3 threads=1" -convert-vpu-to-vector -canonicalize -split-input-file | FileCheck %s

// Two rows of 16 bytes are two vectors, whose columns are in order.
// CHECK-LABEL: func @two_rows_of_a_vector_are_two_vectors
// CHECK-SAME: (%{{.*}}: memref<1x1x8xi8>, %[[B:.*]]: memref<1x1x8x64xi8>
// CHECK: scf.for
// CHECK-COUNT-2: vector.load %[[B]]{{.*}} : memref<1x1x8x64xi8>, vector<16xi8>
// CHECK: vector.shuffle %{{.*}}, %{{.*}} [0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23]
// CHECK: vector.shuffle %{{.*}}, %{{.*}} [8, 24, 9, 25,
// CHECK-COUNT-2: llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"
// CHECK-NOT: vector.shuffle
// CHECK: return
func.func @two_rows_of_a_vector_are_two_vectors(%a: memref<1x1x8xi8>, %b: memref<1x1x8x64xi8>, %y: memref<1x1x64xi32>) {
  VPU.NCE.MatMul ins(%a, %b : memref<1x1x8xi8>, memref<1x1x8x64xi8>) outs(%y : memref<1x1x64xi32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<vectors = 2>]>>}
  return
}
