// RUN: nacre-opt %s -expand-views -split-input-file | FileCheck %s

// CHECK-LABEL: func @two_dynamic_dimensions_of_one_get_their_strides
// CHECK-SAME: (%[[A:.*]]: memref<?xf32>, %[[N:.*]]: index, %[[M:.*]]: index)
// CHECK: %[[BASE:.*]], %{{.*}}, %{{.*}}, %{{.*}} = memref.extract_strided_metadata %[[A]]
// CHECK: %[[FOUR:.*]] = arith.constant 4 : index
// CHECK: %[[STRIDE:.*]] = arith.muli %[[M]], %[[FOUR]]
// CHECK: memref.reinterpret_cast %[[BASE]] to offset: [0], sizes: [%[[N]], %[[M]], 4], strides: [%[[STRIDE]], 4, 1] : memref<f32> to memref<?x?x4xf32>
func.func @two_dynamic_dimensions_of_one_get_their_strides(%a: memref<?xf32>, %n: index, %m: index) -> memref<?x?x4xf32> {
  %0 = memref.expand_shape %a [[0, 1, 2]] output_shape [%n, %m, 4] : memref<?xf32> into memref<?x?x4xf32>
  return %0 : memref<?x?x4xf32>
}

// -----

// CHECK-LABEL: func @one_dynamic_dimension_is_what_the_others_leave
// CHECK: %[[BASE:.*]], %{{.*}}, %[[SIZE:.*]], %{{.*}} = memref.extract_strided_metadata
// CHECK: arith.cmpi slt, %[[SIZE]]
// CHECK: arith.divsi
// CHECK: %[[ROWS:.*]] = arith.select
// CHECK: memref.reinterpret_cast %[[BASE]] to offset: [0], sizes: [%[[ROWS]], 4], strides: [4, 1]
func.func @one_dynamic_dimension_is_what_the_others_leave(%a: memref<?xf32>, %n: index) -> memref<?x4xf32> {
  %0 = memref.expand_shape %a [[0, 1]] output_shape [%n, 4] : memref<?xf32> into memref<?x4xf32>
  return %0 : memref<?x4xf32>
}

// -----

// CHECK-LABEL: func @dynamic_dimensions_of_a_strided_buffer_keep_its_stride
// CHECK-SAME: (%[[A:.*]]: memref<?x?xf32, strided<[?, 2], offset: ?>>, %[[B:.*]]: index, %[[N:.*]]: index, %[[M:.*]]: index)
// CHECK: %[[BASE:.*]], %[[OFFSET:.*]], %{{.*}}, %[[OUTER:.*]]:2 = memref.extract_strided_metadata %[[A]]
// CHECK: %[[TWO:.*]] = arith.constant 2 : index
// CHECK: %[[STRIDE:.*]] = arith.muli %[[M]], %[[TWO]]
// CHECK: memref.reinterpret_cast %[[BASE]] to offset: [%[[OFFSET]]], sizes: [%[[B]], %[[N]], %[[M]]], strides: [%[[OUTER]]#0, %[[STRIDE]], 2]
func.func @dynamic_dimensions_of_a_strided_buffer_keep_its_stride(%a: memref<?x?xf32, strided<[?, 2], offset: ?>>, %b: index, %n: index, %m: index) -> memref<?x?x?xf32, strided<[?, ?, 2], offset: ?>> {
  %0 = memref.expand_shape %a [[0], [1, 2]] output_shape [%b, %n, %m] : memref<?x?xf32, strided<[?, 2], offset: ?>> into memref<?x?x?xf32, strided<[?, ?, 2], offset: ?>>
  return %0 : memref<?x?x?xf32, strided<[?, ?, 2], offset: ?>>
}

// -----

// CHECK-LABEL: func @tile_is_an_offset_into_its_buffer
// CHECK-SAME: (%[[A:.*]]: memref<16x32xf32>, %[[I:.*]]: index)
// CHECK: %[[BASE:[a-z_]+]], {{.*}} = memref.extract_strided_metadata %[[A]]
// CHECK: %[[WIDTH:.*]] = arith.constant 32 : index
// CHECK: %[[OFFSET:[0-9]+]] = arith.muli %[[I]], %[[WIDTH]]
// CHECK: memref.reinterpret_cast %[[BASE]] to offset: [%[[OFFSET]]], sizes: [4, 8], strides: [32, 1]
// CHECK-NOT: memref.subview
func.func @tile_is_an_offset_into_its_buffer(%a: memref<16x32xf32>, %i: index) -> memref<4x8xf32, strided<[32, 1], offset: ?>> {
  %0 = memref.subview %a[%i, 0] [4, 8] [1, 1] : memref<16x32xf32> to memref<4x8xf32, strided<[32, 1], offset: ?>>
  return %0 : memref<4x8xf32, strided<[32, 1], offset: ?>>
}

// -----

// CHECK-LABEL: func @loads_of_whole_buffers_stay
// CHECK-NEXT: memref.load
// CHECK-NEXT: return
func.func @loads_of_whole_buffers_stay(%a: memref<4xf32>, %i: index) -> f32 {
  %0 = memref.load %a[%i] : memref<4xf32>
  return %0 : f32
}

// -----

// CHECK-LABEL: func @affine_loop_is_one_of_arithmetic
// CHECK-SAME: (%[[A:.*]]: memref<64xf32>, %[[N:.*]]: index)
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[N]]
// CHECK: %[[AT:.*]] = arith.muli %[[I]]
// CHECK: memref.load %[[A]][%[[AT]]]
// CHECK-NOT: affine
func.func @affine_loop_is_one_of_arithmetic(%a: memref<64xf32>, %n: index) {
  affine.for %i = 0 to %n {
    %0 = affine.load %a[%i * 2] : memref<64xf32>
    affine.store %0, %a[%i] : memref<64xf32>
  }
  return
}

// -----

// CHECK-LABEL: func @index_of_a_point_is_arithmetic
// CHECK: arith.muli
// CHECK-NOT: affine
func.func @index_of_a_point_is_arithmetic(%i: index, %j: index, %n: index) -> index {
  %0 = affine.linearize_index [%i, %j] by (4, %n) : index
  return %0 : index
}

// -----

// CHECK-LABEL: func @point_of_an_index_is_arithmetic
// CHECK-NOT: affine
func.func @point_of_an_index_is_arithmetic(%i: index, %n: index) -> (index, index) {
  %0:2 = affine.delinearize_index %i into (4, %n) : index, index
  return %0#0, %0#1 : index, index
}
