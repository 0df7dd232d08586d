// RUN: nacre-opt %s | nacre-opt | FileCheck %s

// CHECK-LABEL: func @relu_round_trips
func.func @relu_round_trips(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  // CHECK: IE.Relu %{{.*}} : tensor<2x?xf32> -> tensor<2x?xf32>
  %0 = IE.Relu %x : tensor<2x?xf32> -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// CHECK-LABEL: func @hard_swish_round_trips
func.func @hard_swish_round_trips(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  // CHECK: IE.HardSwish %{{.*}} : tensor<2x?xf32> -> tensor<2x?xf32>
  %0 = IE.HardSwish %x : tensor<2x?xf32> -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// CHECK-LABEL: func @mish_round_trips
func.func @mish_round_trips(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  // CHECK: IE.Mish %{{.*}} : tensor<2x?xf32> -> tensor<2x?xf32>
  %0 = IE.Mish %x : tensor<2x?xf32> -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// CHECK-LABEL: func @swish_round_trips
func.func @swish_round_trips(%x: tensor<2x?xf32>) -> (tensor<2x?xf32>, tensor<2x?xf32>) {
  // CHECK: IE.Swish %{{.*}} : tensor<2x?xf32> -> tensor<2x?xf32>
  %0 = IE.Swish %x : tensor<2x?xf32> -> tensor<2x?xf32>
  // CHECK: IE.Swish %{{.*}} {alpha = 1.702000e+00 : f32} : tensor<2x?xf32> -> tensor<2x?xf32>
  %1 = IE.Swish %x {alpha = 1.702 : f32} : tensor<2x?xf32> -> tensor<2x?xf32>
  return %0, %1 : tensor<2x?xf32>, tensor<2x?xf32>
}

// CHECK-LABEL: func @sigmoid_round_trips
func.func @sigmoid_round_trips(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  // CHECK: IE.Sigmoid %{{.*}} : tensor<2x?xf32> -> tensor<2x?xf32>
  %0 = IE.Sigmoid %x : tensor<2x?xf32> -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// CHECK-LABEL: func @softplus_round_trips
func.func @softplus_round_trips(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  // CHECK: IE.Softplus %{{.*}} : tensor<2x?xf32> -> tensor<2x?xf32>
  %0 = IE.Softplus %x : tensor<2x?xf32> -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// CHECK-LABEL: func @softsign_round_trips
func.func @softsign_round_trips(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  // CHECK: IE.Softsign %{{.*}} : tensor<2x?xf32> -> tensor<2x?xf32>
  %0 = IE.Softsign %x : tensor<2x?xf32> -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// CHECK-LABEL: func @tanh_round_trips
func.func @tanh_round_trips(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  // CHECK: IE.Tanh %{{.*}} : tensor<2x?xf32> -> tensor<2x?xf32>
  %0 = IE.Tanh %x : tensor<2x?xf32> -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// CHECK-LABEL: func @leaky_relu_round_trips
func.func @leaky_relu_round_trips(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  // CHECK: IE.LeakyRelu %{{.*}} : tensor<2x?xf32> -> tensor<2x?xf32>
  %0 = IE.LeakyRelu %x : tensor<2x?xf32> -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// CHECK-LABEL: func @elu_round_trips
func.func @elu_round_trips(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  // CHECK: IE.Elu %{{.*}} : tensor<2x?xf32> -> tensor<2x?xf32>
  %0 = IE.Elu %x : tensor<2x?xf32> -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// CHECK-LABEL: func @celu_round_trips
func.func @celu_round_trips(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  // CHECK: IE.Celu %{{.*}} : tensor<2x?xf32> -> tensor<2x?xf32>
  %0 = IE.Celu %x : tensor<2x?xf32> -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// CHECK-LABEL: func @selu_round_trips
func.func @selu_round_trips(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  // CHECK: IE.Selu %{{.*}} : tensor<2x?xf32> -> tensor<2x?xf32>
  %0 = IE.Selu %x : tensor<2x?xf32> -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// CHECK-LABEL: func @thresholded_relu_round_trips
func.func @thresholded_relu_round_trips(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  // CHECK: IE.ThresholdedRelu %{{.*}} : tensor<2x?xf32> -> tensor<2x?xf32>
  %0 = IE.ThresholdedRelu %x : tensor<2x?xf32> -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// CHECK-LABEL: func @hard_sigmoid_round_trips
func.func @hard_sigmoid_round_trips(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  // CHECK: IE.HardSigmoid %{{.*}} : tensor<2x?xf32> -> tensor<2x?xf32>
  %0 = IE.HardSigmoid %x : tensor<2x?xf32> -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// CHECK-LABEL: func @shrink_round_trips
func.func @shrink_round_trips(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  // CHECK: IE.Shrink %{{.*}} : tensor<2x?xf32> -> tensor<2x?xf32>
  %0 = IE.Shrink %x : tensor<2x?xf32> -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// CHECK-LABEL: func @gelu_round_trips
func.func @gelu_round_trips(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  // CHECK: IE.Gelu %{{.*}} : tensor<2x?xf32> -> tensor<2x?xf32>
  %0 = IE.Gelu %x : tensor<2x?xf32> -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// CHECK-LABEL: func @leaky_relu_with_attributes_round_trips
func.func @leaky_relu_with_attributes_round_trips(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  // CHECK: IE.LeakyRelu %{{.*}} {alpha = 2.000000e-01 : f32} : tensor<2x?xf32> -> tensor<2x?xf32>
  %0 = IE.LeakyRelu %x {alpha = 2.000000e-01 : f32} : tensor<2x?xf32> -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// CHECK-LABEL: func @elu_with_attributes_round_trips
func.func @elu_with_attributes_round_trips(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  // CHECK: IE.Elu %{{.*}} {alpha = 2.000000e+00 : f32} : tensor<2x?xf32> -> tensor<2x?xf32>
  %0 = IE.Elu %x {alpha = 2.000000e+00 : f32} : tensor<2x?xf32> -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// CHECK-LABEL: func @celu_with_attributes_round_trips
func.func @celu_with_attributes_round_trips(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  // CHECK: IE.Celu %{{.*}} {alpha = 2.000000e+00 : f32} : tensor<2x?xf32> -> tensor<2x?xf32>
  %0 = IE.Celu %x {alpha = 2.000000e+00 : f32} : tensor<2x?xf32> -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// CHECK-LABEL: func @selu_with_attributes_round_trips
func.func @selu_with_attributes_round_trips(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  // CHECK: IE.Selu %{{.*}} {alpha = 2.000000e+00 : f32, gamma = 3.000000e+00 : f32} : tensor<2x?xf32> -> tensor<2x?xf32>
  %0 = IE.Selu %x {alpha = 2.000000e+00 : f32, gamma = 3.000000e+00 : f32} : tensor<2x?xf32> -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// CHECK-LABEL: func @thresholded_relu_with_attributes_round_trips
func.func @thresholded_relu_with_attributes_round_trips(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  // CHECK: IE.ThresholdedRelu %{{.*}} {alpha = 2.000000e+00 : f32} : tensor<2x?xf32> -> tensor<2x?xf32>
  %0 = IE.ThresholdedRelu %x {alpha = 2.000000e+00 : f32} : tensor<2x?xf32> -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// CHECK-LABEL: func @hard_sigmoid_with_attributes_round_trips
func.func @hard_sigmoid_with_attributes_round_trips(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  // CHECK: IE.HardSigmoid %{{.*}} {alpha = 5.000000e-01 : f32, beta = 2.500000e-01 : f32} : tensor<2x?xf32> -> tensor<2x?xf32>
  %0 = IE.HardSigmoid %x {alpha = 5.000000e-01 : f32, beta = 2.500000e-01 : f32} : tensor<2x?xf32> -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// CHECK-LABEL: func @shrink_with_attributes_round_trips
func.func @shrink_with_attributes_round_trips(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  // CHECK: IE.Shrink %{{.*}} {bias = 1.500000e+00 : f32, lambd = 1.500000e+00 : f32} : tensor<2x?xf32> -> tensor<2x?xf32>
  %0 = IE.Shrink %x {bias = 1.500000e+00 : f32, lambd = 1.500000e+00 : f32} : tensor<2x?xf32> -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// CHECK-LABEL: func @gelu_with_attributes_round_trips
func.func @gelu_with_attributes_round_trips(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  // CHECK: IE.Gelu %{{.*}} {approximate = "tanh"} : tensor<2x?xf32> -> tensor<2x?xf32>
  %0 = IE.Gelu %x {approximate = "tanh"} : tensor<2x?xf32> -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// CHECK-LABEL: func @prelu_broadcasts
func.func @prelu_broadcasts(%a: tensor<1x4x8x8xf32>, %b: tensor<4x1x1xf32>) -> tensor<1x4x8x8xf32> {
  // CHECK: IE.PRelu %{{.*}}, %{{.*}} : tensor<1x4x8x8xf32>, tensor<4x1x1xf32> -> tensor<1x4x8x8xf32>
  %0 = IE.PRelu %a, %b : tensor<1x4x8x8xf32>, tensor<4x1x1xf32> -> tensor<1x4x8x8xf32>
  // Dynamic sizes may broadcast.
  // CHECK: IE.PRelu %{{.*}}, %{{.*}} : tensor<1x4x8x8xf32>, tensor<?x?x?x?xf32> -> tensor<1x4x8x8xf32>
  %unknown = tensor.cast %a : tensor<1x4x8x8xf32> to tensor<?x?x?x?xf32>
  %1 = IE.PRelu %a, %unknown : tensor<1x4x8x8xf32>, tensor<?x?x?x?xf32> -> tensor<1x4x8x8xf32>
  return %0 : tensor<1x4x8x8xf32>
}
