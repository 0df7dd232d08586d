// RUN: nacre-opt %s -pack-constants -split-input-file -verify-diagnostics | FileCheck %s

// The second constant starts at the next multiple of 64.
// CHECK: module attributes {nacre.weights = dense_resource<weights> : tensor<68xi8>}
// CHECK-NOT: memref.global
// CHECK-LABEL: func @two_globals_become_views_of_one_blob
// CHECK-SAME: %[[WEIGHTS:[a-z0-9]*]]: memref<68xi8>)
memref.global "private" constant @a : memref<2xf32> = dense<[1.0, 2.0]>
memref.global "private" constant @b : memref<4xi8> = dense<7>
func.func @two_globals_become_views_of_one_blob(%out: memref<2xf32>, %bytes: memref<4xi8>) {
  // CHECK: %[[C0:.*]] = arith.constant 0
  // CHECK: %[[A:.*]] = memref.view %[[WEIGHTS]][%[[C0]]][] : memref<68xi8> to memref<2xf32>
  // CHECK: memref.copy %[[A]]
  // CHECK: %[[C64:.*]] = arith.constant 64
  // CHECK: memref.view %[[WEIGHTS]][%[[C64]]][] : memref<68xi8> to memref<4xi8>
  %a = memref.get_global @a : memref<2xf32>
  memref.copy %a, %out : memref<2xf32> to memref<2xf32>
  %b = memref.get_global @b : memref<4xi8>
  memref.copy %b, %bytes : memref<4xi8> to memref<4xi8>
  return
}
// CHECK: weights: "0x400000000000803F00000040{{0*}}07070707"

// -----

memref.global "private" @variable : memref<2xf32> = uninitialized
func.func @global_without_value_is_an_error(%out: memref<2xf32>) {
  // expected-error @+1 {{expected a global with a constant value}}
  %a = memref.get_global @variable : memref<2xf32>
  memref.copy %a, %out : memref<2xf32> to memref<2xf32>
  return
}
