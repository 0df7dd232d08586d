// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=2" --vpu-choose-strategies --split-input-file --verify-diagnostics
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=2" --vpu-choose-strategies="decide=algorithms,concurrency,groups,loops" --split-input-file --verify-diagnostics

// What a person has written stays, and is checked with what was decided.

func.func @given_parts_that_cut_rows_unevenly_are_an_error(%x: tensor<1x4x56x56x16xf32>, %w: tensor<4x4x1x1x16x16xf32>) -> tensor<1x4x56x56x16xf32> {
  %e = tensor.empty() : tensor<1x4x56x56x16xf32>
  // expected-error@+1 {{expected parts of dimension 2 to cut 56 evenly}}
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x4x56x56x16xf32>, tensor<4x4x1x1x16x16xf32>) outs(%e : tensor<1x4x56x56x16xf32>) {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [1, 1, 3, 1, 1]>} -> tensor<1x4x56x56x16xf32>
  return %0 : tensor<1x4x56x56x16xf32>
}

// -----

func.func @given_parts_that_fit_are_no_error(%x: tensor<1x4x56x56x16xf32>, %w: tensor<4x4x1x1x16x16xf32>) -> tensor<1x4x56x56x16xf32> {
  %e = tensor.empty() : tensor<1x4x56x56x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x4x56x56x16xf32>, tensor<4x4x1x1x16x16xf32>) outs(%e : tensor<1x4x56x56x16xf32>) {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [1, 1, 4, 1, 1]>} -> tensor<1x4x56x56x16xf32>
  return %0 : tensor<1x4x56x56x16xf32>
}
