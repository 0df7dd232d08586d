// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-decompose))' -split-input-file | FileCheck %s

// CHECK-LABEL: func @qlinear_conv_becomes_a_scaled_conv_integer
// CHECK: %[[ONE:.*]] = IE.Constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[S:.*]] = IE.ConvInteger(%arg0, %arg1) zero(%{{.*}} : tensor<ui8>) weightsZero(%{{.*}} : tensor<4xi8>) {strides = array<i64: 2, 2>} : (tensor<1x3x8x8xui8>, tensor<4x3x2x2xi8>) -> tensor<1x4x4x4xi32>
// CHECK: %[[B:.*]] = IE.Reshape %arg2, %{{.*}} : tensor<4xi32>, tensor<3xi64> -> tensor<4x1x1xi32>
// CHECK: %[[A:.*]] = IE.Add %[[S]], %[[B]]
// CHECK: %[[P:.*]] = IE.Mul %{{.*}}, %{{.*}} : tensor<f32>, tensor<4x1x1xf32> -> tensor<4x1x1xf32>
// CHECK: %[[D:.*]] = IE.Div %[[P]], %arg7 : tensor<4x1x1xf32>, tensor<f32> -> tensor<4x1x1xf32>
// CHECK: %[[F:.*]] = IE.Cast %[[A]] to f32
// CHECK: %[[M:.*]] = IE.Mul %[[F]], %[[D]]
// CHECK: %[[Y:.*]] = IE.QuantizeLinear(%[[M]], %[[ONE]], %{{.*}}) : (tensor<1x4x4x4xf32>, tensor<f32>, tensor<i8>) -> tensor<1x4x4x4xi8>
// CHECK: return %[[Y]]
func.func @qlinear_conv_becomes_a_scaled_conv_integer(%x: tensor<1x3x8x8xui8>, %w: tensor<4x3x2x2xi8>, %b: tensor<4xi32>, %xs: tensor<1xf32>, %xz: tensor<ui8>, %ws: tensor<4xf32>, %wz: tensor<4xi8>, %ys: tensor<f32>, %yz: tensor<1xi8>) -> tensor<1x4x4x4xi8> {
  %0 = IE.QLinearConv(%x, %xs, %xz, %w, %ws, %wz, %ys, %yz, %b) {strides = array<i64: 2, 2>} : (tensor<1x3x8x8xui8>, tensor<1xf32>, tensor<ui8>, tensor<4x3x2x2xi8>, tensor<4xf32>, tensor<4xi8>, tensor<f32>, tensor<1xi8>, tensor<4xi32>) -> tensor<1x4x4x4xi8>
  return %0 : tensor<1x4x4x4xi8>
}

// -----

// Scales of rows are a column.
// CHECK-LABEL: func @qlinear_matmul_becomes_a_scaled_matmul_integer
// CHECK: %[[S:.*]] = IE.MatMulInteger(%arg0, %arg1) lhsZero(%{{.*}} : tensor<3xui8>) rhsZero(%{{.*}} : tensor<5xi8>) : (tensor<2x3x4xui8>, tensor<4x5xi8>) -> tensor<2x3x5xi32>
// CHECK: %[[L:.*]] = IE.Reshape %{{.*}} : tensor<3xf32>, tensor<3xi64> -> tensor<1x3x1xf32>
// CHECK: %[[R:.*]] = IE.Reshape %{{.*}} : tensor<5xf32>, tensor<2xi64> -> tensor<1x5xf32>
// CHECK: IE.Mul %[[L]], %[[R]] : tensor<1x3x1xf32>, tensor<1x5xf32> -> tensor<1x3x5xf32>
// CHECK: IE.QuantizeLinear({{.*}}) : (tensor<2x3x5xf32>, tensor<f32>, tensor<ui8>) -> tensor<2x3x5xui8>
func.func @qlinear_matmul_becomes_a_scaled_matmul_integer(%a: tensor<2x3x4xui8>, %b: tensor<4x5xi8>, %as: tensor<3xf32>, %az: tensor<3xui8>, %bs: tensor<5xf32>, %bz: tensor<5xi8>, %ys: tensor<f32>, %yz: tensor<ui8>) -> tensor<2x3x5xui8> {
  %0 = IE.QLinearMatMul(%a, %as, %az, %b, %bs, %bz, %ys, %yz) : (tensor<2x3x4xui8>, tensor<3xf32>, tensor<3xui8>, tensor<4x5xi8>, tensor<5xf32>, tensor<5xi8>, tensor<f32>, tensor<ui8>) -> tensor<2x3x5xui8>
  return %0 : tensor<2x3x5xui8>
}

