// RUN: nacre-opt %s | nacre-opt | FileCheck %s

// CHECK-LABEL: func @and_broadcasts
func.func @and_broadcasts(%a: tensor<2x?xi1>, %b: tensor<8xi1>) -> tensor<2x8xi1> {
  // CHECK: IE.And %{{.*}}, %{{.*}} : tensor<2x?xi1>, tensor<8xi1> -> tensor<2x8xi1>
  %0 = IE.And %a, %b : tensor<2x?xi1>, tensor<8xi1> -> tensor<2x8xi1>
  return %0 : tensor<2x8xi1>
}

// CHECK-LABEL: func @or_broadcasts
func.func @or_broadcasts(%a: tensor<2x?xi1>, %b: tensor<8xi1>) -> tensor<2x8xi1> {
  // CHECK: IE.Or %{{.*}}, %{{.*}} : tensor<2x?xi1>, tensor<8xi1> -> tensor<2x8xi1>
  %0 = IE.Or %a, %b : tensor<2x?xi1>, tensor<8xi1> -> tensor<2x8xi1>
  return %0 : tensor<2x8xi1>
}

// CHECK-LABEL: func @xor_broadcasts
func.func @xor_broadcasts(%a: tensor<2x?xi1>, %b: tensor<8xi1>) -> tensor<2x8xi1> {
  // CHECK: IE.Xor %{{.*}}, %{{.*}} : tensor<2x?xi1>, tensor<8xi1> -> tensor<2x8xi1>
  %0 = IE.Xor %a, %b : tensor<2x?xi1>, tensor<8xi1> -> tensor<2x8xi1>
  return %0 : tensor<2x8xi1>
}

// CHECK-LABEL: func @not_round_trips
func.func @not_round_trips(%x: tensor<2x?xi1>) -> tensor<2x?xi1> {
  // CHECK: IE.Not %{{.*}} : tensor<2x?xi1> -> tensor<2x?xi1>
  %0 = IE.Not %x : tensor<2x?xi1> -> tensor<2x?xi1>
  return %0 : tensor<2x?xi1>
}

// CHECK-LABEL: func @equal_broadcasts
func.func @equal_broadcasts(%a: tensor<2x?xf32>, %b: tensor<8xf32>) -> tensor<2x8xi1> {
  // CHECK: IE.Equal %{{.*}}, %{{.*}} : tensor<2x?xf32>, tensor<8xf32> -> tensor<2x8xi1>
  %0 = IE.Equal %a, %b : tensor<2x?xf32>, tensor<8xf32> -> tensor<2x8xi1>
  return %0 : tensor<2x8xi1>
}

// CHECK-LABEL: func @greater_broadcasts
func.func @greater_broadcasts(%a: tensor<2x?xf32>, %b: tensor<8xf32>) -> tensor<2x8xi1> {
  // CHECK: IE.Greater %{{.*}}, %{{.*}} : tensor<2x?xf32>, tensor<8xf32> -> tensor<2x8xi1>
  %0 = IE.Greater %a, %b : tensor<2x?xf32>, tensor<8xf32> -> tensor<2x8xi1>
  return %0 : tensor<2x8xi1>
}

// CHECK-LABEL: func @greater_or_equal_broadcasts
func.func @greater_or_equal_broadcasts(%a: tensor<2x?xf32>, %b: tensor<8xf32>) -> tensor<2x8xi1> {
  // CHECK: IE.GreaterOrEqual %{{.*}}, %{{.*}} : tensor<2x?xf32>, tensor<8xf32> -> tensor<2x8xi1>
  %0 = IE.GreaterOrEqual %a, %b : tensor<2x?xf32>, tensor<8xf32> -> tensor<2x8xi1>
  return %0 : tensor<2x8xi1>
}

// CHECK-LABEL: func @less_broadcasts
func.func @less_broadcasts(%a: tensor<2x?xf32>, %b: tensor<8xf32>) -> tensor<2x8xi1> {
  // CHECK: IE.Less %{{.*}}, %{{.*}} : tensor<2x?xf32>, tensor<8xf32> -> tensor<2x8xi1>
  %0 = IE.Less %a, %b : tensor<2x?xf32>, tensor<8xf32> -> tensor<2x8xi1>
  return %0 : tensor<2x8xi1>
}

// CHECK-LABEL: func @less_or_equal_broadcasts
func.func @less_or_equal_broadcasts(%a: tensor<2x?xf32>, %b: tensor<8xf32>) -> tensor<2x8xi1> {
  // CHECK: IE.LessOrEqual %{{.*}}, %{{.*}} : tensor<2x?xf32>, tensor<8xf32> -> tensor<2x8xi1>
  %0 = IE.LessOrEqual %a, %b : tensor<2x?xf32>, tensor<8xf32> -> tensor<2x8xi1>
  return %0 : tensor<2x8xi1>
}

// CHECK-LABEL: func @equal_bools_broadcasts
func.func @equal_bools_broadcasts(%a: tensor<2x8xi1>, %b: tensor<i1>) -> tensor<2x8xi1> {
  // CHECK: IE.Equal %{{.*}}, %{{.*}} : tensor<2x8xi1>, tensor<i1> -> tensor<2x8xi1>
  %0 = IE.Equal %a, %b : tensor<2x8xi1>, tensor<i1> -> tensor<2x8xi1>
  return %0 : tensor<2x8xi1>
}

// CHECK-LABEL: func @where_broadcasts_all_operands
func.func @where_broadcasts_all_operands(%c: tensor<2x1xi1>, %a: tensor<8xf32>, %b: tensor<f32>) -> tensor<2x8xf32> {
  // CHECK: IE.Where %{{.*}}, %{{.*}}, %{{.*}} : tensor<2x1xi1>, tensor<8xf32>, tensor<f32> -> tensor<2x8xf32>
  %0 = IE.Where %c, %a, %b : tensor<2x1xi1>, tensor<8xf32>, tensor<f32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}
