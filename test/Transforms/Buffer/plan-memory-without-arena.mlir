// RUN: nacre-opt %s -plan-memory=arena=false -allow-unregistered-dialect -split-input-file | FileCheck %s

// CHECK: nacre.arena_bytes = 0
// CHECK-LABEL: func @buffers_are_freed_after_their_last_use
// CHECK: %[[A:.*]] = memref.alloc() : memref<16xf32>
// CHECK: %[[B:.*]] = memref.alloc() : memref<32xf32>
// CHECK: "test.use"(%[[A]], %[[B]])
// CHECK-NEXT: memref.dealloc %[[A]]
// CHECK-NEXT: "test.use"(%[[B]], %{{.*}})
// CHECK-NEXT: memref.dealloc %[[B]]
func.func @buffers_are_freed_after_their_last_use(%out: memref<32xf32>) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<32xf32>
  "test.use"(%a, %b) : (memref<16xf32>, memref<32xf32>) -> ()
  "test.use"(%b, %out) : (memref<32xf32>, memref<32xf32>) -> ()
  return
}

// -----

// CHECK: nacre.arena_bytes = 0
// CHECK-LABEL: func @iterations_have_buffers_of_their_own
// CHECK: scf.forall
// CHECK: %[[A:.*]] = memref.alloc() : memref<16xf32>
// CHECK: "test.use"(%[[A]]
// CHECK-NEXT: memref.dealloc %[[A]]
func.func @iterations_have_buffers_of_their_own(%out: memref<16xf32>) {
  scf.forall (%i) in (4) {
    %a = memref.alloc() : memref<16xf32>
    "test.use"(%a, %out) : (memref<16xf32>, memref<16xf32>) -> ()
  }
  return
}
