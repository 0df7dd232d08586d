// Elements at positions that were loaded come from a gather of the machine where
// that is fast, else from one load each. Of elements too small for it only the
// latter computes the positions as vectors.

// RUN: rm -rf %t && mkdir %t
// RUN: nacre compile %s --vpu-arch=sapphirerapids -o %t/fast.s && FileCheck %s --check-prefix=FAST --input-file=%t/fast.s
// FAST: vgatherqps
// FAST-NOT: vpinsrw

// RUN: nacre compile %s --vpu-arch=znver4 -o %t/slow.s && FileCheck %s --check-prefix=SLOW --input-file=%t/slow.s --implicit-check-not=vgather
// SLOW-DAG: vinsertps
// SLOW-DAG: vpinsrw

func.func @main(%x: tensor<64x256xf32> {nacre.name = "x"}, %small: tensor<64x256xi16> {nacre.name = "in"}, %indices: tensor<64x256xi64> {nacre.name = "indices"})
    -> (tensor<64x256xf32> {nacre.name = "y"}, tensor<64x256xi16> {nacre.name = "z"}) {
  %0 = IE.GatherElements %x, %indices {axis = 1} : tensor<64x256xf32>, tensor<64x256xi64> -> tensor<64x256xf32>
  %1 = IE.GatherElements %small, %indices {axis = 1} : tensor<64x256xi16>, tensor<64x256xi64> -> tensor<64x256xi16>
  return %0, %1 : tensor<64x256xf32>, tensor<64x256xi16>
}
