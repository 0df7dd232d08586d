// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --convert-ie-to-vpu --split-input-file | FileCheck %s

// The overhang of ceil_mode is more padding, of the least value.
// CHECK-LABEL: @max_pool_with_ceil_mode
// CHECK: VPU.Copy {{.*}}padValue = 0xFF800000 : f32, pads = array<i64: 0, 0, 1, 1>{{.*}} -> tensor<1x1x9x9x16xf32>
// CHECK: VPU.NCE.MaxPool {{.*}}kernel = array<i64: 3, 3>, strides = array<i64: 2, 2>
func.func @max_pool_with_ceil_mode(%x: tensor<1x16x8x8xf32>) -> tensor<1x16x4x4xf32> {
  %0 = IE.MaxPool(%x) {kernel_shape = array<i64: 3, 3>, strides = array<i64: 2, 2>, ceil_mode = 1 : i64} : (tensor<1x16x8x8xf32>) -> tensor<1x16x4x4xf32>
  return %0 : tensor<1x16x4x4xf32>
}

// -----

// What is beyond the image counts for no window.
// CHECK-LABEL: @average_pool_with_ceil_mode_has_shares
// CHECK: VPU.Copy {{.*}}pads = array<i64: 0, 0, 1, 1>{{.*}} -> tensor<1x1x9x9x16xf32>
// CHECK: VPU.NCE.AveragePool {{.*}}shares({{.*}} : tensor<4x4xf32>)
func.func @average_pool_with_ceil_mode_has_shares(%x: tensor<1x16x8x8xf32>) -> tensor<1x16x4x4xf32> {
  %0 = IE.AveragePool(%x) {kernel_shape = array<i64: 3, 3>, strides = array<i64: 2, 2>, ceil_mode = 1 : i64, count_include_pad = 1 : i64} : (tensor<1x16x8x8xf32>) -> tensor<1x16x4x4xf32>
  return %0 : tensor<1x16x4x4xf32>
}

// -----

// Padding counts, what is beyond it does not.
// CHECK-LABEL: @average_pool_beyond_counted_padding_stays
// CHECK: IE.AveragePool
func.func @average_pool_beyond_counted_padding_stays(%x: tensor<1x16x9x9xf32>) -> tensor<1x16x5x5xf32> {
  %0 = IE.AveragePool(%x) {kernel_shape = array<i64: 4, 4>, strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, ceil_mode = 1 : i64, count_include_pad = 1 : i64} : (tensor<1x16x9x9xf32>) -> tensor<1x16x5x5xf32>
  return %0 : tensor<1x16x5x5xf32>
}

// -----

// CHECK-LABEL: @average_pool_of_whole_windows
// CHECK: VPU.NCE.AveragePool
func.func @average_pool_of_whole_windows(%x: tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32> {
  %0 = IE.AveragePool(%x) {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>, count_include_pad = 1 : i64} : (tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
  return %0 : tensor<1x16x8x8xf32>
}

// -----

// A corner has four elements, what is between two of them six.
// CHECK-LABEL: @average_pool_of_partial_windows_has_shares
// CHECK: %[[SHARES:.*]] = arith.constant dense<{{.*}}0.166666672, 2.500000e-01]]> : tensor<2x3xf32>
// CHECK: VPU.NCE.AveragePool ins({{.*}}) shares(%[[SHARES]] : tensor<2x3xf32>)
func.func @average_pool_of_partial_windows_has_shares(%x: tensor<1x1x2x3xf32>) -> tensor<1x1x2x3xf32> {
  %0 = IE.AveragePool(%x) {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x1x2x3xf32>) -> tensor<1x1x2x3xf32>
  return %0 : tensor<1x1x2x3xf32>
}

// -----

// CHECK-LABEL: @pools_by_software_stay
// CHECK: IE.AveragePool
// CHECK: IE.MaxPool
// CHECK: IE.AveragePool
func.func @pools_by_software_stay(%x: tensor<1x16x8x8xf32>, %h: tensor<1x16x8x8xf16>) -> (tensor<1x16x8x8xf32>, tensor<1x16x4x4xf32>, tensor<1x16x6x6xf32>) {
  %0 = IE.AveragePool(%x) {VPU.strategy = #VPU.strategy<algorithm = software>, kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
  %1 = IE.MaxPool(%x) {VPU.strategy = #VPU.strategy<algorithm = software>, kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x16x8x8xf32>) -> tensor<1x16x4x4xf32>
  %2 = IE.Cast %h to f32 : tensor<1x16x8x8xf16> -> tensor<1x16x8x8xf32>
  %3 = IE.AveragePool(%2) {VPU.strategy = #VPU.strategy<algorithm = narrowSoftware>, kernel_shape = array<i64: 3, 3>} : (tensor<1x16x8x8xf32>) -> tensor<1x16x6x6xf32>
  return %0, %1, %3 : tensor<1x16x8x8xf32>, tensor<1x16x4x4xf32>, tensor<1x16x6x6xf32>
}

// -----

// CHECK-LABEL: @global_pool_of_graph_input_stays
// CHECK: IE.GlobalAveragePool
func.func @global_pool_of_graph_input_stays(%x: tensor<1x16x8x8xf32>) -> tensor<1x16x1x1xf32> {
  %0 = IE.GlobalAveragePool(%x) : (tensor<1x16x8x8xf32>) -> tensor<1x16x1x1xf32>
  return %0 : tensor<1x16x1x1xf32>
}

// -----

// CHECK-LABEL: @global_pool_after_engine_op
// CHECK: VPU.NCE.AveragePool {{.*}}kernel = array<i64: 4, 4>
func.func @global_pool_after_engine_op(%x: tensor<1x16x8x8xf32>) -> tensor<1x16x1x1xf32> {
  %0 = IE.MaxPool(%x) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x16x8x8xf32>) -> tensor<1x16x4x4xf32>
  %1 = IE.GlobalAveragePool(%0) : (tensor<1x16x4x4xf32>) -> tensor<1x16x1x1xf32>
  return %1 : tensor<1x16x1x1xf32>
}
