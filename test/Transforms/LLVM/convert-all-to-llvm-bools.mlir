// RUN: nacre-opt %s -convert-all-to-llvm | FileCheck %s

// CHECK-LABEL: llvm.func @bool_in_memory_is_a_byte(
// CHECK: %[[BYTE:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i8
// CHECK: %[[ZERO:.*]] = llvm.mlir.constant(0 : i8) : i8
// CHECK: %[[BIT:.*]] = llvm.icmp "ne" %[[BYTE]], %[[ZERO]] : i8
// CHECK: %[[NOT:.*]] = llvm.xor %[[BIT]], %{{.*}} : i1
// CHECK: %[[STORED:.*]] = llvm.zext %[[NOT]] : i1 to i8
// CHECK: llvm.store %[[STORED]], %{{.*}} : i8, !llvm.ptr
func.func @bool_in_memory_is_a_byte(%from: memref<4xi1>, %to: memref<4xi1>, %i: index) {
  %true = arith.constant true
  %bit = memref.load %from[%i] : memref<4xi1>
  %not = arith.xori %bit, %true : i1
  memref.store %not, %to[%i] : memref<4xi1>
  return
}

// What is further from the start than an instruction's constant reaches is
// converted like all else.
// CHECK-LABEL: llvm.func @bool_far_from_the_start_is_a_byte(
// CHECK: %[[BYTE:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i8
// CHECK: %[[BIT:.*]] = llvm.icmp "ne" %[[BYTE]], %{{.*}} : i8
// CHECK: %[[STORED:.*]] = llvm.zext %[[BIT]] : i1 to i8
// CHECK: llvm.store %[[STORED]], %{{.*}} : i8, !llvm.ptr
func.func @bool_far_from_the_start_is_a_byte(%buffer: memref<3000000000x2xi1>) {
  %far = arith.constant 2500000000 : index
  %zero = arith.constant 0 : index
  %bit = memref.load %buffer[%far, %zero] : memref<3000000000x2xi1>
  memref.store %bit, %buffer[%far, %zero] : memref<3000000000x2xi1>
  return
}

// CHECK-LABEL: llvm.func @other_integers_stay
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> i8
// CHECK-NOT: llvm.icmp
// CHECK: llvm.store %{{.*}}, %{{.*}} : i32, !llvm.ptr
func.func @other_integers_stay(%from: memref<4xi8>, %to: memref<4xi32>, %i: index) {
  %byte = memref.load %from[%i] : memref<4xi8>
  %word = arith.extui %byte : i8 to i32
  memref.store %word, %to[%i] : memref<4xi32>
  return
}

// Vectors of bits stay masks.
// CHECK-LABEL: llvm.func @vectors_of_bools_stay
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> vector<8xi1>
// CHECK: llvm.store %{{.*}} : vector<8xi1>, !llvm.ptr
func.func @vectors_of_bools_stay(%from: memref<8xi1>, %to: memref<8xi1>, %i: index) {
  %bits = vector.load %from[%i] : memref<8xi1>, vector<8xi1>
  vector.store %bits, %to[%i] : memref<8xi1>, vector<8xi1>
  return
}
