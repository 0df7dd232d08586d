// RUN: nacre-opt %s -convert-all-to-llvm -split-input-file -mlir-print-debuginfo | FileCheck %s

// The message names the node; equal messages are one string.
// CHECK: llvm.mlir.global internal constant @[[TEXT:.*]]("'conv1': sizes differ\00")
// CHECK-NOT: llvm.mlir.global
// CHECK-LABEL: llvm.func @assertion_fails_the_run
// CHECK-SAME: (%[[A:[a-z0-9]*]]: i1
// CHECK: %[[WRONG:.*]] = llvm.xor %[[A]], %{{.*}}
// CHECK: llvm.cond_br %[[WRONG]], ^[[FAILS:bb[0-9]+]], ^{{.*}}
// CHECK: ^[[FAILS]]:
// CHECK: %[[MESSAGE:.*]] = llvm.mlir.addressof @[[TEXT]]
// CHECK: llvm.call @nacre_fail(%[[MESSAGE]])
// CHECK: llvm.cond_br
// CHECK: llvm.mlir.addressof @[[TEXT]]
// CHECK: llvm.call @nacre_fail
// CHECK-NOT: abort
// CHECK: llvm.func @nacre_fail(!llvm.ptr)
func.func @assertion_fails_the_run(%a: i1, %b: i1) {
  cf.assert %a, "sizes differ" loc("conv1")
  cf.assert %b, "sizes differ" loc("conv1")
  return
}

// -----

// The body of a loop is one block, with the assertion's branch inside.
// CHECK-LABEL: llvm.func @assertion_in_a_loop_fails_the_run
// CHECK: llvm.icmp "slt"
// CHECK: %[[WRONG:.*]] = llvm.xor
// CHECK: llvm.cond_br %[[WRONG]]
// CHECK: llvm.call @nacre_fail
func.func @assertion_in_a_loop_fails_the_run(%a: i1, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    cf.assert %a, "sizes differ"
  }
  return
}

// -----

// CHECK-LABEL: llvm.func @nothing_asserted_needs_no_runtime
// CHECK-NOT: nacre_fail
func.func @nothing_asserted_needs_no_runtime() {
  return
}
