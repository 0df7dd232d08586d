// RUN: nacre-opt %s -convert-ie-to-linalg -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func @if_becomes_scf_if
func.func @if_becomes_scf_if(%c: tensor<1xi1>, %a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK: %[[C:.*]] = tensor.extract %{{.*}} : tensor<1xi1>
  // CHECK: scf.if %[[C]] -> (tensor<2xf32>) {
  // CHECK: linalg.generic
  // CHECK: scf.yield
  // CHECK: } else {
  // CHECK-NEXT: scf.yield %{{.*}} : tensor<2xf32>
  %0 = IE.If %c : (tensor<1xi1>) -> tensor<2xf32> {
    %relu = IE.Relu %a : tensor<2xf32> -> tensor<2xf32>
    IE.Yield %relu : tensor<2xf32>
  } else {
    IE.Yield %b : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}

// -----

// CHECK-LABEL: func @loop_of_a_fixed_number_becomes_scf_for
func.func @loop_of_a_fixed_number_becomes_scf_for(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<3x2xf32>) {
  %trips = IE.Constant dense<3> : tensor<i64>
  // CHECK: %[[ALL:.*]] = tensor.empty() : tensor<3x2xf32>
  // CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[V:.*]] = %{{.*}}, %[[OUT:.*]] = %[[ALL]])
  // CHECK: %[[NEXT:.*]] = linalg.generic
  // CHECK: %[[SET:.*]] = tensor.insert_slice %[[NEXT]] into %[[OUT]][%[[I]], 0] [1, 2] [1, 1]
  // CHECK: scf.yield %[[NEXT]], %[[SET]]
  %0:2 = IE.Loop(%trips, %x) {operandSegmentSizes = array<i32: 1, 0, 1>} : (tensor<i64>, tensor<2xf32>) -> (tensor<2xf32>, tensor<3x2xf32>) {
  ^bb0(%i: tensor<i64>, %c: tensor<i1>, %v: tensor<2xf32>):
    %next = IE.Relu %v : tensor<2xf32> -> tensor<2xf32>
    IE.Yield %c, %next, %next : tensor<i1>, tensor<2xf32>, tensor<2xf32>
  }
  return %0#0, %0#1 : tensor<2xf32>, tensor<3x2xf32>
}

// -----

// CHECK-LABEL: func @loop_of_a_condition_becomes_scf_while
func.func @loop_of_a_condition_becomes_scf_while(%n: tensor<i64>, %x: tensor<ui8>) -> tensor<ui8> {
  // CHECK: %[[TRIPS:.*]] = arith.index_cast %{{.*}} : i64 to index
  // CHECK: %[[LIMIT:.*]] = arith.maxsi %{{.*}}, %[[TRIPS]] : index
  // CHECK: scf.while (%[[I:.*]] = %{{.*}}, %[[C:.*]] = %{{.*}}, %[[V:.*]] = %{{.*}}) : (index, i1, tensor<i8>)
  // CHECK: %[[LESS:.*]] = arith.cmpi slt, %[[I]], %[[LIMIT]]
  // CHECK: %[[AND:.*]] = arith.andi %[[C]], %[[LESS]]
  // CHECK: scf.condition(%[[AND]]) %[[I]], %[[C]], %[[V]]
  // CHECK: } do {
  // CHECK: arith.addi %{{.*}} : index
  // CHECK: scf.yield
  %0 = IE.Loop(%n, %x) {operandSegmentSizes = array<i32: 1, 0, 1>} : (tensor<i64>, tensor<ui8>) -> tensor<ui8> {
  ^bb0(%i: tensor<i64>, %c: tensor<i1>, %v: tensor<ui8>):
    %next = IE.Add %v, %v : tensor<ui8>, tensor<ui8> -> tensor<ui8>
    %goesOn = IE.Less %v, %next : tensor<ui8>, tensor<ui8> -> tensor<i1>
    IE.Yield %goesOn, %next : tensor<i1>, tensor<ui8>
  }
  return %0 : tensor<ui8>
}

// -----

// CHECK-LABEL: func @reversed_scan_walks_from_the_end
func.func @reversed_scan_walks_from_the_end(%x: tensor<2x5xf32>) -> tensor<5x2xf32> {
  // CHECK: scf.for %[[I:.*]] = {{.*}} iter_args(%[[OUT:.*]] = %{{.*}})
  // CHECK: %[[LAST:.*]] = arith.subi
  // CHECK: %[[AT:.*]] = arith.subi %[[LAST]], %[[I]]
  // CHECK: tensor.extract_slice %{{.*}}[0, %[[AT]]] [2, 1] [1, 1] : tensor<2x5xf32> to tensor<2xf32>
  // CHECK: tensor.insert_slice %{{.*}} into %[[OUT]][%[[I]], 0] [1, 2] [1, 1]
  %0 = IE.Scan(%x) {num_scan_inputs = 1 : i64, scan_input_axes = array<i64: 1>, scan_input_directions = array<i64: 1>} : (tensor<2x5xf32>) -> tensor<5x2xf32> {
  ^bb0(%part: tensor<2xf32>):
    %relu = IE.Relu %part : tensor<2xf32> -> tensor<2xf32>
    IE.Yield %relu : tensor<2xf32>
  }
  return %0 : tensor<5x2xf32>
}

// -----

// CHECK-LABEL: func @loop_of_a_run_time_number_makes_room_for_its_outputs
func.func @loop_of_a_run_time_number_makes_room_for_its_outputs(%n: tensor<i64>) -> tensor<?xi64> {
  // CHECK: %[[TRIPS:.*]] = arith.index_cast %{{.*}} : i64 to index
  // CHECK: %[[LIMIT:.*]] = arith.maxsi %{{.*}}, %[[TRIPS]] : index
  // CHECK: cf.assert %{{.*}}, "a trip count that leaves no room for scanned outputs"
  // CHECK: %[[ROOM:.*]] = tensor.empty(%[[LIMIT]]) : tensor<?xi64>
  // CHECK: %[[ALL:.*]] = scf.for %[[I:.*]] = %{{.*}} to %[[LIMIT]] {{.*}} iter_args(%[[OUT:.*]] = %[[ROOM]])
  // CHECK: tensor.insert_slice %{{.*}} into %[[OUT]][%[[I]]] [1] [1]
  // CHECK: tensor.extract_slice %[[ALL]][0] [%[[LIMIT]]] [1]
  %0 = IE.Loop(%n) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<i64>) -> tensor<?xi64> {
  ^bb0(%i: tensor<i64>, %c: tensor<i1>):
    IE.Yield %c, %i : tensor<i1>, tensor<i64>
  }
  return %0 : tensor<?xi64>
}

