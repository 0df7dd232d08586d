// RUN: nacre-opt %s -ie-tap-values -split-input-file -verify-diagnostics | FileCheck %s
// RUN: nacre-opt %s -ie-tap-values='max-bytes=64 group=1' -split-input-file -verify-diagnostics | FileCheck %s --check-prefix=GROUP
// RUN: nacre-opt %s -ie-tap-values='chosen=r1,y' -split-input-file -verify-diagnostics | FileCheck %s --check-prefix=CHOSEN

// Values that are named, that are not, and that are results already. Integers
// and constants are not looked at.
// CHECK: module attributes {nacre.taps = #nacre.taps<graph = "{{[0-9a-f]+}}", groups = 1, values = [
// CHECK-SAME: #nacre.tap<name = "image", node = "", op = "", operand = 0, axis = 1>
// CHECK-SAME: #nacre.tap<name = "r1", node = "Relu_0", op = "Relu", operand = 0, axis = 1>
// CHECK-SAME: #nacre.tap<name = "Abs_1#0", node = "Abs_1", op = "Abs", operand = 0, axis = 1>
// CHECK-SAME: ]>}
// CHECK-LABEL: func @main
// CHECK-SAME: -> (tensor<2x4xf32> {nacre.name = "y"}, tensor<2x4xf32> {nacre.name = "image"}, tensor<2x4xf32> {nacre.name = "r1"}, tensor<2x4xf32> {nacre.name = "Abs_1#0"})
// CHECK: %[[R:.*]] = IE.Relu %arg0
// CHECK: %[[A:.*]] = IE.Abs %[[R]]
// CHECK: return %[[A]], %arg0, %[[R]], %[[A]] :

// Each value has 32 bytes, so that two are a group.
// GROUP: nacre.taps = #nacre.taps<graph = "{{[0-9a-f]+}}", groups = 2, values = [
// GROUP-SAME: #nacre.tap<name = "Abs_1#0", node = "Abs_1", op = "Abs", operand = 0, axis = 1>]>}
// GROUP: return %[[A:.*]], %[[A]] :

// CHOSEN: values = [#nacre.tap<name = "r1", node = "Relu_0", op = "Relu", operand = 0, axis = 1>]>}
func.func @main(%image: tensor<2x4xf32> loc(fused<{nacre.argument = ["image"]}>["net":0:0]), %n: tensor<2xi64>)
    -> (tensor<2x4xf32> {nacre.name = "y"}) {
  %w = IE.Constant dense<1.0> : tensor<4xf32>
  %m = IE.Abs %n : tensor<2xi64> -> tensor<2xi64>
  %0 = IE.Relu %image : tensor<2x4xf32> -> tensor<2x4xf32> loc("Relu_0"(fused<{nacre.values = ["r1"]}>["net":0:0]))
  %1 = IE.Abs %0 : tensor<2x4xf32> -> tensor<2x4xf32> loc("Abs_1")
  return %1 : tensor<2x4xf32>
}

// -----

// Of two values of one name, which a node became, the last has it. The channels
// of matrices are the last dimension, and a batch may be of any size.
// CHECK: values = [
// CHECK-SAME: #nacre.tap<name = "input#0", node = "", op = "", operand = 0, axis = 2>
// CHECK-SAME: #nacre.tap<name = "Dense#0", node = "Dense", op = "MatMul", operand = 0, axis = 2>
// CHECK-SAME: #nacre.tap<name = "y", node = "Dense", op = "Relu", operand = 0, axis = 1>
// CHECK: return {{.*}} : tensor<?x3x5xf32>, tensor<?x3x4xf32>, tensor<?x3x5xf32>, tensor<?x3x5xf32>
func.func @main(%x: tensor<?x3x4xf32>) -> tensor<?x3x5xf32> {
  %w = IE.Constant dense<1.0> : tensor<4x5xf32>
  %0 = IE.MatMul(%x, %w) : (tensor<?x3x4xf32>, tensor<4x5xf32>) -> tensor<?x3x5xf32> loc("Dense"(fused<{nacre.values = ["y"]}>["net":0:0]))
  %1 = IE.Relu %0 : tensor<?x3x5xf32> -> tensor<?x3x5xf32> loc("Dense"(fused<{nacre.values = ["y"]}>["net":0:0]))
  return %1 : tensor<?x3x5xf32>
}

// -----

// A value that goes on as integers is what is dequantized of them, under the same
// name; dequantized weights are constants.
// CHECK: values = [
// CHECK-SAME: #nacre.tap<name = "r", node = "Relu_0", op = "DequantizeLinear", operand = 0, axis = 1>
// CHECK-SAME: #nacre.tap<name = "y", node = "Gemm_1", op = "Gemm", operand = 0, axis = 1>]>}
func.func @main(%x: tensor<2x2xf64>) -> tensor<2x2xf32> {
  %s = IE.Constant dense<0.5> : tensor<f32>
  %z = IE.Constant dense<0> : tensor<ui8>
  %i = IE.Constant dense<3> : tensor<2x2xi8>
  %c = IE.Cast %x to f32 : tensor<2x2xf64> -> tensor<2x2xf32> loc("Relu_0"(fused<{nacre.values = ["r"]}>["net":0:0]))
  %q = IE.QuantizeLinear(%c, %s, %z) : (tensor<2x2xf32>, tensor<f32>, tensor<ui8>) -> tensor<2x2xui8> loc("Relu_0"(fused<{nacre.values = ["r"]}>["net":0:0]))
  %d = IE.DequantizeLinear(%q, %s, %z) : (tensor<2x2xui8>, tensor<f32>, tensor<ui8>) -> tensor<2x2xf32> loc("Relu_0"(fused<{nacre.values = ["r"]}>["net":0:0]))
  %w = IE.DequantizeLinear(%i, %s) : (tensor<2x2xi8>, tensor<f32>) -> tensor<2x2xf32> loc("Gemm_1")
  %y = IE.Gemm(%d, %w) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32> loc("Gemm_1"(fused<{nacre.values = ["y"]}>["net":0:0]))
  return %y : tensor<2x2xf32>
}

// -----

// Values of a body have as many values as it has runs.
// CHECK: name = "input#1"
// CHECK-NOT: name = "inside"
// CHECK: name = "picked"
// CHECK-NOT: name = "inside"
// CHECK: func @main
func.func @main(%c: tensor<i1>, %x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = IE.If %c : (tensor<i1>) -> tensor<4xf32> {
    %1 = IE.Relu %x : tensor<4xf32> -> tensor<4xf32> loc(fused<{nacre.values = ["inside"]}>["net":0:0])
    IE.Yield %1 : tensor<4xf32>
  } else {
    IE.Yield %x : tensor<4xf32>
  } loc("If_0"(fused<{nacre.values = ["picked"]}>["net":0:0]))
  return %0 : tensor<4xf32>
}

// -----

// expected-error @below {{expected a function @main}}
module {
}
