// What cores share of copies and software kernels, architecture by architecture.
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-choose-strategies="decide=software min-cycles=8000" --split-input-file | FileCheck %s --check-prefix=NONE
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=2" --vpu-choose-strategies="decide=software min-cycles=8000" --split-input-file | FileCheck %s --check-prefixes=CHECK,TWO
// RUN: nacre-opt %s --init-compiler="vpu-arch=sapphirerapids threads=8" --vpu-choose-strategies="decide=software min-cycles=2000" --split-input-file | FileCheck %s --check-prefixes=CHECK,EIGHT
// RUN: nacre-opt %s --init-compiler="vpu-arch=aarch64 threads=4" --vpu-choose-strategies="decide=software min-cycles=8000" --split-input-file | FileCheck %s --check-prefixes=CHECK,ARM
// RUN: nacre-opt %s --init-compiler="vpu-arch=NPU37XX" --vpu-choose-strategies="decide=software min-cycles=8000" --split-input-file | FileCheck %s --check-prefix=NONE

// One core needs no distribution, and an NPU has no cores.
// NONE-NOT: parts = [{{[^1]}}

// Of more cores than images each gets rows.
// CHECK-LABEL: @large_copy_is_split_over_images
// TWO: parts = [2, 1, 1, 1, 1]>
// EIGHT: parts = [1, 1, 8, 1, 1]>
// ARM: parts = [4, 1, 1, 1, 1]>
func.func @large_copy_is_split_over_images(%x: tensor<4x34x56x56xf32>, %e: tensor<4x3x56x56x16xf32>) -> tensor<4x3x56x56x16xf32> {
  %0 = VPU.Copy ins(%x : tensor<4x34x56x56xf32>) outs(%e : tensor<4x3x56x56x16xf32>) {srcOrder = #VPU.order<NCHW>, dstOrder = #VPU.order<NCHWc>} -> tensor<4x3x56x56x16xf32>
  return %0 : tensor<4x3x56x56x16xf32>
}

// -----

// The channels do not fill their blocks, so a part of the blocks is no part of
// the channels; rows split into parts of one size, which need not be one per
// core.
// CHECK-LABEL: @copy_of_odd_rows_is_split_into_equal_parts
// TWO: parts = [1, 1, 5, 1, 1]>
// EIGHT: parts = [1, 1, 11, 1, 1]>
// ARM: parts = [1, 1, 5, 1, 1]>
func.func @copy_of_odd_rows_is_split_into_equal_parts(%x: tensor<1x60x55x55xf32>, %e: tensor<1x4x55x55x16xf32>) -> tensor<1x4x55x55x16xf32> {
  %0 = VPU.Copy ins(%x : tensor<1x60x55x55xf32>) outs(%e : tensor<1x4x55x55x16xf32>) {srcOrder = #VPU.order<NCHW>, dstOrder = #VPU.order<NCHWc>} -> tensor<1x4x55x55x16xf32>
  return %0 : tensor<1x4x55x55x16xf32>
}

// -----

// Parts of one row each would be small: calling a kernel for each takes as long.
// Columns are the next choice.
// CHECK-LABEL: @copy_of_a_prime_number_of_short_rows_is_split_over_columns
// TWO: parts = [1, 1, 1, 2, 1]>
// EIGHT: parts = [1, 1, 1, 8, 1]>
// ARM: parts = [1, 1, 1, 4, 1]>
func.func @copy_of_a_prime_number_of_short_rows_is_split_over_columns(%x: tensor<1x12x1009x8xf32>, %e: tensor<1x1x1009x8x16xf32>) -> tensor<1x1x1009x8x16xf32> {
  %0 = VPU.Copy ins(%x : tensor<1x12x1009x8xf32>) outs(%e : tensor<1x1x1009x8x16xf32>) {srcOrder = #VPU.order<NCHW>, dstOrder = #VPU.order<NCHWc>} -> tensor<1x1x1009x8x16xf32>
  return %0 : tensor<1x1x1009x8x16xf32>
}

// -----

// Channels come first and split evenly, but no part of them is a part of the
// blocks; rows are the next choice.
// CHECK-LABEL: @copy_whose_channels_cannot_be_split_is_split_over_rows
// TWO: parts = [1, 1, 2, 1]>
// EIGHT: parts = [1, 1, 8, 1]>
// ARM: parts = [1, 1, 4, 1]>
func.func @copy_whose_channels_cannot_be_split_is_split_over_rows(%x: tensor<1x2x56x112x16xf32>, %e: tensor<1x24x56x112xf32>) -> tensor<1x24x56x112xf32> {
  %0 = VPU.Copy ins(%x : tensor<1x2x56x112x16xf32>) outs(%e : tensor<1x24x56x112xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHW>} -> tensor<1x24x56x112xf32>
  return %0 : tensor<1x24x56x112xf32>
}

// -----

// CHECK-LABEL: @large_software_kernel_is_split_over_its_rows
// TWO: parts = [2, 1]>
// EIGHT: parts = [8, 1]>
// ARM: parts = [4, 1]>
func.func @large_software_kernel_is_split_over_its_rows(%x: tensor<512x1024xf32>, %e: tensor<512xf32>) -> tensor<512xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<512x1024xf32>) outs(%e : tensor<512xf32>) {
  ^bb0(%i0: f32, %o0: f32):
    %1 = arith.addf %o0, %i0 : f32
    linalg.yield %1 : f32
  } -> tensor<512xf32>
  return %0 : tensor<512xf32>
}

// -----

// Parts of one size would be single rows. Others are chosen on buffers.
// CHECK-LABEL: @prime_number_of_rows_is_left_to_buffers
// CHECK-NOT: VPU.strategy
// CHECK: return
func.func @prime_number_of_rows_is_left_to_buffers(%x: tensor<509x1024xf32>, %e: tensor<509x1024xf32>) -> tensor<509x1024xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<509x1024xf32>) outs(%e : tensor<509x1024xf32>) {
  ^bb0(%i0: f32, %o0: f32):
    %1 = math.exp %i0 : f32
    linalg.yield %1 : f32
  } -> tensor<509x1024xf32>
  return %0 : tensor<509x1024xf32>
}

