// What software kernels are written with, for vectors of 8, 16 and 4 lanes.
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v3 threads=1" --vpu-choose-strategies=decide=registers --vpu-verify-strategies=decided=registers --split-input-file | FileCheck %s --check-prefixes=CHECK,V3
// RUN: nacre-opt %s --init-compiler="vpu-arch=znver4 threads=1" --vpu-choose-strategies=decide=registers --vpu-verify-strategies=decided=registers --split-input-file | FileCheck %s --check-prefixes=CHECK,V4
// RUN: nacre-opt %s --init-compiler="vpu-arch=aarch64 threads=1" --vpu-choose-strategies=decide=registers --vpu-verify-strategies=decided=registers --split-input-file | FileCheck %s --check-prefixes=CHECK,NEON
// RUN: nacre-opt %s --init-compiler="vpu-arch=znver4 threads=1" --vpu-choose-strategies="decide=registers isolated=true" --split-input-file | FileCheck %s --check-prefix=ISOLATED

// ISOLATED-NOT: VPU.strategy

// CHECK-LABEL: func @blocks_of_vectors
// V3: linalg.transpose {{.*}}VPU.strategy = #VPU.strategy<kernel = <loops = <blockEdge = 8>>>
// V4: linalg.transpose {{.*}}VPU.strategy = #VPU.strategy<kernel = <loops = <blockEdge = 16>>>
// NEON: linalg.transpose {{.*}}VPU.strategy = #VPU.strategy<kernel = <loops = <blockEdge = 4>>>
func.func @blocks_of_vectors(%x: memref<64x32xf32>, %y: memref<32x64xf32>) {
  linalg.transpose ins(%x : memref<64x32xf32>) outs(%y : memref<32x64xf32>) permutation = [1, 0]
  return
}

// -----

// Bytes would be blocks of as many vectors as have no room for the masks.
// CHECK-LABEL: func @at_most_16_vectors
// CHECK: blockEdge = 16>
func.func @at_most_16_vectors(%x: memref<64x64xi8>, %y: memref<64x64xi8>) {
  linalg.transpose ins(%x : memref<64x64xi8>) outs(%y : memref<64x64xi8>) permutation = [1, 0]
  return
}

// -----

// CHECK-LABEL: func @dynamic_sizes_have_whole_blocks
// V3: blockEdge = 8>
// V4: blockEdge = 16>
// NEON: blockEdge = 4>
func.func @dynamic_sizes_have_whole_blocks(%x: memref<64x?xf32>, %y: memref<?x64xf32>) {
  linalg.transpose ins(%x : memref<64x?xf32>) outs(%y : memref<?x64xf32>) permutation = [1, 0]
  return
}

// -----

// CHECK-LABEL: func @short_dimension_has_small_blocks
// CHECK: blockEdge = 4>
func.func @short_dimension_has_small_blocks(%x: memref<5x32xf32>, %y: memref<32x5xf32>) {
  linalg.transpose ins(%x : memref<5x32xf32>) outs(%y : memref<32x5xf32>) permutation = [1, 0]
  return
}

// -----

// CHECK-LABEL: func @colours_are_moved_one_by_one
// CHECK: #VPU.strategy<kernel = <loops = <innermost = 1, unrolled = 0>>>
func.func @colours_are_moved_one_by_one(%x: memref<64x3xf32>, %y: memref<3x64xf32>) {
  linalg.transpose ins(%x : memref<64x3xf32>) outs(%y : memref<3x64xf32>) permutation = [1, 0]
  return
}

// -----

// Elements of less than a byte have no vectors, of another innermost dimension.
// CHECK-LABEL: func @bools_are_moved_in_loops_as_they_stand
// CHECK: #VPU.strategy<kernel = <loops = <>>>
func.func @bools_are_moved_in_loops_as_they_stand(%x: memref<64x32xi1>, %y: memref<32x64xi1>) {
  linalg.transpose ins(%x : memref<64x32xi1>) outs(%y : memref<32x64xi1>) permutation = [1, 0]
  return
}

// -----

// CHECK-LABEL: func @same_innermost_dimension_is_no_choice
// CHECK-NOT: VPU.strategy
func.func @same_innermost_dimension_is_no_choice(%x: memref<4x8x16xf32>, %y: memref<8x4x16xf32>) {
  linalg.transpose ins(%x : memref<4x8x16xf32>) outs(%y : memref<8x4x16xf32>) permutation = [1, 0, 2]
  return
}

// -----

#few = affine_map<(d0, d1, d2) -> (d0, d1)>
#some = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

