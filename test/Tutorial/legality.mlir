// RUN: nacre-opt %s --handle-getting-started="variant=conversion" -split-input-file | FileCheck %s

// What the conversion variant considers legal, and what it puts between ops that
// disagree about a type.

// CHECK-LABEL: func @finished_counter_is_legal_and_stays
func.func @finished_counter_is_legal_and_stays(%arg0: tensor<10xf16>) -> tensor<10xf16> {
  // CHECK: %[[KEPT:.*]] = IE.GettingStarted(%arg0) {myInt = 0 : i64
  // CHECK: return %[[KEPT]]
  %0 = IE.GettingStarted(%arg0) {myInt = 0 : i64, myIntArray = []} : tensor<10xf16> -> tensor<10xf16>
  return %0 : tensor<10xf16>
}

// CHECK-LABEL: func @negative_counter_is_legal_and_stays
func.func @negative_counter_is_legal_and_stays(%arg0: tensor<10xf16>) -> tensor<10xf16> {
  // CHECK: %[[KEPT:.*]] = IE.GettingStarted(%arg0) {myInt = -5 : i64}
  // CHECK: return %[[KEPT]]
  %0 = IE.GettingStarted(%arg0) {myInt = -5 : i64} : tensor<10xf16> -> tensor<10xf16>
  return %0 : tensor<10xf16>
}

// CHECK-LABEL: func @op_without_a_counter_is_legal_and_stays
func.func @op_without_a_counter_is_legal_and_stays(%arg0: tensor<10xf16>) -> tensor<10xf16> {
  // CHECK: %[[KEPT:.*]] = IE.GettingStarted(%arg0) : tensor
  // CHECK: return %[[KEPT]]
  %0 = IE.GettingStarted(%arg0) : tensor<10xf16> -> tensor<10xf16>
  return %0 : tensor<10xf16>
}

// -----

// The function and the legal op keep the custom type: the type converter's
// materializations connect them with the op that was converted.
// CHECK-LABEL: func @converted_type_meets_the_original_through_casts
// CHECK-SAME: %[[IN:.*]]: tensor<10xf16>, %[[CUSTOM:.*]]: !IE.GettingStartedTensor<numElements = 10, elementType = f16>
func.func @converted_type_meets_the_original_through_casts(%arg0: tensor<10xf16>, %arg1: !IE.GettingStartedTensor<numElements = 10, elementType = f16>) -> tensor<10xf16> {
  // CHECK: %[[BUILTIN:.*]] = builtin.unrealized_conversion_cast %[[CUSTOM]] : !IE.GettingStartedTensor<numElements = 10, elementType = f16> to tensor<10xf16>
  // CHECK: %[[REPEATED:.*]] = IE.GettingStartedRepeat %[[BUILTIN]] times 2 : tensor<10xf16>
  // CHECK: %[[BACK:.*]] = builtin.unrealized_conversion_cast %[[REPEATED]] : tensor<10xf16> to !IE.GettingStartedTensor<numElements = 10, elementType = f16>
  // CHECK: IE.GettingStarted(%[[IN]], %[[BACK]])
  %0 = IE.GettingStartedRepeat %arg1 times 2 : !IE.GettingStartedTensor<numElements = 10, elementType = f16>
  %1 = IE.GettingStarted(%arg0, %0) {myInt = 0 : i64, myIntArray = []} : tensor<10xf16>, !IE.GettingStartedTensor<numElements = 10, elementType = f16> -> tensor<10xf16>
  return %1 : tensor<10xf16>
}
