// RUN: nacre-opt %s -expand-bfloat16 | FileCheck %s

// CHECK-LABEL: func @truncation_is_integer_arithmetic
// CHECK-NOT: arith.truncf
// CHECK: arith.shrui
func.func @truncation_is_integer_arithmetic(%x: f32) -> bf16 {
  %0 = arith.truncf %x : f32 to bf16
  return %0 : bf16
}

// CHECK-LABEL: func @extension_is_a_shift
// CHECK: arith.shli
func.func @extension_is_a_shift(%x: bf16) -> f32 {
  %0 = arith.extf %x : bf16 to f32
  return %0 : f32
}

// LLVM vectorises reductions by one operation, not by comparisons.
// CHECK-LABEL: func @maximum_stays
// CHECK: arith.maximumf
func.func @maximum_stays(%x: f32, %y: f32) -> f32 {
  %0 = arith.maximumf %x, %y : f32
  return %0 : f32
}
