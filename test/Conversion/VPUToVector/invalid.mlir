// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-choose-strategies=decide=registers -convert-vpu-to-vector -split-input-file -verify-diagnostics

func.func @copy_of_complex_numbers_is_an_error(%a: memref<4x16xcomplex<f64>>, %b: memref<4x16xcomplex<f64>>) {
  // expected-error @+1 {{failed to legalize operation 'VPU.Copy'}}
  VPU.Copy ins(%a : memref<4x16xcomplex<f64>>) outs(%b : memref<4x16xcomplex<f64>>)
  return
}

// -----

func.func @packing_of_unknown_size_is_an_error(%a: memref<1x?x32xf32>, %b: memref<1x2x?x16xf32>) {
  // expected-error @+1 {{failed to legalize operation 'VPU.Copy'}}
  VPU.Copy ins(%a : memref<1x?x32xf32>) outs(%b : memref<1x2x?x16xf32>) {srcOrder = #VPU.order<KN>, dstOrder = #VPU.order<KNn>}
  return
}

// -----

func.func @group_convolution_of_groups_beyond_a_vector_is_an_error(%x: memref<1x1x6x6x32xf32>, %w: memref<1x3x3x32x32xf32>, %y: memref<1x1x4x4x32xf32>) {
  // expected-error @+1 {{failed to legalize operation 'VPU.NCE.GroupConvolution'}}
  VPU.NCE.GroupConvolution ins(%x, %w : memref<1x1x6x6x32xf32>, memref<1x3x3x32x32xf32>) outs(%y : memref<1x1x4x4x32xf32>)
  return
}

// -----

func.func @group_convolution_of_pairs_of_half_a_vector_is_an_error(%x: memref<1x1x6x6x8xbf16>, %w: memref<1x3x3x2x8x2xbf16>, %y: memref<1x1x4x4x8xbf16>) {
  // expected-error @+1 {{failed to legalize operation 'VPU.NCE.GroupConvolution'}}
  VPU.NCE.GroupConvolution ins(%x, %w : memref<1x1x6x6x8xbf16>, memref<1x3x3x2x8x2xbf16>) outs(%y : memref<1x1x4x4x8xbf16>)
  return
}

// -----

func.func @group_convolution_of_pairs_of_f32_is_an_error(%x: memref<1x1x6x6x16xf32>, %w: memref<1x3x3x2x16x2xf32>, %y: memref<1x1x4x4x16xf32>) {
  // expected-error @+1 {{failed to legalize operation 'VPU.NCE.GroupConvolution'}}
  VPU.NCE.GroupConvolution ins(%x, %w : memref<1x1x6x6x16xf32>, memref<1x3x3x2x16x2xf32>) outs(%y : memref<1x1x4x4x16xf32>)
  return
}
