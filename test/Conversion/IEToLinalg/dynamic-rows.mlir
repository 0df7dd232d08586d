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
