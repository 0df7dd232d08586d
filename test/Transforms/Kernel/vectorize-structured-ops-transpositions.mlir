// RUN: nacre-opt %s --vpu-arch=x86-64-v3 --vpu-choose-strategies=decide=registers -vectorize-structured-ops | \
// RUN:   FileCheck %s
// RUN: nacre-opt %s --vpu-arch=x86-64-v4 --vpu-choose-strategies=decide=registers -vectorize-structured-ops | \
// RUN:   FileCheck %s --check-prefix=WIDE

// CHECK-LABEL: func.func @rows_become_columns(
// CHECK: %[[EDGE:.*]] = arith.constant 8 : index
// CHECK: scf.for %[[COLUMN:.*]] = %{{.*}} to %{{.*}} step %[[EDGE]]
// CHECK: scf.for %[[ROW:.*]] = %{{.*}} to %{{.*}} step %[[EDGE]]
// CHECK-COUNT-8: vector.load %arg0[%{{.*}}, %[[COLUMN]]] : memref<64x32xf32>, vector<8xf32>
// CHECK-COUNT-24: vector.shuffle
// CHECK-COUNT-8: vector.store %{{.*}}, %arg1[%{{.*}}, %[[ROW]]]
// CHECK-NOT: linalg.transpose
// WIDE-LABEL: func.func @rows_become_columns(
// WIDE-COUNT-16: vector.load {{.*}} vector<16xf32>
func.func @rows_become_columns(%x: memref<64x32xf32>, %y: memref<32x64xf32>) {
  linalg.transpose ins(%x : memref<64x32xf32>) outs(%y : memref<32x64xf32>)
    permutation = [1, 0]
  return
}

// The last block begins an edge before the end.
// CHECK-LABEL: func.func @last_block_overlaps_the_one_before(
// CHECK: scf.for
// CHECK: scf.for %[[COLUMN:.*]] =
// CHECK: %[[LAST:.*]] = arith.subi
// CHECK: %[[FROM:.*]] = arith.minsi %[[COLUMN]], %[[LAST]]
// CHECK: vector.load %arg0[%{{.*}}, %{{.*}}, %[[FROM]]]
#source = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#result = affine_map<(d0, d1, d2) -> (d0, d2, d1)>
func.func @last_block_overlaps_the_one_before(%x: memref<3x16x21xi32>,
                                              %y: memref<3x21x16xi32>) {
  linalg.generic {indexing_maps = [#source, #result],
                  iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : memref<3x16x21xi32>) outs(%y : memref<3x21x16xi32>) {
  ^bb0(%in: i32, %out: i32):
    linalg.yield %in : i32
  }
  return
}

// CHECK-LABEL: func.func @a_run_chooses_for_sizes_that_it_knows(
// CHECK: %[[FITS:.*]] = arith.cmpi sge
// CHECK: scf.if %{{.*}} {
// CHECK: vector.load
// CHECK: } else {
// CHECK: linalg.transpose
func.func @a_run_chooses_for_sizes_that_it_knows(%x: memref<64x?xf32>,
                                                 %y: memref<?x64xf32>) {
  linalg.transpose ins(%x : memref<64x?xf32>) outs(%y : memref<?x64xf32>)
    permutation = [1, 0]
  return
}

// Blocks of 4 rows.
// CHECK-LABEL: func.func @short_dimension_has_small_blocks(
// CHECK-COUNT-4: vector.load {{.*}} vector<4xf32>
func.func @short_dimension_has_small_blocks(%x: memref<5x32xf32>,
                                            %y: memref<32x5xf32>) {
  linalg.transpose ins(%x : memref<5x32xf32>) outs(%y : memref<32x5xf32>)
    permutation = [1, 0]
  return
}

// CHECK-LABEL: func.func @colours_are_taken_apart_pixel_by_pixel(
// CHECK: scf.for %[[PIXEL:.*]] = %{{.*}} to %{{.*}} step
// CHECK: %[[RED:.*]] = memref.load %arg0[%[[PIXEL]], %c0
// CHECK: memref.store %[[RED]], %arg1[%c0{{.*}}, %[[PIXEL]]]
// CHECK: %[[ONE:.*]] = arith.addi %c0
// CHECK: memref.load %arg0[%[[PIXEL]], %[[ONE]]]
// CHECK: memref.load %arg0[%[[PIXEL]],
// CHECK-NOT: memref.load
// CHECK-NOT: linalg.transpose
func.func @colours_are_taken_apart_pixel_by_pixel(%x: memref<64x3xf32>,
                                                  %y: memref<3x64xf32>) {
  linalg.transpose ins(%x : memref<64x3xf32>) outs(%y : memref<3x64xf32>)
    permutation = [1, 0]
  return
}

// The rows are as long as a run says.
// CHECK-LABEL: func.func @planes_are_interleaved(
// CHECK: %[[LENGTH:.*]] = memref.dim %arg0
// CHECK: scf.for %{{.*}} to %[[LENGTH]]
// CHECK-COUNT-2: memref.store
// CHECK-NOT: linalg.transpose
func.func @planes_are_interleaved(%x: memref<2x?xi64>, %y: memref<?x2xi64>) {
  linalg.transpose ins(%x : memref<2x?xi64>) outs(%y : memref<?x2xi64>)
    permutation = [1, 0]
  return
}

// Four bytes are less than a vector of any machine, four floats are one.
// CHECK-LABEL: func.func @few_bytes_are_no_block(
// CHECK-NOT: vector.load
// CHECK-COUNT-4: memref.load
// CHECK: vector.load {{.*}} vector<4xf32>
func.func @few_bytes_are_no_block(%bytes: memref<64x4xi8>,
                                  %planes: memref<4x64xi8>,
                                  %floats: memref<64x4xf32>,
                                  %rows: memref<4x64xf32>) {
  linalg.transpose ins(%bytes : memref<64x4xi8>)
    outs(%planes : memref<4x64xi8>) permutation = [1, 0]
  linalg.transpose ins(%floats : memref<64x4xf32>)
    outs(%rows : memref<4x64xf32>) permutation = [1, 0]
  return
}

// CHECK-LABEL: func.func @what_vectors_gain_nothing_from_stays(
// CHECK-COUNT-4: linalg.
// CHECK-NOT: vector.load
func.func @what_vectors_gain_nothing_from_stays(
    %rows: memref<4x8x32xf32>, %moved: memref<8x4x32xf32>,
    %bits: memref<64x32xi1>, %turned: memref<32x64xi1>,
    %strided: memref<64x32xf32, strided<[128, 2]>>, %y: memref<32x64xf32>,
    %a: memref<32x32xf32>, %b: memref<32x32xf32>) {
  linalg.transpose ins(%rows : memref<4x8x32xf32>)
    outs(%moved : memref<8x4x32xf32>) permutation = [1, 0, 2]
  linalg.transpose ins(%bits : memref<64x32xi1>)
    outs(%turned : memref<32x64xi1>) permutation = [1, 0]
  linalg.transpose ins(%strided : memref<64x32xf32, strided<[128, 2]>>)
    outs(%y : memref<32x64xf32>) permutation = [1, 0]
  linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>,
                       affine_map<(d0, d1) -> (d1, d0)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<32x32xf32>) outs(%b : memref<32x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %twice = arith.addf %in, %in : f32
    linalg.yield %twice : f32
  }
  return
}
