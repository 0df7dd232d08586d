// Bodies become subgraphs, whose results are values of their own.

// RUN: nacre-translate --export-onnx %s -o %t.onnx
// RUN: %python %S/Inputs/print.py %t.onnx | FileCheck %s
// RUN: nacre-translate --import-onnx %t.onnx | FileCheck %s --check-prefix=AGAIN

// AGAIN: IE.If
// AGAIN: IE.Loop
// AGAIN: IE.Loop
// AGAIN: IE.Scan
func.func @main(%c: tensor<i1> {nacre.name = "c"},
                %a: tensor<2xf32> {nacre.name = "a"},
                %b: tensor<4xf32> {nacre.name = "b"},
                %x: tensor<2x5xf32> {nacre.name = "x"})
    -> (tensor<?xf32> {nacre.name = "chosen"}, tensor<2xf32> {nacre.name = "l"},
        tensor<3xi64> {nacre.name = "counts"}, tensor<2x5xf32> {nacre.name = "sums"}) {
  // A value from outside has another name inside; so has one given twice.
  // CHECK: node If#0: If(c) -> chosen, {{.*}}
  // CHECK-NEXT: then_branch: If#0.then_branch
  // CHECK-NEXT: output [[A:.*]]: float[2]
  // CHECK-NEXT: output [[B:.*]]: float[2]
  // CHECK-NEXT: node [[A]]: Identity(a) -> [[A]]
  // CHECK-NEXT: node [[B]]: Identity(a) -> [[B]]
  // CHECK-NEXT: else_branch: If#0.else_branch
  // CHECK-NEXT: output [[R:.*]]: float[4]
  // CHECK-NEXT: output [[R2:.*]]: float[4]
  // CHECK-NEXT: node Relu#0: Relu(b) -> [[R]]
  // CHECK-NEXT: node [[R2]]: Identity([[R]]) -> [[R2]]
  %0:2 = IE.If %c : (tensor<i1>) -> (tensor<?xf32>, tensor<?xf32>) {
    IE.Yield %a, %a : tensor<2xf32>, tensor<2xf32>
  } else {
    %r = IE.Relu %b : tensor<4xf32> -> tensor<4xf32>
    IE.Yield %r, %r : tensor<4xf32>, tensor<4xf32>
  }
  %use = IE.Abs %0#1 : tensor<?xf32> -> tensor<?xf32>
      loc("use"(fused<{nacre.values = ["used"]}>["net.onnx":0:0]))
  // Trips and condition left out.
  // CHECK: node Loop#0: Loop(-, -, a) -> l
  // CHECK-NEXT: body: Loop#0.body
  // CHECK-NEXT: input [[I:.*]]: int64[]
  // CHECK-NEXT: input [[C:.*]]: bool[]
  // CHECK-NEXT: input [[V:.*]]: float[2]
  // CHECK-NEXT: output [[C2:.*]]: bool[]
  // CHECK-NEXT: output [[NEXT:.*]]: float[2]
  // CHECK-DAG: node {{.*}}: Abs([[V]]) -> [[NEXT]]
  // CHECK-DAG: node {{.*}}: Identity([[C]]) -> [[C2]]
  %1 = IE.Loop(%a) {operandSegmentSizes = array<i32: 0, 0, 1>}
      : (tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%i: tensor<i64>, %go: tensor<i1>, %v: tensor<2xf32>):
    %next = IE.Abs %v : tensor<2xf32> -> tensor<2xf32>
    IE.Yield %go, %next : tensor<i1>, tensor<2xf32>
  }
  // CHECK: node {{.*}}: Loop({{[^,]*}}, -) -> counts
  // CHECK: output [[COUNT:.*]]: int64[]
  %trips = IE.Constant dense<3> : tensor<i64>
  %2 = IE.Loop(%trips) {operandSegmentSizes = array<i32: 1, 0, 0>}
      : (tensor<i64>) -> tensor<3xi64> {
  ^bb0(%i: tensor<i64>, %go: tensor<i1>):
    IE.Yield %go, %i : tensor<i1>, tensor<i64>
  }
  // CHECK: node [[SCAN:.*]]: Scan(a, x) -> {{.*}}, sums {num_scan_inputs = 1, scan_input_axes = [1], scan_output_axes = [-1]}
  // CHECK-NEXT: body: [[SCAN]].body
  // CHECK-NEXT: input [[S:.*]]: float[2]
  // CHECK-NEXT: input [[P:.*]]: float[2]
  // CHECK: node {{.*}}: Add([[S]], [[P]]) ->
  %3:2 = IE.Scan(%a, %x) {num_scan_inputs = 1 : i64,
                          scan_input_axes = array<i64: 1>,
                          scan_output_axes = array<i64: -1>}
      : (tensor<2xf32>, tensor<2x5xf32>) -> (tensor<2xf32>, tensor<2x5xf32>) {
  ^bb0(%state: tensor<2xf32>, %part: tensor<2xf32>):
    %sum = IE.Add %state, %part : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
    IE.Yield %sum, %sum : tensor<2xf32>, tensor<2xf32>
  }
  return %0#0, %1, %2, %3#1
      : tensor<?xf32>, tensor<2xf32>, tensor<3xi64>, tensor<2x5xf32>
}
