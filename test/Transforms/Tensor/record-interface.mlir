// RUN: nacre-opt %s -record-interface -split-input-file | FileCheck %s
// RUN: nacre-opt %s -record-interface -record-interface -split-input-file | FileCheck %s

// What callers know of main is kept, and its arguments and results get roles.
// CHECK: module attributes {nacre.interface = #nacre.interface<
// CHECK-SAME: signature = (tensor<?xf32>, tensor<4xf32>, tensor<2xi8>) -> (tensor<?xf32>, tensor<4xf32>),
// CHECK-SAME: inputs = [{nacre.dims = ["n"], nacre.name = "x"}, {nacre.state = 1 : i64}, {nacre.unread}],
// CHECK-SAME: outputs = [{nacre.name = "y"}, {}]>}
// CHECK-LABEL: func.func @main(
// CHECK-SAME: tensor<?xf32> {nacre.dims = ["n"], nacre.name = "x", nacre.role = #nacre.role<input>}
// CHECK-SAME: tensor<4xf32> {nacre.role = #nacre.role<state>, nacre.state = 1 : i64}
// CHECK-SAME: tensor<2xi8> {nacre.role = #nacre.role<input>}
// CHECK-SAME: -> (tensor<?xf32> {nacre.name = "y", nacre.role = #nacre.role<output>}, tensor<4xf32> {nacre.role = #nacre.role<output>})
func.func @main(%x: tensor<?xf32> {nacre.name = "x", nacre.dims = ["n"]}, %s: tensor<4xf32> {nacre.state = 1 : i64}, %unread: tensor<2xi8>)
    -> (tensor<?xf32> {nacre.name = "y"}, tensor<4xf32>) {
  return %x, %s : tensor<?xf32>, tensor<4xf32>
}

// -----

// A module without main, and one that only declares it, have no interface.
// CHECK-NOT: nacre.
// CHECK: func.func @other
func.func @other(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// CHECK-NOT: nacre.
// CHECK: func.func private @main
func.func private @main(tensor<4xf32>)
