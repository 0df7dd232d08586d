// RUN: nacre-opt %s --share-failures | FileCheck %s

llvm.func @nacre_fail(!llvm.ptr)
llvm.func @_mlir_memref_to_llvm_alloc(i64) -> !llvm.ptr
llvm.func @expf(f32) -> f32

llvm.func internal @allocating(%size: i64) {
  %0 = llvm.call @_mlir_memref_to_llvm_alloc(%size) : (i64) -> !llvm.ptr
  llvm.return
}

llvm.func internal @indirect(%i: i64, %size: i64) {
  llvm.call @allocating(%size) : (i64) -> ()
  llvm.return
}

llvm.func internal @computing(%i: i64, %x: f32) {
  %0 = llvm.call @expf(%x) : (f32) -> f32
  llvm.return
}

// A kernel that allocates, behind another function: the body is a function of
// the index and of what is not constant.
// CHECK-LABEL: llvm.func @allocating_kernel_is_a_part
// CHECK-SAME: (%[[N:.*]]: i64)
llvm.func @allocating_kernel_is_a_part(%n: i64) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  // CHECK: %[[WHOLE:.*]] = llvm.call @nacre_run_current() : () -> !llvm.ptr
  // CHECK-NEXT: omp.parallel {
  // CHECK: %[[FRAME:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(i64, i64)>
  // CHECK: omp.loop_nest (%[[I:.*]]) : i64
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : i64 = (%zero) to (%n) step (%one) {
        // CHECK: %[[FIRST:.*]] = llvm.getelementptr %[[FRAME]][0, 0]
        // CHECK: llvm.store %[[I]], %[[FIRST]]
        // CHECK: %[[SECOND:.*]] = llvm.getelementptr %[[FRAME]][0, 1]
        // CHECK: llvm.store %[[N]], %[[SECOND]]
        // CHECK: %[[PART:.*]] = llvm.mlir.addressof @[[NAME:.*]] : !llvm.ptr
        // CHECK-NEXT: llvm.call @nacre_run_part(%[[WHOLE]], %[[PART]], %[[FRAME]])
        // CHECK-NEXT: omp.yield
        %j = llvm.add %i, %one : i64
        llvm.call @indirect(%j, %n) : (i64, i64) -> ()
        omp.yield
      }
    }
    // CHECK: omp.terminator
    // CHECK-NEXT: }
    // CHECK-NEXT: llvm.call @nacre_run_join(%[[WHOLE]])
    omp.terminator
  }
  llvm.return
}

// CHECK-LABEL: llvm.func @assertion_in_a_branch_is_in_a_part
// CHECK: llvm.call @nacre_run_part
// CHECK: llvm.call @nacre_run_join
llvm.func @assertion_in_a_branch_is_in_a_part(%n: i64, %text: !llvm.ptr) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i, %j) : i64 = (%zero, %zero) to (%n, %n) step (%one, %one) collapse(2) {
        %wrong = llvm.icmp "eq" %i, %j : i64
        llvm.cond_br %wrong, ^fail, ^end
      ^fail:
        llvm.call @nacre_fail(%text) : (!llvm.ptr) -> ()
        llvm.br ^end
      ^end:
        omp.yield
      }
    }
    omp.terminator
  }
  llvm.return
}

// CHECK-LABEL: llvm.func @kernel_that_cannot_fail_stays
llvm.func @kernel_that_cannot_fail_stays(%n: i64, %x: f32) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  // CHECK-NOT: nacre_run
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : i64 = (%zero) to (%n) step (%one) {
        // CHECK: llvm.call @computing
        llvm.call @computing(%i, %x) : (i64, f32) -> ()
        omp.yield
      }
    }
    omp.terminator
  }
  llvm.return
}

// CHECK-LABEL: llvm.func @allocation_outside_stays
llvm.func @allocation_outside_stays(%n: i64) {
  // CHECK-NOT: nacre_run
  llvm.call @allocating(%n) : (i64) -> ()
  // CHECK: llvm.return
  llvm.return
}

// CHECK: llvm.func internal @[[NAME]](%[[FRAME:.*]]: !llvm.ptr)
// CHECK: %[[A:.*]] = llvm.getelementptr %[[FRAME]][0, 0]
// CHECK: %[[I:.*]] = llvm.load %[[A]]
// CHECK: %[[B:.*]] = llvm.getelementptr %[[FRAME]][0, 1]
// CHECK: %[[N:.*]] = llvm.load %[[B]]
// CHECK: %[[J:.*]] = llvm.add %[[I]]
// CHECK: llvm.call @indirect(%[[J]], %[[N]])
// CHECK: llvm.return
