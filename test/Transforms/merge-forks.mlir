// RUN: nacre-opt %s --merge-forks | FileCheck %s

func.func private @part(index)
func.func private @kernel(%x: memref<4xf32>) {
  %zero = arith.constant 0 : index
  %value = arith.constant 1.0 : f32
  memref.store %value, %x[%zero] : memref<4xf32>
  return
}
func.func private @kernel_that_may_end_the_run(%x: memref<4xf32>, %ok: i1) {
  cf.assert %ok, "no"
  return
}

// CHECK-LABEL: func @loops_in_a_row_share_a_region
func.func @loops_in_a_row_share_a_region(%n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // CHECK: omp.parallel {
  // CHECK: omp.wsloop {
  // CHECK: func.call @part(%{{.*}})
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : index = (%zero) to (%n) step (%one) {
        func.call @part(%i) : (index) -> ()
        omp.yield
      }
    }
    omp.terminator
  }
  // CHECK-NOT: omp.parallel
  // CHECK-NOT: omp.barrier
  // CHECK: omp.wsloop nowait {
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : index = (%zero) to (%n) step (%one) {
        func.call @part(%i) : (index) -> ()
        omp.yield
      }
    }
    omp.terminator
  }
  // CHECK: omp.terminator
  // CHECK-NEXT: }
  // CHECK-NEXT: return
  return
}

// CHECK-LABEL: func @calls_between_are_for_one_thread
// CHECK-SAME: (%[[X:.*]]: memref<4xf32>, %[[Y:.*]]: memref<4xf32>
func.func @calls_between_are_for_one_thread(%x: memref<4xf32>, %y: memref<4xf32>, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // CHECK: call @kernel(%[[X]])
  // CHECK: omp.parallel {
  func.call @kernel(%x) : (memref<4xf32>) -> ()
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : index = (%zero) to (%n) step (%one) {
        func.call @part(%i) : (index) -> ()
        omp.yield
      }
    }
    omp.terminator
  }
  // CHECK: omp.wsloop {
  // CHECK: %[[ROW:.*]] = memref.cast
  // CHECK-NEXT: omp.master {
  // CHECK-NEXT: func.call @kernel(%[[X]])
  // CHECK-NEXT: func.call @kernel(%[[Y]])
  // CHECK-NEXT: omp.terminator
  // CHECK-NEXT: }
  // CHECK-NEXT: omp.barrier
  // CHECK-NEXT: omp.wsloop nowait {
  // CHECK: memref.dim %[[ROW]]
  func.call @kernel(%x) : (memref<4xf32>) -> ()
  %row = memref.cast %y : memref<4xf32> to memref<?xf32>
  func.call @kernel(%y) : (memref<4xf32>) -> ()
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : index = (%zero) to (%n) step (%one) {
        %size = memref.dim %row, %zero : memref<?xf32>
        func.call @part(%size) : (index) -> ()
        omp.yield
      }
    }
    omp.terminator
  }
  // CHECK: call @kernel(%[[Y]])
  // CHECK-NEXT: return
  func.call @kernel(%y) : (memref<4xf32>) -> ()
  return
}

// CHECK-LABEL: func @what_is_used_behind_is_computed_before
func.func @what_is_used_behind_is_computed_before(%n: index) -> index {
  // CHECK: %[[TWO:.*]] = arith.constant 2
  // CHECK: %[[TWICE:.*]] = arith.muli %{{.*}}, %[[TWO]]
  // CHECK: omp.parallel {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : index = (%zero) to (%n) step (%one) {
        func.call @part(%i) : (index) -> ()
        omp.yield
      }
    }
    omp.terminator
  }
  %two = arith.constant 2 : index
  %twice = arith.muli %n, %two : index
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : index = (%zero) to (%twice) step (%one) {
        func.call @part(%i) : (index) -> ()
        omp.yield
      }
    }
    omp.terminator
  }
  // CHECK: return %[[TWICE]]
  return %twice : index
}

// A run ends, and memory comes, on the thread that called.

// CHECK-LABEL: func @calls_that_may_end_the_run_are_between_regions
func.func @calls_that_may_end_the_run_are_between_regions(%x: memref<4xf32>, %ok: i1, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // CHECK: omp.parallel
  // CHECK-NEXT: omp.wsloop nowait
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : index = (%zero) to (%n) step (%one) {
        func.call @part(%i) : (index) -> ()
        omp.yield
      }
    }
    omp.terminator
  }
  // CHECK: call @kernel_that_may_end_the_run
  func.call @kernel_that_may_end_the_run(%x, %ok) : (memref<4xf32>, i1) -> ()
  // CHECK: omp.parallel
  // CHECK-NEXT: omp.wsloop nowait
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : index = (%zero) to (%n) step (%one) {
        func.call @part(%i) : (index) -> ()
        omp.yield
      }
    }
    omp.terminator
  }
  // CHECK: memref.alloc
  %new = memref.alloc(%n) : memref<?xf32>
  // CHECK: omp.parallel
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : index = (%zero) to (%n) step (%one) {
        %size = memref.dim %new, %zero : memref<?xf32>
        func.call @part(%size) : (index) -> ()
        omp.yield
      }
    }
    omp.terminator
  }
  return
}

// CHECK-LABEL: func @regions_that_a_run_may_execute_alone_stay
func.func @regions_that_a_run_may_execute_alone_stay(%more: i1, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // CHECK: omp.parallel if(%{{.*}}) {
  omp.parallel if(%more) {
    omp.wsloop {
      omp.loop_nest (%i) : index = (%zero) to (%n) step (%one) {
        func.call @part(%i) : (index) -> ()
        omp.yield
      }
    }
    omp.terminator
  }
  // CHECK: omp.parallel {
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : index = (%zero) to (%n) step (%one) {
        func.call @part(%i) : (index) -> ()
        omp.yield
      }
    }
    omp.terminator
  }
  return
}
