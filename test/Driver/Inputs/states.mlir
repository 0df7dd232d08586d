func.func @main(%x: tensor<8xf32> {nacre.name = "x"},
                %past: tensor<8xf32> {nacre.name = "past:0"})
    -> (tensor<8xf32> {nacre.name = "y"},
        tensor<8xf32> {nacre.name = "present:0"}) {
  %0 = "IE.Add"(%x, %past) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %1 = "IE.Relu"(%0) : (tensor<8xf32>) -> tensor<8xf32>
  return %1, %0 : tensor<8xf32>, tensor<8xf32>
}
