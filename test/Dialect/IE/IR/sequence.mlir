// RUN: nacre-opt %s -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func @sequence_of_two_shapes_is_dynamic_where_they_differ
func.func @sequence_of_two_shapes_is_dynamic_where_they_differ(%a: tensor<2x3xf32>, %b: tensor<4x3xf32>, %i: tensor<i64>) -> tensor<?x3xf32> {
  // CHECK: IE.SequenceConstruct(%{{.*}}, %{{.*}}) : (tensor<2x3xf32>, tensor<4x3xf32>) -> !IE.Sequence<tensor<?x3xf32>>
  %0 = IE.SequenceConstruct(%a, %b) : (tensor<2x3xf32>, tensor<4x3xf32>) -> !IE.Sequence<tensor<?x3xf32>>
  // CHECK: IE.SequenceAt(%{{.*}}, %{{.*}}) : (!IE.Sequence<tensor<?x3xf32>>, tensor<i64>) -> tensor<?x3xf32>
  %1 = IE.SequenceAt(%0, %i) : (!IE.Sequence<tensor<?x3xf32>>, tensor<i64>) -> tensor<?x3xf32>
  return %1 : tensor<?x3xf32>
}

// CHECK-LABEL: func @sequence_of_two_ranks_has_unranked_elements
func.func @sequence_of_two_ranks_has_unranked_elements(%a: tensor<2x3xf32>, %b: tensor<4xf32>) -> !IE.Sequence<tensor<*xf32>> {
  // CHECK: IE.SequenceInsert({{.*}}) : (!IE.Sequence<tensor<2x3xf32>>, tensor<4xf32>) -> !IE.Sequence<tensor<*xf32>>
  %0 = IE.SequenceConstruct(%a) : (tensor<2x3xf32>) -> !IE.Sequence<tensor<2x3xf32>>
  %1 = IE.SequenceInsert(%0, %b) : (!IE.Sequence<tensor<2x3xf32>>, tensor<4xf32>) -> !IE.Sequence<tensor<*xf32>>
  return %1 : !IE.Sequence<tensor<*xf32>>
}

// CHECK-LABEL: func @parts_and_what_they_make
func.func @parts_and_what_they_make(%x: tensor<6x2xf32>) -> (tensor<?x?x2xf32>, tensor<i64>) {
  %three = IE.Constant dense<3> : tensor<i64>
  // CHECK: IE.SplitToSequence({{.*}}) : (tensor<6x2xf32>, tensor<i64>) -> !IE.Sequence<tensor<3x2xf32>>
  %0 = IE.SplitToSequence(%x, %three) : (tensor<6x2xf32>, tensor<i64>) -> !IE.Sequence<tensor<3x2xf32>>
  // CHECK: IE.ConcatFromSequence({{.*}}) {axis = 0 : i64, new_axis = 1 : i64} : (!IE.Sequence<tensor<3x2xf32>>) -> tensor<?x?x2xf32>
  %1 = IE.ConcatFromSequence(%0) {axis = 0 : i64, new_axis = 1 : i64} : (!IE.Sequence<tensor<3x2xf32>>) -> tensor<?x?x2xf32>
  %2 = IE.SequenceLength(%0) : (!IE.Sequence<tensor<3x2xf32>>) -> tensor<i64>
  return %1, %2 : tensor<?x?x2xf32>, tensor<i64>
}

// CHECK-LABEL: func @optionals
func.func @optionals(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<i1>) {
  // CHECK: IE.Optional(%{{.*}}) : (tensor<2xf32>) -> !IE.Optional<tensor<2xf32>>
  %0 = IE.Optional(%x) : (tensor<2xf32>) -> !IE.Optional<tensor<2xf32>>
  // CHECK: IE.Optional() {type = tensor<2xf32>} : () -> !IE.Optional<tensor<2xf32>>
  %1 = IE.Optional() {type = tensor<2xf32>} : () -> !IE.Optional<tensor<2xf32>>
  %2 = IE.OptionalGetElement(%0) : (!IE.Optional<tensor<2xf32>>) -> tensor<2xf32>
  %3 = IE.OptionalHasElement(%1) : (!IE.Optional<tensor<2xf32>>) -> tensor<i1>
  return %2, %3 : tensor<2xf32>, tensor<i1>
}

// -----

func.func @sequence_of_two_element_types_is_an_error(%a: tensor<2xf32>, %b: tensor<2xi64>) {
  // expected-error @+2 {{expected elements of one type, found 'tensor<2xf32>' and 'tensor<2xi64>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.SequenceConstruct(%a, %b) : (tensor<2xf32>, tensor<2xi64>) -> !IE.Sequence<tensor<2xf32>>
  return
}

// -----

func.func @empty_construct_is_an_error() {
  // expected-error @+1 {{expected an element at least}}
  %0 = IE.SequenceConstruct() : () -> !IE.Sequence<tensor<2xf32>>
  return
}

// -----

func.func @insert_of_another_type_is_an_error(%s: !IE.Sequence<tensor<2xf32>>, %x: tensor<2xi64>) {
  // expected-error @+2 {{expected an element of type 'tensor<2xf32>', found 'tensor<2xi64>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.SequenceInsert(%s, %x) : (!IE.Sequence<tensor<2xf32>>, tensor<2xi64>) -> !IE.Sequence<tensor<2xf32>>
  return
}

// -----

func.func @optional_of_nothing_known_is_an_error() {
  // expected-error @+2 {{expected an operand or a type}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.Optional() : () -> !IE.Optional<tensor<2xf32>>
  return
}
