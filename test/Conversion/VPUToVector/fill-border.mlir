// RUN: nacre-opt %s -convert-vpu-to-vector -split-input-file | FileCheck %s

// A row above, columns of the rows between, two rows below.
// CHECK-LABEL: func @border_is_filled_around_what_stays
// CHECK-SAME: (%[[X:.*]]: memref<1x2x16x18x16xf32>)
// CHECK-DAG: %[[C13:.*]] = arith.constant 13 : index
// CHECK-DAG: %[[C18:.*]] = arith.constant 18 : index
// CHECK: scf.for %[[BLOCK:[a-z0-9]+]] =
// CHECK: scf.for %{{.*}} to %[[C18]]
// CHECK: vector.store
// CHECK: scf.for %{{.*}} to %[[C13]]
// CHECK: vector.store
// CHECK: scf.for %{{.*}} to %[[C18]]
// CHECK: vector.store
// CHECK-NOT: VPU.
func.func @border_is_filled_around_what_stays(%x: memref<1x2x16x18x16xf32>) {
  VPU.FillBorder outs(%x : memref<1x2x16x18x16xf32>) {pads = array<i64: 1, 1, 2, 0>}
  return
}
