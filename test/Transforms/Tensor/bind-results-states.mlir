// RUN: nacre-opt %s -bind-results -split-input-file -verify-diagnostics | FileCheck %s
// RUN: nacre-opt %s -bind-results -vpu-bufferize -canonicalize -split-input-file -verify-diagnostics | FileCheck %s --check-prefix=BUFFERS

#id = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func @new_value_is_computed_in_the_old_one
// CHECK-SAME: %[[PAST:[a-z0-9]*]]: tensor<8xf32>
// CHECK: linalg.generic {{.*}} outs(%[[PAST]] : tensor<8xf32>)
// BUFFERS-LABEL: func @new_value_is_computed_in_the_old_one(
// BUFFERS-SAME: %[[PAST:[a-z0-9]*]]: memref<8xf32>, %[[X:[a-z0-9]*]]: memref<8xf32>) {
// BUFFERS-NOT: memref.alloc
// BUFFERS: linalg.generic {{.*}} ins(%[[PAST]], %[[X]] : {{.*}}) outs(%[[PAST]] : memref<8xf32>)
// BUFFERS-NOT: memref.copy
// BUFFERS: return
func.func @new_value_is_computed_in_the_old_one(%past: tensor<8xf32> {nacre.state = 0 : i64}, %x: tensor<8xf32>) -> tensor<8xf32> {
  %empty = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%past, %x : tensor<8xf32>, tensor<8xf32>) outs(%empty : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.addf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func @element_is_replaced_in_place
// BUFFERS-LABEL: func @element_is_replaced_in_place(
// BUFFERS-SAME: %[[PAST:[a-z0-9]*]]: memref<8xf32>
// BUFFERS-NOT: memref.alloc
// BUFFERS: memref.store %{{.*}}, %[[PAST]]
// BUFFERS-NOT: memref.copy
// BUFFERS: return
func.func @element_is_replaced_in_place(%past: tensor<8xf32> {nacre.state = 0 : i64}, %x: f32, %at: index, %count: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %count step %c1 iter_args(%now = %past) -> tensor<8xf32> {
    %at_i = arith.addi %at, %i : index
    %1 = tensor.insert %x into %now[%at_i] : tensor<8xf32>
    scf.yield %1 : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

// The new value replaces the old one once that is not needed anymore.
// CHECK-LABEL: func @old_value_that_is_read_later_stays_until_then
// BUFFERS-LABEL: func @old_value_that_is_read_later_stays_until_then(
// BUFFERS-SAME: %[[PAST:[a-z0-9]*]]: memref<8xf32>
// BUFFERS-SAME: -> memref<8xf32>
// BUFFERS: linalg.generic {{.*}} outs(%[[NEW:.*]] : memref<8xf32>)
// BUFFERS: linalg.generic {{.*}} ins(%[[NEW]], %[[PAST]] : {{.*}}) outs(%[[Y:.*]] : memref<8xf32>)
// BUFFERS: memref.copy %[[NEW]], %[[PAST]]
// BUFFERS: return %[[Y]] : memref<8xf32>
func.func @old_value_that_is_read_later_stays_until_then(%past: tensor<8xf32> {nacre.state = 1 : i64}, %x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e0 = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e0 : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %2 = math.tanh %a : f32
    linalg.yield %2 : f32
  } -> tensor<8xf32>
  %e1 = tensor.empty() : tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%0, %past : tensor<8xf32>, tensor<8xf32>) outs(%e1 : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %2 = arith.subf %a, %b : f32
    linalg.yield %2 : f32
  } -> tensor<8xf32>
  return %1, %0 : tensor<8xf32>, tensor<8xf32>
}

// -----

// CHECK-LABEL: func @states_that_become_each_other_are_saved_first
// BUFFERS-LABEL: func @states_that_become_each_other_are_saved_first(
// BUFFERS-SAME: %[[A:[a-z0-9]*]]: memref<8xf32>, %[[B:[a-z0-9]*]]: memref<8xf32>) {
// BUFFERS-DAG: memref.copy %[[A]], %[[OLD_A:.*]] :
// BUFFERS-DAG: memref.copy %[[B]], %[[OLD_B:.*]] :
// BUFFERS: memref.copy %[[OLD_B]], %[[A]]
// BUFFERS: memref.copy %[[OLD_A]], %[[B]]
// BUFFERS: return
func.func @states_that_become_each_other_are_saved_first(%a: tensor<8xf32> {nacre.state = 0 : i64}, %b: tensor<8xf32> {nacre.state = 1 : i64}) -> (tensor<8xf32>, tensor<8xf32>) {
  return %b, %a : tensor<8xf32>, tensor<8xf32>
}

// -----

// CHECK-LABEL: func @state_that_stays_as_it_is_costs_nothing
// BUFFERS-LABEL: func @state_that_stays_as_it_is_costs_nothing(
// BUFFERS-SAME: %{{[a-z0-9]*}}: memref<8xf32>) {
// BUFFERS-NEXT: return
func.func @state_that_stays_as_it_is_costs_nothing(%a: tensor<8xf32> {nacre.state = 0 : i64}) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}

// -----

// expected-error @+1 {{expected the state of argument 0 to be the number of a result, found 1}}
func.func @state_of_no_result_is_rejected(%a: tensor<8xf32> {nacre.state = 1 : i64}) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}

// -----

// expected-error @+1 {{expected one state per result, found several for result 0}}
func.func @two_states_of_one_result_are_rejected(%a: tensor<8xf32> {nacre.state = 0 : i64}, %b: tensor<8xf32> {nacre.state = 0 : i64}) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}

// -----

// expected-error @+1 {{expected a state to keep one type of static shape, found 'tensor<8xf32>' of 'past' to become 'tensor<4xf32>'}}
func.func @state_that_changes_its_type_is_rejected(%a: tensor<8xf32> {nacre.name = "past", nacre.state = 0 : i64}, %b: tensor<4xf32>) -> tensor<4xf32> {
  return %b : tensor<4xf32>
}

// -----

// expected-error @+1 {{unsupported state of argument 0, a value of the runtime of 'i4': a state is a buffer of known size, of numbers of a byte at least}}
func.func @state_of_4_bits_is_rejected(%a: !rt.value {nacre.element = i4, nacre.state = 0 : i64}) -> !rt.value {
  return %a : !rt.value
}
