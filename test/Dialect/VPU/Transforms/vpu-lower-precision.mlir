// RUN: nacre-opt %s --init-compiler="vpu-arch=znver4 threads=1" --vpu-lower-precision --canonicalize --split-input-file | FileCheck %s
// RUN: not nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-lower-precision --split-input-file 2>&1 | FileCheck %s --check-prefix=OTHER

// OTHER: error: the architecture x86-64-v4 does not compute in bf16: choose one with bf16 among its element_types

// Weights are packed in pairs of input channels; the layout changes on both
// sides convert.
// CHECK-LABEL: func @convolution_with_constant_weights_takes_pairs
// CHECK-DAG: %[[ROUNDED:.*]] = arith.constant dense_resource<rounded{{.*}}> : tensor<16x16x1x1xbf16>
// CHECK-DAG: %[[WEIGHTS:.*]] = VPU.PackWeights %[[ROUNDED]] {form = #VPU.weights<DENSE>} : tensor<16x16x1x1xbf16> -> tensor<1x1x1x1x8x16x2xbf16>
// CHECK-DAG: %[[BIAS:.*]] = arith.constant dense<5.000000e-01> : tensor<1x16xf32>
// CHECK: %[[IN:.*]] = VPU.Copy ins(%arg0 : tensor<1x16x4x4xf32>) outs(%{{.*}} : tensor<1x1x4x4x16xbf16>)
// CHECK: %[[CONV:.*]] = VPU.NCE.Convolution ins(%[[IN]], %[[WEIGHTS]] : tensor<1x1x4x4x16xbf16>, tensor<1x1x1x1x8x16x2xbf16>) bias(%[[BIAS]] : tensor<1x16xf32>) outs(%{{.*}} : tensor<1x1x4x4x16xbf16>)
// CHECK: VPU.Copy ins(%[[CONV]] : tensor<1x1x4x4x16xbf16>) outs(%{{.*}} : tensor<1x16x4x4xf32>)
func.func @convolution_with_constant_weights_takes_pairs(%x: tensor<1x16x4x4xf32>) -> tensor<1x16x4x4xf32> {
  %m_w = arith.constant dense<1.0> : tensor<16x16x1x1xf32>
  %w = VPU.PackWeights %m_w {form = #VPU.weights<DENSE>} : tensor<16x16x1x1xf32> -> tensor<1x1x1x1x16x16xf32>
  %b = arith.constant dense<0.5> : tensor<1x16xf32>
  %e = tensor.empty() : tensor<1x1x4x4x16xf32>
  %in = VPU.Copy ins(%x : tensor<1x16x4x4xf32>) outs(%e : tensor<1x1x4x4x16xf32>) {srcOrder = #VPU.order<NCHW>, dstOrder = #VPU.order<NCHWc>} -> tensor<1x1x4x4x16xf32>
  %y = VPU.NCE.Convolution ins(%in, %w : tensor<1x1x4x4x16xf32>, tensor<1x1x1x1x16x16xf32>) bias(%b : tensor<1x16xf32>) outs(%e : tensor<1x1x4x4x16xf32>) -> tensor<1x1x4x4x16xf32>
  %f = tensor.empty() : tensor<1x16x4x4xf32>
  %out = VPU.Copy ins(%y : tensor<1x1x4x4x16xf32>) outs(%f : tensor<1x16x4x4xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHW>} -> tensor<1x16x4x4xf32>
  return %out : tensor<1x16x4x4xf32>
}

// -----

// What only software reads, and what is returned, is not rounded.
// CHECK-LABEL: func @chain_of_engine_ops_stays_bf16
// CHECK-NOT: arith.extf
// CHECK: %[[POOL:.*]] = VPU.NCE.MaxPool ins(%{{.*}} : tensor<1x1x4x4x16xbf16>) outs(%{{.*}} : tensor<1x1x2x2x16xbf16>)
// CHECK: %[[SUM:.*]] = VPU.NCE.Eltwise ins(%[[POOL]], %[[POOL]] : tensor<1x1x2x2x16xbf16>, tensor<1x1x2x2x16xbf16>) outs(%{{.*}} : tensor<1x1x2x2x16xf32>)
// CHECK-NEXT: return %[[SUM]]
func.func @chain_of_engine_ops_stays_bf16(%x: tensor<1x1x4x4x16xf32>) -> tensor<1x1x2x2x16xf32> {
  %e = tensor.empty() : tensor<1x1x2x2x16xf32>
  %p = VPU.NCE.MaxPool ins(%x : tensor<1x1x4x4x16xf32>) outs(%e : tensor<1x1x2x2x16xf32>) {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>} -> tensor<1x1x2x2x16xf32>
  %y = VPU.NCE.Eltwise ins(%p, %p : tensor<1x1x2x2x16xf32>, tensor<1x1x2x2x16xf32>) outs(%e : tensor<1x1x2x2x16xf32>) {kind = #VPU.eltwise<ADD>} -> tensor<1x1x2x2x16xf32>
  return %y : tensor<1x1x2x2x16xf32>
}

// -----

// A computed right operand is packed in pairs by its copy.
// CHECK-LABEL: func @product_of_computed_operands_packs_pairs
// CHECK: %[[LHS:.*]] = arith.truncf %arg0 : tensor<1x5x8xf32> to tensor<1x5x8xbf16>
// CHECK: %[[PANELS:.*]] = VPU.Copy ins(%arg1 : tensor<1x8x20xf32>) outs(%{{.*}} : tensor<1x2x4x16x2xbf16>)
// CHECK: VPU.NCE.MatMul ins(%[[LHS]], %[[PANELS]] : tensor<1x5x8xbf16>, tensor<1x2x4x16x2xbf16>) outs(%{{.*}} : tensor<1x5x20xf32>)
func.func @product_of_computed_operands_packs_pairs(%a: tensor<1x5x8xf32>, %b: tensor<1x8x20xf32>) -> tensor<1x5x20xf32> {
  %e = tensor.empty() : tensor<1x2x8x16xf32>
  %p = VPU.Copy ins(%b : tensor<1x8x20xf32>) outs(%e : tensor<1x2x8x16xf32>) {srcOrder = #VPU.order<KN>, dstOrder = #VPU.order<KNn>} -> tensor<1x2x8x16xf32>
  %f = tensor.empty() : tensor<1x5x20xf32>
  %y = VPU.NCE.MatMul ins(%a, %p : tensor<1x5x8xf32>, tensor<1x2x8x16xf32>) outs(%f : tensor<1x5x20xf32>) -> tensor<1x5x20xf32>
  return %y : tensor<1x5x20xf32>
}

// -----

// A result that the engine reads behind a transposition is bf16, too.
// CHECK-LABEL: func @moved_result_is_bf16
// CHECK: VPU.NCE.MatMul {{.*}} outs(%{{.*}} : tensor<1x4x16xbf16>)
// CHECK: VPU.NCE.MatMul {{.*}} outs(%{{.*}} : tensor<1x16x16xf32>)
func.func @moved_result_is_bf16(%a: tensor<1x4x8xf32>) -> tensor<1x16x16xf32> {
  %m_w = arith.constant dense<1.0> : tensor<1x8x16xf32>
  %w = VPU.PackWeights %m_w {form = #VPU.weights<PANELS>} : tensor<1x8x16xf32> -> tensor<1x1x8x16xf32>
  %m_v = arith.constant dense<1.0> : tensor<1x4x16xf32>
  %v = VPU.PackWeights %m_v {form = #VPU.weights<PANELS>} : tensor<1x4x16xf32> -> tensor<1x1x4x16xf32>
  %f = tensor.empty() : tensor<1x4x16xf32>
  %y = VPU.NCE.MatMul ins(%a, %w : tensor<1x4x8xf32>, tensor<1x1x8x16xf32>) outs(%f : tensor<1x4x16xf32>) -> tensor<1x4x16xf32>
  %e = tensor.empty() : tensor<1x16x4xf32>
  %t = linalg.transpose ins(%y : tensor<1x4x16xf32>) outs(%e : tensor<1x16x4xf32>) permutation = [0, 2, 1]
  %g = tensor.empty() : tensor<1x16x16xf32>
  %z = VPU.NCE.MatMul ins(%t, %v : tensor<1x16x4xf32>, tensor<1x1x4x16xf32>) outs(%g : tensor<1x16x16xf32>) -> tensor<1x16x16xf32>
  return %z : tensor<1x16x16xf32>
}

// -----

// Three channels become two pairs: blocking them leaves room for a fourth.
// CHECK-LABEL: func @convolution_of_three_channels_takes_pairs
// CHECK: %[[WEIGHTS:.*]] = VPU.PackWeights %{{.*}} : tensor<16x3x1x1xbf16> -> tensor<1x1x1x1x2x16x2xbf16>
// CHECK: %[[IN:.*]] = VPU.Copy ins(%arg0 : tensor<1x3x4x4xf32>) outs(%{{.*}} : tensor<1x1x4x4x4xbf16>)
// CHECK: VPU.NCE.Convolution ins(%[[IN]], %[[WEIGHTS]] :
func.func @convolution_of_three_channels_takes_pairs(%x: tensor<1x3x4x4xf32>) -> tensor<1x1x4x4x16xf32> {
  %m_w = arith.constant dense<1.0> : tensor<16x3x1x1xf32>
  %w = VPU.PackWeights %m_w {form = #VPU.weights<DENSE>} : tensor<16x3x1x1xf32> -> tensor<1x1x1x1x3x16xf32>
  %b = tensor.empty() : tensor<1x1x4x4x3xf32>
  %in = VPU.Copy ins(%x : tensor<1x3x4x4xf32>) outs(%b : tensor<1x1x4x4x3xf32>) {srcOrder = #VPU.order<NCHW>, dstOrder = #VPU.order<NCHWc>} -> tensor<1x1x4x4x3xf32>
  %e = tensor.empty() : tensor<1x1x4x4x16xf32>
  %y = VPU.NCE.Convolution ins(%in, %w : tensor<1x1x4x4x3xf32>, tensor<1x1x1x1x3x16xf32>) outs(%e : tensor<1x1x4x4x16xf32>) -> tensor<1x1x4x4x16xf32>
  return %y : tensor<1x1x4x4x16xf32>
}

// -----

// Several ops have their weights rounded once.
// CHECK-LABEL: func @shared_weights_are_rounded_once
// CHECK: arith.constant dense_resource<rounded
// CHECK-NOT: arith.constant
// CHECK: %[[W:.*]] = VPU.PackWeights %{{.*}} : tensor<1x8x16xbf16> -> tensor<1x1x4x16x2xbf16>
// CHECK: VPU.NCE.MatMul ins(%{{.*}}, %[[W]] :
// CHECK: VPU.NCE.MatMul ins(%{{.*}}, %[[W]] :
func.func @shared_weights_are_rounded_once(%a: tensor<1x4x8xf32>, %b: tensor<1x4x8xf32>) -> (tensor<1x4x16xf32>, tensor<1x4x16xf32>) {
  %m = arith.constant dense<1.0> : tensor<1x8x16xf32>
  %w = VPU.PackWeights %m {form = #VPU.weights<PANELS>} : tensor<1x8x16xf32> -> tensor<1x1x8x16xf32>
  %f = tensor.empty() : tensor<1x4x16xf32>
  %y = VPU.NCE.MatMul ins(%a, %w : tensor<1x4x8xf32>, tensor<1x1x8x16xf32>) outs(%f : tensor<1x4x16xf32>) -> tensor<1x4x16xf32>
  %z = VPU.NCE.MatMul ins(%b, %w : tensor<1x4x8xf32>, tensor<1x1x8x16xf32>) outs(%f : tensor<1x4x16xf32>) -> tensor<1x4x16xf32>
  return %y, %z : tensor<1x4x16xf32>, tensor<1x4x16xf32>
}

// -----

// Weights that are no constants stay as they are.
// CHECK-LABEL: func @product_of_weights_that_a_run_computes_keeps_f32_operands
// CHECK: VPU.NCE.MatMul ins(%arg0, %{{.*}} : tensor<1x4x8xf32>, tensor<1x1x8x16xf32>)
func.func @product_of_weights_that_a_run_computes_keeps_f32_operands(%a: tensor<1x4x8xf32>, %m: tensor<1x8x16xf32>) -> tensor<1x4x16xf32> {
  %w = VPU.PackWeights %m {form = #VPU.weights<PANELS>} : tensor<1x8x16xf32> -> tensor<1x1x8x16xf32>
  %f = tensor.empty() : tensor<1x4x16xf32>
  %y = VPU.NCE.MatMul ins(%a, %w : tensor<1x4x8xf32>, tensor<1x1x8x16xf32>) outs(%f : tensor<1x4x16xf32>) -> tensor<1x4x16xf32>
  return %y : tensor<1x4x16xf32>
}

// -----

// An odd reduction makes no pairs: nothing becomes bf16.
// CHECK-LABEL: func @product_of_odd_reduction_keeps_f32_operands
// CHECK: VPU.NCE.MatMul ins(%arg0, %{{.*}} : tensor<1x5x7xf32>, tensor<1x1x7x16xf32>) outs(%{{.*}} : tensor<1x5x16xf32>)
func.func @product_of_odd_reduction_keeps_f32_operands(%a: tensor<1x5x7xf32>) -> tensor<1x5x16xf32> {
  %m_w = arith.constant dense<1.0> : tensor<1x7x16xf32>
  %w = VPU.PackWeights %m_w {form = #VPU.weights<PANELS>} : tensor<1x7x16xf32> -> tensor<1x1x7x16xf32>
  %f = tensor.empty() : tensor<1x5x16xf32>
  %y = VPU.NCE.MatMul ins(%a, %w : tensor<1x5x7xf32>, tensor<1x1x7x16xf32>) outs(%f : tensor<1x5x16xf32>) -> tensor<1x5x16xf32>
  return %y : tensor<1x5x16xf32>
}

// -----

// Integer ops have the precision their model chose.
// CHECK-LABEL: func @integer_op_is_left_alone
// CHECK: VPU.NCE.Eltwise {{.*}} outs(%{{.*}} : tensor<1x1x2x2x16xi8>)
func.func @integer_op_is_left_alone(%x: tensor<1x1x2x2x16xi8>) -> tensor<1x1x2x2x16xi8> {
  %e = tensor.empty() : tensor<1x1x2x2x16xi8>
  %y = VPU.NCE.Eltwise ins(%x, %x : tensor<1x1x2x2x16xi8>, tensor<1x1x2x2x16xi8>) outs(%e : tensor<1x1x2x2x16xi8>)
      {kind = #VPU.eltwise<ADD>, lhsQuant = #VPU.quant<scale = 1.0 : f32, zeroPoint = 0>, rhsQuant = #VPU.quant<scale = 1.0 : f32, zeroPoint = 0>, ppe = #VPU.PPE<mode = NOOP, zeroPoint = 0 : i64>} -> tensor<1x1x2x2x16xi8>
  return %y : tensor<1x1x2x2x16xi8>
}

// -----

// CHECK-LABEL: func @product_of_dynamic_rows_is_narrowed_in_its_sizes
// CHECK: %[[LHS:.*]] = arith.truncf %{{.*}} : tensor<1x?x4xf32> to tensor<1x?x4xbf16>
// CHECK: %[[N:.*]] = tensor.dim
// CHECK: %[[INIT:.*]] = tensor.empty(%[[N]]) : tensor<1x?x16xbf16>
// CHECK: VPU.NCE.MatMul ins(%[[LHS]], %{{.*}} : tensor<1x?x4xbf16>, tensor<1x1x{{.*}}xbf16>) outs(%[[INIT]]
func.func @product_of_dynamic_rows_is_narrowed_in_its_sizes(%x: tensor<1x?x4xf32>, %init: tensor<1x?x16xf32>, %to: tensor<1x?x16xf32>) -> tensor<1x?x16xf32> {
  %m_w = arith.constant dense<1.0> : tensor<1x4x16xf32>
  %w = VPU.PackWeights %m_w {form = #VPU.weights<PANELS>} : tensor<1x4x16xf32> -> tensor<1x1x4x16xf32>
  %m_v = arith.constant dense<2.0> : tensor<1x16x16xf32>
  %v = VPU.PackWeights %m_v {form = #VPU.weights<PANELS>} : tensor<1x16x16xf32> -> tensor<1x1x16x16xf32>
  %0 = VPU.NCE.MatMul ins(%x, %w : tensor<1x?x4xf32>, tensor<1x1x4x16xf32>) outs(%init : tensor<1x?x16xf32>) -> tensor<1x?x16xf32>
  %1 = VPU.NCE.MatMul ins(%0, %v : tensor<1x?x16xf32>, tensor<1x1x16x16xf32>) outs(%to : tensor<1x?x16xf32>) -> tensor<1x?x16xf32>
  return %1 : tensor<1x?x16xf32>
}

// -----

// CHECK-LABEL: func @convolution_of_unknown_size_takes_pairs
// CHECK: %[[EMPTY:.*]] = tensor.empty(%{{.*}}, %{{.*}}) : tensor<1x1x?x?x4xbf16>
// CHECK: %[[IN:.*]] = VPU.Copy ins(%{{.*}} : tensor<1x3x?x?xf32>) outs(%[[EMPTY]] : tensor<1x1x?x?x4xbf16>)
// CHECK: VPU.NCE.Convolution ins(%[[IN]], %{{.*}} : tensor<1x1x?x?x4xbf16>, tensor<1x1x1x1x2x16x2xbf16>)
func.func @convolution_of_unknown_size_takes_pairs(%x: tensor<1x3x?x?xf32>, %h: index, %width: index, %init: tensor<1x1x?x?x16xf32>) -> tensor<1x1x?x?x16xf32> {
  %m_w = arith.constant dense<1.0> : tensor<16x3x1x1xf32>
  %w = VPU.PackWeights %m_w {form = #VPU.weights<DENSE>} : tensor<16x3x1x1xf32> -> tensor<1x1x1x1x3x16xf32>
  %e = tensor.empty(%h, %width) : tensor<1x1x?x?x3xf32>
  %in = VPU.Copy ins(%x : tensor<1x3x?x?xf32>) outs(%e : tensor<1x1x?x?x3xf32>) {srcOrder = #VPU.order<NCHW>, dstOrder = #VPU.order<NCHWc>} -> tensor<1x1x?x?x3xf32>
  %y = VPU.NCE.Convolution ins(%in, %w : tensor<1x1x?x?x3xf32>, tensor<1x1x1x1x3x16xf32>) outs(%init : tensor<1x1x?x?x16xf32>) -> tensor<1x1x?x?x16xf32>
  return %y : tensor<1x1x?x?x16xf32>
}

// -----

// Two channels of a group are a pair: weights[1] is what pair l adds to the output
// channel of lane l xor 1. The second half of the lanes has the same pairs again,
// and the other output channels.
// CHECK-LABEL: func @group_convolution_takes_pairs
// CHECK-DAG: %[[W:.*]] = VPU.PackWeights %{{.*}} {form = #VPU.weights<GROUPED>} : tensor<16x4x1x1xbf16> -> tensor<1x1x1x2x16x2xbf16>
// CHECK: VPU.NCE.GroupConvolution ins(%{{.*}}, %[[W]] : tensor<1x1x4x4x16xbf16>, tensor<1x1x1x2x16x2xbf16>) outs(%{{.*}} : tensor<1x1x4x4x16xbf16>)
func.func @group_convolution_takes_pairs(%x: tensor<1x1x4x4x16xf32>) -> tensor<1x1x2x2x16xf32> {
  %m_w = arith.constant dense<1.0> : tensor<16x4x1x1xf32>
  %w = VPU.PackWeights %m_w {form = #VPU.weights<GROUPED>} : tensor<16x4x1x1xf32> -> tensor<1x1x1x4x16xf32>
  %e = tensor.empty() : tensor<1x1x4x4x16xf32>
  %y = VPU.NCE.GroupConvolution ins(%x, %w : tensor<1x1x4x4x16xf32>, tensor<1x1x1x4x16xf32>) outs(%e : tensor<1x1x4x4x16xf32>) -> tensor<1x1x4x4x16xf32>
  %f = tensor.empty() : tensor<1x1x2x2x16xf32>
  %p = VPU.NCE.MaxPool ins(%y : tensor<1x1x4x4x16xf32>) outs(%f : tensor<1x1x2x2x16xf32>) {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>} -> tensor<1x1x2x2x16xf32>
  return %p : tensor<1x1x2x2x16xf32>
}

// -----

// Blocks of half a vector make no packs that fill one: their weights stay f32. Nor
// are weights packed that are no constants.
// CHECK-LABEL: func @group_convolution_of_other_weights_reads_bf16
// CHECK-DAG: %[[W:.*]] = VPU.PackWeights %{{.*}} -> tensor<1x1x1x4x8xf32>
// CHECK: VPU.NCE.GroupConvolution ins(%{{.*}}, %[[W]] : tensor<1x1x4x4x8xbf16>, tensor<1x1x1x4x8xf32>)
// CHECK: VPU.NCE.GroupConvolution ins(%{{.*}}, %{{.*}} : tensor<1x1x4x4x16xbf16>, tensor<1x1x1x4x16xbf16>)
func.func @group_convolution_of_other_weights_reads_bf16(%x: tensor<1x1x4x4x8xf32>, %y: tensor<1x1x4x4x16xf32>, %v: tensor<1x1x1x4x16xf32>) -> (tensor<1x1x4x4x8xf32>, tensor<1x1x4x4x16xf32>) {
  %m_w = arith.constant dense<1.0> : tensor<8x4x1x1xf32>
  %w = VPU.PackWeights %m_w {form = #VPU.weights<GROUPED>} : tensor<8x4x1x1xf32> -> tensor<1x1x1x4x8xf32>
  %e = tensor.empty() : tensor<1x1x4x4x8xf32>
  %0 = VPU.NCE.GroupConvolution ins(%x, %w : tensor<1x1x4x4x8xf32>, tensor<1x1x1x4x8xf32>) outs(%e : tensor<1x1x4x4x8xf32>) -> tensor<1x1x4x4x8xf32>
  %f = tensor.empty() : tensor<1x1x4x4x16xf32>
  %1 = VPU.NCE.GroupConvolution ins(%y, %v : tensor<1x1x4x4x16xf32>, tensor<1x1x1x4x16xf32>) outs(%f : tensor<1x1x4x4x16xf32>) -> tensor<1x1x4x4x16xf32>
  return %0, %1 : tensor<1x1x4x4x8xf32>, tensor<1x1x4x4x16xf32>
}

// -----

// A sum that the next element of a kernel's depth is added to is rounded once.
// CHECK-LABEL: func @sum_of_several_convolutions_is_rounded_in_the_end
// CHECK: %[[PART:.*]] = VPU.NCE.Convolution ins({{.*}}) bias({{.*}}) outs(%{{.*}} : tensor<1x1x4x4x16xf32>)
// CHECK: %[[SUM:.*]] = VPU.NCE.Convolution ins({{.*}}) residual(%[[PART]] : tensor<1x1x4x4x16xf32>) outs(%{{.*}} : tensor<1x1x4x4x16xbf16>)
// CHECK: VPU.NCE.MaxPool ins(%[[SUM]] : tensor<1x1x4x4x16xbf16>)
func.func @sum_of_several_convolutions_is_rounded_in_the_end(%x: tensor<2x1x4x4x16xf32>) -> tensor<1x1x2x2x16xf32> {
  %m_w = arith.constant dense<1.0> : tensor<16x16x1x1xf32>
  %w = VPU.PackWeights %m_w {form = #VPU.weights<DENSE>} : tensor<16x16x1x1xf32> -> tensor<1x1x1x1x16x16xf32>
  %b = arith.constant dense<0.5> : tensor<1x16xf32>
  %e = tensor.empty() : tensor<1x1x4x4x16xf32>
  %0 = tensor.extract_slice %x[0, 0, 0, 0, 0] [1, 1, 4, 4, 16] [1, 1, 1, 1, 1] : tensor<2x1x4x4x16xf32> to tensor<1x1x4x4x16xf32>
  %1 = tensor.extract_slice %x[1, 0, 0, 0, 0] [1, 1, 4, 4, 16] [1, 1, 1, 1, 1] : tensor<2x1x4x4x16xf32> to tensor<1x1x4x4x16xf32>
  %part = VPU.NCE.Convolution ins(%0, %w : tensor<1x1x4x4x16xf32>, tensor<1x1x1x1x16x16xf32>) bias(%b : tensor<1x16xf32>) outs(%e : tensor<1x1x4x4x16xf32>) -> tensor<1x1x4x4x16xf32>
  %sum = VPU.NCE.Convolution ins(%1, %w : tensor<1x1x4x4x16xf32>, tensor<1x1x1x1x16x16xf32>) residual(%part : tensor<1x1x4x4x16xf32>) outs(%e : tensor<1x1x4x4x16xf32>) -> tensor<1x1x4x4x16xf32>
  %f = tensor.empty() : tensor<1x1x2x2x16xf32>
  %p = VPU.NCE.MaxPool ins(%sum : tensor<1x1x4x4x16xf32>) outs(%f : tensor<1x1x2x2x16xf32>) {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>} -> tensor<1x1x2x2x16xf32>
  return %p : tensor<1x1x2x2x16xf32>
}

// -----

// A shortcut is rounded as every other activation is.
// CHECK-LABEL: func @residual_of_a_layer_with_a_bias_is_bf16
// CHECK: %[[SHORT:.*]] = VPU.NCE.Convolution ins({{.*}}) bias({{.*}}) outs(%{{.*}} : tensor<1x1x4x4x16xbf16>)
// CHECK: VPU.NCE.Convolution ins({{.*}}) bias({{.*}}) residual(%[[SHORT]] : tensor<1x1x4x4x16xbf16>)
func.func @residual_of_a_layer_with_a_bias_is_bf16(%x: tensor<1x1x4x4x16xf32>, %z: tensor<1x1x4x4x16xf32>) -> tensor<1x1x4x4x16xf32> {
  %m_w = arith.constant dense<1.0> : tensor<16x16x1x1xf32>
  %w = VPU.PackWeights %m_w {form = #VPU.weights<DENSE>} : tensor<16x16x1x1xf32> -> tensor<1x1x1x1x16x16xf32>
  %b = arith.constant dense<0.5> : tensor<1x16xf32>
  %e = tensor.empty() : tensor<1x1x4x4x16xf32>
  %short = VPU.NCE.Convolution ins(%x, %w : tensor<1x1x4x4x16xf32>, tensor<1x1x1x1x16x16xf32>) bias(%b : tensor<1x16xf32>) outs(%e : tensor<1x1x4x4x16xf32>) -> tensor<1x1x4x4x16xf32>
  %y = VPU.NCE.Convolution ins(%z, %w : tensor<1x1x4x4x16xf32>, tensor<1x1x1x1x16x16xf32>) bias(%b : tensor<1x16xf32>) residual(%short : tensor<1x1x4x4x16xf32>) outs(%e : tensor<1x1x4x4x16xf32>) -> tensor<1x1x4x4x16xf32>
  return %y : tensor<1x1x4x4x16xf32>
}

// -----

// What meets weights of few bits has 16 bits, unless the model asks for less.
// CHECK-LABEL: func @weights_of_few_bits
// CHECK: VPU.NCE.MatMulNBits ins(%{{.*}}, %arg1 : tensor<1x1x128xbf16>, tensor<2x4x4x16xi32>) scale(%{{.*}} : tensor<2x4x16xf32>) outs(%{{.*}}) {bits = 4 : i64, rowParts = 2 : i64}
// CHECK: VPU.NCE.MatMulNBits ins(%{{.*}}, %arg1 : tensor<1x1x128xbf16>, tensor<2x4x4x16xi32>) scale(%{{.*}} : tensor<2x4x16xf32>) outs(%{{.*}}) {bits = 4 : i64, rowParts = 1 : i64}
func.func @weights_of_few_bits(%a: tensor<1x1x128xf32>, %w: tensor<2x4x4x16xi32>) -> (tensor<1x1x20xf32>, tensor<1x1x20xf32>) {
  %s = arith.constant dense<0.5> : tensor<2x4x16xf32>
  %e = tensor.empty() : tensor<1x1x20xf32>
  %0 = VPU.NCE.MatMulNBits ins(%a, %w : tensor<1x1x128xf32>, tensor<2x4x4x16xi32>) scale(%s : tensor<2x4x16xf32>) outs(%e : tensor<1x1x20xf32>) {bits = 4 : i64} -> tensor<1x1x20xf32>
  %1 = VPU.NCE.MatMulNBits ins(%a, %w : tensor<1x1x128xf32>, tensor<2x4x4x16xi32>) scale(%s : tensor<2x4x16xf32>) outs(%e : tensor<1x1x20xf32>) {bits = 4 : i64, rowParts = 1 : i64} -> tensor<1x1x20xf32>
  return %0, %1 : tensor<1x1x20xf32>, tensor<1x1x20xf32>
}
