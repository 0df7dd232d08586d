// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-verify-strategies=decided=operators --split-input-file --verify-diagnostics
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --convert-ie-to-vpu --convert-ie-to-linalg --split-input-file --verify-diagnostics

func.func @algorithms_that_can_be_applied(%x: tensor<2x1000xf32>, %k: tensor<1xi64>) -> (tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>) {
  %0:2 = IE.TopK(%x, %k) {VPU.strategy = #VPU.strategy<algorithm = candidates>} : (tensor<2x1000xf32>, tensor<1xi64>) -> (tensor<2x1xf32>, tensor<2x1xi64>)
  %1:2 = IE.TopK(%x, %k) {VPU.strategy = #VPU.strategy<algorithm = standingLines>} : (tensor<2x1000xf32>, tensor<1xi64>) -> (tensor<2x1xf32>, tensor<2x1xi64>)
  %2:2 = IE.TopK(%x, %k) {VPU.strategy = #VPU.strategy<>} : (tensor<2x1000xf32>, tensor<1xi64>) -> (tensor<2x1xf32>, tensor<2x1xi64>)
  return %0#0, %1#0, %2#0 : tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>
}

// -----

func.func @sorted_columns_of_wide_elements(%x: tensor<2x1000x8xi64>, %k: tensor<1xi64>) -> tensor<2x900x8xi64> {
  // expected-error@+1 {{expected algorithm = candidates or columns alone, found #VPU.strategy<algorithm = sortedColumns>}}
  %0:2 = IE.TopK(%x, %k) {VPU.strategy = #VPU.strategy<algorithm = sortedColumns>, axis = 1 : i64} : (tensor<2x1000x8xi64>, tensor<1xi64>) -> (tensor<2x900x8xi64>, tensor<2x900x8xi64>)
  return %0#0 : tensor<2x900x8xi64>
}

// -----

func.func @longest_columns_that_are_sorted(%x: tensor<1x65536x16xf32>, %k: tensor<1xi64>) -> tensor<1x4x16xf32> {
  %0:2 = IE.TopK(%x, %k) {VPU.strategy = #VPU.strategy<algorithm = sortedColumns>, axis = 1 : i64} : (tensor<1x65536x16xf32>, tensor<1xi64>) -> (tensor<1x4x16xf32>, tensor<1x4x16xi64>)
  return %0#0 : tensor<1x4x16xf32>
}

// -----

// They would need more memory beside than caches hold.
func.func @sorted_columns_of_long_columns(%x: tensor<1x65537x16xf32>, %k: tensor<1xi64>) -> tensor<1x4x16xf32> {
  // expected-error@+1 {{expected algorithm = candidates or columns alone, found #VPU.strategy<algorithm = sortedColumns>}}
  %0:2 = IE.TopK(%x, %k) {VPU.strategy = #VPU.strategy<algorithm = sortedColumns>, axis = 1 : i64} : (tensor<1x65537x16xf32>, tensor<1xi64>) -> (tensor<1x4x16xf32>, tensor<1x4x16xi64>)
  return %0#0 : tensor<1x4x16xf32>
}

// -----

func.func @sorted_lines_of_long_lines(%x: tensor<16x65537xf32>, %k: tensor<1xi64>) -> tensor<16x4xf32> {
  // expected-error@+1 {{expected algorithm = candidates or columns or standingLines alone, found #VPU.strategy<algorithm = sortedLines>}}
  %0:2 = IE.TopK(%x, %k) {VPU.strategy = #VPU.strategy<algorithm = sortedLines>} : (tensor<16x65537xf32>, tensor<1xi64>) -> (tensor<16x4xf32>, tensor<16x4xi64>)
  return %0#0 : tensor<16x4xf32>
}

// -----

func.func @best_element_of_several(%x: tensor<2x1000xf32>, %k: tensor<1xi64>) -> tensor<2x20xf32> {
  // expected-error@+1 {{expected algorithm = candidates or columns or standingLines or sortedLines alone, found #VPU.strategy<algorithm = bestElement>}}
  %0:2 = IE.TopK(%x, %k) {VPU.strategy = #VPU.strategy<algorithm = bestElement>} : (tensor<2x1000xf32>, tensor<1xi64>) -> (tensor<2x20xf32>, tensor<2x20xi64>)
  return %0#0 : tensor<2x20xf32>
}

// -----

func.func @columns_of_dynamic_number(%x: tensor<2x1000x?xf32>, %k: tensor<1xi64>) -> tensor<2x3x?xf32> {
  // expected-error@+1 {{expected algorithm = candidates alone, found #VPU.strategy<algorithm = columns>}}
  %0:2 = IE.TopK(%x, %k) {axis = 1 : i64, VPU.strategy = #VPU.strategy<algorithm = columns>} : (tensor<2x1000x?xf32>, tensor<1xi64>) -> (tensor<2x3x?xf32>, tensor<2x3x?xi64>)
  return %0#0 : tensor<2x3x?xf32>
}

// -----

func.func @algorithm_with_tiles(%x: tensor<2x1000xf32>, %k: tensor<1xi64>) -> tensor<2x20xf32> {
  // expected-error@+1 {{alone, found #VPU.strategy<algorithm = candidates, tiles = [1, 2]>}}
  %0:2 = IE.TopK(%x, %k) {VPU.strategy = #VPU.strategy<algorithm = candidates, tiles = [1, 2]>} : (tensor<2x1000xf32>, tensor<1xi64>) -> (tensor<2x20xf32>, tensor<2x20xi64>)
  return %0#0 : tensor<2x20xf32>
}

// -----

func.func @phases_of_dilated_kernels_as_channels(%x: tensor<1x16x5x5xf32>, %w: tensor<16x3x2x2xf32>) -> tensor<1x3x11x11xf32> {
  // expected-error@+1 {{expected algorithm = phases or software alone, found #VPU.strategy<algorithm = phasesAsChannels>}}
  %0 = IE.ConvTranspose(%x, %w) {dilations = array<i64: 2, 2>, strides = array<i64: 2, 2>, VPU.strategy = #VPU.strategy<algorithm = phasesAsChannels>} : (tensor<1x16x5x5xf32>, tensor<16x3x2x2xf32>) -> tensor<1x3x11x11xf32>
  return %0 : tensor<1x3x11x11xf32>
}

// -----

func.func @long_rows_of_a_transposed_matrix_as_they_lie(%x: tensor<4x5000xf32>, %y: tensor<20x5000xf32>) -> tensor<4x20xf32> {
  // expected-error@+1 {{expected algorithm = panels alone, found #VPU.strategy<algorithm = rowMajor>}}
  %0 = IE.Gemm(%x, %y) {transB = 1 : i64, VPU.strategy = #VPU.strategy<algorithm = rowMajor>} : (tensor<4x5000xf32>, tensor<20x5000xf32>) -> tensor<4x20xf32>
  return %0 : tensor<4x20xf32>
}

// -----

func.func @constant_matrix_as_it_lies(%x: tensor<4x8xf32>) -> tensor<4x20xf32> {
  %w = IE.Constant dense<1.0> : tensor<8x20xf32>
  // expected-error@+1 {{expected no strategy: there is one way to lower it}}
  %0 = IE.MatMul(%x, %w) {VPU.strategy = #VPU.strategy<algorithm = rowMajor>} : (tensor<4x8xf32>, tensor<8x20xf32>) -> tensor<4x20xf32>
  return %0 : tensor<4x20xf32>
}

// -----

func.func @positions_by_phases(%x: tensor<2x8xf32>) -> tensor<2x1xi64> {
  // expected-error@+1 {{expected algorithm = inTurn or atOnce alone, found #VPU.strategy<algorithm = phases>}}
  %0 = IE.ArgMin(%x) {axis = 1 : i64, VPU.strategy = #VPU.strategy<algorithm = phases>} : (tensor<2x8xf32>) -> tensor<2x1xi64>
  return %0 : tensor<2x1xi64>
}

// -----

func.func @narrow_image_of_doubles(%d: tensor<1x1x6xf64>) -> tensor<1x1x4xf32> {
  %x = IE.Cast %d to f32 : tensor<1x1x6xf64> -> tensor<1x1x6xf32>
  // expected-error@+1 {{expected algorithm = direct or software or asOperand or slices alone, found #VPU.strategy<algorithm = narrowImage>}}
  %0 = IE.AveragePool(%x) {kernel_shape = array<i64: 3>, VPU.strategy = #VPU.strategy<algorithm = narrowImage>} : (tensor<1x1x6xf32>) -> tensor<1x1x4xf32>
  return %0 : tensor<1x1x4xf32>
}

// -----

func.func @slices_of_fewer_channels(%x: tensor<1x3x4xf32>) -> tensor<1x3x4xf32> {
  // expected-error@+1 {{expected algorithm = direct alone, found #VPU.strategy<algorithm = slices>}}
  %0 = IE.LRN(%x) {size = 4 : i64, VPU.strategy = #VPU.strategy<algorithm = slices>} : (tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
  return %0 : tensor<1x3x4xf32>
}

// -----

func.func @several_rows_in_place(%x: tensor<2x16384xf32>) -> tensor<2x16384xf32> {
  // expected-error@+1 {{expected algorithm = direct alone, found #VPU.strategy<algorithm = inPlace>}}
  %0 = IE.Softmax(%x) {VPU.strategy = #VPU.strategy<algorithm = inPlace>} : (tensor<2x16384xf32>) -> tensor<2x16384xf32>
  return %0 : tensor<2x16384xf32>
}

// -----

func.func @operator_without_a_choice(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expected no strategy: there is one way to lower it}}
  %0 = IE.Relu %x {VPU.strategy = #VPU.strategy<algorithm = direct>} : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @parts_that_do_not_cut_blocks(%x: tensor<3x512xf32>, %u: tensor<10x2x128xui8>, %t: tensor<10x2xf32>) -> tensor<3x10xf32> {
  // expected-error@+1 {{expected blockParts that cut 32 words of a block evenly, found 3}}
  %0 = IE.MatMulNBits(%x, %u, %t) {K = 512 : i64, bits = 4 : i64, block_size = 256 : i64, VPU.strategy = #VPU.strategy<blockParts = 3>} : (tensor<3x512xf32>, tensor<10x2x128xui8>, tensor<10x2xf32>) -> tensor<3x10xf32>
  return %0 : tensor<3x10xf32>
}

// -----

func.func @more_parts_than_words(%x: tensor<3x202xf32>, %w: tensor<10x1x104xui8>, %s: tensor<10x1xf32>) -> tensor<3x10xf32> {
  // expected-error@+1 {{expected blockParts of at most 26 words of a block, found 27}}
  %0 = IE.MatMulNBits(%x, %w, %s) {K = 202 : i64, bits = 4 : i64, block_size = 208 : i64, VPU.strategy = #VPU.strategy<blockParts = 27>} : (tensor<3x202xf32>, tensor<10x1x104xui8>, tensor<10x1xf32>) -> tensor<3x10xf32>
  return %0 : tensor<3x10xf32>
}

// -----

func.func @parts_of_something_else(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expected no blockParts: it has no blocks of whole words}}
  %0 = IE.Relu %x {VPU.strategy = #VPU.strategy<blockParts = 2>} : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @maxima_are_of_no_narrow_image(%x: tensor<1x16x8x8xf32>) -> tensor<1x16x4x4xf32> {
  // expected-error@+1 {{expected algorithm = direct or software or asOperand or slices alone, found #VPU.strategy<algorithm = narrowImage>}}
  %0 = IE.MaxPool(%x) {VPU.strategy = #VPU.strategy<algorithm = narrowImage>, kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x16x8x8xf32>) -> tensor<1x16x4x4xf32>
  return %0 : tensor<1x16x4x4xf32>
}

// -----

func.func @average_of_floats_of_32_bits_is_not_narrow(%x: tensor<1x16x8x8xf32>) -> tensor<1x16x6x6xf32> {
  // expected-error@+1 {{expected algorithm = direct or software or asOperand or slices alone, found #VPU.strategy<algorithm = narrowSoftware>}}
  %0 = IE.AveragePool(%x) {VPU.strategy = #VPU.strategy<algorithm = narrowSoftware>, kernel_shape = array<i64: 3, 3>} : (tensor<1x16x8x8xf32>) -> tensor<1x16x6x6xf32>
  return %0 : tensor<1x16x6x6xf32>
}

// -----

func.func @product_of_bytes_has_no_volume(%x: tensor<2x4xui8>, %w: tensor<4x2xi8>) -> tensor<2x2xi32> {
  // expected-error@+1 {{expected algorithm = panels or software or rowMajor alone, found #VPU.strategy<algorithm = atOnce>}}
  %0 = IE.MatMulInteger(%x, %w) {VPU.strategy = #VPU.strategy<algorithm = atOnce>} : (tensor<2x4xui8>, tensor<4x2xi8>) -> tensor<2x2xi32>
  return %0 : tensor<2x2xi32>
}

// -----

func.func @window_is_no_single_element(%x: tensor<1x4x4x4x4xf32>, %w: tensor<16x4x3x1x1xf32>) -> tensor<1x16x2x4x4xf32> {
  // expected-error@+1 {{expected algorithm = inTurn or atOnce alone, found #VPU.strategy<algorithm = rowMajor>}}
  %0 = IE.Conv(%x, %w) {VPU.strategy = #VPU.strategy<algorithm = rowMajor>} : (tensor<1x4x4x4x4xf32>, tensor<16x4x3x1x1xf32>) -> tensor<1x16x2x4x4xf32>
  return %0 : tensor<1x16x2x4x4xf32>
}

// -----

func.func @groups_are_not_taken_at_once(%x: tensor<1x4x4x4x4xf32>, %w: tensor<4x1x3x1x1xf32>) -> tensor<1x4x2x4x4xf32> {
  // expected-error@+1 {{expected algorithm = inTurn alone, found #VPU.strategy<algorithm = atOnce>}}
  %0 = IE.Conv(%x, %w) {VPU.strategy = #VPU.strategy<algorithm = atOnce>, group = 4 : i64} : (tensor<1x4x4x4x4xf32>, tensor<4x1x3x1x1xf32>) -> tensor<1x4x2x4x4xf32>
  return %0 : tensor<1x4x2x4x4xf32>
}

// -----

func.func @convolution_of_images_has_no_choice(%x: tensor<1x4x4x4xf32>, %w: tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32> {
  // expected-error@+1 {{expected no strategy: there is one way to lower it}}
  %0 = IE.Conv(%x, %w) {VPU.strategy = #VPU.strategy<algorithm = inTurn>} : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  return %0 : tensor<1x4x4x4xf32>
}

// -----

func.func @recurrence_in_known_parts(%h: tensor<?x8xf32> {nacre.dims = ["N", ""]}, %x: tensor<16x?x8xf32> {nacre.dims = ["", "N", ""]}) -> tensor<16x?x8xf32> {
  // expected-error@+1 {{expected multiCluster = SplitOverHeight, parts = [?] and a grain alone, found #VPU.strategy<multiCluster = SplitOverHeight, parts = [2]>}}
  %0:2 = IE.Scan(%h, %x) {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [2]>, num_scan_inputs = 1 : i64} : (tensor<?x8xf32>, tensor<16x?x8xf32>) -> (tensor<?x8xf32>, tensor<16x?x8xf32>) {
  ^bb0(%state: tensor<?x8xf32>, %element: tensor<?x8xf32>):
    %1 = IE.Add %state, %element : tensor<?x8xf32>, tensor<?x8xf32> -> tensor<?x8xf32>
    IE.Yield %1, %1 : tensor<?x8xf32>, tensor<?x8xf32>
  }
  return %0#1 : tensor<16x?x8xf32>
}

// -----

func.func @recurrence_of_as_many_rows_as_known(%h: tensor<4x8xf32>, %x: tensor<16x4x8xf32>) -> tensor<16x4x8xf32> {
  // expected-error@+1 {{expected no parts: it does not compute each row of its states for itself}}
  %0:2 = IE.Scan(%h, %x) {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?], grain = 6>, num_scan_inputs = 1 : i64} : (tensor<4x8xf32>, tensor<16x4x8xf32>) -> (tensor<4x8xf32>, tensor<16x4x8xf32>) {
  ^bb0(%state: tensor<4x8xf32>, %element: tensor<4x8xf32>):
    %1 = IE.Add %state, %element : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
    IE.Yield %1, %1 : tensor<4x8xf32>, tensor<4x8xf32>
  }
  return %0#1 : tensor<16x4x8xf32>
}
