// RUN: nacre-opt %s --canonicalize | FileCheck %s

// A folder removes an op that does nothing; others stay.

// CHECK-LABEL: func @repeat_once_folds
func.func @repeat_once_folds(%arg0: tensor<10xf16>) -> tensor<10xf16> {
  // CHECK-NEXT: return %arg0
  %0 = IE.GettingStartedRepeat %arg0 times 1 : tensor<10xf16>
  return %0 : tensor<10xf16>
}

// CHECK-LABEL: func @repeat_twice_stays
func.func @repeat_twice_stays(%arg0: tensor<10xf16>) -> tensor<10xf16> {
  // CHECK-NEXT: %[[REPEATED:.*]] = IE.GettingStartedRepeat %arg0 times 2
  // CHECK-NEXT: return %[[REPEATED]]
  %0 = IE.GettingStartedRepeat %arg0 times 2 : tensor<10xf16>
  return %0 : tensor<10xf16>
}
