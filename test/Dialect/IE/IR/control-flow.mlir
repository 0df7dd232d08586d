// RUN: nacre-opt %s -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func @if_of_two_shapes_is_dynamic_where_they_differ
func.func @if_of_two_shapes_is_dynamic_where_they_differ(%c: tensor<i1>, %a: tensor<2x3xf32>, %b: tensor<2x4xf32>) -> tensor<2x?xf32> {
  // CHECK: IE.If %{{.*}} : (tensor<i1>) -> tensor<2x?xf32> {
  // CHECK-NEXT: IE.Yield %{{.*}} : tensor<2x3xf32>
  // CHECK-NEXT: } else {
  // CHECK-NEXT: IE.Yield %{{.*}} : tensor<2x4xf32>
  %0 = IE.If %c : (tensor<i1>) -> tensor<2x?xf32> {
    IE.Yield %a : tensor<2x3xf32>
  } else {
    IE.Yield %b : tensor<2x4xf32>
  }
  return %0 : tensor<2x?xf32>
}

// CHECK-LABEL: func @loop_without_condition_or_limit
func.func @loop_without_condition_or_limit(%x: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK: IE.Loop(%{{.*}}) {operandSegmentSizes = array<i32: 0, 0, 1>} : (tensor<2xf32>) -> tensor<2xf32> {
  // CHECK-NEXT: ^bb0(%{{.*}}: tensor<i64>, %{{.*}}: tensor<i1>, %{{.*}}: tensor<2xf32>):
  %0 = IE.Loop(%x) {operandSegmentSizes = array<i32: 0, 0, 1>} : (tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%i: tensor<i64>, %c: tensor<i1>, %v: tensor<2xf32>):
    %next = IE.Relu %v : tensor<2xf32> -> tensor<2xf32>
    IE.Yield %c, %next : tensor<i1>, tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func @loop_of_constant_trips_scans_as_many
func.func @loop_of_constant_trips_scans_as_many() -> tensor<3xi64> {
  %trips = IE.Constant dense<3> : tensor<i64>
  // CHECK: IE.Loop({{.*}}) {{.*}} -> tensor<3xi64>
  %0 = IE.Loop(%trips) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<i64>) -> tensor<3xi64> {
  ^bb0(%i: tensor<i64>, %c: tensor<i1>):
    IE.Yield %c, %i : tensor<i1>, tensor<i64>
  }
  return %0 : tensor<3xi64>
}

// CHECK-LABEL: func @scan_along_inner_axes
func.func @scan_along_inner_axes(%s: tensor<2xf32>, %x: tensor<2x5xf32>) -> (tensor<2xf32>, tensor<2x5xf32>) {
  // CHECK: IE.Scan(%{{.*}}, %{{.*}}) {num_scan_inputs = 1 : i64, scan_input_axes = array<i64: 1>, scan_output_axes = array<i64: -1>}
  %0:2 = IE.Scan(%s, %x) {num_scan_inputs = 1 : i64, scan_input_axes = array<i64: 1>, scan_output_axes = array<i64: -1>}
      : (tensor<2xf32>, tensor<2x5xf32>) -> (tensor<2xf32>, tensor<2x5xf32>) {
  ^bb0(%state: tensor<2xf32>, %part: tensor<2xf32>):
    %next = IE.Add %state, %part : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
    IE.Yield %next, %next : tensor<2xf32>, tensor<2xf32>
  }
  return %0#0, %0#1 : tensor<2xf32>, tensor<2x5xf32>
}

// -----

func.func @if_of_two_ranks_is_an_error(%c: tensor<i1>, %a: tensor<2x3xf32>, %b: tensor<2xf32>) {
  // expected-error @+2 {{expected branches of equal rank and element type for result 0, found 'tensor<2x3xf32>' and 'tensor<2xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.If %c : (tensor<i1>) -> tensor<2x3xf32> {
    IE.Yield %a : tensor<2x3xf32>
  } else {
    IE.Yield %b : tensor<2xf32>
  }
  return
}

// -----

func.func @if_of_unequally_many_results_is_an_error(%c: tensor<i1>, %a: tensor<2xf32>) {
  // expected-error @+2 {{expected branches of as many results, found 1 and 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.If %c : (tensor<i1>) -> tensor<2xf32> {
    IE.Yield %a : tensor<2xf32>
  } else {
    IE.Yield %a, %a : tensor<2xf32>, tensor<2xf32>
  }
  return
}

// -----