// -----

// CHECK-LABEL: @prime_number_of_rows_of_buffers_leaves_some_over
// TWO: parts = [2, 1]>
// EIGHT: parts = [8, 1]>
// ARM: parts = [4, 1]>
func.func @prime_number_of_rows_of_buffers_leaves_some_over(%x: memref<509x1024xf32>, %y: memref<509x1024xf32>) {
  linalg.exp ins(%x : memref<509x1024xf32>) outs(%y : memref<509x1024xf32>)
  return
}

// -----

// What is left over of a sum goes on from it, which costs no copy.
// CHECK-LABEL: @sum_of_a_prime_number_of_rows_leaves_some_over
// TWO: parts = [2, 1]>
// EIGHT: parts = [8, 1]>
// ARM: parts = [4, 1]>
func.func @sum_of_a_prime_number_of_rows_leaves_some_over(%x: tensor<509x1024xf32>, %e: tensor<f32>) -> tensor<f32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%x : tensor<509x1024xf32>) outs(%e : tensor<f32>) {
  ^bb0(%i0: f32, %o0: f32):
    %1 = arith.addf %o0, %i0 : f32
    linalg.yield %1 : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// A filter that runs backwards: the first element of a part does not read the
// first of what the part reads, which linalg takes for granted.
// CHECK-LABEL: @kernel_that_reads_backwards_stays
// CHECK-NOT: parts
func.func @kernel_that_reads_backwards_stays(%x: tensor<514x512xf32>, %w: tensor<3xf32>, %e: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0 - d2 + 2, d1)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<514x512xf32>, tensor<3xf32>) outs(%e : tensor<512x512xf32>) {
  ^bb0(%i0: f32, %i1: f32, %o0: f32):
    %1 = arith.mulf %i0, %i1 : f32
    %2 = arith.addf %o0, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<512x512xf32>
  return %0 : tensor<512x512xf32>
}

// -----

