// RUN: nacre-opt %s --split-input-file | nacre-opt --split-input-file | FileCheck %s
// RUN: nacre-opt %s --split-input-file --mlir-print-op-generic | nacre-opt --split-input-file | FileCheck %s

// CHECK-LABEL: @convolution_with_all_operands
func.func @convolution_with_all_operands(%x: tensor<1x4x58x58x16xf32>, %w: tensor<4x4x3x3x16x16xf32>, %b: tensor<4x16xf32>, %r: tensor<1x4x56x56x16xf32>) -> tensor<1x4x56x56x16xf32> {
  %e = tensor.empty() : tensor<1x4x56x56x16xf32>
  // CHECK: VPU.NCE.Convolution ins(%{{.*}}, %{{.*}} : tensor<1x4x58x58x16xf32>, tensor<4x4x3x3x16x16xf32>) bias(%{{.*}} : tensor<4x16xf32>) residual(%{{.*}} : tensor<1x4x56x56x16xf32>) outs(%{{.*}} : tensor<1x4x56x56x16xf32>) {ppe = #VPU.PPE<mode = CLAMP, low = 0.000000e+00{{.*}}, high = 6.000000e+00{{.*}}>} -> tensor<1x4x56x56x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x4x58x58x16xf32>, tensor<4x4x3x3x16x16xf32>) bias(%b : tensor<4x16xf32>) residual(%r : tensor<1x4x56x56x16xf32>) outs(%e : tensor<1x4x56x56x16xf32>) {ppe = #VPU.PPE<mode = CLAMP, low = 0.0, high = 6.0>} -> tensor<1x4x56x56x16xf32>
  return %0 : tensor<1x4x56x56x16xf32>
}

// -----

