// What applies strategies decides nothing: without one, or with one that is for
// another op, there is an error.
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=2" --vpu-apply-padding --vpu-apply-clusters --split-input-file --verify-diagnostics
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=2" --vpu-apply-padding --vpu-apply-tiles --split-input-file --verify-diagnostics

func.func @no_strategy(%a: tensor<1x8x64xf32>, %b: tensor<1x4x64x16xf32>) -> tensor<1x8x64xf32> {
  %e = tensor.empty() : tensor<1x8x64xf32>
  // expected-error@+1 {{expected a strategy, as vpu-choose-strategies gives each op of the engine}}
  %0 = VPU.NCE.MatMul ins(%a, %b : tensor<1x8x64xf32>, tensor<1x4x64x16xf32>) outs(%e : tensor<1x8x64xf32>) -> tensor<1x8x64xf32>
  return %0 : tensor<1x8x64xf32>
}

// -----

func.func @strategy_of_another_op(%a: tensor<1x8x64xf32>, %b: tensor<1x4x64x16xf32>) -> tensor<1x8x64xf32> {
  %e = tensor.empty() : tensor<1x8x64xf32>
  // expected-error@+1 {{expected parts of dimension 1 to cut 8 evenly}}
  %0 = VPU.NCE.MatMul ins(%a, %b : tensor<1x8x64xf32>, tensor<1x4x64x16xf32>) outs(%e : tensor<1x8x64xf32>) {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [1, 3, 1]>} -> tensor<1x8x64xf32>
  return %0 : tensor<1x8x64xf32>
}

// -----

func.func @copy_of_an_argument(%x: tensor<1x4x56x56x16xf32>) -> tensor<1x4x58x58x16xf32> {
  %p = tensor.empty() : tensor<1x4x58x58x16xf32>
  // expected-error@+1 {{expected no padInPlace: it does more than to pad what one op of the engine computes}}
  %pad = VPU.Copy ins(%x : tensor<1x4x56x56x16xf32>) outs(%p : tensor<1x4x58x58x16xf32>) {VPU.strategy = #VPU.strategy<padInPlace = true>, srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>} -> tensor<1x4x58x58x16xf32>
  return %pad : tensor<1x4x58x58x16xf32>
}
