// RUN: nacre-opt %s --unroll-transfers | FileCheck %s

// CHECK-LABEL: @read_of_two_rows_becomes_two_reads
// CHECK-COUNT-2: vector.transfer_read {{.*}} : memref<4x8xf32>, vector<8xf32>
// CHECK-NOT: vector.transfer_read
// CHECK-NOT: scf.for
func.func @read_of_two_rows_becomes_two_reads(%a: memref<4x8xf32>, %i: index) -> vector<2x8xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %0 = vector.transfer_read %a[%i, %c0], %zero {in_bounds = [true, true]} : memref<4x8xf32>, vector<2x8xf32>
  return %0 : vector<2x8xf32>
}

// CHECK-LABEL: @write_of_two_rows_becomes_two_writes
// CHECK-COUNT-2: vector.transfer_write {{.*}} : vector<8xf32>, memref<4x8xf32>
// CHECK-NOT: vector.transfer_write
func.func @write_of_two_rows_becomes_two_writes(%v: vector<2x8xf32>, %a: memref<4x8xf32>, %i: index) {
  %c0 = arith.constant 0 : index
  vector.transfer_write %v, %a[%i, %c0] {in_bounds = [true, true]} : vector<2x8xf32>, memref<4x8xf32>
  return
}

// CHECK-LABEL: @transfer_of_one_dimension_stays
// CHECK: vector.transfer_read {{.*}} : memref<8xf32>, vector<8xf32>
func.func @transfer_of_one_dimension_stays(%a: memref<8xf32>) -> vector<8xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %0 = vector.transfer_read %a[%c0], %zero {in_bounds = [true]} : memref<8xf32>, vector<8xf32>
  return %0 : vector<8xf32>
}
