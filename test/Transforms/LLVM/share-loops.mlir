// RUN: nacre-opt %s --share-loops=threads=4 --split-input-file --verify-diagnostics | FileCheck %s

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

// The body is a function of a frame, with what is not constant, and of the
// number of an iteration.
// CHECK-LABEL: llvm.func @body_is_a_function
// CHECK-SAME: (%[[N:.*]]: i64, %[[X:.*]]: f32)
llvm.func @body_is_a_function(%n: i64, %x: f32) {
  // CHECK: %[[FRAME:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(f32)>
  // CHECK: %[[TWO:.*]] = llvm.mlir.constant(2 : i64)
  %zero = llvm.mlir.constant(0 : i64) : i64
  %two = llvm.mlir.constant(2 : i64) : i64
  // CHECK: %[[QUOTIENT:.*]] = llvm.sdiv %{{.*}}, %[[TWO]]
  // CHECK: %[[COUNT:.*]] = llvm.intr.smax(%[[QUOTIENT]], %{{.*}})
  // CHECK: llvm.store %[[X]], %
  // CHECK-NOT: llvm.store
  // CHECK: %[[PART:.*]] = llvm.mlir.addressof @[[BODY:part.*]] : !llvm.ptr
  // CHECK: %[[THREADS:.*]] = llvm.mlir.constant(4 : i32)
  // CHECK: llvm.call @nacre_share(%[[PART]], %[[PART]], %[[FRAME]], %[[COUNT]], %[[THREADS]])
  // CHECK-NEXT: llvm.return
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : i64 = (%zero) to (%n) step (%two) {
        llvm.call @computing(%i, %x) : (i64, f32) -> ()
        omp.yield
      }
    }
    omp.terminator
  }
  llvm.return
}

// CHECK-LABEL: llvm.func @bool_is_a_field_of_the_frame
// CHECK-SAME: (%{{.*}}: i64, %[[SET:.*]]: i1)
llvm.func @bool_is_a_field_of_the_frame(%n: i64, %set: i1) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  // CHECK: llvm.alloca %{{.*}} x !llvm.struct<(i1)>
  // CHECK: llvm.store %[[SET]], %{{.*}} : i1, !llvm.ptr
  // CHECK: llvm.call @nacre_share(
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : i64 = (%zero) to (%n) step (%one) {
        %x = llvm.uitofp %set : i1 to f32
        llvm.call @computing(%i, %x) : (i64, f32) -> ()
        omp.yield
      }
    }
    omp.terminator
  }
  llvm.return
}

// A kernel that allocates, behind another function.
// CHECK-LABEL: llvm.func @allocating_kernel_is_a_part_of_a_run
llvm.func @allocating_kernel_is_a_part_of_a_run(%n: i64) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  // CHECK: %[[SHARE:.*]] = llvm.mlir.addressof @nacre_share
  // CHECK: llvm.call @nacre_run_share(%[[SHARE]], %
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : i64 = (%zero) to (%n) step (%one) {
        %j = llvm.add %i, %one : i64
        llvm.call @indirect(%j, %n) : (i64, i64) -> ()
        omp.yield
      }
    }
    omp.terminator
  }
  llvm.return
}

