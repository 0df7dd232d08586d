// RUN: nacre-opt %s -canonicalize | FileCheck %s

// CHECK-LABEL: func @if_of_a_constant_condition_is_its_branch
// CHECK-SAME: (%[[A:.*]]: tensor<2xf32>,
func.func @if_of_a_constant_condition_is_its_branch(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {
  %false = IE.Constant dense<false> : tensor<1xi1>
  // CHECK-NOT: IE.If
  // CHECK: %[[ABS:.*]] = IE.Abs %[[A]]
  // CHECK: return %[[ABS]]
  %0 = IE.If %false : (tensor<1xi1>) -> tensor<2xf32> {
    IE.Yield %b : tensor<2xf32>
  } else {
    %abs = IE.Abs %a : tensor<2xf32> -> tensor<2xf32>
    IE.Yield %abs : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func @if_of_a_constant_condition_keeps_the_sizes_that_it_declares
func.func @if_of_a_constant_condition_keeps_the_sizes_that_it_declares(%a: tensor<?xf32>, %b: tensor<2xf32>) -> (tensor<2xf32>, tensor<?xf32>) {
  %true = IE.Constant dense<true> : tensor<i1>
  // CHECK-NOT: IE.If
  // CHECK: %[[KNOWN:.*]] = IE.Identity %{{.*}} : tensor<?xf32> -> tensor<2xf32>
  // CHECK: %[[UNKNOWN:.*]] = IE.Identity %{{.*}} : tensor<2xf32> -> tensor<?xf32>
  // CHECK: return %[[KNOWN]], %[[UNKNOWN]]
  %0:2 = IE.If %true : (tensor<i1>) -> (tensor<2xf32>, tensor<?xf32>) {
    IE.Yield %a, %b : tensor<?xf32>, tensor<2xf32>
  } else {
    IE.Yield %b, %a : tensor<2xf32>, tensor<?xf32>
  }
  return %0#0, %0#1 : tensor<2xf32>, tensor<?xf32>
}

// CHECK-LABEL: func @if_of_a_constant_condition_shows_the_sizes_of_its_branch
func.func @if_of_a_constant_condition_shows_the_sizes_of_its_branch(%a: tensor<?xf32>, %b: tensor<2xf32>) -> tensor<?xf32> {
  %true = IE.Constant dense<true> : tensor<i1>
  // CHECK-NOT: IE.Identity
  // CHECK: IE.Relu %{{.*}} : tensor<2xf32> ->
  %0 = IE.If %true : (tensor<i1>) -> tensor<?xf32> {
    IE.Yield %b : tensor<2xf32>
  } else {
    IE.Yield %a : tensor<?xf32>
  }
  %1 = IE.Relu %0 : tensor<?xf32> -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

// CHECK-LABEL: func @if_of_an_unknown_condition_stays
func.func @if_of_an_unknown_condition_stays(%c: tensor<i1>, %a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK: IE.If
  %0 = IE.If %c : (tensor<i1>) -> tensor<2xf32> {
    IE.Yield %b : tensor<2xf32>
  } else {
    IE.Yield %a : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func @require_of_what_is_true_is_its_operand
// CHECK-SAME: (%[[X:.*]]: tensor<2xf32>)
func.func @require_of_what_is_true_is_its_operand(%x: tensor<2xf32>) -> tensor<2xf32> {
  %true = IE.Constant dense<true> : tensor<1xi1>
  // CHECK-NEXT: return %[[X]]
  %0 = IE.Require %x if %true, "expected x" : tensor<2xf32>, tensor<1xi1> -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func @require_of_what_is_false_stays
func.func @require_of_what_is_false_stays(%x: tensor<2xf32>) -> tensor<2xf32> {
  %false = IE.Constant dense<false> : tensor<i1>
  // CHECK: IE.Require
  %0 = IE.Require %x if %false, "expected x" : tensor<2xf32>, tensor<i1> -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
