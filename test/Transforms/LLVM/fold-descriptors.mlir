// RUN: nacre-opt %s --fold-descriptors | FileCheck %s

// CHECK-LABEL: llvm.func @field_that_was_written_is_its_value
// CHECK-SAME: (%[[POINTER:.*]]: !llvm.ptr, %{{.*}}: i64)
// CHECK-NEXT: llvm.return %[[POINTER]]
llvm.func @field_that_was_written_is_its_value(%pointer: !llvm.ptr, %offset: i64) -> !llvm.ptr {
  %0 = llvm.mlir.poison : !llvm.struct<(ptr, i64)>
  %1 = llvm.insertvalue %pointer, %0[0] : !llvm.struct<(ptr, i64)>
  %2 = llvm.insertvalue %offset, %1[1] : !llvm.struct<(ptr, i64)>
  %3 = llvm.extractvalue %2[0] : !llvm.struct<(ptr, i64)>
  llvm.return %3 : !llvm.ptr
}

// CHECK-LABEL: llvm.func @field_of_an_argument_is_read
// CHECK: llvm.extractvalue %{{.*}}[1]
llvm.func @field_of_an_argument_is_read(%descriptor: !llvm.struct<(ptr, i64)>) -> i64 {
  %0 = llvm.extractvalue %descriptor[1] : !llvm.struct<(ptr, i64)>
  llvm.return %0 : i64
}

// CHECK-LABEL: llvm.func @descriptor_that_is_stored_stays
// CHECK: %[[FILLED:.*]] = llvm.insertvalue %{{.*}}[0]
// CHECK: llvm.store %[[FILLED]]
llvm.func @descriptor_that_is_stored_stays(%pointer: !llvm.ptr, %to: !llvm.ptr) {
  %0 = llvm.mlir.poison : !llvm.struct<(ptr, i64)>
  %1 = llvm.insertvalue %pointer, %0[0] : !llvm.struct<(ptr, i64)>
  llvm.store %1, %to : !llvm.struct<(ptr, i64)>, !llvm.ptr
  llvm.return
}

// CHECK-LABEL: llvm.func @arithmetic_is_left_to_llvm
// CHECK: llvm.add
llvm.func @arithmetic_is_left_to_llvm(%x: i64) -> i64 {
  %0 = llvm.mlir.constant(0 : i64) : i64
  %1 = llvm.add %x, %0 : i64
  llvm.return %1 : i64
}
