// RUN: nacre-opt %s --init-compiler="vpu-arch=znver4 threads=1" --convert-ie-to-vpu --convert-layouts-to-copies --canonicalize --cse --split-input-file | FileCheck %s
// RUN: nacre-opt %s --init-compiler="vpu-arch=NPU37XX" --convert-ie-to-vpu --convert-layouts-to-copies --split-input-file | FileCheck %s --check-prefix=NPU

// Bytes of images of any size, and any number of them, stay in blocks: through
// a pool, convolutions, a sum and an average.
// CHECK-LABEL: func @quantized_network_of_any_image_stays_in_blocks
// CHECK: VPU.Copy ins(%{{.*}} : tensor<?x16x?x?xi8>) {{.*}}srcOrder = #VPU.order<NCHW>}
// CHECK: %[[P:.*]] = VPU.NCE.MaxPool {{.*}} -> tensor<?x1x?x?x16xi8>
// CHECK-NOT: dstOrder = #VPU.order<NCHW>
// CHECK: VPU.Copy ins(%[[P]] {{.*}}padValue = 3.000000e+00 : f32, pads = array<i64: 1, 1, 1, 1>
// CHECK: %[[C:.*]] = VPU.NCE.Convolution {{.*}} -> tensor<?x1x?x?x16xi8>
// CHECK: %[[A:.*]] = VPU.NCE.Eltwise ins(%[[C]], %[[P]] : tensor<?x1x?x?x16xi8>, tensor<?x1x?x?x16xi8>)
// CHECK: VPU.NCE.AveragePool ins(%[[A]] : tensor<?x1x?x?x16xi8>) {{.*}}kernel = array<i64>{{.*}} -> tensor<?x1x1x1x16xi8>
// NPU-LABEL: func @quantized_network_of_any_image_stays_in_blocks
// NPU-NOT: VPU.NCE
// NPU: IE.ConvInteger
func.func @quantized_network_of_any_image_stays_in_blocks(%x: tensor<?x16x?x?xui8>) -> tensor<?x16x1x1xui8> {
  %w = IE.Constant dense<2> : tensor<16x16x3x3xi8>
  %z = IE.Constant dense<3> : tensor<ui8>
  %s = IE.Constant dense<0.25> : tensor<f32>
  %t = IE.Constant dense<1.0> : tensor<f32>
  %p = IE.MaxPool(%x) {kernel_shape = array<i64: 2, 2>} : (tensor<?x16x?x?xui8>) -> tensor<?x16x?x?xui8>
  %0 = IE.ConvInteger(%p, %w) zero(%z : tensor<ui8>) {pads = array<i64: 1, 1, 1, 1>} : (tensor<?x16x?x?xui8>, tensor<16x16x3x3xi8>) -> tensor<?x16x?x?xi32>
  %1 = IE.Cast %0 to f32 : tensor<?x16x?x?xi32> -> tensor<?x16x?x?xf32>
  %2 = IE.QuantizeLinear(%1, %t, %z) : (tensor<?x16x?x?xf32>, tensor<f32>, tensor<ui8>) -> tensor<?x16x?x?xui8>
  %3 = IE.DequantizeLinear(%2, %s, %z) : (tensor<?x16x?x?xui8>, tensor<f32>, tensor<ui8>) -> tensor<?x16x?x?xf32>
  %4 = IE.DequantizeLinear(%p, %s, %z) : (tensor<?x16x?x?xui8>, tensor<f32>, tensor<ui8>) -> tensor<?x16x?x?xf32>
  %5 = IE.Add %3, %4 : tensor<?x16x?x?xf32>, tensor<?x16x?x?xf32> -> tensor<?x16x?x?xf32>
  %6 = IE.QuantizeLinear(%5, %t, %z) : (tensor<?x16x?x?xf32>, tensor<f32>, tensor<ui8>) -> tensor<?x16x?x?xui8>
  %7 = IE.DequantizeLinear(%6, %s, %z) : (tensor<?x16x?x?xui8>, tensor<f32>, tensor<ui8>) -> tensor<?x16x?x?xf32>
  %8 = IE.GlobalAveragePool(%7) : (tensor<?x16x?x?xf32>) -> tensor<?x16x1x1xf32>
  %9 = IE.QuantizeLinear(%8, %t, %z) : (tensor<?x16x1x1xf32>, tensor<f32>, tensor<ui8>) -> tensor<?x16x1x1xui8>
  return %9 : tensor<?x16x1x1xui8>
}

// -----

