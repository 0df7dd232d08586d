// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/../Driver/Inputs/npy.py write %t/x.npy float32 4 1 2 1 0
// RUN: %python %S/../Driver/Inputs/npy.py write %t/i.npy int64 1 -1
// RUN: nacre run %s --input x=%t/x.npy --input i=%t/i.npy --backend=interpreter | FileCheck %s
// RUN: nacre run %s --input x=%t/x.npy --input i=%t/i.npy --backend=reference | FileCheck %s
// RUN: nacre run %s --input x=%t/x.npy --input i=%t/i.npy --backend=cpu | FileCheck %s

// CHECK: parts[0]: tensor<3xf32> [1, 2, 1]
// CHECK-NEXT: parts[1]: tensor<1xf32> [0]
// CHECK-NEXT: inserted[0]: tensor<3xf32> [1, 2, 1]
// CHECK-NEXT: inserted[1]: tensor<4xf32> [1, 2, 1, 0]
// CHECK-NEXT: inserted[2]: tensor<1xf32> [0]
// CHECK-NEXT: erased[0]: tensor<3xf32> [1, 2, 1]
// CHECK-NEXT: at: tensor<1xf32> [0]
// CHECK-NEXT: whole: tensor<4xf32> [1, 2, 1, 0]
// CHECK-NEXT: stacked: tensor<4x2xf32> [1, 1, 2, 2, 1, 1, 0, 0]
// CHECK-NEXT: length: tensor<i64> [2]
// CHECK-NEXT: has: tensor<i1> [0]
// CHECK-NEXT: nonzero: tensor<1x3xi64> [0, 1, 2]
// CHECK-NEXT: unique: tensor<3xf32> [1, 2, 0]
// CHECK-NEXT: inverse: tensor<4xi64> [0, 1, 0, 2]
// CHECK-NEXT: counts: tensor<3xi64> [2, 1, 1]
func.func @main(%x: tensor<4xf32> {nacre.name = "x"}, %i: tensor<1xi64> {nacre.name = "i"})
    -> (!IE.Sequence<tensor<?xf32>> {nacre.name = "parts"}, !IE.Sequence<tensor<?xf32>> {nacre.name = "inserted"},
        !IE.Sequence<tensor<?xf32>> {nacre.name = "erased"}, tensor<?xf32> {nacre.name = "at"}, tensor<?xf32> {nacre.name = "whole"},
        tensor<4x?xf32> {nacre.name = "stacked"}, tensor<i64> {nacre.name = "length"}, tensor<i1> {nacre.name = "has"},
        tensor<1x?xi64> {nacre.name = "nonzero"}, tensor<?xf32> {nacre.name = "unique"}, tensor<4xi64> {nacre.name = "inverse"},
        tensor<?xi64> {nacre.name = "counts"}) {
  %three = IE.Constant dense<3> : tensor<i64>
  %parts = IE.SplitToSequence(%x, %three) : (tensor<4xf32>, tensor<i64>) -> !IE.Sequence<tensor<?xf32>>
  %inserted = IE.SequenceInsert(%parts, %x, %i) : (!IE.Sequence<tensor<?xf32>>, tensor<4xf32>, tensor<1xi64>) -> !IE.Sequence<tensor<?xf32>>
  %erased = IE.SequenceErase(%parts) : (!IE.Sequence<tensor<?xf32>>) -> !IE.Sequence<tensor<?xf32>>
  %at = IE.SequenceAt(%parts, %i) : (!IE.Sequence<tensor<?xf32>>, tensor<1xi64>) -> tensor<?xf32>
  %whole = IE.ConcatFromSequence(%parts) {axis = -1 : i64} : (!IE.Sequence<tensor<?xf32>>) -> tensor<?xf32>
  %twice = IE.SequenceConstruct(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> !IE.Sequence<tensor<4xf32>>
  %stacked = IE.ConcatFromSequence(%twice) {axis = 1 : i64, new_axis = 1 : i64} : (!IE.Sequence<tensor<4xf32>>) -> tensor<4x?xf32>
  %length = IE.SequenceLength(%parts) : (!IE.Sequence<tensor<?xf32>>) -> tensor<i64>
  %none = IE.Optional() {type = tensor<2xf32>} : () -> !IE.Optional<tensor<2xf32>>
  %has = IE.OptionalHasElement(%none) : (!IE.Optional<tensor<2xf32>>) -> tensor<i1>
  %nonzero = IE.NonZero(%x) : (tensor<4xf32>) -> tensor<1x?xi64>
  %unique:4 = IE.Unique(%x) {sorted = 0 : i64} : (tensor<4xf32>) -> (tensor<?xf32>, tensor<?xi64>, tensor<4xi64>, tensor<?xi64>)
  return %parts, %inserted, %erased, %at, %whole, %stacked, %length, %has, %nonzero, %unique#0, %unique#2, %unique#3
      : !IE.Sequence<tensor<?xf32>>, !IE.Sequence<tensor<?xf32>>, !IE.Sequence<tensor<?xf32>>, tensor<?xf32>, tensor<?xf32>, tensor<4x?xf32>,
        tensor<i64>, tensor<i1>, tensor<1x?xi64>, tensor<?xf32>, tensor<4xi64>, tensor<?xi64>
}
