// RUN: rm -rf %t && split-file %s %t
// RUN: nacre-opt %t/placed.mlir --verify-locations --convert-ie-to-linalg -o /dev/null
// RUN: not nacre-opt %t/lost.mlir --verify-locations --convert-ie-to-linalg -o /dev/null 2>&1 | FileCheck %s
// RUN: not nacre compile %t/lost.mlir --verify-locations -o %t/lost.so 2>&1 | FileCheck %s --check-prefix=DRIVER
// RUN: not ls %t/lost.so
// RUN: nacre compile %t/lost.mlir -o %t/lost.so
// RUN: nacre compile %t/placed.mlir --verify-locations -o %t/placed.so
// RUN: nacre-opt %t/empty.mlir --verify-locations --convert-ie-to-linalg -o /dev/null
// RUN: nacre compile %t/named.mlir --verify-locations --backend=reference -o %t/named.so

// What a pass makes can be traced to a place in a text, or to a node. What comes
// without a place is not the fault of a pass.

// CHECK-NOT: IE.Relu
// CHECK: error: expected locations that lead to nodes of the model; convert-ie-to-linalg made {{[0-9]+}} linalg.generic without one
// DRIVER: error: {{.*}}expected locations that lead to nodes of the model; convert-ie-to-{{[a-z]+}} made {{[0-9]+}} {{[a-zA-Z.]+}} without one

//--- placed.mlir
func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = IE.Relu %arg0 : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

//--- named.mlir
func.func @main(%arg0: tensor<4xf32> loc("x")) -> tensor<4xf32> {
  %0 = IE.Relu %arg0 : tensor<4xf32> -> tensor<4xf32> loc(fused<"rewrite">["relu"("net.onnx":0:0), unknown])
  return %0 : tensor<4xf32>
}

// A constant without elements becomes an empty tensor, which needs no node either.
//--- empty.mlir
func.func @main(%arg0: tensor<4xf32>) -> (tensor<4xf32>, tensor<0xi64>) {
  %0 = IE.Constant dense<> : tensor<0xi64> loc("net.onnx":0:0)
  %1 = IE.Relu %arg0 : tensor<4xf32> -> tensor<4xf32>
  return %1, %0 : tensor<4xf32>, tensor<0xi64>
}

//--- lost.mlir
func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = IE.Relu %arg0 : tensor<4xf32> -> tensor<4xf32> loc("net.onnx":0:0)
  return %0 : tensor<4xf32>
}
