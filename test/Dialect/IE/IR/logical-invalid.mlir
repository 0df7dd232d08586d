// RUN: nacre-opt %s -split-input-file -verify-diagnostics

func.func @and_of_ints_is_rejected(%a: tensor<8xi32>) {
  // expected-error @below {{operand #0 must be ranked tensor of 1-bit signless integer values}}
  %0 = IE.And %a, %a : tensor<8xi32>, tensor<8xi32> -> tensor<8xi32>
  return
}

// -----

func.func @less_of_bools_is_rejected(%a: tensor<8xi1>) {
  // expected-error @below {{operand #0 must be ranked tensor of number values}}
  %0 = IE.Less %a, %a : tensor<8xi1>, tensor<8xi1> -> tensor<8xi1>
  return
}

// -----

func.func @equal_with_float_result_is_rejected(%a: tensor<8xf32>) {
  // expected-error @below {{result #0 must be ranked tensor of 1-bit signless integer values}}
  %0 = IE.Equal %a, %a : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  return
}

// -----

func.func @where_of_mixed_types_is_rejected(%c: tensor<8xi1>, %a: tensor<8xf32>, %b: tensor<8xf64>) {
  // expected-error @below {{failed to verify that all of {on_true, on_false} have same element type}}
  %0 = IE.Where %c, %a, %b : tensor<8xi1>, tensor<8xf32>, tensor<8xf64> -> tensor<8xf32>
  return
}

// -----

func.func @where_of_shapes_that_clash_is_rejected(%c: tensor<3xi1>, %a: tensor<8xf32>) {
  // expected-error @below {{expected shapes that broadcast, found 'tensor<3xi1>', 'tensor<8xf32>', 'tensor<8xf32>'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = IE.Where %c, %a, %a : tensor<3xi1>, tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  return
}