// -----

// CHECK-LABEL: func @loop_that_a_condition_ends_takes_what_it_stacked
func.func @loop_that_a_condition_ends_takes_what_it_stacked(%n: tensor<i64>, %x: tensor<i8>) -> tensor<?xi8> {
  // CHECK: %[[ROOM:.*]] = tensor.empty(%{{.*}}) : tensor<?xi8>
  // CHECK: %[[RUNS:.*]]:4 = scf.while ({{.*}} = %[[ROOM]])
  // CHECK: tensor.extract_slice %[[RUNS]]#3[0] [%[[RUNS]]#0] [1]
  %0:2 = IE.Loop(%n, %x) {operandSegmentSizes = array<i32: 1, 0, 1>} : (tensor<i64>, tensor<i8>) -> (tensor<i8>, tensor<?xi8>) {
  ^bb0(%i: tensor<i64>, %c: tensor<i1>, %v: tensor<i8>):
    %next = IE.Add %v, %v : tensor<i8>, tensor<i8> -> tensor<i8>
    %goesOn = IE.Less %v, %next : tensor<i8>, tensor<i8> -> tensor<i1>
    IE.Yield %goesOn, %next, %next : tensor<i1>, tensor<i8>, tensor<i8>
  }
  return %0#1 : tensor<?xi8>
}

// -----

// CHECK-LABEL: func @loop_of_a_declared_number_asserts_it
func.func @loop_of_a_declared_number_asserts_it(%n: tensor<i64>) -> tensor<4xi64> {
  // CHECK: %[[LIMIT:.*]] = arith.maxsi
  // CHECK: scf.for
  // CHECK: %[[IS_SAME:.*]] = arith.cmpi eq, %[[LIMIT]], %c4
  // CHECK: cf.assert %[[IS_SAME]], "a result has another length than the model declares"
  %0 = IE.Loop(%n) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<i64>) -> tensor<4xi64> {
  ^bb0(%i: tensor<i64>, %c: tensor<i1>):
    IE.Yield %c, %i : tensor<i1>, tensor<i64>
  }
  return %0 : tensor<4xi64>
}

// -----

// How long the result becomes is not known before: its elements are a list.
// CHECK-LABEL: func @loop_without_a_number_stacks_a_sequence
// CHECK: %[[NONE:.*]] = rt.sequence_empty
// CHECK: scf.while {{.*}}%[[NONE]]
// CHECK: rt.sequence_append
// CHECK: scf.if
// CHECK: rt.sequence_stack
func.func @loop_without_a_number_stacks_a_sequence(%c: tensor<i1>) -> tensor<?xi1> {
  %0 = IE.Loop(%c) {operandSegmentSizes = array<i32: 0, 1, 0>} : (tensor<i1>) -> tensor<?xi1> {
  ^bb0(%i: tensor<i64>, %goesOn: tensor<i1>):
    %not = IE.Not %goesOn : tensor<i1> -> tensor<i1>
    IE.Yield %not, %not : tensor<i1>, tensor<i1>
  }
  return %0 : tensor<?xi1>
}

