// RUN: nacre-opt %s -split-input-file --convert-ie-to-linalg | FileCheck %s

// Lowering of the DataMovement family.

// CHECK-LABEL: func @transpose_is_named
func.func @transpose_is_named(%arg0: tensor<2x3x4xf32>) -> tensor<4x2x3xf32> {
  // CHECK: linalg.transpose ins(%arg0 : tensor<2x3x4xf32>) outs(%{{.*}} : tensor<4x2x3xf32>) permutation = [2, 0, 1]
  %0 = IE.Transpose %arg0 {perm = array<i64: 2, 0, 1>} : tensor<2x3x4xf32> -> tensor<4x2x3xf32>
  return %0 : tensor<4x2x3xf32>
}

// -----

// CHECK-LABEL: func @concat_inserts_one_after_the_other
func.func @concat_inserts_one_after_the_other(%arg0: tensor<2x3xf32>, %arg1: tensor<2x0xf32>, %arg2: tensor<2x1xf32>) -> tensor<2x4xf32> {
  // CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<2x4xf32>
  // CHECK: %[[FIRST:.*]] = tensor.insert_slice %arg0 into %[[EMPTY]][0, 0] [2, 3] [1, 1]
  // CHECK: %[[LAST:.*]] = tensor.insert_slice %arg2 into %[[FIRST]][0, 3] [2, 1] [1, 1]
  // CHECK: return %[[LAST]]
  %0 = IE.Concat %arg0, %arg1, %arg2 {axis = -1 : i64} : tensor<2x3xf32>, tensor<2x0xf32>, tensor<2x1xf32> -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

// CHECK-LABEL: func @split_extracts_parts
func.func @split_extracts_parts(%arg0: tensor<5x2xf32>) -> (tensor<3x2xf32>, tensor<2x2xf32>) {
  // CHECK: tensor.extract_slice %arg0[0, 0] [3, 2] [1, 1]
  // CHECK: tensor.extract_slice %arg0[3, 0] [2, 2] [1, 1]
  %0:2 = IE.Split %arg0 {num_outputs = 2 : i64} : tensor<5x2xf32> -> tensor<3x2xf32>, tensor<2x2xf32>
  return %0#0, %0#1 : tensor<3x2xf32>, tensor<2x2xf32>
}

// -----

// Parts without elements are parts nevertheless: what they leave of the dimension
// is none.
// CHECK-LABEL: func @split_of_no_elements_counts_its_parts
// CHECK-SAME: (%[[X:.*]]: tensor<?x0xf32>
func.func @split_of_no_elements_counts_its_parts(%arg0: tensor<?x0xf32>) -> (tensor<?x0xf32>, tensor<?x0xf32>) {
  // CHECK: %[[SIZE:.*]] = tensor.dim %[[X]]
  // CHECK-COUNT-2: tensor.empty
  // CHECK-NEXT: %[[SUM:.*]] = arith.addi
  // CHECK-NEXT: %[[IS_ALL:.*]] = arith.cmpi eq, %[[SUM]], %[[SIZE]]
  // CHECK-NEXT: cf.assert %[[IS_ALL]], "parts that do not make up what is split"
  %0:2 = IE.Split %arg0 {num_outputs = 2 : i64} : tensor<?x0xf32> -> tensor<?x0xf32>, tensor<?x0xf32>
  return %0#0, %0#1 : tensor<?x0xf32>, tensor<?x0xf32>
}

// -----

// CHECK-LABEL: func @slice_of_constant_bounds_extracts
func.func @slice_of_constant_bounds_extracts(%arg0: tensor<10x4xf32>) -> tensor<3x4xf32> {
  %starts = IE.Constant dense<1> : tensor<1xi64>
  %ends = IE.Constant dense<-3> : tensor<1xi64>
  %axes = IE.Constant dense<0> : tensor<1xi64>
  %steps = IE.Constant dense<2> : tensor<1xi64>
  // CHECK: tensor.extract_slice %arg0[1, 0] [3, 4] [2, 1] : tensor<10x4xf32> to tensor<3x4xf32>
  %0 = IE.Slice %arg0, %starts, %ends axes(%axes : tensor<1xi64>) steps(%steps : tensor<1xi64>) : tensor<10x4xf32>, tensor<1xi64>, tensor<1xi64> -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// -----

// CHECK-LABEL: func @slice_backwards_computes_positions
func.func @slice_backwards_computes_positions(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %starts = IE.Constant dense<-1> : tensor<1xi64>
  %ends = IE.Constant dense<-100> : tensor<1xi64>
  %steps = IE.Constant dense<-1> : tensor<1xi64>
  // CHECK: linalg.generic
  // CHECK: tensor.extract %arg0
  %0 = IE.Slice %arg0, %starts, %ends steps(%steps : tensor<1xi64>) : tensor<4xf32>, tensor<1xi64>, tensor<1xi64> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Positions are clamped inside the kernel, whatever the bounds are at run time.
// CHECK-LABEL: func @slice_of_runtime_bounds_stays_inside
func.func @slice_of_runtime_bounds_stays_inside(%arg0: tensor<8xf32>, %starts: tensor<1xi64>, %ends: tensor<1xi64>) -> tensor<3xf32> {
  // CHECK: tensor.extract %arg1
  // CHECK: linalg.generic
  // CHECK: arith.minsi
  // CHECK: %[[POSITION:.*]] = arith.maxsi
  // CHECK: tensor.extract %arg0[%[[POSITION]]]
  %0 = IE.Slice %arg0, %starts, %ends : tensor<8xf32>, tensor<1xi64>, tensor<1xi64> -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// CHECK-LABEL: func @pad_that_cuts_and_adds_slices_first
func.func @pad_that_cuts_and_adds_slices_first(%arg0: tensor<4xf32>, %value: tensor<f32>) -> tensor<5xf32> {
  %pads = IE.Constant dense<[-1, 2]> : tensor<2xi64>
  // CHECK: %[[VALUE:.*]] = tensor.extract %arg1[]
  // CHECK: %[[CUT:.*]] = tensor.extract_slice %arg0[1] [3] [1]
  // CHECK: %[[START:.*]] = tensor.insert_slice %[[CUT]] into %{{.*}}[0] [3] [1]
  // CHECK: %[[END:.*]] = linalg.fill ins(%[[VALUE]] : f32) outs(%{{.*}} : tensor<2xf32>)
  // CHECK: tensor.insert_slice %[[END]] into %[[START]][3] [2] [1]
  %0 = IE.Pad %arg0, %pads value(%value : tensor<f32>) : tensor<4xf32>, tensor<2xi64> -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

// Around the operand, which is copied, are what is above and below it and then
// what is beside it: each element is written once.
// CHECK-LABEL: func @pad_by_edges_computes_what_is_around
func.func @pad_by_edges_computes_what_is_around(%arg0: tensor<10x6xf32>) -> tensor<13x9xf32> {
  %pads = IE.Constant dense<[2, 0, 1, 3]> : tensor<4xi64>
  // CHECK: %[[MIDDLE:.*]] = tensor.insert_slice %arg0 into %{{.*}}[2, 0] [10, 6] [1, 1]
  // CHECK: %[[ABOVE:.*]] = linalg.generic {{.*}}outs(%{{.*}} : tensor<2x9xf32>)
  // CHECK: tensor.insert_slice %[[ABOVE]] into %[[MIDDLE]][0, 0] [2, 9] [1, 1]
  // CHECK: %[[BELOW:.*]] = linalg.generic {{.*}}outs(%{{.*}} : tensor<1x9xf32>)
  // CHECK: tensor.insert_slice %[[BELOW]] into %{{.*}}[12, 0] [1, 9] [1, 1]
  // CHECK: %[[BESIDE:.*]] = linalg.generic {{.*}}outs(%{{.*}} : tensor<10x3xf32>)
  // CHECK: tensor.extract %arg0
  // CHECK: tensor.insert_slice %[[BESIDE]] into %{{.*}}[2, 6] [10, 3] [1, 1]
  // CHECK-NOT: tensor.insert_slice
  %0 = IE.Pad %arg0, %pads {mode = "edge"} : tensor<10x6xf32>, tensor<4xi64> -> tensor<13x9xf32>
  return %0 : tensor<13x9xf32>
}

// -----

// Of a result that mostly is padding all elements are computed.
// CHECK-LABEL: func @pad_by_reflection_computes_positions
func.func @pad_by_reflection_computes_positions(%arg0: tensor<4xf32>) -> tensor<9xf32> {
  %pads = IE.Constant dense<[2, 3]> : tensor<2xi64>
  // CHECK-NOT: tensor.insert_slice
  // CHECK: linalg.generic
  // CHECK: arith.remsi
  // CHECK: tensor.extract %arg0
  %0 = IE.Pad %arg0, %pads {mode = "reflect"} : tensor<4xf32>, tensor<2xi64> -> tensor<9xf32>
  return %0 : tensor<9xf32>
}

// -----

// Which of the two ways an image takes is the same for all its elements.
// CHECK-LABEL: func @reflection_of_a_run_time_size_divides_only_where_it_goes_around
func.func @reflection_of_a_run_time_size_divides_only_where_it_goes_around(%arg0: tensor<?xf32>) -> tensor<?xf32> {
  %pads = IE.Constant dense<[2, 1]> : tensor<2xi64>
  // CHECK: cf.assert
  // CHECK: %[[BEFORE:.*]] = arith.ori
  // CHECK: %[[AROUND:.*]] = arith.ori %[[BEFORE]],
  // CHECK: linalg.generic
  // CHECK: %[[I:.*]] = arith.subi %{{.*}}, %{{.*}} : index
  // CHECK: %[[PHASE:.*]] = scf.if %[[AROUND]] -> (index) {
  // CHECK: arith.remsi %[[I]],
  // CHECK: } else {
  // CHECK-NEXT: scf.yield %[[I]]
  // CHECK: arith.maxsi %[[PHASE]],
  // CHECK: tensor.extract %arg0
  %0 = IE.Pad %arg0, %pads {mode = "reflect"} : tensor<?xf32>, tensor<2xi64> -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// CHECK-LABEL: func @edges_never_go_around
// CHECK-NOT: scf.if
func.func @edges_never_go_around(%arg0: tensor<?xf32>) -> tensor<?xf32> {
  %pads = IE.Constant dense<[2, 1]> : tensor<2xi64>
  %0 = IE.Pad %arg0, %pads {mode = "edge"} : tensor<?xf32>, tensor<2xi64> -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// A constant lies around a tensor of unknown size, too, and nothing is written
// twice.
// CHECK-LABEL: func @pad_of_dynamic_size_fills_what_is_around
// CHECK-NOT: tensor.pad
// CHECK: tensor.empty({{.*}}) : tensor<?x9xf32>
// CHECK: %[[INNER:.*]] = tensor.insert_slice %{{.*}} into %{{.*}}[1, 0] [%[[ROWS:.*]], 6] [1, 1]
// CHECK: %[[ROW:.*]] = linalg.fill {{.*}} -> tensor<1x9xf32>
// CHECK: %[[FIRST:.*]] = tensor.insert_slice %[[ROW]] into %[[INNER]][0, 0] [1, 9] [1, 1]
// CHECK: %[[COLUMNS:.*]] = linalg.fill {{.*}} -> tensor<?x3xf32>
// CHECK: tensor.insert_slice %[[COLUMNS]] into %[[FIRST]][1, 6] [%[[ROWS]], 3] [1, 1]
// CHECK: return
func.func @pad_of_dynamic_size_fills_what_is_around(%arg0: tensor<?x6xf32>) -> tensor<?x9xf32> {
  %pads = IE.Constant dense<[1, 0, 0, 3]> : tensor<4xi64>
  %0 = IE.Pad %arg0, %pads : tensor<?x6xf32>, tensor<4xi64> -> tensor<?x9xf32>
  return %0 : tensor<?x9xf32>
}

// -----

// What is around an operand of any size is computed, and where its parts begin is
// known to a run alone; the operand is copied.
// CHECK-LABEL: func @pad_of_dynamic_size_reflects_what_is_around
// CHECK: %[[INNER:.*]] = tensor.insert_slice %{{.*}} into %{{.*}}[1, 2] [%[[ROWS:.*]], 6] [1, 1]
// CHECK: %[[ABOVE:.*]] = linalg.generic {{.*}}outs(%{{.*}} : tensor<1x8xf32>)
// CHECK: %[[FIRST:.*]] = tensor.insert_slice %[[ABOVE]] into %[[INNER]][0, 0] [1, 8] [1, 1]
// CHECK: %[[BELOW:.*]] = linalg.generic {{.*}}outs(%{{.*}} : tensor<2x8xf32>)
// CHECK: tensor.insert_slice %[[BELOW]] into %[[FIRST]][%{{.*}}, 0] [2, 8] [1, 1]
// CHECK: %[[BESIDE:.*]] = linalg.generic {{.*}}outs(%{{.*}} : tensor<?x2xf32>)
// CHECK: tensor.insert_slice %[[BESIDE]] into %{{.*}}[1, 0] [%[[ROWS]], 2] [1, 1]
// CHECK-NOT: tensor.insert_slice
func.func @pad_of_dynamic_size_reflects_what_is_around(%arg0: tensor<?x6xf32>) -> tensor<?x8xf32> {
  %pads = IE.Constant dense<[1, 2, 2, 0]> : tensor<4xi64>
  %0 = IE.Pad %arg0, %pads {mode = "reflect"} : tensor<?x6xf32>, tensor<4xi64> -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// -----

// CHECK-LABEL: func @pad_of_runtime_amounts_selects
func.func @pad_of_runtime_amounts_selects(%arg0: tensor<4xf32>, %pads: tensor<2xi64>) -> tensor<7xf32> {
  // CHECK: linalg.generic
  // CHECK: arith.select
  // CHECK: linalg.yield
  %0 = IE.Pad %arg0, %pads : tensor<4xf32>, tensor<2xi64> -> tensor<7xf32>
  return %0 : tensor<7xf32>
}

// -----

// CHECK: #[[READ:.*]] = affine_map<(d0, d1) -> (d0, 0)>
// CHECK-LABEL: func @expand_broadcasts_in_the_map
func.func @expand_broadcasts_in_the_map(%arg0: tensor<3x1xf32>, %shape: tensor<2xi64>) -> tensor<3x4xf32> {
  // CHECK: linalg.generic {indexing_maps = [#[[READ]], #{{.*}}], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<3x1xf32>)
  %0 = IE.Expand %arg0, %shape : tensor<3x1xf32>, tensor<2xi64> -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// -----

// CHECK: #[[READ:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d3)>
// CHECK-LABEL: func @tile_repeats_in_the_map
func.func @tile_repeats_in_the_map(%arg0: tensor<2x3xf32>, %repeats: tensor<2xi64>) -> tensor<4x9xf32> {
  // CHECK: %[[PAIRS:.*]] = linalg.generic {indexing_maps = [#[[READ]], #{{.*}}]
  // CHECK: tensor.collapse_shape %[[PAIRS]] {{\[\[}}0, 1], [2, 3]] : tensor<2x2x3x3xf32> into tensor<4x9xf32>
  %0 = IE.Tile %arg0, %repeats : tensor<2x3xf32>, tensor<2xi64> -> tensor<4x9xf32>
  return %0 : tensor<4x9xf32>
}

// -----

// CHECK-LABEL: func @depth_to_space_permutes
func.func @depth_to_space_permutes(%arg0: tensor<1x8x2x3xf32>) -> tensor<1x2x4x6xf32> {
  // CHECK: tensor.expand_shape %arg0 {{.*}} into tensor<1x2x2x2x2x3xf32>
  // CHECK: linalg.transpose {{.*}} permutation = [0, 3, 4, 1, 5, 2]
  // CHECK: tensor.collapse_shape {{.*}} into tensor<1x2x4x6xf32>
  %0 = IE.DepthToSpace %arg0 {blocksize = 2 : i64} : tensor<1x8x2x3xf32> -> tensor<1x2x4x6xf32>
  return %0 : tensor<1x2x4x6xf32>
}

// -----

// CHECK-LABEL: func @trilu_selects_by_diagonal
func.func @trilu_selects_by_diagonal(%arg0: tensor<3x4xf32>) -> tensor<3x4xf32> {
  // CHECK: linalg.generic
  // CHECK: arith.cmpi sge, {{.*}} : index
  // CHECK: arith.select
  %0 = IE.Trilu %arg0 : tensor<3x4xf32> -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// -----

// Of small elements, as many positions are compared as fit a vector.
// CHECK-LABEL: func @trilu_of_bools_compares_narrow_positions
func.func @trilu_of_bools_compares_narrow_positions(%arg0: tensor<3x4xi1>) -> tensor<3x4xi1> {
  // CHECK: %[[COLUMNS:.*]] = arith.constant dense<[0, 1, 2, 3]> : tensor<4xi16>
  // CHECK: linalg.generic {{.*}} ins(%arg0, %[[COLUMNS]] :
  // CHECK: arith.cmpi sge, {{.*}} : i16
  %0 = IE.Trilu %arg0 : tensor<3x4xi1> -> tensor<3x4xi1>
  return %0 : tensor<3x4xi1>
}

// -----

// What is compared fits 16 bits if the number of the diagonal is no farther from
// the matrix than its neighbours are.
// CHECK-LABEL: func @trilu_limits_the_diagonal
func.func @trilu_limits_the_diagonal(%arg0: tensor<300x4xi8>, %k: tensor<i64>) -> tensor<300x4xi8> {
  // CHECK: %[[K:.*]] = arith.maxsi
  // CHECK: linalg.generic
  // CHECK: %[[BOUND:.*]] = arith.addi %{{.*}}, %[[K]] : index
  // CHECK: arith.index_cast %[[BOUND]] : index to i16
  // CHECK: arith.cmpi sle, {{.*}} : i16
  %0 = IE.Trilu %arg0 k(%k : tensor<i64>) {upper = 0 : i64} : tensor<300x4xi8> -> tensor<300x4xi8>
  return %0 : tensor<300x4xi8>
}

// -----

// CHECK-LABEL: func @trilu_of_many_columns_compares_indices
func.func @trilu_of_many_columns_compares_indices(%arg0: tensor<2x40000xi8>) -> tensor<2x40000xi8> {
  // CHECK: linalg.generic
  // CHECK: arith.cmpi sge, {{.*}} : index
  %0 = IE.Trilu %arg0 : tensor<2x40000xi8> -> tensor<2x40000xi8>
  return %0 : tensor<2x40000xi8>
}

// -----

// Each row is copied from its cut on, and zeroes before.
// CHECK-LABEL: func @trilu_that_cuts_rows
func.func @trilu_that_cuts_rows(%arg0: tensor<2x?x?xi8>) -> tensor<2x?x?xi8> {
  // CHECK: scf.for %[[ROW:.*]] = %c0{{.*}} to %dim
  // CHECK: scf.for %[[MATRIX:.*]] = %c0{{.*}} to %c2
  // CHECK: %[[CUT:.*]] = arith.maxsi
  // CHECK: %[[COUNT:.*]] = arith.subi %[[CUT]], %c0
  // CHECK: %[[LEFT:.*]] = tensor.extract_slice %{{.*}}[%[[MATRIX]], %[[ROW]], %c0{{.*}}] [1, 1, %[[COUNT]]]
  // CHECK: %[[ZEROES:.*]] = linalg.fill ins(%c0_i8{{.*}}) outs(%[[LEFT]] : tensor<?xi8>)
  // CHECK: %[[CUTOFF:.*]] = tensor.insert_slice %[[ZEROES]] into
  // CHECK: %[[REST:.*]] = arith.subi %dim{{.*}}, %[[CUT]]
  // CHECK: %[[RIGHT:.*]] = tensor.extract_slice %arg0[%[[MATRIX]], %[[ROW]], %[[CUT]]] [1, 1, %[[REST]]]
  // CHECK: tensor.insert_slice %[[RIGHT]] into %[[CUTOFF]][%[[MATRIX]], %[[ROW]], %[[CUT]]] [1, 1, %[[REST]]]
  // CHECK: {nacre.independent = 0 : i64}
  // CHECK: {nacre.independent = 1 : i64}
  %0 = IE.Trilu %arg0 {VPU.strategy = #VPU.strategy<algorithm = cutRows>} : tensor<2x?x?xi8> -> tensor<2x?x?xi8>
  return %0 : tensor<2x?x?xi8>
}

// -----

// CHECK-LABEL: func @trilu_of_floats_and_unknown_sizes_compares_indices
func.func @trilu_of_floats_and_unknown_sizes_compares_indices(%arg0: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // CHECK: linalg.generic
  // CHECK: arith.cmpi sge, {{.*}} : index
  %0 = IE.Trilu %arg0 : tensor<?x?xf32> -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// A result may be known where its operand is not: so many times the operand all
// the same.
// CHECK-LABEL: func @tile_of_unknown_size_to_a_known_one
// CHECK: %[[N:.*]] = tensor.dim %arg0
// CHECK: %[[SIZE:.*]] = arith.muli %[[N]], %c2
// CHECK: %[[SAME:.*]] = arith.cmpi eq, %[[SIZE]], %c14
// CHECK: cf.assert %[[SAME]], "repeats that do not make the declared size"
// CHECK: %[[PAIRS:.*]] = linalg.generic
// CHECK: %[[TILED:.*]] = tensor.collapse_shape %[[PAIRS]] {{\[\[}}0, 1], [2, 3]] : tensor<2x?x3x3xf32> into tensor<?x9xf32>
// CHECK: tensor.cast %[[TILED]] : tensor<?x9xf32> to tensor<14x9xf32>
func.func @tile_of_unknown_size_to_a_known_one(%x: tensor<?x3xf32>) -> tensor<14x9xf32> {
  %r = IE.Constant dense<[2, 3]> : tensor<2xi64>
  %0 = IE.Tile %x, %r : tensor<?x3xf32>, tensor<2xi64> -> tensor<14x9xf32>
  return %0 : tensor<14x9xf32>
}

// -----

// A dimension that is not repeated has no loop more.
// CHECK: #[[ROWS:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-LABEL: func @tile_of_whole_rows
// CHECK: linalg.generic {indexing_maps = [#[[ROWS]], #{{.*}}]{{.*}} ins(%arg0 : tensor<?x?xf32>) outs(%{{.*}} : tensor<2x?x?xf32>)
// CHECK: tensor.collapse_shape %{{.*}} {{\[\[}}0, 1], [2]] : tensor<2x?x?xf32> into tensor<?x?xf32>
func.func @tile_of_whole_rows(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = IE.Constant dense<[2, 1]> : tensor<2xi64>
  %0 = IE.Tile %x, %r : tensor<?x?xf32>, tensor<2xi64> -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// Repeats that a run reads.
// CHECK-LABEL: func @tile_by_computed_repeats
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<?x2x?x3xf32>)
// CHECK: tensor.collapse_shape %{{.*}} {{\[\[}}0, 1], [2, 3]] : tensor<?x2x?x3xf32> into tensor<?x?xf32>
func.func @tile_by_computed_repeats(%x: tensor<2x3xf32>, %r: tensor<2xi64>) -> tensor<?x?xf32> {
  %0 = IE.Tile %x, %r : tensor<2x3xf32>, tensor<2xi64> -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// Where an operand's size comes from knows more of it than its type.
// CHECK-LABEL: func @concat_of_a_part_whose_sizes_are_traced
// CHECK: %[[PART:.*]] = tensor.cast %{{.*}} : tensor<?x?xf32> to tensor<1x33xf32>
// CHECK: tensor.insert_slice %[[PART]] into %{{.*}}[0, 0] [1, 33] [1, 1] : tensor<1x33xf32> into tensor<1x33xf32>
func.func @concat_of_a_part_whose_sizes_are_traced(%x: tensor<?x?xf32>) -> tensor<1x33xf32> {
  %s = IE.Constant dense<[1, 33]> : tensor<2xi64>
  %0 = IE.Resize(%x) sizes(%s : tensor<2xi64>) {coordinate_transformation_mode = "pytorch_half_pixel", nearest_mode = "ceil"} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = IE.Concat %0 {axis = -1 : i64} : tensor<?x?xf32> -> tensor<1x33xf32>
  return %1 : tensor<1x33xf32>
}

// -----

// A constant that is a value is no size of a slice's type.
// CHECK-LABEL: func @concat_of_parts_known_from_each_other
// CHECK: tensor.insert_slice
// CHECK: tensor.insert_slice
func.func @concat_of_parts_known_from_each_other(%x: tensor<?x?x?x?xf32>, %s: tensor<17x7x5x7xf32>) -> tensor<?x?x?x?xf32> {
  %0 = IE.Transpose %x {perm = array<i64: 2, 0, 1, 3>} : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %1 = IE.PRelu %0, %s : tensor<?x?x?x?xf32>, tensor<17x7x5x7xf32> -> tensor<?x?x?x?xf32>
  %2 = IE.Concat %0, %1 {axis = 1 : i64} : tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  return %2 : tensor<?x?x?x?xf32>
}

// -----

// Of so many parts none is written in place.
// CHECK-LABEL: func.func @concat_of_many
// CHECK-NOT: tensor.insert_slice
// CHECK: %[[ALL:.*]] = tensor.concat dim(0) %arg0
// CHECK: return %[[ALL]] : tensor<66x3xf32>
func.func @concat_of_many(%arg0: tensor<2x3xf32>) -> tensor<66x3xf32> {
  %0 = IE.Concat %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0 {axis = 0 : i64} : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32> -> tensor<66x3xf32>
  return %0 : tensor<66x3xf32>
}

// -----

// CHECK-LABEL: func.func @concat_of_some
// CHECK-COUNT-32: tensor.insert_slice
// CHECK-NOT: tensor.concat
// CHECK: return
func.func @concat_of_some(%arg0: tensor<2x3xf32>) -> tensor<64x3xf32> {
  %0 = IE.Concat %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0 {axis = 0 : i64} : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32> -> tensor<64x3xf32>
  return %0 : tensor<64x3xf32>
}
