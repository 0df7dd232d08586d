// RUN: nacre-opt %s --split-input-file --verify-diagnostics

func.func @convolution_with_too_few_rows_is_rejected(%x: memref<1x1x9x10x16xf32>, %w: memref<1x1x3x3x16x16xf32>, %y: memref<1x1x8x8x16xf32>) {
  // expected-error@+1 {{expected at least 10 rows of padded input, found 9}}
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x9x10x16xf32>, memref<1x1x3x3x16x16xf32>) outs(%y : memref<1x1x8x8x16xf32>)
  return
}

// -----

func.func @convolution_with_uneven_groups_is_rejected(%x: memref<1x3x8x8x16xf32>, %w: memref<2x1x1x1x16x16xf32>, %y: memref<1x2x8x8x16xf32>) {
  // expected-error@+1 {{expected groups to divide the blocks of input and destination, found groups 2 of 3 and 2 blocks}}
  VPU.NCE.Convolution ins(%x, %w : memref<1x3x8x8x16xf32>, memref<2x1x1x1x16x16xf32>) outs(%y : memref<1x2x8x8x16xf32>) {groups = 2 : i64}
  return
}

// -----

func.func @convolution_with_other_input_blocks_is_rejected(%x: memref<1x1x8x8x16xf32>, %w: memref<1x1x1x1x8x16xf32>, %y: memref<1x1x8x8x16xf32>) {
  // expected-error@+1 {{expected equal channels per block of weights and input, found 8 and 16}}
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x8x8x16xf32>, memref<1x1x1x1x8x16xf32>) outs(%y : memref<1x1x8x8x16xf32>)
  return
}

// -----

func.func @convolution_with_zero_stride_is_rejected(%x: memref<1x1x8x8x16xf32>, %w: memref<1x1x1x1x16x16xf32>, %y: memref<1x1x8x8x16xf32>) {
  // expected-error@+1 {{expected strides to be two positive numbers, found [1, 0]}}
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x8x8x16xf32>, memref<1x1x1x1x16x16xf32>) outs(%y : memref<1x1x8x8x16xf32>) {strides = array<i64: 1, 0>}
  return
}

// -----

func.func @tensors_and_buffers_do_not_mix(%x: tensor<1x1x8x8x16xf32>, %y: memref<1x1x8x8x16xf32>) {
  // expected-error@+1 {{expected operands to be all tensors or all memrefs}}
  VPU.NCE.MaxPool ins(%x : tensor<1x1x8x8x16xf32>) outs(%y : memref<1x1x8x8x16xf32>) {kernel = array<i64: 1, 1>}
  return
}

// -----

func.func @matmul_with_too_few_panels_is_rejected(%a: memref<1x4x8xf32>, %b: memref<1x1x8x16xf32>, %y: memref<1x4x17xf32>) {
  // expected-error@+1 {{expected at most 16 columns for 1 panels of 16, found 17}}
  VPU.NCE.MatMul ins(%a, %b : memref<1x4x8xf32>, memref<1x1x8x16xf32>) outs(%y : memref<1x4x17xf32>)
  return
}

// -----

func.func @matmul_of_other_reduction_is_rejected(%a: memref<1x4x8xf32>, %b: memref<1x1x9x16xf32>, %y: memref<1x4x16xf32>) {
  // expected-error@+1 {{expected equal reduction sizes, found 8 and 9}}
  VPU.NCE.MatMul ins(%a, %b : memref<1x4x8xf32>, memref<1x1x9x16xf32>) outs(%y : memref<1x4x16xf32>)
  return
}

// -----

