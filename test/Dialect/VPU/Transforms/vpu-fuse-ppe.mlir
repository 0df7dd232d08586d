// RUN: nacre-opt %s --vpu-fuse-ppe --split-input-file | FileCheck %s

// CHECK-LABEL: @activation_of_single_use_is_fused
func.func @activation_of_single_use_is_fused(%x: tensor<1x1x8x8x16xf32>, %w: tensor<1x1x1x1x16x16xf32>) -> tensor<1x1x8x8x16xf32> {
  %e = tensor.empty() : tensor<1x1x8x8x16xf32>
  // CHECK: %[[C:.*]] = VPU.NCE.Convolution {{.*}} {ppe = #VPU.PPE<mode = RELU>}
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x1x8x8x16xf32>, tensor<1x1x1x1x16x16xf32>) outs(%e : tensor<1x1x8x8x16xf32>) -> tensor<1x1x8x8x16xf32>
  // CHECK-NOT: VPU.NCE.Eltwise
  %1 = VPU.NCE.Eltwise ins(%0, %0 : tensor<1x1x8x8x16xf32>, tensor<1x1x8x8x16xf32>) outs(%e : tensor<1x1x8x8x16xf32>) {kind = #VPU.eltwise<MAX>, ppe = #VPU.PPE<mode = RELU>} -> tensor<1x1x8x8x16xf32>
  // CHECK: return %[[C]]
  return %1 : tensor<1x1x8x8x16xf32>
}

// -----

// CHECK-LABEL: @activation_of_shared_value_stays
func.func @activation_of_shared_value_stays(%x: tensor<1x1x8x8x16xf32>, %w: tensor<1x1x1x1x16x16xf32>) -> (tensor<1x1x8x8x16xf32>, tensor<1x1x8x8x16xf32>) {
  %e = tensor.empty() : tensor<1x1x8x8x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x1x8x8x16xf32>, tensor<1x1x1x1x16x16xf32>) outs(%e : tensor<1x1x8x8x16xf32>) -> tensor<1x1x8x8x16xf32>
  // CHECK: VPU.NCE.Eltwise {{.*}} ppe = #VPU.PPE<mode = RELU>
  %1 = VPU.NCE.Eltwise ins(%0, %0 : tensor<1x1x8x8x16xf32>, tensor<1x1x8x8x16xf32>) outs(%e : tensor<1x1x8x8x16xf32>) {kind = #VPU.eltwise<MAX>, ppe = #VPU.PPE<mode = RELU>} -> tensor<1x1x8x8x16xf32>
  return %0, %1 : tensor<1x1x8x8x16xf32>, tensor<1x1x8x8x16xf32>
}

// -----