// CHECK-LABEL: @small_software_kernel_stays
// CHECK-NOT: parts
func.func @small_software_kernel_stays(%x: tensor<8x8xf32>, %e: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%i0: f32, %o0: f32):
    %1 = math.exp %i0 : f32
    linalg.yield %1 : f32
  } -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// CHECK-LABEL: @kernel_without_elements_stays
// CHECK-NOT: parts
func.func @kernel_without_elements_stays(%x: tensor<0x8xf32>, %e: tensor<0x8xf32>) -> tensor<0x8xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<0x8xf32>) outs(%e : tensor<0x8xf32>) {
  ^bb0(%i0: f32, %o0: f32):
    %1 = math.exp %i0 : f32
    linalg.yield %1 : f32
  } -> tensor<0x8xf32>
  return %0 : tensor<0x8xf32>
}

// -----

// CHECK-LABEL: @kernel_of_no_dimension_stays
// CHECK-NOT: parts
func.func @kernel_of_no_dimension_stays(%x: tensor<f32>, %e: tensor<f32>) -> tensor<f32> {
  %0 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%x : tensor<f32>) outs(%e : tensor<f32>) {
  ^bb0(%i0: f32, %o0: f32):
    %1 = math.exp %i0 : f32
    linalg.yield %1 : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// Each part has so many rows that it pays to start a core for it.
// CHECK-LABEL: @kernel_of_dynamic_extent_is_split_at_run_time
// TWO: parts = [?, 1], grain = {{[0-9]+}}>
// EIGHT: parts = [?, 1], grain = {{[0-9]+}}>
// ARM: parts = [?, 1], grain = {{[0-9]+}}>
func.func @kernel_of_dynamic_extent_is_split_at_run_time(%x: tensor<?x512xf32>, %e: tensor<?x512xf32>) -> tensor<?x512xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x512xf32>) outs(%e : tensor<?x512xf32>) {
  ^bb0(%i0: f32, %o0: f32):
    %1 = math.exp %i0 : f32
    linalg.yield %1 : f32
  } -> tensor<?x512xf32>
  return %0 : tensor<?x512xf32>
}

// -----

// Where there is one image, its channels are shared: rows of all channels would lie
// apart from each other. Three channels make no equal parts, and where they change
// their place, rows of their elements had better stay whole.
// CHECK-LABEL: @images_are_split_into_whole_channels
// TWO: parts = [?, ?, 1, 1], grain = {{[0-9]+}}>
// EIGHT: parts = [?, ?, 1, 1], grain = {{[0-9]+}}>
// ARM: parts = [?, ?, 1, 1], grain = {{[0-9]+}}>
// CHECK: parts = [?, 1, ?, 1], grain = {{[0-9]+}}>
// CHECK: parts = [?, 1, ?, 1], grain = {{[0-9]+}}>
func.func @images_are_split_into_whole_channels(%x: tensor<?x64x?x?xf32>, %e: tensor<?x64x?x?xf32>, %y: tensor<?x3x?x?xf32>, %f: tensor<?x3x?x?xf32>, %z: tensor<?x?x?x64xf32>) -> (tensor<?x64x?x?xf32>, tensor<?x3x?x?xf32>, tensor<?x64x?x?xf32>) {
  %0 = linalg.exp ins(%x : tensor<?x64x?x?xf32>) outs(%e : tensor<?x64x?x?xf32>) -> tensor<?x64x?x?xf32>
  %1 = linalg.exp ins(%y : tensor<?x3x?x?xf32>) outs(%f : tensor<?x3x?x?xf32>) -> tensor<?x3x?x?xf32>
  %2 = linalg.transpose ins(%z : tensor<?x?x?x64xf32>) outs(%e : tensor<?x64x?x?xf32>) permutation = [0, 3, 1, 2]
  return %0, %1, %2 : tensor<?x64x?x?xf32>, tensor<?x3x?x?xf32>, tensor<?x64x?x?xf32>
}

// -----

