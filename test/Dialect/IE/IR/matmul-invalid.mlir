// RUN: nacre-opt %s -split-input-file -verify-diagnostics

func.func @matmul_integer_with_unequal_inner_dimensions_is_rejected(%a: tensor<3x4xui8>, %b: tensor<5x6xi8>) {
  // expected-error @below {{expected equal inner dimensions, found 'tensor<3x4xui8>' and 'tensor<5x6xi8>'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = IE.MatMulInteger(%a, %b) : (tensor<3x4xui8>, tensor<5x6xi8>) -> tensor<3x6xi32>
  return
}

// -----

func.func @matmul_integer_with_clashing_batches_is_rejected(%a: tensor<2x3x4xui8>, %b: tensor<3x4x5xi8>) {
  // expected-error @below {{expected batch dimensions that broadcast, found 'tensor<2x3x4xui8>' and 'tensor<3x4x5xi8>'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = IE.MatMulInteger(%a, %b) : (tensor<2x3x4xui8>, tensor<3x4x5xi8>) -> tensor<2x3x5xi32>
  return
}

// -----

func.func @matmul_integer_of_words_is_rejected(%a: tensor<3x4xi32>, %b: tensor<4x5xi8>) {
  // expected-error @below {{operand #0 must be ranked tensor of 8-bit signless integer or 8-bit unsigned integer values}}
  %0 = IE.MatMulInteger(%a, %b) : (tensor<3x4xi32>, tensor<4x5xi8>) -> tensor<3x5xi32>
  return
}

// -----

func.func @matmul_integer_with_lhs_zero_of_other_type_is_rejected(%a: tensor<3x4xui8>, %b: tensor<4x5xi8>, %zero: tensor<i8>) {
  // expected-error @below {{expected a zero point of the type of 'tensor<3x4xui8>' that broadcasts to its rows or columns, found 'tensor<i8>'}}
  %0 = IE.MatMulInteger(%a, %b) lhsZero(%zero : tensor<i8>) : (tensor<3x4xui8>, tensor<4x5xi8>) -> tensor<3x5xi32>
  return
}

// -----

func.func @matmul_integer_with_lhs_zero_per_column_is_rejected(%a: tensor<3x4xui8>, %b: tensor<4x5xi8>, %zero: tensor<4xui8>) {
  // expected-error @below {{expected a zero point of the type of 'tensor<3x4xui8>' that broadcasts to its rows or columns, found 'tensor<4xui8>'}}
  %0 = IE.MatMulInteger(%a, %b) lhsZero(%zero : tensor<4xui8>) : (tensor<3x4xui8>, tensor<4x5xi8>) -> tensor<3x5xi32>
  return
}

// -----

func.func @matmul_integer_with_rhs_zero_per_row_is_rejected(%a: tensor<3x4xui8>, %b: tensor<4x5xi8>, %zero: tensor<4xi8>) {
  // expected-error @below {{expected a zero point of the type of 'tensor<4x5xi8>' that broadcasts to its rows or columns, found 'tensor<4xi8>'}}
  %0 = IE.MatMulInteger(%a, %b) rhsZero(%zero : tensor<4xi8>) : (tensor<3x4xui8>, tensor<4x5xi8>) -> tensor<3x5xi32>
  return
}

// -----

// It would give the matrix a batch.
func.func @matmul_integer_with_rhs_zero_of_more_batches_is_rejected(%a: tensor<3x4xui8>, %b: tensor<4x5xi8>, %zero: tensor<2x1x5xi8>) {
  // expected-error @below {{expected a zero point of the type of 'tensor<4x5xi8>' that broadcasts to its rows or columns, found 'tensor<2x1x5xi8>'}}
  %0 = IE.MatMulInteger(%a, %b) rhsZero(%zero : tensor<2x1x5xi8>) : (tensor<3x4xui8>, tensor<4x5xi8>) -> tensor<3x5xi32>
  return
}

// -----