func.func @eltwise_of_other_shape_is_rejected(%a: memref<1x4x8xf32>, %b: memref<1x4x9xf32>) {
  // expected-error@+1 {{expected rhs of the destination's shape}}
  VPU.NCE.Eltwise ins(%a, %b : memref<1x4x8xf32>, memref<1x4x9xf32>) outs(%a : memref<1x4x8xf32>) {kind = #VPU.eltwise<ADD>}
  return
}

// -----

func.func @copy_of_unsupported_orders_is_rejected(%a: memref<1x4x8xf32>, %b: memref<1x4x8x8xf32>) {
  // expected-error@+1 {{expected a supported pair of orders, found KN to NCHW}}
  VPU.Copy ins(%a : memref<1x4x8xf32>) outs(%b : memref<1x4x8x8xf32>) {srcOrder = #VPU.order<KN>, dstOrder = #VPU.order<NCHW>}
  return
}

// -----

func.func @copy_with_wrong_padding_is_rejected(%a: memref<1x3x8x8xf32>, %b: memref<1x1x10x9x3xf32>) {
  // expected-error@+1 {{expected 10 columns in the destination, found 9}}
  VPU.Copy ins(%a : memref<1x3x8x8xf32>) outs(%b : memref<1x1x10x9x3xf32>) {srcOrder = #VPU.order<NCHW>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>}
  return
}

// -----

func.func @copy_that_flips_signs_of_floats_is_rejected(%a: memref<1x4x20xf32>, %b: memref<1x2x4x16xf32>) {
  // expected-error@+1 {{expected signs to be flipped only of bytes in order KN that become panels, found 'memref<1x2x4x16xf32>'}}
  VPU.Copy ins(%a : memref<1x4x20xf32>) outs(%b : memref<1x2x4x16xf32>) {srcOrder = #VPU.order<KN>, dstOrder = #VPU.order<KNn>, flipsSign}
  return
}

// -----

func.func @copy_that_flips_signs_of_panels_is_rejected(%a: memref<1x2x2x16x4xi8>, %b: memref<1x2x2x16x4xi8>) {
  // expected-error@+1 {{expected signs to be flipped only of bytes in order KN that become panels, found 'memref<1x2x2x16x4xi8>'}}
  VPU.Copy ins(%a : memref<1x2x2x16x4xi8>) outs(%b : memref<1x2x2x16x4xi8>) {srcOrder = #VPU.order<KNn>, dstOrder = #VPU.order<KNn>, flipsSign}
  return
}

// -----

func.func @copy_that_flips_signs_of_a_transposed_matrix_is_rejected(%a: memref<1x20x8xi8>, %b: memref<1x2x2x16x4xi8>) {
  // expected-error@+1 {{expected signs to be flipped only of bytes in order KN that become panels, found 'memref<1x2x2x16x4xi8>'}}
  VPU.Copy ins(%a : memref<1x20x8xi8>) outs(%b : memref<1x2x2x16x4xi8>) {srcOrder = #VPU.order<NK>, dstOrder = #VPU.order<KNn>, flipsSign}
  return
}

// -----

func.func @copy_padding_outside_images_is_rejected(%a: memref<4x4xf32>, %b: memref<4x4xf32>) {
  // expected-error@+1 {{expected padding only into order NCHWc, found ANY}}
  VPU.Copy ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>) {pads = array<i64: 1, 0, 0, 0>}
  return
}

// -----

// expected-error@+1 {{expected bounds with mode CLAMP}}
#ppe = #VPU.PPE<mode = CLAMP>

// -----

// expected-error@+1 {{expected low <= high, found 2.0}}
#ppe = #VPU.PPE<mode = CLAMP, low = 2.0, high = 1.0>

// -----

// expected-error@+1 {{expected slope with mode SWISH}}
#ppe = #VPU.PPE<mode = SWISH>

// -----

// expected-error@+1 {{unexpected slope with mode RELU}}
#ppe = #VPU.PPE<mode = RELU, slope = 1.0>

// -----

// expected-error@+1 {{expected a zeroPoint in [0, 255], found 256}}
#ppe = #VPU.PPE<mode = NOOP, zeroPoint = 256 : i64>

// -----

// expected-error@+1 {{expected a zeroPoint in [0, 255], found -1}}
#ppe = #VPU.PPE<mode = RELU, zeroPoint = -1 : i64>

// -----

// expected-error@+1 {{expected rank 5 for order NCHWc, found 4}}
func.func private @layout_of_other_rank_is_rejected(tensor<1x4x8x8xf32, #VPU.layout<order = NCHWc, memory = CMX>>)

// -----

func.func @winograd_convolution_with_weights_of_other_points_is_an_error(%x: memref<1x1x6x6x16xf32>, %u: memref<16x1x1x16x16xf32>, %y: memref<1x1x4x4x16xf32>) {
  // expected-error @+1 {{expected weights of 36 points, found 'memref<16x1x1x16x16xf32>'}}
  VPU.NCE.WinogradConvolution ins(%x, %u : memref<1x1x6x6x16xf32>, memref<16x1x1x16x16xf32>) outs(%y : memref<1x1x4x4x16xf32>)
  return
}

// -----

func.func @winograd_convolution_of_too_few_rows_is_an_error(%x: memref<1x1x5x6x16xf32>, %u: memref<36x1x1x16x16xf32>, %y: memref<1x1x4x4x16xf32>) {
  // expected-error @+1 {{expected at least 6 rows of padded input, found 5}}
  VPU.NCE.WinogradConvolution ins(%x, %u : memref<1x1x5x6x16xf32>, memref<36x1x1x16x16xf32>) outs(%y : memref<1x1x4x4x16xf32>)
  return
}

// -----

func.func @winograd_convolution_with_a_chunk_but_no_scratch_is_an_error(%x: memref<1x1x6x6x16xf32>, %u: memref<36x1x1x16x16xf32>, %y: memref<1x1x4x4x16xf32>) {
  // expected-error @+1 {{expected a chunk exactly where there is scratch}}
  VPU.NCE.WinogradConvolution ins(%x, %u : memref<1x1x6x6x16xf32>, memref<36x1x1x16x16xf32>) outs(%y : memref<1x1x4x4x16xf32>) {chunk = array<i64: 1, 1>}
  return
}

// -----

func.func @winograd_convolution_with_too_little_scratch_is_an_error(%x: memref<1x1x6x6x16xf32>, %u: memref<36x1x1x16x16xf32>, %v: memref<1152xf32>, %m: memref<100xf32>, %y: memref<1x1x4x4x16xf32>) {
  // expected-error @+1 {{expected at least 1152 elements of scratch, found 'memref<100xf32>'}}
  VPU.NCE.WinogradConvolution ins(%x, %u : memref<1x1x6x6x16xf32>, memref<36x1x1x16x16xf32>) scratch(%v, %m : memref<1152xf32>, memref<100xf32>) outs(%y : memref<1x1x4x4x16xf32>) {chunk = array<i64: 1, 1>}
  return
}

// -----

func.func @winograd_convolution_with_inputs_of_another_type_is_an_error(%x: memref<1x1x6x6x16xbf16>, %u: memref<36x1x1x16x16xbf16>, %v: memref<1152xf32>, %m: memref<1152xf32>, %y: memref<1x1x4x4x16xbf16>) {
  // expected-error @+1 {{expected transformed inputs of the weights' type 'bf16', found 'memref<1152xf32>'}}
  VPU.NCE.WinogradConvolution ins(%x, %u : memref<1x1x6x6x16xbf16>, memref<36x1x1x16x16xbf16>) scratch(%v, %m : memref<1152xf32>, memref<1152xf32>) outs(%y : memref<1x1x4x4x16xbf16>) {chunk = array<i64: 1, 1>}
  return
}

// -----

func.func @winograd_convolution_of_unknown_tiles_is_an_error(%x: memref<1x1x6x6x16xf32>, %u: memref<25x1x1x16x16xf32>, %y: memref<1x1x4x4x16xf32>) {
  // expected-error @+1 {{expected tileSize to be 2 or 4, found 3}}
  VPU.NCE.WinogradConvolution ins(%x, %u : memref<1x1x6x6x16xf32>, memref<25x1x1x16x16xf32>) outs(%y : memref<1x1x4x4x16xf32>) {tileSize = 3 : i64}
  return
}

// -----

func.func @winograd_convolution_with_packs_of_other_blocks_is_an_error(%x: memref<1x1x6x6x16xbf16>, %u: memref<36x1x1x16x16x2xbf16>, %y: memref<1x1x4x4x16xbf16>) {
  // expected-error @+1 {{expected equal channels per block of weights and input, found 32 and 16}}
  VPU.NCE.WinogradConvolution ins(%x, %u : memref<1x1x6x6x16xbf16>, memref<36x1x1x16x16x2xbf16>) outs(%y : memref<1x1x4x4x16xbf16>)
  return
}

// -----

func.func @convolution_of_too_few_input_channels_is_an_error(%x: memref<1x2x4x4x16xf32>, %w: memref<1x2x1x1x16x16xf32>, %y: memref<1x1x4x4x16xf32>) {
  // expected-error @+1 {{expected inputChannels to need all 2 blocks of 16, found 16}}
  VPU.NCE.Convolution ins(%x, %w : memref<1x2x4x4x16xf32>, memref<1x2x1x1x16x16xf32>) outs(%y : memref<1x1x4x4x16xf32>) {inputChannels = 16 : i64}
  return
}

// -----

func.func @convolution_of_bytes_with_float_weights_is_an_error(%x: memref<1x1x4x4x16xi8>, %w: memref<1x1x1x1x16x16xf32>, %y: memref<1x1x4x4x16xf32>) {
  // expected-error @+1 {{expected two 8-bit operands or none, found 'memref<1x1x4x4x16xi8>' and 'memref<1x1x1x1x16x16xf32>'}}
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x4x4x16xi8>, memref<1x1x1x1x16x16xf32>) outs(%y : memref<1x1x4x4x16xf32>)
  return
}

// -----

func.func @convolution_of_floats_with_offset_is_an_error(%x: memref<1x1x4x4x16xf32>, %w: memref<1x1x1x1x16x16xf32>, %o: memref<1x16xi32>, %y: memref<1x1x4x4x16xf32>) {
  // expected-error @+1 {{unexpected scale or offset for sums of type 'f32'}}
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x4x4x16xf32>, memref<1x1x1x1x16x16xf32>) offset(%o : memref<1x16xi32>) outs(%y : memref<1x1x4x4x16xf32>)
  return
}

// -----

func.func @convolution_of_floats_with_scale_is_an_error(%x: memref<1x1x4x4x16xf32>, %w: memref<1x1x1x1x16x16xf32>, %s: memref<1x16xf32>, %y: memref<1x1x4x4x16xf32>) {
  // expected-error @+1 {{unexpected scale or offset for sums of type 'f32'}}
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x4x4x16xf32>, memref<1x1x1x1x16x16xf32>) scale(%s : memref<1x16xf32>) outs(%y : memref<1x1x4x4x16xf32>)
  return
}

// -----

func.func @convolution_to_bytes_without_zero_point_is_an_error(%x: memref<1x1x4x4x16xi8>, %w: memref<1x1x1x1x16x16xi8>, %y: memref<1x1x4x4x16xi8>) {
  // expected-error @+1 {{expected zeroPoint in ppe for a result of type 'memref<1x1x4x4x16xi8>'}}
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x4x4x16xi8>, memref<1x1x1x1x16x16xi8>) outs(%y : memref<1x1x4x4x16xi8>)
  return
}

// -----

func.func @convolution_to_floats_with_zero_point_is_an_error(%x: memref<1x1x4x4x16xi8>, %w: memref<1x1x1x1x16x16xi8>, %y: memref<1x1x4x4x16xf32>) {
  // expected-error @+1 {{zeroPoint in ppe for a result of type 'memref<1x1x4x4x16xf32>'}}
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x4x4x16xi8>, memref<1x1x1x1x16x16xi8>) outs(%y : memref<1x1x4x4x16xf32>) {ppe = #VPU.PPE<mode = NOOP, zeroPoint = 3 : i64>}
  return
}

// -----

func.func @convolution_with_offset_of_other_blocks_is_an_error(%x: memref<1x1x4x4x16xi8>, %w: memref<1x1x1x1x16x16xi8>, %o: memref<2x16xi32>, %y: memref<1x1x4x4x16xf32>) {
  // expected-error @+1 {{expected equal blocks of offset and destination, found 2 and 1}}
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x4x4x16xi8>, memref<1x1x1x1x16x16xi8>) offset(%o : memref<2x16xi32>) outs(%y : memref<1x1x4x4x16xf32>)
  return
}

// -----

func.func @convolution_with_offset_of_floats_is_an_error(%x: memref<1x1x4x4x16xi8>, %w: memref<1x1x1x1x16x16xi8>, %o: memref<1x16xf32>, %y: memref<1x1x4x4x16xf32>) {
  // expected-error @+1 {{operand #2 must be per-channel offset (OCB, oc)}}
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x4x4x16xi8>, memref<1x1x1x1x16x16xi8>) offset(%o : memref<1x16xf32>) outs(%y : memref<1x1x4x4x16xf32>)
  return
}

