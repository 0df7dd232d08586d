// RUN: nacre-opt %s -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func @selections_are_as_long_as_the_data_say
func.func @selections_are_as_long_as_the_data_say(%x: tensor<2x3xf32>, %b: tensor<1x6x4xf32>, %s: tensor<1x2x6xf32>, %n: tensor<1xi64>)
    -> (tensor<2x?xi64>, tensor<?xf32>, tensor<6xi64>, tensor<2x?xf32>, tensor<3xi64>, tensor<?x3xi64>) {
  // CHECK: IE.NonZero(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x?xi64>
  %0 = IE.NonZero(%x) : (tensor<2x3xf32>) -> tensor<2x?xi64>
  // CHECK: IE.Unique(%{{.*}}) : (tensor<2x3xf32>) -> (tensor<?xf32>, tensor<?xi64>, tensor<6xi64>, tensor<?xi64>)
  %1:4 = IE.Unique(%x) : (tensor<2x3xf32>) -> (tensor<?xf32>, tensor<?xi64>, tensor<6xi64>, tensor<?xi64>)
  // CHECK: IE.Unique(%{{.*}}) {axis = 1 : i64, sorted = 0 : i64} : (tensor<2x3xf32>) -> (tensor<2x?xf32>, tensor<?xi64>, tensor<3xi64>, tensor<?xi64>)
  %2:4 = IE.Unique(%x) {axis = 1 : i64, sorted = 0 : i64} : (tensor<2x3xf32>) -> (tensor<2x?xf32>, tensor<?xi64>, tensor<3xi64>, tensor<?xi64>)
  // CHECK: IE.NonMaxSuppression({{.*}}) -> tensor<?x3xi64>
  %3 = IE.NonMaxSuppression(%b, %s, %n) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}
      : (tensor<1x6x4xf32>, tensor<1x2x6xf32>, tensor<1xi64>) -> tensor<?x3xi64>
  return %0, %1#0, %1#2, %2#0, %2#2, %3 : tensor<2x?xi64>, tensor<?xf32>, tensor<6xi64>, tensor<2x?xf32>, tensor<3xi64>, tensor<?x3xi64>
}

// -----

func.func @unique_along_an_absent_axis_is_an_error(%x: tensor<6xf32>) {
  // expected-error @+2 {{axis}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:4 = IE.Unique(%x) {axis = 1 : i64} : (tensor<6xf32>) -> (tensor<?xf32>, tensor<?xi64>, tensor<6xi64>, tensor<?xi64>)
  return
}

// -----

func.func @suppression_of_other_boxes_is_an_error(%b: tensor<1x6x5xf32>, %s: tensor<1x2x6xf32>) {
  // expected-error @+1 {{expected boxes (B, N, 4), found 'tensor<1x6x5xf32>'}}
  %0 = IE.NonMaxSuppression(%b, %s) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>} : (tensor<1x6x5xf32>, tensor<1x2x6xf32>) -> tensor<?x3xi64>
  return
}

// -----

func.func @suppression_of_other_scores_is_an_error(%b: tensor<1x6x4xf32>, %s: tensor<1x2x5xf32>) {
  // expected-error @+1 {{expected scores (B, C, N) of the boxes 'tensor<1x6x4xf32>', found 'tensor<1x2x5xf32>'}}
  %0 = IE.NonMaxSuppression(%b, %s) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>} : (tensor<1x6x4xf32>, tensor<1x2x5xf32>) -> tensor<?x3xi64>
  return
}

// -----

func.func @suppression_by_several_limits_is_an_error(%b: tensor<1x6x4xf32>, %s: tensor<1x2x6xf32>, %n: tensor<2xi64>) {
  // expected-error @+1 {{expected limits of one element, found 'tensor<2xi64>'}}
  %0 = IE.NonMaxSuppression(%b, %s, %n) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} : (tensor<1x6x4xf32>, tensor<1x2x6xf32>, tensor<2xi64>) -> tensor<?x3xi64>
  return
}
