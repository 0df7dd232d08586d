// RUN: nacre-opt %s -split-input-file --convert-ie-to-linalg | FileCheck %s

// Lowering of constants and generated tensors.

// CHECK-LABEL: func @unsigned_constant_becomes_signless
// CHECK-SAME: -> tensor<2xi8>
func.func @unsigned_constant_becomes_signless() -> tensor<2xui8> {
  // CHECK: arith.constant dense<[0, -1]> : tensor<2xi8>
  %0 = IE.Constant dense<[0, 255]> : tensor<2xui8>
  return %0 : tensor<2xui8>
}

// -----

// The blob keeps its name: it is the same data, not a copy.
// CHECK-LABEL: func @resource_keeps_its_blob
func.func @resource_keeps_its_blob() -> tensor<2xui16> {
  // CHECK: arith.constant dense_resource<weights> : tensor<2xi16>
  %0 = IE.Constant dense_resource<weights> : tensor<2xui16>
  return %0 : tensor<2xui16>
}
{-#
  dialect_resources: {
    builtin: {
      weights: "0x0200000001000200"
    }
  }
#-}

// -----

// CHECK-LABEL: func @constant_of_shape_fills
func.func @constant_of_shape_fills(%shape: tensor<2xi64>) -> tensor<2x3xui8> {
  // CHECK-DAG: %[[VALUE:.*]] = arith.constant -56 : i8
  // CHECK-DAG: %[[EMPTY:.*]] = tensor.empty() : tensor<2x3xi8>
  // CHECK: linalg.fill ins(%[[VALUE]] : i8) outs(%[[EMPTY]] : tensor<2x3xi8>)
  %0 = IE.ConstantOfShape %shape {value = dense<200> : tensor<1xui8>} : tensor<2xi64> -> tensor<2x3xui8>
  return %0 : tensor<2x3xui8>
}

// -----

// CHECK-LABEL: func @range_computes_from_the_index
func.func @range_computes_from_the_index(%start: tensor<f32>, %limit: tensor<f32>, %delta: tensor<f32>) -> tensor<5xf32> {
  // CHECK-DAG: %[[START:.*]] = tensor.extract %arg0[] : tensor<f32>
  // CHECK-DAG: %[[DELTA:.*]] = tensor.extract %arg2[] : tensor<f32>
  // CHECK: linalg.generic
  // CHECK: linalg.index 0
  // CHECK: %[[OFFSET:.*]] = arith.mulf %{{.*}}, %[[DELTA]]
  // CHECK: arith.addf %[[START]], %[[OFFSET]]
  %0 = IE.Range %start, %limit, %delta : tensor<f32>, tensor<f32>, tensor<f32> -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

// CHECK-LABEL: func @range_of_floats_is_as_long_as_its_bounds_say
func.func @range_of_floats_is_as_long_as_its_bounds_say(%start: tensor<f32>, %limit: tensor<f32>, %delta: tensor<f32>) -> tensor<?xf32> {
  // CHECK: %[[STEPS:.*]] = arith.divf %{{.*}}, %{{.*}} : f64
  // CHECK: math.ceil %[[STEPS]]
  // CHECK: cf.assert %{{.*}}, "expected a delta other than 0 and finite bounds"
  // CHECK: %[[SIZE:.*]] = arith.index_cast %{{.*}} : i64 to index
  // CHECK: tensor.empty(%[[SIZE]]) : tensor<?xf32>
  %0 = IE.Range %start, %limit, %delta : tensor<f32>, tensor<f32>, tensor<f32> -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// CHECK-LABEL: func @range_of_integers_has_the_declared_length
func.func @range_of_integers_has_the_declared_length(%start: tensor<i32>, %limit: tensor<i32>, %delta: tensor<i32>) -> tensor<7xi32> {
  // CHECK: arith.cmpi ne, %{{.*}}, %c0
  // CHECK: cf.assert %{{.*}}, "expected a delta other than 0 and finite bounds"
  // CHECK: tensor.empty() : tensor<7xi32>
  %0 = IE.Range %start, %limit, %delta : tensor<i32>, tensor<i32>, tensor<i32> -> tensor<7xi32>
  return %0 : tensor<7xi32>
}

// -----

// CHECK-LABEL: func @eye_like_sets_a_diagonal_of_zeros
func.func @eye_like_sets_a_diagonal_of_zeros(%arg0: tensor<3x4xi32>) -> tensor<3x4xi1> {
  // CHECK: %[[ZEROS:.*]] = linalg.fill ins(%false
  // CHECK: scf.for %[[ROW:.*]] = %c0 to %c3 {{.*}} iter_args(%[[EYE:.*]] = %[[ZEROS]])
  // CHECK: %[[COLUMN:.*]] = arith.addi %[[ROW]], %c1
  // CHECK: tensor.insert %true into %[[EYE]][%[[ROW]], %[[COLUMN]]]
  %0 = IE.EyeLike %arg0 {dtype = i1, k = 1 : i64} : tensor<3x4xi32> -> tensor<3x4xi1>
  return %0 : tensor<3x4xi1>
}

// -----

// The first row with a one is the third.
// CHECK-LABEL: func @eye_like_below_the_diagonal_starts_later
func.func @eye_like_below_the_diagonal_starts_later(%arg0: tensor<4x2xi32>) -> tensor<4x2xf32> {
  // CHECK: scf.for %[[ROW:.*]] = %c2 to %c4
  // CHECK: arith.addi %[[ROW]], %c-2
  %0 = IE.EyeLike %arg0 {dtype = f32, k = -2 : i64} : tensor<4x2xi32> -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}
