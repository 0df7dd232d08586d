// RUN: nacre-opt %s -order-reductions -split-input-file | FileCheck %s

#in = affine_map<(d0, d1, d2, d3) -> (d0 + d2, d1 + d3)>
#window = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#out = affine_map<(d0, d1, d2, d3) -> (d0, d1)>

// CHECK-DAG: #[[IN:.*]] = affine_map<(d0, d1, d2, d3) -> (d0 + d1, d2 + d3)>
// CHECK-DAG: #[[WINDOW:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d2)>
// CHECK-DAG: #[[OUT:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d3)>
// CHECK-LABEL: @columns_of_a_large_window_come_last
// CHECK: linalg.generic {indexing_maps = [#[[IN]], #[[WINDOW]], #[[OUT]]], iterator_types = ["parallel", "reduction", "reduction", "parallel"]}
func.func @columns_of_a_large_window_come_last(%x: memref<134x?xf32>, %w: memref<7x7xf32>, %y: memref<128x?xf32>) {
  linalg.generic {indexing_maps = [#in, #window, #out], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%x, %w : memref<134x?xf32>, memref<7x7xf32>) outs(%y : memref<128x?xf32>) {
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

// CHECK-LABEL: @small_window_stays
// CHECK: iterator_types = ["parallel", "parallel", "reduction", "reduction"]
func.func @small_window_stays(%x: memref<132x132xf32>, %w: memref<5x5xf32>, %y: memref<128x128xf32>) {
  linalg.generic {indexing_maps = [#in, #window, #out], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%x, %w : memref<132x132xf32>, memref<5x5xf32>) outs(%y : memref<128x128xf32>) {
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

// A row of the window is longer than one of the result.
// CHECK-LABEL: @window_of_nearly_all_stays
// CHECK: iterator_types = ["parallel", "parallel", "reduction", "reduction"]
func.func @window_of_nearly_all_stays(%x: memref<56x56xf32>, %w: memref<50x50xf32>, %y: memref<7x7xf32>) {
  linalg.generic {indexing_maps = [#in, #window, #out], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%x, %w : memref<56x56xf32>, memref<50x50xf32>) outs(%y : memref<7x7xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %c, %a : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#in = affine_map<(d0, d1, d2, d3) -> (d0 * 2 + d2, d1 * 2 + d3)>
#window = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#out = affine_map<(d0, d1, d2, d3) -> (d0, d1)>

// Columns are not next to each other.
// CHECK-LABEL: @window_with_a_stride_stays
// CHECK: iterator_types = ["parallel", "parallel", "reduction", "reduction"]
func.func @window_with_a_stride_stays(%x: memref<70x70xf32>, %w: memref<7x7xf32>, %y: memref<32x32xf32>) {
  linalg.generic {indexing_maps = [#in, #window, #out], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%x, %w : memref<70x70xf32>, memref<7x7xf32>) outs(%y : memref<32x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %c, %a : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#rows = affine_map<(d0, d1) -> (d0, d1)>
#sums = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: @sum_of_a_row_stays
// CHECK: iterator_types = ["parallel", "reduction"]
func.func @sum_of_a_row_stays(%x: memref<128x512xf32>, %y: memref<128xf32>) {
  linalg.generic {indexing_maps = [#rows, #sums], iterator_types = ["parallel", "reduction"]} ins(%x : memref<128x512xf32>) outs(%y : memref<128xf32>) {
  ^bb0(%a: f32, %c: f32):
    %s = arith.addf %c, %a : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// The input of a product is no window, whatever is summed.
#lhs = affine_map<(d0, d1, d2) -> (d0, d2)>
#rhs = affine_map<(d0, d1, d2) -> (d2, d1)>
#product = affine_map<(d0, d1, d2) -> (d0, d1)>

// CHECK-LABEL: @product_stays
// CHECK: iterator_types = ["parallel", "parallel", "reduction"]
func.func @product_stays(%a: memref<8x64xf32>, %b: memref<64x32xf32>, %y: memref<8x32xf32>) {
  linalg.generic {indexing_maps = [#lhs, #rhs, #product], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : memref<8x64xf32>, memref<64x32xf32>) outs(%y : memref<8x32xf32>) {
  ^bb0(%l: f32, %r: f32, %c: f32):
    %m = arith.mulf %l, %r : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  }
  return
}
