// --dump-graph writes the graph as it is imported, --dump-graph-optimized as it
// is optimised, with the names that operations and values have in the model,
// attributes, whole types, and constants beside what uses them.

// RUN: rm -rf %t && mkdir %t
// RUN: nacre compile %s --emit=ie -o %t/out.mlir --dump-graph=%t/graph.dot --dump-graph-optimized=%t/optimized.dot
// RUN: FileCheck %s --input-file=%t/graph.dot
// RUN: FileCheck %s --input-file=%t/optimized.dot --check-prefix=OPTIMIZED
// RUN: nacre compile %s --emit=obj -o %t/out.o --dump-graph=%t/obj.dot --dump-graph-optimized=%t/obj-optimized.dot
// RUN: diff %t/graph.dot %t/obj.dot
// RUN: diff %t/optimized.dot %t/obj-optimized.dot
// RUN: nacre compile %s --emit=ie -o /dev/null --dump-graph=- | FileCheck %s
// RUN: nacre compile %s --emit=ie -o /dev/null --dump-graph=%t/none.dot --graph-constants=none
// RUN: FileCheck %s --input-file=%t/none.dot --check-prefix=NONE

// Any level has a graph.
// RUN: nacre compile %s --emit=loops -o %t/loops.mlir
// RUN: nacre compile %t/loops.mlir --emit=obj -o %t/loops.o --dump-graph=- | FileCheck %s --check-prefix=LOOPS
// LOOPS: digraph model {
// LOOPS: [label="func.call\ncallee @

// CHECK: digraph model {
// CHECK-NEXT: node [shape=box];
// CHECK: subgraph cluster_0 {
// CHECK-NEXT: label="func.func\n{{.*}}main
// CHECK-NEXT: [[X:n[0-9]+]] [label="an image", shape=ellipse];
// CHECK-NEXT: [[C:n[0-9]+]] [label="input 1", shape=ellipse];
// CHECK-NEXT: [[SIGN:n[0-9]+]] [label="IE.Neg\nsign \"1\" \\ größe"];
// CHECK-NEXT: [[COPY:n[0-9]+]] [label="IE.Identity\ncopy"];
// CHECK-NEXT: [[ADD:n[0-9]+]] [label="IE.Add\nadd"];
// CHECK-NEXT: [[CONSTANT:n[0-9]+]] [label="constant", style=filled, fillcolor=lightgrey];
// CHECK-NEXT: [[MULTIPLY:n[0-9]+]] [label="IE.Mul\nmultiply"];
// CHECK-NEXT: [[AGAIN:n[0-9]+]] [label="constant", style=filled, fillcolor=lightgrey];
// CHECK-NEXT: [[IF:n[0-9]+]] [label="IE.If\nchoice"];
// CHECK-NEXT: subgraph cluster_1 {
// CHECK-NEXT: label="IE.If\nchoice";
// CHECK-NEXT: [[LEAKY:n[0-9]+]] [label="IE.LeakyRelu\nfirst\nsecond\nalpha 0.25"];
// CHECK-NEXT: [[YIELD:n[0-9]+]] [label="output 0", shape=ellipse];
// CHECK-NEXT: }
// CHECK-NEXT: subgraph cluster_2 {
// CHECK: }
// CHECK: [[OUT:n[0-9]+]] [label="scores", shape=ellipse];
// CHECK-NEXT: }
// CHECK-NEXT: [[X]] -> [[SIGN]] [label="tensor<1x2x3x4x5x6x7x8x9x10x11x12x13x?xf32>"];
// CHECK-NEXT: [[SIGN]] -> [[COPY]] [label="a value\ntensor<
// CHECK-NEXT: [[COPY]] -> [[ADD]] [label=
// CHECK-NEXT: [[CONSTANT]] -> [[ADD]] [label="tensor<f32>"];
// CHECK-NEXT: [[ADD]] -> [[MULTIPLY]] [label=
// CHECK-NEXT: [[AGAIN]] -> [[MULTIPLY]] [label="tensor<f32>"];
// CHECK-NEXT: [[C]] -> [[IF]] [label="tensor<i1>"];
// CHECK-NEXT: [[MULTIPLY]] -> [[LEAKY]] [label=
// CHECK-NEXT: [[LEAKY]] -> [[YIELD]] [label=
// CHECK: [[IF]] -> [[OUT]] [label="tensor<1x2x3x4x5x6x7x8x9x10x11x12x13x?xf32>"];
// CHECK-NEXT: }

// OPTIMIZED-NOT: IE.Identity
// OPTIMIZED: [label="IE.Neg\nsign \"1\" \\ größe", style=filled, fillcolor=white];
// OPTIMIZED-NOT: IE.Identity
// OPTIMIZED: IE.LeakyRelu\nfirst\nsecond\nalpha 0.25", style=filled, fillcolor=white];
// OPTIMIZED: subgraph cluster_precision {
// OPTIMIZED-NEXT: label="precision";
// OPTIMIZED-NEXT: precision0 [label="8 bits or fewer", style=filled, fillcolor=palegreen];

// NONE-NOT: constant
// NONE: [label="scores", shape=ellipse];
// NONE-NOT: constant

!tensor = tensor<1x2x3x4x5x6x7x8x9x10x11x12x13x?xf32>

func.func @main(%x: !tensor {nacre.name = "an image"}, %c: tensor<i1>) -> (!tensor {nacre.name = "scores"}) {
  %0 = IE.Neg %x : !tensor -> !tensor loc("sign \"1\" \\ größe"(fused<{nacre.values = ["a value"]}>[unknown]))
  %1 = IE.Identity %0 : !tensor -> !tensor loc("copy")
  %half = IE.Constant dense<0.5> : tensor<f32>
  %2 = IE.Add %1, %half : !tensor, tensor<f32> -> !tensor loc("add")
  %3 = IE.Mul %2, %half : !tensor, tensor<f32> -> !tensor loc("multiply")
  %4 = IE.If %c : (tensor<i1>) -> !tensor {
    %5 = IE.LeakyRelu %3 {alpha = 0.25 : f32} : !tensor -> !tensor loc(fused["first", "second"])
    IE.Yield %5 : !tensor
  } else {
    IE.Yield %0 : !tensor
  } loc("choice")
  return %4 : !tensor
}
