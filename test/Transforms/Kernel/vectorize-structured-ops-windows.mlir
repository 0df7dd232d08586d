// RUN: nacre-opt %s --vpu-arch=x86-64-v3 -vectorize-structured-ops -split-input-file | FileCheck %s

#in = affine_map<(d0, d1, d2, d3) -> (d0 + d2, d1 + d3)>
#window = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#out = affine_map<(d0, d1, d2, d3) -> (d0, d1)>

// CHECK-DAG: #[[IN:.*]] = affine_map<(d0, d1, d2, d3) -> (d0 + d1, d2 + d3)>
// CHECK-DAG: #[[WINDOW:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d2)>
// CHECK-DAG: #[[OUT:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d3)>
// CHECK-LABEL: @columns_of_a_large_window_come_last
// CHECK-NOT: VPU.strategy
// CHECK: linalg.generic {indexing_maps = [#[[IN]], #[[WINDOW]], #[[OUT]]], iterator_types = ["parallel", "reduction", "reduction", "parallel"]}
func.func @columns_of_a_large_window_come_last(%x: memref<134x?xf32>, %w: memref<7x7xf32>, %y: memref<128x?xf32>) {
  linalg.generic {indexing_maps = [#in, #window, #out], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%x, %w : memref<134x?xf32>, memref<7x7xf32>) outs(%y : memref<128x?xf32>) attrs = {VPU.strategy = #VPU.strategy<kernel = <loops = <innermost = 1>>>} {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %c, %a : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#in = affine_map<(d0, d1, d2, d3) -> (d0 + d2, d1 + d3)>
#window = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#out = affine_map<(d0, d1, d2, d3) -> (d0, d1)>

// CHECK-LABEL: @loops_without_an_innermost_one_stay
// CHECK: iterator_types = ["parallel", "parallel", "reduction", "reduction"]
// CHECK-NOT: VPU.strategy
func.func @loops_without_an_innermost_one_stay(%x: memref<134x134xf32>, %w: memref<7x7xf32>, %y: memref<128x128xf32>) {
  linalg.generic {indexing_maps = [#in, #window, #out], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%x, %w : memref<134x134xf32>, memref<7x7xf32>) outs(%y : memref<128x128xf32>) attrs = {VPU.strategy = #VPU.strategy<kernel = <loops = <>>>} {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %c, %a : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#in = affine_map<(d0, d1, d2, d3) -> (d0 + d2, d1 + d3)>
#window = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#out = affine_map<(d0, d1, d2, d3) -> (d0, d1)>

// CHECK-LABEL: @undecided_loops_stay
// CHECK: iterator_types = ["parallel", "parallel", "reduction", "reduction"]
func.func @undecided_loops_stay(%x: memref<134x134xf32>, %w: memref<7x7xf32>, %y: memref<128x128xf32>) {
  linalg.generic {indexing_maps = [#in, #window, #out], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%x, %w : memref<134x134xf32>, memref<7x7xf32>) outs(%y : memref<128x128xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %c, %a : f32
    linalg.yield %s : f32
  }
  return
}