// Of two loops in one the second counter is the faster one. Counters may be
// narrow.
// CHECK-LABEL: llvm.func @assertion_in_a_branch_is_in_a_part_of_a_run
// CHECK: %[[ROWS:.*]] = llvm.intr.smax
// CHECK: %[[COLUMNS:.*]] = llvm.intr.smax
// CHECK: %[[ALL:.*]] = llvm.mul %[[ROWS]], %[[COLUMNS]]
// CHECK: llvm.mlir.addressof @[[NEST:part.*]] :
// CHECK: llvm.call @nacre_run_share(%{{.*}}, %{{.*}}, %{{.*}}, %[[ALL]], %
llvm.func @assertion_in_a_branch_is_in_a_part_of_a_run(%n: i32, %m: i32, %text: !llvm.ptr) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i, %j) : i32 = (%zero, %zero) to (%n, %m) step (%one, %one) collapse(2) {
        %wrong = llvm.icmp "eq" %i, %j : i32
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

// What describes a buffer is built again, from the pointer alone.
// CHECK-LABEL: llvm.func @description_of_a_buffer_is_no_field
// CHECK-SAME: (%[[ARENA:.*]]: !llvm.ptr, %[[FIRST:.*]]: i64)
llvm.func @description_of_a_buffer_is_no_field(%arena: !llvm.ptr, %first: i64) {
  // CHECK: llvm.alloca %{{.*}} x !llvm.struct<(ptr, i64)>
  // CHECK: llvm.store %[[ARENA]], %
  // CHECK: llvm.store %[[FIRST]], %
  // CHECK: llvm.mlir.addressof @[[DESCRIBED:part.*]] :
  %one = llvm.mlir.constant(1 : i64) : i64
  %ten = llvm.mlir.constant(10 : i64) : i64
  %empty = llvm.mlir.poison : !llvm.struct<(ptr, i64)>
  %buffer = llvm.getelementptr %arena[256] : (!llvm.ptr) -> !llvm.ptr, i8
  %0 = llvm.insertvalue %buffer, %empty[0] : !llvm.struct<(ptr, i64)>
  %1 = llvm.insertvalue %ten, %0[1] : !llvm.struct<(ptr, i64)>
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : i64 = (%first) to (%ten) step (%one) {
        %size = llvm.extractvalue %1[1] : !llvm.struct<(ptr, i64)>
        %start = llvm.extractvalue %1[0] : !llvm.struct<(ptr, i64)>
        llvm.store %size, %start : i64, !llvm.ptr
        omp.yield
      }
    }
    omp.terminator
  }
  llvm.return
}

// CHECK-LABEL: llvm.func @code_outside_of_loops_stays
llvm.func @code_outside_of_loops_stays(%n: i64) {
  // CHECK-NOT: nacre_
  llvm.call @allocating(%n) : (i64) -> ()
  // CHECK: llvm.return
  llvm.return
}

// CHECK: llvm.func internal @[[BODY]](%[[GIVEN:.*]]: !llvm.ptr, %[[NUMBER:.*]]: i64)
// CHECK: %[[LOWER:.*]] = llvm.mlir.constant(0 : i64)
// CHECK: %[[STEP:.*]] = llvm.mlir.constant(2 : i64)
// CHECK: %[[OFFSET:.*]] = llvm.mul %[[NUMBER]], %[[STEP]]
// CHECK: %[[I:.*]] = llvm.add %[[LOWER]], %[[OFFSET]]
// CHECK: %[[VALUE:.*]] = llvm.load %{{.*}} : !llvm.ptr -> f32
// CHECK: llvm.call @computing(%[[I]], %[[VALUE]])
// CHECK: llvm.return

// CHECK: llvm.func internal @[[NEST]](%{{.*}}: !llvm.ptr, %[[NUMBER:.*]]: i64)
// CHECK: %[[COLUMN:.*]] = llvm.urem %[[NUMBER]]
// CHECK: %[[ROW:.*]] = llvm.udiv %[[NUMBER]]
// CHECK: %[[J:.*]] = llvm.trunc
// CHECK: %[[I:.*]] = llvm.trunc
// CHECK: llvm.icmp "eq" %[[I]], %[[J]] : i32

// CHECK: llvm.func internal @[[DESCRIBED]](%[[GIVEN:.*]]: !llvm.ptr, %{{.*}}: i64)
// CHECK: %[[BASE:.*]] = llvm.load %{{.*}} : !llvm.ptr -> !llvm.ptr
// CHECK: llvm.getelementptr %[[BASE]][256]
// CHECK: llvm.insertvalue
// CHECK: llvm.store

// -----

llvm.func @region_of_more_than_a_loop(%x: !llvm.ptr, %n: i64) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  // expected-error @below {{expected a region that is one shared loop}}
  omp.parallel {
    llvm.store %n, %x : i64, !llvm.ptr
    omp.terminator
  }
  llvm.return
}
