// RUN: nacre-opt %s -legalize-copies | FileCheck %s

// CHECK-LABEL: func @strided_copy_becomes_linalg
// CHECK-SAME: (%[[SRC:.*]]: memref<8x8xf32>, %[[DST:.*]]: memref<4x8xf32>)
func.func @strided_copy_becomes_linalg(%src: memref<8x8xf32>, %dst: memref<4x8xf32>) {
  // CHECK: %[[VIEW:.*]] = memref.subview %[[SRC]]
  // CHECK: linalg.copy ins(%[[VIEW]] : {{.*}}) outs(%[[DST]] : memref<4x8xf32>)
  // CHECK-NOT: memref.copy
  %0 = memref.subview %src[4, 0] [4, 8] [1, 1] : memref<8x8xf32> to memref<4x8xf32, strided<[8, 1], offset: 32>>
  memref.copy %0, %dst : memref<4x8xf32, strided<[8, 1], offset: 32>> to memref<4x8xf32>
  return
}

// CHECK-LABEL: func @copy_onto_itself_disappears
// CHECK-NEXT: return
func.func @copy_onto_itself_disappears(%src: memref<8xf32>) {
  memref.copy %src, %src : memref<8xf32> to memref<8xf32>
  return
}
