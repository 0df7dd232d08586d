// A pass that fails without a reason is an internal error. The reproducer has the
// module before that pass and the pass alone, which repeats the failure.

// RUN: rm -rf %t && mkdir -p %t/tmp
// RUN: env TMPDIR=%t/tmp %python %S/Inputs/status.py 70 nacre compile %s -o %t/out.o --no-winograd 2>&1 | FileCheck %s --check-prefix=MESSAGE
// MESSAGE: error: internal error in the compiler: canonicalize fails on @main
// MESSAGE: note: nacre-opt --run-reproducer {{.*}}/tmp/nacre-reproducer-{{.*}}.mlir repeats the failure; please report it with that file
// RUN: ls %t/tmp | count 1
// RUN: cp %t/tmp/nacre-reproducer-*.mlir %t/tmp/reproducer.mlir
// RUN: FileCheck %s --input-file=%t/tmp/reproducer.mlir
// CHECK: module attributes {nacre.options = {"no-winograd" = ""}}
// CHECK: IE.GettingStarted(
// CHECK-NOT: IE.GettingStarted(
// CHECK: pipeline: "builtin.module(func.func(canonicalize{
// CHECK-NOT: cse
// RUN: not nacre-opt --run-reproducer %t/tmp/reproducer.mlir

// No file is left of what has not been compiled.
// RUN: not ls %t/out.o

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "IE.GettingStarted"(%x) {myInt = 5 : i64, myIntArray = [1]} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "IE.GettingStarted"(%x) {myInt = 5 : i64, myIntArray = [1]} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "IE.Add"(%0, %1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

{-#
  external_resources: {
    mlir_reproducer: {
      pipeline: "builtin.module(cse,func.func(canonicalize{max-iterations=1 max-num-rewrites=1 test-convergence=true}),symbol-dce)"
    }
  }
#-}
