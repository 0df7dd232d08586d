// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-choose-strategies=decide=operators --convert-ie-to-vpu --vpu-pack-weights --split-input-file | FileCheck %s
// RUN: nacre-opt %s --init-compiler="vpu-arch=NPU37XX" --convert-ie-to-vpu --split-input-file | FileCheck %s --check-prefix=NPU

// Batches that share the right matrix are rows; a constant addend is the bias.
// CHECK-LABEL: @batched_rows_with_bias
// CHECK: VPU.NCE.MatMul ins({{.*}} : tensor<1x8x8xf32>, tensor<1x2x8x16xf32>) bias({{.*}} : tensor<2x16xf32>) outs({{.*}} : tensor<1x8x20xf32>)
// CHECK-NOT: IE.Add
func.func @batched_rows_with_bias(%x: tensor<2x4x8xf32>) -> tensor<2x4x20xf32> {
  %w = IE.Constant dense<0.1> : tensor<8x20xf32>
  %b = IE.Constant dense<0.1> : tensor<20xf32>
  %0 = IE.MatMul(%x, %w) : (tensor<2x4x8xf32>, tensor<8x20xf32>) -> tensor<2x4x20xf32>
  %1 = IE.Add %0, %b : tensor<2x4x20xf32>, tensor<20xf32> -> tensor<2x4x20xf32>
  return %1 : tensor<2x4x20xf32>
}

// -----

// However many rows a run has.
// CHECK-LABEL: @rows_of_unknown_number_with_bias
// CHECK: %[[X:.*]] = VPU.ToMatrices %arg0 : tensor<?x?x8xf32> -> tensor<1x?x8xf32>
// CHECK: VPU.NCE.MatMul ins(%[[X]], {{.*}} : tensor<1x?x8xf32>, tensor<1x2x8x16xf32>) bias({{.*}} : tensor<2x16xf32>) outs({{.*}} : tensor<1x?x20xf32>)
// CHECK-NOT: IE.Add
func.func @rows_of_unknown_number_with_bias(%x: tensor<?x?x8xf32>) -> tensor<?x?x20xf32> {
  %w = IE.Constant dense<0.1> : tensor<8x20xf32>
  %b = IE.Constant dense<0.1> : tensor<20xf32>
  %0 = IE.MatMul(%x, %w) : (tensor<?x?x8xf32>, tensor<8x20xf32>) -> tensor<?x?x20xf32>
  %1 = IE.Add %0, %b : tensor<?x?x20xf32>, tensor<20xf32> -> tensor<?x?x20xf32>
  return %1 : tensor<?x?x20xf32>
}

// -----

// CHECK-LABEL: @gemm_of_rows_of_unknown_number
// CHECK: VPU.NCE.MatMul ins({{.*}} : tensor<1x?x8xf32>, tensor<1x2x8x16xf32>) bias({{.*}} : tensor<2x16xf32>) outs({{.*}} : tensor<1x?x20xf32>)
func.func @gemm_of_rows_of_unknown_number(%x: tensor<?x8xf32>) -> tensor<?x20xf32> {
  %w = IE.Constant dense<0.1> : tensor<8x20xf32>
  %b = IE.Constant dense<0.1> : tensor<20xf32>
  %0 = IE.Gemm(%x, %w, %b) : (tensor<?x8xf32>, tensor<8x20xf32>, tensor<20xf32>) -> tensor<?x20xf32>
  return %0 : tensor<?x20xf32>
}

// -----

// What is computed or of several matrices is for the product's loops, which
// convert-linalg-to-vpu knows.
// CHECK-LABEL: @rows_of_unknown_number_by_a_computed_matrix_stay
// CHECK: IE.MatMul
// CHECK: IE.MatMul
func.func @rows_of_unknown_number_by_a_computed_matrix_stay(%x: tensor<?x8xf32>, %y: tensor<8x20xf32>, %z: tensor<3x?x8xf32>) -> (tensor<?x20xf32>, tensor<3x?x20xf32>) {
  %w = IE.Constant dense<0.1> : tensor<3x8x20xf32>
  %0 = IE.MatMul(%x, %y) : (tensor<?x8xf32>, tensor<8x20xf32>) -> tensor<?x20xf32>
  %1 = IE.MatMul(%z, %w) : (tensor<3x?x8xf32>, tensor<3x8x20xf32>) -> tensor<3x?x20xf32>
  return %0, %1 : tensor<?x20xf32>, tensor<3x?x20xf32>
}

