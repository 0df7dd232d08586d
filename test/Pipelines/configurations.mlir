// Every configuration of test/Pipelines takes a network all the way down. By hand:
//   nacre-translate --import-onnx MODEL.onnx | nacre-opt @test/Pipelines/default-hw_NPU37XX.txt
// RUN: nacre-opt %S/Inputs/net.mlir @%S/default-hw_NPU37XX.txt | FileCheck %s
// RUN: nacre-opt %S/Inputs/net.mlir @%S/default-hw_NPU40XX.txt | FileCheck %s
// RUN: nacre-opt %S/Inputs/net.mlir @%S/default-hw_aarch64.txt | FileCheck %s
// RUN: nacre-opt %S/Inputs/net.mlir @%S/default-hw_alderlake.txt | FileCheck %s
// RUN: nacre-opt %S/Inputs/net.mlir @%S/default-hw_sapphirerapids.txt | FileCheck %s
// RUN: nacre-opt %S/Inputs/net.mlir @%S/default-hw_x86-64-v3.txt | FileCheck %s
// RUN: nacre-opt %S/Inputs/net.mlir @%S/default-hw_x86-64-v4.txt | FileCheck %s
// RUN: nacre-opt %S/Inputs/net.mlir @%S/default-hw_znver4.txt | FileCheck %s
// RUN: nacre-opt %S/Inputs/net.mlir @%S/reference-hw_NPU37XX.txt | FileCheck %s
// RUN: nacre-opt %S/Inputs/net.mlir @%S/reference-hw_NPU40XX.txt | FileCheck %s
// RUN: nacre-opt %S/Inputs/net.mlir @%S/reference-hw_aarch64.txt | FileCheck %s
// RUN: nacre-opt %S/Inputs/net.mlir @%S/reference-hw_alderlake.txt | FileCheck %s
// RUN: nacre-opt %S/Inputs/net.mlir @%S/reference-hw_sapphirerapids.txt | FileCheck %s
// RUN: nacre-opt %S/Inputs/net.mlir @%S/reference-hw_x86-64-v3.txt | FileCheck %s
// RUN: nacre-opt %S/Inputs/net.mlir @%S/reference-hw_x86-64-v4.txt | FileCheck %s
// RUN: nacre-opt %S/Inputs/net.mlir @%S/reference-hw_znver4.txt | FileCheck %s
// RUN: nacre-opt %S/Inputs/net.mlir @%S/reference-sw_NPU37XX.txt | FileCheck %s
// RUN: nacre-opt %S/Inputs/net.mlir @%S/reference-sw_NPU40XX.txt | FileCheck %s
// RUN: nacre-opt %S/Inputs/net.mlir @%S/reference-sw_aarch64.txt | FileCheck %s
// RUN: nacre-opt %S/Inputs/net.mlir @%S/reference-sw_alderlake.txt | FileCheck %s
// RUN: nacre-opt %S/Inputs/net.mlir @%S/reference-sw_sapphirerapids.txt | FileCheck %s
// RUN: nacre-opt %S/Inputs/net.mlir @%S/reference-sw_x86-64-v3.txt | FileCheck %s
// RUN: nacre-opt %S/Inputs/net.mlir @%S/reference-sw_x86-64-v4.txt | FileCheck %s
// RUN: nacre-opt %S/Inputs/net.mlir @%S/reference-sw_znver4.txt | FileCheck %s
// RUN: nacre-opt %S/Inputs/net.mlir --reference-sw=vpu-arch=host --dump-pass-pipeline 2>&1 | FileCheck %s --check-prefix=TEXT

// CHECK: nacre.arena_bytes
// CHECK: llvm.func @main
// CHECK-NOT: {{ = IE\.}}

// TEXT: Pass Manager with
// TEXT: ie-infer-shapes
// TEXT: init-compiler
// TEXT: convert-ie-to-linalg
// TEXT: plan-memory
