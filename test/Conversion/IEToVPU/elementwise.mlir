// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --convert-ie-to-vpu --split-input-file | FileCheck %s
// RUN: nacre-opt %s --init-compiler="vpu-arch=NPU37XX" --convert-ie-to-vpu --split-input-file | FileCheck %s --check-prefix=NPU

// Arithmetic and activations stay in the layout of the engine op before them.
// CHECK-LABEL: @residual_and_activation
// CHECK: %[[P:[0-9]+]] = VPU.NCE.MaxPool
// CHECK: %[[S:[0-9]+]] = VPU.NCE.Eltwise ins(%[[P]], %{{.*}}) outs({{.*}}) {kind = #VPU.eltwise<ADD>}
// CHECK: VPU.NCE.Eltwise ins(%[[S]], %[[S]] {{.*}}{kind = #VPU.eltwise<MAX>, ppe = #VPU.PPE<mode = LRELU, slope = 1.000000e-01{{.*}}>}
func.func @residual_and_activation(%x: tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32> {
  %0 = IE.MaxPool(%x) {kernel_shape = array<i64: 1, 1>} : (tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
  %1 = IE.Add %0, %x : tensor<1x16x8x8xf32>, tensor<1x16x8x8xf32> -> tensor<1x16x8x8xf32>
  %2 = IE.LeakyRelu %1 {alpha = 1.0e-01 : f32} : tensor<1x16x8x8xf32> -> tensor<1x16x8x8xf32>
  return %2 : tensor<1x16x8x8xf32>
}

// -----

// CHECK-LABEL: @residual_and_activation_of_rows_of_unknown_number
// CHECK: %[[P:.*]] = VPU.NCE.MatMul
// CHECK: %[[SUM:.*]] = VPU.NCE.Eltwise ins(%[[P]], {{.*}} : tensor<1x?x16xf32>, tensor<1x?x16xf32>) {{.*}}<ADD>
// CHECK: VPU.NCE.Eltwise ins(%[[SUM]], %[[SUM]] : tensor<1x?x16xf32>, tensor<1x?x16xf32>) {{.*}}mode = RELU
// CHECK-NOT: IE.Relu
func.func @residual_and_activation_of_rows_of_unknown_number(%x: tensor<?x?x16xf32>) -> tensor<?x?x16xf32> {
  %w = IE.Constant dense<0.1> : tensor<16x16xf32>
  %0 = IE.MatMul(%x, %w) : (tensor<?x?x16xf32>, tensor<16x16xf32>) -> tensor<?x?x16xf32>
  %1 = IE.Add %0, %x : tensor<?x?x16xf32>, tensor<?x?x16xf32> -> tensor<?x?x16xf32>
  %2 = IE.Relu %1 : tensor<?x?x16xf32> -> tensor<?x?x16xf32>
  return %2 : tensor<?x?x16xf32>
}

// -----

// A run may broadcast one of the two.
// CHECK-LABEL: @sum_of_rows_of_other_number_stays
// CHECK: VPU.NCE.MatMul
// CHECK: IE.Add
func.func @sum_of_rows_of_other_number_stays(%x: tensor<?x16xf32>, %y: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %w = IE.Constant dense<0.1> : tensor<16x16xf32>
  %0 = IE.MatMul(%x, %w) : (tensor<?x16xf32>, tensor<16x16xf32>) -> tensor<?x16xf32>
  %1 = IE.Add %0, %y : tensor<?x16xf32>, tensor<?x16xf32> -> tensor<?x16xf32>
  return %1 : tensor<?x16xf32>
}

// -----

// CHECK-LABEL: @ops_away_from_the_engine_stay
// CHECK: IE.Relu
// CHECK: IE.Add
func.func @ops_away_from_the_engine_stay(%x: tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32> {
  %0 = IE.Relu %x : tensor<1x16x8x8xf32> -> tensor<1x16x8x8xf32>
  %1 = IE.Add %0, %x : tensor<1x16x8x8xf32>, tensor<1x16x8x8xf32> -> tensor<1x16x8x8xf32>
  return %1 : tensor<1x16x8x8xf32>
}

// -----

// CHECK-LABEL: @broadcast_stays
// CHECK: IE.Add
func.func @broadcast_stays(%x: tensor<1x16x8x8xf32>, %c: tensor<1x16x1x1xf32>) -> tensor<1x16x8x8xf32> {
  %0 = IE.MaxPool(%x) {kernel_shape = array<i64: 1, 1>} : (tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
  %1 = IE.Add %0, %c : tensor<1x16x8x8xf32>, tensor<1x16x1x1xf32> -> tensor<1x16x8x8xf32>
  return %1 : tensor<1x16x8x8xf32>
}

// -----

// Whole blocks join as blocks; NHWC joins channels, whatever their number.
// CHECK-LABEL: @concat_of_whole_blocks
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0, 0, 0, 0, 0] [1, 1, 8, 8, 16]
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0, 1, 0, 0, 0] [1, 2, 8, 8, 16]
// NPU-LABEL: @concat_of_whole_blocks
// NPU: tensor.insert_slice %{{.*}} into %{{.*}}[0, 0, 0, 0, 16] [1, 1, 8, 8, 32]
func.func @concat_of_whole_blocks(%x: tensor<1x16x8x8xf32>, %y: tensor<1x32x8x8xf32>) -> tensor<1x48x8x8xf32> {
  %0 = IE.MaxPool(%x) {kernel_shape = array<i64: 1, 1>} : (tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
  %1 = IE.MaxPool(%y) {kernel_shape = array<i64: 1, 1>} : (tensor<1x32x8x8xf32>) -> tensor<1x32x8x8xf32>
  %2 = IE.Concat %0, %1 {axis = 1 : i64} : tensor<1x16x8x8xf32>, tensor<1x32x8x8xf32> -> tensor<1x48x8x8xf32>
  return %2 : tensor<1x48x8x8xf32>
}

// -----

// CHECK-LABEL: @concat_of_part_blocks_stays
// CHECK: IE.Concat
// NPU-LABEL: @concat_of_part_blocks_stays
// NPU: tensor.insert_slice
func.func @concat_of_part_blocks_stays(%x: tensor<1x24x8x8xf32>, %y: tensor<1x32x8x8xf32>) -> tensor<1x56x8x8xf32> {
  %0 = IE.MaxPool(%x) {kernel_shape = array<i64: 1, 1>} : (tensor<1x24x8x8xf32>) -> tensor<1x24x8x8xf32>
  %1 = IE.MaxPool(%y) {kernel_shape = array<i64: 1, 1>} : (tensor<1x32x8x8xf32>) -> tensor<1x32x8x8xf32>
  %2 = IE.Concat %0, %1 {axis = 1 : i64} : tensor<1x24x8x8xf32>, tensor<1x32x8x8xf32> -> tensor<1x56x8x8xf32>
  return %2 : tensor<1x56x8x8xf32>
}
