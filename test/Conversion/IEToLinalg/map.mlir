// RUN: nacre-opt %s --convert-ie-to-linalg | FileCheck %s

// Maps are values of the runtime.

// CHECK-LABEL: func @rows_become_maps
// CHECK-SAME: -> (!rt.value {nacre.element = !IE.Sequence<!IE.Map<i64, f32>>})
// CHECK: %[[MAPS:.*]] = rt.map_zip %{{.*}}, %{{.*}}
// CHECK: return %[[MAPS]]
func.func @rows_become_maps(%x: tensor<?x3xf32>, %labels: tensor<3xi64>)
    -> !IE.Sequence<!IE.Map<i64, f32>> {
  %0 = IE.ZipMap(%x, %labels)
      : (tensor<?x3xf32>, tensor<3xi64>) -> !IE.Sequence<!IE.Map<i64, f32>>
  return %0 : !IE.Sequence<!IE.Map<i64, f32>>
}

// CHECK-LABEL: func @values_of_keys
// CHECK-SAME: (%[[MAP:.*]]: !rt.value {nacre.element = !IE.Map<i64, f32>}
// CHECK: rt.map_get %[[MAP]], %{{.*}}
func.func @values_of_keys(%map: !IE.Map<i64, f32>, %keys: tensor<2xi64>)
    -> tensor<1x2xf32> {
  %0, %1 = IE.MapGet(%map, %keys) : (!IE.Map<i64, f32>, tensor<2xi64>)
      -> (tensor<1x2xf32>, tensor<1x2xi1>)
  return %0 : tensor<1x2xf32>
}

// CHECK-LABEL: func @pattern_is_matched_by_the_runtime
// CHECK: rt.string_match %{{.*}}, "a+"
func.func @pattern_is_matched_by_the_runtime(%x: tensor<3x!IE.String>)
    -> tensor<3xi1> {
  %0 = IE.RegexFullMatch %x {pattern = "a+"}
      : tensor<3x!IE.String> -> tensor<3xi1>
  return %0 : tensor<3xi1>
}

// CHECK-LABEL: func @distinct_strings_are_compared_by_their_ranks
// CHECK: rt.string_ranks
func.func @distinct_strings_are_compared_by_their_ranks(
    %x: tensor<3x!IE.String>) -> tensor<?x!IE.String> {
  %0:4 = IE.Unique(%x) : (tensor<3x!IE.String>) -> (tensor<?x!IE.String>, tensor<?xi64>, tensor<3xi64>, tensor<?xi64>)
  return %0#0 : tensor<?x!IE.String>
}
