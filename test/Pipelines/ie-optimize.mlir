// RUN: nacre-opt %s --ie-optimize | FileCheck %s

// Each layer's shape is computed from the shape of the layer before it.
// CHECK-LABEL: func @shapes_that_follow_from_each_other_become_static
// CHECK-SAME: (%[[X:.*]]: tensor<2x3x4xf32>) -> tensor<2x12x1x1xf32>
// CHECK-NOT: IE.Shape
// CHECK-NOT: IE.Gather
// CHECK: return {{.*}} : tensor<2x12x1x1xf32>
func.func @shapes_that_follow_from_each_other_become_static(%x: tensor<2x3x4xf32>) -> tensor<?x?x?x?xf32> {
  %first = IE.Constant dense<0> : tensor<1xi64>
  %rest = IE.Constant dense<-1> : tensor<1xi64>
  %one = IE.Constant dense<1> : tensor<1xi64>
  %s0 = IE.Shape %x : tensor<2x3x4xf32> -> tensor<3xi64>
  %b0 = IE.Gather %s0, %first : tensor<3xi64>, tensor<1xi64> -> tensor<1xi64>
  %t0 = IE.Concat %b0, %rest {axis = 0 : i64} : tensor<1xi64>, tensor<1xi64> -> tensor<2xi64>
  %0 = IE.Reshape %x, %t0 : tensor<2x3x4xf32>, tensor<2xi64> -> tensor<?x?xf32>
  %1 = IE.Relu %0 : tensor<?x?xf32> -> tensor<?x?xf32>
  %s1 = IE.Shape %1 : tensor<?x?xf32> -> tensor<2xi64>
  %b1 = IE.Gather %s1, %one : tensor<2xi64>, tensor<1xi64> -> tensor<1xi64>
  %t1 = IE.Concat %rest, %one, %b1 {axis = 0 : i64} : tensor<1xi64>, tensor<1xi64>, tensor<1xi64> -> tensor<3xi64>
  %2 = IE.Reshape %1, %t1 : tensor<?x?xf32>, tensor<3xi64> -> tensor<?x?x?xf32>
  %3 = IE.Exp %2 : tensor<?x?x?xf32> -> tensor<?x?x?xf32>
  %s2 = IE.Shape %3 : tensor<?x?x?xf32> -> tensor<3xi64>
  %b2 = IE.Gather %s2, %first : tensor<3xi64>, tensor<1xi64> -> tensor<1xi64>
  %t2 = IE.Concat %b2, %rest, %one, %one {axis = 0 : i64} : tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64> -> tensor<4xi64>
  %4 = IE.Reshape %3, %t2 : tensor<?x?x?xf32>, tensor<4xi64> -> tensor<?x?x?x?xf32>
  return %4 : tensor<?x?x?x?xf32>
}
