// RUN: nacre-opt %s -collapse-loops -split-input-file | FileCheck %s

// CHECK: #[[MAP:.*]] = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func @elementwise_op_on_contiguous_buffers_is_one_loop
// CHECK: linalg.generic {indexing_maps = [#[[MAP]], #[[MAP]]], iterator_types = ["parallel"]} {{.*}}memref<24xf32>
#map = affine_map<(i, j, k) -> (i, j, k)>
func.func @elementwise_op_on_contiguous_buffers_is_one_loop(%a: memref<2x3x4xf32>, %b: memref<2x3x4xf32>) {
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a : memref<2x3x4xf32>) outs(%b : memref<2x3x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.exp %in : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// The vector along k keeps that loop apart.
// CHECK-LABEL: func @broadcast_operand_keeps_its_loop
// CHECK: iterator_types = ["parallel", "parallel"]
#map = affine_map<(i, j, k) -> (i, j, k)>
#row = affine_map<(i, j, k) -> (k)>
func.func @broadcast_operand_keeps_its_loop(%a: memref<2x3x4xf32>, %r: memref<4xf32>, %b: memref<2x3x4xf32>) {
  linalg.generic {indexing_maps = [#map, #row, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a, %r : memref<2x3x4xf32>, memref<4xf32>) outs(%b : memref<2x3x4xf32>) {
  ^bb0(%in: f32, %x: f32, %out: f32):
    %0 = arith.addf %in, %x : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// CHECK-LABEL: func @strided_buffer_stays
// CHECK: iterator_types = ["parallel", "parallel"]
#map = affine_map<(i, j) -> (i, j)>
func.func @strided_buffer_stays(%a: memref<3x4xf32, strided<[8, 1]>>, %b: memref<3x4xf32>) {
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%a : memref<3x4xf32, strided<[8, 1]>>) outs(%b : memref<3x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  return
}

// -----

// One scale for each channel: both loops over pixels are one.
// CHECK: #[[PIXEL:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK: #[[CHANNEL:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func @operand_of_size_1_is_read_without_those_dimensions
// CHECK: %[[SCALES:.*]] = memref.subview %{{.*}}[0, 0, 0] [3, 1, 1] [1, 1, 1] : memref<3x1x1xf32> to memref<3xf32, strided<[1]>>
// CHECK: linalg.generic {indexing_maps = [#[[PIXEL]], #[[CHANNEL]], #[[PIXEL]]], iterator_types = ["parallel", "parallel"]} ins({{.*}}, %[[SCALES]] : memref<3x20xf32>, memref<3xf32, strided<[1]>>) outs({{.*}} : memref<3x20xf32>)
#map = affine_map<(c, h, w) -> (c, h, w)>
#scale = affine_map<(c, h, w) -> (c, 0, 0)>
func.func @operand_of_size_1_is_read_without_those_dimensions(%a: memref<3x4x5xf32>, %s: memref<3x1x1xf32>, %b: memref<3x4x5xf32>) {
  linalg.generic {indexing_maps = [#map, #scale, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a, %s : memref<3x4x5xf32>, memref<3x1x1xf32>) outs(%b : memref<3x4x5xf32>) {
  ^bb0(%in: f32, %x: f32, %out: f32):
    %0 = arith.mulf %in, %x : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// One number for all.
// CHECK-LABEL: func @operand_of_one_element_leaves_one_loop
// CHECK: memref.subview {{.*}} : memref<1x1xf32> to memref<f32, strided<[]>>
// CHECK: iterator_types = ["parallel"]
#map = affine_map<(i, j) -> (i, j)>
#one = affine_map<(i, j) -> (0, 0)>
func.func @operand_of_one_element_leaves_one_loop(%a: memref<3x4xf32>, %s: memref<1x1xf32>, %b: memref<3x4xf32>) {
  linalg.generic {indexing_maps = [#map, #one, #map], iterator_types = ["parallel", "parallel"]} ins(%a, %s : memref<3x4xf32>, memref<1x1xf32>) outs(%b : memref<3x4xf32>) {
  ^bb0(%in: f32, %x: f32, %out: f32):
    %0 = arith.mulf %in, %x : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// The first column of four is no dimension of size 1.
// CHECK-LABEL: func @constant_index_into_a_larger_dimension_stays
// CHECK-NOT: memref.subview
// CHECK: iterator_types = ["parallel", "parallel"]
#map = affine_map<(i, j) -> (i, j)>
#first = affine_map<(i, j) -> (i, 0)>
func.func @constant_index_into_a_larger_dimension_stays(%a: memref<3x4xf32>, %b: memref<3x4xf32>) {
  linalg.generic {indexing_maps = [#first, #map], iterator_types = ["parallel", "parallel"]} ins(%a : memref<3x4xf32>) outs(%b : memref<3x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  return
}

// -----

// CHECK-LABEL: func @operand_of_size_1_beside_dynamic_sizes_stays
// CHECK-NOT: memref.subview
// CHECK: iterator_types = ["parallel", "parallel"]
#map = affine_map<(i, j) -> (i, j)>
#first = affine_map<(i, j) -> (i, 0)>
func.func @operand_of_size_1_beside_dynamic_sizes_stays(%a: memref<?x1xf32>, %b: memref<?x4xf32>) {
  linalg.generic {indexing_maps = [#first, #map], iterator_types = ["parallel", "parallel"]} ins(%a : memref<?x1xf32>) outs(%b : memref<?x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  return
}

// -----

// A part of a tensor, contiguous but for the dimension it was cut from.
// CHECK-LABEL: func @part_collapses_behind_its_first_dimension
// CHECK: iterator_types = ["parallel", "parallel"]
#map3 = affine_map<(i, j, k) -> (i, j, k)>
func.func @part_collapses_behind_its_first_dimension(%a: memref<3x4x5xf32, strided<[80, 5, 1], offset: ?>>, %b: memref<3x4x5xf32>) {
  linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a : memref<3x4x5xf32, strided<[80, 5, 1], offset: ?>>) outs(%b : memref<3x4x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  return
}

// -----

// The steps of a run-time slice.
// CHECK-LABEL: func @part_of_unknown_strides_stays
// CHECK: iterator_types = ["parallel", "parallel"]
#map4 = affine_map<(i, j) -> (i, j)>
func.func @part_of_unknown_strides_stays(%a: memref<5x3xf32, strided<[?, ?], offset: ?>>, %b: memref<5x3xf32>) {
  linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%a : memref<5x3xf32, strided<[?, ?], offset: ?>>) outs(%b : memref<5x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  return
}