// With a typical number of rows there is little to do; a run may have more.
// NONE-LABEL: @few_steps_of_dynamic_extent_are_split_at_run_time
// CHECK-LABEL: @few_steps_of_dynamic_extent_are_split_at_run_time
// CHECK: parts = [?, 1]
func.func @few_steps_of_dynamic_extent_are_split_at_run_time(%x: tensor<?x8xf32>, %e: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %0 = linalg.abs ins(%x : tensor<?x8xf32>) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// -----

// Parts of channels are copied as they lie, those of rows in as many pieces as there
// are channels.
// CHECK-LABEL: @channels_around_dynamic_sizes_are_split_alone
// TWO: parts = [1, ?, 1, 1]
func.func @channels_around_dynamic_sizes_are_split_alone(%x: tensor<1x96x?x?xi8>, %e: tensor<1x96x?x?xi8>) -> tensor<1x96x?x?xi8> {
  %0 = linalg.copy ins(%x : tensor<1x96x?x?xi8>) outs(%e : tensor<1x96x?x?xi8>) -> tensor<1x96x?x?xi8>
  return %0 : tensor<1x96x?x?xi8>
}

// -----

// CHECK-LABEL: @few_channels_of_another_number_are_not_split
// TWO: parts = [1, 1, ?, ?]
func.func @few_channels_of_another_number_are_not_split(%x: tensor<1x3x?x?xi8>, %e: tensor<1x3x?x?xi8>) -> tensor<1x3x?x?xi8> {
  %0 = linalg.copy ins(%x : tensor<1x3x?x?xi8>) outs(%e : tensor<1x3x?x?xi8>) -> tensor<1x3x?x?xi8>
  return %0 : tensor<1x3x?x?xi8>
}

// -----

// A run finds the parts of several results, too.
// CHECK-LABEL: @two_results_of_dynamic_extent_are_split_at_run_time
// CHECK: parts = [?, 1]
func.func @two_results_of_dynamic_extent_are_split_at_run_time(%x: tensor<?x64xf32>, %e: tensor<?x64xf32>) -> (tensor<?x64xf32>, tensor<?x64xf32>) {
  %0:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x64xf32>) outs(%e, %e : tensor<?x64xf32>, tensor<?x64xf32>) {
  ^bb0(%i0: f32, %o0: f32, %o1: f32):
    %1 = math.exp %i0 : f32
    linalg.yield %1, %i0 : f32, f32
  } -> (tensor<?x64xf32>, tensor<?x64xf32>)
  return %0#0, %0#1 : tensor<?x64xf32>, tensor<?x64xf32>
}

// -----

// Positions are known before elements are: a broadcast of dynamic sizes comes
// in vectors.
// CHECK-LABEL: @elements_taken_by_position_cost_what_vectors_do
// TWO: parts = [?, 1], grain = 1000>
func.func @elements_taken_by_position_cost_what_vectors_do(%x: tensor<?x64xf32>, %one: i1, %e: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<?x64xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %row = arith.select %one, %c0, %i : index
    %v = tensor.extract %x[%row, %j] : tensor<?x64xf32>
    linalg.yield %v : f32
  } -> tensor<?x64xf32>
  return %0 : tensor<?x64xf32>
}

// -----

// CHECK-LABEL: @elements_taken_by_elements_cost_what_scalars_do
// TWO: parts = [?, 1], grain = 59>
func.func @elements_taken_by_elements_cost_what_scalars_do(%x: tensor<?x64xf32>, %rows: tensor<?x64xi64>, %e: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%rows : tensor<?x64xi64>) outs(%e : tensor<?x64xf32>) {
  ^bb0(%in: i64, %out: f32):
    %j = linalg.index 1 : index
    %row = arith.index_cast %in : i64 to index
    %v = tensor.extract %x[%row, %j] : tensor<?x64xf32>
    linalg.yield %v : f32
  } -> tensor<?x64xf32>
  return %0 : tensor<?x64xf32>
}

// -----

