// RUN: nacre-opt %s -release-values | FileCheck %s

func.func private @nacre_sequence_empty() -> !llvm.ptr
func.func private @nacre_sequence_append(!llvm.ptr, !llvm.ptr) -> !llvm.ptr
func.func private @nacre_sequence_at(!llvm.ptr, i64) -> !llvm.ptr
func.func private @nacre_sequence_concat(!llvm.ptr, i64) -> !llvm.ptr
func.func private @nacre_length(!llvm.ptr) -> i64
func.func private @nacre_tensor_data(!llvm.ptr) -> memref<1xi8>
func.func private @use(memref<1xi8>)

// CHECK-LABEL: func @value_is_dropped_after_its_last_use
func.func @value_is_dropped_after_its_last_use() -> i64 {
  // CHECK: %[[V:.*]] = call @nacre_sequence_empty
  // CHECK-NEXT: %[[L:.*]] = call @nacre_length(%[[V]])
  // CHECK-NEXT: call @nacre_drop(%[[V]])
  // CHECK-NEXT: return %[[L]]
  %0 = call @nacre_sequence_empty() : () -> !llvm.ptr
  %1 = call @nacre_length(%0) : (!llvm.ptr) -> i64
  return %1 : i64
}

// CHECK-LABEL: func @value_without_uses_is_dropped_at_once
func.func @value_without_uses_is_dropped_at_once() {
  // CHECK: %[[V:.*]] = call @nacre_sequence_empty
  // CHECK-NEXT: call @nacre_drop(%[[V]])
  %0 = call @nacre_sequence_empty() : () -> !llvm.ptr
  return
}

// CHECK-LABEL: func @what_the_caller_owns_and_what_it_gets_stays
// CHECK-NOT: nacre_drop
// CHECK-NOT: nacre_keep
// CHECK: return
func.func @what_the_caller_owns_and_what_it_gets_stays(%x: !llvm.ptr) -> (!llvm.ptr, !llvm.ptr) {
  %0 = call @nacre_sequence_empty() : () -> !llvm.ptr
  return %x, %0 : !llvm.ptr, !llvm.ptr
}

// CHECK-LABEL: func @value_returned_twice_has_two_owners
func.func @value_returned_twice_has_two_owners() -> (!llvm.ptr, !llvm.ptr) {
  // CHECK: %[[V:.*]] = call @nacre_sequence_empty
  // CHECK-NEXT: call @nacre_keep(%[[V]])
  // CHECK-NEXT: return %[[V]], %[[V]]
  %0 = call @nacre_sequence_empty() : () -> !llvm.ptr
  return %0, %0 : !llvm.ptr, !llvm.ptr
}

// CHECK-LABEL: func @view_keeps_its_value
func.func @view_keeps_its_value(%s: !llvm.ptr) -> memref<1xi8> {
  %c0 = arith.constant 0 : i64
  // CHECK: %[[V:.*]] = call @nacre_sequence_at
  // CHECK-NEXT: %[[DATA:.*]] = call @nacre_tensor_data(%[[V]])
  // CHECK-NEXT: %[[VIEW:.*]] = memref.cast %[[DATA]]
  // CHECK-NEXT: %[[COPY:.*]] = memref.alloc
  // CHECK-NEXT: memref.copy %[[VIEW]], %[[COPY]]
  // CHECK-NEXT: call @nacre_drop(%[[V]])
  %0 = call @nacre_sequence_at(%s, %c0) : (!llvm.ptr, i64) -> !llvm.ptr
  %1 = call @nacre_tensor_data(%0) : (!llvm.ptr) -> memref<1xi8>
  %2 = memref.cast %1 : memref<1xi8> to memref<?xi8>
  %3 = memref.alloc() : memref<1xi8>
  memref.copy %2, %3 : memref<?xi8> to memref<1xi8>
  return %3 : memref<1xi8>
}

