// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-choose-strategies=decide=operators --convert-ie-to-vpu --split-input-file | FileCheck %s
// RUN: nacre-opt %s --init-compiler="vpu-arch=NPU37XX" --vpu-choose-strategies=decide=operators --convert-ie-to-vpu --split-input-file | FileCheck %s --check-prefix=NPU

// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-choose-strategies=decide=operators --convert-ie-to-vpu=accuracy-level=4 --split-input-file | FileCheck %s --check-prefix=LEVEL

// Elements of rows are exact, unless the model asks for less.
// CHECK-LABEL: @rows_of_any_accuracy
// CHECK: VPU.NCE.MatMulNBits {{.*}} {bits = 4 : i64} ->
// CHECK: VPU.NCE.MatMulNBits {{.*}} {bits = 4 : i64, rowParts = 2 : i64} ->
// CHECK: VPU.NCE.MatMulNBits {{.*}} {bits = 4 : i64, rowParts = 2 : i64} ->
// CHECK: VPU.NCE.MatMulNBits {{.*}} {bits = 4 : i64, rowParts = 1 : i64} ->
// What the model says counts.
// LEVEL-LABEL: @rows_of_any_accuracy
// LEVEL: VPU.NCE.MatMulNBits {{.*}} {bits = 4 : i64} ->
// LEVEL: VPU.NCE.MatMulNBits {{.*}} {bits = 4 : i64, rowParts = 2 : i64} ->
func.func @rows_of_any_accuracy(%x: tensor<1x32xf32>) -> (tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>) {
  %w = IE.Constant dense<0x88> : tensor<2x1x16xui8>
  %s = IE.Constant dense<0.5> : tensor<2x1xf32>
  %1 = IE.MatMulNBits(%x, %w, %s) {K = 32 : i64, accuracy_level = 1 : i64, bits = 4 : i64, block_size = 32 : i64} : (tensor<1x32xf32>, tensor<2x1x16xui8>, tensor<2x1xf32>) -> tensor<1x2xf32>
  %2 = IE.MatMulNBits(%x, %w, %s) {K = 32 : i64, accuracy_level = 2 : i64, bits = 4 : i64, block_size = 32 : i64} : (tensor<1x32xf32>, tensor<2x1x16xui8>, tensor<2x1xf32>) -> tensor<1x2xf32>
  %3 = IE.MatMulNBits(%x, %w, %s) {K = 32 : i64, accuracy_level = 3 : i64, bits = 4 : i64, block_size = 32 : i64} : (tensor<1x32xf32>, tensor<2x1x16xui8>, tensor<2x1xf32>) -> tensor<1x2xf32>
  %4 = IE.MatMulNBits(%x, %w, %s) {K = 32 : i64, accuracy_level = 4 : i64, bits = 4 : i64, block_size = 32 : i64} : (tensor<1x32xf32>, tensor<2x1x16xui8>, tensor<2x1xf32>) -> tensor<1x2xf32>
  return %1, %2, %3, %4 : tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>
}

// -----

// What follows is the engine's, however many rows a run has.
// CHECK-LABEL: @residual_and_activation_of_unknown_rows
// CHECK: %[[PRODUCT:.*]] = VPU.NCE.MatMulNBits
// CHECK: %[[SUM:.*]] = VPU.NCE.Eltwise ins(%[[PRODUCT]], {{.*}} : tensor<1x?x2xf32>, tensor<1x?x2xf32>) {{.*}}<ADD>
// CHECK: VPU.NCE.Eltwise ins(%[[SUM]], %[[SUM]] : tensor<1x?x2xf32>, tensor<1x?x2xf32>) {{.*}}mode = RELU
// CHECK-NOT: IE.Relu
func.func @residual_and_activation_of_unknown_rows(%x: tensor<?x32xf32>) -> tensor<?x2xf32> {
  %w = IE.Constant dense<0x88> : tensor<2x1x16xui8>
  %s = IE.Constant dense<0.5> : tensor<2x1xf32>
  %0 = IE.MatMulNBits(%x, %w, %s) {K = 32 : i64, bits = 4 : i64, block_size = 32 : i64} : (tensor<?x32xf32>, tensor<2x1x16xui8>, tensor<2x1xf32>) -> tensor<?x2xf32>
  %1 = IE.Softplus %0 : tensor<?x2xf32> -> tensor<?x2xf32>
  %2 = IE.Add %0, %1 : tensor<?x2xf32>, tensor<?x2xf32> -> tensor<?x2xf32>
  %3 = IE.Relu %2 : tensor<?x2xf32> -> tensor<?x2xf32>
  return %3 : tensor<?x2xf32>
}

// -----

// A word has the integers of eight rows and one column.
// LEVEL-LABEL: @weights_of_four_bits_stay_so
// LEVEL: VPU.NCE.MatMulNBits {{.*}} {bits = 4 : i64, rowParts = 1 : i64} ->
// CHECK-LABEL: @weights_of_four_bits_stay_so
// CHECK-DAG: arith.constant dense_resource<packed> : tensor<2x2x4x16xi32>
// CHECK-DAG: arith.constant dense<{{.*}}> : tensor<2x2x16xf32>
// CHECK: VPU.NCE.MatMulNBits ins(%{{.*}}, %{{.*}} : tensor<1x?x64xf32>, tensor<2x2x4x16xi32>) scale(%{{.*}} : tensor<2x2x16xf32>) outs(%{{.*}} : tensor<1x?x20xf32>) {bits = 4 : i64}
func.func @weights_of_four_bits_stay_so(%x: tensor<2x?x64xf32>) -> tensor<2x?x20xf32> {
  %w = IE.Constant dense<0x88> : tensor<20x2x16xui8>
  %s = IE.Constant dense<0.5> : tensor<20x2xf32>
  %0 = IE.MatMulNBits(%x, %w, %s) {K = 64 : i64, bits = 4 : i64, block_size = 32 : i64} : (tensor<2x?x64xf32>, tensor<20x2x16xui8>, tensor<20x2xf32>) -> tensor<2x?x20xf32>
  return %0 : tensor<2x?x20xf32>
}

