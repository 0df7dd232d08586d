// RUN: nacre-opt %s --handle-getting-started="variant=conversion" --log-actions-to=- | FileCheck %s --check-prefix=ACTIONS
// RUN: nacre-opt %s --handle-getting-started="variant=conversion" --handle-getting-started="variant=conversion" --mlir-print-ir-after-all --mlir-print-ir-after-change 2>&1 >/dev/null | FileCheck %s --check-prefix=CHANGE --match-full-lines

// How to see what a pass does without a debug build: log the actions that it
// executes, or print the IR after the passes that changed it.

// ACTIONS: begins (no breakpoint) Action `pass-execution` running `HandleGettingStarted` on Operation `func.func`
// ACTIONS: begins (no breakpoint) Action apply-conversion
// ACTIONS: Action `apply-pattern pattern: {{.*}}RemoveGettingStarted
// ACTIONS: completed `apply-conversion`

// CHANGE-COUNT-1: // -----// IR Dump After HandleGettingStarted{{.*}}
// CHANGE-NOT: // -----// IR Dump After HandleGettingStarted{{.*}}
func.func @first_run_changes_second_does_not(%arg0: tensor<10xf16>) -> tensor<10xf16> {
  %0 = IE.GettingStarted(%arg0) {myInt = 1 : i64, myIntArray = []} : tensor<10xf16> -> tensor<10xf16>
  return %0 : tensor<10xf16>
}
