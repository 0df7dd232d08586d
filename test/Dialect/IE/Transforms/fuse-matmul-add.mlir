// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-fuse-matmul-add))' | FileCheck %s --check-prefixes=CHECK,LOOP
// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-fuse-matmul-add{split-batches=false}))' | FileCheck %s --check-prefixes=CHECK,WHOLE

// CHECK-LABEL: func @matmul_with_a_bias_row_becomes_gemm
// CHECK: IE.Reshape %{{.*}} -> tensor<6x4xf32>
// CHECK: %[[G:.*]] = IE.Gemm(%{{.*}}) : (tensor<6x4xf32>, tensor<4x5xf32>, tensor<5xf32>) -> tensor<6x5xf32>
// CHECK: IE.Reshape %[[G]]{{.*}} -> tensor<2x3x5xf32>
// CHECK-NOT: IE.Add
func.func @matmul_with_a_bias_row_becomes_gemm(%x: tensor<2x3x4xf32>) -> tensor<2x3x5xf32> {
  %w = IE.Constant dense<2.0> : tensor<4x5xf32>
  %b = IE.Constant dense<1.0> : tensor<5xf32>
  %0 = IE.MatMul(%x, %w) : (tensor<2x3x4xf32>, tensor<4x5xf32>) -> tensor<2x3x5xf32>
  %1 = IE.Add %b, %0 : tensor<5xf32>, tensor<2x3x5xf32> -> tensor<2x3x5xf32>
  return %1 : tensor<2x3x5xf32>
}

// CHECK-LABEL: func @bias_row_that_is_a_matrix_is_a_constant_row
// CHECK: %[[ROW:.*]] = IE.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK: IE.Gemm(%{{.*}}, %{{.*}}, %[[ROW]]) : (tensor<3x4xf32>, tensor<4x2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
// CHECK-NEXT: return
func.func @bias_row_that_is_a_matrix_is_a_constant_row(%x: tensor<3x4xf32>) -> tensor<3x2xf32> {
  %w = IE.Constant dense<2.0> : tensor<4x2xf32>
  %b = IE.Constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %0 = IE.MatMul(%x, %w) : (tensor<3x4xf32>, tensor<4x2xf32>) -> tensor<3x2xf32>
  %1 = IE.Add %0, %b : tensor<3x2xf32>, tensor<1x2xf32> -> tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}

// CHECK-LABEL: func @matmul_with_runtime_weights_stays
// CHECK: IE.MatMul
// CHECK: IE.Add
func.func @matmul_with_runtime_weights_stays(%x: tensor<3x4xf32>, %w: tensor<4x5xf32>) -> tensor<3x5xf32> {
  %b = IE.Constant dense<1.0> : tensor<5xf32>
  %0 = IE.MatMul(%x, %w) : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
  %1 = IE.Add %0, %b : tensor<3x5xf32>, tensor<5xf32> -> tensor<3x5xf32>
  return %1 : tensor<3x5xf32>
}

// CHECK-LABEL: func @addend_of_a_column_stays
// CHECK: IE.MatMul
// CHECK: IE.Add
func.func @addend_of_a_column_stays(%x: tensor<3x4xf32>) -> tensor<3x3xf32> {
  %w = IE.Constant dense<2.0> : tensor<4x3xf32>
  %b = IE.Constant dense<1.0> : tensor<3x1xf32>
  %0 = IE.MatMul(%x, %w) : (tensor<3x4xf32>, tensor<4x3xf32>) -> tensor<3x3xf32>
  %1 = IE.Add %0, %b : tensor<3x3xf32>, tensor<3x1xf32> -> tensor<3x3xf32>
  return %1 : tensor<3x3xf32>
}

// CHECK-LABEL: func @open_number_of_rows_becomes_gemm
// CHECK-SAME: %[[X:.*]]: tensor<?x4xf32>
// CHECK: %[[G:.*]] = IE.Gemm(%[[X]], {{.*}}) : (tensor<?x4xf32>, tensor<4x5xf32>, tensor<5xf32>) -> tensor<?x5xf32>
// CHECK: return %[[G]]
func.func @open_number_of_rows_becomes_gemm(%x: tensor<?x4xf32>) -> tensor<?x5xf32> {
  %w = IE.Constant dense<2.0> : tensor<4x5xf32>
  %b = IE.Constant dense<1.0> : tensor<1x5xf32>
  %0 = IE.MatMul(%x, %w) : (tensor<?x4xf32>, tensor<4x5xf32>) -> tensor<?x5xf32>
  %1 = IE.Add %0, %b : tensor<?x5xf32>, tensor<1x5xf32> -> tensor<?x5xf32>
  return %1 : tensor<?x5xf32>
}

