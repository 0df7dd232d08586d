// RUN: nacre-opt %s -lower-boundary -allow-unregistered-dialect -split-input-file | FileCheck %s

// Static tensors stay what they are; the sizes of others are those that the
// value has, and are checked.
// CHECK-LABEL: func @dynamic_tensors_become_values
// CHECK-SAME: (%[[X:.*]]: !rt.value {{{.*}}}, %[[Y:.*]]: !rt.value {{{.*}}}, %[[W:.*]]: tensor<4xf32>) -> (tensor<4xf32>, !rt.value
// CHECK: rt.check_tensor %[[X]], ui8, 2, "x"
// CHECK: %[[N:.*]] = rt.tensor_dim %[[X]], 0
// CHECK: rt.check_dim %[[X]], 1, %c3, "x"
// CHECK: %[[DATA:.*]] = rt.tensor_data %[[X]]
// CHECK: %[[VIEW:.*]] = memref.view %[[DATA]][%{{.*}}][%[[N]]] : memref<1xi8> to memref<?x3xi8>
// CHECK: bufferization.to_tensor %[[VIEW]] restrict
// CHECK-NOT: rt.tensor_dim %[[Y]],
// CHECK: rt.check_dim %[[Y]], 0, %[[N]], "input1"
// CHECK: memref.view %{{.*}}[%{{.*}}][%[[N]]] : memref<1xi8> to memref<?xf32>
// CHECK: %[[RESULT:.*]] = "test.op"
// CHECK: %[[NEW:.*]] = rt.tensor_new
// CHECK: %[[SIZE:.*]] = tensor.dim %[[RESULT]]
// CHECK: rt.tensor_set_dim %[[NEW]], 0, %[[SIZE]]
// CHECK: %[[PLACE:.*]] = rt.tensor_allocate %[[NEW]]
// CHECK: %[[OUT:.*]] = memref.view %[[PLACE]]
// CHECK: bufferization.materialize_in_destination %[[RESULT]] in restrict writable %[[OUT]]
// CHECK: return %[[W]], %[[NEW]]
func.func @dynamic_tensors_become_values(
    %x: tensor<?x3xi8> {nacre.name = "x", nacre.dims = ["n", ""], nacre.element = ui8},
    %y: tensor<?xf32> {nacre.dims = ["n"]}, %w: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<?xf32>) {
  %r = "test.op"(%x, %y) : (tensor<?x3xi8>, tensor<?xf32>) -> tensor<?xf32>
  return %w, %r : tensor<4xf32>, tensor<?xf32>
}

// -----