// The other operand may have to be repeated at run time.
// CHECK-LABEL: func @quantized_sum_with_an_image_of_another_size_is_left_to_software
// CHECK: VPU.NCE.Convolution
// CHECK: IE.Add
func.func @quantized_sum_with_an_image_of_another_size_is_left_to_software(%x: tensor<1x16x?x?xui8>, %y: tensor<1x16x?x?xui8>) -> tensor<1x16x?x?xui8> {
  %w = IE.Constant dense<2> : tensor<16x16x1x1xi8>
  %z = IE.Constant dense<3> : tensor<ui8>
  %s = IE.Constant dense<0.25> : tensor<f32>
  %t = IE.Constant dense<1.0> : tensor<f32>
  %0 = IE.ConvInteger(%x, %w) : (tensor<1x16x?x?xui8>, tensor<16x16x1x1xi8>) -> tensor<1x16x?x?xi32>
  %1 = IE.Cast %0 to f32 : tensor<1x16x?x?xi32> -> tensor<1x16x?x?xf32>
  %2 = IE.QuantizeLinear(%1, %t, %z) : (tensor<1x16x?x?xf32>, tensor<f32>, tensor<ui8>) -> tensor<1x16x?x?xui8>
  %3 = IE.DequantizeLinear(%2, %s, %z) : (tensor<1x16x?x?xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x16x?x?xf32>
  %4 = IE.DequantizeLinear(%y, %s, %z) : (tensor<1x16x?x?xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x16x?x?xf32>
  %5 = IE.Add %3, %4 : tensor<1x16x?x?xf32>, tensor<1x16x?x?xf32> -> tensor<1x16x?x?xf32>
  %6 = IE.QuantizeLinear(%5, %t, %z) : (tensor<1x16x?x?xf32>, tensor<f32>, tensor<ui8>) -> tensor<1x16x?x?xui8>
  return %6 : tensor<1x16x?x?xui8>
}

// -----

// Sequences are images of one row.
// CHECK-LABEL: func @quantized_sum_of_sequences
// CHECK: %[[C:.*]] = VPU.NCE.Convolution {{.*}} -> tensor<1x1x1x?x16xi8>
// CHECK: VPU.NCE.Eltwise ins(%[[C]], %[[C]]
// CHECK: tensor.collapse_shape %{{.*}} {{\[\[}}0], [1], [2, 3]] : tensor<1x16x1x?xi8> into tensor<1x16x?xi8>
func.func @quantized_sum_of_sequences(%x: tensor<1x16x?xui8>) -> tensor<1x16x?xui8> {
  %w = IE.Constant dense<2> : tensor<16x16x1xi8>
  %s = IE.Constant dense<0.25> : tensor<f32>
  %t = IE.Constant dense<1.0> : tensor<f32>
  %0 = IE.ConvInteger(%x, %w) : (tensor<1x16x?xui8>, tensor<16x16x1xi8>) -> tensor<1x16x?xi32>
  %1 = IE.Cast %0 to f32 : tensor<1x16x?xi32> -> tensor<1x16x?xf32>
  %2 = IE.QuantizeLinear(%1, %t) : (tensor<1x16x?xf32>, tensor<f32>) -> tensor<1x16x?xui8>
  %3 = IE.DequantizeLinear(%2, %s) : (tensor<1x16x?xui8>, tensor<f32>) -> tensor<1x16x?xf32>
  %4 = IE.Add %3, %3 : tensor<1x16x?xf32>, tensor<1x16x?xf32> -> tensor<1x16x?xf32>
  %5 = IE.QuantizeLinear(%4, %t) : (tensor<1x16x?xf32>, tensor<f32>) -> tensor<1x16x?xui8>
  return %5 : tensor<1x16x?xui8>
}

// -----

// All dimensions of the left operand but the last are rows of one matrix.
// CHECK-LABEL: func @product_of_any_number_of_rows
// CHECK-SAME: (%[[X:.*]]: tensor<?x3x64xui8>)
// CHECK: %[[N:.*]] = tensor.dim %[[X]], %c0
// CHECK: %[[ROWS:.*]] = arith.muli %[[N]], %c3
// CHECK: %[[A:.*]] = tensor.expand_shape %{{.*}} {{\[\[}}0, 1], [2]] output_shape [1, %[[ROWS]], 64]
// CHECK: %[[Y:.*]] = VPU.NCE.MatMul ins(%[[A]], %{{.*}} : tensor<1x?x64xi8>, tensor<1x2x16x16x4xi8>) {{.*}} -> tensor<1x?x20xi8>
// CHECK: tensor.expand_shape %{{.*}} {{\[\[}}0, 1], [2]] output_shape [%[[N]], 3, 20]
// NPU-LABEL: func @product_of_any_number_of_rows
// NPU: IE.MatMulInteger
func.func @product_of_any_number_of_rows(%x: tensor<?x3x64xui8>) -> tensor<?x3x20xui8> {
  %w = IE.Constant dense<2> : tensor<64x20xi8>
  %t = IE.Constant dense<1.0> : tensor<f32>
  %0 = IE.MatMulInteger(%x, %w) : (tensor<?x3x64xui8>, tensor<64x20xi8>) -> tensor<?x3x20xi32>
  %1 = IE.Cast %0 to f32 : tensor<?x3x20xi32> -> tensor<?x3x20xf32>
  %2 = IE.QuantizeLinear(%1, %t) : (tensor<?x3x20xf32>, tensor<f32>) -> tensor<?x3x20xui8>
  return %2 : tensor<?x3x20xui8>
}

// -----

// The matrix is brought into the engine's order once for all rows.
// CHECK-LABEL: func @any_number_of_rows_by_a_computed_matrix
// CHECK: %[[P:.*]] = VPU.Copy ins(%{{.*}} : tensor<1x64x20xi8>) {{.*}}srcOrder = #VPU.order<KN>} -> tensor<1x2x16x16x4xi8>
// CHECK: VPU.NCE.MatMul ins(%{{.*}}, %[[P]] : tensor<1x?x64xi8>, tensor<1x2x16x16x4xi8>) {{.*}} -> tensor<1x?x20xi32>
// NPU-LABEL: func @any_number_of_rows_by_a_computed_matrix
// NPU: IE.MatMulInteger
func.func @any_number_of_rows_by_a_computed_matrix(%x: tensor<?x3x64xui8>, %w: tensor<64x20xi8>) -> tensor<?x3x20xi32> {
  %0 = IE.MatMulInteger(%x, %w) : (tensor<?x3x64xui8>, tensor<64x20xi8>) -> tensor<?x3x20xi32>
  return %0 : tensor<?x3x20xi32>
}