// -----

// A value whose shape may change is a value of the runtime from run to run.
// CHECK-LABEL: func @loop_that_carries_unknown_shapes_carries_a_handle
// CHECK: %[[FIRST:.*]] = rt.optional_new
// CHECK: scf.for {{.*}} iter_args(%[[CARRIED:.*]] = %[[FIRST]]) -> (!rt.value)
// CHECK: rt.optional_get %[[CARRIED]]
// CHECK: rt.optional_new
func.func @loop_that_carries_unknown_shapes_carries_a_handle(%n: tensor<i64>, %x: tensor<?xi64>) -> tensor<?xi64> {
  %0 = IE.Loop(%n, %x) {operandSegmentSizes = array<i32: 1, 0, 1>} : (tensor<i64>, tensor<?xi64>) -> tensor<?xi64> {
  ^bb0(%i: tensor<i64>, %c: tensor<i1>, %v: tensor<?xi64>):
    IE.Yield %c, %v : tensor<i1>, tensor<?xi64>
  }
  return %0 : tensor<?xi64>
}

// -----

// The sizes of what is stacked follow from those of the operands.
// CHECK-LABEL: func @scan_of_unknown_sizes_makes_room_before
// CHECK: %[[N:.*]] = tensor.dim %arg0
// CHECK: tensor.empty(%{{.*}}, %[[N]]) : tensor<?x?xf32>
// CHECK: scf.for
// CHECK: tensor.insert_slice
func.func @scan_of_unknown_sizes_makes_room_before(%s: tensor<?xf32>, %x: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?x?xf32>) {
  %0:2 = IE.Scan(%s, %x) {num_scan_inputs = 1 : i64} : (tensor<?xf32>, tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?x?xf32>) {
  ^bb0(%state: tensor<?xf32>, %part: tensor<?xf32>):
    %sum = IE.Add %state, %part : tensor<?xf32>, tensor<?xf32> -> tensor<?xf32>
    %relu = IE.Relu %state : tensor<?xf32> -> tensor<?xf32>
    IE.Yield %sum, %relu : tensor<?xf32>, tensor<?xf32>
  }
  return %0#0, %0#1 : tensor<?xf32>, tensor<?x?xf32>
}

// -----

// Products of a body are of the engine before the Scan is a loop.
// CHECK-LABEL: func @scan_traces_sizes_through_what_has_been_lowered
// CHECK-DAG: %[[N:.*]] = tensor.dim %arg0, %c0
// CHECK-DAG: %[[M:.*]] = tensor.dim %arg0, %c1
// CHECK: tensor.empty(%[[N]], %[[M]]) : tensor<?x?x4xf32>
// CHECK: scf.for
// CHECK: tensor.insert_slice
func.func @scan_traces_sizes_through_what_has_been_lowered(%x: tensor<?x?x4xf32>) -> tensor<?x?x4xf32> {
  %0 = IE.Scan(%x) {num_scan_inputs = 1 : i64} : (tensor<?x?x4xf32>) -> tensor<?x?x4xf32> {
  ^bb0(%part: tensor<?x4xf32>):
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %part, %c0 : tensor<?x4xf32>
    %c1 = arith.constant 1 : index
    %all = arith.muli %dim, %c1 : index
    %expanded = tensor.expand_shape %part [[0, 1], [2]] output_shape [1, %all, 4] : tensor<?x4xf32> into tensor<1x?x4xf32>
    %empty = tensor.empty(%all) : tensor<1x?x4xf32>
    %copy = linalg.copy ins(%expanded : tensor<1x?x4xf32>) outs(%empty : tensor<1x?x4xf32>) -> tensor<1x?x4xf32>
    %collapsed = tensor.collapse_shape %copy [[0, 1], [2]] : tensor<1x?x4xf32> into tensor<?x4xf32>
    IE.Yield %collapsed : tensor<?x4xf32>
  }
  return %0 : tensor<?x?x4xf32>
}

// -----

