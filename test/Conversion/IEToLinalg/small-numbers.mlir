// RUN: nacre-opt %s --convert-ie-to-linalg | FileCheck %s

// Each number is a byte, which only conversions look into.

// CHECK-LABEL: func @moved_as_bytes
// CHECK-SAME: (%[[X:.*]]: tensor<2x3xi8>) -> tensor<3x2xi8>
// CHECK: linalg.transpose
func.func @moved_as_bytes(%x: tensor<2x3xf8E5M2>) -> tensor<3x2xf8E5M2> {
  %0 = IE.Transpose %x : tensor<2x3xf8E5M2> -> tensor<3x2xf8E5M2>
  return %0 : tensor<3x2xf8E5M2>
}

// Four bits are packed at the boundary.
// CHECK-LABEL: func @sign_is_extended
// CHECK-SAME: tensor<3xi8> {nacre.element = i4}
// CHECK: %[[FOUR:.*]] = arith.constant 4 : i8
// CHECK: %[[UP:.*]] = arith.shli %{{.*}}, %[[FOUR]]
// CHECK: %[[WIDE:.*]] = arith.shrsi %[[UP]], %[[FOUR]]
// CHECK: arith.sitofp %[[WIDE]] : i8 to f32
func.func @sign_is_extended(%x: tensor<3xi4>) -> tensor<3xf32> {
  %0 = IE.Cast %x to f32 : tensor<3xi4> -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func @rounded_by_bits
// CHECK-SAME: -> tensor<3xi8>
// CHECK-NOT: nacre.element
// CHECK: arith.bitcast %{{.*}} : f32 to i32
// CHECK: math.roundeven
// CHECK: arith.trunci %{{.*}} : i32 to i8
func.func @rounded_by_bits(%x: tensor<3xf32>) -> tensor<3xf8E4M3FNUZ> {
  %0 = IE.Cast %x to f8E4M3FNUZ : tensor<3xf32> -> tensor<3xf8E4M3FNUZ>
  return %0 : tensor<3xf8E4M3FNUZ>
}

// CHECK-LABEL: func @constant_of_bytes
// CHECK: arith.constant dense<[8, 15, 7]> : tensor<3xi8>
func.func @constant_of_bytes() -> tensor<3xi4> {
  %0 = IE.Constant dense<[-8, -1, 7]> : tensor<3xi4>
  return %0 : tensor<3xi4>
}

// CHECK-LABEL: func @two_bits_wrap
// CHECK-SAME: -> (tensor<3xi8> {nacre.element = ui2})
// CHECK: arith.fptosi %{{.*}} : f32 to i32
// CHECK: %[[THREE:.*]] = arith.constant 3 : i8
// CHECK: arith.andi %{{.*}}, %[[THREE]] : i8
func.func @two_bits_wrap(%x: tensor<3xf32>) -> tensor<3xui2> {
  %0 = IE.Cast %x to ui2 : tensor<3xf32> -> tensor<3xui2>
  return %0 : tensor<3xui2>
}

// A number is an exponent: rounding is a carry into it, with no arithmetic on
// floats.
// CHECK-LABEL: func @scale_is_an_exponent
// CHECK-NOT: arith.{{.*}}f %
// CHECK-DAG: arith.constant 8388607 : i32
// CHECK: arith.shrui
// CHECK: arith.trunci %{{.*}} : i32 to i8
func.func @scale_is_an_exponent(%x: tensor<3xf32>) -> tensor<3xf8E8M0FNU> {
  %0 = IE.Cast %x to f8E8M0FNU : tensor<3xf32> -> tensor<3xf8E8M0FNU>
  return %0 : tensor<3xf8E8M0FNU>
}

// CHECK-LABEL: func @constant_of_exponents
// CHECK: arith.constant dense<[127, -126, -1]> : tensor<3xi8>
func.func @constant_of_exponents() -> tensor<3xf8E8M0FNU> {
  %0 = IE.Constant dense<[1.0, 8.0, 0xFF]> : tensor<3xf8E8M0FNU>
  return %0 : tensor<3xf8E8M0FNU>
}
