// Inputs, outputs, sizes, names, attributes, optional operands and metadata.

// RUN: nacre-translate --export-onnx %s -o %t.onnx
// RUN: %python %S/Inputs/print.py %t.onnx | FileCheck %s
// RUN: nacre-translate --import-onnx --mlir-print-debuginfo %t.onnx -o %t.mlir
// RUN: nacre-translate --export-onnx %t.mlir -o %t.again.onnx
// RUN: %python %S/Inputs/print.py %t.again.onnx | FileCheck %s

// CHECK: ir 10, by nacre
// CHECK-NEXT: opset ai.onnx 21
// CHECK-NEXT: metadata task = shapes
// CHECK-NEXT: metadata empty =
// CHECK-NEXT: graph net
module @net attributes {nacre.metadata = ["task", "shapes", "empty", ""]} {

// CHECK-NEXT: input x: float[N,3,8,?]
// CHECK-NEXT: input low: float[]
// CHECK-NEXT: output y: float[N,4,4,?]
// CHECK-NEXT: output low: float[]
// CHECK-NEXT: output again: float[]
// CHECK-NEXT: value c: float[?,4,8,?]
// CHECK-NEXT: value Conv_0#2: float[?,4,8,?]
// CHECK-NEXT: value kept: float[?,4,8,?]
// CHECK-NEXT: constant Conv_0#0: float[4, 3, 1, 1]
func.func @main(
    %x: tensor<?x3x8x?xf32> {nacre.name = "x", nacre.dims = ["N", "", "", ""]},
    %low: tensor<f32> {nacre.name = "low"})
    -> (tensor<?x4x4x?xf32> {nacre.name = "y", nacre.dims = ["N", "", "", ""]},
        tensor<f32> {nacre.name = "low"}, tensor<f32> {nacre.name = "again"}) {
  %w = IE.Constant dense<1.0> : tensor<4x3x1x1xf32>
  // Of several ops the last is the node.
  // CHECK-NEXT: node Conv_0#1: Conv(x, Conv_0#0) -> c {kernel_shape = [1, 1]}
  %0 = IE.Conv(%x, %w) {kernel_shape = array<i64: 1, 1>}
      : (tensor<?x3x8x?xf32>, tensor<4x3x1x1xf32>) -> tensor<?x4x8x?xf32>
      loc("Conv_0"(fused<{nacre.values = ["c"]}>["net.onnx":0:0]))
  // A value without a name, and an operand left out between others.
  // CHECK-NEXT: node Conv_0: Clip(c, -, low) -> Conv_0#2
  %1 = IE.Clip %0 max(%low : tensor<f32>)
      : tensor<?x4x8x?xf32> -> tensor<?x4x8x?xf32> loc("Conv_0")
  // What nothing uses is left out, unless the model names it.
  // CHECK-NEXT: node Softmax: Softmax(c) -> kept {axis = 1}
  %3 = IE.Abs %1 : tensor<?x4x8x?xf32> -> tensor<?x4x8x?xf32>
  %4 = IE.Softmax(%0) {axis = 1 : i64} : (tensor<?x4x8x?xf32>)
      -> tensor<?x4x8x?xf32> loc("Softmax"(fused<{nacre.values = ["kept"]}>["net.onnx":0:0]))
  // CHECK-NEXT: node MaxPool#0: MaxPool(Conv_0#2) -> y {kernel_shape = [2, 2], strides = [2, 2]}
  %2 = IE.MaxPool(%1) {kernel_shape = array<i64: 2, 2>,
                      strides = array<i64: 2, 2>}
      : (tensor<?x4x8x?xf32>) -> tensor<?x4x4x?xf32>
  // An argument may be a result; under another name, a node gives it.
  // CHECK-NEXT: node again: Identity(low) -> again
  // CHECK-NOT: {{.}}
  return %2, %low, %low : tensor<?x4x4x?xf32>, tensor<f32>, tensor<f32>
}
}
