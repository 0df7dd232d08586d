// RUN: nacre-opt %s --vpu-pack-weights --split-input-file --verify-diagnostics

func.func @computed(%m: tensor<1x2x3xf32>) -> tensor<1x1x2x4xf32> {
  // expected-error@+1 {{expected constant weights; those that are computed at run time are packed by VPU.Copy or linalg ops, found}}
  %w = VPU.PackWeights %m {form = #VPU.weights<PANELS>} : tensor<1x2x3xf32> -> tensor<1x1x2x4xf32>
  return %w : tensor<1x1x2x4xf32>
}

// -----

// A resource without data.
func.func @released() -> tensor<1x1x2x4xf32> {
  %m = arith.constant dense_resource<nothing> : tensor<1x2x3xf32>
  // expected-error@+1 {{expected constant weights}}
  %w = VPU.PackWeights %m {form = #VPU.weights<PANELS>} : tensor<1x2x3xf32> -> tensor<1x1x2x4xf32>
  return %w : tensor<1x1x2x4xf32>
}
