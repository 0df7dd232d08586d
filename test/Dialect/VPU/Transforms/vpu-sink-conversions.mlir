// RUN: nacre-opt %s --vpu-sink-conversions --split-input-file | FileCheck %s

// A whole chain moves bf16, and nothing is left to convert.
// CHECK-LABEL: func @movement_between_narrow_values_stays_narrow
// CHECK-NOT: arith.
// CHECK: tensor.expand_shape %arg0 {{.*}} : tensor<1x8x32xbf16> into tensor<1x8x4x8xbf16>
// CHECK: linalg.transpose ins(%{{.*}} : tensor<1x8x4x8xbf16>) outs(%{{.*}} : tensor<1x4x8x8xbf16>) permutation = [0, 2, 1, 3]
// CHECK: tensor.collapse_shape %{{.*}} : tensor<1x4x8x8xbf16> into tensor<4x8x8xbf16>
// CHECK-NOT: arith.
func.func @movement_between_narrow_values_stays_narrow(%x: tensor<1x8x32xbf16>) -> tensor<4x8x8xbf16> {
  %0 = arith.extf %x : tensor<1x8x32xbf16> to tensor<1x8x32xf32>
  %1 = tensor.expand_shape %0 [[0], [1], [2, 3]] output_shape [1, 8, 4, 8] : tensor<1x8x32xf32> into tensor<1x8x4x8xf32>
  %e = tensor.empty() : tensor<1x4x8x8xf32>
  %2 = linalg.transpose ins(%1 : tensor<1x8x4x8xf32>) outs(%e : tensor<1x4x8x8xf32>) permutation = [0, 2, 1, 3]
  %3 = tensor.collapse_shape %2 [[0, 1], [2], [3]] : tensor<1x4x8x8xf32> into tensor<4x8x8xf32>
  %4 = arith.truncf %3 : tensor<4x8x8xf32> to tensor<4x8x8xbf16>
  return %4 : tensor<4x8x8xbf16>
}

// -----

// CHECK-LABEL: func @copy_widens_by_itself
// CHECK: VPU.Copy ins(%arg0 : tensor<1x8x16xbf16>) outs(%{{.*}} : tensor<1x1x8x16xf32>)
func.func @copy_widens_by_itself(%x: tensor<1x8x16xbf16>) -> tensor<1x1x8x16xf32> {
  %0 = arith.extf %x : tensor<1x8x16xbf16> to tensor<1x8x16xf32>
  %e = tensor.empty() : tensor<1x1x8x16xf32>
  %1 = VPU.Copy ins(%0 : tensor<1x8x16xf32>) outs(%e : tensor<1x1x8x16xf32>) {srcOrder = #VPU.order<KN>, dstOrder = #VPU.order<KNn>} -> tensor<1x1x8x16xf32>
  return %1 : tensor<1x1x8x16xf32>
}

// -----

// Arithmetic is not moved: it would round in between.
// CHECK-LABEL: func @arithmetic_stays_wide
// CHECK: %[[WIDE:.*]] = arith.extf
// CHECK: arith.addf %[[WIDE]], %[[WIDE]] : tensor<8xf32>
func.func @arithmetic_stays_wide(%x: tensor<8xbf16>) -> tensor<8xf32> {
  %0 = arith.extf %x : tensor<8xbf16> to tensor<8xf32>
  %1 = arith.addf %0, %0 : tensor<8xf32>
  return %1 : tensor<8xf32>
}
