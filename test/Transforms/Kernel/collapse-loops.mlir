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

// Beside dynamic sizes, too: a number for each row is read for all of an image,
// whose rows are one loop.
// CHECK: #[[CHANNEL:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK: #[[PIXEL:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func @operand_of_size_1_beside_dynamic_sizes
// CHECK-SAME: %[[A:.*]]: memref<?x8x1x1xf32>, %[[B:.*]]: memref<?x8x?x?xf32>
// CHECK: %[[SCALES:.*]] = memref.collapse_shape %[[A]] {{\[\[}}0], [1, 2, 3]] : memref<?x8x1x1xf32> into memref<?x8xf32>
// CHECK: %[[SCALE:.*]] = memref.collapse_shape %[[SCALES]] {{\[\[}}0, 1]] : memref<?x8xf32> into memref<?xf32>
// CHECK: linalg.generic {indexing_maps = [#[[CHANNEL]], #[[PIXEL]]], iterator_types = ["parallel", "parallel"]} ins(%[[SCALE]] : memref<?xf32>) outs(%{{.*}} : memref<?x?xf32>)
#map = affine_map<(n, c, h, w) -> (n, c, h, w)>
#first = affine_map<(n, c, h, w) -> (n, c, 0, 0)>
func.func @operand_of_size_1_beside_dynamic_sizes(%a: memref<?x8x1x1xf32>, %b: memref<?x8x?x?xf32>) {
  linalg.generic {indexing_maps = [#first, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a : memref<?x8x1x1xf32>) outs(%b : memref<?x8x?x?xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  return
}

// -----

// Elements of which one is read of each row, with others between them.
// CHECK-LABEL: func @operand_of_unknown_stride_is_a_part
// CHECK: %[[ROWS:.*]] = memref.subview %{{.*}}[0, 0, 0] [%{{.*}}, %{{.*}}, 1] [1, 1, 1] : memref<?x?x1xf32, strided<[?, ?, 1]>> to memref<?x?xf32, strided<[?, ?]>>
// CHECK: linalg.generic {{.*}} ins(%[[ROWS]] :
#map = affine_map<(i, j, k) -> (i, j, k)>
#first = affine_map<(i, j, k) -> (i, j, 0)>
func.func @operand_of_unknown_stride_is_a_part(%a: memref<?x?x1xf32, strided<[?, ?, 1]>>, %b: memref<?x?x4xf32>) {
  linalg.generic {indexing_maps = [#first, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a : memref<?x?x1xf32, strided<[?, ?, 1]>>) outs(%b : memref<?x?x4xf32>) {
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

// -----

// CHECK: #[[MAP:.*]] = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func @buffers_of_dynamic_sizes_are_one_loop
// CHECK-SAME: %[[A:.*]]: memref<?x8x?x?xf32>, %[[B:.*]]: memref<?x8x?x?xf32>
// CHECK: %[[FLAT:.*]] = memref.collapse_shape %[[A]] {{\[\[}}0, 1, 2, 3]] : memref<?x8x?x?xf32> into memref<?xf32>
// CHECK: %[[RESULT:.*]] = memref.collapse_shape %[[B]]
// CHECK: linalg.generic {indexing_maps = [#[[MAP]], #[[MAP]]], iterator_types = ["parallel"]} ins(%[[FLAT]] : memref<?xf32>) outs(%[[RESULT]] : memref<?xf32>)
#map = affine_map<(n, c, h, w) -> (n, c, h, w)>
func.func @buffers_of_dynamic_sizes_are_one_loop(%a: memref<?x8x?x?xf32>, %b: memref<?x8x?x?xf32>) {
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a : memref<?x8x?x?xf32>) outs(%b : memref<?x8x?x?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.exp %in : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// An image is one row of its channel, which has one sum.
// CHECK: #[[PIXEL:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK: #[[CHANNEL:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func @sum_over_an_image_of_dynamic_size_is_one_loop
// CHECK: linalg.generic {indexing_maps = [#[[PIXEL]], #[[CHANNEL]]], iterator_types = ["parallel", "reduction"]} ins({{.*}} : memref<8x?xf32>) outs({{.*}} : memref<8xf32>)
#map = affine_map<(c, h, w) -> (c, h, w)>
#sum = affine_map<(c, h, w) -> (c)>
func.func @sum_over_an_image_of_dynamic_size_is_one_loop(%a: memref<8x?x?xf32>, %b: memref<8xf32>) {
  linalg.generic {indexing_maps = [#map, #sum], iterator_types = ["parallel", "reduction", "reduction"]} ins(%a : memref<8x?x?xf32>) outs(%b : memref<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %out, %in : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// Channels of a buffer, all of whose pixels a part has.
// CHECK-LABEL: func @part_with_all_of_its_inner_dimensions_collapses
// CHECK-SAME: %[[A:.*]]: memref<f32>, %[[H:.*]]: index, %[[W:.*]]: index, %[[FIRST:.*]]: index, %{{.*}}: index,
// CHECK: %[[WHOLE:.*]] = memref.collapse_shape %{{.*}} {{\[\[}}0, 1, 2]]
// CHECK: %[[ROWS:.*]] = arith.muli %[[FIRST]], %[[H]]
// CHECK: %[[START:.*]] = arith.muli %[[ROWS]], %[[W]]
// CHECK: %[[PART:.*]] = memref.subview %[[WHOLE]][%[[START]]] [%{{.*}}] [1]
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[PART]] :
#map = affine_map<(c, h, w) -> (c, h, w)>
func.func @part_with_all_of_its_inner_dimensions_collapses(%a: memref<f32>, %h: index, %w: index, %first: index, %stride: index, %b: memref<4x?x?xf32>) {
  %whole = memref.reinterpret_cast %a to offset: [0], sizes: [8, %h, %w], strides: [%stride, %w, 1] : memref<f32> to memref<8x?x?xf32>
  %part = memref.subview %whole[%first, 0, 0] [4, %h, %w] [1, 1, 1] : memref<8x?x?xf32> to memref<4x?x?xf32, strided<[?, ?, 1], offset: ?>>
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%part : memref<4x?x?xf32, strided<[?, ?, 1], offset: ?>>) outs(%b : memref<4x?x?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.exp %in : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// Rows of an image are as many as a part has of them; the part of a row is not
// known to be all of it, and the rows behind it are no part of it.
// CHECK-LABEL: func @part_of_rows_of_another_length_keeps_its_loops
// CHECK: iterator_types = ["parallel", "parallel"]
#map = affine_map<(h, w) -> (h, w)>
func.func @part_of_rows_of_another_length_keeps_its_loops(%a: memref<f32>, %h: index, %w: index, %most: index, %b: memref<?x?xf32>) {
  %whole = memref.reinterpret_cast %a to offset: [0], sizes: [%h, %w], strides: [%w, 1] : memref<f32> to memref<?x?xf32>
  %part = memref.subview %whole[0, 0] [%h, %most] [1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1]>>
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%part : memref<?x?xf32, strided<[?, 1]>>) outs(%b : memref<?x?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.exp %in : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// Every second row.
// CHECK-LABEL: func @part_of_some_rows_keeps_its_loops
// CHECK: iterator_types = ["parallel", "parallel"]
#map = affine_map<(h, w) -> (h, w)>
func.func @part_of_some_rows_keeps_its_loops(%a: memref<f32>, %h: index, %w: index, %half: index, %b: memref<?x?xf32>) {
  %whole = memref.reinterpret_cast %a to offset: [0], sizes: [%h, %w], strides: [%w, 1] : memref<f32> to memref<?x?xf32>
  %part = memref.subview %whole[0, 0] [%half, %w] [2, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1]>>
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%part : memref<?x?xf32, strided<[?, 1]>>) outs(%b : memref<?x?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.exp %in : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// A row for each column of a broadcast operand.
// CHECK-LABEL: func @broadcast_operand_of_dynamic_size_keeps_its_loop
// CHECK: iterator_types = ["parallel", "parallel"]
#map = affine_map<(i, j, k) -> (i, j, k)>
#row = affine_map<(i, j, k) -> (k)>
func.func @broadcast_operand_of_dynamic_size_keeps_its_loop(%a: memref<?x?x?xf32>, %r: memref<?xf32>, %b: memref<?x?x?xf32>) {
  linalg.generic {indexing_maps = [#map, #row, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a, %r : memref<?x?x?xf32>, memref<?xf32>) outs(%b : memref<?x?x?xf32>) {
  ^bb0(%in: f32, %x: f32, %out: f32):
    %0 = arith.addf %in, %x : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// CHECK-LABEL: func @copy_and_fill_of_dynamic_sizes_are_one_loop
// CHECK: linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : memref<?xf32>)
// CHECK: linalg.copy ins(%{{.*}} : memref<?xf32>) outs(%{{.*}} : memref<?xf32>)
func.func @copy_and_fill_of_dynamic_sizes_are_one_loop(%a: memref<?x64xf32>, %b: memref<?x64xf32>, %zero: f32) {
  linalg.fill ins(%zero : f32) outs(%a : memref<?x64xf32>)
  linalg.copy ins(%a : memref<?x64xf32>) outs(%b : memref<?x64xf32>)
  return
}

// -----

// Some channels of a batch of one: the loops over pixels merge, that over the
// batch stays, as the channels are not all.
// CHECK-LABEL: func @sums_of_some_channels_are_one_loop_each
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]} ins({{.*}} : memref<1x?x?xf32, strided<[?, ?, 1], offset: ?>>) outs({{.*}} : memref<1x?xf32, strided<[32, 1], offset: ?>>)
#map = affine_map<(n, c, u, h, w) -> (n, c, u, h, w)>
#sum = affine_map<(n, c, u, h, w) -> (n, c, u)>
func.func @sums_of_some_channels_are_one_loop_each(%a: memref<f32>, %h: index, %w: index, %first: index, %count: index, %s: index, %b: memref<1x?x1xf32, strided<[32, 1, 1], offset: ?>>) {
  %whole = memref.reinterpret_cast %a to offset: [0], sizes: [1, 32, 1, %h, %w], strides: [%s, %s, %s, %w, 1] : memref<f32> to memref<1x32x1x?x?xf32>
  %part = memref.subview %whole[0, %first, 0, 0, 0] [1, %count, 1, %h, %w] [1, 1, 1, 1, 1] : memref<1x32x1x?x?xf32> to memref<1x?x1x?x?xf32, strided<[?, ?, ?, ?, 1], offset: ?>>
  linalg.generic {indexing_maps = [#map, #sum], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%part : memref<1x?x1x?x?xf32, strided<[?, ?, ?, ?, 1], offset: ?>>) outs(%b : memref<1x?x1xf32, strided<[32, 1, 1], offset: ?>>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %out, %in : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// One row of some elements: its loop keeps a step that is known.
// CHECK-LABEL: func @row_of_a_part_keeps_its_stride
// CHECK: linalg.generic {{.*}}ins(%{{.*}} : memref<1x?xf32, strided<[?, 1], offset: ?>>)
#map = affine_map<(i, j) -> (i, j)>
func.func @row_of_a_part_keeps_its_stride(%a: memref<1x?xf32, strided<[?, 1], offset: ?>>, %b: memref<1x?xf32>) {
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%a : memref<1x?xf32, strided<[?, 1], offset: ?>>) outs(%b : memref<1x?xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  return
}

// -----

// Parts of rooms in which a kernel computes a few channels at a time.
// CHECK-LABEL: func @parts_of_rooms_with_all_pixels_collapse
// CHECK-DAG: memref.collapse_shape %{{.*}} {{\[\[}}0], [1, 2]] : memref<?x?x?xf32> into memref<?x?xf32>
// CHECK-DAG: memref.collapse_shape %{{.*}} {{\[\[}}0], [1, 2]] : memref<8x?x?xf32> into memref<8x?xf32>
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]}
#map = affine_map<(c, h, w) -> (c, h, w)>
#scale = affine_map<(c, h, w) -> (c)>
func.func @parts_of_rooms_with_all_pixels_collapse(%bytes: memref<4096xi8>, %s: memref<4xf32>, %c: index, %h: index, %w: index, %at: index) {
  %room = memref.alloc(%c, %h, %w) : memref<?x?x?xf32>
  %place = memref.view %bytes[%at][%h, %w] : memref<4096xi8> to memref<8x?x?xf32>
  %a = memref.subview %room[0, 0, 0] [4, %h, %w] [1, 1, 1] : memref<?x?x?xf32> to memref<4x?x?xf32, strided<[?, ?, 1]>>
  %b = memref.subview %place[0, 0, 0] [4, %h, %w] [1, 1, 1] : memref<8x?x?xf32> to memref<4x?x?xf32, strided<[?, ?, 1]>>
  linalg.generic {indexing_maps = [#map, #scale, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a, %s : memref<4x?x?xf32, strided<[?, ?, 1]>>, memref<4xf32>) outs(%b : memref<4x?x?xf32, strided<[?, ?, 1]>>) {
  ^bb0(%in: f32, %factor: f32, %out: f32):
    %0 = arith.mulf %in, %factor : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// Seen with dimensions of size 1 between its channels and its pixels, a part is as
// contiguous as without them.
// CHECK-LABEL: func @expanded_part_collapses
// CHECK: %[[FLAT:.*]] = memref.collapse_shape %{{.*}} {{\[\[}}0], [1, 2]] : memref<8x?x?xf32> into memref<8x?xf32>
// CHECK: %[[PART:.*]] = memref.subview %[[FLAT]][0, 0] [4, %{{.*}}] [1, 1]
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]} ins(%[[PART]] :
#map = affine_map<(c, u, h, w) -> (c, u, h, w)>
#sum = affine_map<(c, u, h, w) -> (c, u)>
func.func @expanded_part_collapses(%bytes: memref<4096xi8>, %s: memref<4x1xf32>, %h: index, %w: index, %at: index) {
  %place = memref.view %bytes[%at][%h, %w] : memref<4096xi8> to memref<8x?x?xf32>
  %part = memref.subview %place[0, 0, 0] [4, %h, %w] [1, 1, 1] : memref<8x?x?xf32> to memref<4x?x?xf32, strided<[?, ?, 1]>>
  %a = memref.expand_shape %part [[0, 1], [2], [3]] output_shape [4, 1, %h, %w] : memref<4x?x?xf32, strided<[?, ?, 1]>> into memref<4x1x?x?xf32, strided<[?, ?, ?, 1]>>
  linalg.generic {indexing_maps = [#map, #sum], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%a : memref<4x1x?x?xf32, strided<[?, ?, ?, 1]>>) outs(%s : memref<4x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %out, %in : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// What was expanded stays so where its parts meet other dimensions.
// CHECK-LABEL: func @expanded_rows_that_are_transposed_stay
// CHECK: iterator_types = ["parallel", "parallel", "parallel"]
#map = affine_map<(i, j, k) -> (i, j, k)>
#other = affine_map<(i, j, k) -> (j, i, k)>
func.func @expanded_rows_that_are_transposed_stay(%a: memref<?x4xf32>, %b: memref<3x?x4xf32>, %n: index) {
  %x = memref.expand_shape %a [[0, 1], [2]] output_shape [%n, 3, 4] : memref<?x4xf32> into memref<?x3x4xf32>
  linalg.generic {indexing_maps = [#map, #other], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : memref<?x3x4xf32>) outs(%b : memref<3x?x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  return
}

// -----

// Dimensions that a transposition keeps beside each other are one, of known and of
// unknown size.
// CHECK-DAG: #[[FROM:.*]] = affine_map<(d0, d1, d2) -> (d0, d2, d1)>
// CHECK-DAG: #[[TO:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-LABEL: func @transposed_planes_are_a_matrix
// CHECK: linalg.generic {indexing_maps = [#[[FROM]], #[[TO]]], {{.*}}} ins(%{{.*}} : memref<2x1664x18xi8>) outs(%{{.*}} : memref<2x18x1664xi8>)
// CHECK: linalg.generic {indexing_maps = [#[[FROM]], #[[TO]]], {{.*}}} ins(%{{.*}} : memref<?x?x?xi8>) outs(%{{.*}} : memref<?x?x?xi8>)
func.func @transposed_planes_are_a_matrix(%a: memref<2x128x13x18xi8>, %b: memref<2x18x128x13xi8>, %c: memref<?x128x?x?xi8>, %d: memref<?x?x128x?xi8>) {
  linalg.transpose ins(%a : memref<2x128x13x18xi8>) outs(%b : memref<2x18x128x13xi8>) permutation = [0, 3, 1, 2]
  linalg.transpose ins(%c : memref<?x128x?x?xi8>) outs(%d : memref<?x?x128x?xi8>) permutation = [0, 3, 1, 2]
  return
}

// -----

// CHECK-LABEL: func @transposition_that_parts_all_dimensions_stays
// CHECK: linalg.transpose
func.func @transposition_that_parts_all_dimensions_stays(%a: memref<3x5x7xi8>, %b: memref<7x5x3xi8>) {
  linalg.transpose ins(%a : memref<3x5x7xi8>) outs(%b : memref<7x5x3xi8>) permutation = [2, 1, 0]
  return
}

// -----

// A loop of which the body reads the index stays; others beside each other are one.
// CHECK-LABEL: func @loop_with_an_index_stays
// CHECK: linalg.generic {{.*}}iterator_types = ["reduction", "parallel"]} ins(%{{.*}} : memref<7x20xf32>) outs(%{{.*}} : memref<20xi32>)
// CHECK: linalg.index 0
#map = affine_map<(c, h, w) -> (c, h, w)>
#plane = affine_map<(c, h, w) -> (h, w)>
func.func @loop_with_an_index_stays(%a: memref<7x4x5xf32>, %b: memref<4x5xi32>) {
  linalg.generic {indexing_maps = [#map, #plane], iterator_types = ["reduction", "parallel", "parallel"]} ins(%a : memref<7x4x5xf32>) outs(%b : memref<4x5xi32>) {
  ^bb0(%in: f32, %out: i32):
    %0 = linalg.index 0 : index
    %1 = arith.index_cast %0 : index to i32
    %2 = arith.addi %1, %out : i32
    linalg.yield %2 : i32
  }
  return
}

// -----

// CHECK-LABEL: func @index_of_a_loop_behind_merged_ones_is_that_of_the_new_loop
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%{{.*}} : memref<?x5xf32
// CHECK: linalg.index 1
#map = affine_map<(n, h, w) -> (n, h, w)>
func.func @index_of_a_loop_behind_merged_ones_is_that_of_the_new_loop(%n: index, %a: memref<1xi8>, %b: memref<1xi8>) {
  %c0 = arith.constant 0 : index
  %x = memref.view %a[%c0][%n] : memref<1xi8> to memref<?x4x5xf32>
  %y = memref.view %b[%c0][%n] : memref<1xi8> to memref<?x4x5xi32>
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : memref<?x4x5xf32>) outs(%y : memref<?x4x5xi32>) {
  ^bb0(%in: f32, %out: i32):
    %0 = linalg.index 2 : index
    %1 = arith.index_cast %0 : index to i32
    linalg.yield %1 : i32
  }
  return
}
