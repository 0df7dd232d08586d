// RUN: nacre-opt %s -release-values -allow-unregistered-dialect | FileCheck %s

func.func private @use(memref<1xi8>)

// CHECK-LABEL: func @value_is_dropped_after_its_last_use
func.func @value_is_dropped_after_its_last_use() -> i64 {
  // CHECK: %[[V:.*]] = rt.sequence_empty
  // CHECK-NEXT: %[[L:.*]] = rt.length %[[V]]
  // CHECK-NEXT: rt.drop %[[V]]
  // CHECK-NEXT: return %[[L]]
  %0 = rt.sequence_empty
  %1 = rt.length %0
  return %1 : i64
}

// CHECK-LABEL: func @value_without_uses_is_dropped_at_once
func.func @value_without_uses_is_dropped_at_once() {
  // CHECK: %[[V:.*]] = rt.sequence_empty
  // CHECK-NEXT: rt.drop %[[V]]
  %0 = rt.sequence_empty
  return
}

// CHECK-LABEL: func @what_the_caller_owns_and_what_it_gets_stays
// CHECK-NOT: rt.drop
// CHECK-NOT: rt.keep
// CHECK: return
func.func @what_the_caller_owns_and_what_it_gets_stays(%x: !rt.value) -> (!rt.value, !rt.value) {
  %0 = rt.sequence_empty
  return %x, %0 : !rt.value, !rt.value
}

// CHECK-LABEL: func @value_returned_twice_has_two_owners
func.func @value_returned_twice_has_two_owners() -> (!rt.value, !rt.value) {
  // CHECK: %[[V:.*]] = rt.sequence_empty
  // CHECK-NEXT: rt.keep %[[V]]
  // CHECK-NEXT: return %[[V]], %[[V]]
  %0 = rt.sequence_empty
  return %0, %0 : !rt.value, !rt.value
}

// CHECK-LABEL: func @view_keeps_its_value
func.func @view_keeps_its_value(%s: !rt.value) -> memref<1xi8> {
  %c0 = arith.constant 0 : i64
  // CHECK: %[[V:.*]] = rt.sequence_at
  // CHECK-NEXT: %[[DATA:.*]] = rt.tensor_data %[[V]]
  // CHECK-NEXT: %[[VIEW:.*]] = memref.cast %[[DATA]]
  // CHECK-NEXT: %[[COPY:.*]] = memref.alloc
  // CHECK-NEXT: memref.copy %[[VIEW]], %[[COPY]]
  // CHECK-NEXT: rt.drop %[[V]]
  %0 = rt.sequence_at %s, %c0
  %1 = rt.tensor_data %0
  %2 = memref.cast %1 : memref<1xi8> to memref<?xi8>
  %3 = memref.alloc() : memref<1xi8>
  memref.copy %2, %3 : memref<?xi8> to memref<1xi8>
  return %3 : memref<1xi8>
}

// CHECK-LABEL: func @value_whose_view_leaves_the_branch_stays
func.func @value_whose_view_leaves_the_branch_stays(%s: !rt.value, %c: i1, %other: memref<1xi8>) {
  %c0 = arith.constant 0 : i64
  // CHECK: scf.if
  // CHECK-NEXT: %[[V:.*]] = rt.sequence_at
  // CHECK-NEXT: %[[DATA:.*]] = rt.tensor_data %[[V]]
  // CHECK-NEXT: scf.yield %[[DATA]]
  %0 = scf.if %c -> (memref<1xi8>) {
    %1 = rt.sequence_at %s, %c0
    %2 = rt.tensor_data %1
    scf.yield %2 : memref<1xi8>
  } else {
    scf.yield %other : memref<1xi8>
  }
  call @use(%0) : (memref<1xi8>) -> ()
  return
}