// CHECK-LABEL: func @value_whose_view_leaves_the_branch_stays
func.func @value_whose_view_leaves_the_branch_stays(%s: !llvm.ptr, %c: i1, %other: memref<1xi8>) {
  %c0 = arith.constant 0 : i64
  // CHECK: scf.if
  // CHECK-NEXT: %[[V:.*]] = func.call @nacre_sequence_at
  // CHECK-NEXT: %[[DATA:.*]] = func.call @nacre_tensor_data(%[[V]])
  // CHECK-NEXT: scf.yield %[[DATA]]
  %0 = scf.if %c -> (memref<1xi8>) {
    %1 = func.call @nacre_sequence_at(%s, %c0) : (!llvm.ptr, i64) -> !llvm.ptr
    %2 = func.call @nacre_tensor_data(%1) : (!llvm.ptr) -> memref<1xi8>
    scf.yield %2 : memref<1xi8>
  } else {
    scf.yield %other : memref<1xi8>
  }
  call @use(%0) : (memref<1xi8>) -> ()
  return
}

// CHECK-LABEL: func @loop_appends_in_place
func.func @loop_appends_in_place(%n: index, %x: !llvm.ptr) -> !llvm.ptr {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[EMPTY:.*]] = call @nacre_sequence_empty
  // CHECK-NEXT: %[[ALL:.*]] = scf.for {{.*}} iter_args(%[[LIST:.*]] = %[[EMPTY]])
  // CHECK-NEXT: %[[LONGER:.*]] = func.call @nacre_sequence_append_in_place(%[[LIST]], %{{.*}})
  // CHECK-NEXT: scf.yield %[[LONGER]]
  // CHECK-NEXT: }
  // CHECK-NEXT: return %[[ALL]]
  %empty = call @nacre_sequence_empty() : () -> !llvm.ptr
  %all = scf.for %i = %c0 to %n step %c1 iter_args(%list = %empty) -> (!llvm.ptr) {
    %longer = func.call @nacre_sequence_append(%list, %x) : (!llvm.ptr, !llvm.ptr) -> !llvm.ptr
    scf.yield %longer : !llvm.ptr
  }
  return %all : !llvm.ptr
}

// CHECK-LABEL: func @sequence_that_is_used_again_is_copied
func.func @sequence_that_is_used_again_is_copied(%x: !llvm.ptr) -> i64 {
  // CHECK: %[[V:.*]] = call @nacre_sequence_empty
  // CHECK-NEXT: %[[LONGER:.*]] = call @nacre_sequence_append(%[[V]], %{{.*}})
  // CHECK-NEXT: call @nacre_drop(%[[LONGER]])
  // CHECK-NEXT: call @nacre_length(%[[V]])
  // CHECK-NEXT: call @nacre_drop(%[[V]])
  %0 = call @nacre_sequence_empty() : () -> !llvm.ptr
  %1 = call @nacre_sequence_append(%0, %x) : (!llvm.ptr, !llvm.ptr) -> !llvm.ptr
  %2 = call @nacre_length(%0) : (!llvm.ptr) -> i64
  return %2 : i64
}

// CHECK-LABEL: func @loop_that_starts_from_what_it_uses_gets_an_owner_of_its_own
func.func @loop_that_starts_from_what_it_uses_gets_an_owner_of_its_own(%n: index) -> !llvm.ptr {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[V:.*]] = call @nacre_sequence_empty
  // CHECK-NEXT: call @nacre_keep(%[[V]])
  // CHECK-NEXT: %[[LAST:.*]] = scf.for {{.*}} iter_args(%[[A:.*]] = %[[V]])
  // CHECK-NEXT: func.call @nacre_length(%[[V]])
  // CHECK-NEXT: func.call @nacre_length(%[[A]])
  // CHECK-NEXT: func.call @nacre_drop(%[[A]])
  // CHECK-NEXT: func.call @nacre_keep(%[[V]])
  // CHECK-NEXT: scf.yield %[[V]]
  // CHECK-NEXT: }
  // CHECK-NEXT: call @nacre_drop(%[[V]])
  // CHECK-NEXT: return %[[LAST]]
  %0 = call @nacre_sequence_empty() : () -> !llvm.ptr
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %0) -> (!llvm.ptr) {
    %2 = func.call @nacre_length(%0) : (!llvm.ptr) -> i64
    %3 = func.call @nacre_length(%a) : (!llvm.ptr) -> i64
    scf.yield %0 : !llvm.ptr
  }
  return %1 : !llvm.ptr
}

