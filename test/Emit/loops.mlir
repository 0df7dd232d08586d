// Loops free what they no longer need, and change sequences in place: a run
// keeps no more than what is left at the end, and the time is in proportion to
// the number of iterations.

// RUN: rm -rf %t && mkdir %t
// RUN: nacre compile %s -o %t/loops.so
// RUN: clang -std=c11 -Wall -Wextra -Werror -I%t %S/Inputs/call-loops.c %t/loops.so -Wl,-rpath,%t -o %t/loops
// RUN: %t/loops | FileCheck %s
// RUN: nacre compile %s --backend=reference -o %t/loops.so
// RUN: %t/loops | FileCheck %s

// CHECK: 10 trips: 2 in the window, 10 in all, carried 1000; kept little, took little
// CHECK-NEXT: 1000 trips: 2 in the window, 1000 in all, carried 1000; kept little, took little
// CHECK-NEXT: 10000 trips: 2 in the window, 10000 in all, carried 1000; kept little, took little
// CHECK-NOT: lost

func.func @main(%trips: tensor<i64> {nacre.name = "trips"}, %x: tensor<?xf32> {nacre.name = "x"})
    -> (!IE.Sequence<tensor<?xf32>> {nacre.name = "window"}, !IE.Sequence<tensor<1xf32>> {nacre.name = "all"}, tensor<?xf32> {nacre.name = "carried"}) {
  %zero = IE.Constant dense<0> : tensor<i64>
  %first = IE.Constant dense<0> : tensor<1xi64>
  %one = IE.Constant dense<1> : tensor<1xi64>
  %window = IE.SequenceConstruct(%x, %x) : (tensor<?xf32>, tensor<?xf32>) -> !IE.Sequence<tensor<?xf32>>
  %all = IE.SequenceEmpty() {dtype = f32} : () -> !IE.Sequence<tensor<1xf32>>
  %0:3 = IE.Loop(%trips, %window, %all, %x) {operandSegmentSizes = array<i32: 1, 0, 3>}
      : (tensor<i64>, !IE.Sequence<tensor<?xf32>>, !IE.Sequence<tensor<1xf32>>, tensor<?xf32>)
      -> (!IE.Sequence<tensor<?xf32>>, !IE.Sequence<tensor<1xf32>>, tensor<?xf32>) {
  ^bb0(%i: tensor<i64>, %condition: tensor<i1>, %w: !IE.Sequence<tensor<?xf32>>, %a: !IE.Sequence<tensor<1xf32>>, %c: tensor<?xf32>):
    // The oldest of the window goes, its negation comes.
    %oldest = IE.SequenceAt(%w, %zero) : (!IE.Sequence<tensor<?xf32>>, tensor<i64>) -> tensor<?xf32>
    %rest = IE.SequenceErase(%w, %zero) : (!IE.Sequence<tensor<?xf32>>, tensor<i64>) -> !IE.Sequence<tensor<?xf32>>
    %negated = IE.Neg %oldest : tensor<?xf32> -> tensor<?xf32>
    %next = IE.SequenceInsert(%rest, %negated) : (!IE.Sequence<tensor<?xf32>>, tensor<?xf32>) -> !IE.Sequence<tensor<?xf32>>
    %head = IE.Slice %oldest, %first, %one : tensor<?xf32>, tensor<1xi64>, tensor<1xi64> -> tensor<1xf32>
    %more = IE.SequenceInsert(%a, %head) : (!IE.Sequence<tensor<1xf32>>, tensor<1xf32>) -> !IE.Sequence<tensor<1xf32>>
    // Of unknown size, but always the same.
    %sum = IE.Add %c, %oldest : tensor<?xf32>, tensor<?xf32> -> tensor<?xf32>
    IE.Yield %condition, %next, %more, %sum : tensor<i1>, !IE.Sequence<tensor<?xf32>>, !IE.Sequence<tensor<1xf32>>, tensor<?xf32>
  }
  return %0#0, %0#1, %0#2 : !IE.Sequence<tensor<?xf32>>, !IE.Sequence<tensor<1xf32>>, tensor<?xf32>
}
