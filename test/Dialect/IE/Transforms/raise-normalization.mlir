// RUN: nacre-opt %s --ie-raise --split-input-file | FileCheck %s

// CHECK-LABEL: func @formula_is_an_op
// CHECK-DAG: %[[S:.*]] = IE.Constant dense<2.000000e+00> : tensor<8xf32>
// CHECK-DAG: %[[B:.*]] = IE.Constant dense<1.000000e+00> : tensor<1x1x8xf32>
// CHECK: %[[Y:.*]], %{{.*}}, %{{.*}} = IE.LayerNormalization(%arg0, %[[S]], %[[B]]) {epsilon = 9.99999996E-13 : f32} : (tensor<?x4x8xf32>, tensor<8xf32>, tensor<1x1x8xf32>) -> (tensor<?x4x8xf32>, tensor<?x4x1xf32>, tensor<?x4x1xf32>)
// CHECK-NEXT: return %[[Y]]
func.func @formula_is_an_op(%x: tensor<?x4x8xf32>) -> tensor<?x4x8xf32> {
  %axes = IE.Constant dense<-1> : tensor<1xi64>
  %epsilon = IE.Constant dense<1.0e-12> : tensor<1xf32>
  %s = IE.Constant dense<2.0> : tensor<8xf32>
  %b = IE.Constant dense<1.0> : tensor<1x1x8xf32>
  %0 = IE.ReduceMean(%x, %axes) : (tensor<?x4x8xf32>, tensor<1xi64>) -> tensor<?x4x1xf32>
  %1 = IE.Sub %x, %0 : tensor<?x4x8xf32>, tensor<?x4x1xf32> -> tensor<?x4x8xf32>
  %2 = IE.Mul %1, %1 : tensor<?x4x8xf32>, tensor<?x4x8xf32> -> tensor<?x4x8xf32>
  %3 = IE.ReduceMean(%2, %axes) : (tensor<?x4x8xf32>, tensor<1xi64>) -> tensor<?x4x1xf32>
  %4 = IE.Add %3, %epsilon : tensor<?x4x1xf32>, tensor<1xf32> -> tensor<?x4x1xf32>
  %5 = IE.Sqrt %4 : tensor<?x4x1xf32> -> tensor<?x4x1xf32>
  %6 = IE.Div %1, %5 : tensor<?x4x8xf32>, tensor<?x4x1xf32> -> tensor<?x4x8xf32>
  %7 = IE.Mul %6, %s : tensor<?x4x8xf32>, tensor<8xf32> -> tensor<?x4x8xf32>
  %8 = IE.Add %7, %b : tensor<?x4x8xf32>, tensor<1x1x8xf32> -> tensor<?x4x8xf32>
  return %8 : tensor<?x4x8xf32>
}

// -----

// A power, a reciprocal, two dimensions, no bias, and operands exchanged.

// CHECK-LABEL: func @other_forms_are_an_op
// CHECK: %[[Y:.*]], %{{.*}}, %{{.*}} = IE.LayerNormalization(%arg0, %{{.*}}) {axis = -2 : i64, epsilon = 5.000000e-01 : f32} : (tensor<2x3x4xf64>, tensor<3x4xf64>)
// CHECK-NEXT: return %[[Y]]
func.func @other_forms_are_an_op(%x: tensor<2x3x4xf64>) -> tensor<2x3x4xf64> {
  %axes = IE.Constant dense<[1, 2]> : tensor<2xi64>
  %epsilon = IE.Constant dense<0.5> : tensor<f64>
  %two = IE.Constant dense<2.0> : tensor<f64>
  %s = IE.Constant dense<2.0> : tensor<3x4xf64>
  %0 = IE.ReduceMean(%x, %axes) : (tensor<2x3x4xf64>, tensor<2xi64>) -> tensor<2x1x1xf64>
  %1 = IE.Sub %x, %0 : tensor<2x3x4xf64>, tensor<2x1x1xf64> -> tensor<2x3x4xf64>
  %2 = IE.Pow %1, %two : tensor<2x3x4xf64>, tensor<f64> -> tensor<2x3x4xf64>
  %3 = IE.ReduceMean(%2, %axes) : (tensor<2x3x4xf64>, tensor<2xi64>) -> tensor<2x1x1xf64>
  %4 = IE.Add %epsilon, %3 : tensor<f64>, tensor<2x1x1xf64> -> tensor<2x1x1xf64>
  %5 = IE.Sqrt %4 : tensor<2x1x1xf64> -> tensor<2x1x1xf64>
  %6 = IE.Reciprocal %5 : tensor<2x1x1xf64> -> tensor<2x1x1xf64>
  %7 = IE.Mul %6, %1 : tensor<2x1x1xf64>, tensor<2x3x4xf64> -> tensor<2x3x4xf64>
  %8 = IE.Mul %s, %7 : tensor<3x4xf64>, tensor<2x3x4xf64> -> tensor<2x3x4xf64>
  return %8 : tensor<2x3x4xf64>
}

// -----

// What is added is no constant, and the reciprocal is a quotient.

