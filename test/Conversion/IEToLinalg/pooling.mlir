// RUN: nacre-opt %s -split-input-file -convert-ie-to-linalg | FileCheck %s

// Lowering of the Pooling family.

// CHECK-DAG: #[[INPUT:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2 * 2 + d3)>
// CHECK-LABEL: func @max_pool_with_ceil_mode_pads_the_overhang
func.func @max_pool_with_ceil_mode_pads_the_overhang(%x: tensor<1x3x7xf32>) -> tensor<1x3x4xf32> {
  // CHECK: arith.constant 0xFF800000 : f32
  // CHECK: tensor.insert_slice %{{.*}}[0, 0, 0] [1, 3, 7] [1, 1, 1] : tensor<1x3x7xf32> into tensor<1x3x8xf32>
  // CHECK: linalg.generic {indexing_maps = [#[[INPUT]],
  // CHECK: arith.maximumf
  %0 = IE.MaxPool(%x) {ceil_mode = 1 : i64, kernel_shape = array<i64: 2>, strides = array<i64: 2>} : (tensor<1x3x7xf32>) -> tensor<1x3x4xf32>
  return %0 : tensor<1x3x4xf32>
}

// -----

// CHECK-LABEL: func @max_pool_of_unsigned_compares_unsigned
func.func @max_pool_of_unsigned_compares_unsigned(%x: tensor<1x3x8xui8>) -> tensor<1x3x7xui8> {
  // CHECK: arith.maxui
  %0 = IE.MaxPool(%x) {kernel_shape = array<i64: 2>} : (tensor<1x3x8xui8>) -> tensor<1x3x7xui8>
  return %0 : tensor<1x3x7xui8>
}

// -----

