// RUN: nacre-opt %s -bind-results -split-input-file | FileCheck %s
// RUN: nacre-opt %s -bind-results -vpu-bufferize -canonicalize "-buffer-results-to-out-params=hoist-static-allocs=true modify-public-functions=true" -canonicalize -split-input-file | FileCheck %s --check-prefix=BUFFERS

// The engine multiplies matrices with a batch.
// CHECK-LABEL: func @product_without_its_batch_starts_from_the_result
// CHECK: %[[START:.*]] = tensor.empty() : tensor<4x8xf32>
// CHECK: %[[SEEN:.*]] = tensor.expand_shape %[[START]] {{\[\[}}0, 1], [2]] output_shape [1, 4, 8]
// CHECK: linalg.exp {{.*}} outs(%[[SEEN]]
// BUFFERS-LABEL: func @product_without_its_batch_starts_from_the_result
// BUFFERS-SAME: %{{.*}}: memref<1x4x8xf32>, %[[OUT:.*]]: memref<4x8xf32>)
// BUFFERS: %[[VIEW:.*]] = memref.expand_shape %[[OUT]]
// BUFFERS: linalg.exp {{.*}} outs(%[[VIEW]]
// BUFFERS-NOT: memref.copy
// BUFFERS: return
func.func @product_without_its_batch_starts_from_the_result(%x: tensor<1x4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<1x4x8xf32>
  %p = linalg.exp ins(%x : tensor<1x4x8xf32>) outs(%e : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %y = tensor.collapse_shape %p [[0, 1], [2]] : tensor<1x4x8xf32> into tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// CHECK-LABEL: func @several_reshapes_are_undone_in_reverse
// CHECK: %[[START:.*]] = tensor.empty() : tensor<2x2x8xf32>
// CHECK: %[[ROWS:.*]] = tensor.collapse_shape %[[START]] {{\[\[}}0, 1], [2]] : tensor<2x2x8xf32> into tensor<4x8xf32>
// CHECK: tensor.expand_shape %[[ROWS]] {{\[\[}}0, 1], [2]] output_shape [1, 4, 8]
// BUFFERS-LABEL: func @several_reshapes_are_undone_in_reverse
// BUFFERS: linalg.exp
// BUFFERS-NOT: memref.copy
// BUFFERS: return
func.func @several_reshapes_are_undone_in_reverse(%x: tensor<1x4x8xf32>) -> tensor<2x2x8xf32> {
  %e = tensor.empty() : tensor<1x4x8xf32>
  %p = linalg.exp ins(%x : tensor<1x4x8xf32>) outs(%e : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %rows = tensor.collapse_shape %p [[0, 1], [2]] : tensor<1x4x8xf32> into tensor<4x8xf32>
  %y = tensor.expand_shape %rows [[0, 1], [2]] output_shape [2, 2, 8] : tensor<4x8xf32> into tensor<2x2x8xf32>
  return %y : tensor<2x2x8xf32>
}

// -----

// What is filled before it is added to, too.
// CHECK-LABEL: func @sum_starts_from_the_result
// CHECK: tensor.empty() : tensor<4xf32>
// CHECK: tensor.expand_shape
// CHECK: linalg.fill
// BUFFERS-LABEL: func @sum_starts_from_the_result
// BUFFERS: linalg.reduce
// BUFFERS-NOT: memref.copy
// BUFFERS: return
func.func @sum_starts_from_the_result(%x: tensor<1x4x8xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4xf32>) -> tensor<1x4xf32>
  %s = linalg.reduce {arith.addf} ins(%x : tensor<1x4x8xf32>) outs(%f : tensor<1x4xf32>) dimensions = [2]
  %y = tensor.collapse_shape %s [[0, 1]] : tensor<1x4xf32> into tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// A state becomes what it was computed as, without a copy.
// CHECK-LABEL: func @state_starts_from_its_shape
// CHECK: tensor.empty() : tensor<4x8xf32>
// BUFFERS-LABEL: func @state_starts_from_its_shape
// BUFFERS-SAME: %[[STATE:[a-z0-9]*]]: memref<4x8xf32>
// BUFFERS: %[[VIEW:.*]] = memref.expand_shape %[[STATE]]
// BUFFERS: linalg.exp {{.*}} outs(%[[VIEW]]
func.func @state_starts_from_its_shape(%state: tensor<4x8xf32> {nacre.state = 0 : i64}, %x: tensor<1x4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<1x4x8xf32>
  %p = linalg.exp ins(%x : tensor<1x4x8xf32>) outs(%e : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %y = tensor.collapse_shape %p [[0, 1], [2]] : tensor<1x4x8xf32> into tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// Memory of the runtime, of dynamic size, which is there: it is seen in the
// shape that is computed.
// CHECK-LABEL: func @value_of_unknown_size_starts_from_its_shape
// CHECK-SAME: %[[N:[a-z0-9]*]]: index
// CHECK: %[[SEEN:.*]] = memref.expand_shape %{{.*}} {{\[\[}}0, 1], [2]] output_shape [1, %[[N]], 3]
// CHECK: %[[START:.*]] = bufferization.to_tensor %[[SEEN]] restrict writable : memref<1x?x3xf32> to tensor<1x?x3xf32>
// CHECK: %[[P:.*]] = linalg.exp {{.*}} outs(%[[START]]
// CHECK: bufferization.materialize_in_destination %[[P]] in writable %[[SEEN]]
// BUFFERS-LABEL: func @value_of_unknown_size_starts_from_its_shape
// BUFFERS: linalg.exp
// BUFFERS-NOT: memref.copy
// BUFFERS: return
func.func @value_of_unknown_size_starts_from_its_shape(%x: tensor<1x?x3xf32>, %data: memref<1xi8>, %n: index) {
  %zero = arith.constant 0 : index
  %view = memref.view %data[%zero][%n] : memref<1xi8> to memref<?x3xf32>
  %e = tensor.empty(%n) : tensor<1x?x3xf32>
  %p = linalg.exp ins(%x : tensor<1x?x3xf32>) outs(%e : tensor<1x?x3xf32>) -> tensor<1x?x3xf32>
  %y = tensor.collapse_shape %p [[0, 1], [2]] : tensor<1x?x3xf32> into tensor<?x3xf32>
  bufferization.materialize_in_destination %y in restrict writable %view : (tensor<?x3xf32>, memref<?x3xf32>) -> ()
  return
}

// -----

// As tensors, such as have been reshaped there and back are no others.
// CHECK-LABEL: func @rows_of_two_unknown_sizes_are_seen_as_one
// CHECK: %[[ROWS:.*]] = memref.collapse_shape %{{.*}} {{\[\[}}0, 1], [2]] : memref<?x?x3xf32> into memref<?x3xf32>
// CHECK: %[[SEEN:.*]] = memref.expand_shape %[[ROWS]]
// CHECK: bufferization.to_tensor %[[SEEN]]
// BUFFERS-LABEL: func @rows_of_two_unknown_sizes_are_seen_as_one
// BUFFERS: linalg.exp
// BUFFERS-NOT: memref.copy
// BUFFERS: return
func.func @rows_of_two_unknown_sizes_are_seen_as_one(%x: tensor<1x?x3xf32>, %view: memref<?x?x3xf32>, %n: index, %m: index) {
  %all = arith.muli %n, %m : index
  %e = tensor.empty(%all) : tensor<1x?x3xf32>
  %p = linalg.exp ins(%x : tensor<1x?x3xf32>) outs(%e : tensor<1x?x3xf32>) -> tensor<1x?x3xf32>
  %rows = tensor.collapse_shape %p [[0, 1], [2]] : tensor<1x?x3xf32> into tensor<?x3xf32>
  %y = tensor.expand_shape %rows [[0, 1], [2]] output_shape [%n, %m, 3] : tensor<?x3xf32> into tensor<?x?x3xf32>
  bufferization.materialize_in_destination %y in restrict writable %view : (tensor<?x?x3xf32>, memref<?x?x3xf32>) -> ()
  return
}

// -----

// Two of unknown size that become one: their product is known beforehand, also
// where the memory is not there yet.
// CHECK-LABEL: func @sizes_that_are_joined_are_multiplied
// CHECK-SAME: %[[N:[a-z0-9]*]]: index, %[[M:[a-z0-9]*]]: index
// CHECK: %[[ALL:.*]] = arith.muli %[[N]], %[[M]]
// CHECK: tensor.empty(%[[ALL]]) : tensor<?xf32>
// CHECK: tensor.expand_shape %{{.*}} {{\[\[}}0, 1]] output_shape [%[[N]], %[[M]]]
func.func @sizes_that_are_joined_are_multiplied(%x: tensor<?x?xf32>, %data: memref<1xi8>, %n: index, %m: index, %all: index) {
  %e = tensor.empty(%n, %m) : tensor<?x?xf32>
  %p = linalg.exp ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %y = tensor.collapse_shape %p [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  %zero = arith.constant 0 : index
  %view = memref.view %data[%zero][%all] : memref<1xi8> to memref<?xf32>
  bufferization.materialize_in_destination %y in restrict writable %view : (tensor<?xf32>, memref<?xf32>) -> ()
  return
}

// -----

// CHECK-LABEL: func @size_that_comes_later_leaves_the_start
// CHECK: tensor.empty(%{{.*}}) : tensor<?xf32>
// CHECK-NOT: tensor.collapse_shape
// CHECK: return
func.func @size_that_comes_later_leaves_the_start(%x: tensor<?xf32>, %view: memref<?x?xf32>, %all: index) {
  %e = tensor.empty(%all) : tensor<?xf32>
  %p = linalg.exp ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %zero = arith.constant 0 : index
  %n = memref.dim %view, %zero : memref<?x?xf32>
  %m = arith.divui %all, %n : index
  %y = tensor.expand_shape %p [[0, 1]] output_shape [%n, %m] : tensor<?xf32> into tensor<?x?xf32>
  bufferization.materialize_in_destination %y in restrict writable %view : (tensor<?x?xf32>, memref<?x?xf32>) -> ()
  return
}

// -----

// CHECK-LABEL: func @argument_in_another_shape_stays
// CHECK-NEXT: tensor.collapse_shape
// CHECK-NEXT: return
func.func @argument_in_another_shape_stays(%x: tensor<1x8xf32>) -> tensor<8xf32> {
  %y = tensor.collapse_shape %x [[0, 1]] : tensor<1x8xf32> into tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

// CHECK-LABEL: func @result_of_the_computed_shape_stays
// CHECK-NEXT: tensor.empty() : tensor<8xf32>
// CHECK-NEXT: linalg.exp
// CHECK-NEXT: return
func.func @result_of_the_computed_shape_stays(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %y = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

// Part of what is computed has no memory of its own.
// CHECK-LABEL: func @part_in_another_shape_stays
// CHECK: tensor.empty() : tensor<2x8xf32>
// CHECK-NOT: tensor.expand_shape
// CHECK: return
func.func @part_in_another_shape_stays(%x: tensor<2x8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<2x8xf32>
  %p = linalg.exp ins(%x : tensor<2x8xf32>) outs(%e : tensor<2x8xf32>) -> tensor<2x8xf32>
  %row = tensor.extract_slice %p[0, 0] [1, 8] [1, 1] : tensor<2x8xf32> to tensor<1x8xf32>
  %y = tensor.collapse_shape %row [[0, 1]] : tensor<1x8xf32> into tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

// A part may have the type of the whole, which is computed in more memory.
// CHECK-LABEL: func @part_of_a_tensor_is_reshaped_behind_it
// CHECK-SAME: tensor<?x4xf32>, %[[N:.*]]: index, %{{.*}}: index
// CHECK: %[[E:.*]] = tensor.empty(%[[N]]) : tensor<?x4xf32>
// CHECK: linalg.abs {{.*}}outs(%[[E]] : tensor<?x4xf32>)
func.func @part_of_a_tensor_is_reshaped_behind_it(%x: tensor<?x4xf32>, %n: index, %m: index) -> tensor<?xf32> {
  %e = tensor.empty(%n) : tensor<?x4xf32>
  %0 = linalg.abs ins(%x : tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  %1 = tensor.extract_slice %0[0, 0] [%m, 4] [1, 1] : tensor<?x4xf32> to tensor<?x4xf32>
  %2 = tensor.collapse_shape %1 [[0, 1]] : tensor<?x4xf32> into tensor<?xf32>
  return %2 : tensor<?xf32>
}

// -----

// Rows that are not one behind the other are no matrix.
// CHECK-LABEL: func @result_in_memory_with_gaps_stays
// CHECK: linalg.exp
// CHECK: tensor.collapse_shape
// CHECK: materialize_in_destination %{{.*}} : (tensor<2x3x3xf32>, memref<2x3x3xf32, strided<[100, 4, 1]>>)
// BUFFERS-LABEL: func @result_in_memory_with_gaps_stays
func.func @result_in_memory_with_gaps_stays(%x: tensor<1x6x3xf32>, %view: memref<2x3x3xf32, strided<[100, 4, 1]>>) {
  %e = tensor.empty() : tensor<1x6x3xf32>
  %p = linalg.exp ins(%x : tensor<1x6x3xf32>) outs(%e : tensor<1x6x3xf32>) -> tensor<1x6x3xf32>
  %rows = tensor.collapse_shape %p [[0, 1], [2]] : tensor<1x6x3xf32> into tensor<6x3xf32>
  %y = tensor.expand_shape %rows [[0, 1], [2]] output_shape [2, 3, 3] : tensor<6x3xf32> into tensor<2x3x3xf32>
  bufferization.materialize_in_destination %y in restrict writable %view : (tensor<2x3x3xf32>, memref<2x3x3xf32, strided<[100, 4, 1]>>) -> ()
  return
}