// -----

// An NPU has floats instead: (7 - 8) / 2 and (9 - 8) / 2.
// NPU-LABEL: @zero_points_are_bytes_and
// NPU-NOT: MatMulNBits
// NPU: VPU.NCE.
// CHECK-LABEL: @zero_points_are_bytes_and_a_last_block_is_filled_with_zeroes
// CHECK: linalg.fill {{.*}} outs({{.*}} : tensor<1x3x64xf32>)
// CHECK: tensor.insert_slice
// CHECK: VPU.NCE.MatMulNBits ins({{.*}} : tensor<1x3x64xf32>, tensor<1x2x4x16xi32>) scale({{.*}}) zeroPoint({{.*}} : tensor<1x2x16xi8>) bias({{.*}} : tensor<1x16xf32>)
func.func @zero_points_are_bytes_and_a_last_block_is_filled_with_zeroes(%x: tensor<3x40xf32>) -> tensor<3x10xf32> {
  %w = IE.Constant dense<0x88> : tensor<10x2x16xui8>
  %s = IE.Constant dense<0.5> : tensor<10x2xf32>
  %z = IE.Constant dense<0x97> : tensor<10x1xui8>
  %b = IE.Constant dense<1.0> : tensor<10xf32>
  %0 = IE.MatMulNBits(%x, %w, %s) zeroPoints(%z : tensor<10x1xui8>) bias(%b : tensor<10xf32>) {K = 40 : i64, bits = 4 : i64, block_size = 32 : i64} : (tensor<3x40xf32>, tensor<10x2x16xui8>, tensor<10x2xf32>) -> tensor<3x10xf32>
  return %0 : tensor<3x10xf32>
}

// -----

// CHECK-LABEL: @computed_weights_are_left_to_software
// CHECK: IE.MatMulNBits
func.func @computed_weights_are_left_to_software(%x: tensor<3x64xf32>, %w: tensor<10x2x16xui8>) -> tensor<3x10xf32> {
  %s = IE.Constant dense<0.5> : tensor<10x2xf32>
  %0 = IE.MatMulNBits(%x, %w, %s) {K = 64 : i64, bits = 4 : i64, block_size = 32 : i64} : (tensor<3x64xf32>, tensor<10x2x16xui8>, tensor<10x2xf32>) -> tensor<3x10xf32>
  return %0 : tensor<3x10xf32>
}

// -----

// CHECK-LABEL: @blocks_of_half_a_word_are_left_to_software
// CHECK: IE.MatMulNBits
func.func @blocks_of_half_a_word_are_left_to_software(%x: tensor<3x16xf32>) -> tensor<3x10xf32> {
  %w = IE.Constant dense<0x88> : tensor<10x2x2xui8>
  %s = IE.Constant dense<0.5> : tensor<10x2xf32>
  %0 = IE.MatMulNBits(%x, %w, %s) {K = 16 : i64, bits = 2 : i64, block_size = 8 : i64} : (tensor<3x16xf32>, tensor<10x2x2xui8>, tensor<10x2xf32>) -> tensor<3x10xf32>
  return %0 : tensor<3x10xf32>
}

// -----

// Blocks of the model may be several of the engine.
// CHECK-LABEL: @long_blocks_are_cut_into_parts
// CHECK: VPU.NCE.MatMulNBits ins({{.*}} : tensor<1x3x512xf32>, tensor<1x4x16x16xi32>) scale({{.*}} : tensor<1x2x16xf32>)
func.func @long_blocks_are_cut_into_parts(%x: tensor<3x512xf32>) -> tensor<3x10xf32> {
  %w = IE.Constant dense<0x88> : tensor<10x2x128xui8>
  %s = IE.Constant dense<0.5> : tensor<10x2xf32>
  %0 = IE.MatMulNBits(%x, %w, %s) {K = 512 : i64, bits = 4 : i64, block_size = 256 : i64} : (tensor<3x512xf32>, tensor<10x2x128xui8>, tensor<10x2xf32>) -> tensor<3x10xf32>
  return %0 : tensor<3x10xf32>
}

// -----

// A block for each column is as many parts as it takes: of 26 words, two of 13.
// CHECK-LABEL: @a_scale_for_each_column_is_that_of_all_parts
// CHECK: VPU.NCE.MatMulNBits ins({{.*}} : tensor<1x3x208xf32>, tensor<1x2x13x16xi32>) scale({{.*}} : tensor<1x1x16xf32>)
func.func @a_scale_for_each_column_is_that_of_all_parts(%x: tensor<3x202xf32>) -> tensor<3x10xf32> {
  %w = IE.Constant dense<0x88> : tensor<10x1x104xui8>
  %s = IE.Constant dense<0.5> : tensor<10x1xf32>
  %0 = IE.MatMulNBits(%x, %w, %s) {K = 202 : i64, bits = 4 : i64, block_size = 208 : i64} : (tensor<3x202xf32>, tensor<10x1x104xui8>, tensor<10x1xf32>) -> tensor<3x10xf32>
  return %0 : tensor<3x10xf32>
}
