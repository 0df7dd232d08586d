// RUN: nacre-opt %s -convert-ie-to-linalg -split-input-file | FileCheck %s

// CHECK-LABEL: func @elements_become_values
// CHECK-SAME: (%[[A:.*]]: tensor<2xf32>, %{{.*}}: tensor<i32>) -> (!rt.value {nacre.element = !IE.Sequence<tensor<2xf32>>})
func.func @elements_become_values(%a: tensor<2xf32>, %n: tensor<i32>) -> !IE.Sequence<tensor<2xf32>> {
  // CHECK: %[[EMPTY:.*]] = rt.sequence_empty
  // CHECK: %[[ELEMENT:.*]] = rt.tensor_new f32, 1
  // CHECK: %[[DATA:.*]] = rt.tensor_allocate %[[ELEMENT]]
  // CHECK: %[[VIEW:.*]] = memref.view %[[DATA]]
  // CHECK: bufferization.materialize_in_destination %[[A]] in restrict writable %[[VIEW]]
  // CHECK: %[[ONE:.*]] = rt.sequence_append %[[EMPTY]], %[[ELEMENT]]
  %0 = IE.SequenceConstruct(%a) : (tensor<2xf32>) -> !IE.Sequence<tensor<2xf32>>
  // CHECK: %[[AGAIN:.*]] = rt.tensor_new f32, 1
  // CHECK: %[[POSITION:.*]] = arith.extsi %{{.*}} : i32 to i64
  // CHECK: %[[TWO:.*]] = rt.sequence_insert %[[ONE]], %[[AGAIN]], %[[POSITION]]
  %1 = IE.SequenceInsert(%0, %a, %n) : (!IE.Sequence<tensor<2xf32>>, tensor<2xf32>, tensor<i32>) -> !IE.Sequence<tensor<2xf32>>
  // CHECK: %[[ERASED:.*]] = rt.sequence_erase_last %[[TWO]]
  %2 = IE.SequenceErase(%1) : (!IE.Sequence<tensor<2xf32>>) -> !IE.Sequence<tensor<2xf32>>
  // CHECK: return %[[ERASED]] : !rt.value
  return %2 : !IE.Sequence<tensor<2xf32>>
}

// -----

