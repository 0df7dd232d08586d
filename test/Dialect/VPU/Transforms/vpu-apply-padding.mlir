// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-choose-strategies --vpu-apply-padding --split-input-file | FileCheck %s --check-prefixes=CHECK,CPU
// RUN: not nacre-opt %s --init-compiler="vpu-arch=NPU37XX" --vpu-choose-strategies --vpu-apply-padding --split-input-file 2>/dev/null | FileCheck %s --check-prefixes=CHECK,NPU

// An NPU's DMA engine pads while it moves.
// CHECK-LABEL: @convolution_writes_where_its_reader_pads
// NPU-NOT: VPU.FillBorder
// NPU: VPU.Copy
// CPU: %[[BUFFER:.*]] = bufferization.alloc_tensor() : tensor<1x2x16x18x16xf32>
// CPU: %[[FRAME:.*]] = VPU.FillBorder outs(%[[BUFFER]] : {{.*}}) {pads = array<i64: 1, 2, 1, 2>}
// CPU: %[[INSIDE:.*]] = tensor.extract_slice %[[FRAME]][0, 0, 1, 2, 0] [1, 2, 14, 14, 16]
// CPU: %[[Y:.*]] = VPU.NCE.Convolution {{.*}} outs(%[[INSIDE]] :
// CPU: %[[PADDED:.*]] = tensor.insert_slice %[[Y]] into %[[FRAME]][0, 0, 1, 2, 0] [1, 2, 14, 14, 16]
// CPU-NOT: VPU.Copy
// CPU: return %[[PADDED]]
func.func @convolution_writes_where_its_reader_pads(%x: tensor<1x1x16x16x16xf32>, %w: tensor<2x1x3x3x16x16xf32>) -> tensor<1x2x16x18x16xf32> {
  %e0 = tensor.empty() : tensor<1x2x14x14x16xf32>
  %y = VPU.NCE.Convolution ins(%x, %w : tensor<1x1x16x16x16xf32>, tensor<2x1x3x3x16x16xf32>) outs(%e0 : tensor<1x2x14x14x16xf32>) -> tensor<1x2x14x14x16xf32>
  %e1 = tensor.empty() : tensor<1x2x16x18x16xf32>
  %p = VPU.Copy ins(%y : tensor<1x2x14x14x16xf32>) outs(%e1 : tensor<1x2x16x18x16xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 2, 1, 2>} -> tensor<1x2x16x18x16xf32>
  return %p : tensor<1x2x16x18x16xf32>
}

// -----

// Of a dynamic size.
// An NPU needs all sizes.
// CPU-LABEL: @sizes_of_a_run_become_those_of_the_padded_image
// CPU-SAME: %[[H:[a-z0-9]*]]: index,
// CPU: %[[ROWS:.*]] = affine.apply {{.*}}()[%[[H]]]
// CPU: bufferization.alloc_tensor(%[[ROWS]]) : tensor<1x1x?x9x16xf32>
// CPU: VPU.FillBorder {{.*}} {padValue = 0xFF800000 : f32, pads = array<i64: 0, 1, 2, 1>}
// CPU: VPU.NCE.MaxPool
// CPU-NOT: VPU.Copy
func.func @sizes_of_a_run_become_those_of_the_padded_image(%x: tensor<1x1x?x14x16xf32>, %h: index, %r: index) -> tensor<1x1x?x9x16xf32> {
  %e0 = tensor.empty(%h) : tensor<1x1x?x7x16xf32>
  %y = VPU.NCE.MaxPool ins(%x : tensor<1x1x?x14x16xf32>) outs(%e0 : tensor<1x1x?x7x16xf32>) {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>} -> tensor<1x1x?x7x16xf32>
  %e1 = tensor.empty(%r) : tensor<1x1x?x9x16xf32>
  %p = VPU.Copy ins(%y : tensor<1x1x?x7x16xf32>) outs(%e1 : tensor<1x1x?x9x16xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 0, 1, 2, 1>, padValue = 0xFF800000 : f32} -> tensor<1x1x?x9x16xf32>
  return %p : tensor<1x1x?x9x16xf32>
}

// -----

// What else reads the image takes rows that are apart.
// CHECK-LABEL: @other_reader_reads_rows_that_are_apart
// CPU: %[[IMAGE:.*]] = VPU.NCE.MaxPool
// CPU: %[[PADDED:.*]] = tensor.insert_slice %[[IMAGE]]
// CPU: VPU.NCE.MaxPool ins(%[[IMAGE]] :
// CPU: return %[[PADDED]]
func.func @other_reader_reads_rows_that_are_apart(%x: tensor<1x1x28x28x16xf32>) -> (tensor<1x1x16x16x16xf32>, tensor<1x1x7x7x16xf32>) {
  %e0 = tensor.empty() : tensor<1x1x14x14x16xf32>
  %y = VPU.NCE.MaxPool ins(%x : tensor<1x1x28x28x16xf32>) outs(%e0 : tensor<1x1x14x14x16xf32>) {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>} -> tensor<1x1x14x14x16xf32>
  %e1 = tensor.empty() : tensor<1x1x16x16x16xf32>
  %p = VPU.Copy ins(%y : tensor<1x1x14x14x16xf32>) outs(%e1 : tensor<1x1x16x16x16xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>} -> tensor<1x1x16x16x16xf32>
  %e2 = tensor.empty() : tensor<1x1x7x7x16xf32>
  %z = VPU.NCE.MaxPool ins(%y : tensor<1x1x14x14x16xf32>) outs(%e2 : tensor<1x1x7x7x16xf32>) {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>} -> tensor<1x1x7x7x16xf32>
  return %p, %z : tensor<1x1x16x16x16xf32>, tensor<1x1x7x7x16xf32>
}

