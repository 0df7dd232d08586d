// By which algorithm operators are lowered, for vectors of 16, 8 and 4 lanes.
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-choose-strategies=decide=operators --vpu-verify-strategies=decided=operators --split-input-file | FileCheck %s --check-prefixes=CHECK,V4
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v3 threads=1" --vpu-choose-strategies=decide=operators --vpu-verify-strategies=decided=operators --split-input-file | FileCheck %s --check-prefixes=CHECK,V3
// RUN: nacre-opt %s --init-compiler="vpu-arch=aarch64 threads=1" --vpu-choose-strategies=decide=operators --vpu-verify-strategies=decided=operators --split-input-file | FileCheck %s --check-prefixes=CHECK,NEON
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=16" --vpu-choose-strategies=decide=operators --split-input-file | FileCheck %s --check-prefix=CORES

// CHECK-LABEL: func @top_k_of_a_line
// CHECK: IE.TopK{{.*}}VPU.strategy = #VPU.strategy<algorithm = candidates>
// CHECK: IE.TopK{{.*}}VPU.strategy = #VPU.strategy<algorithm = bestElement>
func.func @top_k_of_a_line(%x: tensor<2x1000xf32>, %k: tensor<1xi64>) -> (tensor<2x20xf32>, tensor<2x1xf32>) {
  %0:2 = IE.TopK(%x, %k) : (tensor<2x1000xf32>, tensor<1xi64>) -> (tensor<2x20xf32>, tensor<2x20xi64>)
  %1:2 = IE.TopK(%x, %k) : (tensor<2x1000xf32>, tensor<1xi64>) -> (tensor<2x1xf32>, tensor<2x1xi64>)
  return %0#0, %1#0 : tensor<2x20xf32>, tensor<2x1xf32>
}

// -----

// CHECK-LABEL: func @top_k_of_columns
// CHECK: algorithm = columns
func.func @top_k_of_columns(%x: tensor<3x1000x8xf32>, %k: tensor<1xi64>) -> tensor<3x16x8xf32> {
  %0:2 = IE.TopK(%x, %k) {axis = 1 : i64} : (tensor<3x1000x8xf32>, tensor<1xi64>) -> (tensor<3x16x8xf32>, tensor<3x16x8xi64>)
  return %0#0 : tensor<3x16x8xf32>
}

// -----

// CHECK-LABEL: func @top_k_of_many_results_or_few_columns
// CHECK: algorithm = candidates
// CHECK: algorithm = candidates
func.func @top_k_of_many_results_or_few_columns(%x: tensor<3x1000x8xf32>, %y: tensor<3x1000x7xf32>, %k: tensor<1xi64>) -> (tensor<3x17x8xf32>, tensor<3x2x7xf32>) {
  %0:2 = IE.TopK(%x, %k) {axis = 1 : i64} : (tensor<3x1000x8xf32>, tensor<1xi64>) -> (tensor<3x17x8xf32>, tensor<3x17x8xi64>)
  %1:2 = IE.TopK(%y, %k) {axis = 1 : i64} : (tensor<3x1000x7xf32>, tensor<1xi64>) -> (tensor<3x2x7xf32>, tensor<3x2x7xi64>)
  return %0#0, %1#0 : tensor<3x17x8xf32>, tensor<3x2x7xf32>
}

// -----

// CHECK-LABEL: func @top_k_of_many_short_lines
// CHECK: algorithm = standingLines
// CHECK: algorithm = candidates
// CHECK: algorithm = standingLines
func.func @top_k_of_many_short_lines(%x: tensor<4x10x4096xf32>, %y: tensor<4x10x4097xf32>, %z: tensor<4x10x4097xui8>, %k: tensor<1xi64>) -> (tensor<4x10x3xf32>, tensor<4x10x3xf32>, tensor<4x10x3xui8>) {
  %0:2 = IE.TopK(%x, %k) : (tensor<4x10x4096xf32>, tensor<1xi64>) -> (tensor<4x10x3xf32>, tensor<4x10x3xi64>)
  %1:2 = IE.TopK(%y, %k) : (tensor<4x10x4097xf32>, tensor<1xi64>) -> (tensor<4x10x3xf32>, tensor<4x10x3xi64>)
  %2:2 = IE.TopK(%z, %k) : (tensor<4x10x4097xui8>, tensor<1xi64>) -> (tensor<4x10x3xui8>, tensor<4x10x3xi64>)
  return %0#0, %1#0, %2#0 : tensor<4x10x3xf32>, tensor<4x10x3xf32>, tensor<4x10x3xui8>
}

// -----

// Keys of one byte are sorted by digits in one pass, long lines take long, and
// keys of 64 bits leave no room for a position.
// CHECK-LABEL: func @top_k_of_most_elements
// Two rows are parts for two cores alone, 32 columns for all.
// CORES-LABEL: func @top_k_of_most_elements
// CORES: algorithm = candidates
// CORES: algorithm = sortedLines
// CHECK: algorithm = sortedColumns
// CHECK: algorithm = sortedLines
// CHECK: algorithm = candidates
// CHECK: algorithm = candidates
// CHECK: algorithm = candidates
func.func @top_k_of_most_elements(%x: tensor<2x128x16xf32>, %y: tensor<1000x300xf16>, %z: tensor<2x200x5xui8>, %w: tensor<8x4096xf32>, %v: tensor<2x128x16xi64>, %k: tensor<1xi64>) -> (tensor<2x100x16xf32>, tensor<1000x100xf16>, tensor<2x150x5xui8>, tensor<8x2000xf32>, tensor<2x100x16xi64>) {
  %0:2 = IE.TopK(%x, %k) {axis = 1 : i64} : (tensor<2x128x16xf32>, tensor<1xi64>) -> (tensor<2x100x16xf32>, tensor<2x100x16xi64>)
  %1:2 = IE.TopK(%y, %k) : (tensor<1000x300xf16>, tensor<1xi64>) -> (tensor<1000x100xf16>, tensor<1000x100xi64>)
  %2:2 = IE.TopK(%z, %k) {axis = 1 : i64} : (tensor<2x200x5xui8>, tensor<1xi64>) -> (tensor<2x150x5xui8>, tensor<2x150x5xi64>)
  %3:2 = IE.TopK(%w, %k) : (tensor<8x4096xf32>, tensor<1xi64>) -> (tensor<8x2000xf32>, tensor<8x2000xi64>)
  %4:2 = IE.TopK(%v, %k) {axis = 1 : i64} : (tensor<2x128x16xi64>, tensor<1xi64>) -> (tensor<2x100x16xi64>, tensor<2x100x16xi64>)
  return %0#0, %1#0, %2#0, %3#0, %4#0 : tensor<2x100x16xf32>, tensor<1000x100xf16>, tensor<2x150x5xui8>, tensor<8x2000xf32>, tensor<2x100x16xi64>
}

