// RUN: nacre-opt %s --split-input-file --verify-diagnostics

func.func @rank_of_weights(%w: tensor<1x2x3xf32>) {
  // expected-error@+1 {{expected weights of rank 4 for DENSE, found 'tensor<1x2x3xf32>'}}
  %0 = VPU.PackWeights %w {form = #VPU.weights<DENSE>} : tensor<1x2x3xf32> -> tensor<1x1x1x1x2x4xf32>
  return
}

// -----

func.func @rank_of_panels(%w: tensor<1x2x3xf32>) {
  // expected-error@+1 {{expected packed weights of rank 4, or one more for packs, for PANELS, found 'tensor<1x1x1x1x2x4xf32>'}}
  %0 = VPU.PackWeights %w {form = #VPU.weights<PANELS>} : tensor<1x2x3xf32> -> tensor<1x1x1x1x2x4xf32>
  return
}

// -----

func.func @depthwise_has_no_packs(%w: tensor<4x1x3x3xf32>) {
  // expected-error@+1 {{expected packed weights of rank 4 for DEPTHWISE, found 'tensor<1x3x3x2x2xf32>'}}
  %0 = VPU.PackWeights %w {form = #VPU.weights<DEPTHWISE>} : tensor<4x1x3x3xf32> -> tensor<1x3x3x2x2xf32>
  return
}

// -----

func.func @unknown_size(%w: tensor<1x?x3xf32>) {
  // expected-error@+1 {{expected weights of known sizes, found 'tensor<1x?x3xf32>'}}
  %0 = VPU.PackWeights %w {form = #VPU.weights<PANELS>} : tensor<1x?x3xf32> -> tensor<1x1x2x4xf32>
  return
}

// -----

func.func @other_type(%w: tensor<1x2x3xf32>) {
  // expected-error@+1 {{expected equal element types, found 'tensor<1x2x3xf32>' and 'tensor<1x1x2x4xbf16>'}}
  %0 = VPU.PackWeights %w {form = #VPU.weights<PANELS>} : tensor<1x2x3xf32> -> tensor<1x1x2x4xbf16>
  return
}

// -----

func.func @empty_panels(%w: tensor<1x2x3xf32>) {
  // expected-error@+1 {{expected blocks of some channels, and packs of two or more, found 'tensor<1x1x2x0xf32>'}}
  %0 = VPU.PackWeights %w {form = #VPU.weights<PANELS>} : tensor<1x2x3xf32> -> tensor<1x1x2x0xf32>
  return
}

// -----

func.func @packs_of_one(%w: tensor<1x2x3xf32>) {
  // expected-error@+1 {{expected blocks of some channels, and packs of two or more, found 'tensor<1x1x2x4x1xf32>'}}
  %0 = VPU.PackWeights %w {form = #VPU.weights<PANELS>} : tensor<1x2x3xf32> -> tensor<1x1x2x4x1xf32>
  return
}

// -----

func.func @no_groups(%w: tensor<4x4x1x1xf32>) {
  // expected-error@+1 {{expected one group or more, found 0}}
  %0 = VPU.PackWeights %w {form = #VPU.weights<DENSE>, outputGroups = 0 : i64} : tensor<4x4x1x1xf32> -> tensor<1x1x1x1x4x4xf32>
  return
}

// -----

func.func @uneven_groups(%w: tensor<4x4x1x1xf32>) {
  // expected-error@+1 {{expected groups to divide 4 outputs and 12 inputs, found groups 3, of outputs 1, of inputs 1}}
  %0 = VPU.PackWeights %w {form = #VPU.weights<DENSE>, groups = 3 : i64} : tensor<4x4x1x1xf32> -> tensor<1x1x1x1x4x4xf32>
  return
}

// -----

func.func @depthwise_of_two_inputs(%w: tensor<4x2x1x1xf32>) {
  // expected-error@+1 {{expected one input channel for each output, found 'tensor<4x2x1x1xf32>'}}
  %0 = VPU.PackWeights %w {form = #VPU.weights<DEPTHWISE>} : tensor<4x2x1x1xf32> -> tensor<1x1x1x4xf32>
  return
}

// -----

func.func @groups_of_three(%w: tensor<6x3x1x1xf32>) {
  // expected-error@+1 {{expected groups of a power of two channels that divides those of a block and fills packs, found 3 in blocks of 8}}
  %0 = VPU.PackWeights %w {form = #VPU.weights<GROUPED>} : tensor<6x3x1x1xf32> -> tensor<1x1x1x3x8xf32>
  return
}

// -----

func.func @too_few_blocks(%w: tensor<32x32x3x3xf32>) {
  // expected-error@+1 {{expected packed weights 'tensor<2x2x3x3x16x16xf32>', found 'tensor<2x1x3x3x16x16xf32>'}}
  %0 = VPU.PackWeights %w {form = #VPU.weights<DENSE>} : tensor<32x32x3x3xf32> -> tensor<2x1x3x3x16x16xf32>
  return
}

// -----

// The second group of three channels ends in the next block.
func.func @group_in_two_blocks(%w: tensor<4x3x1x1xf32>) {
  // expected-error@+1 {{expected each group's channels in 1 blocks of 4 input channels}}
  %0 = VPU.PackWeights %w {form = #VPU.weights<DENSE>, groups = 2 : i64} : tensor<4x3x1x1xf32> -> tensor<1x1x1x1x4x4xf32>
  return
}
