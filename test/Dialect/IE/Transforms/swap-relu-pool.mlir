// RUN: nacre-opt %s --ie-swap-relu-pool --split-input-file | FileCheck %s

// A NaN wins in a window, and Relu keeps it: results are the same before and
// after.

// CHECK-LABEL: func @relu_of_joined_images_follows_the_pool
// CHECK: %[[BOTH:.*]] = IE.Concat
// CHECK: %[[POOL:.*]] = IE.MaxPool(%[[BOTH]]) {kernel_shape = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>}
// CHECK: %[[Y:.*]] = IE.Relu %[[POOL]] : tensor<?x8x5x5xf32>
// CHECK: return %[[Y]]
func.func @relu_of_joined_images_follows_the_pool(%a: tensor<?x4x8x8xf32>, %b: tensor<?x4x8x8xf32>) -> tensor<?x8x5x5xf32> {
  %0 = IE.Concat %a, %b {axis = 1 : i64} : tensor<?x4x8x8xf32>, tensor<?x4x8x8xf32> -> tensor<?x8x8x8xf32>
  %1 = IE.Relu %0 : tensor<?x8x8x8xf32> -> tensor<?x8x8x8xf32>
  %2 = IE.MaxPool(%1) {kernel_shape = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>} : (tensor<?x8x8x8xf32>) -> tensor<?x8x5x5xf32>
  return %2 : tensor<?x8x5x5xf32>
}

// -----

// CHECK-LABEL: func @relu_of_an_argument_of_any_size_follows_the_pool
// CHECK: %[[POOL:.*]] = IE.MaxPool(%arg0)
// CHECK: IE.Relu %[[POOL]]
func.func @relu_of_an_argument_of_any_size_follows_the_pool(%x: tensor<1x4x?x?xf32>) -> tensor<1x4x?x?xf32> {
  %0 = IE.Relu %x : tensor<1x4x?x?xf32> -> tensor<1x4x?x?xf32>
  %1 = IE.MaxPool(%0) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x4x?x?xf32>) -> tensor<1x4x?x?xf32>
  return %1 : tensor<1x4x?x?xf32>
}

// -----

// The convolution rectifies its result in registers, the addition fuses with it.

// CHECK-LABEL: func @relu_of_what_is_computed_stays
// CHECK: %[[A:.*]] = IE.Relu
// CHECK-NEXT: IE.MaxPool(%[[A]])
// CHECK: %[[B:.*]] = IE.Relu
// CHECK-NEXT: IE.MaxPool(%[[B]])
func.func @relu_of_what_is_computed_stays(%x: tensor<1x4x8x8xf32>, %w: tensor<4x4x1x1xf32>) -> (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) {
  %0 = IE.Conv(%x, %w) : (tensor<1x4x8x8xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x8x8xf32>
  %1 = IE.Relu %0 : tensor<1x4x8x8xf32> -> tensor<1x4x8x8xf32>
  %2 = IE.MaxPool(%1) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x4x8x8xf32>) -> tensor<1x4x4x4xf32>
  %3 = IE.Add %x, %x : tensor<1x4x8x8xf32>, tensor<1x4x8x8xf32> -> tensor<1x4x8x8xf32>
  %4 = IE.Relu %3 : tensor<1x4x8x8xf32> -> tensor<1x4x8x8xf32>
  %5 = IE.MaxPool(%4) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x4x8x8xf32>) -> tensor<1x4x4x4xf32>
  return %2, %5 : tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>
}

// -----

// CHECK-LABEL: func @relu_with_other_users_stays
// CHECK: %[[A:.*]] = IE.Relu %arg0
// CHECK-NEXT: IE.MaxPool(%[[A]])
func.func @relu_with_other_users_stays(%x: tensor<1x4x8x8xf32>) -> (tensor<1x4x8x8xf32>, tensor<1x4x4x4xf32>) {
  %0 = IE.Relu %x : tensor<1x4x8x8xf32> -> tensor<1x4x8x8xf32>
  %1 = IE.MaxPool(%0) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x4x8x8xf32>) -> tensor<1x4x4x4xf32>
  return %0, %1 : tensor<1x4x8x8xf32>, tensor<1x4x4x4xf32>
}

// -----

// With dilations, or rounded up, a window may lie between elements or behind
// them: its maximum is the least number there is, which is not rectified.

// CHECK-LABEL: func @windows_that_may_be_padding_alone_stay
// CHECK: %[[A:.*]] = IE.Relu %arg0
// CHECK-NEXT: IE.MaxPool(%[[A]])
// CHECK: %[[B:.*]] = IE.Relu %arg0
// CHECK-NEXT: IE.MaxPool(%[[B]])
func.func @windows_that_may_be_padding_alone_stay(%x: tensor<1x4x1x8xf32>) -> (tensor<1x4x1x8xf32>, tensor<1x4x1x4xf32>) {
  %0 = IE.Relu %x : tensor<1x4x1x8xf32> -> tensor<1x4x1x8xf32>
  %1 = IE.MaxPool(%0) {dilations = array<i64: 2, 1>, kernel_shape = array<i64: 2, 1>, pads = array<i64: 1, 0, 1, 0>} : (tensor<1x4x1x8xf32>) -> tensor<1x4x1x8xf32>
  %2 = IE.Relu %x : tensor<1x4x1x8xf32> -> tensor<1x4x1x8xf32>
  %3 = IE.MaxPool(%2) {ceil_mode = 1 : i64, kernel_shape = array<i64: 1, 2>, strides = array<i64: 1, 2>} : (tensor<1x4x1x8xf32>) -> tensor<1x4x1x4xf32>
  return %1, %3 : tensor<1x4x1x8xf32>, tensor<1x4x1x4xf32>
}
