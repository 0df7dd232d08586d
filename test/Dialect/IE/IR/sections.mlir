// RUN: nacre-opt %s -canonicalize -split-input-file | FileCheck %s

// Slices of joined tensors, joined slices, and Gather with constant indices.
// Elements are only moved: NaN and the sign of zero stay as they are.

// CHECK-LABEL: func @slice_inside_one_part_of_concat_slices_the_part
// CHECK-DAG: %[[START:.*]] = IE.Constant dense<1> : tensor<1xi64>
// CHECK-DAG: %[[END:.*]] = IE.Constant dense<4> : tensor<1xi64>
// CHECK: %[[PART:.*]] = IE.Slice %arg1, %[[START]], %[[END]] axes(%[[START]] : tensor<1xi64>) steps(%{{.*}}) : tensor<2x5xf32>
// CHECK-NEXT: return %[[PART]]
func.func @slice_inside_one_part_of_concat_slices_the_part(%a: tensor<2x3xf32>, %b: tensor<2x5xf32>) -> tensor<2x3xf32> {
  %start = IE.Constant dense<4> : tensor<1xi64>
  %end = IE.Constant dense<-1> : tensor<1xi64>
  %axis = IE.Constant dense<1> : tensor<1xi64>
  %0 = IE.Concat %a, %b {axis = -1 : i64} : tensor<2x3xf32>, tensor<2x5xf32> -> tensor<2x8xf32>
  %1 = IE.Slice %0, %start, %end axes(%axis : tensor<1xi64>) : tensor<2x8xf32>, tensor<1xi64>, tensor<1xi64> -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// -----

// What other users see of the Concat stays.

// CHECK-LABEL: func @slice_of_a_whole_part_is_the_part
// CHECK-NEXT: %[[BOTH:.*]] = IE.Concat
// CHECK-NEXT: return %arg1, %[[BOTH]]
func.func @slice_of_a_whole_part_is_the_part(%a: tensor<2x3xf32>, %b: tensor<2x5xf32>) -> (tensor<2x5xf32>, tensor<2x8xf32>) {
  %start = IE.Constant dense<[0, 3]> : tensor<2xi64>
  %end = IE.Constant dense<[2, 9223372036854775807]> : tensor<2xi64>
  %0 = IE.Concat %a, %b {axis = 1 : i64} : tensor<2x3xf32>, tensor<2x5xf32> -> tensor<2x8xf32>
  %1 = IE.Slice %0, %start, %end : tensor<2x8xf32>, tensor<2xi64>, tensor<2xi64> -> tensor<2x5xf32>
  return %1, %0 : tensor<2x5xf32>, tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @slice_over_some_parts_joins_their_sections
// CHECK: %[[TAIL:.*]] = IE.Slice %arg0, {{.*}} -> tensor<1xf32>
// CHECK: %[[HEAD:.*]] = IE.Slice %arg1, {{.*}} -> tensor<2xf32>
// CHECK: %[[BOTH:.*]] = IE.Concat %[[TAIL]], %[[HEAD]] {axis = 0 : i64}
// CHECK: return %[[BOTH]]
func.func @slice_over_some_parts_joins_their_sections(%a: tensor<3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>) -> tensor<3xf32> {
  %start = IE.Constant dense<2> : tensor<1xi64>
  %end = IE.Constant dense<5> : tensor<1xi64>
  %0 = IE.Concat %a, %b, %c {axis = 0 : i64} : tensor<3xf32>, tensor<3xf32>, tensor<3xf32> -> tensor<9xf32>
  %1 = IE.Slice %0, %start, %end : tensor<9xf32>, tensor<1xi64>, tensor<1xi64> -> tensor<3xf32>
  return %1 : tensor<3xf32>
}

// -----

// CHECK-LABEL: func @reversed_slice_joins_reversed_sections
// CHECK-DAG: %[[BACK:.*]] = IE.Constant dense<-1> : tensor<1xi64>
// CHECK: %[[LAST:.*]] = IE.Slice %arg1, {{.*}} steps(%[[BACK]] : tensor<1xi64>) : tensor<3xf32>, {{.*}} -> tensor<2xf32>
// CHECK: %[[FIRST:.*]] = IE.Slice %arg0, {{.*}} steps(%[[BACK]] : tensor<1xi64>) : tensor<3xf32>, {{.*}} -> tensor<3xf32>
// CHECK: IE.Concat %[[LAST]], %[[FIRST]]
func.func @reversed_slice_joins_reversed_sections(%a: tensor<3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>) -> tensor<5xf32> {
  %start = IE.Constant dense<4> : tensor<1xi64>
  %end = IE.Constant dense<-9223372036854775808> : tensor<1xi64>
  %axis = IE.Constant dense<0> : tensor<1xi64>
  %step = IE.Constant dense<-1> : tensor<1xi64>
  %0 = IE.Concat %a, %b, %c {axis = 0 : i64} : tensor<3xf32>, tensor<3xf32>, tensor<3xf32> -> tensor<9xf32>
  %1 = IE.Slice %0, %start, %end axes(%axis : tensor<1xi64>) steps(%step : tensor<1xi64>) : tensor<9xf32>, tensor<1xi64>, tensor<1xi64> -> tensor<5xf32>
  return %1 : tensor<5xf32>
}

// -----

// Every part is needed: nothing would be saved.

// CHECK-LABEL: func @slice_that_needs_every_part_stays
// CHECK: IE.Concat %arg0, %arg1
// CHECK: IE.Slice
// CHECK-NOT: IE.Slice
func.func @slice_that_needs_every_part_stays(%a: tensor<3xf32>, %b: tensor<3xf32>) -> tensor<3xf32> {
  %start = IE.Constant dense<2> : tensor<1xi64>
  %end = IE.Constant dense<5> : tensor<1xi64>
  %0 = IE.Concat %a, %b {axis = 0 : i64} : tensor<3xf32>, tensor<3xf32> -> tensor<6xf32>
  %1 = IE.Slice %0, %start, %end : tensor<6xf32>, tensor<1xi64>, tensor<1xi64> -> tensor<3xf32>
  return %1 : tensor<3xf32>
}

// -----

// CHECK-LABEL: func @slice_over_parts_of_a_shared_concat_stays
// CHECK: %[[ALL:.*]] = IE.Concat
// CHECK: IE.Slice %[[ALL]]
func.func @slice_over_parts_of_a_shared_concat_stays(%a: tensor<3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>) -> (tensor<3xf32>, tensor<9xf32>) {
  %start = IE.Constant dense<2> : tensor<1xi64>
  %end = IE.Constant dense<5> : tensor<1xi64>
  %0 = IE.Concat %a, %b, %c {axis = 0 : i64} : tensor<3xf32>, tensor<3xf32>, tensor<3xf32> -> tensor<9xf32>
  %1 = IE.Slice %0, %start, %end : tensor<9xf32>, tensor<1xi64>, tensor<1xi64> -> tensor<3xf32>
  return %1, %0 : tensor<3xf32>, tensor<9xf32>
}

// -----

// CHECK-LABEL: func @slice_of_concat_of_dynamic_rows
// CHECK-NEXT: return %arg1
func.func @slice_of_concat_of_dynamic_rows(%a: tensor<?x3xf32>, %b: tensor<?x5xf32>) -> tensor<?x5xf32> {
  %start = IE.Constant dense<3> : tensor<1xi64>
  %end = IE.Constant dense<8> : tensor<1xi64>
  %axis = IE.Constant dense<1> : tensor<1xi64>
  %0 = IE.Concat %a, %b {axis = 1 : i64} : tensor<?x3xf32>, tensor<?x5xf32> -> tensor<?x8xf32>
  %1 = IE.Slice %0, %start, %end axes(%axis : tensor<1xi64>) : tensor<?x8xf32>, tensor<1xi64>, tensor<1xi64> -> tensor<?x5xf32>
  return %1 : tensor<?x5xf32>
}

// -----

// Where the second part begins is known only at run time; and cutting rows whose number
// is open needs their number.

// CHECK-LABEL: func @slice_of_concat_along_a_dynamic_axis_stays
// CHECK: %[[ALL:.*]] = IE.Concat
// CHECK: IE.Slice %[[ALL]]
func.func @slice_of_concat_along_a_dynamic_axis_stays(%a: tensor<?x3xf32>, %b: tensor<2x3xf32>) -> tensor<?x3xf32> {
  %start = IE.Constant dense<0> : tensor<1xi64>
  %end = IE.Constant dense<1> : tensor<1xi64>
  %0 = IE.Concat %a, %b {axis = 0 : i64} : tensor<?x3xf32>, tensor<2x3xf32> -> tensor<?x3xf32>
  %1 = IE.Slice %0, %start, %end : tensor<?x3xf32>, tensor<1xi64>, tensor<1xi64> -> tensor<?x3xf32>
  return %1 : tensor<?x3xf32>
}

// -----

// CHECK-LABEL: func @split_of_concat_is_its_parts
// CHECK-NEXT: return %arg1, %arg0
func.func @split_of_concat_is_its_parts(%a: tensor<2x3xf32>, %b: tensor<2x5xf32>) -> (tensor<2x5xf32>, tensor<2x3xf32>) {
  %sizes = IE.Constant dense<[3, 5]> : tensor<2xi64>
  %0 = IE.Concat %a, %b {axis = 1 : i64} : tensor<2x3xf32>, tensor<2x5xf32> -> tensor<2x8xf32>
  %1:2 = IE.Split %0 split(%sizes : tensor<2xi64>) {axis = -1 : i64} : tensor<2x8xf32> -> tensor<2x3xf32>, tensor<2x5xf32>
  return %1#1, %1#0 : tensor<2x5xf32>, tensor<2x3xf32>
}

// -----

// Parts of equal types along another axis.

// CHECK-LABEL: func @split_of_concat_along_another_axis_stays
// CHECK: IE.Split
func.func @split_of_concat_along_another_axis_stays(%a: tensor<2x4xf32>, %b: tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %0 = IE.Concat %a, %b {axis = 0 : i64} : tensor<2x4xf32>, tensor<2x4xf32> -> tensor<4x4xf32>
  %1:2 = IE.Split %0 {axis = 1 : i64, num_outputs = 2 : i64} : tensor<4x4xf32> -> tensor<4x2xf32>, tensor<4x2xf32>
  %2 = IE.Transpose %1#0 {perm = array<i64: 1, 0>} : tensor<4x2xf32> -> tensor<2x4xf32>
  %3 = IE.Transpose %1#1 {perm = array<i64: 1, 0>} : tensor<4x2xf32> -> tensor<2x4xf32>
  return %2, %3 : tensor<2x4xf32>, tensor<2x4xf32>
}

// -----

// CHECK-LABEL: func @concat_of_all_slices_is_the_tensor
// CHECK-NEXT: return %arg0
func.func @concat_of_all_slices_is_the_tensor(%x: tensor<2x6xf32>) -> tensor<2x6xf32> {
  %zero = IE.Constant dense<0> : tensor<1xi64>
  %one = IE.Constant dense<1> : tensor<1xi64>
  %two = IE.Constant dense<2> : tensor<1xi64>
  %all = IE.Constant dense<9223372036854775807> : tensor<1xi64>
  %0 = IE.Slice %x, %zero, %two axes(%one : tensor<1xi64>) : tensor<2x6xf32>, tensor<1xi64>, tensor<1xi64> -> tensor<2x2xf32>
  %1 = IE.Slice %x, %two, %all axes(%one : tensor<1xi64>) : tensor<2x6xf32>, tensor<1xi64>, tensor<1xi64> -> tensor<2x4xf32>
  %2 = IE.Concat %0, %1 {axis = 1 : i64} : tensor<2x2xf32>, tensor<2x4xf32> -> tensor<2x6xf32>
  return %2 : tensor<2x6xf32>
}

// -----

// A part that others use stays for them.

// CHECK-LABEL: func @neighbouring_parts_of_a_split_are_one_slice
// CHECK: %[[PARTS:.*]]:3 = IE.Split %arg0
// CHECK: %[[SECTION:.*]] = IE.Slice %arg0, {{.*}} : tensor<6x2xf32>, {{.*}} -> tensor<4x2xf32>
// CHECK: %[[ALL:.*]] = IE.Concat %[[SECTION]], %arg1 {axis = 0 : i64} : tensor<4x2xf32>, tensor<1x2xf32> -> tensor<5x2xf32>
// CHECK: return %[[ALL]], %[[PARTS]]#1
func.func @neighbouring_parts_of_a_split_are_one_slice(%x: tensor<6x2xf32>, %y: tensor<1x2xf32>) -> (tensor<5x2xf32>, tensor<2x2xf32>) {
  %0:3 = IE.Split %x {axis = 0 : i64, num_outputs = 3 : i64} : tensor<6x2xf32> -> tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>
  %1 = IE.Concat %0#1, %0#2, %y {axis = 0 : i64} : tensor<2x2xf32>, tensor<2x2xf32>, tensor<1x2xf32> -> tensor<5x2xf32>
  return %1, %0#1 : tensor<5x2xf32>, tensor<2x2xf32>
}

// -----

// CHECK-LABEL: func @parts_in_another_order_stay
// CHECK: IE.Concat %{{.*}}#1, %{{.*}}#0
func.func @parts_in_another_order_stay(%x: tensor<6xf32>) -> tensor<6xf32> {
  %0:2 = IE.Split %x {axis = 0 : i64, num_outputs = 2 : i64} : tensor<6xf32> -> tensor<3xf32>, tensor<3xf32>
  %1 = IE.Concat %0#1, %0#0 {axis = 0 : i64} : tensor<3xf32>, tensor<3xf32> -> tensor<6xf32>
  return %1 : tensor<6xf32>
}

// -----

// Every second element, and different rows.

// CHECK-LABEL: func @strided_or_shifted_slices_stay
// CHECK: IE.Concat
// CHECK: IE.Concat
func.func @strided_or_shifted_slices_stay(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<2x4xf32>) {
  %zero = IE.Constant dense<0> : tensor<1xi64>
  %one = IE.Constant dense<1> : tensor<1xi64>
  %two = IE.Constant dense<2> : tensor<1xi64>
  %four = IE.Constant dense<4> : tensor<1xi64>
  %0 = IE.Slice %x, %zero, %four axes(%one : tensor<1xi64>) steps(%two : tensor<1xi64>) : tensor<4x4xf32>, tensor<1xi64>, tensor<1xi64> -> tensor<4x2xf32>
  %1 = IE.Slice %x, %one, %four axes(%one : tensor<1xi64>) steps(%two : tensor<1xi64>) : tensor<4x4xf32>, tensor<1xi64>, tensor<1xi64> -> tensor<4x2xf32>
  %2 = IE.Concat %0, %1 {axis = 1 : i64} : tensor<4x2xf32>, tensor<4x2xf32> -> tensor<4x4xf32>
  %left = IE.Constant dense<[0, 0]> : tensor<2xi64>
  %middle = IE.Constant dense<[2, 2]> : tensor<2xi64>
  %right = IE.Constant dense<[4, 4]> : tensor<2xi64>
  %3 = IE.Slice %x, %left, %middle : tensor<4x4xf32>, tensor<2xi64>, tensor<2xi64> -> tensor<2x2xf32>
  %4 = IE.Slice %x, %middle, %right : tensor<4x4xf32>, tensor<2xi64>, tensor<2xi64> -> tensor<2x2xf32>
  %5 = IE.Concat %3, %4 {axis = 1 : i64} : tensor<2x2xf32>, tensor<2x2xf32> -> tensor<2x4xf32>
  return %2, %5 : tensor<4x4xf32>, tensor<2x4xf32>
}

// -----

// CHECK-LABEL: func @slices_of_dynamic_rows_join
// CHECK-NEXT: return %arg0
func.func @slices_of_dynamic_rows_join(%x: tensor<?x6xf32>) -> tensor<?x6xf32> {
  %zero = IE.Constant dense<0> : tensor<1xi64>
  %one = IE.Constant dense<1> : tensor<1xi64>
  %two = IE.Constant dense<2> : tensor<1xi64>
  %six = IE.Constant dense<6> : tensor<1xi64>
  %0 = IE.Slice %x, %zero, %two axes(%one : tensor<1xi64>) : tensor<?x6xf32>, tensor<1xi64>, tensor<1xi64> -> tensor<?x2xf32>
  %1 = IE.Slice %x, %two, %six axes(%one : tensor<1xi64>) : tensor<?x6xf32>, tensor<1xi64>, tensor<1xi64> -> tensor<?x4xf32>
  %2 = IE.Concat %0, %1 {axis = 1 : i64} : tensor<?x2xf32>, tensor<?x4xf32> -> tensor<?x6xf32>
  return %2 : tensor<?x6xf32>
}

// -----

// CHECK-LABEL: func @gather_of_one_row_is_a_slice
// CHECK: %[[ROW:.*]] = IE.Slice %arg0, {{.*}} : tensor<2x7x4xf32>, {{.*}} -> tensor<2x1x4xf32>
// CHECK: %[[FLAT:.*]] = IE.Squeeze %[[ROW]] axes(%{{.*}}) : tensor<2x1x4xf32> -> tensor<2x4xf32>
// CHECK: return %[[FLAT]]
func.func @gather_of_one_row_is_a_slice(%x: tensor<2x7x4xf32>) -> tensor<2x4xf32> {
  %last = IE.Constant dense<-1> : tensor<i64>
  %0 = IE.Gather %x, %last {axis = 1 : i64} : tensor<2x7x4xf32>, tensor<i64> -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

// CHECK-LABEL: func @gather_of_evenly_spaced_rows_is_a_slice
// CHECK-DAG: %[[START:.*]] = IE.Constant dense<5> : tensor<1xi64>
// CHECK-DAG: %[[STEP:.*]] = IE.Constant dense<-2> : tensor<1xi64>
// CHECK: IE.Slice %arg0, %[[START]], %{{.*}} steps(%[[STEP]] : tensor<1xi64>) : tensor<7x4xi32>, {{.*}} -> tensor<3x4xi32>
func.func @gather_of_evenly_spaced_rows_is_a_slice(%x: tensor<7x4xi32>) -> tensor<3x4xi32> {
  %list = IE.Constant dense<[5, 3, -6]> : tensor<3xi32>
  %0 = IE.Gather %x, %list : tensor<7x4xi32>, tensor<3xi32> -> tensor<3x4xi32>
  return %0 : tensor<3x4xi32>
}

// -----

// CHECK-LABEL: func @gather_of_all_rows_is_the_tensor
// CHECK-NEXT: return %arg0
func.func @gather_of_all_rows_is_the_tensor(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %list = IE.Constant dense<[0, 1, 2]> : tensor<3xi64>
  %0 = IE.Gather %x, %list {axis = -1 : i64} : tensor<?x3xf32>, tensor<3xi64> -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

// -----

// Uneven, repeated, of rows whose number is open, an element of a vector, in a
// matrix, and given by a run.

// CHECK-LABEL: func @other_gathers_stay
// CHECK-COUNT-6: IE.Gather
func.func @other_gathers_stay(%x: tensor<4x2xf32>, %y: tensor<?x2xf32>, %z: tensor<4xi64>, %i: tensor<i64>)
    -> (tensor<3x2xf32>, tensor<2x2xf32>, tensor<1x2xf32>, tensor<i64>, tensor<1x1x2xf32>, tensor<2xf32>) {
  %uneven = IE.Constant dense<[0, 1, 3]> : tensor<3xi64>
  %twice = IE.Constant dense<[1, 1]> : tensor<2xi64>
  %zero = IE.Constant dense<0> : tensor<1xi64>
  %scalar = IE.Constant dense<0> : tensor<i64>
  %matrix = IE.Constant dense<0> : tensor<1x1xi64>
  %0 = IE.Gather %x, %uneven : tensor<4x2xf32>, tensor<3xi64> -> tensor<3x2xf32>
  %1 = IE.Gather %x, %twice : tensor<4x2xf32>, tensor<2xi64> -> tensor<2x2xf32>
  %2 = IE.Gather %y, %zero : tensor<?x2xf32>, tensor<1xi64> -> tensor<1x2xf32>
  %3 = IE.Gather %z, %scalar : tensor<4xi64>, tensor<i64> -> tensor<i64>
  %4 = IE.Gather %x, %matrix : tensor<4x2xf32>, tensor<1x1xi64> -> tensor<1x1x2xf32>
  %5 = IE.Gather %x, %i : tensor<4x2xf32>, tensor<i64> -> tensor<2xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<3x2xf32>, tensor<2x2xf32>, tensor<1x2xf32>, tensor<i64>, tensor<1x1x2xf32>, tensor<2xf32>
}
