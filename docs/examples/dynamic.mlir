// The lengths of vectors of three numbers, of as many as a run is given.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

func.func @main(%vectors: tensor<?x3xf32> {nacre.name = "vectors", nacre.dims = ["n", ""]})
    -> (tensor<?xf32> {nacre.name = "lengths"}) {
  %0 = "IE.Mul"(%vectors, %vectors) : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  %axes = IE.Constant dense<1> : tensor<1xi64>
  %1 = IE.ReduceSum(%0, %axes) {keepdims = 0 : i64} : (tensor<?x3xf32>, tensor<1xi64>) -> tensor<?xf32>
  %2 = IE.Sqrt %1 : tensor<?xf32> -> tensor<?xf32>
  return %2 : tensor<?xf32>
}
