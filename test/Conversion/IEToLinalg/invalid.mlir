// RUN: nacre-opt %s -convert-ie-to-linalg -split-input-file -verify-diagnostics

func.func @lrn_of_dynamic_shape_is_rejected(%x: tensor<?x4x2x2xf32>) -> tensor<?x4x2x2xf32> {
  // expected-error @below {{'IE.LRN' op expected static shapes, found 'tensor<?x4x2x2xf32>'; fix inputs with --shape NAME=DIMS or use --backend=interpreter}}
  %0 = IE.LRN(%x) {size = 3 : i64} : (tensor<?x4x2x2xf32>) -> tensor<?x4x2x2xf32>
  return %0 : tensor<?x4x2x2xf32>
}

// -----

func.func @reduce_sum_to_a_shape_of_no_axes_is_rejected(%x: tensor<3x2x2xf32>, %axes: tensor<1xi64>) -> tensor<5x2xf32> {
  // expected-error @below {{'IE.ReduceSum' op expected axes that are constant or follow from the shapes, found 'tensor<3x2x2xf32>' reduced to 'tensor<5x2xf32>'}}
  %0 = IE.ReduceSum(%x, %axes) {keepdims = 0 : i64} : (tensor<3x2x2xf32>, tensor<1xi64>) -> tensor<5x2xf32>
  return %0 : tensor<5x2xf32>
}

// -----

func.func @dft_along_a_computed_axis_is_rejected(%x: tensor<4x4x1xf32>, %axis: tensor<i64>) -> tensor<4x4x2xf32> {
  // expected-error @below {{'IE.DFT' op expected static shapes with elements, and an axis, if it has one, that is an initializer}}
  %0 = IE.DFT(%x) axis(%axis : tensor<i64>) : (tensor<4x4x1xf32>) -> tensor<4x4x2xf32>
  return %0 : tensor<4x4x2xf32>
}

// -----

func.func @string_is_left_to_the_interpreter(%x: tensor<3xf32>) -> tensor<3x!IE.String> {
  // expected-error @+1 {{'IE.Cast' op is unsupported in compiled code, which has no strings, found 'tensor<3x!IE.String>'; use --backend=interpreter}}
  %0 = IE.Cast %x to !IE.String : tensor<3xf32> -> tensor<3x!IE.String>
  return %0 : tensor<3x!IE.String>
}

// -----

func.func @sequence_is_left_to_the_interpreter(%x: tensor<2xf32>, %n: tensor<i64>) -> tensor<i64> {
  // expected-error @+1 {{'IE.SequenceConstruct' op is unsupported in compiled code, which has tensors only, found '!IE.Sequence<tensor<2xf32>>'; use --backend=interpreter}}
  %s = IE.SequenceConstruct(%x) : (tensor<2xf32>) -> !IE.Sequence<tensor<2xf32>>
  %r = IE.Loop(%n, %s) {operandSegmentSizes = array<i32: 1, 0, 1>} : (tensor<i64>, !IE.Sequence<tensor<2xf32>>) -> !IE.Sequence<tensor<2xf32>> {
  ^bb0(%i: tensor<i64>, %c: tensor<i1>, %v: !IE.Sequence<tensor<2xf32>>):
    IE.Yield %c, %v : tensor<i1>, !IE.Sequence<tensor<2xf32>>
  }
  %y = IE.SequenceLength(%r) : (!IE.Sequence<tensor<2xf32>>) -> tensor<i64>
  return %y : tensor<i64>
}
