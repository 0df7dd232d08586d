// RUN: nacre-opt %s -convert-rt-to-func -split-input-file -verify-diagnostics | FileCheck %s

// Operands and attributes are arguments, in order; a text is there once.
// CHECK: llvm.mlir.global internal constant @[[NAME:.*]]("x\00")
// CHECK-LABEL: func @ops_become_calls
// CHECK-SAME: (%[[X:.*]]: !llvm.ptr, %[[N:.*]]: index)
func.func @ops_become_calls(%x: !rt.value, %n: index) -> (memref<1xi8>, index) {
  // CHECK: %[[UI8:.*]] = arith.constant 2 : i64
  // CHECK: %[[RANK:.*]] = arith.constant 3 : i64
  // CHECK: %[[A:.*]] = llvm.mlir.addressof @[[NAME]] : !llvm.ptr
  // CHECK: call @nacre_check_tensor(%[[X]], %[[UI8]], %[[RANK]], %[[A]])
  rt.check_tensor %x, ui8, 3, "x"
  // CHECK: %[[DIM:.*]] = arith.constant 1 : i64
  // CHECK: %[[B:.*]] = llvm.mlir.addressof @[[NAME]] : !llvm.ptr
  // CHECK: call @nacre_check_dim(%[[X]], %[[DIM]], %[[N]], %[[B]])
  rt.check_dim %x, 1, %n, "x"
  // CHECK: %[[DATA:.*]] = call @nacre_tensor_data(%[[X]])
  %0 = rt.tensor_data %x
  // CHECK: %[[SIZE:.*]] = call @nacre_tensor_dim(%[[X]], %{{.*}}) : (!llvm.ptr, i64) -> index
  %1 = rt.tensor_dim %x, 0
  // CHECK: return %[[DATA]], %[[SIZE]]
  return %0, %1 : memref<1xi8>, index
}
// CHECK-DAG: func.func private @nacre_check_tensor(!llvm.ptr, i64, i64, !llvm.ptr)
// CHECK-DAG: func.func private @nacre_check_dim(!llvm.ptr, i64, index, !llvm.ptr)
// CHECK-DAG: func.func private @nacre_tensor_data(!llvm.ptr) -> memref<1xi8>

// -----

// CHECK-LABEL: func @change_in_place_is_another_function
func.func @change_in_place_is_another_function(%x: !rt.value) -> !rt.value {
  // CHECK: %[[EMPTY:.*]] = call @nacre_sequence_empty() : () -> !llvm.ptr
  %0 = rt.sequence_empty
  // CHECK: %[[ONE:.*]] = call @nacre_sequence_append(%[[EMPTY]], %{{.*}}) : (!llvm.ptr, !llvm.ptr) -> !llvm.ptr
  %1 = rt.sequence_append %0, %x
  // CHECK: call @nacre_sequence_append_in_place(%[[ONE]], %{{.*}}) : (!llvm.ptr, !llvm.ptr) -> !llvm.ptr
  %2 = rt.sequence_append in_place %1, %x
  // CHECK: call @nacre_drop(%[[EMPTY]]) : (!llvm.ptr) -> ()
  rt.drop %0
  return %2 : !rt.value
}

// -----

// Texts lie one after the other. What has no text has an address all the same.
// CHECK-DAG: llvm.mlir.global internal constant @[[WORDS:.*]]("yes\00\00no\00")
// CHECK-DAG: llvm.mlir.global internal constant @[[NONE:.*]]("\00")
// CHECK-LABEL: func @texts_are_constants_of_the_module
func.func @texts_are_constants_of_the_module() -> !rt.value {
  // CHECK: %[[TEXTS:.*]] = llvm.mlir.addressof @[[WORDS]]
  // CHECK: %[[THREE:.*]] = arith.constant 3 : i64
  // CHECK: call @nacre_string_constant(%[[TEXTS]], %[[THREE]])
  %0 = rt.string_constant ["yes", "", "no"]
  // CHECK: llvm.mlir.addressof @[[NONE]]
  // CHECK: %[[ZERO:.*]] = arith.constant 0 : i64
  // CHECK: call @nacre_string_constant(%{{.*}}, %[[ZERO]])
  %1 = rt.string_constant []
  // CHECK: %[[LOWER:.*]] = arith.constant 1 : i64
  // CHECK: %[[SENSITIVE:.*]] = arith.constant 0 : i64
  // CHECK: call @nacre_string_normalize(%{{.*}}, %[[LOWER]], %[[SENSITIVE]], %{{.*}})
  %2 = rt.string_normalize %0, 1, 0, %1
  return %2 : !rt.value
}

// -----

// CHECK-LABEL: func @branches_and_loops_pass_pointers_on
// CHECK-SAME: (%[[X:.*]]: !llvm.ptr, %[[C:.*]]: i1, %{{.*}}: index) -> !llvm.ptr
func.func @branches_and_loops_pass_pointers_on(%x: !rt.value, %c: i1, %n: index) -> !rt.value {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[SOME:.*]] = scf.if %[[C]] -> (!llvm.ptr)
  %0 = scf.if %c -> !rt.value {
    scf.yield %x : !rt.value
  } else {
    %none = rt.sequence_empty
    scf.yield %none : !rt.value
  }
  // CHECK: %[[ALL:.*]] = scf.for {{.*}} iter_args(%[[LIST:.*]] = %[[SOME]]) -> (!llvm.ptr)
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%list = %0) -> !rt.value {
    // CHECK: func.call @nacre_sequence_append(%[[LIST]], %[[X]])
    %longer = rt.sequence_append %list, %x
    scf.yield %longer : !rt.value
  }
  // CHECK: %[[LAST:.*]] = scf.while (%{{.*}} = %[[ALL]]) : (!llvm.ptr) -> !llvm.ptr
  %2 = scf.while (%a = %1) : (!rt.value) -> !rt.value {
    scf.condition(%c) %a : !rt.value
  } do {
  ^bb0(%b: !rt.value):
    scf.yield %b : !rt.value
  }
  // CHECK: %[[ONE:.*]] = arith.select %[[C]], %[[LAST]], %[[X]] : !llvm.ptr
  %3 = arith.select %c, %2, %x : !rt.value
  // CHECK: call @private(%[[ONE]]) : (!llvm.ptr) -> ()
  call @private(%3) : (!rt.value) -> ()
  // CHECK: return %[[ONE]]
  return %3 : !rt.value
}

// CHECK: func private @private(!llvm.ptr)
func.func private @private(!rt.value)

// -----

// CHECK-LABEL: func @module_without_values_stays
// CHECK-SAME: (%{{.*}}: !llvm.ptr, %{{.*}}: i1, %{{.*}}: f32)
func.func @module_without_values_stays(%p: !llvm.ptr, %c: i1, %x: f32) -> f32 {
  // CHECK-NEXT: arith.select
  %0 = arith.select %c, %x, %x : f32
  // CHECK-NEXT: return
  return %0 : f32
}

// -----

func.func @other_op_on_a_value_is_an_error(%c: i1, %x: !rt.value) -> !rt.value {
  // expected-error@+1 {{failed to legalize operation 'scf.execute_region'}}
  %0 = scf.execute_region -> !rt.value {
    scf.yield %x : !rt.value
  }
  return %0 : !rt.value
}
