// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v3 threads=1" --vpu-verify-strategies=decided=registers -convert-vpu-to-vector -canonicalize -split-input-file | FileCheck %s

// 16 bytes at a time, then 4 and 2; a pair of words is read into all lanes.
// CHECK-LABEL: func @rows_of_bytes_become_words_once_for_a_tile
// CHECK-SAME: %[[A:[a-z0-9]*]]: memref<1x4x38xi8>
// CHECK: %[[WORDS:.*]] = memref.alloca() {alignment = 64 : i64} : memref<2x38xi16>
// CHECK: scf.for %[[ROW:.*]] = %c0 to %c4 step %c2
// CHECK: scf.for %[[BYTE:.*]] = %c0 to %c32 step %c16
// CHECK: %[[BYTES:.*]] = vector.load %[[A]][%c0, %[[ROW]], %[[BYTE]]] : memref<1x4x38xi8>, vector<16xi8>
// CHECK: %[[WIDE:.*]] = arith.extui %[[BYTES]] : vector<16xi8> to vector<16xi16>
// CHECK: vector.store %[[WIDE]], %[[WORDS]][%c0, %[[BYTE]]]
// CHECK: vector.store %{{.*}}, %[[WORDS]][%c1, %[[BYTE]]]
// CHECK: vector.store %{{.*}}, %[[WORDS]][%c0, %c32] : memref<2x38xi16>, vector<4xi16>
// CHECK: vector.store %{{.*}}, %[[WORDS]][%c0, %c36] : memref<2x38xi16>, vector<2xi16>
// CHECK: scf.for %[[STEP:.*]] = %c0 to %c19
// CHECK: %[[AT:.*]] = arith.muli %[[STEP]], %c2
// CHECK: vector.load %[[WORDS]][%c0, %[[AT]]] : memref<2x38xi16>, vector<2xi16>
// CHECK-NOT: arith.extui
// CHECK: llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"(%{{.*}}, %{{.*}}) : (vector<16xi16>, vector<16xi16>) -> vector<8xi32>
// CHECK: llvm.intr.stackrestore
func.func @rows_of_bytes_become_words_once_for_a_tile(%a: memref<1x4x38xi8>, %b: memref<1x1x19x8x2xi8>, %y: memref<1x4x8xi32>) {
  VPU.NCE.MatMul ins(%a, %b : memref<1x4x38xi8>, memref<1x1x19x8x2xi8>) outs(%y : memref<1x4x8xi32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 2, widenRows = true>]>>}
  return
}

// -----

// The pixels that a tile of 1x4 windows of 3x3 meets are 3 rows of 6, of each block.
// CHECK-LABEL: func @pixels_of_bytes_become_words_once_for_a_tile
// CHECK-SAME: %[[X:[a-z0-9]*]]: memref<1x2x3x6x16xi8>
// CHECK: %[[WORDS:.*]] = memref.alloca() {alignment = 64 : i64} : memref<2x18x16xi16>
// CHECK: scf.for %[[BLOCK:.*]] = %c0 to %c2
// CHECK: scf.for %[[ROW:.*]] = %c0 to %c3
// CHECK: %[[BYTES:.*]] = vector.load %[[X]][%c0, %[[BLOCK]], %[[ROW]], %c0, %c0] : memref<1x2x3x6x16xi8>, vector<16xi8>
// CHECK: %[[WIDE:.*]] = arith.extui %[[BYTES]] : vector<16xi8> to vector<16xi16>
// CHECK: vector.store %[[WIDE]], %[[WORDS]][%[[BLOCK]], %{{.*}}, %c0] : memref<2x18x16xi16>, vector<16xi16>
// CHECK-COUNT-5: vector.store %{{.*}}, %[[WORDS]]
// CHECK-NOT: arith.extui
// CHECK: vector.load %[[WORDS]]{{.*}} : memref<2x18x16xi16>, vector<2xi16>
// CHECK-NOT: arith.extui
// CHECK: llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"
// CHECK: llvm.intr.stackrestore
func.func @pixels_of_bytes_become_words_once_for_a_tile(%x: memref<1x2x3x6x16xi8>, %w: memref<1x2x3x3x8x8x2xi8>, %y: memref<1x1x1x4x8xi32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x2x3x6x16xi8>, memref<1x2x3x3x8x8x2xi8>) outs(%y : memref<1x1x1x4x8xi32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 4, widenRows = true>]>>}
  return
}
