// RUN: nacre-opt %s -split-input-file -verify-diagnostics | FileCheck %s
// RUN: nacre-opt %s -split-input-file -verify-diagnostics -canonicalize | FileCheck %s --check-prefix=CANON

// Parsing, inference and folding of the DataMovement family.

// CANON-LABEL: func @transposes_compose_to_identity
func.func @transposes_compose_to_identity(%arg0: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  // CHECK: IE.Transpose %arg0 {perm = array<i64: 1, 2, 0>} : tensor<2x3x4xf32> -> tensor<3x4x2xf32>
  // CANON-NEXT: return %arg0
  %0 = IE.Transpose %arg0 {perm = array<i64: 1, 2, 0>} : tensor<2x3x4xf32> -> tensor<3x4x2xf32>
  %1 = IE.Transpose %0 {perm = array<i64: 2, 0, 1>} : tensor<3x4x2xf32> -> tensor<2x3x4xf32>
  return %1 : tensor<2x3x4xf32>
}

// -----

// CANON-LABEL: func @transpose_without_perm_reverses
func.func @transpose_without_perm_reverses(%arg0: tensor<2x3x4xf32>) -> tensor<3x4x2xf32> {
  // CANON: IE.Transpose %arg0 {perm = array<i64: 1, 2, 0>}
  // CHECK: IE.Transpose %arg0 : tensor<2x3x4xf32> -> tensor<4x3x2xf32>
  %0 = IE.Transpose %arg0 : tensor<2x3x4xf32> -> tensor<4x3x2xf32>
  %1 = IE.Transpose %0 {perm = array<i64: 1, 0, 2>} : tensor<4x3x2xf32> -> tensor<3x4x2xf32>
  return %1 : tensor<3x4x2xf32>
}

// -----

