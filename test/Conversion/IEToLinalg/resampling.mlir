// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-choose-strategies=decide=operators -convert-ie-to-linalg -canonicalize -split-input-file -verify-diagnostics | FileCheck %s

// A dimension that keeps its size needs no kernel; nearest needs no weights.
// CHECK-LABEL: func @nearest_resize_copies_elements
// CHECK: arith.constant dense<{{\[\[}}0, 0, 1, 2]]> : tensor<1x4xi64>
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: arith.mulf
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @nearest_resize_copies_elements(%x: tensor<2x3xf32>) -> tensor<2x4xf32> {
  %s = IE.Constant dense<[1.0, 1.5]> : tensor<2xf32>
  %0 = IE.Resize(%x) scales(%s : tensor<2xf32>) : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

// Several copies of each element need no table. All dimensions at once.
// CHECK-DAG: #[[ONE:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3)>
// CHECK-DAG: #[[ALL:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
// CHECK-LABEL: func @nearest_resize_repeats_elements
// CHECK-NOT: tensor.extract
// CHECK: %[[COPIES:.*]] = linalg.generic {indexing_maps = [#[[ONE]], #[[ALL]]]
// CHECK-SAME: outs(%{{.*}} : tensor<2x3x3x4x2xf32>)
// CHECK: tensor.collapse_shape %[[COPIES]] {{\[\[}}0], [1, 2], [3, 4]]
func.func @nearest_resize_repeats_elements(%x: tensor<2x3x4xf32>) -> tensor<2x9x8xf32> {
  %s = IE.Constant dense<[1.0, 3.0, 2.0]> : tensor<3xf32>
  %0 = IE.Resize(%x) scales(%s : tensor<3xf32>) {coordinate_transformation_mode = "asymmetric", nearest_mode = "floor"} : (tensor<2x3x4xf32>) -> tensor<2x9x8xf32>
  return %0 : tensor<2x9x8xf32>
}

// -----

// So it is of dimensions of unknown size, which a whole number multiplies.
// CHECK-LABEL: func @nearest_resize_of_dynamic_size_repeats_elements
// CHECK-NOT: tensor.extract
// CHECK: %[[START:.*]] = tensor.expand_shape %{{.*}} {{\[\[}}0], [1, 2], [3, 4]]
// CHECK: %[[COPIES:.*]] = linalg.generic {indexing_maps = [#[[ONE:.*]], #[[ALL:.*]]]
// CHECK-SAME: outs(%[[START]] : tensor<3x?x2x?x3xf32>)
// CHECK-NOT: tensor.extract
// CHECK: tensor.collapse_shape %[[COPIES]] {{\[\[}}0], [1, 2], [3, 4]]
// CHECK: return
func.func @nearest_resize_of_dynamic_size_repeats_elements(%x: tensor<3x?x?xf32>) -> tensor<3x?x?xf32> {
  %s = IE.Constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %0 = IE.Resize(%x) scales(%s : tensor<3xf32>) {nearest_mode = "round_prefer_floor"} : (tensor<3x?x?xf32>) -> tensor<3x?x?xf32>
  return %0 : tensor<3x?x?xf32>
}

// -----

// Neither by a part of a number, nor where thirds of a step are rounded up.
// CHECK-LABEL: func @nearest_resize_of_dynamic_size_by_parts_has_tables
// CHECK: tensor.extract
// CHECK: tensor.extract
// CHECK: return
func.func @nearest_resize_of_dynamic_size_by_parts_has_tables(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %s = IE.Constant dense<[1.5, 3.0]> : tensor<2xf32>
  %0 = IE.Resize(%x) scales(%s : tensor<2xf32>) {coordinate_transformation_mode = "asymmetric"} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// A dimension that stays as it is has taps without weight at its ends, too.
// CHECK-LABEL: func @linear_resize_leaves_channels
// CHECK: linalg.generic
// CHECK-COUNT-2: arith.mulf
// CHECK-NOT: arith.mulf
// CHECK: return
func.func @linear_resize_leaves_channels(%x: tensor<4x3xf32>) -> tensor<4x6xf32> {
  %s = IE.Constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = IE.Resize(%x) scales(%s : tensor<2xf32>) {mode = "linear"} : (tensor<4x3xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// -----

// CHECK-LABEL: func @linear_resize_weighs_two_elements_a_dimension
// CHECK: linalg.generic
// CHECK-COUNT-2: arith.mulf
// CHECK: linalg.generic
// CHECK-COUNT-2: arith.mulf
func.func @linear_resize_weighs_two_elements_a_dimension(%x: tensor<2x3xf32>) -> tensor<4x6xf32> {
  %s = IE.Constant dense<2.0> : tensor<2xf32>
  %0 = IE.Resize(%x) scales(%s : tensor<2xf32>) {mode = "linear"} : (tensor<2x3xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// -----

// Sizes are those of the result.
// CHECK-LABEL: func @resize_to_computed_sizes_of_a_static_result_lowers
// CHECK: linalg.generic
func.func @resize_to_computed_sizes_of_a_static_result_lowers(%x: tensor<4xf32>, %s: tensor<1xi64>) -> tensor<8xf32> {
  %0 = IE.Resize(%x) sizes(%s : tensor<1xi64>) : (tensor<4xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Of a region known only at run time, positions, weights and what is outside of
// the region are tables that kernels compute.
// CHECK-LABEL: func @resize_of_a_computed_region_computes_its_tables
// CHECK-DAG: %[[START:.*]] = tensor.extract %arg1[%c0]
// CHECK-DAG: %[[END:.*]] = tensor.extract %arg1[%c1]
// CHECK: %[[AT:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<2x8xi64>)
// CHECK: arith.minnumf
// CHECK: arith.maxnumf
// CHECK: arith.fptosi
// CHECK: %[[WEIGHTS:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<2x8xf32>)
// CHECK: %[[FILL:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<8xf32>)
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<8xf32>)
// CHECK: tensor.extract %[[AT]]
// CHECK: tensor.extract %arg0
// CHECK: tensor.extract %[[WEIGHTS]]
// CHECK: tensor.extract %[[FILL]]
func.func @resize_of_a_computed_region_computes_its_tables(%x: tensor<4xf32>, %r: tensor<2xf32>) -> tensor<8xf32> {
  %s = IE.Constant dense<2.0> : tensor<1xf32>
  %0 = IE.Resize(%x) roi(%r : tensor<2xf32>) scales(%s : tensor<1xf32>) {coordinate_transformation_mode = "tf_crop_and_resize", mode = "linear"} : (tensor<4xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// A dimension of one element is resized by no scale.
// CHECK-LABEL: func @resize_by_computed_scales_leaves_single_elements
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x8xi64>)
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x8xf32>)
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @resize_by_computed_scales_leaves_single_elements(%x: tensor<1x4xf32>, %s: tensor<2xf32>) -> tensor<1x8xf32> {
  %0 = IE.Resize(%x) scales(%s : tensor<2xf32>) : (tensor<1x4xf32>) -> tensor<1x8xf32>
  return %0 : tensor<1x8xf32>
}

// -----

func.func @resize_by_too_few_computed_scales_is_an_error(%x: tensor<1x4xf32>, %s: tensor<1xf32>) -> tensor<1x8xf32> {
  // expected-error @+1 {{expected scales or sizes of 2 dimensions}}
  %0 = IE.Resize(%x) scales(%s : tensor<1xf32>) : (tensor<1x4xf32>) -> tensor<1x8xf32>
  return %0 : tensor<1x8xf32>
}

// -----

// The number of points follows from the region; no index leaves the image.
// CHECK-LABEL: func @roi_align_without_ratio_counts_its_points
// CHECK: %[[IMAGE:.*]] = linalg.transpose ins(%arg0 : {{.*}}) outs({{.*}} : tensor<1x16x16x3xf32>)
// CHECK: math.ceil
// CHECK: arith.fptosi
// CHECK: scf.for
// CHECK: arith.maxnumf
// CHECK: tensor.extract %[[IMAGE]][
// CHECK: arith.divf
// CHECK: tensor.insert
func.func @roi_align_without_ratio_counts_its_points(%x: tensor<1x3x16x16xf32>, %r: tensor<7x4xf32>, %b: tensor<7xi64>) -> tensor<7x3x5x4xf32> {
  %0 = IE.RoiAlign(%x, %r, %b) {output_height = 5 : i64, output_width = 4 : i64} : (tensor<1x3x16x16xf32>, tensor<7x4xf32>, tensor<7xi64>) -> tensor<7x3x5x4xf32>
  return %0 : tensor<7x3x5x4xf32>
}

// -----

// Few points do not pay for another order of the image.
// CHECK-LABEL: func @roi_align_of_few_points_reads_the_image_as_it_is
// CHECK-NOT: linalg.transpose
// CHECK: tensor.extract %arg0[
func.func @roi_align_of_few_points_reads_the_image_as_it_is(%x: tensor<1x48x64x64xf32>, %r: tensor<7x4xf32>, %b: tensor<7xi64>) -> tensor<7x48x5x4xf32> {
  %0 = IE.RoiAlign(%x, %r, %b) {output_height = 5 : i64, output_width = 4 : i64, sampling_ratio = 1 : i64} : (tensor<1x48x64x64xf32>, tensor<7x4xf32>, tensor<7xi64>) -> tensor<7x48x5x4xf32>
  return %0 : tensor<7x48x5x4xf32>
}

// -----

// Channels are taken in equal parts, which need no smaller last one. The
// number of regions is dynamic: where it is large, all rows of the image are
// transposed, and all regions read these; else no rows and no regions.
// CHECK-LABEL: func @roi_align_of_some_regions_takes_parts_of_the_channels
// CHECK: %[[MANY:.*]] = arith.cmpi uge
// CHECK: %[[ROWS:.*]] = arith.select %[[MANY]], %c64{{.*}}, %c0
// CHECK: %[[IMAGE:.*]] = tensor.extract_slice %arg0[0, 0, 0, 0] [1, 96, %[[ROWS]], 64]
// CHECK: linalg.transpose ins(%[[IMAGE]] : tensor<1x96x?x64xf32>) outs({{.*}} : tensor<1x?x64x96xf32>)
// CHECK: %[[READ:.*]] = arith.select %[[MANY]], %[[N:.*]], %c0
// CHECK: tensor.extract_slice %{{.*}}[0, 0, 0, 0] [%[[READ]], 96, 5, 4]
// CHECK: tensor.empty() : tensor<48xf32>
// CHECK: } {nacre.independent = 0 : i64}
// CHECK: tensor.insert_slice
// CHECK: %[[REST:.*]] = arith.select %[[MANY]], %c0{{.*}}, %[[N]]
// CHECK: tensor.extract_slice %{{.*}}[0, 0, 0, 0] [%[[REST]], 96, 5, 4]
// CHECK: tensor.extract %arg0[
// CHECK: } {nacre.independent = 0 : i64}
func.func @roi_align_of_some_regions_takes_parts_of_the_channels(%x: tensor<1x96x64x64xf32>, %r: tensor<?x4xf32>, %b: tensor<?xi64>) -> tensor<?x96x5x4xf32> {
  %0 = IE.RoiAlign(%x, %r, %b) {output_height = 5 : i64, output_width = 4 : i64, sampling_ratio = 1 : i64} : (tensor<1x96x64x64xf32>, tensor<?x4xf32>, tensor<?xi64>) -> tensor<?x96x5x4xf32>
  return %0 : tensor<?x96x5x4xf32>
}

// -----

// Where the elements of a row are is computed once for all channels, whose images are
// read as runs of elements. What is outside has position -1.
// CHECK-LABEL: func @nearest_grid_sample_reads_one_element
// CHECK: %[[IMAGE:.*]] = tensor.collapse_shape %arg0 {{\[\[}}0], [1], [2, 3]]
// CHECK: scf.for {{.*}} to %c4 {{.*}} -> (tensor<2x3x4x6xi8>, tensor<6xi32>)
// CHECK: scf.for {{.*}} to %c2 {{.*}} -> (tensor<2x3x4x6xi8>, tensor<6xi32>)
// CHECK: %[[TABLE:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]}
// CHECK-COUNT-2: tensor.extract %arg1
// CHECK: arith.select %{{.*}}, %{{.*}}, %c-1
// CHECK: linalg.yield
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[TABLE]] : tensor<6xi32>)
// CHECK: arith.cmpi sge
// CHECK-COUNT-1: tensor.extract %[[IMAGE]]
// CHECK-NOT: tensor.extract %
// CHECK: arith.select
// CHECK: tensor.insert_slice %{{.*}} [1, 3, 1, 6]
// CHECK: nacre.independent = 0
// CHECK: nacre.independent = 2
func.func @nearest_grid_sample_reads_one_element(%x: tensor<2x3x8x8xui8>, %g: tensor<2x4x6x2xf32>) -> tensor<2x3x4x6xui8> {
  %0 = IE.GridSample(%x, %g) {mode = "nearest"} : (tensor<2x3x8x8xui8>, tensor<2x4x6x2xf32>) -> tensor<2x3x4x6xui8>
  return %0 : tensor<2x3x4x6xui8>
}

// -----

// Every position is clamped to the image before it is read. A weight that is no
// number is of a position outside: none is here.
// CHECK-LABEL: func @cubic_grid_sample_weighs_sixteen_elements
// CHECK: arith.minnumf
// CHECK: arith.maxnumf
// CHECK: arith.fptosi
// CHECK-COUNT-16: tensor.extract %collapsed
// CHECK-NOT: tensor.extract %collapsed
// CHECK-NOT: arith.cmpf ord
// CHECK: linalg.yield
func.func @cubic_grid_sample_weighs_sixteen_elements(%x: tensor<1x3x8x8xf32>, %g: tensor<1x4x6x2xf32>) -> tensor<1x3x4x6xf32> {
  %0 = IE.GridSample(%x, %g) {mode = "cubic", padding_mode = "border"} : (tensor<1x3x8x8xf32>, tensor<1x4x6x2xf32>) -> tensor<1x3x4x6xf32>
  return %0 : tensor<1x3x4x6xf32>
}

// -----

// CHECK-LABEL: func @linear_grid_sample_of_a_volume_weighs_eight_elements
// CHECK-COUNT-3: tensor.extract %arg1
// CHECK-COUNT-8: tensor.extract %collapsed
// CHECK-NOT: tensor.extract %collapsed
func.func @linear_grid_sample_of_a_volume_weighs_eight_elements(%x: tensor<1x3x8x8x8xf32>, %g: tensor<1x2x4x6x3xf32>) -> tensor<1x3x2x4x6xf32> {
  %0 = IE.GridSample(%x, %g) {padding_mode = "border"} : (tensor<1x3x8x8x8xf32>, tensor<1x2x4x6x3xf32>) -> tensor<1x3x2x4x6xf32>
  return %0 : tensor<1x3x2x4x6xf32>
}

// -----

// Many channels of a large image are read one after the other, by tables of all
// positions, which are longer numbers where sizes are unknown.
// CHECK-LABEL: func @grid_sample_of_many_channels_has_tables_of_all_rows
// CHECK-NOT: scf.for
// CHECK: %[[TABLES:.*]]:8 = linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel"]} outs({{.*}} : tensor<1x4x6xi64>, tensor<1x4x6xf32>
// CHECK: arith.select %{{.*}}, %{{.*}}, %cst
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%[[TABLES]]#0
// CHECK: arith.cmpf ord
func.func @grid_sample_of_many_channels_has_tables_of_all_rows(%x: tensor<1x32x?x?xf32>, %g: tensor<1x4x6x2xf32>) -> tensor<1x32x4x6xf32> {
  %0 = IE.GridSample(%x, %g) : (tensor<1x32x?x?xf32>, tensor<1x4x6x2xf32>) -> tensor<1x32x4x6xf32>
  return %0 : tensor<1x32x4x6xf32>
}

// -----

// How many elements an antialiased one is the mean of follows from the scale:
// the tables have a row for each, and sums are loops over the rows.
// CHECK-LABEL: func @antialiased_resize_by_a_scale_of_the_run_loops_over_its_window
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<1x?xf32>
// CHECK: math.floor
// CHECK: tensor.empty(%[[TAPS:[0-9]+]], %{{.*}}) : tensor<?x?xi64>
// CHECK: linalg.generic
// CHECK: scf.for {{.*}} to %[[TAPS]]
// CHECK: linalg.generic
// CHECK: scf.for {{.*}} to %[[TAPS]]
// CHECK: tensor.extract %[[X]]
// CHECK: scf.yield
func.func @antialiased_resize_by_a_scale_of_the_run_loops_over_its_window(%x: tensor<1x?xf32>, %s: tensor<1xf32>) -> tensor<1x?xf32> {
  %0 = IE.Resize(%x) scales(%s : tensor<1xf32>) {antialias = 1 : i64, axes = array<i64: 1>, mode = "linear"} : (tensor<1x?xf32>) -> tensor<1x?xf32>
  return %0 : tensor<1x?xf32>
}
