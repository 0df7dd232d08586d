// RUN: nacre-opt %s -split-input-file -convert-ie-to-linalg | FileCheck %s

// Lowering of the Convolution family.

// CHECK-DAG: #[[INPUT:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 * 2 + d5, d3 * 2 + d6)>
// CHECK-DAG: #[[WEIGHTS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)>
// CHECK-DAG: #[[OUTPUT:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
// CHECK-LABEL: func @strided_conv_pads_its_input
func.func @strided_conv_pads_its_input(%x: tensor<1x3x8x8xf32>, %w: tensor<16x3x3x3xf32>) -> tensor<1x16x4x4xf32> {
  // CHECK: %[[PADDED:.*]] = tensor.insert_slice %{{.*}}[0, 0, 1, 1] [1, 3, 8, 8] [1, 1, 1, 1] : tensor<1x3x8x8xf32> into tensor<1x3x10x10xf32>
  // CHECK: linalg.generic {indexing_maps = [#[[INPUT]], #[[WEIGHTS]], #[[OUTPUT]]], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
  // CHECK-SAME: ins(%[[PADDED]], %{{.*}} : tensor<1x3x10x10xf32>, tensor<16x3x3x3xf32>)
  // CHECK: arith.mulf
  // CHECK: arith.addf
  %0 = IE.Conv(%x, %w) {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>} : (tensor<1x3x8x8xf32>, tensor<16x3x3x3xf32>) -> tensor<1x16x4x4xf32>
  return %0 : tensor<1x16x4x4xf32>
}

// -----

// CHECK-DAG: #[[INPUT:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 * 2 + d4, d3 + d5)>
// CHECK-LABEL: func @grouped_conv_indexes_channels_by_group
func.func @grouped_conv_indexes_channels_by_group(%x: tensor<1x4x8xf32>, %w: tensor<6x2x3xf32>, %b: tensor<6xf32>) -> tensor<1x6x6xf32> {
  // CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x2x3x6xf32>)
  // CHECK: linalg.generic {indexing_maps = [#[[INPUT]],
  // CHECK-SAME: tensor<1x4x8xf32>, tensor<2x3x2x3xf32>) outs(%{{.*}} : tensor<1x2x3x6xf32>)
  %0 = IE.Conv(%x, %w, %b) {group = 2 : i64} : (tensor<1x4x8xf32>, tensor<6x2x3xf32>, tensor<6xf32>) -> tensor<1x6x6xf32>
  return %0 : tensor<1x6x6xf32>
}

// -----

// CHECK-LABEL: func @half_conv_accumulates_in_single
func.func @half_conv_accumulates_in_single(%x: tensor<1x1x8xf16>, %w: tensor<1x1x3xf16>) -> tensor<1x1x6xf16> {
  // CHECK: arith.extf
  // CHECK: arith.mulf {{.*}} : f32
  // CHECK: arith.truncf
  %0 = IE.Conv(%x, %w) : (tensor<1x1x8xf16>, tensor<1x1x3xf16>) -> tensor<1x1x6xf16>
  return %0 : tensor<1x1x6xf16>
}

// -----

