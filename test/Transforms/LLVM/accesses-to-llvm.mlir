// RUN: nacre-opt %s --convert-all-to-llvm --cse | FileCheck %s

// The constants of all indices are one, which is added last: what is before it
// is one address for both loads and the store.
// CHECK-LABEL: llvm.func @unrolled
// CHECK-SAME: (%[[X:.*]]: !llvm.ptr, %[[I:.*]]: i64)
// CHECK: %[[ROW:.*]] = llvm.mlir.constant(8 : i64) : i64
// CHECK: %[[AT:.*]] = llvm.mul %[[I]], %[[ROW]] : i64
// CHECK: %[[BASE:.*]] = llvm.getelementptr %{{.*}}[%[[AT]]] : {{.*}}, f32
// CHECK: %[[A:.*]] = llvm.getelementptr %[[BASE]][12] : {{.*}}, f32
// CHECK: llvm.load %[[A]] {alignment = 4 : i64} : !llvm.ptr -> vector<4xf32>
// CHECK-NOT: llvm.mul
// CHECK: %[[B:.*]] = llvm.getelementptr %[[BASE]][20] : {{.*}}, f32
// CHECK: llvm.load %[[B]] {{.*}} -> f32
// CHECK-NOT: llvm.mul
// CHECK: %[[C:.*]] = llvm.getelementptr %[[BASE]][-4] : {{.*}}, f32
// CHECK: llvm.store %{{.*}}, %[[C]] {alignment = 64 : i64, nontemporal}
func.func @unrolled(%x: memref<16x8xf32>, %i: index) -> f32 {
  %c-1 = arith.constant -1 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %i1 = arith.addi %i, %c1 : index
  %i2 = arith.addi %i1, %c1 : index
  %before = arith.addi %i, %c-1 : index
  %v = vector.load %x[%i1, %c4] : memref<16x8xf32>, vector<4xf32>
  %s = memref.load %x[%i2, %c4] : memref<16x8xf32>
  vector.store %v, %x[%before, %c4] {alignment = 64 : i64, nontemporal = true} : memref<16x8xf32>, vector<4xf32>
  return %s : f32
}

// Without a constant LLVM may know as much as from upstream.
// CHECK-LABEL: llvm.func @scalar
// CHECK: llvm.mul %{{.*}} overflow<nsw, nuw>
// CHECK: llvm.add %{{.*}} overflow<nsw, nuw>
// CHECK: llvm.getelementptr inbounds|nuw
func.func @scalar(%x: memref<16x8xf32>, %i: index, %j: index) -> f32 {
  %s = memref.load %x[%i, %j] : memref<16x8xf32>
  return %s : f32
}

// A dynamic stride multiplies all of its index.
// CHECK-LABEL: llvm.func @dynamic_stride
// CHECK: %[[NEXT:.*]] = llvm.add
// CHECK: %[[AT:.*]] = llvm.mul %[[NEXT]], %{{.*}} : i64
// CHECK: %[[BASE:.*]] = llvm.getelementptr %{{.*}}[%[[AT]]]
// CHECK: %[[A:.*]] = llvm.getelementptr %[[BASE]][2]
// CHECK: llvm.load %[[A]]
func.func @dynamic_stride(%n: index, %i: index) -> vector<4xf32> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x = memref.alloc(%n) : memref<4x?xf32>
  %i1 = arith.addi %i, %c1 : index
  %v = vector.load %x[%i1, %c2] : memref<4x?xf32>, vector<4xf32>
  return %v : vector<4xf32>
}

// No instruction has a constant of more than 32 bits, which is a variable index then, and
// buffers of vectors are upstream's.
// CHECK-LABEL: llvm.func @far_or_left
// CHECK: %[[FAR:.*]] = llvm.getelementptr %{{.*}}[%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: %[[A:.*]] = llvm.getelementptr %[[FAR]][1] : (!llvm.ptr) -> !llvm.ptr, f32
// CHECK-NEXT: llvm.load %[[A]]
// CHECK: llvm.getelementptr inbounds|nuw %{{.*}}[%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, vector<4xf32>
// CHECK-NEXT: llvm.load
func.func @far_or_left(%x: memref<4x4294967296xf32>, %y: memref<8xvector<4xf32>>) -> vector<4xf32> {
  %c1 = arith.constant 1 : index
  %v = vector.load %x[%c1, %c1] : memref<4x4294967296xf32>, vector<4xf32>
  %w = memref.load %y[%c1] : memref<8xvector<4xf32>>
  %s = arith.addf %v, %w : vector<4xf32>
  return %s : vector<4xf32>
}