func.func @transpose_with_repeated_axis_is_rejected(%arg0: tensor<2x3xf32>) -> tensor<2x2xf32> {
  // expected-error @+2 {{expected perm to hold each of 0 to 1 once, found 0 twice}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.Transpose %arg0 {perm = array<i64: 0, 0>} : tensor<2x3xf32> -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// -----

// CANON-LABEL: func @concat_of_concat_flattens
func.func @concat_of_concat_flattens(%arg0: tensor<2x3xf32>, %arg1: tensor<2x1xf32>, %arg2: tensor<2x0xf32>) -> tensor<2x7xf32> {
  // CHECK: IE.Concat %arg0, %arg1 {axis = 1 : i64} : tensor<2x3xf32>, tensor<2x1xf32> -> tensor<2x4xf32>
  // CANON-NEXT: %[[RESULT:.*]] = IE.Concat %arg0, %arg1, %arg0 {axis = -1 : i64}
  // CANON-NEXT: return %[[RESULT]]
  %0 = IE.Concat %arg0, %arg1 {axis = 1 : i64} : tensor<2x3xf32>, tensor<2x1xf32> -> tensor<2x4xf32>
  %1 = IE.Concat %0, %arg2, %arg0 {axis = -1 : i64} : tensor<2x4xf32>, tensor<2x0xf32>, tensor<2x3xf32> -> tensor<2x7xf32>
  return %1 : tensor<2x7xf32>
}

// -----

// CANON-LABEL: func @concat_of_one_input_folds
func.func @concat_of_one_input_folds(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CANON-NEXT: return %arg0
  %0 = IE.Concat %arg0 {axis = 0 : i64} : tensor<2x3xf32> -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @concat_of_clashing_inputs_is_rejected(%arg0: tensor<2x3xf32>, %arg1: tensor<4x1xf32>) -> tensor<2x4xf32> {
  // expected-error @+2 {{expected inputs that differ only in dimension 1, found 'tensor<2x3xf32>' and 'tensor<4x1xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.Concat %arg0, %arg1 {axis = 1 : i64} : tensor<2x3xf32>, tensor<4x1xf32> -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

// CHECK-LABEL: func @split_by_number_gives_a_smaller_last_part
func.func @split_by_number_gives_a_smaller_last_part(%arg0: tensor<7xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<1xf32>) {
  // CHECK: %{{.*}}:3 = IE.Split %arg0 {num_outputs = 3 : i64} : tensor<7xf32> -> tensor<3xf32>, tensor<3xf32>, tensor<1xf32>
  %0:3 = IE.Split %arg0 {num_outputs = 3 : i64} : tensor<7xf32> -> tensor<3xf32>, tensor<3xf32>, tensor<1xf32>
  return %0#0, %0#1, %0#2 : tensor<3xf32>, tensor<3xf32>, tensor<1xf32>
}

// -----

func.func @split_into_wrong_sum_is_rejected(%arg0: tensor<6xf32>) -> (tensor<2xf32>, tensor<3xf32>) {
  %split = IE.Constant dense<[2, 3]> : tensor<2xi64>
  // expected-error @+2 {{expected parts that sum up to 6, found 5}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = IE.Split %arg0 split(%split : tensor<2xi64>) : tensor<6xf32> -> tensor<2xf32>, tensor<3xf32>
  return %0#0, %0#1 : tensor<2xf32>, tensor<3xf32>
}

// -----

// CHECK-LABEL: func @slice_with_negative_step_counts_backwards
func.func @slice_with_negative_step_counts_backwards(%arg0: tensor<10x4xf32>) -> tensor<5x4xf32> {
  %starts = IE.Constant dense<-1> : tensor<1xi64>
  %ends = IE.Constant dense<-100> : tensor<1xi64>
  %axes = IE.Constant dense<0> : tensor<1xi64>
  %steps = IE.Constant dense<-2> : tensor<1xi64>
  // CHECK: IE.Slice %arg0, %{{.*}}, %{{.*}} axes(%{{.*}} : tensor<1xi64>) steps(%{{.*}} : tensor<1xi64>) : tensor<10x4xf32>, tensor<1xi64>, tensor<1xi64> -> tensor<5x4xf32>
  %0 = IE.Slice %arg0, %starts, %ends axes(%axes : tensor<1xi64>) steps(%steps : tensor<1xi64>) : tensor<10x4xf32>, tensor<1xi64>, tensor<1xi64> -> tensor<5x4xf32>
  return %0 : tensor<5x4xf32>
}

// -----

// A start in front of all elements is the first one, as ONNX has it.
// CHECK-LABEL: func @slice_backwards_from_before_the_first_element_takes_it
func.func @slice_backwards_from_before_the_first_element_takes_it(%arg0: tensor<2x4xf32>) -> tensor<1x4xf32> {
  %starts = IE.Constant dense<-5> : tensor<1xi64>
  %ends = IE.Constant dense<-100> : tensor<1xi64>
  %axes = IE.Constant dense<0> : tensor<1xi64>
  %steps = IE.Constant dense<-1> : tensor<1xi64>
  // CHECK: IE.Slice {{.*}} -> tensor<1x4xf32>
  %0 = IE.Slice %arg0, %starts, %ends axes(%axes : tensor<1xi64>) steps(%steps : tensor<1xi64>) : tensor<2x4xf32>, tensor<1xi64>, tensor<1xi64> -> tensor<1x4xf32>
  return %0 : tensor<1x4xf32>
}

// -----

// CANON-LABEL: func @slice_of_everything_folds
func.func @slice_of_everything_folds(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %starts = IE.Constant dense<0> : tensor<1xi64>
  %ends = IE.Constant dense<9223372036854775807> : tensor<1xi64>
  // CANON-NEXT: return %arg0
  %0 = IE.Slice %arg0, %starts, %ends : tensor<4xf32>, tensor<1xi64>, tensor<1xi64> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Reversal keeps the type but not the elements.
// CANON-LABEL: func @slice_that_reverses_stays
func.func @slice_that_reverses_stays(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %starts = IE.Constant dense<-1> : tensor<1xi64>
  %ends = IE.Constant dense<-9223372036854775808> : tensor<1xi64>
  %steps = IE.Constant dense<-1> : tensor<1xi64>
  // CANON: %[[RESULT:.*]] = IE.Slice
  // CANON: return %[[RESULT]]
  %0 = IE.Slice %arg0, %starts, %ends steps(%steps : tensor<1xi64>) : tensor<4xf32>, tensor<1xi64>, tensor<1xi64> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// [2, 10) by 2 gives 2 4 6 8; backwards from 6 gives 6 4 2.
// CANON-LABEL: func @slices_compose
func.func @slices_compose(%arg0: tensor<10xf32>) -> tensor<3xf32> {
  %s0 = IE.Constant dense<2> : tensor<1xi64>
  %e0 = IE.Constant dense<10> : tensor<1xi64>
  %p0 = IE.Constant dense<2> : tensor<1xi64>
  %s1 = IE.Constant dense<2> : tensor<1xi64>
  %e1 = IE.Constant dense<-100> : tensor<1xi64>
  %p1 = IE.Constant dense<-1> : tensor<1xi64>
  // CANON-DAG: %[[START:.*]] = IE.Constant dense<6> : tensor<1xi64>
  // CANON-DAG: %[[END:.*]] = IE.Constant dense<1> : tensor<1xi64>
  // CANON-DAG: %[[STEP:.*]] = IE.Constant dense<-2> : tensor<1xi64>
  // CANON: IE.Slice %arg0, %[[START]], %[[END]] axes(%{{.*}} : tensor<1xi64>) steps(%[[STEP]] : tensor<1xi64>)
  // CANON-NOT: IE.Slice
  %0 = IE.Slice %arg0, %s0, %e0 steps(%p0 : tensor<1xi64>) : tensor<10xf32>, tensor<1xi64>, tensor<1xi64> -> tensor<4xf32>
  %1 = IE.Slice %0, %s1, %e1 steps(%p1 : tensor<1xi64>) : tensor<4xf32>, tensor<1xi64>, tensor<1xi64> -> tensor<3xf32>
  return %1 : tensor<3xf32>
}

// -----

func.func @slice_with_zero_step_is_rejected(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %zero = IE.Constant dense<0> : tensor<1xi64>
  // expected-error @+2 {{expected steps other than 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.Slice %arg0, %zero, %zero steps(%zero : tensor<1xi64>) : tensor<4xf32>, tensor<1xi64>, tensor<1xi64> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func @pad_of_some_axes_infers
func.func @pad_of_some_axes_infers(%arg0: tensor<2x3xf32>, %value: tensor<f32>) -> tensor<2x6xf32> {
  %pads = IE.Constant dense<[1, 2]> : tensor<2xi64>
  %axes = IE.Constant dense<-1> : tensor<1xi64>
  // CHECK: IE.Pad %arg0, %{{.*}} value(%arg1 : tensor<f32>) axes(%{{.*}} : tensor<1xi64>) : tensor<2x3xf32>, tensor<2xi64> -> tensor<2x6xf32>
  %0 = IE.Pad %arg0, %pads value(%value : tensor<f32>) axes(%axes : tensor<1xi64>) : tensor<2x3xf32>, tensor<2xi64> -> tensor<2x6xf32>
  return %0 : tensor<2x6xf32>
}

// -----

// CANON-LABEL: func @pad_by_nothing_folds
func.func @pad_by_nothing_folds(%arg0: tensor<2xf32>) -> tensor<2xf32> {
  %pads = IE.Constant dense<0> : tensor<2xi64>
  // CANON-NEXT: return %arg0
  %0 = IE.Pad %arg0, %pads {mode = "reflect"} : tensor<2xf32>, tensor<2xi64> -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CANON-LABEL: func @pad_that_shifts_stays
func.func @pad_that_shifts_stays(%arg0: tensor<2xf32>) -> tensor<2xf32> {
  %pads = IE.Constant dense<[1, -1]> : tensor<2xi64>
  // CANON: IE.Pad
  %0 = IE.Pad %arg0, %pads : tensor<2xf32>, tensor<2xi64> -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @pad_with_unknown_mode_is_rejected(%arg0: tensor<2xf32>, %pads: tensor<2xi64>) -> tensor<4xf32> {
  // expected-error @+1 {{attribute 'mode' failed to satisfy constraint}}
  %0 = IE.Pad %arg0, %pads {mode = "mirror"} : tensor<2xf32>, tensor<2xi64> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @pad_with_value_of_other_type_is_rejected(%arg0: tensor<2xf32>, %pads: tensor<2xi64>, %value: tensor<i64>) -> tensor<4xf32> {
  // expected-error @+1 {{expected a constant value of the operand's element type, found 'tensor<i64>'}}
  %0 = IE.Pad %arg0, %pads value(%value : tensor<i64>) : tensor<2xf32>, tensor<2xi64> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @pad_that_leaves_nothing_is_rejected(%arg0: tensor<2xf32>) -> tensor<?xf32> {
  %pads = IE.Constant dense<[-2, -1]> : tensor<2xi64>
  // expected-error @+2 {{expected pads that leave a size, found -2 and -1 for a dimension of 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.Pad %arg0, %pads : tensor<2xf32>, tensor<2xi64> -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// CHECK-LABEL: func @expand_broadcasts_both_ways
func.func @expand_broadcasts_both_ways(%arg0: tensor<3x1xf32>) -> tensor<2x3x4xf32> {
  %shape = IE.Constant dense<[2, 1, 4]> : tensor<3xi64>
  // CHECK: IE.Expand %arg0, %{{.*}} : tensor<3x1xf32>, tensor<3xi64> -> tensor<2x3x4xf32>
  %0 = IE.Expand %arg0, %shape : tensor<3x1xf32>, tensor<3xi64> -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// -----

// CANON-LABEL: func @expand_and_tile_to_own_shape_fold
func.func @expand_and_tile_to_own_shape_fold(%arg0: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %ones = IE.Constant dense<1> : tensor<2xi64>
  // CANON-NEXT: return %arg0
  %0 = IE.Expand %arg0, %ones : tensor<3x4xf32>, tensor<2xi64> -> tensor<3x4xf32>
  %1 = IE.Tile %0, %ones : tensor<3x4xf32>, tensor<2xi64> -> tensor<3x4xf32>
  return %1 : tensor<3x4xf32>
}

// -----

func.func @tile_beyond_any_memory_is_rejected(%arg0: tensor<4096x4096xf32>) -> tensor<?x?xf32> {
  %repeats = IE.Constant dense<1000000000> : tensor<2xi64>
  // expected-error @+2 {{expected at most 1099511627776 elements in the result}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.Tile %arg0, %repeats : tensor<4096x4096xf32>, tensor<2xi64> -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: func @space_and_depth_exchange
func.func @space_and_depth_exchange(%arg0: tensor<1x8x2x3xf32>) -> tensor<1x8x2x3xf32> {
  // CHECK: IE.DepthToSpace %arg0 {blocksize = 2 : i64, mode = "CRD"} : tensor<1x8x2x3xf32> -> tensor<1x2x4x6xf32>
  %0 = IE.DepthToSpace %arg0 {blocksize = 2 : i64, mode = "CRD"} : tensor<1x8x2x3xf32> -> tensor<1x2x4x6xf32>
  // CHECK: IE.SpaceToDepth %{{.*}} {blocksize = 2 : i64} : tensor<1x2x4x6xf32> -> tensor<1x8x2x3xf32>
  %1 = IE.SpaceToDepth %0 {blocksize = 2 : i64} : tensor<1x2x4x6xf32> -> tensor<1x8x2x3xf32>
  return %1 : tensor<1x8x2x3xf32>
}

// -----

func.func @depth_to_space_of_odd_depth_is_rejected(%arg0: tensor<1x6x2x3xf32>) -> tensor<1x?x4x6xf32> {
  // expected-error @+2 {{expected a dimension divisible by 4, found 6}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.DepthToSpace %arg0 {blocksize = 2 : i64} : tensor<1x6x2x3xf32> -> tensor<1x?x4x6xf32>
  return %0 : tensor<1x?x4x6xf32>
}

// -----

// CHECK-LABEL: func @trilu_reverse_and_compress_infer
func.func @trilu_reverse_and_compress_infer(%arg0: tensor<3x4xf32>, %k: tensor<i64>, %lens: tensor<4xi64>) -> tensor<2x4xf32> {
  %condition = IE.Constant dense<[true, false, true]> : tensor<3xi1>
  // CHECK: IE.Trilu %arg0 k(%arg1 : tensor<i64>) {upper = 0 : i64} : tensor<3x4xf32> -> tensor<3x4xf32>
  %0 = IE.Trilu %arg0 k(%k : tensor<i64>) {upper = 0 : i64} : tensor<3x4xf32> -> tensor<3x4xf32>
  // CHECK: IE.ReverseSequence %{{.*}}, %arg2 : tensor<3x4xf32>, tensor<4xi64> -> tensor<3x4xf32>
  %1 = IE.ReverseSequence %0, %lens : tensor<3x4xf32>, tensor<4xi64> -> tensor<3x4xf32>
  // CHECK: IE.Compress %{{.*}}, %{{.*}} {axis = 0 : i64} : tensor<3x4xf32>, tensor<3xi1> -> tensor<2x4xf32>
  %2 = IE.Compress %1, %condition {axis = 0 : i64} : tensor<3x4xf32>, tensor<3xi1> -> tensor<2x4xf32>
  return %2 : tensor<2x4xf32>
}
