// RUN: nacre-opt %s -split-input-file -verify-diagnostics

// What ODS, the interface's verifier and type inference reject.

func.func @operand_of_other_type_is_rejected(%arg0: f32) {
  // expected-error @+1 {{operand #0 must be ranked tensor of any type values, but got 'f32'}}
  %0 = "IE.GettingStarted"(%arg0) {myInt = 5 : i64, myIntArray = []} : (f32) -> tensor<10xf16>
  return
}

// -----

func.func @missing_attribute_is_rejected(%arg0: tensor<10xf16>) {
  // expected-error @+1 {{requires attribute 'times'}}
  %0 = "IE.GettingStartedRepeat"(%arg0) : (tensor<10xf16>) -> tensor<10xf16>
  return
}

// -----

func.func @counter_of_other_width_is_rejected(%arg0: tensor<10xf16>) {
  // expected-error @+1 {{attribute 'myInt' failed to satisfy constraint: 64-bit signless integer attribute}}
  %0 = IE.GettingStarted(%arg0) {myInt = 5 : i32} : tensor<10xf16> -> tensor<10xf16>
  return
}

// -----

func.func @dense_array_is_rejected(%arg0: tensor<10xf16>) {
  // expected-error @+1 {{attribute 'myIntArray' failed to satisfy constraint: 64-bit integer array attribute}}
  %0 = IE.GettingStarted(%arg0) {myIntArray = array<i64: 1>} : tensor<10xf16> -> tensor<10xf16>
  return
}

// -----

func.func @float_of_other_width_is_rejected(%arg0: tensor<10xf16>) {
  // expected-error @+1 {{attribute 'myOptionalFloat' failed to satisfy constraint: 64-bit float attribute}}
  %0 = IE.GettingStarted(%arg0) {myOptionalFloat = 0.5 : f32} : tensor<10xf16> -> tensor<10xf16>
  return
}

// -----

func.func @custom_attribute_of_other_kind_is_rejected(%arg0: tensor<10xf16>) {
  // expected-error @+1 {{attribute 'gettingStarted' failed to satisfy constraint: The tutorial's attribute}}
  %0 = IE.GettingStarted(%arg0) {gettingStarted = "yes"} : tensor<10xf16> -> tensor<10xf16>
  return
}

// -----

func.func @second_operand_of_other_type_is_rejected(%arg0: tensor<10xf16>) {
  // expected-error @+1 {{operand #1 must be The tutorial's type: a number of elements and their type, but got 'tensor<10xf16>'}}
  %0 = IE.GettingStarted(%arg0, %arg0) : tensor<10xf16>, tensor<10xf16> -> tensor<10xf16>
  return
}

// -----

func.func @result_that_is_not_inferred_is_rejected(%arg0: tensor<10xf16>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{inferred type(s) 'tensor<10xf16>' are incompatible with return type(s) of operation 'tensor<11xf16>'}}
  %0 = IE.GettingStarted(%arg0) {myInt = 5 : i64, myIntArray = []} : tensor<10xf16> -> tensor<11xf16>
  return
}

// -----

func.func @counter_without_end_is_rejected_by_the_interface(%arg0: tensor<10xf16>) {
  // expected-error @+1 {{expected a counter of at most 1000000, found 1000001}}
  %0 = IE.GettingStarted(%arg0) {myInt = 1000001 : i64} : tensor<10xf16> -> tensor<10xf16>
  return
}

// -----

// expected-error @+1 {{expected a number of elements that is not negative, found -1}}
func.func private @type_of_negative_number_is_rejected(!IE.GettingStartedTensor<numElements = -1, elementType = f16>)

// -----

// expected-error @+1 {{expected sizes that are not negative and whose product is a 64-bit integer}}
func.func private @type_of_negative_shape_is_rejected(!IE.GettingStartedTensor<shape = [2, -1], elementType = f16>)

// -----

// expected-error @+1 {{expected sizes that are not negative and whose product is a 64-bit integer}}
func.func private @type_of_endless_shape_is_rejected(!IE.GettingStartedTensor<shape = [4294967296, 4294967296], elementType = f16>)

// -----

// expected-error @+1 {{expected 'numElements' or 'shape'}}
func.func private @type_of_unknown_field_is_rejected(!IE.GettingStartedTensor<count = 1, elementType = f16>)

// -----

// expected-error @+1 {{expected an element type of tensors, found 'tensor<1xf16>'}}
func.func private @element_type_of_no_tensor_is_rejected(!IE.GettingStartedTensor<numElements = 1, elementType = tensor<1xf16>>)

// -----

func.func @repeat_of_nothing_is_rejected(%arg0: tensor<10xf16>) {
  // expected-error @+1 {{attribute 'times' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
  %0 = IE.GettingStartedRepeat %arg0 times 0 : tensor<10xf16>
  return
}
