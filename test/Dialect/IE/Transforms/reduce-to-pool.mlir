// RUN: nacre-opt %s --ie-reduce-to-pool --split-input-file | FileCheck %s

// Both are the sum divided by the number of pixels, which is NaN where one is.

// CHECK-LABEL: func @mean_of_pixels_is_a_pool
// CHECK: %[[Y:.*]] = IE.GlobalAveragePool(%arg0) : (tensor<?x8x7x7xf32>) -> tensor<?x8x1x1xf32>
// CHECK: return %[[Y]]
func.func @mean_of_pixels_is_a_pool(%x: tensor<?x8x7x7xf32>) -> tensor<?x8x1x1xf32> {
  %axes = IE.Constant dense<[2, 3]> : tensor<2xi64>
  %0 = IE.ReduceMean(%x, %axes) : (tensor<?x8x7x7xf32>, tensor<2xi64>) -> tensor<?x8x1x1xf32>
  return %0 : tensor<?x8x1x1xf32>
}

// -----

// The operand is read by others as well.

// CHECK-LABEL: func @mean_of_voxels_is_a_pool
// CHECK: %[[R:.*]] = IE.Relu
// CHECK: %[[POOL:.*]] = IE.GlobalAveragePool(%[[R]]) : (tensor<1x8x3x?x4xf32>) -> tensor<1x8x1x1x1xf32>
// CHECK: %[[Y:.*]] = IE.Squeeze %[[POOL]] axes(%{{.*}}) : tensor<1x8x1x1x1xf32> -> tensor<1x8xf32>
// CHECK: return %[[Y]], %[[R]]
func.func @mean_of_voxels_is_a_pool(%x: tensor<1x8x3x?x4xf32>) -> (tensor<1x8xf32>, tensor<1x8x3x?x4xf32>) {
  %axes = IE.Constant dense<[-1, 3, 2]> : tensor<3xi64>
  %0 = IE.Relu %x : tensor<1x8x3x?x4xf32> -> tensor<1x8x3x?x4xf32>
  %1 = IE.ReduceMean(%0, %axes) {keepdims = 0 : i64} : (tensor<1x8x3x?x4xf32>, tensor<3xi64>) -> tensor<1x8xf32>
  return %1, %0 : tensor<1x8xf32>, tensor<1x8x3x?x4xf32>
}

// -----

// Channels, one dimension of two, no image, no pixels, all dimensions, integers.

// CHECK-LABEL: func @other_means_stay
// CHECK-COUNT-6: IE.ReduceMean
func.func @other_means_stay(%x: tensor<1x8x7x7xf32>, %y: tensor<8x7x7xf32>, %z: tensor<1x8x0x7xf32>, %i: tensor<1x8x7x7xi32>)
    -> (tensor<1x1x1x7xf32>, tensor<1x8x1x7xf32>, tensor<8x7x1xf32>, tensor<1x8x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x8x1x1xi32>) {
  %channels = IE.Constant dense<[1, 2]> : tensor<2xi64>
  %rows = IE.Constant dense<2> : tensor<1xi64>
  %pixels = IE.Constant dense<[2, 3]> : tensor<2xi64>
  %0 = IE.ReduceMean(%x, %channels) : (tensor<1x8x7x7xf32>, tensor<2xi64>) -> tensor<1x1x1x7xf32>
  %1 = IE.ReduceMean(%x, %rows) : (tensor<1x8x7x7xf32>, tensor<1xi64>) -> tensor<1x8x1x7xf32>
  %2 = IE.ReduceMean(%y, %rows) : (tensor<8x7x7xf32>, tensor<1xi64>) -> tensor<8x7x1xf32>
  %3 = IE.ReduceMean(%z, %pixels) : (tensor<1x8x0x7xf32>, tensor<2xi64>) -> tensor<1x8x1x1xf32>
  %4 = IE.ReduceMean(%x) : (tensor<1x8x7x7xf32>) -> tensor<1x1x1x1xf32>
  %5 = IE.ReduceMean(%i, %pixels) : (tensor<1x8x7x7xi32>, tensor<2xi64>) -> tensor<1x8x1x1xi32>
  return %0, %1, %2, %3, %4, %5 : tensor<1x1x1x7xf32>, tensor<1x8x1x7xf32>, tensor<8x7x1xf32>, tensor<1x8x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x8x1x1xi32>
}
