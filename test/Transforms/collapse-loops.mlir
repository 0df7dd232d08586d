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

// CHECK-LABEL: func @constant_index_stays
// CHECK: iterator_types = ["parallel", "parallel"]
#map = affine_map<(i, j) -> (i, j)>
#first = affine_map<(i, j) -> (i, 0)>
func.func @constant_index_stays(%a: memref<3x1xf32>, %b: memref<3x4xf32>) {
  linalg.generic {indexing_maps = [#first, #map], iterator_types = ["parallel", "parallel"]} ins(%a : memref<3x1xf32>) outs(%b : memref<3x4xf32>) {
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
