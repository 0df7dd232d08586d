// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-extract-zero-points))' -split-input-file | FileCheck %s

// CHECK-LABEL: func @weights_that_stay_bytes_lose_their_zero_point
// CHECK: %[[W:.*]] = IE.Constant dense<{{\[\[}}-5, 1], [7, -9]]> : tensor<2x2xi8>
// CHECK: IE.MatMulInteger(%arg0, %[[W]]) lhsZero(%arg1 : tensor<ui8>) : (tensor<3x2xui8>, tensor<2x2xi8>) -> tensor<3x2xi32>
// CHECK-NEXT: return
func.func @weights_that_stay_bytes_lose_their_zero_point(%a: tensor<3x2xui8>, %p: tensor<ui8>) -> tensor<3x2xi32> {
  %b = IE.Constant dense<[[95, 201], [107, 191]]> : tensor<2x2xui8>
  %q = IE.Constant dense<[100, 200]> : tensor<2xui8>
  %0 = IE.MatMulInteger(%a, %b) lhsZero(%p : tensor<ui8>) rhsZero(%q : tensor<2xui8>) : (tensor<3x2xui8>, tensor<2x2xui8>) -> tensor<3x2xi32>
  return %0 : tensor<3x2xi32>
}

// -----

// 255 - 100 is no signed byte: what the zero point is more than the middle, -28
// and 72, times the sums of the left rows.
// CHECK-LABEL: func @zero_points_of_columns_become_row_sums
// CHECK: %[[ONES:.*]] = IE.Constant dense<1> : tensor<2x1xi8>
// CHECK: %[[S:.*]] = IE.MatMulInteger(%arg0, %{{.*}}) lhsZero(%arg1 : tensor<ui8>) rhsZero(%{{.*}} : tensor<ui8>) : (tensor<3x2xui8>, tensor<2x2xui8>) -> tensor<3x2xi32>
// CHECK: %[[R:.*]] = IE.MatMulInteger(%arg0, %[[ONES]]) lhsZero(%arg1 : tensor<ui8>) : (tensor<3x2xui8>, tensor<2x1xi8>) -> tensor<3x1xi32>
// CHECK: %[[D:.*]] = IE.Constant dense<{{\[\[}}-28, 72]]> : tensor<1x2xi32>
// CHECK: %[[C:.*]] = IE.Mul %[[R]], %[[D]] : tensor<3x1xi32>, tensor<1x2xi32> -> tensor<3x2xi32>
// CHECK: IE.Sub %[[S]], %[[C]]
func.func @zero_points_of_columns_become_row_sums(%a: tensor<3x2xui8>, %p: tensor<ui8>) -> tensor<3x2xi32> {
  %b = IE.Constant dense<[[0, 255], [255, 0]]> : tensor<2x2xui8>
  %q = IE.Constant dense<[100, 200]> : tensor<2xui8>
  %0 = IE.MatMulInteger(%a, %b) lhsZero(%p : tensor<ui8>) rhsZero(%q : tensor<2xui8>) : (tensor<3x2xui8>, tensor<2x2xui8>) -> tensor<3x2xi32>
  return %0 : tensor<3x2xi32>
}

// -----

// CHECK-LABEL: func @zero_points_of_rows_become_column_sums
// CHECK: %[[ONES:.*]] = IE.Constant dense<1> : tensor<1x2xui8>
// CHECK: %[[S:.*]] = IE.MatMulInteger(%arg0, %arg1) : (tensor<3x2xui8>, tensor<2x4xi8>)
// CHECK: %[[R:.*]] = IE.MatMulInteger(%[[ONES]], %arg1) : (tensor<1x2xui8>, tensor<2x4xi8>) -> tensor<1x4xi32>
// CHECK: %[[C:.*]] = IE.Mul %[[R]], %{{.*}} : tensor<1x4xi32>, tensor<3x1xi32> -> tensor<3x4xi32>
// CHECK: IE.Sub %[[S]], %[[C]]
func.func @zero_points_of_rows_become_column_sums(%a: tensor<3x2xui8>, %b: tensor<2x4xi8>, %p: tensor<3xui8>) -> tensor<3x4xi32> {
  %0 = IE.MatMulInteger(%a, %b) lhsZero(%p : tensor<3xui8>) : (tensor<3x2xui8>, tensor<2x4xi8>) -> tensor<3x4xi32>
  return %0 : tensor<3x4xi32>
}

// -----

