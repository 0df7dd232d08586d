// RUN: nacre-opt %s -bind-results -split-input-file | FileCheck %s
// RUN: nacre-opt %s -bind-results -vpu-bufferize=eliminate-empty=true -canonicalize -split-input-file | FileCheck %s --check-prefix=BUFFERS

// A cache that grows by rows that are computed, too: neither the old rows nor
// the new ones are copied to the result once they are together.
// CHECK-LABEL: func @grown_cache_is_written_where_it_is_found
// CHECK: %[[VIEW:.*]] = memref.view
// CHECK: %[[PLACE:.*]] = bufferization.to_tensor %[[VIEW]] restrict writable
// CHECK: tensor.insert_slice %{{.*}} into %[[PLACE]]
// CHECK: bufferization.materialize_in_destination %{{.*}} in writable %[[VIEW]]
// BUFFERS-LABEL: func @grown_cache_is_written_where_it_is_found
// BUFFERS: %[[VIEW:.*]] = memref.view
// BUFFERS: %[[OLD:.*]] = memref.subview %[[VIEW]][0]
// BUFFERS: memref.copy %{{.*}}, %[[OLD]]
// BUFFERS: %[[NEW:.*]] = memref.subview %[[VIEW]][%{{.*}}]
// BUFFERS: memref.copy %{{.*}}, %[[NEW]]
// BUFFERS-NOT: memref.copy
// BUFFERS: return
func.func @grown_cache_is_written_where_it_is_found(%past: tensor<?xf32>, %row: tensor<4xf32>, %data: memref<1xi8>, %n: index) {
  %zero = arith.constant 0 : index
  %four = arith.constant 4 : index
  %e = tensor.empty() : tensor<4xf32>
  %rows = linalg.exp ins(%row : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %m = arith.addi %n, %four : index
  %view = memref.view %data[%zero][%m] : memref<1xi8> to memref<?xf32>
  %start = tensor.empty(%m) : tensor<?xf32>
  %old = tensor.insert_slice %past into %start[0] [%n] [1] : tensor<?xf32> into tensor<?xf32>
  %all = tensor.insert_slice %rows into %old[%n] [4] [1] : tensor<4xf32> into tensor<?xf32>
  bufferization.materialize_in_destination %all in restrict writable %view : (tensor<?xf32>, memref<?xf32>) -> ()
  return
}

// -----

// CHECK-LABEL: func @memory_that_comes_later_is_copied_to
// CHECK: tensor.empty
// CHECK: linalg.exp
// CHECK: memref.view
// CHECK-NOT: bufferization.to_tensor
// CHECK: bufferization.materialize_in_destination %{{.*}} in restrict writable
func.func @memory_that_comes_later_is_copied_to(%x: tensor<4xf32>, %data: memref<1xi8>) {
  %zero = arith.constant 0 : index
  %e = tensor.empty() : tensor<4xf32>
  %y = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %view = memref.view %data[%zero][] : memref<1xi8> to memref<4xf32>
  bufferization.materialize_in_destination %y in restrict writable %view : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// -----

// CHECK-LABEL: func @part_of_what_is_computed_is_copied
// CHECK-NOT: bufferization.to_tensor
// CHECK: bufferization.materialize_in_destination
func.func @part_of_what_is_computed_is_copied(%x: tensor<8xf32>, %data: memref<1xi8>) {
  %zero = arith.constant 0 : index
  %view = memref.view %data[%zero][] : memref<1xi8> to memref<4xf32>
  %e = tensor.empty() : tensor<8xf32>
  %y = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %part = tensor.extract_slice %y[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  bufferization.materialize_in_destination %part in restrict writable %view : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// -----

// Stored over what both start with, the first would be a part of the second.
// CHECK-LABEL: func @first_result_of_one_start_is_stored_as_a_copy
// CHECK: %[[SECOND:.*]] = tensor.insert_slice %{{.*}} into %[[START:.*]][4] [4] [1]
// CHECK: %[[FIRST:.*]] = tensor.insert_slice %{{.*}} into %[[START]][4] [4] [1]
// CHECK: %[[COPY:.*]] = linalg.copy ins(%[[FIRST]] : tensor<8xf32>)
// CHECK: bufferization.materialize_in_destination %[[COPY]]
// CHECK: bufferization.materialize_in_destination %[[SECOND]]
// BUFFERS-LABEL: func @first_result_of_one_start_is_stored_as_a_copy
func.func @first_result_of_one_start_is_stored_as_a_copy(%x: tensor<4xf32>, %a: tensor<4xf32>, %b: tensor<4xf32>, %data: memref<32xi8>, %other: memref<32xi8>) {
  %zero = arith.constant 0 : index
  %view = memref.view %data[%zero][] : memref<32xi8> to memref<8xf32>
  %more = memref.view %other[%zero][] : memref<32xi8> to memref<8xf32>
  %e = tensor.empty() : tensor<8xf32>
  %s = tensor.insert_slice %x into %e[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %z = tensor.insert_slice %b into %s[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %y = tensor.insert_slice %a into %s[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
  bufferization.materialize_in_destination %y in restrict writable %view : (tensor<8xf32>, memref<8xf32>) -> ()
  bufferization.materialize_in_destination %z in restrict writable %more : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}
