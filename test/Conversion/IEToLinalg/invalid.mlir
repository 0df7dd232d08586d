// RUN: nacre-opt %s -convert-ie-to-linalg -split-input-file -verify-diagnostics

func.func @reduce_sum_to_a_shape_of_no_axes_is_rejected(%x: tensor<3x2x2xf32>, %axes: tensor<1xi64>) -> tensor<5x2xf32> {
  // expected-error @below {{'IE.ReduceSum' op expected axes that follow from the shapes, found 'tensor<3x2x2xf32>' reduced to 'tensor<5x2xf32>'}}
  %0 = IE.ReduceSum(%x, %axes) {keepdims = 0 : i64} : (tensor<3x2x2xf32>, tensor<1xi64>) -> tensor<5x2xf32>
  return %0 : tensor<5x2xf32>
}

// -----

func.func @dft_of_no_elements_is_rejected(%x: tensor<0x4x1xf32>) -> tensor<0x4x2xf32> {
  // expected-error @below {{'IE.DFT' op expected elements, and a result of a shape that a transform along some axis has}}
  %0 = IE.DFT(%x) : (tensor<0x4x1xf32>) -> tensor<0x4x2xf32>
  return %0 : tensor<0x4x2xf32>
}

// -----

// Values around what is refused have other types by then, where elements are no
// plain numbers.
func.func @slice_of_no_strings_is_rejected(%x: tensor<0x4x!IE.String>, %starts: tensor<2xi64>, %ends: tensor<2xi64>) -> tensor<2x2x!IE.String> {
  // expected-error @below {{failed to legalize operation 'IE.Slice'; use --backend=interpreter}}
  %0 = IE.Slice %x, %starts, %ends : tensor<0x4x!IE.String>, tensor<2xi64>, tensor<2xi64> -> tensor<2x2x!IE.String>
  return %0 : tensor<2x2x!IE.String>
}

// -----

func.func @gather_from_no_numbers_of_4_bits_is_rejected(%x: tensor<0x?xi4>, %indices: tensor<2xi64>) -> tensor<2x?xi4> {
  // expected-error @below {{'IE.Gather' op expected static shapes, found 'tensor<0x?xi4>'; fix inputs with --shape NAME=DIMS or use --backend=interpreter}}
  %0 = IE.Gather %x, %indices {axis = 0 : i64} : tensor<0x?xi4>, tensor<2xi64> -> tensor<2x?xi4>
  return %0 : tensor<2x?xi4>
}
