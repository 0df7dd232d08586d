// RUN: nacre-opt %s -split-input-file -verify-diagnostics

// What ODS, the interface's verifier and type inference reject.

func.func @operand_of_other_type_is_rejected(%arg0: f32) {
  // expected-error @+1 {{operand #0 must be ranked tensor of any type values, but got 'f32'}}
  %0 = "IE.GettingStarted"(%arg0) {myInt = 5 : i64, myIntArray = array<i64>} : (f32) -> tensor<10xf16>
  return
}

// -----

func.func @missing_attribute_is_rejected(%arg0: tensor<10xf16>) {
  // expected-error @+1 {{requires attribute 'myInt'}}
  %0 = "IE.GettingStarted"(%arg0) {myIntArray = array<i64>} : (tensor<10xf16>) -> tensor<10xf16>
  return
}

// -----

func.func @result_that_is_not_inferred_is_rejected(%arg0: tensor<10xf16>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{inferred type(s) 'tensor<10xf16>' are incompatible with return type(s) of operation 'tensor<11xf16>'}}
  %0 = IE.GettingStarted(%arg0) {myInt = 5 : i64, myIntArray = array<i64>} : tensor<10xf16> -> tensor<11xf16>
  return
}

// -----

func.func @negative_counter_is_rejected_by_the_interface(%arg0: tensor<10xf16>) {
  // expected-error @+1 {{expected a counter that is not negative, found -1}}
  %0 = IE.GettingStarted(%arg0) {myInt = -1 : i64, myIntArray = array<i64>} : tensor<10xf16> -> tensor<10xf16>
  return
}

// -----

// expected-error @+1 {{expected a shape without negative sizes, found -1}}
func.func private @type_of_negative_shape_is_rejected(!IE.GettingStartedTensor<shape = [-1], elementType = f16>)

// -----

func.func @repeat_of_nothing_is_rejected(%arg0: tensor<10xf16>) {
  // expected-error @+1 {{attribute 'times' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
  %0 = IE.GettingStartedRepeat %arg0 times 0 : tensor<10xf16>
  return
}