// With a typical number of rows one core computes what is read, so that no
// other one is awake already.
// CHECK-LABEL: @reader_of_few_dynamic_steps_is_split_at_run_time
// CHECK: linalg.abs
// TWO-SAME: parts = [?, 1]
// CHECK: linalg.broadcast
// TWO-SAME: parts = [1, ?, 1]
func.func @reader_of_few_dynamic_steps_is_split_at_run_time(%x: tensor<?x128xf32>, %e: tensor<?x128xf32>, %e2: tensor<2x?x128xf32>) -> tensor<2x?x128xf32> {
  %0 = linalg.abs ins(%x : tensor<?x128xf32>) outs(%e : tensor<?x128xf32>) -> tensor<?x128xf32>
  %1 = linalg.broadcast ins(%0 : tensor<?x128xf32>) outs(%e2 : tensor<2x?x128xf32>) dimensions = [0]
  return %1 : tensor<2x?x128xf32>
}

// -----

// A loop without steps leaves the others nothing to do.
// CHECK-LABEL: @kernel_without_elements_has_no_parts
// CHECK-NOT: VPU.strategy
// CHECK: return
func.func @kernel_without_elements_has_no_parts(%x: tensor<?x0xf32>, %e: tensor<?x0xf32>) -> tensor<?x0xf32> {
  %0 = linalg.abs ins(%x : tensor<?x0xf32>) outs(%e : tensor<?x0xf32>) -> tensor<?x0xf32>
  return %0 : tensor<?x0xf32>
}

// -----

// A run finds whether there is enough in the outer loop.
// CHECK-LABEL: @inner_dynamic_extent_leaves_the_outer_one
// TWO: parts = [?, 1], grain = 8>
// EIGHT: parts = [?, 1], grain = {{[0-9]+}}>
// ARM: parts = [?, 1], grain = {{[0-9]+}}>
func.func @inner_dynamic_extent_leaves_the_outer_one(%x: tensor<512x?xf32>, %e: tensor<512x?xf32>) -> tensor<512x?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<512x?xf32>) outs(%e : tensor<512x?xf32>) {
  ^bb0(%i0: f32, %o0: f32):
    %1 = math.exp %i0 : f32
    linalg.yield %1 : f32
  } -> tensor<512x?xf32>
  return %0 : tensor<512x?xf32>
}

// -----

// How long the sums are, and so whether parts pay, only a run knows.
// CHECK-LABEL: @sums_of_dynamic_length_are_split_at_run_time
// TWO: parts = [?, 1], grain = {{[0-9]+}}>
// EIGHT: parts = [?, 1], grain = {{[0-9]+}}>
// ARM: parts = [?, 1], grain = {{[0-9]+}}>
// NONE-LABEL: @sums_of_dynamic_length_are_split_at_run_time
// NONE-NOT: grain
func.func @sums_of_dynamic_length_are_split_at_run_time(%x: tensor<32x?xf32>, %e: tensor<32xf32>) -> tensor<32xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<32x?xf32>) outs(%e : tensor<32xf32>) {
  ^bb0(%i0: f32, %o0: f32):
    %1 = arith.addf %o0, %i0 : f32
    linalg.yield %1 : f32
  } -> tensor<32xf32>
  return %0 : tensor<32xf32>
}

// -----

// Four sums do not have a part for each of eight cores.
// CHECK-LABEL: @few_sums_of_dynamic_length
// TWO: parts = [?, 1], grain = {{[0-9]+}}>
// EIGHT-NOT: parts = [?
// ARM: parts = [?, 1], grain = {{[0-9]+}}>
func.func @few_sums_of_dynamic_length(%x: tensor<4x?xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x?xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%i0: f32, %o0: f32):
    %1 = arith.addf %o0, %i0 : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Whether there is enough to copy is decided at run time, though the images are known.
