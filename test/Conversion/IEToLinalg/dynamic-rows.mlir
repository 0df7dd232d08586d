// RUN: nacre-opt %s --convert-ie-to-linalg --canonicalize --cse --split-input-file | FileCheck %s

// Only what changes splits: the batch is a dimension of its own.
// CHECK-LABEL: @reshape_keeps_dimensions_apart
// CHECK-NOT: tensor.collapse_shape
// CHECK: tensor.expand_shape %{{.*}} {{\[\[}}0], [1], [2, 3]]
// CHECK-NOT: tensor.collapse_shape
// CHECK: return
func.func @reshape_keeps_dimensions_apart(%x: tensor<?x?x12xf32>) -> tensor<?x?x3x4xf32> {
  %shape = IE.Constant dense<[0, 0, 3, 4]> : tensor<4xi64>
  %y = IE.Reshape %x, %shape : tensor<?x?x12xf32>, tensor<4xi64> -> tensor<?x?x3x4xf32>
  return %y : tensor<?x?x3x4xf32>
}

// -----

// A table of positions, cut to the length of the sequence, broadcasts only if it
// is long enough, and then element by element.
// CHECK-LABEL: @table_cut_to_a_length_is_added_elementwise
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x8xf32> {{.*}}, %[[TABLE:[a-z0-9]+]]: tensor<512x8xf32>
// CHECK: %[[N:.*]] = tensor.dim %[[X]]
// CHECK: %[[CUT:.*]] = arith.minsi %[[N]], %c512
// CHECK: %[[PART:.*]] = tensor.extract_slice %[[TABLE]][0, 0] [%[[CUT]], 8]
// CHECK: %[[SAME:.*]] = arith.cmpi eq, %[[N]], %[[CUT]]
// CHECK: cf.assert %[[SAME]], "the shapes do not broadcast to a common one"
// CHECK-NOT: arith.select
// CHECK: linalg.generic {{.*}} ins(%[[X]], %[[PART]]
// CHECK-NOT: tensor.extract %
// CHECK: return
func.func @table_cut_to_a_length_is_added_elementwise(%x: tensor<?x8xf32>, %table: tensor<512x8xf32>) -> tensor<?x8xf32> {
  %zero = IE.Constant dense<0> : tensor<1xi64>
  %shape = IE.Shape %x {end = 1 : i64} : tensor<?x8xf32> -> tensor<1xi64>
  %part = IE.Slice %table, %zero, %shape axes(%zero : tensor<1xi64>) : tensor<512x8xf32>, tensor<1xi64>, tensor<1xi64> -> tensor<?x8xf32>
  %y = IE.Add %x, %part : tensor<?x8xf32>, tensor<?x8xf32> -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// -----

// The numbers below a size are as many as it says, whatever computes it.
// CHECK-LABEL: @numbers_below_a_size_are_as_many
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?xi64> {{.*}}, %[[Y:[a-z0-9]+]]: tensor<?xi64>
// CHECK-DAG: %[[N:.*]] = tensor.dim %[[X]]
// CHECK-DAG: %[[M:.*]] = tensor.dim %[[Y]]
// CHECK-DAG: %[[SUM:.*]] = arith.addi %[[N]], %[[M]]
// CHECK-NOT: arith.divui
// CHECK-NOT: arith.select
// CHECK: linalg.generic
// CHECK: linalg.index 0
// CHECK-NOT: tensor.extract %
// CHECK: return
func.func @numbers_below_a_size_are_as_many(%x: tensor<?xi64>, %y: tensor<?xi64>) -> tensor<?xi64> {
  %zero = IE.Constant dense<0> : tensor<i64>
  %one = IE.Constant dense<1> : tensor<i64>
  %scalar = IE.Constant dense<> : tensor<0xi64>
  %both = IE.Concat %x, %y {axis = 0 : i64} : tensor<?xi64>, tensor<?xi64> -> tensor<?xi64>
  %shape = IE.Shape %both : tensor<?xi64> -> tensor<1xi64>
  %count = IE.Reshape %shape, %scalar : tensor<1xi64>, tensor<0xi64> -> tensor<i64>
  %numbers = IE.Range %zero, %count, %one : tensor<i64>, tensor<i64>, tensor<i64> -> tensor<?xi64>
  %z = IE.Add %both, %numbers : tensor<?xi64>, tensor<?xi64> -> tensor<?xi64>
  return %z : tensor<?xi64>
}

// -----

// Of a number that is no size a run may not have any.
// CHECK-LABEL: @numbers_below_a_value_are_none_where_that_is_negative
// CHECK: %[[N:.*]] = arith.index_cast
// CHECK: %[[COUNT:.*]] = arith.maxsi %[[N]], %c0
// CHECK: tensor.empty(%[[COUNT]])
func.func @numbers_below_a_value_are_none_where_that_is_negative(%n: tensor<i64>) -> tensor<?xi64> {
  %zero = IE.Constant dense<0> : tensor<i64>
  %one = IE.Constant dense<1> : tensor<i64>
  %numbers = IE.Range %zero, %n, %one : tensor<i64>, tensor<i64>, tensor<i64> -> tensor<?xi64>
  return %numbers : tensor<?xi64>
}

// -----

// What is cut off where something else ends broadcasts to that, one element or
// as many.
// CHECK-LABEL: @mask_cut_to_the_scores_leaves_their_size
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?xf32> {{.*}}, %[[MASK:[a-z0-9]+]]: tensor<?xf32>
// CHECK-DAG: %[[N:.*]] = tensor.dim %[[X]]
// CHECK-DAG: %[[M:.*]] = tensor.dim %[[MASK]]
// CHECK: %[[CUT:.*]] = arith.minsi %[[N]], %[[M]]
// CHECK: %[[SAME:.*]] = arith.cmpi eq, %[[N]], %[[CUT]]
// CHECK: %[[ONE:.*]] = arith.cmpi eq, %[[CUT]], %c1
// CHECK: %[[FITS:.*]] = arith.ori
// CHECK: cf.assert %[[FITS]], "the shapes do not broadcast to a common one"
// CHECK: tensor.empty(%[[N]])
// CHECK: linalg.generic {{.*}} ins(%[[X]] :
// CHECK: arith.select %[[ONE]]
func.func @mask_cut_to_the_scores_leaves_their_size(%x: tensor<?xf32>, %mask: tensor<?xf32>) -> tensor<?xf32> {
  %zero = IE.Constant dense<0> : tensor<1xi64>
  %shape = IE.Shape %x : tensor<?xf32> -> tensor<1xi64>
  %part = IE.Slice %mask, %zero, %shape axes(%zero : tensor<1xi64>) : tensor<?xf32>, tensor<1xi64>, tensor<1xi64> -> tensor<?xf32>
  %y = IE.Add %x, %part : tensor<?xf32>, tensor<?xf32> -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// -----

// A loop that writes into a tensor keeps its size.
// CHECK-LABEL: @scatter_keeps_the_size_of_its_operand
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?xf32>
// CHECK: %[[WRITTEN:.*]] = scf.for
// CHECK: linalg.generic {{.*}} ins(%[[WRITTEN]], %[[X]] :
// CHECK-NOT: tensor.extract
// CHECK: return
func.func @scatter_keeps_the_size_of_its_operand(%x: tensor<?xf32>, %indices: tensor<2xi64>, %updates: tensor<2xf32>) -> tensor<?xf32> {
  %0 = IE.ScatterElements %x, %indices, %updates : tensor<?xf32>, tensor<2xi64>, tensor<2xf32> -> tensor<?xf32>
  %1 = IE.Mul %0, %x : tensor<?xf32>, tensor<?xf32> -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
