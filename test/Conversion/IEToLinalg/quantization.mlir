// RUN: nacre-opt %s -convert-ie-to-linalg -canonicalize -split-input-file | FileCheck %s

// CHECK-LABEL: func @quantize_rounds_to_even_and_clamps
// CHECK: linalg.generic
// CHECK: arith.divf
// CHECK: math.roundeven
// CHECK: arith.uitofp
// CHECK: arith.select
// CHECK: arith.fptosi
// CHECK: arith.trunci
func.func @quantize_rounds_to_even_and_clamps(%x: tensor<2x8xf32>, %s: tensor<f32>, %z: tensor<ui8>) -> tensor<2x8xui8> {
  %0 = IE.QuantizeLinear(%x, %s, %z) : (tensor<2x8xf32>, tensor<f32>, tensor<ui8>) -> tensor<2x8xui8>
  return %0 : tensor<2x8xui8>
}

// -----

// CHECK: affine_map<(d0, d1, d2) -> (0, d1, 0)>
// CHECK-LABEL: func @dequantize_along_an_axis_broadcasts_the_scales
// CHECK: tensor.expand_shape %{{.*}} : tensor<8xf32> into tensor<1x8x1xf32>
// CHECK: arith.sitofp
// CHECK: arith.mulf
func.func @dequantize_along_an_axis_broadcasts_the_scales(%x: tensor<2x8x3xi8>, %s: tensor<8xf32>) -> tensor<2x8x3xf32> {
  %0 = IE.DequantizeLinear(%x, %s) : (tensor<2x8x3xi8>, tensor<8xf32>) -> tensor<2x8x3xf32>
  return %0 : tensor<2x8x3xf32>
}

// -----

// Both kinds of bytes are of one type here, their signs are in the operations.
// CHECK-LABEL: func @bitcast_between_signless_and_unsigned_disappears
// CHECK-SAME: (%[[X:.*]]: tensor<4xi8>) -> tensor<4xi8>
// CHECK-NEXT: return %[[X]] : tensor<4xi8>
func.func @bitcast_between_signless_and_unsigned_disappears(%x: tensor<4xui8>) -> tensor<4xui8> {
  %0 = tensor.bitcast %x : tensor<4xui8> to tensor<4xi8>
  %1 = tensor.bitcast %0 : tensor<4xi8> to tensor<4xui8>
  return %1 : tensor<4xui8>
}

// -----

// CHECK-LABEL: func @bitcast_to_floats_stays
// CHECK: tensor.bitcast %{{.*}} : tensor<4xi32> to tensor<4xf32>
func.func @bitcast_to_floats_stays(%x: tensor<4xi32>) -> tensor<4xf32> {
  %0 = tensor.bitcast %x : tensor<4xi32> to tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Blocks that fill a dimension are one of their own.
// CHECK-LABEL: func @whole_blocks_are_a_dimension
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel"]} ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<4x3x16xi8>, tensor<4x3x1xf32>, tensor<4x3x1xi8>)
// CHECK: arith.sitofp
// CHECK: arith.subf
// CHECK: arith.mulf
func.func @whole_blocks_are_a_dimension(%x: tensor<4x48xi8>, %s: tensor<4x3xf32>, %z: tensor<4x3xi8>) -> tensor<4x48xf32> {
  %0 = IE.DequantizeLinear(%x, %s, %z) {axis = 1 : i64, block_size = 16 : i64} : (tensor<4x48xi8>, tensor<4x3xf32>, tensor<4x3xi8>) -> tensor<4x48xf32>
  return %0 : tensor<4x48xf32>
}

// -----

// CHECK-LABEL: func @elements_find_the_block_that_is_not_whole
// CHECK-SAME: (%[[X:.*]]: tensor<5x4xi8>, %[[S:.*]]: tensor<3x4xf32>)
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK: %[[J:.*]] = linalg.index 1
// CHECK: tensor.extract %[[X]][%[[I]], %[[J]]]
// CHECK: %[[B:.*]] = arith.divui %[[I]], %{{.*}}
// CHECK: tensor.extract %[[S]][%[[B]], %[[J]]]
func.func @elements_find_the_block_that_is_not_whole(%x: tensor<5x4xi8>, %s: tensor<3x4xf32>) -> tensor<5x4xf32> {
  %0 = IE.DequantizeLinear(%x, %s) {axis = 0 : i64, block_size = 2 : i64} : (tensor<5x4xi8>, tensor<3x4xf32>) -> tensor<5x4xf32>
  return %0 : tensor<5x4xf32>
}
