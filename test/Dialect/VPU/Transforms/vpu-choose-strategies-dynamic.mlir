// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=2" --vpu-choose-strategies --split-input-file | FileCheck %s
// RUN: not nacre-opt %s --init-compiler="vpu-arch=NPU37XX" --vpu-choose-strategies --split-input-file 2>&1 | FileCheck %s --check-prefix=NPU

// Parts and tiles are counted at run time, both with what pads.
// CHECK-LABEL: @image_of_unknown_size
// CHECK: VPU.NCE.Convolution {{.*}}VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [1, 1, ?, 1, 1], grain = {{[0-9]+}}, tiles = [1, 1, ?, 1, 1], limits = <bytes = {{[0-9]+}}, leastPixels = {{[0-9]+}}>>
// NPU: 'VPU.NCE.Convolution' op no tile of it is known to fit the CMX of NPU37XX: an NPU needs all sizes, which --shape gives
func.func @image_of_unknown_size(%x: tensor<1x4x?x?x16xf32>, %w: tensor<4x4x3x3x16x16xf32>, %h: index, %v: index, %ph: index, %pw: index) -> tensor<1x4x?x?x16xf32> {
  %p = tensor.empty(%ph, %pw) : tensor<1x4x?x?x16xf32>
  %pad = VPU.Copy ins(%x : tensor<1x4x?x?x16xf32>) outs(%p : tensor<1x4x?x?x16xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>} -> tensor<1x4x?x?x16xf32>
  %e = tensor.empty(%h, %v) : tensor<1x4x?x?x16xf32>
  %0 = VPU.NCE.Convolution ins(%pad, %w : tensor<1x4x?x?x16xf32>, tensor<4x4x3x3x16x16xf32>) outs(%e : tensor<1x4x?x?x16xf32>) -> tensor<1x4x?x?x16xf32>
  return %0 : tensor<1x4x?x?x16xf32>
}

// -----

// The batch where all parts have equally many samples or many, and else rows.
// CHECK-LABEL: @images_of_unknown_number_and_size
// CHECK: VPU.NCE.Convolution {{.*}}VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?, 1, ?, 1, 1], grain = {{[0-9]+}}, fewSteps = 4>
func.func @images_of_unknown_number_and_size(%x: tensor<?x4x?x30x16xf32>, %w: tensor<4x4x3x3x16x16xf32>, %n: index, %h: index) -> tensor<?x4x?x28x16xf32> {
  %e = tensor.empty(%n, %h) : tensor<?x4x?x28x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<?x4x?x30x16xf32>, tensor<4x4x3x3x16x16xf32>) outs(%e : tensor<?x4x?x28x16xf32>) -> tensor<?x4x?x28x16xf32>
  return %0 : tensor<?x4x?x28x16xf32>
}

// -----

