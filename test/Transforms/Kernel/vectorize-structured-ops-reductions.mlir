// RUN: nacre-opt %s --vpu-arch=x86-64-v3 -vectorize-structured-ops | FileCheck %s

#map = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// Only the addition that accumulates is marked.
// CHECK-LABEL: func @sum_is_reassociable
// CHECK: arith.addf %{{.*}}, %{{.*}} : f32
// CHECK: arith.addf %{{.*}}, %{{.*}} fastmath<reassoc> : f32
func.func @sum_is_reassociable(%a: memref<3x5xf32>, %b: memref<3xf32>) {
  linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]} ins(%a : memref<3x5xf32>) outs(%b : memref<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %in : f32
    %1 = arith.addf %out, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// So few are unrolled, and stay in their order.
// CHECK-LABEL: func @sum_of_four_stays_in_order
// CHECK-NOT: fastmath
func.func @sum_of_four_stays_in_order(%a: memref<3x4xf32>, %b: memref<3xf32>) {
  linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]} ins(%a : memref<3x4xf32>) outs(%b : memref<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %in : f32
    %1 = arith.addf %out, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// CHECK-LABEL: func @elementwise_addition_stays_exact
// CHECK-NOT: fastmath
func.func @elementwise_addition_stays_exact(%a: memref<3x4xf32>, %b: memref<3x4xf32>) {
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%a : memref<3x4xf32>) outs(%b : memref<3x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %out, %in : f32
    linalg.yield %0 : f32
  }
  return
}

// CHECK-LABEL: func @signs_of_zeros_do_not_matter_to_the_largest
// CHECK: arith.maximumf %{{.*}}, %{{.*}} : f32
// CHECK: arith.maximumf %{{.*}}, %{{.*}} fastmath<nsz> : f32
func.func @signs_of_zeros_do_not_matter_to_the_largest(%a: memref<3x4xf32>, %b: memref<3xf32>) {
  linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]} ins(%a : memref<3x4xf32>) outs(%b : memref<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %in : f32
    %1 = arith.maximumf %out, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// CHECK-LABEL: func @smallest_so_far_is_the_second_operand
// CHECK: ^bb0(%[[IN:.*]]: f32, %[[OUT:.*]]: f32):
// CHECK: arith.minimumf %[[IN]], %[[OUT]] fastmath<nsz> : f32
// CHECK: ^bb0(%[[IN:.*]]: f32, %[[OUT:.*]]: f32):
// CHECK: arith.minimumf %[[IN]], %[[OUT]] fastmath<nsz> : f32
func.func @smallest_so_far_is_the_second_operand(%a: memref<3x4xf32>, %b: memref<3xf32>) {
  linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]} ins(%a : memref<3x4xf32>) outs(%b : memref<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.minimumf %out, %in : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]} ins(%a : memref<3x4xf32>) outs(%b : memref<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.minimumf %in, %out : f32
    linalg.yield %0 : f32
  }
  return
}