// The later of two candidates takes the other as residual, then the activation.
// CHECK-LABEL: @residual_then_activation_are_fused
func.func @residual_then_activation_are_fused(%x: tensor<1x1x8x8x16xf32>, %w: tensor<1x1x1x1x16x16xf32>) -> tensor<1x1x8x8x16xf32> {
  %e = tensor.empty() : tensor<1x1x8x8x16xf32>
  // CHECK: %[[A:.*]] = VPU.NCE.Convolution ins({{.*}}) outs({{.*}}) -> tensor
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x1x8x8x16xf32>, tensor<1x1x1x1x16x16xf32>) outs(%e : tensor<1x1x8x8x16xf32>) -> tensor<1x1x8x8x16xf32>
  // CHECK: %[[B:.*]] = VPU.NCE.Convolution ins({{.*}}) residual(%[[A]] : {{.*}}) outs({{.*}}) {ppe = #VPU.PPE<mode = RELU>}
  %1 = VPU.NCE.Convolution ins(%x, %w : tensor<1x1x8x8x16xf32>, tensor<1x1x1x1x16x16xf32>) outs(%e : tensor<1x1x8x8x16xf32>) -> tensor<1x1x8x8x16xf32>
  %2 = VPU.NCE.Eltwise ins(%1, %0 : tensor<1x1x8x8x16xf32>, tensor<1x1x8x8x16xf32>) outs(%e : tensor<1x1x8x8x16xf32>) {kind = #VPU.eltwise<ADD>} -> tensor<1x1x8x8x16xf32>
  %3 = VPU.NCE.Eltwise ins(%2, %2 : tensor<1x1x8x8x16xf32>, tensor<1x1x8x8x16xf32>) outs(%e : tensor<1x1x8x8x16xf32>) {kind = #VPU.eltwise<MAX>, ppe = #VPU.PPE<mode = RELU>} -> tensor<1x1x8x8x16xf32>
  // CHECK: return %[[B]]
  return %3 : tensor<1x1x8x8x16xf32>
}

// -----

// After its activation an op takes no residual: the order would change.
// CHECK-LABEL: @residual_after_activation_stays
func.func @residual_after_activation_stays(%x: tensor<1x1x8x8x16xf32>, %w: tensor<1x1x1x1x16x16xf32>) -> tensor<1x1x8x8x16xf32> {
  %e = tensor.empty() : tensor<1x1x8x8x16xf32>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x1x8x8x16xf32>, tensor<1x1x1x1x16x16xf32>) outs(%e : tensor<1x1x8x8x16xf32>) {ppe = #VPU.PPE<mode = RELU>} -> tensor<1x1x8x8x16xf32>
  // CHECK: VPU.NCE.Eltwise
  %1 = VPU.NCE.Eltwise ins(%0, %x : tensor<1x1x8x8x16xf32>, tensor<1x1x8x8x16xf32>) outs(%e : tensor<1x1x8x8x16xf32>) {kind = #VPU.eltwise<ADD>} -> tensor<1x1x8x8x16xf32>
  return %1 : tensor<1x1x8x8x16xf32>
}

// -----

// CHECK-LABEL: @pool_takes_no_residual
func.func @pool_takes_no_residual(%x: tensor<1x1x8x8x16xf32>) -> tensor<1x1x8x8x16xf32> {
  %e = tensor.empty() : tensor<1x1x8x8x16xf32>
  %0 = VPU.NCE.MaxPool ins(%x : tensor<1x1x8x8x16xf32>) outs(%e : tensor<1x1x8x8x16xf32>) {kernel = array<i64: 1, 1>} -> tensor<1x1x8x8x16xf32>
  // CHECK: VPU.NCE.Eltwise
  %1 = VPU.NCE.Eltwise ins(%0, %x : tensor<1x1x8x8x16xf32>, tensor<1x1x8x8x16xf32>) outs(%e : tensor<1x1x8x8x16xf32>) {kind = #VPU.eltwise<ADD>} -> tensor<1x1x8x8x16xf32>
  return %1 : tensor<1x1x8x8x16xf32>
}

// -----

// CHECK-LABEL: @activation_of_joined_parts_is_fused_into_each
func.func @activation_of_joined_parts_is_fused_into_each(%x: tensor<1x1x8x8x16xf32>, %w: tensor<1x1x1x1x16x16xf32>) -> tensor<1x1x8x16x16xf32> {
  %e = tensor.empty() : tensor<1x1x8x8x16xf32>
  %to = tensor.empty() : tensor<1x1x8x16x16xf32>
  // CHECK: VPU.NCE.Convolution {{.*}}ppe = #VPU.PPE<mode = RELU>
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x1x8x8x16xf32>, tensor<1x1x1x1x16x16xf32>) outs(%e : tensor<1x1x8x8x16xf32>) -> tensor<1x1x8x8x16xf32>
  %1 = tensor.insert_slice %0 into %to[0, 0, 0, 0, 0] [1, 1, 8, 8, 16] [1, 1, 1, 2, 1] : tensor<1x1x8x8x16xf32> into tensor<1x1x8x16x16xf32>
  // CHECK: VPU.NCE.Convolution {{.*}}ppe = #VPU.PPE<mode = RELU>
  %2 = VPU.NCE.Convolution ins(%x, %w : tensor<1x1x8x8x16xf32>, tensor<1x1x1x1x16x16xf32>) outs(%e : tensor<1x1x8x8x16xf32>) -> tensor<1x1x8x8x16xf32>
  // CHECK: %[[JOINED:.*]] = tensor.insert_slice
  %3 = tensor.insert_slice %2 into %1[0, 0, 0, 1, 0] [1, 1, 8, 8, 16] [1, 1, 1, 2, 1] : tensor<1x1x8x8x16xf32> into tensor<1x1x8x16x16xf32>
  // CHECK-NOT: VPU.NCE.Eltwise
  %4 = VPU.NCE.Eltwise ins(%3, %3 : tensor<1x1x8x16x16xf32>, tensor<1x1x8x16x16xf32>) outs(%to : tensor<1x1x8x16x16xf32>) {kind = #VPU.eltwise<MAX>, ppe = #VPU.PPE<mode = RELU>} -> tensor<1x1x8x16x16xf32>
  // CHECK: return %[[JOINED]]
  return %4 : tensor<1x1x8x16x16xf32>
}

// -----

// What the parts are joined to needs the activation, too.
// CHECK-LABEL: @activation_of_more_than_the_parts_stays
func.func @activation_of_more_than_the_parts_stays(%x: tensor<1x1x8x8x16xf32>, %w: tensor<1x1x1x1x16x16xf32>, %more: tensor<1x1x8x16x16xf32>) -> tensor<1x1x8x16x16xf32> {
  %e = tensor.empty() : tensor<1x1x8x8x16xf32>
  %to = tensor.empty() : tensor<1x1x8x16x16xf32>
  // CHECK: VPU.NCE.Convolution {{.*}} -> tensor
  %0 = VPU.NCE.Convolution ins(%x, %w : tensor<1x1x8x8x16xf32>, tensor<1x1x1x1x16x16xf32>) outs(%e : tensor<1x1x8x8x16xf32>) -> tensor<1x1x8x8x16xf32>
  %1 = tensor.insert_slice %0 into %more[0, 0, 0, 0, 0] [1, 1, 8, 8, 16] [1, 1, 1, 2, 1] : tensor<1x1x8x8x16xf32> into tensor<1x1x8x16x16xf32>
  // CHECK: VPU.NCE.Convolution {{.*}} -> tensor
  %2 = VPU.NCE.Convolution ins(%x, %w : tensor<1x1x8x8x16xf32>, tensor<1x1x1x1x16x16xf32>) outs(%e : tensor<1x1x8x8x16xf32>) -> tensor<1x1x8x8x16xf32>
  // CHECK: %[[JOINED:.*]] = tensor.insert_slice
  %3 = tensor.insert_slice %2 into %1[0, 0, 0, 1, 0] [1, 1, 8, 8, 16] [1, 1, 1, 2, 1] : tensor<1x1x8x8x16xf32> into tensor<1x1x8x16x16xf32>
  // CHECK: %[[ALL:.*]] = VPU.NCE.Eltwise ins(%[[JOINED]]
  %4 = VPU.NCE.Eltwise ins(%3, %3 : tensor<1x1x8x16x16xf32>, tensor<1x1x8x16x16xf32>) outs(%to : tensor<1x1x8x16x16xf32>) {kind = #VPU.eltwise<MAX>, ppe = #VPU.PPE<mode = RELU>} -> tensor<1x1x8x16x16xf32>
  // CHECK: return %[[ALL]]
  return %4 : tensor<1x1x8x16x16xf32>
}