// CHECK-LABEL: @convolution_on_buffers_has_no_result
func.func @convolution_on_buffers_has_no_result(%x: memref<1x4x58x58x16xf32, #VPU.mem<CMX>>, %w: memref<4x4x3x3x16x16xf32>, %y: memref<1x4x28x28x16xf32>) {
  // CHECK: VPU.NCE.Convolution ins({{.*}}) outs({{.*}}) {strides = array<i64: 2, 2>}{{$}}
  VPU.NCE.Convolution ins(%x, %w : memref<1x4x58x58x16xf32, #VPU.mem<CMX>>, memref<4x4x3x3x16x16xf32>) outs(%y : memref<1x4x28x28x16xf32>) {strides = array<i64: 2, 2>}
  return
}

// -----

// CHECK-LABEL: @convolution_of_bytes_with_all_operands
func.func @convolution_of_bytes_with_all_operands(%x: tensor<1x4x8x8x16xi8>, %w: tensor<2x4x1x1x16x16xi8>, %o: tensor<2x16xi32>, %s: tensor<2x16xf32>, %b: tensor<2x16xf32>, %r: tensor<1x2x8x8x16xf32>) -> tensor<1x2x8x8x16xf32> {
  %e = tensor.empty() : tensor<1x2x8x8x16xf32>
  // CHECK: VPU.NCE.Convolution ins(%{{.*}}, %{{.*}} : tensor<1x4x8x8x16xi8>, tensor<2x4x1x1x16x16xi8>) offset(%{{.*}} : tensor<2x16xi32>) scale(%{{.*}} : tensor<2x16xf32>) bias(%{{.*}} : tensor<2x16xf32>) residual(%{{.*}} : tensor<1x2x8x8x16xf32>) outs(%{{.*}} : tensor<1x2x8x8x16xf32>) -> tensor<1x2x8x8x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x4x8x8x16xi8>, tensor<2x4x1x1x16x16xi8>) offset(%o : tensor<2x16xi32>) scale(%s : tensor<2x16xf32>) bias(%b : tensor<2x16xf32>) residual(%r : tensor<1x2x8x8x16xf32>) outs(%e : tensor<1x2x8x8x16xf32>) -> tensor<1x2x8x8x16xf32>
  return %0 : tensor<1x2x8x8x16xf32>
}

// -----

// CHECK-LABEL: @convolution_of_packed_bytes_quantizes
func.func @convolution_of_packed_bytes_quantizes(%x: tensor<1x1x8x8x12xi8>, %w: tensor<2x1x1x1x3x16x4xi8>, %s: tensor<2x16xf32>) -> tensor<1x2x8x8x16xi8> {
  %e = tensor.empty() : tensor<1x2x8x8x16xi8>
  // CHECK: VPU.NCE.Convolution ins(%{{.*}}, %{{.*}} : tensor<1x1x8x8x12xi8>, tensor<2x1x1x1x3x16x4xi8>) scale(%{{.*}} : tensor<2x16xf32>) outs(%{{.*}} : tensor<1x2x8x8x16xi8>) {inputChannels = 10 : i64, ppe = #VPU.PPE<mode = RELU, zeroPoint = 255 : i64>} -> tensor<1x2x8x8x16xi8>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x1x8x8x12xi8>, tensor<2x1x1x1x3x16x4xi8>) scale(%s : tensor<2x16xf32>) outs(%e : tensor<1x2x8x8x16xi8>) {inputChannels = 10 : i64, ppe = #VPU.PPE<mode = RELU, zeroPoint = 255 : i64>} -> tensor<1x2x8x8x16xi8>
  return %0 : tensor<1x2x8x8x16xi8>
}

// -----

// CHECK-LABEL: @depth_convolution_with_bias
func.func @depth_convolution_with_bias(%x: tensor<1x2x58x58x16xf32>, %w: tensor<2x3x3x16xf32>, %b: tensor<2x16xf32>) -> tensor<1x2x28x28x16xf32> {
  %e = tensor.empty() : tensor<1x2x28x28x16xf32>
  // CHECK: VPU.NCE.DepthConvolution ins({{.*}}) bias({{.*}}) outs({{.*}}) {strides = array<i64: 2, 2>} -> tensor<1x2x28x28x16xf32>
  %0 = VPU.NCE.DepthConvolution ins(%x, %w : tensor<1x2x58x58x16xf32>, tensor<2x3x3x16xf32>) bias(%b : tensor<2x16xf32>) outs(%e : tensor<1x2x28x28x16xf32>) {strides = array<i64: 2, 2>} -> tensor<1x2x28x28x16xf32>
  return %0 : tensor<1x2x28x28x16xf32>
}

// -----

// CHECK-LABEL: @group_convolution_with_all_operands
func.func @group_convolution_with_all_operands(%x: tensor<1x2x58x58x16xf32>, %w: tensor<2x3x3x4x16xf32>, %b: tensor<2x16xf32>, %r: tensor<1x2x28x28x16xf32>) -> tensor<1x2x28x28x16xf32> {
  %e = tensor.empty() : tensor<1x2x28x28x16xf32>
  // CHECK: VPU.NCE.GroupConvolution ins({{.*}} : tensor<1x2x58x58x16xf32>, tensor<2x3x3x4x16xf32>) bias({{.*}} : tensor<2x16xf32>) residual({{.*}} : tensor<1x2x28x28x16xf32>) outs({{.*}}) {ppe = #VPU.PPE<mode = RELU>, strides = array<i64: 2, 2>} -> tensor<1x2x28x28x16xf32>
  %0 = VPU.NCE.GroupConvolution ins(%x, %w : tensor<1x2x58x58x16xf32>, tensor<2x3x3x4x16xf32>) bias(%b : tensor<2x16xf32>) residual(%r : tensor<1x2x28x28x16xf32>) outs(%e : tensor<1x2x28x28x16xf32>) {strides = array<i64: 2, 2>, ppe = #VPU.PPE<mode = RELU>} -> tensor<1x2x28x28x16xf32>
  return %0 : tensor<1x2x28x28x16xf32>
}

// -----

// CHECK-LABEL: @winograd_convolution_with_bias_and_residual
func.func @winograd_convolution_with_bias_and_residual(%x: tensor<1x2x10x10x16xf32>, %u: tensor<36x3x2x16x16xf32>, %b: tensor<3x16xf32>, %r: tensor<1x3x8x8x16xf32>) -> tensor<1x3x8x8x16xf32> {
  %e = tensor.empty() : tensor<1x3x8x8x16xf32>
  // CHECK: VPU.NCE.WinogradConvolution ins({{.*}}) bias({{.*}}) residual({{.*}}) outs({{.*}}) -> tensor<1x3x8x8x16xf32>
  %0 = VPU.NCE.WinogradConvolution ins(%x, %u : tensor<1x2x10x10x16xf32>, tensor<36x3x2x16x16xf32>) bias(%b : tensor<3x16xf32>) residual(%r : tensor<1x3x8x8x16xf32>) outs(%e : tensor<1x3x8x8x16xf32>) -> tensor<1x3x8x8x16xf32>
  return %0 : tensor<1x3x8x8x16xf32>
}

// -----

// CHECK-LABEL: @winograd_convolution_of_packs_in_small_tiles
func.func @winograd_convolution_of_packs_in_small_tiles(%x: tensor<1x2x10x10x16xbf16>, %u: tensor<16x3x2x8x16x2xbf16>) -> tensor<1x3x8x8x16xbf16> {
  %e = tensor.empty() : tensor<1x3x8x8x16xbf16>
  // CHECK: VPU.NCE.WinogradConvolution ins({{.*}}) outs({{.*}}) {tileSize = 2 : i64} -> tensor<1x3x8x8x16xbf16>
  %0 = VPU.NCE.WinogradConvolution ins(%x, %u : tensor<1x2x10x10x16xbf16>, tensor<16x3x2x8x16x2xbf16>) outs(%e : tensor<1x3x8x8x16xbf16>) {tileSize = 2 : i64} -> tensor<1x3x8x8x16xbf16>
  return %0 : tensor<1x3x8x8x16xbf16>
}

// -----

// CHECK-LABEL: @winograd_convolution_of_images_of_any_number_and_size
func.func @winograd_convolution_of_images_of_any_number_and_size(%x: tensor<?x2x?x?x16xf32>, %u: tensor<36x3x2x16x16xf32>, %e: tensor<?x3x?x?x16xf32>) -> tensor<?x3x?x?x16xf32> {
  // CHECK: VPU.NCE.WinogradConvolution ins({{.*}}) outs({{.*}}) -> tensor<?x3x?x?x16xf32>
  %0 = VPU.NCE.WinogradConvolution ins(%x, %u : tensor<?x2x?x?x16xf32>, tensor<36x3x2x16x16xf32>) outs(%e : tensor<?x3x?x?x16xf32>) -> tensor<?x3x?x?x16xf32>
  return %0 : tensor<?x3x?x?x16xf32>
}

// -----

// CHECK-LABEL: @winograd_convolution_with_scratch
func.func @winograd_convolution_with_scratch(%x: memref<1x1x6x6x16xf32>, %u: memref<36x1x1x16x16xf32>, %v: memref<1152xf32>, %m: memref<1152xf32>, %y: memref<1x1x4x4x16xf32>) {
  // CHECK: VPU.NCE.WinogradConvolution ins({{.*}}) scratch({{.*}}) outs({{.*}}) {chunk = array<i64: 1, 1>}
  VPU.NCE.WinogradConvolution ins(%x, %u : memref<1x1x6x6x16xf32>, memref<36x1x1x16x16xf32>) scratch(%v, %m : memref<1152xf32>, memref<1152xf32>) outs(%y : memref<1x1x4x4x16xf32>) {chunk = array<i64: 1, 1>}
  return
}

// -----

// CHECK-LABEL: @matmul_with_partial_last_panel
func.func @matmul_with_partial_last_panel(%a: tensor<2x128x256xf32>, %b: tensor<1x16x256x16xf32>) -> tensor<2x128x250xf32> {
  %e = tensor.empty() : tensor<2x128x250xf32>
  // CHECK: VPU.NCE.MatMul ins({{.*}}) outs({{.*}}) {ppe = #VPU.PPE<mode = GELU>} -> tensor<2x128x250xf32>
  %0 = VPU.NCE.MatMul ins(%a, %b : tensor<2x128x256xf32>, tensor<1x16x256x16xf32>) outs(%e : tensor<2x128x250xf32>) {ppe = #VPU.PPE<mode = GELU>} -> tensor<2x128x250xf32>
  return %0 : tensor<2x128x250xf32>
}

// -----

// CHECK-LABEL: @matmul_of_packed_bytes
func.func @matmul_of_packed_bytes(%a: tensor<1x5x12xi8>, %b: tensor<1x2x3x16x4xi8>, %o: tensor<2x16xi32>, %s: tensor<2x16xf32>, %v: tensor<2x16xf32>) -> tensor<1x5x20xi8> {
  %e = tensor.empty() : tensor<1x5x20xi8>
  // CHECK: VPU.NCE.MatMul ins(%{{.*}}, %{{.*}} : tensor<1x5x12xi8>, tensor<1x2x3x16x4xi8>) offset(%{{.*}} : tensor<2x16xi32>) scale(%{{.*}} : tensor<2x16xf32>) bias(%{{.*}} : tensor<2x16xf32>) outs(%{{.*}} : tensor<1x5x20xi8>) {ppe = #VPU.PPE<mode = NOOP, zeroPoint = 0 : i64>} -> tensor<1x5x20xi8>
  %0 = VPU.NCE.MatMul ins(%a, %b : tensor<1x5x12xi8>, tensor<1x2x3x16x4xi8>) offset(%o : tensor<2x16xi32>) scale(%s : tensor<2x16xf32>) bias(%v : tensor<2x16xf32>) outs(%e : tensor<1x5x20xi8>) {ppe = #VPU.PPE<mode = NOOP, zeroPoint = 0 : i64>} -> tensor<1x5x20xi8>
  return %0 : tensor<1x5x20xi8>
}

// -----

// CHECK-LABEL: @average_pool_with_shares
func.func @average_pool_with_shares(%x: tensor<1x4x9x?x16xf32>, %s: tensor<7x?xf32>, %y: tensor<1x4x7x?x16xf32>) -> tensor<1x4x7x?x16xf32> {
  // CHECK: VPU.NCE.AveragePool ins(%{{.*}} : tensor<1x4x9x?x16xf32>) shares(%{{.*}} : tensor<7x?xf32>) outs(%{{.*}} : tensor<1x4x7x?x16xf32>) {kernel = array<i64: 3, 3>} -> tensor<1x4x7x?x16xf32>
  %0 = VPU.NCE.AveragePool ins(%x : tensor<1x4x9x?x16xf32>) shares(%s : tensor<7x?xf32>) outs(%y : tensor<1x4x7x?x16xf32>) {kernel = array<i64: 3, 3>} -> tensor<1x4x7x?x16xf32>
  return %0 : tensor<1x4x7x?x16xf32>
}

// -----

// CHECK-LABEL: @pools
func.func @pools(%x: tensor<1x4x7x7x16xf32>) -> (tensor<1x4x3x3x16xf32>, tensor<1x4x1x1x16xf32>) {
  %e = tensor.empty() : tensor<1x4x3x3x16xf32>
  %g = tensor.empty() : tensor<1x4x1x1x16xf32>
  // CHECK: VPU.NCE.MaxPool ins(%{{.*}} : tensor<1x4x7x7x16xf32>) outs({{.*}}) {kernel = array<i64: 3, 3>, strides = array<i64: 2, 2>}
  %0 = VPU.NCE.MaxPool ins(%x : tensor<1x4x7x7x16xf32>) outs(%e : tensor<1x4x3x3x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 2, 2>} -> tensor<1x4x3x3x16xf32>
  // CHECK: VPU.NCE.AveragePool ins(%{{.*}} : tensor<1x4x7x7x16xf32>) outs({{.*}}) {kernel = array<i64: 7, 7>}
  %1 = VPU.NCE.AveragePool ins(%x : tensor<1x4x7x7x16xf32>) outs(%g : tensor<1x4x1x1x16xf32>) {kernel = array<i64: 7, 7>} -> tensor<1x4x1x1x16xf32>
  return %0, %1 : tensor<1x4x3x3x16xf32>, tensor<1x4x1x1x16xf32>
}

// -----

// CHECK-LABEL: @pools_of_bytes
func.func @pools_of_bytes(%x: tensor<1x4x7x7x16xi8>) -> (tensor<1x4x3x3x16xi8>, tensor<1x4x1x1x16xf32>) {
  %e = tensor.empty() : tensor<1x4x3x3x16xi8>
  %g = tensor.empty() : tensor<1x4x1x1x16xf32>
  // CHECK: VPU.NCE.MaxPool ins(%{{.*}} : tensor<1x4x7x7x16xi8>) outs({{.*}}) {inputQuant = #VPU.quant<scale = 1.000000e+00 : f32, zeroPoint = 0>, kernel = array<i64: 3, 3>, ppe = #VPU.PPE<mode = NOOP, zeroPoint = 3 : i64>, strides = array<i64: 2, 2>}
  %0 = VPU.NCE.MaxPool ins(%x : tensor<1x4x7x7x16xi8>) outs(%e : tensor<1x4x3x3x16xi8>) {inputQuant = #VPU.quant<scale = 1.0 : f32, zeroPoint = 0>, kernel = array<i64: 3, 3>, strides = array<i64: 2, 2>, ppe = #VPU.PPE<mode = NOOP, zeroPoint = 3 : i64>} -> tensor<1x4x3x3x16xi8>
  // CHECK: VPU.NCE.AveragePool ins(%{{.*}} : tensor<1x4x7x7x16xi8>) outs({{.*}}) {inputQuant = #VPU.quant<scale = 5.000000e-01 : f32, zeroPoint = 128>, kernel = array<i64: 7, 7>}
  %1 = VPU.NCE.AveragePool ins(%x : tensor<1x4x7x7x16xi8>) outs(%g : tensor<1x4x1x1x16xf32>) {inputQuant = #VPU.quant<scale = 0.5 : f32, zeroPoint = 128>, kernel = array<i64: 7, 7>} -> tensor<1x4x1x1x16xf32>
  return %0, %1 : tensor<1x4x3x3x16xi8>, tensor<1x4x1x1x16xf32>
}

// -----

// CHECK-LABEL: @eltwise
func.func @eltwise(%a: tensor<1x4x7x7x16xf32>) -> tensor<1x4x7x7x16xf32> {
  %e = tensor.empty() : tensor<1x4x7x7x16xf32>
  // CHECK: VPU.NCE.Eltwise ins({{.*}}) outs({{.*}}) {kind = #VPU.eltwise<ADD>, ppe = #VPU.PPE<mode = RELU>}
  %0 = VPU.NCE.Eltwise ins(%a, %a : tensor<1x4x7x7x16xf32>, tensor<1x4x7x7x16xf32>) outs(%e : tensor<1x4x7x7x16xf32>) {kind = #VPU.eltwise<ADD>, ppe = #VPU.PPE<mode = RELU>} -> tensor<1x4x7x7x16xf32>
  return %0 : tensor<1x4x7x7x16xf32>
}

// -----

// CHECK-LABEL: @eltwise_of_bytes_and_floats
func.func @eltwise_of_bytes_and_floats(%a: tensor<1x4x8xi8>, %b: tensor<1x4x8xf32>) -> (tensor<1x4x8xi8>, tensor<1x4x8xf32>) {
  %e = tensor.empty() : tensor<1x4x8xi8>
  %f = tensor.empty() : tensor<1x4x8xf32>
  // CHECK: VPU.NCE.Eltwise ins({{.*}}) outs({{.*}}) {kind = #VPU.eltwise<ADD>, lhsQuant = #VPU.quant<scale = 5.000000e-01 : f32, zeroPoint = 128>, ppe = #VPU.PPE<mode = NOOP, zeroPoint = 7 : i64>, rhsQuant = #VPU.quant<scale = 2.000000e+00 : f32, zeroPoint = 0>}
  %0 = VPU.NCE.Eltwise ins(%a, %a : tensor<1x4x8xi8>, tensor<1x4x8xi8>) outs(%e : tensor<1x4x8xi8>) {kind = #VPU.eltwise<ADD>, lhsQuant = #VPU.quant<scale = 0.5 : f32, zeroPoint = 128>, rhsQuant = #VPU.quant<scale = 2.0 : f32, zeroPoint = 0>, ppe = #VPU.PPE<mode = NOOP, zeroPoint = 7 : i64>} -> tensor<1x4x8xi8>
  // CHECK: VPU.NCE.Eltwise ins({{.*}}) outs({{.*}}) {kind = #VPU.eltwise<MUL>, rhsQuant = #VPU.quant<scale = 5.000000e-01 : f32, zeroPoint = 128>}
  %1 = VPU.NCE.Eltwise ins(%b, %a : tensor<1x4x8xf32>, tensor<1x4x8xi8>) outs(%f : tensor<1x4x8xf32>) {kind = #VPU.eltwise<MUL>, rhsQuant = #VPU.quant<scale = 0.5 : f32, zeroPoint = 128>} -> tensor<1x4x8xf32>
  return %0, %1 : tensor<1x4x8xi8>, tensor<1x4x8xf32>
}

// -----

// CHECK-LABEL: @copy_forms
func.func @copy_forms(%x: tensor<1x3x8x8xf32>, %b: tensor<1x4x20xf32>, %w: tensor<1x8x20xi8>, %row: index) {
  // CHECK: VPU.Copy ins({{.*}}) outs({{.*}}) {dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>, srcOrder = #VPU.order<NCHW>} -> tensor<1x1x10x10x3xf32>
  %e0 = tensor.empty() : tensor<1x1x10x10x3xf32>
  %0 = VPU.Copy ins(%x : tensor<1x3x8x8xf32>) outs(%e0 : tensor<1x1x10x10x3xf32>) {srcOrder = #VPU.order<NCHW>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>} -> tensor<1x1x10x10x3xf32>
  // CHECK: VPU.Copy ins({{.*}}) offset(%{{.*}}) outs({{.*}}) {{.*}}padValue = -1.000000e+00 : f32
  %e1 = tensor.empty() : tensor<1x1x4x10x16xf32>
  %1 = VPU.Copy ins(%x : tensor<1x3x8x8xf32>) offset(%row) outs(%e1 : tensor<1x1x4x10x16xf32>) {srcOrder = #VPU.order<NCHW>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>, padValue = -1.0 : f32} -> tensor<1x1x4x10x16xf32>
  // CHECK: VPU.Copy {{.*}}srcOrder = #VPU.order<KN>
  %e2 = tensor.empty() : tensor<1x2x4x16xf32>
  %2 = VPU.Copy ins(%b : tensor<1x4x20xf32>) outs(%e2 : tensor<1x2x4x16xf32>) {srcOrder = #VPU.order<KN>, dstOrder = #VPU.order<KNn>} -> tensor<1x2x4x16xf32>
  // CHECK: VPU.Copy ins({{.*}}) outs(%{{.*}} : tensor<1x4x20xf32, #VPU.layout<order = KN, memory = CMX>>)
  %e3 = tensor.empty() : tensor<1x4x20xf32, #VPU.layout<order = KN, memory = CMX>>
  %3 = VPU.Copy ins(%b : tensor<1x4x20xf32>) outs(%e3 : tensor<1x4x20xf32, #VPU.layout<order = KN, memory = CMX>>) -> tensor<1x4x20xf32, #VPU.layout<order = KN, memory = CMX>>
  // CHECK: VPU.Copy ins({{.*}}) outs({{.*}}) {dstOrder = #VPU.order<KNn>, flipsSign, srcOrder = #VPU.order<KN>} -> tensor<1x2x2x16x4xi8>
  %e4 = tensor.empty() : tensor<1x2x2x16x4xi8>
  %4 = VPU.Copy ins(%w : tensor<1x8x20xi8>) outs(%e4 : tensor<1x2x2x16x4xi8>) {srcOrder = #VPU.order<KN>, dstOrder = #VPU.order<KNn>, flipsSign} -> tensor<1x2x2x16x4xi8>
  return
}

// -----

// CHECK-LABEL: @images_of_unknown_size
func.func @images_of_unknown_size(%x: tensor<?x4x?x?x16xf32>, %w: tensor<4x4x3x3x16x16xf32>, %y: tensor<?x4x?x?x16xf32>, %z: tensor<?x4x1x1x16xf32>) -> tensor<?x4x1x1x16xf32> {
  // CHECK: VPU.NCE.Convolution {{.*}} -> tensor<?x4x?x?x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<?x4x?x?x16xf32>, tensor<4x4x3x3x16x16xf32>) outs(%y : tensor<?x4x?x?x16xf32>) -> tensor<?x4x?x?x16xf32>
  // CHECK: VPU.NCE.AveragePool {{.*}} {kernel = array<i64>} -> tensor<?x4x1x1x16xf32>
  %1 = VPU.NCE.AveragePool ins(%0 : tensor<?x4x?x?x16xf32>) outs(%z : tensor<?x4x1x1x16xf32>) {kernel = array<i64>} -> tensor<?x4x1x1x16xf32>
  return %1 : tensor<?x4x1x1x16xf32>
}

// CHECK-LABEL: @shuffle_channels
func.func @shuffle_channels(%x: tensor<1x1x4x?x4xf32>, %e: tensor<2x1x4x?x4xf32>, %a: memref<1x1x4x4x4xi8>, %b: memref<1x1x4x4x4xi8>) -> tensor<2x1x4x?x4xf32> {
  // CHECK: VPU.ShuffleChannels ins(%{{.*}} : tensor<1x1x4x?x4xf32>) outs(%{{.*}} : tensor<2x1x4x?x4xf32>) {channels = array<i64: 0, 2, -1, -1, 1, 3, -1, -1>} -> tensor<2x1x4x?x4xf32>
  %0 = VPU.ShuffleChannels ins(%x : tensor<1x1x4x?x4xf32>) outs(%e : tensor<2x1x4x?x4xf32>) {channels = array<i64: 0, 2, -1, -1, 1, 3, -1, -1>} -> tensor<2x1x4x?x4xf32>
  // CHECK: VPU.ShuffleChannels ins(%{{.*}} : memref<1x1x4x4x4xi8>) outs(%{{.*}} : memref<1x1x4x4x4xi8>) {channels = array<i64: 0, 2, 1, 3>}
  VPU.ShuffleChannels ins(%a : memref<1x1x4x4x4xi8>) outs(%b : memref<1x1x4x4x4xi8>) {channels = array<i64: 0, 2, 1, 3>}
  return %0 : tensor<2x1x4x?x4xf32>
}

// -----

// CHECK-LABEL: @fill_border
func.func @fill_border(%t: tensor<1x2x?x16x16xf32>, %m: memref<1x2x16x16x16xi8>) -> tensor<1x2x?x16x16xf32> {
  // CHECK: VPU.FillBorder outs(%arg0 : tensor<1x2x?x16x16xf32>) {padValue = -1.000000e+00 : f32, pads = array<i64: 1, 0, 2, 0>} -> tensor<1x2x?x16x16xf32>
  %0 = VPU.FillBorder outs(%t : tensor<1x2x?x16x16xf32>) {pads = array<i64: 1, 0, 2, 0>, padValue = -1.0 : f32} -> tensor<1x2x?x16x16xf32>
  // CHECK: VPU.FillBorder outs(%arg1 : memref<1x2x16x16x16xi8>) {pads = array<i64: 1, 1, 1, 1>}
  VPU.FillBorder outs(%m : memref<1x2x16x16x16xi8>) {pads = array<i64: 1, 1, 1, 1>}
  return %0 : tensor<1x2x?x16x16xf32>
}

// -----

// CHECK-LABEL: func @integers_that_a_run_offsets
func.func @integers_that_a_run_offsets(%x: tensor<1x16x8x8xi8>, %zero: i8, %w: tensor<1x1x3x3x4x16x4xi8>, %o: tensor<1x16xi32>, %d: tensor<1x3x3x16xf32>, %f: tensor<1x16xf32>) -> (tensor<1x1x8x8x16xi32>, tensor<1x1x8x8x16xf32>) {
  // CHECK: VPU.Copy ins({{.*}}) fill(%arg1) outs({{.*}})
  %e0 = tensor.empty() : tensor<1x1x10x10x16xi8>
  %0 = VPU.Copy ins(%x : tensor<1x16x8x8xi8>) fill(%zero) outs(%e0 : tensor<1x1x10x10x16xi8>) {srcOrder = #VPU.order<NCHW>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>} -> tensor<1x1x10x10x16xi8>
  // CHECK: VPU.NCE.Convolution {{.*}} offset({{.*}}) outs({{.*}}) -> tensor<1x1x8x8x16xi32>
  %e1 = tensor.empty() : tensor<1x1x8x8x16xi32>
  %1 = VPU.NCE.Convolution ins(%0, %w : tensor<1x1x10x10x16xi8>, tensor<1x1x3x3x4x16x4xi8>) offset(%o : tensor<1x16xi32>) outs(%e1 : tensor<1x1x8x8x16xi32>) -> tensor<1x1x8x8x16xi32>
  // CHECK: VPU.NCE.DepthConvolution {{.*}} offset({{.*}} : tensor<1x16xf32>)
  %e2 = tensor.empty() : tensor<1x1x8x8x16xf32>
  %2 = VPU.NCE.DepthConvolution ins(%0, %d : tensor<1x1x10x10x16xi8>, tensor<1x3x3x16xf32>) offset(%f : tensor<1x16xf32>) outs(%e2 : tensor<1x1x8x8x16xf32>) {inputQuant = #VPU.quant<scale = 1.0 : f32, zeroPoint = 0>} -> tensor<1x1x8x8x16xf32>
  return %1, %2 : tensor<1x1x8x8x16xi32>, tensor<1x1x8x8x16xf32>
}

// -----

// CHECK-LABEL: @matmul_of_few_bits_with_rows_of_integers
func.func @matmul_of_few_bits_with_rows_of_integers(%a: memref<1x?x64xf32>, %w: memref<2x2x4x16xi32>, %s: memref<2x2x16xf32>, %f: memref<448xf32>, %y: memref<1x?x20xf32>) {
  // CHECK: VPU.NCE.MatMulNBits {{.*}} scratch(%{{.*}} : memref<448xf32>) outs(%{{.*}} : memref<1x?x20xf32>) {bits = 4 : i64, integerRows = 8 : i64}
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x?x64xf32>, memref<2x2x4x16xi32>) scale(%s : memref<2x2x16xf32>) scratch(%f : memref<448xf32>) outs(%y : memref<1x?x20xf32>) {bits = 4 : i64, integerRows = 8 : i64}
  return
}

// CHECK-LABEL: @matmul_of_few_bits_with_a_scale_for_two_blocks
func.func @matmul_of_few_bits_with_a_scale_for_two_blocks(%a: tensor<1x1x128xf32>, %w: tensor<2x4x4x16xi32>, %s: tensor<2x2x16xf32>, %e: tensor<1x1x20xf32>) -> tensor<1x1x20xf32> {
  // CHECK: VPU.NCE.MatMulNBits ins(%{{.*}}, %{{.*}} : tensor<1x1x128xf32>, tensor<2x4x4x16xi32>) scale(%{{.*}} : tensor<2x2x16xf32>)
  %0 = VPU.NCE.MatMulNBits ins(%a, %w : tensor<1x1x128xf32>, tensor<2x4x4x16xi32>) scale(%s : tensor<2x2x16xf32>) outs(%e : tensor<1x1x20xf32>) {bits = 4 : i64} -> tensor<1x1x20xf32>
  return %0 : tensor<1x1x20xf32>
}

// -----

// CHECK-LABEL: @weights_that_are_packed_late
func.func @weights_that_are_packed_late(%w: tensor<64x30x3x3xf32>, %v: tensor<1x16x20xi8>) -> (tensor<4x2x3x3x16x16xf32>, tensor<1x1x4x16x5xi8>) {
  // CHECK: VPU.PackWeights %{{.*}} {form = #VPU.weights<DENSE>, groups = 2 : i64, inputGroups = 2 : i64} : tensor<64x30x3x3xf32> -> tensor<4x2x3x3x16x16xf32>
  %0 = VPU.PackWeights %w {form = #VPU.weights<DENSE>, groups = 2 : i64, inputGroups = 2 : i64} : tensor<64x30x3x3xf32> -> tensor<4x2x3x3x16x16xf32>
  // CHECK: VPU.PackWeights %{{.*}} {form = #VPU.weights<TRANSPOSED_PANELS>} : tensor<1x16x20xi8> -> tensor<1x1x4x16x5xi8>
  %1 = VPU.PackWeights %v {form = #VPU.weights<TRANSPOSED_PANELS>} : tensor<1x16x20xi8> -> tensor<1x1x4x16x5xi8>
  return %0, %1 : tensor<4x2x3x3x16x16xf32>, tensor<1x1x4x16x5xi8>
}

// -----

// CHECK-LABEL: @matmul_of_few_bits
func.func @matmul_of_few_bits(%a: tensor<1x?x64xf32>, %w: tensor<2x2x4x16xi32>, %s: tensor<2x2x16xf32>, %z: tensor<2x2x16xi8>, %v: tensor<2x16xf32>, %e: tensor<1x?x20xf32>) -> tensor<1x?x20xf32> {
  // CHECK: VPU.NCE.MatMulNBits ins(%{{.*}}, %{{.*}} : tensor<1x?x64xf32>, tensor<2x2x4x16xi32>) scale(%{{.*}} : tensor<2x2x16xf32>) zeroPoint(%{{.*}} : tensor<2x2x16xi8>) bias(%{{.*}} : tensor<2x16xf32>) outs(%{{.*}} : tensor<1x?x20xf32>) {bits = 4 : i64, ppe = #VPU.PPE<mode = RELU>} -> tensor<1x?x20xf32>
  %0 = VPU.NCE.MatMulNBits ins(%a, %w : tensor<1x?x64xf32>, tensor<2x2x4x16xi32>) scale(%s : tensor<2x2x16xf32>) zeroPoint(%z : tensor<2x2x16xi8>) bias(%v : tensor<2x16xf32>) outs(%e : tensor<1x?x20xf32>) {bits = 4 : i64, ppe = #VPU.PPE<mode = RELU>} -> tensor<1x?x20xf32>
  return %0 : tensor<1x?x20xf32>
}

// -----

// The left operand's columns 66 and 67 hold zeros.
// CHECK-LABEL: @matmul_by_rows_of_bytes
func.func @matmul_by_rows_of_bytes(%a: tensor<1x3x68xi8>, %b: tensor<1x1x66x40xi8>, %e: tensor<1x3x40xi32>) -> tensor<1x3x40xi32> {
  // CHECK: VPU.NCE.MatMul ins(%{{.*}}, %{{.*}} : tensor<1x3x68xi8>, tensor<1x1x66x40xi8>) outs(%{{.*}} : tensor<1x3x40xi32>) {unsignedRhs} -> tensor<1x3x40xi32>
  %0 = VPU.NCE.MatMul ins(%a, %b : tensor<1x3x68xi8>, tensor<1x1x66x40xi8>) outs(%e : tensor<1x3x40xi32>) {unsignedRhs} -> tensor<1x3x40xi32>
  return %0 : tensor<1x3x40xi32>
}
