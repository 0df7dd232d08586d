// RUN: nacre-opt %s -roll-long-loops -split-input-file | FileCheck %s

// CHECK: #[[UNROLL:.*]] = #llvm.loop_unroll<disable = true>
// CHECK: #[[ROLLED:.*]] = #llvm.loop_annotation<unroll = #[[UNROLL]]>
// CHECK-LABEL: func @long_loop_stays_one
// CHECK: } {loop_annotation = #[[ROLLED]]}
// CHECK-NEXT: return
func.func @long_loop_stays_one(%x: memref<256xf32>, %y: memref<256xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  scf.for %i = %c0 to %c256 step %c1 {
    %0 = memref.load %x[%i] : memref<256xf32>
    memref.store %0, %y[%i] : memref<256xf32>
  }
  return
}

// -----

// CHECK-NOT: loop_annotation
// CHECK-LABEL: func @short_loop_may_be_unrolled
func.func @short_loop_may_be_unrolled(%x: memref<32xf32>, %y: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  scf.for %i = %c0 to %c32 step %c1 {
    %0 = memref.load %x[%i] : memref<32xf32>
    memref.store %0, %y[%i] : memref<32xf32>
  }
  return
}

// -----

// CHECK-NOT: loop_annotation
// CHECK-LABEL: func @loop_of_unknown_length_is_left_to_llvm
func.func @loop_of_unknown_length_is_left_to_llvm(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = memref.load %x[%i] : memref<?xf32>
    memref.store %0, %y[%i] : memref<?xf32>
  }
  return
}

// -----

// CHECK-NOT: loop_annotation
// CHECK-LABEL: func @loop_over_vectors_is_as_its_kernel_wants_it
func.func @loop_over_vectors_is_as_its_kernel_wants_it(%x: memref<2048xf32>, %y: memref<2048xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c2048 = arith.constant 2048 : index
  scf.for %i = %c0 to %c2048 step %c16 {
    %0 = vector.load %x[%i] : memref<2048xf32>, vector<16xf32>
    vector.store %0, %y[%i] : memref<2048xf32>, vector<16xf32>
  }
  return
}

// -----

// Of a nest only the innermost loop is what LLVM unrolls.
// CHECK-LABEL: func @loop_around_a_loop_is_left
// CHECK: scf.for
// CHECK: scf.for
// CHECK: } {loop_annotation = #{{.*}}}
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @loop_around_a_loop_is_left(%x: memref<64x64xf32>, %y: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    scf.for %j = %c0 to %c64 step %c1 {
      %0 = memref.load %x[%i, %j] : memref<64x64xf32>
      memref.store %0, %y[%i, %j] : memref<64x64xf32>
    }
  }
  return
}

// -----

// CHECK-NOT: loop_annotation
// CHECK-LABEL: func @very_long_sum_may_have_several_accumulators
func.func @very_long_sum_may_have_several_accumulators(%x: memref<4096xf32>, %y: memref<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4096 = arith.constant 4096 : index
  scf.for %i = %c0 to %c4096 step %c1 {
    %0 = memref.load %x[%i] : memref<4096xf32>
    %1 = memref.load %y[] : memref<f32>
    %2 = arith.addf %0, %1 : f32
    memref.store %2, %y[] : memref<f32>
  }
  return
}

// -----

// What one step loads, the next one need not wait for.
// CHECK: #[[FOUR:.*]] = #llvm.loop_interleave<count = 4 : i32>
// CHECK: #[[SEVERAL:.*]] = #llvm.loop_annotation<interleave = #[[FOUR]], unroll = #{{.*}}>
// CHECK-LABEL: func @very_long_loop_that_is_no_sum_has_steps_of_several_vectors
// CHECK: } {loop_annotation = #[[SEVERAL]]}
func.func @very_long_loop_that_is_no_sum_has_steps_of_several_vectors(%x: memref<4096xf32>, %y: memref<4096xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4096 = arith.constant 4096 : index
  scf.for %i = %c0 to %c4096 step %c1 {
    %0 = memref.load %x[%i] : memref<4096xf32>
    memref.store %0, %y[%i] : memref<4096xf32>
  }
  return
}

// -----

// CHECK: #[[TWO:.*]] = #llvm.loop_interleave<count = 2 : i32>
// CHECK: #[[SEVERAL:.*]] = #llvm.loop_annotation<interleave = #[[TWO]], unroll = #{{.*}}>
// CHECK-LABEL: func @more_work_needs_more_registers
// CHECK: } {loop_annotation = #[[SEVERAL]]}
func.func @more_work_needs_more_registers(%x: memref<4096xf32>, %y: memref<4096xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4096 = arith.constant 4096 : index
  scf.for %i = %c0 to %c4096 step %c1 {
    %0 = memref.load %x[%i] : memref<4096xf32>
    %1 = arith.mulf %0, %0 : f32
    %2 = arith.mulf %1, %0 : f32
    %3 = arith.addf %2, %1 : f32
    %4 = arith.addf %3, %0 : f32
    %5 = arith.subf %4, %2 : f32
    memref.store %5, %y[%i] : memref<4096xf32>
  }
  return
}