// The value's memory is there before the op that computes its elements, for
// bufferization to let it write there.
// CHECK-LABEL: func @memory_of_a_result_is_there_before_what_computes_it
// CHECK: %[[N:.*]] = tensor.dim
// CHECK: %[[NEW:.*]] = rt.tensor_new
// CHECK: rt.tensor_set_dim %[[NEW]], 0, %[[N]]
// CHECK: %[[DATA:.*]] = rt.tensor_allocate %[[NEW]]
// CHECK: %[[VIEW:.*]] = memref.view %[[DATA]]
// CHECK: %[[Y:.*]] = linalg.exp
// CHECK: bufferization.materialize_in_destination %[[Y]] in restrict writable %[[VIEW]]
// CHECK: return %[[NEW]]
func.func @memory_of_a_result_is_there_before_what_computes_it(%x: tensor<?xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0 : index
  %n = tensor.dim %x, %zero : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %y = linalg.exp ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// -----

// The same of what is computed in another shape.
// CHECK-LABEL: func @memory_of_a_result_of_another_shape_is_there_before_it
// CHECK: %[[N:.*]] = tensor.dim
// CHECK: rt.tensor_set_dim %{{.*}}, 0, %[[N]]
// CHECK: rt.tensor_allocate
// CHECK: %[[VIEW:.*]] = memref.view
// CHECK: linalg.exp
// CHECK: %[[Y:.*]] = tensor.collapse_shape
// CHECK: bufferization.materialize_in_destination %[[Y]] in restrict writable %[[VIEW]]
func.func @memory_of_a_result_of_another_shape_is_there_before_it(%x: tensor<1x?xf32>) -> tensor<?xf32> {
  %one = arith.constant 1 : index
  %n = tensor.dim %x, %one : tensor<1x?xf32>
  %e = tensor.empty(%n) : tensor<1x?xf32>
  %y = linalg.exp ins(%x : tensor<1x?xf32>) outs(%e : tensor<1x?xf32>) -> tensor<1x?xf32>
  %flat = tensor.collapse_shape %y [[0, 1]] : tensor<1x?xf32> into tensor<?xf32>
  return %flat : tensor<?xf32>
}

// -----

// So it is where sizes are products of those that it is computed in.
// CHECK-LABEL: func @memory_of_a_result_of_merged_sizes_is_there_before_it
// CHECK: %[[N:.*]] = tensor.dim
// CHECK: %[[MERGED:.*]] = arith.muli %[[N]], %{{.*}} : index
// CHECK: rt.tensor_set_dim %{{.*}}, 0, %[[MERGED]]
// CHECK: rt.tensor_allocate
// CHECK: %[[VIEW:.*]] = memref.view
// CHECK: linalg.broadcast
// CHECK: %[[Y:.*]] = tensor.collapse_shape
// CHECK: bufferization.materialize_in_destination %[[Y]] in restrict writable %[[VIEW]]
func.func @memory_of_a_result_of_merged_sizes_is_there_before_it(%x: tensor<?x16xf32>) -> tensor<?x32xf32> {
  %zero = arith.constant 0 : index
  %n = tensor.dim %x, %zero : tensor<?x16xf32>
  %e = tensor.empty(%n) : tensor<2x?x2x16xf32>
  %y = linalg.broadcast ins(%x : tensor<?x16xf32>) outs(%e : tensor<2x?x2x16xf32>) dimensions = [0, 2]
  %flat = tensor.collapse_shape %y [[0, 1], [2, 3]] : tensor<2x?x2x16xf32> into tensor<?x32xf32>
  return %flat : tensor<?x32xf32>
}

// -----

// What is given twice has one of the two places, and is copied to the other.
// CHECK-LABEL: func @result_of_two_uses_is_copied_once
// CHECK-COUNT-2: rt.tensor_new
// CHECK: linalg.exp
// CHECK-COUNT-2: bufferization.materialize_in_destination
func.func @result_of_two_uses_is_copied_once(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %zero = arith.constant 0 : index
  %n = tensor.dim %x, %zero : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %y = linalg.exp ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %y, %y : tensor<?xf32>, tensor<?xf32>
}

// -----

// A cache that grows, which others read: the memory is there before the old rows
// are copied and a loop writes new ones.
// CHECK-LABEL: func @place_is_found_through_slices_and_loops
// CHECK: %[[NEW:.*]] = rt.tensor_new
// CHECK: %[[DATA:.*]] = rt.tensor_allocate %[[NEW]]
// CHECK: %[[VIEW:.*]] = memref.view %[[DATA]]
// CHECK: tensor.insert_slice
// CHECK: %[[GROWN:.*]] = scf.for
// CHECK: tensor.extract_slice %[[GROWN]]
// CHECK: bufferization.materialize_in_destination %[[GROWN]] in restrict writable %[[VIEW]]
func.func @place_is_found_through_slices_and_loops(%past: tensor<?xf32>, %row: f32) -> (tensor<?xf32>, tensor<4xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = tensor.dim %past, %zero : tensor<?xf32>
  %m = arith.addi %n, %one : index
  %e = tensor.empty(%m) : tensor<?xf32>
  %old = tensor.insert_slice %past into %e[0] [%n] [1] : tensor<?xf32> into tensor<?xf32>
  %grown = scf.for %i = %n to %m step %one iter_args(%c = %old) -> tensor<?xf32> {
    %next = tensor.insert %row into %c[%i] : tensor<?xf32>
    scf.yield %next : tensor<?xf32>
  }
  %part = tensor.extract_slice %grown[0] [4] [1] : tensor<?xf32> to tensor<4xf32>
  %s = tensor.empty() : tensor<4xf32>
  %y = linalg.exp ins(%part : tensor<4xf32>) outs(%s : tensor<4xf32>) -> tensor<4xf32>
  return %grown, %y : tensor<?xf32>, tensor<4xf32>
}

// -----

// So it is where the result is computed in another shape, and starts as one of its own.
// CHECK-LABEL: func @place_is_found_through_other_shapes
// CHECK: %[[NEW:.*]] = rt.tensor_new
// CHECK: %[[DATA:.*]] = rt.tensor_allocate %[[NEW]]
// CHECK: %[[VIEW:.*]] = memref.view %[[DATA]]
// CHECK: linalg.broadcast
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape
// CHECK: bufferization.materialize_in_destination %[[FLAT]] in restrict writable %[[VIEW]]
func.func @place_is_found_through_other_shapes(%x: tensor<?xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0 : index
  %two = arith.constant 2 : index
  %n = tensor.dim %x, %zero : tensor<?xf32>
  %m = arith.muli %n, %two : index
  %e = tensor.empty(%m) : tensor<?xf32>
  %wide = tensor.expand_shape %e [[0, 1]] output_shape [%n, 2] : tensor<?xf32> into tensor<?x2xf32>
  %y = linalg.broadcast ins(%x : tensor<?xf32>) outs(%wide : tensor<?x2xf32>) dimensions = [1]
  %flat = tensor.collapse_shape %y [[0, 1]] : tensor<?x2xf32> into tensor<?xf32>
  return %flat : tensor<?xf32>
}

// -----

// Of dynamic sizes, equal types are no equal shapes.
// CHECK-LABEL: func @place_of_another_shape_is_none
// CHECK: linalg.exp
// CHECK: %[[OTHER:.*]] = tensor.expand_shape
// CHECK: rt.tensor_set_dim %{{.*}}, 0, %[[N:.*]]
// CHECK: rt.tensor_allocate
// CHECK: bufferization.materialize_in_destination %[[OTHER]]
func.func @place_of_another_shape_is_none(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = tensor.dim %x, %zero : tensor<?x?xf32>
  %m = tensor.dim %x, %one : tensor<?x?xf32>
  %e = tensor.empty(%n, %m) : tensor<?x?xf32>
  %y = linalg.exp ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %flat = tensor.collapse_shape %y [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  %swapped = tensor.expand_shape %flat [[0, 1]] output_shape [%m, %n] : tensor<?xf32> into tensor<?x?xf32>
  return %swapped : tensor<?x?xf32>
}

// -----

// What a loop writes rows into starts as an input, which is the caller's: the
// copy is made where the result is, and nothing is copied at the end.
// CHECK-LABEL: func @result_that_starts_as_an_input_is_a_copy_of_it
// CHECK: %[[X:.*]] = bufferization.to_tensor
// CHECK: rt.tensor_allocate
// CHECK: %[[PLACE:.*]] = tensor.empty(%{{.*}}) : tensor<?xf32>
// CHECK: %[[COPY:.*]] = linalg.copy ins(%[[X]] : tensor<?xf32>) outs(%[[PLACE]] :
// CHECK: %[[LOOP:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[COPY]])
// CHECK: bufferization.materialize_in_destination %[[LOOP]]
func.func @result_that_starts_as_an_input_is_a_copy_of_it(%x: tensor<?xf32>, %row: f32) -> tensor<?xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %four = arith.constant 4 : index
  %y = scf.for %i = %zero to %four step %one iter_args(%at = %x) -> tensor<?xf32> {
    %z = tensor.insert %row into %at[%i] : tensor<?xf32>
    scf.yield %z : tensor<?xf32>
  }
  return %y : tensor<?xf32>
}

// -----

// CHECK-LABEL: func @input_that_is_overwritten_is_not_copied
// CHECK-NOT: linalg.copy
func.func @input_that_is_overwritten_is_not_copied(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = linalg.exp ins(%x : tensor<?xf32>) outs(%x : tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// -----

// CHECK-LABEL: func @static_tensors_stay
// CHECK-SAME: (%{{.*}}: tensor<4xf32>) -> tensor<4xf32>
// CHECK-NOT: rt.
func.func @static_tensors_stay(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// CHECK-LABEL: func private @private_functions_stay
// CHECK-SAME: tensor<?xf32>
func.func private @private_functions_stay(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}

// -----

// Lists are values already; strings are, whatever their number.
// CHECK-LABEL: func @lists_and_strings_are_values
// CHECK-SAME: (%[[S:.*]]: !rt.value {{{.*}}}, %[[T:.*]]: !rt.value {{{.*}}}) -> (!rt.value {{{.*}}}, !rt.value {{{.*}}})
// CHECK: rt.check_sequence %[[S]], "s"
// CHECK: rt.check_tensor %[[T]], !IE.String, 1, "t"
// CHECK: %[[DATA:.*]] = rt.tensor_data %[[T]]
// CHECK: %[[VIEW:.*]] = memref.view %[[DATA]][%{{.*}}][] : memref<1xi8> to memref<2xi64>
// CHECK: %[[NEW:.*]] = rt.tensor_new !IE.String, 1
// CHECK: rt.tensor_own_strings %[[NEW]]
// CHECK: return %[[NEW]], %[[S]]
func.func @lists_and_strings_are_values(
    %s: !rt.value {nacre.name = "s", nacre.element = !IE.Sequence<tensor<?xf32>>},
    %t: tensor<2xi64> {nacre.name = "t", nacre.element = !IE.String})
    -> (tensor<2xi64> {nacre.element = !IE.String}, !rt.value {nacre.element = !IE.Sequence<tensor<?xf32>>}) {
  return %t, %s : tensor<2xi64>, !rt.value
}

// -----

// What takes strings over gets other memory for them, and the second result may be
// copied from that of the first.
// CHECK-LABEL: func @strings_are_owned_when_all_results_are_stored
// CHECK: bufferization.materialize_in_destination
// CHECK-NOT: rt.tensor_own_strings
// CHECK: bufferization.materialize_in_destination
// CHECK: rt.tensor_own_strings
// CHECK-NEXT: rt.tensor_own_strings
// CHECK-NEXT: return
func.func @strings_are_owned_when_all_results_are_stored(
    %t: tensor<?xi64> {nacre.name = "t", nacre.element = !IE.String})
    -> (tensor<?xi64> {nacre.element = !IE.String}, tensor<?xi64> {nacre.element = !IE.String}) {
  return %t, %t : tensor<?xi64>, tensor<?xi64>
}
