// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-choose-strategies=decide=registers -convert-vpu-to-vector -split-input-file | FileCheck %s

// What follows a sum is computed while it is in a register.

// CHECK-LABEL: func @nothing_to_do_stores_sums
// CHECK: %[[SUM:.*]] = vector.fma
// CHECK: vector.store %{{.*}}, %arg2
// CHECK-NOT: VPU.NCE
func.func @nothing_to_do_stores_sums(%a: memref<1x1x8xf32>, %b: memref<1x1x8x16xf32>, %y: memref<1x1x16xf32>) {
  VPU.NCE.MatMul ins(%a, %b : memref<1x1x8xf32>, memref<1x1x8x16xf32>) outs(%y : memref<1x1x16xf32>)
  return
}

// -----

// NaN is neither below 0 nor above 6, and stays.
// CHECK-LABEL: func @limits_keep_nan
// CHECK: %[[BELOW:.*]] = arith.cmpf olt, %[[SUM:.*]], %[[ZERO:.*]] : vector<16xf32>
// CHECK: %[[LOW:.*]] = arith.select %[[BELOW]], %[[ZERO]], %[[SUM]]
// CHECK: %[[SIX:.*]] = arith.constant dense<6.000000e+00> : vector<16xf32>
// CHECK: %[[ABOVE:.*]] = arith.cmpf ogt, %[[LOW]], %[[SIX]]
// CHECK: %[[Y:.*]] = arith.select %[[ABOVE]], %[[SIX]], %[[LOW]]
// CHECK: vector.store %[[Y]], %arg2
func.func @limits_keep_nan(%a: memref<1x1x8xf32>, %b: memref<1x1x8x16xf32>, %y: memref<1x1x16xf32>) {
  VPU.NCE.MatMul ins(%a, %b : memref<1x1x8xf32>, memref<1x1x8x16xf32>) outs(%y : memref<1x1x16xf32>) {ppe = #VPU.PPE<mode = CLAMP, low = 0.0, high = 6.0>}
  return
}

// -----

// CHECK-LABEL: func @upper_limit_alone
// CHECK-NOT: arith.cmpf olt
// CHECK: arith.cmpf ogt
// CHECK-NOT: arith.cmpf
// CHECK: vector.store
func.func @upper_limit_alone(%a: memref<1x1x8xf32>, %b: memref<1x1x8x16xf32>, %y: memref<1x1x16xf32>) {
  VPU.NCE.MatMul ins(%a, %b : memref<1x1x8xf32>, memref<1x1x8x16xf32>) outs(%y : memref<1x1x16xf32>) {ppe = #VPU.PPE<mode = CLAMP, high = 6.0>}
  return
}

// -----

// CHECK-LABEL: func @negative_sums_are_scaled
// CHECK: %[[SCALED:.*]] = arith.mulf %[[SUM:.*]], %{{.*}} : vector<16xf32>
// CHECK: %[[NEGATIVE:.*]] = arith.cmpf olt, %[[SUM]]
// CHECK: arith.select %[[NEGATIVE]], %[[SCALED]], %[[SUM]]
func.func @negative_sums_are_scaled(%a: memref<1x1x8xf32>, %b: memref<1x1x8x16xf32>, %y: memref<1x1x16xf32>) {
  VPU.NCE.MatMul ins(%a, %b : memref<1x1x8xf32>, memref<1x1x8x16xf32>) outs(%y : memref<1x1x16xf32>) {ppe = #VPU.PPE<mode = LRELU, slope = 0.1>}
  return
}

// -----

// A slope of 1 is not multiplied by.
// CHECK-LABEL: func @swish_multiplies_by_the_sigmoid
// CHECK: %[[NEGATED:.*]] = arith.negf %[[SUM:.*]] : vector<16xf32>
// CHECK: %[[EXP:.*]] = math.exp %[[NEGATED]]
// CHECK: %[[DIVISOR:.*]] = arith.addf
// CHECK: %[[SIGMOID:.*]] = arith.divf %{{.*}}, %[[DIVISOR]]
// CHECK: %[[Y:.*]] = arith.mulf %[[SUM]], %[[SIGMOID]]
// CHECK: vector.store %[[Y]]
func.func @swish_multiplies_by_the_sigmoid(%a: memref<1x1x8xf32>, %b: memref<1x1x8x16xf32>, %y: memref<1x1x16xf32>) {
  VPU.NCE.MatMul ins(%a, %b : memref<1x1x8xf32>, memref<1x1x8x16xf32>) outs(%y : memref<1x1x16xf32>) {ppe = #VPU.PPE<mode = SWISH, slope = 1.0>}
  return
}

// -----

// A residual is added first.
// CHECK-LABEL: func @residual_comes_before_the_activation
// CHECK: %[[RESIDUAL:.*]] = vector.load %arg2
// CHECK: %[[SUM:.*]] = arith.addf %{{.*}}, %[[RESIDUAL]]
// CHECK: arith.cmpf olt, %[[SUM]]
func.func @residual_comes_before_the_activation(%a: memref<1x1x8xf32>, %b: memref<1x1x8x16xf32>, %r: memref<1x1x16xf32>, %y: memref<1x1x16xf32>) {
  VPU.NCE.MatMul ins(%a, %b : memref<1x1x8xf32>, memref<1x1x8x16xf32>) residual(%r : memref<1x1x16xf32>) outs(%y : memref<1x1x16xf32>) {ppe = #VPU.PPE<mode = RELU>}
  return
}