// What a Scan in the body of another gives: a state, and elements along an axis.
// CHECK-LABEL: func @scan_makes_room_before_for_results_of_another
// CHECK-DAG: %[[K:.*]] = tensor.dim %arg0, %c0
// CHECK-DAG: %[[N:.*]] = tensor.dim %arg1, %c0
// CHECK-DAG: %[[M:.*]] = tensor.dim %arg1, %c1
// CHECK-NOT: rt.sequence_empty
// CHECK: tensor.empty(%[[N]], %[[K]]) : tensor<?x?xf32>
// CHECK: tensor.empty(%[[N]], %[[K]], %[[M]]) : tensor<?x?x?xf32>
// CHECK: scf.for
// CHECK: scf.for
func.func @scan_makes_room_before_for_results_of_another(%s: tensor<?xf32> {nacre.dims = ["K"]}, %x: tensor<?x?x?xf32> {nacre.dims = ["N", "M", "K"]}) -> (tensor<?x?xf32>, tensor<?x?x?xf32>) {
  %0:2 = IE.Scan(%x) {num_scan_inputs = 1 : i64} : (tensor<?x?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?x?xf32>) {
  ^bb0(%rows: tensor<?x?xf32>):
    %1:2 = IE.Scan(%s, %rows) {num_scan_inputs = 1 : i64, scan_output_axes = array<i64: 1>} : (tensor<?xf32>, tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?x?xf32>) {
    ^bb0(%state: tensor<?xf32>, %row: tensor<?xf32>):
      %sum = IE.Add %state, %row : tensor<?xf32>, tensor<?xf32> -> tensor<?xf32>
      IE.Yield %sum, %sum : tensor<?xf32>, tensor<?xf32>
    }
    IE.Yield %1#0, %1#1 : tensor<?xf32>, tensor<?x?xf32>
  }
  return %0#0, %0#1 : tensor<?x?xf32>, tensor<?x?x?xf32>
}

// -----

// The first one's body is gone when the second one asks how large its results are.
// CHECK-LABEL: func @scan_of_what_another_has_given
// CHECK-NOT: rt.sequence_empty
// CHECK-COUNT-2: scf.for
func.func @scan_of_what_another_has_given(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = IE.Scan(%x) {num_scan_inputs = 1 : i64} : (tensor<?x?xf32>) -> tensor<?x?xf32> {
  ^bb0(%part: tensor<?xf32>):
    %relu = IE.Relu %part : tensor<?xf32> -> tensor<?xf32>
    IE.Yield %relu : tensor<?xf32>
  }
  %1:2 = IE.Scan(%0, %0) {num_scan_inputs = 1 : i64} : (tensor<?x?xf32>, tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  ^bb0(%state: tensor<?x?xf32>, %part: tensor<?xf32>):
    %sum = IE.Add %state, %part : tensor<?x?xf32>, tensor<?xf32> -> tensor<?x?xf32>
    IE.Yield %sum, %part : tensor<?x?xf32>, tensor<?xf32>
  }
  return %1#0, %1#1 : tensor<?x?xf32>, tensor<?x?xf32>
}

// -----

// CHECK-LABEL: func @scan_stacks_what_has_a_size_that_its_elements_tell
// CHECK: rt.sequence_empty
// CHECK: scf.for
// CHECK: rt.sequence_append
func.func @scan_stacks_what_has_a_size_that_its_elements_tell(%x: tensor<?x?xi64>) -> tensor<?x?xf32> {
  %0 = IE.Scan(%x) {num_scan_inputs = 1 : i64} : (tensor<?x?xi64>) -> tensor<?x?xf32> {
  ^bb0(%part: tensor<?xi64>):
    %c0 = arith.constant 0 : index
    %element = tensor.extract %part[%c0] : tensor<?xi64>
    %n = arith.index_cast %element : i64 to index
    %empty = tensor.empty(%n) : tensor<?xf32>
    IE.Yield %empty : tensor<?xf32>
  }
  return %0 : tensor<?x?xf32>
}

// -----

