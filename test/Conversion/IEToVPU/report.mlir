// What the engine does not compute is remarked on with the pattern's reason.

// RUN: nacre-opt %s --init-compiler="vpu-arch=armv7" --convert-ie-to-vpu=report=true --verify-diagnostics -o /dev/null

func.func @matmul_of_f64_says_which_element_types(
    %a: tensor<2x3xf64>, %b: tensor<3x4xf64>) -> tensor<2x4xf64> {
  // expected-remark@+1 {{does not support this form: needs matrices of known size and of an element type of the engine, but for the rows that are multiplied by a constant}}
  %0 = IE.MatMul(%a, %b)
      : (tensor<2x3xf64>, tensor<3x4xf64>) -> tensor<2x4xf64>
  return %0 : tensor<2x4xf64>
}

func.func @matmul_of_f32_is_converted_without_remark(
    %a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %0 = IE.MatMul(%a, %b)
      : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