// -----

func.func @convolution_with_scale_of_other_width_is_an_error(%x: memref<1x1x4x4x16xi8>, %w: memref<1x1x1x1x16x16xi8>, %s: memref<1x8xf32>, %y: memref<1x1x4x4x16xf32>) {
  // expected-error @+1 {{expected equal channels per block of scale and destination, found 8 and 16}}
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x4x4x16xi8>, memref<1x1x1x1x16x16xi8>) scale(%s : memref<1x8xf32>) outs(%y : memref<1x1x4x4x16xf32>)
  return
}

// -----

func.func @convolution_with_packs_of_other_blocks_is_an_error(%x: memref<1x1x4x4x16xi8>, %w: memref<1x1x1x1x3x16x4xi8>, %y: memref<1x1x4x4x16xf32>) {
  // expected-error @+1 {{expected equal channels per block of weights and input, found 12 and 16}}
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x4x4x16xi8>, memref<1x1x1x1x3x16x4xi8>) outs(%y : memref<1x1x4x4x16xf32>)
  return
}

// -----

func.func @convolution_with_packs_of_too_few_input_channels_is_an_error(%x: memref<1x2x4x4x12xi8>, %w: memref<1x2x1x1x3x16x4xi8>, %y: memref<1x1x4x4x16xf32>) {
  // expected-error @+1 {{expected inputChannels to need all 2 blocks of 12, found 12}}
  VPU.NCE.Convolution ins(%x, %w : memref<1x2x4x4x12xi8>, memref<1x2x1x1x3x16x4xi8>) outs(%y : memref<1x1x4x4x16xf32>) {inputChannels = 12 : i64}
  return
}

// -----

func.func @convolution_with_packs_of_other_output_width_is_an_error(%x: memref<1x1x4x4x16xi8>, %w: memref<1x1x1x1x4x8x4xi8>, %y: memref<1x1x4x4x16xf32>) {
  // expected-error @+1 {{expected equal channels per block of weights and destination, found 8 and 16}}
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x4x4x16xi8>, memref<1x1x1x1x4x8x4xi8>) outs(%y : memref<1x1x4x4x16xf32>)
  return
}

// -----

func.func @matmul_of_floats_with_byte_panels_is_an_error(%a: memref<1x4x8xf32>, %b: memref<1x1x8x16xi8>, %y: memref<1x4x16xf32>) {
  // expected-error @+1 {{expected two 8-bit operands or none, found 'memref<1x4x8xf32>' and 'memref<1x1x8x16xi8>'}}
  VPU.NCE.MatMul ins(%a, %b : memref<1x4x8xf32>, memref<1x1x8x16xi8>) outs(%y : memref<1x4x16xf32>)
  return
}

// -----

func.func @matmul_of_floats_with_scale_is_an_error(%a: memref<1x4x8xf32>, %b: memref<1x1x8x16xf32>, %s: memref<1x16xf32>, %y: memref<1x4x16xf32>) {
  // expected-error @+1 {{unexpected scale or offset for sums of type 'f32'}}
  VPU.NCE.MatMul ins(%a, %b : memref<1x4x8xf32>, memref<1x1x8x16xf32>) scale(%s : memref<1x16xf32>) outs(%y : memref<1x4x16xf32>)
  return
}

