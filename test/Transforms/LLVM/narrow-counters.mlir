// RUN: nacre-opt %s -narrow-counters -split-input-file | FileCheck %s

// The body goes on with an index, which LLVM narrows by itself.
// CHECK-LABEL: func @known_bounds_are_counted_in_32_bits
// CHECK-SAME: %[[X:.*]]: memref<100xf32>
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : i32
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : i32
// CHECK-DAG: %[[C100:.*]] = arith.constant 100 : i32
// CHECK: scf.for %[[I:.*]] = %[[C0]] to %[[C100]] step %[[C1]] : i32 {
// CHECK-NEXT: %[[INDEX:.*]] = arith.index_cast %[[I]] : i32 to index
// CHECK-NEXT: memref.store %{{.*}}, %[[X]][%[[INDEX]]]
module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.ptr = dense<32> : vector<4xi64>>} {
  func.func @known_bounds_are_counted_in_32_bits(%x: memref<100xf32>, %v: f32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c100 = arith.constant 100 : index
    scf.for %i = %c0 to %c100 step %c1 {
      memref.store %v, %x[%i] : memref<100xf32>
    }
    return
  }
}

// -----

// The end of a tile at the border is as small as the counter around it.
// CHECK-LABEL: func @bounds_that_follow_from_others_are_known
// CHECK: scf.for %{{.*}} : i32 {
// CHECK: scf.for %{{.*}} : i32 {
module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.ptr = dense<32> : vector<4xi64>>} {
  func.func @bounds_that_follow_from_others_are_known(%x: memref<100xf32>, %v: f32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c100 = arith.constant 100 : index
    scf.for %i = %c0 to %c100 step %c8 {
      %next = arith.addi %i, %c8 : index
      %end = arith.minsi %next, %c100 : index
      scf.for %j = %i to %end step %c1 {
        memref.store %v, %x[%j] : memref<100xf32>
      }
    }
    return
  }
}

// -----

// What else is known of a loop stays, and so does what it carries.
// CHECK: #[[ROLLED:.*]] = #llvm.loop_annotation
// CHECK-LABEL: func @annotation_and_values_are_kept
// CHECK: %[[SUM:.*]] = scf.for %{{.*}} iter_args(%{{.*}} = %{{.*}}) -> (index) : i32 {
// CHECK: } {loop_annotation = #[[ROLLED]]}
// CHECK-NEXT: return %[[SUM]] : index
module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.ptr = dense<32> : vector<4xi64>>} {
  func.func @annotation_and_values_are_kept() -> index {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c100 = arith.constant 100 : index
    %sum = scf.for %i = %c0 to %c100 step %c1 iter_args(%s = %c0) -> index {
      %next = arith.addi %s, %i : index
      scf.yield %next : index
    } {loop_annotation = #llvm.loop_annotation<unroll = <disable = true>>}
    return %sum : index
  }
}

// -----

// CHECK-LABEL: func @bounds_of_a_run_may_be_any
// CHECK: scf.for
// CHECK-NOT: i32
module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.ptr = dense<32> : vector<4xi64>>} {
  func.func @bounds_of_a_run_may_be_any(%x: memref<?xf32>, %v: f32, %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      memref.store %v, %x[%i] : memref<?xf32>
    }
    return
  }
}

// -----

// The counter stops at 2147483648, which is no number of 32 bits.
// CHECK-LABEL: func @last_step_must_fit
// CHECK: scf.for
// CHECK-NOT: i32
module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.ptr = dense<32> : vector<4xi64>>} {
  func.func @last_step_must_fit(%x: memref<?xi8>, %v: i8) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %end = arith.constant 2147483647 : index
    scf.for %i = %c0 to %end step %c1 {
      memref.store %v, %x[%i] : memref<?xi8>
    }
    return
  }
}

// -----

// CHECK-LABEL: func @wide_pointers_change_nothing
// CHECK: scf.for
// CHECK-NOT: i32
func.func @wide_pointers_change_nothing(%x: memref<100xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  scf.for %i = %c0 to %c100 step %c1 {
    memref.store %v, %x[%i] : memref<100xf32>
  }
  return
}