// CHECK-LABEL: func @loop_appends_in_place
func.func @loop_appends_in_place(%n: index, %x: !rt.value) -> !rt.value {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[EMPTY:.*]] = rt.sequence_empty
  // CHECK-NEXT: %[[ALL:.*]] = scf.for {{.*}} iter_args(%[[LIST:.*]] = %[[EMPTY]])
  // CHECK-NEXT: %[[LONGER:.*]] = rt.sequence_append in_place %[[LIST]], %{{.*}}
  // CHECK-NEXT: scf.yield %[[LONGER]]
  // CHECK-NEXT: }
  // CHECK-NEXT: return %[[ALL]]
  %empty = rt.sequence_empty
  %all = scf.for %i = %c0 to %n step %c1 iter_args(%list = %empty) -> (!rt.value) {
    %longer = rt.sequence_append %list, %x
    scf.yield %longer : !rt.value
  }
  return %all : !rt.value
}

// CHECK-LABEL: func @sequence_that_is_used_again_is_copied
func.func @sequence_that_is_used_again_is_copied(%x: !rt.value) -> i64 {
  // CHECK: %[[V:.*]] = rt.sequence_empty
  // CHECK-NEXT: %[[LONGER:.*]] = rt.sequence_append %[[V]], %{{.*}}
  // CHECK-NEXT: rt.drop %[[LONGER]]
  // CHECK-NEXT: rt.length %[[V]]
  // CHECK-NEXT: rt.drop %[[V]]
  %0 = rt.sequence_empty
  %1 = rt.sequence_append %0, %x
  %2 = rt.length %0
  return %2 : i64
}

// CHECK-LABEL: func @loop_that_starts_from_what_it_uses_gets_an_owner_of_its_own
func.func @loop_that_starts_from_what_it_uses_gets_an_owner_of_its_own(%n: index) -> !rt.value {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[V:.*]] = rt.sequence_empty
  // CHECK-NEXT: rt.keep %[[V]]
  // CHECK-NEXT: %[[LAST:.*]] = scf.for {{.*}} iter_args(%[[A:.*]] = %[[V]])
  // CHECK-NEXT: rt.length %[[V]]
  // CHECK-NEXT: rt.length %[[A]]
  // CHECK-NEXT: rt.drop %[[A]]
  // CHECK-NEXT: rt.keep %[[V]]
  // CHECK-NEXT: scf.yield %[[V]]
  // CHECK-NEXT: }
  // CHECK-NEXT: rt.drop %[[V]]
  // CHECK-NEXT: return %[[LAST]]
  %0 = rt.sequence_empty
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %0) -> (!rt.value) {
    %2 = rt.length %0
    %3 = rt.length %a
    scf.yield %0 : !rt.value
  }
  return %1 : !rt.value
}

// CHECK-LABEL: func @loop_that_reads_a_view_of_what_it_starts_from_gets_another
func.func @loop_that_reads_a_view_of_what_it_starts_from_gets_another(%n: index, %s: !rt.value) -> !rt.value {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = arith.constant 0 : i64
  // CHECK: %[[V:.*]] = rt.sequence_at
  // CHECK-NEXT: rt.tensor_data %[[V]]
  // CHECK-NEXT: rt.keep %[[V]]
  // CHECK-NEXT: scf.for
  // CHECK: }
  // CHECK-NEXT: rt.drop %[[V]]
  %0 = rt.sequence_at %s, %p
  %data = rt.tensor_data %0
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %0) -> (!rt.value) {
    func.call @use(%data) : (memref<1xi8>) -> ()
    %2 = rt.sequence_concat %a, 0
    scf.yield %2 : !rt.value
  }
  return %1 : !rt.value
}