// -----

func.func @matmul_with_packs_of_other_reduction_is_an_error(%a: memref<1x4x8xi8>, %b: memref<1x1x3x16x4xi8>, %y: memref<1x4x16xf32>) {
  // expected-error @+1 {{expected equal reduction sizes, found 8 and 12}}
  VPU.NCE.MatMul ins(%a, %b : memref<1x4x8xi8>, memref<1x1x3x16x4xi8>) outs(%y : memref<1x4x16xf32>)
  return
}

// -----

func.func @matmul_with_offset_of_other_panels_is_an_error(%a: memref<1x4x8xi8>, %b: memref<1x1x8x16xi8>, %o: memref<2x16xi32>, %y: memref<1x4x16xf32>) {
  // expected-error @+1 {{expected equal panels of offset and rhs, found 2 and 1}}
  VPU.NCE.MatMul ins(%a, %b : memref<1x4x8xi8>, memref<1x1x8x16xi8>) offset(%o : memref<2x16xi32>) outs(%y : memref<1x4x16xf32>)
  return
}

// -----

func.func @matmul_with_scale_of_other_width_is_an_error(%a: memref<1x4x8xi8>, %b: memref<1x1x8x16xi8>, %s: memref<1x8xf32>, %y: memref<1x4x16xf32>) {
  // expected-error @+1 {{expected equal panel widths of scale and rhs, found 8 and 16}}
  VPU.NCE.MatMul ins(%a, %b : memref<1x4x8xi8>, memref<1x1x8x16xi8>) scale(%s : memref<1x8xf32>) outs(%y : memref<1x4x16xf32>)
  return
}

// -----

func.func @matmul_to_bytes_without_zero_point_is_an_error(%a: memref<1x4x8xi8>, %b: memref<1x1x8x16xi8>, %y: memref<1x4x16xi8>) {
  // expected-error @+1 {{expected zeroPoint in ppe for a result of type 'memref<1x4x16xi8>'}}
  VPU.NCE.MatMul ins(%a, %b : memref<1x4x8xi8>, memref<1x1x8x16xi8>) outs(%y : memref<1x4x16xi8>)
  return
}

// -----

func.func @max_pool_of_bytes_without_quant_is_an_error(%x: memref<1x1x4x4x16xi8>, %y: memref<1x1x4x4x16xf32>) {
  // expected-error @+1 {{expected inputQuant for an input of type 'memref<1x1x4x4x16xi8>'}}
  VPU.NCE.MaxPool ins(%x : memref<1x1x4x4x16xi8>) outs(%y : memref<1x1x4x4x16xf32>) {kernel = array<i64: 1, 1>}
  return
}

// -----

