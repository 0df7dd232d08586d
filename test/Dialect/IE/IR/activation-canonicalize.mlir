// RUN: nacre-opt %s -canonicalize -split-input-file | FileCheck %s

// CHECK-LABEL: func @relu_of_relu_folds_to_one
func.func @relu_of_relu_folds_to_one(%x: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-COUNT-1: IE.Relu
  // CHECK-NOT: IE.Relu
  %0 = IE.Relu %x : tensor<8xf32> -> tensor<8xf32>
  %1 = IE.Relu %0 : tensor<8xf32> -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func @relu_of_unsigned_ints_folds
// CHECK-SAME: (%[[X:.*]]: tensor<8xui8>)
func.func @relu_of_unsigned_ints_folds(%x: tensor<8xui8>) -> tensor<8xui8> {
  %0 = IE.Relu %x : tensor<8xui8> -> tensor<8xui8>
  // CHECK-NEXT: return %[[X]]
  return %0 : tensor<8xui8>
}

// -----

// CHECK-LABEL: func @relu_of_positive_clip_folds
func.func @relu_of_positive_clip_folds(%x: tensor<8xf32>) -> tensor<8xf32> {
  %lo = IE.Constant dense<0.0> : tensor<f32>
  %hi = IE.Constant dense<6.0> : tensor<f32>
  // CHECK: %[[R:.*]] = IE.Clip
  %0 = IE.Clip %x min(%lo : tensor<f32>) max(%hi : tensor<f32>) : tensor<8xf32> -> tensor<8xf32>
  %1 = IE.Relu %0 : tensor<8xf32> -> tensor<8xf32>
  // CHECK-NEXT: return %[[R]]
  return %1 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func @relu_of_clip_without_lower_bound_stays
func.func @relu_of_clip_without_lower_bound_stays(%x: tensor<8xf32>) -> tensor<8xf32> {
  %hi = IE.Constant dense<6.0> : tensor<f32>
  // CHECK: IE.Relu
  %0 = IE.Clip %x max(%hi : tensor<f32>) : tensor<8xf32> -> tensor<8xf32>
  %1 = IE.Relu %0 : tensor<8xf32> -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func @relu_of_clip_with_negative_upper_bound_stays
func.func @relu_of_clip_with_negative_upper_bound_stays(%x: tensor<8xf32>) -> tensor<8xf32> {
  %lo = IE.Constant dense<1.0> : tensor<f32>
  %hi = IE.Constant dense<-6.0> : tensor<f32>
  // CHECK: IE.Relu
  %0 = IE.Clip %x min(%lo : tensor<f32>) max(%hi : tensor<f32>) : tensor<8xf32> -> tensor<8xf32>
  %1 = IE.Relu %0 : tensor<8xf32> -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