func.func @if_of_several_conditions_is_an_error(%c: tensor<2xi1>) {
  // expected-error @+1 {{expected a condition of one element, found 'tensor<2xi1>'}}
  IE.If %c : (tensor<2xi1>) -> () {
    IE.Yield
  } else {
    IE.Yield
  }
  return
}

// -----

func.func @loop_body_without_its_arguments_is_an_error(%n: tensor<i64>) {
  // expected-error @+1 {{expected a body of arguments 'tensor<i64>', 'tensor<i1>', found 'tensor<i64>'}}
  IE.Loop(%n) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<i64>) -> () {
  ^bb0(%i: tensor<i64>):
    %true = IE.Constant dense<true> : tensor<i1>
    IE.Yield %true : tensor<i1>
  }
  return
}

// -----

func.func @loop_that_changes_a_static_shape_is_an_error(%n: tensor<i64>, %x: tensor<2xf32>) {
  // expected-error @+1 {{expected the body to yield 'tensor<2xf32>' as value 1, found 'tensor<4xf32>'}}
  %0 = IE.Loop(%n, %x) {operandSegmentSizes = array<i32: 1, 0, 1>} : (tensor<i64>, tensor<2xf32>) -> tensor<?xf32> {
  ^bb0(%i: tensor<i64>, %c: tensor<i1>, %v: tensor<2xf32>):
    %twice = IE.Concat %v, %v {axis = 0 : i64} : tensor<2xf32>, tensor<2xf32> -> tensor<4xf32>
    IE.Yield %c, %twice : tensor<i1>, tensor<4xf32>
  }
  return
}

// -----

func.func @loop_that_scans_a_sequence_is_an_error(%n: tensor<i64>, %s: !IE.Sequence<tensor<2xf32>>) {
  // expected-error @+2 {{expected a tensor of known rank to scan, found '!IE.Sequence<tensor<2xf32>>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.Loop(%n) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<i64>) -> tensor<?x2xf32> {
  ^bb0(%i: tensor<i64>, %c: tensor<i1>):
    IE.Yield %c, %s : tensor<i1>, !IE.Sequence<tensor<2xf32>>
  }
  return
}

// -----

func.func @scan_that_gives_a_sequence_is_an_error(%x: tensor<5xf32>, %s: !IE.Sequence<tensor<2xf32>>) {
  // expected-error @+2 {{expected a tensor of known rank to scan, found '!IE.Sequence<tensor<2xf32>>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.Scan(%x) {num_scan_inputs = 1 : i64} : (tensor<5xf32>) -> tensor<5x2xf32> {
  ^bb0(%a: tensor<f32>):
    IE.Yield %s : !IE.Sequence<tensor<2xf32>>
  }
  return
}

// -----

func.func @scan_of_two_lengths_is_an_error(%x: tensor<5xf32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{expected scanned inputs of one length, found 5 and 4}}
  %0 = IE.Scan(%x, %y) {num_scan_inputs = 2 : i64} : (tensor<5xf32>, tensor<4xf32>) -> tensor<5xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    IE.Yield %a : tensor<f32>
  }
  return
}

// -----

func.func @scan_of_nothing_is_an_error(%x: tensor<5xf32>) {
  // expected-error @+1 {{expected num_scan_inputs from 1 to 1, found 0}}
  %0 = IE.Scan(%x) {num_scan_inputs = 0 : i64} : (tensor<5xf32>) -> tensor<5xf32> {
  ^bb0(%a: tensor<5xf32>):
    IE.Yield %a : tensor<5xf32>
  }
  return
}

// -----

func.func @yield_outside_of_a_body_is_an_error(%x: tensor<5xf32>) {
  // expected-error @+1 {{expects parent op to be one of 'IE.If, IE.Loop, IE.Scan'}}
  IE.Yield %x : tensor<5xf32>
}

// -----

// CHECK-LABEL: func @require_passes_its_operand_on
func.func @require_passes_its_operand_on(%x: tensor<?xf32>, %c: tensor<i1>) -> tensor<?xf32> {
  // CHECK: IE.Require %{{.*}} if %{{.*}}, "expected a vector" : tensor<?xf32>, tensor<i1> -> tensor<?xf32>
  %0 = IE.Require %x if %c, "expected a vector" : tensor<?xf32>, tensor<i1> -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @require_of_two_conditions_is_rejected(%x: tensor<4xf32>, %c: tensor<2xi1>) -> tensor<4xf32> {
  // expected-error @below {{expected a condition of one element, found 'tensor<2xi1>'}}
  %0 = IE.Require %x if %c, "expected x" : tensor<4xf32>, tensor<2xi1> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
