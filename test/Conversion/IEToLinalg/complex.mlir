// RUN: nacre-opt %s --convert-ie-to-linalg | FileCheck %s

// Complex numbers are moved as integers as wide.

// CHECK-LABEL: func @moved
// CHECK-SAME: (%{{.*}}: tensor<2x3xi64>, %{{.*}}: tensor<2x3xi128>)
// CHECK-SAME: -> (tensor<3x2xi64>, tensor<3x2xi128>)
// CHECK: linalg.transpose
func.func @moved(%x: tensor<2x3xcomplex<f32>>, %y: tensor<2x3xcomplex<f64>>)
    -> (tensor<3x2xcomplex<f32>>, tensor<3x2xcomplex<f64>>) {
  %0 = IE.Transpose %x : tensor<2x3xcomplex<f32>> -> tensor<3x2xcomplex<f32>>
  %1 = IE.Transpose %y : tensor<2x3xcomplex<f64>> -> tensor<3x2xcomplex<f64>>
  return %0, %1 : tensor<3x2xcomplex<f32>>, tensor<3x2xcomplex<f64>>
}

// The real part is first in memory, which is the low half.
// CHECK-LABEL: func @constant
// CHECK: arith.constant dense<4611686019492741120> : tensor<1xi64>
func.func @constant() -> tensor<1xcomplex<f32>> {
  %0 = IE.Constant dense<(1.0, 2.0)> : tensor<1xcomplex<f32>>
  return %0 : tensor<1xcomplex<f32>>
}
