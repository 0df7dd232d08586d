// RUN: nacre-opt %s -carry-bfloat16-as-integers | FileCheck %s
// RUN: nacre-opt %s --vpu-arch=sapphirerapids -carry-bfloat16-as-integers | \
// RUN:   FileCheck %s --check-prefix=INSTRUCTIONS

// What the caller sees is still of bf16.
// CHECK: module attributes {test.type = bf16}
module attributes {test.type = bf16} {

// CHECK: llvm.mlir.global {{.*}}@weights(dense<[16256, 16384]> : tensor<2xi16>)
// CHECK-SAME: !llvm.array<2 x i16>
// INSTRUCTIONS: llvm.mlir.global {{.*}}@weights({{.*}}) {{.*}}!llvm.array<2 x bf16>
llvm.mlir.global private constant @weights(dense<[1.0, 2.0]> : tensor<2xbf16>)
    : !llvm.array<2 x bf16>

// CHECK-LABEL: llvm.func @moves(
// CHECK-SAME: %{{.*}}: i16,
// CHECK-SAME: attributes {test.type = bf16}
// CHECK: llvm.mlir.constant(16256 : i16) : i16
// CHECK: llvm.load %{{.*}} -> vector<4xi16>
// CHECK: ^bb1(%{{.*}}: i16)
// CHECK: llvm.getelementptr %{{.*}}[1] : (!llvm.ptr) -> !llvm.ptr, i16
// CHECK-NOT: bf16
// CHECK-LABEL: llvm.func @other_floats_stay
llvm.func @moves(%x: bf16, %c: i1, %p: !llvm.ptr)
    attributes {test.type = bf16} {
  %one = llvm.mlir.constant(1.0 : bf16) : bf16
  %chosen = llvm.select %c, %x, %one : i1, bf16
  %vector = llvm.load %p : !llvm.ptr -> vector<4xbf16>
  llvm.br ^next(%chosen : bf16)
^next(%carried: bf16):
  %next = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, bf16
  llvm.store %carried, %next : bf16, !llvm.ptr
  llvm.store %vector, %p : vector<4xbf16>, !llvm.ptr
  llvm.return
}

// CHECK: llvm.mlir.constant(1.000000e+00 : f16) : f16
llvm.func @other_floats_stay() -> f16 {
  %one = llvm.mlir.constant(1.0 : f16) : f16
  llvm.return %one : f16
}
}