// -----

// CHECK-LABEL: @runtime_rhs_is_packed_by_a_copy
// CHECK: VPU.Copy ins({{.*}} : tensor<6x8x20xf32>) outs({{.*}}) {dstOrder = #VPU.order<KNn>, srcOrder = #VPU.order<KN>} -> tensor<6x2x8x16xf32>
// CHECK: VPU.NCE.MatMul ins({{.*}} : tensor<6x40x8xf32>, tensor<6x2x8x16xf32>)
func.func @runtime_rhs_is_packed_by_a_copy(%x: tensor<2x3x40x8xf32>, %y: tensor<2x3x8x20xf32>) -> tensor<2x3x40x20xf32> {
  %0 = IE.MatMul(%x, %y) : (tensor<2x3x40x8xf32>, tensor<2x3x8x20xf32>) -> tensor<2x3x40x20xf32>
  return %0 : tensor<2x3x40x20xf32>
}

// -----

// Packing would take as long as all else.
// CHECK-LABEL: @few_rows_read_a_runtime_rhs_as_it_is
// CHECK-NOT: VPU.Copy
// CHECK: VPU.NCE.MatMul ins({{.*}} : tensor<1x4x8xf32>, tensor<1x1x8x20xf32>) bias({{.*}} : tensor<1x20xf32>)
func.func @few_rows_read_a_runtime_rhs_as_it_is(%x: tensor<4x8xf32>, %y: tensor<8x20xf32>) -> tensor<4x20xf32> {
  %b = IE.Constant dense<0.1> : tensor<20xf32>
  %0 = IE.Gemm(%x, %y, %b) : (tensor<4x8xf32>, tensor<8x20xf32>, tensor<20xf32>) -> tensor<4x20xf32>
  return %0 : tensor<4x20xf32>
}

// -----

// CHECK-LABEL: @transposition_is_part_of_packing
// CHECK-NOT: IE.Transpose
// CHECK: VPU.Copy ins(%arg1 : tensor<6x20x8xf32>) {{.*}}srcOrder = #VPU.order<NK>
func.func @transposition_is_part_of_packing(%x: tensor<6x40x8xf32>, %y: tensor<6x20x8xf32>) -> tensor<6x40x20xf32> {
  %t = IE.Transpose %y {perm = array<i64: 0, 2, 1>} : tensor<6x20x8xf32> -> tensor<6x8x20xf32>
  %0 = IE.MatMul(%x, %t) : (tensor<6x40x8xf32>, tensor<6x8x20xf32>) -> tensor<6x40x20xf32>
  return %0 : tensor<6x40x20xf32>
}

// -----

// A kernel packs what it multiplies with few rows.
// CHECK-LABEL: @few_rows_read_a_transposed_rhs_as_it_is
// CHECK-NOT: IE.Transpose
// CHECK-NOT: VPU.Copy
// CHECK: VPU.NCE.MatMul ins({{.*}} : tensor<6x4x8xf32>, tensor<6x1x20x8xf32>) {{.*}} {transposed}
func.func @few_rows_read_a_transposed_rhs_as_it_is(%x: tensor<6x4x8xf32>, %y: tensor<6x20x8xf32>) -> tensor<6x4x20xf32> {
  %t = IE.Transpose %y {perm = array<i64: 0, 2, 1>} : tensor<6x20x8xf32> -> tensor<6x8x20xf32>
  %0 = IE.MatMul(%x, %t) : (tensor<6x4x8xf32>, tensor<6x8x20xf32>) -> tensor<6x4x20xf32>
  return %0 : tensor<6x4x20xf32>
}

// -----

