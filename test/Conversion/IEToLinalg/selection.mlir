// RUN: nacre-opt %s -convert-ie-to-linalg -canonicalize -split-input-file | FileCheck %s

// CHECK-LABEL: func @non_zero_takes_the_columns_that_it_filled
// CHECK-SAME: %[[X:.*]]: tensor<2x3xf32>
// CHECK: %[[ROOM:.*]] = tensor.empty() : tensor<2x6xi64>
// CHECK: %[[ROWS:.*]]:2 = scf.for %[[I:.*]] = {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %[[ROOM]])
// CHECK: scf.for %[[J:.*]] = {{.*}} iter_args(%[[COUNT:.*]] = %{{.*}}, %[[SOFAR:.*]] = %{{.*}})
// CHECK: %[[ELEMENT:.*]] = tensor.extract %[[X]][%[[I]], %[[J]]]
// CHECK: %[[HOLDS:.*]] = arith.cmpf une, %[[ELEMENT]]
// CHECK: scf.if %[[HOLDS]]
// CHECK: %[[FIRST:.*]] = tensor.insert %{{.*}} into %[[SOFAR]][%c0, %[[COUNT]]]
// CHECK: tensor.insert %{{.*}} into %[[FIRST]][%c1, %[[COUNT]]]
// CHECK: tensor.extract_slice %[[ROWS]]#1[0, 0] [2, %[[ROWS]]#0] [1, 1] : tensor<2x6xi64> to tensor<2x?xi64>
func.func @non_zero_takes_the_columns_that_it_filled(%x: tensor<2x3xf32>) -> tensor<2x?xi64> {
  %0 = IE.NonZero(%x) : (tensor<2x3xf32>) -> tensor<2x?xi64>
  return %0 : tensor<2x?xi64>
}

// -----

// CHECK-LABEL: func @non_zero_of_dynamic_shape_makes_room_for_all_elements
// CHECK: %[[DIM:.*]] = tensor.dim %arg0, %c0
// CHECK: %[[SIZE:.*]] = arith.muli %[[DIM]], %c3
// CHECK: tensor.empty(%[[SIZE]]) : tensor<2x?xi64>
// CHECK: scf.for %{{.*}} = %c0 to %[[DIM]]
func.func @non_zero_of_dynamic_shape_makes_room_for_all_elements(%x: tensor<?x3xi8>) -> tensor<2x?xi64> {
  %0 = IE.NonZero(%x) : (tensor<?x3xi8>) -> tensor<2x?xi64>
  return %0 : tensor<2x?xi64>
}

// -----

// No slice of what has no elements is taken.
// CHECK-LABEL: func @non_zero_of_nothing_is_empty
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<2x0xi64>
// CHECK: %[[CAST:.*]] = tensor.cast %[[EMPTY]] : tensor<2x0xi64> to tensor<2x?xi64>
// CHECK: return %[[CAST]]
func.func @non_zero_of_nothing_is_empty(%x: tensor<2x0xf32>) -> tensor<2x?xi64> {
  %0 = IE.NonZero(%x) : (tensor<2x0xf32>) -> tensor<2x?xi64>
  return %0 : tensor<2x?xi64>
}

// -----

// CHECK-LABEL: func @non_zero_of_declared_length_asserts_it
// CHECK: %[[ROWS:.*]]:2 = scf.for
// CHECK: %[[IS_SAME:.*]] = arith.cmpi eq, %[[ROWS]]#0, %c2
// CHECK: cf.assert %[[IS_SAME]], "a result has another length than the model declares"
// CHECK: tensor.extract_slice %[[ROWS]]#1[0, 0] [1, 2] [1, 1] : tensor<1x3xi64> to tensor<1x2xi64>
func.func @non_zero_of_declared_length_asserts_it(%x: tensor<3xi1>) -> tensor<1x2xi64> {
  %0 = IE.NonZero(%x) : (tensor<3xi1>) -> tensor<1x2xi64>
  return %0 : tensor<1x2xi64>
}

// -----

