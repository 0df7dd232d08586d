// RUN: nacre-opt %s -convert-ie-to-linalg -split-input-file | FileCheck %s

// CHECK: llvm.mlir.global internal constant @[[TEXT:.*]]("a\00bc\00")
// CHECK-LABEL: func @constant_is_read_from_one_text
func.func @constant_is_read_from_one_text() -> tensor<2x1x!IE.String> {
  // CHECK: %[[ADDRESS:.*]] = llvm.mlir.addressof @[[TEXT]]
  // CHECK: %[[COUNT:.*]] = arith.constant 2 : i64
  // CHECK: %[[HANDLE:.*]] = call @nacre_string_constant(%[[ADDRESS]], %[[COUNT]])
  // CHECK: %[[DATA:.*]] = call @nacre_tensor_data(%[[HANDLE]])
  // CHECK: memref.view %[[DATA]]{{.*}} to memref<2x1xi64>
  %0 = IE.Constant dense<[["a"], ["bc"]]> : tensor<2x1x!IE.String>
  return %0 : tensor<2x1x!IE.String>
}

// -----

// CHECK-LABEL: func @moved_strings_are_integers
// CHECK-SAME: (%[[X:.*]]: tensor<3x2xi64> {nacre.element = !IE.String}, %{{.*}}) -> (tensor<2xi64> {nacre.element = !IE.String})
func.func @moved_strings_are_integers(%x: tensor<3x2x!IE.String>, %i: tensor<i64>) -> tensor<2x!IE.String> {
  // CHECK-NOT: call
  %0 = IE.Gather %x, %i : tensor<3x2x!IE.String>, tensor<i64> -> tensor<2x!IE.String>
  return %0 : tensor<2x!IE.String>
}

// -----

// Not as pointers: equal strings may lie in different places.
// CHECK-LABEL: func @equal_compares_texts
func.func @equal_compares_texts(%x: tensor<3x!IE.String>, %y: tensor<1x!IE.String>) -> tensor<3xi1> {
  // CHECK: %[[A:.*]] = call @nacre_tensor_new(
  // CHECK: call @nacre_tensor_own_strings(%[[A]])
  // CHECK: %[[B:.*]] = call @nacre_tensor_new(
  // CHECK: call @nacre_tensor_own_strings(%[[B]])
  // CHECK: call @nacre_string_equal(%[[A]], %[[B]])
  // CHECK-NOT: arith.cmpi eq, {{.*}} : i64
  %0 = IE.Equal %x, %y : tensor<3x!IE.String>, tensor<1x!IE.String> -> tensor<3xi1>
  return %0 : tensor<3xi1>
}

// -----

// CHECK-LABEL: func @casts
func.func @casts(%x: tensor<?xui8>) -> tensor<?xf64> {
  // CHECK: %[[SIZE:.*]] = tensor.dim
  // CHECK: %[[TEXT:.*]] = call @nacre_string_write(
  // CHECK: %[[DATA:.*]] = call @nacre_tensor_data(%[[TEXT]])
  // CHECK: memref.view %[[DATA]][%{{.*}}][%[[SIZE]]] : memref<1xi8> to memref<?xi64>
  %0 = IE.Cast %x to !IE.String : tensor<?xui8> -> tensor<?x!IE.String>
  // CHECK: %[[F64:.*]] = arith.constant 11 : i64
  // CHECK: call @nacre_string_read(%{{.*}}, %[[F64]])
  %1 = IE.Cast %0 to f64 : tensor<?x!IE.String> -> tensor<?xf64>
  return %1 : tensor<?xf64>
}

// -----

// CHECK-DAG: llvm.mlir.global internal constant @[[WORDS:.*]]("the\00")
// CHECK-DAG: llvm.mlir.global internal constant @[[COMMA:.*]](",\00")
// CHECK-LABEL: func @operators_call_the_runtime
func.func @operators_call_the_runtime(%x: tensor<3x!IE.String>) -> (tensor<?x?x!IE.String>, tensor<?xi64>) {
  // CHECK: %[[BOTH:.*]] = call @nacre_string_concat(
  %0 = IE.StringConcat %x, %x : tensor<3x!IE.String>, tensor<3x!IE.String> -> tensor<3x!IE.String>
  // CHECK: llvm.mlir.addressof @[[WORDS]]
  // CHECK: %[[STOP:.*]] = call @nacre_string_constant(
  // CHECK: %[[UPPER:.*]] = arith.constant 2 : i64
  // CHECK: call @nacre_string_normalize(%{{.*}}, %[[UPPER]], %{{.*}}, %[[STOP]])
  %1 = IE.StringNormalizer %0 {case_change_action = "UPPER", stopwords = ["the"]} : tensor<3x!IE.String> -> tensor<?x!IE.String>
  // CHECK: %[[DELIMITER:.*]] = llvm.mlir.addressof @[[COMMA]]
  // CHECK: %[[PARTS:.*]] = call @nacre_string_split(%{{.*}}, %[[DELIMITER]], %{{.*}})
  // CHECK: call @nacre_sequence_at(%[[PARTS]],
  // CHECK: call @nacre_sequence_at(%[[PARTS]],
  %2, %3 = IE.StringSplit %1 {delimiter = ","} : tensor<?x!IE.String> -> tensor<?x?x!IE.String>, tensor<?xi64>
  return %2, %3 : tensor<?x?x!IE.String>, tensor<?xi64>
}
