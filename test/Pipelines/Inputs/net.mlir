// A small network with each kind of engine op and a software kernel.
func.func @main(%image: tensor<1x3x16x16xf32> {nacre.name = "image"}) -> (tensor<1x5xf32> {nacre.name = "scores"}) {
  %w0 = IE.Constant dense<0.1> : tensor<24x3x3x3xf32>
  %w1 = IE.Constant dense<0.2> : tensor<24x1x3x3xf32>
  %w2 = IE.Constant dense<0.3> : tensor<24x5xf32>
  %0 = IE.Conv(%image, %w0) {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x3x16x16xf32>, tensor<24x3x3x3xf32>) -> tensor<1x24x16x16xf32>
  %1 = IE.Relu %0 : tensor<1x24x16x16xf32> -> tensor<1x24x16x16xf32>
  %2 = IE.MaxPool(%1) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x24x16x16xf32>) -> tensor<1x24x8x8xf32>
  %3 = IE.Conv(%2, %w1) {group = 24 : i64, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x24x8x8xf32>, tensor<24x1x3x3xf32>) -> tensor<1x24x8x8xf32>
  %4 = IE.Add %3, %2 : tensor<1x24x8x8xf32>, tensor<1x24x8x8xf32> -> tensor<1x24x8x8xf32>
  %5 = IE.GlobalAveragePool(%4) : (tensor<1x24x8x8xf32>) -> tensor<1x24x1x1xf32>
  %6 = IE.Flatten %5 {axis = 1 : i64} : tensor<1x24x1x1xf32> -> tensor<1x24xf32>
  %7 = IE.MatMul(%6, %w2) : (tensor<1x24xf32>, tensor<24x5xf32>) -> tensor<1x5xf32>
  %8 = IE.Softmax(%7) : (tensor<1x5xf32>) -> tensor<1x5xf32>
  return %8 : tensor<1x5xf32>
}
