// RUN: nacre-opt %s --canonicalize --split-input-file | FileCheck %s

// CHECK-LABEL: @unblocking_then_blocking_cancels
func.func @unblocking_then_blocking_cancels(%x: tensor<1x2x8x8x16xf32>) -> tensor<1x2x8x8x16xf32> {
  %e = tensor.empty() : tensor<1x20x8x8xf32>
  %0 = VPU.Copy ins(%x : tensor<1x2x8x8x16xf32>) outs(%e : tensor<1x20x8x8xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHW>} -> tensor<1x20x8x8xf32>
  %f = tensor.empty() : tensor<1x2x8x8x16xf32>
  %1 = VPU.Copy ins(%0 : tensor<1x20x8x8xf32>) outs(%f : tensor<1x2x8x8x16xf32>) {srcOrder = #VPU.order<NCHW>, dstOrder = #VPU.order<NCHWc>} -> tensor<1x2x8x8x16xf32>
  // CHECK-NOT: VPU.Copy
  // CHECK: return %arg0
  return %1 : tensor<1x2x8x8x16xf32>
}

// -----

// CHECK-LABEL: @padding_while_blocking_becomes_blocked_padding
func.func @padding_while_blocking_becomes_blocked_padding(%x: tensor<1x2x8x8x16xf32>) -> tensor<1x2x10x10x16xf32> {
  %e = tensor.empty() : tensor<1x20x8x8xf32>
  %0 = VPU.Copy ins(%x : tensor<1x2x8x8x16xf32>) outs(%e : tensor<1x20x8x8xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHW>} -> tensor<1x20x8x8xf32>
  %f = tensor.empty() : tensor<1x2x10x10x16xf32>
  // CHECK: VPU.Copy ins(%arg0 : tensor<1x2x8x8x16xf32>) outs({{.*}}) {dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>, srcOrder = #VPU.order<NCHWc>}
  // CHECK-NOT: VPU.Copy
  %1 = VPU.Copy ins(%0 : tensor<1x20x8x8xf32>) outs(%f : tensor<1x2x10x10x16xf32>) {srcOrder = #VPU.order<NCHW>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>} -> tensor<1x2x10x10x16xf32>
  return %1 : tensor<1x2x10x10x16xf32>
}

// -----

// CHECK-LABEL: @other_block_size_stays
func.func @other_block_size_stays(%x: tensor<1x1x8x8x16xf32>) -> tensor<1x1x8x8x4xf32> {
  %e = tensor.empty() : tensor<1x4x8x8xf32>
  // CHECK-COUNT-2: VPU.Copy
  %0 = VPU.Copy ins(%x : tensor<1x1x8x8x16xf32>) outs(%e : tensor<1x4x8x8xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHW>} -> tensor<1x4x8x8xf32>
  %f = tensor.empty() : tensor<1x1x8x8x4xf32>
  %1 = VPU.Copy ins(%0 : tensor<1x4x8x8xf32>) outs(%f : tensor<1x1x8x8x4xf32>) {srcOrder = #VPU.order<NCHW>, dstOrder = #VPU.order<NCHWc>} -> tensor<1x1x8x8x4xf32>
  return %1 : tensor<1x1x8x8x4xf32>
}

// -----

// CHECK-LABEL: @copy_into_cmx_stays
func.func @copy_into_cmx_stays(%x: tensor<4x4xf32>) -> tensor<4x4xf32, #VPU.layout<order = ANY, memory = CMX>> {
  %e = tensor.empty() : tensor<4x4xf32, #VPU.layout<order = ANY, memory = CMX>>
  // CHECK: VPU.Copy
  %0 = VPU.Copy ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32, #VPU.layout<order = ANY, memory = CMX>>) -> tensor<4x4xf32, #VPU.layout<order = ANY, memory = CMX>>
  return %0 : tensor<4x4xf32, #VPU.layout<order = ANY, memory = CMX>>
}
