// RUN: nacre-opt %s -canonicalize -split-input-file | FileCheck %s

// CHECK-LABEL: func @add_of_positive_float_zero_stays
func.func @add_of_positive_float_zero_stays(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c = IE.Constant dense<0.0> : tensor<8xf32>
  // CHECK: IE.Add
  %0 = IE.Add %x, %c : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func @add_of_negative_float_zero_folds
// CHECK-SAME: (%[[X:.*]]: tensor<8xf32>)
func.func @add_of_negative_float_zero_folds(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c = IE.Constant dense<-0.0> : tensor<f32>
  %0 = IE.Add %c, %x : tensor<f32>, tensor<8xf32> -> tensor<8xf32>
  // CHECK: return %[[X]]
  return %0 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func @add_of_int_zero_folds
// CHECK-SAME: (%[[X:.*]]: tensor<8xi32>)
func.func @add_of_int_zero_folds(%x: tensor<8xi32>) -> tensor<8xi32> {
  %c = IE.Constant dense<0> : tensor<8xi32>
  %0 = IE.Add %x, %c : tensor<8xi32>, tensor<8xi32> -> tensor<8xi32>
  // CHECK: return %[[X]]
  return %0 : tensor<8xi32>
}

// -----

// CHECK-LABEL: func @add_that_broadcasts_its_operand_stays
func.func @add_that_broadcasts_its_operand_stays(%x: tensor<1xi32>) -> tensor<8xi32> {
  %c = IE.Constant dense<0> : tensor<8xi32>
  // CHECK: IE.Add
  %0 = IE.Add %x, %c : tensor<1xi32>, tensor<8xi32> -> tensor<8xi32>
  return %0 : tensor<8xi32>
}

// -----

// CHECK-LABEL: func @sub_mul_div_pow_by_neutral_constants_fold
// CHECK-SAME: (%[[X:.*]]: tensor<8xf32>)
func.func @sub_mul_div_pow_by_neutral_constants_fold(%x: tensor<8xf32>) -> tensor<8xf32> {
  %zero = IE.Constant dense<0.0> : tensor<f32>
  %one = IE.Constant dense<1.0> : tensor<f32>
  %0 = IE.Sub %x, %zero : tensor<8xf32>, tensor<f32> -> tensor<8xf32>
  %1 = IE.Mul %one, %0 : tensor<f32>, tensor<8xf32> -> tensor<8xf32>
  %2 = IE.Div %1, %one : tensor<8xf32>, tensor<f32> -> tensor<8xf32>
  %3 = IE.Pow %2, %one : tensor<8xf32>, tensor<f32> -> tensor<8xf32>
  // CHECK-NEXT: return %[[X]]
  return %3 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func @mul_by_zero_stays
func.func @mul_by_zero_stays(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c = IE.Constant dense<0.0> : tensor<f32>
  // CHECK: IE.Mul
  %0 = IE.Mul %x, %c : tensor<8xf32>, tensor<f32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func @pow_of_two_becomes_mul
// CHECK-SAME: (%[[X:.*]]: tensor<8xf32>)
func.func @pow_of_two_becomes_mul(%x: tensor<8xf32>) -> tensor<8xf32> {
  %two = IE.Constant dense<2> : tensor<i64>
  // CHECK: IE.Mul %[[X]], %[[X]] : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %0 = IE.Pow %x, %two : tensor<8xf32>, tensor<i64> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func @sum_of_two_becomes_add
func.func @sum_of_two_becomes_add(%x: tensor<8xf32>, %y: tensor<f32>) -> tensor<8xf32> {
  // CHECK: IE.Add %{{.*}}, %{{.*}} : tensor<8xf32>, tensor<f32> -> tensor<8xf32>
  %0 = IE.Sum %x, %y : tensor<8xf32>, tensor<f32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func @variadic_ops_of_one_operand_fold
// CHECK-SAME: (%[[X:.*]]: tensor<8xf32>)
func.func @variadic_ops_of_one_operand_fold(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = IE.Sum %x : tensor<8xf32> -> tensor<8xf32>
  %1 = IE.Mean %0 : tensor<8xf32> -> tensor<8xf32>
  %2 = IE.Max %1 : tensor<8xf32> -> tensor<8xf32>
  %3 = IE.Min %2 : tensor<8xf32> -> tensor<8xf32>
  // CHECK-NEXT: return %[[X]]
  return %3 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func @neg_of_neg_folds
// CHECK-SAME: (%[[X:.*]]: tensor<8xf32>)
func.func @neg_of_neg_folds(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = IE.Neg %x : tensor<8xf32> -> tensor<8xf32>
  %1 = IE.Neg %0 : tensor<8xf32> -> tensor<8xf32>
  // CHECK-NEXT: return %[[X]]
  return %1 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func @floor_of_floor_folds_to_one
func.func @floor_of_floor_folds_to_one(%x: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-COUNT-1: IE.Floor
  // CHECK-NOT: IE.Floor
  %0 = IE.Floor %x : tensor<8xf32> -> tensor<8xf32>
  %1 = IE.Floor %0 : tensor<8xf32> -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func @identity_folds
// CHECK-SAME: (%[[X:.*]]: tensor<8xf32>)
func.func @identity_folds(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = IE.Identity %x : tensor<8xf32> -> tensor<8xf32>
  // CHECK-NEXT: return %[[X]]
  return %0 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func @cast_to_own_type_folds
// CHECK-SAME: (%[[X:.*]]: tensor<8xf32>)
func.func @cast_to_own_type_folds(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = IE.Cast %x to f32 : tensor<8xf32> -> tensor<8xf32>
  // CHECK-NEXT: return %[[X]]
  return %0 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func @cast_there_and_back_through_wider_type_folds
// CHECK-SAME: (%[[X:.*]]: tensor<8xi16>)
func.func @cast_there_and_back_through_wider_type_folds(%x: tensor<8xi16>) -> tensor<8xi16> {
  %0 = IE.Cast %x to f32 : tensor<8xi16> -> tensor<8xf32>
  %1 = IE.Cast %0 to i16 : tensor<8xf32> -> tensor<8xi16>
  // CHECK-NEXT: return %[[X]]
  return %1 : tensor<8xi16>
}

// -----

// CHECK-LABEL: func @cast_there_and_back_through_lossy_type_stays
func.func @cast_there_and_back_through_lossy_type_stays(%x: tensor<8xi32>) -> tensor<8xi32> {
  // CHECK-COUNT-2: IE.Cast
  %0 = IE.Cast %x to f32 : tensor<8xi32> -> tensor<8xf32>
  %1 = IE.Cast %0 to i32 : tensor<8xf32> -> tensor<8xi32>
  return %1 : tensor<8xi32>
}

// -----

// CHECK-LABEL: func @bit_cast_there_and_back_folds
// CHECK-SAME: (%[[X:.*]]: tensor<8xf32>)
func.func @bit_cast_there_and_back_folds(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = IE.BitCast %x to i32 : tensor<8xf32> -> tensor<8xi32>
  %1 = IE.BitCast %0 to f32 : tensor<8xi32> -> tensor<8xf32>
  %2 = IE.BitCast %1 to f32 : tensor<8xf32> -> tensor<8xf32>
  // CHECK-NEXT: return %[[X]]
  return %2 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func @bit_cast_there_and_back_through_bool_stays
func.func @bit_cast_there_and_back_through_bool_stays(%x: tensor<8xui8>) -> tensor<8xui8> {
  // CHECK-COUNT-2: IE.BitCast
  %0 = IE.BitCast %x to i1 : tensor<8xui8> -> tensor<8xi1>
  %1 = IE.BitCast %0 to ui8 : tensor<8xi1> -> tensor<8xui8>
  return %1 : tensor<8xui8>
}

// -----

// CHECK-LABEL: func @cast_like_becomes_cast
func.func @cast_like_becomes_cast(%x: tensor<8xf32>, %t: tensor<3xui8>) -> tensor<8xui8> {
  // CHECK: IE.Cast %{{.*}} to ui8 : tensor<8xf32> -> tensor<8xui8>
  %0 = IE.CastLike %x, %t : tensor<8xf32>, tensor<3xui8> -> tensor<8xui8>
  return %0 : tensor<8xui8>
}

// -----

// CHECK-LABEL: func @dropout_in_inference_becomes_copy
// CHECK-SAME: (%[[X:.*]]: tensor<8xf32>)
func.func @dropout_in_inference_becomes_copy(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xi1>) {
  %t = IE.Constant dense<false> : tensor<i1>
  // CHECK: %[[M:.*]] = IE.Constant dense<true> : tensor<8xi1>
  %0, %1 = IE.Dropout %x training_mode(%t : tensor<i1>) : tensor<8xf32> -> tensor<8xf32>, tensor<8xi1>
  // CHECK: return %[[X]], %[[M]]
  return %0, %1 : tensor<8xf32>, tensor<8xi1>
}

// -----

// CHECK-LABEL: func @dropout_of_dynamic_shape_with_unused_mask_folds
// CHECK-SAME: (%[[X:.*]]: tensor<?xf32>)
func.func @dropout_of_dynamic_shape_with_unused_mask_folds(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0, %1 = IE.Dropout %x : tensor<?xf32> -> tensor<?xf32>, tensor<?xi1>
  // CHECK-NEXT: return %[[X]]
  return %0 : tensor<?xf32>
}

// -----

// CHECK-LABEL: func @dropout_in_unknown_mode_stays
func.func @dropout_in_unknown_mode_stays(%x: tensor<8xf32>, %t: tensor<i1>) -> tensor<8xf32> {
  // CHECK: IE.Dropout
  %0, %1 = IE.Dropout %x training_mode(%t : tensor<i1>) : tensor<8xf32> -> tensor<8xf32>, tensor<8xi1>
  return %0 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func @clip_without_bounds_folds
// CHECK-SAME: (%[[X:.*]]: tensor<8xf32>)
func.func @clip_without_bounds_folds(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = IE.Clip %x : tensor<8xf32> -> tensor<8xf32>
  // CHECK-NEXT: return %[[X]]
  return %0 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func @clip_at_zero_becomes_relu
func.func @clip_at_zero_becomes_relu(%x: tensor<8xf32>) -> tensor<8xf32> {
  %zero = IE.Constant dense<0.0> : tensor<f32>
  // CHECK: IE.Relu
  %0 = IE.Clip %x min(%zero : tensor<f32>) : tensor<8xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func @clip_of_relu_merges
// CHECK-SAME: (%[[X:.*]]: tensor<8xf32>)
func.func @clip_of_relu_merges(%x: tensor<8xf32>) -> tensor<8xf32> {
  %lo = IE.Constant dense<-1.0> : tensor<f32>
  %hi = IE.Constant dense<6.0> : tensor<f32>
  // CHECK-DAG: %[[LO:.*]] = IE.Constant dense<0.000000e+00> : tensor<f32>
  // CHECK-DAG: %[[HI:.*]] = IE.Constant dense<6.000000e+00> : tensor<f32>
  // CHECK: IE.Clip %[[X]] min(%[[LO]] : tensor<f32>) max(%[[HI]] : tensor<f32>)
  // CHECK-NOT: IE.Relu
  %0 = IE.Relu %x : tensor<8xf32> -> tensor<8xf32>
  %1 = IE.Clip %0 min(%lo : tensor<f32>) max(%hi : tensor<f32>) : tensor<8xf32> -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func @clip_of_clip_merges_to_image_of_inner_interval
// CHECK-SAME: (%[[X:.*]]: tensor<8xf32>)
func.func @clip_of_clip_merges_to_image_of_inner_interval(%x: tensor<8xf32>) -> tensor<8xf32> {
  %a = IE.Constant dense<[2.0]> : tensor<1xf32>
  %b = IE.Constant dense<3.0> : tensor<f32>
  %d = IE.Constant dense<1.0> : tensor<f32>
  // Everything in [2, 3] is limited to 1.
  // CHECK: %[[C:.*]] = IE.Constant dense<1.000000e+00> : tensor<f32>
  // CHECK: IE.Clip %[[X]] min(%[[C]] : tensor<f32>) max(%[[C]] : tensor<f32>)
  %0 = IE.Clip %x min(%a : tensor<1xf32>) max(%b : tensor<f32>) : tensor<8xf32> -> tensor<8xf32>
  %1 = IE.Clip %0 max(%d : tensor<f32>) : tensor<8xf32> -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func @clip_of_clip_with_crossing_bounds_stays
func.func @clip_of_clip_with_crossing_bounds_stays(%x: tensor<8xf32>) -> tensor<8xf32> {
  %a = IE.Constant dense<4.0> : tensor<f32>
  %b = IE.Constant dense<3.0> : tensor<f32>
  // CHECK-COUNT-2: IE.Clip
  %0 = IE.Clip %x min(%a : tensor<f32>) max(%b : tensor<f32>) : tensor<8xf32> -> tensor<8xf32>
  %1 = IE.Clip %0 max(%b : tensor<f32>) : tensor<8xf32> -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