// No kernel has room for columns of such a length.
// CHECK-LABEL: @few_rows_of_a_long_transposed_rhs_are_packed
// CHECK: VPU.Copy ins(%arg1 : tensor<6x20x5000xf32>) {{.*}}srcOrder = #VPU.order<NK>
func.func @few_rows_of_a_long_transposed_rhs_are_packed(%x: tensor<6x4x5000xf32>, %y: tensor<6x20x5000xf32>) -> tensor<6x4x20xf32> {
  %t = IE.Transpose %y {perm = array<i64: 0, 2, 1>} : tensor<6x20x5000xf32> -> tensor<6x5000x20xf32>
  %0 = IE.MatMul(%x, %t) : (tensor<6x4x5000xf32>, tensor<6x5000x20xf32>) -> tensor<6x4x20xf32>
  return %0 : tensor<6x4x20xf32>
}

// -----

// What is left of a transposition moves whole rows.
// CHECK-LABEL: @transposition_of_heads_keeps_rows_together
// CHECK: %[[ROWS:.*]] = IE.Transpose %arg1 {perm = array<i64: 0, 2, 1, 3>} : tensor<1x20x6x8xf32> -> tensor<1x6x20x8xf32>
// CHECK: VPU.Copy ins({{.*}} : tensor<6x20x8xf32>) {{.*}}srcOrder = #VPU.order<NK>
func.func @transposition_of_heads_keeps_rows_together(%x: tensor<1x6x40x8xf32>, %y: tensor<1x20x6x8xf32>) -> tensor<1x6x40x20xf32> {
  %t = IE.Transpose %y {perm = array<i64: 0, 2, 3, 1>} : tensor<1x20x6x8xf32> -> tensor<1x6x8x20xf32>
  %0 = IE.MatMul(%x, %t) : (tensor<1x6x40x8xf32>, tensor<1x6x8x20xf32>) -> tensor<1x6x40x20xf32>
  return %0 : tensor<1x6x40x20xf32>
}

// -----

// Reshapes between matrices of the same rows are looked through; what follows
// is of the product's own shape, so that it can be fused.
// CHECK-LABEL: @reshaped_product_is_followed_by_the_engine
// CHECK: %[[Y:.*]] = VPU.NCE.MatMul
// CHECK: %[[SUM:.*]] = VPU.NCE.Eltwise ins(%[[Y]], %{{.*}} : tensor<1x4x16xf32>, tensor<1x4x16xf32>) {{.*}} {kind = #VPU.eltwise<ADD>}
// CHECK: VPU.NCE.Eltwise ins(%[[SUM]], %[[SUM]] : {{.*}} ppe = #VPU.PPE<mode = GELU>
func.func @reshaped_product_is_followed_by_the_engine(%x: tensor<4x8xf32>, %r: tensor<1x4x16xf32>) -> tensor<1x4x16xf32> {
  %w = IE.Constant dense<0.1> : tensor<8x16xf32>
  %shape = IE.Constant dense<[1, 4, 16]> : tensor<3xi64>
  %0 = IE.Gemm(%x, %w) : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %1 = IE.Reshape %0, %shape : tensor<4x16xf32>, tensor<3xi64> -> tensor<1x4x16xf32>
  %2 = IE.Add %1, %r : tensor<1x4x16xf32>, tensor<1x4x16xf32> -> tensor<1x4x16xf32>
  %3 = IE.Gelu %2 : tensor<1x4x16xf32> -> tensor<1x4x16xf32>
  return %3 : tensor<1x4x16xf32>
}

// -----