// What an element is, is only known once it is there.
// CHECK-LABEL: func @elements_are_checked
// CHECK-SAME: (%[[S:.*]]: !rt.value {nacre.element = !IE.Sequence<tensor<?x3xf32>>}, %[[I:.*]]: tensor<i64>)
func.func @elements_are_checked(%s: !IE.Sequence<tensor<?x3xf32>>, %i: tensor<i64>) -> tensor<?x3xf32> {
  // CHECK: %[[P:.*]] = tensor.extract %[[I]]
  // CHECK: %[[E:.*]] = rt.sequence_at %[[S]], %[[P]]
  // CHECK: rt.check_tensor %[[E]], f32, 2, "an element"
  // CHECK: %[[D0:.*]] = rt.tensor_dim %[[E]], 0
  // CHECK: %[[D1:.*]] = rt.tensor_dim %[[E]], 1
  // CHECK: %[[FITS:.*]] = arith.cmpi eq, %[[D1]], %{{.*}}
  // CHECK: cf.assert %[[FITS]], "unexpected size of dimension 1 of an element"
  // CHECK: %[[DATA:.*]] = rt.tensor_data %[[E]]
  // CHECK: memref.view %[[DATA]][%{{.*}}][%[[D0]]] : memref<1xi8> to memref<?x3xf32>
  %0 = IE.SequenceAt(%s, %i) : (!IE.Sequence<tensor<?x3xf32>>, tensor<i64>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

// -----

// CHECK-LABEL: func @parts_and_what_they_make
func.func @parts_and_what_they_make(%x: tensor<4x2xi8>, %n: tensor<i64>, %sizes: tensor<2xi64>) -> (tensor<?x2xi8>, tensor<?x2xi8>, tensor<2x?xi8>, tensor<i64>) {
  // CHECK: %[[EVEN:.*]] = rt.sequence_split_evenly %{{.*}}, 0, %
  %0 = IE.SplitToSequence(%x, %n) : (tensor<4x2xi8>, tensor<i64>) -> !IE.Sequence<tensor<?x2xi8>>
  // CHECK: %[[SIZED:.*]] = rt.sequence_split %{{.*}}, 0, %
  %1 = IE.SplitToSequence(%x, %sizes) : (tensor<4x2xi8>, tensor<2xi64>) -> !IE.Sequence<tensor<?x2xi8>>
  // CHECK: %[[EACH:.*]] = rt.sequence_split_each %{{.*}}, 0, 0
  %2 = IE.SplitToSequence(%x) {keepdims = 0 : i64} : (tensor<4x2xi8>) -> !IE.Sequence<tensor<2xi8>>
  // CHECK: rt.sequence_concat %[[EVEN]], 0
  %3 = IE.ConcatFromSequence(%0) {axis = 0 : i64} : (!IE.Sequence<tensor<?x2xi8>>) -> tensor<?x2xi8>
  // CHECK: rt.sequence_concat %[[SIZED]], 0
  %4 = IE.ConcatFromSequence(%1) {axis = 0 : i64} : (!IE.Sequence<tensor<?x2xi8>>) -> tensor<?x2xi8>
  // CHECK: rt.sequence_stack %[[EACH]], 1
  %5 = IE.ConcatFromSequence(%2) {axis = 1 : i64, new_axis = 1 : i64} : (!IE.Sequence<tensor<2xi8>>) -> tensor<2x?xi8>
  // CHECK: %[[LENGTH:.*]] = rt.length %[[EACH]]
  // CHECK: tensor.from_elements %[[LENGTH]] : tensor<i64>
  %6 = IE.SequenceLength(%2) : (!IE.Sequence<tensor<2xi8>>) -> tensor<i64>
  return %3, %4, %5, %6 : tensor<?x2xi8>, tensor<?x2xi8>, tensor<2x?xi8>, tensor<i64>
}

// -----

// CHECK-LABEL: func @optionals
func.func @optionals(%s: !IE.Sequence<tensor<2xf32>>, %x: tensor<2xf32>) -> (!IE.Sequence<tensor<2xf32>>, tensor<i1>, tensor<i1>, tensor<i1>, tensor<2xf32>) {
  // CHECK: %[[SOME:.*]] = rt.optional_new %{{.*}}
  %0 = IE.Optional(%s) : (!IE.Sequence<tensor<2xf32>>) -> !IE.Optional<!IE.Sequence<tensor<2xf32>>>
  // CHECK: %[[NONE:.*]] = rt.optional_none
  %1 = IE.Optional() {type = tensor<2xf32>} : () -> !IE.Optional<tensor<2xf32>>
  // CHECK: %[[GOT:.*]] = rt.optional_get %[[SOME]]
  %2 = IE.OptionalGetElement(%0) : (!IE.Optional<!IE.Sequence<tensor<2xf32>>>) -> !IE.Sequence<tensor<2xf32>>
  // CHECK: %[[COUNT:.*]] = rt.length %[[NONE]]
  // CHECK: arith.cmpi ne, %[[COUNT]], %{{.*}}
  %3 = IE.OptionalHasElement(%1) : (!IE.Optional<tensor<2xf32>>) -> tensor<i1>
  // CHECK: arith.constant dense<true> : tensor<i1>
  %4 = IE.OptionalHasElement(%x) : (tensor<2xf32>) -> tensor<i1>
  // CHECK: arith.constant dense<false> : tensor<i1>
  %5 = IE.OptionalHasElement() : () -> tensor<i1>
  %6 = IE.OptionalGetElement(%x) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: return %[[GOT]]
  return %2, %3, %4, %5, %6 : !IE.Sequence<tensor<2xf32>>, tensor<i1>, tensor<i1>, tensor<i1>, tensor<2xf32>
}

// -----

// A loop carries a handle as any scalar.
// CHECK-LABEL: func @loop_carries_a_sequence
func.func @loop_carries_a_sequence(%n: tensor<i64>, %s: !IE.Sequence<tensor<2xf32>>, %x: tensor<2x2xf32>) -> !IE.Sequence<tensor<*xf32>> {
  // CHECK: scf.for {{.*}} iter_args(%[[S:.*]] = %{{.*}}) -> (!rt.value)
  // CHECK: %[[NEXT:.*]] = rt.sequence_append %[[S]], %{{.*}}
  // CHECK: scf.yield %[[NEXT]] : !rt.value
  %r = IE.Loop(%n, %s) {operandSegmentSizes = array<i32: 1, 0, 1>} : (tensor<i64>, !IE.Sequence<tensor<2xf32>>) -> !IE.Sequence<tensor<*xf32>> {
  ^bb0(%i: tensor<i64>, %c: tensor<i1>, %v: !IE.Sequence<tensor<*xf32>>):
    %w = IE.SequenceInsert(%v, %x) : (!IE.Sequence<tensor<*xf32>>, tensor<2x2xf32>) -> !IE.Sequence<tensor<*xf32>>
    IE.Yield %c, %w : tensor<i1>, !IE.Sequence<tensor<*xf32>>
  }
  return %r : !IE.Sequence<tensor<*xf32>>
}
