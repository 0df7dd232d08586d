// RUN: nacre-opt %s -canonicalize -split-input-file | FileCheck %s

// CHECK-LABEL: func @logic_with_neutral_constants_folds
// CHECK-SAME: (%[[X:.*]]: tensor<8xi1>)
func.func @logic_with_neutral_constants_folds(%x: tensor<8xi1>) -> tensor<8xi1> {
  %true = IE.Constant dense<true> : tensor<i1>
  %false = IE.Constant dense<false> : tensor<8xi1>
  %0 = IE.And %true, %x : tensor<i1>, tensor<8xi1> -> tensor<8xi1>
  %1 = IE.Or %0, %false : tensor<8xi1>, tensor<8xi1> -> tensor<8xi1>
  %2 = IE.Xor %1, %false : tensor<8xi1>, tensor<8xi1> -> tensor<8xi1>
  // CHECK-NEXT: return %[[X]]
  return %2 : tensor<8xi1>
}

// -----

// CHECK-LABEL: func @and_or_of_equal_operands_fold
// CHECK-SAME: (%[[X:.*]]: tensor<8xi1>)
func.func @and_or_of_equal_operands_fold(%x: tensor<8xi1>) -> tensor<8xi1> {
  %0 = IE.And %x, %x : tensor<8xi1>, tensor<8xi1> -> tensor<8xi1>
  %1 = IE.Or %0, %0 : tensor<8xi1>, tensor<8xi1> -> tensor<8xi1>
  // CHECK-NEXT: return %[[X]]
  return %1 : tensor<8xi1>
}

// -----

// CHECK-LABEL: func @not_of_not_folds
// CHECK-SAME: (%[[X:.*]]: tensor<8xi1>)
func.func @not_of_not_folds(%x: tensor<8xi1>) -> tensor<8xi1> {
  %0 = IE.Not %x : tensor<8xi1> -> tensor<8xi1>
  %1 = IE.Not %0 : tensor<8xi1> -> tensor<8xi1>
  // CHECK-NEXT: return %[[X]]
  return %1 : tensor<8xi1>
}

// -----

// CHECK-LABEL: func @where_with_constant_condition_folds
// CHECK-SAME: (%[[X:.*]]: tensor<8xf32>, %{{.*}}: tensor<8xf32>)
func.func @where_with_constant_condition_folds(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %true = IE.Constant dense<true> : tensor<8xi1>
  %0 = IE.Where %true, %x, %y : tensor<8xi1>, tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  // CHECK-NEXT: return %[[X]]
  return %0 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func @where_that_broadcasts_its_choice_stays
func.func @where_that_broadcasts_its_choice_stays(%x: tensor<f32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %true = IE.Constant dense<true> : tensor<8xi1>
  // CHECK: IE.Where
  %0 = IE.Where %true, %x, %y : tensor<8xi1>, tensor<f32>, tensor<8xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func @where_of_equal_branches_folds
// CHECK-SAME: (%{{.*}}: tensor<8xi1>, %[[X:.*]]: tensor<8xf32>)
func.func @where_of_equal_branches_folds(%c: tensor<8xi1>, %x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = IE.Where %c, %x, %x : tensor<8xi1>, tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  // CHECK-NEXT: return %[[X]]
  return %0 : tensor<8xf32>
}
