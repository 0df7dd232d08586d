// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-fuse-pad))' | FileCheck %s

// CHECK-LABEL: func @spatial_zero_padding_joins_the_conv
// CHECK-SAME: (%[[X:.*]]: tensor<1x1x4x4xf32>)
// CHECK: IE.Conv(%[[X]], %{{.*}}) {pads = array<i64: 2, 1, 1, 1>}
func.func @spatial_zero_padding_joins_the_conv(%x: tensor<1x1x4x4xf32>) -> tensor<1x1x5x4xf32> {
  %pads = IE.Constant dense<[0, 0, 1, 0, 0, 0, 0, 0]> : tensor<8xi64>
  %w = IE.Constant dense<2.0> : tensor<1x1x3x3xf32>
  %0 = IE.Pad %x, %pads : tensor<1x1x4x4xf32>, tensor<8xi64> -> tensor<1x1x5x4xf32>
  %1 = IE.Conv(%0, %w) {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x1x5x4xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x5x4xf32>
  return %1 : tensor<1x1x5x4xf32>
}

// CHECK-LABEL: func @padding_of_channels_stays
// CHECK: IE.Pad
func.func @padding_of_channels_stays(%x: tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32> {
  %pads = IE.Constant dense<[0, 1, 0, 0, 0, 0, 0, 0]> : tensor<8xi64>
  %w = IE.Constant dense<2.0> : tensor<1x2x1x1xf32>
  %0 = IE.Pad %x, %pads : tensor<1x1x4x4xf32>, tensor<8xi64> -> tensor<1x2x4x4xf32>
  %1 = IE.Conv(%0, %w) : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>) -> tensor<1x1x4x4xf32>
  return %1 : tensor<1x1x4x4xf32>
}

// CHECK-LABEL: func @mirrored_padding_stays
// CHECK: IE.Pad
func.func @mirrored_padding_stays(%x: tensor<1x1x4x4xf32>) -> tensor<1x1x6x4xf32> {
  %pads = IE.Constant dense<[0, 0, 1, 0, 0, 0, 1, 0]> : tensor<8xi64>
  %w = IE.Constant dense<2.0> : tensor<1x1x1x1xf32>
  %0 = IE.Pad %x, %pads {mode = "reflect"} : tensor<1x1x4x4xf32>, tensor<8xi64> -> tensor<1x1x6x4xf32>
  %1 = IE.Conv(%0, %w) : (tensor<1x1x6x4xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x6x4xf32>
  return %1 : tensor<1x1x6x4xf32>
}