// A state has the sizes that it starts with in each step, which here are those
// of the steps' parts, so that nothing is broadcast.
// CHECK-LABEL: func @scan_keeps_sizes_of_states
// CHECK: %[[M:.*]] = tensor.dim %arg0
// CHECK: scf.for
// CHECK-NOT: tensor.dim
// CHECK-NOT: cf.assert
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #{{.*}}, #{{.*}}]
// CHECK: nacre.keeps_sizes
func.func @scan_keeps_sizes_of_states(%s: tensor<?xf32> {nacre.dims = ["M"]}, %x: tensor<?x?xf32> {nacre.dims = ["", "M"]}) -> tensor<?xf32> {
  %0 = IE.Scan(%s, %x) {num_scan_inputs = 1 : i64} : (tensor<?xf32>, tensor<?x?xf32>) -> tensor<?xf32> {
  ^bb0(%state: tensor<?xf32>, %part: tensor<?xf32>):
    %sum = IE.Add %state, %part : tensor<?xf32>, tensor<?xf32> -> tensor<?xf32>
    IE.Yield %sum : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}

// -----

// Each of several outputs is given the sizes of its own element. No iteration needs
// another one.
// CHECK-LABEL: func @scan_stacks_several_outputs
// CHECK: %[[N:.*]] = tensor.dim
// CHECK: tensor.empty(%[[N]]) : tensor<?x3x1x1xf32>
// CHECK: tensor.empty(%[[N]]) : tensor<?x1x1xf32>
// CHECK: tensor.empty(%[[N]]) : tensor<?x3x1x1xf32>
// CHECK: scf.for
// CHECK: } {nacre.has_steps, nacre.independent = 0 : i64, nacre.keeps_sizes}
func.func @scan_stacks_several_outputs(%x: tensor<?x3x1x1xf32>) -> (tensor<?x3x1x1xf32>, tensor<?x1x1xf32>, tensor<?x3x1x1xf32>) {
  %0:3 = IE.Scan(%x) {num_scan_inputs = 1 : i64} : (tensor<?x3x1x1xf32>) -> (tensor<?x3x1x1xf32>, tensor<?x1x1xf32>, tensor<?x3x1x1xf32>) {
  ^bb0(%part: tensor<3x1x1xf32>):
    %relu = IE.Relu %part : tensor<3x1x1xf32> -> tensor<3x1x1xf32>
    %axes = IE.Constant dense<0> : tensor<1xi64>
    %sum = IE.ReduceSum(%part, %axes) {keepdims = 0 : i64} : (tensor<3x1x1xf32>, tensor<1xi64>) -> tensor<1x1xf32>
    IE.Yield %relu, %sum, %part : tensor<3x1x1xf32>, tensor<1x1xf32>, tensor<3x1x1xf32>
  }
  return %0#0, %0#1, %0#2 : tensor<?x3x1x1xf32>, tensor<?x1x1xf32>, tensor<?x3x1x1xf32>
}

// -----

// A model may state sizes of what is stacked that its body does not show; it has
// been asserted that elements have them.
// CHECK-LABEL: func @scan_of_stated_sizes_relies_on_them
// CHECK-NOT: "elements of different shapes"
// CHECK: %[[PART:.*]] = tensor.cast %{{.*}} : tensor<?x3xf32> to tensor<5x3xf32>
// CHECK: tensor.insert_slice %[[PART]] into
func.func @scan_of_stated_sizes_relies_on_them(%x: tensor<2x5x3xf32>, %n: tensor<1xi64>) -> tensor<2x5x3xf32> {
  %0 = IE.Scan(%x) {num_scan_inputs = 1 : i64} : (tensor<2x5x3xf32>) -> tensor<2x5x3xf32> {
  ^bb0(%a: tensor<5x3xf32>):
    %z = IE.Constant dense<0> : tensor<1xi64>
    %s = IE.Slice %a, %z, %n : tensor<5x3xf32>, tensor<1xi64>, tensor<1xi64> -> tensor<?x3xf32>
    IE.Yield %s : tensor<?x3xf32>
  }
  return %0 : tensor<2x5x3xf32>
}

// -----

// CHECK-LABEL: func @loop_of_stated_sizes_relies_on_them
// CHECK-NOT: "elements of different shapes"
// CHECK: %[[PART:.*]] = tensor.cast %{{.*}} : tensor<?x3xf32> to tensor<5x3xf32>
// CHECK: tensor.insert_slice %[[PART]] into
func.func @loop_of_stated_sizes_relies_on_them(%x: tensor<5x3xf32>, %n: tensor<1xi64>) -> tensor<2x5x3xf32> {
  %two = IE.Constant dense<2> : tensor<i64>
  %0 = IE.Loop(%two) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<i64>) -> tensor<2x5x3xf32> {
  ^bb0(%i: tensor<i64>, %c: tensor<i1>):
    %z = IE.Constant dense<0> : tensor<1xi64>
    %s = IE.Slice %x, %z, %n : tensor<5x3xf32>, tensor<1xi64>, tensor<1xi64> -> tensor<?x3xf32>
    IE.Yield %c, %s : tensor<i1>, tensor<?x3xf32>
  }
  return %0 : tensor<2x5x3xf32>
}

// -----

