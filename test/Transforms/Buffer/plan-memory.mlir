// RUN: nacre-opt %s -plan-memory -allow-unregistered-dialect -split-input-file -verify-diagnostics | FileCheck %s

// Buffers alive at different times share bytes: 64 + 128 at once at most.
// CHECK: module attributes {nacre.arena_bytes = 192 : i64, nacre.arena_lower_bound = 192 : i64}
// CHECK-LABEL: func @chain_of_buffers_shares_bytes
// CHECK-SAME: %[[ARENA:[a-z0-9]*]]: memref<192xi8> {nacre.role = #nacre.role<arena>})
func.func @chain_of_buffers_shares_bytes(%in: memref<16xf32>, %out: memref<16xf32>) {
  // CHECK-DAG: %[[A:.*]] = memref.view %[[ARENA]][%c128{{.*}}][] : memref<192xi8> to memref<16xf32>
  // CHECK-DAG: %[[B:.*]] = memref.view %[[ARENA]][%c0{{.*}}][] : memref<192xi8> to memref<32xf32>
  // CHECK-DAG: %[[C:.*]] = memref.view %[[ARENA]][%c128{{.*}}][] : memref<192xi8> to memref<16xf32>
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<32xf32>
  %c = memref.alloc() : memref<16xf32>
  "test.use"(%in, %a) : (memref<16xf32>, memref<16xf32>) -> ()
  "test.use"(%a, %b) : (memref<16xf32>, memref<32xf32>) -> ()
  "test.use"(%b, %c) : (memref<32xf32>, memref<16xf32>) -> ()
  "test.use"(%c, %out) : (memref<16xf32>, memref<16xf32>) -> ()
  return
}

// -----

// CHECK: nacre.arena_bytes = 128
// CHECK-LABEL: func @use_through_a_view_extends_the_lifetime
func.func @use_through_a_view_extends_the_lifetime(%out: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  %view = memref.expand_shape %a [[0, 1]] output_shape [4, 4] : memref<16xf32> into memref<4x4xf32>
  "test.use"(%a) : (memref<16xf32>) -> ()
  %b = memref.alloc() : memref<16xf32>
  "test.use"(%b) : (memref<16xf32>) -> ()
  "test.use"(%view, %b) : (memref<4x4xf32>, memref<16xf32>) -> ()
  return
}

// -----

// Each of the two concurrent iterations has its own 64 bytes.
// CHECK: #[[MAP:.*]] = affine_map<()[s0] -> (s0 * 64)>
// CHECK: nacre.arena_bytes = 128
// CHECK-LABEL: func @allocation_in_forall_is_per_iteration
func.func @allocation_in_forall_is_per_iteration() {
  // CHECK: scf.forall (%[[I:.*]]) in (2)
  scf.forall (%i) in (2) {
    // CHECK: %[[BASE:.*]] = affine.apply #[[MAP]]()[%[[I]]]
    // CHECK: %[[SHIFT:.*]] = arith.addi %[[BASE]], %c0
    // CHECK: memref.view %{{.*}}[%[[SHIFT]]][]
    %a = memref.alloc() : memref<16xf32>
    "test.use"(%a, %i) : (memref<16xf32>, index) -> ()
  }
  return
}

// -----

// What a core wrote in one loop is where it writes in the next.
// CHECK: #[[MAP:.*]] = affine_map<()[s0] -> (s0 * 256)>
// CHECK: nacre.arena_bytes = 512
// CHECK-LABEL: func @iterations_of_two_loops_keep_their_places
func.func @iterations_of_two_loops_keep_their_places() {
  // CHECK: scf.forall (%[[I:.*]]) in (2)
  // CHECK: affine.apply #[[MAP]]()[%[[I]]]
  scf.forall (%i) in (2) {
    %a = memref.alloc() : memref<64xf32>
    "test.use"(%a, %i) : (memref<64xf32>, index) -> ()
  }
  // CHECK: scf.forall (%[[J:.*]]) in (2)
  // CHECK: affine.apply #[[MAP]]()[%[[J]]]
  scf.forall (%i) in (2) {
    %a = memref.alloc() : memref<16xf32>
    "test.use"(%a, %i) : (memref<16xf32>, index) -> ()
  }
  return
}

// -----