// -----

// A software kernel, or the caller, wants it without a border.
// CHECK-LABEL: @image_that_is_returned_is_padded_by_a_copy
// CHECK-NOT: VPU.FillBorder
// CHECK: VPU.Copy
func.func @image_that_is_returned_is_padded_by_a_copy(%x: tensor<1x1x28x28x16xf32>) -> (tensor<1x1x16x16x16xf32>, tensor<1x1x14x14x16xf32>) {
  %e0 = tensor.empty() : tensor<1x1x14x14x16xf32>
  %y = VPU.NCE.MaxPool ins(%x : tensor<1x1x28x28x16xf32>) outs(%e0 : tensor<1x1x14x14x16xf32>) {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>} -> tensor<1x1x14x14x16xf32>
  %e1 = tensor.empty() : tensor<1x1x16x16x16xf32>
  %p = VPU.Copy ins(%y : tensor<1x1x14x14x16xf32>) outs(%e1 : tensor<1x1x16x16x16xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>} -> tensor<1x1x16x16x16xf32>
  return %p, %y : tensor<1x1x16x16x16xf32>, tensor<1x1x14x14x16xf32>
}

// -----

// Seven columns are half of a register tile, seven rows of them three and a half.
// CHECK-LABEL: @pointwise_convolution_of_few_columns_keeps_its_rows_together
// CHECK-NOT: VPU.FillBorder
// CHECK: VPU.Copy
func.func @pointwise_convolution_of_few_columns_keeps_its_rows_together(%x: tensor<1x1x7x7x16xf32>, %w: tensor<1x1x1x1x16x16xf32>) -> tensor<1x1x9x9x16xf32> {
  %e0 = tensor.empty() : tensor<1x1x7x7x16xf32>
  %y = VPU.NCE.Convolution ins(%x, %w : tensor<1x1x7x7x16xf32>, tensor<1x1x1x1x16x16xf32>) outs(%e0 : tensor<1x1x7x7x16xf32>) -> tensor<1x1x7x7x16xf32>
  %e1 = tensor.empty() : tensor<1x1x9x9x16xf32>
  %p = VPU.Copy ins(%y : tensor<1x1x7x7x16xf32>) outs(%e1 : tensor<1x1x9x9x16xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>} -> tensor<1x1x9x9x16xf32>
  return %p : tensor<1x1x9x9x16xf32>
}

// -----

// What a depthwise convolution reads is computed a few blocks at a time.
// CHECK-LABEL: @image_of_a_block_producer_is_left
// CHECK-NOT: VPU.FillBorder
// CHECK: VPU.Copy
func.func @image_of_a_block_producer_is_left(%x: tensor<1x1x14x14x16xf32>, %w: tensor<4x1x1x1x16x16xf32>, %d: tensor<4x3x3x16xf32>) -> tensor<1x4x14x14x16xf32> {
  %e0 = tensor.empty() : tensor<1x4x14x14x16xf32>
  %y = VPU.NCE.Convolution ins(%x, %w : tensor<1x1x14x14x16xf32>, tensor<4x1x1x1x16x16xf32>) outs(%e0 : tensor<1x4x14x14x16xf32>) -> tensor<1x4x14x14x16xf32>
  %e1 = tensor.empty() : tensor<1x4x16x16x16xf32>
  %p = VPU.Copy ins(%y : tensor<1x4x14x14x16xf32>) outs(%e1 : tensor<1x4x16x16x16xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>} -> tensor<1x4x16x16x16xf32>
  %z = VPU.NCE.DepthConvolution ins(%p, %d : tensor<1x4x16x16x16xf32>, tensor<4x3x3x16xf32>) outs(%e0 : tensor<1x4x14x14x16xf32>) -> tensor<1x4x14x14x16xf32>
  return %z : tensor<1x4x14x14x16xf32>
}

// -----

// A copy that a person wants is as any other from here on.
// CHECK-LABEL: @copy_that_is_wanted_stays
// CHECK-NOT: VPU.FillBorder
// CHECK: VPU.Copy
// CHECK-SAME: {dstOrder =
func.func @copy_that_is_wanted_stays(%x: tensor<1x1x16x16x16xf32>, %w: tensor<2x1x3x3x16x16xf32>) -> tensor<1x2x16x18x16xf32> {
  %e0 = tensor.empty() : tensor<1x2x14x14x16xf32>
  %y = VPU.NCE.Convolution ins(%x, %w : tensor<1x1x16x16x16xf32>, tensor<2x1x3x3x16x16xf32>) outs(%e0 : tensor<1x2x14x14x16xf32>) -> tensor<1x2x14x14x16xf32>
  %e1 = tensor.empty() : tensor<1x2x16x18x16xf32>
  %p = VPU.Copy ins(%y : tensor<1x2x14x14x16xf32>) outs(%e1 : tensor<1x2x16x18x16xf32>) {VPU.strategy = #VPU.strategy<>, srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 2, 1, 2>} -> tensor<1x2x16x18x16xf32>
  return %p : tensor<1x2x16x18x16xf32>
}
