// Values of int8 are written in operator set 20, unless something needs 21: of
// 21, ONNX Runtime cannot move a QuantizeLinear over a MaxPool.

// RUN: sed 's/TYPE/i8/g; s/WEIGHT/i8/g' %s > %t.mlir
// RUN: nacre-translate --export-onnx %t.mlir -o %t.onnx
// RUN: %python %S/Inputs/print.py %t.onnx | FileCheck %s --check-prefix=OLDER
// RUN: nacre-translate --import-onnx %t.onnx | FileCheck %s --check-prefix=AGAIN

// RUN: sed 's/TYPE/ui8/g; s/WEIGHT/i8/g' %s > %t.mlir
// RUN: nacre-translate --export-onnx %t.mlir -o %t.onnx
// RUN: %python %S/Inputs/print.py %t.onnx | FileCheck %s --check-prefix=NEWER

// RUN: sed 's/TYPE/i16/g; s/WEIGHT/i8/g' %s > %t.mlir
// RUN: nacre-translate --export-onnx %t.mlir -o %t.onnx
// RUN: %python %S/Inputs/print.py %t.onnx | FileCheck %s --check-prefix=NEWER

// RUN: sed 's/TYPE/i8/g; s/WEIGHT/i16/g' %s > %t.mlir
// RUN: nacre-translate --export-onnx %t.mlir -o %t.onnx
// RUN: %python %S/Inputs/print.py %t.onnx | FileCheck %s --check-prefix=NEWER

// OLDER: opset ai.onnx 20
// NEWER: opset ai.onnx 21
// AGAIN: IE.QuantizeLinear({{.*}}) : (tensor<1x1x4x4xf32>, tensor<f32>, tensor<i8>) -> tensor<1x1x4x4xi8>
func.func @main(%image: tensor<1x1x4x4xf32> {nacre.name = "image"},
                %scale: tensor<f32> {nacre.name = "scale"},
                %zero: tensor<TYPE> {nacre.name = "zero"},
                %weights: tensor<4x4xWEIGHT> {nacre.name = "weights"})
    -> (tensor<1x1x4x4xTYPE> {nacre.name = "y"},
        tensor<4x4xf32> {nacre.name = "w"}) {
  %0 = IE.QuantizeLinear(%image, %scale, %zero) : (tensor<1x1x4x4xf32>, tensor<f32>, tensor<TYPE>) -> tensor<1x1x4x4xTYPE>
  %1 = IE.DequantizeLinear(%weights, %scale) : (tensor<4x4xWEIGHT>, tensor<f32>) -> tensor<4x4xf32>
  return %0, %1 : tensor<1x1x4x4xTYPE>, tensor<4x4xf32>
}
