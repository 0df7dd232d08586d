// RUN: nacre-opt %s --convert-forall-to-openmp --split-input-file --verify-diagnostics | FileCheck %s

func.func private @kernel(memref<4x8xf32>, index, index)

// CHECK-LABEL: func.func @loop_of_two_dimensions_is_one_nest
// CHECK-SAME: (%[[X:.*]]: memref<4x8xf32>, %[[N:.*]]: index)
func.func @loop_of_two_dimensions_is_one_nest(%x: memref<4x8xf32>, %n: index) {
  // CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : index
  // CHECK-DAG: %[[TWO:.*]] = arith.constant 2 : index
  // CHECK-DAG: %[[FOUR:.*]] = arith.constant 4 : index
  // CHECK: omp.parallel {
  // CHECK-NEXT: omp.wsloop {
  // CHECK-NEXT: omp.loop_nest (%[[I:.*]], %[[J:.*]]) : index = (%[[ZERO]], %{{.*}}) to (%[[FOUR]], %[[N]]) step (%[[TWO]], %{{.*}}) collapse(2) {
  // CHECK-NEXT: func.call @kernel(%[[X]], %[[I]], %[[J]])
  // CHECK-NEXT: omp.yield
  // CHECK: omp.terminator
  // CHECK-NOT: scf.forall
  scf.forall (%i, %j) = (0, 0) to (4, %n) step (2, 1) {
    func.call @kernel(%x, %i, %j) : (memref<4x8xf32>, index, index) -> ()
  }
  return
}

// -----

func.func private @kernel(memref<8xf32>, index, index)

// CHECK-LABEL: func.func @loop_in_a_loop_is_a_region_in_a_region
func.func @loop_in_a_loop_is_a_region_in_a_region(%x: memref<8xf32>) {
  // CHECK: omp.parallel
  // CHECK: omp.loop_nest
  // CHECK: omp.parallel
  // CHECK: omp.loop_nest
  // CHECK: func.call @kernel
  scf.forall (%i) in (2) {
    scf.forall (%j) in (4) {
      func.call @kernel(%x, %i, %j) : (memref<8xf32>, index, index) -> ()
    }
  }
  return
}

// -----

func.func @loop_on_tensors_is_an_error(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{expected a loop on buffers, found results}}
  %0 = scf.forall (%i) in (8) shared_outs(%o = %x) -> tensor<8xf32> {
    %part = tensor.extract_slice %x[%i] [1] [1] : tensor<8xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %part into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @loop_of_no_dimension() {
  // expected-error@+1 {{expected a loop of at least one dimension}}
  scf.forall () in () {
  }
  return
}
