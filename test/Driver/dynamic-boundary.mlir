// Code needs sizes: a dynamic input is reported with the option that fixes it.

// RUN: %python %S/Inputs/status.py 2 nacre compile %s -o %t.so 2>&1 | FileCheck %s
// CHECK: error: {{.*}}expected static shapes at the model's boundary, found 'tensor<?x4xf32>'; fix inputs with --shape NAME=DIMS

func.func @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = "IE.Relu"(%x) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
