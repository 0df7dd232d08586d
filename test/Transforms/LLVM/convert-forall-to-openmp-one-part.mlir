// RUN: nacre-opt %s --convert-forall-to-openmp --split-input-file | FileCheck %s

func.func private @kernel(memref<?xf32>, index, index, index)

// Where a run finds that there is one part, it has the kernel do all rows.
// CHECK-LABEL: func @one_part_is_done_without_a_loop
// CHECK-SAME: (%[[X:.*]]: memref<?xf32>, %[[N:.*]]: index)
func.func @one_part_is_done_without_a_loop(%x: memref<?xf32>, %n: index) {
  %grain = arith.constant 8 : index
  %worth = arith.divui %n, %grain : index
  %most = affine.max affine_map<()[s0] -> (s0, 1)>()[%worth]
  // CHECK: %[[PARTS:.*]] = affine.min
  %parts = affine.min affine_map<()[s0] -> (s0, 2)>()[%most]
  // CHECK: %[[ROWS:.*]] = arith.ceildivui %[[N]], %[[PARTS]]
  %rows = arith.ceildivui %n, %parts : index
  // CHECK: %[[IS_ONE:.*]] = arith.cmpi eq, %[[PARTS]], %c1{{.*}} : index
  // CHECK: scf.if %[[IS_ONE]] {
  // CHECK: %[[ZERO:.*]] = arith.constant 0 : index
  // CHECK-NOT: ceildivui
  // CHECK: %[[START:.*]] = arith.muli %[[ZERO]], %[[N]]
  // CHECK: func.call @kernel(%[[X]], %[[START]], %[[N]], %[[N]])
  // CHECK: } else {
  // CHECK: omp.loop_nest (%[[I:.*]]) : index = (%{{.*}}) to (%[[PARTS]])
  // CHECK: %[[START:.*]] = arith.muli %[[I]], %[[ROWS]]
  // CHECK: func.call @kernel(%[[X]], %[[START]], %[[ROWS]], %[[N]])
  scf.forall (%i) in (%parts) {
    %start = arith.muli %i, %rows : index
    func.call @kernel(%x, %start, %rows, %n) : (memref<?xf32>, index, index, index) -> ()
  }
  return
}

// -----

func.func private @kernel(index, index, index, index)

// How many parts the outer loop leaves takes no division where it takes one.
// CHECK-LABEL: func @two_loops_are_one_part_together
// CHECK-SAME: (%[[PARTS:.*]]: index, %[[N:.*]]: index, %[[M:.*]]: index)
func.func @two_loops_are_one_part_together(%parts: index, %n: index, %m: index) {
  // CHECK: %[[TAKEN:.*]] = arith.minui %[[PARTS]], %[[N]]
  %taken = arith.minui %parts, %n : index
  // CHECK: %[[LEFT:.*]] = arith.divui %[[PARTS]], %[[TAKEN]]
  %left = arith.divui %parts, %taken : index
  %rows = arith.ceildivui %n, %taken : index
  %columns = arith.ceildivui %m, %left : index
  // CHECK-NOT: divui %[[PARTS]]
  // CHECK-DAG: %[[OUTER:.*]] = arith.cmpi eq, %[[TAKEN]], %
  // CHECK-DAG: %[[INNER:.*]] = arith.cmpi eq, %[[PARTS]], %
  // CHECK: %[[ARE_ONE:.*]] = arith.andi %[[OUTER]], %[[INNER]] : i1
  // CHECK: scf.if %[[ARE_ONE]] {
  // CHECK: %[[ZERO:.*]] = arith.constant 0 : index
  // CHECK: func.call @kernel(%[[ZERO]], %[[ZERO]], %[[N]], %[[M]])
  // CHECK: } else {
  // CHECK: omp.loop_nest (%{{.*}}, %{{.*}}) : index = (%{{.*}}, %{{.*}}) to (%[[TAKEN]], %[[LEFT]])
  scf.forall (%i, %j) in (%taken, %left) {
    func.call @kernel(%i, %j, %rows, %columns) : (index, index, index, index) -> ()
  }
  return
}

// -----

func.func private @kernel(memref<?xf32>)

// A view depends on the count, and what loops are inside sees it.
// CHECK-LABEL: func @views_are_made_for_one_part
// CHECK-SAME: (%[[X:.*]]: memref<?xf32>, %[[PARTS:.*]]: index, %[[N:.*]]: index)
func.func @views_are_made_for_one_part(%x: memref<?xf32>, %parts: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.ceildivui %n, %parts : index
  %view = memref.subview %x[0] [%rows] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
  // CHECK: scf.if
  // CHECK: %[[VIEW:.*]] = memref.subview %[[X]][0] [%[[N]]] [1]
  // CHECK: scf.for %{{.*}} = %{{.*}} to %[[N]]
  // CHECK: memref.cast %[[VIEW]]
  // CHECK: } else {
  scf.forall (%i) in (%parts) {
    scf.for %j = %c0 to %rows step %c1 {
      %cast = memref.cast %view : memref<?xf32, strided<[1]>> to memref<?xf32>
      func.call @kernel(%cast) : (memref<?xf32>) -> ()
    }
  }
  return
}

// -----

func.func private @kernel(index)

// CHECK-LABEL: func @loop_of_known_extent_stays
func.func @loop_of_known_extent_stays() {
  // CHECK-NOT: scf.if
  scf.forall (%i) in (2) {
    func.call @kernel(%i) : (index) -> ()
  }
  return
}

// CHECK-LABEL: func @loop_that_has_several_parts_stays
func.func @loop_that_has_several_parts_stays(%parts: index) {
  // CHECK-NOT: scf.if
  scf.forall (%i, %j) in (2, %parts) {
    func.call @kernel(%j) : (index) -> ()
  }
  return
}

// CHECK-LABEL: func @loop_that_starts_elsewhere_stays
func.func @loop_that_starts_elsewhere_stays(%first: index, %end: index) {
  // CHECK-NOT: scf.if
  scf.forall (%i) = (%first) to (%end) step (1) {
    func.call @kernel(%i) : (index) -> ()
  }
  return
}

// -----

func.func private @kernel(index, index)

// What would be divided by 0 where the first count is 1 is not computed before
// that is known.
// CHECK-LABEL: func @count_that_may_trap_is_not_computed_for_one_part
// CHECK: %[[Q:.*]] = arith.divui
// CHECK-NOT: arith.divui
// CHECK: scf.if
func.func @count_that_may_trap_is_not_computed_for_one_part(%p: index, %n: index) {
  %one = arith.constant 1 : index
  %m = arith.subi %p, %one : index
  %q = arith.divui %n, %m : index
  scf.forall (%i, %j) in (%p, %q) {
    func.call @kernel(%i, %j) : (index, index) -> ()
  }
  return
}
