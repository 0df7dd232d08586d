// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-name-sizes))' -split-input-file | FileCheck %s

// CHECK-LABEL: func @sizes_have_the_names_of_where_they_come_from
// CHECK-SAME: -> (tensor<?x?xf32> {nacre.dims = ["n", "m"]})
// CHECK-NOT: tensor.dim
func.func @sizes_have_the_names_of_where_they_come_from(
    %x: tensor<?x?xf32> {nacre.dims = ["n", "m"]}, %y: tensor<?x?xf32> {nacre.dims = ["n", "m"]})
    -> tensor<?x?xf32> {
  %0 = IE.Add %x, %y : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
  %1 = IE.Relu %0 : tensor<?x?xf32> -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: func @declared_name_is_kept
// CHECK-SAME: -> (tensor<?x?xf32> {nacre.dims = ["rows", "m"]})
func.func @declared_name_is_kept(%x: tensor<?x?xf32> {nacre.dims = ["n", "m"]})
    -> (tensor<?x?xf32> {nacre.dims = ["rows", ""]}) {
  %0 = IE.Relu %x : tensor<?x?xf32> -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: func @size_without_a_name_gives_none
// CHECK-SAME: -> (tensor<?x?xf32> {nacre.dims = ["", "m"]})
func.func @size_without_a_name_gives_none(%x: tensor<?x?xf32> {nacre.dims = ["", "m"]})
    -> tensor<?x?xf32> {
  %0 = IE.Relu %x : tensor<?x?xf32> -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