// What parts copy counts with what they compute: less is worth a part.
// CHECK-LABEL: @image_that_is_copied_in_its_parts
// CHECK: VPU.NCE.MaxPool {{.*}}grain = 7, {{.*}}fused = [unblocking]
func.func @image_that_is_copied_in_its_parts(%x: tensor<1x64x?x30xf32>, %h: index, %p: index) -> tensor<1x64x?x28xf32> {
  %b = tensor.empty(%p) : tensor<1x4x?x30x16xf32>
  %in = VPU.Copy ins(%x : tensor<1x64x?x30xf32>) outs(%b : tensor<1x4x?x30x16xf32>) {srcOrder = #VPU.order<NCHW>, dstOrder = #VPU.order<NCHWc>} -> tensor<1x4x?x30x16xf32>
  %e = tensor.empty(%h) : tensor<1x4x?x28x16xf32>
  %0 = VPU.NCE.MaxPool ins(%in : tensor<1x4x?x30x16xf32>) outs(%e : tensor<1x4x?x28x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>} -> tensor<1x4x?x28x16xf32>
  %o = tensor.empty(%h) : tensor<1x64x?x28xf32>
  %out = VPU.Copy ins(%0 : tensor<1x4x?x28x16xf32>) outs(%o : tensor<1x64x?x28xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHW>} -> tensor<1x64x?x28xf32>
  return %out : tensor<1x64x?x28xf32>
}

// -----

// A part of rows takes longer than a sample more where little is computed.
// CHECK-LABEL: @unknown_number_of_images_that_little_is_computed_of
// CHECK: VPU.NCE.MaxPool {{.*}}VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?, 1, ?, 1, 1], grain = {{[0-9]+}}, fewSteps = 1>
func.func @unknown_number_of_images_that_little_is_computed_of(%x: tensor<?x4x?x30x16xf32>, %n: index, %h: index) -> tensor<?x4x?x28x16xf32> {
  %e = tensor.empty(%n, %h) : tensor<?x4x?x28x16xf32>
  %0 = VPU.NCE.MaxPool ins(%x : tensor<?x4x?x30x16xf32>) outs(%e : tensor<?x4x?x28x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>} -> tensor<?x4x?x28x16xf32>
  return %0 : tensor<?x4x?x28x16xf32>
}

// -----

// Each part of the rows would read all of the weights.
// CHECK-LABEL: @rows_of_unknown_number_and_many_weights
// CHECK: VPU.NCE.MatMul {{.*}}VPU.strategy = #VPU.strategy<multiCluster = SplitOverKernel, parts = [1, 1, 2]>
func.func @rows_of_unknown_number_and_many_weights(%x: tensor<1x?x1024xf32>, %w: tensor<1x256x1024x16xf32>, %n: index) -> tensor<1x?x4096xf32> {
  %e = tensor.empty(%n) : tensor<1x?x4096xf32>
  %0 = VPU.NCE.MatMul ins(%x, %w : tensor<1x?x1024xf32>, tensor<1x256x1024x16xf32>) outs(%e : tensor<1x?x4096xf32>) -> tensor<1x?x4096xf32>
  return %0 : tensor<1x?x4096xf32>
}

// -----

// A vector that would be cut is left to a kernel of its own.
// CHECK-LABEL: @rows_of_unknown_number_and_columns_of_odd_number
// CHECK: VPU.NCE.MatMul {{.*}}VPU.strategy = #VPU.strategy<multiCluster = SplitOverKernel, parts = [1, 1, 2], rest = 8>
func.func @rows_of_unknown_number_and_columns_of_odd_number(%x: tensor<1x?x1024xf32>, %w: tensor<1x63x1024x16xf32>, %n: index) -> tensor<1x?x1000xf32> {
  %e = tensor.empty(%n) : tensor<1x?x1000xf32>
  %0 = VPU.NCE.MatMul ins(%x, %w : tensor<1x?x1024xf32>, tensor<1x63x1024x16xf32>) outs(%e : tensor<1x?x1000xf32>) -> tensor<1x?x1000xf32>
  return %0 : tensor<1x?x1000xf32>
}

// -----

// All clusters would wait long for what is left of three vectors.
// CHECK-LABEL: @rows_of_unknown_number_and_few_columns
// CHECK: VPU.NCE.MatMul {{.*}}VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [1, ?, 1], grain = {{[0-9]+}}>
func.func @rows_of_unknown_number_and_few_columns(%x: tensor<1x?x16384xf32>, %w: tensor<1x3x16384x16xf32>, %n: index) -> tensor<1x?x40xf32> {
  %e = tensor.empty(%n) : tensor<1x?x40xf32>
  %0 = VPU.NCE.MatMul ins(%x, %w : tensor<1x?x16384xf32>, tensor<1x3x16384x16xf32>) outs(%e : tensor<1x?x40xf32>) -> tensor<1x?x40xf32>
  return %0 : tensor<1x?x40xf32>
}

// -----

// CHECK-LABEL: @matrices_of_unknown_number_and_rows
// CHECK: VPU.NCE.MatMul {{.*}}VPU.strategy = #VPU.strategy<multiCluster = SplitOverBatch, parts = [?, ?, 1], grain = {{[0-9]+}}>
func.func @matrices_of_unknown_number_and_rows(%x: tensor<?x?x64xf32>, %w: tensor<?x4x64x16xf32>, %b: index, %n: index) -> tensor<?x?x64xf32> {
  %e = tensor.empty(%b, %n) : tensor<?x?x64xf32>
  %0 = VPU.NCE.MatMul ins(%x, %w : tensor<?x?x64xf32>, tensor<?x4x64x16xf32>) outs(%e : tensor<?x?x64xf32>) -> tensor<?x?x64xf32>
  return %0 : tensor<?x?x64xf32>
}
