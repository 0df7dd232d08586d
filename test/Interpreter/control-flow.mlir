// Branches and loops give the same numbers on every backend, and a body that
// swaps its values does not lose one.

// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/../Driver/Inputs/npy.py write %t/x.npy float32 2 1 2
// RUN: %python %S/../Driver/Inputs/npy.py write %t/y.npy float32 2 5 7
// RUN: %python %S/../Driver/Inputs/npy.py write %t/n.npy int64 1 3
// RUN: nacre run %s --input x=%t/x.npy --input y=%t/y.npy --input n=%t/n.npy --backend=interpreter | FileCheck %s
// RUN: nacre run %s --input x=%t/x.npy --input y=%t/y.npy --input n=%t/n.npy --backend=reference | FileCheck %s
// RUN: nacre run %s --input x=%t/x.npy --input y=%t/y.npy --input n=%t/n.npy --backend=cpu | FileCheck %s
// RUN: nacre run %s --input x=%t/x.npy --input y=%t/y.npy --input n=%t/n.npy --backend=cpu --threads=2 | FileCheck %s

// CHECK: if: tensor<2xf32> [5, 7]
// CHECK: swapped_a: tensor<2xf32> [5, 7]
// CHECK: swapped_b: tensor<2xf32> [1, 2]
// CHECK: while: tensor<2xf32> [8, 16]
// CHECK: counts: tensor<3xi64> [0, 1, 2]
// CHECK: state: tensor<f32> [15]
// CHECK: sums: tensor<1x2xf32> [15, 8]
func.func @main(%x: tensor<2xf32> {nacre.name = "x"}, %y: tensor<2xf32> {nacre.name = "y"}, %n: tensor<1xi64> {nacre.name = "n"})
    -> (tensor<2xf32> {nacre.name = "if"}, tensor<2xf32> {nacre.name = "swapped_a"}, tensor<2xf32> {nacre.name = "swapped_b"},
        tensor<2xf32> {nacre.name = "while"}, tensor<3xi64> {nacre.name = "counts"},
        tensor<f32> {nacre.name = "state"}, tensor<1x2xf32> {nacre.name = "sums"}) {
  %limit = IE.Constant dense<20.0> : tensor<f32>
  %three = IE.Constant dense<3> : tensor<i64>
  %axes = IE.Constant dense<0> : tensor<1xi64>
  %sum = IE.ReduceSum(%x, %axes) {keepdims = 0 : i64} : (tensor<2xf32>, tensor<1xi64>) -> tensor<f32>
  %isLarge = IE.Less %limit, %sum : tensor<f32>, tensor<f32> -> tensor<i1>
  %if = IE.If %isLarge : (tensor<i1>) -> tensor<2xf32> {
    IE.Yield %x : tensor<2xf32>
  } else {
    IE.Yield %y : tensor<2xf32>
  }
  %swapped:2 = IE.Loop(%n, %x, %y) {operandSegmentSizes = array<i32: 1, 0, 2>} : (tensor<1xi64>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  ^bb0(%i: tensor<i64>, %c: tensor<i1>, %a: tensor<2xf32>, %b: tensor<2xf32>):
    IE.Yield %c, %b, %a : tensor<i1>, tensor<2xf32>, tensor<2xf32>
  }
  // Doubles until the sum exceeds the limit.
  %while = IE.Loop(%x) {operandSegmentSizes = array<i32: 0, 0, 1>} : (tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%i: tensor<i64>, %c: tensor<i1>, %v: tensor<2xf32>):
    %next = IE.Add %v, %v : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
    %total = IE.ReduceSum(%next, %axes) {keepdims = 0 : i64} : (tensor<2xf32>, tensor<1xi64>) -> tensor<f32>
    %goesOn = IE.Less %total, %limit : tensor<f32>, tensor<f32> -> tensor<i1>
    IE.Yield %goesOn, %next : tensor<i1>, tensor<2xf32>
  }
  %counts = IE.Loop(%three) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<i64>) -> tensor<3xi64> {
  ^bb0(%i: tensor<i64>, %c: tensor<i1>):
    IE.Yield %c, %i : tensor<i1>, tensor<i64>
  }
  // From the end to the front, and back again.
  %zero = IE.Constant dense<3.0> : tensor<f32>
  %scan:2 = IE.Scan(%zero, %y) {num_scan_inputs = 1 : i64, scan_input_directions = array<i64: 0>, scan_output_directions = array<i64: 1>}
      : (tensor<f32>, tensor<2xf32>) -> (tensor<f32>, tensor<2xf32>) {
  ^bb0(%state: tensor<f32>, %part: tensor<f32>):
    %next = IE.Add %state, %part : tensor<f32>, tensor<f32> -> tensor<f32>
    %less = IE.Sub %next, %part : tensor<f32>, tensor<f32> -> tensor<f32>
    %last = IE.Max %next, %less : tensor<f32>, tensor<f32> -> tensor<f32>
    IE.Yield %next, %last : tensor<f32>, tensor<f32>
  }
  %first = IE.Constant dense<0> : tensor<1xi64>
  %sums = IE.Unsqueeze %scan#1, %first : tensor<2xf32>, tensor<1xi64> -> tensor<1x2xf32>
  return %if, %swapped#0, %swapped#1, %while, %counts, %scan#0, %sums
      : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<3xi64>, tensor<f32>, tensor<1x2xf32>
}
