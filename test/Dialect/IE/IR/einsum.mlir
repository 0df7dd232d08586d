// RUN: nacre-opt %s -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func @einsum_of_an_explicit_result
func.func @einsum_of_an_explicit_result(%a: tensor<5x2x3xf32>, %b: tensor<5x3x?xf32>) -> tensor<5x2x?xf32> {
  // CHECK: IE.Einsum(%{{.*}}, %{{.*}}) {equation = "bij,bjk->bik"} : (tensor<5x2x3xf32>, tensor<5x3x?xf32>) -> tensor<5x2x?xf32>
  %0 = IE.Einsum(%a, %b) {equation = "bij,bjk->bik"} : (tensor<5x2x3xf32>, tensor<5x3x?xf32>) -> tensor<5x2x?xf32>
  return %0 : tensor<5x2x?xf32>
}

// The letters that occur once, in alphabetical order, after the ellipsis.
// CHECK-LABEL: func @einsum_of_an_implicit_result
func.func @einsum_of_an_implicit_result(%a: tensor<1x4x3x2xf32>, %b: tensor<6x1x2x2xf32>) -> tensor<6x4x3xf32> {
  // CHECK: -> tensor<6x4x3xf32>
  %0 = IE.Einsum(%a, %b) {equation = "...za, ...aa"} : (tensor<1x4x3x2xf32>, tensor<6x1x2x2xf32>) -> tensor<6x4x3xf32>
  return %0 : tensor<6x4x3xf32>
}

// -----

func.func @einsum_of_another_number_of_operands_is_an_error(%x: tensor<4xf32>) {
  // expected-error @+2 {{expected an equation of 1 operands, found 'i,i->'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.Einsum(%x) {equation = "i,i->"} : (tensor<4xf32>) -> tensor<f32>
  return
}

// -----

func.func @einsum_of_another_rank_is_an_error(%x: tensor<4xf32>) {
  // expected-error @+2 {{expected an operand with the dimensions 'ij', found 'tensor<4xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.Einsum(%x) {equation = "ij->j"} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @einsum_of_different_sizes_is_an_error(%x: tensor<4x3xf32>) {
  // expected-error @+2 {{expected dimensions of the same letter to broadcast in 'ii->i', found 4 and 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.Einsum(%x) {equation = "ii->i"} : (tensor<4x3xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @einsum_with_an_unknown_letter_in_its_result_is_an_error(%x: tensor<4xf32>) {
  // expected-error @+2 {{expected the result's letters among the operands' and each of them once in 'i->j'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.Einsum(%x) {equation = "i->j"} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @einsum_with_a_letter_twice_in_its_result_is_an_error(%x: tensor<4xf32>) {
  // expected-error @+2 {{each of them once in 'i->ii'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.Einsum(%x) {equation = "i->ii"} : (tensor<4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @einsum_with_two_arrows_is_an_error(%x: tensor<4xf32>) {
  // expected-error @+2 {{expected letters, ',', '...' and one '->' in the equation, found '->i'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.Einsum(%x) {equation = "i->i->i"} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @einsum_with_two_ellipses_in_a_term_is_an_error(%x: tensor<4xf32>) {
  // expected-error @+2 {{expected one ellipsis in each term of the equation}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.Einsum(%x) {equation = "...i..."} : (tensor<4xf32>) -> tensor<f32>
  return
}

// -----

func.func @einsum_of_no_operand_is_an_error() {
  // expected-error @+1 {{expected 1 or more operands, but found 0}}
  %0 = "IE.Einsum"() {equation = ""} : () -> tensor<f32>
  return
}
