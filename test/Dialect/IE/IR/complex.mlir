// RUN: nacre-opt %s -split-input-file -verify-diagnostics | FileCheck %s

// Complex numbers can be moved.

// CHECK-LABEL: func @moved
func.func @moved(%x: tensor<2x3xcomplex<f32>>, %y: tensor<2x3xcomplex<f64>>)
    -> (tensor<3x2xcomplex<f32>>, tensor<2x6xcomplex<f64>>) {
  // CHECK: IE.Transpose %{{.*}} : tensor<2x3xcomplex<f32>> -> tensor<3x2xcomplex<f32>>
  %0 = IE.Transpose %x : tensor<2x3xcomplex<f32>> -> tensor<3x2xcomplex<f32>>
  // CHECK: IE.Concat
  %1 = "IE.Concat"(%y, %y) {axis = 1 : i64}
      : (tensor<2x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>)
      -> tensor<2x6xcomplex<f64>>
  return %0, %1 : tensor<3x2xcomplex<f32>>, tensor<2x6xcomplex<f64>>
}

// -----

func.func @add(%x: tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>> {
  // expected-error @below {{must be ranked tensor of number values, but got 'tensor<3xcomplex<f32>>'}}
  %0 = IE.Add %x, %x : tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>
      -> tensor<3xcomplex<f32>>
  return %0 : tensor<3xcomplex<f32>>
}

// -----

func.func @cast(%x: tensor<3xcomplex<f32>>) -> tensor<3xf32> {
  // expected-error @below {{must be ranked tensor of any but complex values, but got 'tensor<3xcomplex<f32>>'}}
  %0 = IE.Cast %x to f32 : tensor<3xcomplex<f32>> -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @halves(%x: tensor<3xcomplex<f16>>) -> tensor<3xcomplex<f16>> {
  // expected-error @below {{must be ranked tensor of any values, but got 'tensor<3xcomplex<f16>>'}}
  %0 = IE.Identity %x : tensor<3xcomplex<f16>> -> tensor<3xcomplex<f16>>
  return %0 : tensor<3xcomplex<f16>>
}

// -----

func.func @scatter_with_a_reduction(
    %x: tensor<1x5xcomplex<f64>>, %i: tensor<1x2xi64>,
    %u: tensor<1x2xcomplex<f64>>) -> tensor<1x5xcomplex<f64>> {
  // expected-error @below {{expected no reduction of 'complex<f64>', found 'add'}}
  %0 = IE.ScatterElements %x, %i, %u {axis = 1 : i64, reduction = "add"}
      : tensor<1x5xcomplex<f64>>, tensor<1x2xi64>, tensor<1x2xcomplex<f64>>
      -> tensor<1x5xcomplex<f64>>
  return %0 : tensor<1x5xcomplex<f64>>
}