// Iterations that write from the end, along different dimensions, or carry a state,
// are not what is shared.
// CHECK-LABEL: func @scans_that_stay_in_order
// CHECK-NOT: nacre.independent
// CHECK: return
func.func @scans_that_stay_in_order(%x: tensor<?x3xf32>, %s: tensor<3xf32>) -> (tensor<?x3xf32>, tensor<?x3xf32>, tensor<3x?xf32>, tensor<3xf32>, tensor<?x3xf32>) {
  %0 = IE.Scan(%x) {num_scan_inputs = 1 : i64, scan_output_directions = array<i64: 1>} : (tensor<?x3xf32>) -> tensor<?x3xf32> {
  ^bb0(%part: tensor<3xf32>):
    %relu = IE.Relu %part : tensor<3xf32> -> tensor<3xf32>
    IE.Yield %relu : tensor<3xf32>
  }
  %1:2 = IE.Scan(%x) {num_scan_inputs = 1 : i64, scan_output_axes = array<i64: 0, 1>} : (tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<3x?xf32>) {
  ^bb0(%part: tensor<3xf32>):
    %relu = IE.Relu %part : tensor<3xf32> -> tensor<3xf32>
    IE.Yield %relu, %part : tensor<3xf32>, tensor<3xf32>
  }
  %2:2 = IE.Scan(%s, %x) {num_scan_inputs = 1 : i64} : (tensor<3xf32>, tensor<?x3xf32>) -> (tensor<3xf32>, tensor<?x3xf32>) {
  ^bb0(%state: tensor<3xf32>, %part: tensor<3xf32>):
    %sum = IE.Add %state, %part : tensor<3xf32>, tensor<3xf32> -> tensor<3xf32>
    IE.Yield %sum, %sum : tensor<3xf32>, tensor<3xf32>
  }
  return %0, %1#0, %1#1, %2#0, %2#1 : tensor<?x3xf32>, tensor<?x3xf32>, tensor<3x?xf32>, tensor<3xf32>, tensor<?x3xf32>
}

// -----

// CHECK-LABEL: func @require_becomes_an_assertion
// CHECK-SAME: (%[[X:.*]]: tensor<?xi8> {{.*}}, %[[C:.*]]: tensor<i1>)
func.func @require_becomes_an_assertion(%x: tensor<?xui8>, %c: tensor<i1>) -> tensor<4xui8> {
  // CHECK: %[[HOLDS:.*]] = tensor.extract %[[C]]
  // CHECK: cf.assert %[[HOLDS]], "expected a vector"
  // CHECK: %[[Y:.*]] = tensor.cast %[[X]] : tensor<?xi8> to tensor<4xi8>
  // CHECK: return %[[Y]]
  %0 = IE.Require %x if %c, "expected a vector" : tensor<?xui8>, tensor<i1> -> tensor<4xui8>
  return %0 : tensor<4xui8>
}

// -----

// A sequence until the loop ends, which finds elements of different shapes.
// CHECK-LABEL: func @scan_of_elements_that_values_size_stacks_them_at_its_end
func.func @scan_of_elements_that_values_size_stacks_them_at_its_end(%x: tensor<?x3xf32>) -> tensor<1x?x?xi64> {
  // CHECK: %[[NONE:.*]] = rt.sequence_empty
  // CHECK: %[[ALL:.*]] = scf.for {{.*}} to %[[LENGTH:.*]] step {{.*}} iter_args(%[[SOME:.*]] = %[[NONE]]) -> (!rt.value)
  // CHECK: rt.sequence_insert %[[SOME]],
  // CHECK: %[[IS_EMPTY:.*]] = arith.cmpi eq, %[[LENGTH]]
  // CHECK: scf.if %[[IS_EMPTY]]
  // CHECK: } else {
  // CHECK: rt.sequence_stack %[[ALL]]
  %0 = IE.Scan(%x) {num_scan_inputs = 1 : i64, scan_output_axes = array<i64: 2>, scan_output_directions = array<i64: 1>} : (tensor<?x3xf32>) -> tensor<1x?x?xi64> {
  ^bb0(%part: tensor<3xf32>):
    %places = IE.NonZero(%part) : (tensor<3xf32>) -> tensor<1x?xi64>
    IE.Yield %places : tensor<1x?xi64>
  }
  return %0 : tensor<1x?x?xi64>
}

// -----

// There is nothing to write, nor a slice to write it to.
// CHECK-LABEL: func @loop_that_stacks_no_elements_only_runs
func.func @loop_that_stacks_no_elements_only_runs(%n: tensor<i64>, %x: tensor<0x2xf32>) -> tensor<?x0x2xf32> {
  // CHECK: scf.for {{.*}} -> (tensor<?x0x2xf32>)
  // CHECK-NOT: tensor.insert_slice
  // CHECK: tensor.empty(%{{.*}}) : tensor<?x0x2xf32>
  %0 = IE.Loop(%n) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<i64>) -> tensor<?x0x2xf32> {
  ^bb0(%i: tensor<i64>, %c: tensor<i1>):
    IE.Yield %c, %x : tensor<i1>, tensor<0x2xf32>
  }
  return %0 : tensor<?x0x2xf32>
}

// -----

