// RUN: nacre-opt %s --convert-all-to-llvm | FileCheck %s

// Buffers are bare pointers, and what computes addresses, values and the way
// through the function becomes LLVM in one go.
// CHECK-LABEL: llvm.func @kernel
// CHECK-SAME: (%[[X:.*]]: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: i1)
// CHECK: llvm.cond_br
// CHECK: %[[AT:.*]] = llvm.getelementptr %{{.*}}[16]
// CHECK: %[[V:.*]] = llvm.load %[[AT]] {{.*}} -> vector<8xf32>
// CHECK: llvm.intr.fmuladd(%[[V]], %[[V]], %[[V]])
// CHECK: llvm.store %{{.*}} : vector<8xf32>, !llvm.ptr
// CHECK-NOT: builtin.unrealized_conversion_cast
func.func @kernel(%x: memref<4x8xf32>, %y: memref<4x8xf32>, %b: i1) {
  %c0 = arith.constant 0 : index
  %c2 = index.constant 2
  cf.cond_br %b, ^bb1, ^bb2
^bb1:
  %v = vector.load %x[%c2, %c0] : memref<4x8xf32>, vector<8xf32>
  %w = vector.fma %v, %v, %v : vector<8xf32>
  vector.store %w, %y[%c2, %c0] : memref<4x8xf32>, vector<8xf32>
  cf.br ^bb2
^bb2:
  return
}

// What is allocated comes from functions that code generation names.
// CHECK-LABEL: llvm.func @main
// CHECK: llvm.call @_mlir_memref_to_llvm_alloc
// CHECK: llvm.call @kernel
// CHECK: llvm.call @_mlir_memref_to_llvm_free
func.func @main(%x: memref<4x8xf32>, %b: i1) {
  %y = memref.alloc() : memref<4x8xf32>
  func.call @kernel(%x, %y, %b) : (memref<4x8xf32>, memref<4x8xf32>, i1) -> ()
  memref.dealloc %y : memref<4x8xf32>
  return
}

// OpenMP's loops stay, of LLVM's types.
// CHECK-LABEL: llvm.func @parallel
// CHECK-SAME: (%{{.*}}: !llvm.ptr, %[[N:.*]]: i64)
// CHECK: omp.parallel
// CHECK-NEXT: omp.wsloop
// CHECK-NEXT: omp.loop_nest (%[[I:.*]]) : i64 = (%{{.*}}) to (%[[N]])
// CHECK: llvm.call @work(%{{.*}}, %[[I]]) : (!llvm.ptr, i64) -> ()
// CHECK-NEXT: omp.yield
func.func private @work(memref<8xf32>, index)
func.func @parallel(%x: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        func.call @work(%x, %i) : (memref<8xf32>, index) -> ()
        omp.yield
      }
    }
    omp.terminator
  }
  return
}

// Loops and branches are blocks, of which one carries what a loop does, and what is
// said about a loop stands at its end.
// CHECK-LABEL: llvm.func @loops
// CHECK: llvm.br ^[[HEAD:bb[0-9]+]](%{{.*}}, %{{.*}} : i64, f32)
// CHECK: ^[[HEAD]](%{{.*}}: i64, %{{.*}}: f32)
// CHECK: llvm.cond_br
// CHECK: llvm.br ^[[HEAD]](%{{.*}} : i64, f32) {loop_annotation = #{{.*}}}
// CHECK-NOT: scf.
// CHECK: llvm.return
#rolled = #llvm.loop_annotation<unroll = <disable = true>>
func.func @loops(%x: memref<8xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f32 {
    %v = memref.load %x[%i] : memref<8xf32>
    %t = arith.addf %s, %v : f32
    scf.yield %t : f32
  } {loop_annotation = #rolled}
  return %sum : f32
}

// LLVM has an intrinsic for vectors of one function, libm a function of numbers
// for the other.
// CHECK-LABEL: llvm.func @functions_of_vectors
// CHECK: llvm.intr.sqrt(%{{.*}}) : (vector<2xf32>) -> vector<2xf32>
// CHECK-COUNT-2: llvm.call @erff(%{{.*}}) : (f32) -> f32
// CHECK-NOT: math.
// CHECK: llvm.return
func.func @functions_of_vectors(%x: vector<2xf32>) -> vector<2xf32> {
  %0 = math.sqrt %x : vector<2xf32>
  %1 = math.erf %0 : vector<2xf32>
  return %1 : vector<2xf32>
}

// A dialect that it does not know stays.
// CHECK-LABEL: llvm.func @affine
// CHECK: affine.apply
func.func @affine(%i: index) -> index {
  %0 = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
  return %0 : index
}
