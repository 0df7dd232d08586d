// RUN: nacre-opt %s -lower-assertions -split-input-file -mlir-print-debuginfo | FileCheck %s

// The message names the node; equal messages are one string.
// CHECK: llvm.mlir.global internal constant @[[TEXT:.*]]("'conv1': sizes differ\00")
// CHECK-NOT: llvm.mlir.global
// CHECK-LABEL: func @assertion_fails_the_run
// CHECK-SAME: (%[[A:[a-z0-9]*]]: i1
// CHECK: %[[WRONG:.*]] = arith.xori %[[A]], %{{.*}}
// CHECK: scf.if %[[WRONG]] {
// CHECK: %[[MESSAGE:.*]] = llvm.mlir.addressof @[[TEXT]]
// CHECK: func.call @nacre_fail(%[[MESSAGE]])
// CHECK: scf.if
// CHECK: func.func private @nacre_fail(!llvm.ptr)
func.func @assertion_fails_the_run(%a: i1, %b: i1) {
  cf.assert %a, "sizes differ" loc("conv1")
  cf.assert %b, "sizes differ" loc("conv1")
  return
}

// -----

// CHECK-LABEL: func @nothing_asserted_needs_no_runtime
// CHECK-NOT: nacre_fail
func.func @nothing_asserted_needs_no_runtime() {
  return
}