func.func @average_pool_of_floats_with_quant_is_an_error(%x: memref<1x1x4x4x16xf32>, %y: memref<1x1x4x4x16xf32>) {
  // expected-error @+1 {{unexpected inputQuant for an input of type 'memref<1x1x4x4x16xf32>'}}
  VPU.NCE.AveragePool ins(%x : memref<1x1x4x4x16xf32>) outs(%y : memref<1x1x4x4x16xf32>) {kernel = array<i64: 1, 1>, inputQuant = #VPU.quant<scale = 0.5 : f32, zeroPoint = 128>}
  return
}

// -----

func.func @average_pool_with_shares_of_other_rows_is_an_error(%x: memref<1x1x4x4x16xf32>, %s: memref<3x2xf32>, %y: memref<1x1x2x2x16xf32>) {
  // expected-error @+1 {{rows of shares and destination}}
  VPU.NCE.AveragePool ins(%x : memref<1x1x4x4x16xf32>) shares(%s : memref<3x2xf32>) outs(%y : memref<1x1x2x2x16xf32>) {kernel = array<i64: 3, 3>}
  return
}

// -----

func.func @average_pool_of_singles_with_shares_of_doubles_is_an_error(%x: memref<1x1x4x4x16xf16>, %s: memref<2x2xf64>, %y: memref<1x1x2x2x16xf16>) {
  // expected-error @+1 {{expected all operands to be of f64, or none}}
  VPU.NCE.AveragePool ins(%x : memref<1x1x4x4x16xf16>) shares(%s : memref<2x2xf64>) outs(%y : memref<1x1x2x2x16xf16>) {kernel = array<i64: 3, 3>}
  return
}

// -----

func.func @average_pool_to_bytes_without_zero_point_is_an_error(%x: memref<1x1x4x4x16xi8>, %y: memref<1x1x4x4x16xi8>) {
  // expected-error @+1 {{expected zeroPoint in ppe for a result of type 'memref<1x1x4x4x16xi8>'}}
  VPU.NCE.AveragePool ins(%x : memref<1x1x4x4x16xi8>) outs(%y : memref<1x1x4x4x16xi8>) {kernel = array<i64: 1, 1>, inputQuant = #VPU.quant<scale = 0.5 : f32, zeroPoint = 128>}
  return
}

// -----

func.func @eltwise_of_bytes_without_lhs_quant_is_an_error(%a: memref<1x4x8xi8>, %b: memref<1x4x8xf32>, %y: memref<1x4x8xf32>) {
  // expected-error @+1 {{expected lhsQuant for an operand of type 'memref<1x4x8xi8>'}}
  VPU.NCE.Eltwise ins(%a, %b : memref<1x4x8xi8>, memref<1x4x8xf32>) outs(%y : memref<1x4x8xf32>) {kind = #VPU.eltwise<ADD>}
  return
}

// -----

func.func @eltwise_of_bytes_without_rhs_quant_is_an_error(%a: memref<1x4x8xf32>, %b: memref<1x4x8xi8>, %y: memref<1x4x8xf32>) {
  // expected-error @+1 {{expected rhsQuant for an operand of type 'memref<1x4x8xi8>'}}
  VPU.NCE.Eltwise ins(%a, %b : memref<1x4x8xf32>, memref<1x4x8xi8>) outs(%y : memref<1x4x8xf32>) {kind = #VPU.eltwise<ADD>}
  return
}

// -----

func.func @eltwise_of_floats_with_lhs_quant_is_an_error(%a: memref<1x4x8xf32>, %b: memref<1x4x8xf32>, %y: memref<1x4x8xf32>) {
  // expected-error @+1 {{unexpected lhsQuant for an operand of type 'memref<1x4x8xf32>'}}
  VPU.NCE.Eltwise ins(%a, %b : memref<1x4x8xf32>, memref<1x4x8xf32>) outs(%y : memref<1x4x8xf32>) {kind = #VPU.eltwise<ADD>, lhsQuant = #VPU.quant<scale = 0.5 : f32, zeroPoint = 128>}
  return
}

// -----

func.func @eltwise_of_floats_with_rhs_quant_is_an_error(%a: memref<1x4x8xf32>, %b: memref<1x4x8xf32>, %y: memref<1x4x8xf32>) {
  // expected-error @+1 {{unexpected rhsQuant for an operand of type 'memref<1x4x8xf32>'}}
  VPU.NCE.Eltwise ins(%a, %b : memref<1x4x8xf32>, memref<1x4x8xf32>) outs(%y : memref<1x4x8xf32>) {kind = #VPU.eltwise<ADD>, rhsQuant = #VPU.quant<scale = 0.5 : f32, zeroPoint = 128>}
  return
}

// -----

func.func @eltwise_to_floats_with_zero_point_is_an_error(%a: memref<1x4x8xf32>, %b: memref<1x4x8xf32>, %y: memref<1x4x8xf32>) {
  // expected-error @+1 {{zeroPoint in ppe for a result of type 'memref<1x4x8xf32>'}}
  VPU.NCE.Eltwise ins(%a, %b : memref<1x4x8xf32>, memref<1x4x8xf32>) outs(%y : memref<1x4x8xf32>) {kind = #VPU.eltwise<ADD>, ppe = #VPU.PPE<mode = NOOP, zeroPoint = 3 : i64>}
  return
}

// -----

func.func @depth_convolution_of_bytes_without_meaning_is_rejected(%x: memref<1x1x6x6x16xi8>, %w: memref<1x3x3x16xf32>, %y: memref<1x1x4x4x16xf32>) {
  // expected-error @+1 {{expected inputQuant for an input of type 'memref<1x1x6x6x16xi8>'}}
  VPU.NCE.DepthConvolution ins(%x, %w : memref<1x1x6x6x16xi8>, memref<1x3x3x16xf32>) outs(%y : memref<1x1x4x4x16xf32>)
  return
}

// -----

func.func @convolution_of_unknown_channels_is_rejected(%x: memref<1x?x?x?x16xf32>, %w: memref<1x1x1x1x16x16xf32>, %y: memref<1x1x?x?x16xf32>) {
  // expected-error @+1 {{expected blocks of channels of known number and size, found 'memref<1x?x?x?x16xf32>'}}
  VPU.NCE.Convolution ins(%x, %w : memref<1x?x?x?x16xf32>, memref<1x1x1x1x16x16xf32>) outs(%y : memref<1x1x?x?x16xf32>)
  return
}

// -----

func.func @pool_of_unknown_block_size_is_rejected(%x: memref<1x1x?x?x?xf32>, %y: memref<1x1x?x?x16xf32>) {
  // expected-error @+1 {{expected blocks of channels of known number and size, found 'memref<1x1x?x?x?xf32>'}}
  VPU.NCE.MaxPool ins(%x : memref<1x1x?x?x?xf32>) outs(%y : memref<1x1x?x?x16xf32>) {kernel = array<i64: 2, 2>}
  return
}

// -----

func.func @window_of_the_whole_image_has_one_result(%x: memref<1x1x?x?x16xf32>, %y: memref<1x1x1x?x16xf32>) {
  // expected-error @+1 {{expected one row and one column for a window of the input's size, found 'memref<1x1x1x?x16xf32>'}}
  VPU.NCE.AveragePool ins(%x : memref<1x1x?x?x16xf32>) outs(%y : memref<1x1x1x?x16xf32>) {kernel = array<i64>}
  return
}

// -----

func.func @winograd_convolution_of_unknown_channels_is_rejected(%x: memref<1x?x?x?x16xf32>, %w: memref<36x1x1x16x16xf32>, %y: memref<1x1x?x?x16xf32>) {
  // expected-error @+1 {{expected blocks of channels of known number and size, found 'memref<1x?x?x?x16xf32>'}}
  VPU.NCE.WinogradConvolution ins(%x, %w : memref<1x?x?x?x16xf32>, memref<36x1x1x16x16xf32>) outs(%y : memref<1x1x?x?x16xf32>)
  return
}

// -----

// Two groups of one tile take more than two tiles of one group.
func.func @winograd_convolution_of_unknown_size_with_too_little_scratch_is_an_error(%x: memref<1x1x?x?x16xf32>, %u: memref<36x1x1x16x16xf32>, %v: memref<2304xf32>, %m: memref<1728xf32>, %y: memref<1x1x?x?x16xf32>) {
  // expected-error @+1 {{expected at least 2304 elements of scratch, found 'memref<1728xf32>'}}
  VPU.NCE.WinogradConvolution ins(%x, %u : memref<1x1x?x?x16xf32>, memref<36x1x1x16x16xf32>) scratch(%v, %m : memref<2304xf32>, memref<1728xf32>) outs(%y : memref<1x1x?x?x16xf32>) {chunk = array<i64: 2, 1>}
  return
}

// -----

// What is known is checked, whatever else is not.
func.func @padded_copy_of_known_rows_has_as_many_more(%x: memref<1x3x8x?xf32>, %y: memref<1x1x9x?x3xf32>) {
  // expected-error @+1 {{expected 10 rows in the destination, found 9}}
  VPU.Copy ins(%x : memref<1x3x8x?xf32>) outs(%y : memref<1x1x9x?x3xf32>) {srcOrder = #VPU.order<NCHW>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>}
  return
}

// -----

func.func @shuffle_of_unknown_channels_is_rejected(%x: memref<1x?x4x4x2xf32>, %y: memref<1x1x4x4x2xf32>) {
  // expected-error@+1 {{expected known numbers of images and channels, found 'memref<1x?x4x4x2xf32>' and 'memref<1x1x4x4x2xf32>'}}
  VPU.ShuffleChannels ins(%x : memref<1x?x4x4x2xf32>) outs(%y : memref<1x1x4x4x2xf32>) {channels = array<i64: 1, 0>}
  return
}

// -----

func.func @shuffle_of_no_images_is_rejected(%x: memref<0x1x4x4x2xf32>, %y: memref<0x1x4x4x2xf32>) {
  // expected-error@+1 {{expected images and channels, found 'memref<0x1x4x4x2xf32>'}}
  VPU.ShuffleChannels ins(%x : memref<0x1x4x4x2xf32>) outs(%y : memref<0x1x4x4x2xf32>) {channels = array<i64: 1, 0>}
  return
}

// -----

func.func @shuffle_to_other_pixels_is_rejected(%x: memref<1x1x4x4x2xf32>, %y: memref<1x1x4x5x2xf32>) {
  // expected-error@+1 {{expected pixels and elements like the source's}}
  VPU.ShuffleChannels ins(%x : memref<1x1x4x4x2xf32>) outs(%y : memref<1x1x4x5x2xf32>) {channels = array<i64: 1, 0>}
  return
}

// -----

func.func @shuffle_of_part_of_an_image_is_rejected(%x: memref<1x1x4x4x2xf32>, %y: memref<1x1x4x4x2xf32>) {
  // expected-error@+1 {{expected a channel for each of 2 lanes of images that others repeat, found 3}}
  VPU.ShuffleChannels ins(%x : memref<1x1x4x4x2xf32>) outs(%y : memref<1x1x4x4x2xf32>) {channels = array<i64: 1, 0, 1>}
  return
}

// -----

func.func @shuffle_that_repeats_a_part_of_the_source_is_rejected(%x: memref<3x1x4x4x2xf32>, %y: memref<2x1x4x4x2xf32>) {
  // expected-error@+1 {{expected a channel for each of 2 lanes of images that others repeat, found 2}}
  VPU.ShuffleChannels ins(%x : memref<3x1x4x4x2xf32>) outs(%y : memref<2x1x4x4x2xf32>) {channels = array<i64: 1, 0>}
  return
}

// -----

func.func @shuffle_of_a_channel_beyond_the_source_is_rejected(%x: memref<1x1x4x4x2xf32>, %y: memref<1x1x4x4x2xf32>) {
  // expected-error@+1 {{expected channels from -1 to 1, found 2}}
  VPU.ShuffleChannels ins(%x : memref<1x1x4x4x2xf32>) outs(%y : memref<1x1x4x4x2xf32>) {channels = array<i64: 1, 2>}
  return
}

// -----

func.func @group_convolution_of_three_channels_is_an_error(%x: memref<1x1x6x6x12xf32>, %w: memref<1x3x3x3x12xf32>, %y: memref<1x1x4x4x12xf32>) {
  // expected-error @+1 {{expected groups of a power of two channels that divides the channels of a block, found groups of 3 in blocks of 12}}
  VPU.NCE.GroupConvolution ins(%x, %w : memref<1x1x6x6x12xf32>, memref<1x3x3x3x12xf32>) outs(%y : memref<1x1x4x4x12xf32>)
  return
}

// -----

func.func @group_convolution_of_groups_across_blocks_is_an_error(%x: memref<1x2x6x6x12xf32>, %w: memref<2x3x3x8x12xf32>, %y: memref<1x2x4x4x12xf32>) {
  // expected-error @+1 {{expected groups of a power of two channels that divides the channels of a block, found groups of 8 in blocks of 12}}
  VPU.NCE.GroupConvolution ins(%x, %w : memref<1x2x6x6x12xf32>, memref<2x3x3x8x12xf32>) outs(%y : memref<1x2x4x4x12xf32>)
  return
}

// -----

func.func @group_convolution_of_packs_of_another_type_is_an_error(%x: memref<1x1x6x6x16xf32>, %w: memref<1x3x3x2x16x2xbf16>, %y: memref<1x1x4x4x16xf32>) {
  // expected-error @+1 {{expected packs of the input's type 'f32', found 'memref<1x3x3x2x16x2xbf16>'}}
  VPU.NCE.GroupConvolution ins(%x, %w : memref<1x1x6x6x16xf32>, memref<1x3x3x2x16x2xbf16>) outs(%y : memref<1x1x4x4x16xf32>)
  return
}

// -----

func.func @group_convolution_of_groups_of_packs_across_blocks_is_an_error(%x: memref<1x2x6x6x12xbf16>, %w: memref<2x3x3x4x12x2xbf16>, %y: memref<1x2x4x4x12xbf16>) {
  // expected-error @+1 {{expected groups of a power of two channels that divides the channels of a block, found groups of 8 in blocks of 12}}
  VPU.NCE.GroupConvolution ins(%x, %w : memref<1x2x6x6x12xbf16>, memref<2x3x3x4x12x2xbf16>) outs(%y : memref<1x2x4x4x12xbf16>)
  return
}

// -----

func.func @zero_border_of_three_edges_is_an_error(%x: memref<1x1x6x6x16xf32>, %w: memref<1x1x3x3x16x16xf32>, %y: memref<1x1x4x4x16xf32>) {
  // expected-error @+1 {{expected zeroBorder to be four numbers that are not negative, found [1, 1, 1]}}
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x6x6x16xf32>, memref<1x1x3x3x16x16xf32>) outs(%y : memref<1x1x4x4x16xf32>) {zeroBorder = array<i64: 1, 1, 1>}
  return
}

// -----

func.func @negative_zero_border_is_an_error(%x: memref<1x1x6x6x16xf32>, %w: memref<1x1x3x3x16x16xf32>, %y: memref<1x1x4x4x16xf32>) {
  // expected-error @+1 {{expected zeroBorder to be four numbers that are not negative, found [1, -1, 1, 1]}}
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x6x6x16xf32>, memref<1x1x3x3x16x16xf32>) outs(%y : memref<1x1x4x4x16xf32>) {zeroBorder = array<i64: 1, -1, 1, 1>}
  return
}

// -----

func.func @zero_border_of_more_than_the_input_is_an_error(%x: memref<1x1x?x6x16xf32>, %w: memref<1x1x3x3x16x16xf32>, %y: memref<1x1x?x4x16xf32>) {
  // expected-error @+1 {{expected zeroBorder to be part of the 6 columns of input, found 7}}
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x?x6x16xf32>, memref<1x1x3x3x16x16xf32>) outs(%y : memref<1x1x?x4x16xf32>) {zeroBorder = array<i64: 9, 3, 9, 4>}
  return
}

// -----

func.func @group_convolution_to_other_blocks_is_an_error(%x: memref<1x1x6x6x16xf32>, %w: memref<2x3x3x4x16xf32>, %y: memref<1x2x4x4x16xf32>) {
  // expected-error @+1 {{expected equal blocks of input and destination, found 1 and 2}}
  VPU.NCE.GroupConvolution ins(%x, %w : memref<1x1x6x6x16xf32>, memref<2x3x3x4x16xf32>) outs(%y : memref<1x2x4x4x16xf32>)
  return
}

// -----

func.func @group_convolution_with_weights_of_other_channels_is_an_error(%x: memref<1x1x6x6x16xf32>, %w: memref<1x3x3x4x8xf32>, %y: memref<1x1x4x4x16xf32>) {
  // expected-error @+1 {{expected equal channels per block of weights and destination, found 8 and 16}}
  VPU.NCE.GroupConvolution ins(%x, %w : memref<1x1x6x6x16xf32>, memref<1x3x3x4x8xf32>) outs(%y : memref<1x1x4x4x16xf32>)
  return
}

// -----

func.func @quantizing_group_convolution_to_floats_is_an_error(%x: memref<1x1x6x6x16xf32>, %w: memref<1x3x3x4x16xf32>, %y: memref<1x1x4x4x16xf32>) {
  // expected-error @+1 {{unexpected zeroPoint in ppe for a result of type 'memref<1x1x4x4x16xf32>'}}
  VPU.NCE.GroupConvolution ins(%x, %w : memref<1x1x6x6x16xf32>, memref<1x3x3x4x16xf32>) outs(%y : memref<1x1x4x4x16xf32>) {ppe = #VPU.PPE<mode = RELU, zeroPoint = 3 : i64>}
  return
}

// -----

// expected-error@+1 {{expected at least 8 tiles of at least one row of 4 bytes}}
func.func private @matrix_unit_with_too_few_tiles_is_rejected() attributes {unit = #VPU.matrix_unit<tiles = 4, rows = 16, rowBytes = 64, elementTypes = [bf16]>}

// -----

func.func @border_of_negative_width_is_rejected(%x: memref<1x2x16x16x16xf32>) {
  // expected-error@+1 {{expected pads to be four numbers >= 0, found [1, -1, 1, 1]}}
  VPU.FillBorder outs(%x : memref<1x2x16x16x16xf32>) {pads = array<i64: 1, -1, 1, 1>}
  return
}

// -----

func.func @border_wider_than_the_image_is_rejected(%x: memref<1x2x16x3x16xf32>) {
  // expected-error@+1 {{expected at least 4 columns, found 3}}
  VPU.FillBorder outs(%x : memref<1x2x16x3x16xf32>) {pads = array<i64: 1, 2, 1, 2>}
  return
}

// -----

func.func @floats_are_padded_with_a_byte(%a: memref<1x3x8x8xf32>, %b: memref<1x1x10x10x3xf32>, %z: i8) {
  // expected-error @+1 {{expected bytes to be padded with a computed one, found 'memref<1x1x10x10x3xf32>'}}
  VPU.Copy ins(%a : memref<1x3x8x8xf32>) fill(%z) outs(%b : memref<1x1x10x10x3xf32>) {srcOrder = #VPU.order<NCHW>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>}
  return
}

// -----

func.func @integers_are_scaled(%a: memref<1x3x4xi8>, %b: memref<1x1x1x16x4xi8>, %s: memref<1x16xf32>, %y: memref<1x3x16xi32>) {
  // expected-error @+1 {{expected a result of 32-bit integers to be no more than sums of such}}
  VPU.NCE.MatMul ins(%a, %b : memref<1x3x4xi8>, memref<1x1x1x16x4xi8>) scale(%s : memref<1x16xf32>) outs(%y : memref<1x3x16xi32>)
  return
}

// -----

func.func @sums_of_floats_are_integers(%a: memref<1x3x4xf32>, %b: memref<1x1x4x16xf32>, %y: memref<1x3x16xi32>) {
  // expected-error @+1 {{expected a result of 32-bit integers to be no more than sums of such}}
  VPU.NCE.MatMul ins(%a, %b : memref<1x3x4xf32>, memref<1x1x4x16xf32>) outs(%y : memref<1x3x16xi32>)
  return
}

// -----

func.func @product_of_mixed_widths_is_rejected(%x: memref<1x4x8xf64>, %w: memref<1x1x8x8xf32>, %y: memref<1x4x8xf64>) {
  // expected-error@+1 {{expected all operands to be of f64, or none, found}}
  VPU.NCE.MatMul ins(%x, %w : memref<1x4x8xf64>, memref<1x1x8x8xf32>) outs(%y : memref<1x4x8xf64>)
  return
}

// -----

func.func @winograd_of_doubles_is_rejected(%x: memref<1x1x10x10x8xf64>, %w: memref<36x1x1x8x8xf64>, %y: memref<1x1x8x8x8xf64>) {
  // expected-error@+1 {{expected floats of at most 32 bits, which the transforms compute in}}
  VPU.NCE.WinogradConvolution ins(%x, %w : memref<1x1x10x10x8xf64>, memref<36x1x1x8x8xf64>) outs(%y : memref<1x1x8x8x8xf64>) {tileSize = 4 : i64}
  return
}

// -----

func.func @matmul_of_five_bits_is_rejected(%a: memref<1x4x64xf32>, %w: memref<1x2x5x16xi32>, %s: memref<1x2x16xf32>, %y: memref<1x4x16xf32>) {
  // expected-error @+1 {{expected 2, 4 or 8 bits, found 5}}
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x4x64xf32>, memref<1x2x5x16xi32>) scale(%s : memref<1x2x16xf32>) outs(%y : memref<1x4x16xf32>) {bits = 5 : i64}
  return
}

// -----

func.func @matmul_of_few_bits_and_four_parts_is_rejected(%a: memref<1x4x64xf32>, %w: memref<1x2x4x16xi32>, %s: memref<1x2x16xf32>, %y: memref<1x4x16xf32>) {
  // expected-error @+1 {{expected 1 to 3 parts of an element of a row, found 4}}
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x4x64xf32>, memref<1x2x4x16xi32>) scale(%s : memref<1x2x16xf32>) outs(%y : memref<1x4x16xf32>) {bits = 4 : i64, rowParts = 4 : i64}
  return
}

// -----

func.func @matmul_of_few_bits_and_other_reduction_is_rejected(%a: memref<1x4x60xf32>, %w: memref<1x2x4x16xi32>, %s: memref<1x2x16xf32>, %y: memref<1x4x16xf32>) {
  // expected-error @+1 {{expected equal reduction sizes, found 60 and 64}}
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x4x60xf32>, memref<1x2x4x16xi32>) scale(%s : memref<1x2x16xf32>) outs(%y : memref<1x4x16xf32>) {bits = 4 : i64}
  return
}

// -----

func.func @matmul_of_few_bits_with_scale_of_other_blocks_is_rejected(%a: memref<1x4x64xf32>, %w: memref<1x2x4x16xi32>, %s: memref<1x3x16xf32>, %y: memref<1x4x16xf32>) {
  // expected-error @+1 {{expected a scale for as many of the 2 blocks of weights each, found 'memref<1x3x16xf32>'}}
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x4x64xf32>, memref<1x2x4x16xi32>) scale(%s : memref<1x3x16xf32>) outs(%y : memref<1x4x16xf32>) {bits = 4 : i64}
  return
}

// -----

func.func @matmul_of_few_bits_with_zero_points_of_other_blocks_is_rejected(%a: memref<1x4x64xf32>, %w: memref<1x2x4x16xi32>, %s: memref<1x2x16xf32>, %z: memref<1x1x16xi8>, %y: memref<1x4x16xf32>) {
  // expected-error @+1 {{expected equal blocks of zeroPoint and scale, found 1 and 2}}
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x4x64xf32>, memref<1x2x4x16xi32>) scale(%s : memref<1x2x16xf32>) zeroPoint(%z : memref<1x1x16xi8>) outs(%y : memref<1x4x16xf32>) {bits = 4 : i64}
  return
}

// -----

func.func @matmul_of_few_bits_with_too_many_columns_is_rejected(%a: memref<1x4x64xf32>, %w: memref<1x2x4x16xi32>, %s: memref<1x2x16xf32>, %y: memref<1x4x17xf32>) {
  // expected-error @+1 {{expected at most 16 columns for 1 panels of 16, found 17}}
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x4x64xf32>, memref<1x2x4x16xi32>) scale(%s : memref<1x2x16xf32>) outs(%y : memref<1x4x17xf32>) {bits = 4 : i64}
  return
}

// -----

func.func @matmul_of_few_bits_with_little_scratch_is_rejected(%a: memref<1x4x64xf32>, %w: memref<1x2x4x16xi32>, %s: memref<1x2x16xf32>, %f: memref<48xf32>, %y: memref<1x4x16xf32>) {
  // expected-error @+1 {{expected at least 56 elements of scratch, found 'memref<48xf32>'}}
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x4x64xf32>, memref<1x2x4x16xi32>) scale(%s : memref<1x2x16xf32>) scratch(%f : memref<48xf32>) outs(%y : memref<1x4x16xf32>) {bits = 4 : i64}
  return
}

// -----

func.func @transposed_panels(%a: memref<1x4x8xf32>, %b: memref<1x2x16x8xf32>, %y: memref<1x4x16xf32>) {
  // expected-error @below {{expected a transposed right operand of one panel, (B or 1, 1, N, K), found 'memref<1x2x16x8xf32>'}}
  VPU.NCE.MatMul ins(%a, %b : memref<1x4x8xf32>, memref<1x2x16x8xf32>) outs(%y : memref<1x4x16xf32>) {transposed}
  return
}

// -----

func.func @transposed_reduction(%a: memref<1x4x8xf32>, %b: memref<1x1x16x9xf32>, %y: memref<1x4x16xf32>) {
  // expected-error @below {{expected equal reduction sizes, found 8 and 9}}
  VPU.NCE.MatMul ins(%a, %b : memref<1x4x8xf32>, memref<1x1x16x9xf32>) outs(%y : memref<1x4x16xf32>) {transposed}
  return
}

// -----

func.func @few_bits_with_less_scratch_than_rows(%a: memref<1x4x64xf32>, %w: memref<1x2x4x16xi32>, %s: memref<1x2x16xf32>, %f: memref<200xf32>, %y: memref<1x4x16xf32>) {
  // expected-error@+1 {{expected scratch for 4 rows of 56 elements}}
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x4x64xf32>, memref<1x2x4x16xi32>) scale(%s : memref<1x2x16xf32>) scratch(%f : memref<200xf32>) outs(%y : memref<1x4x16xf32>) {bits = 4 : i64, integerRows = 4 : i64}
  return
}