// Between places that are 192 bytes apart, the image of 192 would not fit.
// CHECK-DAG: #[[CLOSE:.*]] = affine_map<()[s0] -> (s0 * 64)>
// CHECK-DAG: #[[APART:.*]] = affine_map<()[s0] -> (s0 * 192)>
// CHECK: nacre.arena_bytes = 384
// CHECK-LABEL: func @iterations_of_a_loop_move_where_the_arena_would_grow
func.func @iterations_of_a_loop_move_where_the_arena_would_grow() {
  %image = memref.alloc() : memref<48xf32>
  // CHECK: scf.forall
  // CHECK: affine.apply #[[CLOSE]]
  scf.forall (%i) in (2) {
    %a = memref.alloc() : memref<16xf32>
    "test.use"(%a, %image, %i) : (memref<16xf32>, memref<48xf32>, index) -> ()
  }
  // CHECK: scf.forall
  // CHECK: affine.apply #[[APART]]
  scf.forall (%i) in (2) {
    %a = memref.alloc() : memref<48xf32>
    "test.use"(%a, %i) : (memref<48xf32>, index) -> ()
  }
  return
}

// -----

// A run has two iterations at most.
// CHECK: nacre.arena_bytes = 128
// CHECK-LABEL: func @allocation_in_forall_of_bounded_size_is_for_the_most_iterations
func.func @allocation_in_forall_of_bounded_size_is_for_the_most_iterations(%n: index) {
  %parts = affine.min affine_map<(n) -> (n, 2)>(%n)
  // CHECK: scf.forall (%[[I:.*]]) in (%{{.*}})
  scf.forall (%i) in (%parts) {
    // CHECK: %[[BASE:.*]] = affine.apply
    // CHECK: %[[SHIFT:.*]] = arith.addi %[[BASE]], %c0
    // CHECK: memref.view %{{.*}}[%[[SHIFT]]][]
    %a = memref.alloc() : memref<16xf32>
    "test.use"(%a, %i) : (memref<16xf32>, index) -> ()
  }
  return
}

// -----

// Two parts are shared between two loops: together they have two iterations, which
// the run numbers without gaps.
// CHECK: nacre.arena_bytes = 128
// CHECK-LABEL: func @allocation_in_forall_of_shared_parts_is_for_all_of_them
func.func @allocation_in_forall_of_shared_parts_is_for_all_of_them(%n: index, %m: index) {
  %parts = affine.min affine_map<(n) -> (n, 2)>(%n)
  %some = affine.min affine_map<(n, m) -> (n, m)>(%parts, %m)
  %taken = affine.max affine_map<()[n] -> (1, n)>()[%some]
  // CHECK: %[[REST:.*]] = arith.divui
  %rest = arith.divui %parts, %taken : index
  // CHECK: scf.forall (%[[I:.*]], %[[J:.*]]) in (%{{.*}}, %[[REST]])
  scf.forall (%i, %j) in (%taken, %rest) {
    // CHECK: %[[BEFORE:.*]] = arith.muli %[[I]], %[[REST]]
    // CHECK: %[[NUMBER:.*]] = arith.addi %[[BEFORE]], %[[J]]
    // CHECK: %[[BASE:.*]] = affine.apply #{{.*}}()[%[[NUMBER]]]
    // CHECK: %[[SHIFT:.*]] = arith.addi %[[BASE]], %c0
    // CHECK: memref.view %{{.*}}[%[[SHIFT]]][]
    %a = memref.alloc() : memref<16xf32>
    "test.use"(%a, %i, %j) : (memref<16xf32>, index, index) -> ()
  }
  return
}

// -----

// The first loop has one part where the second one has steps enough.
// CHECK: nacre.arena_bytes = 192
// CHECK-LABEL: func @allocation_in_forall_of_left_parts_is_for_all_of_them
func.func @allocation_in_forall_of_left_parts_is_for_all_of_them(%n: index, %m: index, %enough: i1) {
  %one = arith.constant 1 : index
  %parts = affine.min affine_map<(n) -> (n, 3)>(%n)
  %some = affine.min affine_map<(n, m) -> (n, m)>(%parts, %m)
  %most = affine.max affine_map<()[n] -> (1, n)>()[%some]
  %taken = arith.select %enough, %one, %most : index
  %rest = arith.divui %parts, %taken : index
  scf.forall (%i, %j) in (%taken, %rest) {
    %a = memref.alloc() : memref<16xf32>
    "test.use"(%a, %i, %j) : (memref<16xf32>, index, index) -> ()
  }
  return
}

// -----

// CHECK: nacre.arena_bytes = 0
// CHECK-LABEL: func @function_without_buffers_gets_an_empty_arena
// CHECK-SAME: memref<0xi8>
func.func @function_without_buffers_gets_an_empty_arena(%in: memref<16xf32>) {
  return
}

// -----

