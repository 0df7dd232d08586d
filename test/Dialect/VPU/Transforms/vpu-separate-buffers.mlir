// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(vpu-separate-buffers))' --split-input-file | FileCheck %s

// CHECK-LABEL: func @engine_result_in_a_strided_slice_is_copied_there
// CHECK: %[[SUM:.*]] = VPU.NCE.Eltwise
// CHECK: %[[VIEW:.*]] = tensor.collapse_shape %[[SUM]]
// CHECK: %[[COPY:.*]] = linalg.copy ins(%[[VIEW]]
// CHECK: tensor.insert_slice %[[COPY]] into %{{.*}}[0] [16] [2]
func.func @engine_result_in_a_strided_slice_is_copied_there(%x: tensor<1x1x16xf32>, %init: tensor<1x1x16xf32>, %to: tensor<32xf32>) -> tensor<32xf32> {
  %0 = VPU.NCE.Eltwise ins(%x, %x : tensor<1x1x16xf32>, tensor<1x1x16xf32>) outs(%init : tensor<1x1x16xf32>) {kind = #VPU.eltwise<ADD>} -> tensor<1x1x16xf32>
  %1 = tensor.collapse_shape %0 [[0, 1, 2]] : tensor<1x1x16xf32> into tensor<16xf32>
  %2 = tensor.insert_slice %1 into %to[0] [16] [2] : tensor<16xf32> into tensor<32xf32>
  return %2 : tensor<32xf32>
}

// -----

// CHECK-LABEL: func @contiguous_slice_is_written_in_place
// CHECK-NOT: linalg.copy
func.func @contiguous_slice_is_written_in_place(%x: tensor<1x1x16xf32>, %init: tensor<1x1x16xf32>, %to: tensor<1x1x32xf32>) -> tensor<1x1x32xf32> {
  %0 = VPU.NCE.Eltwise ins(%x, %x : tensor<1x1x16xf32>, tensor<1x1x16xf32>) outs(%init : tensor<1x1x16xf32>) {kind = #VPU.eltwise<ADD>} -> tensor<1x1x16xf32>
  %1 = tensor.insert_slice %0 into %to[0, 0, 8] [1, 1, 16] [1, 1, 1] : tensor<1x1x16xf32> into tensor<1x1x32xf32>
  return %1 : tensor<1x1x32xf32>
}

// -----

// CHECK-LABEL: func @software_writes_strided_slices_itself
// CHECK-NOT: linalg.copy
func.func @software_writes_strided_slices_itself(%x: tensor<16xf32>, %to: tensor<32xf32>) -> tensor<32xf32> {
  %0 = tensor.insert_slice %x into %to[0] [16] [2] : tensor<16xf32> into tensor<32xf32>
  return %0 : tensor<32xf32>
}

// -----

// CHECK-LABEL: func @whole_vectors_are_written_where_they_are_apart
// CHECK-NOT: linalg.copy
func.func @whole_vectors_are_written_where_they_are_apart(%x: tensor<1x4x16xf32>, %init: tensor<1x4x16xf32>, %to: tensor<1x8x16xf32>) -> tensor<1x8x16xf32> {
  %0 = VPU.NCE.Eltwise ins(%x, %x : tensor<1x4x16xf32>, tensor<1x4x16xf32>) outs(%init : tensor<1x4x16xf32>) {kind = #VPU.eltwise<ADD>} -> tensor<1x4x16xf32>
  %1 = tensor.insert_slice %0 into %to[0, 1, 0] [1, 4, 16] [1, 2, 1] : tensor<1x4x16xf32> into tensor<1x8x16xf32>
  return %1 : tensor<1x8x16xf32>
}

// -----

// The last dimension of the result is the one with the stride.
// CHECK-LABEL: func @columns_of_a_matrix_are_copied_there
// CHECK: linalg.copy
func.func @columns_of_a_matrix_are_copied_there(%x: tensor<1x1x16xf32>, %init: tensor<1x1x16xf32>, %to: tensor<1x1x32x1xf32>) -> tensor<1x1x32x1xf32> {
  %0 = VPU.NCE.Eltwise ins(%x, %x : tensor<1x1x16xf32>, tensor<1x1x16xf32>) outs(%init : tensor<1x1x16xf32>) {kind = #VPU.eltwise<ADD>} -> tensor<1x1x16xf32>
  %1 = tensor.insert_slice %0 into %to[0, 0, 0, 0] [1, 1, 16, 1] [1, 1, 2, 1] : tensor<1x1x16xf32> into tensor<1x1x32x1xf32>
  return %1 : tensor<1x1x32x1xf32>
}

// -----

// CHECK-LABEL: func @engine_reads_a_strided_slice_from_a_copy
// CHECK: %[[SLICE:.*]] = tensor.extract_slice %arg0[0, 0, 1] [1, 4, 16] [1, 1, 2]
// CHECK: %[[COPY:.*]] = linalg.copy ins(%[[SLICE]]
// CHECK: %[[VIEW:.*]] = tensor.expand_shape %[[COPY]]
// CHECK: VPU.Copy ins(%[[VIEW]]
func.func @engine_reads_a_strided_slice_from_a_copy(%x: tensor<1x4x33xf32>, %init: tensor<1x1x4x16xf32>) -> tensor<1x1x4x16xf32> {
  %0 = tensor.extract_slice %x[0, 0, 1] [1, 4, 16] [1, 1, 2] : tensor<1x4x33xf32> to tensor<1x4x16xf32>
  %1 = tensor.expand_shape %0 [[0, 1], [2], [3]] output_shape [1, 1, 4, 16] : tensor<1x4x16xf32> into tensor<1x1x4x16xf32>
  %2 = VPU.Copy ins(%1 : tensor<1x1x4x16xf32>) outs(%init : tensor<1x1x4x16xf32>) -> tensor<1x1x4x16xf32>
  return %2 : tensor<1x1x4x16xf32>
}

// -----

// CHECK-LABEL: func @rows_that_are_apart_are_read_in_place
// CHECK-NOT: linalg.copy
func.func @rows_that_are_apart_are_read_in_place(%x: tensor<1x8x16xf32>, %init: tensor<1x4x16xf32>) -> tensor<1x4x16xf32> {
  %0 = tensor.extract_slice %x[0, 0, 0] [1, 4, 16] [1, 2, 1] : tensor<1x8x16xf32> to tensor<1x4x16xf32>
  %1 = VPU.Copy ins(%0 : tensor<1x4x16xf32>) outs(%init : tensor<1x4x16xf32>) -> tensor<1x4x16xf32>
  return %1 : tensor<1x4x16xf32>
}

// -----

// CHECK-LABEL: func @software_reads_strided_slices_itself
// CHECK-NOT: linalg.copy
func.func @software_reads_strided_slices_itself(%x: tensor<32xf32>, %init: tensor<16xf32>) -> tensor<16xf32> {
  %0 = tensor.extract_slice %x[0] [16] [2] : tensor<32xf32> to tensor<16xf32>
  %1 = linalg.exp ins(%0 : tensor<16xf32>) outs(%init : tensor<16xf32>) -> tensor<16xf32>
  return %1 : tensor<16xf32>
}

// -----

// Its place would be the slice, which the copy then reads.
// CHECK-LABEL: func @engine_reads_what_is_inserted_apart
// CHECK: %[[EXP:.*]] = linalg.exp
// CHECK: %[[COPY:.*]] = linalg.copy ins(%[[EXP]]
// CHECK: tensor.insert_slice %[[COPY]] into
// CHECK: VPU.Copy ins(%[[EXP]]
func.func @engine_reads_what_is_inserted_apart(%x: tensor<16xf32>, %wide: tensor<32xf32>, %init: tensor<16xf32>) -> (tensor<32xf32>, tensor<16xf32>) {
  %e = tensor.empty() : tensor<16xf32>
  %0 = linalg.exp ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %1 = tensor.insert_slice %0 into %wide[0] [16] [2] : tensor<16xf32> into tensor<32xf32>
  %2 = VPU.Copy ins(%0 : tensor<16xf32>) outs(%init : tensor<16xf32>) -> tensor<16xf32>
  return %1, %2 : tensor<32xf32>, tensor<16xf32>
}

// -----

// The slice lacks the dimension in which its elements are alone.
// CHECK-LABEL: func @result_in_a_column_of_more_is_copied_there
// CHECK: linalg.copy
func.func @result_in_a_column_of_more_is_copied_there(%x: tensor<1x1x16xf32>, %init: tensor<1x1x16xf32>, %to: tensor<1x1x16x2xf32>, %i: index) -> tensor<1x1x16x2xf32> {
  %0 = VPU.NCE.Eltwise ins(%x, %x : tensor<1x1x16xf32>, tensor<1x1x16xf32>) outs(%init : tensor<1x1x16xf32>) {kind = #VPU.eltwise<ADD>} -> tensor<1x1x16xf32>
  %1 = tensor.insert_slice %0 into %to[0, 0, 0, %i] [1, 1, 16, 1] [1, 1, 1, 1] : tensor<1x1x16xf32> into tensor<1x1x16x2xf32>
  return %1 : tensor<1x1x16x2xf32>
}

// -----

// CHECK-LABEL: func @column_that_is_read_as_a_row_is_copied
// CHECK: %[[SLICE:.*]] = tensor.extract_slice
// CHECK: %[[COPY:.*]] = linalg.copy ins(%[[SLICE]]
// CHECK: tensor.collapse_shape %[[COPY]]
func.func @column_that_is_read_as_a_row_is_copied(%x: tensor<1x1x4x16x2xf32>, %init: tensor<1x1x4x16xf32>, %i: index) -> tensor<1x1x4x16xf32> {
  %0 = tensor.extract_slice %x[0, 0, 0, 0, %i] [1, 1, 4, 16, 1] [1, 1, 1, 1, 1] : tensor<1x1x4x16x2xf32> to tensor<1x1x4x16x1xf32>
  %1 = tensor.collapse_shape %0 [[0], [1], [2], [3, 4]] : tensor<1x1x4x16x1xf32> into tensor<1x1x4x16xf32>
  %2 = VPU.Copy ins(%1 : tensor<1x1x4x16xf32>) outs(%init : tensor<1x1x4x16xf32>) -> tensor<1x1x4x16xf32>
  return %2 : tensor<1x1x4x16xf32>
}

// -----

// CHECK-LABEL: func @column_that_stays_one_is_written_in_place
// CHECK-NOT: linalg.copy
func.func @column_that_stays_one_is_written_in_place(%x: tensor<1x4x1xf32>, %init: tensor<1x4x1xf32>, %to: tensor<1x4x8xf32>) -> tensor<1x4x8xf32> {
  %0 = VPU.NCE.Eltwise ins(%x, %x : tensor<1x4x1xf32>, tensor<1x4x1xf32>) outs(%init : tensor<1x4x1xf32>) {kind = #VPU.eltwise<ADD>} -> tensor<1x4x1xf32>
  %1 = tensor.insert_slice %0 into %to[0, 0, 3] [1, 4, 1] [1, 1, 1] : tensor<1x4x1xf32> into tensor<1x4x8xf32>
  return %1 : tensor<1x4x8xf32>
}