// CHECK-LABEL: func @residual_is_added_behind
// CHECK: %[[N:.*]], %{{.*}}, %{{.*}} = IE.LayerNormalization(%arg0, %{{.*}}) : (tensor<2x8xf32>, tensor<8xf32>)
// CHECK-NEXT: %[[Y:.*]] = IE.Add %[[N]], %arg1
// CHECK-NEXT: return %[[Y]]
func.func @residual_is_added_behind(%x: tensor<2x8xf32>, %r: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %axes = IE.Constant dense<1> : tensor<1xi64>
  %epsilon = IE.Constant dense<1.0e-5> : tensor<f32>
  %one = IE.Constant dense<1.0> : tensor<f32>
  %s = IE.Constant dense<2.0> : tensor<8xf32>
  %0 = IE.ReduceMean(%x, %axes) : (tensor<2x8xf32>, tensor<1xi64>) -> tensor<2x1xf32>
  %1 = IE.Sub %x, %0 : tensor<2x8xf32>, tensor<2x1xf32> -> tensor<2x8xf32>
  %2 = IE.Mul %1, %1 : tensor<2x8xf32>, tensor<2x8xf32> -> tensor<2x8xf32>
  %3 = IE.ReduceMean(%2, %axes) : (tensor<2x8xf32>, tensor<1xi64>) -> tensor<2x1xf32>
  %4 = IE.Add %3, %epsilon : tensor<2x1xf32>, tensor<f32> -> tensor<2x1xf32>
  %5 = IE.Sqrt %4 : tensor<2x1xf32> -> tensor<2x1xf32>
  %6 = IE.Div %one, %5 : tensor<f32>, tensor<2x1xf32> -> tensor<2x1xf32>
  %7 = IE.Mul %1, %6 : tensor<2x8xf32>, tensor<2x1xf32> -> tensor<2x8xf32>
  %8 = IE.Mul %7, %s : tensor<2x8xf32>, tensor<8xf32> -> tensor<2x8xf32>
  %9 = IE.Add %8, %r : tensor<2x8xf32>, tensor<2x8xf32> -> tensor<2x8xf32>
  return %9 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @differences_that_others_read_stay
// CHECK-NOT: IE.LayerNormalization
func.func @differences_that_others_read_stay(%x: tensor<2x8xf32>) -> (tensor<2x8xf32>, tensor<2x8xf32>) {
  %axes = IE.Constant dense<1> : tensor<1xi64>
  %epsilon = IE.Constant dense<1.0e-5> : tensor<f32>
  %s = IE.Constant dense<2.0> : tensor<8xf32>
  %0 = IE.ReduceMean(%x, %axes) : (tensor<2x8xf32>, tensor<1xi64>) -> tensor<2x1xf32>
  %1 = IE.Sub %x, %0 : tensor<2x8xf32>, tensor<2x1xf32> -> tensor<2x8xf32>
  %2 = IE.Mul %1, %1 : tensor<2x8xf32>, tensor<2x8xf32> -> tensor<2x8xf32>
  %3 = IE.ReduceMean(%2, %axes) : (tensor<2x8xf32>, tensor<1xi64>) -> tensor<2x1xf32>
  %4 = IE.Add %3, %epsilon : tensor<2x1xf32>, tensor<f32> -> tensor<2x1xf32>
  %5 = IE.Sqrt %4 : tensor<2x1xf32> -> tensor<2x1xf32>
  %6 = IE.Div %1, %5 : tensor<2x8xf32>, tensor<2x1xf32> -> tensor<2x8xf32>
  %7 = IE.Mul %6, %s : tensor<2x8xf32>, tensor<8xf32> -> tensor<2x8xf32>
  return %7, %1 : tensor<2x8xf32>, tensor<2x8xf32>
}

// -----

// Pixels of each channel, scaled by channels: an InstanceNormalization; and
// channels in front.

// CHECK-LABEL: func @other_dimensions_stay
// CHECK-NOT: IE.LayerNormalization
func.func @other_dimensions_stay(%x: tensor<2x8x3x3xf32>, %z: tensor<2x8x3xf32>) -> (tensor<2x8x3x3xf32>, tensor<2x8x3xf32>) {
  %axes = IE.Constant dense<[2, 3]> : tensor<2xi64>
  %epsilon = IE.Constant dense<1.0e-5> : tensor<f32>
  %s = IE.Constant dense<2.0> : tensor<8x1x1xf32>
  %0 = IE.ReduceMean(%x, %axes) : (tensor<2x8x3x3xf32>, tensor<2xi64>) -> tensor<2x8x1x1xf32>
  %1 = IE.Sub %x, %0 : tensor<2x8x3x3xf32>, tensor<2x8x1x1xf32> -> tensor<2x8x3x3xf32>
  %2 = IE.Mul %1, %1 : tensor<2x8x3x3xf32>, tensor<2x8x3x3xf32> -> tensor<2x8x3x3xf32>
  %3 = IE.ReduceMean(%2, %axes) : (tensor<2x8x3x3xf32>, tensor<2xi64>) -> tensor<2x8x1x1xf32>
  %4 = IE.Add %3, %epsilon : tensor<2x8x1x1xf32>, tensor<f32> -> tensor<2x8x1x1xf32>
  %5 = IE.Sqrt %4 : tensor<2x8x1x1xf32> -> tensor<2x8x1x1xf32>
  %6 = IE.Div %1, %5 : tensor<2x8x3x3xf32>, tensor<2x8x1x1xf32> -> tensor<2x8x3x3xf32>
  %7 = IE.Mul %6, %s : tensor<2x8x3x3xf32>, tensor<8x1x1xf32> -> tensor<2x8x3x3xf32>
  %front = IE.Constant dense<1> : tensor<1xi64>
  %t = IE.Constant dense<2.0> : tensor<8x1xf32>
  %8 = IE.ReduceMean(%z, %front) : (tensor<2x8x3xf32>, tensor<1xi64>) -> tensor<2x1x3xf32>
  %9 = IE.Sub %z, %8 : tensor<2x8x3xf32>, tensor<2x1x3xf32> -> tensor<2x8x3xf32>
  %10 = IE.Mul %9, %9 : tensor<2x8x3xf32>, tensor<2x8x3xf32> -> tensor<2x8x3xf32>
  %11 = IE.ReduceMean(%10, %front) : (tensor<2x8x3xf32>, tensor<1xi64>) -> tensor<2x1x3xf32>
  %12 = IE.Add %11, %epsilon : tensor<2x1x3xf32>, tensor<f32> -> tensor<2x1x3xf32>
  %13 = IE.Sqrt %12 : tensor<2x1x3xf32> -> tensor<2x1x3xf32>
  %14 = IE.Div %9, %13 : tensor<2x8x3xf32>, tensor<2x1x3xf32> -> tensor<2x8x3xf32>
  %15 = IE.Mul %14, %t : tensor<2x8x3xf32>, tensor<8x1xf32> -> tensor<2x8x3xf32>
  return %7, %15 : tensor<2x8x3x3xf32>, tensor<2x8x3xf32>
}

// -----

// A scale that is no constant, and an epsilon that no f32 is.

// CHECK-LABEL: func @parameters_that_the_op_does_not_have_stay
// CHECK-NOT: IE.LayerNormalization
func.func @parameters_that_the_op_does_not_have_stay(%x: tensor<2x8xf32>, %s: tensor<8xf32>, %z: tensor<2x8xf64>) -> (tensor<2x8xf32>, tensor<2x8xf64>) {
  %axes = IE.Constant dense<1> : tensor<1xi64>
  %epsilon = IE.Constant dense<1.0e-5> : tensor<f32>
  %0 = IE.ReduceMean(%x, %axes) : (tensor<2x8xf32>, tensor<1xi64>) -> tensor<2x1xf32>
  %1 = IE.Sub %x, %0 : tensor<2x8xf32>, tensor<2x1xf32> -> tensor<2x8xf32>
  %2 = IE.Mul %1, %1 : tensor<2x8xf32>, tensor<2x8xf32> -> tensor<2x8xf32>
  %3 = IE.ReduceMean(%2, %axes) : (tensor<2x8xf32>, tensor<1xi64>) -> tensor<2x1xf32>
  %4 = IE.Add %3, %epsilon : tensor<2x1xf32>, tensor<f32> -> tensor<2x1xf32>
  %5 = IE.Sqrt %4 : tensor<2x1xf32> -> tensor<2x1xf32>
  %6 = IE.Div %1, %5 : tensor<2x8xf32>, tensor<2x1xf32> -> tensor<2x8xf32>
  %7 = IE.Mul %6, %s : tensor<2x8xf32>, tensor<8xf32> -> tensor<2x8xf32>
  %fine = IE.Constant dense<1.0e-5> : tensor<f64>
  %t = IE.Constant dense<2.0> : tensor<8xf64>
  %8 = IE.ReduceMean(%z, %axes) : (tensor<2x8xf64>, tensor<1xi64>) -> tensor<2x1xf64>
  %9 = IE.Sub %z, %8 : tensor<2x8xf64>, tensor<2x1xf64> -> tensor<2x8xf64>
  %10 = IE.Mul %9, %9 : tensor<2x8xf64>, tensor<2x8xf64> -> tensor<2x8xf64>
  %11 = IE.ReduceMean(%10, %axes) : (tensor<2x8xf64>, tensor<1xi64>) -> tensor<2x1xf64>
  %12 = IE.Add %11, %fine : tensor<2x1xf64>, tensor<f64> -> tensor<2x1xf64>
  %13 = IE.Sqrt %12 : tensor<2x1xf64> -> tensor<2x1xf64>
  %14 = IE.Div %9, %13 : tensor<2x8xf64>, tensor<2x1xf64> -> tensor<2x8xf64>
  %15 = IE.Mul %14, %t : tensor<2x8xf64>, tensor<8xf64> -> tensor<2x8xf64>
  return %7, %15 : tensor<2x8xf32>, tensor<2x8xf64>
}
