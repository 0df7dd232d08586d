// RUN: nacre-opt %s --avoid-forks | FileCheck %s

// CHECK-LABEL: func @unknown_number_of_parts_forks_for_more_than_one
// CHECK-SAME: (%[[N:.*]]: index)
func.func @unknown_number_of_parts_forks_for_more_than_one(%n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // CHECK: %[[FIRST:.*]] = arith.addi
  // CHECK: %[[MORE:.*]] = arith.cmpi slt, %[[FIRST]], %[[N]]
  // CHECK: omp.parallel if(%[[MORE]])
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

// CHECK-LABEL: func @unknown_numbers_of_parts_of_two_loops_fork_for_more_than_one_of_either
// CHECK-SAME: (%[[N:.*]]: index, %[[M:.*]]: index)
func.func @unknown_numbers_of_parts_of_two_loops_fork_for_more_than_one_of_either(%n: index, %m: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // CHECK: %[[A:.*]] = arith.cmpi slt, %{{.*}}, %[[N]]
  // CHECK: %[[B:.*]] = arith.cmpi slt, %{{.*}}, %[[M]]
  // CHECK: %[[MORE:.*]] = arith.ori %[[A]], %[[B]]
  // CHECK: omp.parallel if(%[[MORE]])
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i, %j) : index = (%zero, %zero) to (%n, %m) step (%one, %one) {
        func.call @part(%j) : (index) -> ()
        omp.yield
      }
    }
    omp.terminator
  }
  return
}

// CHECK-LABEL: func @known_number_of_parts_forks
func.func @known_number_of_parts_forks() {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  // CHECK: omp.parallel {
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : index = (%zero) to (%two) step (%one) {
        func.call @part(%i) : (index) -> ()
        omp.yield
      }
    }
    omp.terminator
  }
  return
}

func.func private @part(index)
