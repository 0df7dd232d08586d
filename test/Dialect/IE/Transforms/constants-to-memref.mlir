// RUN: nacre-opt %s --ie-constants-to-memref="max-elements=2" | FileCheck %s

// Which constants the pass leaves alone. What it makes of the others is in
// test/Tutorial/constants-to-memref.mlir.

// CHECK-LABEL: func @constant_that_is_returned_stays
func.func @constant_that_is_returned_stays() -> tensor<1xi64> {
  // CHECK-NEXT: %[[VALUE:.*]] = IE.Constant dense<7>
  // CHECK-NEXT: return %[[VALUE]]
  %0 = IE.Constant dense<7> : tensor<1xi64>
  return %0 : tensor<1xi64>
}

// CHECK-LABEL: func @constant_above_the_limit_stays
func.func @constant_above_the_limit_stays() {
  // CHECK-NEXT: IE.Constant dense<0>
  %0 = IE.Constant dense<0> : tensor<3xi64>
  return
}

// CHECK-LABEL: func @unsigned_constant_stays
func.func @unsigned_constant_stays() {
  // CHECK-NEXT: IE.Constant dense<0>
  %0 = IE.Constant dense<0> : tensor<2xui8>
  return
}

// CHECK-LABEL: func @scalar_is_stored_without_indices
func.func @scalar_is_stored_without_indices() {
  // CHECK-NEXT: %[[BUFFER:.*]] = memref.alloc() : memref<f32>
  // CHECK: affine.store %{{.*}}, %[[BUFFER]][] : memref<f32>
  // CHECK: memref.dealloc %[[BUFFER]]
  %0 = IE.Constant dense<1.0> : tensor<f32>
  return
}

// CHECK-LABEL: func @empty_constant_is_never_stored
func.func @empty_constant_is_never_stored() {
  // CHECK-NOT: affine.store
  %0 = IE.Constant dense<> : tensor<0x2xf32>
  return
}