// -----

func.func @few_bits_with_rows_and_no_scratch(%a: memref<1x4x64xf32>, %w: memref<1x2x4x16xi32>, %s: memref<1x2x16xf32>, %y: memref<1x4x16xf32>) {
  // expected-error@+1 {{expected scratch for 1 rows of 56 elements}}
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x4x64xf32>, memref<1x2x4x16xi32>) scale(%s : memref<1x2x16xf32>) outs(%y : memref<1x4x16xf32>) {bits = 4 : i64, integerRows = 1 : i64}
  return
}

// -----

func.func @few_bits_with_more_rows_than_scratch_of_any_size(%a: memref<1x4x64xf32>, %w: memref<1x2x4x16xi32>, %s: memref<1x2x16xf32>, %f: memref<2048xf32>, %y: memref<1x4x16xf32>) {
  // expected-error@+1 {{expected scratch for 288230376151711744 rows of 56 elements}}
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x4x64xf32>, memref<1x2x4x16xi32>) scale(%s : memref<1x2x16xf32>) scratch(%f : memref<2048xf32>) outs(%y : memref<1x4x16xf32>) {bits = 4 : i64, integerRows = 288230376151711744 : i64}
  return
}

// -----

func.func @few_bits_with_few_rows_of_an_open_number(%a: memref<1x?x64xf32>, %w: memref<1x2x4x16xi32>, %s: memref<1x2x16xf32>, %f: memref<448xf32>, %y: memref<1x?x16xf32>) {
  // expected-error@+1 {{expected at least 8 integerRows for an open number of rows, found 4}}
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x?x64xf32>, memref<1x2x4x16xi32>) scale(%s : memref<1x2x16xf32>) scratch(%f : memref<448xf32>) outs(%y : memref<1x?x16xf32>) {bits = 4 : i64, integerRows = 4 : i64}
  return
}

