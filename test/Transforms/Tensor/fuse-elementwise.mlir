// RUN: nacre-opt %s --fuse-elementwise | FileCheck %s
// RUN: nacre-opt %s --fuse-elementwise=max-body=4 | FileCheck %s --check-prefix=SHORT

#all = affine_map<(i, j) -> (i, j)>

// A body of two ops each, the yield included.
// CHECK-LABEL: func @chain
// CHECK-COUNT-1: linalg.generic
// CHECK: math.absf
// CHECK-NEXT: arith.negf
// CHECK-NEXT: math.exp
// CHECK-NOT: linalg.generic

// Two of them are four ops, which is few enough; with the third it were more.
// SHORT-LABEL: func @chain
// SHORT: linalg.generic
// SHORT: math.absf
// SHORT-NEXT: arith.negf
// SHORT-NEXT: linalg.yield
// SHORT: linalg.generic
// SHORT: math.exp
func.func @chain(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = math.absf %in : f32
    linalg.yield %v : f32
  } -> tensor<4x8xf32>
  %1 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = arith.negf %in : f32
    linalg.yield %v : f32
  } -> tensor<4x8xf32>
  %2 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = math.exp %in : f32
    linalg.yield %v : f32
  } -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// What two ops use is computed once.
// CHECK-LABEL: func @used_twice_stays
// CHECK-COUNT-2: linalg.generic
func.func @used_twice_stays(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = math.absf %in : f32
    linalg.yield %v : f32
  } -> tensor<4x8xf32>
  %1 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = math.exp %in : f32
    linalg.yield %v : f32
  } -> tensor<4x8xf32>
  return %0, %1 : tensor<4x8xf32>, tensor<4x8xf32>
}
