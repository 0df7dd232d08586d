// Rows of a matrix of bytes become packs in registers.
// RUN: nacre-opt %s --init-compiler="vpu-arch=znver4 threads=1" -convert-vpu-to-vector -canonicalize -split-input-file | FileCheck %s

// Bytes of two rows side by side, then pairs of them, each within 16 bytes. Columns
// come to their places after all steps.
// CHECK-LABEL: func @four_rows_of_a_vector_are_four_vectors
// CHECK-SAME: (%[[A:.*]]: memref<1x1x8xi8>, %[[B:.*]]: memref<1x1x8x64xi8>
// CHECK: scf.for
// CHECK-COUNT-4: vector.load %[[B]]{{.*}} : memref<1x1x8x64xi8>, vector<64xi8>
// CHECK-NOT: vector.load %[[B]]
// CHECK: vector.shuffle %{{.*}}, %{{.*}} [0, 64, 1, 65, 2, 66, 3, 67, 4, 68, 5, 69, 6, 70, 7, 71, 16, 80,
// CHECK: vector.shuffle %{{.*}}, %{{.*}} [8, 72, 9, 73,
// CHECK: vector.shuffle %{{.*}}, %{{.*}} [0, 1, 64, 65, 2, 3, 66, 67,
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"
// CHECK-NOT: vpdpbusd
// CHECK: scf.yield
// CHECK: vector.shuffle %{{.*}}, %{{.*}} [0, 1, 2, 3, 16, 17, 18, 19,
// CHECK-COUNT-4: vector.store {{.*}} : memref<1x1x64xi32>, vector<16xi32>
func.func @four_rows_of_a_vector_are_four_vectors(%a: memref<1x1x8xi8>, %b: memref<1x1x8x64xi8>, %y: memref<1x1x64xi32>) {
  VPU.NCE.MatMul ins(%a, %b : memref<1x1x8xi8>, memref<1x1x8x64xi8>) outs(%y : memref<1x1x64xi32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<vectors = 4>]>>}
  return
}

// -----

// CHECK-LABEL: func @unsigned_bytes_change_their_sign_bit
// CHECK: %[[SIGN:.*]] = arith.constant dense<-128> : vector<64xi8>
// CHECK-COUNT-4: arith.xori %{{.*}}, %[[SIGN]]
// CHECK: vector.shuffle
func.func @unsigned_bytes_change_their_sign_bit(%a: memref<1x1x8xi8>, %b: memref<1x1x8x64xi8>, %y: memref<1x1x64xi32>) {
  VPU.NCE.MatMul ins(%a, %b : memref<1x1x8xi8>, memref<1x1x8x64xi8>) outs(%y : memref<1x1x64xi32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<vectors = 4>]>>, unsignedRhs}
  return
}

// -----

// The rows that the last pack has too many are read, and multiplied by zeros. So are
// the last columns of all, twice.
// CHECK-LABEL: func @a_part_of_a_pack_and_of_a_vector
// CHECK-SAME: (%{{.*}}: memref<1x1x8xi8>, %[[B:.*]]: memref<1x1x6x100xi8>
// CHECK-DAG: %[[LAST:.*]] = arith.constant 5 : index
// CHECK-DAG: %[[COLUMN:.*]] = arith.constant 36 : index
// CHECK: arith.minui %{{.*}}, %[[LAST]]
// CHECK: vector.load %[[B]][%{{.*}}, %{{.*}}, %{{.*}}, %[[COLUMN]]]
// CHECK-NOT: vector.maskedload
func.func @a_part_of_a_pack_and_of_a_vector(%a: memref<1x1x8xi8>, %b: memref<1x1x6x100xi8>, %y: memref<1x1x100xi32>) {
  VPU.NCE.MatMul ins(%a, %b : memref<1x1x8xi8>, memref<1x1x6x100xi8>) outs(%y : memref<1x1x100xi32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<vectors = 4>]>>}
  return
}

// -----

// What is added to a result may be where the result is.
// CHECK-LABEL: func @columns_with_a_residual_are_computed_once
// CHECK: vector.maskedload {{.*}} : memref<1x1x8x100xi8>
// CHECK: return
func.func @columns_with_a_residual_are_computed_once(%a: memref<1x1x8xi8>, %b: memref<1x1x8x100xi8>, %r: memref<1x1x100xf32>, %y: memref<1x1x100xf32>) {
  VPU.NCE.MatMul ins(%a, %b : memref<1x1x8xi8>, memref<1x1x8x100xi8>) residual(%r : memref<1x1x100xf32>) outs(%y : memref<1x1x100xf32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<vectors = 4>]>>}
  return
}

// -----

// Whole vectors, and what is left, if anything is.
// CHECK-LABEL: func @columns_of_unknown_number
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"
// CHECK: vector.create_mask %[[REST:.*]] : vector<64xi1>
// CHECK: vector.maskedload
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"
// CHECK: vector.create_mask %[[REST]] : vector<16xi1>
// CHECK-COUNT-4: vector.maskedstore
func.func @columns_of_unknown_number(%a: memref<1x1x8xi8>, %b: memref<1x1x8x?xi8>, %y: memref<1x1x?xi32>) {
  VPU.NCE.MatMul ins(%a, %b : memref<1x1x8xi8>, memref<1x1x8x?xi8>) outs(%y : memref<1x1x?xi32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<vectors = 4>]>>}
  return
}

// -----

// CHECK-LABEL: func @many_rows_multiply_by_packs_of_a_buffer
// CHECK: %[[PACKS:.*]] = memref.alloca() {alignment = 64 : i64} : memref<4x16x64xi8>
// CHECK: scf.for
// CHECK-COUNT-4: vector.store {{.*}}, %[[PACKS]]
// CHECK: scf.for
// CHECK-COUNT-4: vector.load %[[PACKS]]
// CHECK-NOT: vector.shuffle {{.*}} : vector<64xi8>
func.func @many_rows_multiply_by_packs_of_a_buffer(%a: memref<1x96x64xi8>, %b: memref<1x1x64x128xi8>, %y: memref<1x96x128xi32>) {
  VPU.NCE.MatMul ins(%a, %b : memref<1x96x64xi8>, memref<1x1x64x128xi8>) outs(%y : memref<1x96x128xi32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 6, vectors = 4, bufferWeights = true>]>>}
  return
}

// -----

// Sums of all columns are in memory from some steps to the next.
// CHECK-LABEL: func @steps_in_turn_keep_sums_in_a_buffer
// CHECK: %[[SUMS:.*]] = memref.alloca() {alignment = 64 : i64} : memref<256x16xi32>
// CHECK: scf.for
// CHECK: vector.store %{{.*}}, %[[SUMS]]
// CHECK: scf.for
// CHECK: scf.for
// CHECK: vector.load %[[SUMS]]
// CHECK: vpdpbusd
// CHECK: vector.store %{{.*}}, %[[SUMS]]
// CHECK: scf.for
// CHECK: vector.load %[[SUMS]]
// CHECK: vector.store %{{.*}} : memref<1x2x2048xi32>, vector<16xi32>
func.func @steps_in_turn_keep_sums_in_a_buffer(%a: memref<1x2x2048xi8>, %b: memref<1x1x2048x2048xi8>, %y: memref<1x2x2048xi32>) {
  VPU.NCE.MatMul ins(%a, %b : memref<1x2x2048xi8>, memref<1x1x2048x2048xi8>) outs(%y : memref<1x2x2048xi32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 2, vectors = 4, steps = 4>]>>}
  return
}
