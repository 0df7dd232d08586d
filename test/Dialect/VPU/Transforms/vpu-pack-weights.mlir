// RUN: nacre-opt %s --vpu-pack-weights --split-input-file | FileCheck %s

// Pairs of input channels lie in each lane of output channels, zeroes behind the
// third input channel.
// CHECK-LABEL: @dense
// CHECK: %[[W:.*]] = arith.constant dense<{{\[\[\[\[\[\[\[}}1, 2], [4, 5]], {{\[\[}}3, 0], [6, 0]]]]]]]> : tensor<1x1x1x1x2x2x2xi8>
// CHECK-NEXT: return %[[W]]
func.func @dense() -> tensor<1x1x1x1x2x2x2xi8> {
  %m = arith.constant dense<[[[[1]], [[2]], [[3]]], [[[4]], [[5]], [[6]]]]> : tensor<2x3x1x1xi8>
  %w = VPU.PackWeights %m {form = #VPU.weights<DENSE>} : tensor<2x3x1x1xi8> -> tensor<1x1x1x1x2x2x2xi8>
  return %w : tensor<1x1x1x1x2x2x2xi8>
}

// -----

// The elements of a window stay in their order, a block each.
// CHECK-LABEL: @window
// CHECK: arith.constant dense<{{\[\[\[\[\[\[}}1.000000e+00, 5.000000e+00]], {{\[\[}}2.000000e+00, 6.000000e+00]]], {{\[\[\[}}3.000000e+00, 7.000000e+00]], {{\[\[}}4.000000e+00, 8.000000e+00]]]]]]> : tensor<1x1x2x2x1x2xf64>
func.func @window() -> tensor<1x1x2x2x1x2xf64> {
  %m = arith.constant dense<[[[[1.0, 2.0], [3.0, 4.0]]], [[[5.0, 6.0], [7.0, 8.0]]]]> : tensor<2x1x2x2xf64>
  %w = VPU.PackWeights %m {form = #VPU.weights<DENSE>} : tensor<2x1x2x2xf64> -> tensor<1x1x2x2x1x2xf64>
  return %w : tensor<1x1x2x2x1x2xf64>
}

// -----

// Groups that share a block have zeroes for each other's channels.
// CHECK-LABEL: @groups_in_one_block
// CHECK: arith.constant dense<{{\[\[\[\[\[\[}}1, 0], [0, 2]]]]]]> : tensor<1x1x1x1x2x2xi8>
func.func @groups_in_one_block() -> tensor<1x1x1x1x2x2xi8> {
  %m = arith.constant dense<[[[[1]]], [[[2]]]]> : tensor<2x1x1x1xi8>
  %w = VPU.PackWeights %m {form = #VPU.weights<DENSE>, groups = 2 : i64} : tensor<2x1x1x1xi8> -> tensor<1x1x1x1x2x2xi8>
  return %w : tensor<1x1x1x1x2x2xi8>
}

// -----

// Groups that are blocked by themselves have blocks that zeroes fill.
// CHECK-LABEL: @groups_in_blocks_of_their_own
// CHECK: arith.constant dense<{{\[\[\[\[\[\[}}1, 0], [0, 0]]]]], {{\[\[\[\[\[}}2, 0], [0, 0]]]]]]> : tensor<2x1x1x1x2x2xi8>
func.func @groups_in_blocks_of_their_own() -> tensor<2x1x1x1x2x2xi8> {
  %m = arith.constant dense<[[[[1]]], [[[2]]]]> : tensor<2x1x1x1xi8>
  %w = VPU.PackWeights %m {form = #VPU.weights<DENSE>, groups = 2 : i64, inputGroups = 2 : i64, outputGroups = 2 : i64} : tensor<2x1x1x1xi8> -> tensor<2x1x1x1x2x2xi8>
  return %w : tensor<2x1x1x1x2x2xi8>
}

// -----

// CHECK-LABEL: @depthwise
// CHECK: arith.constant dense<{{\[\[\[\[}}1, 3], [2, 4]]], {{\[\[\[}}5, 0], [6, 0]]]]> : tensor<2x1x2x2xi8>
func.func @depthwise() -> tensor<2x1x2x2xi8> {
  %m = arith.constant dense<[[[[1, 2]]], [[[3, 4]]], [[[5, 6]]]]> : tensor<3x1x1x2xi8>
  %w = VPU.PackWeights %m {form = #VPU.weights<DEPTHWISE>} : tensor<3x1x1x2xi8> -> tensor<2x1x2x2xi8>
  return %w : tensor<2x1x2x2xi8>
}

// -----

// What input channel i adds to output channel i xor d.
// CHECK-LABEL: @grouped
// CHECK: arith.constant dense<{{\[\[\[\[\[}}1, 4], [3, 2]]]]]> : tensor<1x1x1x2x2xi8>
func.func @grouped() -> tensor<1x1x1x2x2xi8> {
  %m = arith.constant dense<[[[[1]], [[2]]], [[[3]], [[4]]]]> : tensor<2x2x1x1xi8>
  %w = VPU.PackWeights %m {form = #VPU.weights<GROUPED>} : tensor<2x2x1x1xi8> -> tensor<1x1x1x2x2xi8>
  return %w : tensor<1x1x1x2x2xi8>
}

// -----

// Both lanes have the pair of input channels, each for an output channel. Of a
// block that is half full, the other lanes are zero.
// CHECK-LABEL: @grouped_pairs
// CHECK: arith.constant dense<{{\[\[\[\[\[\[}}1, 2], [0, 0], [3, 4], [0, 0]]]]]]> : tensor<1x1x1x1x4x2xi8>
func.func @grouped_pairs() -> tensor<1x1x1x1x4x2xi8> {
  %m = arith.constant dense<[[[[1]], [[2]]], [[[3]], [[4]]]]> : tensor<2x2x1x1xi8>
  %w = VPU.PackWeights %m {form = #VPU.weights<GROUPED>} : tensor<2x2x1x1xi8> -> tensor<1x1x1x1x4x2xi8>
  return %w : tensor<1x1x1x1x4x2xi8>
}

// -----

// CHECK-LABEL: @winograd
// CHECK: arith.constant dense<{{\[\[\[\[\[}}1, 0], [2, 0]]]], {{\[\[\[\[}}3, 0], [4, 0]]]]]> : tensor<2x1x1x2x2xi8>
func.func @winograd() -> tensor<2x1x1x2x2xi8> {
  %m = arith.constant dense<[[[1, 2]], [[3, 4]]]> : tensor<2x1x2xi8>
  %w = VPU.PackWeights %m {form = #VPU.weights<WINOGRAD>} : tensor<2x1x2xi8> -> tensor<2x1x1x2x2xi8>
  return %w : tensor<2x1x1x2x2xi8>
}

// -----

// A matrix and its transpose make the same panels.
// CHECK-LABEL: @panels
// CHECK-DAG: %[[P:.*]] = arith.constant dense<{{\[\[\[\[}}1, 2], [4, 5]], {{\[\[}}3, 0], [6, 0]]]]> : tensor<1x2x2x2xi8>
// CHECK-DAG: %[[T:.*]] = arith.constant dense<{{\[\[\[\[}}1, 2], [4, 5]], {{\[\[}}3, 0], [6, 0]]]]> : tensor<1x2x2x2xi8>
// CHECK-DAG: %[[Q:.*]] = arith.constant dense<{{\[\[\[\[\[}}1, 4, 0, 0], [2, 5, 0, 0]]], {{\[\[\[}}3, 6, 0, 0], [0, 0, 0, 0]]]]]> : tensor<1x2x1x2x4xi8>
// CHECK: return %[[P]], %[[T]], %[[Q]]
func.func @panels() -> (tensor<1x2x2x2xi8>, tensor<1x2x2x2xi8>, tensor<1x2x1x2x4xi8>) {
  %m = arith.constant dense<[[[1, 2, 3], [4, 5, 6]]]> : tensor<1x2x3xi8>
  %t = arith.constant dense<[[[1, 4], [2, 5], [3, 6]]]> : tensor<1x3x2xi8>
  %0 = VPU.PackWeights %m {form = #VPU.weights<PANELS>} : tensor<1x2x3xi8> -> tensor<1x2x2x2xi8>
  %1 = VPU.PackWeights %t {form = #VPU.weights<TRANSPOSED_PANELS>} : tensor<1x3x2xi8> -> tensor<1x2x2x2xi8>
  %2 = VPU.PackWeights %m {form = #VPU.weights<PANELS>} : tensor<1x2x3xi8> -> tensor<1x2x1x2x4xi8>
  return %0, %1, %2 : tensor<1x2x2x2xi8>, tensor<1x2x2x2xi8>, tensor<1x2x1x2x4xi8>
}

// -----

// Large constants are resources. What else reads the model's order keeps it.
// CHECK-LABEL: @large_and_shared
// CHECK: %[[M:.*]] = arith.constant dense<5.000000e-01> : tensor<1x16x16xbf16>
// CHECK: %[[W:.*]] = arith.constant dense_resource<packed{{.*}}> : tensor<1x1x16x16xbf16>
// CHECK: return %[[W]], %[[M]]
func.func @large_and_shared() -> (tensor<1x1x16x16xbf16>, tensor<1x16x16xbf16>) {
  %m = arith.constant dense<0.5> : tensor<1x16x16xbf16>
  %w = VPU.PackWeights %m {form = #VPU.weights<PANELS>} : tensor<1x16x16xbf16> -> tensor<1x1x16x16xbf16>
  return %w, %m : tensor<1x1x16x16xbf16>, tensor<1x16x16xbf16>
}

// -----

// CHECK-LABEL: @packed_weights_stay
// CHECK: %[[W:.*]] = arith.constant dense<5.000000e-01> : tensor<1x1x16x16xf32>
// CHECK: VPU.NCE.MatMul ins(%arg0, %[[W]] :
func.func @packed_weights_stay(%x: tensor<1x4x16xf32>) -> tensor<1x4x16xf32> {
  %w = arith.constant dense<0.5> : tensor<1x1x16x16xf32>
  %e = tensor.empty() : tensor<1x4x16xf32>
  %0 = VPU.NCE.MatMul ins(%x, %w : tensor<1x4x16xf32>, tensor<1x1x16x16xf32>) outs(%e : tensor<1x4x16xf32>) -> tensor<1x4x16xf32>
  return %0 : tensor<1x4x16xf32>
}

// -----

// Weights that will be transformed stay as the model has them.
// CHECK-LABEL: @weights_of_winograd
// CHECK: %[[W:.*]] = arith.constant dense<5.000000e-01> : tensor<64x64x3x3xf32>
// CHECK: VPU.PackWeights %[[W]]
func.func @weights_of_winograd(%x: tensor<1x4x58x58x16xf32>) -> tensor<1x4x56x56x16xf32> {
  %m_w = arith.constant dense<0.5> : tensor<64x64x3x3xf32>
  %w = VPU.PackWeights %m_w {form = #VPU.weights<DENSE>} : tensor<64x64x3x3xf32> -> tensor<4x4x3x3x16x16xf32>
  %e = tensor.empty() : tensor<1x4x56x56x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x4x58x58x16xf32>, tensor<4x4x3x3x16x16xf32>) outs(%e : tensor<1x4x56x56x16xf32>) {VPU.strategy = #VPU.strategy<algorithm = winograd, winogradTile = 4>} -> tensor<1x4x56x56x16xf32>
  return %0 : tensor<1x4x56x56x16xf32>
}
