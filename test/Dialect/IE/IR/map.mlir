// RUN: nacre-opt %s -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func @maps
func.func @maps(%x: tensor<?x3xf32>, %labels: tensor<3xi64>,
                %map: !IE.Map<!IE.String, f64>, %keys: tensor<2x!IE.String>) {
  // CHECK: IE.ZipMap(%{{.*}}, %{{.*}}) : (tensor<?x3xf32>, tensor<3xi64>) -> !IE.Sequence<!IE.Map<i64, f32>>
  %0 = IE.ZipMap(%x, %labels)
      : (tensor<?x3xf32>, tensor<3xi64>) -> !IE.Sequence<!IE.Map<i64, f32>>
  // CHECK: IE.MapGet
  %1, %2 = IE.MapGet(%map, %keys)
      : (!IE.Map<!IE.String, f64>, tensor<2x!IE.String>)
      -> (tensor<1x2xf64>, tensor<1x2xi1>)
  // CHECK: IE.MapValues
  %3 = IE.MapValues(%map) : (!IE.Map<!IE.String, f64>) -> tensor<1x?xf64>
  return
}

// -----

// expected-error @below {{expected keys that are i64 or !IE.String, found 'i32'}}
func.func private @keys_of_another_type(!IE.Map<i32, f32>)

// -----

// expected-error @below {{expected values that are i64, f32, f64 or !IE.String, found 'f16'}}
func.func private @values_of_another_type(!IE.Map<i64, f16>)

// -----

func.func @labels_of_another_number(%x: tensor<2x3xf32>,
                                    %labels: tensor<2xi64>) {
  // expected-error @below {{expected a label for each of 3 columns, found 2}}
  %0 = IE.ZipMap(%x, %labels)
      : (tensor<2x3xf32>, tensor<2xi64>) -> !IE.Sequence<!IE.Map<i64, f32>>
  return
}

// -----

func.func @keys_of_another_kind(%map: !IE.Map<i64, f32>,
                                %keys: tensor<2x!IE.String>) {
  // expected-error @below {{expected keys of the map's type 'i64', found 'tensor<2x!IE.String>'}}
  %0, %1 = IE.MapGet(%map, %keys) : (!IE.Map<i64, f32>, tensor<2x!IE.String>)
      -> (tensor<1x2xf32>, tensor<1x2xi1>)
  return
}

// -----

func.func @maps_do_not_concatenate(%x: !IE.Sequence<!IE.Map<i64, f32>>) {
  // expected-error @+2 {{expected a sequence of tensors, found '!IE.Sequence<!IE.Map<i64, f32>>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.ConcatFromSequence(%x) {axis = 0 : i64}
      : (!IE.Sequence<!IE.Map<i64, f32>>) -> tensor<3xf32>
  return
}