// Places in a window are operands, each moved by the window's strides, and there
// are no loops but over the result.
// CHECK-LABEL: func @max_pool_by_slices_is_elementwise
func.func @max_pool_by_slices_is_elementwise(%x: tensor<1x3x8x9xf32>) -> tensor<1x3x3x8xf32> {
  // CHECK-DAG: %[[A:.*]] = tensor.extract_slice %{{.*}}[0, 0, 0, 0] [1, 3, 3, 8] [1, 1, 2, 1]
  // CHECK-DAG: %[[B:.*]] = tensor.extract_slice %{{.*}}[0, 0, 0, 1] [1, 3, 3, 8] [1, 1, 2, 1]
  // CHECK-DAG: %[[C:.*]] = tensor.extract_slice %{{.*}}[0, 0, 3, 0] [1, 3, 3, 8] [1, 1, 2, 1]
  // CHECK-DAG: %[[D:.*]] = tensor.extract_slice %{{.*}}[0, 0, 3, 1] [1, 3, 3, 8] [1, 1, 2, 1]
  // CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%[[A]], %[[B]], %[[C]], %[[D]] :
  // CHECK-COUNT-4: arith.maximumf
  %0 = IE.MaxPool(%x) {VPU.strategy = #VPU.strategy<algorithm = slices>, dilations = array<i64: 3, 1>, kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 1>} : (tensor<1x3x8x9xf32>) -> tensor<1x3x3x8xf32>
  return %0 : tensor<1x3x3x8xf32>
}

// -----

// CHECK-LABEL: func @pool_of_no_elements_has_no_slices
// CHECK-NOT: tensor.extract_slice
// CHECK: return
func.func @pool_of_no_elements_has_no_slices(%x: tensor<0x3x8x9xf32>) -> tensor<0x3x7x8xf32> {
  %0 = IE.MaxPool(%x) {VPU.strategy = #VPU.strategy<algorithm = slices>, kernel_shape = array<i64: 2, 2>} : (tensor<0x3x8x9xf32>) -> tensor<0x3x7x8xf32>
  return %0 : tensor<0x3x7x8xf32>
}

// -----

// CHECK-LABEL: func @average_pool_by_slices_reads_halves_that_it_extends
func.func @average_pool_by_slices_reads_halves_that_it_extends(%x: tensor<1x3x?xf16>) -> tensor<1x3x?xf32> {
  // CHECK: tensor.extract_slice %{{.*}} : tensor<1x3x?xf16> to tensor<1x3x?xf16>
  // CHECK: tensor.extract_slice %{{.*}} : tensor<1x3x?xf16> to tensor<1x3x?xf16>
  // CHECK: arith.divf
  %0 = IE.Cast %x to f32 : tensor<1x3x?xf16> -> tensor<1x3x?xf32>
  %1 = IE.AveragePool(%0) {VPU.strategy = #VPU.strategy<algorithm = slices>, kernel_shape = array<i64: 2>} : (tensor<1x3x?xf32>) -> tensor<1x3x?xf32>
  return %1 : tensor<1x3x?xf32>
}

// -----

// CHECK-LABEL: func @max_pool_with_indices_carries_both
func.func @max_pool_with_indices_carries_both(%x: tensor<1x1x3x3xf32>) -> (tensor<1x1x2x2xf32>, tensor<1x1x2x2xi64>) {
  // CHECK: linalg.generic {{.*}} outs(%{{.*}}, %{{.*}} : tensor<1x1x2x2xf32>, tensor<1x1x2x2xi64>)
  // CHECK: linalg.index
  // CHECK: linalg.yield %{{.*}}, %{{.*}} : f32, i64
  %0:2 = IE.MaxPoolWithIndices(%x) {kernel_shape = array<i64: 2, 2>} : (tensor<1x1x3x3xf32>) -> (tensor<1x1x2x2xf32>, tensor<1x1x2x2xi64>)
  return %0#0, %0#1 : tensor<1x1x2x2xf32>, tensor<1x1x2x2xi64>
}

// -----

// CHECK-LABEL: func @average_pool_without_pads_counts_fewer_at_the_border
func.func @average_pool_without_pads_counts_fewer_at_the_border(%x: tensor<1x1x4xf32>) -> tensor<1x1x4xf32> {
  // CHECK: arith.addf
  // CHECK: arith.constant dense<[2.000000e+00, 3.000000e+00, 3.000000e+00, 2.000000e+00]> : tensor<4xf32>
  // CHECK: arith.divf
  %0 = IE.AveragePool(%x) {kernel_shape = array<i64: 3>, pads = array<i64: 1, 1>} : (tensor<1x1x4xf32>) -> tensor<1x1x4xf32>
  return %0 : tensor<1x1x4xf32>
}

// -----

// CHECK-LABEL: func @average_pool_with_pads_counts_them
func.func @average_pool_with_pads_counts_them(%x: tensor<1x1x4xf32>) -> tensor<1x1x4xf32> {
  // CHECK: arith.constant dense<3.000000e+00> : tensor<4xf32>
  %0 = IE.AveragePool(%x) {count_include_pad = 1 : i64, kernel_shape = array<i64: 3>, pads = array<i64: 1, 1>} : (tensor<1x1x4xf32>) -> tensor<1x1x4xf32>
  return %0 : tensor<1x1x4xf32>
}

// -----

// CHECK-LABEL: func @global_average_pool_divides_by_the_plane
func.func @global_average_pool_divides_by_the_plane(%x: tensor<1x3x7x7xf32>) -> tensor<1x3x1x1xf32> {
  // CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x3xf32>)
  // CHECK: arith.constant 4.900000e+01 : f32
  // CHECK: arith.divf
  %0 = IE.GlobalAveragePool(%x) : (tensor<1x3x7x7xf32>) -> tensor<1x3x1x1xf32>
  return %0 : tensor<1x3x1x1xf32>
}

// -----

// CHECK-LABEL: func @global_max_pool_propagates_nan
func.func @global_max_pool_propagates_nan(%x: tensor<1x3x7x7xf32>) -> tensor<1x3x1x1xf32> {
  // CHECK: arith.maximumf
  %0 = IE.GlobalMaxPool(%x) : (tensor<1x3x7x7xf32>) -> tensor<1x3x1x1xf32>
  return %0 : tensor<1x3x1x1xf32>
}