// CHECK-LABEL: func @product_by_software_keeps_its_zero_points
// CHECK-NEXT: IE.MatMulInteger(%arg0, %arg1) lhsZero(%arg2 : tensor<ui8>)
// CHECK-NEXT: return
func.func @product_by_software_keeps_its_zero_points(%a: tensor<2x4xui8>, %b: tensor<4x4xi8>, %p: tensor<ui8>) -> tensor<2x4xi32> {
  %0 = IE.MatMulInteger(%a, %b) lhsZero(%p : tensor<ui8>) {VPU.strategy = #VPU.strategy<algorithm = software>} : (tensor<2x4xui8>, tensor<4x4xi8>) -> tensor<2x4xi32>
  return %0 : tensor<2x4xi32>
}

// -----

// Signed bytes on the left are unsigned ones around 128.
// CHECK-LABEL: func @signed_left_operand_of_a_computed_matrix_is_corrected
// CHECK: %[[M:.*]] = IE.Constant dense<-128> : tensor<i8>
// CHECK: IE.MatMulInteger(%arg0, %arg1) lhsZero(%[[M]] : tensor<i8>)
// CHECK: IE.Sub
func.func @signed_left_operand_of_a_computed_matrix_is_corrected(%a: tensor<2x3x4xi8>, %b: tensor<2x4x5xi8>) -> tensor<2x3x5xi32> {
  %0 = IE.MatMulInteger(%a, %b) : (tensor<2x3x4xi8>, tensor<2x4x5xi8>) -> tensor<2x3x5xi32>
  return %0 : tensor<2x3x5xi32>
}

// -----

// CHECK-LABEL: func @one_zero_point_of_the_left_operand_stays_with_a_constant
// CHECK: IE.MatMulInteger(%arg0, %{{.*}}) lhsZero(%arg1 : tensor<1xui8>)
// CHECK-NEXT: return
func.func @one_zero_point_of_the_left_operand_stays_with_a_constant(%a: tensor<?x2xui8>, %p: tensor<1xui8>) -> tensor<?x2xi32> {
  %b = IE.Constant dense<[[0, 255], [255, 0]]> : tensor<2x2xui8>
  %q = IE.Constant dense<128> : tensor<ui8>
  %0 = IE.MatMulInteger(%a, %b) lhsZero(%p : tensor<1xui8>) rhsZero(%q : tensor<ui8>) : (tensor<?x2xui8>, tensor<2x2xui8>) -> tensor<?x2xi32>
  return %0 : tensor<?x2xi32>
}

// -----

// CHECK-LABEL: func @any_number_of_rows_by_a_computed_matrix_loses_its_zero_point
// CHECK: %[[ONES:.*]] = IE.Constant dense<1> : tensor<1x4xui8>
// CHECK: %[[S:.*]] = IE.MatMulInteger(%arg0, %arg1) : (tensor<?x4xui8>, tensor<4x5xi8>) -> tensor<?x5xi32>
// CHECK: %[[R:.*]] = IE.MatMulInteger(%[[ONES]], %arg1) : (tensor<1x4xui8>, tensor<4x5xi8>) -> tensor<1x5xi32>
// CHECK: IE.Sub %[[S]], %{{.*}} : tensor<?x5xi32>, tensor<1x5xi32>
func.func @any_number_of_rows_by_a_computed_matrix_loses_its_zero_point(%a: tensor<?x4xui8>, %b: tensor<4x5xi8>, %p: tensor<ui8>) -> tensor<?x5xi32> {
  %0 = IE.MatMulInteger(%a, %b) lhsZero(%p : tensor<ui8>) : (tensor<?x4xui8>, tensor<4x5xi8>) -> tensor<?x5xi32>
  return %0 : tensor<?x5xi32>
}

// -----

// No engine takes them.
// CHECK-LABEL: func @computed_matrices_of_unknown_size_stay
// CHECK-NEXT: IE.MatMulInteger(%arg0, %arg1) lhsZero(%arg2 : tensor<ui8>)
// CHECK-NEXT: return
func.func @computed_matrices_of_unknown_size_stay(%a: tensor<?x4xui8>, %b: tensor<4x?xui8>, %p: tensor<ui8>) -> tensor<?x?xi32> {
  %0 = IE.MatMulInteger(%a, %b) lhsZero(%p : tensor<ui8>) : (tensor<?x4xui8>, tensor<4x?xui8>) -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}

// -----

// What a constant matrix is summed up to is a number for each column.
// CHECK-LABEL: func @column_sums_of_constants_are_computed_at_once
// CHECK: %[[R:.*]] = IE.Constant dense<{{\[\[}}4, 6]]> : tensor<1x2xi32>
// CHECK: IE.Mul %[[R]], %{{.*}} : tensor<1x2xi32>, tensor<3x1xi32> -> tensor<3x2xi32>
func.func @column_sums_of_constants_are_computed_at_once(%a: tensor<3x2xui8>, %p: tensor<3xui8>) -> tensor<3x2xi32> {
  %b = IE.Constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>
  %0 = IE.MatMulInteger(%a, %b) lhsZero(%p : tensor<3xui8>) : (tensor<3x2xui8>, tensor<2x2xi8>) -> tensor<3x2xi32>
  return %0 : tensor<3x2xi32>
}

// -----

// CHECK-LABEL: func @vectors_stay
// CHECK-NEXT: IE.MatMulInteger
// CHECK-NEXT: return
func.func @vectors_stay(%a: tensor<4xui8>, %b: tensor<4x2xui8>, %p: tensor<ui8>) -> tensor<2xi32> {
  %0 = IE.MatMulInteger(%a, %b) lhsZero(%p : tensor<ui8>) : (tensor<4xui8>, tensor<4x2xui8>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

// CHECK-LABEL: func @zero_points_of_groups_become_sums_of_windows
// CHECK: %[[ONES:.*]] = IE.Constant dense<1> : tensor<2x2x1x1xi8>
// CHECK: %[[S:.*]] = IE.ConvInteger(%arg0, %{{.*}}) zero(%arg1 : tensor<ui8>) weightsZero(%{{.*}} : tensor<ui8>) {group = 2 : i64} : (tensor<1x4x3x3xui8>, tensor<4x2x1x1xui8>) -> tensor<1x4x3x3xi32>
// CHECK: %[[R:.*]] = IE.ConvInteger(%arg0, %[[ONES]]) zero(%arg1 : tensor<ui8>) {group = 2 : i64} : (tensor<1x4x3x3xui8>, tensor<2x2x1x1xi8>) -> tensor<1x2x3x3xi32>
// CHECK: IE.Mul %{{.*}}, %{{.*}} : tensor<1x2x1x3x3xi32>, tensor<2x2x1x1xi32> -> tensor<1x2x2x3x3xi32>
// CHECK: IE.Sub
func.func @zero_points_of_groups_become_sums_of_windows(%x: tensor<1x4x3x3xui8>, %p: tensor<ui8>) -> tensor<1x4x3x3xi32> {
  %w = IE.Constant dense<[[[[0]], [[255]]], [[[1]], [[2]]], [[[3]], [[4]]], [[[5]], [[6]]]]> : tensor<4x2x1x1xui8>
  %q = IE.Constant dense<[100, 200, 7, 8]> : tensor<4xui8>
  %0 = IE.ConvInteger(%x, %w) zero(%p : tensor<ui8>) weightsZero(%q : tensor<4xui8>) {group = 2 : i64} : (tensor<1x4x3x3xui8>, tensor<4x2x1x1xui8>) -> tensor<1x4x3x3xi32>
  return %0 : tensor<1x4x3x3xi32>
}

// -----

// CHECK-LABEL: func @weights_of_channels_lose_zero_points
// CHECK: %[[W:.*]] = IE.Constant dense<{{.*}}-5{{.*}}1{{.*}}> : tensor<2x1x1x1xi8>
// CHECK: IE.ConvInteger(%arg0, %[[W]]) : (tensor<1x1x3x3xui8>, tensor<2x1x1x1xi8>) -> tensor<1x2x3x3xi32>
// CHECK-NEXT: return
func.func @weights_of_channels_lose_zero_points(%x: tensor<1x1x3x3xui8>) -> tensor<1x2x3x3xi32> {
  %w = IE.Constant dense<[[[[95]]], [[[201]]]]> : tensor<2x1x1x1xui8>
  %q = IE.Constant dense<[100, 200]> : tensor<2xui8>
  %0 = IE.ConvInteger(%x, %w) weightsZero(%q : tensor<2xui8>) : (tensor<1x1x3x3xui8>, tensor<2x1x1x1xui8>) -> tensor<1x2x3x3xi32>
  return %0 : tensor<1x2x3x3xi32>
}

// -----

// CHECK-LABEL: func @depthwise_weights_keep_their_zero_point
// CHECK: IE.ConvInteger(%arg0, %{{.*}}) weightsZero(%{{.*}} : tensor<2xui8>) {group = 2 : i64}
// CHECK-NEXT: return
func.func @depthwise_weights_keep_their_zero_point(%x: tensor<1x2x3x3xui8>) -> tensor<1x2x3x3xi32> {
  %w = IE.Constant dense<[[[[0]]], [[[255]]]]> : tensor<2x1x1x1xui8>
  %q = IE.Constant dense<[100, 200]> : tensor<2xui8>
  %0 = IE.ConvInteger(%x, %w) weightsZero(%q : tensor<2xui8>) {group = 2 : i64} : (tensor<1x2x3x3xui8>, tensor<2x1x1x1xui8>) -> tensor<1x2x3x3xi32>
  return %0 : tensor<1x2x3x3xi32>
}

// -----

// CHECK-LABEL: func @weights_that_a_run_computes_keep_their_zero_point
// CHECK-NEXT: IE.ConvInteger(%arg0, %arg1) weightsZero(%arg2 : tensor<ui8>)
// CHECK-NEXT: return
func.func @weights_that_a_run_computes_keep_their_zero_point(%x: tensor<1x2x3x3xui8>, %w: tensor<2x2x1x1xui8>, %q: tensor<ui8>) -> tensor<1x2x3x3xi32> {
  %0 = IE.ConvInteger(%x, %w) weightsZero(%q : tensor<ui8>) : (tensor<1x2x3x3xui8>, tensor<2x2x1x1xui8>) -> tensor<1x2x3x3xi32>
  return %0 : tensor<1x2x3x3xi32>
}

// -----

// CHECK-LABEL: func @volumes_keep_the_zero_point_of_weights
// CHECK: IE.ConvInteger(%arg0, %{{.*}}) weightsZero
// CHECK-NEXT: return
func.func @volumes_keep_the_zero_point_of_weights(%x: tensor<1x1x3x3x3xui8>) -> tensor<1x1x3x3x3xi32> {
  %w = IE.Constant dense<95> : tensor<1x1x1x1x1xui8>
  %q = IE.Constant dense<100> : tensor<ui8>
  %0 = IE.ConvInteger(%x, %w) weightsZero(%q : tensor<ui8>) : (tensor<1x1x3x3x3xui8>, tensor<1x1x1x1x1xui8>) -> tensor<1x1x3x3x3xi32>
  return %0 : tensor<1x1x3x3x3xi32>
}

// -----

// CHECK-LABEL: func @empty_products_stay
// CHECK-NEXT: IE.MatMulInteger
// CHECK-NEXT: return
func.func @empty_products_stay(%a: tensor<3x0xui8>, %b: tensor<0x2xui8>) -> tensor<3x2xi32> {
  %0 = IE.MatMulInteger(%a, %b) : (tensor<3x0xui8>, tensor<0x2xui8>) -> tensor<3x2xi32>
  return %0 : tensor<3x2xi32>
}

// -----

// CHECK-LABEL: func @products_without_zero_points_keep_the_algorithm
// CHECK: IE.MatMulInteger(%arg0, %arg1){{.*}}VPU.strategy = #VPU.strategy<algorithm = rowMajor>
// CHECK: IE.MatMulInteger(%arg0, %{{.*}}) lhsZero(%{{.*}} : tensor<i8>) : (tensor<3x8xi8>, tensor<8x1xi8>)
// CHECK: IE.MatMulInteger(%{{.*}}, %arg1){{.*}}VPU.strategy = #VPU.strategy<algorithm = rowMajor>{{.*}} (tensor<1x8xui8>
func.func @products_without_zero_points_keep_the_algorithm(%a: tensor<3x8xi8>, %b: tensor<8x20xui8>) -> tensor<3x20xi32> {
  %0 = IE.MatMulInteger(%a, %b) {VPU.strategy = #VPU.strategy<algorithm = rowMajor>} : (tensor<3x8xi8>, tensor<8x20xui8>) -> tensor<3x20xi32>
  return %0 : tensor<3x20xi32>
}

// -----

// Many numbers are a resource.
// CHECK-LABEL: func @zero_points_in_a_resource_are_read
// CHECK: %[[W:.*]] = IE.Constant dense<{{\[\[}}-5, 1], [7, -9]]> : tensor<2x2xi8>
// CHECK: IE.MatMulInteger(%arg0, %[[W]]) : (tensor<3x2xui8>, tensor<2x2xi8>)
func.func @zero_points_in_a_resource_are_read(%a: tensor<3x2xui8>) -> tensor<3x2xi32> {
  %b = IE.Constant dense<[[95, 201], [107, 191]]> : tensor<2x2xui8>
  %q = IE.Constant dense_resource<zeros> : tensor<2xui8>
  %0 = IE.MatMulInteger(%a, %b) rhsZero(%q : tensor<2xui8>) : (tensor<3x2xui8>, tensor<2x2xui8>) -> tensor<3x2xi32>
  return %0 : tensor<3x2xi32>
}

{-#
  dialect_resources: {
    builtin: {
      zeros: "0x0100000064C8"
    }
  }
#-}