// CHECK-LABEL: func @open_length_of_one_sample_becomes_gemm
// CHECK: %[[SHAPE:.*]] = IE.Constant dense<[1, -1, 5]>
// CHECK: IE.Reshape {{.*}} : tensor<1x?x4xf32>, tensor<2xi64> -> tensor<?x4xf32>
// CHECK: %[[G:.*]] = IE.Gemm({{.*}} -> tensor<?x5xf32>
// CHECK: IE.Reshape %[[G]], %[[SHAPE]] : {{.*}} -> tensor<1x?x5xf32>
func.func @open_length_of_one_sample_becomes_gemm(%x: tensor<1x?x4xf32>) -> tensor<1x?x5xf32> {
  %w = IE.Constant dense<2.0> : tensor<4x5xf32>
  %b = IE.Constant dense<1.0> : tensor<5xf32>
  %0 = IE.MatMul(%x, %w) : (tensor<1x?x4xf32>, tensor<4x5xf32>) -> tensor<1x?x5xf32>
  %1 = IE.Add %0, %b : tensor<1x?x5xf32>, tensor<5xf32> -> tensor<1x?x5xf32>
  return %1 : tensor<1x?x5xf32>
}

// A loop over samples has all sizes.
// CHECK-LABEL: func @batch_of_unknown_size_is_for_a_loop
// LOOP: IE.MatMul
// LOOP: IE.Add
// WHOLE: IE.Gemm({{.*}} -> tensor<?x5xf32>
// WHOLE: IE.Reshape {{.*}} -> tensor<?x3x5xf32>
func.func @batch_of_unknown_size_is_for_a_loop(%x: tensor<?x3x4xf32>) -> tensor<?x3x5xf32> {
  %w = IE.Constant dense<2.0> : tensor<4x5xf32>
  %b = IE.Constant dense<1.0> : tensor<5xf32>
  %0 = IE.MatMul(%x, %w) : (tensor<?x3x4xf32>, tensor<4x5xf32>) -> tensor<?x3x5xf32>
  %1 = IE.Add %0, %b : tensor<?x3x5xf32>, tensor<5xf32> -> tensor<?x3x5xf32>
  return %1 : tensor<?x3x5xf32>
}

// Several sizes are those of the operand, which may be 0.
// CHECK-LABEL: func @several_open_sizes_are_the_operands
// CHECK-SAME: %[[X:.*]]: tensor<2x?x?x4xf32>
// CHECK: %[[G:.*]] = IE.Gemm({{.*}} -> tensor<?x5xf32>
// CHECK: %[[LEADING:.*]] = IE.Shape %[[X]] {end = 3 : i64}
// CHECK: %[[SHAPE:.*]] = IE.Concat %[[LEADING]],
// CHECK: IE.Reshape %[[G]], %[[SHAPE]] {allowzero = 1 : i64} : {{.*}} -> tensor<2x?x?x5xf32>
func.func @several_open_sizes_are_the_operands(%x: tensor<2x?x?x4xf32>) -> tensor<2x?x?x5xf32> {
  %w = IE.Constant dense<2.0> : tensor<4x5xf32>
  %b = IE.Constant dense<1.0> : tensor<5xf32>
  %0 = IE.MatMul(%x, %w) : (tensor<2x?x?x4xf32>, tensor<4x5xf32>) -> tensor<2x?x?x5xf32>
  %1 = IE.Add %b, %0 : tensor<5xf32>, tensor<2x?x?x5xf32> -> tensor<2x?x?x5xf32>
  return %1 : tensor<2x?x?x5xf32>
}

// CHECK-LABEL: func @open_size_beside_an_empty_one_stays
// CHECK: IE.MatMul
// CHECK: IE.Add
func.func @open_size_beside_an_empty_one_stays(%x: tensor<0x?x4xf32>) -> tensor<0x?x5xf32> {
  %w = IE.Constant dense<2.0> : tensor<4x5xf32>
  %b = IE.Constant dense<1.0> : tensor<5xf32>
  %0 = IE.MatMul(%x, %w) : (tensor<0x?x4xf32>, tensor<4x5xf32>) -> tensor<0x?x5xf32>
  %1 = IE.Add %0, %b : tensor<0x?x5xf32>, tensor<5xf32> -> tensor<0x?x5xf32>
  return %1 : tensor<0x?x5xf32>
}

// CHECK-LABEL: func @sums_of_nothing_stay
// CHECK: IE.MatMul
// CHECK: IE.Add
func.func @sums_of_nothing_stay(%x: tensor<2x3x0xf32>) -> tensor<2x3x5xf32> {
  %w = IE.Constant dense<> : tensor<0x5xf32>
  %b = IE.Constant dense<1.0> : tensor<5xf32>
  %0 = IE.MatMul(%x, %w) : (tensor<2x3x0xf32>, tensor<0x5xf32>) -> tensor<2x3x5xf32>
  %1 = IE.Add %0, %b : tensor<2x3x5xf32>, tensor<5xf32> -> tensor<2x3x5xf32>
  return %1 : tensor<2x3x5xf32>
}

// CHECK-LABEL: func @rows_of_unknown_size_stay
// CHECK: IE.MatMul
// CHECK: IE.Add
func.func @rows_of_unknown_size_stay(%x: tensor<3x?xf32>) -> tensor<3x5xf32> {
  %w = IE.Constant dense<2.0> : tensor<4x5xf32>
  %b = IE.Constant dense<1.0> : tensor<5xf32>
  %0 = IE.MatMul(%x, %w) : (tensor<3x?xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
  %1 = IE.Add %0, %b : tensor<3x5xf32>, tensor<5xf32> -> tensor<3x5xf32>
  return %1 : tensor<3x5xf32>
}