// -----

// CHECK-LABEL: func @top_k_of_a_dynamic_number_has_one_algorithm
// CHECK-NOT: VPU.strategy
func.func @top_k_of_a_dynamic_number_has_one_algorithm(%x: tensor<2x1000xf32>, %k: tensor<1xi64>) -> tensor<2x?xf32> {
  %0:2 = IE.TopK(%x, %k) : (tensor<2x1000xf32>, tensor<1xi64>) -> (tensor<2x?xf32>, tensor<2x?xi64>)
  return %0#0 : tensor<2x?xf32>
}

// -----

// CHECK-LABEL: func @given_algorithm_stays
// CHECK: algorithm = candidates
func.func @given_algorithm_stays(%x: tensor<2x1000xf32>, %k: tensor<1xi64>) -> tensor<2x1xf32> {
  %0:2 = IE.TopK(%x, %k) {VPU.strategy = #VPU.strategy<algorithm = candidates>} : (tensor<2x1000xf32>, tensor<1xi64>) -> (tensor<2x1xf32>, tensor<2x1xi64>)
  return %0#0 : tensor<2x1xf32>
}

// -----

// Phases of few channels leave most of a long vector empty.
// CHECK-LABEL: func @transposed_convolution_of_few_channels
// V4: algorithm = phasesAsChannels
// V3: algorithm = phasesAsChannels
// NEON: algorithm = phases>
func.func @transposed_convolution_of_few_channels(%x: tensor<1x16x5x5xf32>, %w: tensor<16x3x4x4xf32>) -> tensor<1x3x10x10xf32> {
  %0 = IE.ConvTranspose(%x, %w) {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>} : (tensor<1x16x5x5xf32>, tensor<16x3x4x4xf32>) -> tensor<1x3x10x10xf32>
  return %0 : tensor<1x3x10x10xf32>
}

// -----

// CHECK-LABEL: func @transposed_convolution_of_many_channels
// CHECK: algorithm = phases>
func.func @transposed_convolution_of_many_channels(%x: tensor<1x32x8x8xf32>, %w: tensor<32x16x4x4xf32>) -> tensor<1x16x16x16xf32> {
  %0 = IE.ConvTranspose(%x, %w) {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>} : (tensor<1x32x8x8xf32>, tensor<32x16x4x4xf32>) -> tensor<1x16x16x16xf32>
  return %0 : tensor<1x16x16x16xf32>
}

// -----

// CHECK-LABEL: func @transposed_convolution_of_many_phases
// CHECK: algorithm = phasesAsChannels
func.func @transposed_convolution_of_many_phases(%x: tensor<1x16x3x3xf32>, %w: tensor<16x16x64x64xf32>) -> tensor<1x16x128x128xf32> {
  %0 = IE.ConvTranspose(%x, %w) {strides = array<i64: 32, 32>} : (tensor<1x16x3x3xf32>, tensor<16x16x64x64xf32>) -> tensor<1x16x128x128xf32>
  return %0 : tensor<1x16x128x128xf32>
}

// -----

// CHECK-LABEL: func @transposed_convolution_of_a_row_is_phases
// CHECK: algorithm = phases>
func.func @transposed_convolution_of_a_row_is_phases(%x: tensor<1x16x3xf32>, %w: tensor<16x16x2xf32>) -> tensor<1x16x9xf32> {
  %0 = IE.ConvTranspose(%x, %w) {output_padding = array<i64: 1>, strides = array<i64: 3>} : (tensor<1x16x3xf32>, tensor<16x16x2xf32>) -> tensor<1x16x9xf32>
  return %0 : tensor<1x16x9xf32>
}

// -----

// Groups of one channel leave 15 of 16 lanes empty, or three of four; of strides, an
// engine leaves out as many zeroes.
// CHECK-LABEL: func @transposed_convolution_of_small_groups
// V4: algorithm = software
// V3: algorithm = software
// NEON: algorithm = phases>
// CHECK: algorithm = phasesAsChannels
// CHECK: algorithm = phases>
func.func @transposed_convolution_of_small_groups(%x: tensor<1x36x4x4xf32>, %w: tensor<36x1x3x3xf32>, %y: tensor<1x4x4x4xf32>, %v: tensor<4x1x3x3xf32>) -> (tensor<1x4x6x6xf32>, tensor<1x4x9x9xf32>, tensor<1x4x6x6xf32>) {
  %0 = IE.ConvTranspose(%x, %w) {group = 4 : i64} : (tensor<1x36x4x4xf32>, tensor<36x1x3x3xf32>) -> tensor<1x4x6x6xf32>
  %1 = IE.ConvTranspose(%x, %w) {group = 4 : i64, strides = array<i64: 2, 2>} : (tensor<1x36x4x4xf32>, tensor<36x1x3x3xf32>) -> tensor<1x4x9x9xf32>
  %2 = IE.ConvTranspose(%y, %v) {group = 4 : i64} : (tensor<1x4x4x4xf32>, tensor<4x1x3x3xf32>) -> tensor<1x4x6x6xf32>
  return %0, %1, %2 : tensor<1x4x6x6xf32>, tensor<1x4x9x9xf32>, tensor<1x4x6x6xf32>
}

// -----

// As many rows as two register tiles have, whose pixels the architecture says.
// CHECK-LABEL: func @few_rows_by_a_computed_matrix
// CHECK: IE.MatMul{{.*}}algorithm = rowMajor
// CHECK: IE.MatMul{{.*}}algorithm = panels
// V4: IE.Gemm{{.*}}algorithm = rowMajor
// V3: IE.Gemm{{.*}}algorithm = panels
// NEON: IE.Gemm{{.*}}algorithm = panels
func.func @few_rows_by_a_computed_matrix(%x: tensor<2x4x8xf32>, %y: tensor<8x20xf32>, %z: tensor<2x40x8xf32>, %g: tensor<28x8xf32>) -> (tensor<2x4x20xf32>, tensor<2x40x20xf32>, tensor<28x20xf32>) {
  %0 = IE.MatMul(%x, %y) : (tensor<2x4x8xf32>, tensor<8x20xf32>) -> tensor<2x4x20xf32>
  %1 = IE.MatMul(%z, %y) : (tensor<2x40x8xf32>, tensor<8x20xf32>) -> tensor<2x40x20xf32>
  %2 = IE.Gemm(%g, %y) : (tensor<28x8xf32>, tensor<8x20xf32>) -> tensor<28x20xf32>
  return %0, %1, %2 : tensor<2x4x20xf32>, tensor<2x40x20xf32>, tensor<28x20xf32>
}

// -----

// Matrices of a batch are multiplied by one each, whose rows may be columns of what
// is stored, up to a length.
// CHECK-LABEL: func @few_rows_of_each_matrix
// CHECK: IE.MatMul{{.*}}algorithm = rowMajor
// CHECK-NOT: VPU.strategy
func.func @few_rows_of_each_matrix(%x: tensor<9x4x8xf32>, %y: tensor<9x20x8xf32>, %z: tensor<9x4x5000xf32>, %w: tensor<9x20x5000xf32>) -> (tensor<9x4x20xf32>, tensor<9x4x20xf32>) {
  %t = IE.Transpose %y {perm = array<i64: 0, 2, 1>} : tensor<9x20x8xf32> -> tensor<9x8x20xf32>
  %0 = IE.MatMul(%x, %t) : (tensor<9x4x8xf32>, tensor<9x8x20xf32>) -> tensor<9x4x20xf32>
  %u = IE.Transpose %w {perm = array<i64: 0, 2, 1>} : tensor<9x20x5000xf32> -> tensor<9x5000x20xf32>
  %1 = IE.MatMul(%z, %u) : (tensor<9x4x5000xf32>, tensor<9x5000x20xf32>) -> tensor<9x4x20xf32>
  return %0, %1 : tensor<9x4x20xf32>, tensor<9x4x20xf32>
}

// -----

// CHECK-LABEL: func @constant_dynamic_or_broadcast_matrices_have_one_form
// CHECK-NOT: VPU.strategy
func.func @constant_dynamic_or_broadcast_matrices_have_one_form(%x: tensor<4x8xf32>, %y: tensor<8x?xf32>, %b: tensor<2x3x4x8xf32>, %c: tensor<3x8x20xf32>, %i: tensor<4x8xi32>, %j: tensor<8x20xi32>) -> (tensor<4x20xf32>, tensor<4x20xf32>, tensor<4x?xf32>, tensor<2x3x4x20xf32>, tensor<4x20xi32>) {
  %w = IE.Constant dense<1.0> : tensor<8x20xf32>
  %v = IE.Constant dense<1.0> : tensor<20x8xf32>
  %0 = IE.MatMul(%x, %w) : (tensor<4x8xf32>, tensor<8x20xf32>) -> tensor<4x20xf32>
  %t = IE.Transpose %v {perm = array<i64: 1, 0>} : tensor<20x8xf32> -> tensor<8x20xf32>
  %1 = IE.MatMul(%x, %t) : (tensor<4x8xf32>, tensor<8x20xf32>) -> tensor<4x20xf32>
  %2 = IE.MatMul(%x, %y) : (tensor<4x8xf32>, tensor<8x?xf32>) -> tensor<4x?xf32>
  %3 = IE.MatMul(%b, %c) : (tensor<2x3x4x8xf32>, tensor<3x8x20xf32>) -> tensor<2x3x4x20xf32>
  %4 = IE.MatMul(%i, %j) : (tensor<4x8xi32>, tensor<8x20xi32>) -> tensor<4x20xi32>
  return %0, %1, %2, %3, %4 : tensor<4x20xf32>, tensor<4x20xf32>, tensor<4x?xf32>, tensor<2x3x4x20xf32>, tensor<4x20xi32>
}

// -----

// CHECK-LABEL: func @positions_of_the_best
// CHECK: IE.ArgMax{{.*}}algorithm = inTurn
// CHECK: IE.ArgMax{{.*}}algorithm = atOnce
// CHECK: IE.ArgMin{{.*}}algorithm = inTurn
func.func @positions_of_the_best(%x: tensor<2x8xf32>, %y: tensor<2x8x1xi32>) -> (tensor<2x1xi64>, tensor<1x8xi64>, tensor<2x1x1xi64>) {
  %0 = IE.ArgMax(%x) {axis = 1 : i64} : (tensor<2x8xf32>) -> tensor<2x1xi64>
  %1 = IE.ArgMax(%x) {axis = -2 : i64} : (tensor<2x8xf32>) -> tensor<1x8xi64>
  %2 = IE.ArgMin(%y) {axis = 1 : i64} : (tensor<2x8x1xi32>) -> tensor<2x1x1xi64>
  return %0, %1, %2 : tensor<2x1xi64>, tensor<1x8xi64>, tensor<2x1x1xi64>
}

// -----

// An element of a window of 5x5 would be extended 25 times, and those of windows in
// steps do not lie side by side.
// CHECK-LABEL: func @means_of_16_bit_floats
// CHECK: IE.AveragePool{{.*}}algorithm = narrowImage
// CHECK: IE.AveragePool{{.*}}algorithm = direct
// CHECK: IE.AveragePool{{.*}}algorithm = direct
func.func @means_of_16_bit_floats(%h: tensor<1x1x6x6xf16>) -> (tensor<1x1x4x4xf32>, tensor<1x1x2x2xf32>, tensor<1x1x2x2xf32>) {
  %x = IE.Cast %h to f32 : tensor<1x1x6x6xf16> -> tensor<1x1x6x6xf32>
  %0 = IE.AveragePool(%x) {kernel_shape = array<i64: 3, 3>} : (tensor<1x1x6x6xf32>) -> tensor<1x1x4x4xf32>
  %1 = IE.AveragePool(%x) {kernel_shape = array<i64: 5, 5>} : (tensor<1x1x6x6xf32>) -> tensor<1x1x2x2xf32>
  %2 = IE.AveragePool(%x) {kernel_shape = array<i64: 3, 3>, strides = array<i64: 2, 2>} : (tensor<1x1x6x6xf32>) -> tensor<1x1x2x2xf32>
  return %0, %1, %2 : tensor<1x1x4x4xf32>, tensor<1x1x2x2xf32>, tensor<1x1x2x2xf32>
}

// -----

// CHECK-LABEL: func @means_of_other_floats_are_direct
// CHECK-COUNT-2: IE.AveragePool{{.*}}#VPU.strategy<algorithm = direct>
func.func @means_of_other_floats_are_direct(%d: tensor<1x1x6x6xf64>, %y: tensor<1x1x6x6xf32>) -> (tensor<1x1x4x4xf32>, tensor<1x1x4x4xf32>) {
  %x = IE.Cast %d to f32 : tensor<1x1x6x6xf64> -> tensor<1x1x6x6xf32>
  %0 = IE.AveragePool(%x) {kernel_shape = array<i64: 3, 3>} : (tensor<1x1x6x6xf32>) -> tensor<1x1x4x4xf32>
  %1 = IE.AveragePool(%y) {kernel_shape = array<i64: 3, 3>} : (tensor<1x1x6x6xf32>) -> tensor<1x1x4x4xf32>
  return %0, %1 : tensor<1x1x4x4xf32>, tensor<1x1x4x4xf32>
}

// -----

// CHECK-LABEL: func @neighbours_of_a_channel
// CHECK: IE.LRN{{.*}}algorithm = slices
// CHECK: IE.LRN{{.*}}algorithm = direct
func.func @neighbours_of_a_channel(%x: tensor<1x32x4xf32>) -> (tensor<1x32x4xf32>, tensor<1x32x4xf32>) {
  %0 = IE.LRN(%x) {size = 16 : i64} : (tensor<1x32x4xf32>) -> tensor<1x32x4xf32>
  %1 = IE.LRN(%x) {size = 17 : i64} : (tensor<1x32x4xf32>) -> tensor<1x32x4xf32>
  return %0, %1 : tensor<1x32x4xf32>, tensor<1x32x4xf32>
}

// -----

// CHECK-LABEL: func @more_neighbours_than_channels_have_one_algorithm
// CHECK-NOT: VPU.strategy
func.func @more_neighbours_than_channels_have_one_algorithm(%x: tensor<1x3x4xf32>) -> tensor<1x3x4xf32> {
  %0 = IE.LRN(%x) {size = 4 : i64} : (tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
  return %0 : tensor<1x3x4xf32>
}

// -----

// CHECK-LABEL: func @regions
// CHECK: IE.RoiAlign{{.*}}algorithm = channelsLast
// CHECK: IE.RoiAlign{{.*}}algorithm = direct
func.func @regions(%x: tensor<1x3x16x16xf32>, %y: tensor<1x48x64x64xf32>, %r: tensor<7x4xf32>, %b: tensor<7xi64>) -> (tensor<7x3x5x4xf32>, tensor<7x48x5x4xf32>) {
  %0 = IE.RoiAlign(%x, %r, %b) {output_height = 5 : i64, output_width = 4 : i64} : (tensor<1x3x16x16xf32>, tensor<7x4xf32>, tensor<7xi64>) -> tensor<7x3x5x4xf32>
  %1 = IE.RoiAlign(%y, %r, %b) {output_height = 5 : i64, output_width = 4 : i64, sampling_ratio = 1 : i64} : (tensor<1x48x64x64xf32>, tensor<7x4xf32>, tensor<7xi64>) -> tensor<7x48x5x4xf32>
  return %0, %1 : tensor<7x3x5x4xf32>, tensor<7x48x5x4xf32>
}

// -----

// A run finds how many regions there are, or how large the image is.
// CHECK-LABEL: func @regions_of_runs
// CHECK: IE.RoiAlign(%arg0{{.*}}algorithm = channelsLastIfMany
// CHECK: IE.RoiAlign(%arg1{{.*}}algorithm = channelsLastIfMany
// CHECK: IE.RoiAlign(%arg1{{.*}}algorithm = channelsLast>
func.func @regions_of_runs(%x: tensor<1x3x16x16xf32>, %y: tensor<1x48x?x?xf32>, %r: tensor<7x4xf32>, %b: tensor<7xi64>, %s: tensor<?x4xf32>, %c: tensor<?xi64>) -> (tensor<?x3x5x4xf32>, tensor<7x48x5x4xf32>, tensor<7x48x5x4xf32>) {
  %0 = IE.RoiAlign(%x, %s, %c) {output_height = 5 : i64, output_width = 4 : i64, sampling_ratio = 2 : i64} : (tensor<1x3x16x16xf32>, tensor<?x4xf32>, tensor<?xi64>) -> tensor<?x3x5x4xf32>
  %1 = IE.RoiAlign(%y, %r, %b) {output_height = 5 : i64, output_width = 4 : i64, sampling_ratio = 1 : i64} : (tensor<1x48x?x?xf32>, tensor<7x4xf32>, tensor<7xi64>) -> tensor<7x48x5x4xf32>
  %2 = IE.RoiAlign(%y, %r, %b) {output_height = 5 : i64, output_width = 4 : i64} : (tensor<1x48x?x?xf32>, tensor<7x4xf32>, tensor<7xi64>) -> tensor<7x48x5x4xf32>
  return %0, %1, %2 : tensor<?x3x5x4xf32>, tensor<7x48x5x4xf32>, tensor<7x48x5x4xf32>
}

// -----

// Channel by channel where all of the image is more than a cache and has channels
// enough for tables to be small beside the result.
// CHECK-LABEL: func @positions
// CHECK: IE.GridSample(%arg0{{.*}}algorithm = planes
// CHECK: IE.GridSample(%arg1{{.*}}algorithm = direct
// CHECK: IE.GridSample(%arg2{{.*}}algorithm = direct
// CHECK: IE.GridSample(%arg3{{.*}}algorithm = planes
// CHECK: IE.GridSample(%arg0, %arg4) {VPU.strategy = #VPU.strategy<algorithm = direct>, mode = "cubic"}
// CHECK: IE.GridSample(%arg0, %arg4) {mode = "nearest"}
func.func @positions(%x: tensor<1x16x400x400xf32>, %near: tensor<?x16x40x40xf32>, %few: tensor<1x15x400x400xf32>, %open: tensor<1x32x?x?xf32>, %g: tensor<1x5x6x2xf32>) -> (tensor<1x16x5x6xf32>, tensor<1x16x5x6xf32>, tensor<1x15x5x6xf32>, tensor<1x32x5x6xf32>, tensor<1x16x5x6xf32>, tensor<1x16x5x6xf32>) {
  %0 = IE.GridSample(%x, %g) : (tensor<1x16x400x400xf32>, tensor<1x5x6x2xf32>) -> tensor<1x16x5x6xf32>
  %1 = IE.GridSample(%near, %g) : (tensor<?x16x40x40xf32>, tensor<1x5x6x2xf32>) -> tensor<1x16x5x6xf32>
  %2 = IE.GridSample(%few, %g) : (tensor<1x15x400x400xf32>, tensor<1x5x6x2xf32>) -> tensor<1x15x5x6xf32>
  %3 = IE.GridSample(%open, %g) : (tensor<1x32x?x?xf32>, tensor<1x5x6x2xf32>) -> tensor<1x32x5x6xf32>
  %4 = IE.GridSample(%x, %g) {mode = "cubic"} : (tensor<1x16x400x400xf32>, tensor<1x5x6x2xf32>) -> tensor<1x16x5x6xf32>
  %5 = IE.GridSample(%x, %g) {mode = "nearest"} : (tensor<1x16x400x400xf32>, tensor<1x5x6x2xf32>) -> tensor<1x16x5x6xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<1x16x5x6xf32>, tensor<1x16x5x6xf32>, tensor<1x15x5x6xf32>, tensor<1x32x5x6xf32>, tensor<1x16x5x6xf32>, tensor<1x16x5x6xf32>
}

// -----

// CHECK-LABEL: func @one_row
// CORES-LABEL: func @one_row
// CORES: IE.Softmax{{.*}}algorithm = inPlace
// CHECK: IE.Softmax{{.*}}algorithm = atOnce
// CHECK: IE.Softmax{{.*}}algorithm = direct
func.func @one_row(%x: tensor<1x16384xf32>, %y: tensor<1x16383xf32>) -> (tensor<1x16384xf32>, tensor<1x16383xf32>) {
  %0 = IE.Softmax(%x) : (tensor<1x16384xf32>) -> tensor<1x16384xf32>
  %1 = IE.Softmax(%y) : (tensor<1x16383xf32>) -> tensor<1x16383xf32>
  return %0, %1 : tensor<1x16384xf32>, tensor<1x16383xf32>
}

// -----

// CHECK-LABEL: func @one_row_of_unknown_length
// CHECK: IE.Softmax{{.*}}algorithm = atOnce
// CHECK-NOT: VPU.strategy
func.func @one_row_of_unknown_length(%x: tensor<1x?xf32>, %y: tensor<?x1xf32>) -> (tensor<1x?xf32>, tensor<?x1xf32>) {
  %0 = IE.Softmax(%x) : (tensor<1x?xf32>) -> tensor<1x?xf32>
  %1 = IE.Softmax(%y) : (tensor<?x1xf32>) -> tensor<?x1xf32>
  return %0, %1 : tensor<1x?xf32>, tensor<?x1xf32>
}

// -----

// CHECK-LABEL: func @several_rows_or_halves_have_one_algorithm
// CHECK-NOT: VPU.strategy
func.func @several_rows_or_halves_have_one_algorithm(%x: tensor<2x16384xf32>, %y: tensor<1x16384xf16>) -> (tensor<2x16384xf32>, tensor<1x16384xf16>) {
  %0 = IE.Softmax(%x) : (tensor<2x16384xf32>) -> tensor<2x16384xf32>
  %1 = IE.Softmax(%y) : (tensor<1x16384xf16>) -> tensor<1x16384xf16>
  return %0, %1 : tensor<2x16384xf32>, tensor<1x16384xf16>
}

// -----

// CHECK-LABEL: func @blocks_of_weights_have_at_most_128_elements
// CHECK: IE.MatMulNBits{{.*}}#VPU.strategy<blockParts = 1>
// CHECK: IE.MatMulNBits{{.*}}#VPU.strategy<blockParts = 2>
func.func @blocks_of_weights_have_at_most_128_elements(%x: tensor<3x512xf32>, %w: tensor<10x4x64xui8>, %s: tensor<10x4xf32>, %u: tensor<10x2x128xui8>, %t: tensor<10x2xf32>) -> (tensor<3x10xf32>, tensor<3x10xf32>) {
  %0 = IE.MatMulNBits(%x, %w, %s) {K = 512 : i64, bits = 4 : i64, block_size = 128 : i64} : (tensor<3x512xf32>, tensor<10x4x64xui8>, tensor<10x4xf32>) -> tensor<3x10xf32>
  %1 = IE.MatMulNBits(%x, %u, %t) {K = 512 : i64, bits = 4 : i64, block_size = 256 : i64} : (tensor<3x512xf32>, tensor<10x2x128xui8>, tensor<10x2xf32>) -> tensor<3x10xf32>
  return %0, %1 : tensor<3x10xf32>, tensor<3x10xf32>
}

// -----

// 26 words are two parts of 16 words, filled with zeroes.
// CHECK-LABEL: func @a_block_for_each_column_is_as_many_parts_as_it_takes
// CHECK: #VPU.strategy<blockParts = 2>
func.func @a_block_for_each_column_is_as_many_parts_as_it_takes(%x: tensor<3x202xf32>, %w: tensor<10x1x104xui8>, %s: tensor<10x1xf32>) -> tensor<3x10xf32> {
  %0 = IE.MatMulNBits(%x, %w, %s) {K = 202 : i64, bits = 4 : i64, block_size = 208 : i64} : (tensor<3x202xf32>, tensor<10x1x104xui8>, tensor<10x1xf32>) -> tensor<3x10xf32>
  return %0 : tensor<3x10xf32>
}

// -----

// CHECK-LABEL: func @blocks_of_half_a_word_are_not_cut
// CHECK-NOT: VPU.strategy
func.func @blocks_of_half_a_word_are_not_cut(%x: tensor<3x16xf32>, %w: tensor<10x2x2xui8>, %s: tensor<10x2xf32>) -> tensor<3x10xf32> {
  %0 = IE.MatMulNBits(%x, %w, %s) {K = 16 : i64, bits = 2 : i64, block_size = 8 : i64} : (tensor<3x16xf32>, tensor<10x2x2xui8>, tensor<10x2xf32>) -> tensor<3x10xf32>
  return %0 : tensor<3x10xf32>
}

// -----

// Machines that multiply packs of bytes make them in registers, but the last one,
// which has none.
// CHECK-LABEL: func @few_rows_of_bytes_by_a_computed_matrix
// V4: IE.MatMulInteger{{.*}}#VPU.strategy<algorithm = rowMajor>
// V3: IE.MatMulInteger{{.*}}#VPU.strategy<algorithm = rowMajor>
// NEON: IE.MatMulInteger{{.*}}#VPU.strategy<algorithm = software>
// V4: IE.MatMulInteger{{.*}}#VPU.strategy<algorithm = rowMajor>
// V3: IE.MatMulInteger{{.*}}#VPU.strategy<algorithm = rowMajor>
// NEON: IE.MatMulInteger{{.*}}#VPU.strategy<algorithm = panels>
func.func @few_rows_of_bytes_by_a_computed_matrix(%x: tensor<2x4xui8>, %y: tensor<3x4xui8>, %w: tensor<4x2xi8>, %v: tensor<4x2xi8>) -> (tensor<2x2xi32>, tensor<3x2xi32>) {
  %0 = IE.MatMulInteger(%x, %w) : (tensor<2x4xui8>, tensor<4x2xi8>) -> tensor<2x2xi32>
  %1 = IE.MatMulInteger(%y, %v) : (tensor<3x4xui8>, tensor<4x2xi8>) -> tensor<3x2xi32>
  return %0, %1 : tensor<2x2xi32>, tensor<3x2xi32>
}

// -----

// Many rows are worth panels. How many there are may be for a run to say.
// CHECK-LABEL: func @many_rows_of_bytes_by_a_computed_matrix
// CHECK: IE.MatMulInteger{{.*}}#VPU.strategy<algorithm = panels>
// V4: IE.MatMulInteger{{.*}}#VPU.strategy<algorithm = rowMajor>
// V3: IE.MatMulInteger{{.*}}#VPU.strategy<algorithm = rowMajor>
// NEON: IE.MatMulInteger{{.*}}#VPU.strategy<algorithm = panels>
func.func @many_rows_of_bytes_by_a_computed_matrix(%x: tensor<200x4xui8>, %y: tensor<?x4xui8>, %w: tensor<4x2xi8>, %v: tensor<4x2xi8>) -> (tensor<200x2xi32>, tensor<?x2xi32>) {
  %0 = IE.MatMulInteger(%x, %w) : (tensor<200x4xui8>, tensor<4x2xi8>) -> tensor<200x2xi32>
  %1 = IE.MatMulInteger(%y, %v) : (tensor<?x4xui8>, tensor<4x2xi8>) -> tensor<?x2xi32>
  return %0, %1 : tensor<200x2xi32>, tensor<?x2xi32>
}

// -----

// Panels of it are shared, where rows are not read as they lie.
// CHECK-LABEL: func @few_rows_by_a_matrix_that_others_read
// V4-COUNT-2: IE.MatMulInteger{{.*}}#VPU.strategy<algorithm = rowMajor>
// V3-COUNT-2: IE.MatMulInteger{{.*}}#VPU.strategy<algorithm = rowMajor>
// NEON-COUNT-2: IE.MatMulInteger{{.*}}#VPU.strategy<algorithm = panels>
func.func @few_rows_by_a_matrix_that_others_read(%x: tensor<2x4xui8>, %y: tensor<3x4xui8>, %w: tensor<4x2xi8>) -> (tensor<2x2xi32>, tensor<3x2xi32>) {
  %0 = IE.MatMulInteger(%x, %w) : (tensor<2x4xui8>, tensor<4x2xi8>) -> tensor<2x2xi32>
  %1 = IE.MatMulInteger(%y, %w) : (tensor<3x4xui8>, tensor<4x2xi8>) -> tensor<3x2xi32>
  return %0, %1 : tensor<2x2xi32>, tensor<3x2xi32>
}

// -----

// Of each matrix its rows count, of one for all all rows.
// CHECK-LABEL: func @few_rows_of_bytes_by_many_matrices
// V4: IE.MatMulInteger{{.*}}#VPU.strategy<algorithm = rowMajor>
// NEON: IE.MatMulInteger{{.*}}#VPU.strategy<algorithm = panels>
// CHECK: IE.MatMulInteger{{.*}}#VPU.strategy<algorithm = panels>
func.func @few_rows_of_bytes_by_many_matrices(%x: tensor<64x1x4xui8>, %w: tensor<64x4x2xi8>, %v: tensor<1x4x2xi8>) -> (tensor<64x1x2xi32>, tensor<64x1x2xi32>) {
  %0 = IE.MatMulInteger(%x, %w) : (tensor<64x1x4xui8>, tensor<64x4x2xi8>) -> tensor<64x1x2xi32>
  %1 = IE.MatMulInteger(%x, %v) : (tensor<64x1x4xui8>, tensor<1x4x2xi8>) -> tensor<64x1x2xi32>
  return %0, %1 : tensor<64x1x2xi32>, tensor<64x1x2xi32>
}

// -----

// CHECK-LABEL: func @rows_by_a_constant_matrix_have_one_algorithm
// CHECK-NOT: VPU.strategy
func.func @rows_by_a_constant_matrix_have_one_algorithm(%x: tensor<1x4xui8>) -> tensor<1x2xi32> {
  %w = IE.Constant dense<1> : tensor<4x2xi8>
  %0 = IE.MatMulInteger(%x, %w) : (tensor<1x4xui8>, tensor<4x2xi8>) -> tensor<1x2xi32>
  return %0 : tensor<1x2xi32>
}

// -----

// So few elements are read where they lie, and with none around them; others in
// the engine's layout. Windows side by side are so many vectors.
// CHECK-LABEL: func @images_are_pooled_where_they_come_from_by_small_windows
// CHECK: IE.MaxPool{{.*}}#VPU.strategy<algorithm = asOperand>{{.*}} -> tensor<1x16x?x?xf32>
// CHECK: IE.AveragePool{{.*}}#VPU.strategy<algorithm = slices>
// CHECK: IE.MaxPool{{.*}}#VPU.strategy<algorithm = direct>
// CHECK: IE.MaxPool{{.*}}#VPU.strategy<algorithm = direct>
func.func @images_are_pooled_where_they_come_from_by_small_windows(%x: tensor<1x16x?x?xf32>) -> (tensor<1x16x?x?xf32>, tensor<1x16x?x?xf32>, tensor<1x16x?x?xf32>, tensor<1x16x?x?xf32>) {
  %0 = IE.MaxPool(%x) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x16x?x?xf32>) -> tensor<1x16x?x?xf32>
  %1 = IE.AveragePool(%x) {kernel_shape = array<i64: 2, 2>} : (tensor<1x16x?x?xf32>) -> tensor<1x16x?x?xf32>
  %2 = IE.MaxPool(%x) {kernel_shape = array<i64: 2, 2>, pads = array<i64: 1, 0, 0, 0>} : (tensor<1x16x?x?xf32>) -> tensor<1x16x?x?xf32>
  %3 = IE.MaxPool(%x) {kernel_shape = array<i64: 3, 3>} : (tensor<1x16x?x?xf32>) -> tensor<1x16x?x?xf32>
  return %0, %1, %2, %3 : tensor<1x16x?x?xf32>, tensor<1x16x?x?xf32>, tensor<1x16x?x?xf32>, tensor<1x16x?x?xf32>
}

// -----

// Bringing a volume into the order of images takes longer than windows that meet
// each element once.
// CHECK-LABEL: func @volumes_are_pooled_where_they_come_from
// CHECK: IE.MaxPool{{.*}}#VPU.strategy<algorithm = asOperand>
// CHECK: IE.AveragePool{{.*}}#VPU.strategy<algorithm = asOperand>
// CHECK: IE.MaxPool{{.*}}#VPU.strategy<algorithm = direct>
func.func @volumes_are_pooled_where_they_come_from(%x: tensor<1x16x4x4x4xf32>) -> (tensor<1x16x2x2x2xf32>, tensor<1x16x2x2x2xf32>, tensor<1x16x2x4x4xf32>) {
  %0 = IE.MaxPool(%x) {kernel_shape = array<i64: 2, 2, 2>, strides = array<i64: 2, 2, 2>} : (tensor<1x16x4x4x4xf32>) -> tensor<1x16x2x2x2xf32>
  %1 = IE.AveragePool(%x) {kernel_shape = array<i64: 2, 2, 2>, strides = array<i64: 2, 2, 2>} : (tensor<1x16x4x4x4xf32>) -> tensor<1x16x2x2x2xf32>
  %2 = IE.MaxPool(%x) {kernel_shape = array<i64: 3, 1, 1>} : (tensor<1x16x4x4x4xf32>) -> tensor<1x16x2x4x4xf32>
  return %0, %1, %2 : tensor<1x16x2x2x2xf32>, tensor<1x16x2x2x2xf32>, tensor<1x16x2x4x4xf32>
}

// -----

// CHECK-LABEL: func @images_are_pooled_by_the_engine
// CHECK: IE.MaxPool{{.*}}#VPU.strategy<algorithm = direct>
// CHECK: IE.AveragePool{{.*}}#VPU.strategy<algorithm = direct>
func.func @images_are_pooled_by_the_engine(%x: tensor<1x16x8x8xf32>) -> (tensor<1x16x4x4xf32>, tensor<1x16x8x8xf32>) {
  %0 = IE.MaxPool(%x) {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 0, 0>, strides = array<i64: 2, 2>} : (tensor<1x16x8x8xf32>) -> tensor<1x16x4x4xf32>
  %1 = IE.AveragePool(%x) {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
  return %0, %1 : tensor<1x16x4x4xf32>, tensor<1x16x8x8xf32>
}

// -----

// Six channels are for a vector of eight elements, and too many for one of four.
// CHECK-LABEL: func @images_of_a_window
// V4: IE.Conv{{.*}}#VPU.strategy<algorithm = atOnce>
// V3: IE.Conv{{.*}}#VPU.strategy<algorithm = atOnce>
// NEON: IE.Conv{{.*}}#VPU.strategy<algorithm = inTurn>
// CHECK: IE.Conv{{.*}}#VPU.strategy<algorithm = inTurn>
func.func @images_of_a_window(%x: tensor<1x2x4x4x4xf32>, %y: tensor<1x6x4x4x4xf32>, %w: tensor<16x2x3x1x1xf32>, %v: tensor<16x6x3x1x1xf32>) -> (tensor<1x16x2x4x4xf32>, tensor<1x16x2x4x4xf32>) {
  %0 = IE.Conv(%x, %w) : (tensor<1x2x4x4x4xf32>, tensor<16x2x3x1x1xf32>) -> tensor<1x16x2x4x4xf32>
  %1 = IE.Conv(%y, %v) : (tensor<1x6x4x4x4xf32>, tensor<16x6x3x1x1xf32>) -> tensor<1x16x2x4x4xf32>
  return %0, %1 : tensor<1x16x2x4x4xf32>, tensor<1x16x2x4x4xf32>
}

// -----

// What follows may go on with images.
// CHECK-LABEL: func @single_elements_of_a_volume
// CHECK: IE.Conv{{.*}}#VPU.strategy<algorithm = rowMajor>
// CHECK: IE.Conv{{.*}}#VPU.strategy<algorithm = inTurn>
func.func @single_elements_of_a_volume(%x: tensor<2x24x4x5x6xf32>, %w: tensor<16x24x1x1x1xf32>) -> (tensor<2x16x4x5x6xf32>, tensor<2x16x4x5x6xf32>) {
  %0 = IE.Conv(%x, %w) : (tensor<2x24x4x5x6xf32>, tensor<16x24x1x1x1xf32>) -> tensor<2x16x4x5x6xf32>
  %1 = IE.Conv(%x, %w) : (tensor<2x24x4x5x6xf32>, tensor<16x24x1x1x1xf32>) -> tensor<2x16x4x5x6xf32>
  %2 = IE.Relu %1 : tensor<2x16x4x5x6xf32> -> tensor<2x16x4x5x6xf32>
  return %0, %2 : tensor<2x16x4x5x6xf32>, tensor<2x16x4x5x6xf32>
}

// -----

// One way each: of groups, of images, and of volumes of dynamic size.
// CHECK-LABEL: func @other_convolutions
// CHECK-NOT: VPU.strategy
func.func @other_convolutions(%x: tensor<1x4x4x4x4xf32>, %i: tensor<1x4x4x4xf32>, %d: tensor<1x4x?x4x4xf32>, %g: tensor<4x1x3x3x3xf32>, %w: tensor<4x4x1x1xf32>, %v: tensor<4x4x3x1x1xf32>) -> (tensor<1x4x2x2x2xf32>, tensor<1x4x4x4xf32>, tensor<1x4x?x4x4xf32>) {
  %0 = IE.Conv(%x, %g) {group = 4 : i64} : (tensor<1x4x4x4x4xf32>, tensor<4x1x3x3x3xf32>) -> tensor<1x4x2x2x2xf32>
  %1 = IE.Conv(%i, %w) : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %2 = IE.Conv(%d, %v) : (tensor<1x4x?x4x4xf32>, tensor<4x4x3x1x1xf32>) -> tensor<1x4x?x4x4xf32>
  return %0, %1, %2 : tensor<1x4x2x2x2xf32>, tensor<1x4x4x4xf32>, tensor<1x4x?x4x4xf32>
}

// -----

// Small elements whose positions need more than 16 bits, or may.
// CHECK-LABEL: func @triangles
// CHECK: IE.Trilu %arg0 {VPU.strategy = #VPU.strategy<algorithm = cutRows>}
// CHECK: IE.Trilu %arg1 {VPU.strategy = #VPU.strategy<algorithm = cutRows>}
// CHECK: IE.Trilu %arg2 {VPU.strategy = #VPU.strategy<algorithm = direct>}
// CHECK: IE.Trilu %arg3 {VPU.strategy = #VPU.strategy<algorithm = direct>}
func.func @triangles(%a: tensor<2x?x?xi1>, %b: tensor<2x40000xf16>, %c: tensor<300x400xi8>, %d: tensor<?x?xf32>) -> (tensor<2x?x?xi1>, tensor<2x40000xf16>, tensor<300x400xi8>, tensor<?x?xf32>) {
  %0 = IE.Trilu %a : tensor<2x?x?xi1> -> tensor<2x?x?xi1>
  %1 = IE.Trilu %b : tensor<2x40000xf16> -> tensor<2x40000xf16>
  %2 = IE.Trilu %c : tensor<300x400xi8> -> tensor<300x400xi8>
  %3 = IE.Trilu %d : tensor<?x?xf32> -> tensor<?x?xf32>
  return %0, %1, %2, %3 : tensor<2x?x?xi1>, tensor<2x40000xf16>, tensor<300x400xi8>, tensor<?x?xf32>
}