// Padding is zero after the subtraction of the zero point.
// CHECK-LABEL: func @conv_integer_with_zero_point_pads_the_difference
func.func @conv_integer_with_zero_point_pads_the_difference(%x: tensor<1x3x8x8xui8>, %w: tensor<16x3x3x3xi8>, %z: tensor<ui8>) -> tensor<1x16x8x8xi32> {
  // CHECK: linalg.generic {{.*}} ins(%arg0, %arg2 : tensor<1x3x8x8xi8>, tensor<i8>) outs(%{{.*}} : tensor<1x3x8x8xi32>)
  // CHECK: %[[X:.*]] = arith.extui %{{.*}} : i8 to i32
  // CHECK: %[[Z:.*]] = arith.extui %{{.*}} : i8 to i32
  // CHECK: arith.subi %[[X]], %[[Z]] : i32
  // CHECK: linalg.generic {{.*}} ins(%arg1 : tensor<16x3x3x3xi8>) outs(%{{.*}} : tensor<16x3x3x3xi32>)
  // CHECK: arith.extsi %{{.*}} : i8 to i32
  // CHECK-NOT: arith.subi
  // CHECK: linalg.fill ins(%c0_i32{{.*}} : i32) outs(%{{.*}} : tensor<1x3x10x10xi32>)
  // CHECK: %[[PADDED:.*]] = tensor.insert_slice %{{.*}}[0, 0, 1, 1] [1, 3, 8, 8] [1, 1, 1, 1] : tensor<1x3x8x8xi32> into tensor<1x3x10x10xi32>
  // CHECK: linalg.generic {{.*}} ins(%[[PADDED]], %{{.*}} : tensor<1x3x10x10xi32>, tensor<16x3x3x3xi32>) outs(%{{.*}} : tensor<1x16x8x8xi32>)
  // CHECK: arith.muli %{{.*}} : i32
  // CHECK: arith.addi %{{.*}} : i32
  %0 = IE.ConvInteger(%x, %w) zero(%z : tensor<ui8>) {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x3x8x8xui8>, tensor<16x3x3x3xi8>) -> tensor<1x16x8x8xi32>
  return %0 : tensor<1x16x8x8xi32>
}

// -----

// CHECK-DAG: #[[ZEROS:.*]] = affine_map<(d0, d1, d2) -> (d0, 0, 0)>
// CHECK-LABEL: func @conv_integer_with_zero_per_output_channel_broadcasts_it
func.func @conv_integer_with_zero_per_output_channel_broadcasts_it(%x: tensor<1x3x8xi8>, %w: tensor<6x3x3xui8>, %z: tensor<6xui8>) -> tensor<1x6x6xi32> {
  // CHECK: arith.extsi %{{.*}} : i8 to i32
  // CHECK: %[[Z:.*]] = tensor.expand_shape %arg2 {{.*}} : tensor<6xi8> into tensor<6x1x1xi8>
  // CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[ZEROS]], #{{.*}}]{{.*}}} ins(%arg1, %[[Z]] : tensor<6x3x3xi8>, tensor<6x1x1xi8>) outs(%{{.*}} : tensor<6x3x3xi32>)
  // CHECK: arith.extui
  // CHECK: arith.extui
  // CHECK: arith.subi
  %0 = IE.ConvInteger(%x, %w) weightsZero(%z : tensor<6xui8>) : (tensor<1x3x8xi8>, tensor<6x3x3xui8>) -> tensor<1x6x6xi32>
  return %0 : tensor<1x6x6xi32>
}

// -----

// CHECK-DAG: affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d2 + -d4 + 2)>
// CHECK-LABEL: func @conv_transpose_mirrors_the_kernel
func.func @conv_transpose_mirrors_the_kernel(%x: tensor<1x1x3xf32>, %w: tensor<1x2x3xf32>) -> tensor<1x2x7xf32> {
  // CHECK: tensor.insert_slice %{{.*}}[0, 0, 2] [1, 1, 3] [1, 1, 2] : tensor<1x1x3xf32> into tensor<1x1x9xf32>
  %0 = IE.ConvTranspose(%x, %w) {strides = array<i64: 2>} : (tensor<1x1x3xf32>, tensor<1x2x3xf32>) -> tensor<1x2x7xf32>
  return %0 : tensor<1x2x7xf32>
}

// -----

// Pads larger than the kernel reaches: the outer elements are not needed.
// CHECK-LABEL: func @conv_transpose_with_large_pads_crops
func.func @conv_transpose_with_large_pads_crops(%x: tensor<1x1x5xf32>, %w: tensor<1x1x1xf32>) -> tensor<1x1x3xf32> {
  // CHECK: tensor.extract_slice %{{.*}}[0, 0, 1] [1, 1, 3] [1, 1, 1]
  %0 = IE.ConvTranspose(%x, %w) {pads = array<i64: 1, 1>} : (tensor<1x1x5xf32>, tensor<1x1x1xf32>) -> tensor<1x1x3xf32>
  return %0 : tensor<1x1x3xf32>
}