func.func @matmul_integer_of_row_with_several_zero_points_is_rejected(%a: tensor<2xui8>, %b: tensor<2x3xi8>, %z: tensor<2xui8>) -> tensor<3xi32> {
  // expected-error @+1 {{expected a zero point of the type of 'tensor<2xui8>' that broadcasts to its rows or columns, found 'tensor<2xui8>'}}
  %0 = IE.MatMulInteger(%a, %b) lhsZero(%z : tensor<2xui8>) : (tensor<2xui8>, tensor<2x3xi8>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}

// -----

func.func @qlinear_matmul_with_a_scale_for_each_element_of_its_result_is_rejected(%a: tensor<3x4xui8>, %b: tensor<4x5xui8>, %s: tensor<f32>, %many: tensor<5xf32>, %z: tensor<ui8>) {
  // expected-error @+1 {{expected a single scale and zero point of the result, found 'tensor<5xf32>' and 'tensor<ui8>'}}
  %0 = IE.QLinearMatMul(%a, %s, %z, %b, %s, %z, %many, %z) : (tensor<3x4xui8>, tensor<f32>, tensor<ui8>, tensor<4x5xui8>, tensor<f32>, tensor<ui8>, tensor<5xf32>, tensor<ui8>) -> tensor<3x5xui8>
  return
}

// -----

func.func @qlinear_matmul_with_other_scales_than_zero_points_is_rejected(%a: tensor<3x4xui8>, %b: tensor<4x5xui8>, %s: tensor<f32>, %many: tensor<3xf32>, %z: tensor<ui8>) {
  // expected-error @+1 {{expected a scale of the zero point's shape, found 'tensor<3xf32>' and 'tensor<ui8>'}}
  %0 = IE.QLinearMatMul(%a, %many, %z, %b, %s, %z, %s, %z) : (tensor<3x4xui8>, tensor<3xf32>, tensor<ui8>, tensor<4x5xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<3x5xui8>
  return
}

// -----

func.func @qlinear_matmul_with_a_zero_point_of_another_type_is_rejected(%a: tensor<3x4xui8>, %b: tensor<4x5xi8>, %s: tensor<f32>, %z: tensor<ui8>) {
  // expected-error @+1 {{expected a zero point of the type of 'tensor<4x5xi8>'}}
  %0 = IE.QLinearMatMul(%a, %s, %z, %b, %s, %z, %s, %z) : (tensor<3x4xui8>, tensor<f32>, tensor<ui8>, tensor<4x5xi8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<3x5xui8>
  return
}

// -----

func.func @qlinear_matmul_of_a_vector_with_scales_of_columns_is_rejected(%a: tensor<4xui8>, %b: tensor<4x5xui8>, %s: tensor<f32>, %many: tensor<5xf32>, %z: tensor<ui8>, %zb: tensor<5xui8>) {
  // expected-error @+1 {{expected two matrices where there are several scales, found 'tensor<4xui8>' and 'tensor<4x5xui8>'}}
  %0 = IE.QLinearMatMul(%a, %s, %z, %b, %many, %zb, %s, %z) : (tensor<4xui8>, tensor<f32>, tensor<ui8>, tensor<4x5xui8>, tensor<5xf32>, tensor<5xui8>, tensor<f32>, tensor<ui8>) -> tensor<5xui8>
  return
}

// -----

func.func @det_of_a_matrix_that_is_not_square_is_rejected(%x: tensor<2x3xf32>) {
  // expected-error @+2 {{expected square matrices, found 'tensor<2x3xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.Det(%x) : (tensor<2x3xf32>) -> tensor<f32>
  return
}

// -----

func.func @det_of_a_vector_is_rejected(%x: tensor<3xf32>) {
  // expected-error @+2 {{expected square matrices, found 'tensor<3xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.Det(%x) : (tensor<3xf32>) -> tensor<f32>
  return
}

// -----

func.func @matmul_n_bits_of_three_bits_is_rejected(%a: tensor<1x64xf32>, %b: tensor<10x2x12xui8>, %s: tensor<10x2xf32>) {
  // expected-error @below {{expected 2, 4 or 8 bits, found 3}}
  %0 = IE.MatMulNBits(%a, %b, %s) {K = 64 : i64, bits = 3 : i64, block_size = 32 : i64} : (tensor<1x64xf32>, tensor<10x2x12xui8>, tensor<10x2xf32>) -> tensor<1x10xf32>
  return
}

// -----

func.func @matmul_n_bits_with_rows_of_other_length_is_rejected(%a: tensor<1x63xf32>, %b: tensor<10x2x16xui8>, %s: tensor<10x2xf32>) {
  // expected-error @below {{expected rows of 64 elements, found 'tensor<1x63xf32>'}}
  %0 = IE.MatMulNBits(%a, %b, %s) {K = 64 : i64, bits = 4 : i64, block_size = 32 : i64} : (tensor<1x63xf32>, tensor<10x2x16xui8>, tensor<10x2xf32>) -> tensor<1x10xf32>
  return
}

// -----

func.func @matmul_n_bits_with_too_few_bytes_is_rejected(%a: tensor<1x64xf32>, %b: tensor<10x2x8xui8>, %s: tensor<10x2xf32>) {
  // expected-error @below {{expected weights of shape 'tensor<10x2x16xui8>', found 'tensor<10x2x8xui8>'}}
  %0 = IE.MatMulNBits(%a, %b, %s) {K = 64 : i64, bits = 4 : i64, block_size = 32 : i64} : (tensor<1x64xf32>, tensor<10x2x8xui8>, tensor<10x2xf32>) -> tensor<1x10xf32>
  return
}

// -----

func.func @matmul_n_bits_with_scales_of_other_type_is_rejected(%a: tensor<1x64xf32>, %b: tensor<10x2x16xui8>, %s: tensor<10x2xf16>) {
  // expected-error @below {{expected scales of 'f32', found 'tensor<10x2xf16>'}}
  %0 = IE.MatMulNBits(%a, %b, %s) {K = 64 : i64, bits = 4 : i64, block_size = 32 : i64} : (tensor<1x64xf32>, tensor<10x2x16xui8>, tensor<10x2xf16>) -> tensor<1x10xf32>
  return
}

// -----

func.func @matmul_n_bits_with_zero_points_of_other_shape_is_rejected(%a: tensor<1x64xf32>, %b: tensor<10x2x16xui8>, %s: tensor<10x2xf32>, %z: tensor<10x2xui8>) {
  // expected-error @below {{expected zero points of shape 'tensor<10x1xui8>', found 'tensor<10x2xui8>'}}
  %0 = IE.MatMulNBits(%a, %b, %s) zeroPoints(%z : tensor<10x2xui8>) {K = 64 : i64, bits = 4 : i64, block_size = 32 : i64} : (tensor<1x64xf32>, tensor<10x2x16xui8>, tensor<10x2xf32>) -> tensor<1x10xf32>
  return
}

// -----

func.func @matmul_n_bits_of_unknown_accuracy_is_rejected(%a: tensor<1x64xf32>, %b: tensor<10x2x16xui8>, %s: tensor<10x2xf32>) {
  // expected-error @below {{expected an accuracy_level from 0 to 4, found 5}}
  %0 = IE.MatMulNBits(%a, %b, %s) {K = 64 : i64, accuracy_level = 5 : i64, bits = 4 : i64, block_size = 32 : i64} : (tensor<1x64xf32>, tensor<10x2x16xui8>, tensor<10x2xf32>) -> tensor<1x10xf32>
  return
}

// -----

// One for each element of a sum is none of its rows.
func.func @zero_points_along_the_sum(%a: tensor<?x4xui8>, %b: tensor<4x5xi8>, %p: tensor<1x4xui8>) -> tensor<?x5xi32> {
  // expected-error @+1 {{expected a zero point of the type of 'tensor<?x4xui8>' that broadcasts to its rows or columns, found 'tensor<1x4xui8>'}}
  %0 = IE.MatMulInteger(%a, %b) lhsZero(%p : tensor<1x4xui8>) : (tensor<?x4xui8>, tensor<4x5xi8>) -> tensor<?x5xi32>
  return %0 : tensor<?x5xi32>
}