// -----

func.func @panels_of_packs_are_signed(%a: memref<1x3x8xi8>, %b: memref<1x1x2x16x4xi8>, %y: memref<1x3x16xi32>) {
  // expected-error@+1 {{expected a matrix of bytes as it is, (B or 1, 1, K, N), with unsignedRhs, found 'memref<1x1x2x16x4xi8>'}}
  VPU.NCE.MatMul ins(%a, %b : memref<1x3x8xi8>, memref<1x1x2x16x4xi8>) outs(%y : memref<1x3x16xi32>) {unsignedRhs}
  return
}

// -----

func.func @rows_of_bytes_are_too_few(%a: memref<1x3x40xi8>, %b: memref<1x1x24x20xi8>, %y: memref<1x3x20xi32>) {
  // expected-error@+1 {{expected equal reduction sizes, found 40 and 24}}
  VPU.NCE.MatMul ins(%a, %b : memref<1x3x40xi8>, memref<1x1x24x20xi8>) outs(%y : memref<1x3x20xi32>)
  return
}

// -----

func.func @rows_of_bytes_are_too_many(%a: memref<1x3x40xi8>, %b: memref<1x1x41x20xi8>, %y: memref<1x3x20xi32>) {
  // expected-error@+1 {{expected equal reduction sizes, found 40 and 41}}
  VPU.NCE.MatMul ins(%a, %b : memref<1x3x40xi8>, memref<1x1x41x20xi8>) outs(%y : memref<1x3x20xi32>)
  return
}
