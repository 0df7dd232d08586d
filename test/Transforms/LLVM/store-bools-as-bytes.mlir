// RUN: nacre-opt %s -store-bools-as-bytes | FileCheck %s

// CHECK-LABEL: llvm.func @inverts(
// CHECK: %[[BYTE:.*]] = llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr -> i8
// CHECK: %[[ZERO:.*]] = llvm.mlir.constant(0 : i8) : i8
// CHECK: %[[BIT:.*]] = llvm.icmp "ne" %[[BYTE]], %[[ZERO]] : i8
// CHECK: %[[NOT:.*]] = llvm.xor %[[BIT]], %{{.*}} : i1
// CHECK: %[[STORED:.*]] = llvm.zext %[[NOT]] : i1 to i8
// CHECK: llvm.store %[[STORED]], %{{.*}} {alignment = 1 : i64} : i8, !llvm.ptr
llvm.func @inverts(%from: !llvm.ptr, %to: !llvm.ptr) {
  %true = llvm.mlir.constant(true) : i1
  %bit = llvm.load %from {alignment = 1 : i64} : !llvm.ptr -> i1
  %not = llvm.xor %bit, %true : i1
  llvm.store %not, %to {alignment = 1 : i64} : i1, !llvm.ptr
  llvm.return
}

// CHECK-LABEL: llvm.func @other_integers_stay
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> i8
// CHECK-NOT: llvm.icmp
// CHECK: llvm.store %{{.*}}, %{{.*}} : i32, !llvm.ptr
llvm.func @other_integers_stay(%from: !llvm.ptr, %to: !llvm.ptr) {
  %byte = llvm.load %from : !llvm.ptr -> i8
  %word = llvm.zext %byte : i8 to i32
  llvm.store %word, %to : i32, !llvm.ptr
  llvm.return
}
