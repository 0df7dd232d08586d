// RUN: nacre-opt %s --vpu-arch=x86-64-v3 --vpu-choose-strategies=decide=registers -vectorize-structured-ops | \
// RUN:   FileCheck %s
// RUN: nacre-opt %s --vpu-arch=x86-64-v4 --vpu-choose-strategies=decide=registers -vectorize-structured-ops | \
// RUN:   FileCheck %s --check-prefix=WIDE

// Each element twice: a vector of 32 becomes two, which follow each other. What
// is left of a row is the end of another vector.
// CHECK-LABEL: func.func @bytes_twice_side_by_side(
// CHECK: %[[ROWS:.*]] = memref.collapse_shape %arg1 {{\[\[}}0], [1, 2]] : memref<5x70x2xi8> into memref<5x140xi8>
// CHECK: scf.for %[[ROW:.*]] = %{{.*}} to %c5
// CHECK: scf.for %[[FROM:.*]] = %{{.*}} to %c64{{.*}} step %c32
// CHECK: %[[X:.*]] = vector.load %arg0[%[[ROW]], %[[FROM]]] : memref<5x70xi8>, vector<32xi8>
// CHECK: %[[TWICE:.*]] = arith.muli %[[FROM]], %c2
// CHECK: %[[TO:.*]] = arith.addi %[[TWICE]], %c0
// CHECK: %[[LOW:.*]] = vector.shuffle %[[X]], %[[X]] [0, 0, 1, 1, {{.*}}, 15, 15]
// CHECK: vector.store %[[LOW]], %[[ROWS]][%[[ROW]], %[[TO]]]
// CHECK: %[[NEXT:.*]] = arith.addi %[[TWICE]], %c32
// CHECK: %[[HIGH:.*]] = vector.shuffle %[[X]], %[[X]] [16, 16, 17, 17, {{.*}}, 31, 31]
// CHECK: vector.store %[[HIGH]], %[[ROWS]][%[[ROW]], %[[NEXT]]]
// CHECK: }
// CHECK: vector.load %arg0[%[[ROW]], %c38]
// CHECK-COUNT-2: vector.store
// CHECK-NOT: linalg.generic
// CHECK: return
// WIDE-LABEL: func.func @bytes_twice_side_by_side(
// WIDE: vector.load {{.*}} vector<64xi8>
#source = affine_map<(d0, d1, d2) -> (d0, d1)>
#result = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @bytes_twice_side_by_side(%x: memref<5x70xi8>, %y: memref<5x70x2xi8>) {
  linalg.generic {indexing_maps = [#source, #result],
                  iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : memref<5x70xi8>) outs(%y : memref<5x70x2xi8>) {
  ^bb0(%in: i8, %out: i8):
    linalg.yield %in : i8
  }
  return
}

// An odd number of copies, of rows that are whole vectors.
// CHECK-LABEL: func.func @floats_three_times(
// CHECK: vector.load {{.*}} vector<8xf32>
// CHECK: vector.shuffle %{{.*}} [0, 0, 0, 1, 1, 1, 2, 2]
// CHECK: vector.shuffle %{{.*}} [2, 3, 3, 3, 4, 4, 4, 5]
// CHECK: vector.shuffle %{{.*}} [5, 5, 6, 6, 6, 7, 7, 7]
// CHECK-NOT: vector.load
// CHECK: return
func.func @floats_three_times(%x: memref<5x16xf32>, %y: memref<5x16x3xf32>) {
  linalg.generic {indexing_maps = [#source, #result],
                  iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : memref<5x16xf32>) outs(%y : memref<5x16x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  return
}

// A run finds whether a row has a vector, or a quarter of one.
// CHECK-LABEL: func.func @rows_of_unknown_length(
// CHECK: %[[FITS:.*]] = arith.cmpi sge, %{{.*}}, %c32
// CHECK: scf.if %[[FITS]] {
// CHECK: scf.for
// CHECK: scf.for
// CHECK: vector.load {{.*}} vector<32xi8>
// CHECK: }
// CHECK: vector.load {{.*}} vector<32xi8>
// CHECK: } else {
// CHECK: %[[SOME:.*]] = arith.cmpi sge, %{{.*}}, %c8
// CHECK: scf.if %[[SOME]] {
// CHECK-COUNT-2: vector.load {{.*}} vector<8xi8>
// CHECK: } else {
// CHECK: linalg.generic
func.func @rows_of_unknown_length(%x: memref<5x?xi8>, %y: memref<5x?x2xi8>) {
  linalg.generic {indexing_maps = [#source, #result],
                  iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : memref<5x?xi8>) outs(%y : memref<5x?x2xi8>) {
  ^bb0(%in: i8, %out: i8):
    linalg.yield %in : i8
  }
  return
}

// The copies of an element are vectors, which LLVM stores.
// CHECK-LABEL: func.func @copies_that_fill_a_vector(
// CHECK: linalg.generic
// CHECK-NOT: vector.
func.func @copies_that_fill_a_vector(%x: memref<5x16xf32>, %y: memref<5x16x16xf32>) {
  linalg.generic {indexing_maps = [#source, #result],
                  iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : memref<5x16xf32>) outs(%y : memref<5x16x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  return
}

// What lies between the copies of neighbours is not the op's to write.
// CHECK-LABEL: func.func @copies_with_gaps(
// CHECK: linalg.generic
// CHECK-NOT: vector.
func.func @copies_with_gaps(%x: memref<5x16xf32>, %y: memref<5x16x2xf32, strided<[64, 4, 1]>>) {
  linalg.generic {indexing_maps = [#source, #result],
                  iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : memref<5x16xf32>) outs(%y : memref<5x16x2xf32, strided<[64, 4, 1]>>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  return
}

// Whole rows side by side are copied as they are.
// CHECK-LABEL: func.func @rows_twice(
// CHECK: linalg.generic
// CHECK-NOT: vector.
#row = affine_map<(d0, d1, d2) -> (d0, d2)>
func.func @rows_twice(%x: memref<5x16xf32>, %y: memref<5x2x16xf32>) {
  linalg.generic {indexing_maps = [#row, #result],
                  iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : memref<5x16xf32>) outs(%y : memref<5x2x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  return
}

// LLVM vectorises what is computed of elements.
// CHECK-LABEL: func.func @absolute_values_twice(
// CHECK: linalg.generic
// CHECK-NOT: vector.
func.func @absolute_values_twice(%x: memref<5x16xf32>, %y: memref<5x16x2xf32>) {
  linalg.generic {indexing_maps = [#source, #result],
                  iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : memref<5x16xf32>) outs(%y : memref<5x16x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %a = math.absf %in : f32
    linalg.yield %a : f32
  }
  return
}