// A dynamic size: freed after the last use, that of a view of it.
// CHECK: nacre.arena_bytes = 64
// CHECK-LABEL: func @dynamic_buffer_is_freed_after_its_last_use
// CHECK: %[[A:.*]] = memref.alloc(%{{.*}}) : memref<?xf32>
// CHECK: "test.write"
// CHECK-NEXT: "test.read"
// CHECK-NEXT: memref.dealloc %[[A]]
// CHECK-NEXT: "test.other"
func.func @dynamic_buffer_is_freed_after_its_last_use(%n: index) {
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc() : memref<16xf32>
  %view = memref.subview %a[0] [2] [1] : memref<?xf32> to memref<2xf32, strided<[1]>>
  "test.write"(%a) : (memref<?xf32>) -> ()
  "test.read"(%view, %b) : (memref<2xf32, strided<[1]>>, memref<16xf32>) -> ()
  "test.other"() : () -> ()
  return
}

// -----

// The run frees it: its last use is in another iteration, or later.
// CHECK-LABEL: func @dynamic_buffer_that_leaves_its_block_stays
// CHECK: memref.alloc
// CHECK-NOT: memref.dealloc
func.func @dynamic_buffer_that_leaves_its_block_stays(%n: index, %init: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %init) -> (memref<?xf32>) {
    %a = memref.alloc(%i) : memref<?xf32>
    "test.write"(%a, %x) : (memref<?xf32>, memref<?xf32>) -> ()
    scf.yield %a : memref<?xf32>
  }
  "test.read"(%r) : (memref<?xf32>) -> ()
  return
}

// -----

func.func @returned_buffer_is_an_error() -> memref<4xf32> {
  // expected-error @+1 {{expected a buffer that does not leave its block}}
  %a = memref.alloc() : memref<4xf32>
  return %a : memref<4xf32>
}

// -----

func.func @allocation_in_forall_without_a_bound_is_refused(%n: index) {
  // expected-error @+1 {{expected constant bounds around allocations}}
  scf.forall (%i) in (%n) {
    %a = memref.alloc() : memref<16xf32>
    "test.use"(%a, %i) : (memref<16xf32>, index) -> ()
  }
  return
}

// -----

// What one run of @main needs at a time counts, wherever its buffers are.
module attributes {nacre.memory_limit = 4096 : i64} {
  func.func @buffers_beyond_the_memory_that_is_left_are_refused(%x: memref<768xf32>) {
    %a = memref.alloc() : memref<256xf32>
    // expected-error @+1 {{what is computed at a time needs 4160 bytes, 3072 of them for 'memref<768xf32>', but there are 4096 bytes of memory}}
    %b = memref.alloc() : memref<768xf32>
    %c = memref.alloc() : memref<16xf32>
    "test.use"(%a, %b, %c, %x) : (memref<256xf32>, memref<768xf32>, memref<16xf32>, memref<768xf32>) -> ()
    return
  }
}

// -----

func.func @buffer_of_more_bytes_than_can_be_counted_is_refused(%x: memref<768xf32>) {
  // expected-error @+1 {{but there are 140737488355328 bytes of memory}}
  %a = memref.alloc() : memref<1099511627776x1099511627776xf32>
  "test.use"(%a, %x) : (memref<1099511627776x1099511627776xf32>, memref<768xf32>) -> ()
  return
}

// -----

// The used part of a cache is as large as the cache at most.
// CHECK: nacre.arena_bytes = 256
// CHECK-LABEL: func @buffer_of_bounded_size_has_a_place
// CHECK-SAME: %[[ARENA:[a-z0-9]*]]: memref<256xi8> {nacre.role = #nacre.role<arena>})
func.func @buffer_of_bounded_size_has_a_place(%n: index, %out: memref<?xf32>) {
  %zero = arith.constant 0 : index
  %most = arith.constant 64 : index
  %least = arith.minsi %n, %most : index
  // CHECK: %[[SIZE:.*]] = arith.maxsi
  %size = arith.maxsi %least, %zero : index
  // CHECK: memref.view %[[ARENA]][%{{.*}}][%[[SIZE]]] {nacre.most_bytes = 256 : i64} : memref<256xi8> to memref<?xf32>
  // CHECK-NOT: memref.dealloc
  %a = memref.alloc(%size) : memref<?xf32>
  "test.use"(%a, %out) : (memref<?xf32>, memref<?xf32>) -> ()
  return
}

// -----

// CHECK: nacre.arena_bytes = 0
// CHECK-LABEL: func @buffer_without_a_bound_is_allocated
func.func @buffer_without_a_bound_is_allocated(%n: index, %out: memref<?xf32>) {
  %least = arith.constant 64 : index
  %size = arith.maxsi %n, %least : index
  // CHECK: memref.alloc(
  %a = memref.alloc(%size) : memref<?xf32>
  "test.use"(%a, %out) : (memref<?xf32>, memref<?xf32>) -> ()
  return
}