// CHECK-LABEL: @copy_of_dynamic_rows_is_split_by_them
// CHECK: parts = [1, 1, ?, ?, 1], grain = {{[0-9]+}}>
func.func @copy_of_dynamic_rows_is_split_by_them(%x: tensor<4x20x?x?xf32>, %e: tensor<4x2x?x?x16xf32>) -> tensor<4x2x?x?x16xf32> {
  %0 = VPU.Copy ins(%x : tensor<4x20x?x?xf32>) outs(%e : tensor<4x2x?x?x16xf32>) {srcOrder = #VPU.order<NCHW>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 0, 1, 0>} -> tensor<4x2x?x?x16xf32>
  return %0 : tensor<4x2x?x?x16xf32>
}

// -----

// CHECK-LABEL: @kernel_of_three_dynamic_extents_is_split_along_two
// CHECK: parts = [?, ?, 1], grain = {{[0-9]+}}>
func.func @kernel_of_three_dynamic_extents_is_split_along_two(%x: tensor<?x?x?xf32>, %e: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<?x?x?xf32>) outs(%e : tensor<?x?x?xf32>) {
  ^bb0(%i0: f32, %o0: f32):
    %1 = math.exp %i0 : f32
    linalg.yield %1 : f32
  } -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}

// -----

// Where there is nothing but what is reduced.
// CHECK-LABEL: @part_of_a_reduction_is_for_each_core
// TWO: parts = [2, 1]>
// EIGHT: parts = [8, 1]>
// ARM: parts = [4, 1]>
func.func @part_of_a_reduction_is_for_each_core(%x: tensor<4096x384xf32>, %e: tensor<f32>) -> tensor<f32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%x : tensor<4096x384xf32>) outs(%e : tensor<f32>) {
  ^bb0(%i0: f32, %o0: f32):
    %1 = arith.addf %o0, %i0 : f32
    linalg.yield %1 : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// A difference cannot be combined of parts.
// CHECK-LABEL: @reduction_without_neutral_element_stays
// CHECK-NOT: parts
func.func @reduction_without_neutral_element_stays(%x: tensor<4096x384xf32>, %e: tensor<f32>) -> tensor<f32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%x : tensor<4096x384xf32>) outs(%e : tensor<f32>) {
  ^bb0(%i0: f32, %o0: f32):
    %1 = arith.subf %i0, %o0 : f32
    linalg.yield %1 : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// CHECK-LABEL: @kernel_in_a_loop_stays
// CHECK-NOT: parts
func.func @kernel_in_a_loop_stays(%x: tensor<512x1024xf32>, %e: tensor<512x1024xf32>, %n: index) -> tensor<512x1024xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %0 = scf.for %i = %zero to %n step %one iter_args(%s = %x) -> tensor<512x1024xf32> {
    %t = linalg.exp ins(%s : tensor<512x1024xf32>) outs(%e : tensor<512x1024xf32>) -> tensor<512x1024xf32>
    scf.yield %t : tensor<512x1024xf32>
  }
  return %0 : tensor<512x1024xf32>
}

// -----

// Copies of the engine's own are buffers by now, and it moves them.
// CHECK-LABEL: @structured_ops_on_buffers_are_split
// TWO: linalg.copy {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?, ?, 1, 1], grain = {{[0-9]+}}>}
// EIGHT: linalg.copy {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?, 1, ?, 1], grain = {{[0-9]+}}>}
// ARM: linalg.copy {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?, ?, 1, 1], grain = {{[0-9]+}}>}
// CHECK-NOT: parts
func.func @structured_ops_on_buffers_are_split(%x: memref<?x4x?x64xf32>, %y: memref<?x4x?x64xf32>, %a: memref<4x32x56x56xf32>, %b: memref<4x2x56x56x16xf32>) {
  linalg.copy ins(%x : memref<?x4x?x64xf32>) outs(%y : memref<?x4x?x64xf32>)
  VPU.Copy ins(%a : memref<4x32x56x56xf32>) outs(%b : memref<4x2x56x56x16xf32>) {srcOrder = #VPU.order<NCHW>, dstOrder = #VPU.order<NCHWc>}
  return
}

// -----

// CHECK-LABEL: @small_copy_between_buffers_stays
// CHECK-NOT: parts
func.func @small_copy_between_buffers_stays(%x: memref<8x8xf32>, %y: memref<8x8xf32>) {
  linalg.copy ins(%x : memref<8x8xf32>) outs(%y : memref<8x8xf32>)
  return
}