// CHECK-LABEL: @gemm_scales_at_compile_time
// CHECK-DAG: arith.constant dense<{{.*}}[6.000000e+00, 8.1999998, 0.000000e+00{{.*}}> : tensor<1x1x1x16xf32>
// CHECK-DAG: arith.constant dense<{{.*}}1.500000e+00, 1.500000e+00, 0.000000e+00{{.*}}> : tensor<1x16xf32>
// CHECK: VPU.NCE.MatMul
func.func @gemm_scales_at_compile_time(%x: tensor<3x1xf32>) -> tensor<3x2xf32> {
  %w = IE.Constant dense<[[3.0], [4.1]]> : tensor<2x1xf32>
  %b = IE.Constant dense<0.5> : tensor<2xf32>
  %0 = IE.Gemm(%x, %w, %b) {transB = 1 : i64, alpha = 2.0 : f32, beta = 3.0 : f32} : (tensor<3x1xf32>, tensor<2x1xf32>, tensor<2xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// -----

// CHECK-LABEL: @transposed_lhs_stays
// CHECK: IE.Gemm
func.func @transposed_lhs_stays(%x: tensor<1x3xf32>) -> tensor<3x2xf32> {
  %w = IE.Constant dense<[[3.0, 4.0]]> : tensor<1x2xf32>
  %0 = IE.Gemm(%x, %w) {transA = 1 : i64} : (tensor<1x3xf32>, tensor<1x2xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// -----

// CHECK-LABEL: @right_matrices_that_others_share_are_expanded
// CHECK: %[[SIZES:.*]] = IE.Constant dense<[2, 3, 8, 20]>
// CHECK: IE.Expand %arg1, %[[SIZES]]
// CHECK: VPU.NCE.MatMul ins({{.*}} : tensor<6x4x8xf32>, tensor<6x2x8x16xf32>)
// NPU-LABEL: @right_matrices_that_others_share_are_expanded
// NPU: IE.MatMul
func.func @right_matrices_that_others_share_are_expanded(%x: tensor<2x3x4x8xf32>, %y: tensor<3x8x20xf32>) -> tensor<2x3x4x20xf32> {
  %0 = IE.MatMul(%x, %y) : (tensor<2x3x4x8xf32>, tensor<3x8x20xf32>) -> tensor<2x3x4x20xf32>
  return %0 : tensor<2x3x4x20xf32>
}

// -----

// Of so few rows that takes longer than to multiply them, and constants would be
// packed by each run.
// CHECK-LABEL: @right_matrices_of_few_rows_stay
// CHECK-COUNT-2: IE.MatMul
func.func @right_matrices_of_few_rows_stay(%x: tensor<2x3x2x8xf32>, %y: tensor<3x8x20xf32>, %z: tensor<2x3x4x8xf32>) -> (tensor<2x3x2x20xf32>, tensor<2x3x4x20xf32>) {
  %w = IE.Constant dense<0.1> : tensor<3x8x20xf32>
  %0 = IE.MatMul(%x, %y) : (tensor<2x3x2x8xf32>, tensor<3x8x20xf32>) -> tensor<2x3x2x20xf32>
  %1 = IE.MatMul(%z, %w) : (tensor<2x3x4x8xf32>, tensor<3x8x20xf32>) -> tensor<2x3x4x20xf32>
  return %0, %1 : tensor<2x3x2x20xf32>, tensor<2x3x4x20xf32>
}

// -----

// CHECK-LABEL: @one_left_matrix_is_expanded_for_several_right_ones
// CHECK: %[[SIZES:.*]] = IE.Constant dense<[3, 4, 8]>
// CHECK: IE.Expand %arg0, %[[SIZES]]
// CHECK: VPU.NCE.MatMul ins({{.*}} : tensor<3x4x8xf32>, tensor<3x2x8x16xf32>)
func.func @one_left_matrix_is_expanded_for_several_right_ones(%x: tensor<4x8xf32>, %y: tensor<3x8x20xf32>) -> tensor<3x4x20xf32> {
  %0 = IE.MatMul(%x, %y) : (tensor<4x8xf32>, tensor<3x8x20xf32>) -> tensor<3x4x20xf32>
  return %0 : tensor<3x4x20xf32>
}

// -----

// Left matrices of one right matrix that are next to each other are rows, whatever
// ones are in front.
// CHECK-LABEL: @heads_that_share_keys_are_rows
// CHECK-NOT: IE.Expand
// CHECK: VPU.NCE.MatMul ins({{.*}} : tensor<2x12x8xf32>, tensor<2x2x8x16xf32>)
// CHECK: VPU.NCE.MatMul ins({{.*}} : tensor<3x4x8xf32>, tensor<3x2x8x16xf32>)
func.func @heads_that_share_keys_are_rows(%x: tensor<2x3x4x8xf32>, %y: tensor<2x1x8x20xf32>, %z: tensor<1x3x4x8xf32>, %w: tensor<3x8x20xf32>) -> (tensor<2x3x4x20xf32>, tensor<1x3x4x20xf32>) {
  %0 = IE.MatMul(%x, %y) : (tensor<2x3x4x8xf32>, tensor<2x1x8x20xf32>) -> tensor<2x3x4x20xf32>
  %1 = IE.MatMul(%z, %w) : (tensor<1x3x4x8xf32>, tensor<3x8x20xf32>) -> tensor<1x3x4x20xf32>
  return %0, %1 : tensor<2x3x4x20xf32>, tensor<1x3x4x20xf32>
}

// -----

// CHECK-LABEL: @matrices_of_unknown_number_stay
// CHECK-NOT: IE.Expand
// CHECK: IE.MatMul
func.func @matrices_of_unknown_number_stay(%x: tensor<4x8xf32>, %y: tensor<?x8x20xf32>) -> tensor<?x4x20xf32> {
  %0 = IE.MatMul(%x, %y) : (tensor<4x8xf32>, tensor<?x8x20xf32>) -> tensor<?x4x20xf32>
  return %0 : tensor<?x4x20xf32>
}

// -----

// CHECK-LABEL: @gemm_with_an_addend_of_unknown_size_stays
// CHECK: IE.Gemm
func.func @gemm_with_an_addend_of_unknown_size_stays(%x: tensor<4x8xf32>, %c: tensor<?xf32>) -> tensor<4x16xf32> {
  %w = IE.Constant dense<0.5> : tensor<8x16xf32>
  %0 = IE.Gemm(%x, %w, %c) : (tensor<4x8xf32>, tensor<8x16xf32>, tensor<?xf32>) -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}

// -----

// Panels are vectors, of which those of f64 have half as many lanes.
// CHECK-LABEL: @product_of_doubles_with_bias
// CHECK: VPU.NCE.MatMul ins({{.*}} : tensor<1x4x8xf64>, tensor<1x3x8x8xf64>) bias({{.*}} : tensor<3x8xf64>) outs({{.*}} : tensor<1x4x20xf64>)
func.func @product_of_doubles_with_bias(%x: tensor<4x8xf64>) -> tensor<4x20xf64> {
  %w = IE.Constant dense<0.1> : tensor<20x8xf64>
  %b = IE.Constant dense<0.1> : tensor<20xf64>
  %0 = IE.Gemm(%x, %w, %b) {transB = 1 : i64} : (tensor<4x8xf64>, tensor<20x8xf64>, tensor<20xf64>) -> tensor<4x20xf64>
  return %0 : tensor<4x20xf64>
}

// -----

// CHECK-LABEL: @panels_of_doubles_that_a_run_knows
// CHECK: VPU.Copy ins({{.*}} : tensor<1x8x20xf64>) {{.*}} -> tensor<1x3x8x8xf64>
// CHECK: VPU.NCE.MatMul
func.func @panels_of_doubles_that_a_run_knows(%x: tensor<40x8xf64>, %y: tensor<8x20xf64>) -> tensor<40x20xf64> {
  %0 = IE.MatMul(%x, %y) : (tensor<40x8xf64>, tensor<8x20xf64>) -> tensor<40x20xf64>
  return %0 : tensor<40x20xf64>
}

// -----

// A bound keeps its bits.
// CHECK-LABEL: @doubles_are_clipped_in_f64
// CHECK: VPU.NCE.Eltwise {{.*}} ppe = #VPU.PPE<mode = CLAMP, low = 1.000000e-01 : f64>
func.func @doubles_are_clipped_in_f64(%x: tensor<4x8xf64>) -> tensor<4x20xf64> {
  %w = IE.Constant dense<0.1> : tensor<8x20xf64>
  %low = IE.Constant dense<0.1> : tensor<f64>
  %0 = IE.MatMul(%x, %w) : (tensor<4x8xf64>, tensor<8x20xf64>) -> tensor<4x20xf64>
  %1 = IE.Clip %0 min(%low : tensor<f64>) : tensor<4x20xf64> -> tensor<4x20xf64>
  return %1 : tensor<4x20xf64>
}
