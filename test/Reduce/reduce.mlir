// Of a network, the operator is left over that makes it of interest; what it reads
// is zeros, and what reads it nothing.

// RUN: nacre-reduce %s --test=%S/Inputs/has_softmax.sh -o %t.mlir 2>&1 | FileCheck %s --check-prefix=PROGRESS
// PROGRESS: nacre-reduce: {{[0-9]+}} ops
// RUN: FileCheck %s --input-file=%t.mlir
// CHECK: func.func @main()
// CHECK-NEXT: IE.Constant dense<0.000000e+00> : tensor<1x4x8x8xf32>
// CHECK-NEXT: IE.Softmax
// CHECK-NEXT: return

// The script may have arguments.
// RUN: nacre-reduce %s --test=%S/Inputs/has_op.sh --test-arg=IE.Conv 2>/dev/null | FileCheck %s --check-prefix=CONV
// CONV: IE.Conv
// CONV-NOT: IE.Softmax

// What is of no interest cannot be made smaller, and what is no module neither.
// RUN: %python %S/../Driver/Inputs/status.py 3 nacre-reduce %S/Inputs/other.mlir --test=%S/Inputs/has_softmax.sh -o %t.other 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: error: {{.*}}has_softmax.sh finds nothing of interest in {{.*}}other.mlir
// RUN: not ls %t.other
// RUN: %python %S/../Driver/Inputs/status.py 3 nacre-reduce %S/Inputs/none.mlir --test=%S/Inputs/has_softmax.sh

func.func @main(%x: tensor<1x3x8x8xf32>) -> (tensor<1x4x8x8xf32>, tensor<1x4x8x8xf32>) {
  %w = IE.Constant dense<0.5> : tensor<4x3x1x1xf32>
  %0 = IE.Conv(%x, %w) : (tensor<1x3x8x8xf32>, tensor<4x3x1x1xf32>) -> tensor<1x4x8x8xf32>
  %1 = IE.Relu %0 : tensor<1x4x8x8xf32> -> tensor<1x4x8x8xf32>
  %2 = IE.Softmax(%1) : (tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  %3 = IE.Mul %2, %1 : tensor<1x4x8x8xf32>, tensor<1x4x8x8xf32> -> tensor<1x4x8x8xf32>
  return %3, %0 : tensor<1x4x8x8xf32>, tensor<1x4x8x8xf32>
}
