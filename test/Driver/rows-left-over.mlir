// Rows that parts for cores leave over are computed where they are: neither they
// nor the parts are copied, and they take no memory.

// RUN: nacre compile %s --vpu-arch=x86-64-v4 --threads=4 --emit=loops -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --implicit-check-not=copy
// CHECK: nacre.arena_bytes = 0 :
// CHECK: func.func @main
// CHECK: scf.forall (%{{.*}}) = (0) to (196) step (49)
// CHECK: scf.forall (%{{.*}}) = (0) to (196) step (49)
// CHECK: return
func.func @main(%a: tensor<197x2048xf32> {nacre.name = "a"}, %b: tensor<197x2048xf32> {nacre.name = "b"}) -> (tensor<197x4096xf32> {nacre.name = "joined"}) {
  %0 = IE.Exp %a : tensor<197x2048xf32> -> tensor<197x2048xf32>
  %1 = IE.Sin %b : tensor<197x2048xf32> -> tensor<197x2048xf32>
  %2 = IE.Concat %0, %1 {axis = 1 : i64} : tensor<197x2048xf32>, tensor<197x2048xf32> -> tensor<197x4096xf32>
  return %2 : tensor<197x4096xf32>
}
