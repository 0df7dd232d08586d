// --dump-graph writes the graph twice, as it is imported and as it is optimised,
// with the names that operations have in the model and whole types.

// RUN: rm -rf %t && mkdir %t
// RUN: nacre compile %s --emit=ie -o %t/out.mlir --dump-graph=%t/graph.dot
// RUN: FileCheck %s --input-file=%t/graph.dot
// RUN: FileCheck %s --input-file=%t/graph.optimized.dot --check-prefix=OPTIMIZED
// RUN: nacre compile %s --emit=obj -o %t/out.o --dump-graph=%t/obj.dot
// RUN: diff %t/graph.dot %t/obj.dot
// RUN: diff %t/graph.optimized.dot %t/obj.optimized.dot
// RUN: nacre compile %s --emit=ie -o /dev/null --dump-graph=- | FileCheck %s --check-prefix=BOTH
// BOTH-COUNT-2: digraph model {

// CHECK: digraph model {
// CHECK-NEXT: node [shape=box];
// CHECK: subgraph cluster_0 {
// CHECK-NEXT: label="func.func\n{{.*}}main
// CHECK-NEXT: [[X:n[0-9]+]] [label="an image", shape=ellipse];
// CHECK-NEXT: [[C:n[0-9]+]] [label="input 1", shape=ellipse];
// CHECK-NEXT: [[SIGN:n[0-9]+]] [label="IE.Neg\nsign \"1\" \\ größe"];
// CHECK-NEXT: [[COPY:n[0-9]+]] [label="IE.Identity\ncopy"];
// CHECK-NEXT: [[IF:n[0-9]+]] [label="IE.If\nchoice"];
// CHECK-NEXT: subgraph cluster_1 {
// CHECK-NEXT: label="IE.If\nchoice";
// CHECK-NEXT: [[RELU:n[0-9]+]] [label="IE.Relu\nfirst\nsecond"];
// CHECK-NEXT: [[YIELD:n[0-9]+]] [label="output 0", shape=ellipse];
// CHECK-NEXT: }
// CHECK-NEXT: subgraph cluster_2 {
// CHECK: }
// CHECK: [[OUT:n[0-9]+]] [label="scores", shape=ellipse];
// CHECK-NEXT: }
// CHECK-NEXT: [[X]] -> [[SIGN]] [label="tensor<1x2x3x4x5x6x7x8x9x10x11x12x13x?xf32>"];
// CHECK-NEXT: [[SIGN]] -> [[COPY]] [label=
// CHECK-NEXT: [[C]] -> [[IF]] [label="tensor<i1>"];
// CHECK-NEXT: [[COPY]] -> [[RELU]] [label=
// CHECK-NEXT: [[RELU]] -> [[YIELD]] [label=
// CHECK: [[IF]] -> [[OUT]] [label="tensor<1x2x3x4x5x6x7x8x9x10x11x12x13x?xf32>"];
// CHECK-NEXT: }

// OPTIMIZED-NOT: IE.Identity
// OPTIMIZED: [label="IE.Neg\nsign \"1\" \\ größe"];
// OPTIMIZED-NOT: IE.Identity
// OPTIMIZED: IE.Relu\nfirst\nsecond

!tensor = tensor<1x2x3x4x5x6x7x8x9x10x11x12x13x?xf32>

func.func @main(%x: !tensor {nacre.name = "an image"}, %c: tensor<i1>) -> (!tensor {nacre.name = "scores"}) {
  %0 = IE.Neg %x : !tensor -> !tensor loc("sign \"1\" \\ größe")
  %1 = IE.Identity %0 : !tensor -> !tensor loc("copy")
  %2 = IE.If %c : (tensor<i1>) -> !tensor {
    %3 = IE.Relu %1 : !tensor -> !tensor loc(fused["first", "second"])
    IE.Yield %3 : !tensor
  } else {
    IE.Yield %0 : !tensor
  } loc("choice")
  return %2 : !tensor
}
