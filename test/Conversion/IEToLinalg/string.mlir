// RUN: nacre-opt %s -convert-ie-to-linalg -split-input-file | FileCheck %s

// CHECK-LABEL: func @constant_is_a_vector_of_the_runtime
func.func @constant_is_a_vector_of_the_runtime() -> tensor<2x1x!IE.String> {
  // CHECK: %[[HANDLE:.*]] = rt.string_constant ["a", "bc"]
  // CHECK: %[[DATA:.*]] = rt.tensor_data %[[HANDLE]]
  // CHECK: memref.view %[[DATA]]{{.*}} to memref<2x1xi64>
  %0 = IE.Constant dense<[["a"], ["bc"]]> : tensor<2x1x!IE.String>
  return %0 : tensor<2x1x!IE.String>
}

// -----

// CHECK-LABEL: func @moved_strings_are_integers
// CHECK-SAME: (%[[X:.*]]: tensor<3x2xi64> {nacre.element = !IE.String}, %{{.*}}) -> (tensor<2xi64> {nacre.element = !IE.String})
func.func @moved_strings_are_integers(%x: tensor<3x2x!IE.String>, %i: tensor<i64>) -> tensor<2x!IE.String> {
  // CHECK-NOT: rt.
  %0 = IE.Gather %x, %i : tensor<3x2x!IE.String>, tensor<i64> -> tensor<2x!IE.String>
  return %0 : tensor<2x!IE.String>
}

// -----

// Not as pointers: equal strings may lie in different places.
// CHECK-LABEL: func @equal_compares_texts
func.func @equal_compares_texts(%x: tensor<3x!IE.String>, %y: tensor<1x!IE.String>) -> tensor<3xi1> {
  // CHECK: %[[A:.*]] = rt.tensor_new !IE.String, 1
  // CHECK: rt.tensor_own_strings %[[A]]
  // CHECK: %[[B:.*]] = rt.tensor_new !IE.String, 1
  // CHECK: rt.tensor_own_strings %[[B]]
  // CHECK: rt.string_equal %[[A]], %[[B]]
  // CHECK-NOT: arith.cmpi eq, {{.*}} : i64
  %0 = IE.Equal %x, %y : tensor<3x!IE.String>, tensor<1x!IE.String> -> tensor<3xi1>
  return %0 : tensor<3xi1>
}

// -----

// CHECK-LABEL: func @casts
func.func @casts(%x: tensor<?xui8>) -> tensor<?xf64> {
  // CHECK: %[[SIZE:.*]] = tensor.dim
  // CHECK: %[[TEXT:.*]] = rt.string_write
  // CHECK: %[[DATA:.*]] = rt.tensor_data %[[TEXT]]
  // CHECK: memref.view %[[DATA]][%{{.*}}][%[[SIZE]]] : memref<1xi8> to memref<?xi64>
  %0 = IE.Cast %x to !IE.String : tensor<?xui8> -> tensor<?x!IE.String>
  // CHECK: rt.string_read %{{.*}}, f64
  %1 = IE.Cast %0 to f64 : tensor<?x!IE.String> -> tensor<?xf64>
  return %1 : tensor<?xf64>
}

// -----

// CHECK-LABEL: func @operators_are_the_runtimes
func.func @operators_are_the_runtimes(%x: tensor<3x!IE.String>) -> (tensor<?x?x!IE.String>, tensor<?xi64>) {
  // CHECK: %[[BOTH:.*]] = rt.string_concat
  %0 = IE.StringConcat %x, %x : tensor<3x!IE.String>, tensor<3x!IE.String> -> tensor<3x!IE.String>
  // CHECK: %[[STOP:.*]] = rt.string_constant ["the"]
  // CHECK: rt.string_normalize %{{.*}}, 2, 0, %[[STOP]]
  %1 = IE.StringNormalizer %0 {case_change_action = "UPPER", stopwords = ["the"]} : tensor<3x!IE.String> -> tensor<?x!IE.String>
  // CHECK: %[[PARTS:.*]] = rt.string_split %{{.*}}, ",", -1
  // CHECK: rt.sequence_at %[[PARTS]],
  // CHECK: rt.sequence_at %[[PARTS]],
  %2, %3 = IE.StringSplit %1 {delimiter = ","} : tensor<?x!IE.String> -> tensor<?x?x!IE.String>, tensor<?xi64>
  return %2, %3 : tensor<?x?x!IE.String>, tensor<?xi64>
}
