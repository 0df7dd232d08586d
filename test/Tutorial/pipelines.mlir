// RUN: nacre-opt %s --pass-pipeline="builtin.module(func.func(handle-getting-started{variant=conversion},canonicalize),ie-optimize,convert-ie-to-linalg)" | FileCheck %s
// RUN: nacre-opt %s --pass-pipeline="builtin.module(func.func(handle-getting-started{variant=conversion}),ie-optimize)" --dump-pass-pipeline 2>&1 | FileCheck %s --check-prefix=TEXT

// A pipeline may hold passes, passes nested on functions, and pipelines: here
// ie-optimize, which expands to its passes.

// TEXT: builtin.module(
// TEXT: handle-getting-started{variant=conversion}
// TEXT: ie-infer-shapes
// TEXT: ie-constant-fold

// Ops of several dialects, with regions, live in one module.
// CHECK-LABEL: func @dialects_mix_and_nest
func.func @dialects_mix_and_nest(%arg0: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: scf.for
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %arg0) -> tensor<4xf32> {
    // CHECK-NOT: IE.
    %1 = IE.GettingStarted(%x) {myInt = 3 : i64, myIntArray = []} : tensor<4xf32> -> tensor<4xf32>
    // CHECK: linalg.generic
    %2 = IE.Relu %1 : tensor<4xf32> -> tensor<4xf32>
    scf.yield %2 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
