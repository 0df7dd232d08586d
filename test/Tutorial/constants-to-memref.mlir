// RUN: nacre-opt %s --ie-constants-to-memref | FileCheck %s
// RUN: nacre-opt %s --ie-constants-to-memref --one-shot-bufferize --lower-affine --convert-vector-to-llvm --expand-strided-metadata --finalize-memref-to-llvm --convert-arith-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts \
// RUN:   | mlir-runner -e main --entry-point-result=void --shared-libs=%mlir_lib_dir/libmlir_c_runner_utils.so \
// RUN:   | FileCheck %s --check-prefix=EXEC

// A constant as a buffer: allocated at the front of the block, filled element by
// element, released at its back. And it runs.

// CHECK-LABEL: func @small_constant_becomes_stores
func.func @small_constant_becomes_stores() {
  // CHECK-NEXT: %[[BUFFER:.*]] = memref.alloc() : memref<2x3xf64>
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
  // CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
  // CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
  // CHECK: %[[F1:.*]] = arith.constant 1.000000e+00 : f64
  // CHECK: affine.store %[[F1]], %[[BUFFER]][%[[C0]], %[[C0]]] : memref<2x3xf64>
  // CHECK: affine.store %{{.*}}, %[[BUFFER]][%[[C0]], %[[C1]]] : memref<2x3xf64>
  // CHECK: affine.store %{{.*}}, %[[BUFFER]][%[[C0]], %[[C2]]] : memref<2x3xf64>
  // CHECK: affine.store %{{.*}}, %[[BUFFER]][%[[C1]], %[[C0]]] : memref<2x3xf64>
  // CHECK: affine.store %{{.*}}, %[[BUFFER]][%[[C1]], %[[C1]]] : memref<2x3xf64>
  // CHECK: %[[F6:.*]] = arith.constant 6.000000e+00 : f64
  // CHECK-NEXT: affine.store %[[F6]], %[[BUFFER]][%[[C1]], %[[C2]]] : memref<2x3xf64>
  // CHECK-NEXT: memref.dealloc %[[BUFFER]] : memref<2x3xf64>
  // CHECK-NEXT: return
  %0 = IE.Constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf64>
  return
}

// CHECK-LABEL: func @main
func.func @main() {
  // CHECK: memref.alloc() : memref<2xf32>
  // CHECK: %[[TENSOR:.*]] = bufferization.to_tensor %{{.*}} restrict : memref<2xf32> to tensor<2xf32>
  // CHECK: tensor.extract %[[TENSOR]]
  %0 = IE.Constant dense<[2.5, -1.0]> : tensor<2xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = tensor.extract %0[%c0] : tensor<2xf32>
  %second = tensor.extract %0[%c1] : tensor<2xf32>
  // EXEC: 2.5
  vector.print %first : f32
  // EXEC-NEXT: -1
  vector.print %second : f32
  return
}
