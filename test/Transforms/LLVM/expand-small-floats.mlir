// RUN: nacre-opt %s -expand-small-floats | FileCheck %s

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

// CHECK-LABEL: func @extension_to_a_double_goes_by_way_of_f32
// CHECK: arith.shli
// CHECK: %[[X:.*]] = arith.bitcast %{{.*}} : vector<4xi32> to vector<4xf32>
// CHECK: arith.extf %[[X]] : vector<4xf32> to vector<4xf64>
func.func @extension_to_a_double_goes_by_way_of_f32(%x: vector<4xbf16>) -> vector<4xf64> {
  %0 = arith.extf %x : vector<4xbf16> to vector<4xf64>
  return %0 : vector<4xf64>
}

// CHECK-LABEL: func @extension_of_a_half_to_a_double_is_one
// CHECK: arith.extf %arg0 : f16 to f64
func.func @extension_of_a_half_to_a_double_is_one(%x: f16) -> f64 {
  %0 = arith.extf %x : f16 to f64
  return %0 : f64
}

// LLVM vectorises reductions by one operation, not by comparisons.
// CHECK-LABEL: func @maximum_stays
// CHECK: arith.maximumf
func.func @maximum_stays(%x: f32, %y: f32) -> f32 {
  %0 = arith.maximumf %x, %y : f32
  return %0 : f32
}

// LLVM would make them maxima of 16 bits, which it does not vectorise.
// CHECK-LABEL: func @extremes_of_halves_are_chosen
// CHECK: %[[X:.*]] = arith.extf %arg0
// CHECK: %[[Y:.*]] = arith.extf %arg1
// CHECK: %[[LESS:.*]] = arith.cmpf olt, %[[X]], %[[Y]]
// CHECK: %[[NAN:.*]] = arith.cmpf uno, %[[X]], %[[X]]
// CHECK: %[[FIRST:.*]] = arith.ori %[[LESS]], %[[NAN]]
// CHECK: %[[LEAST:.*]] = arith.select %[[FIRST]], %[[X]], %[[Y]]
// CHECK: arith.cmpf ogt, %[[LEAST]], %[[Y]]
// CHECK-NOT: arith.m{{ax|in}}imumf
// CHECK: return
func.func @extremes_of_halves_are_chosen(%a: f16, %b: f16) -> f32 {
  %x = arith.extf %a : f16 to f32
  %y = arith.extf %b : f16 to f32
  %0 = arith.minimumf %x, %y : f32
  %1 = arith.maximumf %0, %y : f32
  return %1 : f32
}

// CHECK-LABEL: func @maximum_with_a_single_stays
// CHECK: arith.maximumf
func.func @maximum_with_a_single_stays(%a: f16, %y: f32) -> f32 {
  %x = arith.extf %a : f16 to f32
  %0 = arith.maximumf %x, %y : f32
  return %0 : f32
}

// CHECK-LABEL: func @doubles_are_rounded_through_f32
// CHECK: %[[X:.*]] = arith.truncf %{{.*}} : vector<4xf64> to vector<4xf32>
// CHECK-NOT: arith.truncf
// CHECK: arith.shrui
func.func @doubles_are_rounded_through_f32(%x: vector<4xf64>) -> vector<4xbf16> {
  %0 = arith.truncf %x : vector<4xf64> to vector<4xbf16>
  return %0 : vector<4xbf16>
}

// CHECK-LABEL: func @doubles_are_rounded_through_f32_to_f16
// CHECK: %[[X:.*]] = arith.truncf %{{.*}} : f64 to f32
// CHECK: arith.truncf %[[X]] : f32 to f16
func.func @doubles_are_rounded_through_f32_to_f16(%x: f64) -> f16 {
  %0 = arith.truncf %x : f64 to f16
  return %0 : f16
}

// CHECK-LABEL: func @integers_are_rounded_through_f32
// CHECK: arith.sitofp %{{.*}} : i32 to f32
// CHECK: arith.uitofp %{{.*}} : i8 to f32
// CHECK-NOT: arith.truncf
func.func @integers_are_rounded_through_f32(%x: i32, %y: i8) -> (bf16, bf16) {
  %0 = arith.sitofp %x : i32 to bf16
  %1 = arith.uitofp %y : i8 to bf16
  return %0, %1 : bf16, bf16
}

// CHECK-LABEL: func @other_conversions_stay
// CHECK: arith.truncf %{{.*}} : f64 to f32
// CHECK: arith.sitofp %{{.*}} : i32 to f32
func.func @other_conversions_stay(%x: f64, %y: i32) -> (f32, f32) {
  %0 = arith.truncf %x : f64 to f32
  %1 = arith.sitofp %y : i32 to f32
  return %0, %1 : f32, f32
}
