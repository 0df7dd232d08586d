// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=2" --vpu-apply-clusters --split-input-file | FileCheck %s

// The rows of a reshaped matrix are those that its parts were made of: all of it is
// read, and not a slice.
// CHECK-LABEL: func @reshaped_rows_of_dynamic_number_are_read_whole
// CHECK: %[[ROWS:.*]] = tensor.collapse_shape
// CHECK: scf.forall
// CHECK: VPU.NCE.MatMul ins(%[[ROWS]], %
func.func @reshaped_rows_of_dynamic_number_are_read_whole(%x: tensor<?x4x16xf32>, %w: tensor<1x2x64x16xf32>, %n: index) -> tensor<1x?x32xf32> {
  %parts = tensor.expand_shape %x [[0, 1], [2], [3]] output_shape [1, %n, 4, 16] : tensor<?x4x16xf32> into tensor<1x?x4x16xf32>
  %rows = tensor.collapse_shape %parts [[0], [1], [2, 3]] : tensor<1x?x4x16xf32> into tensor<1x?x64xf32>
  %e = tensor.empty(%n) : tensor<1x?x32xf32>
  %0 = VPU.NCE.MatMul ins(%rows, %w : tensor<1x?x64xf32>, tensor<1x2x64x16xf32>) outs(%e : tensor<1x?x32xf32>) {VPU.strategy = #VPU.strategy<multiCluster = SplitOverKernel, parts = [1, 1, 2]>} -> tensor<1x?x32xf32>
  return %0 : tensor<1x?x32xf32>
}

// -----

// That two dimensions become one does not show in any value that there is already.
// CHECK-LABEL: func @joined_rows_are_asked_for
// CHECK: %[[ROWS:.*]] = tensor.collapse_shape
// CHECK: scf.forall
// CHECK: VPU.NCE.MatMul ins(%[[ROWS]], %
func.func @joined_rows_are_asked_for(%x: tensor<1x?x4x64xf32>, %w: tensor<1x2x64x16xf32>, %n: index) -> tensor<1x?x32xf32> {
  %rows = tensor.collapse_shape %x [[0], [1, 2], [3]] : tensor<1x?x4x64xf32> into tensor<1x?x64xf32>
  %c1 = arith.constant 1 : index
  %m = tensor.dim %rows, %c1 : tensor<1x?x64xf32>
  %e = tensor.empty(%m) : tensor<1x?x32xf32>
  %0 = VPU.NCE.MatMul ins(%rows, %w : tensor<1x?x64xf32>, tensor<1x2x64x16xf32>) outs(%e : tensor<1x?x32xf32>) {VPU.strategy = #VPU.strategy<multiCluster = SplitOverKernel, parts = [1, 1, 2]>} -> tensor<1x?x32xf32>
  return %0 : tensor<1x?x32xf32>
}

// -----

// What a tensor is cast from tells how many rows the parts have, and that all of
// the operand's are read.
// CHECK-LABEL: func @rows_behind_a_cast_are_known
// CHECK-DAG: %[[ROWS:.*]] = tensor.cast %arg0
// CHECK-DAG: %[[RESULT:.*]] = tensor.cast %arg2
// CHECK: scf.forall (%{{.*}} shared_outs(%[[OUT:.*]] = %[[RESULT]])
// CHECK: %[[PART:.*]] = tensor.extract_slice %[[OUT]][0, 0, %{{.*}}] [1, 8, 16] [1, 1, 1] : tensor<1x?x32xf32> to tensor<1x8x16xf32>
// CHECK: VPU.NCE.MatMul ins(%[[ROWS]], %{{.*}} outs(%[[PART]]
func.func @rows_behind_a_cast_are_known(%x: tensor<1x8x64xf32>, %w: tensor<1x2x64x16xf32>, %y: tensor<1x8x32xf32>) -> tensor<1x?x32xf32> {
  %rows = tensor.cast %x : tensor<1x8x64xf32> to tensor<1x?x64xf32>
  %e = tensor.cast %y : tensor<1x8x32xf32> to tensor<1x?x32xf32>
  %0 = VPU.NCE.MatMul ins(%rows, %w : tensor<1x?x64xf32>, tensor<1x2x64x16xf32>) outs(%e : tensor<1x?x32xf32>) {VPU.strategy = #VPU.strategy<multiCluster = SplitOverKernel, parts = [1, 1, 2]>} -> tensor<1x?x32xf32>
  return %0 : tensor<1x?x32xf32>
}

// -----

// How many parts are made of a dynamic number of rows is known, too, where a cast
// hides it.
// CHECK-LABEL: func @parts_of_rows_behind_a_cast_are_known
// CHECK: scf.forall (%{{.*}}) in (2)
// CHECK: %[[FROM:.*]] = tensor.extract_slice %arg0[0, %{{.*}}, 0] [1, 4, 64] [1, 1, 1] : tensor<1x?x64xf32> to tensor<1x4x64xf32>
// CHECK: VPU.NCE.MatMul ins(%[[FROM]], %arg1 : {{.*}} -> tensor<1x4x32xf32>
func.func @parts_of_rows_behind_a_cast_are_known(%x: tensor<1x?x64xf32>, %w: tensor<1x2x64x16xf32>, %y: tensor<1x8x32xf32>) -> tensor<1x?x32xf32> {
  %e = tensor.cast %y : tensor<1x8x32xf32> to tensor<1x?x32xf32>
  %0 = VPU.NCE.MatMul ins(%x, %w : tensor<1x?x64xf32>, tensor<1x2x64x16xf32>) outs(%e : tensor<1x?x32xf32>) {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [1, ?, 1], grain = 4>} -> tensor<1x?x32xf32>
  return %0 : tensor<1x?x32xf32>
}

// -----

// That the operand is known does not tell how many rows the result has.
// CHECK-LABEL: func @rows_of_a_result_are_asked_for
// CHECK: %[[ROWS:.*]] = tensor.cast %arg0
// CHECK: %[[N:.*]] = tensor.dim %arg2
// CHECK: scf.forall
// CHECK: tensor.extract_slice %[[ROWS]][0, 0, 0] [1, %[[N]], 64] [1, 1, 1] : tensor<1x?x64xf32> to tensor<1x?x64xf32>
func.func @rows_of_a_result_are_asked_for(%x: tensor<1x8x64xf32>, %w: tensor<1x2x64x16xf32>, %e: tensor<1x?x32xf32>) -> tensor<1x?x32xf32> {
  %rows = tensor.cast %x : tensor<1x8x64xf32> to tensor<1x?x64xf32>
  %0 = VPU.NCE.MatMul ins(%rows, %w : tensor<1x?x64xf32>, tensor<1x2x64x16xf32>) outs(%e : tensor<1x?x32xf32>) {VPU.strategy = #VPU.strategy<multiCluster = SplitOverKernel, parts = [1, 1, 2]>} -> tensor<1x?x32xf32>
  return %0 : tensor<1x?x32xf32>
}

// -----

// Other elements are as many rows.
// CHECK-LABEL: func @rows_of_other_elements_are_read_whole
// CHECK: %[[ROWS:.*]] = tensor.bitcast
// CHECK: scf.forall
// CHECK: VPU.NCE.MatMul ins(%[[ROWS]], %
func.func @rows_of_other_elements_are_read_whole(%x: tensor<?x4x16xi32>, %w: tensor<1x2x64x16xf32>, %n: index) -> tensor<1x?x32xf32> {
  %parts = tensor.expand_shape %x [[0, 1], [2], [3]] output_shape [1, %n, 4, 16] : tensor<?x4x16xi32> into tensor<1x?x4x16xi32>
  %integers = tensor.collapse_shape %parts [[0], [1], [2, 3]] : tensor<1x?x4x16xi32> into tensor<1x?x64xi32>
  %rows = tensor.bitcast %integers : tensor<1x?x64xi32> to tensor<1x?x64xf32>
  %e = tensor.empty(%n) : tensor<1x?x32xf32>
  %0 = VPU.NCE.MatMul ins(%rows, %w : tensor<1x?x64xf32>, tensor<1x2x64x16xf32>) outs(%e : tensor<1x?x32xf32>) {VPU.strategy = #VPU.strategy<multiCluster = SplitOverKernel, parts = [1, 1, 2]>} -> tensor<1x?x32xf32>
  return %0 : tensor<1x?x32xf32>
}

// -----

// Equally many samples each, or four on average, are all that parts are made of.
// CHECK-LABEL: func @batch_is_split_where_parts_are_even
// CHECK-SAME: %[[N:[a-z0-9]+]]: index, %[[H:[a-z0-9]+]]: index)
// CHECK: %[[PARTS:.*]] = affine.min
// CHECK: %[[LEAST:.*]] = affine.min {{.*}}%[[H]]
// CHECK: %[[SOME:.*]] = affine.max {{.*}}[%[[LEAST]]]
// CHECK: %[[REST:.*]] = arith.remui %[[N]], %[[PARTS]]
// CHECK: %[[MANY:.*]] = affine.apply #{{.*}}[%[[PARTS]]]
// CHECK: %[[EVEN:.*]] = arith.cmpi eq, %[[REST]], %{{.*}}
// CHECK: %[[LONG:.*]] = arith.cmpi uge, %[[N]], %[[MANY]]
// CHECK: %[[ALL:.*]] = arith.ori %[[EVEN]], %[[LONG]]
// CHECK: %[[ROWS:.*]] = arith.select %[[ALL]], %{{.*}}, %[[SOME]]
// CHECK: %[[SAMPLES:.*]] = arith.divui %[[PARTS]], %[[ROWS]]
// CHECK: scf.forall (%{{.*}}, %{{.*}}) in (%[[SAMPLES]], %[[ROWS]])
func.func @batch_is_split_where_parts_are_even(%x: tensor<?x4x?x28x16xf32>, %w: tensor<4x4x1x1x16x16xf32>, %n: index, %h: index) -> tensor<?x4x?x28x16xf32> {
  %e = tensor.empty(%n, %h) : tensor<?x4x?x28x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<?x4x?x28x16xf32>, tensor<4x4x1x1x16x16xf32>) outs(%e : tensor<?x4x?x28x16xf32>) {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?, 1, ?, 1, 1], grain = 100, fewSteps = 4>} -> tensor<?x4x?x28x16xf32>
  return %0 : tensor<?x4x?x28x16xf32>
}