// A body may yield an argument, which is gone when its sizes are asked for.
// CHECK-LABEL: func @scan_that_yields_what_it_gets
func.func @scan_that_yields_what_it_gets(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // CHECK: scf.for
  // CHECK: %[[PART:.*]] = tensor.extract_slice
  // CHECK: tensor.insert_slice %[[PART]]
  %0 = IE.Scan(%x) {num_scan_inputs = 1 : i64, scan_output_axes = array<i64: 1>} : (tensor<?x?xf32>) -> tensor<?x?xf32> {
  ^bb0(%part: tensor<?xf32>):
    IE.Yield %part : tensor<?xf32>
  }
  return %0 : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: func @scan_of_no_elements_slices_nothing
func.func @scan_of_no_elements_slices_nothing(%x: tensor<?x0xf32>) -> tensor<?x0xf32> {
  // CHECK: scf.for
  // CHECK-NOT: tensor.extract_slice
  // CHECK: return
  %0 = IE.Scan(%x) {num_scan_inputs = 1 : i64} : (tensor<?x0xf32>) -> tensor<?x0xf32> {
  ^bb0(%part: tensor<0xf32>):
    %relu = IE.Relu %part : tensor<0xf32> -> tensor<0xf32>
    IE.Yield %relu : tensor<0xf32>
  }
  return %0 : tensor<?x0xf32>
}

// -----

// What keeps a carried value asks for its size, but only after what reads it.
// CHECK-LABEL: func @loop_that_moves_a_carried_value
func.func @loop_that_moves_a_carried_value(%n: tensor<i64>, %x: tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<?x3xf32>) {
  // CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[CARRIED:.*]] = %{{.*}}) ->
  // CHECK: %[[T:.*]] = rt.optional_get %[[CARRIED]]
  // CHECK: %[[N:.*]] = rt.tensor_dim %[[T]], 0
  // CHECK: %[[DATA:.*]] = rt.tensor_data %[[T]]
  // CHECK: %[[VIEW:.*]] = memref.view %[[DATA]][%{{.*}}][%[[N]]] : memref<1xi8> to memref<?x3xf32>
  // CHECK: %[[B:.*]] = bufferization.to_tensor %[[VIEW]]
  // CHECK: tensor.empty(%[[N]]) : tensor<?x3xf32>
  // CHECK: tensor.dim %[[B]]
  %0:2 = IE.Loop(%n, %x, %x) {operandSegmentSizes = array<i32: 1, 0, 2>} : (tensor<i64>, tensor<?x3xf32>, tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<?x3xf32>) {
  ^bb0(%i: tensor<i64>, %c: tensor<i1>, %a: tensor<?x3xf32>, %b: tensor<?x3xf32>):
    %relu = IE.Relu %b : tensor<?x3xf32> -> tensor<?x3xf32>
    IE.Yield %c, %relu, %b : tensor<i1>, tensor<?x3xf32>, tensor<?x3xf32>
  }
  return %0#0, %0#1 : tensor<?x3xf32>, tensor<?x3xf32>
}

// -----

// The shape of a slice does not tell which of its dimensions is gone.

// CHECK-LABEL: func @scan_of_an_axis_behind_one_of_size_1_slices_in_full_rank
func.func @scan_of_an_axis_behind_one_of_size_1_slices_in_full_rank(%x: tensor<1x4x5xf32>) -> tensor<5x1x4xf32> {
  // CHECK: %[[ROW:.*]] = tensor.extract_slice %{{.*}}[0, 0, %{{.*}}] [1, 4, 1] [1, 1, 1] : tensor<1x4x5xf32> to tensor<1x4x1xf32>
  // CHECK: tensor.collapse_shape %[[ROW]] {{\[}}[0], [1, 2]] : tensor<1x4x1xf32> into tensor<1x4xf32>
  %0 = IE.Scan(%x) {num_scan_inputs = 1 : i64, scan_input_axes = array<i64: 2>} : (tensor<1x4x5xf32>) -> tensor<5x1x4xf32> {
  ^bb0(%part: tensor<1x4xf32>):
    IE.Yield %part : tensor<1x4xf32>
  }
  return %0 : tensor<5x1x4xf32>
}

// -----

// CHECK-LABEL: func @scan_of_an_axis_right_behind_one_of_size_1_drops_either
func.func @scan_of_an_axis_right_behind_one_of_size_1_drops_either(%x: tensor<1x5x4xf32>) -> tensor<5x1x4xf32> {
  // CHECK: tensor.extract_slice %{{.*}}[0, %{{.*}}, 0] [1, 1, 4] [1, 1, 1] : tensor<1x5x4xf32> to tensor<1x4xf32>
  // CHECK-NOT: tensor.collapse_shape
  // CHECK: return
  %0 = IE.Scan(%x) {num_scan_inputs = 1 : i64, scan_input_axes = array<i64: 1>} : (tensor<1x5x4xf32>) -> tensor<5x1x4xf32> {
  ^bb0(%part: tensor<1x4xf32>):
    IE.Yield %part : tensor<1x4xf32>
  }
  return %0 : tensor<5x1x4xf32>
}

// -----

// CHECK-LABEL: func @scan_asks_converted_arguments_for_sizes
func.func @scan_asks_converted_arguments_for_sizes(%x: tensor<4x?xui8>, %outer: tensor<?xui8>) -> tensor<4x?xui8> {
  // CHECK: scf.for
  // CHECK: %[[SIZE:.*]] = tensor.dim %arg0, %{{.*}} : tensor<4x?xi8>
  // CHECK: tensor.extract_slice %{{.*}}[%{{.*}}, 0] [1, %[[SIZE]]] [1, 1] : tensor<4x?xi8> to tensor<?xi8>
  %0 = IE.Scan(%x) {num_scan_inputs = 1 : i64} : (tensor<4x?xui8>) -> tensor<4x?xui8> {
  ^bb0(%part: tensor<?xui8>):
    %sum = IE.Add %part, %outer : tensor<?xui8>, tensor<?xui8> -> tensor<?xui8>
    IE.Yield %sum : tensor<?xui8>
  }
  return %0 : tensor<4x?xui8>
}

// -----

// CHECK-LABEL: func @collapse_of_what_a_loop_starts_from_asks_for_sizes_before_it
func.func @collapse_of_what_a_loop_starts_from_asks_for_sizes_before_it(%x: tensor<?x?xf32>, %other: tensor<3xui8>, %i: tensor<i64>) -> (tensor<f32>, tensor<3xui8>) {
  %all = IE.Constant dense<-1> : tensor<1xi64>
  %0 = IE.Scan(%x, %other) {num_scan_inputs = 1 : i64} : (tensor<?x?xf32>, tensor<3xui8>) -> tensor<?x?xf32> {
  ^bb0(%state: tensor<?x?xf32>, %part: tensor<ui8>):
    IE.Yield %state : tensor<?x?xf32>
  }
  %1 = IE.Reshape %0, %all : tensor<?x?xf32>, tensor<1xi64> -> tensor<?xf32>
  // CHECK: arith.muli
  // CHECK: tensor.collapse_shape
  %2 = IE.Gather %1, %i : tensor<?xf32>, tensor<i64> -> tensor<f32>
  return %2, %other : tensor<f32>, tensor<3xui8>
}

// -----

// CHECK-LABEL: func @loop_whose_body_knows_less_casts_to_that
func.func @loop_whose_body_knows_less_casts_to_that(%x: tensor<2x4xui16>) -> tensor<2x4xui16> {
  // CHECK: scf.for {{.*}} iter_args(%[[V:.*]] = %{{.*}}) -> (tensor<2x4xi16>)
  // CHECK: tensor.cast %[[V]] : tensor<2x4xi16> to tensor<?x?xi16>
  // CHECK-NOT: unrealized_conversion_cast
  // CHECK: return
  %trips = IE.Constant dense<3> : tensor<i64>
  %0 = IE.Loop(%trips, %x) {operandSegmentSizes = array<i32: 1, 0, 1>} : (tensor<i64>, tensor<2x4xui16>) -> tensor<2x4xui16> {
  ^bb0(%i: tensor<i64>, %c: tensor<i1>, %v: tensor<?x?xui16>):
    %next = IE.Identity %v : tensor<?x?xui16> -> tensor<2x4xui16>
    IE.Yield %c, %next : tensor<i1>, tensor<2x4xui16>
  }
  return %0 : tensor<2x4xui16>
}

// -----

// CHECK-LABEL: func @scan_whose_body_knows_less_casts_to_that
func.func @scan_whose_body_knows_less_casts_to_that(%s: tensor<2xui8>, %x: tensor<?x2xui8>) -> tensor<2xui8> {
  // CHECK: scf.for {{.*}} iter_args(%[[V:.*]] = %{{.*}}) -> (tensor<2xi8>)
  // CHECK: tensor.cast %[[V]] : tensor<2xi8> to tensor<?xi8>
  // CHECK-NOT: unrealized_conversion_cast
  // CHECK: return
  %0 = IE.Scan(%s, %x) {num_scan_inputs = 1 : i64} : (tensor<2xui8>, tensor<?x2xui8>) -> tensor<2xui8> {
  ^bb0(%v: tensor<?xui8>, %part: tensor<2xui8>):
    %next = IE.Identity %v : tensor<?xui8> -> tensor<2xui8>
    IE.Yield %next : tensor<2xui8>
  }
  return %0 : tensor<2xui8>
}
