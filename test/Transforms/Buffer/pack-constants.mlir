// RUN: nacre-opt %s -pack-constants -split-input-file -verify-diagnostics | FileCheck %s

// The second constant starts at the next multiple of 64.
// CHECK: module attributes {nacre.weight_offsets = array<i64: 0, 64>,
// CHECK-SAME: nacre.weights = [dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>, dense<7> : tensor<4xi8>]}
// CHECK-NOT: memref.global
// CHECK-LABEL: func @two_globals_become_views_of_one_argument
// CHECK-SAME: %[[WEIGHTS:[a-z0-9]*]]: memref<68xi8> {nacre.role = #nacre.role<weights>})
memref.global "private" constant @a : memref<2xf32> = dense<[1.0, 2.0]>
memref.global "private" constant @b : memref<4xi8> = dense<7>
func.func @two_globals_become_views_of_one_argument(%out: memref<2xf32>, %bytes: memref<4xi8>) {
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

// -----

// Whatever order they are written in; what nobody reads has no place.
// CHECK: module attributes {nacre.weight_offsets = array<i64: 0, 64>,
// CHECK-SAME: nacre.weights = [dense<7> : tensor<4xi8>, dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>]}
// CHECK-NOT: memref.g
// CHECK-LABEL: func @globals_are_in_the_order_of_use
memref.global "private" constant @a : memref<2xf32> = dense<[1.0, 2.0]>
memref.global "private" constant @b : memref<4xi8> = dense<7>
memref.global "private" constant @c : memref<4xi8> = dense<8>
func.func @globals_are_in_the_order_of_use(%out: memref<2xf32>, %bytes: memref<4xi8>) {
  %a = memref.get_global @a : memref<2xf32>
  %c = memref.get_global @c : memref<4xi8>
  %b = memref.get_global @b : memref<4xi8>
  memref.copy %b, %bytes : memref<4xi8> to memref<4xi8>
  memref.copy %a, %out : memref<2xf32> to memref<2xf32>
  return
}

// -----

memref.global "private" @variable : memref<2xf32> = uninitialized
func.func @global_without_value_is_an_error(%out: memref<2xf32>) {
  // expected-error @+1 {{expected a global with a constant value}}
  %a = memref.get_global @variable : memref<2xf32>
  memref.copy %a, %out : memref<2xf32> to memref<2xf32>
  return
}

// -----

// What two ops packed of the same weights is there once.
// CHECK: module attributes {nacre.weight_offsets = array<i64: 0>,
// CHECK-SAME: nacre.weights = [dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>]}
// CHECK-LABEL: func @equal_constants_share_a_place
memref.global "private" constant @a : memref<2xf32> = dense<[1.0, 2.0]>
memref.global "private" constant @b : memref<1x2xf32> = dense<[[1.0, 2.0]]>
func.func @equal_constants_share_a_place(%x: memref<2xf32>, %y: memref<1x2xf32>) {
  // CHECK: %[[C0:.*]] = arith.constant 0
  // CHECK: memref.view %{{.*}}[%[[C0]]][] : memref<8xi8> to memref<2xf32>
  // CHECK: memref.view %{{.*}}[%{{.*}}][] : memref<8xi8> to memref<1x2xf32>
  %a = memref.get_global @a : memref<2xf32>
  memref.copy %a, %x : memref<2xf32> to memref<2xf32>
  %b = memref.get_global @b : memref<1x2xf32>
  memref.copy %b, %y : memref<1x2xf32> to memref<1x2xf32>
  return
}

// -----

// What another architecture packed is shared where the bytes are the same; the
// rest follows it.
// CHECK: module attributes {nacre.weight_offsets = array<i64: 0, 64, 128>,
// CHECK-SAME: nacre.weights = [dense<5> : tensor<3xi8>, dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>, dense<3.000000e+00> : tensor<2xf32>]}
// CHECK-LABEL: func @known_constants_take_their_place
module attributes {nacre.weight_offsets = array<i64: 0, 64>,
                   nacre.weights = [dense<5> : tensor<3xi8>, dense<[1.0, 2.0]> : tensor<2xf32>]} {
  memref.global "private" constant @new : memref<2xf32> = dense<3.0>
  memref.global "private" constant @known : memref<1x2xf32> = dense<[[1.0, 2.0]]>
  func.func @known_constants_take_their_place(%x: memref<2xf32>, %y: memref<1x2xf32>) {
    // CHECK: %[[C128:.*]] = arith.constant 128
    // CHECK: memref.view %{{.*}}[%[[C128]]][] : memref<136xi8> to memref<2xf32>
    // CHECK: %[[C64:.*]] = arith.constant 64
    // CHECK: memref.view %{{.*}}[%[[C64]]][] : memref<136xi8> to memref<1x2xf32>
    %a = memref.get_global @new : memref<2xf32>
    memref.copy %a, %x : memref<2xf32> to memref<2xf32>
    %b = memref.get_global @known : memref<1x2xf32>
    memref.copy %b, %y : memref<1x2xf32> to memref<1x2xf32>
    return
  }
}

// -----

// expected-error @+1 {{expected 'nacre.weights' and 'nacre.weight_offsets' of one size}}
module attributes {nacre.weight_offsets = array<i64: 0, 64>, nacre.weights = [dense<5> : tensor<3xi8>]} {
}

// -----

memref.global "private" constant @a : memref<1048576x1048576xf32> = dense<0.0>
func.func @constant_that_memory_cannot_hold_is_an_error(%out: memref<1048576x1048576xf32>) {
  // expected-error @+1 {{a constant of type 'tensor<1048576x1048576xf32>' needs 4398046511104 bytes, but there are}}
  %a = memref.get_global @a : memref<1048576x1048576xf32>
  memref.copy %a, %out : memref<1048576x1048576xf32> to memref<1048576x1048576xf32>
  return
}
