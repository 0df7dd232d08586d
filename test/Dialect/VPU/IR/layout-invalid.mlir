// RUN: nacre-opt %s --split-input-file --verify-diagnostics

func.func @unknown_channels(%x: tensor<1x?x8x8xf32>) {
  // expected-error@+1 {{expected known channels, and volumes of known size, found 'tensor<1x?x8x8xf32>'}}
  %0 = VPU.ToBlocked %x : tensor<1x?x8x8xf32> -> tensor<1x2x8x8x16xf32>
  return
}

// -----

func.func @volumes_of_unknown_size(%x: tensor<1x16x?x8x8xf32>) {
  // expected-error@+1 {{expected known channels, and volumes of known size, found 'tensor<1x16x?x8x8xf32>'}}
  %0 = VPU.ToBlocked %x : tensor<1x16x?x8x8xf32> -> tensor<?x1x8x8x16xf32>
  return
}

// -----

func.func @groups_that_do_not_divide_channels(%x: tensor<1x20x8x8xf32>) {
  // expected-error@+1 {{expected groups that divide 20 channels, found 3}}
  %0 = VPU.ToBlocked %x {groups = 3 : i64} : tensor<1x20x8x8xf32> -> tensor<1x3x8x8x16xf32>
  return
}

// -----

func.func @no_groups(%b: tensor<1x2x8x8x16xf32>) {
  // expected-error@+1 {{expected groups that divide 20 channels, found 0}}
  %0 = VPU.FromBlocked %b {groups = 0 : i64} : tensor<1x2x8x8x16xf32> -> tensor<1x20x8x8xf32>
  return
}

// -----

func.func @blocks_without_channels(%b: tensor<1x2x8x8x0xf32>) {
  // expected-error@+1 {{expected blocks of a known number of channels, found 'tensor<1x2x8x8x0xf32>'}}
  %0 = VPU.FromBlocked %b : tensor<1x2x8x8x0xf32> -> tensor<1x20x8x8xf32>
  return
}

// -----

func.func @blocks_of_unknown_size(%b: tensor<1x2x8x8x?xf32>) {
  // expected-error@+1 {{expected blocks of a known number of channels, found 'tensor<1x2x8x8x?xf32>'}}
  %0 = VPU.FromBlocked %b : tensor<1x2x8x8x?xf32> -> tensor<1x20x8x8xf32>
  return
}

// -----

func.func @too_few_blocks(%x: tensor<1x20x8x8xf32>) {
  // expected-error@+1 {{expected the image of 'tensor<1x20x8x8xf32>' to be 'tensor<1x2x8x8x16xf32>', found 'tensor<1x1x8x8x16xf32>'}}
  %0 = VPU.ToBlocked %x : tensor<1x20x8x8xf32> -> tensor<1x1x8x8x16xf32>
  return
}

// -----

func.func @other_size(%x: tensor<1x20x?x8xf32>) {
  // expected-error@+1 {{expected the image of 'tensor<1x20x?x8xf32>' to be 'tensor<1x2x?x8x16xf32>', found 'tensor<1x2x8x8x16xf32>'}}
  %0 = VPU.ToBlocked %x : tensor<1x20x?x8xf32> -> tensor<1x2x8x8x16xf32>
  return
}

// -----

func.func @several_rows_of_a_sequence(%b: tensor<1x2x4x8x16xf32>) {
  // expected-error@+1 {{expected the image of 'tensor<1x20x8xf32>' to be 'tensor<1x2x1x8x16xf32>', found 'tensor<1x2x4x8x16xf32>'}}
  %0 = VPU.FromBlocked %b : tensor<1x2x4x8x16xf32> -> tensor<1x20x8xf32>
  return
}

// -----

func.func @other_elements(%x: tensor<1x16x8x8xui8>) {
  // expected-error@+1 {{expected the image of 'tensor<1x16x8x8xui8>' to be 'tensor<1x1x8x8x16xi8>', found 'tensor<1x1x8x8x16xf32>'}}
  %0 = VPU.ToBlocked %x : tensor<1x16x8x8xui8> -> tensor<1x1x8x8x16xf32>
  return
}

// -----

func.func @matrices_of_a_scalar(%x: tensor<f32>) {
  // expected-error@+1 {{expected matrices of the value's rows, a single one where their number is dynamic, found 'tensor<f32>' and 'tensor<1x1x1xf32>'}}
  %0 = VPU.ToMatrices %x : tensor<f32> -> tensor<1x1x1xf32>
  return
}

// -----

func.func @matrices_of_other_columns(%x: tensor<8x64xf32>) {
  // expected-error@+1 {{expected matrices of the value's rows, a single one where their number is dynamic, found 'tensor<8x64xf32>' and 'tensor<1x16x32xf32>'}}
  %0 = VPU.ToMatrices %x : tensor<8x64xf32> -> tensor<1x16x32xf32>
  return
}

// -----

func.func @matrices_of_dynamic_columns(%x: tensor<8x?xf32>) {
  // expected-error@+1 {{expected matrices of the value's rows, a single one where their number is dynamic, found 'tensor<8x?xf32>' and 'tensor<1x8x?xf32>'}}
  %0 = VPU.ToMatrices %x : tensor<8x?xf32> -> tensor<1x8x?xf32>
  return
}

// -----

func.func @matrices_of_other_rows(%x: tensor<8x64xf32>) {
  // expected-error@+1 {{expected matrices of the value's rows, a single one where their number is dynamic, found 'tensor<8x64xf32>' and 'tensor<1x9x64xf32>'}}
  %0 = VPU.ToMatrices %x : tensor<8x64xf32> -> tensor<1x9x64xf32>
  return
}

// -----

func.func @several_matrices_of_dynamic_rows(%x: tensor<?x8x64xf32>) {
  // expected-error@+1 {{expected matrices of the value's rows, a single one where their number is dynamic, found 'tensor<?x8x64xf32>' and 'tensor<?x8x64xf32>'}}
  %0 = VPU.ToMatrices %x : tensor<?x8x64xf32> -> tensor<?x8x64xf32>
  return
}

// -----

func.func @matrices_of_rows_that_are_known(%m: tensor<1x?x64xf32>) {
  // expected-error@+1 {{expected matrices of the value's rows, a single one where their number is dynamic, found 'tensor<8x64xf32>' and 'tensor<1x?x64xf32>'}}
  %0 = VPU.FromMatrices %m : tensor<1x?x64xf32> -> tensor<8x64xf32>
  return
}

// -----

func.func @matrices_of_other_elements(%m: tensor<1x8x64xf32>) {
  // expected-error@+1 {{expected matrices of the value's rows, a single one where their number is dynamic, found 'tensor<8x64xui8>' and 'tensor<1x8x64xf32>'}}
  %0 = VPU.FromMatrices %m : tensor<1x8x64xf32> -> tensor<8x64xui8>
  return
}

// -----

func.func @missing_sizes(%m: tensor<1x?x64xf32>) {
  // expected-error@+1 {{expected 1 dynamic sizes of 'tensor<?x64xf32>', found 0}}
  %0 = VPU.FromMatrices %m : tensor<1x?x64xf32> -> tensor<?x64xf32>
  return
}