// -----

// One scale or as many as rows: a run broadcasts the column.
// CHECK-LABEL: func @qlinear_matmul_of_an_unknown_number_of_scales_scales_by_a_column
// CHECK: %[[ROWS:.*]] = IE.Constant dense<[-1, 1]>
// CHECK: IE.Reshape %{{.*}}, %[[ROWS]] : tensor<?xf32>, tensor<2xi64> -> tensor<?x1xf32>
// CHECK: IE.QuantizeLinear
func.func @qlinear_matmul_of_an_unknown_number_of_scales_scales_by_a_column(%a: tensor<3x4xui8>, %b: tensor<4x5xui8>, %as: tensor<?xf32>, %az: tensor<?xui8>, %s: tensor<f32>, %z: tensor<ui8>) -> tensor<3x5xui8> {
  %0 = IE.QLinearMatMul(%a, %as, %az, %b, %s, %z, %s, %z) : (tensor<3x4xui8>, tensor<?xf32>, tensor<?xui8>, tensor<4x5xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<3x5xui8>
  return %0 : tensor<3x5xui8>
}

// -----

// Both batches and both rows become one dimension.
// CHECK-LABEL: func @einsum_of_two_operands_becomes_a_matmul
// CHECK: %[[A:.*]] = IE.Transpose %arg0 {perm = array<i64: 0, 2, 1, 3>} : tensor<2x3x4x5xf32> -> tensor<2x4x3x5xf32>
// CHECK: %[[B:.*]] = IE.Transpose %arg1 {perm = array<i64: 0, 2, 3, 1>} : tensor<2x6x4x5xf32> -> tensor<2x4x5x6xf32>
// CHECK: %[[L:.*]] = IE.Reshape %[[A]], %{{.*}} -> tensor<8x3x5xf32>
// CHECK: %[[R:.*]] = IE.Reshape %[[B]], %{{.*}} -> tensor<8x5x6xf32>
// CHECK: %[[P:.*]] = IE.MatMul(%[[L]], %[[R]]) : (tensor<8x3x5xf32>, tensor<8x5x6xf32>) -> tensor<8x3x6xf32>
// CHECK: %[[Y:.*]] = IE.Reshape %[[P]], %{{.*}} -> tensor<2x4x3x6xf32>
// CHECK: return %[[Y]]
func.func @einsum_of_two_operands_becomes_a_matmul(%q: tensor<2x3x4x5xf32>, %k: tensor<2x6x4x5xf32>) -> tensor<2x4x3x6xf32> {
  %0 = IE.Einsum(%q, %k) {equation = "bqhd,bkhd->bhqk"} : (tensor<2x3x4x5xf32>, tensor<2x6x4x5xf32>) -> tensor<2x4x3x6xf32>
  return %0 : tensor<2x4x3x6xf32>
}

// -----

// CHECK-LABEL: func @einsum_of_no_sums_becomes_a_mul
// CHECK-NOT: IE.MatMul
// CHECK: IE.Mul %{{.*}}, %{{.*}} : tensor<3x1xf32>, tensor<1x4xf32> -> tensor<3x4xf32>
// CHECK: IE.Transpose %{{.*}} {perm = array<i64: 1, 0>}
func.func @einsum_of_no_sums_becomes_a_mul(%a: tensor<3xf32>, %b: tensor<4xf32>) -> tensor<4x3xf32> {
  %0 = IE.Einsum(%a, %b) {equation = "i,j->ji"} : (tensor<3xf32>, tensor<4xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

// Every n+1st element of a matrix is its diagonal.
// CHECK-LABEL: func @einsum_of_a_diagonal_becomes_a_slice
// CHECK: IE.Reshape %arg0, %{{.*}} : tensor<2x3x3xf32>, tensor<2xi64> -> tensor<2x9xf32>
// CHECK: IE.Slice %{{.*}} -> tensor<2x3xf32>
// CHECK: IE.ReduceSum(%{{.*}}) {keepdims = 0 : i64} : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<2xf32>
func.func @einsum_of_a_diagonal_becomes_a_slice(%x: tensor<2x3x3xf32>) -> tensor<2xf32> {
  %0 = IE.Einsum(%x) {equation = "...ii->..."} : (tensor<2x3x3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK-LABEL: func @einsum_of_dynamic_shapes_stays
// CHECK: IE.Einsum
func.func @einsum_of_dynamic_shapes_stays(%x: tensor<?x3xf32>) -> tensor<3x?xf32> {
  %0 = IE.Einsum(%x) {equation = "ij->ji"} : (tensor<?x3xf32>) -> tensor<3x?xf32>
  return %0 : tensor<3x?xf32>
}

// -----

// Indices count in the tensor that was pooled, 4x4.
// CHECK-LABEL: func @max_unpool_becomes_a_scatter_into_zeros
// CHECK: %[[Z:.*]] = IE.Expand %{{.*}} -> tensor<16xf32>
// CHECK: %[[I:.*]] = IE.Reshape %arg1, %{{.*}} -> tensor<4xi64>
// CHECK: %[[X:.*]] = IE.Reshape %arg0, %{{.*}} -> tensor<4xf32>
// CHECK: %[[S:.*]] = IE.ScatterElements %[[Z]], %[[I]], %[[X]]
// CHECK: %[[R:.*]] = IE.Reshape %[[S]], %{{.*}} -> tensor<1x1x4x4xf32>
// CHECK: %[[P:.*]] = IE.Pad %[[R]], %{{.*}} -> tensor<1x1x5x6xf32>
// CHECK: return %[[P]]
func.func @max_unpool_becomes_a_scatter_into_zeros(%x: tensor<1x1x2x2xf32>, %i: tensor<1x1x2x2xi64>, %s: tensor<4xi64>) -> tensor<1x1x5x6xf32> {
  %0 = IE.MaxUnpool(%x, %i, %s) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x1x2x2xf32>, tensor<1x1x2x2xi64>, tensor<4xi64>) -> tensor<1x1x5x6xf32>
  return %0 : tensor<1x1x5x6xf32>
}

// -----

// The mode decides at run time between the ratio and zero.
// CHECK-LABEL: func @dropout_in_training_compares_random_numbers
// CHECK: %[[R:.*]] = IE.Where %arg1, %{{.*}}, %{{.*}} : tensor<i1>, tensor<f64>, tensor<f64>
// CHECK: %[[U:.*]] = IE.RandomUniform {{{.*}}dtype = f64{{.*}}seed = 9.000000e+00 : f64{{.*}}} : tensor<2x3xf64>
// CHECK: %[[M:.*]] = IE.GreaterOrEqual %[[U]], %[[R]]
// CHECK: %[[Y:.*]] = IE.Where %[[M]], %{{.*}}, %{{.*}} : tensor<2x3xi1>, tensor<2x3xf32>, tensor<f32>
// CHECK: return %[[Y]], %[[M]]
func.func @dropout_in_training_compares_random_numbers(%x: tensor<2x3xf32>, %t: tensor<i1>) -> (tensor<2x3xf32>, tensor<2x3xi1>) {
  %0, %1 = IE.Dropout %x training_mode(%t : tensor<i1>) {seed = 9 : i64} : tensor<2x3xf32> -> tensor<2x3xf32>, tensor<2x3xi1>
  return %0, %1 : tensor<2x3xf32>, tensor<2x3xi1>
}

// -----

// CHECK-LABEL: func @bernoulli_compares_random_numbers
// CHECK: %[[U:.*]] = IE.RandomUniform
// CHECK: %[[L:.*]] = IE.Less %[[U]], %{{.*}} : tensor<8xf64>, tensor<8xf64>
// CHECK: IE.Cast %[[L]] to f32
func.func @bernoulli_compares_random_numbers(%p: tensor<8xf32>) -> tensor<8xf32> {
  %0 = IE.Bernoulli %p : tensor<8xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func @multinomial_counts_smaller_sums
// CHECK: IE.Softmax
// CHECK: %[[C:.*]] = IE.CumSum
// CHECK: IE.LessOrEqual %{{.*}}, %{{.*}} : tensor<2x1x5xf64>, tensor<2x4x1xf64> -> tensor<2x4x5xi1>
// CHECK: IE.ReduceSum
// CHECK: IE.Min
func.func @multinomial_counts_smaller_sums(%l: tensor<2x5xf32>) -> tensor<2x4xi32> {
  %0 = IE.Multinomial %l {sample_size = 4 : i64} : tensor<2x5xf32> -> tensor<2x4xi32>
  return %0 : tensor<2x4xi32>
}

// -----

// CHECK-LABEL: func @random_numbers_like_a_tensor_have_its_shape
// CHECK: IE.RandomNormal {{{.*}}scale = 2.000000e+00 : f32, seed = 3.000000e+00 : f64, shape = array<i64: 2, 3>} : tensor<2x3xf32>
func.func @random_numbers_like_a_tensor_have_its_shape(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = IE.RandomNormalLike %x {scale = 2.0 : f32, seed = 3.0} : tensor<2x3xf32> -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: func @random_numbers_of_a_dynamic_shape_stay
// CHECK: IE.RandomUniformLike
func.func @random_numbers_of_a_dynamic_shape_stay(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = IE.RandomUniformLike %x : tensor<?xf32> -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// CHECK-LABEL: func @dft_becomes_a_matrix_product
// CHECK-DAG: IE.Cos
// CHECK-DAG: IE.Sin
// CHECK: IE.MatMul({{.*}}) : (tensor<3x9xf32>, tensor<9x10xf32>) -> tensor<3x10xf32>
func.func @dft_becomes_a_matrix_product(%x: tensor<3x9x1xf32>) -> tensor<3x5x2xf32> {
  %0 = IE.DFT(%x) {onesided = 1 : i64} : (tensor<3x9x1xf32>) -> tensor<3x5x2xf32>
  return %0 : tensor<3x5x2xf32>
}

// -----

// CHECK-LABEL: func @stft_gathers_frames
// CHECK: %[[F:.*]] = IE.Gather %arg0, %{{.*}} {axis = 1 : i64} : tensor<1x128x1xf32>, tensor<15x16xi64> -> tensor<1x15x16x1xf32>
// CHECK: IE.Mul %[[F]], %{{.*}} : tensor<1x15x16x1xf32>, tensor<16x1xf32>
// CHECK: IE.MatMul
func.func @stft_gathers_frames(%x: tensor<1x128x1xf32>, %step: tensor<i64>, %w: tensor<16xf32>) -> tensor<1x15x9x2xf32> {
  %0 = IE.STFT(%x, %step) window(%w : tensor<16xf32>) : (tensor<1x128x1xf32>, tensor<i64>) -> tensor<1x15x9x2xf32>
  return %0 : tensor<1x15x9x2xf32>
}

// -----

// CHECK-LABEL: func @tf_idf_vectorizer_compares_at_every_place
// CHECK: IE.Equal %{{.*}}, %{{.*}} : tensor<1x6x1xi64>, tensor<1x1x1xi64>
// CHECK: IE.ReduceSum
// CHECK: IE.ScatterElements
// CHECK: IE.And
// CHECK: IE.ScatterElements
func.func @tf_idf_vectorizer_compares_at_every_place(%x: tensor<6xi32>) -> tensor<2xf32> {
  %0 = IE.TfIdfVectorizer %x {max_gram_length = 2 : i64, max_skip_count = 0 : i64, min_gram_length = 1 : i64, mode = "TF", ngram_counts = array<i64: 0, 1>, ngram_indexes = array<i64: 0, 1>, pool_int64s = array<i64: 5, 5, 6>} : tensor<6xi32> -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// Along which of the axes that the shape allows is known only at run time.
// CHECK-LABEL: func @dft_along_a_computed_axis_branches
// CHECK-NOT: IE.DFT
// CHECK: IE.Equal
// CHECK: IE.If
// CHECK-NOT: IE.DFT
// CHECK: IE.Require {{.*}}, "expected the axis of a DFT to be 0 or 1, or the same from the end"
func.func @dft_along_a_computed_axis_branches(%x: tensor<3x9x1xf32>, %axis: tensor<i64>) -> tensor<3x9x2xf32> {
  %0 = IE.DFT(%x) axis(%axis : tensor<i64>) : (tensor<3x9x1xf32>) -> tensor<3x9x2xf32>
  return %0 : tensor<3x9x2xf32>
}

// -----

// CHECK-LABEL: func @dft_to_a_shape_of_one_axis_does_not_branch
// CHECK-NOT: IE.If
// CHECK: IE.Require {{.*}}, "expected the axis of a DFT to be 1, or the same from the end"
// CHECK: return
func.func @dft_to_a_shape_of_one_axis_does_not_branch(%x: tensor<3x9x1xf32>, %axis: tensor<i64>) -> tensor<3x5x2xf32> {
  %0 = IE.DFT(%x) axis(%axis : tensor<i64>) {onesided = 1 : i64} : (tensor<3x9x1xf32>) -> tensor<3x5x2xf32>
  return %0 : tensor<3x5x2xf32>
}

// Branches give what they compute where no room for it is known.
// CHECK-LABEL: @dft_of_unknown_sizes_along_the_axis_of_a_run
// CHECK-NOT: IE.DFT
// CHECK-NOT: IE.Pad
// CHECK: IE.If {{.*}} -> tensor<?x?x2xf32>
// CHECK-NOT: IE.DFT
// CHECK-NOT: IE.Pad
// CHECK: IE.Require {{.*}}, "expected the axis of a DFT to be 0 or 1, or the same from the end"
// CHECK-NOT: IE.Slice
// CHECK: return
func.func @dft_of_unknown_sizes_along_the_axis_of_a_run(%x: tensor<?x?x1xf32>, %axis: tensor<i64>) -> tensor<?x?x2xf32> {
  %0 = IE.DFT(%x) axis(%axis : tensor<i64>) : (tensor<?x?x1xf32>) -> tensor<?x?x2xf32>
  return %0 : tensor<?x?x2xf32>
}

// CHECK-LABEL: func @sum_of_many_operands_is_taken_in_steps
// CHECK: %[[SOME:.*]] = IE.Sum
// CHECK-NOT: IE.Sum
// CHECK: %[[ALL:.*]] = IE.{{Sum|Add}} %[[SOME]], %{{.*}} : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
// CHECK: return %[[ALL]]
func.func @sum_of_many_operands_is_taken_in_steps(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = IE.Sum %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func @maximum_of_few_operands_stays
// CHECK-COUNT-1: IE.Max
// CHECK-NOT: IE.Max
func.func @maximum_of_few_operands_stays(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = IE.Max %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func @dynamic_quantization_finds_the_range
// CHECK-DAG: %[[ZERO:.*]] = IE.Constant dense<0.000000e+00> : tensor<f32>
// CHECK-DAG: %[[TOP:.*]] = IE.Constant dense<2.550000e+02> : tensor<f32>
// CHECK-DAG: %[[LEAST:.*]] = IE.ReduceMin(%arg0) {keepdims = 0 : i64}
// CHECK-DAG: %[[LARGEST:.*]] = IE.ReduceMax(%arg0) {keepdims = 0 : i64}
// CHECK-DAG: %[[LOW:.*]] = IE.Min %[[LEAST]], %[[ZERO]]
// CHECK-DAG: %[[HIGH:.*]] = IE.Max %[[LARGEST]], %[[ZERO]]
// CHECK: %[[RANGE:.*]] = IE.Sub %[[HIGH]], %[[LOW]]
// CHECK: %[[SCALE:.*]] = IE.Div %[[RANGE]], %[[TOP]]
// CHECK: %[[STEPS:.*]] = IE.Div %[[LOW]], %[[SCALE]]
// CHECK: %[[NEGATIVE:.*]] = IE.Sub %[[ZERO]], %[[STEPS]]
// CHECK: %[[CLIPPED:.*]] = IE.Clip %[[NEGATIVE]] min(%[[ZERO]] : tensor<f32>) max(%[[TOP]] : tensor<f32>)
// CHECK: %[[ROUNDED:.*]] = IE.Round %[[CLIPPED]]
// CHECK: %[[POINT:.*]] = IE.Cast %[[ROUNDED]] to ui8
// CHECK: %[[Y:.*]] = IE.QuantizeLinear(%arg0, %[[SCALE]], %[[POINT]]) : (tensor<?x4xf32>, tensor<f32>, tensor<ui8>) -> tensor<?x4xui8>
// CHECK: return %[[Y]], %[[SCALE]], %[[POINT]]
func.func @dynamic_quantization_finds_the_range(%x: tensor<?x4xf32>) -> (tensor<?x4xui8>, tensor<f32>, tensor<ui8>) {
  %0:3 = IE.DynamicQuantizeLinear(%x) : (tensor<?x4xf32>) -> (tensor<?x4xui8>, tensor<f32>, tensor<ui8>)
  return %0#0, %0#1, %0#2 : tensor<?x4xui8>, tensor<f32>, tensor<ui8>
}

// -----

// A result whose size is declared where the operand's is not keeps it.

// CHECK-LABEL: func.func @dynamic_quantization_keeps_declared_sizes
// CHECK: %[[Y:.*]] = IE.QuantizeLinear(%arg0, {{.*}}) : (tensor<?x4xf32>, tensor<f32>, tensor<ui8>) -> tensor<2x4xui8>
// CHECK: return %[[Y]]
func.func @dynamic_quantization_keeps_declared_sizes(%x: tensor<?x4xf32>) -> tensor<2x4xui8> {
  %0:3 = IE.DynamicQuantizeLinear(%x) : (tensor<?x4xf32>) -> (tensor<2x4xui8>, tensor<f32>, tensor<ui8>)
  return %0#0 : tensor<2x4xui8>
}