// Positions are sorted by the bytes of the elements; then each whose element is
// greater than the one before begins a group.
// CHECK-LABEL: func @unique_groups_sorted_positions
// CHECK-SAME: %[[X:.*]]: tensor<99xf32>
// CHECK: scf.for %[[I:.*]] = %c0 to %c99
// CHECK: %[[ELEMENT:.*]] = tensor.extract %[[X]][%[[I]]]
// CHECK: arith.bitcast %{{.*}} : f32 to i32
// CHECK: arith.cmpf uno, %[[ELEMENT]], %[[ELEMENT]]
// CHECK: math.ctlz
// CHECK: %[[SORTED:.*]]:5 = scf.for
// CHECK: scf.if
// CHECK: %[[GROUPS:.*]]:4 = scf.for
// CHECK: tensor.extract %[[SORTED]]#1
// CHECK: %[[LEFT:.*]] = tensor.extract %[[SORTED]]#0
// CHECK: %[[RIGHT:.*]] = tensor.extract %[[SORTED]]#0
// CHECK: arith.cmpi ult, %[[LEFT]], %[[RIGHT]]
// CHECK: scf.if
// CHECK: %[[VALUES:.*]] = scf.for %{{.*}} = %c0 to %[[GROUPS]]#0
// CHECK: tensor.extract %[[X]]
// CHECK-DAG: tensor.extract_slice %[[VALUES]][0] [%[[GROUPS]]#0] [1] : tensor<99xf32> to tensor<?xf32>
// CHECK-DAG: tensor.extract_slice %[[GROUPS]]#1[0] [%[[GROUPS]]#0] [1] : tensor<99xi64> to tensor<?xi64>
// CHECK-DAG: tensor.extract_slice %[[GROUPS]]#2[0] [%[[GROUPS]]#0] [1] : tensor<99xi64> to tensor<?xi64>
// CHECK: return %{{.*}}, %{{.*}}, %[[GROUPS]]#3, %{{.*}}
func.func @unique_groups_sorted_positions(%x: tensor<99xf32>) -> (tensor<?xf32>, tensor<?xi64>, tensor<99xi64>, tensor<?xi64>) {
  %0:4 = IE.Unique(%x) : (tensor<99xf32>) -> (tensor<?xf32>, tensor<?xi64>, tensor<99xi64>, tensor<?xi64>)
  return %0#0, %0#1, %0#2, %0#3 : tensor<?xf32>, tensor<?xi64>, tensor<99xi64>, tensor<?xi64>
}

// -----

// Slices are compared until an element decides; what is in front of the axis
// and what is behind it are a dimension each.
// CHECK-LABEL: func @unique_along_an_axis_compares_slices
// CHECK: %[[VIEW:.*]] = tensor.collapse_shape %arg0 {{\[\[}}0, 1], [2], [3]] : tensor<2x3x7x5xi8> into tensor<6x7x5xi8>
// CHECK: scf.while
// CHECK: scf.while (%[[K:.*]] = %c0
// CHECK: arith.cmpi slt, %[[K]], %c30
// CHECK: arith.divui %[[L:.*]], %c5
// CHECK: arith.remui %[[L]], %c5
// CHECK: arith.cmpi ult
// CHECK: tensor.extract_slice %{{.*}}[0, 0, 0, 0] [2, 3, %{{.*}}, 5] [1, 1, 1, 1]
func.func @unique_along_an_axis_compares_slices(%x: tensor<2x3x7x5xui8>) -> tensor<2x3x?x5xui8> {
  %0:4 = IE.Unique(%x) {axis = 2 : i64} : (tensor<2x3x7x5xui8>) -> (tensor<2x3x?x5xui8>, tensor<?xi64>, tensor<7xi64>, tensor<?xi64>)
  return %0#0 : tensor<2x3x?x5xui8>
}

// -----

// CHECK-LABEL: func @unique_in_order_of_appearance_numbers_the_groups_anew
// CHECK: %[[GROUPS:.*]]:4 = scf.for
// CHECK: %[[NEW:.*]]:5 = scf.for %[[I:.*]] = %c0 to %c9 {{.*}} iter_args({{.*}}%[[GROUPS]]#3
// CHECK: tensor.extract %[[GROUPS]]#1
// CHECK: arith.cmpi eq
// CHECK: scf.if
// CHECK: tensor.extract %[[GROUPS]]#2
// CHECK: return %[[NEW]]#3
func.func @unique_in_order_of_appearance_numbers_the_groups_anew(%x: tensor<9xi32>) -> tensor<9xi64> {
  %0:4 = IE.Unique(%x) {sorted = 0 : i64} : (tensor<9xi32>) -> (tensor<?xi32>, tensor<?xi64>, tensor<9xi64>, tensor<?xi64>)
  return %0#2 : tensor<9xi64>
}

// -----