// CHECK-LABEL: func @loop_that_reads_a_view_of_what_it_starts_from_gets_another
func.func @loop_that_reads_a_view_of_what_it_starts_from_gets_another(%n: index, %s: !llvm.ptr) -> !llvm.ptr {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = arith.constant 0 : i64
  // CHECK: %[[V:.*]] = call @nacre_sequence_at
  // CHECK-NEXT: call @nacre_tensor_data(%[[V]])
  // CHECK-NEXT: call @nacre_keep(%[[V]])
  // CHECK-NEXT: scf.for
  // CHECK: }
  // CHECK-NEXT: call @nacre_drop(%[[V]])
  %0 = call @nacre_sequence_at(%s, %p) : (!llvm.ptr, i64) -> !llvm.ptr
  %data = call @nacre_tensor_data(%0) : (!llvm.ptr) -> memref<1xi8>
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %0) -> (!llvm.ptr) {
    func.call @use(%data) : (memref<1xi8>) -> ()
    %2 = func.call @nacre_sequence_concat(%a, %p) : (!llvm.ptr, i64) -> !llvm.ptr
    scf.yield %2 : !llvm.ptr
  }
  return %1 : !llvm.ptr
}

// CHECK-LABEL: func @one_of_two_has_an_owner_of_its_own
func.func @one_of_two_has_an_owner_of_its_own(%c: i1) -> !llvm.ptr {
  // CHECK: %[[A:.*]] = call @nacre_sequence_empty
  // CHECK: %[[B:.*]] = call @nacre_sequence_empty
  // CHECK-NEXT: %[[ONE:.*]] = arith.select %{{.*}}, %[[A]], %[[B]]
  // CHECK-NEXT: call @nacre_keep(%[[ONE]])
  // CHECK-DAG: call @nacre_drop(%[[A]])
  // CHECK-DAG: call @nacre_drop(%[[B]])
  // CHECK: return %[[ONE]]
  %a = call @nacre_sequence_empty() : () -> !llvm.ptr
  %b = call @nacre_sequence_empty() : () -> !llvm.ptr
  %0 = arith.select %c, %a, %b : !llvm.ptr
  return %0 : !llvm.ptr
}

// CHECK-LABEL: func @while_hands_its_values_around
func.func @while_hands_its_values_around(%x: !llvm.ptr) -> i64 {
  // CHECK: scf.while (%[[A:.*]] = %{{.*}})
  // CHECK-NEXT: func.call @nacre_length(%[[A]])
  // CHECK-NOT: nacre_drop
  // CHECK-NOT: nacre_keep
  // CHECK: scf.condition(%{{.*}}) %[[A]]
  // CHECK: ^bb0(%[[B:.*]]: !llvm.ptr)
  // CHECK-NEXT: func.call @nacre_sequence_append_in_place(%[[B]]
  // CHECK: }
  // CHECK-NEXT: %[[L:.*]] = call @nacre_length
  // CHECK-NEXT: call @nacre_drop
  %c9 = arith.constant 9 : i64
  %0 = call @nacre_sequence_empty() : () -> !llvm.ptr
  %1 = scf.while (%a = %0) : (!llvm.ptr) -> !llvm.ptr {
    %2 = func.call @nacre_length(%a) : (!llvm.ptr) -> i64
    %3 = arith.cmpi slt, %2, %c9 : i64
    scf.condition(%3) %a : !llvm.ptr
  } do {
  ^bb0(%b: !llvm.ptr):
    %4 = func.call @nacre_sequence_append(%b, %x) : (!llvm.ptr, !llvm.ptr) -> !llvm.ptr
    scf.yield %4 : !llvm.ptr
  }
  %5 = call @nacre_length(%1) : (!llvm.ptr) -> i64
  return %5 : i64
}