// CHECK-LABEL: func @one_of_two_has_an_owner_of_its_own
func.func @one_of_two_has_an_owner_of_its_own(%c: i1) -> !rt.value {
  // CHECK: %[[A:.*]] = rt.sequence_empty
  // CHECK: %[[B:.*]] = rt.sequence_empty
  // CHECK-NEXT: %[[ONE:.*]] = arith.select %{{.*}}, %[[A]], %[[B]]
  // CHECK-NEXT: rt.keep %[[ONE]]
  // CHECK-DAG: rt.drop %[[A]]
  // CHECK-DAG: rt.drop %[[B]]
  // CHECK: return %[[ONE]]
  %a = rt.sequence_empty
  %b = rt.sequence_empty
  %0 = arith.select %c, %a, %b : !rt.value
  return %0 : !rt.value
}

// CHECK-LABEL: func @while_hands_its_values_around
func.func @while_hands_its_values_around(%x: !rt.value) -> i64 {
  // CHECK: scf.while (%[[A:.*]] = %{{.*}})
  // CHECK-NEXT: rt.length %[[A]]
  // CHECK-NOT: rt.drop
  // CHECK-NOT: rt.keep
  // CHECK: scf.condition(%{{.*}}) %[[A]]
  // CHECK: ^bb0(%[[B:.*]]: !rt.value)
  // CHECK-NEXT: rt.sequence_append in_place %[[B]]
  // CHECK: }
  // CHECK-NEXT: %[[L:.*]] = rt.length
  // CHECK-NEXT: rt.drop
  %c9 = arith.constant 9 : i64
  %0 = rt.sequence_empty
  %1 = scf.while (%a = %0) : (!rt.value) -> !rt.value {
    %2 = rt.length %a
    %3 = arith.cmpi slt, %2, %c9 : i64
    scf.condition(%3) %a : !rt.value
  } do {
  ^bb0(%b: !rt.value):
    %4 = rt.sequence_append %b, %x
    scf.yield %4 : !rt.value
  }
  %5 = rt.length %1
  return %5 : i64
}

// CHECK-LABEL: func @each_change_of_what_nobody_uses_afterwards_is_in_place
func.func @each_change_of_what_nobody_uses_afterwards_is_in_place(%x: !rt.value, %p: i64) -> !rt.value {
  // CHECK: rt.sequence_insert in_place
  // CHECK-NEXT: rt.sequence_erase in_place
  // CHECK-NEXT: %[[LAST:.*]] = rt.sequence_erase_last in_place
  // CHECK-NEXT: return %[[LAST]]
  %0 = rt.sequence_empty
  %1 = rt.sequence_insert %0, %x, %p
  %2 = rt.sequence_erase %1, %p
  %3 = rt.sequence_erase_last %2
  return %3 : !rt.value
}

// What the caller owns is not the block's to change.
// CHECK-LABEL: func @argument_is_copied
func.func @argument_is_copied(%s: !rt.value) -> !rt.value {
  // CHECK-NEXT: rt.sequence_erase_last %
  // CHECK-NEXT: return
  %0 = rt.sequence_erase_last %s
  return %0 : !rt.value
}

// CHECK-LABEL: func @value_that_is_two_operands_is_copied
func.func @value_that_is_two_operands_is_copied() -> !rt.value {
  // CHECK: %[[V:.*]] = rt.sequence_empty
  // CHECK-NEXT: %[[LONGER:.*]] = rt.sequence_append %[[V]], %[[V]]
  // CHECK-NEXT: rt.drop %[[V]]
  // CHECK-NEXT: return %[[LONGER]]
  %0 = rt.sequence_empty
  %1 = rt.sequence_append %0, %0
  return %1 : !rt.value
}

// What `test.use` does to owners is not known.
// CHECK-LABEL: func @function_with_an_op_without_the_interface_stays
// CHECK-NOT: in_place
// CHECK-NOT: rt.drop
// CHECK: return
func.func @function_with_an_op_without_the_interface_stays(%x: !rt.value) -> i64 {
  %0 = rt.sequence_empty
  %1 = rt.sequence_append %0, %x
  "test.use"(%1) : (!rt.value) -> ()
  %2 = rt.length %1
  return %2 : i64
}
