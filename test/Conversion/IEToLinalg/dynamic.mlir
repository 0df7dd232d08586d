// Dynamic shapes: where sizes come from, and what is asserted.

// RUN: nacre-opt %s -convert-ie-to-linalg -split-input-file | FileCheck %s

// Dimensions of one name are of one size: nothing broadcasts.
// CHECK-LABEL: func @add_of_namesakes_reads_both_elementwise
// CHECK-SAME: (%[[X:.*]]: tensor<?xf32> {{{.*}}}, %[[Y:.*]]: tensor<?xf32>
// CHECK: %[[N:.*]] = tensor.dim %[[X]]
// CHECK: tensor.empty(%[[N]])
// CHECK: linalg.generic {{.*}} ins(%[[X]], %[[Y]]
// CHECK-NOT: cf.assert
func.func @add_of_namesakes_reads_both_elementwise(
    %x: tensor<?xf32> {nacre.dims = ["n"]}, %y: tensor<?xf32> {nacre.dims = ["n"]}) -> tensor<?xf32> {
  %0 = IE.Add %x, %y : tensor<?xf32>, tensor<?xf32> -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// CHECK-LABEL: func @add_of_unrelated_sizes_broadcasts_at_run_time
// CHECK: cf.assert %{{.*}}, "the shapes do not broadcast to a common one"
// CHECK: linalg.generic
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK: arith.select %{{.*}}, %{{.*}}, %[[I]]
// CHECK: tensor.extract
func.func @add_of_unrelated_sizes_broadcasts_at_run_time(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = IE.Add %x, %y : tensor<?xf32>, tensor<?xf32> -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// Shape arithmetic leads back to the sizes: of the reshape back, nothing is
// left to assert, and the sum needs no broadcast.
// CHECK-LABEL: func @reshape_by_shape_arithmetic_keeps_sizes
// CHECK-SAME: (%[[X:.*]]: tensor<?x6xf32> {
// CHECK: %[[N:.*]] = tensor.dim %[[X]]
// CHECK: tensor.expand_shape {{.*}} output_shape [%[[N]], 2, 3]
// CHECK-NOT: cf.assert
// CHECK-NOT: tensor.extract
// CHECK: linalg.generic
func.func @reshape_by_shape_arithmetic_keeps_sizes(%x: tensor<?x6xf32>) -> tensor<?x6xf32> {
  %zero = IE.Constant dense<0> : tensor<1xi64>
  %rest = IE.Constant dense<[2, 3]> : tensor<2xi64>
  %back = IE.Constant dense<[-1, 6]> : tensor<2xi64>
  %shape = IE.Shape %x : tensor<?x6xf32> -> tensor<2xi64>
  %n = IE.Gather %shape, %zero : tensor<2xi64>, tensor<1xi64> -> tensor<1xi64>
  %to = IE.Concat %n, %rest {axis = 0 : i64} : tensor<1xi64>, tensor<2xi64> -> tensor<3xi64>
  %0 = IE.Reshape %x, %to : tensor<?x6xf32>, tensor<3xi64> -> tensor<?x2x3xf32>
  %1 = IE.Reshape %0, %back : tensor<?x2x3xf32>, tensor<2xi64> -> tensor<?x6xf32>
  %2 = IE.Add %x, %1 : tensor<?x6xf32>, tensor<?x6xf32> -> tensor<?x6xf32>
  return %2 : tensor<?x6xf32>
}

// -----

// CHECK-LABEL: func @reshape_to_a_given_shape_checks_it
// CHECK: cf.assert %{{.*}}, "a reshape to another number of elements"
// CHECK: tensor.expand_shape
func.func @reshape_to_a_given_shape_checks_it(%x: tensor<?xf32>, %shape: tensor<2xi64>) -> tensor<?x?xf32> {
  %0 = IE.Reshape %x, %shape : tensor<?xf32>, tensor<2xi64> -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: func @matmul_of_unrelated_sizes_checks_the_sum
// CHECK: cf.assert %{{.*}}, "matrices of sizes that do not multiply"
func.func @matmul_of_unrelated_sizes_checks_the_sum(%x: tensor<2x?xf32>, %y: tensor<?x3xf32>) -> tensor<2x3xf32> {
  %0 = IE.MatMul(%x, %y) : (tensor<2x?xf32>, tensor<?x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: func @shape_of_a_dynamic_tensor_is_built_of_its_sizes
// CHECK: %[[N:.*]] = tensor.dim
// CHECK: %[[I:.*]] = arith.index_cast %[[N]]
// CHECK: tensor.from_elements %[[I]], %{{.*}} : tensor<2xi64>
func.func @shape_of_a_dynamic_tensor_is_built_of_its_sizes(%x: tensor<?x6xf32>) -> tensor<2xi64> {
  %0 = IE.Shape %x : tensor<?x6xf32> -> tensor<2xi64>
  return %0 : tensor<2xi64>
}

// -----

// CHECK-LABEL: func @slice_of_a_dynamic_dimension_clamps_its_bounds
// CHECK: %[[N:.*]] = tensor.dim
// CHECK: arith.minsi
// CHECK: tensor.extract_slice
func.func @slice_of_a_dynamic_dimension_clamps_its_bounds(%x: tensor<?x6xf32>) -> tensor<?x6xf32> {
  %start = IE.Constant dense<1> : tensor<1xi64>
  %end = IE.Constant dense<-1> : tensor<1xi64>
  %0 = IE.Slice %x, %start, %end : tensor<?x6xf32>, tensor<1xi64>, tensor<1xi64> -> tensor<?x6xf32>
  return %0 : tensor<?x6xf32>
}

// -----

// A slice of nothing may begin where the operand ends.
// CHECK-LABEL: func @slice_of_nothing_takes_no_part
// CHECK-NOT: tensor.extract_slice
// CHECK: tensor.empty(%{{.*}}) : tensor<?x0xf32>
func.func @slice_of_nothing_takes_no_part(%x: tensor<?x1xf32>) -> tensor<?x0xf32> {
  %one = IE.Constant dense<1> : tensor<1xi64>
  %end = IE.Constant dense<9> : tensor<1xi64>
  %0 = IE.Slice %x, %one, %end axes(%one : tensor<1xi64>) : tensor<?x1xf32>, tensor<1xi64>, tensor<1xi64> -> tensor<?x0xf32>
  return %0 : tensor<?x0xf32>
}

// -----

// The size of merged dimensions is the product of theirs.
// CHECK-LABEL: func @gather_from_merged_dimensions_knows_their_size
// CHECK: %[[N:.*]] = tensor.dim
// CHECK: tensor.collapse_shape
// CHECK: linalg.generic
// CHECK: arith.addi %{{.*}}, %[[N]]
func.func @gather_from_merged_dimensions_knows_their_size(%x: tensor<?x3x2xf32>, %i: tensor<4xi64>) -> tensor<4xf32> {
  %axes = IE.Constant dense<[1, 2]> : tensor<2xi64>
  %0 = IE.ReduceSum(%x, %axes) {keepdims = 0 : i64} : (tensor<?x3x2xf32>, tensor<2xi64>) -> tensor<?xf32>
  %1 = IE.Gather %0, %i : tensor<?xf32>, tensor<4xi64> -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// The positions have lost the dimension that the result has.
// CHECK-LABEL: func @hardmax_of_dynamic_shape_is_as_large_as_its_operand
// CHECK-SAME: (%[[X:.*]]: tensor<?x?xf32> {
// CHECK: linalg.generic {{.*}}"reduction"
// CHECK: %[[EMPTY:.*]] = tensor.empty(%[[N:.*]], %[[M:.*]]) : tensor<?x?xf32>
// CHECK: linalg.generic {{.*}}%[[X]]{{.*}} outs(%[[EMPTY]]
func.func @hardmax_of_dynamic_shape_is_as_large_as_its_operand(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = IE.Hardmax(%x) {axis = 0 : i64} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// The engine has products of matrices, whose operands are transposed first.
// CHECK-LABEL: func @einsum_of_matrices_is_a_product_of_transposed_ones
// CHECK-SAME: (%[[X:.*]]: tensor<?x?x4x64xf32> {{{.*}}}, %[[Z:.*]]: tensor<?x?x4x64xf32> {
// CHECK: %[[LEFT:.*]] = linalg.transpose ins(%[[X]] {{.*}} permutation = [0, 2, 1, 3]
// CHECK: %[[RIGHT:.*]] = linalg.transpose ins(%[[Z]] {{.*}} permutation = [0, 2, 3, 1]
// CHECK: linalg.generic {{.*}}ins(%[[LEFT]], %[[RIGHT]] : tensor<?x4x?x64xf32>, tensor<?x4x64x?xf32>)
func.func @einsum_of_matrices_is_a_product_of_transposed_ones(
    %x: tensor<?x?x4x64xf32> {nacre.dims = ["b", "s", "", ""]}, %z: tensor<?x?x4x64xf32> {nacre.dims = ["b", "t", "", ""]}) -> tensor<?x4x?x?xf32> {
  %0 = IE.Einsum(%x, %z) {equation = "bshd,bthd->bhst"} : (tensor<?x?x4x64xf32>, tensor<?x?x4x64xf32>) -> tensor<?x4x?x?xf32>
  return %0 : tensor<?x4x?x?xf32>
}

// -----

// Two sums, a product of elements, a diagonal: no products of two matrices.
// CHECK-LABEL: func @einsum_of_other_forms_is_one_kernel
// CHECK-NOT: linalg.transpose
func.func @einsum_of_other_forms_is_one_kernel(%x: tensor<?x?x4xf32>, %z: tensor<4x?x?xf32>, %q: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>, tensor<4x?xf32>) {
  %0 = IE.Einsum(%x, %z) {equation = "ijk,kjl->il"} : (tensor<?x?x4xf32>, tensor<4x?x?xf32>) -> tensor<?x?xf32>
  %1 = IE.Einsum(%q, %q) {equation = "ij,ij->i"} : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?xf32>
  %2 = IE.Einsum(%x, %q) {equation = "iik,ij->ki"} : (tensor<?x?x4xf32>, tensor<?x?xf32>) -> tensor<4x?xf32>
  return %0, %1, %2 : tensor<?x?xf32>, tensor<?xf32>, tensor<4x?xf32>
}
