// RUN: nacre-opt %s -split-input-file -verify-diagnostics | FileCheck %s

// float8, float4 and integers of few bits can be moved and converted.

// CHECK-LABEL: func @moved_and_converted
func.func @moved_and_converted(%x: tensor<2x3xf8E4M3FN>, %y: tensor<2x3xi4>)
    -> (tensor<3x2xf8E4M3FN>, tensor<2x6xi4>, tensor<2x3xf4E2M1FN>) {
  // CHECK: IE.Transpose %{{.*}} : tensor<2x3xf8E4M3FN> -> tensor<3x2xf8E4M3FN>
  %0 = IE.Transpose %x : tensor<2x3xf8E4M3FN> -> tensor<3x2xf8E4M3FN>
  // CHECK: IE.Concat
  %1 = "IE.Concat"(%y, %y) {axis = 1 : i64}
      : (tensor<2x3xi4>, tensor<2x3xi4>) -> tensor<2x6xi4>
  // CHECK: IE.Cast %{{.*}} to f4E2M1FN {saturate = 0 : i64}
  %2 = IE.Cast %x to f4E2M1FN {saturate = 0 : i64}
      : tensor<2x3xf8E4M3FN> -> tensor<2x3xf4E2M1FN>
  return %0, %1, %2
      : tensor<3x2xf8E4M3FN>, tensor<2x6xi4>, tensor<2x3xf4E2M1FN>
}

// -----

func.func @add(%x: tensor<3xf8E5M2>) -> tensor<3xf8E5M2> {
  // expected-error @below {{must be ranked tensor of number values, but got 'tensor<3xf8E5M2>'}}
  %0 = IE.Add %x, %x : tensor<3xf8E5M2>, tensor<3xf8E5M2> -> tensor<3xf8E5M2>
  return %0 : tensor<3xf8E5M2>
}

// -----

func.func @equal(%x: tensor<3xui4>) -> tensor<3xi1> {
  // expected-error @below {{must be ranked tensor of number, bool or string values, but got 'tensor<3xui4>'}}
  %0 = IE.Equal %x, %x : tensor<3xui4>, tensor<3xui4> -> tensor<3xi1>
  return %0 : tensor<3xi1>
}

// -----

func.func @scatter_with_a_reduction(%x: tensor<1x5xi4>, %i: tensor<1x2xi64>,
                                    %u: tensor<1x2xi4>) -> tensor<1x5xi4> {
  // expected-error @below {{expected no reduction of 'i4', found 'add'}}
  %0 = IE.ScatterElements %x, %i, %u {axis = 1 : i64, reduction = "add"}
      : tensor<1x5xi4>, tensor<1x2xi64>, tensor<1x2xi4> -> tensor<1x5xi4>
  return %0 : tensor<1x5xi4>
}

// -----

func.func @sequence(%x: tensor<3xf8E5M2>) {
  // expected-error @+2 {{expected a tensor of other elements, found 'tensor<3xf8E5M2>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.SequenceConstruct(%x)
      : (tensor<3xf8E5M2>) -> !IE.Sequence<tensor<3xf8E5M2>>
  return
}

// -----

// CHECK-LABEL: func @scales_and_two_bits
func.func @scales_and_two_bits(%x: tensor<3xf8E8M0FNU>, %y: tensor<3xi2>)
    -> (tensor<3xui2>, tensor<3xf8E8M0FNU>) {
  // CHECK: IE.Cast %{{.*}} to ui2 : tensor<3xf8E8M0FNU> -> tensor<3xui2>
  %0 = IE.Cast %x to ui2 : tensor<3xf8E8M0FNU> -> tensor<3xui2>
  // CHECK: IE.Cast %{{.*}} to f8E8M0FNU {round_mode = "nearest"}
  %1 = IE.Cast %y to f8E8M0FNU {round_mode = "nearest"}
      : tensor<3xi2> -> tensor<3xf8E8M0FNU>
  return %0, %1 : tensor<3xui2>, tensor<3xf8E8M0FNU>
}

// -----

func.func @round_mode_that_there_is_not(%x: tensor<3xf32>) {
  // expected-error @below {{attribute 'round_mode' failed to satisfy constraint: string attribute of "up", "down" or "nearest"}}
  %0 = IE.Cast %x to f8E8M0FNU {round_mode = "sideways"}
      : tensor<3xf32> -> tensor<3xf8E8M0FNU>
  return
}
