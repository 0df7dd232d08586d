// Inputs and outputs of unknown size are values of the runtime, which the
// artifact brings along.

// RUN: nacre compile %s -o %t.so
// RUN: FileCheck %s < %t.h
// CHECK: It writes
// CHECK: nacre_value *nacre_tensor_wrap(
// CHECK-NOT: dynamic_INPUT_x_ELEMENTS
// CHECK: struct {{.*}}_inputs {
// CHECK-NEXT: const nacre_value *x; /* float32[batch,4] */
// CHECK: struct {{.*}}_outputs {
// CHECK-NEXT: nacre_value *y; /* float32[batch,4] */
// CHECK: NACRE_FAILED when the inputs do not fit the model

// RUN: not nacre run %s 2>&1 | FileCheck %s --check-prefix=RANDOM
// RANDOM: error: input 'x' has the dynamic shape tensor<?x4xf32>

func.func @main(%x: tensor<?x4xf32> {nacre.name = "x", nacre.dims = ["batch", ""]}) -> (tensor<?x4xf32> {nacre.name = "y"}) {
  %0 = IE.Relu %x : tensor<?x4xf32> -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
