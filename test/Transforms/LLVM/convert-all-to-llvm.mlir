// RUN: nacre-opt %s --convert-all-to-llvm --reconcile-unrealized-casts | FileCheck %s

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

// What belongs to no dialect that it knows stays.
// CHECK-LABEL: llvm.func @parallel
// CHECK: omp.parallel
// CHECK-NEXT: llvm.call @work
func.func private @work()
func.func @parallel() {
  omp.parallel {
    func.call @work() : () -> ()
    omp.terminator
  }
  return
}
