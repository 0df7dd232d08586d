// RUN: nacre-opt %s -canonicalize -release-constants | FileCheck %s

// What the module names stays, wherever it is named. That the rest is freed shows
// in the memory of whole compilations, which check_code.py measures.
// CHECK-LABEL: module attributes {test.kept = [dense_resource<nested> : tensor<2xf32>]}
// CHECK: arith.constant dense_resource<used> : tensor<2xf32>
// CHECK-DAG: nested: "0x040000000000803F0000803F"
// CHECK-DAG: used: "0x040000000000004000000040"
// CHECK-NOT: folded
module attributes {test.kept = [dense_resource<nested> : tensor<2xf32>]} {
  func.func @main() -> tensor<2xf32> {
    %folded = arith.constant dense_resource<folded> : tensor<2xf32>
    %0 = arith.constant dense_resource<used> : tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      nested: "0x040000000000803F0000803F",
      used: "0x040000000000004000000040",
      folded: "0x040000000000404000004040"
    }
  }
#-}