// CHECK-LABEL: func @non_max_suppression_keeps_what_overlaps_nothing_better
// CHECK: %[[ROOM:.*]] = tensor.empty() : tensor<4x3xi64>
// CHECK: %[[KEPT:.*]] = tensor.empty() : tensor<4x2xf32>
// CHECK: %[[ROWS:.*]]:{{[0-9]}} = scf.for %[[CLASS:.*]] = %c0 to %c2 {{.*}}%[[ROOM]], %{{.*}} = %[[KEPT]]
// CHECK: %[[END:.*]] = arith.addi %{{.*}}, %c2
// A portion of 64 boxes at first, as long as there are more and not yet two
// are chosen:
// CHECK: scf.while ({{.*}} = %c0_i32, %{{.*}} = %c64,
// CHECK: arith.cmpi slt, %{{.*}}, %[[END]]
// what has a sufficient score and comes after the last portion,
// CHECK: ^bb0(%[[AFTER:.*]]: i32,
// CHECK: %[[ALL:.*]]:{{[0-9]}} = scf.for
// CHECK-DAG: %[[IS_HIGH:.*]] = arith.cmpf olt
// CHECK-DAG: %[[IS_NEXT:.*]] = arith.cmpi ult, %[[AFTER]],
// CHECK: arith.andi %[[IS_HIGH]], %[[IS_NEXT]]
// of that the best by the digit that they differ in first,
// CHECK: math.ctlz
// CHECK: scf.for {{.*}} to %[[ALL]]#0
// CHECK: scf.while
// CHECK: %[[BOUND:.*]] = arith.addi {{.*}} : i32
// CHECK: %[[BEST:.*]]:{{[0-9]}} = scf.for {{.*}} to %[[ALL]]#0
// CHECK: arith.cmpi ule, %{{.*}}, %[[BOUND]]
// which are sorted.
// CHECK: scf.for {{.*}} to %[[BEST]]#0
// CHECK: scf.while
// CHECK-DAG: arith.cmpi slt, %{{.*}}, %[[BEST]]#0
// CHECK-DAG: arith.cmpi slt, %{{.*}}, %[[END]]
// Boxes that are kept are compared in blocks.
// CHECK: scf.while
// CHECK: arith.addi %{{.*}}, %c32
// CHECK: scf.for
// CHECK: arith.divf
// CHECK: scf.if
// CHECK: tensor.insert
// CHECK: tensor.extract_slice %[[ROWS]]#1[0, 0] [%[[ROWS]]#0, 3] [1, 1] : tensor<4x3xi64> to tensor<?x3xi64>
func.func @non_max_suppression_keeps_what_overlaps_nothing_better(%boxes: tensor<1x6x4xf32>, %scores: tensor<1x2x6xf32>) -> tensor<?x3xi64> {
  %max = IE.Constant dense<2> : tensor<1xi64>
  %0 = IE.NonMaxSuppression(%boxes, %scores, %max)
      {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}
      : (tensor<1x6x4xf32>, tensor<1x2x6xf32>, tensor<1xi64>) -> tensor<?x3xi64>
  return %0 : tensor<?x3xi64>
}

// -----

// CHECK-LABEL: func @non_max_suppression_of_run_time_limit_has_room_for_all_boxes
// CHECK: tensor.empty() : tensor<36x3xi64>
func.func @non_max_suppression_of_run_time_limit_has_room_for_all_boxes(%boxes: tensor<3x6x4xf32>, %scores: tensor<3x2x6xf32>, %max: tensor<i64>) -> tensor<?x3xi64> {
  %0 = IE.NonMaxSuppression(%boxes, %scores, %max)
      {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}
      : (tensor<3x6x4xf32>, tensor<3x2x6xf32>, tensor<i64>) -> tensor<?x3xi64>
  return %0 : tensor<?x3xi64>
}

// -----

// Which slices are kept is found first. No room is as large as all of them.
// CHECK-LABEL: func @compress_gathers_what_is_kept
// CHECK: %[[ROOM:.*]] = tensor.empty() : tensor<3xi64>
// CHECK: %[[KEPT:.*]]:2 = scf.for %[[I:.*]] = %c0 to %c3 step %c1 iter_args(%[[COUNT:.*]] = %c0, %[[SOFAR:.*]] = %[[ROOM]])
// CHECK: %[[NUMBER:.*]] = arith.index_cast %[[I]] : index to i64
// CHECK: tensor.insert %[[NUMBER]] into %[[SOFAR]][%[[COUNT]]]
// CHECK: %[[HOLDS:.*]] = tensor.extract %arg1[%[[I]]]
// CHECK: %[[MORE:.*]] = arith.index_castui %[[HOLDS]] : i1 to index
// CHECK: arith.addi %[[COUNT]], %[[MORE]]
// CHECK: tensor.empty(%[[KEPT]]#0) : tensor<?x2xf32>
// CHECK: linalg.generic
// CHECK: %[[FROM:.*]] = tensor.extract %[[KEPT]]#1
// CHECK: %[[ROW:.*]] = arith.index_cast %[[FROM]] : i64 to index
// CHECK: tensor.extract %arg0[%[[ROW]], %{{.*}}]
func.func @compress_gathers_what_is_kept(%x: tensor<4x2xf32>, %condition: tensor<3xi1>) -> tensor<?x2xf32> {
  %0 = IE.Compress %x, %condition {axis = 0 : i64} : tensor<4x2xf32>, tensor<3xi1> -> tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}

// -----

// CHECK-LABEL: func @compress_without_axis_takes_elements
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape %arg0
// CHECK: linalg.generic
// CHECK: tensor.extract %[[FLAT]][%{{.*}}] : tensor<8xf32>
func.func @compress_without_axis_takes_elements(%x: tensor<4x2xf32>, %condition: tensor<8xi1>) -> tensor<?xf32> {
  %0 = IE.Compress %x, %condition : tensor<4x2xf32>, tensor<8xi1> -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