// Copies side by side are stored as vectors, of as many elements as a row has.
// CHECK-LABEL: func @elements_several_times
// V3: #VPU.strategy<kernel = <loops = <blockEdge = 32>>>
// V4: #VPU.strategy<kernel = <loops = <blockEdge = 64>>>
// NEON: #VPU.strategy<kernel = <loops = <blockEdge = 16>>>
// CHECK: #VPU.strategy<kernel = <loops = <blockEdge = 4>>>
func.func @elements_several_times(%x: memref<5x70xi8>, %y: memref<5x70x2xi8>, %z: memref<5x6xi16>, %w: memref<5x6x3xi16>) {
  linalg.generic {indexing_maps = [#few, #some], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%x : memref<5x70xi8>) outs(%y : memref<5x70x2xi8>) {
  ^bb0(%in: i8, %out: i8):
    linalg.yield %in : i8
  }
  linalg.generic {indexing_maps = [#few, #some], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%z : memref<5x6xi16>) outs(%w : memref<5x6x3xi16>) {
  ^bb0(%in: i16, %out: i16):
    linalg.yield %in : i16
  }
  return
}

// -----

// CHECK-LABEL: func @given_loops_stay
// ISOLATED-LABEL: func @given_loops_stay
// ISOLATED: = #VPU.strategy<
// ISOLATED-NOT: VPU.strategy
// CHECK: #VPU.strategy<kernel = <loops = <blockEdge = 2>>>
func.func @given_loops_stay(%x: memref<64x32xf32>, %y: memref<32x64xf32>) {
  linalg.transpose ins(%x : memref<64x32xf32>) outs(%y : memref<32x64xf32>) permutation = [1, 0] {VPU.strategy = #VPU.strategy<kernel = <loops = <blockEdge = 2>>>}
  return
}

// -----

#left = affine_map<(m, k, n) -> (m, k)>
#right = affine_map<(m, k, n) -> (k, n)>
#sums = affine_map<(m, k, n) -> (m, n)>

// CHECK-LABEL: func @bytes_of_few_rows
// V3: #VPU.strategy<kernel = <loops = <byteProduct = <perLane = 2, rows = 8, columns = 2048, rowsInside = true>>>>
// V4: #VPU.strategy<kernel = <loops = <byteProduct = <perLane = 4, rows = 8, columns = 2048, rowsInside = true, byParts = true>>>>
// NEON-NOT: VPU.strategy
func.func @bytes_of_few_rows(%a: memref<4x10xi8>, %b: memref<10x64xi8>, %y: memref<4x64xi32>) {
  linalg.generic {indexing_maps = [#left, #right, #sums], iterator_types = ["parallel", "reduction", "parallel"]}
    ins(%a, %b : memref<4x10xi8>, memref<10x64xi8>) outs(%y : memref<4x64xi32>) {
  ^bb0(%x: i8, %w: i8, %sum: i32):
    %0 = arith.extui %x : i8 to i32
    %1 = arith.extsi %w : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %sum, %2 : i32
    linalg.yield %3 : i32
  }
  return
}

// -----

#left = affine_map<(m, k, n) -> (m, k)>
#right = affine_map<(m, k, n) -> (k, n)>
#sums = affine_map<(m, k, n) -> (m, n)>

// Both are signed: they are multiplied as words.
// CHECK-LABEL: func @bytes_of_many_rows
// V3: #VPU.strategy<kernel = <loops = <byteProduct = <perLane = 2, rows = 8, columns = 2048>>>>
// V4: #VPU.strategy<kernel = <loops = <byteProduct = <perLane = 2, rows = 8, columns = 2048>>>>
func.func @bytes_of_many_rows(%a: memref<5x10xi8>, %b: memref<10x64xi8>, %y: memref<5x64xi32>) {
  linalg.generic {indexing_maps = [#left, #right, #sums], iterator_types = ["parallel", "reduction", "parallel"]}
    ins(%a, %b : memref<5x10xi8>, memref<10x64xi8>) outs(%y : memref<5x64xi32>) {
  ^bb0(%x: i8, %w: i8, %sum: i32):
    %0 = arith.extsi %x : i8 to i32
    %1 = arith.extsi %w : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %sum, %2 : i32
    linalg.yield %3 : i32
  }
  return
}

// -----

#left = affine_map<(m, k, n) -> (m, k)>
#right = affine_map<(m, k, n) -> (k, n)>
#sums = affine_map<(m, k, n) -> (m, n)>

// CHECK-LABEL: func @fewer_columns_than_lanes
// V3: byteProduct
// V4: #VPU.strategy<kernel = <loops = <>>>
func.func @fewer_columns_than_lanes(%a: memref<1x10xi8>, %b: memref<10x15xi8>, %y: memref<1x15xi32>) {
  linalg.generic {indexing_maps = [#left, #right, #sums], iterator_types = ["parallel", "reduction", "parallel"]}
    ins(%a, %b : memref<1x10xi8>, memref<10x15xi8>) outs(%y : memref<1x15xi32>) {
  ^bb0(%x: i8, %w: i8, %sum: i32):
    %0 = arith.extui %x : i8 to i32
    %1 = arith.extsi %w : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %sum, %2 : i32
    linalg.yield %3 : i32
  }
  return
}

// -----

#in = affine_map<(d0, d1, d2, d3) -> (d0 + d2, d1 + d3)>
#window = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#out = affine_map<(d0, d1, d2, d3) -> (d0, d1)>

// CHECK-LABEL: func @columns_of_a_large_window_come_last
// CHECK: #VPU.strategy<kernel = <loops = <innermost = 1>>>
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

// CHECK-LABEL: func @small_window_stays
// CHECK: #VPU.strategy<kernel = <loops = <>>>
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
// CHECK-LABEL: func @window_of_nearly_all_stays
// CHECK: #VPU.strategy<kernel = <loops = <>>>
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
// CHECK-LABEL: func @window_with_a_stride_stays
// CHECK-NOT: VPU.strategy
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

// CHECK-LABEL: func @sum_of_a_row_stays
// CHECK-NOT: VPU.strategy
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

// CHECK-LABEL: func @product_stays
// CHECK-NOT: VPU.strategy
func.func @product_stays(%a: memref<8x64xf32>, %b: memref<64x32xf32>, %y: memref<8x32xf32>) {
  linalg.generic {indexing_maps = [#lhs, #rhs, #product], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : memref<8x64xf32>, memref<64x32xf32>) outs(%y : memref<8x32xf32>) {
  ^bb0(%l: f32, %r: f32, %c: f32):
    %m = arith.mulf %l, %r : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  }
  return
}
