// RUN: nacre-opt --vpu-arch=NPU37XX %s | FileCheck %s
// RUN: nacre-opt --vpu-arch=NPU37XX %s | nacre-opt | FileCheck %s
// RUN: nacre-opt --vpu-arch=NPU37XX --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// The op of the tutorial in its generic and its custom form, with every kind of
// attribute, its custom type, and hand-written syntax.

// CHECK-LABEL: func @generic_form_prints_in_custom_form
func.func @generic_form_prints_in_custom_form(%arg0: tensor<10xf16>) -> tensor<10xf16> {
  // CHECK: IE.GettingStarted(%arg0) {myInt = 5 : i64, myIntArray = [1, 2, 3]} : tensor<10xf16> -> tensor<10xf16>
  // GENERIC: "IE.GettingStarted"(%{{.*}}) <{myDefaultValuedInt = 10 : i64, myInt = 5 : i64, myIntArray = [1, 2, 3]}>
  %0 = "IE.GettingStarted"(%arg0) {myInt = 5 : i64, myIntArray = [1, 2, 3]} : (tensor<10xf16>) -> tensor<10xf16>
  return %0 : tensor<10xf16>
}

// CHECK-LABEL: func @all_attributes_round_trip
func.func @all_attributes_round_trip(%arg0: tensor<10xf16>, %arg1: !IE.GettingStartedTensor<numElements = 10, elementType = f16>) -> tensor<10xf16> {
  // CHECK: IE.GettingStarted(%arg0, %arg1)
  // CHECK-SAME: gettingStarted = #IE.GettingStarted<boolParameter = true, floatParameter = 1.000000e+00 : f64>
  // CHECK-SAME: myDefaultValuedInt = 11 : i64
  // CHECK-SAME: myInt = 5 : i64
  // CHECK-SAME: myIntArray = []
  // CHECK-SAME: myOptionalFloat = 5.000000e-01 : f64
  // CHECK-SAME: : tensor<10xf16>, !IE.GettingStartedTensor<numElements = 10, elementType = f16> -> tensor<10xf16>
  %0 = IE.GettingStarted(%arg0, %arg1) {
    myInt = 5 : i64,
    myIntArray = [],
    myOptionalFloat = 0.5,
    myDefaultValuedInt = 11 : i64,
    gettingStarted = #IE.GettingStarted<boolParameter = true, floatParameter = 1.0>
  } : tensor<10xf16>, !IE.GettingStartedTensor<numElements = 10, elementType = f16> -> tensor<10xf16>
  return %0 : tensor<10xf16>
}

// CHECK-LABEL: func @no_attribute_is_required
func.func @no_attribute_is_required(%arg0: tensor<10xf16>) -> tensor<10xf16> {
  // CHECK-NEXT: %[[FIRST:.*]] = IE.GettingStarted(%arg0) : tensor<10xf16> -> tensor<10xf16>
  // CHECK-NEXT: IE.GettingStarted(%[[FIRST]]) : tensor<10xf16> -> tensor<10xf16>
  // GENERIC: "IE.GettingStarted"(%{{.*}}) <{myDefaultValuedInt = 10 : i64}>
  %0 = IE.GettingStarted(%arg0) : tensor<10xf16> -> tensor<10xf16>
  %1 = "IE.GettingStarted"(%0) : (tensor<10xf16>) -> tensor<10xf16>
  return %1 : tensor<10xf16>
}

// A shape says how many elements there are; both ways name the same type.
// CHECK-LABEL: func @shape_is_a_number_of_elements
// CHECK-SAME: (%arg0: !IE.GettingStartedTensor<numElements = 10, elementType = f16>, %arg1: !IE.GettingStartedTensor<numElements = 1, elementType = f32>)
func.func @shape_is_a_number_of_elements(%arg0: !IE.GettingStartedTensor<shape = [2, 5], elementType = f16>, %arg1: !IE.GettingStartedTensor<shape = [], elementType = f32>) -> !IE.GettingStartedTensor<numElements = 10, elementType = f16> {
  return %arg0 : !IE.GettingStartedTensor<numElements = 10, elementType = f16>
}

// The default value is not printed, even where it was written.
// CHECK-LABEL: func @default_value_is_left_out
func.func @default_value_is_left_out(%arg0: tensor<10xf16>) -> tensor<10xf16> {
  // CHECK: IE.GettingStarted(%arg0) {myInt = 0 : i64, myIntArray = [1]} :
  %0 = IE.GettingStarted(%arg0) {myInt = 0 : i64, myIntArray = [1], myDefaultValuedInt = 10 : i64} : tensor<10xf16> -> tensor<10xf16>
  return %0 : tensor<10xf16>
}

// CHECK-LABEL: func @parameters_in_any_order_are_reprinted_in_theirs
// CHECK-SAME: attr = #IE.GettingStarted<boolParameter = false, floatParameter = 2.500000e-01 : f32>
func.func @parameters_in_any_order_are_reprinted_in_theirs() attributes {
  attr = #IE.GettingStarted<floatParameter = 0.25 : f32, boolParameter = false>
} {
  return
}

// CHECK-LABEL: func @handwritten_syntax_round_trips
func.func @handwritten_syntax_round_trips(%arg0: tensor<10xf16>) -> tensor<10xf16> {
  // CHECK: IE.GettingStartedRepeat %arg0 times 3 {note = "kept"} : tensor<10xf16>
  // GENERIC: "IE.GettingStartedRepeat"(%{{.*}}) <{times = 3 : i64}> {note = "kept"}
  %0 = IE.GettingStartedRepeat %arg0 times 3 {note = "kept"} : tensor<10xf16>
  return %0 : tensor<10xf16>
}
